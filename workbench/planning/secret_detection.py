"""Secrets: files that hold keys or passwords, told by their names, by their folders and by their contents.

    name, folder ─▶ secret_name ─▶ "by its name it holds keys or passwords"
    content ─▶ secret_content ─▶ "line 12 looks like a key of AWS"         never the secret's text

Both are judged as they look: see ``as_seen``. A name in a content calls what is beside it, below it, in its column
or in its block; text in base64 or in hexadecimal is judged once more, decoded, and parts of one string, joined.

The package detect-secrets does not fit: it takes minutes for what a search reads in seconds, brings an HTTP client,
takes the hashes of lock files for keys, and knows no key of age, Google, Vault or Anthropic. All patterns here are
bounded, and each begins with text that is looked for first: the time grows with the file and with nothing else.
"""
# ruff: noqa: SIM905  # long lists of names are read as words

from __future__ import annotations

import base64
import binascii
import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from pathlib import PurePosixPath
from typing import NamedTuple

from workbench.domain.text.lookalikes import as_seen
from workbench.domain.text.patterns import lazy_pattern

# --- names ------------------------------------------------------------------------------------------------------------

_FOLDERS = frozenset(
    """
    .ssh .aws .azure .gnupg .kube .docker .oci .aliyun .bluemix .password-store .step .terraform .terraform.d
    .pulumi .chef .putty .vault .sops .age .secrets secrets secret credentials .credentials private-keys
    private_keys .gcloud gcloud .hg .svn .bzr .jj _darcs .kaggle .snowsql .mozilla .thunderbird .pki ssl-private
    .acme.sh letsencrypt .gem .config/hub .config/gh .config/op .databricks .huggingface .m2 legacy_credentials
    """.split()
)
"""Folders for keys and passwords, and what other systems than Git keep of versions."""
_NAMES = frozenset(
    """
    .env .envrc .flaskenv .dev.vars .netrc _netrc .npmrc .pypirc .pgpass pgpass.conf .htpasswd htpasswd .htdigest
    htdigest .git-credentials .dockercfg .dockerconfigjson kubeconfig .kubeconfig .s3cfg .boto .passwd-s3fs
    .my.cnf my.cnf .mylogin.cnf .vault-token .vault_pass vault_pass vault-password .vault-password .terraformrc
    terraform.rc rclone.conf auth.json hub token .token token.json token.pickle apikey api_key
    api-key .apikey .api_key keys.txt passwd passwd- shadow shadow- gshadow gshadow- master.passwd password passwords
    .password .passwd
    passphrase login logins.json key3.db key4.db signons.sqlite cookies.sqlite cookies.txt access_tokens.db
    application_default_credentials.json google-services.json client_secret googleservice-info.plist
    local.settings.json local_settings.py settings_local.py settings-security.xml config.inc.php sftp-config.json
    .ftpconfig .ftppass .remote-sync.json sitemanager.xml filezilla.xml recentservers.xml ws_ftp.ini .authinfo
    .fetchmailrc .msmtprc .esmtprc .offlineimaprc .mbsyncrc .getmailrc .rhosts .databrickscfg kaggle.json
    .sentryclirc .clasprc.json .cdsapirc .renviron .rhistory .bash_history .zsh_history .sh_history .history
    .python_history .node_repl_history .irb_history .psql_history .mysql_history .sqlite_history .rediscli_history
    .dbshell .mongorc.js fish_history .lesshst .viminfo wallet.dat otr.private_key encrypted_data_bag_secret
    secring.gpg trustdb.gpg identity local.properties keystore.properties key.properties signing.properties
    .yarnrc.local tnsnames.ora sqlnet.ora krb5.keytab .smbcredentials smbcredentials .cifs .pgservicefile
    .pg_service.conf .tugboat .ngrok2 ngrok.yml .wakatime.cfg
    """.split()
)
_ENDINGS = tuple(
    """
    .env .pem .key .p8 .p12 .pfx .pkcs12 .jks .bks .jceks .keystore .truststore .ppk .kdb .kdbx .psafe3
    .agilekeychain .opvault .1pux .keychain .keychain-db .ovpn .tfvars .tfvars.json .tfstate .secret .secrets
    .password .passwd .passwords .credentials .creds .token .htpasswd .htdigest .keytab .kubeconfig
    .publishsettings .pubxml.user .tblk .pcf .rdp .gpg .pgp .age .agekey .jwk .kwallet .wallet .mobileconfig .p7k
    .private .privkey .priv .sec .authinfo .dev.vars .netrc .rsa
    """.split()
)
_FOREIGN_WORDS = ("apoл", "密码", "密碼", "口令", "ハスワート", "비밀번호")
"""Words for passwords in other letters, as ``as_seen`` shows them."""
_FORMS = lazy_pattern(
    r"\.env[._-].*|env\.(?:local|prod|production|dev|staging)|credentials.*|client_secrets?.*|\.?secrets?(?:[._-].*)?"
    r"|id_(?:rsa|dsa|ecdsa|ed25519|xmss).*|.*_(?:rsa|dsa|ecdsa|ed25519)(?:\.old)?|.*\.tfstate\..*|kubeconfig[._-].*"
    r"|.*service[-_]?account.*\.json|.*-firebase-adminsdk-.*|gha-creds-.*|wp-config.*\.php|krb5cc.*|utc--.*"
    r"|(?:.*[._-])?(?:passwords?|passwd|passphrases?|passw[oö]rter|kennw[oö]rter|zugangsdaten|contrase[nñ]as|mots-de-passe)"
    r"\.(?:txt|md|csv|xlsx?|ods|docx?|odt|json|ya?ml)"
    r"|api[-_]?keys?\.(?:txt|json|ya?ml|md|csv|ini)|.*recovery[-_]?codes?.*\.txt|.*backup[-_]codes?.*\.txt"
    r"|(?:.*[-_.])?(?:seed[-_]?phrase|mnemonic)s?(?:\.\w+)?|vault[-_]pass(?:word)?(?:\.\w+)?|\.vault[-_]pass(?:word)?.*"
    r"|wg\d+\.conf|.*-private\.asc|hosts\.yml\.gh|.*(?:" + "|".join(_FOREIGN_WORDS) + ").*"
)
_TEMPLATE = lazy_pattern(
    r"\.env[._-](?:example|sample|template|dist|defaults?|schema|tpl)|(?:example|sample|template)\.env"
)
"""What people show instead of their secrets: judged by content alone."""
_BACKUP = lazy_pattern(
    r"(?:(?<!~)~++|\.~\d+~|\.(?:bak|bk|bkp|backup|old|orig|original|save|saved|copy|prev|swp|swo|swn|tmp|temp|rej|gz|zip|bz2|xz|\d+)"
    r"|[-_. ](?:bak|backup|old|copy|kopie|\d{4}-?\d\d-?\d\d)| ?\(\d+\)| copy \d+)$"
)
"""What a name ends in when it is that of a copy; taken away as long as there is some."""
_IN_FRONT = lazy_pattern(r"^(?:copy of |kopie von |backup[-_.]|old[-_.]|#|\.#|~\$)|#$")
_MOST_COPIES = 5


def secret_name(path: PurePosixPath) -> str:
    """Return why a file or folder is a secret by its name, or by the folders that it is in; "" if it is none."""
    return next(filter(None, map(_secret_parts, zip(*map(_readings, path.parts), strict=True))), "")


def _readings(part: str) -> tuple[str, str]:
    """Return a name as it looks, without what nobody sees, and with a space for it."""
    seen = [one.lower().strip().rstrip(". ") for one in as_seen(part)]
    return seen[0], seen[-1]


def _secret_parts(parts: Sequence[str]) -> str:
    pairs = (f"{one}/{next_one}" for one, next_one in pairwise(parts))
    if not _FOLDERS.isdisjoint(parts[:-1]) or not _FOLDERS.isdisjoint(pairs):
        return "by its folder it holds keys or passwords"
    return "by its name it holds keys or passwords" if parts and any(map(_is_secret, _originals(parts[-1]))) else ""


def secret_folder(path: PurePosixPath) -> str:
    """Return why all that is in a folder is secret, as ``secret_name`` does."""
    return secret_name(path / "a")


def _originals(name: str) -> Iterator[str]:
    """Yield a name, and those of what it may be a copy of."""
    yield name
    for _ in range(_MOST_COPIES):
        name, before = _IN_FRONT.sub("", _BACKUP.sub("", name)), name
        if name == before:
            return
        yield name
        yield name.removeprefix(".")  # an editor's copy: .id_rsa.swp


def _is_secret(name: str) -> bool:
    if _TEMPLATE.fullmatch(name):
        return False
    return name in _NAMES or name.endswith(_ENDINGS) or _FORMS.fullmatch(name) is not None


# --- contents ---------------------------------------------------------------------------------------------------------


class _Rule(NamedTuple):
    kind: str
    """What it looks like, with its article."""
    hint: str
    """What has to be in a text for the pattern to fit."""
    pattern: re.Pattern[str]
    is_always: bool = False
    """Whether there are no examples of it that everybody may see."""


def _rule(kind: str, hint: str, pattern: str, *, is_always: bool = False) -> _Rule:
    head = next((one for one in (re.escape(hint), hint) if pattern.startswith(one)), "")
    if hint[:1].isalnum():  # what comes before is looked at last: a pattern that begins with letters is found fast
        pattern = rf"{head}(?<![A-Za-z0-9_-]{head}){pattern.removeprefix(head)}"
    return _Rule(kind, hint, lazy_pattern(pattern), is_always)


_TOKENS = r"""
age  AGE-SECRET-KEY-1  [A-Z0-9]{20,80}
AWS  X-Amz-Signature=  [0-9a-fA-F]{64}
AWS  AKIA ASIA ABIA ACCA  [A-Z2-7]{16}(?![A-Za-z0-9])
GitHub  ghp_ gho_ ghu_ ghs_ ghr_  [A-Za-z0-9]{36}
GitHub  github_pat_  \w{22}
GitLab  glpat- gldt- glrt- glptt- glft- glsoat- glcbt- glimt- glagent- gloas-  [\w-]{20}
Slack  xox  [a-z](?:\.xox[a-z])?-(?=[\w-]{0,30}\d)[\w-]{10}
Slack  xapp-  \d-[\w-]{10}
Slack  hooks.slack.com  /(?:services|workflows)/[A-Z]\w{6,14}/\w{6,14}/(?P<token>\w{16})
Discord  MT Mj Mz ND NT Nj Nz OD OT  [\w-]{21,28}\.[\w-]{6}\.(?P<random>[\w-]{27,45})(?![\w-])
Discord  /api/webhooks/  \d{10,20}/(?P<token>[\w-]{60})
Microsoft Teams  webhook.office.com  /webhookb2/[\w@-]{36}
Stripe  sk_live_ rk_live_ sk_test_ rk_test_ whsec_  [A-Za-z0-9]{16}
Google  AIza  [\w-]{35}
Google  ya29.  [\w-]{20}
Google  GOCSPX-  [\w-]{28}
a language model's provider  sk-  (?P<random>[\w-]{20,200})
a language model's provider  hf_ gsk_ r8_ xai- pplx- nvapi-  [A-Za-z0-9]{30}
npm  npm_  [A-Za-z0-9]{36}
PyPI  pypi-AgE  [\w-]{50}
RubyGems  rubygems_  [0-9a-f]{48}
crates.io  cio  [A-Za-z0-9]{32}(?![A-Za-z0-9])
NuGet  oy2  [a-z0-9]{43}(?![a-z0-9])
Azure  AccountKey SharedAccessKey SharedAccessSignature  \s{0,2}=\s{0,2}[A-Za-z0-9+/%]{40}
Azure  &sig=  [A-Za-z0-9%+/]{40}
Vault  hvs. hvb. hvr.  [\w-]{24}
DigitalOcean  dop_v1_ doo_v1_ dor_v1_  [a-f0-9]{64}
SendGrid  SG.  [\w-]{16,32}\.[\w-]{16}
Mailgun  key-  [0-9a-f]{32}(?![0-9a-f])
Twilio  SK  [0-9a-f]{32}(?![0-9a-f])
Shopify  shpat_ shpca_ shppa_ shpss_  [a-fA-F0-9]{32}
Square  sq0atp- sq0csp- EAAAE  [\w-]{22}
Atlassian  ATATT3  [\w=-]{50}
Linear  lin_api_  \w{40}
Notion  ntn_  [A-Za-z0-9]{40}
Databricks  dapi  [0-9a-f]{32}
Docker  dckr_  (?:pat|oat)_[\w-]{20}
Doppler  dp.  (?:pt|st|ct|sa|scim|audit)\.[\w.-]{40}
Grafana  glsa_ glc_  [A-Za-z0-9_]{32}
Terraform  .atlasv1.  [\w-]{60}
Sentry  sntrys_ sntryu_  [\w=+/-]{40}
Supabase  sbp_ sb_secret_  \w{20}
PlanetScale  pscale_tkn_ pscale_pw_ pscale_oauth_  [\w.-]{32}
Pulumi  pul-  [0-9a-f]{40}
Netlify  nfp_  \w{36}
Figma  figd_  [\w-]{36}
Postman  PMAK-  [0-9a-f]{24}-[0-9a-f]{34}
New Relic  NRAK-  [A-Z0-9]{27}
Tailscale  tskey-  \w{2,10}-[\w-]{20}
1Password  ops_eyJ  [\w-]{40}
Dropbox  sl.  [\w-]{130}
Airtable  pat  \w{14}\.[0-9a-f]{64}
"""
"""Whose key it is, what it begins with, and a pattern of what follows."""


def _rules_of_tokens() -> Iterator[_Rule]:
    for line in _TOKENS.strip().splitlines():
        owner, hints, behind = line.split("  ")
        yield from (_rule(f"a key of {owner}", hint, re.escape(hint) + behind) for hint in hints.split())


_RULES = (
    *_rules_of_tokens(),
    _Rule("a private key", "PRIVATE KEY", lazy_pattern(r"-----? ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY"), is_always=True),
    _rule("a private key", "PuTTY-User-Key-File-", r"PuTTY-User-Key-File-\d", is_always=True),
    _rule("a private key", "PrivateKey", r"PrivateKey\s{0,4}=\s{0,4}[A-Za-z0-9+/]{42,43}=", is_always=True),
    _rule("a private key", "encrypted secret key", r"encrypted secret key\s{1,4}RW", is_always=True),
    *(
        _Rule("a private key", hint, lazy_pattern(pattern + r"[A-Za-z0-9+/\s]{20}"))
        for hint, pattern in (
            ("IBA", r"(?<![A-Za-z0-9+/])MII[A-Za-z0-9+/]{2}[AQgw]IBA[AD]"),
            ("MIG", r"(?<![A-Za-z0-9+/])MIG[A-Za-z0-9+/]AgEAM"),
            ("MC4CAQAw", r"(?<![A-Za-z0-9+/])MC4CAQAwBQYDK2VwBCIEI"),
        )
    ),
    _Rule("a private key", "<RSAKeyValue>", lazy_pattern(r"<D>\s{0,8}[A-Za-z0-9+/]{40}")),
    _Rule("a private key", '"kty"', lazy_pattern(r'"d"\s{0,4}:\s{0,4}"[\w-]{30}')),
    *(
        _rule("a private key", hint, hint, is_always=True)
        for hint in (
            "b3BlbnNzaC1rZXktdjEA", "signify secret key", "LS0tLS1CRUdJTiBSU0EgUFJJVk", "LS0tLS1CRUdJTiBQUklWQVRF",
            "LS0tLS1CRUdJTiBFQyBQUklWQ", "LS0tLS1CRUdJTiBPUEVOU1NI", "LS0tLS1CRUdJTiBFTkNSWVBURUQg",
        )
    ),
    _rule("a JSON Web Token", "eyJ", r"eyJ[\w-]{10,4000}+\.eyJ[\w-]{10,8000}+\.[\w-]{10}"),
    *(
        _Rule(
            "a key", hint,
            lazy_pattern(
                rf"(?<!public)(?<!cache)(?<!PUBLIC)(?<!CACHE){hint}"
                r"[\"']?[ \t]{0,2}[:=][ \t]{0,4}[\"']?(?P<random>[\w+/=]{24,200})(?![\w+/=.-])"
            ),
        )
        for hint in ("_KEY", "_key")
    ),
    _rule("a key of Mailchimp", "-us", r"[0-9a-f]{32}-us\d{1,2}(?!\d)"),
    _rule("a key of Telegram", ":AA", r"\d{8,10}:AA[\w-]{33}(?![\w-])"),
    _rule("a key of an authenticator", "otpauth://", r"otpauth://[^\s\"'<>]{1,300}?[?&]secret=[A-Za-z2-7]{10}"),
    *(
        _rule("a password", hint, f"{hint}{behind}[\"']?(?P<strong>[^\\s\"']{{6,200}})")
        for hint, behind in (
            ("mysql", r"[\w-]{0,16} [^\n|;]{0,200}?(?<= )-p"), ("mariadb", r"[\w-]{0,16} [^\n|;]{0,200}?(?<= )-p"),
            ("sshpass", r" -p ?"), ("PASSWORD", r" (?=[\"'])"), ("password", r" (?=[\"'])"),
            ("IDENTIFIED", r" (?:WITH \S{1,60} )?\w\w (?=[\"'])"),
            ("identified", r" (?:with \S{1,60} )?\w\w (?=[\"'])"),
            ("--password", "[ =]"), (" -u ", r"[\w.@-]{1,60}:"),
        )
    ),
    _Rule(
        "a password", ":",
        lazy_pattern(r"(?m)^[\w.*-]{1,100}+:(?:\d{2,5}|\*):[\w*-]{1,60}:[\w*.-]{1,60}:(?P<strong>[^\s:]{6,200})$"),
    ),
    _Rule(
        "a key of Kubernetes", "kind: Secret",
        lazy_pattern(r"(?m)^(?:stringData|data):[ \t]{0,8}\n[ \t]{1,8}[\w.-]{1,80}:[ \t]{0,4}[^\s{<$|>#\"'][^\s]{3}"),
    ),
    _rule("a password", "login", r"login\s{1,4}\S{1,100}\s{1,4}password\s{1,4}(?P<password>\S{3,200})"),
    _Rule(
        "a password's hash", ":$",
        lazy_pattern(r"(?m)^[\w.@-]{1,60}:\$(?:apr1|1|2[abxy]|5|6|y|argon2id?)\$[\w./$,=+-]{20}"),
    ),
    _Rule("a password's hash", ":{SHA}", lazy_pattern(r"(?m)^[\w.@-]{1,60}:\{SHA\}[\w+/]{20}")),
    _Rule(
        "an address with a password", "://",
        lazy_pattern(r"://(?P<user>[^\s/:@\"'<>`]{0,100}):(?P<password>[^\s/@\"'<>`]{3,200})@(?=[\w\[$%{])"),
    ),
    _Rule("a password", '"auth"', lazy_pattern(r'"auth"\s{0,4}:\s{0,4}"(?P<basic>[A-Za-z0-9+/]{8,400}={0,2})"')),
    _rule("a password", "Basic ", r"Basic (?P<basic>[A-Za-z0-9+/]{8,400}={0,2})(?![\w+/])"),
    _rule("a key", "Bearer ", r"Bearer (?P<random>[\w.~+/=-]{16,2000})"),
    *(
        _Rule(kind, hint, lazy_pattern(hint + behind))
        for kind, hints, behind in (
            (
                "a key", ("uthorization", "UTHORIZATION"),
                r"[\"']{0,2}\s{0,2}[:=,]\s{0,4}[\"']?(?!Basic )(?:[A-Za-z-]{1,20} )?(?P<random>[\w.~+/=-]{16,2000})",
            ),
            ("a key", ("ookie", "OOKIE"), r"2?[\"']{0,2}[ \t]{0,2}[:=,][ \t]{0,4}(?P<cookies>[^\n]{20,4000})"),
            (
                "a password", ("ogin", "OGIN", "redential", "REDENTIAL", "ccount", "ser"),
                r"s?[\"'*_ ]{0,4}:[\"'*_ ]{0,4}[\w.@+-]{1,60}[\"'`]? ?[/|:,] ?[\"'`]?(?P<drawn>[^\s\"'`]{8,120})",
            ),
            ("a wallet's words", ("nemonic", "eed phrase", "ecovery phrase"), r"\W{1,6}(?:[a-z]{3,8} ){11}[a-z]{3,8}"),
        )
        for hint in hints
    ),
)  # fmt: skip
_WORDS = (
    "passw", "passphrase", "pass", "pwd", "secret", "token", "api_key", "apikey", "api-key", "api key", "access_key",
    "access key", "accesskey",
    "access-key", "private_key", "privatekey", "auth_key", "authkey", "account_key", "accountkey",
    "client_key", "encryption_key", "encryptionkey", "signing_key", "master_key", "service_key", "storage_key",
    "shared_key", "sharedkey", "credential", "_auth", "license_key",
    "vault_key", "unseal_key",
    "kennwort", "contrase", "mot de passe", "senha", "wachtwoord", *_FOREIGN_WORDS,
)  # fmt: skip
"""Words in the names of secrets."""
_ANY_WORD = lazy_pattern("|".join(map(re.escape, _WORDS)))
_IS_PASSWORD = lazy_pattern(
    r"pass|pwd|vault_key|unseal|kennwort|contrase|mot de|senha|wachtw|" + "|".join(_FOREIGN_WORDS)
)
_ASSIGNED = lazy_pattern(
    r"(?P<rest>[\w.\-]{0,40})"
    r"(?:[\"'\]` *]{0,4}[ \t]{0,8}(?:=>|:=|={1,3}|:|\|)[ \t*]{0,8}"
    r"|[\"'] value=|>|[\"']?, ?(?=[\"'])|\((?=[\"'`]))[ \t]{0,4}"
    r"(?:(?P<quote>[\"'`]{1,3})(?P<quoted>[^\"'`\n]{6,400})(?P=quote)"
    r"|(?P<bare>[^\s\"'`,;<>(){}\[\]|]{6,120}+)(?![()\[{>]))"
)
"""What stands behind such a word, with the value."""
_IN_BLOCK = lazy_pattern(
    r"(?P<rest>[\w.\-]{0,40}+)"
    r"(?:(?:</key|[^<>\n]{0,80})>\s{0,40}<(?:string|value|data)[^<>\n]{0,40}>\s{0,40}"
    r"|[\"']?\s{0,20}[:=]?\s{0,20}\{(?:[^{}\n]{0,200}\n){0,12}?[^{}\n]{0,200}?(?<![A-Za-z0-9_.])"
    r"(?:default|value)[\"']?\s{0,8}[:=]\s{0,8}"
    r"|[\"']?[,:]?\s{1,40}[\"']?value[\"']?[ \t]{0,8}[:=]\s{0,8})"
    r"(?:(?P<quote>[\"'`])(?P<quoted>[^\"'`\n]{6,400})(?P=quote)|(?P<bare>[^\s\"'`,;<>(){}\[\]|]{6,120}+)(?![()\[{>]))"
)
"""What stands behind such a word where a block has its value: in a plist, in Terraform, beside ``name:``."""
_BELOW = lazy_pattern(
    r"(?P<rest>[\w.\-]{0,40}+)(?P<tail>[^\n]{0,80}+)\n\s{0,80}+(?:(?:[-=~^*]{3,100}+|`{3}\w{0,20})\n\s{0,80}+)?"
    r"(?:[-*>][ \t]{1,4})?(?P<quote>[\"'`]{0,3})(?P<bare>[^\s\"'`,;<>(){}\[\]|]{6,120}+)(?P=quote)"
    r"[;,]?[ \t]{0,8}(?=\n|\Z)"
)
"""A line that such a word stands in, with a value that has the next line for itself."""
_TO_BE_GIVEN = lazy_pattern(
    r"[\"'`*_\]) \t]{0,6}[:=][\"'`*_ \t]{0,6}(?:[>|][-+\d]{0,2}|[(\[{])?[ \t]{0,8}(?:#[^\n]{0,80})?"
)
_LABEL_BEFORE = lazy_pattern(r"[ \t*_>-]{0,12}+(?:[\w-]{1,20}+[ .]){0,4}+[\w-]{0,20}")
_LABEL_BEHIND = lazy_pattern(r"[*_ \t]{0,8}")
_SAID = lazy_pattern(
    r"(?P<rest>\w{0,10}) (?:is|ist|was|lautet|est|es)(?: now)?:? ?[\"'`*]{0,3}(?P<drawn>[^\s\"'`<>]{8,120})"
)
"""A sentence that tells a value."""
_JOINED_WORDS = lazy_pattern(r"\w+(?:[-/.:,'’@=+&]\w+)*\W?")
_BLOCK = lazy_pattern(
    r"(?:[A-Za-z0-9+/]{60,80}\n[ \t]{0,8}){1,4000}+(?:[A-Za-z0-9+/]{1,80}+={0,2}(?![^\s\"'<]))?"
    r"|[A-Za-z0-9+/_-]{24,}+={0,2}"
)
"""Text in base64, in one line or in lines of one length."""
_HEXADECIMAL = lazy_pattern(r"(?:[0-9a-f]{2}){12,}|(?:[0-9A-F]{2}){12,}")
_JOINED = lazy_pattern(r"([\"'])(?:\s{1,80}+(?:[+.&]\s{0,80}+)?|[+.&]\s{0,80}+)\1")
"""Where a string ends and the one that goes on with it begins."""
_RUNS = bytes(ord("a") if chr(code).isalnum() or chr(code) in "+/_-" else ord(" ") for code in range(128)) + b" " * 128
_RUN = b"a" * 24
"""What a block has to begin with, when every letter of base64 is an a."""
_RULER = lazy_pattern(r"[-+=:| \t]*")
_LABEL = lazy_pattern(r"[\w .#/()*:-]{1,60}")
_CELL = lazy_pattern(r"[^\s\"'`<>(){}\[\]]{8,120}")
_LOGIN = lazy_pattern(r"user|login|name|mail|account|host|konto|benutzer")
_MOST_OF_A_ROW = 4_000
_NO_SECRET = lazy_pattern(
    r"(?:^|[._-])(?:ids?|names?|ur[li]|path|file|dir|type|hash|len|length|count|ttl|expir\w*|exp|field|label|hint|limit|max\w*"
    r"|min\w*|endpoint|arn|ref|version|prefix|header|class|regex|pattern|policy|format|help|text|placeholder|title|error"
    r"|message|env|var|reset|scopes?)$"
    r"|(?:Ids?|Name|Ur[li]|Path|File|Type|Hash|Length|Count|Field|Label|Hint|Ref|Version|Prefix|Header|Policy|Endpoint|Arn)$"
    r"|^i[zs]|^ing|^ive|^iona|^age|^port|^ed\b"
)
"""Ends of names that only speak of a secret."""
_BEFORE = lazy_pattern(
    r"(?:(?<![a-z])(?:public|page|next|csrf|xsrf|continuation|hash(?:ed)?|sha\d*|md5|no|stop|sync|design)"
    r"|(?:next|continuation)_?page)(?:[_.-]\w{0,12}|middleware|key)?[_.-]?$"
)
_PLACEHOLDER = lazy_pattern(
    r"example|sample|change[-_ ]?(?:me|it|this)|placeholder|dummy|fake|redact|your|insert|replace|^my[-_]?|^the[-_]"
    r"|^some|^enter|^test|[-_.]test|^todo|fixme|foo|^bar|^none|^null|^nil|^true|^false|undefined"
    r"|not[-_ ]?(?:a|real|set|secret)|p[a4@][s5$]{2}(?:w[o0]rd|wd|phrase)?|s[e3]cr[e3]t|token|api[-_]?key|credential"
    r"|^hunter2$|letmein|qwerty|xxx|\*\*\*"
    r"|\.\.\.|…|1234567|abcdef|abc123|012345|deadbeef|lorem|do[-_]?not|invalid|wrong|correct|bogus|mock|stub|demo|string"
    r"|value|guest|admin$|^root$|hello|^user\w*$|default"
)
_REFERENCE = lazy_pattern(
    r"^[$%{<@&#!]|^\w{1,20}://|^(?:vault|ref|op|arn|ssm|file|env|sops|secretref|keyring|urn|http)[:+]|^[./~\\]"
    r"|^(?:os|process|env|self|this|config|settings|var|local|data|module|args|options|params|request|req|ctx|secrets)[.\[]"
    r"|\$\{|\{\{|<%|%\(|\bgetenv\b|^enc\["
)
_IDENTIFIER = lazy_pattern(
    r"^[A-Za-z_]+\d{0,2}$|^[A-Za-z_]\w{0,40}(?:(?:\.|->|::)[A-Za-z_]\w{0,40})+$|(?:Private|Public)Key\w{0,8}$"
)
_RANDOM_LETTERS = lazy_pattern(r"[A-Za-z0-9+/=_.~:!@#$%^&*?-]+")
_DOCUMENTED = ("EXAMPLE", ".SflKxwRJSM", ".TJVA95OrM7", ".cThIIoDvwd", "1234567890", "abcdefghij", "0123456789")
"""Parts of tokens that stand in documentation."""


def secret_content(text: str) -> str:
    """Return which line of a text looks like which secret, without any of its text; "" if none does."""
    found = min(filter(None, map(_line_of_secret, as_seen(text))), default=None)
    return f"line {found[0]:,} looks like {found[1]}" if found else ""


def _line_of_secret(text: str) -> tuple[int, str] | None:
    places = (_found_in(text), _encoded_in(text), _joined_in(text))
    at, kind = min((place for place in places if place is not None), default=(-1, ""))
    return (text.count("\n", 0, at) + 1, kind) if kind else None


def _found_in(text: str) -> tuple[int, str] | None:
    return min((place for place in (_token_in(text), _named_in(text)) if place is not None), default=None)


def _encoded_in(text: str) -> tuple[int, str] | None:
    """Return where the first text in base64 begins that holds a secret: all are decoded once, and judged together."""
    blocks = [(match.start(), told) for match in _blocks(text) if (told := as_seen(_decoded(match[0]))[0])]
    found = _found_in("\n\n".join(told for _, told in blocks)) if blocks else None
    if found is None:
        return None
    begins = list(accumulate((len(told) + 2 for _, told in blocks), initial=0))
    return blocks[bisect(begins, found[0]) - 1][0], found[1]


def _joined_in(text: str) -> tuple[int, str] | None:
    """Return where a token begins that is written in several strings, one behind the other."""
    joins = [match.span() for match in _JOINED.finditer(text)]
    found = _token_in(_JOINED.sub("", text)) if joins else None
    if found is None:
        return None
    at, kind = found
    for begin, end in joins:
        if begin > at:
            break
        at += end - begin
    return at, kind


def _blocks(text: str) -> Iterator[re.Match[str]]:
    runs = text.encode("ascii", "replace").translate(_RUNS)
    at = runs.find(_RUN)
    while at >= 0:
        end = runs.find(b" ", at)
        if (match := _BLOCK.match(text, at)) is not None:
            end = max(end, match.end())
            if not (match[0].islower() or match[0].isupper()) or _HEXADECIMAL.fullmatch(match[0]):
                yield match
        at = runs.find(_RUN, end) if end > 0 else -1


def _decoded(block: str) -> str:
    """Return the text that a block in base64 or hexadecimal holds; "" where it holds something else."""
    if _HEXADECIMAL.fullmatch(block):
        told = bytes.fromhex(block)
        return told.decode() if told.isascii() and told[:12].decode().isprintable() else ""
    block = "".join(block.split()).rstrip("=").replace("-", "+").replace("_", "/")
    if not all(one.isprintable() or one in "\t\r\n" for one in _text_in(block[:24])):
        return ""  # most that looks like base64 is none, or no text: a few letters tell
    return _text_in(block)


def _text_in(block: str) -> str:
    whole = block[:-1] if len(block) % 4 == 1 else block + "=" * (-len(block) % 4)
    return base64.b64decode(whole).replace(b"\0", b"").decode(errors="surrogateescape")


def _token_in(text: str) -> tuple[int, str] | None:
    """Return where the first token of a well-known form begins, and of what kind it is."""
    places = []
    for rule in _RULES:
        if rule.hint in text:
            matches = (match.start() for match in rule.pattern.finditer(text) if rule.is_always or _is_real(match))
            first = next(matches, None)
            places += [(first, rule.kind)] if first is not None else []
    return min(places, default=None)


def _is_real(match: re.Match[str]) -> bool:
    """Tell whether a token is none that documentation shows."""
    groups = match.groupdict()
    if "password" in groups:
        password = groups["password"]
        return password != groups.get("user") and not _is_placeholder(password)
    if "strong" in groups:
        return _is_strong(groups["strong"]) and not _is_placeholder(groups["strong"])
    if "basic" in groups:
        return _is_basic(groups["basic"])
    if "drawn" in groups:
        return _is_drawn(groups["drawn"])
    if "cookies" in groups:
        values = (one.partition("=")[2] for one in groups["cookies"].replace('"', ";").replace("'", ";").split(";"))
        return any(len(one) >= 20 and not _is_placeholder(one) and _is_random(one, 0.15) for one in values)
    if "random" in groups and (_is_placeholder(groups["random"]) or not _is_random(groups["random"])):
        return False
    token = groups.get("token") or match[0]
    return len(set(token[-12:])) > 4 and not any(one in token for one in _DOCUMENTED)


def _is_basic(encoded: str) -> bool:
    """Tell whether text in base64 is a name and a password."""
    try:
        told = base64.b64decode(encoded + "=" * (-len(encoded) % 4), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return False
    user, colon, password = told.partition(":")
    return bool(colon) and len(password) > 2 and password not in (user, "open sesame") and not _is_placeholder(password)


def _named_in(text: str) -> tuple[int, str] | None:
    """Return where the first value stands that a name calls secret and that is no placeholder."""
    lower = text.lower()
    beyond = 0  # the end of the last table
    for at, word in sorted((at, one) for one in _WORDS for at in _mentions(lower, one)):
        kind = "a password" if _IS_PASSWORD.search(word) else "a key or token"
        if (place := _value_of(text, lower, word, at)) is not None:
            return place, kind
        if at >= beyond:
            found, beyond = _in_table(text, at)
            if found is not None:
                return found
    return None


def _mentions(lower: str, word: str) -> Iterator[int]:
    at = lower.find(word)
    while at >= 0:
        if word not in ("pass", "pwd") or not lower[at - 1 : at].isalnum():
            yield at
        at = lower.find(word, at + len(word))


def _value_of(text: str, lower: str, word: str, at: int) -> int | None:
    """Return where the secret is that a word in a name calls so."""
    if _BEFORE.search(lower, max(0, at - 20), at):
        return None
    for pattern in (_ASSIGNED, _IN_BLOCK, _BELOW, _SAID):
        match = pattern.match(text, at + len(word))
        if match is None or _NO_SECRET.search(match["rest"]):
            continue
        is_below = pattern is _BELOW and not _TO_BE_GIVEN.fullmatch(match["tail"])
        if is_below and not _is_heading(text, at, match["tail"]):
            continue
        group, is_password = match.lastgroup or "", bool(_IS_PASSWORD.search(word))
        value = match[group].strip()
        is_quoted = group == "quoted"
        if (group == "drawn" or (is_below and is_password)) and not _is_drawn(value):
            continue
        if _is_secret_value(value, is_password, is_quoted=is_quoted):
            return match.start(group)
    return None


def _is_heading(text: str, at: int, tail: str) -> bool:
    """Tell whether a line with a name is a heading, or a label and nothing else."""
    line = text[max(0, at - 120) : at].rpartition("\n")[2]
    return line.lstrip().startswith("#") or bool(_LABEL_BEFORE.fullmatch(line) and _LABEL_BEHIND.fullmatch(tail))


def _in_table(text: str, at: int) -> tuple[tuple[int, str] | None, int]:
    """Return where the first secret is in a table whose names of columns hold a place, and where the table ends."""
    begin = text.rfind("\n", max(0, at - _MOST_OF_A_ROW), at) + 1
    end = text.find("\n", at, at + _MOST_OF_A_ROW)
    if end < 0 or at - begin >= _MOST_OF_A_ROW:
        return None, at + _MOST_OF_A_ROW
    head = text[begin:end]
    by = next((one for one in ("|", "\t", ";", ",", "  ") if one in head.strip()), "")
    names = [_bare(cell) for cell in _cells(head, by)]
    kinds = _kinds_of(names)
    if not kinds or not all(map(_LABEL.fullmatch, names)):
        return None, end
    begin = end + 1
    while begin < len(text):
        end = text.find("\n", begin)
        end = len(text) if end < 0 else end
        row = text[begin:end]
        cells = _cells(row, by)
        if not _RULER.fullmatch(row):
            if len(cells) < len(names) or (len(cells) > len(names) and '"' not in row):
                break
            for column, kind in kinds:
                cell = _bare(cells[column])
                if _CELL.fullmatch(cell) and _is_secret_value(cell, kind == "a password", is_quoted=False):
                    return (begin, kind), end
        elif not row.strip():
            break
        begin = end + 1
    return None, begin


def _cells(row: str, by: str) -> list[str]:
    row = row.strip().strip("|") if by == "|" else row
    return [cell for cell in row.split(by) if cell.strip()] if by == "  " else row.split(by) if by else []


def _bare(cell: str) -> str:
    return cell.strip(" \t\r\"'`*")


def _kinds_of(names: Sequence[str]) -> list[tuple[int, str]]:
    """Return the columns whose names call what is in them secret, with what it is."""
    has_login = any(_LOGIN.search(name.lower()) for name in names)
    return [(number, kind) for number, name in enumerate(names) if (kind := _kind_of(name, has_login=has_login))]


def _kind_of(name: str, *, has_login: bool) -> str:
    lower = "_".join(name.lower().split())
    if not _ANY_WORD.search(lower):
        return ""
    for word in _WORDS:
        at = next(_mentions(lower, word), -1)
        is_clear = has_login or word not in ("pass", "pwd")
        if at >= 0 and is_clear and not _BEFORE.search(lower, 0, at) and not _NO_SECRET.search(lower[at + len(word) :]):
            return "a password" if _IS_PASSWORD.search(word) else "a key or token"
    return ""


def _is_secret_value(value: str, is_password: bool, *, is_quoted: bool) -> bool:
    if _is_placeholder(value) or (not is_quoted and _IDENTIFIER.search(value)):
        return False
    return _is_strong(value) if is_password else len(value) >= 16 and _is_random(value)


def _is_drawn(value: str) -> bool:
    """Tell whether what stands in a sentence, or behind a name, is a password: not words, however joined."""
    value = value.rstrip(".,;:)]")
    joined = bool(_JOINED_WORDS.fullmatch(value))
    return _is_strong(value) and not _is_placeholder(value) and (not joined or (value.isalnum() and _is_random(value)))


def _is_placeholder(value: str) -> bool:
    """Tell whether a value stands for a secret, or says where there is one."""
    low = value.lower()[:100]
    return len(set(low)) < 4 or bool(_PLACEHOLDER.search(low)) or bool(_REFERENCE.search(low))


def _is_strong(value: str) -> bool:
    """Tell whether a value is a password: letters and digits at least, and nothing that is read as words."""
    if len(value) < 8 or " " in value:
        return False
    kinds = [any(map(test, value)) for test in (str.islower, str.isupper, str.isdigit, lambda one: not one.isalnum())]
    return sum(kinds) >= 3 or (kinds[2] and sum(kinds[:2]) > 0 and not kinds[3])


def _is_random(value: str, least: float = 0.25) -> bool:
    """Tell whether the kind of letter changes as often as in what a machine drew: in words it does so seldom."""
    if not _RANDOM_LETTERS.fullmatch(value) or not any(map(str.isdigit, value)):
        return False
    kinds = ["d" if one.isdigit() else "u" if one.isupper() else "l" if one.islower() else "" for one in value[:400]]
    changes = sum(1 for one, after in pairwise(kinds) if one and after and one != after)
    return changes >= least * len(kinds) and len(set(value)) >= 8

"""Secrets: files that hold keys or passwords, told by their names, by their folders and by their contents.

    name, folder ─▶ secret_name ─▶ "by its name it holds keys or passwords"
    content ─▶ secret_content ─▶ "line 12 looks like a key of AWS"         never the secret's text

The package detect-secrets does not fit: it takes minutes for what a search reads in seconds, brings an HTTP client,
takes the hashes of lock files for keys, and knows no key of age, Google, Vault or Anthropic. All patterns here are
bounded, and each begins with text that is looked for first: the time grows with the file and with nothing else.
"""
# ruff: noqa: SIM905  # long lists of names are read as words

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import PurePosixPath
from typing import NamedTuple

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
_FORMS = re.compile(
    r"\.env[._-].*|env\.(?:local|prod|production|dev|staging)|credentials.*|client_secrets?.*|\.?secrets?(?:[._-].*)?"
    r"|id_(?:rsa|dsa|ecdsa|ed25519|xmss).*|.*_(?:rsa|dsa|ecdsa|ed25519)(?:\.old)?|.*\.tfstate\..*|kubeconfig[._-].*"
    r"|.*service[-_]?account.*\.json|.*-firebase-adminsdk-.*|gha-creds-.*|wp-config.*\.php|krb5cc.*|utc--.*"
    r"|(?:.*[._-])?(?:passwords?|passwd|passphrases?|passw[oö]rter|kennw[oö]rter|zugangsdaten|contrase[nñ]as|mots-de-passe)"
    r"\.(?:txt|md|csv|xlsx?|ods|docx?|odt|json|ya?ml)"
    r"|api[-_]?keys?\.(?:txt|json|ya?ml|md|csv|ini)|.*recovery[-_]?codes?.*\.txt|.*backup[-_]codes?.*\.txt"
    r"|(?:.*[-_.])?(?:seed[-_]?phrase|mnemonic)s?(?:\.\w+)?|vault[-_]pass(?:word)?(?:\.\w+)?|\.vault[-_]pass(?:word)?.*"
    r"|wg\d+\.conf|.*-private\.asc|hosts\.yml\.gh"
)
_TEMPLATE = re.compile(
    r"\.env[._-](?:example|sample|template|dist|defaults?|schema|tpl)|(?:example|sample|template)\.env"
)
"""What people show instead of their secrets: judged by content alone."""
_BACKUP = re.compile(
    r"(?:(?<!~)~++|\.~\d+~|\.(?:bak|bk|bkp|backup|old|orig|original|save|saved|copy|prev|swp|swo|swn|tmp|temp|rej|gz|zip|bz2|xz|\d+)"
    r"|[-_. ](?:bak|backup|old|copy|kopie|\d{4}-?\d\d-?\d\d)| ?\(\d+\)| copy \d+)$"
)
"""What a name ends in when it is that of a copy; taken away as long as there is some."""
_IN_FRONT = re.compile(r"^(?:copy of |kopie von |backup[-_.]|old[-_.]|#|\.#|~\$)|#$")
_MOST_COPIES = 5


def secret_name(path: PurePosixPath) -> str:
    """Return why a file or folder is a secret by its name, or by the folders that it is in; "" if it is none."""
    parts = [part.lower() for part in path.parts]
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
    return _Rule(kind, hint, re.compile(rf"(?<![A-Za-z0-9_-]){pattern}" if hint[:1].isalnum() else pattern), is_always)


def _token(of: str, hint: str, pattern: str) -> _Rule:
    return _rule(f"a key of {of}", hint, pattern)


_RULES = (
    _Rule("a private key", "PRIVATE KEY", re.compile(r"-----? ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY"), is_always=True),
    _rule("a private key", "PuTTY-User-Key-File-", r"PuTTY-User-Key-File-\d", is_always=True),
    _rule("a private key", "PrivateKey", r"PrivateKey\s{0,4}=\s{0,4}[A-Za-z0-9+/]{42,43}=", is_always=True),
    _rule("a private key", "b3BlbnNzaC1rZXktdjEA", r"b3BlbnNzaC1rZXktdjEA", is_always=True),
    _rule("a private key", "encrypted secret key", r"encrypted secret key\s{1,4}RW", is_always=True),
    _rule("a private key", "signify secret key", r"signify secret key", is_always=True),
    _Rule("a private key", "<RSAKeyValue>", re.compile(r"<D>\s{0,8}[A-Za-z0-9+/]{40}")),
    _Rule("a private key", '"kty"', re.compile(r'"d"\s{0,4}:\s{0,4}"[\w-]{30}')),
    *(
        _rule("a private key", hint, hint, is_always=True)
        for hint in (
            "LS0tLS1CRUdJTiBSU0EgUFJJVk", "LS0tLS1CRUdJTiBQUklWQVRF", "LS0tLS1CRUdJTiBFQyBQUklWQ",
            "LS0tLS1CRUdJTiBPUEVOU1NI", "LS0tLS1CRUdJTiBFTkNSWVBURUQg",
        )
    ),
    _token("age", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{20,80}"),
    *(_token("AWS", hint, rf"{hint}[A-Z2-7]{{16}}(?![A-Za-z0-9])") for hint in ("AKIA", "ASIA", "ABIA", "ACCA")),
    *(_token("GitHub", hint, rf"{hint}[A-Za-z0-9]{{36}}") for hint in ("ghp_", "gho_", "ghu_", "ghs_", "ghr_")),
    _token("GitHub", "github_pat_", r"github_pat_\w{22}"),
    *(
        _token("GitLab", hint, rf"{hint}[\w-]{{20}}")
        for hint in ("glpat-", "gldt-", "glrt-", "glptt-", "glft-", "glsoat-", "glcbt-", "glimt-", "glagent-", "gloas-")
    ),
    _token("Slack", "xox", r"xox[a-z](?:\.xox[a-z])?-(?=[\w-]{0,30}\d)[\w-]{10}"),
    _token("Slack", "xapp-", r"xapp-\d-[\w-]{10}"),
    _token("Slack", "hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows)/[A-Z]\w{6,14}/\w{6,14}/\w{16}"),
    _token("Discord", "/api/webhooks/", r"/api/webhooks/\d{10,20}/[\w-]{60}"),
    _token("Microsoft Teams", "webhook.office.com", r"webhook\.office\.com/webhookb2/[\w@-]{36}"),
    *(
        _token("Stripe", hint, rf"{hint}[A-Za-z0-9]{{16}}")
        for hint in ("sk_live_", "rk_live_", "sk_test_", "rk_test_", "whsec_")
    ),
    _token("Google", "AIza", r"AIza[\w-]{35}"),
    _token("Google", "ya29.", r"ya29\.[\w-]{20}"),
    _token("Google", "GOCSPX-", r"GOCSPX-[\w-]{28}"),
    _token("a language model's provider", "sk-", r"sk-(?P<random>[\w-]{20,200})"),
    *(
        _token("a language model's provider", hint, rf"{hint}[A-Za-z0-9]{{30}}")
        for hint in ("hf_", "gsk_", "r8_", "xai-", "pplx-", "nvapi-")
    ),
    _rule("a JSON Web Token", "eyJ", r"eyJ[\w-]{10,4000}+\.eyJ[\w-]{10,8000}+\.[\w-]{10}"),
    _token("npm", "npm_", r"npm_[A-Za-z0-9]{36}"),
    _token("PyPI", "pypi-AgE", r"pypi-AgE[\w-]{50}"),
    _token("RubyGems", "rubygems_", r"rubygems_[0-9a-f]{48}"),
    _token("crates.io", "cio", r"cio[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
    _token("NuGet", "oy2", r"oy2[a-z0-9]{43}(?![a-z0-9])"),
    *(
        _token("Azure", hint, rf"{hint}\s{{0,2}}=\s{{0,2}}[A-Za-z0-9+/%]{{40}}")
        for hint in ("AccountKey", "SharedAccessKey", "SharedAccessSignature")
    ),
    _rule("a key of Azure", "&sig=", r"&sig=[A-Za-z0-9%+/]{40}"),
    *(_token("Vault", hint, rf"{re.escape(hint)}[\w-]{{24}}") for hint in ("hvs.", "hvb.", "hvr.")),
    *(_token("DigitalOcean", hint, rf"{hint}[a-f0-9]{{64}}") for hint in ("dop_v1_", "doo_v1_", "dor_v1_")),
    _token("SendGrid", "SG.", r"SG\.[\w-]{16,32}\.[\w-]{16}"),
    _token("Mailgun", "key-", r"key-[0-9a-f]{32}(?![0-9a-f])"),
    _token("Mailchimp", "-us", r"[0-9a-f]{32}-us\d{1,2}(?!\d)"),
    _token("Twilio", "SK", r"SK[0-9a-f]{32}(?![0-9a-f])"),
    *(_token("Shopify", hint, rf"{hint}[a-fA-F0-9]{{32}}") for hint in ("shpat_", "shpca_", "shppa_", "shpss_")),
    *(_token("Square", hint, rf"{hint}[\w-]{{22}}") for hint in ("sq0atp-", "sq0csp-", "EAAAE")),
    _token("Telegram", ":AA", r"\d{8,10}:AA[\w-]{33}(?![\w-])"),
    _token("Atlassian", "ATATT3", r"ATATT3[\w=-]{50}"),
    _token("Linear", "lin_api_", r"lin_api_\w{40}"),
    _token("Notion", "ntn_", r"ntn_[A-Za-z0-9]{40}"),
    _token("Databricks", "dapi", r"dapi[0-9a-f]{32}"),
    _token("Docker", "dckr_", r"dckr_(?:pat|oat)_[\w-]{20}"),
    _token("Doppler", "dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40}"),
    *(_token("Grafana", hint, rf"{hint}[A-Za-z0-9_]{{32}}") for hint in ("glsa_", "glc_")),
    _rule("a key of Terraform", ".atlasv1.", r"\.atlasv1\.[\w-]{60}"),
    *(_token("Sentry", hint, rf"{hint}[\w=+/-]{{40}}") for hint in ("sntrys_", "sntryu_")),
    *(_token("Supabase", hint, rf"{hint}\w{{20}}") for hint in ("sbp_", "sb_secret_")),
    *(_token("PlanetScale", hint, rf"{hint}[\w.-]{{32}}") for hint in ("pscale_tkn_", "pscale_pw_", "pscale_oauth_")),
    _token("Pulumi", "pul-", r"pul-[0-9a-f]{40}"),
    _token("Netlify", "nfp_", r"nfp_\w{36}"),
    _token("Figma", "figd_", r"figd_[\w-]{36}"),
    _token("Postman", "PMAK-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    _token("New Relic", "NRAK-", r"NRAK-[A-Z0-9]{27}"),
    _token("Tailscale", "tskey-", r"tskey-\w{2,10}-[\w-]{20}"),
    _token("1Password", "ops_eyJ", r"ops_eyJ[\w-]{40}"),
    _token("Dropbox", "sl.", r"sl\.[\w-]{130}"),
    _token("Airtable", "pat", r"pat\w{14}\.[0-9a-f]{64}"),
    _Rule(
        "a key of Kubernetes", "kind: Secret",
        re.compile(r"(?m)^(?:stringData|data):[ \t]{0,8}\n[ \t]{1,8}[\w.-]{1,80}:[ \t]{0,4}[^\s{<$|>#\"'][^\s]{3}"),
    ),
    *(
        _Rule("a wallet's words", hint, re.compile(hint + r"\W{1,6}(?:[a-z]{3,8} ){11}[a-z]{3,8}"))
        for hint in ("nemonic", "eed phrase", "ecovery phrase")
    ),
    _rule("a password", "login", r"login\s{1,4}\S{1,100}\s{1,4}password\s{1,4}(?P<password>\S{3,200})"),
    _Rule(
        "a password's hash", ":$",
        re.compile(r"(?m)^[\w.@-]{1,60}:\$(?:apr1|1|2[abxy]|5|6|y|argon2id?)\$[\w./$,=+-]{20}"),
    ),
    _Rule("a password's hash", ":{SHA}", re.compile(r"(?m)^[\w.@-]{1,60}:\{SHA\}[\w+/]{20}")),
    _Rule(
        "an address with a password", "://",
        re.compile(r"://(?P<user>[^\s/:@\"'<>`]{0,100}):(?P<password>[^\s/@\"'<>`]{3,200})@(?=[\w\[$%{])"),
    ),
    _rule("a password", "--password", r"--password[ =](?P<strong>\S{6,200})"),
    _rule("a password", " -u ", r" -u [\w.@-]{1,60}:(?P<strong>\S{6,200})"),
    _Rule("a password", '"auth"', re.compile(r'"auth"\s{0,4}:\s{0,4}"(?P<basic>[A-Za-z0-9+/]{8,400}={0,2})"')),
    _rule("a password", "Basic ", r"Basic (?P<basic>[A-Za-z0-9+/]{8,400}={0,2})(?![\w+/])"),
    _rule("a key", "Bearer ", r"Bearer (?P<random>[\w.~+/=-]{16,2000})"),
)  # fmt: skip
_WORDS = (
    "passw", "passphrase", "pass", "pwd", "secret", "token", "api_key", "apikey", "api-key", "access_key",
    "accesskey", "access-key", "private_key", "privatekey", "auth_key", "authkey", "account_key", "accountkey",
    "client_key", "encryption_key", "encryptionkey", "signing_key", "master_key", "service_key", "storage_key",
    "shared_key", "sharedkey", "credential", "_auth", "license_key",
    "kennwort", "contrase", "mot de passe", "senha", "wachtwoord",
)  # fmt: skip
"""Words in the names of secrets."""
_IS_PASSWORD = re.compile(r"pass|pwd|kennwort|contrase|mot de|senha|wachtw")
_ASSIGNED = re.compile(
    r"(?P<rest>[\w.\-]{0,40})"
    r"(?:[\"'\]` *]{0,4}[ \t]{0,8}(?:=>|:=|={1,3}|:|\|)[ \t*]{0,8}"
    r"|[\"'] value=|>|[\"']?, ?(?=[\"'])|\((?=[\"'`]))[ \t]{0,4}"
    r"(?:(?P<quote>[\"'`]{1,3})(?P<quoted>[^\"'`\n]{6,400})(?P=quote)"
    r"|(?P<bare>[^\s\"'`,;<>(){}\[\]|]{6,120}+)(?![()\[{>]))"
)
"""What stands behind such a word, with the value."""
_NO_SECRET = re.compile(
    r"(?:^|[._-])(?:ids?|names?|ur[li]|path|file|dir|type|hash|len|length|count|ttl|expir\w*|exp|field|label|hint|limit|max\w*"
    r"|min\w*|endpoint|arn|ref|version|prefix|header|class|regex|pattern|policy|format|help|text|placeholder|title|error"
    r"|message|env|var|reset|scopes?)$"
    r"|(?:Ids?|Name|Ur[li]|Path|File|Type|Hash|Length|Count|Field|Label|Hint|Ref|Version|Prefix|Header|Policy|Endpoint|Arn)$"
    r"|^i[zs]|^ing|^ive|^iona|^age|^port|^ed\b"
)
"""Ends of names that only speak of a secret."""
_BEFORE = re.compile(
    r"(?:public|page|next|csrf|xsrf|continuation|hash(?:ed)?|sha\d*|md5|no|stop|sync|design|com|by|sur|tres|under|over)"
    r"[\w.-]{0,12}$"
)
_PLACEHOLDER = re.compile(
    r"example|sample|change[-_ ]?(?:me|it|this)|placeholder|dummy|fake|redact|your|insert|replace|^my[-_]?|^the[-_]"
    r"|^some|^enter|^test|[-_.]test|^todo|fixme|foo|^bar|^none|^null|^nil|^true|^false|undefined"
    r"|not[-_ ]?(?:a|real|set|secret)|p[a4@][s5$]{2}(?:w[o0]rd|wd|phrase)?|s[e3]cr[e3]t|token|api[-_]?key|credential"
    r"|hunter2|letmein|qwerty|xxx|\*\*\*"
    r"|\.\.\.|…|1234567|abcdef|abc123|012345|deadbeef|lorem|do[-_]?not|invalid|wrong|correct|bogus|mock|stub|demo|string"
    r"|value|guest|admin$|^root$|hello|^user\w*$|default"
)
_REFERENCE = re.compile(
    r"^[$%{<@&#!]|^\w{1,20}://|^(?:vault|ref|op|arn|ssm|file|env|sops|secretref|keyring|urn|http)[:+]|^[./~\\]"
    r"|^(?:os|process|env|self|this|config|settings|var|local|data|module|args|options|params|request|req|ctx|secrets)[.\[]"
    r"|\$\{|\{\{|<%|%\(|\bgetenv\b|^enc\["
)
_IDENTIFIER = re.compile(
    r"^[A-Za-z_]+\d{0,2}$|^[A-Za-z_]\w{0,40}(?:(?:\.|->|::)[A-Za-z_]\w{0,40})+$|(?:Private|Public)Key\w{0,8}$"
)
_RANDOM_LETTERS = re.compile(r"[A-Za-z0-9+/=_.~:!@#$%^&*?-]+")
_DOCUMENTED = ("EXAMPLE", "eyJzdWIiOiIxMjM0NTY3ODkw", "1234567890", "abcdefghij", "0123456789")
"""Parts of tokens that stand in documentation."""


def secret_content(text: str) -> str:
    """Return which line of a text looks like which secret, without any of its text; "" if none does."""
    found = min((place for place in (_token_in(text), _assigned_in(text)) if place is not None), default=None)
    if found is None:
        return ""
    at, kind = found
    return f"line {text.count(chr(10), 0, at) + 1:,} looks like {kind}"


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
    if "random" in groups and (_is_placeholder(groups["random"]) or not _is_random(groups["random"])):
        return False
    token = match[0]
    return len(set(token[-12:])) > 4 and not any(one in token for one in _DOCUMENTED)


def _is_basic(encoded: str) -> bool:
    """Tell whether text in base64 is a name and a password."""
    try:
        told = base64.b64decode(encoded + "=" * (-len(encoded) % 4), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return False
    user, colon, password = told.partition(":")
    return bool(colon) and len(password) > 2 and password not in (user, "open sesame") and not _is_placeholder(password)


def _assigned_in(text: str) -> tuple[int, str] | None:
    """Return where the first value stands that a name calls secret and that is no placeholder."""
    lower = text.lower()
    if len(lower) != len(text):  # letters such as İ are two in lower case
        lower = "".join(letter.lower() if letter.isascii() else letter for letter in text)
    places = (place for word in _WORDS if (place := _first_assigned(text, lower, word)) is not None)
    return min(places, default=None)


def _first_assigned(text: str, lower: str, word: str) -> tuple[int, str] | None:
    at = lower.find(word)
    while at >= 0:
        if (match := _ASSIGNED.match(text, at + len(word))) is not None and _is_assigned_secret(lower, word, at, match):
            return at, "a password" if _IS_PASSWORD.search(word) else "a key or token"
        at = lower.find(word, at + len(word))
    return None


def _is_assigned_secret(lower: str, word: str, at: int, match: re.Match[str]) -> bool:
    if (word in ("pass", "pwd") and lower[at - 1 : at].isalnum()) or _NO_SECRET.search(match["rest"]):
        return False
    if _BEFORE.search(lower, max(0, at - 20), at):
        return False
    value = (match["quoted"] or match["bare"]).strip()
    if _is_placeholder(value) or (not match["quoted"] and _IDENTIFIER.search(value)):
        return False
    if not _IS_PASSWORD.search(word):
        return len(value) >= 16 and _is_random(value)
    return _is_strong(value)


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


def _is_random(value: str) -> bool:
    """Tell whether the kind of letter changes as often as in what a machine drew: in words it does so seldom."""
    if not _RANDOM_LETTERS.fullmatch(value) or not any(map(str.isdigit, value)):
        return False
    kinds = ["d" if one.isdigit() else "u" if one.isupper() else "l" if one.islower() else "" for one in value[:400]]
    changes = sum(1 for one, after in pairwise(kinds) if one and after and one != after)
    return changes >= 0.25 * len(kinds) and len(set(value)) >= 8

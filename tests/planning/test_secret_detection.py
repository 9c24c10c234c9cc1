"""What holds keys or passwords is read in no way; what only speaks of them is."""

# ruff: noqa: E501  # lines as they stand in files

from __future__ import annotations

import base64
import json
import time
from pathlib import Path

import pytest
from tests.pace import EVEN, growth
from workbench.planning.sources.project_files import ProjectFiles
from workbench.planning.sources.research import Researcher
from workbench.planning.sources.secret_detection import secret_content

HIDDEN = "Zk29ddkwQ7"
"""A password that is nowhere told."""
DRAWN = "q7Kf9ZbX2mTr8VwLc4Jd6HsNe3Pg5YuAaE1iRo0T"
"""What a machine drew, in letters and digits."""
CHANCE = "Zx8kQ2mN9vB4wE7rT1yU6iO3pA5sD0fG"
"""What a machine drew, in which ``pA5s`` reads like a word."""
HEX = "9f3c1b7a5e2d8046c1f7b93ae5d20864"
PADDED = (DRAWN * 3)[:86] + "=="

NAMES = """
.env .env.local .env.production .env~ .env.bak .env_prod .env-staging prod.env config/app.env .envrc .flaskenv .dev.vars
env.local .git-credentials .netrc _netrc .npmrc .pypirc .pgpass pgpass.conf .my.cnf .mylogin.cnf .s3cfg .boto .vault-token
.docker/config.json .dockercfg home/.kube/config kubeconfig kubeconfig.yaml staging.kubeconfig terraform.tfstate
terraform.tfstate.backup prod.tfvars prod.auto.tfvars.json .terraform/environment .terraformrc service-account.json
my-service_account-key.json app-firebase-adminsdk-x1.json gcloud/credentials.db gcloud/access_tokens.db
application_default_credentials.json client_secret_123.json client_secrets.json secrets/db.txt deploy/secrets/notes.md
secrets.yml secret.txt credentials credentials.json .aws/config .azure/accessTokens.json .oci/config deploy.ppk server.pem
tls/private.key AuthKey_ABC.p8 store.p12 site.pfx upload.jks debug.keystore passwords.kdbx vault.agilekeychain
keys.txt .age/x backup.agekey rclone.conf auth.json hub .config/hub .config/gh/hosts.yml .htpasswd htpasswd users.htpasswd
wp-config.php wp-config.php.bak wp-config-live.php config.inc.php local.settings.json local_settings.py sftp-config.json
.ftpconfig sitemanager.xml id_rsa id_rsa.old id_ed25519 id_ed25519.bak deploy_rsa .id_rsa.swp #.env# .#.env id_rsa.1
.env.2024-05-01.bak.gz .ENV Prod.Env ID_RSA .ssh/known_hosts .gnupg/x .password-store/mail.gpg .bash_history .zsh_history
.psql_history .python_history .Renviron .databrickscfg kaggle.json .sentryclirc .clasprc.json .authinfo.gpg .msmtprc
app.keytab krb5cc_1000 office.ovpn wg0.conf passwords.txt passwords.xlsx Zugangsdaten.docx recovery-codes.txt
github-recovery-codes.txt seed-phrase.txt wallet.dat UTC--2024-01-01--x vault_pass.txt .vault_pass shadow shadow- passwd
.pg_service.conf login.token cookies.txt logins.json key4.db site.publishsettings .svn/wc.db .hg/hgrc
\uff0eenv \u041f\u0430\u0440\u043e\u043b\u0438.txt \u041f\u0430\u0440\u043e\u043b\u0438 \u5bc6\u7801.txt \u5bc6\u7801
""".split()  # noqa: SIM905  # names are read as words

CONTENTS = {
    "the key of a certificate": "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIE\n",
    "a key in PKCS 8, encrypted": "-----BEGIN ENCRYPTED " + "PRIVATE KEY-----\nMIIE\n",
    "an old key of SSH": "-----BEGIN DSA " + "PRIVATE KEY-----\nMIIE\n",
    "a key of PGP": "-----BEGIN PGP " + "PRIVATE KEY BLOCK-----\n\nlQ\n",
    "a key of SSH2": "---- BEGIN SSH2 ENCRYPTED " + "PRIVATE KEY ----\n",
    "a key in one line of JSON": '{"private_key": "-----BEGIN ' + 'PRIVATE KEY-----\\nMIIE"}',
    "a key of PuTTY": "PuTTY-User-Key-File-3: ssh-ed25519\n",
    "a key in base64": "client-key-data: " + base64.b64encode(b"-----BEGIN RSA PRIVATE KEY-----\nMIIE").decode(),
    "a key in Rust": f'const API_KEY: &str = "{DRAWN}";',
    "a key in TypeScript": f'const apiKey: string = "{DRAWN}";',
    "a password in Python, with its type": 'password: str = "Tq7xVb92LmZr"',
    "a password in Kotlin": 'val password: String = "Tq7xVb92LmZr"',
    "a password in Go": 'dbPassword string = "Tq7xVb92LmZr"',
    "a key of age": f"# created: 2024\nAGE-SECRET-KEY-1{DRAWN.upper()}ABCDEFGH\n",
    "a key as JSON": f'{{"kty": "OKP", "x": "a", "d": "{DRAWN}"}}',
    "WireGuard": f"[Interface]\nPrivateKey = {DRAWN}abc=\n",
    "AWS": "AKIAQ7KF" + "BZX2MTRAVWLC",
    "the second half of AWS": f"aws_secret_access_key = {DRAWN}",
    "GitHub": f"ghp_{DRAWN}",
    "GitHub, newer": f"github_pat_{DRAWN}",
    "GitLab": f"glpat-{DRAWN[:20]}",
    "Slack": f"xoxb-724839201847-{DRAWN[:24]}",
    "an address of Slack": f"https://hooks.slack.com/services/T07ABCDEF/B07ABCDEF/{DRAWN[:24]}",
    "Stripe": f"sk_live_{DRAWN[:24]}",
    "Google": f"AIza{DRAWN[:35]}",
    "a language model": f"sk-proj-{DRAWN}{DRAWN}",
    "another language model": f"sk-ant-api03-{DRAWN}",
    "JWT": f"eyJ{DRAWN}.eyJ{DRAWN}.{DRAWN}",
    "npm": f"//registry.npmjs.org/:_authToken=npm_{DRAWN[:36]}",
    "PyPI": f"pypi-AgEIcHlwaS5vcmc{DRAWN}{DRAWN}",
    "Azure": f"DefaultEndpointsProtocol=https;AccountName=shop;AccountKey={PADDED};EndpointSuffix=core.windows.net",
    "a bus of Azure": f"Endpoint=sb://x.servicebus.windows.net/;SharedAccessKey={PADDED[:43]}=",
    "Vault": f"hvs.{DRAWN}",
    "SendGrid": f"SG.{DRAWN[:22]}.{DRAWN}",
    "Telegram": f"bot = 724839201:AA{DRAWN[:33]}",
    "Hugging Face": f"hf_{DRAWN[:34]}",
    "a database": f"DATABASE_URL=postgres://app:{HIDDEN}@db.internal:5432/app",
    "Redis without a name": f"redis://:{HIDDEN}@cache:6379/0",
    "a remote of Git": f"[remote]\n\turl = https://ada:{HIDDEN}@git.example.org/a.git",
    "Python": f'DB_PASSWORD = "{HIDDEN}"',
    "Ansible": f"ansible_become_pass: {HIDDEN}",
    "a name that begins like another word": f"snowflake_password: {HIDDEN}",
    "a key of a vault": f"vault_key: {HIDDEN}",
    "an authenticator": f"otpauth://totp/GitHub:bob?issuer=GitHub&secret={DRAWN[:16].upper().translate(str.maketrans('0189', 'QRST'))}",
    "mysql": f"mysql -h db -uroot -p{HIDDEN} prod",
    "mysqldump, quoted": f"mysqldump -u root -p'{HIDDEN}' prod > prod.sql",
    "sshpass": f"sshpass -p {HIDDEN} ssh ada@example.org",
    "a user of MySQL": f"CREATE USER ada IDENTIFIED BY '{HIDDEN}';",
    "a user of MySQL, in small letters": f"create user ada identified by '{HIDDEN}';",
    "a user of MySQL, with a plugin": f"ALTER USER ada IDENTIFIED WITH caching_sha2_password BY '{HIDDEN}';",
    "a role of PostgreSQL": f"ALTER ROLE ada WITH PASSWORD '{HIDDEN}';",
    "pgpass": f"db.example.com:5432:prod:ada:{HIDDEN}",
    "pgpass for all": f"*:*:*:ada:{HIDDEN}",
    "Russian": f"\u041f\u0430\u0440\u043e\u043b\u044c: {HIDDEN}",
    "Chinese": f"\u5bc6\u7801\uff1a{HIDDEN}",
    "YAML": f"db:\n  user: app\n  password: {HIDDEN}\n",
    "JSON": f'{{"client_secret": "{DRAWN}"}}',
    "XML": f"<server><password>{HIDDEN}</password></server>",
    "PHP": f"define('DB_PASSWORD', '{HIDDEN}');",
    "Ruby": f'set :password, "{HIDDEN}"',
    "properties": f"spring.datasource.password={HIDDEN}",
    "a connection": f"Server=sql;User Id=sa;Password={HIDDEN}!;",
    "the shell": f"export API_KEY={HEX}",
    "Dockerfile": f"ENV SECRET_KEY_BASE={HEX}{HEX}",
    "a header": f"curl -H 'Authorization: Bearer {DRAWN}' https://example.org",
    "a name and a password for curl": f"curl -u ada:{HIDDEN} https://example.org",
    "docker": '{"auths": {"r": {"auth": "' + base64.b64encode(f"ada:{HIDDEN}".encode()).decode() + '"}}}',
    "netrc": f"machine example.org login ada password {HIDDEN}",
    "Kubernetes": f"apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  login: {DRAWN}\n",
    "hashes of passwords": f"ada:$2y$10${DRAWN}",
    "a note": f"# Wifi\n\nPassword: {HIDDEN}\n",
    "a note in German": f"Passwort: {HIDDEN}\n",
    "a table in Markdown": f"| password | {HIDDEN} |",
    "the words of a wallet": "seed phrase: legal winner thank year wave sausage worth useful legal winner thank yellow",
    "behind a placeholder": f"password = changeme\npassword = {HIDDEN}\n",
    "behind a giant line": "x" * 100_000 + f"\npassword = '{HIDDEN}'\n",
    "with carriage returns": f"a\r\npassword: {HIDDEN}\r\n",
    "a column in Markdown": f"| user | password |\n|---|---|\n| eve | changeme |\n| admin | {HIDDEN} |\n",
    "a column in Markdown, with a sign": f"User | **Pass**\n:--- | ---:\nadmin | `{HIDDEN}`\n",
    "a column of CSV": f"user,password\nadmin,{HIDDEN}\n",
    "a column of CSV, quoted": f'"Host";"Client Secret";"Note"\n"a";"{DRAWN}";"b"\n',
    "a column of TSV": f"login\tpwd\nadmin\t{HIDDEN}\n",
    "a column of keys": f"service,api key,since\nmail,{HEX},2024\n",
    "a column in a drawn table": f"+------+----------+\n| User | Password |\n+======+==========+\n| ada  | {HIDDEN} |\n+---+---+\n",
    "a column of spaces": f"USER    PASSWORD\nada     {HIDDEN}\n",
    "a column below a comment": f"# users, passwords\nhost,user,password\na,ada,{HIDDEN}\n",
    "below": f"Password:\n\n    {HIDDEN}\n",
    "below a heading": f"## Password of the database\n{HIDDEN}\n",
    "below an underlined heading": f"Password\n--------\n\n{HIDDEN}\n",
    "below a strong word": f"**Wifi password**\n{HIDDEN}\n",
    "below a heading, as code": f"# API key\n\n```text\n{HEX}\n```\n".replace("API key", "api_key"),
    "a block of YAML": f"password: >-\n  {HIDDEN}\n",
    "a literal block of YAML": f"db:\n  client_secret: |\n    {DRAWN}\n",
    "a list of YAML": f"passwords:\n  - {HIDDEN}\n",
    "a list of JSON": f'{{"tokens": [\n  "{DRAWN}"\n]}}',
    "Python in brackets": f'PASSWORD = (\n    "{HIDDEN}"\n)\n',
    "a plist": f"<key>Password</key><string>{HIDDEN}</string>",
    "a plist on lines": f"<key>apiKey</key>\n\t<string>{HEX}</string>\n",
    "a setting of .NET": f'<setting name="Password" serializeAs="String">\n  <value>{HIDDEN}</value>\n',
    "Terraform": f'variable "db_password" {{ default = "{HIDDEN}" }}',
    "Terraform on lines": f'variable "db_password" {{\n  type = string\n  default = "{HIDDEN}"\n}}\n',
    "the environment in Kubernetes": f"env:\n  - name: DB_PASSWORD\n    value: {HIDDEN}\n",
    "the environment of a task": f'{{"name": "DB_PASSWORD", "value": "{HIDDEN}"}}',
    "a value in JSON": f'{{"password": {{"type": "text", "value": "{HIDDEN}"}}}}',
    "JSON in JSON": json.dumps({"body": json.dumps({"password": HIDDEN})}),
    "a key behind what nobody sees": f"id\u200bghp_{DRAWN}",
    "a form feed before a key": f"id\x0cghp_{DRAWN}",
    "Greek": f"passw\u03bfrd: {HIDDEN}",
    "typographic quotes": f"password: \u201c{HIDDEN}\u201d",
    "Discord": f"MTY4MyWuUFjsUNPjc01T5GOBUS.ZGi6HW.{DRAWN[:38]}",
    "a cookie": f"Cookie: sessionid={HEX}",
    "a later cookie": f"Set-Cookie: lang=en; sid={DRAWN}; Path=/; HttpOnly",
    "a cookie for curl": f"curl -H 'cookie: theme=dark; s={DRAWN}' https://example.org",
    "another header": f"Authorization: Token {DRAWN}",
    "a header in JSON": f'{{"authorization": "{DRAWN}"}}',
    "a login": f"Login: ada / {HIDDEN}",
    "credentials": f"**Credentials:** ada | {HIDDEN}",
    "a sentence": f"The password is {HIDDEN}.",
    "JWT of a usual user": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0." + DRAWN,
    "a hook of Discord": f"https://discord.com/api/webhooks/123456789012345678/{DRAWN}{DRAWN[:28]}",
    "a hook of Slack with counted names": f"https://hooks.slack.com/services/T0123456789/B0123456789/{DRAWN[:24]}",
    "a key of some service": f"```\nexport STRIPE_KEY={DRAWN}\n```",
    "a key of some service in YAML": f"stripe_key: {DRAWN}",
    "an address that is signed": f"https://b.s3.amazonaws.com/f?X-Amz-Signature={HEX}{HEX}",
    "a key in PKCS 8 without its head": f"MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQAAAA{DRAWN[:10]}\n{DRAWN}\n",
    "a key in PKCS 1 without its head": f"MIIEpAIBAAKCAQEA{DRAWN}",
    "a short key without its head": f"MIGHAgEAMBMGByqGSM49AgEGCCqGSM49{DRAWN}",
    "words and digits in XML": "<conn><password>hunter2Hunter6</password></conn>",
    "words and digits in YAML": "db:\n  password: hunter2Hunter2",
    "words and digits for a command": "deploy --password hunter2Hunterb --now",
    "words and digits in a header": "Authorization: Basic " + base64.b64encode(b"admin:hunter2Hunterc").decode(),
    "an address, with a word by chance": f"https://ada:{CHANCE}@example.org/x",
    "a header, with a word by chance": f"Authorization: Bearer {CHANCE}",
    "a token of a bearer": f"bearer_token {CHANCE}",
    "a cookie of a session": f"Cookie: session={CHANCE}",
    "a session": f"GET /?sessionid={CHANCE}",
    "a value in triple quotes": f'api_key = """\n{CHANCE}\n"""',
    "a value in other triple quotes": f"password = '''\n{HIDDEN}'''",
    "a line that goes on": f'api_key = \\\n    "{CHANCE}"',
    "a string that goes on": f'password = "{HIDDEN[:5]}\\\n{HIDDEN[5:]}"',
    "a default": "os.environ.get('DB', 'Xk29!mQz81Lp')",
    "another default": "dsn = getenv('DB') or 'Xk29!mQz81Lp'",
    "a default of a password": f"const p = process.env.DB_PASSWORD ?? '{HIDDEN}'",
    "short": f"pw: {HIDDEN}",
    "a wireless network": f"WLAN-Schlüssel: {HIDDEN}",
}

ORDINARY = {
    "README.md": "# Shop\n\nForgot your password? The token is kept in the keyring. Password: at least 12 characters.\n",
    "package-lock.json": json.dumps(
        {
            "node_modules/js-tokens": {
                "resolved": "https://registry.npmjs.org/js-tokens/-/js-tokens-4.0.0.tgz",
                "integrity": f"sha512-{PADDED}",
            }
        }
    ),
    "poetry.lock": f'[[package]]\nname = "tokenize-rt"\nfiles = [{{hash = "sha256:{HEX}{HEX}"}}]\ncontent-hash = "{HEX}{HEX}"\n',
    "pnpm-lock.yaml": f"  js-tokens@4.0.0:\n    resolution: {{integrity: sha512-{PADDED}}}\n",
    "go.sum": f"golang.org/x/oauth2 v0.1.0 h1:{DRAWN}=\n",
    "tests/test_login.py": 'TOKEN = "dummy-token-123"\npassword = "changeme"\nclient.login(password="secret", token="test-1")\n',
    "docs/oauth.md": "client_secret: YOUR_CLIENT_SECRET\nAuthorization: Bearer <token>\n`https://user:password@host/`\n",
    "docs/jwt.md": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4ifQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
    "docs/aws.md": "aws_access_key_id = AKIAIOSFODNN7EXAMPLE\naws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\n",
    "docs/basic.md": "Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\n",
    "CHECKSUMS.txt": f"{HEX}{HEX}  release.tar.gz\n{HEX}  a.zip\n",
    "CHANGELOG.md": f"- Fix tokens ({HEX}{HEX[:8]})\n- Passwords are hashed (#12)\n",
    "notes/ids.md": "id: 550e8400-e29b-41d4-a716-446655440000\nsession 01JABCDEFGHJKMNPQRSTVWXYZ0\n",
    "notes/logo.md": f"![logo](data:image/png;base64,iVBORw0KGgo{PADDED * 40})\n",
    "style.css": "input[type=password]{color:#a1b2c3}:root{--token-color-1:#ff00aa;--sk-loading-1:2px}" * 50,
    "settings.py": 'SECRET_KEY = os.environ["SECRET_KEY"]\nPASSWORD = config("DB_PASSWORD2")\nTOKEN = secrets.token_urlsafe(32)\n',
    "settings.ts": "const apiKey = process.env.API_KEY2;\nconst token: Token64Type = await getToken(user1);\n",
    "docker-compose.yml": "environment:\n  POSTGRES_PASSWORD: ${DB_PASSWORD}\n  SECRET_FILE: /run/secrets/db1\n",
    "deploy.yml": "token: ${{ secrets.GITHUB_TOKEN }}\nurl: https://x:${TOKEN}@github.com/a/b\n",
    "helm.yaml": "kind: Secret\ndata:\n  password: {{ .Values.password | b64enc }}\n",
    "sealed.yaml": "secretName: my-tls-secret-2024\nexistingSecret: shop-db-credentials1\n",
    "main.tf": 'password = var.db_password1\nsecret_id = "arn:aws:secretsmanager:eu-1:1:secret:Db-A1b2C3"\n',
    ".env.example": "API_KEY=your-key-here\nDB_PASSWORD=\nDATABASE_URL=postgres://user:password@localhost/app\n",
    ".env.sample": "TOKEN=xxxxxxxxxxxxxxxxxxxx\n",
    "app.csproj": '<Reference Include="X, PublicKeyToken=b03f5f7f11d50a3a" />\n',
    "tokenizer.json": '{"tokenizer_class": "Bert2Tokenizer", "pad_token": "[PAD]", "unk_token_id": 100123456789}\n',
    "lexer.py": "next_token = tokens[i2]\npage_token=CAUQAA1b2C3d4E5f6G7h8\npassed = results12345\n",
    "models.py": "password_hash = Column(String(128))\nclass PasswordResetToken2(Base): ...\n",
    "login.html": '<input type="password" name="password" placeholder="Password123 or longer">\n',
    "policy.md": "Change the password every 90 days. Keys: never in the repository; see the secret manager.\n",
    "i18n/de.json": '{"password": "Passwort", "forgot_password": "Passwort vergessen? Klicke hier"}\n',
    "keys.md": "| key | action |\n|---|---|\n| ctrl+k | search |\n",
    "monkey.py": "monkey = 'Ab1Cd2Ef3Gh4Ij5Kl6'\nkeyboard = True\n",
    "environment.yml": "name: shop\ndependencies: [python=3.11]\n",
    "tokens.json": '{"color": {"token": "color.blue.500", "value": "#0066ff"}}\n',
    "hubs.py": "def hub(): ...\n",
    "cert.txt": "-----BEGIN CERTIFICATE-----\nMIIC\n-----END CERTIFICATE-----\n-----BEGIN PUBLIC KEY-----\nMIIB\n",
    "tests.csv": "test,pass,fail\nlinux-x86_64-v2,Ubuntu-22.04,0\n",
    "fields.md": "| field | type | password policy |\n|---|---|---|\n| name | varchar2-50 | Min8-characters |\n",
    "users.md": "| user | password |\n|---|---|\n| ada | changeme |\n| bob | ${DB_PASSWORD1} |\n\nRelease-2024.1 | Build-77a | x\n",
    "headings.md": "# Password\n\nThe password is Base64-encoded. A token is RS256-signed.\n\n## Token\n\nSee RFC-7519.\n",
    "variables.tf": 'variable "db_password" {\n  type = string\n  sensitive = true\n}\nvariable "size" { default = "t3-Large2" }\n',
    "cookies.md": "Set-Cookie: lang=en; Max-Age=31536000; Path=/\nCookie: _ga=GA1.2.1234567890.1600000000; theme=dark\n",
    "headers.md": "Authorization: Bearer <token>\nAuthorization: Digest username=admin\nLogin: user@example.org / see the wiki\n",
    "encoded.md": base64.b64encode(b"Forgot your password? Ask the desk, it is open until 5.\n").decode() + "\n",
    "russian.md": "\u041f\u0430\u0440\u043e\u043b\u044c: \u0441\u043f\u0440\u043e\u0441\u0438\u0442\u0435 \u0432 \u043e\u0442\u0434\u0435\u043b\u0435 12.\n",
    "names.py": "some_very_long_function_name_of_a_test_2 = another_very_long_name_of_a_module_3\n",
    "commands.md": "mysql -uroot -p$MYSQL_PASS prod\nmysql -u root -p prod\nsshpass -p ${PASS} ssh h\nmkdir -p Build77a/x\n",
    "schema.sql": "ALTER ROLE a WITH PASSWORD '${DB_PASSWORD1}';\nCREATE USER b IDENTIFIED BY 'changeme';\n-- a password 'like this'\n",
    "times.log": "10:15:30:main:started\nmain.c:120:15:warning:unused-variable\n2001:0db8:85a3:0000:8a2e:0370:7334\n",
    "paging.ts": "const nextPageToken = 'CAUQAA1b2C3d4E5f6G7h8';\ncsrfmiddlewaretoken: Ab1Cd2Ef3Gh4Ij5Kl6\nno_password: Abc12345x\n",
    "joined.py": 'a = "password" "s"\nb = "x" + "y"\nc = "Progress 100%5f " + \'a%20b\'\ncount = "100%41"\n',
    "keys.yml": f"primary_key: id\nforeign_key: customer_order_line_identifier_2\ncache_key: {DRAWN}\npublic_key: {DRAWN}\n",
    "request.txt": f"idempotency_key: 550e8400-e29b-41d4-a716-446655440000\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A{DRAWN}\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkq{DRAWN}\n",
    "hex.md": b"Forgot your password? Ask the desk, it is open until 5.".hex() + f"\n{HEX}{HEX}\n",
    "bearer.md": "Bearer tokens-of-version-2.0 and Bearer YOUR_ACCESS_TOKEN_1234 and Bearer my-example-token-2\nbearer_token\n",
    "defaults.py": "a = os.environ.get('DB', 'postgres-15.2')\nb = os.getenv('HOST') or 'db1.example.org'\nc = os.environ.get('X') or 'C:\\\\ProgramData'\npwm: GPIO18a-2\n",
    "long.py": '"""\nMyExamplePassword123\n"""\npassword = """\nType a password of 12 letters."""\n',
    "known.txt": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGq7Kf9ZbX2mTr8VwLc4Jd6HsNe3Pg5YuAaE1iRo0T ada@example.org\n",
}  # fmt: skip


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(project: Path, name: str, text: str) -> None:
    (project / name).parent.mkdir(parents=True, exist_ok=True)
    (project / name).write_bytes(text.encode())


@pytest.mark.parametrize("name", NAMES)
def test_a_name_or_a_folder_tells_a_secret(project: Path, name: str) -> None:
    put(project, name, "harmless words\n")
    (read,) = ProjectFiles(project).named([name])
    assert read.why_not.startswith(("by its name it holds", "by its folder it holds", "it belongs to")), read
    assert not read.text
    assert not [one for (one, *_) in ProjectFiles(project).searched() if one.text]


@pytest.mark.parametrize("text", CONTENTS.values(), ids=CONTENTS)
def test_a_content_tells_a_secret_and_nothing_of_it_is_told(project: Path, text: str) -> None:
    put(project, "notes.md", f"# Notes\n\n{text}\n")
    files = ProjectFiles(project)
    (read,) = files.named(["notes.md"])
    assert read.why_not.startswith("line "), read.why_not
    assert " looks like a" in read.why_not
    assert (read.text, read.sha256) == ("", "")
    ((searched,),) = files.searched()
    assert searched == read
    told = Researcher(files).find("notes")
    assert (told.found, told.looked_at) == ((), 0)
    assert told.unavailable.startswith("Left out of the search, as it may be secret or ignored: notes.md (line ")
    assert HIDDEN not in str((read, told))
    assert DRAWN[:16] not in str((read, told))


@pytest.mark.parametrize("name", ORDINARY)
def test_what_only_speaks_of_secrets_is_read(project: Path, name: str) -> None:
    put(project, name, ORDINARY[name])
    (read, *_) = ProjectFiles(project).named([name])
    assert read.why_not == ""


def test_the_line_is_that_of_the_secret(project: Path) -> None:
    put(project, "a.md", f"one\r\ntwo\rthree\npassword: {HIDDEN}\n")
    (read,) = ProjectFiles(project).named(["a.md"])
    assert read.why_not == "line 4 looks like a password."


@pytest.mark.parametrize(
    "text",
    [
        f"\u200b\x1b[0m\n\u2028\x0c\n\\u000a\npassw\u043erd: {HIDDEN}\n",
        f"a\r\u200b\r\n\npassword: {HIDDEN}",
        f"user,password\r\neve,changeme\r\nbob,none\r\nada,{HIDDEN}\r\n",
        f"one\nPassword:\n\n{HIDDEN}\n",
    ],
)
def test_the_line_is_that_in_the_file(text: str) -> None:
    assert secret_content(text) == "line 4 looks like a password"


def test_a_search_names_some_and_counts_the_rest_of_what_it_left_out(project: Path) -> None:
    for number in range(5):
        put(project, f"{number}.env", "A=1\n")
    put(project, "a.md", "the harbour\n")
    told = Researcher(ProjectFiles(project)).find("harbour")
    assert told.looked_at == 1
    assert told.unavailable.count("by its name it holds keys or passwords") == 3
    assert told.unavailable.endswith("and 2 more.")


HOSTILE = [
    "eyJaaaaaaaaaaa.", "eyJ" * 5, "password=", "password" + " " * 300, "token:'", "://a:", "://" + "a" * 80 + ":", "sk-", "key-",
    "login x password ", "kind: Secret\n", "<RSAKeyValue>", '"kty"', '"d":"', "AKIA", "-----BEGIN ", "PRIVATE KEY-----BEGIN ",
    "a:$1$", "Basic AAAA", "seed phrase: abc ", "_auth" * 3, "a" * 50, "xoxb-", "secret" * 3, 'pass="', "0" * 10 + ":AA",
    "password,", "a|" * 9 + "password|\n", "password,a\nb,c\n", "password\n", "password {", "password\n" + " " * 90, "# token\nx\n",
    "token is ", "MT" * 14 + ".", "ookie: a=b;", "ogin: a/", "password" + "\t" * 40 + "{\n", "password  a\n", '\\"', "\r",
    "_KEY=", "a_key: ab", "MIIAAQIBAA", "IBA", "MIGAAgEAM",
    "mysql -p", "mysql " + "a " * 90, "otpauth://?secret=", "otpauth://a&", "sshpass -p ", "IDENTIFIED BY '", "a:5432:a:a:", "a:*:\n",
]  # fmt: skip


@pytest.mark.cases(9)
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_takes_time_that_grows_with_it(text: str) -> None:
    def took(size: int) -> float:
        content = (text * (size // len(text) + 1))[:size]
        began = time.thread_time()
        secret_content(content)
        return time.thread_time() - began

    assert growth(took, 40_000, at_once=0.02) <= EVEN

"""Each secret goes in whatever it is carried; what is everyday text stays; wordings and files people really use."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.daemon.intake.redaction import SHAPES, Redactor
from dreamd.daemon.intake.secret_shapes import TOKEN_SHAPES

REDACTOR = Redactor(b"k" * 32)
TOKENS = [(shape.kind, shape.example.removeprefix("it printed ").removesuffix(" to the log")) for shape in TOKEN_SHAPES]
CARRIERS = {
    "bare": "{}",
    "sentence": "Then it showed {}, and I closed it.",
    "quoted": 'the value "{}" is theirs',
    "json": '{{"a": "b", "value": "{}", "n": 1}}',
    "escaped json": '{{\\"value\\": \\"{}\\"}}',
    "env": "SOMETHING={}\nOTHER=1",
    "url": "https://api.example/v1/x?k={}&page=2",
    "code": "client = Client('{}', retries=3)",
    "lines": "first line\n{}\nlast line",
    "escaped lines": "first line\\n{}\\nlast line",
    "markdown": "* **value**: `{}`",
    "colour": "\x1b[32m{}\x1b[0m",
    "fence": "```\n{}\n```",
    "header": "X-Thing: {}",
}
FILLER = "q7Rt2Lm9Xc4Vb8Np3Zk6"


@pytest.mark.parametrize(("kind", "token"), TOKENS, ids=[f"{n}-{kind}" for n, (kind, _) in enumerate(TOKENS)])
def test_a_token_goes_in_every_carrier(kind, token):
    redacted = {name: REDACTOR.redact(carrier.format(token)) for name, carrier in CARRIERS.items()}
    assert [name for name, text in redacted.items() if token[-12:] in text or "[redacted:" not in text] == [], kind


@pytest.mark.parametrize("shape", SHAPES, ids=[f"{n}-{shape.kind}" for n, shape in enumerate(SHAPES)])
@pytest.mark.parametrize("carrier", ["{}\n", "note: {}", "  {}\n\nmore", "({})"])
def test_an_example_goes_in_another_text(shape, carrier):
    assert "[redacted:" in REDACTOR.redact(carrier.format(shape.example))


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("use sw0rdf1sh! as the password", "sw0rdf1sh!"),
        ("please use `Tr0ub4dor&3` as our admin password", "Tr0ub4dor&3"),
        ("I changed the password to Tr0ub4dor&3 today", "Tr0ub4dor&3"),
        ("the password has been set to Tr0ub4dor&3", "Tr0ub4dor&3"),
        ("Our passphrase is now 'correct horse battery'", "correct horse battery"),
        ("log in as admin with password Tr0ub4dor3", "Tr0ub4dor3"),
        ("username: app password: swordf1sh", "swordf1sh"),
        ("the token: 4e0f7c2b9a1d8e6f", "4e0f7c2b9a1d8e6f"),
        ("the token for staging is 4e0f7c2b9a1d8e6f.", "4e0f7c2b9a1d8e6f"),
        ("my pin is 4711", "4711"),
        ("credentials: admin/hunter22", "hunter22"),
        ("Password: hunter2", "hunter2"),
        ("**Password:** hunter2", "hunter2"),
        ("| password | hunter2 |", "hunter2"),
        ("<password>hunter2</password>", "hunter2"),
        ("- name: DB_PASSWORD\n  value: hunter2", "hunter2"),
        ("host: db\npassword: swordfish\nuser: app", "swordfish"),
        ("[db]\nuser = app\npassword = swordfish\n", "swordfish"),
        ('password: str = "hunter2"', "hunter2"),
        ('{\\"password\\": \\"hunter2\\"}', "hunter2"),
        ("config['password'] = 'swordfish'", "swordfish"),
        ("password => 'swordfish'", "swordfish"),
        ("AWS_SECRET_ACCESS_KEY=" + FILLER * 2, FILLER),
        ("aws_secret_access_key = " + FILLER * 2, FILLER),
        ("export STRIPE_SECRET=abcdefghijklmnop", "abcdefghijklmnop"),
        ("//registry.npmjs.org/:_authToken=" + FILLER, FILLER),
        ("X-Api-Key: " + FILLER, FILLER),
        ("curl -H 'X-Vault-Token: " + FILLER + "'", FILLER),
        ("Authorization: Bearer " + FILLER, FILLER),
        ('{"Authorization": "Basic ' + "dXNlcjpwYXNzd29yZA==" + '"}', "dXNlcjpwYXNzd29yZA"),
        ("Set-Cookie: session=" + FILLER + "; Path=/; HttpOnly", FILLER),
        ("Server=db;User Id=sa;Password=hunter2;Encrypt=true", "hunter2"),
        ("DefaultEndpointsProtocol=https;AccountKey=" + FILLER * 4 + "==;", FILLER),
        ("mongodb+srv://app:p@ss@cluster0.example.net/db", "p@ss"),
        ("amqp://guest:gu3st@mq:5672", "gu3st"),
        ("jdbc:mysql://db/app?user=a&password=hunter2", "hunter2"),
        ("machine db.example\nlogin app\npassword swordfish\n", "swordfish"),
        ("db.example:5432:app:app:swordfish", "swordfish"),
        ("sshpass -p hunter2 ssh host", "hunter2"),
        ("docker login -u app -p hunter2 ghcr.io", "hunter2"),
        ("psql --password=hunter2", "hunter2"),
        ("tool --api-key 4e0f7c2b9a1d8e6f run", "4e0f7c2b9a1d8e6f"),
        ("https://discord.com/api/webhooks/123456789012345678/" + FILLER, FILLER),
        ("token: " + FILLER + "\nusers:", FILLER),
        ("PGPASSWORD=hunter2 psql", "hunter2"),
        ("DB_PASSWORD_PROD=hunter2", "hunter2"),
        ("spring.datasource.password=hunter2", "hunter2"),
        ("Contraseña: hunter2!", "hunter2!"),
    ],
)
def test_a_secret_in_a_file_or_a_sentence_goes(text, secret):
    redacted, count = REDACTOR.redact_with_count(text)
    assert secret not in redacted
    assert count >= 1


@pytest.mark.parametrize(
    "text",
    [
        "password: <your-password>, token: {{ token }}, key: %API_KEY%",
        "api_key: xxxxxxxxxxxxxxxx and password: ********",
        "token = process.env.GITHUB_TOKEN; key = os.environ['API_KEY']; pw = getpass()",
        'const password = req.body.password; const token: string = ""',
        "password: z.string().min(8); password?: string; password!: string",
        '{"password": "Please enter your password", "token": "The token is missing"}',
        "integrity sha512-" + "aB3dE5fG7h" * 8 + "==",
        '"lodash@^4.17.21": version "4.17.21", checksum: ' + "9f86d081884c7d65" * 4,
        'cargo: checksum = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
        "see src/auth/token_manager_v2.ts:123 and tests/test_password_reset.py::test_x1",
        "image data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9Q",
        "upgrade to v1.2.3-beta.4+build.567 (token-bucket 2.0.1)",
        "session 6f1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9 ended",
        "sort key: created_at_2024; cache key: user_profile_v2; partition key: tenant1",
        "password policy: 12 characters; token bucket: 100/s; secret santa: 2024-12-24",
        "docker run -p 8080:80 -u 1000:1000 app; mkdir -p a/b; ssh -p 2222 me@host",
        "Cookie: header is dropped; Authorization: none",
        "add --password and --token flags; the --api-key option is required",
        "the key is to keep tests small, the secret is patience, the token is valid for 3600s",
        "max_tokens: 4096, tokens=128000, token_count: 15, completion_tokens=512",
        "public key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGr5X2h me@host",
        "fix(password): typo in the reset mail",
        "rename password_hash to passwordDigest",
        "next_page_token: CAUQAA and continuation token: page2",
        "redis://localhost:6379/0 and https://user@host/path, git@github.com:a/b.git",
        "bearer tokens are sent in the Authorization header",
        "it's as simple as a password manager; use bcrypt as the password hash",
    ],
)
def test_everyday_text_stays(text):
    assert REDACTOR.redact(text) == text


SURROUNDINGS = (
    "CREATE USER app IDENTIFIED BY '{}';",
    "alter user 'app'@'%' identified with caching_sha2_password by '{}'",
    "//registry.example/:_auth={}",
    "openssl pkcs12 -in a.p12 -passin pass:{} -nodes",
    "Password:\n{}",
    "Your password:\r\n  {}\n",
    "using password:\n  error: {} rejected",
    "<b>Password:</b> {}",
    "<p><strong>Password</strong>: {}</p>",
    "<tr><th>Password</th><td>{}</td></tr>",
    "echo {} | docker login -u app --password-stdin ghcr.io",
    "printf '%s' '{}' | helm registry login r --password-stdin",
    "echo '{}' | sudo -S apt-get update",
    "echo {} | sudo -kS id",
    "echo 'root:{}' | chpasswd",
    "echo app:{} | sudo chpasswd -c SHA512",
    'chpasswd <<< "app:{}"',
    'network={{\n  ssid="home"\n  psk="{}"\n}}',
    'variable "db_password" {{\n  type = string\n  default = "{}"\n}}',
    "ConvertTo-SecureString '{}' -AsPlainText -Force",
    'ConvertTo-SecureString -String "{}" -AsPlainText',
    "gh secret set DEPLOY_WORD --body {}",
    "gh secret set X -b'{}'",
    "echo {} | gh secret set DEPLOY_WORD",
    "htpasswd -bc conf/users app {}",
    "htpasswd -nbB app {} > users",
    "ldapsearch -x -H ldap://db -D 'cn=admin,dc=ex' -w {} -b dc=ex",
    "密码：{}",
    "数据库密码是 {}",
    "Das Passwort lautet {}.",
    "Das Passwort für die Datenbank ist {}",
    "le mot de passe est {}",
)


@pytest.mark.parametrize("carrier", SURROUNDINGS)
@pytest.mark.parametrize(
    "secret", ["Tr0ub4dor3kq", "q7Rt2Lm9Xc4Vb8Np3Zk6q7Rt2Lm9Xc", "x9!kw2#mPq4zR", "4e0f7c2b9a1d8e6f"]
)
def test_what_only_a_command_or_another_line_gives_away_goes(carrier, secret):
    redacted = REDACTOR.redact(carrier.format(secret))
    assert secret not in redacted and secret[2:-2] not in redacted


def test_a_line_of_a_key_goes_wherever_it_is_in_the_text():
    line = "MIIEowIBAAKCAQEAq7Rt2Lm9Xc4Vb8Np3Zk6q7Rt2Lm9Xc4Vb8Np3Zk6q7Rt2Lm9"
    text = f"-----BEGIN {'PRIVATE'} KEY-----\n{line}\n{line}\nerror: bad line {line[::-1]}"
    assert line not in REDACTOR.redact(text) and line[::-1] not in REDACTOR.redact(text)


@pytest.mark.parametrize(
    "text",
    [
        "users are identified by 'email' and rows identified by id2",
        "self._auth = build_auth_v2(self)",
        "password:\n  description: At least 8 characters\n  example: see docs",
        "Enter password:\n\nLogin failed for user app",
        "password:\n- rotate it every 90 days",
        "<label>Password</label>\n<input type='password' id='pw1'/>",
        "echo done | tee log.txt; echo 'apt-get update2' | sudo -s",
        "docker login reads it with --password-stdin",
        "chpasswd < users.txt; WPA2-PSK networks",
        'variable "instance_type" {\n  default = "t3.micro"\n}',
        'variable "key_name" {\n  default = "deployer-key"\n}',
        "ConvertTo-SecureString needs -AsPlainText",
        "the secret set by the operator is rotated -b",
        "htpasswd -c users app && ldapsearch -x -W -b dc=ex",
        "密码错误，请重试。 密码：必填",
        "Das Passwort ist zu kurz; das Passwort ist 12-stellig; la contraseña es obligatoria",
    ],
)
def test_what_is_around_no_secret_stays(text):
    assert REDACTOR.redact(text) == text


def test_a_field_that_names_its_secret_beside_it_is_hidden():
    found = REDACTOR.redact_field("extra", [{"name": "DB_PASSWORD", "value": "swordfish"}, {"password": 12345678}])
    assert "swordfish" not in json.dumps(found)
    assert "12345678" not in json.dumps(found)
    assert REDACTOR.redact_field("extra", {"max_tokens": 4096, "token": 17}) == {"max_tokens": 4096, "token": 17}


@given(st.permutations([shape.example for shape in SHAPES if shape.kind != "private-key"][:40]))
def test_the_order_of_secrets_does_not_matter(examples):
    marks = sorted(REDACTOR.redact("\n".join(examples)).split("\n"))
    assert marks == sorted(REDACTOR.redact("\n".join(sorted(examples))).split("\n"))

"""The shapes of secrets that only their surroundings give away: a key before a value, a URL, "my password is".

What stands there may as well be a remark, a variable or a placeholder, so a row has a `place` that judges the value it
found (secret_values.py). The patterns and anchors are those of folded text, so that none needs to ignore case, and
each begins with a letter or word that few places have: a text full of keywords costs little more than any other.
"""

import re

from dreamd.daemon.intake import secret_values as values
from dreamd.daemon.intake.secret_shape import Place, Shape

_VALUE_CHARACTER = r"(?:[^\s\"'`,;&<\\|]|[,;&](?![a-z_][\w .-]{0,30}[:=])(?=[^\s\"'`])|<(?!/)|\\(?![nrt\"']))"
_QUOTED = r"[bfru]{0,2}(?P<q>\\{0,3}[\"'`])(?:(?!(?P=q))(?:\\.|[^\n\\])){3,400}(?P=q)"
_VALUE = rf"(?P<secret>{_QUOTED}|[\"'`]?{_VALUE_CHARACTER}{{4,400}})"
TOLD = r"(?P<secret>\"[^\"\n]{3,200}\"|'[^'\n]{3,200}'|`[^`\n]{3,200}`|[^\s\"'`]{4,200})"
_CLOSE = r"(?:\\{0,3}[\"'`]|\]|\)|\*|\?){0,4}"
_WHICH = (  # what may stand between a name and the sign, as in DB_PASSWORD_PROD
    r"(?:\d{1,2}|[_-](?:\d{1,2}|prod\w{0,8}|dev\w{0,9}|stag\w{1,4}|test\w{0,3}|live|old|new|root|admin|default|backup|"
    r"primary|ro|rw|main|local|ci|raw|plain|base|value))?"
)
_TYPED = r":[ \t]?[a-z][a-z0-9_.\[\]|]{1,30}(?: \| [a-z]{1,10})?[ \t]?=[ \t]?"  # password: str = "..."
_ELSEWHERE = r"[ \t,;]{0,4}\n?[ \t\"'{-]{0,20}value[\"']?[ \t]{0,4}[:=][ \t]{0,4}"  # name: DB_PASSWORD, value: ...
_SIGN = (
    rf"(?:{_TYPED}|>|{_ELSEWHERE}|"
    r"[ \t]{0,8}(?:=>|:=|={1,3}|:|\|)[ \t*]{0,8}(?:[|>][+-]?[ \t]{0,8}\n[ \t]{1,20})?)"
)
_STRONG = (
    r"p(?:ass(?:[_-]?(?:word|phrase|code)|wd|wort|e(?=\s?[:=])|(?<=[_-]pass)(?![a-z])|(?<![a-z]pass)(?==[^=]))|wd|"
    r"w(?<![a-z0-9]pw)(?=\s?[:=]))"
)
_FOREIGN = r"(?:kennwort|contrase(?:n|ñ)a|senha|wachtwoord|пароль|密码|密碼|パスワード|비밀번호)"
_WEAK = r"(?:key|secret|token|credential)s?"
_PROSE = r"(?:\s+(?:for|of|on|to)\s+(?:\S{1,60}\s+){0,3}?\S{1,60})?"
PASSWORD = r"p(?:ass(?:word|phrase|code|wd)|wd)"


def _password(keyword: str, anchors: tuple[str, ...], example: str, counter_example: str) -> Shape:
    return Shape(
        kind="password",
        anchors=anchors,
        source=rf"{keyword}(?! [a-z]){_WHICH}{_CLOSE}{_SIGN}{_VALUE}",
        example=example,
        counter_example=counter_example,
        place=values.assigned_password,
        meaning="a name such as `password`, `DB_PASS` or `pwd`, a sign (`=`, `:`, `=>`, `>`) and a value",
    )


_LEAST_WORD: dict[Place | None, int] = {
    values.assigned_token: values.MIN_WEAK_QUOTED,
    values.told_token: values.MIN_WEAK,
    values.random_token: 20,
}


def shape_row(  # noqa: PLR0913, PLR0917 - the columns of a table
    kind: str, anchors: str, pattern: str, place: Place | None, example: str, counter_example: str, meaning: str
) -> Shape:
    return Shape(
        kind=kind,
        anchors=tuple(anchors.partition("&")[0].split("|")),
        least_word=_LEAST_WORD.get(place, 0),
        also=tuple(filter(None, anchors.partition("&")[2].split("|"))),
        source=f"(?s){pattern}",
        example=example,
        counter_example=counter_example,
        meaning=meaning,
        place=place,
    )


_PEM = "PRIVATE " + "KEY"
_BODY = "MIIEowIBAAKCAQEAaB3dE5fG7haB3dE5fG7haB3dE5fG7haB3dE5fG7h"

CONTEXT_SHAPES: tuple[Shape, ...] = (
    shape_row(
        "private-key",
        "private key-----|private key block-----",
        r"-----begin (?P<label>[a-z0-9 ]{0,30}private key(?: block)?)-----(?:"
        r"(?:[^-]|-(?!----)){1,20000}+-----end (?P=label)-----"
        r"|(?:(?:\s|\\{1,4}[nrt]|[\"'+,>|#;*])*+(?:[a-z-]{4,20}: [^\n\\]{1,80}(?=\n|\\{1,4}n)|[a-z0-9+/=]{24,}+"
        r"|(?<=[\s>])[a-z0-9+/=]+(?=[ \t]*(?:\n|\\n|\Z))|(?<=\\n)[a-z0-9+/=]+(?=\\{1,4}n|[\"']|\Z)))+)",
        None,
        f"log:\n-----BEGIN RSA {_PEM}-----\n{_BODY}\nabc=\n-----END RSA {_PEM}-----\nthen it went on",
        f"-----BEGIN PUBLIC KEY----- is fine, and so is a private key in a vault, or -----BEGIN {_PEM}----- as a word",
        "a PEM or PGP block, also without its end",
    ),
    shape_row(
        "private-key",
        "private key-----|private key block-----",
        r"(?<![a-z0-9+/=])(?:[a-z0-9+/=]{40,}+(?:\s|\\{1,4}[nr])++){1,200}(?:[a-z0-9+/=]{1,76}+(?:\s|\\{1,4}[nr])*+)?"
        r"-----end [a-z0-9 ]{0,30}private key(?: block)?-----",
        None,
        f"{_BODY}\n{_BODY}\nabcd==\n-----END {_PEM}-----",
        f"the file ends with -----END {_PEM}-----",
        "a PEM or PGP block without its beginning",
    ),
    shape_row(
        "private-key",
        "ls0tls1crudjti",
        r"ls0tls1crudjti[a-z0-9+/=]{20,}",
        values.encoded_key,
        "tls.key: LS0tLS1CRUdJTi" + "BQUklWQVRFIEtFWS0tLS0tCk1JSUV2UUlCQURBTkJna3Foa2lHOXc=",
        "ca: LS0tLS1CRUdJTi" + "BDRVJUSUZJQ0FURS0tLS0tCk1JSUV2UUlCQURBTkJna3Foa2lHOXc=",
        "a PEM block in base64, as in a kubeconfig",
    ),
    shape_row(
        "private-key",
        "client-key-data|private-lines:",
        r"(?:client-key-data[\"']?:\s{0,4}[\"']?(?=[a-z0-9])|private-lines:\s{0,4}\d{1,4})"
        r"(?P<secret>(?:(?:\s|\\{1,4}[nr])*+[a-z0-9+/=]{20,}+)+)",
        None,
        "client-key-data: " + "aB3dE5fG7h" * 4,
        "client-key-data: ${KEY}",
        "a key in a kubeconfig or a PuTTY file",
    ),
    shape_row(
        "private-key",
        '"kty"',
        r"[{,]\s{0,8}\"(?:d|p|q|dp|dq|qi|k)\"\s{0,4}:\s{0,4}\"(?P<secret>[\w-]{20,})\"",
        None,
        '{"kty": "EC", "x": "abc", "d": "' + "aB3dE5fG7h" * 4 + '"}',
        '{"kty": "EC", "x": "' + "aB3dE5fG7h" * 4 + '"}',
        "the private numbers of a JSON web key",
    ),
    shape_row(
        "seed-phrase",
        "seed phrase|recovery phrase|secret phrase|mnemonic",
        r"(?:phrase|mnemonic|words)[^\n:=]{0,30}[:=]\s{0,4}[\"'`]?(?P<secret>(?:[a-z]{3,8}[ \t]){11,23}[a-z]{3,8})",
        None,
        "my seed phrase: abandon ability able about above absent absorb abstract absurd abuse access accident",
        "a phrase: short words only, as they are",
        "twelve or more words behind seed phrase or mnemonic",
    ),
    shape_row(
        "url-password",
        "://",
        r"://[^\s/:@\"'<>`]{0,200}:(?P<secret>[^\s/\"'<>`]{1,400})@(?=[\w\[$({<-])",
        values.any_value,
        "DATABASE_URL is postgres://app:hunter2@db.internal/app",
        "see https://example.org:8443/a@b and postgres://app:${PASSWORD}@db/app",
        "`scheme://user:password@host`",
    ),
    shape_row(
        "url-password",
        "://",
        r"://(?P<secret>[\w%.~-]{20,400})(?::x-oauth-basic)?@(?=[\w\[])",
        values.random_value,
        "https://" + "q7Rt2Lm9Xc4Vb8Np3Zk6" + "Wd1Y" + "@example.org/repo.git",
        "ssh://a-user-with-a-long-name@example.org",
        "`scheme://token@host`",
    ),
    shape_row(
        "url-password",
        "@tcp(|thin:",
        r"(?:(?<![\w.-])[\w.-]{1,60}:(?P<secret>[^\s:/@\"'`]{3,100})@tcp\(|$^)",
        values.any_value,
        "dsn app:hunter2@tcp(db:3306)/app",
        "dsn app:${PASSWORD}@tcp(db:3306)/app",
        "a Go connection string",
    ),
    shape_row(
        "url-password",
        "oracle:thin:",
        r"oracle:thin:[\w.-]{1,60}/(?P<secret>[^\s@\"'`]{3,100})@",
        values.any_value,
        "jdbc:oracle:thin:scott/tiger@db:1521:x",
        "jdbc:oracle:thin:@db:1521:x",
        "an Oracle connection string",
    ),
    shape_row(
        "webhook",
        "hooks.|/api/webhooks/|webhook.office.com|ifttt.com|chat.googleapis.com",
        r"(?:hooks\.slack\.com/(?:services|workflows|triggers)/|discord(?:app)?\.com/api/(?:v\d+/)?webhooks/|"
        r"webhook\.office\.com/webhookb2/|hooks\.zapier\.com/hooks/catch/|maker\.ifttt\.com/(?:\S{1,80}/)?key/|"
        r"chat\.googleapis\.com/v1/spaces/)(?P<secret>[\w@/?=&%.-]{20,})",
        None,
        "posts to https://hooks.slack.com/services/" + "T0AB12CD3/B0EF45GH6/" + "aB3dE5fG7haB3dE5fG7haB3d",
        "posts to hooks.slack.com/services/ as documented",
        "an address that lets anybody post",
    ),
    shape_row(
        "authorization",
        "authorization|bearer",
        r"(?:authorization[\"'`\]\\]{0,3}\s{0,4}[:=,]\s{0,4}[bf\\]{0,2}[\"'`]?(?:(?:basic|bearer|"
        r"token|digest|apikey|aws4-hmac-sha256|key|negotiate)\s{1,4})?"
        r"|(?<![a-z])bearer\s{1,4})(?P<secret>[a-z0-9+/=_.~-]{8,4000})",
        values.authorization,
        "curl -H 'Authorization: Basic " + "dXNlcjpodW50ZXIyMTIz'",
        "Authorization: header is missing; Bearer authentication-scheme",
        "an Authorization header, or `Bearer` and a token",
    ),
    shape_row(
        "cookie",
        "cookie",
        r"cookie[\"'`\]]{0,2}\s{0,4}[:=]\s{0,4}[\"'`]?(?P<secret>[^\s=;,:\"'`]{1,80}=[^\n\"'`\\]{6,4000})",
        values.cookie,
        "Cookie: theme=dark; sessionid=" + "k3v9x2m7q5k3v9x2",
        "Cookie: theme=dark; cookie: SameSite=Strict is set",
        "a Cookie header that lets somebody in",
    ),
    shape_row(
        "docker-login",
        "auth",
        r"\"auth\\{0,3}\"\s{0,4}:\s{0,4}\\{0,3}\"(?P<secret>[a-z0-9+/=]{8,400})",
        values.encoded_login,
        '{"auths": {"ghcr.io": {"auth": "' + "dXNlcjpodW50ZXIyMTIz" + '"}}}',
        '{"auth": "required"}',
        "`auth` of a docker configuration",
    ),
    shape_row(
        "signature",
        "sig=|signature=",
        r"[?&;](?:sig|x-amz-signature|x-goog-signature|signature)=(?P<secret>[a-z0-9%+/=_-]{30,})",
        None,
        "https://store.example/blob?se=2026&sig=" + "aB3dE5fG7h" * 4 + "%3D",
        "https://store.example/blob?sig=none",
        "the signature of a signed address",
    ),
    shape_row(
        "password",
        "curl",
        r"curl\b[^\n]{0,200}?\s(?:-u|--user|--proxy-user)[ =]?[\"']?[^\s:\"']{1,100}:(?P<secret>[^\s\"'$]{3,200})",
        values.any_value,
        "curl -u admin:hunter2 https://ci.example",
        "curl -u admin:$PASSWORD https://ci.example",
        "`curl -u user:password`",
    ),
    shape_row(
        "password",
        "mysql|mariadb|sshpass|login|redis-cli|zip|7z ",
        r"(?:(?:mysql|mariadb)[\w-]{0,10}\b[^\n|;&]{0,200}?\s-p|sshpass\s{1,4}-p ?|7za?\b[^\n|;&]{0,200}?\s-p|"
        r"(?<![a-z])(?:un)?zip\b[^\n|;&]{0,80}?\s-p |redis-cli\b[^\n|;&]{0,200}?\s-a |"
        r"(?:docker|podman|helm|buildah|skopeo|oras|az|oc|registry) login\b[^\n|;&]{0,200}?\s-p )"
        r"(?P<secret>\"[^\"\n]{3,200}\"|'[^'\n]{3,200}'|[^\s\"'`$<-][^\s\"'`]{2,200})",
        values.any_value,
        "mysql -u root -p" + "hunter2 app",
        "mysql -u root -p app; docker run -p 8080:80; mkdir -p a/bcd; ssh -p 2222 host",
        "`-p` and its like, of commands that take a password there",
    ),
    shape_row(
        "password",
        "--",
        r"--(?:[a-z0-9]{1,16}-){0,3}(?P<word>password|passwd|passphrase|pass|pwd|token|secret|"
        r"apikey|key|credentials?)[ =]"
        rf"[ ]?{TOLD}",
        values.flag_value,
        "mysql --password " + "swordfish -h db",
        "the --password option; --password $PW; --token-file x; --key value",
        "`--password X`, `--token=X`",
    ),
    _password(
        _STRONG,
        ("pass", "pwd", "pw:", "pw=", "pw "),
        'db: {"password": "correct horse battery"} and PGPASSWORD=hunter2',
        "password: required; PASSWORD=${DB_PASSWORD}; password = os.environ['X']; password: str",
    ),
    _password(
        _FOREIGN,
        ("kennwort", "contrase", "senha", "wachtwoord", "пароль", "密码", "密碼", "パスワード", "비밀번호"),
        "Kennwort: sw0rdf1sh!",
        "kennwort: string; senha: required",
    ),
    shape_row(
        "secret",
        "key|secret|token|credential",
        rf"{_WEAK}(?! [a-z]){_WHICH}{_CLOSE}{_SIGN}{_VALUE}",
        values.assigned_token,
        "API_KEY=4e0f7c2b9a1d8e6f and client_secret: 'kWq-92-bbXz'",
        "API_KEY=${TOKEN}; token: <your-token>; secret = settings.secret_1; tokens: 4096",
        "a name such as `api_key`, `SECRET` or `auth-token`, a sign and a value of letters and digits",
    ),
    shape_row(
        "password",
        "pass|pwd|pin& is| was| are| =| to | will be| should be",
        r"(?P<word>p(?:ass(?:word|phrase|code|wd)|wd|in(?<![a-z]pin)(?: code)?))"
        rf"{_PROSE}\s+(?:is|was|=|will be|to|are|should be|has been (?:set|changed|"
        rf"reset) to)(?:\s+(?:set|changed|reset) to)?"
        rf":?\s+(?:now\s+|still\s+|just\s+)?{TOLD}",
        values.told_password,
        "by the way, my password is swordfish and the password for staging is Tr0ub4dor&3.",
        "The password is required; my password is rejected; the password for staging is rotated",
        '"my password is X", "the password for Y is X", "changed the password to X"',
    ),
    shape_row(
        "password",
        "pass|pwd",
        rf"{PASSWORD}s?[ \t\r\n]{{1,4}}[(\"'`]?(?P<secret>[^\s\"'`()]{{4,200}})",
        values.named_password,
        "machine db.example login app password swordfish, and with password Tr0ub4dor&3",
        "password strength meter; password sha256 hash; password reset",
        '"login Y password X", as in .netrc; "with password X"',
    ),
    shape_row(
        "password",
        "credential|creds|log in|login|sign in|basic auth&/|:",
        r"(?:credentials?|creds|log ?in|sign in|basic auth)(?: (?:are|is|as|with|"
        r"using))?:?[ \t]{1,4}[\"'`]?[a-z][\w.@-]{1,40}[\"'`]?[ \t]?[/:][ \t]?[\"'`]?"
        r"(?P<secret>(?=[^\s\"'`]{0,99}\d)[a-z0-9!@#$%^&*+?~-]{5,100})(?![\w/.:])",
        values.any_value,
        "log in with admin / hunter2 there",
        "login with user/profile and credentials from a/b/c1",
        '"log in with user / X"',
    ),
    shape_row(
        "password",
        ":5432:|:5433:|:6432:|:*:|pgpass",
        r"(?:^|(?<=[\s(\"'`]))[a-z0-9.*_-]{1,100}:(?:\d{4,5}|\*):(?:[a-z_][\w-]{0,60}|"
        r"\*):(?:[a-z_][\w-]{0,60}|\*):(?P<secret>[^\s:\"'`]{3,200})(?=[\s\"'`]|$)",
        values.any_value,
        "db.example:5432:app:app:" + "swordfish",
        "listens on 0.0.0.0:5432: app",
        "a line of .pgpass",
    ),
    shape_row(
        "secret",
        "key|secret|token|credential& is| was| are| =| will be",
        rf"(?P<word>{_WEAK}){_PROSE}\s+(?:is|was|are|=|will be)\s+(?:now\s+)?{TOLD}",
        values.told_token,
        "the api key for staging is 4e0f7c2b9a1d8e6f",
        "the token is refreshed; the key is user_id_2; the secret is in vault-eu-1",
        '"the token is X"',
    ),
    shape_row(
        "secret",
        "key|secret|token|credential|bearer",
        r"(?:key|secret|token|credential|bearer)s?(?:\s(?:is|was|of|value|with|named)|\s{0,2}[:=(])?[\s\"'`(*>]{0,8}"
        r"(?P<secret>[a-z0-9+/=_-]{20,400})",
        values.random_token,
        "the api key 9f86d081884c7d659a2feaa0c55ad015 was in the log",
        "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b; the token refresh_rotation_interval_seconds",
        "what looks drawn by chance, right behind such a word",
    ),
    shape_row(
        "secret",
        " as | is ",
        r" (?:as(?: the| my| our| your| a| an)?|is(?: the| my| our| your)) (?:[\w-]{1,20} ){0,2}?"
        r"(?P<word>password|passphrase|passcode|token|secret|api[ _-]?key|access key|credential)(?![\w-])",
        values.word_before,
        "use sw0rdf1sh! as the password there",
        "use bcrypt as the password hash; argon2id is the password hash",
        '"use X as the password", "X is my API key"',
    ),
)

_WEAK_NAME = (
    r"(?:(?:api|access|secret|private|signing|encryption|account|auth|master)[_ -]?key|secret|"
    r"token|credentials?|apikey|"
    r"authorization|cookie)"
)
STRONG_KEY = re.compile(r"(?i)(?:.*[_.-])?(?:pass[_-]?word|passwd|pass[_-]?phrase|passcode|pwd|\w+[_-]pass)")
SENSITIVE_KEY = re.compile(
    rf"(?i)(?:.*[_.-]|[a-z]*)?(?:pass[_-]?word|passwd|pass[_-]?phrase|passcode|pwd|\w+[_-]pass|{_WEAK_NAME})"
)
"""Names of fields in `extra` whose texts are hidden whole."""

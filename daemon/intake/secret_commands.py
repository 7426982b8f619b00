"""More shapes that only their surroundings give away: what is piped or given to a command, and told on another line.

As in secret_contexts.py, whose table this goes on.
"""

import re

from dreamd.daemon.intake import secret_values as values
from dreamd.daemon.intake.secret_contexts import PASSWORD, TOLD, shape_row
from dreamd.daemon.intake.secret_shape import Shape

_PRINTED = r"(?:echo|printf)[ \t]+(?:-\w{1,3}[ \t]+|[\"']%s(?:\\n)?[\"'][ \t]+|%s[ \t]+)?"
_KEY = "-----BEGIN " + "PRIVATE " + "KEY-----"
_LINE = "MIIEowIBAAKCAQEAaB3dE5fG7haB3dE5fG7haB3dE5fG7haB3dE5fG7h"


def mixed_value(text: str, found: re.Match[str]) -> values.Span | None:
    """What no word, version or date looks like."""
    span = values.any_value(text, found)
    value = text[slice(*span)] if span else ""
    return span if values.is_mixed(value) and not values.is_technical(value) else None


def wordless_value(text: str, found: re.Match[str]) -> values.Span | None:
    """Anything in quotes, else what is more than plain words."""
    span = values.any_value(text, found)
    is_quoted = span is not None and span[0] > found.start("secret")
    return span if span and (is_quoted or not values.is_plain_words(text[slice(*span)])) else None


def sql_password(text: str, found: re.Match[str]) -> values.Span | None:
    """IDENTIFIED BY 'X'; in small letters it may be prose, so a plain word is none there."""
    span = values.any_value(text, found)
    return span if span and (text[found.start()] == "I" or not values.is_plain_words(text[slice(*span)])) else None


def default_value(text: str, found: re.Match[str]) -> values.Span | None:
    """The default of a variable: any, if it is a password's."""
    return values.any_value(text, found) if found["word"].startswith(("pass", "pwd")) else mixed_value(text, found)


def stdin_password(text: str, found: re.Match[str]) -> values.Span | None:
    """`sudo -S` reads a password, `sudo -s` runs what it is given."""
    return (
        values.any_value(text, found) if re.search(r"-\w*S|--stdin", text[found.end("secret") : found.end()]) else None
    )


def ldap_password(text: str, found: re.Match[str]) -> values.Span | None:
    """`-w X` is a password, `-W` asks for it."""
    return values.any_value(text, found) if "-w" in text[found.start("secret") - 3 : found.start("secret")] else None


def key_line(text: str, found: re.Match[str]) -> values.Span | None:
    span = found.span()
    value = text[slice(*span)]
    return span if all(re.search(letters, value) for letters in ("[a-z]", "[A-Z]", "[0-9]")) else None


COMMAND_SHAPES: tuple[Shape, ...] = (
    shape_row(
        "private-key",
        "[redacted:private-key|private key-----",
        r"(?<![a-z0-9+/=])[a-z0-9+/]{44,76}={0,2}(?![a-z0-9+/=])",
        key_line,
        f"{_KEY}\n{_LINE}\n{_LINE}\nerror: bad line {_LINE}",
        f"{_KEY} is how it begins; commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c",
        "a line of base64 in a text that holds a private key",
    ),
    shape_row(
        "password",
        "identified ",
        r"identified (?:with [\w\"'`]{1,40} )?by (?:password )?(?P<secret>\"[^\"\n]{3,200}\"|'[^'\n]{3,200}')",
        sql_password,
        "CREATE USER app IDENTIFIED BY 'swordfish'",
        "each is identified by 'name'; IDENTIFIED BY '${PASSWORD}'",
        "SQL's `IDENTIFIED BY 'X'`",
    ),
    shape_row(
        "secret",
        "_auth",
        r"(?<![\w.])_auth[ \t]{0,2}=[ \t]{0,2}[\"']?(?P<secret>[^\s\"'`]{8,400})",
        wordless_value,
        "_auth=" + "dXNlcjpodW50ZXIyMTIz",
        "self._auth = handler2_of_all; _auth=authenticator; _auth=${NPM_AUTH}",
        "`_auth` of an .npmrc",
    ),
    shape_row(
        "password",
        "pass:",
        r"-pass(?:in|out)?[ =][\"']?pass:(?P<secret>[^\s\"'`]{3,200})",
        values.any_value,
        "openssl rsa -passin pass:swordfish -in a.pem",
        "openssl rsa -passin pass:$PASS -in a.pem; -passout file:pass.txt",
        "openssl's `-passin pass:X`",
    ),
    shape_row(
        "password",
        "pass|pwd",
        rf"{PASSWORD}\b[ \t*_]{{0,3}}:[*_]{{0,2}}[ \t]{{0,8}}\r?\n[ \t>*-]{{0,8}}(?:(?:error|fatal|warning): )?"
        r"[\"'`]?(?P<secret>[^\s\"'`:=]{6,200}(?![:=]))",
        mixed_value,
        "Password:\nTr0ub4dor3kq",
        "password:\n  type: string\n  minLength: 8\npassword:\n  value_from_1: x",
        "`Password:` with the value on the next line",
    ),
    shape_row(
        "password",
        "pass|pwd",
        rf"{PASSWORD}[ \t]?:?[ \t]?</\w{{1,8}}>[ \t]{{0,2}}:?\s{{0,4}}(?:<\w{{1,8}}>)?(?P<secret>[^\s<>\"'`]{{6,200}})",
        mixed_value,
        "<b>Password:</b> Tr0ub4dor3kq",
        "<b>Password</b> strength; <label>Password</label> <input>",
        "`<b>Password:</b> X`",
    ),
    shape_row(
        "password",
        "--password-stdin|gh secret set",
        rf"{_PRINTED}{TOLD}[ \t]{{0,4}}\|[^\n]{{0,200}}?(?:--password-stdin|gh secret set)",
        values.any_value,
        "echo swordfish | docker login -u app --password-stdin",
        'echo "$TOKEN" | docker login -u app --password-stdin',
        "what is piped to `--password-stdin` or `gh secret set`",
    ),
    shape_row(
        "password",
        "sudo -|sudo  -",
        rf"{_PRINTED}{TOLD}[ \t]{{0,4}}\|[ \t]{{0,4}}sudo[ \t]+(?:-[a-z]{{1,4}}[ \t]+){{0,3}}"
        r"(?:-[a-z]{0,4}s|--stdin)\b",
        stdin_password,
        "echo 'swordfish' | sudo -S apt-get update",
        "echo 'whoami' | sudo -s; echo $PW | sudo -S id",
        "what is piped to `sudo -S`",
    ),
    shape_row(
        "password",
        "chpasswd",
        rf"(?:{_PRINTED}(?=[^\n|]{{1,300}}\|[^\n]{{0,60}}chpasswd)|chpasswd[^\n<]{{0,40}}<<<[ \t]{{0,4}})[\"']?"
        r"[a-z_][\w.-]{0,40}:(?P<secret>[^\s\"'`|]{3,200})",
        values.any_value,
        "echo 'root:swordfish' | sudo chpasswd",
        "echo root:$PASSWORD | chpasswd; chpasswd < users.txt",
        "a `user:password` piped to `chpasswd`",
    ),
    shape_row(
        "password",
        "psk",
        rf"(?<![a-z])psk[\"']?[ \t]{{0,2}}[=:][ \t]{{0,2}}{TOLD}",
        wordless_value,
        'network={ssid="home" psk="swordfish"}',
        "psk=identity; key_mgmt=WPA-PSK; psk: ${PSK}",
        "`psk` of a wireless network",
    ),
    shape_row(
        "secret",
        'variable "',
        r"variable \"[\w-]{0,60}?(?P<word>password|passwd|pass|pwd|secret|token|key|credential)[\w-]{0,20}\"\s{0,4}\{"
        r"[^}]{0,400}?default\s{0,8}=\s{0,4}(?P<secret>\"[^\"\n]{4,200}\")",
        default_value,
        'variable "db_password" {\n  type = string\n  default = "swordfish"\n}',
        'variable "db_password" {\n  type = string\n}\nvariable "key_name" {\n  default = "deployer"\n}',
        "the default of a Terraform variable with such a name",
    ),
    shape_row(
        "password",
        "convertto-securestring",
        rf"convertto-securestring[ \t]+(?:-(?:string|asplaintext|force)[ \t:]+){{0,3}}(?![-$(]){TOLD}",
        wordless_value,
        "ConvertTo-SecureString 'swordfish' -AsPlainText -Force",
        "ConvertTo-SecureString $env:PW -AsPlainText -Force",
        "PowerShell's `ConvertTo-SecureString 'X'`",
    ),
    shape_row(
        "secret",
        "secret set",
        rf"secret set\b[^\n|;&]{{0,200}}?[ \t](?:--body[ =]|-b[ =]?){TOLD}",
        values.any_value,
        "gh secret set DEPLOY --body swordfish",
        'gh secret set DEPLOY --body "$VALUE"',
        "`gh secret set NAME --body X`",
    ),
    shape_row(
        "password",
        "htpasswd",
        r"htpasswd[ \t]+(?:-\w+[ \t]+){0,3}(?:-(?:\w{0,4}n\w{0,4}b|\w{0,4}b\w{0,4}n)\w{0,4}|"
        rf"-\w{{0,4}}b\w{{0,4}}[ \t]+(?:-\w+[ \t]+){{0,3}}[^\s-]\S{{0,200}})[ \t]+[\w.@-]{{1,60}}[ \t]+{TOLD}",
        values.any_value,
        "htpasswd -bc conf/users app swordfish",
        "htpasswd -c conf/users app; htpasswd -bc conf/users app $PASSWORD",
        "`htpasswd -b file user X`",
    ),
    shape_row(
        "password",
        "ldap",
        rf"ldap(?:search|modify|add|delete|passwd|whoami|compare|modrdn)\b[^\n|;&]{{0,200}}?[ \t]-w ?{TOLD}",
        ldap_password,
        "ldapsearch -x -D cn=admin -w swordfish -b dc=example",
        "ldapsearch -x -D cn=admin -W -b dc=example; ldapadd -w $PW",
        "`-w X` of ldapsearch and its like",
    ),
    shape_row(
        "password",
        "密码|密碼|口令|パスワード|비밀번호",
        r"(?:密码|密碼|口令|パスワード|비밀번호)[ \t]?(?:是|为|為|は|:|\uff1a)[ \t]?(?P<secret>[\"'`]?[!-~]{6,200})",
        mixed_value,
        "密码\uff1aTr0ub4dor3kq",
        "密码\uff1apassword, 密码是必填项",
        "such a word in Chinese, Japanese or Korean, and the value",
    ),
    shape_row(
        "password",
        "passwor|kennwort|mot de passe|contrase|senha|wachtwoord",
        r"(?:passwor[td]|kennwort|mot de passe|contrase(?:n|ñ)a|senha|wachtwoord)(?: (?:für|pour|para|de|voor)"
        r"(?: \S{1,40}){1,3}?)? (?:lautet|ist|est|es|é|is)[: \t]{1,3}(?P<secret>[\"'`]?[!-~]{6,200})",
        mixed_value,
        "Das Passwort lautet Tr0ub4dor3kq.",
        "Das Passwort ist 8-stellig; le mot de passe est requis",
        '"Das Passwort lautet X" and its like',
    ),
)

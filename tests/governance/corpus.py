"""
Made-up secrets in the forms people paste them in, and harmless lines that look a little like them.

Every secret is put together when it is asked for, so that no scanner takes this file for a leak.
"""

from __future__ import annotations

import random
import string
from dataclasses import dataclass
from pathlib import Path

_HARMLESS = Path(__file__).with_name("harmless.txt")
_B62 = string.ascii_letters + string.digits
_HEX = "0123456789abcdef"


@dataclass(frozen=True)
class Leak:
    """A text, the values in it that are secret, and the kind that each of them is."""

    text: str
    values: tuple[str, ...]
    kind: str


class _Maker:
    """Random characters, the same at each run, always with digits, capitals and small letters among them."""

    def __init__(self) -> None:
        self.dice = random.Random(4)

    def b62(self, length: int) -> str:
        return "".join(self.dice.choices(_B62, k=length - 3)) + "aZ7"

    def hex(self, length: int) -> str:
        return "".join(self.dice.choices(_HEX, k=length - 4)) + "4f7a"

    def upper(self, length: int) -> str:
        return "".join(self.dice.choices(string.ascii_uppercase + string.digits, k=length))

    def b64(self, length: int) -> str:
        return "".join(self.dice.choices(_B62 + "+/", k=length - 4)) + "x9+/"


def _issued(make: _Maker) -> list[tuple[str, str]]:
    """Kind and key of every issuer."""
    b62, hex_, upper = make.b62, make.hex, make.upper
    return [
        ("openai", "sk-" + b62(48)),
        ("openai", "sk-" + "proj-" + b62(60) + "_" + b62(40)),
        ("openai", "sk-" + "svcacct-" + b62(60)),
        ("anthropic", "sk-" + "ant-api03-" + b62(80) + "-" + b62(12) + "AA"),
        ("openrouter", "sk-" + "or-v1-" + hex_(64)),
        *(("github", f"gh{letter}_" + b62(36)) for letter in "pousr"),
        ("github", "github" + "_pat_" + b62(22) + "_" + b62(59)),
        ("gitlab", "gl" + "pat-" + b62(20)),
        ("aws", "AK" + "IA" + upper(16)),
        ("aws", "AS" + "IA" + upper(16)),
        ("slack", "xo" + "xb-" + "123456789012-1234567890123-" + b62(24)),
        ("slack", "xa" + "pp-1-A012ABCD-" + "1234567890-" + hex_(64)),
        ("google", "AI" + "za" + b62(35)),
        ("google", "GOC" + "SPX-" + b62(28)),
        ("google", "ya" + "29." + b62(60)),
        ("stripe", "sk" + "_live_" + b62(24)),
        ("stripe", "rk" + "_test_" + b62(24)),
        ("stripe", "wh" + "sec_" + b62(32)),
        ("npm", "npm" + "_" + b62(36)),
        ("pypi", "py" + "pi-AgEIcHlwaS5vcmc" + b62(60)),
        ("huggingface", "hf" + "_" + b62(34)),
        ("sendgrid", "SG" + "." + b62(22) + "." + b62(43)),
        ("twilio", "S" + "K" + hex_(32)),
        ("mailgun", "key" + "-" + hex_(32)),
        ("mailchimp", hex_(32) + "-us" + "12"),
        ("telegram", "123456789" + ":" + "AA" + b62(33)),
        ("discord", "M" + b62(23) + "." + b62(6) + "." + b62(27)),
        ("azure", "abc" + "8Q" + "~" + b62(34)),
        ("digitalocean", "dop" + "_v1_" + hex_(64)),
        ("shopify", "shp" + "at_" + hex_(32)),
        ("databricks", "da" + "pi" + hex_(32)),
        ("linear", "lin" + "_api_" + b62(40)),
        ("dockerhub", "dckr" + "_pat_" + b62(27)),
        ("vault", "hv" + "s." + b62(90)),
        ("groq", "gs" + "k_" + b62(52)),
        ("age", "AGE-SECRET" + "-KEY-1" + upper(58)),
        ("jwt", "ey" + "J" + b62(33) + ".eyJ" + b62(60) + "." + b62(43)),
    ]


def _named(make: _Maker) -> list[Leak]:
    """Values that only their names give away."""
    b62, hex_ = make.b62, make.hex
    word = "Tr0ub4" + "dor&3"
    plain = "hunter" + "2024"
    forms = [
        ("api-key", b62(32), '{{"api_key": "{}"}}'),
        ("api-key", b62(32), '{{\\"apiKey\\": \\"{}\\"}}'),
        ("api-key", hex_(32), "x-api-key: {}"),
        ("api-key", make.b64(40), "AWS_SECRET_ACCESS_KEY={}"),
        ("api-key", make.b64(40), "aws_secret_access_key = {}"),
        (
            "api-key",
            make.b64(84) + "==",
            "DefaultEndpointsProtocol=https;AccountName=app;AccountKey={};EndpointSuffix=x",
        ),
        ("api-key", "123e4567-e89b-42d3-" + "a456-426614174000", "HEROKU_API_KEY={}"),
        ("api-key", "0x" + hex_(64), "private_key: {}"),
        ("secret", b62(40), "client_secret: {}"),
        ("secret", hex_(64), "SESSION_SECRET='{}'"),
        ("secret", b62(24), "<clientSecret>{}</clientSecret>"),
        ("token", b62(24), "deploy --token {} --dry-run"),
        ("token", hex_(40), "--auth-token={}"),
        ("token", b62(30), "//registry.example.org/:_authToken={}"),
        ("token", b62(30), "const accessToken: string = `{}`;"),
        ("token", b62(30), "GET /v1/users?access_token={}&page=2"),
        ("authorization", b62(40), "Authorization: Bearer {}"),
        ("authorization", b62(24) + "==", "curl -H 'Authorization: Basic {}' https://api.example.org"),
        ("password", word, "DB_PASSWORD={}"),
        ("password", word, 'password = "{}"'),
        ("password", word, "my password is {}"),
        ("password", plain, "password: {}"),
        ("password", plain, "- **Password:** {}"),
        ("password", plain, "비밀번호: {}"),
        ("password", plain, "비밀번호는 {}"),
        ("password", "p@ss" + "w0rd!", "Server=db;User Id=sa;Password={};Encrypt=true"),
        ("password", "48151" + "62342", "password: {}"),
        ("password", word, "curl -u admin:{} https://api.example.org/v1"),
        ("password", plain, "sshpass -p {} ssh root@example.org"),
        ("password", plain, "mysql -u root -p{} shop"),
        ("password", word, "machine api.example.org login ci password {}"),
        ("password", word, "machine api.example.org\n  login ci\n  password {}"),
        ("password", word, "os.environ['DB_PASSWORD'] = '{}'"),
        ("url-password", "orders" + "orders", "postgres://app:{}@db:5432/shop"),
        ("url-password", "p@ss" + "w0rd", "amqp://app:{}@queue.internal/"),
        ("url-password", plain, "redis://:{}@cache:6379/0"),
        ("url-password", plain, "git clone https://oauth2:{}@git.example.org/a/b.git"),
        ("slack", "T0123ABCD/B0123ABCD/" + b62(24), "https://hooks.slack.com/services/{}"),
        ("discord", b62(68), "https://discord.com/api/webhooks/123456789012345678/{}"),
    ]
    return [Leak(form.format(value), (value,), kind) for kind, value, form in forms]


def key_block(make: _Maker | None = None, name: str = "RSA ") -> tuple[str, tuple[str, ...]]:
    """A private key of six lines, and the lines of its body."""
    dice = make or _Maker()
    body = (*(dice.b64(64) for _ in range(5)), dice.b64(20) + "==")
    head, tail = (f"-----{word} {name}PRIVATE KEY-----" for word in ("BEGIN", "END"))
    return "\n".join((head, *body, tail)), body


def _blocks(make: _Maker) -> list[Leak]:
    block, body = key_block(make)
    lines = block.split("\n")
    encrypted = [lines[0], "Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-128-CBC,0A1B", "", *lines[1:]]
    texts = [
        block,
        key_block(make, "OPENSSH ")[0],
        "".join(f"    {line}\n" for line in lines),
        "".join(f"> {line}\n" for line in lines),
        '{"private_key": "' + "\\n".join(lines) + '\\n"}',
        "\n".join(encrypted),
        "the key\n" + "\n".join(lines[:4]),
        "\n".join(lines[3:]) + "\nthat was it",
    ]
    wanted = [body, (), body, body, body, body, body[:3], body[2:]]
    return [Leak(text, values, "private-key") for text, values in zip(texts, wanted, strict=True)]


def leaks() -> list[Leak]:
    """All made-up secrets."""
    make = _Maker()
    frames = (
        "the key is {}, I think",
        '"{}"',
        "KEY={}",
        "see {}.",
        "{}\n",
        "\\n{}\\n",
        "- note: ({})",
        "`{}`",
        "키는 {}입니다",
    )
    issued = _issued(make)
    framed = [Leak(frames[at % len(frames)].format(value), (value,), kind) for at, (kind, value) in enumerate(issued)]
    return [*framed, *_named(make), *_blocks(make)]


def harmless() -> list[str]:
    """Lines that must stay as they are."""
    return _HARMLESS.read_text("utf-8").splitlines()

from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.review.redaction import REDACTED, redact

HIDDEN = [
    ("GitHub token", "ghp_" + "a1B2" * 9, REDACTED),
    ("GitHub fine-grained token", "x github_pat_11ABCDEFG0" + "a1B2" * 10, f"x {REDACTED}"),
    ("GitLab token", "glpat-" + "a1B2" * 5, REDACTED),
    ("model key", "sk-proj-abcDEF123" + "a1B2" * 8, REDACTED),
    ("payment key", "sk_live_" + "a1B2" * 6, REDACTED),
    ("chat token", "xoxb-123456789012-abcdefABCDEF", REDACTED),
    ("cloud key", "AKIAIOSFODNN7EXAMPLE", REDACTED),
    ("cloud key of another kind", "LTAI5tFoobar1234567890", REDACTED),
    ("maps key", "AIza" + "a1B2_" * 7, REDACTED),
    ("registry token", "npm_" + "a1B2" * 9, REDACTED),
    ("model hub token", "hf_" + "a1B2" * 9, REDACTED),
    ("JSON web token", "eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.SflKxwRJSMeKKF2QT4", REDACTED),
    ("password in an address", "postgres://bob:s3cret@db/shop", f"postgres://bob:{REDACTED}@db/shop"),
    ("token in an address", "https://" + "a1" * 12 + "@host/x", f"https://{REDACTED}@host/x"),
    ("token in a query", "GET /x?api_key=zz&page=2", f"GET /x?api_key={REDACTED}&page=2"),
    ("header", "Authorization: Bearer abc.def.ghi123", f"Authorization: Bearer {REDACTED}"),
    ("header, basic", "authorization: Basic dXNlcjpwYXNz", f"authorization: Basic {REDACTED}"),
    ("option", "curl --token abc123 -v", f"curl --token {REDACTED} -v"),
    ("quoted", "password = 'hunter'", f"password = '{REDACTED}'"),
    ("quoted, JSON", '{"client_secret": "abc"}', f'{{"client_secret": "{REDACTED}"}}'),
    ("quoted, Chinese", '密码："abc"', f'密码："{REDACTED}"'),
    ("variable of a shell", "export DB_PASSWORD=abc12345", f"export DB_PASSWORD={REDACTED}"),
    ("YAML", "  password: hunter2", f"  password: {REDACTED}"),
    ("secret with slashes", "AWS_SECRET_ACCESS_KEY=wJalr/K7MDENG/bPx", f"AWS_SECRET_ACCESS_KEY={REDACTED}"),
    (
        "private key",
        "a\n-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\nb",
        f"a\n{REDACTED}\n\n\nb",
    ),
    ("private key without its end", "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl", f"{REDACTED}\n"),
    ("private key without its beginning", "b3Bl\n-----END PRIVATE KEY-----\nx", f"{REDACTED}\n\nx"),
]
KEPT = [
    ("hash", "sha256:" + "ab12" * 16),
    ("commit", "commit 0508f6d082345944534793712c7dc2da15909ffe"),
    ("id", "id=3f2504e0-4f89-11d3-9a0c-0305e82c3301"),
    ("call", "password = input('Password? ')"),
    ("call with a number in its name", "token = get_token2(user)"),
    ("type", "def login(password: str, token: bytes) -> None: ..."),
    ("nothing", "password = None, secret = ''"),
    ("variable", "PASSWORD=${DB_PASSWORD} TOKEN=$CI_TOKEN_2"),
    ("look-up", "secret = os.environ['APP_SECRET_2026']"),
    ("attribute", "self.password = self.password2hash"),
    ("count", "max_tokens=4096 token_count=1500 tokens: 12345678"),
    ("comparison", "assert token == expected1"),
    ("message", "unexpected token 'abc12345' in JSON at position 7"),
    ("name of a test", "test_password_reset2 failed: wrong password"),
    ("place", "tests/test_token.py:12: AssertionError"),
    ("address", "https://example.org:8080/a@b?page=2&sort=name"),
    ("repository", "git@example.org:shop/cart.git"),
    ("public key", "-----BEGIN PUBLIC KEY-----\nMII\n-----END PUBLIC KEY-----"),
    ("certificate", "-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----"),
    ("name with sk-", "task-runner-for-the-second-exercise-2"),
    ("words", "The password must have 8 characters. 密码至少 8 位。"),
    ("template", 'password: "{{ password }}" token: "<your token>"'),
]


@pytest.mark.parametrize(("text", "shown"), [pytest.param(text, shown, id=what) for what, text, shown in HIDDEN])
def test_a_secret_is_hidden_and_what_stands_around_it_stays(text: str, shown: str) -> None:
    assert redact(text) == shown


@pytest.mark.parametrize("text", [pytest.param(text, id=what) for what, text in KEPT])
def test_what_is_no_secret_stays(text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize("text", [pytest.param(text, id=what) for what, text, _ in HIDDEN])
def test_hiding_twice_changes_nothing_more(text: str) -> None:
    assert redact(redact(text)) == redact(text)


@settings(max_examples=200)
@given(st.text(alphabet="ab1 \n=:'\"-./@?&token_passwordBEGIN", max_size=200))
def test_the_number_of_lines_stays(text: str) -> None:
    assert redact(text).count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "password=",
        "token:\t",
        "http://",
        "-----BEGIN PRIVATE KEY-----",
        "-----END ",
        "eyJ",
        "sk-",
        "a://:",
        "?k=1&",
    ],
)
def test_no_text_takes_long(piece: str) -> None:
    begun = process_time()
    redact(piece * (100_000 // len(piece)))
    assert process_time() - begun < 2

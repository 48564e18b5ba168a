"""Hides secrets in what tools wrote: keys, tokens, and passwords in addresses and assignments.

What is hidden is replaced by `[redacted]`; everything else stays as it was, so that a log can still be
read. Hashes, ids and code that only names a secret are no secrets. Time grows with the length of the
text and with nothing else: no pattern has a part without a bound beside another one.
"""

import re
from typing import Final

REDACTED: Final = "[redacted]"

_KEY_BLOCK = re.compile(
    r"-----BEGIN ([A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)-----(?:(?!-----END ).)*(?:-----END \1-----)?", re.DOTALL
)
"""Up to the end of the text where the end of the block was cut off."""
_KEY_REST = re.compile(r"\A(?:(?!-----(?:BEGIN|END) ).)*-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----", re.DOTALL)
"""The end of a block whose beginning was cut off."""

_KNOWN = re.compile(
    "|".join(
        (
            r"\bgh[pousr]_[A-Za-z0-9]{20,255}",
            r"\bgithub_pat_[A-Za-z0-9_]{20,255}",
            r"\bgl(?:pat|dt|rt|cbt|ptt)-[\w-]{20,255}",
            r"(?<![\w-])sk-(?=[\w-]{0,200}\d)[\w-]{20,255}",
            r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,255}",
            r"\bxox[abeprs]-[A-Za-z0-9-]{10,255}",
            r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
            r"\bLTAI[A-Za-z0-9]{12,30}\b",
            r"\bAKID[A-Za-z0-9]{32,36}\b",
            r"\bAIza[\w-]{35}",
            r"\bnpm_[A-Za-z0-9]{36}\b",
            r"\bpypi-[\w-]{50,255}",
            r"\bhf_[A-Za-z0-9]{30,60}\b",
            r"\bSG\.[\w-]{16,32}\.[\w-]{30,64}",
            r"\beyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{10,2000}",
            r"(?<=hooks\.slack\.com/services/)[A-Za-z0-9/]{20,100}",
        )
    )
)
"""Secrets that can be told by their own look."""

_NAME = (
    r"(?:pass(?:word|wd|phrase)|pwd|secret|token|api[_-]?key|access[_-]?key|secret[_-]?key|private[_-]?key"
    r"|account[_-]?key|credentials?|密码|口令|密钥|令牌)"
)
_AFTER_SOMETHING: Final = (
    # the password in `scheme://user:password@host`, and a long token alone before the @
    re.compile(r"(\b[a-z][a-z0-9+.-]{1,20}://[^\s/@:'\"]{0,100}:)[^\s/@'\"]{1,200}(?=@)", re.IGNORECASE),
    re.compile(r"(\bhttps?://)[A-Za-z0-9_-]{20,200}(?=@)", re.IGNORECASE),
    re.compile(rf"([?&](?:[\w-]{{0,30}}{_NAME}|sig|signature)=)[^\s&#'\"]{{1,500}}", re.IGNORECASE),
    re.compile(
        r"(\b(?:proxy-)?authorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:(?:bearer|basic|digest|token) )?)"
        r"(?!(?:bearer|basic|digest|token) )[\w.~+/=-]{6,2000}",
        re.IGNORECASE,
    ),
    re.compile(r"(\bbearer )[\w.~+/=-]{16,2000}", re.IGNORECASE),
    re.compile(r"((?:^|\s)--[\w-]{0,30}(?:password|passwd|token|secret|api-key)(?:=| ))[^\s'\"-][^\s'\"]{0,200}", re.I),
    # a literal in quotes: whatever it is
    re.compile(
        rf"({_NAME}[\"']?\s{{0,5}}(?::=|=>|[:=：])\s{{0,5}}[\"'])(?!\[redacted\]|[\"'$%{{<])[^\"'\n]{{1,500}}", re.I
    ),
    # without quotes it may be code, so only what has a letter, a digit and an end like a value's
    re.compile(
        rf"({_NAME}[\"']?[ \t]{{0,5}}[:=：][ \t]{{0,5}})"
        r"(?=[^\s]{0,200}?\d)(?=[^\s]{0,200}?[A-Za-z])[^\s\"'`,;(){}\[\]<>$&.=:]{7,200}(?=[\s,;\"'&]|$)",
        re.IGNORECASE | re.MULTILINE,
    ),
)
"""Secrets that are told by what stands before them, which stays."""


def redact(text: str) -> str:
    """`text` with every secret replaced, in as many lines as before; redacting twice changes nothing more."""
    hidden = _KEY_BLOCK.sub(_as_many_lines, _KEY_REST.sub(_as_many_lines, text))
    hidden = _KNOWN.sub(REDACTED, hidden)
    for pattern in _AFTER_SOMETHING:
        hidden = pattern.sub(rf"\g<1>{REDACTED}", hidden)
    return hidden


def _as_many_lines(block: re.Match[str]) -> str:
    return REDACTED + "\n" * block[0].count("\n")

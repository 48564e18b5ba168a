"""`pattern_present`: a regular expression fits somewhere in the files."""

from engine.domain.states import CriterionStatus
from engine.review.checks.finding import Check, Finding, FindingCode, Label, Param, Params, ParamType, place, text_of
from engine.review.checks.readable import readable, too_big_to_search
from engine.review.checks.search import search
from engine.review.evidence import Evidence


def pattern_present(evidence: Evidence, params: Params) -> Finding:
    """PASS at the first hit by path; NEED_REVIEW if it could stand where nothing can be read or searched; else FAIL."""
    pattern, glob = text_of(params, "pattern"), text_of(params, "files")
    files = readable(evidence, glob)
    found = search(pattern, files.texts)
    if found.hits:
        hit = found.hits[0]
        return Finding(
            status=CriterionStatus.PASS,
            code=FindingCode.PATTERN_FOUND,
            values={"path": hit.path, "line": hit.line},
            evidence=place(hit.path, hit.line, hit.text),
        )
    if found.too_big:
        return too_big_to_search(found.too_big)
    if files.unread:
        return files.unreadable()
    if not files.texts:
        return Finding(status=CriterionStatus.FAIL, code=FindingCode.FILE_MISSING, values={"glob": glob})
    values: dict[str, str | int] = {"glob": files.named(glob), "count": len(files.texts)}
    return Finding(status=CriterionStatus.FAIL, code=FindingCode.PATTERN_MISSING, values=values)


PATTERN = Label(
    en="Regular expression to find; ^ and $ fit at every line", zh="要找的正则表达式；^ 和 $ 匹配每一行的开头和结尾"
)
WHERE = Label(en="Files to look in", zh="在哪些文件里找")

CHECK = Check(
    name="pattern_present",
    label=Label(en="A text pattern is found", zh="能找到某种文字"),
    function=pattern_present,
    params=(
        Param(name="pattern", type=ParamType.REGEX, label=PATTERN),
        Param(name="files", type=ParamType.GLOB, label=WHERE),
    ),
    codes=(
        FindingCode.PATTERN_FOUND,
        FindingCode.PATTERN_MISSING,
        FindingCode.FILE_MISSING,
        FindingCode.FILE_UNREADABLE,
        FindingCode.TOO_BIG_TO_SEARCH,
    ),
)

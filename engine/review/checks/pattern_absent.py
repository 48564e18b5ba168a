"""`pattern_absent`: a regular expression fits nowhere in the files."""

from engine.domain.states import CriterionStatus
from engine.review.checks.finding import Check, Finding, FindingCode, Param, Params, ParamType, place, text_of
from engine.review.checks.readable import nothing_to_check, readable
from engine.review.checks.search import hits
from engine.review.evidence import Evidence


def pattern_absent(evidence: Evidence, params: Params) -> Finding:
    """FAIL at the first hit by path; NEED_REVIEW if some file cannot be read, or there is none; else PASS."""
    pattern, glob = text_of(params, "pattern"), text_of(params, "files")
    files = readable(evidence, glob)
    found = hits(pattern, files.texts)
    if found:
        hit = found[0]
        return Finding(
            status=CriterionStatus.FAIL,
            code=FindingCode.PATTERN_UNWANTED,
            values={"path": hit.path, "line": hit.line, "count": len(found)},
            evidence=place(hit.path, hit.line, hit.text),
        )
    if files.unread:
        return files.unreadable()
    if not files.texts:
        return nothing_to_check(glob)
    values: dict[str, str | int] = {"glob": glob, "count": len(files.texts)}
    return Finding(status=CriterionStatus.PASS, code=FindingCode.PATTERN_ABSENT, values=values)


CHECK = Check(
    name="pattern_absent",
    function=pattern_absent,
    params=(
        Param(name="pattern", type=ParamType.REGEX, doc="what must not be found; ^ and $ fit at every line"),
        Param(name="files", type=ParamType.GLOB, doc="where to look"),
    ),
    codes=(
        FindingCode.PATTERN_UNWANTED,
        FindingCode.PATTERN_ABSENT,
        FindingCode.NOTHING_TO_CHECK,
        FindingCode.FILE_UNREADABLE,
    ),
)

"""`pattern_present`: a regular expression fits somewhere in the files."""

from engine.domain.states import CriterionStatus
from engine.review.checks.finding import Check, Finding, FindingCode, Param, Params, ParamType, place, text_of
from engine.review.checks.readable import readable
from engine.review.checks.search import hits
from engine.review.evidence import Evidence


def pattern_present(evidence: Evidence, params: Params) -> Finding:
    """PASS at the first hit by path; NEED_REVIEW if it could stand in a file that cannot be read; else FAIL."""
    pattern, glob = text_of(params, "pattern"), text_of(params, "files")
    files = readable(evidence, glob)
    found = hits(pattern, files.texts)
    if found:
        hit = found[0]
        return Finding(
            status=CriterionStatus.PASS,
            code=FindingCode.PATTERN_FOUND,
            values={"path": hit.path, "line": hit.line},
            evidence=place(hit.path, hit.line, hit.text),
        )
    if files.unread:
        return files.unreadable()
    if not files.texts:
        return Finding(status=CriterionStatus.FAIL, code=FindingCode.FILE_MISSING, values={"glob": glob})
    values: dict[str, str | int] = {"glob": files.named(glob), "count": len(files.texts)}
    return Finding(status=CriterionStatus.FAIL, code=FindingCode.PATTERN_MISSING, values=values)


CHECK = Check(
    name="pattern_present",
    function=pattern_present,
    params=(
        Param(name="pattern", type=ParamType.REGEX, doc="what must be found; ^ and $ fit at every line"),
        Param(name="files", type=ParamType.GLOB, doc="where to look"),
    ),
    codes=(
        FindingCode.PATTERN_FOUND,
        FindingCode.PATTERN_MISSING,
        FindingCode.FILE_MISSING,
        FindingCode.FILE_UNREADABLE,
    ),
)

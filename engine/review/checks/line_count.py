"""`line_count`: every file that fits a glob has a number of lines within bounds."""

from engine.domain.states import CriterionStatus, Language
from engine.review.checks.bounds import ONE_BOUND, bound_params, bounds_of
from engine.review.checks.finding import Check, Finding, FindingCode, Label, Param, Params, ParamType, Words, text_of
from engine.review.checks.readable import nothing_to_check, readable
from engine.review.evidence import Evidence

LINES_FIT = "lines_fit"
LINES_OFF = "lines_off"


def line_count(evidence: Evidence, params: Params) -> Finding:
    """FAIL at the first file by path that is out of bounds; NEED_REVIEW if one cannot be read or none is there."""
    glob, bounds = text_of(params, "files"), bounds_of(params)
    files = readable(evidence, glob)
    counts = [(path, lines_of(body)) for path, body in files.texts]
    off = [(path, lines) for path, lines in counts if not bounds.holds(lines)]
    if off:
        path, lines = off[0]
        values: dict[str, str | int] = {"path": path, "lines": lines, "wanted": bounds.shown(), "count": len(off)}
        return Finding(status=CriterionStatus.FAIL, code=LINES_OFF, values=values, evidence=path)
    if files.unread:
        return files.unreadable()
    if not counts:
        return nothing_to_check(glob)
    return Finding(
        status=CriterionStatus.PASS,
        code=LINES_FIT,
        values={"count": len(counts), "wanted": bounds.shown()},
        evidence=counts[0][0],
    )


def lines_of(body: str) -> int:
    """How many lines a text has; a newline at its end begins no further one, and an empty text has none."""
    return body.count("\n") + (not body.endswith("\n")) if body else 0


CHECK = Check(
    name="line_count",
    label=Label(en="Lines of each file", zh="每个文件的行数"),
    function=line_count,
    params=(
        Param(name="files", type=ParamType.GLOB, label=Label(en="Files to count the lines of", zh="要数行的文件")),
        *bound_params(Label(en="Lines at least", zh="最少多少行"), Label(en="Lines at most", zh="最多多少行")),
    ),
    codes=(LINES_FIT, LINES_OFF, FindingCode.NOTHING_TO_CHECK, FindingCode.FILE_UNREADABLE),
    words={
        LINES_FIT: {
            Language.EN: Words(reason="Every file is within {wanted} lines (files: {count})."),
            Language.ZH: Words(reason="{count} 个文件的行数都符合要求（{wanted}）。"),
        },
        LINES_OFF: {
            Language.EN: Words(
                reason="{path} has {lines} lines; {wanted} are asked for (files concerned: {count}).",
                next_step="Bring {path} to {wanted} lines and hand in again.",
            ),
            Language.ZH: Words(
                reason="{path} 有 {lines} 行，要求 {wanted} 行（涉及 {count} 个文件）。",
                next_step="把 {path} 调整到 {wanted} 行，再交一次。",
            ),
        },
    },
    needs_one_of=ONE_BOUND,
)

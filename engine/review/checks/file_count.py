"""`file_count`: how many files fit a glob."""

from engine.domain.states import CriterionStatus, Language
from engine.review.checks.bounds import ONE_BOUND, bound_params, bounds_of
from engine.review.checks.finding import Check, Finding, Label, Param, Params, ParamType, Words, text_of
from engine.review.evidence import Evidence

COUNT_FITS = "count_fits"
COUNT_OFF = "count_off"


def file_count(evidence: Evidence, params: Params) -> Finding:
    """PASS within the bounds, else FAIL; whether a file can be read does not matter."""
    glob, bounds = text_of(params, "files"), bounds_of(params)
    files = evidence.matching(glob)
    fits = bounds.holds(len(files))
    return Finding(
        status=CriterionStatus.PASS if fits else CriterionStatus.FAIL,
        code=COUNT_FITS if fits else COUNT_OFF,
        values={"glob": glob, "count": len(files), "wanted": bounds.shown()},
        evidence=files[0].path if files else None,
    )


CHECK = Check(
    name="file_count",
    label=Label(en="Number of files", zh="文件数量"),
    function=file_count,
    params=(
        Param(name="files", type=ParamType.GLOB, label=Label(en="Files to count", zh="要数的文件")),
        *bound_params(Label(en="At least", zh="最少"), Label(en="At most", zh="最多"), largest=100_000),
    ),
    codes=(COUNT_FITS, COUNT_OFF),
    words={
        COUNT_FITS: {
            Language.EN: Words(reason="Files named {glob}: {count}; asked for: {wanted}."),
            Language.ZH: Words(reason="名为 {glob} 的文件有 {count} 个，要求 {wanted}。"),
        },
        COUNT_OFF: {
            Language.EN: Words(
                reason="Files named {glob}: {count}; asked for: {wanted}.",
                next_step="Bring the number of files named {glob} to {wanted} and hand in again.",
            ),
            Language.ZH: Words(
                reason="名为 {glob} 的文件有 {count} 个，要求 {wanted}。",
                next_step="把名为 {glob} 的文件数调整到 {wanted}，再交一次。",
            ),
        },
    },
    needs_one_of=ONE_BOUND,
)

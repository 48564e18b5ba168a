"""`file_size`: every file that fits a glob has a size within bounds."""

from engine.domain.states import CriterionStatus, Language
from engine.review.checks.bounds import ONE_BOUND, bound_params, bounds_of
from engine.review.checks.finding import Check, Finding, FindingCode, Label, Param, Params, ParamType, Words, text_of
from engine.review.checks.readable import nothing_to_check
from engine.review.evidence import Evidence

KIB = 1024
SIZE_FITS = "size_fits"
SIZE_OFF = "size_off"


def file_size(evidence: Evidence, params: Params) -> Finding:
    """FAIL at the first file by path that is out of bounds; NEED_REVIEW if there is no file; else PASS.

    Sizes are known of files that cannot be read too.
    """
    glob, bounds = text_of(params, "files"), bounds_of(params, KIB)
    files = evidence.matching(glob)
    if not files:
        return nothing_to_check(glob)
    off = [file for file in files if not bounds.holds(file.size_bytes)]
    if not off:
        values: dict[str, str | int] = {"count": len(files), "wanted": bounds.shown(KIB)}
        return Finding(status=CriterionStatus.PASS, code=SIZE_FITS, values=values, evidence=files[0].path)
    first = off[0]
    return Finding(
        status=CriterionStatus.FAIL,
        code=SIZE_OFF,
        values={
            "path": first.path,
            "size": f"{first.size_bytes / KIB:,.1f}",
            "wanted": bounds.shown(KIB),
            "count": len(off),
        },
        evidence=first.path,
    )


CHECK = Check(
    name="file_size",
    label=Label(en="Size of each file", zh="每个文件的大小"),
    function=file_size,
    params=(
        Param(name="files", type=ParamType.GLOB, label=Label(en="Files to measure", zh="要量的文件")),
        *bound_params(Label(en="KiB at least", zh="最少多少 KiB"), Label(en="KiB at most", zh="最多多少 KiB")),
    ),
    codes=(SIZE_FITS, SIZE_OFF, FindingCode.NOTHING_TO_CHECK),
    words={
        SIZE_FITS: {
            Language.EN: Words(reason="Every file is within {wanted} KiB (files: {count})."),
            Language.ZH: Words(reason="{count} 个文件都在 {wanted} KiB 以内。"),
        },
        SIZE_OFF: {
            Language.EN: Words(
                reason="{path} has {size} KiB; {wanted} KiB are asked for (files concerned: {count}).",
                next_step="Bring {path} to {wanted} KiB and hand in again.",
            ),
            Language.ZH: Words(
                reason="{path} 有 {size} KiB，要求 {wanted} KiB（涉及 {count} 个文件）。",
                next_step="把 {path} 调整到 {wanted} KiB，再交一次。",
            ),
        },
    },
    needs_one_of=ONE_BOUND,
)

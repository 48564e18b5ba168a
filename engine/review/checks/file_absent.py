"""`file_absent`: no file fits a glob, such as build output or an `.env` that does not belong in a hand-in."""

from engine.domain.states import CriterionStatus, Language
from engine.review.checks.finding import Check, Finding, Label, Param, Params, ParamType, Words, text_of
from engine.review.evidence import Evidence

FILE_UNWANTED = "file_unwanted"
NO_SUCH_FILE = "no_such_file"


def file_absent(evidence: Evidence, params: Params) -> Finding:
    """FAIL naming the first such file by path, whether it can be read or not; else PASS."""
    glob = text_of(params, "path")
    files = evidence.matching(glob)
    if not files:
        return Finding(status=CriterionStatus.PASS, code=NO_SUCH_FILE, values={"glob": glob})
    path = files[0].path
    return Finding(
        status=CriterionStatus.FAIL,
        code=FILE_UNWANTED,
        values={"path": path, "count": len(files)},
        evidence=path,
    )


CHECK = Check(
    name="file_absent",
    label=Label(en="A file is not there", zh="没有某个文件"),
    function=file_absent,
    params=(
        Param(
            name="path", type=ParamType.GLOB, label=Label(en="File that must not be handed in", zh="不该交上来的文件")
        ),
    ),
    codes=(FILE_UNWANTED, NO_SUCH_FILE),
    words={
        FILE_UNWANTED: {
            Language.EN: Words(
                reason="{path} was handed in and does not belong there (files like this: {count}).",
                next_step="Take {path} out of the project and hand in again.",
            ),
            Language.ZH: Words(
                reason="提交里有不该交的文件 {path}（这样的文件有 {count} 个）。",
                next_step="从项目里去掉 {path}，再交一次。",
            ),
        },
        NO_SUCH_FILE: {
            Language.EN: Words(reason="No file named {glob} was handed in, as it should be."),
            Language.ZH: Words(reason="没有交 {glob}，符合要求。"),
        },
    },
)

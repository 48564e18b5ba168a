"""`file_exists`: at least one file fits a glob; whether it can be read does not matter."""

from engine.domain.states import CriterionStatus
from engine.review.checks.finding import Check, Finding, FindingCode, Label, Param, Params, ParamType, text_of
from engine.review.evidence import Evidence


def file_exists(evidence: Evidence, params: Params) -> Finding:
    """PASS naming the first such file by path, else FAIL."""
    glob = text_of(params, "path")
    files = evidence.matching(glob)
    if not files:
        return Finding(status=CriterionStatus.FAIL, code=FindingCode.FILE_MISSING, values={"glob": glob})
    path = files[0].path
    return Finding(
        status=CriterionStatus.PASS,
        code=FindingCode.FILE_THERE,
        values={"path": path, "count": len(files)},
        evidence=path,
    )


CHECK = Check(
    name="file_exists",
    label=Label(en="A file is there", zh="有某个文件"),
    function=file_exists,
    params=(Param(name="path", type=ParamType.GLOB, label=Label(en="File that must be there", zh="必须有的文件")),),
    codes=(FindingCode.FILE_THERE, FindingCode.FILE_MISSING),
)

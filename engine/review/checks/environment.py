"""`environment`: the work was run where it should be, by what the test reports and notes say."""

from fnmatch import fnmatchcase

from engine.domain.states import CriterionStatus, Language
from engine.review.checks.finding import Check, Finding, Label, Param, Params, ParamType, Words, place, text_of
from engine.review.evidence import Evidence

RAN_THERE = "ran_there"
RAN_ELSEWHERE = "ran_elsewhere"
ENVIRONMENT_NOT_TOLD = "environment_not_told"


def environment(evidence: Evidence, params: Params) -> Finding:
    """PASS if every note of that name has a value that fits, FAIL if none has, NEED_REVIEW if they differ.

    Without such a note it is NEED_REVIEW too: where the work was run is not known. Case does not matter.
    """
    name, wanted = text_of(params, "note"), text_of(params, "value")
    notes = [note for note in evidence.environment if _fits(note.name, name)]
    fitting = [note for note in notes if _fits(note.value, wanted)]
    if not notes:
        return Finding(status=CriterionStatus.NEED_REVIEW, code=ENVIRONMENT_NOT_TOLD, values={"note": name})
    others = [note for note in notes if note not in fitting]
    told = (others or fitting)[0]
    status, code = CriterionStatus.PASS, RAN_THERE
    if others:
        code = RAN_ELSEWHERE
        status = CriterionStatus.NEED_REVIEW if fitting else CriterionStatus.FAIL
    return Finding(
        status=status,
        code=code,
        values={"path": told.path, "note": told.name, "told": told.value, "glob": wanted},
        evidence=place(told.path, None, f"{told.name}: {told.value}"),
    )


def _fits(text: str, glob: str) -> bool:
    return any(fnmatchcase(text.casefold(), part.strip().casefold()) for part in glob.split("|"))


CHECK = Check(
    name="environment",
    label=Label(en="Where the work was run", zh="在什么环境里运行"),
    function=environment,
    params=(
        Param(
            name="note",
            type=ParamType.GLOB,
            label=Label(en="Name of the note, such as python.version or os.name", zh="哪一项，如 python.version"),
        ),
        Param(
            name="value",
            type=ParamType.GLOB,
            label=Label(en="Value it must have, such as 3.12* or Linux", zh="应有的取值，如 3.12* 或 Linux"),
        ),
    ),
    codes=(RAN_THERE, RAN_ELSEWHERE, ENVIRONMENT_NOT_TOLD),
    words={
        RAN_THERE: {
            Language.EN: Words(reason="{path} says {note} is {told}."),
            Language.ZH: Words(reason="{path} 里 {note} 是 {told}。"),
        },
        RAN_ELSEWHERE: {
            Language.EN: Words(
                reason="{path} says {note} is {told}; {glob} is asked for.",
                next_step="Run the tests with {note} as {glob} and hand in the new report.",
            ),
            Language.ZH: Words(
                reason="{path} 里 {note} 是 {told}，要求 {glob}。",
                next_step="在 {note} 为 {glob} 的环境里运行测试，交上新的报告。",
            ),
        },
        ENVIRONMENT_NOT_TOLD: {
            Language.EN: Words(
                reason="Neither a test report nor an environment.txt says {note}, so this is still open.",
                next_step="Write {note} into an environment.txt, one a line such as os.name: Linux, and hand in again.",
            ),
            Language.ZH: Words(
                reason="测试报告和 environment.txt 都没有写明 {note}，这一条还不能下结论。",
                next_step="在 environment.txt 里写明 {note}（每行写一项，如 os.name: Linux），再交一次。",
            ),
        },
    },
)

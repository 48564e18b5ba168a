"""What is wrong with a course, a task or a class list, as sentences of ours in both languages."""

from collections.abc import Mapping

from engine.courses.class_list import BadRow, RowProblem
from engine.courses.course_file import TaskFault
from engine.domain.states import CriterionKind
from engine.errors import ClassListError, CourseFileError
from engine.review.checks.finding import Param, ParamType
from engine.review.checks.registry import KNOWN_CHECKS
from pages._widgets.markdown import literal
from pages._widgets.words import N_, _, language

KINDS: Mapping[str, str] = {
    CriterionKind.ACCEPTANCE: N_("Acceptance: decides"),
    CriterionKind.LEARNING: N_("Learning: teaches, never decides"),
}

PROBLEMS: Mapping[str, str] = {
    "missing": N_("This is missing."),
    "extra_forbidden": N_("No field of this name stands here."),
    "string_type": N_("This must be text; in a file, put it in quotes."),
    "list_type": N_("This must be a list."),
    "model_type": N_("This must hold named fields."),
    "enum": N_("This is none of the words that may stand here."),
    "too_short": N_("There must be at least one."),
    "id": N_(
        "An id has 1 to 64 of the characters A-Z, a-z, 0-9, dot, underscore and hyphen, and begins with a letter "
        "or digit."
    ),
    "empty": N_("Nothing can be seen here. Write something."),
    "one_line": N_("This must be one line."),
    "too_long": N_("This is too long: a criterion has at most 80 characters, so that the tutor can be sent all of it."),
    "parameter": N_("This must be text, a number, yes or no, or a list of texts."),
    "moment": N_("This must be a date and time such as 2026-12-18 23:59 +08:00."),
    "no_acceptance": N_("No criterion is of the kind acceptance, so nothing would decide this task."),
    "used_twice": N_("This id is used twice."),
    "check_missing": N_("Choose a check: what is decided by test reports or a rule needs one."),
    "check_unwanted": N_("What is decided by a model or a teacher has no check."),
    "file_too_large": N_("A course file has at most 1 MB."),
    "file_empty": N_("The file is empty."),
    "not_yaml": N_("This is not YAML: look for a missing quote, bracket or colon, or a wrong indent."),
    "alias": N_("Aliases are not read here; write the value out."),
    "tag": N_("Tags are not read here; remove this one."),
    "too_deep": N_("This is nested too deep for a course."),
    "quotes": N_("This cannot be read as it stands; put it in quotes."),
    "given_twice": N_("This field is given twice."),
}
"""By the code of the problem."""
CHECK = "check"
"""Code of a problem with a check or one of its parameters."""

PARAMS: Mapping[ParamType, str] = {
    ParamType.GLOB: N_("Give a pattern of names such as src/**/*.py; several go with | between them."),
    ParamType.REGEX: N_("Give a regular expression that can be used and that does not fit an empty text."),
    ParamType.WHOLE_NUMBER: N_("Give a whole number from {least:,} to {most:,}; at least never more than at most."),
    ParamType.CHOICE: N_("Choose one of these."),
    ParamType.YES_NO: N_("Choose yes or no."),
    ParamType.TEXTS: N_("Give 1 to {most:,} lines of at most 200 characters."),
}

ROWS: Mapping[RowProblem, str] = {
    RowProblem.NO_NAME: N_("Row {row}: there is no name ({text})."),
    RowProblem.TOO_LONG: N_("Row {row}: longer than 100 characters ({text})."),
    RowProblem.REPEATED: N_("Row {row} says the same as row {earlier} ({text})."),
    RowProblem.NUMBER_TWICE: N_("Row {row}: the student number {text} stands in row {earlier} too, with other words."),
    RowProblem.NAME_TWICE: N_("Row {row}: {text} stands in row {earlier} too; only student numbers tell them apart."),
    RowProblem.NOT_AN_ADDRESS: N_("Row {row}: {text} is no e-mail address."),
}


def fault_words(fault: TaskFault, check: str) -> str:
    """One thing that is wrong in the editor; `check` is the name of the criterion's check, if it is about one."""
    return _words(fault.problem, check, str(fault.path[-1]) if fault.path else "")


def file_words(error: CourseFileError) -> str:
    """What is wrong with a course file, with line and field, what was kept and what to do."""
    check = str(error.values.get("check", ""))
    what = _words(error.problem, check, error.where.rpartition(".")[2])
    if not error.line:
        return _("{what} The course is unchanged. Correct the file and import it again.", what=what)
    if not error.where:
        return _(
            "Line {line}: {what} The course is unchanged. Correct the file and import it again.",
            line=error.line,
            what=what,
        )
    return _(
        "Line {line}, {where}: {what} The course is unchanged. Correct the file and import it again.",
        line=error.line,
        where=literal(error.where),
        what=what,
    )


def _words(problem: str, check: str, field: str) -> str:
    if problem != CHECK:
        return _(PROBLEMS.get(problem, PROBLEMS["missing"]))
    known = KNOWN_CHECKS.get(check)
    if known is None:
        return _("There is no check of this name. There are: {names}", names=literal(", ".join(KNOWN_CHECKS)))
    param = next((one for one in known.params if one.name == field), None)
    if param is not None:
        return param_words(param)
    needed = [one.label.text(language()) for one in known.params if one.name in known.needs_one_of]
    if needed and field == CHECK:
        return _("Fill in at least one of: {names}", names=literal(", ".join(needed)))
    return _(
        "This check has no such parameter. It has: {names}", names=literal(", ".join(p.name for p in known.params))
    )


def param_words(param: Param) -> str:
    """What a parameter must be."""
    return _(PARAMS[param.type], least=param.least, most=param.most)


def row_words(bad: BadRow) -> str:
    """Why a row of a class list is left out."""
    return _(ROWS[bad.problem], row=bad.row, text=literal(bad.text), earlier=bad.earlier)


CLASS_LISTS: Mapping[str, str] = {
    "empty": N_("There is nobody in this file. The class list is unchanged. Choose another file."),
    "too_large": N_("This file is larger than {limit_mb} MB. The class list is unchanged. Leave out what is no list."),
    "too_many_rows": N_("There are more than {limit:,} rows. The class list is unchanged. Import it in parts."),
    "not_text": N_(
        "This file is neither UTF-8 nor GB18030 text. The class list is unchanged. Save it as CSV or Excel again."
    ),
    "not_excel": N_(
        "This is not an Excel file, or it is damaged. The class list is unchanged. Save it as .xlsx again."
    ),
    "no_name_column": N_(
        "No column is headed by a word for names, such as *name* or *姓名*. The class list is unchanged. "
        "Add a header line and import it again."
    ),
}
"""By the reason of a `ClassListError`."""


def class_list_words(error: ClassListError) -> str:
    """Why nothing of a file could be used."""
    return _(CLASS_LISTS[error.reason], **error.values)

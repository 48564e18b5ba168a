"""`markdown_headings`: every Markdown file that fits a glob has the headings asked for, in that order."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.domain.states import CriterionStatus, Language
from engine.review.checks.finding import (
    Check,
    Finding,
    FindingCode,
    Label,
    Param,
    Params,
    ParamType,
    Words,
    place,
    text_of,
)
from engine.review.checks.markdown import Heading, is_readable, plain, read_markdown
from engine.review.checks.readable import readable
from engine.review.evidence import Evidence

MOST_HEADINGS = 40
HEADINGS_THERE = "headings_there"
HEADING_MISSING = "heading_missing"
HEADING_MISPLACED = "heading_misplaced"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Gap:
    """The first heading that is not where it should be."""

    wanted: str
    line: int | None
    """Where it stands although not in its place; None where it is missing."""


def markdown_headings(evidence: Evidence, params: Params) -> Finding:
    """FAIL at the first heading that is missing or out of order; NEED_REVIEW if a file cannot be read; else PASS.

    Case, spaces and marks such as `**` do not matter, nor does the level; other headings may stand between.
    """
    glob, wanted = text_of(params, "files"), _texts(params, "headings")
    files = readable(evidence, glob)
    too_big = [path for path, body in files.texts if not is_readable(body)]
    for path, body in files.texts:
        gap = None if path in too_big else _first_gap(read_markdown(body).headings, wanted)
        if gap is not None:
            return _gap(path, gap)
    left_open = files.left_open(glob, too_big, "Markdown")
    if left_open is not None:
        return left_open
    values: dict[str, str | int] = {"glob": files.named(glob), "count": len(wanted)}
    return Finding(status=CriterionStatus.PASS, code=HEADINGS_THERE, values=values, evidence=files.texts[0][0])


def _texts(params: Params, name: str) -> tuple[str, ...]:
    value = params.get(name)
    if not isinstance(value, tuple | list):
        raise ValueError(f"the parameter {name} is {value!r}; it must be a list of texts")
    return tuple(value)


def _first_gap(headings: Sequence[Heading], wanted: Sequence[str]) -> _Gap | None:
    position = 0
    for text in wanted:
        places = [index for index, heading in enumerate(headings) if plain(heading.text) == plain(text)]
        later = [index for index in places if index >= position]
        if not later:
            return _Gap(wanted=text, line=headings[places[0]].line if places else None)
        position = later[0] + 1
    return None


def _gap(path: str, gap: _Gap) -> Finding:
    return Finding(
        status=CriterionStatus.FAIL,
        code=HEADING_MISSING if gap.line is None else HEADING_MISPLACED,
        values={"path": path, "heading": gap.wanted},
        evidence=place(path, gap.line),
    )


CHECK = Check(
    name="markdown_headings",
    label=Label(en="Headings of a Markdown file", zh="Markdown 文件的标题"),
    function=markdown_headings,
    params=(
        Param(name="files", type=ParamType.GLOB, label=Label(en="Markdown files", zh="Markdown 文件")),
        Param(
            name="headings",
            type=ParamType.TEXTS,
            label=Label(en="Headings in their order, one a line", zh="按顺序写出标题，每行一个"),
            most=MOST_HEADINGS,
        ),
    ),
    codes=(
        HEADINGS_THERE,
        HEADING_MISSING,
        HEADING_MISPLACED,
        FindingCode.TOO_BIG_TO_PARSE,
        FindingCode.NOTHING_TO_CHECK,
        FindingCode.FILE_UNREADABLE,
    ),
    words={
        HEADINGS_THERE: {
            Language.EN: Words(reason="{glob} has all headings asked for, in their order ({count})."),
            Language.ZH: Words(reason="{glob} 按顺序有要求的全部 {count} 个标题。"),
        },
        HEADING_MISSING: {
            Language.EN: Words(
                reason="{path} has no heading “{heading}”.",
                next_step="Add the heading “{heading}” with its section to {path} and hand in again.",
            ),
            Language.ZH: Words(
                reason="{path} 里没有标题“{heading}”。",
                next_step="在 {path} 里补上标题“{heading}”和这一节的内容，再交一次。",
            ),
        },
        HEADING_MISPLACED: {
            Language.EN: Words(
                reason="In {path} the heading “{heading}” is not where it should be in the order.",
                next_step="Move the section “{heading}” of {path} to its place and hand in again.",
            ),
            Language.ZH: Words(
                reason="{path} 里标题“{heading}”的先后位置不对。",
                next_step="把 {path} 里“{heading}”这一节移到该在的位置，再交一次。",
            ),
        },
    },
)

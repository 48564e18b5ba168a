"""One thing that waits for a person: what was asked, what the machine said, and where it can be seen."""

import streamlit as st

from engine.domain.people import Viewer
from engine.domain.states import FeedbackState, FileState
from engine.domain.work import WorkFile
from engine.review.queue_store import QueueItem, Waiting
from engine.review.surroundings import Surroundings, lines_around
from engine.wiring import Space
from pages._widgets.markdown import literal
from pages._widgets.moments import moment
from pages._widgets.states import CRITERION, FEEDBACK, SOURCE, inline, quiet
from pages._widgets.words import N_, _, ngettext

WAITING = {
    Waiting.JUDGEMENT: N_("needs a judgement"),
    Waiting.DISPUTE: N_("reported by a student"),
    Waiting.FAULTY: N_("faulty record"),
    Waiting.UNAVAILABLE: N_("could not be reviewed"),
}
"""What each kind is called where they are counted."""
FILE_CHARACTERS = 20_000
"""More of a file is not shown here."""


def draw_item(viewer: Viewer, space: Space, item: QueueItem) -> None:
    """Everything that a decision needs, in the order of reading."""
    with st.container(border=True):
        names = {"student": literal(item.learner_name), "task": literal(item.task_title)}
        head = _("{student} · {task} · submission {n}", **names, n=item.submission_seq)
        since = _("came in {when}", when=moment(item.since))
        st.markdown(f"**{head}**  {quiet(since)}")
        if item.criterion is None:
            _draw_record(item)
        else:
            _draw_criterion(item)
        _draw_work(item, space.work.snapshot(viewer, item.submission_id).files)


def _draw_criterion(item: QueueItem) -> None:
    criterion, result = item.criterion, item.result
    if criterion is None or result is None:
        return
    decision = result.decision
    told = (
        _("the machine says")
        if decision is None
        else _("{name} decided {when}", name=literal(decision.by), when=moment(decision.at))
    )
    verdict = f"{inline(CRITERION[result.status])} {inline(SOURCE[result.source])}"
    facts = [(_("the criterion"), literal(criterion.text)), (told, verdict), (_("why"), literal(result.reason))]
    st.markdown("\n\n".join(f":gray[{name}]  {words}" for name, words in facts if words))
    if item.dispute is not None:
        head = _("The student sees this differently ({when})", when=moment(item.dispute.made_at))
        st.info(f"{head}\n\n{literal(item.dispute.text)}", icon=":material/flag:")


def _draw_record(item: QueueItem) -> None:
    if item.waiting is Waiting.FAULTY:
        st.markdown(inline(FEEDBACK[FeedbackState.INVALID]))
        st.markdown(
            _("The record of this review breaks the rules, so nothing in it is used. A new review makes another.")
        )
    else:
        st.markdown(inline(FEEDBACK[FeedbackState.UNAVAILABLE]))
        st.markdown(_("The review could not run, which says nothing about the work. Let it run again."))


def _draw_work(item: QueueItem, files: tuple[WorkFile, ...]) -> None:
    """The evidence with the lines around it, and the handed-in files to look further."""
    evidence = item.result.evidence if item.result else None
    around = lines_around(evidence, files)
    if around is not None:
        st.code(_numbered(around), language=None, wrap_lines=True)
    elif evidence:
        st.code(evidence, language=None, wrap_lines=True)
    elif item.criterion is not None:
        st.caption(_("Nothing in the work was pointed at. Look into the files below."))
    texts = {file.path: file.body or "" for file in files if file.state is FileState.TEXT}
    key = f"{item.submission_id}_{item.rubric_id}"
    label = ngettext("{n} handed-in file", "{n} handed-in files", len(files))
    with st.expander(label, key=f"files_{key}", on_change="rerun", type="compact") as opened:
        if opened.open and texts:
            path = st.selectbox(_("File"), list(texts), key=f"file_{key}")
            st.code(texts[path][:FILE_CHARACTERS], language=None, wrap_lines=True, height=320)


def _numbered(around: Surroundings) -> str:
    """The file's name, then its lines with numbers; the one that the evidence names is marked."""
    width = len(str(around.first + len(around.lines)))
    lines = [
        f"{'→' if number == around.place else ' '} {number:>{width}}  {line}"
        for number, line in enumerate(around.lines, start=around.first)
    ]
    return "\n".join([around.path, *lines])

"""Nobody reaches another's things: every public method of every store, asked by every kind of viewer."""

import importlib
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import TypeVar

import pytest

import engine
from db.tables import Base
from engine.base_store import Store
from engine.courses.ci_token_store import CiDoor
from engine.courses.class_list import ClassRow
from engine.domain.artifact import ArtifactKind, VersionAuthor, VersionLine
from engine.domain.course import Course
from engine.domain.edit import EditRun, Suggestion
from engine.domain.job import JobProgress
from engine.domain.keys import FeedbackKey
from engine.domain.learning import lesson_of
from engine.domain.model_call import CallSubject, CallUse
from engine.domain.people import LOCAL_VIEWER, NOBODY, Owned, Viewer, ViewerKind
from engine.domain.plan import Plan, PlanStep
from engine.domain.preference import PersonaRules, RuleEventKind
from engine.domain.review import Attempt
from engine.domain.session import Conversation, Turn, TurnEnd
from engine.domain.states import FileKind, Language, OutcomeKind, ReplyKind, SupportLevel, TurnState
from engine.domain.work import Provenance, Submission, take_snapshot
from engine.errors import AccessDenied, NotFound
from engine.jobs.beat_store import BeatStore
from engine.jobs.lease_store import LeaseStore
from engine.jobs.run_store import RunStore
from engine.review.review_store import ReviewFilter, ReviewRow
from engine.revision.style.preferences import Context
from engine.settings import DEFAULT_BUDGETS, DEFAULT_STUCK, ModelUse
from tests.stores.builders import (
    COURSE,
    CRITERIA,
    LEASE,
    LOGIC,
    OTHER_COURSE,
    SAID,
    TASK,
    VERSIONS,
    Stores,
    answer,
    applied,
    begin_artifact,
    begin_review,
    call_about,
    call_for_summary,
    ended,
    enrol,
    fail,
    file,
    hand_in,
    judge,
    owned_by,
    question,
    receipt_of,
    record,
    record_lines,
    save,
    sent_call,
    snapshot,
    summary_of,
    taken,
    talk,
    taught,
    written,
)

ROW = ClassRow(row=2, name="Ada", number="1")
PLAN = Plan(title="First", steps=(PlanStep(what="begin", done_when="begun"),))


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Ada's things, beside Bob, who takes the same course and has things of the same kinds."""

    stores: Stores
    course: Course
    ada: FeedbackKey
    submission: Submission
    attempt: Attempt
    conversation: Conversation
    turn: Turn
    viewers: Mapping[str, Viewer]


Ask = Callable[[Viewer], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Who is given Ada's things by one method, and how all others are turned away."""

    ask: Callable[[World], Ask]
    """Prepares what the method needs, and gives the question that is put for each viewer."""
    given_to: str
    refusal: type[Exception] | None = AccessDenied
    """None: no error, but nothing of Ada's among the answers."""
    is_silent: bool = False
    """The method answers nothing; that it raises nothing is the answer."""


OWN = "local ada member teacher"
"""What is about Ada's work: she, whoever shares her learner, and the teacher of her project."""
PRIVATE = "local ada member"
MANAGED = "local"
TAUGHT = "local teacher"
"""What is about a whole class."""
TASKS = "local ada member bob stranger teacher"
"""Tasks are no person's: every student reads them, and the teacher of the project."""


def _viewers(course: Course, other: Course, ada: FeedbackKey, bob: FeedbackKey) -> dict[str, Viewer]:
    def student(*learner_ids: str) -> Viewer:
        return Viewer(kind=ViewerKind.STUDENT, person_id="student", learner_ids=frozenset(learner_ids))

    def teacher(taught: Course) -> Viewer:
        ids = frozenset(project.project_id for project in taught.projects)
        return Viewer(kind=ViewerKind.TEACHER, person_id="teacher", project_ids=ids)

    return {
        "nobody": NOBODY,
        "bob": student(bob.learner_id),
        "stranger": student(),
        "other teacher": teacher(other),
        "ada": student(ada.learner_id),
        "member": student(ada.learner_id, "elsewhere"),
        "teacher": teacher(course),
        "local": LOCAL_VIEWER,
    }


@pytest.fixture
def world(stores: Stores) -> World:
    ada, bob = enrol(stores, "Ada"), enrol(stores, "Bob")
    course = stores.courses.courses(LOCAL_VIEWER)[0]
    other = stores.courses.keep_course(LOCAL_VIEWER, OTHER_COURSE)
    for each in (bob, ada):
        submission = hand_in(stores, each)
        attempt = judge(stores, submission)
        conversation = talk(stores, each)
        turn = question(stores, conversation)
        stores.sessions.keep_receipt(LOCAL_VIEWER, receipt_of(turn))
        stores.sessions.save_draft(LOCAL_VIEWER, each.learner_id, "chat", "typing")
        turn = answer(stores, turn)
        planned = TurnEnd(state=TurnState.DONE, reply="so", kind=ReplyKind.PLAN, plan=PLAN)
        stores.sessions.end_turn(LOCAL_VIEWER, question(stores, conversation).turn_id, planned)
        stores.summaries.keep(LOCAL_VIEWER, summary_of(conversation))
        for subject in (call_about(attempt), call_for_summary(conversation)):
            stores.calls.keep(LOCAL_VIEWER, subject, "model", sent_call())
    return World(
        stores=stores,
        course=course,
        ada=ada,
        submission=submission,
        attempt=attempt,
        conversation=conversation,
        turn=turn,
        viewers=_viewers(course, other, ada, bob),
    )


def _finish(world: World) -> Ask:
    attempt_id = begin_review(world.stores, world.submission).attempt_id
    return lambda viewer: world.stores.reviews.finish(viewer, attempt_id, OutcomeKind.UNAVAILABLE)


def _start_next(world: World) -> Ask:
    begun = begin_review(world.stores, world.submission)
    return lambda viewer: world.stores.reviews.start_next_attempt(
        viewer, begun.submission_id, VERSIONS, model=None, lease=LEASE, after=begun.attempt_seq
    )


def _begin_opening(world: World) -> Ask:
    submission = hand_in(world.stores, world.ada, "newer")
    attempt = judge(world.stores, submission)
    return lambda viewer: world.stores.openings.begin(viewer, submission, attempt, SupportLevel.LOW, LEASE)


def _retry(world: World) -> Ask:
    turn_id = fail(world.stores, question(world.stores, world.conversation)).turn_id
    return lambda viewer: world.stores.sessions.retry_turn(viewer, turn_id, LEASE)


def _continue(world: World) -> Ask:
    turn_id = question(world.stores, world.conversation).turn_id
    broken = TurnEnd(state=TurnState.INTERRUPTED, partial="half an ans")
    world.stores.sessions.end_turn(LOCAL_VIEWER, turn_id, broken)
    return lambda viewer: world.stores.sessions.continue_turn(viewer, turn_id, LEASE)


def _being_answered(world: World) -> Ask:
    asked = question(world.stores, world.conversation).question
    conversation_id = world.conversation.conversation_id
    return lambda viewer: world.stores.sessions.being_answered(viewer, conversation_id, asked)


def _end(world: World) -> Ask:
    turn_id, done = question(world.stores, world.conversation).turn_id, TurnEnd(state=TurnState.DONE, reply="yes")
    return lambda viewer: world.stores.sessions.end_turn(viewer, turn_id, done)


def _keep_receipt(world: World) -> Ask:
    receipt = receipt_of(question(world.stores, world.conversation))
    return lambda viewer: world.stores.sessions.keep_receipt(viewer, receipt)


def _page(world: World) -> Ask:
    def ask(viewer: Viewer) -> list[ReviewRow]:
        rows, total = world.stores.reviews.page(viewer, ReviewFilter(), limit=50)
        assert total == len(rows)
        return [row for row in rows if row.submission.key.learner_id == world.ada.learner_id]

    return ask


def _learners(world: World) -> Ask:
    def ask(viewer: Viewer) -> list[str]:
        learners = world.stores.courses.learners(viewer, world.course.course_id)
        return [learner.name for learner in learners if learner.learner_id == world.ada.learner_id]

    return ask


def _page_of_ada(world: World) -> Ask:
    chosen = ReviewFilter(learner_id=world.ada.learner_id)
    return lambda viewer: world.stores.reviews.page(viewer, chosen, limit=50)[1]


def _finished(world: World) -> Ask:
    attempt = begin_review(world.stores, world.submission)
    broken_off = {"criteria": record()["criteria"]}
    world.stores.reviews.finish(LOCAL_VIEWER, attempt.attempt_id, OutcomeKind.UNAVAILABLE, record=broken_off)
    return lambda viewer: world.stores.judgements.finished(viewer, world.submission.submission_id, VERSIONS)


def _revoke(world: World) -> Ask:
    token, _ = world.stores.tokens.issue(LOCAL_VIEWER, world.course.course_id, "shop")
    return lambda viewer: world.stores.tokens.revoke(viewer, token.token_id)


def _tokens(world: World) -> Ask:
    world.stores.tokens.issue(LOCAL_VIEWER, world.course.course_id, "shop")
    return lambda viewer: world.stores.tokens.tokens(viewer, world.course.course_id)


def _reuse(world: World) -> Ask:
    submission = hand_in(world.stores, world.ada)
    source = judge(world.stores, world.submission)
    return lambda viewer: world.stores.judgements.reuse(
        viewer, submission.submission_id, VERSIONS, source=source, record=record()
    )


def _decide(world: World, viewer: Viewer) -> object:
    submission_id = world.submission.submission_id
    seen = len(world.stores.judgements.standing(LOCAL_VIEWER, submission_id))
    return world.stores.judgements.decide(
        viewer, submission_id, VERSIONS, based_on=None, record=record(), seen_attempt_seq=seen
    )


def _reported(world: World) -> Ask:
    submission_id = world.submission.submission_id
    world.stores.desk.report(LOCAL_VIEWER, submission_id, "tests", "I ran them", seen_attempt_seq=1)
    return lambda viewer: world.stores.desk.disputes(viewer, submission_id)


def _noted(world: World) -> Ask:
    world.stores.desk.note(LOCAL_VIEWER, world.submission.submission_id, "read this", name="Ms Lin")
    return lambda viewer: world.stores.desk.notes(viewer, world.submission.submission_id)


def _reserved(world: World) -> Ask:
    submission_id = world.submission.submission_id
    world.stores.desk.reserve(LOCAL_VIEWER, submission_id, "tests", name="Ms Lin")
    return lambda viewer: world.stores.desk.reservation(viewer, submission_id, "tests")


def _drafted(world: World) -> Ask:
    for person in ("local", "teacher"):
        viewer = replace(world.viewers["teacher"], person_id=person)
        world.stores.desk.save_draft(viewer, world.ada.project_id, "decision", "because")
    return lambda viewer: world.stores.desk.draft(viewer, world.ada.project_id, "decision")


def _waits(world: World) -> Ask:
    judge(world.stores, world.submission, record("NEED_REVIEW", tests="NEED_REVIEW"))
    return lambda viewer: world.stores.queue.waiting(viewer, LOGIC, (world.ada.project_id,))


def _reasons(world: World) -> Ask:
    decided = record()
    decision = {"by": "Ms Lin", "at": "2026-03-01T12:00:00+00:00", "machine": None}
    decided["criteria"] = [{**line, "decision": decision} for line in record_lines(decided)]
    seen = len(world.stores.judgements.standing(LOCAL_VIEWER, world.submission.submission_id))
    world.stores.judgements.decide(
        LOCAL_VIEWER, world.submission.submission_id, VERSIONS, based_on=None, record=decided, seen_attempt_seq=seen
    )
    return lambda viewer: world.stores.queue.reasons(viewer, world.ada.project_id, "first", "tests")


def _taught(world: World) -> Ask:
    conversation_id = world.conversation.conversation_id
    world.stores.teachers.say(LOCAL_VIEWER, conversation_id, "look at line 3", name="Ms Lin")
    newest = replace(world.turn, seq=99)
    return lambda viewer: world.stores.teachers.said_before(viewer, newest)


def _attempt(world: World) -> Ask:
    attempt = begin_review(world.stores, world.submission)
    return lambda viewer: world.stores.reviews.attempt(viewer, world.submission.submission_id, attempt.attempt_id)


def _job(world: World) -> str:
    return world.stores.jobs.ask_review(LOCAL_VIEWER, world.ada.project_id, [world.submission.submission_id])


def _cancel(stores: Stores, job_id: str, viewer: Viewer) -> bool:
    return stores.jobs.cancel(viewer, job_id)


def _progress(stores: Stores, job_id: str, viewer: Viewer) -> JobProgress:
    return stores.jobs.progress(viewer, job_id)


def _resume(world: World) -> Ask:
    job_id = _job(world)
    world.stores.jobs.cancel(LOCAL_VIEWER, job_id)
    return lambda viewer: world.stores.jobs.resume(viewer, job_id)


def _recent(world: World) -> Ask:
    _job(world)
    return lambda viewer: world.stores.jobs.recent(viewer, world.ada.project_id, limit=9)


def _token(world: World) -> Ask:
    submission, _ = world.stores.work.hand_in(LOCAL_VIEWER, world.ada, snapshot(), token="a-form")
    return lambda viewer: world.stores.work.token(viewer, submission.submission_id)


def _provenance(world: World) -> Ask:
    came_from = Provenance(address="https://git.example/ada/shop", wanted="", commit_id="a" * 40)
    submission, _ = world.stores.work.hand_in(LOCAL_VIEWER, world.ada, snapshot(), provenance=came_from)
    return lambda viewer: world.stores.work.provenance(viewer, submission.submission_id)


def _environment_notes(world: World) -> Ask:
    note = take_snapshot((replace(file("os: Debian"), kind=FileKind.ENVIRONMENT),))
    submission, _ = world.stores.work.hand_in(LOCAL_VIEWER, world.ada, note)
    return lambda viewer: world.stores.work.environment_notes(viewer, submission.submission_id)


def _change_team(world: World) -> Ask:
    course_id = world.course.course_id
    team_id = world.stores.classes.add_team(LOCAL_VIEWER, course_id, "Team", [])
    return lambda viewer: world.stores.classes.change_team(viewer, course_id, team_id, viewer.kind.value, [])


def _remove_task(world: World) -> Ask:
    edits, course_id = world.stores.edits, world.course.course_id
    added = f"added-{len(edits.written(LOCAL_VIEWER, course_id).projects[0].tasks)}"
    edits.save_task(LOCAL_VIEWER, world.ada.project_id, replace(TASK, task_id=added), seen=None)
    return lambda viewer: edits.remove_task(viewer, world.ada.project_id, added)


def _draft(world: World) -> Ask:
    """Everybody reads the own draft; Ada's teacher must not be given a stranger's."""
    for viewer in (LOCAL_VIEWER, world.viewers["teacher"]):
        world.stores.edits.keep_draft(viewer, world.ada.project_id, "first", "half written")
    return lambda viewer: world.stores.edits.draft(viewer, world.ada.project_id, "first")


def _own_artifact(ask: Callable[[World, VersionLine, Viewer], object]) -> Callable[[World], Ask]:
    """A question about Ada's report, of which her second version was handed in."""

    def prepare(world: World) -> Ask:
        _artifact, first = begin_artifact(world.stores, world.ada)
        second = save(world.stores, first, "Second text", branch=True)
        world.stores.work.hand_in(LOCAL_VIEWER, world.ada, snapshot(), from_version_id=second.version_id)
        return lambda viewer: ask(world, second, viewer)

    return prepare


def _own_persona(ask: Callable[[World, PersonaRules, VersionLine, Viewer], object]) -> Callable[[World], Ask]:
    """A question about Ada's persona, which has one rule by her second version; a try at her first one failed."""

    def prepare(world: World) -> Ask:
        personas = world.stores.personas
        _artifact, first = begin_artifact(world.stores, world.ada)
        second = save(world.stores, first, "Second text", branch=True)
        known = taught(world.stores, world.ada, second)
        persona_id = known.persona.persona_id
        personas.not_learned(LOCAL_VIEWER, persona_id, first.artifact_id, first.version_id, "ReplyBroken")
        return lambda viewer: ask(world, known, first, viewer)

    return prepare


def _unlearned(world: World) -> Ask:
    """A version from which nothing was learned so far."""
    _artifact, first = begin_artifact(world.stores, world.ada)
    save(world.stores, first, "Second text")
    return lambda viewer: world.stores.lessons.waiting(viewer, owned_by(world.ada))


def _asked_for_draft(world: World) -> Ask:
    """What a model was asked for a draft of Ada's."""
    persona = world.stores.personas.of_owner(LOCAL_VIEWER, owned_by(world.ada), Language.EN)
    subject = CallSubject(use=CallUse.DRAFT, subject_id=persona.persona_id, part="artifact")
    world.stores.calls.keep(LOCAL_VIEWER, subject, "model", sent_call())
    return lambda viewer: world.stores.calls.calls(viewer, CallUse.DRAFT, persona.persona_id)


def _teachers_persona(world: World) -> Ask:
    owned = Owned(learner_id=None, project_id=world.ada.project_id)
    world.stores.personas.of_owner(LOCAL_VIEWER, owned, Language.EN)
    return lambda viewer: world.stores.personas.find(viewer, owned)


def _begin_artifact(world: World) -> Ask:
    owned = Owned(learner_id=world.ada.learner_id, project_id=world.ada.project_id)
    return lambda viewer: world.stores.artifacts.begin(
        viewer, owned, written(), kind=ArtifactKind.REPORT, file_name=f"{viewer.kind}.md"
    )


def _teachers_artifacts(world: World) -> Ask:
    owned = Owned(learner_id=None, project_id=world.ada.project_id)
    plan = written(author=VersionAuthor.TEACHER)
    world.stores.artifacts.begin(LOCAL_VIEWER, owned, plan, kind=ArtifactKind.LESSON_PLAN, file_name="plan.md")
    return lambda viewer: world.stores.artifacts.artifacts(viewer, owned)


def _teachers_version(world: World) -> Ask:
    owned = Owned(learner_id=None, project_id=world.ada.project_id)
    plan = written(author=VersionAuthor.TEACHER)
    artifact, first = world.stores.artifacts.begin(
        LOCAL_VIEWER, owned, plan, kind=ArtifactKind.LESSON_PLAN, file_name="plan.md"
    )
    return lambda viewer: world.stores.artifacts.version(viewer, artifact.artifact_id, first.version_id)


def _drafts(world: World) -> Ask:
    """Everybody reads the own drafts; only who may write the text has any."""
    artifact, first = begin_artifact(world.stores, world.ada)
    for name in OWN.split():
        world.stores.version_drafts.keep(
            world.viewers[name], artifact.artifact_id, "tab", first.version_id, title="", body="half"
        )
    return lambda viewer: world.stores.version_drafts.drafts(viewer, artifact.artifact_id)


def _join(world: World) -> Ask:
    """Whoever may write has a draft that is behind, and joins it to the newest version."""
    artifact, first = begin_artifact(world.stores, world.ada)
    artifact_id = artifact.artifact_id
    save(world.stores, first, "Newer text", branch=True)
    for name in OWN.split():
        world.stores.version_drafts.keep(world.viewers[name], artifact_id, name, first.version_id, title="", body=name)
    names = {viewer: name for name, viewer in world.viewers.items()}

    def ask(viewer: Viewer) -> object:
        name = names[viewer]
        newest = world.stores.artifacts.versions(LOCAL_VIEWER, artifact_id)[-1]
        return world.stores.artifacts.join(viewer, artifact_id, newest.version_id, written(name), draft_id=name)

    return ask


Thing = TypeVar("Thing")


def _talked(
    ready: Callable[[Stores, VersionLine], Thing], ask: Callable[[Stores, Viewer, Thing], object]
) -> Callable[[World], Ask]:
    """A question about the conversation over a report of Ada's, another one each time it is prepared."""
    names = count()

    def prepare(world: World) -> Ask:
        _artifact, first = begin_artifact(world.stores, world.ada, f"report-{next(names)}.md")
        thing = ready(world.stores, first)
        return lambda viewer: ask(world.stores, viewer, thing)

    return prepare


def _artifact_id(_stores: Stores, first: VersionLine) -> str:
    return first.artifact_id


def _collected(stores: Stores, first: VersionLine) -> Suggestion:
    return stores.talks.suggest(LOCAL_VIEWER, first.artifact_id, "shorter", collect=True)


def _running(stores: Stores, first: VersionLine) -> tuple[EditRun, VersionLine]:
    return taken(stores, first.artifact_id, "shorter"), first


def _failed(stores: Stores, first: VersionLine) -> str:
    run, _first = _running(stores, first)
    stores.talks.end_run(LOCAL_VIEWER, run, ended(run))
    return run.suggestions[0].suggestion_id


def _edited(stores: Stores, first: VersionLine) -> str:
    run, _first = _running(stores, first)
    stores.talks.apply(LOCAL_VIEWER, run, applied(run, first, "Short."))
    return stores.talks.conversation(LOCAL_VIEWER, first.artifact_id).revisions[0].revision_id


def _collected_in(stores: Stores, first: VersionLine) -> str:
    _collected(stores, first)
    return first.artifact_id


def _typing(world: World) -> Ask:
    """Everybody reads the own words; only who may write has any."""
    artifact, _first = begin_artifact(world.stores, world.ada)
    for name in OWN.split():
        world.stores.talks.keep_words(world.viewers[name], artifact.artifact_id, "make the fi")
    return lambda viewer: world.stores.talks.words(viewer, artifact.artifact_id)


CASES: dict[str, Case] = {
    "PersonaStore.of_owner": Case(
        ask=lambda w: lambda v: w.stores.personas.of_owner(v, owned_by(w.ada), Language.EN), given_to=OWN
    ),
    "PersonaStore.find": Case(
        ask=_own_persona(lambda w, _known, _first, v: w.stores.personas.find(v, owned_by(w.ada))), given_to=OWN
    ),
    "PersonaStore.find of the teachers": Case(ask=_teachers_persona, given_to=TAUGHT),
    "PersonaStore.read": Case(
        ask=_own_persona(lambda w, known, _first, v: w.stores.personas.read(v, known.persona.persona_id)), given_to=OWN
    ),
    "PersonaStore.learn": Case(
        ask=_own_persona(
            lambda w, known, first, v: w.stores.personas.learn(
                v, known.persona.persona_id, first.artifact_id, first.version_id, SAID, Context()
            )
        ),
        given_to=OWN,
    ),
    "PersonaStore.not_learned": Case(
        ask=_own_persona(
            lambda w, known, first, v: w.stores.personas.not_learned(
                v, known.persona.persona_id, first.artifact_id, first.version_id, "ReplyBroken"
            )
        ),
        given_to=OWN,
    ),
    "PersonaStore.learnings": Case(
        ask=_own_persona(lambda w, known, _first, v: w.stores.personas.learnings(v, known.persona.persona_id)),
        given_to=OWN,
    ),
    "LessonStore.waiting": Case(ask=_unlearned, given_to=OWN),
    "LessonStore.take": Case(
        ask=_own_persona(
            lambda w, known, first, v: w.stores.lessons.take(v, known.persona.persona_id, first.version_id, LEASE)
        ),
        given_to=OWN,
        is_silent=True,
    ),
    "LessonStore.interrupt": Case(
        ask=_own_persona(lambda w, _known, first, v: w.stores.lessons.interrupt(v, lesson_of(first.version_id))),
        given_to=OWN,
        is_silent=True,
    ),
    "PersonaStore.mark": Case(
        ask=_own_persona(
            lambda w, known, _first, v: w.stores.personas.mark(v, known.rules[0].rule_id, RuleEventKind.PINNED)
        ),
        given_to=OWN,
        is_silent=True,
    ),
    "EditingStore.conversation": Case(
        ask=_talked(_collected_in, lambda s, v, one: s.talks.conversation(v, one)), given_to=OWN
    ),
    "EditingStore.suggest": Case(
        ask=_talked(_artifact_id, lambda s, v, one: s.talks.suggest(v, one, "shorter", collect=True)), given_to=OWN
    ),
    "EditingStore.take": Case(ask=_talked(_collected_in, lambda s, v, one: s.talks.take(v, one, LEASE)), given_to=OWN),
    "EditingStore.wait_again": Case(ask=_talked(_failed, lambda s, v, one: s.talks.wait_again(v, one)), given_to=OWN),
    "EditingStore.withdraw": Case(
        ask=_talked(_collected, lambda s, v, one: s.talks.withdraw(v, one.suggestion_id)), given_to=OWN
    ),
    "EditingStore.end_run": Case(
        ask=_talked(_running, lambda s, v, one: s.talks.end_run(v, one[0], ended(one[0]))),
        given_to=OWN,
        is_silent=True,
    ),
    "EditingStore.interrupt": Case(
        ask=_talked(_running, lambda s, v, one: s.talks.interrupt(v, one[0].run_id)), given_to=OWN, is_silent=True
    ),
    "EditingStore.apply": Case(
        ask=_talked(_running, lambda s, v, one: s.talks.apply(v, one[0], applied(*one, "Short."))), given_to=OWN
    ),
    "EditingStore.undo": Case(
        ask=_talked(_edited, lambda s, v, one: s.talks.undo(v, one, VersionAuthor.STUDENT)), given_to=OWN
    ),
    "EditingStore.words": Case(ask=_typing, given_to=OWN),
    "EditingStore.keep_words": Case(
        ask=_talked(_artifact_id, lambda s, v, one: s.talks.keep_words(v, one, "make the fi")),
        given_to=OWN,
        is_silent=True,
    ),
    "ArtifactStore.begin": Case(ask=_begin_artifact, given_to=OWN),
    "ArtifactStore.artifact": Case(
        ask=_own_artifact(lambda w, one, v: w.stores.artifacts.artifact(v, one.artifact_id)), given_to=OWN
    ),
    "ArtifactStore.artifacts": Case(
        ask=_own_artifact(
            lambda w, _one, v: w.stores.artifacts.artifacts(
                v, Owned(learner_id=w.ada.learner_id, project_id=w.ada.project_id)
            )
        ),
        given_to=OWN,
    ),
    "ArtifactStore.artifacts of the teachers": Case(ask=_teachers_artifacts, given_to=TAUGHT),
    "ArtifactStore.versions": Case(
        ask=_own_artifact(lambda w, one, v: w.stores.artifacts.versions(v, one.artifact_id)), given_to=OWN
    ),
    "ArtifactStore.version": Case(
        ask=_own_artifact(lambda w, one, v: w.stores.artifacts.version(v, one.artifact_id, one.version_id)),
        given_to=OWN,
    ),
    "ArtifactStore.version of the teachers": Case(ask=_teachers_version, given_to=TAUGHT),
    "ArtifactStore.chain": Case(
        ask=_own_artifact(lambda w, one, v: w.stores.artifacts.chain(v, one.artifact_id)), given_to=OWN
    ),
    "ArtifactStore.save": Case(
        ask=_own_artifact(
            lambda w, one, v: w.stores.artifacts.save(v, one.artifact_id, one.version_id, written(v.kind), branch=True)
        ),
        given_to=OWN,
    ),
    "ArtifactStore.restore": Case(
        ask=_own_artifact(
            lambda w, one, v: w.stores.artifacts.restore(v, one.artifact_id, one.version_id, VersionAuthor.STUDENT)
        ),
        given_to=OWN,
    ),
    "ArtifactStore.join": Case(ask=_join, given_to=OWN),
    "ArtifactStore.handed_in": Case(
        ask=_own_artifact(lambda w, one, v: w.stores.artifacts.handed_in(v, one.artifact_id)), given_to=OWN
    ),
    "ArtifactStore.sources": Case(
        ask=_own_artifact(
            lambda w, _one, v: w.stores.artifacts.sources(
                v, [row.submission_id for row in [w.stores.work.newest(LOCAL_VIEWER, w.ada)] if row]
            )
        ),
        given_to=OWN,
    ),
    "VersionDraftStore.keep": Case(
        ask=_own_artifact(
            lambda w, one, v: w.stores.version_drafts.keep(
                v, one.artifact_id, "tab", one.version_id, title="", body="half"
            )
        ),
        given_to=OWN,
        is_silent=True,
    ),
    "VersionDraftStore.drafts": Case(ask=_drafts, given_to=OWN),
    "VersionDraftStore.drop": Case(
        ask=_own_artifact(lambda w, one, v: w.stores.version_drafts.drop(v, one.artifact_id, "tab")),
        given_to=OWN,
        is_silent=True,
    ),
    "WorkStore.newest": Case(ask=lambda w: lambda v: w.stores.work.newest(v, w.ada), given_to=OWN),
    "CourseStore.keep_course": Case(
        ask=lambda w: lambda v: w.stores.courses.keep_course(v, replace(COURSE, title="Mine now")),
        given_to="local teacher",
    ),
    "CourseStore.courses": Case(
        ask=lambda w: (
            lambda v: [course for course in w.stores.courses.courses(v) if course.course_id == w.course.course_id]
        ),
        given_to="local ada member bob teacher",
        refusal=None,
    ),
    "CourseStore.course_by_slug": Case(
        ask=lambda w: lambda v: w.stores.courses.course_by_slug(v, "course"), given_to=MANAGED
    ),
    "CourseStore.task": Case(
        ask=lambda w: lambda v: w.stores.courses.task(v, w.ada.project_id, "first"), given_to=TASKS
    ),
    "CourseStore.rubric": Case(
        ask=lambda w: lambda v: w.stores.courses.rubric(v, w.ada.project_id, "first", VERSIONS.rubric), given_to=TASKS
    ),
    "CourseStore.keep_rubric": Case(
        ask=lambda w: lambda v: w.stores.courses.keep_rubric(v, w.ada.project_id, "first", v.person_id, CRITERIA),
        given_to="local teacher",
        is_silent=True,
    ),
    "CourseStore.add_learner": Case(
        ask=lambda w: lambda v: w.stores.courses.add_learner(v, "Eve", course_id=w.course.course_id), given_to=MANAGED
    ),
    "CourseStore.add_teacher": Case(
        ask=lambda w: lambda v: w.stores.courses.add_teacher(v, "Eve", course_ids=[w.course.course_id]),
        given_to=MANAGED,
    ),
    "CourseStore.learners": Case(ask=_learners, given_to=OWN, refusal=None),
    "WorkStore.hand_in": Case(ask=lambda w: lambda v: w.stores.work.hand_in(v, w.ada, snapshot()), given_to=OWN),
    "WorkStore.submission": Case(
        ask=lambda w: lambda v: w.stores.work.submission(v, w.submission.submission_id), given_to=OWN
    ),
    "WorkStore.latest_key": Case(
        ask=lambda w: lambda v: w.stores.work.latest_key(v, w.ada.learner_id, [w.ada.project_id]), given_to=OWN
    ),
    "WorkStore.snapshot": Case(
        ask=lambda w: lambda v: w.stores.work.snapshot(v, w.submission.submission_id), given_to=OWN
    ),
    "WorkStore.files": Case(ask=lambda w: lambda v: w.stores.work.files(v, w.submission.submission_id), given_to=OWN),
    "WorkStore.file": Case(
        ask=lambda w: lambda v: w.stores.work.file(v, w.submission.submission_id, "main.py"), given_to=OWN
    ),
    "WorkStore.environment_notes": Case(ask=_environment_notes, given_to=OWN),
    "WorkStore.provenance": Case(ask=_provenance, given_to=OWN),
    "WorkStore.token": Case(ask=_token, given_to=OWN),
    "WorkStore.erase_person": Case(
        ask=lambda w: lambda v: w.stores.work.erase_person(v, w.ada.learner_id), given_to=MANAGED
    ),
    "ReviewStore.start_next_attempt": Case(ask=_start_next, given_to=OWN),
    "ReviewStore.start_attempt": Case(
        ask=lambda w: (
            lambda v: w.stores.reviews.start_attempt(v, w.submission.submission_id, VERSIONS, model=None, lease=LEASE)
        ),
        given_to=OWN,
    ),
    "ReviewStore.finish": Case(ask=_finish, given_to=OWN),
    "ReviewStore.timeline": Case(ask=lambda w: lambda v: w.stores.reviews.timeline(v, w.ada), given_to=OWN),
    "ReviewStore.page": Case(ask=_page, given_to=OWN, refusal=None),
    "ReviewStore.page of one learner": Case(ask=_page_of_ada, given_to=OWN, refusal=None),
    "ReviewStore.one": Case(
        ask=lambda w: lambda v: w.stores.reviews.one(v, w.submission.submission_id, 1), given_to=OWN, refusal=NotFound
    ),
    "JudgementStore.equal": Case(
        ask=lambda w: lambda v: w.stores.judgements.equal(v, w.submission.submission_id, VERSIONS), given_to=OWN
    ),
    "JudgementStore.standing": Case(
        ask=lambda w: lambda v: w.stores.judgements.standing(v, w.submission.submission_id), given_to=OWN
    ),
    "JudgementStore.finished": Case(ask=_finished, given_to=OWN),
    "JudgementStore.reuse": Case(ask=_reuse, given_to=OWN),
    "JudgementStore.decide": Case(ask=lambda w: lambda v: _decide(w, v), given_to="local teacher"),
    "ClassStore.class_list": Case(
        ask=lambda w: lambda v: w.stores.classes.class_list(v, w.course.course_id), given_to=TAUGHT
    ),
    "ClassStore.plan_import": Case(
        ask=lambda w: lambda v: w.stores.classes.plan_import(v, w.course.course_id, [ROW]), given_to=TAUGHT
    ),
    "ClassStore.import_class": Case(
        ask=lambda w: lambda v: w.stores.classes.import_class(v, w.course.course_id, [ROW]), given_to=TAUGHT
    ),
    "ClassStore.add_team": Case(
        ask=lambda w: lambda v: w.stores.classes.add_team(v, w.course.course_id, "Team", [w.ada.learner_id]),
        given_to=TAUGHT,
    ),
    "ClassStore.change_team": Case(ask=_change_team, given_to=TAUGHT, is_silent=True),
    "EditStore.written": Case(ask=lambda w: lambda v: w.stores.edits.written(v, w.course.course_id), given_to=TAUGHT),
    "EditStore.find": Case(ask=lambda w: lambda v: w.stores.edits.find(v, "course"), given_to=TAUGHT),
    "EditStore.save_task": Case(
        ask=lambda w: (
            lambda v: w.stores.edits.save_task(v, w.ada.project_id, replace(TASK, task_id=v.kind.value), seen=None)
        ),
        given_to=TAUGHT,
        is_silent=True,
    ),
    "EditStore.remove_task": Case(ask=_remove_task, given_to=TAUGHT, is_silent=True),
    "EditStore.move_task": Case(
        ask=lambda w: lambda v: w.stores.edits.move_task(v, w.ada.project_id, "first", by=1),
        given_to=TAUGHT,
        is_silent=True,
    ),
    "EditStore.rename": Case(
        ask=lambda w: (
            lambda v: w.stores.edits.rename(v, w.ada.project_id, course_title=v.kind.value, project_title="Mine")
        ),
        given_to=TAUGHT,
        is_silent=True,
    ),
    "EditStore.draft": Case(ask=_draft, given_to=TAUGHT),
    "EditStore.keep_draft": Case(
        ask=lambda w: lambda v: w.stores.edits.keep_draft(v, w.ada.project_id, "first", "mine"),
        given_to=TAUGHT,
        is_silent=True,
    ),
    "EditStore.drop_draft": Case(
        ask=lambda w: lambda v: w.stores.edits.drop_draft(v, w.ada.project_id, "first"),
        given_to=TAUGHT,
        is_silent=True,
    ),
    "StandingStore.standings": Case(
        ask=lambda w: lambda v: w.stores.standings.standings(v, (w.ada.project_id,), LOGIC), given_to=TAUGHT
    ),
    "DeskStore.report": Case(
        ask=lambda w: (
            lambda v: w.stores.desk.report(v, w.submission.submission_id, "tests", v.person_id, seen_attempt_seq=1)
        ),
        given_to=OWN,
    ),
    "DeskStore.disputes": Case(ask=_reported, given_to=OWN),
    "DeskStore.note": Case(
        ask=lambda w: lambda v: w.stores.desk.note(v, w.submission.submission_id, v.person_id, name="Ms Lin"),
        given_to="local teacher",
    ),
    "DeskStore.notes": Case(ask=_noted, given_to=OWN),
    "DeskStore.reserve": Case(
        ask=lambda w: lambda v: w.stores.desk.reserve(v, w.submission.submission_id, "tests", name="Ms Lin"),
        given_to="local teacher",
    ),
    "DeskStore.reservation": Case(ask=_reserved, given_to="local teacher"),
    "DeskStore.draft": Case(ask=_drafted, given_to="local teacher"),
    "DeskStore.save_draft": Case(
        ask=lambda w: lambda v: w.stores.desk.save_draft(v, w.ada.project_id, "decision", "because"),
        given_to="local teacher",
        is_silent=True,
    ),
    "OriginStore.tally": Case(
        ask=lambda w: lambda v: w.stores.origins.tally(v, ReviewFilter(learner_id=w.ada.learner_id)).rows,
        given_to=OWN,
        refusal=None,
    ),
    "OriginStore.submission_seqs": Case(
        ask=lambda w: lambda v: w.stores.origins.submission_seqs(v, frozenset({w.attempt.attempt_id})),
        given_to=OWN,
        refusal=None,
    ),
    "QueueStore.waiting": Case(ask=_waits, given_to="local teacher"),
    "QueueStore.one": Case(
        ask=lambda w: lambda v: w.stores.queue.one(v, LOGIC, w.submission.submission_id, "tests"),
        given_to="local teacher",
    ),
    "QueueStore.reasons": Case(ask=_reasons, given_to="local teacher"),
    "TeacherStore.say": Case(
        ask=lambda w: lambda v: w.stores.teachers.say(v, w.conversation.conversation_id, v.person_id, name="Ms Lin"),
        given_to="local teacher",
    ),
    "TeacherStore.said_before": Case(ask=_taught, given_to=OWN),
    "CiTokenStore.issue": Case(
        ask=lambda w: lambda v: w.stores.tokens.issue(v, w.course.course_id, "shop"), given_to="local teacher"
    ),
    "CiTokenStore.revoke": Case(ask=_revoke, given_to="local teacher", is_silent=True),
    "CiTokenStore.tokens": Case(ask=_tokens, given_to="local teacher"),
    "SessionStore.open_conversation": Case(
        ask=lambda w: lambda v: w.stores.sessions.open_conversation(v, w.ada), given_to=OWN
    ),
    "SessionStore.conversations": Case(ask=lambda w: lambda v: w.stores.sessions.conversations(v, w.ada), given_to=OWN),
    "SessionStore.conversation": Case(
        ask=lambda w: lambda v: w.stores.sessions.conversation(v, w.conversation.conversation_id), given_to=OWN
    ),
    "SessionStore.begin_turn": Case(
        ask=lambda w: lambda v: w.stores.sessions.begin_turn(v, w.conversation.conversation_id, "why?", LEASE),
        given_to=OWN,
    ),
    "SessionStore.retry_turn": Case(ask=_retry, given_to=OWN),
    "SessionStore.keep_receipt": Case(ask=_keep_receipt, given_to=OWN, is_silent=True),
    "SessionStore.end_turn": Case(ask=_end, given_to=OWN),
    "SessionStore.add_note": Case(
        ask=lambda w: lambda v: w.stores.sessions.add_note(v, w.conversation.conversation_id, "note"),
        given_to=OWN,
        is_silent=True,
    ),
    "SessionStore.entries": Case(
        ask=lambda w: lambda v: w.stores.sessions.entries(v, w.conversation.conversation_id, last=9), given_to=OWN
    ),
    "SessionStore.turn": Case(ask=lambda w: lambda v: w.stores.sessions.turn(v, w.turn.turn_id), given_to=OWN),
    "SessionStore.turns_before": Case(
        ask=lambda w: lambda v: w.stores.sessions.turns_before(v, replace(w.turn, seq=9), limit=9), given_to=OWN
    ),
    "SessionStore.plans": Case(
        ask=lambda w: lambda v: w.stores.sessions.plans(v, w.conversation.conversation_id), given_to=OWN
    ),
    "SessionStore.continue_turn": Case(ask=_continue, given_to=OWN),
    "SessionStore.being_answered": Case(ask=_being_answered, given_to=OWN),
    "SessionStore.receipt": Case(ask=lambda w: lambda v: w.stores.sessions.receipt(v, w.turn.turn_id), given_to=OWN),
    "SessionStore.save_draft": Case(
        ask=lambda w: lambda v: w.stores.sessions.save_draft(v, w.ada.learner_id, "chat", "mine now"),
        given_to=PRIVATE,
        is_silent=True,
    ),
    "SessionStore.draft": Case(
        ask=lambda w: lambda v: w.stores.sessions.draft(v, w.ada.learner_id, "chat"), given_to=PRIVATE
    ),
    "OpeningStore.begin": Case(ask=_begin_opening, given_to=OWN, is_silent=True),
    "SupportStore.level": Case(ask=lambda w: lambda v: w.stores.supports.level(v, w.ada.project_id), given_to=TASKS),
    "SupportStore.keep": Case(
        ask=lambda w: lambda v: w.stores.supports.keep(v, w.course.course_id, SupportLevel.LOW),
        given_to="local teacher",
        is_silent=True,
    ),
    "SummaryStore.newest": Case(
        ask=lambda w: lambda v: w.stores.summaries.newest(v, w.conversation.conversation_id), given_to=OWN
    ),
    "SummaryStore.keep": Case(
        ask=lambda w: lambda v: w.stores.summaries.keep(v, summary_of(w.conversation, 2 + len(v.kind))),
        given_to=OWN,
        is_silent=True,
    ),
    "SummaryStore.exchanges_after": Case(
        ask=lambda w: lambda v: w.stores.summaries.exchanges_after(v, w.conversation.conversation_id, 0, limit=9),
        given_to=OWN,
    ),
    "CallStore.keep": Case(
        ask=lambda w: lambda v: w.stores.calls.keep(v, call_for_summary(w.conversation), "model", sent_call()),
        given_to=OWN,
    ),
    "CallStore.keep of a judgement": Case(
        ask=lambda w: lambda v: w.stores.calls.keep(v, call_about(w.attempt), "model", sent_call()), given_to=OWN
    ),
    "CallStore.calls": Case(
        ask=lambda w: lambda v: w.stores.calls.calls(v, CallUse.SUMMARY, w.conversation.conversation_id), given_to=OWN
    ),
    "CallStore.calls of a draft": Case(ask=_asked_for_draft, given_to=OWN),
    "CallStore.parts": Case(
        ask=lambda w: lambda v: w.stores.calls.parts(v, CallUse.SUMMARY, w.conversation.conversation_id), given_to=OWN
    ),
    "CallStore.calls of a judgement": Case(
        ask=lambda w: lambda v: w.stores.calls.calls(v, CallUse.JUDGEMENT, w.attempt.attempt_id), given_to=OWN
    ),
    "FeedbackStore.read_newest": Case(
        ask=lambda w: lambda v: w.stores.feedback.read_newest(v, w.ada, VERSIONS).submission, given_to=OWN
    ),
    "ReviewStore.attempt": Case(ask=_attempt, given_to=OWN),
    "JobStore.ask_review": Case(
        ask=lambda w: lambda v: w.stores.jobs.ask_review(v, w.ada.project_id, [w.submission.submission_id]),
        given_to=TAUGHT,
    ),
    "JobStore.cancel": Case(ask=lambda w: partial(_cancel, w.stores, _job(w)), given_to=TAUGHT),
    "JobStore.resume": Case(ask=_resume, given_to=TAUGHT),
    "JobStore.progress": Case(ask=lambda w: partial(_progress, w.stores, _job(w)), given_to=TAUGHT),
    "JobStore.recent": Case(ask=_recent, given_to=TAUGHT),
    "SettingsStore.read": Case(ask=lambda w: lambda v: w.stores.settings.read(v), given_to=MANAGED),
    "SettingsStore.keep_model": Case(
        ask=lambda w: (
            lambda v: w.stores.settings.keep_model(v, ModelUse.TUTOR, url="http://mine.test", name="m", key="k")
        ),
        given_to=MANAGED,
        is_silent=True,
    ),
    "SettingsStore.forget_model": Case(
        ask=lambda w: lambda v: w.stores.settings.forget_model(v, ModelUse.TUTOR), given_to=MANAGED, is_silent=True
    ),
    "SettingsStore.keep_budgets": Case(
        ask=lambda w: lambda v: w.stores.settings.keep_budgets(v, DEFAULT_BUDGETS), given_to=MANAGED, is_silent=True
    ),
    "SettingsStore.forget_budgets": Case(
        ask=lambda w: lambda v: w.stores.settings.forget_budgets(v), given_to=MANAGED, is_silent=True
    ),
    "SettingsStore.keep_stuck": Case(
        ask=lambda w: lambda v: w.stores.settings.keep_stuck(v, DEFAULT_STUCK), given_to=MANAGED, is_silent=True
    ),
    "ClassBoardStore.read": Case(
        ask=lambda w: lambda v: w.stores.boards.read(v, w.course.course_id, LOGIC), given_to="local teacher"
    ),
    "ClassBoardStore.results": Case(
        ask=lambda w: lambda v: w.stores.boards.results(v, w.course.course_id, LOGIC), given_to="local teacher"
    ),
    "SettingsStore.keep_demo": Case(
        ask=lambda w: lambda v: w.stores.settings.keep_demo(v, is_on=False), given_to=MANAGED, is_silent=True
    ),
}
EXEMPT = {
    CiDoor: "asked by build servers, who are nobody yet: it tells whose key it is, and nothing without one",
    RunStore: "asked by workers, never for a person: it holds ids, and whoever asked for the job could see them",
    BeatStore: "names of workers only, which are no person's",
    LeaseStore: "asked by workers, never for a person: it holds ids; words in the making are read by SessionStore.turn",
}


def _all_rows(stores: Stores) -> dict[str, object]:
    return {name: sorted(map(repr, stores.ask(f"SELECT * FROM {name}"))) for name in Base.metadata.tables}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_adas_things_are_given_to_whom_they_are_hers_to_give_and_to_nobody_else(world: World, case: Case) -> None:
    given_to = case.given_to.split()
    ask = case.ask(world)
    for name, viewer in world.viewers.items():
        if name in given_to:
            continue
        before = _all_rows(world.stores)
        if case.refusal is None:
            assert not ask(viewer), name
        else:
            with pytest.raises(case.refusal):
                ask(viewer)
        assert _all_rows(world.stores) == before, name
    for name in given_to:
        given = case.ask(world)(world.viewers[name])
        assert given or case.is_silent, name


def test_a_student_is_told_of_another_who_takes_the_course_nothing_at_all(world: World) -> None:
    learners = world.stores.courses.learners(world.viewers["bob"], world.course.course_id)
    rows, total = world.stores.reviews.page(world.viewers["bob"], ReviewFilter(), limit=50)
    assert [learner.name for learner in learners] == [row.learner_name for row in rows] == ["Bob"]
    assert total == 1


def test_refusing_tells_nothing_of_what_is_there(world: World) -> None:
    with pytest.raises(AccessDenied) as caught:
        world.stores.work.submission(world.viewers["bob"], world.submission.submission_id)
    assert "Ada" not in str(caught.value)
    assert caught.value.values == {}


def _stores() -> Iterator[type[Store]]:
    folder = Path(engine.__file__).parent
    for path in sorted(folder.rglob("*_store.py")):
        module = importlib.import_module(".".join(["engine", *path.relative_to(folder).with_suffix("").parts]))
        for _, found in inspect.getmembers(module, inspect.isclass):
            if issubclass(found, Store) and found is not Store and found.__module__ == module.__name__:
                yield found


def _public(store: type[Store]) -> list[str]:
    return [name for name, member in inspect.getmembers(store, callable) if not name.startswith("_")]


def test_the_table_has_every_public_method_of_every_store() -> None:
    named = {re.sub(" .*", "", case) for case in CASES}
    assert named == {
        f"{store.__name__}.{name}" for store in _stores() if store not in EXEMPT for name in _public(store)
    }
    assert len(set(_stores())) == 30


def test_every_method_is_told_who_asks() -> None:
    untold = [
        f"{store.__name__}.{name}"
        for store in _stores()
        if store not in EXEMPT
        for name in _public(store)
        if list(inspect.signature(getattr(store, name)).parameters)[1] != "viewer"
    ]
    assert untold == []


WORKERS = {
    "reviewer.py": "ends what a dead worker left, for no viewer",
    "faults_running.py": "waits, on a database of its own, for the moment to kill a process",
}


def test_words_in_the_making_are_read_around_the_viewer_by_workers_only() -> None:
    root = Path(engine.__file__).parents[1]
    sources = [path for folder in ("engine", "pages") for path in (root / folder).rglob("*.py")]
    around = {path.name for path in sources if re.search(r"leases\.progress\(", path.read_text("utf-8"))}
    assert around <= set(WORKERS)
    assert len(sources) > 50

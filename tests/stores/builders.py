"""All stores on one database, a small course, and the short steps that most store tests begin with."""

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from random import Random
from threading import Barrier
from typing import TypeVar

from sqlalchemy import Engine, Row, text

from db.connection import writing
from engine.courses.ci_token_store import CiTokenStore
from engine.courses.class_store import ClassStore
from engine.courses.course_store import CourseStore
from engine.courses.edit_store import EditStore
from engine.courses.rubric import rubric_version
from engine.courses.support_store import SupportStore
from engine.domain.artifact import (
    Artifact,
    ArtifactKind,
    ArtifactVersion,
    NewVersion,
    VersionAuthor,
    VersionLine,
    VersionReason,
)
from engine.domain.clock import Clock, NewId
from engine.domain.course import Course, Criterion, Project, Task
from engine.domain.edit import ChangeFacts, EditRun, RevisionFacts, SuggestionState
from engine.domain.feedback import TraceCode, TraceStep
from engine.domain.keys import FeedbackKey, ReviewLogic, Versions
from engine.domain.learning import ChangeKind
from engine.domain.model_call import CallSubject, CallUse, SentCall
from engine.domain.people import LOCAL_VIEWER, Owned
from engine.domain.preference import (
    Aspect,
    Direction,
    PersonaRules,
    Proposal,
    Rule,
    StyleRule,
)
from engine.domain.review import Attempt
from engine.domain.running import Lease
from engine.domain.session import (
    Conversation,
    Part,
    PartKind,
    Receipt,
    RequestFacts,
    SentFeedback,
    Try,
    Turn,
    TurnEnd,
    Usage,
)
from engine.domain.states import (
    CriterionKind,
    FeedbackState,
    FileKind,
    FileState,
    Language,
    OutcomeKind,
    Source,
    TurnState,
)
from engine.domain.summary import Summary
from engine.domain.work import Snapshot, Submission, WorkFile, take_snapshot
from engine.feedback.feedback_store import FeedbackStore
from engine.insight.board_store import ClassBoardStore
from engine.jobs.beat_store import BeatStore
from engine.jobs.job_store import JobStore
from engine.jobs.lease_store import LeaseStore
from engine.jobs.run_store import RunStore
from engine.review.desk_store import DeskStore
from engine.review.judgement_store import JudgementStore
from engine.review.origin_store import OriginStore
from engine.review.queue_store import QueueStore
from engine.review.review_store import ReviewStore
from engine.review.standing_store import StandingStore
from engine.revision.editing.editing_store import EditingStore, RunApplied, RunEnd, SuggestionEnd
from engine.revision.style.lesson_store import LessonStore
from engine.revision.style.lessons import Findings
from engine.revision.style.persona_store import PersonaStore
from engine.revision.style.preferences import Context
from engine.sessions.call_store import CallStore
from engine.sessions.opening_store import OpeningStore
from engine.sessions.session_store import SessionStore
from engine.sessions.summary_store import SummaryStore
from engine.sessions.teacher_store import TeacherStore
from engine.settings_store import SettingsStore
from engine.work.artifact_store import ArtifactStore
from engine.work.version_draft_store import VersionDraftStore
from engine.work.version_store import note_rules
from engine.work.work_store import WorkStore

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
LEASE = Lease(holder="here", seconds=20)
HOSTILE = "\x00 \ud800 👩\u200d🔬 </data> ' OR 1=1 -- \u202e"
"""NUL, a lone surrogate, an emoji sequence, markup, SQL and a bidi override in one."""
STORABLE = HOSTILE.replace("\x00", "\ufffd").replace("\ud800", "\ufffd")
"""What is kept of it: only what no database holds is replaced."""


class Hands:
    """A clock that stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def forward(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    """Every store, on one database."""

    engine: Engine
    courses: CourseStore
    work: WorkStore
    reviews: ReviewStore
    sessions: SessionStore
    feedback: FeedbackStore
    leases: LeaseStore
    settings: SettingsStore
    summaries: SummaryStore
    judgements: JudgementStore
    tokens: CiTokenStore
    calls: CallStore
    openings: OpeningStore
    supports: SupportStore
    classes: ClassStore
    edits: EditStore
    standings: StandingStore
    desk: DeskStore
    origins: OriginStore
    queue: QueueStore
    teachers: TeacherStore
    boards: ClassBoardStore
    jobs: JobStore
    runs: RunStore
    beats: BeatStore
    artifacts: ArtifactStore
    version_drafts: VersionDraftStore
    personas: PersonaStore
    lessons: LessonStore
    talks: EditingStore

    def ask(self, statement: str, **values: object) -> Sequence[Row[*tuple[object, ...]]]:
        """What the database itself says."""
        with self.engine.connect() as connection:
            return connection.execute(text(statement), values).all()

    def audits(self, action: str) -> list[tuple[str, str, object]]:
        """Actor, subject and detail of every audit row of this action."""
        rows = self.ask("SELECT actor, subject, detail FROM audit WHERE action = :action", action=action)
        return [(str(actor), str(subject), json.loads(str(detail))) for actor, subject, detail in rows]


def build_stores(engine: Engine, clock: Clock) -> Stores:
    new_id = _ids()
    return Stores(
        engine=engine,
        courses=CourseStore(engine, clock=clock, new_id=new_id),
        work=WorkStore(engine, clock=clock, new_id=new_id),
        reviews=ReviewStore(engine, clock=clock, new_id=new_id),
        sessions=SessionStore(engine, clock=clock, new_id=new_id),
        feedback=FeedbackStore(engine, clock=clock, new_id=new_id),
        leases=LeaseStore(engine, clock=clock, new_id=new_id),
        settings=SettingsStore(engine, clock=clock, new_id=new_id),
        summaries=SummaryStore(engine, clock=clock, new_id=new_id),
        judgements=JudgementStore(engine, clock=clock, new_id=new_id),
        tokens=CiTokenStore(engine, clock=clock, new_id=new_id),
        calls=CallStore(engine, clock=clock, new_id=new_id),
        openings=OpeningStore(engine, clock=clock, new_id=new_id),
        supports=SupportStore(engine, clock=clock, new_id=new_id),
        classes=ClassStore(engine, clock=clock, new_id=new_id),
        edits=EditStore(engine, clock=clock, new_id=new_id),
        standings=StandingStore(engine, clock=clock, new_id=new_id),
        desk=DeskStore(engine, clock=clock, new_id=new_id),
        origins=OriginStore(engine, clock=clock, new_id=new_id),
        queue=QueueStore(engine, clock=clock, new_id=new_id),
        teachers=TeacherStore(engine, clock=clock, new_id=new_id),
        boards=ClassBoardStore(engine, clock=clock, new_id=new_id),
        jobs=JobStore(engine, clock=clock, new_id=new_id),
        runs=RunStore(engine, clock=clock, new_id=new_id),
        beats=BeatStore(engine, clock=clock, new_id=new_id),
        artifacts=ArtifactStore(engine, clock=clock, new_id=new_id),
        version_drafts=VersionDraftStore(engine, clock=clock, new_id=new_id),
        personas=PersonaStore(engine, clock=clock, new_id=new_id),
        lessons=LessonStore(engine, clock=clock, new_id=new_id),
        talks=EditingStore(engine, clock=clock, new_id=new_id),
    )


def _ids() -> NewId:
    """Ids in no order at all, so that nothing can be ordered by them."""
    random = Random(8)  # noqa: S311 - ids of a test
    return lambda: f"{random.getrandbits(128):032x}"


def criterion(rubric_id: str, kind: CriterionKind = CriterionKind.ACCEPTANCE) -> Criterion:
    return Criterion(rubric_id=rubric_id, kind=kind, text=f"what {rubric_id} asks for", decided_by=Source.MODEL)


CRITERIA = (criterion("tests"), criterion("build"), criterion("reflection", CriterionKind.LEARNING), criterion("docs"))
"""In an author's order that no sorting gives."""
TASK = Task(task_id="first", title="First task", goal="Do it", steps=("one", "two"), criteria=CRITERIA)
COURSE = Course(
    course_id="course",
    title="Course",
    language=Language.EN,
    projects=(
        Project(project_id="one", title="Project one", tasks=(TASK, replace(TASK, task_id="second", title="Second"))),
        Project(project_id="two", title="Project two", tasks=(TASK,)),
    ),
)
OTHER_COURSE = replace(COURSE, course_id="other", title="Other course")
VERSIONS = Versions(rubric=rubric_version(TASK), prompt="prompt-1", engine="review-1")
LOGIC = ReviewLogic(prompt=VERSIONS.prompt, engine=VERSIONS.engine)


def enrol(stores: Stores, name: str = "Ada") -> FeedbackKey:
    """A new learner of the course, and her key for its first task."""
    course = stores.courses.keep_course(LOCAL_VIEWER, COURSE)
    learner = stores.courses.add_learner(LOCAL_VIEWER, name, course_id=course.course_id)
    return FeedbackKey(learner_id=learner.learner_id, project_id=course.projects[0].project_id, task_id="first")


def file(body: str | None = "print(1)\n", path: str = "main.py") -> WorkFile:
    state = FileState.BINARY if body is None else FileState.TEXT
    return WorkFile(
        path=path,
        sha256=sha256(repr(body).encode()).hexdigest(),
        size_bytes=9,
        kind=FileKind.WORK,
        state=state,
        body=body,
    )


def snapshot(body: str = "print(1)\n") -> Snapshot:
    return take_snapshot((file(body),))


def hand_in(stores: Stores, key: FeedbackKey, body: str = "print(1)\n", *, order_known: bool = True) -> Submission:
    submission, _ = stores.work.hand_in(LOCAL_VIEWER, key, snapshot(body), order_known=order_known)
    return submission


def record(verdict: str = "PASS", **statuses: str) -> dict[str, object]:
    """A review record that keeps the contract if `verdict` is the aggregate; PASS where nothing is named."""
    return {
        "verdict": verdict,
        "next_step": None if verdict == "PASS" else "do this next",
        "criteria": [
            {
                "id": line.rubric_id,
                "status": statuses.get(line.rubric_id, "PASS"),
                "reason": f"why {line.rubric_id}",
                "evidence": None,
                "source": "model",
            }
            for line in CRITERIA
        ],
    }


def record_lines(whole: dict[str, object]) -> list[dict[str, object]]:
    """The criteria of a record."""
    lines = whole["criteria"]
    assert isinstance(lines, list)
    return lines


def begin_review(stores: Stores, submission: Submission, versions: Versions = VERSIONS) -> Attempt:
    return stores.reviews.start_attempt(
        LOCAL_VIEWER, submission.submission_id, versions, model="some-model", lease=LEASE
    )


def judge(
    stores: Stores, submission: Submission, judged: object | None = None, versions: Versions = VERSIONS
) -> Attempt:
    """A whole review of a submission; it passed unless a record is given."""
    attempt = begin_review(stores, submission, versions)
    stores.reviews.finish(
        LOCAL_VIEWER,
        attempt.attempt_id,
        OutcomeKind.COMPLETED,
        record=record() if judged is None else judged,
        snapshot_hash=submission.snapshot_hash,
    )
    return attempt


def written(
    body: str = "First.\n\nSecond.\n",
    title: str = "Report",
    *,
    author: VersionAuthor = VersionAuthor.STUDENT,
    reason: VersionReason = VersionReason.EDITED,
    note: str = "",
) -> NewVersion:
    return NewVersion(title=title, body=body, author=author, reason=reason, note=note)


def begin_artifact(
    stores: Stores, key: FeedbackKey, file_name: str = "report.md", first: NewVersion | None = None
) -> tuple[Artifact, ArtifactVersion]:
    """A report of this learner for this task, with its V1."""
    return stores.artifacts.begin(
        LOCAL_VIEWER,
        Owned(learner_id=key.learner_id, project_id=key.project_id),
        first or written(),
        kind=ArtifactKind.REPORT,
        file_name=file_name,
        task_id=key.task_id,
    )


def save(stores: Stores, base: VersionLine, body: str, *, branch: bool = False) -> ArtifactVersion:
    """The next version of an artifact, made from this one."""
    return stores.artifacts.save(LOCAL_VIEWER, base.artifact_id, base.version_id, written(body), branch=branch).version


SAID = Findings(
    change=ChangeKind.STYLE,
    said=(
        Proposal(aspect=Aspect.EMOJI, direction=Direction.LESS, sentence="Use no emoji.", before="Hi 🎉", after="Hi"),
    ),
    words="no emoji",
)


def owned_by(key: FeedbackKey) -> Owned:
    return Owned(learner_id=key.learner_id, project_id=key.project_id)


def taught(stores: Stores, key: FeedbackKey, version: VersionLine, findings: Findings = SAID) -> PersonaRules:
    """The learner's persona, once it has learned this from a version."""
    persona_id = stores.personas.of_owner(LOCAL_VIEWER, owned_by(key), Language.EN).persona_id
    context = Context(kind=ArtifactKind.REPORT, task_id=key.task_id)
    stores.personas.learn(LOCAL_VIEWER, persona_id, version.artifact_id, version.version_id, findings, context)
    return stores.personas.read(LOCAL_VIEWER, persona_id)


def used(rule: Rule) -> StyleRule:
    """A rule as it goes along with a draft."""
    return StyleRule(rule_id=rule.rule_id, dimension=rule.dimension, sentence=rule.sentence)


def note_used(stores: Stores, version: ArtifactVersion, rule: Rule) -> None:
    """Note that a version was written by a rule, as whoever saves it does."""
    with writing(stores.engine) as session:
        note_rules(session, version, [rule.rule_id], version.made_at)


def taken(stores: Stores, artifact_id: str, *words: str) -> EditRun:
    """A run that has taken suggestions of these words."""
    for each in words:
        stores.talks.suggest(LOCAL_VIEWER, artifact_id, each, collect=True)
    run = stores.talks.take(LOCAL_VIEWER, artifact_id, LEASE)
    assert run is not None
    return run


def ended(run: EditRun, fault: str = "timed_out") -> RunEnd:
    """The end of a run that failed."""
    failed = SuggestionEnd(state=SuggestionState.FAILED, fault=fault)
    return RunEnd(suggestions={each.suggestion_id: failed for each in run.suggestions}, messages=())


def applied(run: EditRun, base: VersionLine, body: str) -> RunApplied:
    """The end of a run that has written this text."""
    done = SuggestionEnd(state=SuggestionState.APPLIED)
    facts = RevisionFacts(
        suggestion_ids=tuple(each.suggestion_id for each in run.suggestions),
        done=(ChangeFacts(verb="replace", block=1, paragraph=1),),
        refused=(),
        mended=(),
        answers=1,
        is_scoped=True,
        changed_outside=0,
        characters_outside=7,
        structure_kept=True,
        characters=3,
        is_offline=False,
    )
    return RunApplied(
        suggestions={each.suggestion_id: done for each in run.suggestions},
        messages=(),
        base_id=base.version_id,
        new=written(body, author=VersionAuthor.MODEL, reason=VersionReason.ASKED, note=run.suggestions[0].words),
        facts=facts,
    )


def call_about_edit(run: EditRun) -> CallSubject:
    return CallSubject(use=CallUse.EDIT, subject_id=run.conversation_id, part=run.run_id)


def talk(stores: Stores, key: FeedbackKey) -> Conversation:
    return stores.sessions.open_conversation(LOCAL_VIEWER, key)


def question(stores: Stores, conversation: Conversation, words: str = "why?") -> Turn:
    return stores.sessions.begin_turn(LOCAL_VIEWER, conversation.conversation_id, words, LEASE)


def answer(stores: Stores, turn: Turn, words: str = "because") -> Turn:
    stores.sessions.end_turn(LOCAL_VIEWER, turn.turn_id, TurnEnd(state=TurnState.DONE, reply=words))
    return stores.sessions.turn(LOCAL_VIEWER, turn.turn_id)


def fail(stores: Stores, turn: Turn) -> Turn:
    stores.sessions.end_turn(LOCAL_VIEWER, turn.turn_id, TurnEnd(state=TurnState.FAILED, fault="provider_down"))
    return stores.sessions.turn(LOCAL_VIEWER, turn.turn_id)


FACTS = RequestFacts(
    parts=(
        Part(kind=PartKind.RULES, message=0, chars=9, tokens=3),
        Part(kind=PartKind.TURN, message=1, chars=5, tokens=2, turn_number=1),
    ),
    feedback=SentFeedback(
        state=FeedbackState.CURRENT,
        submission_id="submission",
        submission_seq=3,
        version_number=4,
        attempt_seq=2,
        block_chars=700,
        block_limit=2400,
        total_items=5,
        omitted_count=1,
        truncated_fields=("0.reason",),
        trace=(TraceStep(code=TraceCode.NEWEST_SUBMISSION, values={"submission_seq": 3, "where": "here"}),),
    ),
    left_out_turns=2,
    history_tokens=30,
    history_limit=4000,
)


def receipt_of(turn: Turn, request: bytes = b"{}", facts: RequestFacts = FACTS) -> Receipt:
    return Receipt(turn_id=turn.turn_id, request=request, model="some-model", facts=facts, sent_at=NOON)


def summary_of(conversation: Conversation, up_to_seq: int = 1, text: str = "what was said") -> Summary:
    """A summary of the turns up to this place, one message in two being a question."""
    return Summary(
        conversation_id=conversation.conversation_id,
        up_to_seq=up_to_seq,
        up_to_number=(up_to_seq + 1) // 2,
        turns=(up_to_seq + 1) // 2,
        text=text,
        tokens=40,
        model="some-model",
        made_at=NOON,
    )


def call_about(attempt: Attempt, part: str = "tests") -> CallSubject:
    return CallSubject(use=CallUse.JUDGEMENT, subject_id=attempt.attempt_id, part=part)


def call_for_summary(conversation: Conversation, part: str = "3") -> CallSubject:
    return CallSubject(use=CallUse.SUMMARY, subject_id=conversation.conversation_id, part=part)


def sent_call(request: bytes = b'{"messages":[]}', answer: str | None = "an answer") -> SentCall:
    """A request that was tried twice."""
    tries = (
        Try(number=1, waited_s=0, result="rate_limited", retry_after_s=2, started_at=NOON, seconds=0.2),
        Try(number=2, waited_s=2, result="ok", started_at=NOON, seconds=1.5, usage=Usage(input_tokens=9)),
    )
    return SentCall(request=request, answer=answer, tries=tries, usage=Usage(input_tokens=9))


T = TypeVar("T")


def at_once(times: int, ask: Callable[[int], T], *, threads: int = 4) -> list[T]:
    """What `ask` gives when it is called from several threads that begin together."""
    together = Barrier(threads)

    def run(thread: int) -> list[T]:
        together.wait(timeout=10)
        return [ask(number) for number in range(thread, times, threads)]

    with ThreadPoolExecutor(max_workers=threads) as pool:
        return [given for each in list(pool.map(run, range(threads))) for given in each]

"""Makes the demo's own database by playing its histories through the real stores, checks and tutor."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count

from engine.courses.course_file import read_course
from engine.courses.course_store import CourseStore
from engine.domain.artifact import ArtifactKind
from engine.domain.course import Course, Project
from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER, Owned
from engine.domain.running import Lease
from engine.domain.states import Language, OutcomeKind
from engine.domain.work import Snapshot, take_snapshot
from engine.jobs.lease_store import LeaseStore
from engine.review.checks.registry import check_params
from engine.review.criteria import CriterionFault, judge_criterion
from engine.review.decisions import DecisionDesk, Verdict
from engine.review.evidence import gather_evidence
from engine.review.hand_in import write_note
from engine.review.logs import keep_told
from engine.review.record import write_record
from engine.review.review_store import ReviewStore
from engine.review.reviewer import BegunReview, Reviewer
from engine.review.teaching_store import Teaching
from engine.revision.editing.editing_store import EditingStore
from engine.revision.style.drafting import Brief
from engine.revision.style.preference_desk import PreferenceDesk
from engine.scenarios.demo_chains import lesson_plan
from engine.scenarios.demo_class import class_work, classmates
from engine.scenarios.demo_histories import demo_course_text, demo_histories, demo_learners
from engine.scenarios.demo_steps import (
    Ask,
    BrokenOff,
    Decide,
    DemoHistory,
    HandIn,
    Opens,
    Report,
    Review,
    ReviewBroken,
    ReviewUnavailable,
    RulesChange,
    StepIn,
    TeacherStep,
    Write,
    WriteAgain,
    rules_before,
)
from engine.scenarios.demo_styles import NEXT, brief, style_texts
from engine.scenarios.demo_texts import words_in
from engine.scenarios.demo_writing import DemoWriting
from engine.sessions.session_store import SessionStore
from engine.tutoring.opener import Opener
from engine.tutoring.tutor import Tutor
from engine.work.artifact_store import ArtifactStore
from engine.work.gathering import environment_note, join
from engine.work.unpack import Upload, read_hand_in
from engine.work.work_store import WorkStore

_LEASE = Lease(holder="demo", seconds=60)
_STEP = timedelta(minutes=4)


class DemoClock:
    """A clock that is set to the past and goes on a little with every look."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        """The moment the history has come to."""
        self.now += timedelta(milliseconds=20)
        return self.now


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoStores:
    """What histories are played through: the product's own stores and use cases, on the demo's database."""

    courses: CourseStore
    work: WorkStore
    artifacts: ArtifactStore
    preferences: PreferenceDesk
    edits: EditingStore
    sessions: SessionStore
    reviews: ReviewStore
    leases: LeaseStore
    tutor: Tutor
    opener: Opener
    reviewer: Reviewer
    decisions: DecisionDesk
    teaching: Teaching
    clock: DemoClock


def play_demo(stores: DemoStores, now: datetime) -> None:
    """Fill an empty database with the demo course and its histories, in both languages, ending at `now`."""
    for language in Language:
        _Demo(stores, language, now).play()


class _Demo:
    """The demo in one language."""

    def __init__(self, stores: DemoStores, language: Language, now: datetime) -> None:
        self._stores = stores
        self._language = language
        self._now = now
        stores.clock.now = now - timedelta(days=30)
        read = read_course(demo_course_text(language), known_checks=check_params)
        self._course = _with_due_dates(replace(read, course_id=f"{read.course_id}-{language}"), now)
        self._histories = demo_histories(language)

    def play(self) -> None:
        kept = self._stores.courses.keep_course(LOCAL_VIEWER, _before_changes(self._course, self._histories))
        self._projects = {
            file.project_id: row.project_id for file, row in zip(self._course.projects, kept.projects, strict=True)
        }
        self._learners = {
            learner.learner_id: self._stores.courses.add_learner(
                LOCAL_VIEWER, learner.name, course_id=kept.course_id, number=f"2026{number:03}"
            ).learner_id
            for number, learner in enumerate(demo_learners(self._language), start=1)
        }
        for history in self._histories:
            self._play_history(history)
        self._play_styles()
        self._play_class(kept.course_id)
        self._play_lesson_plan(kept.projects[0].project_id)

    def _writing(self, owned: Owned, task_id: str | None) -> DemoWriting:
        stores = self._stores
        return DemoWriting(stores.artifacts, stores.edits, stores.preferences, owned, task_id)

    def _play_styles(self) -> None:
        """Short notes of whoever writes the report, and a draft by what was learned from them."""
        history = next(one for one in self._histories if any(isinstance(step, Write) for step in one.steps))
        words, project_id = words_in(self._language), self._projects[history.project_id]
        owned = Owned(learner_id=self._learners[history.learner_id], project_id=project_id)
        writing = self._writing(owned, history.task_id)
        for number, step in enumerate(style_texts(words)):
            self._stores.clock.now = self._now - timedelta(days=11) + number * _STEP
            writing.write(step, "")
        asked = Brief(
            owned=owned, kind=ArtifactKind.REPORT, file_name=NEXT, words=brief(words), task_id=history.task_id
        )
        self._stores.preferences.drafter.draft(LOCAL_VIEWER, asked)

    def _play_lesson_plan(self, project_id: str) -> None:
        owned = Owned(learner_id=None, project_id=project_id)
        writing = self._writing(owned, None)
        for number, step in enumerate(lesson_plan(words_in(self._language))):
            self._stores.clock.now = self._now - timedelta(days=13 - number)
            writing.write(step, "")

    def _play_class(self, course_id: str) -> None:
        """The rest of the class, which talks to nobody."""
        for learner in classmates(self._language):
            added = self._stores.courses.add_learner(LOCAL_VIEWER, learner.name, course_id=course_id)
            self._learners[learner.learner_id] = added.learner_id
        for work in class_work(self._language):
            key = FeedbackKey(
                learner_id=self._learners[work.learner_id],
                project_id=self._projects[work.project_id],
                task_id=work.task_id,
            )
            for step in work.hand_ins:
                self._stores.clock.now = self._now - timedelta(days=step.days_ago)
                submission, _ = self._stores.work.hand_in(LOCAL_VIEWER, key, _snapshot(step))
                self._stores.clock.now += _STEP
                self._play_step(Review(), submission.submission_id, "")

    def _play_history(self, history: DemoHistory) -> None:
        key = FeedbackKey(
            learner_id=self._learners[history.learner_id],
            project_id=self._projects[history.project_id],
            task_id=history.task_id,
        )
        conversation = self._stores.sessions.open_conversation(LOCAL_VIEWER, key)
        self._stores.clock.now = self._now - timedelta(hours=3)
        newest = ""
        owned = Owned(learner_id=key.learner_id, project_id=key.project_id)
        writing = self._writing(owned, key.task_id)
        for step in history.steps:
            if isinstance(step, HandIn):
                self._stores.clock.now = self._now - timedelta(days=step.days_ago)
                newest = self._hand_in(key, step, conversation.conversation_id, writing)
            else:
                self._stores.clock.now = min(self._stores.clock.now + _STEP, self._now)
                if isinstance(step, Write | WriteAgain):
                    writing.write(step, newest)
                elif isinstance(step, TeacherStep):
                    self._play_desk(step, newest, conversation.conversation_id)
                else:
                    self._play_step(step, newest, conversation.conversation_id)

    def _hand_in(self, key: FeedbackKey, step: HandIn, conversation_id: str, writing: DemoWriting) -> str:
        submission, _ = self._stores.work.hand_in(
            LOCAL_VIEWER,
            key,
            _snapshot(step),
            provenance=step.provenance,
            from_version_id=writing.version_id(*step.version) if step.version else None,
        )
        self._stores.sessions.add_note(LOCAL_VIEWER, conversation_id, write_note(submission))
        return submission.submission_id

    def _play_step(
        self,
        step: Review | ReviewUnavailable | ReviewBroken | RulesChange | Ask | BrokenOff | Opens,
        submission_id: str,
        conversation: str,
    ) -> None:
        match step:
            case Review():
                begun = self._stores.reviewer.begin(LOCAL_VIEWER, submission_id, _LEASE)
                self._stores.reviewer.judge(LOCAL_VIEWER, begun)
            case ReviewUnavailable(fault=fault):
                begun = self._stores.reviewer.begin(LOCAL_VIEWER, submission_id, _LEASE)
                self._stores.reviews.finish(
                    LOCAL_VIEWER, begun.attempt.attempt_id, OutcomeKind.UNAVAILABLE, fault=fault
                )
            case ReviewBroken(left_out=left_out):
                self._break(self._stores.reviewer.begin(LOCAL_VIEWER, submission_id, _LEASE), left_out)
            case RulesChange():
                self._stores.courses.keep_course(LOCAL_VIEWER, self._course)
            case Ask(text=text):
                turn = self._stores.tutor.begin(LOCAL_VIEWER, conversation, text, _LEASE)
                self._stores.tutor.answer(LOCAL_VIEWER, turn)
            case Opens():
                self._open(conversation)
            case BrokenOff(text=text, arrived=arrived):
                turn = self._stores.tutor.begin(LOCAL_VIEWER, conversation, text, _LEASE)
                owner_id = self._stores.sessions.conversation(LOCAL_VIEWER, conversation).key.learner_id
                self._stores.leases.keep_progress(turn.turn_id, owner_id, arrived)
                self._stores.tutor.interrupt(turn.turn_id)

    def _open(self, conversation: str) -> None:
        key = self._stores.sessions.conversation(LOCAL_VIEWER, conversation).key
        attempt = self._stores.tutor.current_feedback(LOCAL_VIEWER, key).attempt
        turn = self._stores.opener.begin(key, attempt.attempt_id, _LEASE) if attempt else None
        if turn is not None:
            self._stores.tutor.answer(LOCAL_VIEWER, turn)

    def _play_desk(self, step: TeacherStep, submission_id: str, conversation_id: str) -> None:
        seen = 0 if isinstance(step, StepIn) else self._newest_attempt(submission_id)
        match step:
            case Report(rubric_id=rubric_id, text=text):
                self._stores.teaching.notes.report(LOCAL_VIEWER, submission_id, rubric_id, text, seen_attempt_seq=seen)
            case Decide():
                verdict = Verdict(
                    rubric_id=step.rubric_id, status=step.status, reason=step.reason, by=step.by, seen_attempt_seq=seen
                )
                self._stores.decisions.decide(LOCAL_VIEWER, submission_id, verdict)
                self._stores.teaching.notes.note(LOCAL_VIEWER, submission_id, step.note, name=step.by)
            case StepIn(text=text, by=name):
                self._stores.teaching.chats.say(LOCAL_VIEWER, conversation_id, text, name=name)

    def _newest_attempt(self, submission_id: str) -> int:
        key = self._stores.work.submission(LOCAL_VIEWER, submission_id).key
        rows = self._stores.reviews.timeline(LOCAL_VIEWER, key)
        return next(row.attempt.attempt_seq for row in rows if row.attempt is not None)

    def _break(self, begun: BegunReview, left_out: str) -> None:
        """Store a record that is real except for one criterion that it does not name."""
        snapshot = self._stores.work.snapshot(LOCAL_VIEWER, begun.submission.submission_id)
        evidence = gather_evidence(snapshot)
        judged = [judge_criterion(line, evidence, self._language) for line in begun.given.task.criteria]
        results = [one for one in judged if not isinstance(one, CriterionFault) and one.rubric_id != left_out]
        self._stores.reviews.finish(
            LOCAL_VIEWER,
            begun.attempt.attempt_id,
            OutcomeKind.COMPLETED,
            record=write_record(results, begun.given),
            snapshot_hash=begun.submission.snapshot_hash,
        )


def _with_due_dates(course: Course, now: datetime) -> Course:
    """One task after the other, three days apart: the first ones were due before `now`."""
    noon = now.replace(hour=12, minute=0, second=0, microsecond=0)
    days = count(-8, 3)
    return replace(
        course,
        projects=tuple(
            replace(
                project,
                tasks=tuple(replace(task, due_at=noon + timedelta(days=next(days))) for task in project.tasks),
            )
            for project in course.projects
        ),
    )


def _snapshot(step: HandIn) -> Snapshot:
    uploads = [Upload(name=path, content=text.encode()) for path, text in step.files.items()]
    said = environment_note(step.note)
    read = join([read_hand_in(uploads), *([said] if said else [])])
    return take_snapshot(tuple(keep_told(file) for file in read.files))


def _before_changes(course: Course, histories: tuple[DemoHistory, ...]) -> Course:
    """The course as it was before any teacher changed a rule."""
    changes = {
        (history.project_id, history.task_id): step
        for history in histories
        for step in history.steps
        if isinstance(step, RulesChange)
    }

    def earlier(project: Project) -> Project:
        tasks = (
            rules_before(task, changes[key]) if (key := (project.project_id, task.task_id)) in changes else task
            for task in project.tasks
        )
        return replace(project, tasks=tuple(tasks))

    return replace(course, projects=tuple(earlier(project) for project in course.projects))

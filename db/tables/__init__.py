"""SQLModel rows by concern. Importing this package registers every table."""

from db.tables.artifacts import ArtifactRow, ArtifactSubmissionRow, ArtifactVersionRow
from db.tables.base import Base
from db.tables.calls import ModelCallRow
from db.tables.ci import CiTokenRow
from db.tables.courses import CourseRow, CriterionRow, ProjectRow, TaskRow
from db.tables.desk import CardNoteRow, DisputeRow, ReservationRow, TeacherMessageRow
from db.tables.edits import (
    EditConversationRow,
    EditMessageRow,
    RevisionRecordRow,
    SuggestionRow,
    SuggestionStateRow,
)
from db.tables.jobs import JobItemRow, JobRow, JobStateRow, JobStepRow, WorkerBeatRow
from db.tables.people import EnrolmentRow, LearnerRow, MemberRow, TeacherRow, TeachingRow
from db.tables.personas import (
    LearningAttemptRow,
    PersonaRow,
    RuleEventRow,
    RuleEvidenceRow,
    RuleUseRow,
    StyleRuleRow,
)
from db.tables.review import AttemptRow, OutcomeRow
from db.tables.running import AuditRow, CounterRow, LeaseRow, ProgressRow
from db.tables.sessions import (
    ConversationRow,
    DraftRow,
    MessageRow,
    OpeningRow,
    PlanRow,
    ReceiptRow,
    SummaryRow,
    TurnEndRow,
    TurnRow,
)
from db.tables.settings import SettingRow
from db.tables.work import ProvenanceRow, SubmissionRow, TextRow, VersionFileRow, VersionRow

__all__ = [
    "ArtifactRow",
    "ArtifactSubmissionRow",
    "ArtifactVersionRow",
    "AttemptRow",
    "AuditRow",
    "Base",
    "CardNoteRow",
    "CiTokenRow",
    "ConversationRow",
    "CounterRow",
    "CourseRow",
    "CriterionRow",
    "DisputeRow",
    "DraftRow",
    "EditConversationRow",
    "EditMessageRow",
    "EnrolmentRow",
    "JobItemRow",
    "JobRow",
    "JobStateRow",
    "JobStepRow",
    "LearnerRow",
    "LearningAttemptRow",
    "LeaseRow",
    "MemberRow",
    "MessageRow",
    "ModelCallRow",
    "OpeningRow",
    "OutcomeRow",
    "PersonaRow",
    "PlanRow",
    "ProgressRow",
    "ProjectRow",
    "ProvenanceRow",
    "ReceiptRow",
    "ReservationRow",
    "RevisionRecordRow",
    "RuleEventRow",
    "RuleEvidenceRow",
    "RuleUseRow",
    "SettingRow",
    "StyleRuleRow",
    "SubmissionRow",
    "SuggestionRow",
    "SuggestionStateRow",
    "SummaryRow",
    "TaskRow",
    "TeacherMessageRow",
    "TeacherRow",
    "TeachingRow",
    "TextRow",
    "TurnEndRow",
    "TurnRow",
    "VersionFileRow",
    "VersionRow",
    "WorkerBeatRow",
]

"""The keys that feedback belongs to, and the versions it was judged by."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackKey:
    """Whose feedback on what: nothing crosses any of the three."""

    learner_id: str
    """Row id of a student or a team."""
    project_id: str
    """Row id of a project, a part of a course."""
    task_id: str
    """The course author's id of a task; unique inside its project only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Versions:
    """What a review was judged by. Two reviews are compatible when all three are equal; the model is not among them."""

    rubric: str
    """Hash of what decides in the task's rubric."""
    prompt: str
    """Hash of the review prompts."""
    engine: str
    """Constant of the review logic, raised by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewLogic:
    """The versions that are the same for every task: of the review prompts and of the review's own logic."""

    prompt: str
    engine: str

    def with_rubric(self, rubric: str) -> Versions:
        """The versions in force for a task with this rubric."""
        return Versions(rubric=rubric, prompt=self.prompt, engine=self.engine)

"""A place where Ada writes: a space on an empty database, her texts, and what is learned from them."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from engine.domain.artifact import (
    Artifact,
    ArtifactKind,
    ArtifactVersion,
    NewVersion,
    VersionAuthor,
    VersionReason,
)
from engine.domain.clock import Clock
from engine.domain.people import LOCAL_VIEWER, Owned
from engine.domain.preference import Persona, Rule, RuleState, Standing
from engine.llm.gateway import Gateway
from engine.wiring import Space, build_space
from tests.stores.builders import COURSE


@dataclass
class Studio:
    """Ada's texts in one space."""

    space: Space
    owned: Owned
    texts: int = 0

    def begin(self, body: str, kind: ArtifactKind = ArtifactKind.ANNOUNCEMENT) -> tuple[Artifact, ArtifactVersion]:
        self.texts += 1
        first = NewVersion(title="T", body=body, author=VersionAuthor.STUDENT, reason=VersionReason.FIRST)
        return self.space.artifacts.begin(LOCAL_VIEWER, self.owned, first, kind=kind, file_name=f"text{self.texts}.md")

    def change(
        self,
        base: ArtifactVersion,
        body: str,
        *,
        reason: VersionReason = VersionReason.EDITED,
        note: str = "",
        learn: bool = True,
    ) -> ArtifactVersion:
        author = VersionAuthor.MODEL if reason is VersionReason.ASKED else VersionAuthor.STUDENT
        new = NewVersion(title="T", body=body, author=author, reason=reason, note=note)
        saved = self.space.artifacts.save(LOCAL_VIEWER, base.artifact_id, base.version_id, new, branch=True).version
        if learn:
            self.space.preferences.learner.learn(LOCAL_VIEWER, saved.artifact_id, saved.version_id)
        return saved

    def edit(self, old: str, new: str, note: str = "") -> ArtifactVersion:
        """A new text, changed by hand."""
        return self.change(self.begin(old)[1], new, note=note)

    def ask(self, note: str, old: str = "One. Two.\n", new: str = "One. Three.\n") -> ArtifactVersion:
        """A new text, changed by a model on the person's words."""
        return self.change(self.begin(old)[1], new, reason=VersionReason.ASKED, note=note)

    @property
    def persona(self) -> Persona | None:
        return self.space.preferences.personas.find(LOCAL_VIEWER, self.owned)

    @property
    def standings(self) -> tuple[Standing, ...]:
        persona = self.persona
        return self.space.preferences.habits.standings(LOCAL_VIEWER, persona.persona_id) if persona else ()

    @property
    def rules(self) -> tuple[Rule, ...]:
        persona = self.persona
        return self.space.preferences.personas.read(LOCAL_VIEWER, persona.persona_id).rules if persona else ()

    def states(self) -> dict[str, RuleState]:
        return {f"{one.rule.aspect} {one.rule.direction}": one.state for one in self.standings}


@contextmanager
def opened_studio(folder: Path, migrated: Path, gateway: Gateway, clock: Clock) -> Iterator[Studio]:
    """Ada's, whose space is asked by `gateway`; its worker is not started."""
    shutil.copy(migrated, folder / "studio.db")
    space = build_space(f"sqlite:///{folder / 'studio.db'}", gateway, clock=clock)
    try:
        course = space.courses.keep_course(LOCAL_VIEWER, COURSE)
        learner = space.courses.add_learner(LOCAL_VIEWER, "Ada", course_id=course.course_id)
        yield Studio(space=space, owned=Owned(learner_id=learner.learner_id, project_id=course.projects[0].project_id))
    finally:
        space.close()

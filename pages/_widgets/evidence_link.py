"""From a card to what it stands on: the place of a criterion, the files, the commit and the environment."""

from collections.abc import Callable

import streamlit as st

from engine.domain.people import Viewer
from engine.domain.states import FileState
from engine.domain.work import Provenance, WorkFile
from engine.review.places import place_in
from engine.work.artifact_store import ArtifactStore
from engine.work.work_store import WorkStore
from pages._widgets.address import close_in_address, name_in_address
from pages._widgets.markdown import literal
from pages._widgets.version_link import draw_version_link
from pages._widgets.words import _

FILE = "file"
"""In the address: the place that is open, `path:line` or a path; empty for the list of files alone."""
SUBMISSION = "submission"
"""In the address: whose files; without it those of the review on the screen."""
COMMIT_CHARACTERS = 10
NOTE_SHOWN = 300
"""Characters of a note on a card; all of it stands in its file."""


def draw_place_button(submission_id: str, evidence: str, *, key: str) -> None:
    """The button that opens the file and line that an evidence names."""
    st.button(
        _("Open the place"),
        key=f"place_{key}",
        icon=":material/description:",
        type="tertiary",
        on_click=point_at_file,
        args=(submission_id, place_in(evidence)),
    )


def point_at_file(submission_id: str, place: str) -> None:
    """Let the address name a place in a submission."""
    close_in_address("turn")
    name_in_address(SUBMISSION, submission_id)
    name_in_address(FILE, place)


def forget_file() -> None:
    """Let the address name no place."""
    close_in_address(SUBMISSION, FILE)


def sources_of(viewer: Viewer, work: WorkStore, submission_id: str, artifacts: ArtifactStore) -> Callable[[], None]:
    """Draws, at the foot of a card, where its files came from and what is said of their environment."""

    def draw() -> None:
        for source in artifacts.sources(viewer, (submission_id,)):
            draw_version_link(viewer, artifacts, source)
        files = work.files(viewer, submission_id)
        told = [*_commit(work.provenance(viewer, submission_id)), *_unread(files)]
        told += [_note(words) for words in work.environment_notes(viewer, submission_id)]
        if told:
            st.markdown("\n\n".join(told))
        st.button(
            _("Files ({n})", n=len(files)),
            key=f"files_{submission_id}",
            icon=":material/folder_open:",
            type="tertiary",
            on_click=point_at_file,
            args=(submission_id, ""),
        )

    return draw


def commit_words(provenance: Provenance) -> str:
    """Commit and repository as one line of Markdown, the address as text that leads nowhere."""
    commit = f"`{provenance.commit_id[:COMMIT_CHARACTERS]}`"
    address = provenance.address.replace("`", "'")
    shown = f"`{address}`"
    return _("Commit {commit} of {address}", commit=commit, address=shown)


def _commit(provenance: Provenance | None) -> list[str]:
    return [] if provenance is None else [f":material/commit: {commit_words(provenance)}"]


def _unread(files: tuple[WorkFile, ...]) -> list[str]:
    """Files that are there and could not be read: told as a fact, since they are not missing."""
    unread = [file for file in files if file.state is not FileState.TEXT]
    if not unread:
        return []
    names = _(", ").join(literal(file.path) for file in unread[:3])
    more = " …" if len(unread) > 3 else ""
    words = _("Handed in, but not readable as text:")
    return [f":material/visibility_off: {words} {names}{more}"]


def _note(words: str) -> str:
    shown = words if len(words) <= NOTE_SHOWN else f"{words[: NOTE_SHOWN - 1]}…"
    lines = "  \n".join(literal(line) for line in shown.splitlines() if line.strip())
    name = _("the environment as the student describes it, not checked")
    return f":gray[{name}]  \n{lines}"

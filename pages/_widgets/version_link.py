"""From a review to the version that was handed in."""

import streamlit as st

from engine.domain.artifact import VersionHandedIn
from engine.domain.people import Viewer
from engine.work.artifact_store import ArtifactStore
from pages._widgets.markdown import literal
from pages._widgets.words import _


def draw_version_link(viewer: Viewer, artifacts: ArtifactStore, source: VersionHandedIn) -> None:
    """The way to the version on its chain."""
    artifact = artifacts.artifact(viewer, source.artifact_id)
    title = literal(source.title or artifact.file_name)
    st.page_link(
        "revisions.py",
        label=_("from V{n} of {title}", n=source.number, title=title),
        icon=":material/difference:",
        query_params={
            "task": f"{artifact.owned.project_id}/{artifact.task_id}",
            "course": artifact.course_id,
            "student": artifact.owned.learner_id or "",
            "text": artifact.artifact_id,
            "new": str(source.number),
        },
        width="content",
    )

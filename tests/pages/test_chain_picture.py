"""What the picture of a chain is drawn from."""

import pytest
from streamlit.material_icon_names import ALL_MATERIAL_ICONS

from engine.domain.artifact import VersionAuthor, VersionReason
from engine.domain.people import LOCAL_VIEWER
from pages._widgets.chain_picture import nodes_of
from pages._widgets.version_standing import read_standings
from pages._widgets.version_words import AUTHOR_ICONS, REASON_ICONS
from tests.pages.conftest import OpenPage
from tests.pages.test_revisions_page import demo, lines, report


@pytest.mark.parametrize(
    ("icons", "members"), [(AUTHOR_ICONS, list(VersionAuthor)), (REASON_ICONS, list(VersionReason))], ids=["by", "why"]
)
def test_every_author_and_reason_has_an_icon_of_its_own_that_there_is(
    icons: dict[str, str], members: list[str]
) -> None:
    assert sorted(icons) == sorted(members)
    assert len(set(icons.values())) == len(members)
    assert set(icons.values()) <= set(ALL_MATERIAL_ICONS)


def test_a_node_tells_who_made_it_and_how_it_stands_by_icon_colour_and_word(open_page: OpenPage) -> None:
    open_page("revisions.py", lang="en")
    chain = lines()
    standings = read_standings(LOCAL_VIEWER, demo(), report().artifact)
    nodes = nodes_of(chain, standings, chain[4], chain[5])
    told = [(node["label"], node["by"], node["icon"], node["colour"]) for node in nodes]
    assert told == [
        ("V1", "person", "draft", ""),
        ("V2", "smart_toy", "edit_note", ""),
        ("V3", "person", "edit", ""),
        ("V4", "smart_toy", "assignment_late", "red"),
        ("V5", "person", "edit", ""),
        ("V6", "person", "history", ""),
    ]
    assert all(node["under"] for node in nodes)

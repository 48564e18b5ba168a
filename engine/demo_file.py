"""The demo's database: made whole or not at all, and anew when the review logic is another."""

import hashlib
from datetime import datetime
from pathlib import Path

from sqlalchemy import make_url

from db.connection import close_database, connect
from engine.llm.offline import offline_gateway
from engine.review.version import review_logic
from engine.scenarios.demo import DemoClock, DemoStores, play_demo
from engine.settings import Settings
from engine.wiring import build_space

_AT_ONCE = 10_000
"""Characters: nobody watches the demo being made."""


def build_demo(settings: Settings, now: datetime) -> None:
    """Make the demo's database if there is none, or one whose reviews are out of date; whole or not at all.

    The one that was out of date stays beside it as `demo.old.db`, until the next time.
    """
    target = demo_file(settings)
    if target.exists() and _demo_edition(target) != demo_edition():
        unneeded = [each for each in with_beside(target)[1:] if each.exists()]
        target.replace(outdated_demo(target))
        for each in unneeded:
            each.unlink()
    if not target.exists():
        make_demo(settings, now).replace(target)


def outdated_demo(file: Path) -> Path:
    """Where a demo of an earlier review logic is put away."""
    return file.with_name(f"{file.stem}.old{file.suffix}")


def demo_edition() -> int:
    """By which review logic a demo is made now, as a number that a SQLite file keeps in its head."""
    logic = review_logic()
    return int(hashlib.sha256(f"{logic.prompt}/{logic.engine}".encode()).hexdigest()[:7], 16)


def _demo_edition(file: Path) -> int:
    database = connect(f"sqlite:///{file}")
    try:
        with database.connect() as connection:
            return int(connection.exec_driver_sql("PRAGMA user_version").scalar_one())
    finally:
        close_database(database)


def _mark_edition(file: Path) -> None:
    database = connect(f"sqlite:///{file}")
    try:
        with database.connect() as connection:
            connection.exec_driver_sql(f"PRAGMA user_version = {demo_edition()}")
            connection.commit()
    finally:
        close_database(database)


def demo_file(settings: Settings) -> Path:
    """Where the demo's database lies, if there is one."""
    return Path(make_url(settings.demo_url).database or "")


def with_beside(file: Path) -> tuple[Path, ...]:
    """A SQLite file and what SQLite puts beside it."""
    return file, file.with_name(f"{file.name}-wal"), file.with_name(f"{file.name}-shm")


def make_demo(settings: Settings, now: datetime) -> Path:
    """Play the demo into a file beside its place, and give that file."""
    target = demo_file(settings)
    unfinished = target.with_name(target.name + ".new")
    unfinished.unlink(missing_ok=True)
    clock = DemoClock(now)
    space = build_space(f"sqlite:///{unfinished}", offline_gateway(delay_s=0, piece_chars=_AT_ONCE), clock=clock)
    stores = DemoStores(
        courses=space.courses,
        work=space.work,
        artifacts=space.artifacts,
        preferences=space.preferences,
        edits=space.edits,
        sessions=space.sessions,
        reviews=space.reviews,
        leases=space.leases,
        tutor=space.tutor,
        opener=space.opener,
        reviewer=space.reviewer,
        decisions=space.decisions,
        teaching=space.teaching,
        clock=clock,
    )
    try:
        play_demo(stores, now)
    finally:
        space.close()
    _mark_edition(unfinished)
    return unfinished

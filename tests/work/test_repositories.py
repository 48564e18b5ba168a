"""Repositories come in while somebody looks on, belong to one form of one person, and can be stopped."""

import time
from pathlib import Path

import pytest

from engine.domain.people import LOCAL_VIEWER, Viewer, ViewerKind
from engine.errors import HandInError
from engine.work.git_address import GitPolicy, GitProblem
from engine.work.git_source import GitLimits, GitSource
from engine.work.repositories import KEPT_SECONDS, FetchPhase, FetchReport, RepositoryDesk
from tests.work.repositories import LOCAL, PUBLIC, Repository, stand_in

SLOW = 'touch "$here/began"; sleep 30'
EVE = Viewer(kind=ViewerKind.STUDENT, person_id="eve")


def desk_with(program: Path | str = "git", clock: list[float] | None = None) -> RepositoryDesk:
    source = GitSource(
        policy=LOCAL,
        limits=GitLimits(look_every_s=0.01),
        program=str(program),
        resolve=lambda _host, _port: ("8.8.8.8",),
    )
    return RepositoryDesk(source, monotonic=(lambda: clock[0]) if clock else time.monotonic)


def ended(desk: RepositoryDesk, form: str = "form") -> FetchReport:
    until = time.monotonic() + 20
    while time.monotonic() < until:
        report = desk.look(LOCAL_VIEWER, form)
        assert report is not None
        if report.phase in (FetchPhase.DONE, FetchPhase.FAILED):
            return report
        time.sleep(0.01)
    raise AssertionError("it never ended")


def test_what_has_come_in_waits_until_it_is_taken(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "shop")
    commit = repository.commit({"a.txt": b"a"})
    desk = desk_with()
    assert desk.look(LOCAL_VIEWER, "form") is None
    desk.begin(LOCAL_VIEWER, "form", str(repository.folder), "main")
    report = ended(desk)
    assert report.fetched is not None
    assert (report.phase, report.fetched.provenance.commit_id) == (FetchPhase.DONE, commit)
    assert report.received_bytes > 0
    desk.forget(LOCAL_VIEWER, "form")
    assert desk.look(LOCAL_VIEWER, "form") is None


def test_another_person_with_the_same_token_sees_nothing(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "shop")
    repository.commit({"a.txt": b"a"})
    desk = desk_with()
    desk.begin(LOCAL_VIEWER, "form", str(repository.folder), "")
    ended(desk)
    assert desk.look(EVE, "form") is None
    desk.forget(EVE, "form")
    assert desk.look(LOCAL_VIEWER, "form") is not None


def test_a_refusal_is_kept_as_the_end(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "shop")
    repository.commit({"a.txt": b"a"})
    desk = desk_with()
    desk.begin(LOCAL_VIEWER, "form", str(repository.folder), "nowhere")
    report = ended(desk)
    assert report.error is not None
    assert (report.phase, report.error.reason) == (FetchPhase.FAILED, GitProblem.UNKNOWN)


def test_what_cannot_be_an_address_begins_nothing() -> None:
    desk = RepositoryDesk(GitSource(policy=GitPolicy()))
    with pytest.raises(HandInError):
        desk.begin(LOCAL_VIEWER, "form", "ext::sh", "")
    assert desk.look(LOCAL_VIEWER, "form") is None


@pytest.mark.parametrize("how", ["forget", "close"])
def test_a_fetch_that_is_stopped_ends_its_program(tmp_path: Path, how: str) -> None:
    program = stand_in(tmp_path, f'{SLOW} & echo $! > "$here/child"; wait')
    desk = desk_with(program)
    desk.begin(LOCAL_VIEWER, "form", PUBLIC, "")
    until = time.monotonic() + 10
    while not (tmp_path / "began").exists() and time.monotonic() < until:
        time.sleep(0.01)
    desk.forget(LOCAL_VIEWER, "form") if how == "forget" else desk.close()
    assert desk.look(LOCAL_VIEWER, "form") is None
    child = Path(f"/proc/{(tmp_path / 'child').read_text().strip()}/cmdline")
    while child.exists() and child.read_bytes() and time.monotonic() < until:
        time.sleep(0.01)
    assert not child.exists() or not child.read_bytes()


def test_what_nobody_takes_is_let_go_of(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "shop")
    repository.commit({"a.txt": b"a"})
    clock = [0.0]
    desk = desk_with(clock=clock)
    desk.begin(LOCAL_VIEWER, "old", str(repository.folder), "nowhere")
    ended(desk, "old")
    clock[0] = KEPT_SECONDS + 1
    desk.begin(LOCAL_VIEWER, "new", str(repository.folder), "")
    assert desk.look(LOCAL_VIEWER, "old") is None
    assert ended(desk, "new").phase is FetchPhase.DONE

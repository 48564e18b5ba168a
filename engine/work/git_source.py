"""The files of a repository at one commit, through git itself, in a folder that is thrown away.

Nothing is checked out: git writes a bare repository, from which trees and contents are read. So no filter, hook,
attribute or link of the repository is ever followed. What git may do besides is closed by its environment: no
configuration of the machine, no questions, no transport but the one asked for, no redirect, and of a host only the
addresses that were checked, so that a name that changes between the look and the fetch leads nowhere else.
"""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Protocol

from engine.domain.work import Provenance
from engine.errors import HandInError
from engine.work.decoding import HEAD, decode_name
from engine.work.gathering import TreeFile, read_tree
from engine.work.git_address import (
    GitPolicy,
    GitProblem,
    GitTarget,
    Resolve,
    Transport,
    check_host,
    read_address,
    read_name,
    refusal,
    resolve_host,
)
from engine.work.unpack import MIB, HandIn, HandInLimits

_OLDEST = (2, 37)
"""The first that can be told which addresses a host has."""
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SHORT_COMMIT = re.compile(r"[0-9a-f]{7,64}", re.IGNORECASE)
_VERSION = re.compile(rb"git version (\d+)\.(\d+)")
_FILES, _LINKS, _MODULES = (b"100644", b"100755", b"100664"), b"120000", b"160000"
_SAID_CHARACTERS = 300
_UNKNOWN_NAME = re.compile(r"couldn't find remote ref|not our ref|unadvertised object|no such remote ref", re.I)
_SAID: tuple[tuple[GitProblem, re.Pattern[str]], ...] = (
    (GitProblem.OWNER, re.compile("dubious ownership", re.I)),
    (GitProblem.TRANSPORT, re.compile(r"transport '.*' not allowed|unable to find remote helper", re.I)),
    (GitProblem.MOVED, re.compile(r"returned error: 30\d|redirect", re.I)),
    (
        GitProblem.CLOSED,
        re.compile(
            r"could not read (?:username|password)|authentication failed|permission denied|host key verification"
            r"|returned error: 40[1347]|not found|does not appear to be a git repository|not a git repository",
            re.I,
        ),
    ),
    (
        GitProblem.HOST,
        re.compile(
            r"could not resolve|failed to connect|couldn't connect|connection (?:refused|reset|timed out)|timed out"
            r"|certificate|SSL|returned error: 5\d\d|unreachable|too slow",
            re.I,
        ),
    ),
)
"""What git says, in the words of its untranslated messages, and what it comes to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GitLimits:
    """How much a repository may take."""

    seconds: float = 90.0
    """From the first step to the last."""
    fetched_bytes: int = 200 * MIB
    """On the disk while it comes in, packed."""
    listed_bytes: int = 16 * MIB
    """Of the list of files; a repository can be built whose list never ends."""
    look_every_s: float = 0.05
    """How often time, size and the wish to stop are looked at."""
    hand_in: HandInLimits = field(default_factory=HandInLimits)


class Watch(Protocol):
    """Whoever waits for it."""

    def is_stopped(self) -> bool:
        """Whether nobody wants it any more."""

    def tell_received(self, size_bytes: int) -> None:
        """So many bytes are on the disk."""

    def tell_reading(self) -> None:
        """Everything has come in and is read now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedRepository:
    """A repository at one commit."""

    read: HandIn
    provenance: Provenance
    not_followed: tuple[str, ...]
    """Paths of links and of other repositories inside it, which are no files of this one; ordered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Listed:
    """One file as git lists it."""

    blob: str
    file: TreeFile


class GitSource:
    """Fetches by the `git` program. May be shared by threads."""

    def __init__(
        self,
        *,
        policy: GitPolicy,
        limits: GitLimits | None = None,
        resolve: Resolve = resolve_host,
        program: str = "git",
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """`monotonic` gives seconds that only go forward."""
        self.policy = policy
        self._limits = limits or GitLimits()
        self._resolve = resolve
        self._program = program
        self._monotonic = monotonic

    def fetch(self, address: str, name: str, watch: Watch) -> FetchedRepository:
        """The files at `name`, a branch, tag or commit, or where the repository's own HEAD stands if it is empty.

        Raises:
            HandInError: nothing of it is taken; `reason` is a `GitProblem` or a `HandInProblem`.
        """
        target, wanted = read_address(address, self.policy), read_name(name)
        program = shutil.which(self._program)
        if program is None:
            raise refusal(GitProblem.MISSING)
        until = self._monotonic() + self._limits.seconds
        with tempfile.TemporaryDirectory(prefix="tutorloop-git-", ignore_cleanup_errors=True) as folder:
            run = _Run(
                program=program,
                host=target.host or "",
                folder=Path(folder),
                environ=_environment(target, Path(folder)),
                until=until,
                limits=self._limits,
                watch=watch,
                monotonic=self._monotonic,
            )
            _check_version(run)
            pinned = check_host(target, self._resolve)
            commit = _fetch(run, target, wanted, _options(target, pinned))
            watch.tell_reading()
            listed, not_followed = _list(run, commit)
            read = read_tree([one.file for one in listed], _contents(run, listed), self._limits.hand_in)
        provenance = Provenance(address=target.url, wanted=name.strip(), commit_id=commit)
        return FetchedRepository(read=read, provenance=provenance, not_followed=not_followed)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """One fetch: where its files stand, and when it must have ended."""

    program: str
    host: str
    """For sentences; empty for a path."""
    folder: Path
    environ: Mapping[str, str]
    until: float
    limits: GitLimits
    watch: Watch
    monotonic: Callable[[], float]

    @property
    def repository(self) -> Path:
        return self.folder / "bare"

    def git(self, *arguments: str, given: Path | None = None, most_bytes: int | None = None) -> Path:
        """Run git in the bare repository; gives the file that holds what it printed.

        Raises:
            HandInError: it failed, or one of the limits was met.
        """
        printed, said = self.folder / "printed", self.folder / "said"
        limit = self.limits.fetched_bytes if most_bytes is None else most_bytes
        with printed.open("wb") as out, said.open("wb") as err, _input(given) as source:
            process = subprocess.Popen(  # noqa: S603 - a list of arguments, no shell, checked above
                [self.program, f"--git-dir={self.repository}", *arguments],
                cwd=self.folder,
                env=self.environ,
                stdin=source,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
            try:
                self._wait(process, limit)
            finally:
                _end(process)
        if process.returncode != 0:
            raise self._failure(said.read_bytes()[-4096:].decode("utf-8", "replace"))
        return printed

    def _wait(self, process: subprocess.Popen[bytes], limit: int) -> None:
        while True:
            size = _size(self.folder)
            self.watch.tell_received(size)
            if size > limit:
                raise refusal(GitProblem.SIZE, limit_mb=limit // MIB)
            if self.watch.is_stopped():
                raise refusal(GitProblem.STOPPED)
            if self.monotonic() > self.until:
                raise refusal(GitProblem.TIME, seconds=round(self.limits.seconds))
            try:
                process.wait(timeout=self.limits.look_every_s)
            except subprocess.TimeoutExpired:
                continue
            return

    def _failure(self, said: str) -> HandInError:
        """What git said, as one of our problems; the folder, which is nobody's business, is left out."""
        told = " ".join(said.replace(str(self.folder), "").split())[-_SAID_CHARACTERS:]
        if _UNKNOWN_NAME.search(said):
            return refusal(GitProblem.UNKNOWN, told, name="")
        problem = next((problem for problem, pattern in _SAID if pattern.search(said)), GitProblem.FAILED)
        return refusal(problem, told, host=self.host)


def _input(given: Path | None) -> BinaryIO:
    return (given or Path(os.devnull)).open("rb")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the program and everything that it began, which has its process group."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _size(folder: Path) -> int:
    """Bytes of all files; one that goes while it is looked at counts nothing."""
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.lstat().st_size if not path.is_dir() else 0
        except OSError:
            continue
    return total


def _environment(target: GitTarget, folder: Path) -> dict[str, str]:
    """All that git is told by its environment; nothing else of ours reaches it."""
    is_ssh = target.transport is Transport.SSH
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": os.environ.get("HOME", str(folder)) if is_ssh else str(folder),
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "false",
        "SSH_ASKPASS": "false",
        "GIT_ALLOW_PROTOCOL": target.transport,
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_LFS_SKIP_SMUDGE": "1",
        "GIT_SSH_VARIANT": "ssh",
    }


def _options(target: GitTarget, pinned: Sequence[str]) -> list[str]:
    settings = [
        f"core.hooksPath={os.devnull}",
        "core.fsmonitor=false",
        "core.bigFileThreshold=16m",
        "credential.helper=",
        "http.followRedirects=false",
        "http.lowSpeedLimit=1000",
        "http.lowSpeedTime=20",
        "fetch.recurseSubmodules=false",
        "fetch.writeCommitGraph=false",
        "submodule.recurse=false",
        "gc.auto=0",
        "maintenance.auto=false",
        "transfer.bundleURI=false",
        "fetch.unpackLimit=1",
    ]
    if target.transport is Transport.HTTPS and ":" not in (target.host or ""):
        addresses = ",".join(f"[{one}]" if ":" in one else one for one in pinned)
        settings.append(f"http.curloptResolve={target.host}:{target.port}:{addresses}")
    if target.transport is Transport.SSH:
        settings.append(
            "core.sshCommand=ssh -F none -o BatchMode=yes -o StrictHostKeyChecking=yes -o ProxyCommand=none "
            f"-o PermitLocalCommand=no -o HostKeyAlias={target.host} -o HostName={pinned[0]}"
        )
    return [part for setting in settings for part in ("-c", setting)]


def _check_version(run: _Run) -> None:
    found = _VERSION.match(run.git("version").read_bytes())
    if found is None or (int(found[1]), int(found[2])) < _OLDEST:
        raise refusal(GitProblem.MISSING)


def _fetch(run: _Run, target: GitTarget, wanted: str, options: Sequence[str]) -> str:
    """Bring the wanted commit in, alone where the server permits; gives its id."""
    run.git("init", "--quiet", "--bare", "--template=")
    common = (*options, "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-auto-gc")
    try:
        run.git(*common, "--depth=1", "--", target.url, wanted)
        return _resolve_commit(run, "FETCH_HEAD", wanted)
    except HandInError as error:
        if error.reason != GitProblem.UNKNOWN:
            raise
        if not _SHORT_COMMIT.fullmatch(wanted):
            raise refusal(GitProblem.UNKNOWN, str(error), name=wanted) from error
    # A short id, or a server that gives away only the tips of its branches.
    run.git(*common, "--", target.url, "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
    return _resolve_commit(run, wanted.lower(), wanted)


def _resolve_commit(run: _Run, expression: str, wanted: str) -> str:
    try:
        printed = run.git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{expression}^{{commit}}")
    except HandInError as error:
        if error.reason != GitProblem.FAILED:
            raise
        raise refusal(GitProblem.UNKNOWN, name=wanted) from error
    commit = printed.read_text(encoding="ascii").strip()
    if not _COMMIT.fullmatch(commit):
        raise refusal(GitProblem.UNKNOWN, name=wanted)
    return commit


def _list(run: _Run, commit: str) -> tuple[list[_Listed], tuple[str, ...]]:
    """The files at a commit, and what is neither a file nor a folder."""
    used = _size(run.folder)
    printed = run.git(
        "ls-tree", "-r", "-z", "-l", "--full-tree", commit, most_bytes=used + run.limits.listed_bytes
    ).read_bytes()
    listed, others = [], []
    for line in printed.split(b"\0")[:-1]:
        facts, _tab, raw = line.partition(b"\t")
        mode, _kind, blob, size = facts.split()
        name = decode_name(raw)
        shown = raw.decode("utf-8", "replace") if name is None else name
        if mode in _FILES:
            listed.append(_Listed(blob=blob.decode("ascii"), file=TreeFile(name=shown, size_bytes=int(size))))
        elif mode in (_LINKS, _MODULES):
            others.append(shown)
    return listed, tuple(sorted(others))


def _contents(run: _Run, listed: Sequence[_Listed]) -> Callable[[Sequence[TreeFile]], Iterator[bytes]]:
    """Gives the contents of chosen files, in order; of one over the limit the beginning only."""
    blobs = {one.file: one.blob for one in listed}

    def read(files: Sequence[TreeFile]) -> Iterator[bytes]:
        wanted = run.folder / "wanted"
        wanted.write_text("".join(f"{blobs[file]}\n" for file in files), encoding="ascii")
        room = _size(run.folder) + run.limits.hand_in.total_bytes + run.limits.listed_bytes
        with run.git("cat-file", "--batch", given=wanted, most_bytes=room).open("rb") as printed:
            for file in files:
                yield _content(printed, file, run.limits.hand_in.file_bytes)

    return read


def _content(printed: BinaryIO, file: TreeFile, file_bytes: int) -> bytes:
    kind, size = printed.readline().split()[1:3]
    if kind != b"blob" or int(size) != file.size_bytes:
        raise refusal(GitProblem.FAILED)
    kept = file.size_bytes if file.size_bytes <= file_bytes else HEAD
    content = printed.read(kept)
    printed.seek(file.size_bytes - kept + 1, os.SEEK_CUR)
    return content

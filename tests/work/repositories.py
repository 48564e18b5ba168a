"""Real repositories for tests, made by git itself, and programs that stand in for git where it must misbehave."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from engine.errors import HandInError
from engine.work.git_address import GitPolicy, Resolve
from engine.work.git_source import FetchedRepository, GitLimits, GitSource

LOCAL = GitPolicy(local=True)
PUBLIC = "https://git.example/ada/shop.git"
PUBLIC_ADDRESSES = ("93.184.216.34", "2606:2800:220:1::1")


class Watching:
    """Somebody who waits, and who may have had enough after some looks."""

    def __init__(self, looks: int | None = None) -> None:
        self.looks = looks
        self.received: list[int] = []
        self.is_reading = False

    def is_stopped(self) -> bool:
        return self.looks is not None and len(self.received) > self.looks

    def tell_received(self, size_bytes: int) -> None:
        self.received.append(size_bytes)

    def tell_reading(self) -> None:
        self.is_reading = True


class Repository:
    """A repository in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str, given: bytes | None = None) -> str:
        environ = {
            "PATH": os.environ["PATH"],
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            **{
                f"GIT_{role}_{part}": "ada@example.org"
                for role in ("AUTHOR", "COMMITTER")
                for part in ("NAME", "EMAIL")
            },
        }
        done = subprocess.run(
            ["git", "-C", str(self.folder), *arguments], env=environ, input=given, capture_output=True, check=True
        )
        return done.stdout.decode().strip()

    def commit(self, files: Mapping[str, bytes], message: str = "work") -> str:
        """Write files and commit everything; gives the commit's id."""
        for name, content in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        self.git("add", "--all", "--force")
        self.git("commit", "--quiet", "--allow-empty", f"--message={message}")
        return self.git("rev-parse", "HEAD")


def fetch(
    address: str | Path,
    name: str = "",
    *,
    policy: GitPolicy = LOCAL,
    limits: GitLimits | None = None,
    program: str | Path = "git",
    watch: Watching | None = None,
    resolve: Resolve = lambda _host, _port: PUBLIC_ADDRESSES,
) -> FetchedRepository:
    source = GitSource(policy=policy, limits=limits, program=str(program), resolve=resolve)
    return source.fetch(str(address), name, watch or Watching())


def refused(address: str | Path, name: str = "", **how: object) -> HandInError:
    """The refusal of a fetch; it fails where there is none."""
    try:
        fetched = fetch(address, name, **how)  # type: ignore[arg-type]  # as `fetch` takes them
    except HandInError as error:
        return error
    raise AssertionError(f"{fetched.provenance} was taken")


def stand_in(folder: Path, script: str) -> Path:
    """A program for git's place; `script` sees the arguments as `$*`, and the folder of the program as `$here`."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "stand-in"
    version = 'case " $* " in *" version "*) echo "git version 2.40.0"; exit 0;; esac'
    program.write_text(f'#!/bin/sh\nhere=$(dirname "$0")\n{version}\n{script}\n', encoding="utf-8")
    program.chmod(0o755)
    return program

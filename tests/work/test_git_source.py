"""Files of a repository at one commit, through git itself, and none of its traps."""

import os
import time
from pathlib import Path

import pytest

from engine.domain.states import FileState
from engine.domain.work import take_snapshot
from engine.work.git_address import GitPolicy, GitProblem
from engine.work.git_source import GitLimits
from engine.work.unpack import MIB, HandInLimits, HandInProblem
from tests.work.repositories import PUBLIC, PUBLIC_ADDRESSES, Repository, Watching, fetch, refused, stand_in

QUICK = GitLimits(look_every_s=0.01)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "shop")


def paths(address: Path, name: str = "") -> list[str]:
    return [file.path for file in fetch(address, name).read.files]


def test_the_default_branch_is_taken_as_it_was_committed(repository: Repository) -> None:
    commit = repository.commit({"shop/app.py": b"print(1)\n", "README.md": "你好\n".encode()})
    (repository.folder / "not-committed.py").write_text("x")
    (repository.folder / "README.md").write_text("changed since")
    watch = Watching()
    fetched = fetch(repository.folder, watch=watch)
    assert [(file.path, file.body) for file in fetched.read.files] == [
        ("README.md", "你好\n"),
        ("shop/app.py", "print(1)\n"),
    ]
    assert fetched.provenance.commit_id == commit
    assert fetched.provenance.address == str(repository.folder)
    assert watch.is_reading
    assert max(watch.received) > 0


def test_a_branch_a_tag_a_commit_and_its_beginning_name_what_is_taken(repository: Repository) -> None:
    first = repository.commit({"v1.txt": b"1"})
    repository.git("tag", "--annotate", "--message=one", "one")
    repository.git("branch", "feature/search")
    repository.commit({"v2.txt": b"2"})
    for name in ("one", "feature/search", "refs/heads/feature/search", first, first[:8], first[:9].upper()):
        assert paths(repository.folder, name) == ["v1.txt"], name
    assert paths(repository.folder) == ["v1.txt", "v2.txt"]


@pytest.mark.parametrize("name", ["nowhere", "deadbeef99", "f" * 40])
def test_a_name_that_is_not_there_is_told_by_name(repository: Repository, name: str) -> None:
    repository.commit({"a.txt": b"a"})
    error = refused(repository.folder, name)
    assert (error.reason, error.values["name"]) == (GitProblem.UNKNOWN, name)


def test_an_empty_repository_and_a_folder_that_is_none_are_told(repository: Repository, tmp_path: Path) -> None:
    assert refused(repository.folder).reason == GitProblem.UNKNOWN
    (tmp_path / "plain").mkdir()
    assert refused(tmp_path / "plain").reason == GitProblem.CLOSED


def test_equal_files_of_another_commit_are_the_same_evidence(repository: Repository) -> None:
    first = repository.commit({"a.txt": b"a"})
    second = repository.commit({}, message="nothing changed")
    one, other = (fetch(repository.folder, name) for name in (first, second))
    assert one.provenance != other.provenance
    assert take_snapshot(one.read.files).snapshot_hash == take_snapshot(other.read.files).snapshot_hash


def test_links_and_other_repositories_are_named_and_not_followed(repository: Repository) -> None:
    (repository.folder / "passwd").symlink_to("/etc/passwd")
    (repository.folder / "away").symlink_to("../..")
    commit = repository.commit(
        {"a.txt": b"a", ".gitmodules": b'[submodule "m"]\n\tpath = m\n\turl = ext::sh -c touch% x\n'}
    )
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{commit},m")
    repository.git("commit", "--quiet", "--message=module")
    fetched = fetch(repository.folder)
    assert [file.path for file in fetched.read.files] == [".gitmodules", "a.txt"]
    assert fetched.not_followed == ("away", "m", "passwd")


def test_no_hook_filter_or_rewriting_of_the_users_configuration_acts(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = tmp_path / "ran"
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("reference-transaction", "post-checkout", "post-merge", "fsmonitor-watchman"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {ran}\n")
        (hooks / name).chmod(0o755)
    config = tmp_path / "config"
    config.write_text(
        f'[core]\n\thooksPath = {hooks}\n[filter "evil"]\n\tsmudge = touch {ran}\n\tprocess = touch {ran}\n'
        f'[url "ext::touch {ran}"]\n\tinsteadOf = {repository.folder}\n[protocol]\n\tallow = always\n'
        f"[uploadpack]\n\tpackObjectsHook = touch {ran}\n"
    )
    (tmp_path / ".gitconfig").write_text(config.read_text())
    for name, value in (
        ("HOME", str(tmp_path)),
        ("GIT_CONFIG_GLOBAL", str(config)),
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "core.hooksPath"),
        ("GIT_CONFIG_VALUE_0", str(hooks)),
        ("GIT_TRACE", str(ran)),
    ):
        monkeypatch.setenv(name, value)
    repository.commit({"a.txt": b"a", ".gitattributes": b"* filter=evil export-ignore\n"})
    repository.git("config", "uploadpack.packObjectsHook", f"touch {ran}")
    repository.git("config", "core.hooksPath", str(hooks))
    ran.unlink(missing_ok=True)
    assert paths(repository.folder) == [".gitattributes", "a.txt"]
    assert not ran.exists()


def test_a_promise_of_the_repository_to_fetch_the_rest_by_a_command_is_not_kept(
    repository: Repository, tmp_path: Path
) -> None:
    ran = tmp_path / "ran"
    repository.commit({"a.txt": b"a"})
    blob = repository.git("rev-parse", "HEAD:a.txt")
    (repository.folder / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    repository.git("config", "remote.evil.url", f"ext::touch {ran}")
    repository.git("config", "remote.evil.promisor", "true")
    repository.git("config", "extensions.partialClone", "evil")
    repository.git("config", "core.repositoryFormatVersion", "1")
    assert refused(repository.folder).reason in set(GitProblem)
    assert not ran.exists()


def test_a_list_of_files_that_never_ends_is_ended(repository: Repository) -> None:
    tree = repository.git("mktree", given=f"100644 blob {_blob(repository)}\tf\n".encode())
    for _level in range(12):
        entries = "".join(f"040000 tree {tree}\td{number}\n" for number in range(12))
        tree = repository.git("mktree", given=entries.encode())
    commit = repository.git("commit-tree", tree, "-m", "bomb")
    repository.git("update-ref", "refs/heads/main", commit)
    began = time.monotonic()
    error = refused(repository.folder, limits=GitLimits(listed_bytes=MIB, look_every_s=0.01))
    assert (error.reason, error.values["limit_mb"]) == (GitProblem.SIZE, 1)
    assert time.monotonic() - began < 10


def _blob(repository: Repository) -> str:
    return repository.git("hash-object", "-w", "--stdin", given=b"x")


@pytest.mark.parametrize(
    ("limits", "problem"),
    [
        pytest.param(HandInLimits(files=2), HandInProblem.TOO_MANY, id="too many"),
        pytest.param(HandInLimits(total_bytes=3000), HandInProblem.TOO_LARGE, id="too large together"),
        pytest.param(HandInLimits(path_characters=4), HandInProblem.PATH_TOO_LONG, id="a long path"),
    ],
)
def test_the_limits_of_a_hand_in_hold_before_anything_is_read(
    repository: Repository, limits: HandInLimits, problem: HandInProblem
) -> None:
    repository.commit({f"file{number}": b"x" * 1000 * number for number in range(1, 5)})
    assert refused(repository.folder, limits=GitLimits(hand_in=limits)).reason == problem


def test_a_file_over_the_limit_is_kept_by_name_and_the_rest_goes_on(repository: Repository) -> None:
    repository.commit({"big.txt": b"\n" * 3000, "logo.png": b"\x89PNG\x00", "z.txt": b"z", "node_modules/x.js": b"x"})
    fetched = fetch(repository.folder, limits=GitLimits(hand_in=HandInLimits(file_bytes=1000)))
    found = {file.path: (file.state, file.body) for file in fetched.read.files}
    assert found == {
        "big.txt": (FileState.TOO_LARGE, None),
        "logo.png": (FileState.BINARY, None),
        "z.txt": (FileState.TEXT, "z"),
    }
    assert fetched.read.skipped == ("node_modules/",)


def test_a_name_in_a_chinese_encoding_is_read(repository: Repository) -> None:
    entry = b"100644 blob " + _blob(repository).encode() + b"\t" + "说明.md".encode("gb18030") + b"\0"
    tree = repository.git("mktree", "-z", given=entry)
    repository.git("update-ref", "refs/heads/main", repository.git("commit-tree", tree, "-m", "names"))
    assert paths(repository.folder) == ["说明.md"]


def test_what_comes_in_is_ended_over_the_limit_of_bytes(repository: Repository) -> None:
    repository.commit({"a.bin": os.urandom(300_000)})
    error = refused(repository.folder, limits=GitLimits(fetched_bytes=50_000))
    assert error.reason == GitProblem.SIZE


@pytest.mark.parametrize(
    ("limits", "looks", "problem"),
    [
        pytest.param(GitLimits(seconds=0.3, look_every_s=0.01), None, GitProblem.TIME, id="out of time"),
        pytest.param(QUICK, 10, GitProblem.STOPPED, id="stopped"),
    ],
)
def test_git_and_what_it_began_end_with_the_time_or_the_wish(
    tmp_path: Path, limits: GitLimits, looks: int | None, problem: GitProblem
) -> None:
    program = stand_in(tmp_path, 'sleep 60 & echo $! > "$here/child"; wait')
    assert refused(PUBLIC, program=program, limits=limits, watch=Watching(looks)).reason == problem
    child = int((tmp_path / "child").read_text())
    until = time.monotonic() + 5
    while _lives(child) and time.monotonic() < until:
        time.sleep(0.01)
    assert not _lives(child)


def _lives(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_without_git_or_with_an_old_one_it_says_so(tmp_path: Path) -> None:
    assert refused(PUBLIC, program="no-such-program").reason == GitProblem.MISSING
    old = stand_in(tmp_path, "exit 0")
    old.write_text("#!/bin/sh\necho git version 2.36.6\n")
    assert refused(PUBLIC, program=old).reason == GitProblem.MISSING


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("fatal: could not read Username for 'https://x': terminal prompts disabled", GitProblem.CLOSED),
        ("remote: Repository not found.", GitProblem.CLOSED),
        ("fatal: unable to access: The requested URL returned error: 403", GitProblem.CLOSED),
        ("fatal: unable to access: The requested URL returned error: 301", GitProblem.MOVED),
        ("fatal: unable to access: Could not resolve host: git.example", GitProblem.HOST),
        ("fatal: unable to access: SSL certificate problem: self-signed", GitProblem.HOST),
        ("fatal: unable to access: Operation too slow. Less than 1000 bytes/sec", GitProblem.HOST),
        ("fatal: detected dubious ownership in repository at '/x'", GitProblem.OWNER),
        ("fatal: transport 'ext' not allowed", GitProblem.TRANSPORT),
        ("fatal: something new", GitProblem.FAILED),
    ],
)
def test_what_git_says_becomes_a_problem_of_ours(tmp_path: Path, said: str, problem: GitProblem) -> None:
    (tmp_path / "said").write_text(said)
    program = stand_in(tmp_path, 'case " $* " in *" fetch "*) cat "$here/said" >&2; pwd >&2; exit 128;; esac')
    error = refused(PUBLIC, program=program, limits=QUICK)
    assert error.reason == problem
    assert "tutorloop-git-" not in str(error)


def test_git_is_told_the_checked_addresses_and_nothing_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TUTORLOOP_MODEL_KEY", "sk-secret")
    program = stand_in(tmp_path, 'echo "$*" >> "$here/asked"; env >> "$here/environ"; exit 128')
    refused(PUBLIC, "main", program=program, limits=QUICK, policy=GitPolicy())
    # the first command only makes the folder; let it pass and look at the fetch
    program.write_text(
        program.read_text().replace("; exit 128", '; case " $* " in *" init "*) exit 0;; esac; exit 128')
    )
    refused(PUBLIC, "main", program=program, limits=QUICK, policy=GitPolicy())
    asked = (tmp_path / "asked").read_text().splitlines()[-1]
    assert f"http.curloptResolve=git.example:443:{PUBLIC_ADDRESSES[0]},[{PUBLIC_ADDRESSES[1]}]" in asked
    assert "http.followRedirects=false" in asked
    assert f"core.hooksPath={os.devnull}" in asked
    assert asked.endswith(f"--depth=1 -- {PUBLIC} main")
    environ = (tmp_path / "environ").read_text()
    assert "GIT_ALLOW_PROTOCOL=https\n" in environ
    assert "GIT_TERMINAL_PROMPT=0" in environ
    assert "TUTORLOOP" not in environ


def test_over_ssh_git_reaches_the_checked_address_and_asks_nothing(tmp_path: Path) -> None:
    program = stand_in(tmp_path, 'case " $* " in *" init "*) exit 0;; esac; echo "$*" > "$here/asked"; exit 128')
    refused("git@git.example:ada/shop.git", program=program, limits=QUICK, policy=GitPolicy(ssh=True))
    asked = (tmp_path / "asked").read_text()
    assert "core.sshCommand=ssh -F none -o BatchMode=yes -o StrictHostKeyChecking=yes" in asked
    assert f"-o HostName={PUBLIC_ADDRESSES[0]}" in asked


def test_nobody_is_asked_before_the_host_is_found_public(tmp_path: Path) -> None:
    program = stand_in(tmp_path, 'echo "$*" > "$here/asked"')
    error = refused(PUBLIC, program=program, limits=QUICK, resolve=lambda _host, _port: ("192.168.0.7",))
    assert error.reason == GitProblem.PRIVATE
    assert not (tmp_path / "asked").exists()

"""A PostgreSQL server of our own, and databases on it, for tests and for runs by hand."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sqlalchemy import NullPool, create_engine, text
from sqlalchemy.exc import OperationalError


def postgres_programs() -> Path | None:
    """The folder with `initdb` and `postgres`, the newest if there are several; None if there is none."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    found = shutil.which("initdb")
    return folders[-1] if folders else (Path(found).parent if found else None)


@contextmanager
def postgres_server(programs: Path) -> Iterator[Path]:
    """A new server on a Unix socket, removed at the end; gives the socket's folder.

    Raises:
        RuntimeError: it did not start within 10 s.
    """
    folder = Path(tempfile.mkdtemp(prefix="tl-pg-", dir=tempfile.gettempdir()))
    as_user = _as_postgres(folder)
    data = str(folder / "data")
    _run([*as_user, str(programs / "initdb"), "-D", data, "-A", "trust", "-U", "postgres", "--no-sync"])
    options = ("listen_addresses=", "fsync=off", "max_connections=60")
    server = subprocess.Popen(
        [*as_user, str(programs / "postgres"), "-D", data, "-k", str(folder), *(f"-c{each}" for each in options)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
    )
    try:
        _wait_for(folder)
        yield folder
    finally:
        server.send_signal(2)
        server.wait(timeout=30)
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def database_on(folder: Path, name: str) -> Iterator[str]:
    """A new empty database called `name` on the server at `folder`, dropped at the end; gives its address."""
    admin = create_engine(f"postgresql+psycopg://postgres@/postgres?host={folder}", isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    try:
        yield f"postgresql+psycopg://postgres@/{name}?host={folder}"
    finally:
        with admin.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        admin.dispose()


@contextmanager
def empty_database(kind: str) -> Iterator[str]:
    """An empty database of this kind, `sqlite` or `postgres`, with a server of its own; for runs by hand.

    Raises:
        RuntimeError: no PostgreSQL programs are installed.
    """
    if kind == "sqlite":
        with tempfile.TemporaryDirectory(prefix="tl-") as folder:
            yield f"sqlite:///{folder}/stress.db"
        return
    programs = postgres_programs()
    if programs is None:
        raise RuntimeError("no PostgreSQL server programs are installed (Debian: postgresql)")
    with postgres_server(programs) as socket, database_on(socket, "stress") as url:
        yield url


def _as_postgres(folder: Path) -> list[str]:
    """PostgreSQL refuses to run as root, so root runs it as the user that Debian's package made."""
    if os.geteuid() != 0:
        return []
    folder.chmod(0o755)
    shutil.chown(folder, "postgres")
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/")


def _wait_for(folder: Path) -> None:
    """The socket is there before the server lets anybody in."""
    engine = create_engine(f"postgresql+psycopg://postgres@/postgres?host={folder}", poolclass=NullPool)
    for _ in range(200):
        with suppress(OperationalError), engine.connect():
            return
        time.sleep(0.05)
    raise RuntimeError("PostgreSQL did not start within 10 s")

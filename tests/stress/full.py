"""The row of the full database, on a disk that is really full.

By hand, as root on Linux: `python -m tests.stress.full`. Mounts a small disk in memory, fills it while a question is
asked and work is handed in, and prints what the person is told; ends with 1 if it is not as expected, with 2 where
this machine does not let us mount.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from engine.llm.gateway import Gateway
from engine.scenarios.faults import FAULT_CASES, play_faults
from engine.wiring import Space, SqliteRig

DISK = "16m"
NAME = "the database is full"
_PIECE = bytes(4096)


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallDisk(SqliteRig):
    """Where the table would limit the pages of the database, the disk is filled instead."""

    folder: Path

    @contextmanager
    def opened(
        self, gateway: Gateway, *, ahead: timedelta = timedelta(0), pragmas: Sequence[str] = ()
    ) -> Iterator[Space]:
        """A space on that disk; full to the last byte where `pragmas` are given."""
        with SqliteRig(url=self.url).opened(gateway, ahead=ahead) as space, _filled(self.folder, bool(pragmas)):
            yield space


@contextmanager
def _filled(folder: Path, is_full: bool) -> Iterator[None]:
    filler = folder / "filler"
    if is_full:
        with filler.open("wb", buffering=0) as file, suppress(OSError):
            while file.write(_PIECE):
                pass
    try:
        yield
    finally:
        filler.unlink(missing_ok=True)


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """A disk of `DISK` at `folder`, gone at the end.

    Raises:
        subprocess.CalledProcessError: this machine does not let us mount.
    """
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(folder)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def main() -> int:
    """Play the row and tell it."""
    with tempfile.TemporaryDirectory(prefix="tl-full-") as name:
        folder = Path(name)
        try:
            with small_disk(folder):
                rig = SmallDisk(url=f"sqlite:///{folder / 'full.db'}", folder=folder)
                (row,) = play_faults(rig, [case for case in FAULT_CASES if case.name == NAME])
        except subprocess.CalledProcessError:
            sys.stdout.write("this machine does not let us mount a small disk\n")
            return 2
    sys.stdout.write(f"{NAME}, really: {row.told}; kept {row.kept}; {'as expected' if row.as_expected else 'NOT SO'}\n")
    return 0 if row.as_expected else 1


if __name__ == "__main__":
    sys.exit(main())

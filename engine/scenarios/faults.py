"""The fault table: everything that can come in badly, and how each ends."""

from collections.abc import Iterator, Sequence

from engine.scenarios.faults_files import FILE_CASES
from engine.scenarios.faults_provider import PROVIDER_CASES
from engine.scenarios.faults_row import FaultCase, FaultRow
from engine.scenarios.faults_running import RUNNING_CASES
from engine.scenarios.faults_scene import FaultRig
from engine.scenarios.proof import scripted_gateway

__all__ = ["FAULT_CASES", "FaultCase", "FaultRow", "play_faults"]

FAULT_CASES: tuple[FaultCase, ...] = (*FILE_CASES, *RUNNING_CASES, *PROVIDER_CASES)
"""In the order of the table; no name comes twice."""


def play_faults(rig: FaultRig, cases: Sequence[FaultCase] = FAULT_CASES) -> Iterator[FaultRow]:
    """Play each case with a learner of its own, on one database."""
    _, gateway = scripted_gateway()
    with rig.opened(gateway) as healthy:
        for number, case in enumerate(cases):
            yield case.row(rig, healthy, number)

"""Tries a check on the newest hand-ins before it is saved: what it would say, and that nothing is stored of it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from engine.domain.course import CheckSpec
from engine.domain.people import Viewer
from engine.domain.states import CriterionStatus
from engine.read_cache import ReadCache
from engine.review.checks.finding import Finding
from engine.review.checks.registry import KNOWN_CHECKS, check_params
from engine.review.evidence import Evidence, gather_evidence
from engine.work.work_store import WorkStore

TRIED_AT_MOST = 10
"""Hand-ins that a check is tried on: the editor waits for it at every change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What a check said of some hand-ins."""

    met: int
    of: int
    """Hand-ins it was tried on."""
    first_open: str | None
    """Code of the finding on the newest hand-in that would not be met, such as `no_matching_test`; None for none."""


class Trials:
    """Pure checks on stored snapshots."""

    def __init__(self, *, work: WorkStore, reads: ReadCache) -> None:
        self._work = work
        self._reads = reads

    def try_checks(
        self, viewer: Viewer, checks: Sequence[CheckSpec], submission_ids: Sequence[str]
    ) -> tuple[Trial | None, ...]:
        """Try each check on the first `TRIED_AT_MOST` of these hand-ins, which come newest first.

        None for a check that is not called rightly or breaks on one of them, and where there is nothing to try it on.

        Raises:
            AccessDenied: one of them is not the viewer's to read.
        """
        tried = tuple(submission_ids[:TRIED_AT_MOST])
        if not tried:
            return (None,) * len(checks)
        written = json.dumps([[check.name, dict(check.params)] for check in checks], sort_keys=True)
        return self._reads.get(("Trials", viewer, tried, written), lambda: self._try_all(viewer, checks, tried))

    def _try_all(
        self, viewer: Viewer, checks: Sequence[CheckSpec], submission_ids: Sequence[str]
    ) -> tuple[Trial | None, ...]:
        evidence = [gather_evidence(self._work.snapshot(viewer, each)) for each in submission_ids]
        return tuple(_try(check, evidence) for check in checks)


def _try(check: CheckSpec, evidence: Sequence[Evidence]) -> Trial | None:
    if check_params(check.name, check.params):
        return None
    try:
        return _trial([KNOWN_CHECKS[check.name].function(each, check.params) for each in evidence])
    except (ValueError, TimeoutError, RecursionError):
        return None


def _trial(found: Sequence[Finding]) -> Trial:
    still_open = [one.code for one in found if one.status is not CriterionStatus.PASS]
    return Trial(met=len(found) - len(still_open), of=len(found), first_open=str(still_open[0]) if still_open else None)

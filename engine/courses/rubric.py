"""The version of a task's rubric: a hash of what decides, and of nothing else."""

import hashlib
import json

from engine.domain.course import Criterion, Task


def rubric_version(task: Task) -> str:
    """SHA-256, in hex, of the task's criteria as far as they decide.

    Id, kind, text, who decides, and the check with its parameters count. The order of the lines, the
    next steps and everything else about the task do not, so editing those makes no review stale.
    """
    lines = [_deciding(criterion) for criterion in sorted(task.criteria, key=lambda line: line.rubric_id)]
    canonical = json.dumps(lines, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def _deciding(criterion: Criterion) -> list[object]:
    check = criterion.check
    return [
        criterion.rubric_id,
        criterion.kind,
        criterion.text,
        criterion.decided_by,
        None if check is None else [check.name, dict(check.params)],
    ]

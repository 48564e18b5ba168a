"""Learning notes: what may be taught beside the open items, in a data message of its own."""

from engine.domain.data_message import DataKind, wrap
from engine.feedback.cutting import clean_and_cut

NOTES_LIMIT = 600
"""Code points of the whole message (DESIGN, the feedback contract)."""
NOTE_CAP = 160


def write_notes(notes: tuple[str, ...], limit: int = NOTES_LIMIT) -> str | None:
    """The first notes that fit, each cut to `NOTE_CAP`, as one data message; None when there is none to say."""
    shown: list[str] = []
    for note in notes:
        shorter, _ = clean_and_cut(note, NOTE_CAP)
        if len(_message([*shown, shorter])) > limit:
            break
        shown.append(shorter)
    return _message(shown) if shown else None


def _message(notes: list[str]) -> str:
    return wrap(DataKind.NOTES, {"learning_notes": notes})

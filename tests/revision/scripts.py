"""Scripts between two texts for tests, by difflib: good enough to be read, and independent of our own diff."""

from difflib import SequenceMatcher

from engine.revision.script import Hunk, Script


def script_of(old: str, new: str) -> Script:
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return Script(old=old, new=new, hunks=tuple(Hunk(*places) for tag, *places in codes if tag != "equal"))

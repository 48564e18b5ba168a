"""Reads YAML as plain values and remembers the line of each of them.

Only what a course file needs is read: one document of mappings, lists, text, numbers and yes/no.
Aliases, tags and repeated keys are refused, so that a small file can neither grow nor hide anything.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

import yaml

from engine.errors import CourseFileError

MAX_BYTES = 1024 * 1024
"""Largest course file, in UTF-8 bytes."""
MAX_DEPTH = 20
"""Deepest nesting; a course needs eight."""

FieldPath = tuple[str | int, ...]
"""Names and list positions that lead from the top of a file to a value."""

_PLAIN_TAGS = frozenset(f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null"))


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedYaml:
    """The values of a file and where they stand."""

    values: object
    """Dicts, lists, text, numbers, booleans. Keys without a value are left out."""
    lines: Mapping[FieldPath, int]
    """1-based line of every value, by its path; of a key's value, the line of the key."""

    def line_of(self, path: FieldPath) -> int:
        """The line of `path`, or of the nearest value around it."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 0)

    def error(self, path: FieldPath, what: str, problem: str, **values: str | int) -> CourseFileError:
        """An error that names the line and the field, ready to be raised; `problem` is the code of what is wrong."""
        return _error(self.line_of(path), path, what, problem, **values)


def written(path: FieldPath) -> str:
    """A path as people read it: `projects[0].tasks[2].id`."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return "".join(parts).removeprefix(".")


def read_marked(text: str) -> MarkedYaml:
    """Read one YAML document.

    Raises:
        CourseFileError: it is too large, is not YAML, or holds what a course file may not hold.
    """
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MAX_BYTES:
        raise _error(0, (), f"the file has {size} bytes; a course file has at most {MAX_BYTES}", "file_too_large")
    node = _compose(text)
    if node is None:
        raise _error(0, (), "the file is empty", "file_empty")
    reader = _NodeReader()
    return MarkedYaml(values=reader.value(node, (), node.start_mark.line + 1), lines=reader.lines)


def _error(line: int, path: FieldPath, what: str, problem: str, **values: str | int) -> CourseFileError:
    where = written(path)
    place = f"line {line}: " if line else ""
    message = f"{place}{where} {what}" if where else f"{place}{what}"
    return CourseFileError(message, line=line, where=where, problem=problem, **values)


def _compose(text: str) -> yaml.Node | None:
    composer = _composer(text)
    try:
        return composer.get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = f"this is not YAML: {error.problem or error.context}"
        raise _error(mark.line + 1 if mark else 0, (), what, "not_yaml") from None
    except (ValueError, OverflowError):  # PyYAML lets chr() raise for an escape beyond Unicode
        raise _error(composer.line + 1, (), "this is not YAML: an escape names no character", "not_yaml") from None


def _composer(text: str) -> "_Composer":
    try:
        return _Composer(text)
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise _error(line, (), "there is a character that YAML does not allow", "not_yaml") from None


class _Composer(yaml.SafeLoader):
    """PyYAML's own composer, without aliases, tags and deep nesting."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event = self.peek_event()  # type: ignore[no-untyped-call]  # the stubs leave it untyped
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent):
            raise _error(line, (), f'the alias "*{event.anchor}" is not allowed; write the value out', "alias")
        if getattr(event, "tag", None) is not None:
            raise _error(line, (), f'the tag "{event.tag}" is not allowed', "tag")
        if self._depth >= MAX_DEPTH:
            raise _error(line, (), f"values are nested more than {MAX_DEPTH} deep", "too_deep")
        self._depth += 1
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node


class _NodeReader:
    """Turns nodes into plain values and notes their lines."""

    def __init__(self) -> None:
        self.lines: dict[FieldPath, int] = {}
        self._constructor = yaml.constructor.SafeConstructor()

    def value(self, node: yaml.Node, path: FieldPath, line: int) -> object:
        self.lines[path] = line
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [
                self.value(item, (*path, position), item.start_mark.line + 1)
                for position, item in enumerate(node.value)
            ]
        return self._scalar(node, path)

    def _mapping(self, node: yaml.MappingNode, path: FieldPath) -> dict[str, object]:
        values: dict[str, object] = {}
        seen: set[Hashable] = set()
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            key = key_node.value
            if key_node.tag != "tag:yaml.org,2002:str":
                raise _error(line, path, "has a key that is not text; put it in quotes", "quotes")
            if key in seen:
                raise _error(line, (*path, key), "is given twice", "given_twice")
            seen.add(key)
            value = self.value(value_node, (*path, key), line)
            if value is not None:
                values[key] = value
        return values

    def _scalar(self, node: yaml.Node, path: FieldPath) -> object:
        if node.tag not in _PLAIN_TAGS:  # YAML would read a date here, and lose what the author wrote
            raise _error(self.lines[path], path, "cannot be read as it stands; put it in quotes", "quotes")
        try:
            return self._constructor.construct_object(node)
        except (ValueError, OverflowError):
            raise _error(
                self.lines[path], path, "is not a number that can be read; put it in quotes", "quotes"
            ) from None

"""YAML read with the line of every value kept, so that a mistake can be named where it stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import yaml
from yaml.constructor import ConstructorError
from yaml.reader import ReaderError

#: More values than any file of ours has; a few lines with anchors could stand for billions.
MAX_VALUES = 50_000

Path = tuple[str | int, ...]


@dataclass
class Document:
    """What a YAML text says, and where.

    Attributes:
        data: The values, as plain dictionaries, lists, texts and numbers.
        lines: The line (from 1) on which each path stands: of its key in a mapping, of its value
            in a list. May be empty, for data that did not come from a text.
        problems: Mistakes found so far, one line each.
    """

    data: Any
    lines: dict[Path, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def report(self, path: Path, problem: str) -> None:
        """Adds a mistake at a path such as ``("screenplays", 3, "genre")``."""
        key = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path).lstrip(".")
        line = self.lines.get(path)
        where = ", ".join(filter(None, [f"line {line}" if line else "", key]))
        self.problems.append(f"{where}: {problem}" if where else problem)


def read_yaml(text: str) -> Document:
    """Reads a YAML text; what is not YAML becomes a problem of the document, not an exception."""
    document = Document(data=None)
    try:
        loader = yaml.SafeLoader(text)
        node = loader.get_single_node()
        if node is not None:
            _keep_lines(node, node, (), loader, document)
            document.data = loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = f"line {mark.line + 1}: " if mark else ""
        problem = ", ".join(filter(None, [error.context, error.problem]))
        document.problems.append(f"{line}not YAML: {problem}")
    except ReaderError as error:
        line = f"line {text.count(chr(10), 0, error.position) + 1}: "
        document.problems.append(f"{line}not YAML: character U+{error.character:04X}")
    except RecursionError:
        document.problems.append("not YAML: nested too deeply")
    return document


def _keep_lines(
    node: yaml.Node, where: yaml.Node, path: Path, loader: yaml.SafeLoader, document: Document
) -> None:
    """Notes the lines of a node, which stands at ``where``, and of all within it.

    Reports keys that stand twice.
    """
    if len(document.lines) >= MAX_VALUES:
        raise _refusal(f"more than {MAX_VALUES:,} values", where)
    document.lines[path] = where.start_mark.line + 1
    if isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            _keep_lines(item, item, (*path, index), loader, document)
    elif isinstance(node, yaml.MappingNode):
        keys = set()
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise _refusal("a key that is not a plain word or number", key_node)
            key = str(_value_of(key_node, loader))
            if key in keys:
                again = key_node.start_mark.line + 1
                document.report((*path, key), f"stands twice, again on line {again}")
            keys.add(key)
            _keep_lines(value_node, key_node, (*path, key), loader, document)
    else:
        _value_of(node, loader)


def _value_of(node: yaml.Node, loader: yaml.SafeLoader) -> Any:
    """Returns the value of a node without others in it."""
    try:
        value = loader.construct_object(node)
    except (yaml.YAMLError, RecursionError):
        raise
    except Exception as error:  # whatever PyYAML lets through for a malformed date or number
        kind = node.tag.rpartition(":")[2]
        raise _refusal(f"{str(node.value)[:80]!r} cannot be read as {kind}", node) from error
    if isinstance(value, int) and value.bit_length() > 64:
        raise _refusal("a number that is too large", node)
    return value


def _refusal(problem: str, node: yaml.Node) -> ConstructorError:
    return ConstructorError(None, None, problem, node.start_mark)

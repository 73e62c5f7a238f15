"""YAML read with the line of every value kept, so that a mistake can be named where it stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import yaml

Path = tuple[str | int, ...]


@dataclass
class Document:
    """What a YAML text says, and where.

    Attributes:
        data: The values, as plain dictionaries, lists, texts and numbers.
        lines: The line (from 1) on which the value at each path begins; may be empty, for data
            that did not come from a text.
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
    loader = yaml.SafeLoader(text)
    try:
        node = loader.get_single_node()
        if node is not None:
            _keep_lines(node, (), loader, document)
            document.data = loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = f"line {mark.line + 1}: " if mark else ""
        document.problems.append(f"{line}not YAML: {error.problem}")
    except (yaml.YAMLError, RecursionError) as error:
        document.problems.append(f"not YAML: {' '.join(str(error).split())}")
    finally:
        loader.dispose()
    return document


def _keep_lines(node: yaml.Node, path: Path, loader: yaml.SafeLoader, document: Document) -> None:
    """Notes the line of a node and of all within it; reports keys that stand twice."""
    if path in document.lines:
        document.report(path, f"stands twice, again on line {node.start_mark.line + 1}")
    document.lines[path] = node.start_mark.line + 1
    if isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            _keep_lines(item, (*path, index), loader, document)
    elif isinstance(node, yaml.MappingNode):
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                document.report(path, "has a key that is not a plain word or number")
                continue
            key = str(loader.construct_object(key_node))
            _keep_lines(value_node, (*path, key), loader, document)

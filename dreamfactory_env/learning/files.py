"""Lines of a run's files that were written whole."""

from __future__ import annotations

from pathlib import Path


def complete_lines(path: Path) -> list[str]:
    """Returns the lines of a file; a torn last one is left out. None are there without a file."""
    if not path.exists():
        return []
    *lines, _ = path.read_text("utf-8", errors="replace").split("\n")
    return lines

"""A view as text, for games that have no text of their own."""

from __future__ import annotations

import json
from typing import Any


def view_to_text(view: dict[str, Any], indent: str = "") -> str:
    """Returns a view as indented lines, one for each value."""
    lines = []
    for key, value in view.items():
        if isinstance(value, dict):
            lines += [f"{indent}{key}:", view_to_text(value, indent + "  ")]
        else:
            lines.append(f"{indent}{key}: {json.dumps(value, ensure_ascii=False)}")
    return "\n".join(lines)

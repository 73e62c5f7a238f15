"""The page of the docs about the view of a game, made from its types."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import ModuleType, UnionType
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints, is_typeddict

from tests.docs.attributes import attributes_of
from tests.docs.examples import run

VIEW = """# The view of {title}

`game.view(seat)` returns everything that a seat may know at the table and nothing else, and
`game.view()` returns everything, for replays. Both are plain data: dicts, lists, texts, whole
numbers, bools and None. Text, picture and narration are made from a view alone. (This page is made
from the code by `make docs`.)

```python
{code}
```

Some of the {count} keys of this view:

```json
{example}
```

{notes}

{tables}
"""


class ViewPage(NamedTuple):
    """What the page of a game is made of.

    Attributes:
        title: The title of the game.
        types: The module with the types of the view.
        code: An example that makes a ``view``.
        shown: Returns the parts of it that are shown, by key.
        notes: What is to be known of the keys, as a list.
    """

    title: str
    types: ModuleType
    code: str
    shown: Callable[[dict[str, Any]], dict[str, Any]]
    notes: str

    def text(self) -> str:
        """Returns the page."""
        view = run(self.code, "view.md")["view"]
        lines = [
            f"  {json.dumps(key)}: {json.dumps(part)}" for key, part in self.shown(view).items()
        ]
        kinds = [kind for kind in vars(self.types).values() if is_typeddict(kind)]
        return VIEW.format(
            title=self.title,
            code=self.code,
            count=len(view),
            example="{\n" + ",\n".join(lines) + "\n}",
            notes=self.notes,
            tables="\n\n".join(_table(kind) for kind in reversed(kinds)),
        )


def _table(kind: Any) -> str:
    """Returns the keys of a typed dict as a table under a heading."""
    says, meanings = attributes_of(kind)
    rows = ["| key | type | meaning |", "|---|---|---|"]
    for key, hint in get_type_hints(kind).items():
        rows.append(f"| `{key}` | {_type_words(hint)} | {meanings[key]} |")
    return f"## {kind.__name__}\n\n{says}\n\n" + "\n".join(rows)


def _type_words(hint: Any) -> str:
    """Returns a type in words, a typed dict as a link to its table."""
    inner = get_args(hint)
    if is_typeddict(hint):
        return f"[{hint.__name__}](#{hint.__name__.lower()})"
    if get_origin(hint) is list:
        words = _type_words(inner[0])
        return f"list of ({words})" if isinstance(inner[0], UnionType) else f"list of {words}"
    if get_origin(hint) is dict:
        return f"dict of {_type_words(inner[1])}"
    if isinstance(hint, UnionType):
        return f"{_type_words(inner[0])} or None"
    return str(hint.__name__)

"""The page of the docs about the view, made from its types."""

from __future__ import annotations

import json
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints, is_typeddict

from dreamfactory_env.games.dream_factory import view_types
from tests.docs.attributes import attributes_of
from tests.docs.examples import run

VIEW = """# The view of Dream Factory

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

- A **tile** is a text such as `actor 2`, its kind and its stars. A **film** is named by its title.
  **Seats** are numbered from 0, clockwise.
- Every key is always there. None stands for what there is not, or for what the viewer may not see.
- The keys change only with the version of the game, which the view names.
- Whatever is played is public: `action_to_string(view, action)` of
  [text.py](../../dreamfactory_env/games/dream_factory/text.py) puts a move into words, from any
  seat's view of the position before it.
- The numbers D1 to D30 are those of [the rules](rules.md).

{tables}
"""
CODE = """from dreamfactory_env import DreamFactory

game = DreamFactory(players=3, seed=7).play("bid 2")
view = game.view(0)"""
#: The keys of the example.
EXAMPLE = ("phase", "round", "location", "to_move", "pot", "auction", "lot", "players")
PLAYER = ("money", "points", "points_without_money")


def page() -> str:
    """Returns the page."""
    view = run(CODE, "view.md")["view"]
    parts = {key: view[key] for key in EXAMPLE}
    parts["players"] = [{key: player[key] for key in PLAYER} for player in view["players"]]
    lines = [f"  {json.dumps(key)}: {json.dumps(part)}" for key, part in parts.items()]
    kinds = [kind for kind in vars(view_types).values() if is_typeddict(kind)]
    return VIEW.format(
        code=CODE,
        count=len(view),
        example="{\n" + ",\n".join(lines) + "\n}",
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

"""The pages of La Fabrique à rêves that are made from code and tests."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from dreamfactory_env import FabriqueAReves
from dreamfactory_env.games.drawing import encode_png
from dreamfactory_env.games.fabrique_a_reves import actions, view_types
from dreamfactory_env.games.fabrique_a_reves.lexicon import MOST_DREAMS
from dreamfactory_env.games.fabrique_a_reves.state import (
    MAX_RESERVOIRS,
    MAX_VIALS,
    TOOL_WORDS,
    Tool,
)
from tests.docs.game_page import action_rows, block_rows
from tests.docs.view_page import ViewPage
from tests.games import conformance
from tests.games.fabrique_a_reves.deciding import answer

NAME = "fabrique_a_reves"

ACTIONS = """# The action space of La Fabrique à rêves

One flat space of {actions} actions serves every phase, mode and number of players. (This page is
made from the code by `make docs`.)

| actions | how many | words | what they stand for |
|---|---:|---|---|
{rows}

- *Reservoirs* R and *vials* V are counted from 1 in words: `take R into V` is 5 (R - 1) + V - 1.
- *Dreams* have numbers of their own for every player and vial (M4): {word} is the dream that the
  player finds closest to the words of the vial, the next number the second closest, and so on,
  forbidden ones included. Two players who write the same dream may well play different numbers,
  and a number says nothing to anybody else. With `labels="list"` the number is the place in the
  list of dreams, the same for all.
- *Words of the quill* are counted in the order of the lexicon. They are public at once, so that a
  number in common does no harm.
- `game.legal_actions()` gives words and numbers:

```python
{example}
```
"""


def actions_page() -> str:
    """Returns the page of the action space."""
    token = actions.TOKEN
    rules = {"doubt": "R10", "dust": "R10", "dust+2": "R10", "spill": "R11", "quill": "R12"}
    blocks = [
        (
            actions.TAKE,
            MAX_RESERVOIRS * MAX_VIALS,
            "`take R into V`",
            "puts the top card of a reservoir into a vial (R7)",
        ),
        (actions.BROOM, 1, "`broom`", "discards the top card of every reservoir (R9)"),
        *(
            (
                token + MAX_VIALS * (tool - 1),
                MAX_VIALS,
                f"`{TOOL_WORDS[tool]} {'V' if tool >= Tool.SPILL else 'on V'}`",
                f"uses a tool on a vial ({rules[TOOL_WORDS[tool]]})",
            )
            for tool in list(Tool)[1:]
        ),
        (actions.PASS, 1, "`pass`", "takes no more turns (R13)"),
        (
            actions.WORD,
            MOST_DREAMS,
            "`dream V WORD`, `write WORD`",
            "a dream, by the labels (M4); a word of the quill, by its place (R12)",
        ),
        (actions.NONE, 1, "`dream V none`", "writes no dream (R15, R16)"),
    ]
    game = played(FabriqueAReves(3, seed=7), "dreams")
    legal = dict(list(game.legal_actions().items())[:4])
    return ACTIONS.format(
        actions=actions.ACTIONS,
        rows=action_rows(blocks, actions.ACTIONS),
        word=actions.WORD,
        example=">>> game.legal_actions()  # of the first player, who dreams of vial 1\n"
        + json.dumps(legal, indent=4).removesuffix("\n}")
        + ",\n    …\n}",
    )


OBSERVATION = """# The observation of La Fabrique à rêves

What a player sees, as numbers of type float32: `game.observe(player)`. Everything is told from the
player's own seat (seat 0 is the player, then clockwise; seats that nobody has are 0) and **through
the player's own mind**, in the same layout for all modes and 2 to 5 players. There are no words,
no vectors and no places in the list of dreams in it, only how close the player finds things to
each other: of numbers that mean the same to everybody, agents that train together would make
conventions that ignore the words.

Associations and sums of them are divided by 128 and cut at ±8. *Best* is the highest sum of a vial
over the dreams that R16 does not forbid the player now, words on its own slate included; *lead* is
what it is above the second highest, 8 if there is no second. Where a word would be added, what
that word forbids is forbidden as well. A vial without a word has no best dream: all its numbers of
that kind are 0.

On every environment `observation_spec()` gives the blocks below, each with its `name`, `slice`,
`shape`, `low`, `high` and `meaning`, and `observation_to_string(observation)` puts an observation
into words; so do `game.spec.observation` and `game.observation_to_string`. (This page is made from
the code by `make docs`.)

| block | where | shape | range | meaning |
|---|---|---|---|---|
{rows}

Which vial is asked for can be told from the blocks: a word is written for the one with the token
of the quill, and dreamt for the first one that is not decided in `slate`.

An observation in words:

```text
{example}
```
"""


def observation_page() -> str:
    """Returns the page of the observation."""
    game = played(FabriqueAReves(3, seed=12), "dreams", 10)
    assert game.to_move is not None
    return OBSERVATION.format(
        rows=block_rows(game.spec.observation),
        example=game.observation_to_string(game.observe(game.to_move)),
    )


NOTES = """\
- A **word** is named in English, as in moves and records; `shown` is its name in the language of
  the game. **Reservoirs** and **vials** are numbered from 1, **seats** from 0, clockwise.
- Every key is always there. None stands for what there is not, or for what the viewer may not see.
- `closest` is what the viewer's mind finds closest, and so differs from seat to seat.
- The keys change only with the version of the game, which the view names.
- The numbers R1 to R20 and M1 to M4 are those of [the rules](rules.md)."""
CODE = """from dreamfactory_env import FabriqueAReves

game = FabriqueAReves(players=3, seed=7)
game.play("take 1 into 1")
view = game.view(0)"""


def shown(view: dict[str, Any]) -> dict[str, Any]:
    """Returns the parts of a view that its page shows."""
    keys = ("phase", "to_move", "first_player", "aim", "themes", "tools")
    parts = {key: view[key] for key in keys}
    parts["reservoirs"] = view["reservoirs"][:2]
    parts["vials"] = view["vials"][:2]
    return parts


BESIDES = """The rules page was compared with the rulebook sentence by sentence. Where the two
differ, the rulebook holds; no such place was found. What the rulings say is open in the rulebook,
or cannot be had by a program: any single word for the magic quill (R12), any word for a dream
(R2)."""

PAGES: dict[str, Callable[[], str]] = {
    "actions.md": actions_page,
    "conformance.md": partial(conformance.page, NAME, BESIDES),
    "observation.md": observation_page,
    "view.md": ViewPage("La Fabrique à rêves", view_types, CODE, shown, NOTES).text,
}


# ---------------------------------------------------------------------------- pictures


def played(game: FabriqueAReves, phase: str, moves: int = 99) -> FabriqueAReves:
    """Lets ``schelling`` play some moves, up to the beginning of a phase."""
    while not game.over and game.phase != phase and moves:
        game.play(answer(game, "schelling"))
        moves -= 1
    return game


def picture(game: FabriqueAReves) -> bytes:
    """Returns a game as the player to move sees it, the first one if nobody is."""
    return encode_png(game.picture(game.to_move or 0))


def table() -> bytes:
    """Returns the picture of the README: thoughts of three."""
    return picture(played(FabriqueAReves(3, seed=12), "dreams", 10))


def quill() -> bytes:
    """Returns the picture of a player who writes a word."""
    game = played(FabriqueAReves(3, mode="thursday", seed=4), "quill")
    return picture(game)


def dreams() -> bytes:
    """Returns the picture of a night with two themes, in French, while a slate is filled."""
    game = played(FabriqueAReves(4, mode="friday", language="fr", seed=4), "dreams")
    return picture(played(game, "over", 7))


def waking() -> bytes:
    """Returns the picture of the end of a night without a theme."""
    return picture(played(FabriqueAReves(5, mode="sunday", seed=4), "over"))


PICTURES: dict[str, Callable[[], bytes]] = {
    "table.png": table,
    "quill.png": quill,
    "dreams.png": dreams,
    "waking.png": waking,
}

"""The pages of Dream Factory that are made from code and tests."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import partial
from typing import Any

from dreamfactory_env import DreamFactory
from dreamfactory_env.games.drawing import encode_png
from dreamfactory_env.games.dream_factory import legal, view_types
from dreamfactory_env.games.dream_factory.state import (
    MAX_HAND,
    MAX_LOT,
    MAX_MONEY,
    MAX_PLAYERS,
    SPACES,
    STUDIO_FILMS,
)
from tests.docs.game_page import action_rows, block_rows
from tests.docs.view_page import ViewPage
from tests.games import conformance
from tests.games.dream_factory.staging import give, stacked
from tests.games.dream_factory.styles import STYLES

ACTIONS = """# The action space of Dream Factory

One flat space of {actions} actions serves every phase and every number of players. (This page is
made from the code by `make docs`.)

| actions | how many | words | what they stand for |
|---|---:|---|---|
{rows}

- *Places* are counted from 0: tiles in hand and on a party in the order in which they lie there, a
  player's films in production by slot. A studio's drama, adventure and entertainment film begin in
  slots 0, 1 and 2; a screenplay from the pile takes the slot of the film that was finished.
- *Spaces* are counted from 0 in the order of the component file; the guest star's is always
  {guest}.
- **Moves that are the same for every purpose share an action.** Of equal tiles (same kind, same
  stars) in hand or on a party, only the first is offered, so in every position words and actions
  correspond one to one. Two spaces of the same name are different moves, `#1` and `#2`.
- What an action does depends on the position, what its words say does not. `game.legal_actions()`
  gives both:

```python
{example}
```
"""


def actions_page() -> str:
    """Returns the page of the action space."""
    blocks = [
        (legal.PASS, 1, "`pass`", "leaves the auction (D10)"),
        (legal.BID, MAX_MONEY + 1, "`bid N`", "bids N, from 0 to all the money there is (D9)"),
        (legal.STUDIO, MAX_PLAYERS, "`studio N`", "chooses studio N (D1)"),
        (legal.PICK, MAX_LOT, "`pick TILE`", "takes the tile at that place of a party (D15)"),
        (legal.DECLINE, 1, "`decline`", "takes none (D15, edition `traumfabrik`)"),
        (
            legal.PLACE,
            MAX_HAND * STUDIO_FILMS * SPACES,
            "`place TILE on TITLE/SPACE`",
            f"first + (place in hand × {STUDIO_FILMS} + film slot) × {SPACES} + space (D16 to D19)",
        ),
        (
            legal.DISCARD,
            MAX_HAND,
            "`discard TILE`",
            "puts the tile at that place in hand away (D16)",
        ),
    ]
    game = give(stacked(studios=[5, 1, 2, 3]), 0, "actor 2", "guest 3", "actor 2")
    shown = json.dumps(game.legal_actions(), indent=4)
    return ACTIONS.format(
        actions=legal.ACTIONS,
        rows=action_rows(blocks, legal.ACTIONS),
        guest=SPACES - 1,
        example=f">>> game.hand\n{game.hand}\n>>> game.legal_actions()\n{shown}",
    )


OBSERVATION = """# The observation of Dream Factory

What a player sees, as {size} numbers of type float32: `game.observe(player)`. It carries all that
the player may know and nothing else, from the player's own seat (seat 0 is the player, then
clockwise; seats that nobody has are 0), in the same layout for 2 to 5 players. On every environment
`observation_spec()` gives the blocks below, each with its `name`, `slice`, `shape`, `low`, `high`
and `meaning`, and `observation_to_string(observation)` puts an observation into words; so do
`game.spec.observation` and `game.observation_to_string`. (This page is made from the code by
`make docs`.)

| block | where | shape | range | meaning |
|---|---|---|---|---|
{rows}

An observation in words:

```text
{example}
```
"""


def observation_page() -> str:
    """Returns the page of the observation."""
    layout = DreamFactory.spec.observation
    game = DreamFactory(3, seed=7)
    for _ in range(40):
        game.play(game.legal()[len(game.legal()) // 3])
    example = game.observation_to_string(game.observe(0))
    return OBSERVATION.format(size=layout.size, rows=block_rows(layout), example=example)


BESIDES = """\
Besides the tests named here, `test_engine_and_referee_agree_on_every_position` plays random games
of every kind beside [an independent referee](../../tests/games/dream_factory/referee.py), written
from the rules alone, and compares every position: whose turn it is, every legal move, money, films,
tokens and points."""

NOTES = """\
- A **tile** is a text such as `actor 2`, its kind and its stars. A **film** is named by its title.
  **Seats** are numbered from 0, clockwise.
- Every key is always there. None stands for what there is not, or for what the viewer may not see.
- The keys change only with the version of the game, which the view names.
- Whatever is played is public: `action_to_string(view, action)` of
  [text.py](../../dreamfactory_env/games/dream_factory/text.py) puts a move into words, from any
  seat's view of the position before it.
- The numbers D1 to D30 are those of [the rules](rules.md)."""
CODE = """from dreamfactory_env import DreamFactory

game = DreamFactory(players=3, seed=7).play("bid 2")
view = game.view(0)"""
#: The keys of the example.
EXAMPLE = ("phase", "round", "location", "to_move", "pot", "auction", "lot", "players")
PLAYER = ("money", "points", "points_without_money")


def shown(view: dict[str, Any]) -> dict[str, Any]:
    """Returns the parts of a view that its page shows."""
    parts = {key: view[key] for key in EXAMPLE}
    parts["players"] = [{key: player[key] for key in PLAYER} for player in view["players"]]
    return parts


PAGES: dict[str, Callable[[], str]] = {
    "actions.md": actions_page,
    "conformance.md": partial(conformance.page, "dream_factory", BESIDES),
    "observation.md": observation_page,
    "view.md": ViewPage("Dream Factory", view_types, CODE, shown, NOTES).text,
}


def table() -> bytes:
    """Returns the picture of the README: a game of four, well under way."""
    game = DreamFactory(4, seed=21)
    rng = random.Random(21)
    while (int(game.state.round_number), game.location) != (3, "City 4"):
        game.play(STYLES["thrifty"](game.legal(), rng))
    return encode_png(game.picture(0))


PICTURES: dict[str, Callable[[], bytes]] = {"table.png": table}

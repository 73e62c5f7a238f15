"""The pages of Faux Raccords that are made from code and tests."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from dreamfactory_env import FauxRaccords
from dreamfactory_env.games.drawing import encode_png
from dreamfactory_env.games.faux_raccords import actions, view_types
from dreamfactory_env.games.faux_raccords.options import MEMORIES, MODES
from dreamfactory_env.games.faux_raccords.picture import FILM
from dreamfactory_env.games.faux_raccords.scoring import AIMS, LINES
from dreamfactory_env.games.faux_raccords.state import CARDS, LINE_B, MAX_PLAYERS, SLOTS
from tests.docs.game_page import action_rows, block_rows
from tests.docs.view_page import ViewPage
from tests.games import conformance
from tests.games.faux_raccords.policies_page import policies_page
from tests.games.faux_raccords.styles import STYLES

NAME = "faux_raccords"

ACTIONS = """# The action space of Faux Raccords

One flat space of {actions} actions serves every question, mode and number of players. (This page is
made from the code by `make docs`.)

| actions | how many | words | what they stand for |
|---|---:|---|---|
{rows}

- *Cards* are counted in the order 1 to 28, 1b, 10b, 19b, 28b. In `place`, `call`, `view with` and
  the other questions that a card answers, the action is the first of its block + the card.
- *Places* of the Film have {slots} numbers. In lines the first place is 0, in line B of `shorts`
  {line_b}. In `series` row/column is 8 × (row - 1) + column - 1, in `arcs` x/y is 8 × x + y, in
  `studio` level/index is 8 × (level - 1) + index. Names, and so actions, speak of the Film as it
  lies when the decision is made (F5).
- *Players* are counted clockwise from the player to move; the words name the seat.
- What is asked, the phase, is in the observation and in the view. An action answers one question in
  one phase and another in the next: {place_1} is `at 1` when a card is placed, and `look at 1` when
  one is viewed. `game.legal_actions()` gives words and numbers:

```python
{example}
```
"""


def actions_page() -> str:
    """Returns the page of the action space."""
    blocks = [
        (actions.PLACE, CARDS, "`place CARD`", "places a card of the hand (F13)"),
        (actions.CALL, CARDS, "`call CARD`", "calls the member of a card (F16)"),
        (actions.VIEW, CARDS, "`view with CARD`", "bins a card to view one of the Film (F14)"),
        (actions.END, 1, "`end`", "says that the Film is finished (F21)"),
        (
            actions.SLOT,
            SLOTS,
            "`at POS`, `look at POS`, `move clap from POS`, `take POS`, `put at POS`, `for POS`, "
            "`give POS`, `on POS`, `take clap from POS`, `lose POS`, `clash POS`, `with POS`, "
            "`reshoot POS`, `cover POS`",
            "a place of the Film: all questions that a place answers (F5 to F9)",
        ),
        (
            actions.CARD,
            CARDS,
            "`reuse CARD`, `swap CARD`, `show CARD`, `pass CARD`, `bin CARD`",
            "all other questions that a card answers (F16, F19, F20)",
        ),
        (actions.NO_EFFECT, 1, "`no effect`", "lets the effect of a member be (F16)"),
        (actions.ENOUGH, 1, "`enough`", "takes no second card as an editor (F16)"),
        (actions.NO_HINT, 1, "`no hint`", "keeps the hint (F17)"),
        (actions.HINT_GOOD, 1, "`hint good`", "gives the hint: placed well (F17)"),
        (actions.HINT_BAD, 1, "`hint bad`", "gives the hint: placed badly (F17)"),
        (actions.PLAYER, MAX_PLAYERS, "`to player SEAT`", "who gets a card (F16)"),
    ]
    game = FauxRaccords(2, mode="series", seed=7)
    first = json.dumps(game.legal_actions(), indent=4)
    move = game.legal()[0]
    second = json.dumps(game.play(move).legal_actions(), indent=4)
    return ACTIONS.format(
        actions=actions.ACTIONS,
        rows=action_rows(blocks, actions.ACTIONS),
        slots=SLOTS,
        line_b=LINE_B,
        place_1=actions.SLOT,
        example='>>> game = FauxRaccords(players=2, mode="series", seed=7)\n'
        f'>>> game.legal_actions()\n{first}\n>>> game.play("{move}").legal_actions()\n{second}',
    )


OBSERVATION = """# The observation of Faux Raccords

What a player sees, as numbers of type float32: `game.observe(player)`. It carries what the player
sees now (F24) and nothing else, from the player's own seat (seat 0 is the player, then clockwise;
seats that nobody has are 0), in the same layout for 2 to 4 players. With `memory="perfect"` there
are more blocks, for the cards that the player has seen before and could follow since (F26). On
every environment `observation_spec()` gives the blocks below, each with its `name`, `slice`,
`shape`, `low`, `high` and `meaning`, and `observation_to_string(observation)` puts an observation
into words; so do `game.spec.observation` and `game.observation_to_string`. (This page is made from
the code by `make docs`.)

How long it is depends on the mode, by the places of the Film, and on `memory`:

| `memory` | {modes} |
|---|{dashes}
{sizes}

The blocks, with the places of `{mode}` and with memory:

| block | where | shape | range | meaning |
|---|---|---|---|---|
{rows}

An observation in words:

```text
{example}
```
"""


BESIDES = """\
Besides the tests named here, 100,800 random games were played, 5,600 of each mode and player count,
with every warning an error (`PYTHONWARNINGS=error dreamfactory simulate --game faux_raccords
--players 3 -o mode=arcs --games 5600 --seed 2026 --out arcs.jsonl.zst` and so on). All of their
records were replayed and found right (`dreamfactory replay arcs.jsonl.zst`); nobody won one."""


def observation_page() -> str:
    """Returns the page of the observation."""
    sizes = []
    for memory in MEMORIES:
        counts = [FauxRaccords(mode=m, memory=memory, seed=0).spec.observation.size for m in MODES]
        sizes.append(f"| `{memory}` | {' | '.join(map(str, counts))} |")
    game = played(FauxRaccords(3, mode="series", memory="perfect", seed=7), 30)
    return OBSERVATION.format(
        modes=" | ".join(f"`{mode}`" for mode in MODES),
        dashes="---:|" * len(MODES),
        sizes="\n".join(sizes),
        mode="series",
        rows=block_rows(game.spec.observation),
        example=game.observation_to_string(game.observe(0)),
    )


NOTES = """\
- A **card** is named by its value, the second one of a value with a `b`: `7`, `19b`. A **place** of
  the Film is named as in moves (F5 to F9). **Seats** are numbered from 0, clockwise.
- Every key is always there. None stands for what there is not, or for what the viewer may not see.
- The keys change only with the version of the game, which the view names.
- Some moves name a card that is its player's secret (F25): `action_to_string(view, action)` of
  [text.py](../../dreamfactory_env/games/faux_raccords/text.py) says of a move what the viewer
  learns, from the view of the position before it.
- The numbers F1 to F28 are those of [the rules](rules.md)."""
CODE = """from dreamfactory_env import FauxRaccords

game = FauxRaccords(players=2, mode="feature", seed=7)
view = game.view(0)"""


def shown(view: dict[str, Any]) -> dict[str, Any]:
    """Returns the parts of a view that its page shows."""
    parts = {key: view[key] for key in ("phase", "to_move", "turn", "aim", "genres", "pile", "bin")}
    parts["film"] = view["film"][:1]
    parts["players"] = [{"count": p["count"], "hand": p["hand"]} for p in view["players"]]
    return parts


PAGES: dict[str, Callable[[], str]] = {
    "actions.md": actions_page,
    "conformance.md": partial(conformance.page, NAME, BESIDES),
    "observation.md": observation_page,
    "policies.md": policies_page,
    "view.md": ViewPage("Faux Raccords", view_types, CODE, shown, NOTES).text,
}


# ---------------------------------------------------------------------------- pictures


def played(game: FauxRaccords, moves: int, cards: int = 99) -> FauxRaccords:
    """Plays some moves, up to the beginning of a turn with so many cards in the Film."""
    rng = random.Random(game.seed)
    while not game.over and moves:
        if game.phase == "action" and len(game.film()) >= cards:
            break
        game.play(STYLES["placing"](game.legal(), rng))
        moves -= 1
    return game


def shape(mode: str) -> bytes:
    """Returns the Film of a mode, well under way, as a seat sees it."""
    number = MODES.index(mode)
    wanted = AIMS[number] * LINES[number] - 3
    for seed in range(100):
        game = played(FauxRaccords(2, mode=mode, seed=seed), 200, wanted)
        if not game.over:
            break
    picture = game.picture(0)[FILM.y : FILM.bottom, FILM.x : FILM.right]
    return encode_png(np.ascontiguousarray(picture))


def table() -> bytes:
    """Returns the picture of the README: a film with arcs by four, about to place a card."""
    game = played(FauxRaccords(4, mode="arcs", seed=6), 200, 10)
    assert game.to_move is not None
    places = [words for words in game.legal() if words.startswith("place ")]
    seat = game.to_move
    return encode_png(game.play(places[0]).picture(seat))


PICTURES: dict[str, Callable[[], bytes]] = {
    "table.png": table,
    **{f"{mode}.png": partial(shape, mode) for mode in MODES},
}

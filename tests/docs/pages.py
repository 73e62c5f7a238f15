"""The pages of the docs that are made from code and tests: ``make docs`` writes them anew."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import partial
from typing import Any, get_args, get_type_hints

import yaml

from dreamfactory_env import DreamFactory
from dreamfactory_env.arena.benchmark import page
from dreamfactory_env.games import GAMES
from dreamfactory_env.games.drawing import encode_png
from dreamfactory_env.games.dream_factory import legal
from dreamfactory_env.games.dream_factory.state import (
    MAX_HAND,
    MAX_LOT,
    MAX_MONEY,
    MAX_PLAYERS,
    SPACES,
    STUDIO_FILMS,
)
from dreamfactory_env.learning.config import Others, Training
from tests.docs.attributes import attributes_of
from tests.docs.commands_page import commands_page
from tests.docs.game_page import game_page
from tests.games.dream_factory import conformance, view_page
from tests.games.dream_factory.staging import give, stacked
from tests.games.dream_factory.styles import STYLES
from tests.paths import DOCS, ROOT

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
    rows = []
    for first, count, words, meaning in blocks:
        numbers = f"{first}" if count == 1 else f"{first} to {first + count - 1}"
        rows.append(f"| {numbers} | {count} | {words} | {meaning} |")
    assert sum(block[1] for block in blocks) == legal.ACTIONS
    game = give(stacked(studios=[5, 1, 2, 3]), 0, "actor 2", "guest 3", "actor 2")
    shown = json.dumps(game.legal_actions(), indent=4)
    return ACTIONS.format(
        actions=legal.ACTIONS,
        rows="\n".join(rows),
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
    rows = []
    for name, block in layout.blocks.items():
        where = f"{block.start} to {block.start + block.size - 1}"
        shape = " × ".join(str(n) for n in block.shape)
        meaning = block.meaning.replace("|", "or")
        rows.append(
            f"| `{name}` | {where} | {shape} | {block.low:g} to {block.high:g} | {meaning} |"
        )
    game = DreamFactory(3, seed=7)
    for _ in range(40):
        game.play(game.legal()[len(game.legal()) // 3])
    example = game.observation_to_string(game.observe(0))
    return OBSERVATION.format(size=layout.size, rows="\n".join(rows), example=example)


def benchmark_page() -> str:
    """Returns the page of the benchmark; the command writes it, too."""
    data = json.loads((DOCS / "dream_factory/benchmark.json").read_text("utf-8"))
    return page(data, "benchmark.json", DreamFactory(seed=0))


def leaderboard() -> str:
    """Returns the table of the README: ratings, and who wins how often against ``expert``."""
    data = json.loads((DOCS / "dream_factory/benchmark.json").read_text("utf-8"))
    ratings = {
        players: {row["name"]: f"{row['rating']:.0f}" for row in rows}
        for players, rows in data["ratings"].items()
    }
    wins = {}
    for cell in data["cells"]:
        if cell["part"] == "matrix" and cell["column"] == "expert":
            wins[cell["players"], cell["row"]] = (cell["win_rate"], cell["half_width"])
        elif cell["part"] == "matrix" and cell["row"] == "expert" and cell["players"] == 2:
            wins[2, cell["column"]] = (1 - cell["win_rate"], cell["half_width"])
    rows = [
        "| [leaderboard](docs/dream_factory/benchmark.md) | rating, 2 players "
        "| wins against `expert` | rating, 4 players | wins among three `expert` |",
        "|---|---:|---:|---:|---:|",
    ]
    for name in ratings["2"]:  # the best first
        two, four = (
            f"{wins[players, name][0]:.1%} ± {wins[players, name][1]:.1%}"
            if name != "expert"
            else "–"
            for players in (2, 4)
        )
        rows.append(f"| `{name}` | {ratings['2'][name]} | {two} | {ratings['4'][name]} | {four} |")
    return "\n".join(rows)


SETTINGS = """# The settings of a training

The keys of the YAML file that `dreamfactory train` reads, see [Training](training.md). Only
`total_timesteps` must be there. On the command line, `--set ppo.learning_rate=1e-3` replaces a
value. (This page is made from the code by `make docs`.)

{tables}
"""


def settings_page() -> str:
    """Returns the page of the settings of a training."""
    tables = [_settings_table(Training, "")]
    for name, section in _sections(Training).items():
        title = "opponents, partners" if section is Others else name
        if name != "partners":  # the same as opponents
            tables.append(f"## {title}\n\n{_settings_table(section, f'{name}.')}")
    return SETTINGS.format(tables="\n\n".join(tables))


def _sections(cls: Any) -> dict[str, Any]:
    """Returns the fields of a dataclass that are dataclasses themselves, perhaps optional."""
    hints = {name: (get_args(hint) or (hint,))[0] for name, hint in get_type_hints(cls).items()}
    return {name: hint for name, hint in hints.items() if is_dataclass(hint)}


def _settings_table(section: Any, before: str) -> str:
    """Returns what the docstring of a dataclass says of its fields, as a table."""
    says, meanings = attributes_of(section)
    says = says.replace("``", "`")
    rows = ["| key | default | meaning |", "|---|---|---|"]
    for item in fields(section):
        if item.name not in _sections(section):
            made = None if item.default_factory is MISSING else item.default_factory()
            default = made if item.default is MISSING else item.default
            shown = "the game's" if default is None else f"`{yaml_of(default)}`"
            if item.default is MISSING and item.default_factory is MISSING:
                shown = "must be given"
            rows.append(f"| `{before}{item.name}` | {shown} | {meanings[item.name]} |")
    table = "\n".join(rows)
    return f"{says}\n\n{table}" if before else table


def yaml_of(value: Any) -> str:
    """Returns a value as a YAML file has it, on one line."""
    if isinstance(value, float) or value == "":
        return f"{value:g}" if value != "" else '""'
    return yaml.safe_dump(value, default_flow_style=True, width=1000).removesuffix("...\n").strip()


PAGES: dict[str, Callable[[], str]] = {
    **{f"{name}/index.md": partial(game_page, game_cls) for name, game_cls in GAMES.items()},
    "commands.md": commands_page,
    "dream_factory/actions.md": actions_page,
    "dream_factory/benchmark.md": benchmark_page,
    "dream_factory/conformance.md": conformance.page,
    "dream_factory/observation.md": observation_page,
    "dream_factory/view.md": view_page.page,
    "settings.md": settings_page,
}


def draw_table() -> None:
    """Draws the picture of the README: a game of four, well under way."""
    game = DreamFactory(4, seed=21)
    rng = random.Random(21)
    while (int(game.state.round_number), game.location) != (3, "City 4"):
        game.play(STYLES["thrifty"](game.legal(), rng))
    (DOCS / "dream_factory/table.png").write_bytes(encode_png(game.picture(0)))


def with_leaderboard(readme: str) -> str:
    """Returns the README with its leaderboard made anew."""
    return re.sub(r"^\| \[leaderboard\].*?(?=\n\n)", leaderboard(), readme, flags=re.M | re.S)


def main() -> None:
    """Writes the pages anew."""
    readme = ROOT / "README.md"
    readme.write_text(with_leaderboard(readme.read_text("utf-8")), "utf-8")
    print("wrote the leaderboard of README.md")
    for name, make in PAGES.items():
        (DOCS / name).write_text(make(), "utf-8")
        print(f"wrote docs/{name}")
    draw_table()
    print("wrote docs/dream_factory/table.png")


if __name__ == "__main__":
    main()

"""The page of a game: what it declares, made from its spec."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dreamfactory_env.envs.registration import env_id
from dreamfactory_env.games.game import Game
from dreamfactory_env.games.observation_spec import ObservationSpec
from dreamfactory_env.games.spec import GameSpec
from tests.paths import DOCS

PAGE = """# {title}

What the game declares of itself. (This page is made from the code by `make docs`.)

| | |
|---|---|
| name in records, files and commands | `{name}`, version `{version}` |
| players | {min_players} to {max_players}, {default_players} if nothing is said |
| utility | `{utility}`: {utility_words} |
| rewards | {rewards}; the range of `score` with default options is {low:.2f} to {high:.2f} |
| actions | {num_actions}, one flat space for all phases and player counts |
| observation | {size:,} numbers, float32, in {blocks} named blocks |
| a game ends within | {max_length:,} moves with default options |
| scripted policies, weakest first | {ladder} |
| rollouts of the search | `{rollout}` |
| trained agents | {agents} |
| PettingZoo | `from dreamfactory_env import {name}_{version}` |
| Gymnasium | `gymnasium.make("{env_id}", {others}="{weakest}")` |

## Options

In Python they are keyword arguments, of the game and of all its environments; on the command line
`-o name=value`; in the YAML files of tournaments and trainings they stand under `options`.

| option | values | default | |
|---|---|---|---|
| `players` | {min_players} to {max_players} | {default_players} | how many play |
{options}

## Pages

{pages}
"""

UTILITY_WORDS = {
    "zero_sum": "what one player gains the others lose",
    "shared": "all players are paid the same, they win or lose together",
}


def game_page(game_cls: type[Game]) -> str:
    """Returns the page of a game."""
    spec = game_cls.spec
    facts: dict[str, Any] = {**vars(spec), **vars(spec.sizes)}
    facts |= {
        "utility_words": UTILITY_WORDS[spec.utility],
        "rewards": ", ".join(f"`{reward}`" for reward in spec.rewards),
        "low": spec.score_range[0],
        "high": spec.score_range[1],
        "num_actions": spec.num_actions,
        "max_length": spec.max_length,
        "size": spec.observation.size,
        "blocks": len(spec.observation.blocks),
        "ladder": ", ".join(f"`{policy}`" for policy in spec.ladder),
        "agents": ", ".join(f"`{agent}`" for agent in (*game_cls.agents, *game_cls.pool)) or "none",
        "env_id": env_id(game_cls),
        "others": spec.others,
        "weakest": spec.ladder[0],
        "options": "\n".join(option_rows(spec)),
        "pages": "\n".join(page_links(DOCS / spec.name)),
    }
    return PAGE.format(**facts)


def option_rows(spec: GameSpec) -> list[str]:
    """Returns a row of a table for each option."""
    rows = []
    for option in spec.options:
        values = option.values_in_words()
        default = "none" if option.default is None else str(option.default).lower()
        rows.append(f"| `{option.name}` | {values} | {default} | {option.help} |")
    return rows


def page_links(folder: Path) -> list[str]:
    """Returns a line for each other page of the game's folder, named by its heading."""
    lines = []
    for path in sorted(folder.glob("*.md")):
        if path.name != "index.md":
            heading = path.read_text("utf-8").partition("\n")[0].lstrip("# ")
            lines.append(f"- [{heading}]({path.name})")
    return lines


def action_rows(blocks: Sequence[tuple[int, int, str, str]], total: int) -> str:
    """Returns the rows of a table of actions: the first, how many, their words and meaning."""
    rows = []
    for first, count, words, meaning in blocks:
        numbers = f"{first}" if count == 1 else f"{first} to {first + count - 1}"
        rows.append(f"| {numbers} | {count} | {words} | {meaning} |")
    assert sum(block[1] for block in blocks) == total
    return "\n".join(rows)


def block_rows(layout: ObservationSpec) -> str:
    """Returns the rows of a table of the blocks of an observation."""
    rows = []
    for name, block in layout.blocks.items():
        where = f"{block.start} to {block.start + block.size - 1}"
        shape = " × ".join(str(n) for n in block.shape)
        meaning = block.meaning.replace("|", "or")
        rows.append(
            f"| `{name}` | {where} | {shape} | {block.low:g} to {block.high:g} | {meaning} |"
        )
    return "\n".join(rows)

"""The command ``dreamfactory games``: what there is to play, and with which options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.table import Table

from dreamfactory_env.cli.options import players_in_words
from dreamfactory_env.cli.terminal import console
from dreamfactory_env.games import DEFAULT_GAME, GAMES, game_named
from dreamfactory_env.games.game import Game
from dreamfactory_env.games.spec import Option


def games_command(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="A game, to show all of it.")
    ] = None,
) -> None:
    """List the games with their options, policies and agents."""
    if name is None:
        for number, game_cls in enumerate(GAMES.values()):
            if number:
                console.print()
            _print_facts(game_cls, _facts(game_cls))
    else:
        game_cls = game_named(name)
        _print_facts(game_cls, _facts(game_cls) | _more_facts(game_cls))
        _print_observation(game_cls)


def _facts(game_cls: type[Game]) -> dict[str, str]:
    """Returns what the list says of a game, besides its options."""
    spec = game_cls.spec
    return {
        "players": players_in_words(spec),
        "utility": spec.utility.value,
        "rewards": f"{', '.join(spec.rewards)}; the first by default",
        "policies": ", ".join(spec.ladder),
        "agents": ", ".join(game_cls.agents) or "none",
    }


def _more_facts(game_cls: type[Game]) -> dict[str, str]:
    """Returns what else there is to say of a game."""
    spec = game_cls.spec
    low, high = spec.score_range
    files = [f"{name}: {path}" for name, path in game_cls.agents.items()]
    return {
        "policies": f"{', '.join(spec.ladder)}, from weakest to strongest; "
        f"a search plays games to their end with {spec.rollout}",
        "agents": "\n".join(files) or "none",
        "score": f"{low:g} to {high:g} as a reward, which counts {spec.score_scale:g} points as 1",
        "shaping": "yes" if spec.shaping else "no",
        "length": f"at most {spec.max_length:,} moves",
        "actions": f"{spec.num_actions:,}",
        "observation": f"{spec.observation.size:,} numbers",
    }


def _print_facts(game_cls: type[Game], facts: dict[str, str]) -> None:
    spec = game_cls.spec
    default = ", the default" if spec.name == DEFAULT_GAME else ""
    console.print(f"{spec.name}: {spec.title} {spec.version}{default}")
    table = Table(box=None, show_header=False, padding=(0, 1, 0, 2))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for key, text in facts.items():
        table.add_row(key, text)
    console.print(table)
    if spec.options:
        console.print("  options, each given as -o KEY=VALUE:")
        _print_table(("key", "values", "default", ""), [option_row(o) for o in spec.options])


def option_row(option: Option) -> tuple[str, str, str, str]:
    """Returns an option in words: its name, its values, its default and its help."""
    default = str(option.default).lower() if option.type is bool else str(option.default)
    shown = "none" if option.default is None else default
    return option.name, option.values_in_words(), shown, option.help


def _print_observation(game_cls: type[Game]) -> None:
    rows = [
        (name, " × ".join(map(str, block.shape)), f"{block.low:g} to {block.high:g}", block.meaning)
        for name, block in game_cls.spec.observation.blocks.items()
    ]
    console.print("  blocks of the observation:")
    _print_table(("block", "shape", "range", "meaning"), rows)


def _print_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    table = Table(box=None, padding=(0, 1, 0, 2), header_style="")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*row)
    console.print(table)

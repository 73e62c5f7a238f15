"""The pages of the docs that are made from code and tests: ``make docs`` writes them anew.

What is a game's own stands in its module ``pages`` of ``tests.games``: its PAGES and PICTURES.
"""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import partial
from typing import Any, get_args, get_type_hints

import yaml

from dreamfactory_env.arena.benchmark import page, picture
from dreamfactory_env.arena.benchmark.competitive import WIDEST
from dreamfactory_env.games import GAMES
from dreamfactory_env.games.game import Game
from dreamfactory_env.learning.config import Others, Training
from tests.docs.attributes import attributes_of
from tests.docs.commands_page import commands_page
from tests.docs.game_page import game_page
from tests.paths import DOCS, ROOT


def benchmark_page(game_cls: type[Game]) -> str:
    """Returns the page of the benchmark of a game; the command writes it, too."""
    return page(benchmark_data(game_cls), "benchmark.json", game_cls(seed=0))


def benchmark_picture(game_cls: type[Game]) -> str:
    """Returns the picture of that page; the command writes it, too."""
    return picture(benchmark_data(game_cls), game_cls(seed=0)) or ""


def benchmark_data(game_cls: type[Game]) -> Any:
    """Returns the results of the benchmark of a game."""
    return json.loads((DOCS / game_cls.spec.name / "benchmark.json").read_text("utf-8"))


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
        columns = []
        for players in (2, 4):
            rate, half_width = wins.get((players, name), (0, 1))
            known = name != "expert" and half_width <= WIDEST
            columns.append(ratings[str(players)].get(name, "–"))
            columns.append(f"{rate:.1%} ± {half_width:.1%}" if known else "–")
        rows.append(f"| `{name}` | {' | '.join(columns)} |")
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


def pages_of(name: str, game_cls: type[Game]) -> dict[str, Callable[[], str]]:
    """Returns the pages of a game, by their paths below the docs."""
    own = importlib.import_module(f"tests.games.{name}.pages").PAGES
    pages = {"index.md": partial(game_page, game_cls), **own}
    if (DOCS / name / "benchmark.json").exists():
        pages["benchmark.md"] = partial(benchmark_page, game_cls)
        if game_cls.spec.shared:
            pages["benchmark.svg"] = partial(benchmark_picture, game_cls)
    return {f"{name}/{page}": make for page, make in pages.items()}


def pictures_of(name: str) -> dict[str, Callable[[], bytes]]:
    """Returns the pictures of a game, by their paths below the docs."""
    own = importlib.import_module(f"tests.games.{name}.pages").PICTURES
    return {f"{name}/{picture}": draw for picture, draw in own.items()}


PAGES: dict[str, Callable[[], str]] = {
    "commands.md": commands_page,
    "settings.md": settings_page,
}
PICTURES: dict[str, Callable[[], bytes]] = {}
for _name, _game_cls in GAMES.items():
    PAGES |= pages_of(_name, _game_cls)
    PICTURES |= pictures_of(_name)


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
    for name, draw in PICTURES.items():
        (DOCS / name).write_bytes(draw())
        print(f"wrote docs/{name}")


if __name__ == "__main__":
    main()

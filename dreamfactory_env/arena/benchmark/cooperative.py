"""The page of the benchmark of a shared game, made from the data of its file."""

from __future__ import annotations

from pathlib import PurePath

from dreamfactory_env.arena.benchmark.benchmark import SEARCH, BenchmarkData
from dreamfactory_env.arena.benchmark.cells import CLOCK, RESPONSE, CellResult, names_of
from dreamfactory_env.arena.benchmark.markdown import (
    cells_of,
    duration,
    facts_of,
    listed,
    matrix_of,
    move_seconds,
    table_row,
    usual_games,
)
from dreamfactory_env.games.game import Game

PAGE = """# Benchmark

What any two policies reach together, with {all_counts} players: the scripted policies, the
[search](../search.md) and the trained agents. `dreamfactory benchmark --game {game} --out {file}`
plays what is missing and writes this page from its results, [{file}]({file}).

- A cell is **two policies at one table**: they have the seats in every way in which both sit,
  equally often. On the diagonal a policy plays with itself.
- The first number is the mean **score**, as the reward `score` pays it: {low:g} to {high:g}, and -1
  for a game that an illegal action has ended. Below it stands how many games are **won**, in
  percent. After ± stands half of the 95 % interval, [by deal](../arena.md#what-the-figures-mean).
- All cells of a player count are played from the same deals.
- `{search}` searches with a number of iterations, so it plays the same game on every machine. It
  takes long: its cells have fewer games, the fewer the more of it sit at the table. Where a cell
  has another number of games than most, it stands in brackets.
- A move takes what it took while the cells were played; scripted policies are compiled, of them
  there are no times.

The game is `{game}` `{version}`, seed {seed}.
{counts}{more}
## The file

| key | |
|---|---|
| `format`, `package` | what the file is, and which version of this package wrote it |
| `game`, `version` | the game, and the version of its behaviour |
| `config` | its options, if they are not the default ones |
| `observation` | the fingerprint of what networks see |
| `seed` | where all deals come from |
| `policies` | the rows and columns, in their order |
| `cells` | what was played, see below |
| `ratings` | empty: a shared game has none |

| key of a cell | |
|---|---|
| `part` | `matrix`, `clock` or `response` |
| `players`, `row`, `column` | the two policies; of mirror images one |
| `games`, `deals` | how many were played |
| `score`, `score_half_width` | the mean score, and half of the 95 % interval |
| `win_rate`, `half_width` | how often they win, and half of the 95 % interval |
| `fouls` | games that ended by an action that cannot be |
| `move_seconds` | what row and column took for a decision; `null` for a compiled one |
| `fingerprints` | hashes of what row and column are made of: constants, or the file of a network |
| `package` | the version of this package that played |
| `facts` | of a response: what the header of its file says |
"""

COUNT = """
## {players} players

{matrix}

{usual} games in a cell, unless it says otherwise.

{policies}
"""

MORE = """
## {title}

| policy | with | players | score | wins in % | games |
|---|---|---:|---:|---:|---:|
{rows}
{facts}"""


def cooperative_page(data: BenchmarkData, file: str, game: Game) -> str:
    """Returns the page of a benchmark.

    Args:
        data: What the file says.
        file: The name of the file, beside the page.
        game: A game with the options that were played.
    """
    low, high = game.spec.score_range
    counts = sorted({cell["players"] for cell in data["cells"] if cell["part"] == "matrix"})
    return PAGE.format(
        game=data["game"],
        version=data["version"],
        seed=data["seed"],
        file=file,
        search=SEARCH,
        low=low,
        high=high,
        all_counts=listed(game.spec.player_counts),
        counts="".join(_count(data, players) for players in counts),
        more=_more(data, CLOCK, "With the clock", game)
        + _more(data, RESPONSE, "Trained for the best", game),
    )


def _count(data: BenchmarkData, players: int) -> str:
    """Returns the section of a player count."""
    cells = matrix_of(data, players)
    usual = usual_games(cells)
    played = {frozenset(names_of(cell)): cell for cell in cells}
    names = [name for name in data["policies"] if any(name in pair for pair in played)]
    lines = [
        table_row(["", *(f"`{name}`" for name in names)]),
        "|---|" + "---:|" * len(names),
    ]
    for row in names:
        texts = [_cell(played.get(frozenset((row, column))), usual) for column in names]
        lines.append(table_row([f"`{row}`", *texts]))
    return COUNT.format(
        players=players,
        matrix="\n".join(lines),
        usual=f"{usual:,}",
        policies="\n".join(_policies(names, played, cells)),
    )


def _cell(cell: CellResult | None, usual: int) -> str:
    if cell is None:
        return "–"
    games = "" if cell["games"] == usual else f" ({cell['games']:,})"
    return f"{_score(cell)}<br>{_wins(cell)}{games}"


def _score(cell: CellResult) -> str:
    return f"{cell['score']:.3f} ± {cell['score_half_width']:.3f}"


def _wins(cell: CellResult) -> str:
    return f"{100 * cell['win_rate']:.1f} ± {100 * cell['half_width']:.1f}"


def _policies(
    names: list[str], played: dict[frozenset[str], CellResult], cells: list[CellResult]
) -> list[str]:
    """Returns the table of the policies: self-play, and mean and lowest of cross-play."""
    lines = [
        "| policy | self-play | cross-play, mean | lowest | with | a move takes |",
        "|---|---:|---:|---:|---|---:|",
    ]
    for name in names:
        alone = played.get(frozenset((name,)))
        others = {
            other: played[frozenset((name, other))]["score"]
            for other in names
            if other != name and frozenset((name, other)) in played
        }
        mean, lowest, partner = "–", "–", "–"
        if others:
            worst = min(others, key=lambda other: others[other])
            mean, lowest = f"{sum(others.values()) / len(others):.3f}", f"{others[worst]:.3f}"
            partner = f"`{worst}`"
        took = duration(move_seconds(name, cells))
        own = f"{alone['score']:.3f}" if alone else "–"
        lines.append(table_row([f"`{name}`", own, mean, lowest, partner, took]))
    return lines


def _more(data: BenchmarkData, part: str, title: str, game: Game) -> str:
    """Returns the section of the cells of another part, nothing if there are none."""
    cells = cells_of(data, part)
    if not cells:
        return ""
    rows = [
        table_row(
            [
                *(f"`{PurePath(name).name}`" for name in names_of(cell)),
                *(str(cell["players"]), _score(cell), _wins(cell), f"{cell['games']:,}"),
            ]
        )
        for cell in cells
    ]
    facts = "".join(f"{text}\n" for text in facts_of([c for c in cells if "facts" in c], game))
    return MORE.format(title=title, rows="\n".join(rows), facts=facts)

"""The page of the benchmark of a zero-sum game, made from the data of its file."""

from __future__ import annotations

from pathlib import PurePath

from dreamfactory_env.arena.benchmark.benchmark import TIMED
from dreamfactory_env.arena.benchmark.cells import CLOCK, RESPONSE, CellResult, names_of
from dreamfactory_env.arena.benchmark.data import BenchmarkData
from dreamfactory_env.arena.benchmark.field import SEARCH
from dreamfactory_env.arena.benchmark.markdown import (
    cells_of,
    duration,
    facts_of,
    listed,
    machine_of,
    matrix_of,
    move_seconds,
    table_row,
    usual_games,
)
from dreamfactory_env.arena.benchmark.ratings import RatingRow
from dreamfactory_env.games.game import Game

#: Half of the widest interval of a win rate that a page shows: a wider one says too little.
WIDEST = 0.05

PAGE = """# Benchmark

Who wins how often against whom, with {all_counts} players: the [scripted policies](policies.md),
the [search](../search.md) and the trained agents. `dreamfactory benchmark --out {file}` plays
what is missing and writes this page from its results, [{file}]({file}), which are there to be
cited and [extended](#a-policy-of-your-own).

- A cell is **one policy of the row alone at a table of the column's policy**: how many games it
  wins, in percent; a shared win counts as its part.
- Every deal is played once from each seat, and all cells of a player count are played from the
  same deals. After ± stands half of the 95 % interval,
  [by deal](../arena.md#what-the-figures-mean).
- `{search}` searches with a number of iterations, so it plays the same game on every machine; with
  `:{best}` behind it, that network guides it. It is dear, so its cells have fewer games. Where a
  cell has another number of games than most, it stands in brackets; where these are so few that
  the interval is wider than ± {widest} %, the result is left out here. The file has it.
- **Ratings** are [those of the arena](../arena.md#what-the-figures-mean), fitted to all cells of a
  player count: 400 points are odds of ten to one to come before another. All places count, so
  who wins often and is last often may not rate high. `{anchor}` has 1500.
- A move takes what it took while the cells were played: moves without a choice are counted, too,
  and who answers for many games at once was asked for many. Scripted policies among themselves are
  compiled as a whole; of them there are no times.

The game is `{game}` `{version}` with its default options, seed {seed}.
{counts}
## Against the clock

{clock}

## Best response

How much does the best agent lose to somebody who knows it? A network is trained against nobody but
`{best}`, which does not change: a fresh one by
[best_response.yaml](../../configs/train/best_response.yaml), one that begins as `{best}` itself by
[best_response_from_itself.yaml](../../configs/train/best_response_from_itself.yaml). What a network
wins above its fair share is a **lower bound of what `{best}` can be made to lose**: a longer
training, or a better one, may find more. One that stays below its fair share shows nothing.

{response}

## A policy of your own

```console
$ dreamfactory benchmark --out mine.json --from benchmark.json --add mine.safetensors
```

plays the policy of any [name](../own_policies.md#names) against all others, writes the results to a
copy, and a page like this one beside it. No other cell is played again. Ctrl-C stops it, and the
same command resumes it, also after it was killed. `--games`, `--search-games` and `--players` say
how much is played, and `--only` by whom; a cell with fewer games than wanted is played again.

## The file

| key | |
|---|---|
| `format`, `package` | what the file is, and which version of this package wrote it |
| `game`, `version` | the game, and the version of its behaviour |
| `observation` | the fingerprint of what networks see |
| `seed` | where all deals come from |
| `policies` | the rows and columns, in their order |
| `cells` | what was played, see below |
| `ratings` | for each player count `name`, `rating`, and its interval `low` to `high` |

| key of a cell | |
|---|---|
| `part` | `matrix`, `clock` or `response` |
| `players`, `row`, `column` | one `row` at a table of `column`; of two players' mirror images one |
| `games`, `deals` | how many were played; each deal on all seats |
| `win_rate`, `half_width` | how often the row wins, and half of the 95 % interval |
| `places` | how often the row has each place, from the first to the last |
| `covariance` | of `places` over the deals; ratings need no more than these two |
| `fouls` | games that ended by an action that cannot be |
| `move_seconds` | what row and column took for a decision; `null` where all was compiled |
| `fingerprints` | hashes of what row and column are made of: constants, or the file of a network |
| `package` | the version of this package that played |
| `facts` | of a best response: what the header of its file says |
| `machine` | of games by the clock: `processor`, `cores`, `load` and `commit` |
"""

CLOCKED = """A search by the clock finds more on a faster machine, and on an idle one: the last
column says on which the games were played, how many processes ran or waited there when they ended
(these included), and the commit that played. A move takes what it took row and column."""

COUNT = """
## {players} players

{matrix}

{usual} games in a cell, unless it says otherwise; a fair share is {fair}.

{ratings}
"""


def competitive_page(data: BenchmarkData, file: str, game: Game) -> str:
    """Returns the page of a benchmark.

    Args:
        data: What the file says.
        file: The name of the file, beside the page.
        game: A game with the options that were played.
    """
    anchor = game.spec.ladder[-1]
    best = next(iter(game.agents), anchor)
    return PAGE.format(
        game=data["game"],
        version=data["version"],
        seed=data["seed"],
        file=file,
        search=SEARCH,
        widest=f"{100 * WIDEST:.0f}",
        anchor=anchor,
        best=best,
        all_counts=listed(game.spec.player_counts),
        counts="".join(_count(data, int(players)) for players in data["ratings"]),
        clock=_clock(data, best),
        response=_response(data, game),
    )


def _count(data: BenchmarkData, players: int) -> str:
    """Returns the section of a player count."""
    cells = matrix_of(data, players)
    usual = usual_games(cells)
    played = {(cell["row"], cell["column"]): cell for cell in cells}
    names = [name for name in data["policies"] if any(name in pair for pair in played)]
    lines = [
        table_row(["one … among", *(f"`{name}`" for name in names)]),
        "|---|" + "---:|" * len(names),
    ]
    for row in names:
        texts = [_cell(played, row, column, usual) for column in names]
        lines.append(table_row([f"`{row}`", *texts]))
    return COUNT.format(
        players=players,
        matrix="\n".join(lines),
        usual=f"{usual:,}",
        fair=f"{100 / players:.1f}",
        ratings="\n".join(_ratings(data["ratings"][str(players)], cells)),
    )


def _cell(played: dict[tuple[str, str], CellResult], row: str, column: str, usual: int) -> str:
    """Returns a cell of the matrix; with two players the mirror image says the same."""
    if (row, column) in played:
        cell = played[row, column]
        rate = cell["win_rate"]
    elif (column, row) in played and played[column, row]["players"] == 2:
        cell = played[column, row]
        rate = 1 - cell["win_rate"]
    else:
        return "–"
    games = "" if cell["games"] == usual else f" ({cell['games']:,})"
    return rate_of({**cell, "win_rate": rate}) + games


def rate_of(cell: CellResult) -> str:
    """Returns how often the row of a cell wins, in percent; a dash if that is not known enough."""
    if cell["half_width"] > WIDEST:
        return "–"
    return f"{100 * cell['win_rate']:.1f} ± {100 * cell['half_width']:.1f}"


def _ratings(ratings: list[RatingRow], cells: list[CellResult]) -> list[str]:
    """Returns the table of the ratings, with the time that a move takes."""
    lines = ["| policy | rating | 95 % interval | a move takes |", "|---|---:|---:|---:|"]
    for row in ratings:
        around = f"{row['low']:.0f} to {row['high']:.0f}"
        took = duration(move_seconds(row["name"], cells))
        lines.append(table_row([f"`{row['name']}`", f"{row['rating']:.0f}", around, took]))
    return lines


def _clock(data: BenchmarkData, best: str) -> str:
    cells = cells_of(data, CLOCK)
    if not cells:
        return f"`{best}` and `{TIMED}` meet with `--timed-games 1000`; it was not played yet."
    lines = [
        "| one | among | players | wins in % | fair share | games | a move takes | where |",
        "|---|---|---:|---:|---:|---:|---:|---|",
    ]
    for cell in sorted(cells, key=lambda cell: (*names_of(cell), cell["players"])):
        row, column = (f"`{name}`" for name in names_of(cell))
        wins = rate_of(cell)
        fair = f"{100 / cell['players']:.1f}"
        took = ", ".join(duration(seconds) for seconds in cell["move_seconds"])
        figures = [
            str(cell["players"]),
            wins,
            fair,
            f"{cell['games']:,}",
            took,
            machine_of(cell) or "not kept",
        ]
        lines.append(table_row([row, column, *figures]))
    return "\n".join([*lines, "", CLOCKED])


def _response(data: BenchmarkData, game: Game) -> str:
    cells = cells_of(data, RESPONSE)
    if not cells:
        return "It is played with `--response FILE`; it was not played yet."
    lines = [
        "| response | players | wins in % | fair share | above it | games |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for cell in cells:
        rate, half, fair = (
            100 * x for x in (cell["win_rate"], cell["half_width"], 1 / cell["players"])
        )
        figures = [f"{rate:.1f} ± {half:.1f}", f"{fair:.1f}", f"{rate - fair:+.1f} ± {half:.1f}"]
        name = PurePath(cell["row"]).name
        lines.append(table_row([f"`{name}`", str(cell["players"]), *figures, f"{cell['games']:,}"]))
    return "\n".join([*lines, *facts_of(cells, game)])

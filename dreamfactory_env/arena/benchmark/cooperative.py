"""The page of the benchmark of a shared game, made from the data of its file."""

from __future__ import annotations

from pathlib import PurePath
from statistics import mean

from dreamfactory_env.arena.analysis.bootstrap import NORMAL
from dreamfactory_env.arena.benchmark.cells import CLOCK, RESPONSE, CellResult, names_of
from dreamfactory_env.arena.benchmark.data import BenchmarkData
from dreamfactory_env.arena.benchmark.field import SEARCH
from dreamfactory_env.arena.benchmark.markdown import (
    cells_of,
    duration,
    facts_of,
    listed,
    machine_of,
    move_seconds,
    table_row,
    usual_games,
)
from dreamfactory_env.arena.benchmark.pools import pools_of
from dreamfactory_env.arena.benchmark.sections import CrossPlay, Section, sections_of
from dreamfactory_env.games.game import Game

#: Half of the widest interval of a share that is shown.
WIDEST = 0.1

PAGE = """# Benchmark

What any two policies reach together, with {all_counts} players: the scripted policies, the
[search](../search.md) and the trained agents. `dreamfactory benchmark --game {game} --out {file}`
plays what is missing and writes this page from its results, [{file}]({file}), and the
[picture]({picture}).

- A cell is **two policies at one table**: they have the seats in every way in which both sit,
  equally often. On the diagonal a policy plays with itself: self-play.
- The first number is the mean **score**, as the reward `score` pays it: {low:g} to {high:g}, and -1
  for a game that an illegal action has ended. Below it stands how many games are **won**, in
  percent. After ± stands half of the 95 % interval, [by deal](../arena.md#what-the-figures-mean).
- All cells of a player count are played from the same deals.
- **Cross-play** is the mean over the other policies of the table, and the lowest of them. A mean
  hides the partner with whom nothing works.
- `{search}` searches with a number of iterations, so it plays the same game on every machine. It
  takes long: its cells have fewer games, the fewer the more of it sit at the table. Where a cell
  has another number of games than most, it stands in brackets.
- A move takes what it took while the cells were played; scripted policies are compiled, of them
  there are no times.
{notes}
The game is `{game}` `{version}`, seed {seed}.
{summary}{pools}{counts}{more}
## The file

| key | |
|---|---|
| `format`, `package` | what the file is, and which version of this package wrote it |
| `game`, `version` | the game, and the version of its behaviour |
| `config` | its options, if they are not the default ones |
| `observation` | the fingerprint of what networks see, if it is the same in all cells |
| `seed` | where all deals come from |
| `policies` | the rows and columns, in their order |
| `cells` | what was played, see below |
| `ratings` | empty: a shared game has none |

| key of a cell | |
|---|---|
| `part` | `matrix`, `ceiling`, `clock` or `response` |
| `options` | which variant of the game it is, if there are several |
| `players`, `row`, `column` | the two policies; of mirror images one |
| `games`, `deals` | how many were played |
| `score`, `score_half_width` | the mean score, and half of the 95 % interval |
| `rates` | what the game counts: how often it was so, and out of how many |
| `win_rate`, `half_width` | how often they win, and half of the 95 % interval |
| `fouls` | games that ended by an action that cannot be |
| `move_seconds` | what row and column took for a decision; `null` for a compiled one |
| `fingerprints` | hashes of what row and column are made of: constants, or the file of a network |
| `package` | the version of this package that played |
| `facts` | of a response: what the header of its file says |
| `machine` | of games by the clock: `processor`, `cores`, `load` and `commit` |
"""

RATES = """\
- What the game counts is of self-play, in percent; the interval is that of a share of so many
  games. Where they are so few that it would say nothing, the numbers of games stand there.
"""

SEEDS = """\
- Agents of a **pool** have the same maker and differ in the seed of their training alone.
  Their table has, for each maker, self-play (the mean, and the lowest to the highest seed),
  cross-play between its seeds, and with the other policies. They do not meet the search, and
  play with as many players as they have learned with.
"""

CEILING_NOTE = """\
- `{name}` sees everything, which no player may, and plays with itself: the ceiling.
"""

SUMMARY = """
## Self-play

{table}

![Who reaches what with whom]({picture})
"""

COUNT = """
{heading} {title}

{matrix}

{usual} games in a cell, unless it says otherwise.

{policies}
{seeds}"""

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
    sections = sections_of(data, game.pool)
    ceilings = dict.fromkeys(s.ceiling["row"] for s in sections if s.ceiling is not None)
    notes = [RATES] if game.stats().rates else []
    notes += [SEEDS] if any(section.seeds for section in sections) else []
    notes += [CEILING_NOTE.format(name=name) for name in ceilings]
    image = str(PurePath(file).with_suffix(".svg"))
    return PAGE.format(
        game=data["game"],
        version=data["version"],
        seed=data["seed"],
        file=file,
        picture=image,
        search=SEARCH,
        low=low,
        high=high,
        notes="".join(notes),
        all_counts=listed(game.spec.player_counts),
        summary=SUMMARY.format(table="\n".join(_summary(sections)), picture=image),
        pools=pools_of(sections),
        counts="".join(_counts(sections)),
        more=_more(data, CLOCK, "With the clock", game)
        + _more(data, RESPONSE, "Trained for the best", game),
    )


def _summary(sections: list[Section]) -> list[str]:
    """Returns the table of self-play in all variants and player counts."""
    names = list(dict.fromkeys(name for section in sections for name in section.single))
    makers = list(dict.fromkeys(maker for section in sections for maker in section.seeds))
    heads = [*(f"`{name}`" for name in names), *(f"`{maker}`, a pool" for maker in makers)]
    top = next((s.ceiling["row"] for s in sections if s.ceiling is not None), None)
    heads += [f"`{top}`"] if top else []
    lines = [table_row(["", *heads]), "|---|" + "---:|" * len(heads)]
    for section in sections:
        cells = [_short(section.self_play([name])) for name in names]
        cells += [_short(section.self_play(section.seeds.get(maker, []))) for maker in makers]
        cells += [_short([section.ceiling] if section.ceiling else [])] if top else []
        lines.append(table_row([section.title, *cells]))
    return lines


def _short(cells: list[CellResult]) -> str:
    """Returns score and wins, of several cells the means."""
    if not cells:
        return "–"
    if len(cells) == 1:
        return f"{_score(cells[0])}<br>{_wins(cells[0])} %"
    scores, wins = (mean(cell[key] for cell in cells) for key in ("score", "win_rate"))
    return f"{scores:.3f}<br>{100 * wins:.1f} %"


def _counts(sections: list[Section]) -> list[str]:
    """Returns the sections of all variants and player counts."""
    parts, variant = [], ""
    for section in sections:
        if not section.cells:
            continue
        if section.variant != variant:
            variant = section.variant
            parts.append(f"\n## {variant}\n")
        usual = usual_games(section.cells)
        parts.append(
            COUNT.format(
                heading="###" if variant else "##",
                title=f"{section.players} players",
                matrix="\n".join(_matrix(section, usual)),
                usual=f"{usual:,}",
                policies="\n".join(_policies(section)),
                seeds=_seeds(section),
            )
        )
    return parts


def _matrix(section: Section, usual: int) -> list[str]:
    """Returns the matrix of the policies that are no seeds of a maker; the picture has all."""
    names = section.single
    lines = [table_row(["", *(f"`{name}`" for name in names)]), "|---|" + "---:|" * len(names)]
    for row in names:
        texts = [_cell(section.cell(row, column), usual) for column in names]
        lines.append(table_row([f"`{row}`", *texts]))
    return lines


def _cell(cell: CellResult | None, usual: int) -> str:
    if cell is None:
        return "–"
    games = "" if cell["games"] == usual else f" ({cell['games']:,})"
    return f"{_score(cell)}<br>{_wins(cell)}{games}"


def _score(cell: CellResult) -> str:
    return f"{cell['score']:.3f} ± {cell['score_half_width']:.3f}"


def _wins(cell: CellResult) -> str:
    return f"{100 * cell['win_rate']:.1f} ± {100 * cell['half_width']:.1f}"


def _policies(section: Section) -> list[str]:
    """Returns the table of the policies: self-play, what is counted, and cross-play."""
    rates = list(dict.fromkeys(title for cell in section.cells for title in cell.get("rates", {})))
    heads = ["policy", "self-play", "wins in %", *rates]
    heads += ["cross-play, mean", "lowest", "with", "a move takes"]
    aligned = ["---", *["---:"] * (len(heads) - 3), "---", "---:"]
    lines = [table_row(heads), "|" + "|".join(aligned) + "|"]
    for name in section.single:
        cross = section.cross_play([name], section.single)
        took = duration(move_seconds(name, section.cells))
        lines.append(
            table_row([f"`{name}`", *_alone(section.cell(name, name), rates), *_cross(cross), took])
        )
    if section.ceiling is not None:
        own = _alone(section.ceiling, rates)
        lines.append(table_row([f"`{section.ceiling['row']}`", *own, "–", "–", "–", "–"]))
    field = section.cross_play(section.single, section.single)
    if field is not None:
        one, other = field.pair
        lines.append(
            f"\nAll pairs of different policies: mean {field.mean:.3f}, lowest {field.lowest:.3f}"
            f" (`{one}` with `{other}`)."
        )
    return lines


def _alone(cell: CellResult | None, rates: list[str]) -> list[str]:
    """Returns the columns of self-play."""
    if cell is None:
        return ["–"] * (2 + len(rates))
    counts = cell.get("rates", {})
    return [f"{cell['score']:.3f}", _wins(cell), *(_rate(*counts[title]) for title in rates)]


def _rate(hits: int, of: int) -> str:
    """Returns a share in percent with half of its 95 % interval (Agresti and Coull).

    Where that is so wide that it says nothing, the counts are returned instead.
    """
    if of == 0:
        return "–"
    more = NORMAL**2
    middle = (hits + more / 2) / (of + more)
    half = NORMAL * (middle * (1 - middle) / (of + more)) ** 0.5 + abs(middle - hits / of)
    return f"{100 * hits / of:.1f} ± {100 * half:.1f}" if half < WIDEST else f"{hits} of {of}"


def _cross(found: CrossPlay | None) -> list[str]:
    """Returns the columns of cross-play."""
    if found is None:
        return ["–"] * 3
    return [f"{found.mean:.3f}", f"{found.lowest:.3f}", f"`{found.pair[1]}`"]


def _seeds(section: Section) -> str:
    """Returns the table of the makers of a pool, nothing if there are none."""
    if not section.seeds:
        return ""
    lines = [
        "",
        "| pool | seeds | self-play | wins in % | between seeds, mean | lowest | "
        "with others, mean | lowest | with |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---|",
    ]
    for maker, names in section.seeds.items():
        alone, between = section.self_play(names), section.cross_play(names, names)
        others = section.cross_play(names, [n for n in section.names if n not in names])
        lines.append(
            table_row(
                [
                    *(f"`{maker}`", str(len(names))),
                    *(_spread([c["score"] for c in alone], 1, 3), _spread(_rates(alone), 100, 1)),
                    *_cross(between)[:2],
                    *_cross(others),
                ]
            )
        )
    return "\n".join(lines) + "\n"


def _rates(cells: list[CellResult]) -> list[float]:
    return [cell["win_rate"] for cell in cells]


def _spread(values: list[float], scale: float, digits: int) -> str:
    """Returns the mean over seeds, and the lowest and the highest."""
    if not values:
        return "–"
    middle, low, high = (
        f"{scale * v:.{digits}f}" for v in (mean(values), min(values), max(values))
    )
    return f"{middle} ({low} to {high})"


def _more(data: BenchmarkData, part: str, title: str, game: Game) -> str:
    """Returns the section of the cells of another part, nothing if there are none."""
    cells = cells_of(data, part)
    if not cells:
        return ""
    rows = [
        table_row(
            [
                *(f"`{PurePath(name).name}`" for name in names_of(cell)),
                *(str(cell["players"]), _score(cell), _wins(cell)),
                f"{cell['games']:,}{where and f' ({where})'}",
            ]
        )
        for cell, where in zip(cells, map(machine_of, cells), strict=True)
    ]
    facts = "".join(f"{text}\n" for text in facts_of([c for c in cells if "facts" in c], game))
    return MORE.format(title=title, rows="\n".join(rows), facts=facts)

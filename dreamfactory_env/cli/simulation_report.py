"""What ``dreamfactory simulate`` says of the games that it has played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from rich.table import Table

from dreamfactory_env.cli.terminal import console
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.records.simulation import PlayedGame, Simulation

FORMAT = "dreamfactory-simulation/1"
#: The columns of the tables: how points are spread.
SPREAD = {
    "mean": "mean",
    "sd": "sd",
    "min": "least",
    "quartile_1": "25 %",
    "median": "median",
    "quartile_3": "75 %",
    "max": "most",
}


@dataclass
class Played:
    """What is known of the games of a simulation."""

    points: list[list[int]] = field(default_factory=list)
    won: list[list[int]] = field(default_factory=list)
    decisions: int = 0

    def add(self, game: PlayedGame) -> None:
        """Adds a game."""
        self.points.append(game.points)
        self.won.append(game.won)
        self.decisions += len(game.record["moves"])


def make_report(simulation: Simulation, played: Played, seconds: float) -> dict[str, Any]:
    """Returns the figures of a simulation as plain data; docs/records.md says what they mean.

    Args:
        simulation: What was played.
        played: The games.
        seconds: How long they took.
    """
    game, agents = simulation.game, simulation.agents
    report: dict[str, Any] = {
        "format": FORMAT,
        "game": game.spec.name,
        "version": game.spec.version,
        "config": game.config(),
        "utility": game.spec.utility.value,
        "seed": simulation.seed,
        "games": len(played.points),
        "decisions": played.decisions,
        "seconds": seconds,
    }
    points = np.array(played.points, np.int64).reshape(-1, game.players)
    won = np.array(played.won, np.float64).reshape(-1, game.players)
    if game.spec.shared:
        # All win or lose together, and have the same points.
        return report | {"team": {"policies": agents, **_figures(points[:, :1], won[:, :1])}}
    wins = won / np.maximum(won.sum(axis=1, keepdims=True), 1)
    seats_of: dict[str, list[int]] = {}
    for seat, name in enumerate(agents):
        seats_of.setdefault(name, []).append(seat)
    return report | {
        "policies": [
            {"name": name, "seats": seats, **_figures(points[:, seats], wins[:, seats])}
            for name, seats in seats_of.items()
        ],
        "seats": [
            {"seat": seat, "policy": name, **_figures(points[:, [seat]], wins[:, [seat]])}
            for seat, name in enumerate(agents)
        ],
    }


def _figures(points: Array, wins: Array) -> dict[str, Any]:
    """Returns how often some seats win and how their points are spread, by (games, seats)."""
    if not points.size:
        return {"win_rate": None, "points": None}
    spread = [points.mean(), points.std(), *np.quantile(points, [0, 0.25, 0.5, 0.75, 1])]
    named = dict(zip(SPREAD, map(float, spread), strict=True))
    return {"win_rate": float(wins.mean()), "points": named}


# ---------------------------------------------------------------------------- for people


def print_report(report: dict[str, Any], played: Played, score_scale: float) -> None:
    """Prints the speed of a simulation, who has won how often, and how the scores are spread.

    Args:
        report: What :func:`make_report` says.
        played: The games; there is one at least.
        score_scale: How the game scales its points.
    """
    games, decisions, seconds = (report[key] for key in ("games", "decisions", "seconds"))
    console.print(
        f"{games:,} games, {decisions:,} decisions in {seconds:.1f} s: "
        f"{games / seconds:,.0f} games/s, {decisions / seconds:,.0f} decisions/s "
        f"(records in words included)",
        soft_wrap=True,
    )
    points = np.array(played.points)
    if "team" in report:
        team = report["team"]
        policies, won = team["policies"], round(team["win_rate"] * games)
        names = ", ".join(policies if len(set(policies)) > 1 else policies[:1])
        console.print(
            f"{names}: {won:,} of {games:,} games won, {team['win_rate']:.1%}", soft_wrap=True
        )
        console.print("scores:")
        _print_table([""], [(["team"], team)])
        points = points[:, 0]
    else:
        _print_players(report, points)
    _print_histogram(points, max(round(score_scale / 5), 1))


def _print_players(report: dict[str, Any], points: Array) -> None:
    policies, seats = report["policies"], report["seats"]
    console.print("scores:")
    if len(policies) > 1:
        labels = [[row["name"], ", ".join(map(str, row["seats"]))] for row in policies]
        _print_table(["policy", "seats"], list(zip(labels, policies, strict=True)), "wins")
        console.print()
    labels = [[str(row["seat"]), row["policy"]] for row in seats]
    everybody = _figures(points, np.full(points.shape, 1 / len(seats)))
    rows = [*zip(labels, seats, strict=True), (["all", ""], everybody)]
    _print_table(["seat", "policy"], rows, "wins")


def _print_table(
    columns: Sequence[str], rows: Sequence[tuple[Sequence[str], dict[str, Any]]], *wins: str
) -> None:
    """Prints figures, each row with its labels before them.

    Args:
        columns: The titles of the labels.
        rows: Labels and figures.
        *wins: The title of a column with how often each wins, if there is to be one.
    """
    table = Table(*columns, box=None)
    for title in (*wins, *SPREAD.values()):
        table.add_column(title, justify="right")
    for labels, figures in rows:
        rate = [f"{figures['win_rate']:.1%}"] * len(wins)
        mean, sd, *quantiles = figures["points"].values()
        table.add_row(*labels, *rate, f"{mean:.1f}", f"{sd:.1f}", *(f"{q:.0f}" for q in quantiles))
    console.print(table)


def _print_histogram(points: Array, width: int) -> None:
    """Prints how often points fall into bins of a width, from 0 up or from the least below it."""
    start = min(int(points.min()) // width, 0) * width
    counts, edges = np.histogram(points, bins=range(start, int(points.max()) + width + 1, width))
    for count, edge in zip(counts, edges, strict=False):
        bar = "█" * round(40 * count / counts.max())
        ends = f"{edge:4d} to {edge + width - 1:<3d}" if width > 1 else f"{edge:4d}"
        console.print(f"{ends} {count:7,d} {bar}")

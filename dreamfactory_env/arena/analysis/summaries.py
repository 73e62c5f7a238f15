"""What the reports of all games have: what games look like, and who has fouled."""

from __future__ import annotations

from collections import Counter

import numpy as np

from dreamfactory_env.arena.report_types import Facts, FoulRow, GameTables, StatTable
from dreamfactory_env.arena.results import Result
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.stats import Stat

FORMAT = "dreamfactory-report/1"


def facts(result: Result) -> Facts:
    """Returns what a report begins with."""
    tournament = result.tournament
    deals = len(np.unique(result.deal))
    return {
        "format": FORMAT,
        "tournament": tournament.header(),
        "title": tournament.template.spec.title,
        "players": tournament.template.players,
        "deals": deals,
        "games": len(result.deal),
        "complete": deals == tournament.deals,
        "decisions": int(result.decisions.sum()),
    }


def game_tables(result: Result, order: list[int]) -> GameTables:
    """Returns what the games look like, as the game itself counts it.

    Args:
        result: The games.
        order: Policies as numbers, in the order in which they are to stand.
    """
    stats = result.tournament.template.stats()
    games = int((~result.fouled).sum())
    entrants = result.entrants[~result.fouled]
    seats = np.bincount(entrants.ravel(), minlength=len(result.tournament.policies))
    table = result.table / max(games, 1)
    by_policy = (result.seats / np.maximum(seats, 1)[:, None])[order]
    return {
        "table": [_stat_table(stat, table) for stat in stats.table],
        "seats": [_stat_table(stat, by_policy) for stat in stats.seats],
        "parts": [_stat_table(stat, by_policy) for stat in stats.parts],
    }


def _stat_table(stat: Stat, numbers: Array) -> StatTable:
    """Returns a stat with its means; those of seats have the policies as first axis."""
    return {
        "title": stat.title,
        "axes": [{"name": name, "labels": list(labels)} for name, labels in stat.axes],
        "values": numbers[..., stat.places].tolist(),
    }


def foul_rows(result: Result) -> list[FoulRow]:
    """Returns the fouls of each policy by kind, each with the first message."""
    counts = Counter((name, foul.kind) for name, foul in result.fouls)
    examples: dict[tuple[str, str], str] = {}
    for name, foul in result.fouls:
        examples.setdefault((name, foul.kind), foul.message)
    return [
        {"policy": name, "kind": kind, "games": count, "example": examples[name, kind]}
        for (name, kind), count in counts.most_common()
    ]

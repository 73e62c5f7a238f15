"""The cells of the benchmark: two policies at one table, and what came out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypedDict

import numpy as np

from dreamfactory_env.arena.analysis.bootstrap import mean_by_deal
from dreamfactory_env.arena.analysis.outcomes import scores_by_deal, wins_by_deal
from dreamfactory_env.arena.benchmark.circumstances import Circumstances, circumstances
from dreamfactory_env.arena.config import Tournament
from dreamfactory_env.arena.evaluation import duel
from dreamfactory_env.arena.lineups import rotations, teams
from dreamfactory_env.arena.results import Result
from dreamfactory_env.arena.worker import Chunk
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games import game_named, new_game
from dreamfactory_env.games.game import Game
from dreamfactory_env.games.seeing import seen_by_all
from dreamfactory_env.games.spec import Variant
from dreamfactory_env.policies.network import NetworkPolicy
from dreamfactory_env.utils.version import __version__

#: Where the deals of new results come from: no other deals begin with it, so nobody has trained or
#: tuned on them. A file keeps its own.
SEED = 18951228
#: The parts of the benchmark that a cell can belong to.
MATRIX, CEILING, CLOCK, RESPONSE = "matrix", "ceiling", "clock", "response"
PARTS = (MATRIX, CEILING, CLOCK, RESPONSE)
#: An interval by deal needs at least two of them.
LEAST_DEALS = 2
#: So many digits are kept of figures; more would be noise.
DIGITS = 8


class _Scores(TypedDict, total=False):
    """What a cell of a shared game has."""

    score: float
    score_half_width: float
    rates: dict[str, list[int]]


class _Places(TypedDict, total=False):
    """What a cell of a zero-sum game has."""

    places: list[float]
    covariance: list[list[float]]


class _Facts(TypedDict, total=False):
    """What the cell of a best response has: what the header of its file says."""

    facts: dict[str, str]


class _Machine(TypedDict, total=False):
    """What a cell by the clock has: where it was played, and beside what."""

    machine: Circumstances


class _Options(TypedDict, total=False):
    """What a cell of a game with variants has."""

    options: dict[str, Any]


class CellResult(_Scores, _Places, _Facts, _Machine, _Options):
    """What came out of a cell, as the file of the benchmark has it; its page says what it means."""

    part: str
    players: int
    row: str
    column: str
    games: int
    deals: int
    win_rate: float
    half_width: float
    fouls: int
    move_seconds: list[float | None]
    fingerprints: list[str]
    package: str


def names_of(result: CellResult) -> tuple[str, str]:
    """Returns row and column of a cell."""
    return result["row"], result["column"]


@dataclass(frozen=True)
class Cell:
    """A cell of the benchmark.

    In a zero-sum game one policy (the row) sits alone at a table of another (the column). In a
    shared game the two share the seats in all ways in which both sit; a policy with itself is
    self-play.

    Attributes:
        part: Which part of the benchmark it belongs to.
        players: How many sit at the table.
        row: A policy.
        column: A policy.
        games: How many games are wanted; whole deals are played.
        variant: Which game it is, where there are several.
    """

    part: str
    players: int
    row: str
    column: str
    games: int
    variant: Variant = ()

    def tournament(self, game: str, options: Mapping[str, Any], seed: int = SEED) -> Tournament:
        """Returns what is played.

        Args:
            game: The name of the game.
            options: Its options besides the number of players.
            seed: Where the deals come from.
        """
        options = {**options, **dict(self.variant)}
        games = max(self.games, LEAST_DEALS * self.players)
        common: dict[str, Any] = {"game": game, "options": options, "seed": seed}
        if not game_named(game).spec.shared:
            return duel(self.row, [self.column], players=self.players, games=games, **common)
        names = tuple(dict.fromkeys((self.row, self.column)))
        lineups = teams(0, len(names) - 1, self.players)
        in_all = sum(len(rotations(lineup)) for lineup in lineups)
        make = SeenTournament if self.part == CEILING else Tournament
        return make(
            policies=names,
            players=self.players,
            deals=-(-games // in_all) * len(lineups),  # all lineups equally often
            lineups=tuple(tuple(names[policy] for policy in lineup) for lineup in lineups),
            **common,
        )

    def is_of(self, result: CellResult) -> bool:
        """Tells whether this is the result of this cell, however many games it had."""
        mine = (self.part, self.players, self.row, self.column, dict(self.variant))
        options = result.get("options", {})
        return mine == (result["part"], result["players"], *names_of(result), options)


class SeenTournament(Tournament):
    """A tournament of policies that see everything."""

    @cached_property
    def template(self) -> Game:
        """A game whose scripted policy sees everything."""
        seen = seen_by_all(game_named(self.game))
        return new_game(seen, {"players": self.players, **self.options})


def measure(
    cell: Cell, tournament: Tournament, chunks: Sequence[Chunk], here: bool = True
) -> CellResult:
    """Returns what came out of a cell.

    Args:
        cell: Which one.
        tournament: Its tournament.
        chunks: All that was played.
        here: Whether it was played on this machine.
    """
    result = Result.of(tournament, chunks)
    rate, half_width = mean_by_deal(*wins_by_deal(result, 0))
    row = tournament.policy(cell.row)
    # What it took to find a best response.
    facts: _Facts = {}
    if cell.part == RESPONSE and isinstance(row, NetworkPolicy):
        facts = {"facts": row.facts}
    machine: _Machine = {"machine": circumstances()} if here and cell.part == CLOCK else {}
    return {
        "part": cell.part,
        **({"options": dict(cell.variant)} if cell.variant else {}),  # type: ignore[typeddict-item]
        "players": cell.players,
        "row": cell.row,
        "column": cell.column,
        "games": len(result.deal),
        "deals": tournament.deals,
        **_scores(result),
        "win_rate": round(rate, DIGITS),
        "half_width": round(half_width, DIGITS),
        **_places(result),
        "fouls": len(result.fouls),
        "move_seconds": [
            _move_seconds(tournament, chunks, name) for name in (cell.row, cell.column)
        ],
        "fingerprints": [tournament.policy(name).fingerprint() for name in (cell.row, cell.column)],
        "package": __version__,
        **facts,
        **machine,
    }


def _scores(result: Result) -> _Scores:
    """Returns the score of a shared game; a zero-sum game is judged by places."""
    spec = result.tournament.template.spec
    if not spec.shared:
        return {}
    score, half_width = mean_by_deal(*scores_by_deal(result, 0), spec.score_range)
    found: _Scores = {
        "score": round(score, DIGITS),
        "score_half_width": round(half_width, DIGITS),
    }
    rates = result.tournament.template.stats().rates
    if rates:
        found["rates"] = {
            rate.title: [int(result.table[places].sum()) for places in (rate.hits, rate.of)]
            for rate in rates
        }
    return found


def _places(result: Result) -> _Places:
    """Returns how often the row of a zero-sum game has each place, and the covariance of that."""
    if result.tournament.template.spec.shared:
        return {}
    places, covariance = places_by_deal(result)
    return {
        "places": places.round(DIGITS).tolist(),
        "covariance": covariance.round(2 * DIGITS).tolist(),
    }


def places_by_deal(result: Result) -> tuple[Array, Array]:
    """Returns how often the first policy has which place, and how sure that is.

    Equal ones share their places: who is first together with another has half of the first place
    and half of the second.

    Args:
        result: The games of a :func:`duel`.

    Returns:
        The share of each place, float64 (players,), and the covariance of these shares over the
        deals, float64 (players, players).
    """
    players = result.entrants.shape[1]
    mine = (result.rank_key * (result.entrants == 0)).sum(axis=1)[:, None]
    others = np.where(result.entrants == 0, mine - 1, result.rank_key)
    above = (others > mine).sum(axis=1)[:, None]
    equal = (others == mine).sum(axis=1)[:, None]
    place = np.arange(players)
    shares = ((place >= above) & (place <= above + equal)) / (equal + 1)
    _, deal, games = np.unique(result.deal, return_inverse=True, return_counts=True)
    by_deal = np.zeros((len(games), players))
    np.add.at(by_deal, deal, shares)
    by_deal /= games[:, None]
    covariance: Array = np.cov(by_deal, rowvar=False, ddof=1) / len(games)
    return by_deal.mean(axis=0), covariance


def _move_seconds(tournament: Tournament, chunks: Sequence[Chunk], name: str) -> float | None:
    """Returns how long a policy takes for a decision, None where only compiled code ran."""
    place = tournament.policies.index(name)
    timed = [chunk for chunk in chunks if len(chunk.seconds)]
    seconds = sum(float(chunk.seconds[place]) for chunk in timed)
    decisions = sum(int(chunk.decisions[place]) for chunk in timed)
    return float(f"{seconds / max(decisions, 1):.3g}") if seconds > 0 else None

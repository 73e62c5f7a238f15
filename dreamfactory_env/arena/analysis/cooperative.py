"""The report of a shared game: what policies reach with themselves and with one another.

A game belongs to the pair of any two policies that sit at its table, and to self-play if only one
does. In cross-play these are two policies at most. Every pair counts the same in means over pairs,
every game the same within a pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dreamfactory_env.arena.analysis.estimates import DealSums, Ratios, estimate_of
from dreamfactory_env.arena.analysis.outcomes import scores, win_shares
from dreamfactory_env.arena.analysis.summaries import facts, foul_rows, game_tables
from dreamfactory_env.arena.report_types import (
    CooperativeReport,
    CrossPlay,
    Estimate,
    Lowest,
    PartnerRow,
    ScoreEffect,
    TeamMatrix,
    TeamResult,
    TeamSpread,
)
from dreamfactory_env.arena.results import Result
from dreamfactory_env.engine.structs import Array

#: The least and the most of a share.
SHARE = (0.0, 1.0)
#: How many bars a histogram of points has at most.
MOST_BINS = 50


def cooperative_report(result: Result, speeds: dict[str, float]) -> CooperativeReport:
    """Returns the report of a result.

    Args:
        result: The games.
        speeds: How many decisions a second each policy makes.
    """
    estimates = _Estimates(result)
    order = estimates.order()
    return {
        **facts(result),
        "utility": "shared",
        "policies": [
            estimates.policy_row(policy, speeds.get(result.tournament.policies[policy]))
            for policy in order
        ],
        "field": estimates.cross_play(estimates.pairs),
        "matrix": estimates.matrix(order),
        "effects": estimates.effects(order),
        "scores": _spread(result, order),
        "game": game_tables(result, order),
        "fouls": foul_rows(result),
    }


@dataclass(frozen=True)
class _Team:
    """Two policies, or one that plays with itself; and the games in which they play."""

    policies: tuple[int, int]
    games: Array  # bool (games,)

    @property
    def alone(self) -> bool:
        return self.policies[0] == self.policies[1]


class _Estimates:
    """The figures that have intervals.

    Attributes:
        teams: All that have played, self-play among them.
        pairs: The places in ``teams`` of those that are no self-play.
    """

    def __init__(self, result: Result) -> None:
        self.result = result
        self.names = result.tournament.policies
        self.teams = _teams(result)
        self.pairs = [place for place, team in enumerate(self.teams) if not team.alone]
        self.score = scores(result)[:, 0]  # all seats have the same
        self.ends = result.tournament.template.spec.score_range
        self.sums = DealSums(result.deal, result.tournament.seed)
        sets = np.array([team.games for team in self.teams])
        self.sums.add_sets("games", sets, np.ones(len(self.score)))
        self.sums.add_sets("score", sets, self.score)
        self.sums.add_sets("won", sets, win_shares(result)[:, 0])
        self._count_roles()
        self.scores = self.sums.ratios("score", "games", self.ends)
        self.win_rates = self.sums.ratios("won", "games", SHARE)
        self.results: list[TeamResult] = [
            {
                "games": int(team.games.sum()),
                "score": _mean(self.scores, [place]),
                "win_rate": _mean(self.win_rates, [place]),
            }
            for place, team in enumerate(self.teams)
        ]

    def _count_roles(self) -> None:
        """Sums the score by who has which seat, and which role that the game knows."""
        result, policies = self.result, len(self.names)
        seats = np.broadcast_to(np.arange(result.entrants.shape[1]), result.entrants.shape)
        self.roles: list[tuple[str, tuple[str, ...], Array]] = []
        if policies > 1:  # a game has the same score for all its seats
            self.roles.append(("seat", tuple(str(seat) for seat in range(seats.shape[1])), seats))
        for number, role in enumerate(result.tournament.template.stats().roles):
            self.roles.append((role.title, role.words, result.roles[:, :, number]))
        regular = np.repeat(~result.fouled[:, None], seats.shape[1], axis=1)
        for title, words, values in self.roles:
            had = result.entrants * len(words) + values
            size = policies * len(words)
            self.sums.add(f"{title} had", had, size, regular)
            self.sums.add(f"{title} score", had, size, self.score[:, None] * regular)

    # ------------------------------------------------------------------ policies and pairs

    def _team(self, a: int, b: int) -> int | None:
        """Returns the place of the team of two policies, None if they have not played."""
        both = (min(a, b), max(a, b))
        return next((k for k, team in enumerate(self.teams) if team.policies == both), None)

    def _pairs_of(self, policy: int) -> list[int]:
        return [place for place in self.pairs if policy in self.teams[place].policies]

    def order(self) -> list[int]:
        """Returns the policies by the mean score of their cross-play, else of their self-play."""

        def mean(policy: int) -> float:
            places = self._pairs_of(policy)
            alone = self._team(policy, policy)
            if not places and alone is not None:
                places = [alone]
            return float(self.scores.value[places].mean()) if places else -np.inf

        return sorted(range(len(self.names)), key=mean, reverse=True)

    def policy_row(self, policy: int, speed: float | None) -> PartnerRow:
        """Returns the row of a policy."""
        alone = self._team(policy, policy)
        return {
            "name": self.names[policy],
            "games": int((self.result.entrants == policy).any(axis=1).sum()),
            "self_play": None if alone is None else self.results[alone],
            "cross_play": self.cross_play(self._pairs_of(policy), policy),
            "decisions": int(self.result.decisions[policy]),
            "decisions_per_second": speed,
        }

    def cross_play(self, pairs: list[int], policy: int | None = None) -> CrossPlay | None:
        """Returns the mean and the lowest of some pairs.

        Args:
            pairs: Places in ``teams``.
            policy: Whose pairs they are: the lowest is named by its partner. Of all if None.

        Returns:
            None if there are no pairs.
        """
        if not pairs:
            return None
        return {
            "score": _mean(self.scores, pairs),
            "win_rate": _mean(self.win_rates, pairs),
            "lowest_score": self._lowest(self.scores, pairs, policy),
            "lowest_win_rate": self._lowest(self.win_rates, pairs, policy),
        }

    def _lowest(self, ratios: Ratios, pairs: list[int], policy: int | None) -> Lowest:
        values = ratios.value[pairs]
        lowest = self.teams[pairs[int(values.argmin())]].policies
        found = estimate_of(values.min(), ratios.samples[:, pairs].min(axis=1))
        return {"policies": [self.names[p] for p in lowest if p != policy], **found}

    def matrix(self, order: list[int]) -> TeamMatrix:
        """Returns what each policy reaches with each."""
        places = [[self._team(a, b) for b in order] for a in order]
        return {
            "policies": [self.names[policy] for policy in order],
            "cells": [[None if k is None else self.results[k] for k in row] for row in places],
        }

    def effects(self, order: list[int]) -> list[ScoreEffect]:
        """Returns the score by who has which seat, and which role that the game knows."""
        effects: list[ScoreEffect] = []
        for title, words, _ in self.roles:
            cells = self.sums.ratios(f"{title} score", f"{title} had", self.ends).estimates()
            size = len(words)
            if any(cells):  # nothing is known where all games ended by fouls
                rows = [cells[policy * size : (policy + 1) * size] for policy in order]
                effects.append({"title": title, "labels": list(words), "cells": rows})
        return effects


def _teams(result: Result) -> list[_Team]:
    """Returns the teams that have played."""
    policies = range(len(result.tournament.policies))
    sits = np.array([(result.entrants == policy).any(axis=1) for policy in policies])
    alone = sits.sum(axis=0) == 1
    teams = [
        _Team((a, b), sits[a] & (alone if a == b else sits[b]))
        for a in policies
        for b in policies[a:]
    ]
    return [team for team in teams if team.games.any()]


def _mean(ratios: Ratios, places: Sequence[int]) -> Estimate:
    """Returns the mean of some figures."""
    return estimate_of(ratios.value[places].mean(), ratios.samples[:, places].mean(axis=1))


def _spread(result: Result, order: list[int]) -> TeamSpread:
    """Returns how the points of the games without a foul are spread."""
    points, entrants = result.scores[~result.fouled, 0], result.entrants[~result.fouled]
    start, most = int(points.min(initial=0)), int(points.max(initial=0))
    width = (most - start) // MOST_BINS + 1
    bins = (most - start) // width + 1

    def shares(games: Array) -> list[float]:
        counts = np.bincount((points[games] - start) // width, minlength=bins)
        found: list[float] = (counts / max(int(games.sum()), 1)).tolist()
        return found

    mine = [entrants == policy for policy in order]
    return {
        "start": start,
        "width": width,
        "self_play": [shares(each.all(axis=1)) for each in mine],
        "cross_play": [shares(each.any(axis=1) & ~each.all(axis=1)) for each in mine],
    }

"""The report of a zero-sum game: ratings, win rates, places, who beats whom, seats and roles."""

from __future__ import annotations

import numpy as np

from dreamfactory_env.arena.analysis.bootstrap import interval, weightings
from dreamfactory_env.arena.analysis.estimates import DealSums, estimate
from dreamfactory_env.arena.analysis.luck import luck
from dreamfactory_env.arena.analysis.outcomes import places, win_shares
from dreamfactory_env.arena.analysis.ratings import PRIOR_DRAWS, Choices, as_rating
from dreamfactory_env.arena.analysis.summaries import facts, foul_rows, game_tables
from dreamfactory_env.arena.report_types import (
    BeforeMatrix,
    CompetitiveReport,
    PolicyRow,
    Spread,
    WinEffect,
)
from dreamfactory_env.arena.results import Result
from dreamfactory_env.engine.structs import Array

#: The width of a bar of a histogram of points.
BIN = 5
#: The least and the most of a share.
SHARE = (0.0, 1.0)


def competitive_report(result: Result, speeds: dict[str, float]) -> CompetitiveReport:
    """Returns the report of a result.

    Args:
        result: The games.
        speeds: How many decisions a second each policy makes.
    """
    estimates = _Estimates(result)
    order = [int(policy) for policy in np.argsort(-estimates.rating, kind="stable")]
    return {
        **facts(result),
        "policies": [
            estimates.policy_row(policy, speeds.get(result.tournament.policies[policy]))
            for policy in order
        ],
        "before": estimates.before(order),
        "effects": estimates.effects(),
        "luck": luck(result, order),
        "scores": _spread(result, order),
        "game": game_tables(result, order),
        "fouls": foul_rows(result),
    }


class _Estimates:
    """The figures that have intervals."""

    def __init__(self, result: Result) -> None:
        self.result = result
        self.names = result.tournament.policies
        self.sums = DealSums(result.deal, result.tournament.seed)
        shares = win_shares(result)
        regular = np.repeat(~result.fouled[:, None], shares.shape[1], axis=1)
        self._count_policies(shares, regular)
        self._count_meetings()
        self._count_roles(shares, regular)
        self._rate()
        self.win_rates = self.sums.ratios("won", "sat", SHARE).estimates()
        self.points = self.sums.ratios("points", "ended").estimates()
        self.places = self.sums.ratios("place", "sat").estimates()

    def _count_policies(self, shares: Array, regular: Array) -> None:
        """Sums what each policy has won; points only of games that were played to their end."""
        result, size, add = self.result, len(self.names), self.sums.add
        add("sat", result.entrants, size, np.ones_like(shares))
        add("won", result.entrants, size, shares)
        add("place", result.entrants, size, places(result.rank_key))
        add("ended", result.entrants, size, regular)
        add("points", result.entrants, size, result.scores * regular)

    def _count_meetings(self) -> None:
        """Counts how often each policy has met each other, and come before it."""
        result, size = self.result, len(self.names)
        seats = np.arange(result.entrants.shape[1])
        mine, theirs = np.array([(a, b) for a in seats for b in seats if a != b]).T
        pair = result.entrants[:, mine] * size + result.entrants[:, theirs]
        better = np.sign(result.rank_key[:, mine] - result.rank_key[:, theirs])
        self.sums.add("met", pair, size * size, np.ones(pair.shape))
        self.sums.add("ahead", pair, size * size, (better + 1) / 2)

    def _count_roles(self, shares: Array, regular: Array) -> None:
        """Sums the wins of each seat, and of each role that the game knows."""
        result = self.result
        players = result.tournament.template.players
        seats = np.broadcast_to(np.arange(players), shares.shape)
        self.roles = [("seat", tuple(str(seat) for seat in range(players)), seats)]
        for number, role in enumerate(result.tournament.template.stats().roles):
            self.roles.append((role.title, role.words, result.roles[:, :, number]))
        for title, words, values in self.roles:
            self.sums.add(f"{title} had", values, len(words), regular)
            self.sums.add(f"{title} won", values, len(words), shares * regular)

    def _rate(self) -> None:
        """Fits the ratings, and again for every replicate."""
        result, seed, sums = self.result, self.result.tournament.seed, self.sums
        choices = Choices(result.entrants, result.rank_key, len(self.names))
        theta = choices.fit(np.ones(len(result.deal)))
        rng = np.random.default_rng([seed, sums.deals])
        ratings = []
        for weights in weightings(sums.deals, seed):
            prior = PRIOR_DRAWS * rng.standard_exponential(len(self.names))
            ratings.append(choices.fit(weights[sums.deal], theta, prior))
        self.rating = as_rating(theta)
        self.rating_low, self.rating_high = interval(as_rating(np.array(ratings)))

    def policy_row(self, policy: int, speed: float | None) -> PolicyRow:
        """Returns the row of a policy."""
        result = self.result
        mine = result.entrants == policy
        place = np.floor(places(result.rank_key)[mine]).astype(np.int64)  # equal ones: the better
        shares = np.bincount(place - 1, minlength=mine.shape[1]) / max(len(place), 1)
        return {
            "name": self.names[policy],
            "seats": int(mine.sum()),
            "rating": estimate(
                self.rating[policy], self.rating_low[policy], self.rating_high[policy]
            ),
            "win_rate": self.win_rates[policy],
            "score": self.points[policy],
            "place": self.places[policy],
            "places": shares.tolist(),
            "decisions": int(result.decisions[policy]),
            "decisions_per_second": speed,
        }

    def before(self, order: list[int]) -> BeforeMatrix:
        """Returns how often the policy of a row comes before that of a column."""
        size = len(self.names)
        cells = self.sums.ratios("ahead", "met", SHARE).estimates()
        return {
            "policies": [self.names[policy] for policy in order],
            # Against itself it is one half.
            "cells": [[cells[a * size + b] if a != b else None for b in order] for a in order],
        }

    def effects(self) -> list[WinEffect]:
        """Returns how often each seat, and each role that the game knows, wins."""
        effects: list[WinEffect] = []
        for title, words, _ in self.roles:
            rates = self.sums.ratios(f"{title} won", f"{title} had", SHARE).estimates()
            rows = zip(words, rates, strict=True)
            effect: WinEffect = {
                "title": title,
                "rows": [{"label": word, "win_rate": rate} for word, rate in rows if rate],
            }
            if effect["rows"]:  # nothing is known where all games ended by fouls
                effects.append(effect)
        return effects


def _spread(result: Result, order: list[int]) -> Spread:
    """Returns how the points of each policy are spread."""
    points = result.scores[~result.fouled]
    entrants = result.entrants[~result.fouled]
    bins = int(points.max(initial=0)) // BIN + 1
    shares = []
    for policy in order:
        mine = points[entrants == policy]
        counts = np.bincount(np.maximum(mine, 0) // BIN, minlength=bins)
        shares.append((counts / max(len(mine), 1)).tolist())
    return {"width": BIN, "shares": shares}

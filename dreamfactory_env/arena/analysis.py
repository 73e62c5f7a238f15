"""What a result says: the figures of a report, as plain data that JSON can hold."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np

from dreamfactory_env.arena.bootstrap import (
    NORMAL,
    interval,
    weightings,
)
from dreamfactory_env.arena.ratings import PRIOR_DRAWS, Choices, as_rating
from dreamfactory_env.arena.results import Result
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.stats import Figure

FORMAT = "dreamfactory-report/1"
#: The width of a bar of a histogram of points.
BIN = 5
#: One-sided certainty of 95 % in standard errors.
CERTAIN = 1.645
Report = dict[str, Any]


def win_shares(result: Result) -> Array:
    """Returns the share of the win that each seat has, float64 (games, players)."""
    shares: Array = result.won / result.won.sum(axis=1, keepdims=True)
    return shares


def places(standing: Array) -> Array:
    """Returns the place of each seat from 1, float64 (games, players); equal ones share."""
    above = (standing[:, None, :] > standing[:, :, None]).sum(axis=2)
    equal = (standing[:, None, :] == standing[:, :, None]).sum(axis=2)
    shared: Array = above + (equal + 1) / 2
    return shared


def make_report(result: Result, speeds: dict[str, float]) -> Report:
    """Returns the report of a result.

    Args:
        result: The games.
        speeds: How many decisions a second each policy makes.
    """
    tournament = result.tournament
    figures = _Figures(result)
    order = [int(policy) for policy in np.argsort(-figures.rating, kind="stable")]
    names = [tournament.policies[policy] for policy in order]
    return {
        "format": FORMAT,
        "tournament": tournament.header(),
        "title": tournament.kind.title,
        "players": tournament.players,
        "deals": len(np.unique(result.deal)),
        "games": len(result.deal),
        "complete": len(np.unique(result.deal)) == tournament.deals,
        "decisions": int(result.decisions.sum()),
        "policies": [
            figures.policy(policy) | {"decisions_per_second": speeds.get(names[place])}
            for place, policy in enumerate(order)
        ],
        "before": {"policies": names, **figures.before(order)},
        "effects": figures.effects(),
        "luck": _luck(result, order),
        "scores": _histogram(result, order),
        "game": game_figures(result, order),
        "fouls": _fouls(result),
    }


class _Figures:
    """The figures that have intervals: sums over deals, and the same for every replicate."""

    def __init__(self, result: Result) -> None:
        self.result = result
        tournament = result.tournament
        self.names = tournament.policies
        _, self.deal = np.unique(result.deal, return_inverse=True)
        self.deals = int(self.deal.max()) + 1
        self.columns: dict[str, Array] = {}
        shares = win_shares(result)
        regular = np.repeat(~result.fouled[:, None], tournament.players, axis=1)
        self._count_policies(shares, regular)
        self._count_meetings()
        self._count_roles(shares, regular)
        self.total = {name: column.sum(axis=0) for name, column in self.columns.items()}
        choices = Choices(result.entrants, result.standing, len(self.names))
        theta = choices.fit(np.ones(len(self.deal)))
        self.rating = as_rating(theta)
        samples: dict[str, list[Array]] = {name: [] for name in self.columns}
        ratings = []
        rng = np.random.default_rng([tournament.seed, self.deals])
        for weights in weightings(self.deals, tournament.seed):
            for name, column in self.columns.items():
                samples[name].append(weights @ column)
            prior = PRIOR_DRAWS * rng.standard_exponential(len(self.names))
            ratings.append(choices.fit(weights[self.deal], theta, prior))
        self.samples = {name: np.array(drawn) for name, drawn in samples.items()}
        self.rating_low, self.rating_high = interval(as_rating(np.array(ratings)))

    def _sum(self, name: str, category: Array, size: int, values: Array) -> None:
        """Sums values of seats by deal and category, as a column of that name.

        Args:
            name: What the sums are.
            category: From 0 to ``size - 1``, (games, …).
            size: How many categories there are.
            values: What is summed, (games, …).
        """
        place = self.deal[:, None] * size + category
        sums = np.bincount(place.ravel(), values.ravel(), self.deals * size)
        self.columns[name] = sums.reshape(self.deals, size)

    def _count_policies(self, shares: Array, regular: Array) -> None:
        """Sums what each policy has won; points only of games that were played to their end."""
        result, size = self.result, len(self.names)
        self._sum("sat", result.entrants, size, np.ones_like(shares))
        self._sum("won", result.entrants, size, shares)
        self._sum("place", result.entrants, size, places(result.standing))
        self._sum("ended", result.entrants, size, regular)
        self._sum("points", result.entrants, size, result.scores * regular)

    def _count_meetings(self) -> None:
        """Counts how often each policy has met each other, and come before it."""
        result, size = self.result, len(self.names)
        seats = np.arange(result.tournament.players)
        mine, theirs = np.array([(a, b) for a in seats for b in seats if a != b]).T
        pair = result.entrants[:, mine] * size + result.entrants[:, theirs]
        better = np.sign(result.standing[:, mine] - result.standing[:, theirs])
        self._sum("met", pair, size * size, np.ones(pair.shape))
        self._sum("ahead", pair, size * size, (better + 1) / 2)

    def _count_roles(self, shares: Array, regular: Array) -> None:
        """Sums the wins of each seat, and of each role that the game knows."""
        result = self.result
        players = result.tournament.players
        seats = np.broadcast_to(np.arange(players), shares.shape)
        self.roles = [("seat", tuple(str(seat) for seat in range(players)), seats)]
        for number, role in enumerate(result.tournament.template().figures().roles):
            self.roles.append((role.title, role.words, result.roles[:, :, number]))
        for title, words, values in self.roles:
            self._sum(f"{title} had", values, len(words), regular)
            self._sum(f"{title} won", values, len(words), shares * regular)

    def ratios(self, top: str, bottom: str) -> list[Report | None]:
        """Returns one column divided by another, with intervals; None where nothing is."""
        return self._estimates(top, bottom, self.samples[top], self.samples[bottom])

    def rates(self, top: str, bottom: str) -> list[Report | None]:
        """Does the same for parts from 0 to 1, such as games won.

        As in ``mean_by_deal``, about two more deals won and two lost stand in every replicate: who
        has won all deals is not taken for certain to win for ever.
        """
        rng = np.random.default_rng([self.result.tournament.seed, len(top)])
        size = self.total[bottom] / np.maximum((self.columns[bottom] > 0).sum(axis=0), 1)
        shape = (2, *self.samples[bottom].shape)
        won, lost = rng.standard_gamma(NORMAL**2 / 2, shape) * size
        return self._estimates(
            top, bottom, self.samples[top] + won, self.samples[bottom] + won + lost
        )

    def _estimates(self, top: str, bottom: str, tops: Array, bottoms: Array) -> list[Report | None]:
        """Returns a ratio of totals, with the intervals of those of the replicates."""
        with np.errstate(invalid="ignore", divide="ignore"):
            value = self.total[top] / self.total[bottom]
            samples = tops / bottoms
        there = self.total[bottom] > 0
        low, high = interval(np.where(there, samples, 0.0))
        low, high = np.minimum(low, value), np.maximum(high, value)
        return [
            _estimate(value[k], low[k], high[k]) if there[k] else None for k in range(len(there))
        ]

    def policy(self, policy: int) -> Report:
        """Returns the row of a policy."""
        result = self.result
        mine = result.entrants == policy
        place = np.floor(places(result.standing)[mine]).astype(np.int64)  # equal ones: the better
        shares = np.bincount(place - 1, minlength=result.tournament.players) / max(len(place), 1)
        return {
            "name": self.names[policy],
            "seats": int(mine.sum()),
            "rating": _estimate(
                self.rating[policy], self.rating_low[policy], self.rating_high[policy]
            ),
            "win_rate": self.rates("won", "sat")[policy],
            "score": self.ratios("points", "ended")[policy],
            "place": self.ratios("place", "sat")[policy],
            "places": shares.tolist(),
            "decisions": int(result.decisions[policy]),
        }

    def before(self, order: list[int]) -> Report:
        """Returns how often the policy of a row comes before that of a column."""
        cells = np.array(self.rates("ahead", "met"), object).reshape(2 * [len(self.names)])
        np.fill_diagonal(cells, None)  # against itself it is one half
        return {"cells": [[cells[a, b] for b in order] for a in order]}

    def effects(self) -> list[Report]:
        """Returns how often each seat, and each role that the game knows, wins."""
        found = []
        for title, words, _ in self.roles:
            rates = self.rates(f"{title} won", f"{title} had")
            rows = zip(words, rates, strict=True)
            known = [{"label": word, "win_rate": rate} for word, rate in rows if rate]
            if known:  # nothing is known where all games ended by fouls
                found.append({"title": title, "rows": known})
        return found


def _estimate(value: float, low: float, high: float) -> Report:
    return {"value": float(value), "low": float(low), "high": float(high)}


def _luck(result: Result, order: list[int]) -> Report:
    """Returns how much luck there is, and how much of it duplicate play removes."""
    tournament = result.tournament
    pairs = []
    for better, worse in combinations(order, 2):
        ahead = _ahead_by_deal(result, better, worse)
        if ahead is None:
            continue
        single, by_deal = ahead
        margin = by_deal - 0.5
        mean, spread = float(margin.mean()), float(margin.std(ddof=1)) if len(margin) > 1 else 0.0
        needed = max((CERTAIN * spread / mean) ** 2, 1.0) if mean > 0 else None
        pairs.append(
            {
                "better": tournament.policies[better],
                "worse": tournament.policies[worse],
                "one_game": float(single.mean()),
                "one_deal": float((np.sign(margin) + 1).mean() / 2),
                "deals_to_be_sure": needed,
            }
        )
    margin = result.scores - result.scores.mean(axis=1, keepdims=True)
    return {
        "pairs": pairs,
        "duplicate": {
            "wins": _variance_factor(result, win_shares(result)),
            # Points of games that a foul has ended are those of the moment.
            "points": None if result.fouled.any() else _variance_factor(result, margin),
        },
    }


def _ahead_by_deal(result: Result, a: int, b: int) -> tuple[Array, Array] | None:
    """Returns how often ``a`` comes before ``b``, in each game in which both play and by deal."""
    mine, theirs = result.entrants == a, result.entrants == b
    both = mine.any(axis=1) & theirs.any(axis=1)
    if not both.any():
        return None
    sign = np.sign(result.standing[both][:, :, None] - result.standing[both][:, None, :])
    pair = mine[both][:, :, None] & theirs[both][:, None, :]
    single = ((sign + 1) / 2 * pair).sum(axis=(1, 2)) / pair.sum(axis=(1, 2))
    _, deal = np.unique(result.deal[both], return_inverse=True)
    return single, np.bincount(deal, single) / np.bincount(deal)


def _variance_factor(result: Result, values: Array) -> float | None:
    """Returns by how much rotating the seats within a deal cuts the variance of a policy's mean.

    It compares the mean over the games of a deal with the mean over as many games of different
    deals, seats drawn at random, among deals with the same policies at the table.

    Args:
        result: The games.
        values: What each seat has gained, (games, players).
    """
    apart = together = 0.0
    _, first, deal = np.unique(result.deal, return_index=True, return_inverse=True)
    tables = np.sort(result.entrants[first], axis=1)
    _, group = np.unique(tables, axis=0, return_inverse=True)
    group = group.ravel()
    for number in range(int(group.max()) + 1):
        deals = np.flatnonzero(group == number)
        games = np.flatnonzero(group[deal] == number)
        if len(deals) < 2:
            continue
        for policy in np.unique(tables[deals[0]]):
            mine = result.entrants[games] == policy
            gained = (values[games] * mine).sum(axis=1) / mine.sum(axis=1)
            count = np.bincount(deal[games], minlength=len(first))[deals]
            means = np.bincount(deal[games], gained, len(first))[deals] / count
            apart += len(deals) * float(gained.var(ddof=1)) / float(count.mean())
            together += len(deals) * float(means.var(ddof=1))
    # Who plays against itself has the same mean in every deal, up to rounding.
    return apart / together if together > 1e-12 * apart else None


def _histogram(result: Result, order: list[int]) -> Report:
    """Returns how the points of each policy are spread: shares of bins of equal width."""
    scores = result.scores[~result.fouled]
    entrants = result.entrants[~result.fouled]
    bins = int(scores.max(initial=0)) // BIN + 1
    shares = []
    for policy in order:
        points = scores[entrants == policy]
        counts = np.bincount(np.maximum(points, 0) // BIN, minlength=bins)
        shares.append((counts / max(len(points), 1)).tolist())
    return {"width": BIN, "shares": shares}


def game_figures(result: Result, order: list[int]) -> Report:
    """Returns what the games look like, as the game itself counts it.

    Args:
        result: The games.
        order: Policies as numbers, in the order in which they are to stand.
    """
    figures = result.tournament.template().figures()
    games = int((~result.fouled).sum())
    entrants = result.entrants[~result.fouled]
    seats = np.bincount(entrants.ravel(), minlength=len(result.tournament.policies))
    table = result.table / max(games, 1)
    by_policy = (result.seats / np.maximum(seats, 1)[:, None])[order]
    return {
        "table": [_shown(figure, table) for figure in figures.table],
        "seats": [_shown(figure, by_policy) for figure in figures.seats],
        "parts": [_shown(figure, by_policy) for figure in figures.parts],
    }


def _shown(figure: Figure, numbers: Array) -> Report:
    """Returns a figure with its means; those of seats have the policies as first axis."""
    axes = [{"name": name, "labels": list(labels)} for name, labels in figure.axes]
    return {"title": figure.title, "axes": axes, "values": numbers[..., figure.places].tolist()}


def _fouls(result: Result) -> list[Report]:
    """Returns the fouls of each policy by kind, each with the first message."""
    counts = Counter((name, foul.kind) for name, foul in result.fouls)
    examples: dict[tuple[str, str], str] = {}
    for name, foul in result.fouls:
        examples.setdefault((name, foul.kind), foul.message)
    return [
        {"policy": name, "kind": kind, "games": count, "example": examples[name, kind]}
        for (name, kind), count in counts.most_common()
    ]


def wins_by_deal(result: Result, policy: int) -> tuple[Array, Array]:
    """Returns what a policy has won in each deal and on how many seats; float64 (deals,) each."""
    mine = result.entrants == policy
    _, deal = np.unique(result.deal, return_inverse=True)
    totals = np.bincount(deal, (win_shares(result) * mine).sum(axis=1))
    return totals, np.bincount(deal, mine.sum(axis=1))

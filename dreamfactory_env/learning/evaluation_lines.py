"""An evaluation as a line of a file: what is measured, in words, as metrics, as one number."""

from __future__ import annotations

import typing
from typing import Any, NotRequired, TypedDict

import numpy as np

from dreamfactory_env.arena.analysis.bootstrap import interval, mean_by_deal, weightings
from dreamfactory_env.arena.analysis.outcomes import scores_by_deal, wins_by_deal
from dreamfactory_env.arena.analysis.ratings import AVERAGE, PRIOR_DRAWS, SCALE, Choices
from dreamfactory_env.arena.analysis.summaries import game_tables
from dreamfactory_env.arena.results import Result
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.policies.labels import labels_of
from dreamfactory_env.utils.typed import check_typed
from dreamfactory_env.utils.yaml_lines import Document

#: An evaluation, as a line of the file has it; see docs/training.md and :class:`LineData`.
Line = dict[str, Any]


class RowData(TypedDict):
    """What some games say of the learner."""

    players: int
    others: str
    score: NotRequired[float]
    score_half_width: NotRequired[float]
    win_rate: float
    half_width: float
    games: int
    stats: dict[str, float]


class RatingData(TypedDict):
    """The rating of the learner at tables of a size."""

    players: int
    rating: float
    low: float
    high: float


class LineData(TypedDict):
    """An evaluation: a file that may be damaged is compared with this."""

    timesteps: int
    seconds: NotRequired[float]
    results: list[RowData]
    ratings: NotRequired[list[RatingData]]


def is_evaluation(line: Any) -> bool:
    """Tells whether data have all that is read of an evaluation, and as it should be."""
    known = typing.get_type_hints(LineData)
    if not isinstance(line, dict):
        return False
    document = Document(None)
    check_typed(document, LineData, {key: line[key] for key in line if key in known})
    return not document.problems and bool(line["results"])


#: Stands for the other seats of games among learners alone.
SELF = "self"


def result_row(result: Result, others: str) -> Line:
    """Returns what some games say of their first policy.

    Args:
        result: The games.
        others: The name of who has the other seats, or SELF.
    """
    spec = result.tournament.template.spec
    win_rate, half_width = mean_by_deal(*wins_by_deal(result, 0))
    row: Line = {"players": result.tournament.template.players, "others": others}
    if spec.shared:
        score, wide = mean_by_deal(*scores_by_deal(result, 0), spec.score_range)
        row |= {"score": round(score, 5), "score_half_width": round(wide, 5)}
    row |= {"win_rate": round(win_rate, 5), "half_width": round(half_width, 5)}
    return row | {"games": len(result.deal), "stats": _stats(result)}


def _stats(result: Result) -> dict[str, float]:
    """Returns what the games look like: stats of the table, and those of the learner's seats.

    Tables of stats are averaged along their second axis, rows of a seat's stats are summed.
    """
    tables = game_tables(result, [0])
    stats: dict[str, float] = {}
    for stat in tables["table"]:
        rows = stat["axes"][0]["labels"]
        means = np.mean(stat["values"], axis=1)
        stats |= {f"{stat['title']} {row}": mean for row, mean in zip(rows, means, strict=True)}
    for stat in tables["seats"]:
        stats[stat["title"]] = np.sum(stat["values"])
    for stat in tables["parts"]:
        stats[f"points for {stat['title']}"] = np.sum(stat["values"])
    return {title: round(float(number), 3) for title, number in stats.items()}


def rate(results: list[Result], anchors: Array) -> dict[str, float]:
    """Returns the rating of who is policy 0 in some duels, and the ends of its 95 % interval.

    Args:
        results: The duels, one against each anchor.
        anchors: The strengths of the anchors, which are held; logarithms, float64 (anchors,).
    """
    entrants = [np.where(r.entrants == 0, 0, k + 1) for k, r in enumerate(results)]
    choices = Choices(
        np.concatenate(entrants), np.concatenate([r.rank_key for r in results]), len(anchors) + 1
    )
    numbered = [1_000_000 * k + r.deal for k, r in enumerate(results)]
    _, deal = np.unique(np.concatenate(numbered), return_inverse=True)
    deals = int(deal.max()) + 1
    held = np.arange(len(anchors) + 1) > 0
    start = np.concatenate([[0.0], anchors])
    theta = choices.fit(np.ones(len(deal)), start, held=held)
    rng = np.random.default_rng(deals)
    samples = [
        # The draw with an average player counts more or less by chance, as in the arena.
        choices.fit(weights[deal], theta, PRIOR_DRAWS * rng.standard_exponential(), held)[0]
        for weights in weightings(deals, seed=deals)
    ]
    low, high = interval(np.array(samples))
    ratings = AVERAGE + SCALE * np.array([theta[0], low, high])
    return dict(zip(("rating", "low", "high"), np.round(ratings, 1).tolist(), strict=True))


# ---------------------------------------------------------------------------- reading a line


def others_of(line: Line) -> dict[str, str]:
    """Returns who has the other seats in an evaluation, each with a short label."""
    return labels_of(row["others"] for row in line["results"])


def measure_of(line: Line) -> str:
    """Returns by what a learner is judged: ``score`` in a shared game, else ``win_rate``."""
    return "score" if "score" in line["results"][0] else "win_rate"


def objective(line: Line) -> float:
    """Returns an evaluation as one number: the mean of its measure over all results."""
    measure = measure_of(line)
    return float(np.mean([row[measure] for row in line["results"]]))


def measure_in_words(measure: str, value: float) -> str:
    """Returns a value of a measure as people read it."""
    return f"{value:.3f}" if measure == "score" else f"{value:.1%}"


def headline(line: Line) -> str:
    """Returns the main figure of each player count, in a few words."""
    if "ratings" in line:
        return "rating " + "/".join(f"{row['rating']:.0f}" for row in line["ratings"])
    alone = [row for row in line["results"] if row["others"] == SELF]
    return "score " + "/".join(f"{row['score']:.2f}" for row in alone)


def in_words(line: Line) -> str:
    """Returns an evaluation for people to read, a line for each player count."""
    ratings = {row["players"]: row for row in line.get("ratings", [])}
    labels = others_of(line)
    lines = [f"evaluation after {line['timesteps']:,} decisions"]
    for players in dict.fromkeys(row["players"] for row in line["results"]):
        parts = []
        if players in ratings:
            rating = ratings[players]
            wide = (rating["high"] - rating["low"]) / 2
            parts.append(f"rating {rating['rating']:.0f} ± {wide:.0f}")
        rows = [row for row in line["results"] if row["players"] == players]
        parts += [_row_in_words(row, labels[row["others"]]) for row in rows]
        lines.append(f"  {players} players: {', '.join(parts)}")
    return "\n".join(lines)


def _row_in_words(row: Line, others: str) -> str:
    wins = f"{row['win_rate']:.1%} ± {row['half_width']:.1%}"
    if "score" not in row:
        return f"{wins} against {others}"
    where = "in self-play" if row["others"] == SELF else f"with {others}"
    return f"score {row['score']:.3f} ± {row['score_half_width']:.3f} ({wins} won) {where}"


def as_metrics(line: Line) -> dict[str, float]:
    """Returns an evaluation as metrics for the logger: strengths, and what the games look like."""
    metrics: dict[str, float] = {}
    for row in line.get("ratings", []):
        metrics[f"strength/{row['players']}_players_rating"] = row["rating"]
    stats: dict[str, list[float]] = {}
    labels = others_of(line)
    for row in line["results"]:
        count, others = f"{row['players']}_players", labels[row["others"]]
        if "score" not in row:
            metrics[f"strength/{count}_against_{others}"] = row["win_rate"]
        else:
            where = "self_play" if row["others"] == SELF else f"with_{others}"
            metrics[f"strength/{count}_{where}_score"] = row["score"]
            metrics[f"strength/{count}_{where}_win_rate"] = row["win_rate"]
        for title, number in row["stats"].items():
            stats.setdefault(f"game/{count}_{title.replace(' ', '_')}", []).append(number)
    return metrics | {key: float(np.mean(numbers)) for key, numbers in stats.items()}

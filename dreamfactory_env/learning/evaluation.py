"""How strong the learner is while it learns: duplicate deals against the ladder, at fixed steps.

An evaluation plays the same deals every time, so that two of them differ by play and not by luck.
It uses the arena, whose chance is its own: whatever the training draws is not disturbed.

The rating stands on the arena's scale (``arena/ratings.py``). The anchors, whom the learner plays
against, are rated among themselves once, at the start of the run; 1500 is their average. Then the
learner's rating is fitted to all its games of a player count, theirs being held.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from dreamfactory_env.arena.analysis import game_figures, wins_by_deal
from dreamfactory_env.arena.bootstrap import interval, mean_by_deal, weightings
from dreamfactory_env.arena.config import Tournament
from dreamfactory_env.arena.pool import play_chunks
from dreamfactory_env.arena.ratings import AVERAGE, PRIOR_DRAWS, SCALE, Choices
from dreamfactory_env.arena.results import Result
from dreamfactory_env.arena.tournament import duel
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games import game_named
from dreamfactory_env.learning.config import Training
from dreamfactory_env.learning.files import complete_lines
from dreamfactory_env.learning.policy import SeatPolicy
from dreamfactory_env.policies import Policy, Views
from dreamfactory_env.policies.network import SUFFIX, seen_with
from dreamfactory_env.policies.scripted import ScriptedPolicy
from dreamfactory_env.utils.files import atomic_write

EVALUATIONS, LADDER = "evaluations.jsonl", "ladder.json"
#: The anchors play that many times as many deals among themselves: they are measured once.
LADDER_DEALS = 10
#: An evaluation, as a line of the file has it; see docs/training.md.
Line = dict[str, Any]
Stop = Callable[[], bool]


class ModelPolicy(Policy):
    """A model of stable-baselines3 at a table of the arena; it plays what it rates highest.

    Args:
        model: It is asked as it is, not copied; its adviser is asked first, if it has one.
    """

    def __init__(self, model: MaskablePPO) -> None:
        self.model = model
        policy = model.policy
        self.adviser: ScriptedPolicy | None = None
        if isinstance(policy, SeatPolicy) and policy.adviser:
            self.adviser = ScriptedPolicy(game_named(policy.game), policy.adviser)

    def act_batch(self, views: Views) -> Array:
        """Returns the model's action in each game, int64 (n,)."""
        seen = seen_with(self.adviser, views)
        actions, _ = self.model.predict(seen, action_masks=views.masks, deterministic=True)
        return actions


class Evaluator:
    """Evaluates the learner of a run, and keeps what came out.

    Attributes:
        lines: The evaluations so far, as the file of the run has them.

    Args:
        settings: Against whom, how often, how many deals.
        folder: The run's; a new evaluation is written to ``evaluations.jsonl`` there.
    """

    def __init__(self, settings: Training, folder: Path) -> None:
        self.settings = settings
        self.folder = folder
        self.lines: list[Line] = []

    def load(self, steps: int) -> None:
        """Reads the evaluations of the file up to some steps; what is damaged is left out."""
        self.lines = []
        for text in complete_lines(self.folder / EVALUATIONS):
            try:
                line = json.loads(text)
            except ValueError:
                continue
            if isinstance(line, dict) and line.get("steps", steps + 1) <= steps:
                self.lines.append(line)

    def write(self) -> None:
        """Writes the file.

        Raises:
            OSError: It cannot be written.
        """
        text = "".join(json.dumps(line) + "\n" for line in self.lines)
        atomic_write(self.folder / EVALUATIONS, text.encode())

    def due(self, steps: int) -> bool:
        """Tells whether it is time: at the start, at each multiple of the rhythm, at the end."""
        rhythm = self.settings.rhythm
        if not rhythm.against or not rhythm.players:
            return False
        if not self.lines:
            return True
        last = int(self.lines[-1]["steps"])
        ended = last < self.settings.steps <= steps
        return ended or steps // rhythm.evaluation > last // rhythm.evaluation

    def left(self, steps: int) -> int:
        """Returns how many evaluations are still to come."""
        every = self.settings.rhythm.evaluation
        return -(-self.settings.steps // every) - steps // every

    def evaluate(self, model: MaskablePPO, steps: int, seconds: float, stop: Stop) -> Line | None:
        """Plays an evaluation and adds it to the lines.

        Args:
            model: The learner.
            steps: How far it has come.
            seconds: How long it has trained.
            stop: Asked now and then; once it says yes, the evaluation is dropped.

        Returns:
            The new line, None if it was dropped.
        """
        ladder = self._ladder(stop)
        if ladder is None:
            return None
        line: Line = {"steps": steps, "seconds": round(seconds, 1), "ratings": [], "results": []}
        for players in self.settings.rhythm.players:
            with _one_thread():
                results = self._matches(model, players, stop)
            if results is None:
                return None
            line["results"] += [_told(result) for result in results]
            anchors = np.array(list(ladder[str(players)].values()))
            line["ratings"].append({"players": players, **rate(results, anchors)})
        self.lines.append(line)
        return line

    def _matches(self, model: MaskablePPO, players: int, stop: Stop) -> list[Result] | None:
        """Lets the learner play against each anchor; returns None if somebody wants to stop."""
        rhythm, results = self.settings.rhythm, []
        for against in rhythm.against:
            games = rhythm.deals * players
            match = duel(ModelPolicy(model), [against], players=players, games=games, **self._table)
            result = _played(match, stop)
            if result is None:
                return None
            results.append(result)
        return results

    @property
    def _table(self) -> dict[str, Any]:
        """Returns what all games of the run's evaluations share."""
        settings = self.settings
        options = {"game": settings.game, "options": settings.options, "seed": settings.seed}
        return {**options, "time_limit": None}

    def _ladder(self, stop: Stop) -> dict[str, dict[str, float]] | None:
        """Returns the strengths of the anchors by player count: kept by the run, or measured.

        They are logarithms, 0 on average. None if somebody wants to stop.
        """
        path, rhythm = self.folder / LADDER, self.settings.rhythm
        with contextlib.suppress(OSError, ValueError):
            kept: dict[str, dict[str, float]] = json.loads(path.read_text("utf-8"))
            return kept
        ladder = {}
        for players in rhythm.players:
            strengths = np.zeros(len(rhythm.against))
            if len(rhythm.against) > 1:
                tournament = Tournament(
                    policies=tuple(rhythm.against),
                    players=players,
                    deals=LADDER_DEALS * rhythm.deals,
                    lineups="pairs",
                    **self._table,
                )
                result = _played(tournament, stop)
                if result is None:
                    return None
                choices = Choices(result.entrants, result.standing, len(rhythm.against))
                strengths = choices.fit(np.ones(len(result.deal)))
                strengths -= strengths.mean()
            ladder[str(players)] = dict(zip(rhythm.against, strengths.tolist(), strict=True))
        with contextlib.suppress(OSError):  # else it is measured again next time
            atomic_write(path, (json.dumps(ladder, indent=2) + "\n").encode())
        return ladder


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    """Has torch use one thread: batches are small, several would only wait for one another."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def rate(results: list[Result], anchors: Array) -> dict[str, float]:
    """Returns the rating of who is policy 0 in some duels, and the ends of its 95 % interval.

    Args:
        results: The duels, one against each anchor.
        anchors: The strengths of the anchors, which are held; logarithms, float64 (anchors,).
    """
    entrants = [np.where(r.entrants == 0, 0, k + 1) for k, r in enumerate(results)]
    choices = Choices(
        np.concatenate(entrants), np.concatenate([r.standing for r in results]), len(anchors) + 1
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
    shown = AVERAGE + SCALE * np.array([theta[0], low, high])
    return dict(zip(("rating", "low", "high"), np.round(shown, 1).tolist(), strict=True))


def _played(tournament: Tournament, stop: Stop) -> Result | None:
    """Plays a tournament in this process; returns None if somebody wants to stop."""
    chunks = list(play_chunks(tournament, stop=stop))
    return Result.of(tournament, chunks) if len(chunks) == tournament.chunks else None


def _told(result: Result) -> Line:
    """Returns what a duel says of its first policy."""
    win_rate, half_width = mean_by_deal(*wins_by_deal(result, 0))
    return {
        "players": result.tournament.players,
        "against": result.tournament.policies[1],
        "win_rate": round(win_rate, 5),
        "half_width": round(half_width, 5),
        "games": len(result.deal),
        "figures": _figures(result),
    }


def _figures(result: Result) -> dict[str, float]:
    """Returns what the games look like: figures of the table, and those of the learner's seats.

    Tables of figures are averaged along their second axis, rows of a seat's figures are summed.
    """
    game = game_figures(result, [0])
    figures: dict[str, float] = {}
    for figure in game["table"]:
        rows = figure["axes"][0]["labels"]
        means = np.mean(figure["values"], axis=1)
        figures |= {f"{figure['title']} {row}": mean for row, mean in zip(rows, means, strict=True)}
    for figure in game["seats"]:
        figures[figure["title"]] = np.sum(figure["values"])
    for figure in game["parts"]:
        figures[f"points for {figure['title']}"] = np.sum(figure["values"])
    return {title: round(float(number), 3) for title, number in figures.items()}


def as_figures(line: Line) -> dict[str, float]:
    """Returns an evaluation as figures for the logger: strengths, and what the games look like."""
    figures = {}
    for row in line["ratings"]:
        figures[f"strength/{row['players']}_players_rating"] = row["rating"]
    looks: dict[str, list[float]] = {}
    for row in line["results"]:
        table = f"{row['players']}_players"
        figures[f"strength/{table}_against_{short_name(row['against'])}"] = row["win_rate"]
        for title, number in row["figures"].items():
            looks.setdefault(f"game/{table}_{title.replace(' ', '_')}", []).append(number)
    return figures | {key: float(np.mean(numbers)) for key, numbers in looks.items()}


def short_name(name: str) -> str:
    """Returns the name of a policy, that of a file without its folders and ending."""
    return Path(name).name.removesuffix(SUFFIX)


def in_words(line: Line) -> str:
    """Returns an evaluation for people to read, a line for each player count."""
    told = [f"evaluation after {line['steps']:,} decisions"]
    for row in line["ratings"]:
        wide = (row["high"] - row["low"]) / 2
        words = [f"rating {row['rating']:.0f} ± {wide:.0f}"]
        for result in line["results"]:
            if result["players"] == row["players"]:
                rate, half = result["win_rate"], result["half_width"]
                words.append(f"{rate:.1%} ± {half:.1%} against {short_name(result['against'])}")
        told.append(f"  {row['players']} players: {', '.join(words)}")
    return "\n".join(told)

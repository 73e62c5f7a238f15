"""How strong the learner is while it learns: the same deals every time, at fixed steps.

Against opponents it plays duplicate deals; with partners, and with itself, games that are judged by
score and wins. Two evaluations differ by play, not by deals. They use the arena, whose random
numbers are its own: what the training draws is not disturbed.

The rating among opponents stands on the arena's scale (``arena/analysis/ratings.py``). The anchors,
whom the learner plays against, are rated among themselves once, at the start of the run; 1500 is
their average. Then the learner's rating is fitted to all its games of a player count, theirs being
held.
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

from dreamfactory_env.arena import Tournament, duel
from dreamfactory_env.arena.analysis.ratings import Choices
from dreamfactory_env.arena.pool import play_chunks
from dreamfactory_env.arena.results import Result
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games import game_named
from dreamfactory_env.learning.config import Training
from dreamfactory_env.learning.evaluation_lines import SELF, Line, rate, result_row
from dreamfactory_env.learning.files import complete_lines
from dreamfactory_env.learning.policy import SeatPolicy
from dreamfactory_env.policies import Policy, Views
from dreamfactory_env.policies.network import hinted_observations
from dreamfactory_env.policies.scripted import ScriptedPolicy
from dreamfactory_env.utils.files import atomic_write

EVALUATIONS, LADDER = "evaluations.jsonl", "ladder.json"
#: The anchors play that many times as many deals among themselves: they are measured once.
LADDER_DEALS = 10
Stop = Callable[[], bool]


class ModelPolicy(Policy):
    """A model of stable-baselines3 as a policy; it plays the most likely action.

    Args:
        model: It is asked as it is, not copied; its hint policy is asked first, if it has one.
    """

    def __init__(self, model: MaskablePPO) -> None:
        self.model = model
        policy = model.policy
        self._hint_policy: ScriptedPolicy | None = None
        if isinstance(policy, SeatPolicy) and policy.hint:
            self._hint_policy = ScriptedPolicy(policy.game, policy.hint)

    def act_batch(self, views: Views) -> Array:
        """Returns the model's action in each game, int64 (n,)."""
        seen = hinted_observations(self._hint_policy, views)
        actions, _ = self.model.predict(seen, action_masks=views.masks, deterministic=True)
        return actions


class Evaluator:
    """Evaluates the learner of a run, and keeps the evaluations.

    Attributes:
        lines: The evaluations so far, as the file of the run has them.

    Args:
        settings: Those of the run.
        folder: The run's; a new evaluation is written to ``evaluations.jsonl`` there.
    """

    def __init__(self, settings: Training, folder: Path) -> None:
        self.settings = settings
        self.folder = folder
        self.lines: list[Line] = []

    # ------------------------------------------------------------------ the file

    def load(self, steps: int) -> None:
        """Reads the evaluations of the file up to some steps; what is damaged is left out."""
        self.lines = []
        for text in complete_lines(self.folder / EVALUATIONS):
            try:
                line = json.loads(text)
            except ValueError:
                continue
            if isinstance(line, dict) and line.get("timesteps", steps + 1) <= steps:
                self.lines.append(line)

    def write(self) -> None:
        """Writes the file.

        Raises:
            OSError: It cannot be written.
        """
        text = "".join(json.dumps(line) + "\n" for line in self.lines)
        atomic_write(self.folder / EVALUATIONS, text.encode())

    # ------------------------------------------------------------------ when

    @property
    def _others(self) -> list[str]:
        """Who has the other seats in an evaluation, one after another."""
        shared = game_named(self.settings.game).spec.shared
        return [*([SELF] if shared else []), *self.settings.schedule.evaluate_against]

    def due(self, steps: int) -> bool:
        """Returns whether it is time: at the start, at each multiple, at the end."""
        schedule = self.settings.schedule
        if not self._others or not schedule.evaluation_players:
            return False
        if not self.lines:
            return True
        last, total = int(self.lines[-1]["timesteps"]), self.settings.total_timesteps
        ended = last < total <= steps
        return ended or steps // schedule.evaluate_every > last // schedule.evaluate_every

    def left(self, steps: int) -> int:
        """Returns how many evaluations are still to come."""
        every = self.settings.schedule.evaluate_every
        return -(-self.settings.total_timesteps // every) - steps // every

    # ------------------------------------------------------------------ playing

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
        shared = game_named(self.settings.game).spec.shared
        ladder = {} if shared else self._ladder(stop)
        if ladder is None:
            return None
        line: Line = {"timesteps": steps, "seconds": round(seconds, 1), "results": []}
        ratings = []
        for players in self.settings.schedule.evaluation_players:
            with _one_thread():
                results = self._duels(model, players, stop)
            if results is None:
                return None
            line["results"] += [result_row(result, name) for name, result in results.items()]
            if not shared:
                anchors = np.array(list(ladder[str(players)].values()))
                ratings.append({"players": players, **rate(list(results.values()), anchors)})
        if not shared:
            line["ratings"] = ratings
        self.lines.append(line)
        return line

    def _duels(self, model: MaskablePPO, players: int, stop: Stop) -> dict[str, Result] | None:
        """Lets the learner play with each of the others; returns None if stopped."""
        learner, deals, results = ModelPolicy(model), self.settings.schedule.evaluation_deals, {}
        for name in self._others:
            other: str | Policy = learner if name == SELF else name
            games = deals * (1 if name == SELF else players)
            match = duel(learner, [other], players=players, games=games, **self._common)
            result = _played(match, stop)
            if result is None:
                return None
            results[name] = result
        return results

    @property
    def _common(self) -> dict[str, Any]:
        """Returns what all games of the run's evaluations share."""
        settings = self.settings
        options = {"game": settings.game, "options": settings.options, "seed": settings.seed}
        return {**options, "time_limit": None}

    def _ladder(self, stop: Stop) -> dict[str, dict[str, float]] | None:
        """Returns the strengths of the anchors by player count: kept by the run, or measured.

        They are logarithms, 0 on average. None if stopped.
        """
        path, schedule = self.folder / LADDER, self.settings.schedule
        with contextlib.suppress(OSError, ValueError):
            kept: dict[str, dict[str, float]] = json.loads(path.read_text("utf-8"))
            return kept
        ladder, names = {}, schedule.evaluate_against
        for players in schedule.evaluation_players:
            strengths = np.zeros(len(names))
            if len(names) > 1:
                tournament = Tournament(
                    policies=tuple(names),
                    players=players,
                    deals=LADDER_DEALS * schedule.evaluation_deals,
                    lineups="pairs",
                    **self._common,
                )
                result = _played(tournament, stop)
                if result is None:
                    return None
                choices = Choices(result.entrants, result.rank_key, len(names))
                strengths = choices.fit(np.ones(len(result.deal)))
                strengths -= strengths.mean()
            ladder[str(players)] = dict(zip(names, strengths.tolist(), strict=True))
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


def _played(tournament: Tournament, stop: Stop) -> Result | None:
    """Plays a tournament in this process; returns None if stopped."""
    chunks = list(play_chunks(tournament, stop=stop))
    return Result.of(tournament, chunks) if len(chunks) == tournament.chunks else None

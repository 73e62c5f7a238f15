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
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from dreamfactory_env.arena import Tournament, duel
from dreamfactory_env.arena.analysis.ratings import Choices
from dreamfactory_env.arena.pool import (
    check_processes,
    compile_all,
    play_chunks,
    play_side_by_side,
)
from dreamfactory_env.arena.results import Result
from dreamfactory_env.arena.worker import Chunk
from dreamfactory_env.cluster.connection import Cluster
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games import game_named
from dreamfactory_env.learning.config import Training
from dreamfactory_env.learning.evaluation_lines import SELF, Line, is_evaluation, rate, result_row
from dreamfactory_env.learning.files import complete_lines
from dreamfactory_env.learning.inference import inference_of
from dreamfactory_env.learning.policy import SeatPolicy
from dreamfactory_env.policies import Policy, Views
from dreamfactory_env.policies.network import hinted_observations
from dreamfactory_env.policies.scripted import ScriptedPolicy
from dreamfactory_env.utils.files import atomic_write
from dreamfactory_env.utils.json_text import read_json

EVALUATIONS, LADDER = "evaluations.jsonl", "ladder.json"
#: The anchors play that many times as many deals among themselves: they are measured once.
LADDER_DEALS = 10
Stop = Callable[[], bool]
Key = TypeVar("Key")


class ModelPolicy(Policy):
    """A model of stable-baselines3, or a network, as a policy; it plays the most likely action.

    Args:
        model: A model is asked as it is whenever it is asked; a network is taken as it is now, and
            must not learn on. Its hint policy is asked first, if it has one.
    """

    def __init__(self, model: MaskablePPO | SeatPolicy) -> None:
        self.model = model
        policy = model if isinstance(model, SeatPolicy) else model.policy
        self._infer = inference_of(model) if isinstance(model, SeatPolicy) else None
        self._hint_policy: ScriptedPolicy | None = None
        if isinstance(policy, SeatPolicy) and policy.hint:
            self._hint_policy = ScriptedPolicy(policy.game, policy.hint)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.model,)  # what is compiled of it is made anew elsewhere

    def act_batch(self, views: Views) -> Array:
        """Returns the model's action in each game, int64 (n,)."""
        seen = hinted_observations(self._hint_policy, views)
        if self._infer is None:
            actions, _ = self.model.predict(seen, action_masks=views.masks, deterministic=True)
        else:
            logits, _ = self._infer(seen, views.masks)
            actions = np.where(views.masks, logits, -np.inf).argmax(axis=1)
        return actions


class Evaluator:
    """Evaluates the learner of a run, and keeps the evaluations.

    Attributes:
        lines: The evaluations so far, as the file of the run has them.

    Args:
        settings: Those of the run.
        folder: The run's; a new evaluation is written to ``evaluations.jsonl`` there.
        cluster: Where they are played, with the same results; by threads of this process if None.
    """

    def __init__(self, settings: Training, folder: Path, cluster: Cluster | None = None) -> None:
        self.settings = settings
        self.folder = folder
        self.cluster = cluster
        self.lines: list[Line] = []

    # ------------------------------------------------------------------ the file

    def load(self, steps: int) -> None:
        """Reads the evaluations of the file up to some steps; what is damaged is left out."""
        self.lines = []
        for text in complete_lines(self.folder / EVALUATIONS):
            try:
                line = read_json(text)
            except ValueError:
                continue
            if is_evaluation(line) and line["timesteps"] <= steps:
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
        played = _played(self._matches(model), stop, self.cluster)
        if played is None:
            return None
        line: Line = {"timesteps": steps, "seconds": round(seconds, 1), "results": []}
        ratings = []
        for players in self.settings.schedule.evaluation_players:
            results = {name: played[players, name] for name in self._others}
            line["results"] += [result_row(result, name) for name, result in results.items()]
            if not shared:
                anchors = np.array(list(ladder[str(players)].values()))
                ratings.append({"players": players, **rate(list(results.values()), anchors)})
        if not shared:
            line["ratings"] = ratings
        self.lines.append(line)
        return line

    def _matches(self, model: MaskablePPO) -> dict[tuple[int, str], Tournament]:
        """Returns the matches of the learner by player count and whoever has the other seats."""
        deals, matches = self.settings.schedule.evaluation_deals, {}
        for players in self.settings.schedule.evaluation_players:
            for name in self._others:
                learner = ModelPolicy(_copied(model.policy))  # matches are played side by side
                other: str | Policy = learner if name == SELF else name
                games = deals * (1 if name == SELF else players)
                matches[players, name] = duel(
                    learner, [other], players=players, games=games, **self._common
                )
        return matches

    @property
    def _common(self) -> dict[str, Any]:
        """Returns what all games of the run's evaluations share."""
        settings = self.settings
        options = {"game": settings.game, "options": settings.options, "seed": settings.seed}
        return {**options, "time_limit": None}

    def _among_anchors(self, players: int) -> Tournament:
        """Returns the tournament in which the anchors are measured."""
        schedule = self.settings.schedule
        return Tournament(
            policies=tuple(schedule.evaluate_against),
            players=players,
            deals=LADDER_DEALS * schedule.evaluation_deals,
            lineups="pairs",
            **self._common,
        )

    def _ladder(self, stop: Stop) -> dict[str, dict[str, float]] | None:
        """Returns the strengths of the anchors by player count: kept by the run, or measured.

        They are logarithms, 0 on average. None if stopped.
        """
        path, schedule = self.folder / LADDER, self.settings.schedule
        names = schedule.evaluate_against
        ladder = {str(n): dict.fromkeys(names, 0.0) for n in schedule.evaluation_players}
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
            kept = read_json(path.read_bytes())
            # What is damaged is measured again.
            return {n: {name: float(kept[n][name]) for name in names} for n in ladder}
        if len(names) > 1:
            matches = {n: self._among_anchors(n) for n in schedule.evaluation_players}
            played = _played(matches, stop, self.cluster)
            if played is None:
                return None
            for players, result in played.items():
                choices = Choices(result.entrants, result.rank_key, len(names))
                strengths = choices.fit(np.ones(len(result.deal)))
                strengths -= strengths.mean()
                ladder[str(players)] = dict(zip(names, strengths.tolist(), strict=True))
        with contextlib.suppress(OSError):  # else it is measured again next time
            atomic_write(path, (json.dumps(ladder, indent=2) + "\n").encode())
        return ladder


def _copied(policy: torch.nn.Module) -> SeatPolicy:
    """Returns a copy of a network: two threads cannot ask the same one at once."""
    assert isinstance(policy, SeatPolicy)
    network = policy.twin()
    network.load_state_dict(policy.state_dict())
    return network


def _played(
    matches: Mapping[Key, Tournament], stop: Stop, cluster: Cluster | None
) -> dict[Key, Result] | None:
    """Plays tournaments side by side, in as many threads as there are cores, or on a cluster.

    Each of them computes with one thread for a matrix product: batches are small.

    Returns:
        Their results; None if stopped.
    """
    for match in matches.values():
        compile_all(match)  # not in several threads at once
    if cluster is not None:
        played = play_side_by_side(list(matches.values()), cluster, stop)
    else:
        played = _played_in_threads(list(matches.values()), stop)
    if played is None:
        return None
    each = zip(matches.items(), played, strict=True)
    return {key: Result.of(match, chunks) for (key, match), chunks in each}


def _played_in_threads(matches: list[Tournament], stop: Stop) -> list[list[Chunk]] | None:
    """Returns the chunks of tournaments, None if stopped; see :func:`_played`."""
    given_up = threading.Event()

    def play(match: Tournament) -> list[Chunk]:
        return list(play_chunks(match, stop=lambda: given_up.is_set() or stop()))

    cores, threads = check_processes(None), torch.get_num_threads()
    with ThreadPoolExecutor(cores, "evaluation", torch.set_num_threads, (1,)) as pool:
        try:
            played = list(pool.map(play, matches))
        except BaseException:
            given_up.set()
            raise
        finally:
            torch.set_num_threads(threads)  # a part of it is common to all threads
    whole = all(len(c) == match.chunks for c, match in zip(played, matches, strict=True))
    return played if whole else None

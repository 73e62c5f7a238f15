"""How fast training is: ``python -m benchmarks.training`` prints figures, shares and ratios.

Our training with its default settings is compared with the obvious set-up: MaskablePPO of
sb3-contrib on a DummyVecEnv of eight Gymnasium environments ``DreamFactory-v0``, each with one
agent against ``greedy``, with hidden layers of our sizes, as many decisions in a rollout, and as
many threads. It learns once as it comes, and once as we do: with our batches and epochs, and with
layers that policy and value share; what is then left of the ratio is due to how games are played.

A frame is a decision that the learner makes and learns from: a turn with at least two legal moves.
(Our tables play forced moves by themselves, the Gymnasium environment asks for them.) All learn in
turn, so that others on the machine disturb all of them; still, nothing else should be running
meanwhile: two threads wait for each other. The load at the start is printed.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import gymnasium
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.vec_env import DummyVecEnv

from dreamfactory_env.learning.config import Rhythm, Training
from dreamfactory_env.learning.policy import SharedLayers
from dreamfactory_env.learning.run import Run, Schedules

ENVIRONMENTS = 8
OPPONENT = "greedy"
ROUNDS = 3
#: Rollouts of ours in a round, after one that is not counted; theirs has one.
ROLLOUTS = 4


class Row(NamedTuple):
    """A figure, as it is printed."""

    name: str
    unit: str
    figure: float
    aim: str


class Share(NamedTuple):
    """A stretch of our training: how long it took, and where the time went."""

    frames: int
    seconds: float
    environment: float
    update: float


class SharingPolicy(MaskableActorCriticPolicy):
    """The policy of MaskablePPO, but with hidden layers that policy and value share, as ours."""

    def _build_mlp_extractor(self) -> None:
        assert isinstance(self.net_arch, list)
        self.mlp_extractor = SharedLayers(self.features_dim, self.net_arch, self.activation_fn)


def our_training(rows: dict[int, int], threads: int) -> Run:
    """Returns a training with the default settings; from its second rollout on it has guests."""
    decisions = sum(rows.values()) * Training(1).learning.rollout
    rhythm = Rhythm(snapshot=decisions)
    with tempfile.TemporaryDirectory() as folder:
        return Run(Training(1, rows, rhythm=rhythm, threads=threads), Path(folder))


def train_ours(run: Run, rollouts: int) -> Share:
    """Learns from some rollouts; returns what it took."""
    model, table = run.model, run.table
    frames: list[int] = []
    train = model.train

    def counted() -> None:
        train()
        frames.append(len(model.rollout_buffer.flat_known))

    model.train = counted  # type: ignore[method-assign]
    begun, played, learned = time.perf_counter(), table.seconds, model.seconds
    decisions = rollouts * table.num_envs * model.n_steps
    model.learn(decisions, callback=[run.league, Schedules(run)], reset_num_timesteps=False)
    model.train = train  # type: ignore[method-assign]
    seconds = time.perf_counter() - begun
    return Share(sum(frames), seconds, table.seconds - played, model.seconds - learned)


def their_training(run: Run, *, as_we_do: bool) -> MaskablePPO:
    """Returns the obvious set-up; its tables have as many players, in the same proportions."""
    settings = run.settings
    learning = settings.learning
    options = {"batch_size": learning.batch, "n_epochs": learning.epochs} if as_we_do else {}
    total = sum(settings.rows.values())
    tables = [
        players
        for players, count in settings.rows.items()
        for _ in range(count * ENVIRONMENTS // total)
    ]
    assert len(tables) == ENVIRONMENTS

    def make(players: int) -> gymnasium.Env[object, object]:
        return gymnasium.make("DreamFactory-v0", players=players, opponents=OPPONENT)

    envs = DummyVecEnv([partial(make, players) for players in tables])
    envs.reset()  # compiles, or loads from the cache
    return MaskablePPO(
        SharingPolicy if as_we_do else "MlpPolicy",
        envs,
        n_steps=learning.rollout * total // ENVIRONMENTS,
        policy_kwargs={"net_arch": settings.network.layers, "activation_fn": torch.nn.ReLU},
        device="cpu",
        seed=1,
        **options,  # type: ignore[arg-type]
    )


def train_theirs(model: MaskablePPO) -> float:
    """Learns from one rollout; returns the frames a second."""
    begun = time.perf_counter()
    model.learn(model.n_steps * ENVIRONMENTS, reset_num_timesteps=False)
    seconds = time.perf_counter() - begun
    choices = model.rollout_buffer.action_masks.sum(axis=-1)
    return float((choices > 1).sum() / seconds)


def rows_of(name: str, tables: dict[int, int], threads: int) -> Iterator[Row]:
    """Compares, and returns what is printed."""
    run = our_training(tables, threads)
    theirs = {
        "as it comes": their_training(run, as_we_do=False),
        "learning as we do": their_training(run, as_we_do=True),
    }
    train_ours(run, 1)
    ours: list[Share] = []
    rates: dict[str, list[float]] = {words: [] for words in theirs}
    for _ in range(ROUNDS):
        ours.append(train_ours(run, ROLLOUTS))
        for words, model in theirs.items():
            rates[words].append(train_theirs(model))
    mine = [share.frames / share.seconds for share in ours]
    seconds = sum(share.seconds for share in ours)
    environment = 100 * sum(share.environment for share in ours) / seconds
    update = 100 * sum(share.update for share in ours) / seconds
    yield Row(f"{name}: frames", "/s", statistics.median(mine), "")
    yield Row(
        f"{name}: time in the environment", "%", environment, held("under 15", environment < 15)
    )
    yield Row(f"{name}: time in inference", "%", 100 - environment - update, "")
    yield Row(f"{name}: time in updates", "%", update, "")
    for words, rate in rates.items():
        ratio = statistics.median(a / b for a, b in zip(mine, rate, strict=True))
        yield Row(f"{name}: the obvious set-up {words}", "/s", statistics.median(rate), "")
        yield Row("    we are faster", "times", ratio, held("at least 5", ratio >= 5))


def held(aim: str, holds: bool) -> str:
    """Returns an aim, and whether it holds."""
    return f"{aim}: {'yes' if holds else 'no'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=2, help="threads of torch")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    arguments = parser.parse_args()
    rows = [Row("load at the start", "", os.getloadavg()[0], "idle: below 0.5")]
    for name, tables in (("2 players", {2: 256}), ("2 to 4 players", Training(1).rows)):
        rows += rows_of(name, tables, arguments.threads)
    if arguments.json:
        print(json.dumps([row._asdict() for row in rows], indent=1))
        return
    for name, unit, figure, aim in rows:
        shown = f"{figure:,.0f}" if figure >= 100 else f"{figure:.2f}"
        print(f"{name:<60} {shown:>8} {unit:<6} {aim}")


if __name__ == "__main__":
    main()

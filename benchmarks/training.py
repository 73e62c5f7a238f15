"""How fast training is: ``python -m benchmarks.training`` prints figures, shares and ratios.

Our training with its default settings is compared with the obvious set-up: MaskablePPO of
sb3-contrib on a DummyVecEnv of eight Gymnasium environments, each with one agent beside the weakest
scripted policy that is not random, with hidden layers of our sizes, as many decisions in a rollout,
and as many threads for a matrix product as there are cores. It learns once as it comes, and once as
we do: with our batches and epochs, and with layers that policy and value share; what is then left
of the ratio is due to how games are played.

A frame is a decision that the learner makes and learns from: a turn with at least two legal moves.
(Our games play forced moves by themselves, the Gymnasium environment asks for them.) All learn in
turn, so that others on the machine disturb all of them; still, nothing else should be running
meanwhile. The load at the start is printed. ``benchmarks.training_load`` measures how our training
fares beside busy processes.
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
from typing import Any, NamedTuple

import gymnasium
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.vec_env import DummyVecEnv

from dreamfactory_env.envs.registration import env_id
from dreamfactory_env.games import DEFAULT_GAME, GAMES
from dreamfactory_env.learning.config import N_ENVS, Schedule, Training
from dreamfactory_env.learning.policy import SharedLayers
from dreamfactory_env.learning.run import Run
from dreamfactory_env.learning.schedules import ScheduleCallback
from dreamfactory_env.utils.threads import use_one_thread

ENVIRONMENTS = 8
ROUNDS = 3
#: Rollouts of ours in a round, after one that is not counted; theirs has one. The first of a round
#: has no update beside it, and the last update no rollout.
ROLLOUTS = 8


class Row(NamedTuple):
    """A figure, as it is printed."""

    name: str
    unit: str
    figure: float
    aim: str


class Stretch(NamedTuple):
    """A stretch of our training: how long it took, and what was computed for how long.

    The rollouts, of which the environment is a part, are collected beside the updates.
    """

    frames: int
    seconds: float
    environment: float
    rollout: float
    update: float


class SharingPolicy(MaskableActorCriticPolicy):
    """The policy of MaskablePPO, but with hidden layers that policy and value share, as ours."""

    def _build_mlp_extractor(self) -> None:
        assert isinstance(self.net_arch, list)
        self.mlp_extractor = SharedLayers(self.features_dim, self.net_arch, self.activation_fn)


def our_training(game: str, n_envs: dict[int, int]) -> Run:
    """Returns a training with the default settings; from its second rollout on its past plays."""
    settings = Training(1, n_envs, game=game)
    rollout = sum(n_envs.values()) * settings.ppo.n_steps
    schedule = Schedule(snapshot_every=rollout)
    with tempfile.TemporaryDirectory() as folder:
        return Run(Training(1, n_envs, game=game, schedule=schedule), Path(folder))


def train_ours(run: Run, rollouts: int) -> Stretch:
    """Learns from some rollouts; returns what it took."""
    model, metrics = run.model, run.metrics
    frames: list[int] = []
    train = model.train

    def counted() -> None:
        train()
        frames.append(int(model.rollout_buffer.valid.sum()))

    model.train = counted  # type: ignore[method-assign]
    begun, played = time.perf_counter(), metrics.seconds["environment"]
    collected, learned = model.rollout_seconds, model.seconds
    decisions = rollouts * run.env.num_envs * model.n_steps
    callbacks = [run.league, ScheduleCallback(run.settings, model), metrics]
    model.learn(decisions, callback=callbacks, reset_num_timesteps=False)
    model.train = train  # type: ignore[method-assign]
    seconds = time.perf_counter() - begun
    environment = metrics.seconds["environment"] - played
    rollout, update = model.rollout_seconds - collected, model.seconds - learned
    return Stretch(sum(frames), seconds, environment, rollout, update)


def their_training(run: Run, *, as_we_do: bool) -> MaskablePPO:
    """Returns the obvious set-up; its games have as many players, in the same proportions."""
    settings = run.settings
    ppo, game_cls = settings.ppo, GAMES[settings.game]
    options = {"batch_size": ppo.batch_size, "n_epochs": ppo.n_epochs} if as_we_do else {}
    total = sum(settings.n_envs.values())
    counts = [
        players
        for players, count in settings.n_envs.items()
        for _ in range(count * ENVIRONMENTS // total)
    ]
    assert len(counts) == ENVIRONMENTS

    def make(players: int) -> gymnasium.Env[object, object]:
        spec = game_cls.spec
        chosen: dict[str, Any] = {"players": players, spec.others: spec.ladder[1]}
        return gymnasium.make(env_id(game_cls), **chosen)

    envs = DummyVecEnv([partial(make, players) for players in counts])
    envs.reset()  # compiles, or loads from the cache
    return MaskablePPO(
        SharingPolicy if as_we_do else "MlpPolicy",
        envs,
        n_steps=ppo.n_steps * total // ENVIRONMENTS,
        policy_kwargs={"net_arch": settings.network.net_arch, "activation_fn": torch.nn.ReLU},
        device="cpu",
        seed=1,
        **options,  # type: ignore[arg-type]
    )


def train_theirs(model: MaskablePPO, threads: int) -> float:
    """Learns from one rollout with so many threads of torch; returns the frames a second."""
    torch.set_num_threads(threads)
    begun = time.perf_counter()
    model.learn(model.n_steps * ENVIRONMENTS, reset_num_timesteps=False)
    seconds = time.perf_counter() - begun
    torch.set_num_threads(1)
    choices = model.rollout_buffer.action_masks.sum(axis=-1)
    return float((choices > 1).sum() / seconds)


def rows_of(name: str, run: Run, rounds: int, threads: int) -> Iterator[Row]:
    """Compares, and returns what is printed."""
    theirs = {
        "as it comes": their_training(run, as_we_do=False),
        "learning as we do": their_training(run, as_we_do=True),
    }
    train_ours(run, 1)
    ours: list[Stretch] = []
    rates: dict[str, list[float]] = {words: [] for words in theirs}
    for _ in range(rounds):
        ours.append(train_ours(run, ROLLOUTS))
        for words, model in theirs.items():
            rates[words].append(train_theirs(model, threads))
    mine = [stretch.frames / stretch.seconds for stretch in ours]
    computed = sum(stretch.rollout + stretch.update for stretch in ours)
    environment = 100 * sum(stretch.environment for stretch in ours) / computed
    update = 100 * sum(stretch.update for stretch in ours) / computed
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
    parser.add_argument("--game", choices=GAMES, default=DEFAULT_GAME)
    parser.add_argument(
        "--threads",
        type=int,
        default=os.cpu_count() or 1,
        help="threads of torch for the obvious one",
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    arguments = parser.parse_args()
    use_one_thread()  # as `dreamfactory train` does
    rows = [Row("load at the start", "", os.getloadavg()[0], "idle: below 0.5")]
    fewest = {GAMES[arguments.game].spec.min_players: N_ENVS}
    usual = Training(1, game=arguments.game).n_envs
    for n_envs in [fewest, *([usual] if usual != fewest else [])]:
        name = f"{' to '.join(map(str, sorted({min(n_envs), max(n_envs)})))} players"
        run = our_training(arguments.game, n_envs)
        rows += rows_of(name, run, arguments.rounds, arguments.threads)
    if arguments.json:
        print(json.dumps([row._asdict() for row in rows], indent=1))
        return
    for name, unit, figure, aim in rows:
        shown = f"{figure:,.0f}" if figure >= 100 else f"{figure:.2f}"
        print(f"{name:<60} {shown:>8} {unit:<6} {aim}")


if __name__ == "__main__":
    main()

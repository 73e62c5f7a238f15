"""Checks that all environments play the same games for the same seeds and actions."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.envs.aec import RawEnv
from dreamfactory_env.envs.self_play import SelfPlayBatch
from dreamfactory_env.envs.single_agent import SingleAgentEnv
from dreamfactory_env.envs.vector import SingleAgentVectorEnv
from dreamfactory_env.games.game import Game
from dreamfactory_env.testing.common import choose, payments, require
from dreamfactory_env.testing.drivers import HAS_SB3

#: So many games are played side by side.
SIDE_BY_SIDE = 64
CLOSE = 1e-5

#: An observation and a mask, as bytes.
Seen = tuple[bytes, bytes]


def check_agreement(game_cls: type[Game], games: int, seed: int, **options: Any) -> None:
    """Checks that environments agree, with every reward and shaping; see :func:`compare`."""
    for paying in payments(game_cls):
        compare(game_cls, games, seed, **paying, **options)
        if HAS_SB3:
            _compare_sb3(game_cls, seed, {**paying, **options})


def compare(game_cls: type[Game], games: int, seed: int, **options: Any) -> None:
    """Compares every observation, mask and reward of the environments, in the same games.

    The vector environment and the single one play with scripted policies, different ones where
    there are. What was played then goes through the PettingZoo environment, and through the
    self-play batch.
    """
    batch = SelfPlayBatch(game_cls, min(games, SIDE_BY_SIDE), **options)
    names = game_cls.spec.ladder
    others = [names[(seed + k) % len(names)] for k in range(batch.game.players - 1)]
    seated: dict[str, Any] = {game_cls.spec.others: others, **options}
    vector = SingleAgentVectorEnv(batch.num_envs, game=game_cls, **seated)
    singles = [SingleAgentEnv(game_cls, **seated) for _ in range(batch.num_envs)]
    aec = RawEnv(game_cls, **options)
    for start in range(0, games, batch.num_envs):
        batch.reset(seed + start)
        seeds = [int(number) for number in batch.states["seed"]]
        played = _play_single(vector, singles, seeds)
        for game in played:
            _play_aec(aec, game)
        # A game in which the agent had no turn was not played: the next one of its series was.
        own = [
            game if game.seed == dealt else None for game, dealt in zip(played, seeds, strict=True)
        ]
        _play_batch(batch, own)


@dataclass
class _Played:
    """A game as it was seen through the environments, compared or still to be compared."""

    seed: int
    seat: int  # the agent's, in the environments that have one
    own: list[Seen] = field(default_factory=list)  # what the agent saw before each of its moves
    total: float = 0.0  # what it was paid
    scores: list[int] = field(default_factory=list)
    moves: list[Any] = field(default_factory=list)  # of all seats, as in a record
    seen: list[Seen] = field(default_factory=list)  # by whoever moved, before each move
    rewards: list[list[float]] = field(default_factory=list)  # of all, after each move


def _play_single(
    vector: SingleAgentVectorEnv, singles: list[SingleAgentEnv], seeds: list[int]
) -> list[_Played]:
    """Plays a game on each row of the vector environment, and beside it on a single one."""
    seen, infos = vector.reset(seed=list(seeds))
    shown = [env.reset(seed=number)[0] for env, number in zip(singles, seeds, strict=True)]
    played = [_Played(env.record()["seed"], env.seat) for env in singles]
    running = np.ones(len(singles), np.bool_)
    rng = random.Random(seeds[0])
    while running.any():
        actions = np.zeros(len(singles), np.int64)
        for index in np.flatnonzero(running):
            game, env = played[index], singles[index]
            single = (shown[index].tobytes(), env.action_masks().tobytes())
            row = (seen[index].tobytes(), infos["action_mask"][index].tobytes())
            require(row == single, f"seed {game.seed}: vector and single environment differ")
            game.own.append(single)
            actions[index] = rng.choice(np.flatnonzero(env.action_masks()))
        seen, rewards, over, _, infos = vector.step(actions)
        for index in np.flatnonzero(running):
            game, env = played[index], singles[index]
            shown[index], reward, done, _, _ = env.step(actions[index])
            same = abs(rewards[index] - reward) < CLOSE and bool(over[index]) == done
            require(same, f"seed {game.seed}: vector and single environment pay differently")
            game.total += reward
            if done:
                running[index] = False
                game.moves, game.scores = env.record()["moves"], env.game.scores()
    return played


def _play_aec(env: RawEnv, game: _Played) -> None:
    """Plays the moves of a game through the PettingZoo environment."""
    env.reset(seed=game.seed)
    where = f"seed {game.seed}, the PettingZoo environment"
    own = iter(game.own)
    for seat, action, _ in game.moves:
        agent = env.agent_selection
        observation = env.observe(agent)
        seen = (observation["observation"].tobytes(), observation["action_mask"].tobytes())
        require(agent == env.possible_agents[seat], f"{where}: asks {agent}, not seat {seat}")
        require(seat != game.seat or seen == next(own), f"{where}: differs from the single one")
        env.step(action)
        game.seen.append(seen)
        game.rewards.append(list(env.rewards.values()))
    total = sum(rewards[game.seat] for rewards in game.rewards)
    require(abs(total - game.total) < CLOSE, f"{where}: pays {total}, the single {game.total}")
    require(all(env.terminations.values()), f"{where}: has not ended")


def _play_batch(batch: SelfPlayBatch, played: Sequence[_Played | None]) -> None:
    """Plays the moves of games in a self-play batch that was dealt from the same seeds."""
    games = {index: game for index, game in enumerate(played) if game is not None}
    for step in range(max((len(game.moves) for game in games.values()), default=0)):
        running = {index: game for index, game in games.items() if step < len(game.moves)}
        actions = batch.masks.argmax(axis=1)  # for those that are over
        for index, game in running.items():
            seat, actions[index], _ = game.moves[step]
            where = f"seed {game.seed}, the batch"
            require(batch.current_player[index] == seat, f"{where}: asks somebody else")
            seen = (batch.observations[index].tobytes(), batch.masks[index].tobytes())
            require(seen == game.seen[step], f"{where}: differs from the PettingZoo environment")
        batch.step(actions)
        for index, game in running.items():
            where = f"seed {game.seed}, the batch"
            paid = batch.rewards[index].tolist()
            close = np.allclose(paid, game.rewards[step], atol=CLOSE)
            require(close, f"{where}: pays {paid}, the PettingZoo environment {game.rewards[step]}")
            last = step == len(game.moves) - 1
            require(bool(batch.done[index]) == last, f"{where}: ends elsewhere")
            same = not last or batch.scores[index].tolist() == game.scores
            require(same, f"{where}: counts other points")


def _compare_sb3(game_cls: type[Game], seed: int, options: dict[str, Any]) -> None:
    """Compares the environments for stable-baselines3 with those that they are made from."""
    from dreamfactory_env.envs.sb3 import SelfPlayVecEnv, SingleAgentVecEnv

    single, self_play = (
        make(game_cls, 3, **options) for make in (SingleAgentVecEnv, SelfPlayVecEnv)
    )
    mode = AutoresetMode.SAME_STEP
    vector = SingleAgentVectorEnv(3, game=game_cls, autoreset_mode=mode, **options)
    batch = SelfPlayBatch(game_cls, 3, **options)
    for env in (single, self_play):
        env.seed(seed)
        env.reset()
    vector.reset(seed=[seed, seed + 1, seed + 2])
    batch.reset(seed)
    rng = random.Random(seed)
    for step in range(60):
        where = f"seed {seed}, step {step}"
        actions = choose(vector.action_masks(), rng)
        seen, rewards, over, _, _ = vector.step(actions)
        expected = [seen, rewards.astype(np.float32), over, vector.action_masks()]
        same = _step(single, actions) == [array.tolist() for array in expected]
        require(same, f"{where}: SingleAgentVecEnv differs from the vector environment")
        actions, seats = choose(batch.masks, rng), batch.current_player.astype(np.int64)
        batch.step(actions)
        rewards = batch.rewards[np.arange(3), seats]
        expected = [batch.observations, rewards, batch.done.astype(np.bool_), batch.masks]
        same = _step(self_play, actions) == [array.tolist() for array in expected]
        require(same, f"{where}: SelfPlayVecEnv differs from the batch")


def _step(env: Any, actions: Array) -> list[Any]:
    """Steps an environment of stable-baselines3; returns all that is seen as lists."""
    seen, rewards, dones, _ = env.step(actions)
    return [array.tolist() for array in (seen, rewards, dones, env.action_masks())]

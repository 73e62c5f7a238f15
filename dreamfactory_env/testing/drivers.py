"""All environments behind one small interface: whatever theirs is, they are played at random."""

from __future__ import annotations

import random
from importlib.util import find_spec
from typing import Any

import numpy as np

from dreamfactory_env.envs.aec import RawEnv
from dreamfactory_env.envs.self_play import SelfPlayBatch
from dreamfactory_env.envs.single_agent import SingleAgentEnv
from dreamfactory_env.envs.vector import SingleAgentVectorEnv
from dreamfactory_env.games.game import Game
from dreamfactory_env.testing.common import choose

#: The wrappers for stable-baselines3 are checked where it is installed.
HAS_SB3 = find_spec("stable_baselines3") is not None


class Driver:
    """Plays an environment at random, for comparing what comes.

    Attributes:
        env: The environment.
    """

    env: Any

    def move(self, rng: random.Random) -> bytes:
        """Plays a random legal move, or begins again; returns what is seen after it."""
        raise NotImplementedError

    def reset(self, seed: int) -> None:
        """Deals from a seed."""
        self.env.reset(seed=seed)

    def future(self) -> list[bytes]:
        """Returns what is seen in the next moves."""
        rng = random.Random(5)
        return [self.move(rng) for _ in range(60)]


class AECDriver(Driver):
    """Plays every seat of the PettingZoo environment."""

    def __init__(self, game_cls: type[Game], options: dict[str, Any]) -> None:
        self.env = RawEnv(game_cls, **options)

    def move(self, rng: random.Random) -> bytes:
        """Plays a random legal move, or begins again; returns what is seen after it."""
        if not self.env.agents:
            self.env.reset()
        seen, reward, over, _, _ = self.env.last()
        action = None if over else int(rng.choice(np.flatnonzero(seen["action_mask"])))
        self.env.step(action)
        seen_by_all: bytes = self.env.state().tobytes()
        return repr(reward).encode() + seen_by_all


class SingleAgentDriver(Driver):
    """Plays the Gymnasium environment."""

    def __init__(self, game_cls: type[Game], options: dict[str, Any]) -> None:
        self.env = SingleAgentEnv(game_cls, **options)

    def move(self, rng: random.Random) -> bytes:
        """Plays a random legal move, or begins again; returns what is seen after it."""
        legal = np.flatnonzero(self.env.action_masks())
        if not len(legal):
            return bytes(self.env.reset()[0].tobytes())
        seen, reward, *_ = self.env.step(int(rng.choice(legal)))
        masks: bytes = self.env.action_masks().tobytes()
        return repr(reward).encode() + bytes(seen.tobytes()) + masks


class VectorDriver(Driver):
    """Plays the Gymnasium vector environment."""

    def __init__(self, game_cls: type[Game], options: dict[str, Any]) -> None:
        self.env = SingleAgentVectorEnv(3, game=game_cls, **options)

    def move(self, rng: random.Random) -> bytes:
        """Plays a random legal move in every game; returns what is seen after it."""
        seen, rewards, over, _, infos = self.env.step(choose(self.env.action_masks(), rng))
        return b"".join(a.tobytes() for a in (seen, rewards, over, infos["action_mask"]))


class SelfPlayDriver(Driver):
    """Plays every seat of the self-play batch."""

    def __init__(self, game_cls: type[Game], options: dict[str, Any]) -> None:
        self.env = SelfPlayBatch(game_cls, 3, **options)

    def move(self, rng: random.Random) -> bytes:
        """Plays a random legal move in every game; returns what is seen after it."""
        env = self.env
        env.step(choose(env.masks, rng))
        arrays = (env.observations, env.masks, env.rewards, env.done, env.current_player)
        return b"".join(array.tobytes() for array in arrays)


class VecEnvDriver(Driver):
    """Plays a vectorized environment of stable-baselines3."""

    def reset(self, seed: int) -> None:
        """Deals from a seed."""
        self.env.seed(seed)
        self.env.reset()

    def move(self, rng: random.Random) -> bytes:
        """Plays a random legal move in every game; returns what is seen after it."""
        seen, rewards, dones, _ = self.env.step(choose(self.env.action_masks(), rng))
        masks = self.env.action_masks()
        return b"".join(array.tobytes() for array in (seen, rewards, dones, masks))


class SingleAgentVecEnvDriver(VecEnvDriver):
    """Plays the single-agent environment for stable-baselines3."""

    def __init__(self, game_cls: type[Game], options: dict[str, Any]) -> None:
        from dreamfactory_env.envs.sb3 import SingleAgentVecEnv

        self.env = SingleAgentVecEnv(game_cls, 3, **options)


class SelfPlayVecEnvDriver(VecEnvDriver):
    """Plays the self-play environment for stable-baselines3."""

    def __init__(self, game_cls: type[Game], options: dict[str, Any]) -> None:
        from dreamfactory_env.envs.sb3 import SelfPlayVecEnv

        self.env = SelfPlayVecEnv(game_cls, 3, **options)


def all_drivers() -> list[Any]:
    """Returns the drivers of all environments that can be imported here."""
    drivers: list[Any] = [AECDriver, SingleAgentDriver, VectorDriver, SelfPlayDriver]
    return [*drivers, SingleAgentVecEnvDriver, SelfPlayVecEnvDriver] if HAS_SB3 else drivers

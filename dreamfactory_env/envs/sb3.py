"""The batched environments for stable-baselines3, which has a vector interface of its own.

Importing this module needs ``dreamfactory-env[train]``. Both classes give MaskablePPO its masks
where it asks for them, and hand out copies: stable-baselines3 keeps an observation over a step.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Iterable
from typing import Any, Protocol

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env import VecEnv

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.envs.self_play import SelfPlayBatch
from dreamfactory_env.envs.vector import SingleAgentVectorEnv
from dreamfactory_env.games.game import Game
from dreamfactory_env.utils.errors import OptionError

Indices = None | int | Iterable[int]
Step = tuple[Array, Array, Array, list[dict[str, Any]]]


class BatchedGames(Protocol):
    """Many games in one object, as an environment of stable-baselines3 needs them."""

    game: Game
    num_envs: int

    def observation_box(self) -> gymnasium.spaces.Box:
        """Returns the space of the observations, float32 (size,)."""

    def game_at(self, index: int) -> Game:
        """Returns a copy of one of the games."""

    def clone_state(self) -> tuple[Any, ...]:
        """Returns everything as it stands, for :meth:`restore_state`."""

    def restore_state(self, clone: tuple[Any, ...]) -> None:
        """Goes back to where :meth:`clone_state` was called."""


class BatchedVecEnv(VecEnv):
    """What these environments have in common: all games live in one object, ``games``."""

    games: BatchedGames
    render_mode: None = None

    def __init__(self, games: BatchedGames) -> None:
        self.games = games
        actions = gymnasium.spaces.Discrete(games.game.spec.num_actions)
        super().__init__(games.num_envs, games.observation_box(), actions)

    def _take_seeds(self) -> list[int] | None:
        """Returns the seeds for the next reset, None if there are none, and forgets them."""
        if any(self._options):
            self._reset_options()
            raise OptionError("these environments take no options of reset; make others instead")
        seeds = [seed for seed in self._seeds if seed is not None]
        self._reset_seeds()
        return seeds or None

    def step_async(self, actions: Array) -> None:
        """Keeps the actions for :meth:`step_wait`, int (num_envs,)."""
        self._actions = actions

    @abstractmethod
    def step_wait(self) -> Step:
        """Plays the actions; returns observations, rewards, dones and infos."""

    def step(self, actions: Array) -> Step:
        """Plays an action in every game; returns observations, rewards, dones and infos."""
        self.step_async(actions)
        return self.step_wait()

    @abstractmethod
    def action_masks(self) -> Array:
        """Returns what the players to move may do: int8 (num_envs, actions), a copy."""

    def clone_state(self) -> tuple[Any, ...]:
        """Returns everything as it stands, for :meth:`restore_state`."""
        return self.games.clone_state()

    def restore_state(self, clone: tuple[Any, ...]) -> None:
        """Goes back to where :meth:`clone_state` was called; a clone can be used again.

        Raises:
            SavedStateError: It is a clone of another environment; nothing has changed.
        """
        self.games.restore_state(clone)

    def close(self) -> None:
        """Does nothing: there are neither windows nor processes."""

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """Returns an attribute, which all games share, once for each of them."""
        owner = self if attr_name in ("action_masks", "render_mode") else self.games
        return [getattr(owner, attr_name)] * len(self._which(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Refuses: the games of a batch share their options from the beginning."""
        raise OptionError(
            f"{attr_name} cannot be set: make environments with other options instead"
        )

    def env_method(
        self, method_name: str, *args: Any, indices: Indices = None, **kwargs: Any
    ) -> list[Any]:
        """Returns what a method says of each game: ``action_masks`` or ``game_at``.

        Raises:
            AttributeError: It is another one.
        """
        which = self._which(indices)
        if method_name == "action_masks":
            masks = self.action_masks()
            return [masks[index] for index in which]
        if method_name == "game_at":
            return [self.games.game_at(index) for index in which]
        raise AttributeError(f"the methods are action_masks and game_at, not {method_name!r}")

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: Indices = None
    ) -> list[bool]:
        """Tells that no game is wrapped."""
        return [False] * len(self._which(indices))

    def _which(self, indices: Indices) -> list[int]:
        return list(self._get_indices(indices))


class SingleAgentVecEnv(BatchedVecEnv):
    """One agent in each of many games, opponents played inside: ``SingleAgentVectorEnv`` for SB3.

    A game that is over is dealt anew in the same step; its last observation stands in
    ``infos[i]["terminal_observation"]``. The first illegal action is warned of: a learner that uses
    no masks, such as PPO, plays hardly anything else, and all it shows is a return of -1.

    Args:
        game: The game, or its name.
        num_envs: How many games.
        **options: Those of ``SingleAgentEnv``.

    Raises:
        GameError: An option is wrong.
    """

    games: SingleAgentVectorEnv

    def __init__(self, game: str | type[Game], num_envs: int, **options: Any) -> None:
        mode = AutoresetMode.SAME_STEP
        super().__init__(SingleAgentVectorEnv(num_envs, game=game, autoreset_mode=mode, **options))
        self._warned = False

    def reset(self) -> Array:
        """Deals all games; returns what the agents see, float32 (num_envs, size)."""
        return self.games.reset(seed=self._take_seeds())[0]

    def step_wait(self) -> Step:
        """Plays the actions; returns observations, rewards, dones and infos."""
        seen, rewards, over, _, step_infos = self.games.step(self._actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for index in np.flatnonzero(over):
            infos[index]["terminal_observation"] = step_infos["final_obs"][index]
        for index in np.flatnonzero(step_infos.get("_illegal_action", ())):
            action = infos[index]["illegal_action"] = int(step_infos["illegal_action"][index])
            self._warn_of_illegal(int(index), action)
        return seen, rewards.astype(np.float32), over, infos

    def _warn_of_illegal(self, index: int, action: int) -> None:
        """Warns, once, that an illegal action has lost a game."""
        if not self._warned:
            self._warned = True
            warnings.warn(
                f"the illegal action {action} has lost game {index}: does the learner use masks? "
                "MaskablePPO of sb3-contrib does, PPO does not; predict() and evaluate_policy() "
                "need them, too; illegal='raise' stops at the first illegal action instead",
                stacklevel=4,
            )

    def action_masks(self) -> Array:
        """Returns what the agents may do: int8 (num_envs, actions), a copy."""
        return self.games.action_masks()


class SelfPlayVecEnv(BatchedVecEnv):
    """Every seat of many games: ``SelfPlayBatch`` for SB3.

    A row's observation and mask are those of the player to move, ``current_player[i]``. The reward
    is what the seat got that has just moved. All the others' stand in ``all_rewards``, too: at the
    end of a game every seat is paid, and only one of them has just moved. A learner that
    follows each seat's own decisions adds those up; then nobody's payment is lost.

    Args:
        game: The game, or its name.
        num_envs: How many games.
        **options: Those of ``SelfPlayBatch``.

    Raises:
        GameError: An option is wrong.
    """

    games: SelfPlayBatch

    def __init__(self, game: str | type[Game], num_envs: int, **options: Any) -> None:
        super().__init__(SelfPlayBatch(game, num_envs, **options))

    @property
    def current_player(self) -> Array:
        """Whose turn it is, int8 (num_envs,); overwritten by the next step."""
        return self.games.current_player

    @property
    def all_rewards(self) -> Array:
        """What each seat got in the last step, float32 (num_envs, players); overwritten, too."""
        return self.games.rewards

    def reset(self) -> Array:
        """Deals all games; returns what the players see, float32 (num_envs, size)."""
        seeds = self._take_seeds()
        self.games.reset(seeds[0] if seeds else None)
        return self.games.observations.copy()

    def step_wait(self) -> Step:
        """Plays the actions; returns observations, rewards, dones and infos.

        The info of a game that is over has the ``rewards`` and ``scores`` of all seats.

        Raises:
            OptionError, IllegalMove: As ``SelfPlayBatch.step``; no game has changed.
        """
        games = self.games
        last_player = games.current_player.astype(np.int64)
        games.step(self._actions)
        rewards = games.rewards[np.arange(self.num_envs), last_player]
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for index in np.flatnonzero(games.done):
            infos[index]["rewards"] = games.rewards[index].copy()
            infos[index]["scores"] = games.scores[index].copy()
        return games.observations.copy(), rewards, games.done.astype(np.bool_), infos

    def action_masks(self) -> Array:
        """Returns what the players to move may do: int8 (num_envs, actions), a copy."""
        return self.games.masks.copy()

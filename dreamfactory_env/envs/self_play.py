"""Many games at once, every seat played by the caller: the self-play batch.

One compiled call plays a step of every game, deals those anew that are over, and writes whose turn
it is, what that player sees and may do into arrays that are made once. A step allocates nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dreamfactory_env.engine.rng import next_seed
from dreamfactory_env.engine.self_play import ALL_LEGAL, hand_out_all, step_all
from dreamfactory_env.engine.stepper import Settings
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.envs.cloning import check_clone, identity_of
from dreamfactory_env.envs.common import ObservationSpecMixin, check_actions, check_count
from dreamfactory_env.games import new_game
from dreamfactory_env.games.batch import GameBatch
from dreamfactory_env.games.game import Game, check_seed


class SelfPlayBatch(ObservationSpecMixin):
    """Many games of one kind, each step one action in every game.

    After :meth:`reset` and :meth:`step` the arrays below say how things stand; they are the same
    objects always, overwritten by each step. A game that is over has been paid and dealt anew:
    ``done`` marks it, ``rewards`` and ``scores`` are of the one that ended, all else of the new.

    Attributes:
        current_player: Whose turn it is, int8 (num_envs,).
        observations: What that player sees, float32 (num_envs, size).
        masks: What that player may do, int8 (num_envs, actions).
        rewards: What each seat is paid, float32 (num_envs, players); without shaping 0 before the
            end.
        done: 1 for games that have just ended, int8 (num_envs,).
        scores: The points of the games that have just ended, int32 (num_envs, players); not
            defined for the others.
        states: The games themselves.

    Args:
        game: The game, or its name.
        num_envs: How many games.
        reward: One of the game's rewards; its default if None.
        shaping: The weight of the potential by which points are paid as they come, see
            docs/environments.md; 0 pays at the end only.
        **options: The options of the game.

    Raises:
        GameError: An option is wrong.
    """

    def __init__(
        self,
        game: str | type[Game],
        num_envs: int,
        *,
        reward: str | None = None,
        shaping: float = 0.0,
        **options: Any,
    ) -> None:
        self.num_envs = count = check_count(num_envs)
        self.game = template = new_game(game, options)
        payoff = template.spec.payoff(reward, shaping)
        self.identity = identity_of(self, template, count, payoff)
        self._batch = GameBatch(template, count, Settings(payoff, deal_again=True))
        self._seed: int | None = None  # of the series to go on with
        # Masks and rewards are the caller's, who may write there.
        self.masks = np.zeros_like(self._batch.masks)
        self.rewards = np.zeros((count, template.players), np.float32)
        self._share_arrays()
        self._deal(0)

    def _share_arrays(self) -> None:
        """Shows the arrays of the batch as attributes."""
        rows, players = self._batch.rows, self.game.players
        self.states, self.observations = self._batch.states, self._batch.observations
        self.current_player, self.done = rows["current_player"], rows["done"]
        self.scores = rows["points"][:, :players]

    def reset(self, seed: int | None = None) -> None:
        """Deals every game anew.

        Args:
            seed: Determines the seeds of all games, and of those after them. Without one, batches
                continue a series that the last seed determines; a first one is drawn at random.

        Raises:
            OptionError: The seed is out of range; no game has changed.
        """
        if seed is None and self._seed is not None:
            seed = int(next_seed(np.uint64(self._seed)))
        self._seed = check_seed(seed)
        self._deal(self._seed)

    def _deal(self, seed: int) -> None:
        self._batch.configure(seed=np.uint64(seed))
        self._batch.rows["episode"] = 0
        self._batch.deal()
        self._batch.call(hand_out_all, self.masks, self.rewards)

    def step(self, actions: Array) -> None:
        """Plays one action in every game.

        Args:
            actions: Whole numbers, shape (num_envs,).

        Raises:
            OptionError: They are of another shape or no whole numbers.
            IllegalMove: One of them is not legal. In either case no game has changed.
        """
        played = np.ascontiguousarray(check_actions(actions, self.num_envs), np.int64)
        batch = self._batch
        index = batch.call(step_all, batch.every, played, self.masks, self.rewards)
        if index != ALL_LEGAL:
            game = self.game_at(index)
            raise game.illegal_move(int(played[index]), where=f"game {index}: ")

    def game_at(self, index: int) -> Game:
        """Returns a copy of one of the games, to read or to play on."""
        return self._batch.game_at(index)

    # ------------------------------------------------------------------ copies

    def clone_state(self) -> tuple[Any, ...]:
        """Returns everything as it stands, for :meth:`restore_state`."""
        return self.identity, self._batch.save(), self._batch.table.settings.seed, self._seed

    def restore_state(self, clone: tuple[Any, ...]) -> None:
        """Goes back to where :meth:`clone_state` was called; a clone can be used again.

        Raises:
            SavedStateError: It is a clone of another environment; nothing has changed.
        """
        check_clone(clone, self.identity, 4)
        _, arrays, seed, self._seed = clone
        self._batch.configure(seed=seed)
        self._batch.restore(arrays)
        self._batch.call(hand_out_all, self.masks, self.rewards)

    def __getstate__(self) -> dict[str, Any]:
        shared = ("states", "observations", "current_player", "done", "scores")
        return {name: value for name, value in vars(self).items() if name not in shared}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._share_arrays()

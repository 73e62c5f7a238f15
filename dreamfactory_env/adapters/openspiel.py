"""Games for OpenSpiel: ``pyspiel.load_game("python_NAME", {...})``.

Importing this module registers every game that can be walked through draw by draw (that has a
``dealing``); it needs the extra ``openspiel``. The names of methods are OpenSpiel's. Chance is
explicit: every draw is a chance node with its probabilities, made when the rules make it. What a
player remembers (the information state) is the draws that it has seen, and all moves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import pyspiel

from dreamfactory_env.engine.position import legal_at, move_keys_at
from dreamfactory_env.engine.returns import Payoff, Reward
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games import GAMES
from dreamfactory_env.games.dealing import Dealing
from dreamfactory_env.games.game import Game
from dreamfactory_env.games.spec import GameSpec

#: The value of the parameter ``seed`` that means none.
NO_SEED = -1
CHANCE, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)


def name_of(spec: GameSpec) -> str:
    """Returns what OpenSpiel calls a game."""
    return f"python_{spec.name}"


def parameters_of(spec: GameSpec) -> dict[str, Any]:
    """Returns the parameters of a game with their defaults; an empty text stands for no file."""
    options = {option.name: option.default for option in spec.options}
    return {
        "players": spec.min_players,
        **{name: "" if default is None else default for name, default in options.items()},
        "seed": NO_SEED,
        "reward": spec.rewards[0],
    }


def game_type(spec: GameSpec, *, dealt: bool) -> Any:
    """Returns OpenSpiel's description of a game, whose deal may be fixed."""
    modes, utilities = pyspiel.GameType.ChanceMode, pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=name_of(spec),
        long_name=spec.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=modes.DETERMINISTIC if dealt else modes.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utilities.IDENTICAL if spec.shared else utilities.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=spec.max_players,
        min_num_players=spec.min_players,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters_of(spec),
    )


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its options; :func:`register` makes a subclass for each.

    Args:
        params: The options of the game, those that are files as paths; ``seed``, which fixes the
            deal so that there is no chance, and what looks ahead knows it; ``reward``, one of those
            that the game offers.

    Raises:
        GameError: An option, the seed or the reward is wrong.
    """

    game_cls: ClassVar[type[Game]]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        game_cls = self.game_cls
        defaults = parameters_of(game_cls.spec)
        values = {**defaults, **(params or {})}
        seed, reward = values.pop("seed"), values.pop("reward")
        options = {
            name: None if value == "" and defaults[name] == "" else value
            for name, value in values.items()
        }
        dealt = seed != NO_SEED
        game = game_cls(seed=seed if dealt else 0, **options)
        spec = game.spec
        self.payoff = spec.payoff(reward)
        assert game_cls.dealing is not None
        self.start: Dealing = game_cls.dealing(game, dealt=dealt)
        self._draws = 0 if dealt else sum(self.start.seen_sizes())
        low, high = _utility_range(spec, self.payoff)
        info = pyspiel.GameInfo(
            num_distinct_actions=spec.num_actions,
            max_chance_outcomes=0 if dealt else self.start.num_outcomes,
            num_players=game.players,
            min_utility=low,
            max_utility=high,
            utility_sum=None if spec.shared else 0.0,
            max_game_length=spec.max_length,
        )
        super().__init__(game_type(spec, dealt=dealt), info, params or {})

    def new_initial_state(self) -> OpenSpielState:
        """Returns the start of a game."""
        return OpenSpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Returns a number of draws that no game exceeds."""
        return self._draws

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> OpenSpielObserver:
        """Returns what turns a state into the strings and tensors of a player."""
        recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return OpenSpielObserver(self.start, recall, params)


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A position, and the draws that led to it."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.payoff = game.payoff
        self.dealing = game.start
        self._player = self._whose_turn()

    @property
    def position(self) -> Game:
        """The position in our own engine."""
        return self.dealing.game

    def _whose_turn(self) -> int:
        if self.dealing.is_chance:
            return CHANCE
        seat = self.position.to_move
        return TERMINAL if seat is None else seat

    def current_player(self) -> int:
        """Returns the seat of the player to move, or OpenSpiel's mark for chance or the end."""
        return self._player

    def is_terminal(self) -> bool:
        """Tells whether the game is over."""
        return self._player == TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        game = self.position
        actions = np.empty(game.spec.num_actions, np.int32)
        count = game.compiled(legal_at)(game.states, 0, game.params, actions)
        legal: list[int] = actions[:count].tolist()
        return legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Returns what can be drawn, with probabilities."""
        return list(self.dealing.outcomes().items())

    def _apply_action(self, action: int) -> None:
        after = self.dealing.draw if self._player == CHANCE else self.dealing.play
        self.dealing = after(action)
        self._player = self._whose_turn()

    def _action_to_string(self, player: int, action: int) -> str:
        if player == CHANCE:
            return self.dealing.outcome_to_string(action)
        game = self.position
        keys = np.empty(1, np.int64)
        actions = np.array([action], np.int32)
        game.compiled(move_keys_at)(game.states, 0, game.params, actions, 1, keys)
        return game.key_to_string(int(keys[0]))

    def returns(self) -> list[float]:
        """Returns what the game is worth to each player, 0 before it is over."""
        if not self.is_terminal():
            return [0.0] * self.position.players
        worth: list[float] = self.position.returns(self.payoff).tolist()
        return worth

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> OpenSpielState:
        """Returns a state with the same information state of a player, the hidden draws made anew.

        Args:
            player: Who looks.
            sampler: Gives random numbers from 0 to 1.
        """
        redrawn = self.position.resample_hidden(player, int(sampler() * 2**53))
        state: OpenSpielState = self.get_game().new_initial_state()
        for event in self.history():
            chance = state.is_chance_node()
            state.apply_action(state.dealing.drawn_in(redrawn) if chance else event)
        return state

    def __str__(self) -> str:
        return "before the deal" if self.dealing.before_the_deal else str(self.position)


class OpenSpielObserver:
    """What a player sees, and with perfect recall remembers.

    Attributes:
        tensor: All numbers, float32.
        dict: The same by name: ``observation``, as the game's spec describes it; with perfect
            recall also ``player``, 1 for the seat, and ``memory``, a row of bits for each draw that
            was seen and each move: the number plus 1, the lowest bit first; 0 for none.
    """

    def __init__(self, start: Dealing, recall: bool, params: dict[str, Any] | None) -> None:
        if params:
            raise ValueError(f"there are no parameters of an observation, such as {params}")
        self.recall = recall
        spec, players = start.game.spec, start.game.players
        self._room = (*start.seen_sizes(), spec.max_length)
        # In whole bytes.
        self._bits = 8 * -(-max(start.num_outcomes, spec.num_actions).bit_length() // 8)
        shapes: dict[str, tuple[int, ...]] = {"observation": (spec.observation.size,)}
        if recall:
            shapes |= {"player": (players,), "memory": (sum(self._room), self._bits)}
        self.tensor = np.zeros(sum(int(np.prod(shape)) for shape in shapes.values()), np.float32)
        self.dict: dict[str, Array] = {}
        start_of_block = 0
        for name, shape in shapes.items():
            end = start_of_block + int(np.prod(shape))
            self.dict[name] = self.tensor[start_of_block:end].reshape(shape)
            start_of_block = end

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Writes what a player sees and remembers into the tensor."""
        self.tensor.fill(0)
        self.dict["observation"][:] = state.position.observe(player)
        if not self.recall:
            return
        self.dict["player"][player] = 1
        row = 0
        events = (*state.dealing.seen(player), np.array(state.dealing.moves, np.int64))
        for numbers, room in zip(events, self._room, strict=True):
            bits = (numbers[:, None] + 1) >> np.arange(self._bits) & 1
            self.dict["memory"][row : row + len(numbers)] = bits
            row += room

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Returns what a player sees or, with perfect recall, all that the player remembers."""
        if state.dealing.before_the_deal:
            return f"player {player}, before the deal"
        if self.recall:
            return state.dealing.information_state(player)
        return state.position.text(player)


def _utility_range(spec: GameSpec, payoff: Payoff) -> tuple[float, float]:
    """Returns the least and the most that a game can be worth to a player."""
    if payoff.reward == Reward.SCORE:
        return spec.score_range
    return (0.0, 1.0) if spec.shared else (-1.0, 1.0)


def register(game_cls: type[Game]) -> None:
    """Registers a game with OpenSpiel; those of the package are registered by this module.

    Args:
        game_cls: A game with a ``dealing``.
    """
    # OpenSpiel drops what it has been given when Python is gone, which only a class survives.
    made = type(f"{game_cls.__name__}Game", (OpenSpielGame,), {"game_cls": game_cls})
    pyspiel.register_game(game_type(game_cls.spec, dealt=False), made)


for _game_cls in GAMES.values():
    if _game_cls.dealing is not None:
        register(_game_cls)

"""Dream Factory as a game of OpenSpiel: ``pyspiel.load_game("python_dream_factory", {...})``.

Importing this module registers the game; it needs the extra ``openspiel``. The names of methods are
OpenSpiel's. Chance is explicit: every draw is a chance node with its probabilities, made when the
rules make it. All moves and all that is turned up are seen by everyone, so what a player remembers
(the information state) is the draws that have been seen and all moves; the tiles of a party are
drawn with their round and seen when the party begins.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

from dreamfactory_env.engine.returns import SCORE_SCALE, Reward, payment, reward_named
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.dream_factory.actions import tile_words
from dreamfactory_env.games.dream_factory.components import load_components
from dreamfactory_env.games.dream_factory.dealing import OUTCOMES, Dealing
from dreamfactory_env.games.dream_factory.game import DreamFactory
from dreamfactory_env.games.dream_factory.scoring import GRAND_AWARD, SMALL_AWARD
from dreamfactory_env.games.dream_factory.state import BEST_OF_GENRE, FILM_AWARDS

NAME = "python_dream_factory"
#: The parameters and their defaults; no seed and no components are written so.
NO_SEED, STANDARD = -1, ""
PARAMETERS = {
    "players": 2,
    "edition": "dream_factory",
    "hidden_money": "rule",
    "choose_studio": False,
    "components": STANDARD,
    "seed": NO_SEED,
    "reward": "win",
}
CHANCE, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)
#: A number of the memory, one more than it is and 0 for none, as so many bits.
BITS = 8


def _game_type(chance_mode: Any) -> Any:
    return pyspiel.GameType(
        short_name=NAME,
        long_name="Dream Factory",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance_mode,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=5,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


_GAME_TYPE = _game_type(pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC)
_DEALT_TYPE = _game_type(pyspiel.GameType.ChanceMode.DETERMINISTIC)


class DreamFactoryGame(pyspiel.Game):  # type: ignore[misc]
    """Dream Factory with its options.

    Args:
        params: ``players``, ``edition``, ``hidden_money`` and ``choose_studio`` as in
            :class:`DreamFactory`; ``components``, the path of a component file; ``seed``, which
            fixes the deal so that there is no chance, and what looks ahead knows it; ``reward``,
            ``"win"``, ``"rank"`` or ``"score"``.

    Raises:
        GameError: An option, the seed or the component file is wrong.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        options = {**PARAMETERS, **(params or {})}
        self.reward = reward_named(options.pop("reward"))
        seed = options.pop("seed")
        path = options.pop("components")
        components = load_components(path) if path else None
        self.dealt = seed != NO_SEED
        table = DreamFactory(seed=seed if self.dealt else 0, components=components, **options)
        self.start = Dealing(table, dealt=self.dealt)
        low, high = _utility_range(table, self.reward)
        info = pyspiel.GameInfo(
            num_distinct_actions=table.actions,
            max_chance_outcomes=0 if self.dealt else OUTCOMES,
            num_players=table.players,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0,
            max_game_length=table.longest_game(),
        )
        super().__init__(_DEALT_TYPE if self.dealt else _GAME_TYPE, info, params or {})

    def new_initial_state(self) -> DreamFactoryState:
        """Returns the start of a game."""
        return DreamFactoryState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Returns a number of draws that no game exceeds."""
        if self.dealt:
            return 0
        t = self.start.game.tables[0]
        players = self.start.game.players
        drawn = int(t.rounds) * int(t.round_size[players])
        return 1 + players + int(t.pile_size) + drawn

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> DreamFactoryObserver:
        """Returns what turns a state into the strings and tensors of a player."""
        recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return DreamFactoryObserver(self.start.game, recall, params)


class DreamFactoryState(pyspiel.State):  # type: ignore[misc]
    """A position, and the draws that led to it."""

    def __init__(self, game: DreamFactoryGame) -> None:
        super().__init__(game)
        self.reward = game.reward
        self.dealing = game.start
        self._player = self._whose_turn()

    @property
    def table(self) -> DreamFactory:
        """The position in our own engine."""
        return self.dealing.game

    def _whose_turn(self) -> int:
        if self.dealing.waiting is not None:
            return CHANCE
        seat = self.table.to_move
        return TERMINAL if seat is None else seat

    def current_player(self) -> int:
        """Returns the seat of the player to move, or OpenSpiel's mark for chance or the end."""
        return self._player

    def is_terminal(self) -> bool:
        """Tells whether the game is over."""
        return self._player == TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        table = self.table
        actions = np.empty(table.actions, np.int32)
        count = table.loops.legal_at(table.states, 0, table.tables, actions)
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
            return self.dealing.words(action)
        table = self.table
        meanings = np.empty(1, np.int64)
        actions = np.array([action], np.int32)
        table.loops.meanings_at(table.states, 0, table.tables, actions, 1, meanings)
        return table.words(int(meanings[0]))

    def returns(self) -> list[float]:
        """Returns what the game is worth to each player, 0 before it is over."""
        if not self.is_terminal():
            return [0.0] * self.table.players
        worth: list[float] = payment(self.reward, self.table).tolist()
        return worth

    def resample_from_infostate(
        self, player: int, sampler: Callable[[], float]
    ) -> DreamFactoryState:
        """Returns a state with the same information state of a player, the hidden draws made anew.

        Args:
            player: Who looks.
            sampler: Gives random numbers from 0 to 1.
        """
        redrawn = self.table.resample_hidden(player, int(sampler() * 2**53))
        state: DreamFactoryState = self.get_game().new_initial_state()
        for event in self.history():
            chance = state.is_chance_node()
            state.apply_action(state.dealing.drawn_in(redrawn) if chance else event)
        return state

    def __str__(self) -> str:
        return "before the deal" if self.dealing.before_the_deal else str(self.table)


class DreamFactoryObserver:
    """What a player sees, and with perfect recall remembers.

    Attributes:
        tensor: All numbers, float32.
        dict: The same by name: ``observation``, as ``DreamFactory.layout`` describes it; with
            perfect recall also ``player``, 1 for the seat, and ``memory``, a row of bits for each
            draw that was seen and each move.
    """

    def __init__(self, game: DreamFactory, recall: bool, params: dict[str, Any] | None) -> None:
        if params:
            raise ValueError(f"there are no parameters of an observation, such as {params}")
        self.recall = recall
        t: Any = game.tables[0]
        drawn = int(t.rounds) * int(t.round_size[game.players])
        self._room = (1, game.players, int(t.pile_size), drawn, game.longest_game())
        shapes: dict[str, tuple[int, ...]] = {"observation": (game.layout.size,)}
        if recall:
            shapes |= {"player": (game.players,), "memory": (sum(self._room), BITS)}
        self.tensor = np.zeros(sum(int(np.prod(shape)) for shape in shapes.values()), np.float32)
        self.dict: dict[str, Array] = {}
        start = 0
        for name, shape in shapes.items():
            end = start + int(np.prod(shape))
            self.dict[name] = self.tensor[start:end].reshape(shape)
            start = end

    def set_from(self, state: DreamFactoryState, player: int) -> None:
        """Writes what a player sees and remembers into the tensor."""
        self.tensor.fill(0)
        self.dict["observation"][:] = state.table.observe(player)
        if not self.recall:
            return
        self.dict["player"][player] = 1
        start = 0
        known = (*state.dealing.seen(), np.array(state.dealing.moves, np.int64))
        for numbers, room in zip(known, self._room, strict=True):
            bits = (numbers[:, None] + 1) >> np.arange(BITS) & 1
            self.dict["memory"][start : start + len(numbers)] = bits
            start += room

    def string_from(self, state: DreamFactoryState, player: int) -> str:
        """Returns what a player sees or, with perfect recall, all that the player remembers."""
        if state.dealing.before_the_deal:
            return f"player {player}, before the deal"
        return remembered(state.dealing, player) if self.recall else state.table.text(player)


def remembered(dealing: Dealing, player: int) -> str:
    """Returns the information state of a player after the deal: draws that were seen, and moves."""
    first, studios, pile, tiles = (numbers.tolist() for numbers in dealing.seen())
    titles = [dealing.game.options.components.screenplays[film].title for film in pile]
    return "\n".join(
        [
            f"player {player}",
            f"first player {first[0]}, studios {' '.join(map(str, studios))}",
            f"pile: {', '.join(titles)}",
            f"tiles: {', '.join(map(tile_words, tiles))}",
            f"moves: {' '.join(map(str, dealing.moves))}",
        ]
    )


def _utility_range(game: DreamFactory, reward: Reward) -> tuple[float, float]:
    """Returns the least and the most that a game can be worth to a player."""
    if reward != Reward.SCORE:
        return -1.0, 1.0
    t: Any = game.tables[0]
    points = game.players * int(t.money[game.players]) + int(t.token_value.sum())
    points += SMALL_AWARD * BEST_OF_GENRE + GRAND_AWARD * (FILM_AWARDS - BEST_OF_GENRE + 1)
    mean = points / game.players
    return -mean / SCORE_SCALE, (points - mean) / SCORE_SCALE


pyspiel.register_game(_GAME_TYPE, DreamFactoryGame)

"""Faux Raccords for people: one game that can be read, played, copied, saved and narrated."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.contract import GameKernels
from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.games.contract import AllSeeing
from dreamfactory_env.games.faux_raccords import consistency, hidden, rules, scoring
from dreamfactory_env.games.faux_raccords.actions import Words, move_key, slot_words
from dreamfactory_env.games.faux_raccords.components import Components
from dreamfactory_env.games.faux_raccords.explain import explain
from dreamfactory_env.games.faux_raccords.hazards import HAZARD_COUNTS
from dreamfactory_env.games.faux_raccords.legal import legal
from dreamfactory_env.games.faux_raccords.observation import observe
from dreamfactory_env.games.faux_raccords.options import Options
from dreamfactory_env.games.faux_raccords.scripted import decide
from dreamfactory_env.games.faux_raccords.scripted.all_seeing import SEEING, decide_seeing_all
from dreamfactory_env.games.faux_raccords.setup import (
    CARDS_OF_MODE,
    PAIRS,
    begin_at,
    film_size,
    moods_of,
    read_setup,
    reset,
)
from dreamfactory_env.games.faux_raccords.spec import SPEC
from dreamfactory_env.games.faux_raccords.state import (
    CARD_WORDS,
    HAND,
    NO_CARD,
    RANGES,
    STATE,
    Ending,
    Mode,
    Phase,
)
from dreamfactory_env.games.faux_raccords.stats import count_end, count_move, stats_of
from dreamfactory_env.games.faux_raccords.view import table_view
from dreamfactory_env.games.game import Game, Line
from dreamfactory_env.games.stats import GameStats
from dreamfactory_env.utils.errors import RecordError

_AGENTS = Path(__file__).parent / "agents"
AGENTS = {"pretrained": _AGENTS / "pretrained.safetensors"}
#: The same training from five seeds in each of some ways, by what an agent sees.
_POOL_FILES = (_AGENTS / "pool").glob("*.safetensors")
POOL = {path.stem: path for path in sorted(_POOL_FILES)}


@jit
def _judge_at(states: Records, index: int, params: Records, out: Array) -> None:
    """Writes conditions met, graded score and genre scores of game ``index``; int64 (4,)."""
    s, t = states[index], params[0]
    out[0] = scoring.conditions_met(s, t)
    out[1] = scoring.graded_score(s, t)
    for line in range(2):
        out[2 + line] = scoring.genre_score(s, t, line)


@lru_cache(maxsize=len(Mode))
def _words_of(mode: Mode) -> Words:
    return Words(mode)


class FauxRaccords(Game):
    """A game of Faux Raccords.

    >>> game = FauxRaccords(players=3, mode="series", seed=7)
    >>> game.play("end").result()["conditions"]["size"]
    False

    Args:
        players: 2 to 4.
        seed: Where the shuffles come from, 0 to 2**63 - 1; drawn at random if not given. The
            same seed is the same game on every machine.
        mode: ``"tutorial"``, ``"feature"``, ``"shorts"``, ``"series"``, ``"arcs"`` or ``"studio"``.
        memory: Whether observations tell what was seen before: ``"none"`` or ``"perfect"``.
        components: Own components, or the path of their file.

    Raises:
        GameError: An option, the seed or the component file is wrong.
    """

    spec = SPEC
    kernels = GameKernels(
        reset=reset,
        legal=legal,
        apply=rules.apply,
        move_key=move_key,
        observe=observe,
        outcome=scoring.outcome,
        decide=decide,
        resample_hidden=hidden.resample_hidden,
        count_move=count_move,
        count_end=count_end,
    )
    state_dtype, state_ranges = STATE, RANGES
    agents, pool = AGENTS, POOL
    page = Path(__file__).parent / "page"
    all_seeing = AllSeeing("all_seeing", decide_seeing_all, SEEING)

    def __init__(
        self,
        players: int = 2,
        *,
        seed: int | None = None,
        mode: str = "feature",
        memory: str = "none",
        components: Components | str | Path | None = None,
    ) -> None:
        super().__init__(players, seed=seed, mode=mode, memory=memory, components=components)

    def constants_of(self, name: str) -> Array:
        """Returns the constants of a scripted policy in this mode, float64 (K,)."""
        constants: Array = self.scripted[name].reshape(len(Mode), -1)[self.mode]
        return constants

    def configure(self) -> None:
        """Takes the options."""
        self.options = Options(**self.values)
        self.params = self.options.params
        self._words = _words_of(self.options.mode_number)

    def blank(self) -> Records:
        """Returns a state with the options of this game, before anything is dealt; shape (1,)."""
        return self.options.blank()

    def load_setup(self, setup: Any) -> None:
        """Starts the game from the set-up of a record.

        Raises:
            GameError: It is not one of a game with these options.
        """
        given = read_setup(self.options, setup)
        self.states = self.blank()
        s: Any = self.states[0]
        s.first_player = given.first_player
        s.dealt[: len(given.dealt)] = given.dealt
        s.hazards[: len(given.hazards)] = given.hazards
        s.moods[: len(given.moods)] = given.moods
        begin_at(self.states, 0, self.params)

    # ------------------------------------------------------------------ reading the position

    @property
    def state(self) -> Any:
        """The record of the position: ``game.state.film`` and so on, see ``state.State``."""
        return self.states[0]

    @property
    def mode(self) -> Mode:
        """The mode as the rules know it."""
        return self.options.mode_number

    @property
    def phase(self) -> str:
        """What is decided, in a word: ``action``, ``place``, ``look`` and so on; or ``over``."""
        return Phase(self.state.phase).name.lower().replace("_", " ")

    @property
    def to_move(self) -> int | None:
        """The seat of the player to move, None when the game is over."""
        return None if self.state.phase == Phase.OVER else int(self.state.to_move)

    @property
    def turn(self) -> int:
        """The seat whose turn it is, or was when the game ended; hazards ask others, too."""
        return int(self.state.turn)

    def film(self) -> dict[str, str]:
        """Returns the cards of the Film by the names of their places, face down or not."""
        cards = enumerate(self.state.film.tolist())
        return {slot_words(self.mode, at): CARD_WORDS[card] for at, card in cards if card >= 0}

    def hand(self, player: int) -> list[str]:
        """Returns the cards in a player's hand.

        Raises:
            OptionError: There is no such player.
        """
        cards = int(self.state.hands[self.check_seat(player)])
        return [word for card, word in enumerate(CARD_WORDS) if cards >> card & 1]

    def judge(self) -> tuple[dict[str, bool], int, list[int]]:
        """Returns which conditions the Film meets, its graded score, and its genre scores."""
        judged = np.zeros(4, np.int64)
        _judge_at(self.states, 0, self.params, judged)
        met, score, *genre = judged.tolist()
        asked = scoring.CONDITIONS[self.mode]
        conditions = {
            word: bool(met & bit) for bit, word in scoring.CONDITION_WORDS.items() if asked & bit
        }
        return conditions, score, genre[: PAIRS[self.mode]]

    def moods(self) -> list[list[str]]:
        """Returns the moods of the Film, a pair for each genre that is asked for."""
        return moods_of(self.options, self.state)

    def __str__(self) -> str:
        from dreamfactory_env.games.faux_raccords.text import board

        return "\n".join(board(table_view(self)))

    def __repr__(self) -> str:
        mode, players = self.options.mode, self.players
        return f"<FauxRaccords, {mode}, {players} players, seed {self.seed}: {self.phase}>"

    # ------------------------------------------------------------------ the contract

    def check_position(self) -> None:
        """Checks that all that the position says belongs together.

        Raises:
            SavedStateError: Something does not.
        """
        consistency.check_position(self.states, self.params, self.blank())

    def setup(self) -> dict[str, Any]:
        """Returns the set-up as a record writes it: everything that was drawn (F28).

        Raises:
            RecordError: Something in the game was redrawn: nobody knows its set-up.
        """
        s, mode = self.state, self.mode
        if s.dealt[0] == NO_CARD:
            raise RecordError("the set-up of a game that was redrawn is not known")
        cards = [CARD_WORDS[card] for card in s.dealt[: CARDS_OF_MODE[mode]].tolist()]
        film = HAND * self.players
        deck, removed = film + film_size(mode, self.players), int(s.pile_end)
        hazards = self.options.components.hazards
        return {
            "first_player": int(s.first_player),
            "hands": [cards[HAND * p : HAND * (p + 1)] for p in range(self.players)],
            "film": cards[film:deck],
            "deck": cards[deck:removed],
            "removed": cards[removed:],
            "hazards": [hazards[k].name for k in s.hazards[: HAZARD_COUNTS[mode]].tolist()],
            "moods": self.moods(),
        }

    def result(self) -> dict[str, Any] | None:
        """Returns the result as a record writes it (F28), None before the game is over."""
        if not self.over:
            return None
        conditions, score, genre = self.judge()
        winners = self.winners()
        return {
            "scores": [int(seat in winners) for seat in range(self.players)],
            "winners": winners,
            "ending": Ending(self.state.ending).name.lower().replace("_", " "),
            "player": self.turn,
            "conditions": conditions,
            "genre": genre,
            "film": self.film(),
            "score": score,
        }

    def key_to_string(self, key: int) -> str:
        """Returns the words of a move key."""
        return self._words[key]

    def stats(self) -> GameStats:
        """Returns what is counted in games with these options."""
        return stats_of(self.players)

    def observation_to_string(self, observation: Array) -> str:
        """Returns what an observation says, in words; seat 0 is the player who sees it.

        Args:
            observation: What a player sees, float32 (size,).

        Raises:
            OptionError: It does not have the right shape.
        """
        symbols = self.options.components.symbols
        return explain(observation, self.spec.observation, self.mode, symbols, self.options.mode)

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """Returns everything that a seat may know as plain data, see ``view_types.TableView``.

        Args:
            seat: The seat; None sees everything.

        Raises:
            OptionError: There is no such seat.
        """
        return dict(table_view(self, seat))

    def text(self, seat: int | None = None) -> str:
        """Returns the table as a seat sees it (None: everything) and what it may do, as text."""
        from dreamfactory_env.games.faux_raccords.text import board_and_moves

        return "\n".join(board_and_moves(table_view(self, seat)))

    def picture(self, seat: int | None = None) -> Array:
        """Returns the table as a seat sees it (None: everything), uint8 (height, width, 3)."""
        from dreamfactory_env.games.faux_raccords.picture import draw

        return draw(table_view(self, seat))

    def narrate(self, moves: Iterator[int], viewer: int | None = None) -> Iterator[Line]:
        """Plays actions, and says line by line what happens.

        Args:
            moves: The actions.
            viewer: The seat for which it is narrated; None sees everything.
        """
        from dreamfactory_env.games.faux_raccords.narration import narrate

        return narrate(self, moves, viewer)

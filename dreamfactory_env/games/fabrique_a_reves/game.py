"""La Fabrique à rêves for people: one game that can be read, played, copied, saved and narrated."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.contract import GameKernels
from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.games.fabrique_a_reves import consistency, hidden, rules, scoring
from dreamfactory_env.games.fabrique_a_reves.actions import Words, move_key
from dreamfactory_env.games.fabrique_a_reves.explain import explain
from dreamfactory_env.games.fabrique_a_reves.legal import legal
from dreamfactory_env.games.fabrique_a_reves.observation import observe, observe_cached
from dreamfactory_env.games.fabrique_a_reves.options import GivenOptions, Options, settled
from dreamfactory_env.games.fabrique_a_reves.scripted import decide
from dreamfactory_env.games.fabrique_a_reves.setup import (
    begin_at,
    read_setup,
    reservoirs_of,
    reset,
    themes_of,
    tools_in,
)
from dreamfactory_env.games.fabrique_a_reves.spec import SPEC
from dreamfactory_env.games.fabrique_a_reves.state import (
    AIMS,
    MAX_VIALS,
    NO_TOKEN,
    NOTHING,
    PARAMS,
    RANGES,
    STATE,
    TOOL_WORDS,
    VIALS_OF_MODE,
    Phase,
)
from dreamfactory_env.games.fabrique_a_reves.stats import count_end, count_move, stats_of
from dreamfactory_env.games.fabrique_a_reves.thinking import THINKING
from dreamfactory_env.games.fabrique_a_reves.view import dream_names, table_view
from dreamfactory_env.games.fabrique_a_reves.vocabulary import Vocabulary
from dreamfactory_env.games.game import Game, Line
from dreamfactory_env.games.stats import GameStats
from dreamfactory_env.utils.errors import RecordError

#: The same training from five seeds, once for each meaning of action numbers (M4).
_POOL_FILES = (Path(__file__).parent / "agents" / "pool").glob("*.safetensors")
POOL = {path.stem: path for path in sorted(_POOL_FILES)}


@jit
def _judge_at(states: Records, index: int, params: Records, out: Array) -> None:
    """Writes for each vial of game ``index`` its group, dream and points; int64 (5, 3)."""
    s, t = states[index], params[0]
    for vial in range(VIALS_OF_MODE[int(s.mode)]):
        dream = scoring.largest_group(s, vial)
        out[vial, 0] = 0 if dream == NOTHING else scoring.group_of(s, vial, dream)
        out[vial, 1] = dream
        out[vial, 2] = scoring.points_of(s, t, vial)


@lru_cache(maxsize=4)
def _words_of(vocabulary: Vocabulary) -> Words:
    return Words(vocabulary.lexicon)


class FabriqueAReves(Game):
    """A game of La Fabrique à rêves.

    >>> game = FabriqueAReves(players=3, mode="friday", seed=7)
    >>> len(game.setup()["themes"])
    2

    Args:
        players: 2 to 5.
        seed: Where the shuffles come from, 0 to 2**63 - 1; drawn at random if not given. The
            same seed is the same game on every machine.
        mode: ``"base"``, ``"monday"`` to ``"sunday"``, or ``"variant"``.
        level: The level of the theme in base and variant, 0 to 3; 1 if not given.
        tools: The tools of the variant: three of broom, doubt, dust, dust+2, spill and quill, or
            ``"drawn"``, which is the default.
        minds: ``"noisy"``: everybody associates words a little differently; or ``"same"``.
        noise: How much noisy minds differ, 0 to 255.
        labels: What action numbers of dreams mean: places in the order of the writer's mind
            (``"mind"``) or in the list of dreams (``"list"``).
        lexicon: Own words, or the path of their file.
        language: In which language words are shown, ``"en"`` or ``"fr"``.

    Raises:
        GameError: An option, the seed or the lexicon is wrong.
    """

    spec = SPEC
    kernels = GameKernels(
        reset=reset,
        legal=legal,
        apply=rules.apply,
        move_key=move_key,
        observe=observe,
        observe_cached=observe_cached,
        cache_dtype=THINKING,
        outcome=scoring.outcome,
        decide=decide,
        resample_hidden=hidden.resample_hidden,
        count_move=count_move,
        count_end=count_end,
    )
    state_dtype, state_ranges = STATE, RANGES
    params_dtype = PARAMS
    page = Path(__file__).parent / "page"
    pool = POOL

    def __init__(
        self, players: int = 3, *, seed: int | None = None, **options: Unpack[GivenOptions]
    ) -> None:
        super().__init__(players, seed=seed, **options)

    def configure(self) -> None:
        """Takes the options; those that were left open are what the mode says."""
        self.values = settled(self.values)
        self.options = Options(**self.values)
        self.params = self.options.params
        self._words = _words_of(self.options.lexicon)

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
        s.first_player, s.in_play = given.first_player, given.tools
        s.themes[: len(given.themes)] = given.themes
        s.dealt[: len(given.dealt)] = given.dealt
        s.minds[: len(given.minds)] = given.minds
        begin_at(self.states, 0, self.params)

    # ------------------------------------------------------------------ reading the position

    @property
    def state(self) -> Any:
        """The record of the position: ``game.state.words`` and so on, see ``state.State``."""
        return self.states[0]

    @property
    def phase(self) -> str:
        """What is decided, in a word: ``thoughts``, ``quill``, ``dreams`` or ``over``."""
        return Phase(self.state.phase).name.lower()

    @property
    def to_move(self) -> int | None:
        """The seat of the player to move, None when the game is over."""
        return None if self.state.phase == Phase.OVER else int(self.state.to_move)

    def dreams(self) -> list[str]:
        """Returns the list of the dreams that can be written in this game (R2)."""
        return dream_names(self, self.options.lexicon.lexicon)

    def vials(self) -> list[list[str]]:
        """Returns the words in each vial."""
        thoughts = self.options.lexicon.lexicon.thoughts
        words = self.state.words[: self.options.vials].tolist()
        return [[thoughts[word] for word in vial if word >= 0] for vial in words]

    def __repr__(self) -> str:
        mode, players = self.options.mode, self.players
        return f"<FabriqueAReves, {mode}, {players} players, seed {self.seed}: {self.phase}>"

    # ------------------------------------------------------------------ the contract

    def check_position(self) -> None:
        """Checks that all that the position says belongs together.

        Raises:
            SavedStateError: Something does not.
        """
        consistency.check_position(self.states, self.params, self.blank())

    def setup(self) -> dict[str, Any]:
        """Returns the set-up as a record writes it: everything that was drawn.

        Raises:
            RecordError: Something in the game was redrawn: nobody knows its set-up.
        """
        s, lexicon = self.state, self.options.lexicon.lexicon
        if s.redrawn:
            raise RecordError("the set-up of a game that was redrawn is not known")
        return {
            "first_player": int(s.first_player),
            "themes": themes_of(lexicon, s),
            "tools": tools_in(int(s.in_play)),
            "reservoirs": reservoirs_of(lexicon, self.options.mode_number, s),
            "minds": s.minds[: self.players].tolist(),
        }

    def result(self) -> dict[str, Any] | None:
        """Returns the result as a record writes it, None before the game is over."""
        if not self.over:
            return None
        scores = self.scores()
        return {
            "scores": scores,
            "winners": self.winners(),
            "points": scores[0],
            "scale": scoring.scale_of(scores[0]),
            "aim": AIMS[self.options.mode_number],
            "vials": self._judged_vials(),
        }

    def _judged_vials(self) -> list[dict[str, Any]]:
        judged = np.zeros((MAX_VIALS, 3), np.int64)
        _judge_at(self.states, 0, self.params, judged)
        s, dreams = self.state, self.dreams()
        vials = []
        for vial, (group, dream, points) in enumerate(judged[: self.options.vials].tolist()):
            token = int(s.tokens[vial])
            vials.append(
                {
                    "cards": int(s.filled[vial]),
                    "token": None if token == NO_TOKEN else TOOL_WORDS[token],
                    "group": group,
                    "dream": dreams[dream] if points else None,
                    "points": points,
                }
            )
        return vials

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
        return explain(observation, self.spec.observation)

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
        from dreamfactory_env.games.fabrique_a_reves.text import board_and_moves

        return "\n".join(board_and_moves(table_view(self, seat)))

    def picture(self, seat: int | None = None) -> Array:
        """Returns the table as a seat sees it (None: everything), uint8 (height, width, 3)."""
        from dreamfactory_env.games.fabrique_a_reves.picture import draw

        return draw(table_view(self, seat))

    def __str__(self) -> str:
        from dreamfactory_env.games.fabrique_a_reves.text import board

        return "\n".join(board(table_view(self)))

    def narrate(self, moves: Iterator[int], viewer: int | None = None) -> Iterator[Line]:
        """Plays actions, and says line by line what happens.

        Args:
            moves: The actions.
            viewer: The seat for which it is narrated; None sees everything.
        """
        from dreamfactory_env.games.fabrique_a_reves.narration import narrate

        return narrate(self, moves, viewer)

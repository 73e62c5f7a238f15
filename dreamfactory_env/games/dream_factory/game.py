"""Dream Factory for people: one game that can be read, played, copied, saved and narrated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.contract import GameKernels
from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.games.dream_factory import consistency, explain, hidden, rules, scoring
from dreamfactory_env.games.dream_factory.actions import Words, move_key, tile_words
from dreamfactory_env.games.dream_factory.components import Components
from dreamfactory_env.games.dream_factory.dealing import DreamFactoryDealing
from dreamfactory_env.games.dream_factory.legal import legal
from dreamfactory_env.games.dream_factory.observation import observe
from dreamfactory_env.games.dream_factory.observation_cache import OBSERVATION_CACHE, observe_cached
from dreamfactory_env.games.dream_factory.options import Options
from dreamfactory_env.games.dream_factory.scoring import AWARD_WORDS
from dreamfactory_env.games.dream_factory.scripted import decide
from dreamfactory_env.games.dream_factory.setup import read_setup
from dreamfactory_env.games.dream_factory.spec import SPEC
from dreamfactory_env.games.dream_factory.state import (
    NO_TILE,
    NOTHING,
    RANGES,
    STATE,
    UNFINISHED,
    Phase,
)
from dreamfactory_env.games.dream_factory.stats import count_end, count_move, stats_of
from dreamfactory_env.games.dream_factory.view import table_view
from dreamfactory_env.games.game import Game, Line
from dreamfactory_env.games.stats import GameStats
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.validation import as_int

#: The trained networks, for all player counts: the best one, and one that is small.
AGENTS = {
    name: Path(__file__).parent / "agents" / f"{name}.safetensors"
    for name in ("pretrained", "pretrained-small")
}


@dataclass(frozen=True)
class Film:
    """A film as it lies on the table.

    Attributes:
        title: Its title.
        genre: ``drama``, ``adventure`` or ``entertainment``.
        owner: The seat of the player in front of whom it lies.
        printed: The stars printed on the screenplay.
        spaces: The top tile of each space in words, ``-`` where there is none.
        stars: The printed stars and those of the visible tiles.
        finished: Whether it is finished.
        token: The token on it such as ``12+``; None if it is unfinished or found none.
        awards: The words of the awards that lie on it.
    """

    title: str
    genre: str
    owner: int
    printed: int
    spaces: dict[str, str]
    stars: int
    finished: bool
    token: str | None
    awards: tuple[str, ...]


@jit
def _film_stars_at(states: Records, index: int, params: Records, out: Array) -> None:
    for film in range(len(out)):
        out[film] = scoring.film_stars(states[index], params[0], film)


@lru_cache(maxsize=64)
def _words_of(components: Components) -> Words:
    return Words(components)


class DreamFactory(Game):
    """A game of Dream Factory.

    >>> game = DreamFactory(players=4, seed=7)
    >>> game.play("bid 3").play("pass")     # doctest: +SKIP

    Args:
        players: 2 to 5.
        seed: Where the shuffles come from, 0 to 2**63 - 1; drawn at random if not given. The
            same seed is the same game on every machine.
        edition: ``"dream_factory"`` (2009) or ``"traumfabrik"`` (2000).
        hidden_money: ``"rule"``, ``"never"`` or ``"always"``.
        choose_studio: Whether the players choose their studios.
        components: Own components, or the path of their file.

    Raises:
        GameError: An option, the seed or the component file is wrong.
    """

    spec = SPEC
    kernels = GameKernels(
        reset=rules.reset,
        legal=legal,
        apply=rules.apply,
        move_key=move_key,
        observe=observe,
        observe_cached=observe_cached,
        cache_dtype=OBSERVATION_CACHE,
        outcome=scoring.outcome,
        decide=decide,
        resample_hidden=hidden.resample_hidden,
        count_move=count_move,
        count_end=count_end,
    )
    state_dtype, state_ranges = STATE, RANGES
    agents = AGENTS
    page = Path(__file__).parent / "page"
    dealing = DreamFactoryDealing

    def __init__(
        self,
        players: int = 4,
        *,
        seed: int | None = None,
        edition: str = "dream_factory",
        hidden_money: str = "rule",
        choose_studio: bool = False,
        components: Components | str | Path | None = None,
    ) -> None:
        super().__init__(
            players,
            seed=seed,
            edition=edition,
            hidden_money=hidden_money,
            choose_studio=choose_studio,
            components=components,
        )

    def configure(self) -> None:
        """Takes the options."""
        self.options = Options(**self.values)
        self.params = self.options.components.params
        self._words = _words_of(self.options.components)

    def load_setup(self, setup: Any) -> None:
        """Starts the game from the set-up of a record.

        Raises:
            GameError: It is not one of a game with these options.
        """
        dealt = read_setup(self.options, setup)
        self.states = self.blank()
        s: Any = self.states[0]
        s.starting_player = dealt.first_player
        s.studio[: len(dealt.studios)] = dealt.studios
        s.deck[: len(dealt.deck)] = dealt.deck
        s.pile[: len(dealt.pile)] = dealt.pile
        rules.begin_at(self.states, 0, self.params)

    # ------------------------------------------------------------------ reading the position

    @property
    def state(self) -> Any:
        """The record of the position: ``game.state.money`` and so on, see ``state.State``."""
        return self.states[0]

    @property
    def phase(self) -> str:
        """``studio``, ``auction``, ``party``, ``placing`` or ``over``."""
        return Phase(self.state.phase).name.lower()

    @property
    def to_move(self) -> int | None:
        """The seat of the player to move, None when the game is over."""
        return None if self.state.phase == Phase.OVER else int(self.state.to_move)

    @property
    def location(self) -> str:
        """The name of the location that is being visited."""
        return self.options.components.locations[int(self.state.location)].name

    @property
    def lot(self) -> list[str]:
        """The tiles that lie on the location now, in words."""
        return [tile_words(int(tile)) for tile in self.state.lot if tile != NO_TILE]

    @property
    def hand(self) -> list[str]:
        """The tiles that the player to move has to place, in words."""
        return [tile_words(int(tile)) for tile in self.state.hand if tile != NO_TILE]

    @property
    def money(self) -> list[int]:
        """The money of each player; whether others may see it is another matter."""
        return [int(m) for m in self.state.money[: self.players]]

    def lot_of(self, round_: int, location: int) -> list[str] | None:
        """Returns the tiles laid out on a location, in words, None while they are face down."""
        face_up = hidden.is_face_up(self.state, self.params[0], round_, location)
        return self.tiles_of(round_, location) if face_up else None

    def tiles_of(self, round_: int, location: int) -> list[str]:
        """Returns the tiles of a location in words, whether or not anybody may see them."""
        s, t = self.state, self.params[0]
        if t.is_hollywood[location]:
            return [tile_words(int(t.legendary))]
        start = rules.first_tile_of(s, t, round_, location)
        size = int(t.lot_size[self.players, location])
        return [tile_words(int(tile)) for tile in s.deck[start : start + size]]

    def films(self, player: int) -> list[Film]:
        """Returns the films of a player: those in production first, then the finished ones.

        Raises:
            OptionError: There is no such player.
        """
        seat = self.check_seat(player)
        s = self.state
        numbers = [int(film) for film in s.in_production[seat] if film != NOTHING]
        numbers += [film for film in self.finished() if s.owner[film] == seat]
        return [self.film(number) for number in numbers]

    def finished(self) -> list[int]:
        """Returns the numbers of the finished films, in the order of finishing."""
        return [int(film) for film in self.state.finished[: int(self.state.finished_count)]]

    def film(self, number: int) -> Film:
        """Returns a film by the number of its screenplay in the component file, from 0.

        Raises:
            OptionError: There is no such screenplay.
        """
        screenplays = self.options.components.screenplays
        if as_int(number) not in range(len(screenplays)):
            raise OptionError(f"there are screenplays 0 to {len(screenplays) - 1}, not {number!r}")
        s = self.state
        screenplay = screenplays[number]
        tiles = zip(self._words.spaces[number], s.tiles[number], strict=True)
        stars = np.empty(len(s.owner), np.int64)
        _film_stars_at(self.states, 0, self.params, stars)
        rank = int(s.rank[number])
        return Film(
            title=screenplay.title,
            genre=screenplay.genre,
            owner=int(s.owner[number]),
            printed=screenplay.stars,
            spaces={space: tile_words(int(tile)) for space, tile in tiles if space},
            stars=int(stars[number]),
            finished=rank != UNFINISHED,
            token=self.options.components.tokens[rank] if rank >= 0 else None,
            awards=tuple(
                w for w, film in zip(AWARD_WORDS, s.awards, strict=True) if film == number
            ),
        )

    def awards(self) -> list[dict[str, Any]]:
        """Returns the awards given so far, as a record writes them."""
        s = self.state
        given: list[dict[str, Any]] = []
        for award, film in enumerate(s.awards):
            if film != NOTHING:
                title = self.options.components.screenplays[int(film)].title
                points = scoring.award_points(award)
                given.append({"award": AWARD_WORDS[award], "points": points, "film": title})
        if s.best_director != NOTHING:
            points = scoring.GRAND_AWARD
            player = int(s.best_director)
            given.append({"award": "best director", "points": points, "player": player})
        return given

    def __str__(self) -> str:
        from dreamfactory_env.games.dream_factory.text import board

        return "\n".join(board(table_view(self)))

    def __repr__(self) -> str:
        return f"<DreamFactory, {self.players} players, seed {self.seed}: {self.phase}>"

    # ------------------------------------------------------------------ the contract

    def blank(self) -> Records:
        """Returns a state with the options of this game, before anything is dealt; shape (1,)."""
        return self.options.blank()

    def check_position(self) -> None:
        """Checks that all that the position says belongs together.

        Raises:
            SavedStateError: Something does not.
        """
        consistency.check_position(self.states, self.params, self.blank())

    def setup(self) -> dict[str, Any]:
        """Returns the set-up as a record writes it: everything that was drawn."""
        s, t = self.state, self.params[0]
        screenplays = self.options.components.screenplays
        return {
            "first_player": int(s.starting_player),
            "studios": [] if self.options.choose_studio else s.studio[: self.players].tolist(),
            "deck": [tile_words(int(tile)) for tile in s.deck[: int(t.deck_size)]],
            "pile": [screenplays[int(film)].title for film in s.pile[: int(t.pile_size)]],
        }

    def result(self) -> dict[str, Any] | None:
        """Returns the result as a record writes it, None before the game is over."""
        if not self.over:
            return None
        films = [self.film(number) for number in self.finished()]
        return {
            "scores": self.scores(),
            "winners": self.winners(),
            "money": self.money,
            "pot": int(self.state.pot),
            "films": [
                {"title": f.title, "owner": f.owner, "token": f.token, "stars": f.stars}
                for f in films
            ],
            "awards": self.awards(),
        }

    def key_to_string(self, key: int) -> str:
        """Returns the words of a move key."""
        return self._words[key]

    def summary_of(self, legal: list[str]) -> str:
        """Returns legal moves as one line, the bids as a range."""
        bids = [words for words in legal if words.startswith("bid ")]
        if len(bids) < 3:
            return ", ".join(legal)
        others = [words for words in legal if not words.startswith("bid ")]
        return ", ".join([*others, f"{bids[0]} to {bids[-1]}"])

    def stats(self) -> GameStats:
        """Returns what is counted in games with these options."""
        return stats_of(self.options.components, self.players, AWARD_WORDS)

    def observation_to_string(self, observation: Array) -> str:
        """Returns what an observation says, in words; seat 0 is the player who sees it.

        Args:
            observation: What a player sees, float32 (size,).

        Raises:
            OptionError: It does not have the right shape.
        """
        return explain.explain(observation)

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
        from dreamfactory_env.games.dream_factory.text import board_and_moves

        return "\n".join(board_and_moves(table_view(self, seat)))

    def picture(self, seat: int | None = None) -> Array:
        """Returns the table as a seat sees it (None: everything), uint8 (height, width, 3)."""
        from dreamfactory_env.games.dream_factory.picture import draw

        return draw(table_view(self, seat))

    def narrate(self, moves: Iterator[int], viewer: int | None = None) -> Iterator[Line]:
        """Plays actions, and says line by line what happens.

        Args:
            moves: The actions.
            viewer: The seat for which it is narrated; None sees everything.
        """
        from dreamfactory_env.games.dream_factory.narration import narrate

        return narrate(self, moves, viewer)

"""Dream Factory for people: one game that can be read, played, copied, saved and told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

import numpy as np

from dreamfactory_env.engine.compiling import jit, warm_up
from dreamfactory_env.engine.kernels import NOBODY, Rules, compile_loops, room_for_moves
from dreamfactory_env.engine.structs import Array, Records, copy_records
from dreamfactory_env.games.dream_factory import explain, hidden, rules, scoring
from dreamfactory_env.games.dream_factory.actions import Words, meaning, tile_words
from dreamfactory_env.games.dream_factory.components import Components
from dreamfactory_env.games.dream_factory.legal import ACTIONS, DISCARD, PICK, PLACE, legal
from dreamfactory_env.games.dream_factory.observation import OBSERVATION_SPEC, observe
from dreamfactory_env.games.dream_factory.options import Options
from dreamfactory_env.games.dream_factory.scripted import SCRIPTED, decide
from dreamfactory_env.games.dream_factory.setup import read_setup
from dreamfactory_env.games.dream_factory.state import (
    MAX_HAND,
    MAX_LOT,
    MAX_PLAYERS,
    NO_SEED,
    NO_TILE,
    NOTHING,
    SPACES,
    STUDIO_FILMS,
    UNFINISHED,
    Genre,
    Phase,
)
from dreamfactory_env.games.dream_factory.stats import TALLY, figures_of
from dreamfactory_env.games.game import Game, Line, check_seed
from dreamfactory_env.games.observation_spec import Pointer
from dreamfactory_env.games.stats import Figures
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.validation import as_int

#: The trained networks, for all player counts: the best one, and one that is small.
AGENTS = {
    name: Path(__file__).parent / "agents" / f"{name}.safetensors"
    for name in ("pretrained", "pretrained-small")
}
#: Actions that point at tiles and at the player's own films.
POINTERS = (
    Pointer(PICK, (("lot", MAX_LOT),)),
    Pointer(PLACE, (("hand", MAX_HAND), ("films", STUDIO_FILMS)), SPACES),
    Pointer(DISCARD, (("hand", MAX_HAND),)),
)
_GENRES = [genre.name.lower() for genre in Genre]
#: The awards on films in words, in the order of State.awards.
AWARD_WORDS = [
    *(f"first {genre}" for genre in _GENRES),
    *(f"best film round {number}" for number in (1, 2, 3)),
    *(f"best {genre}" for genre in _GENRES),
    "worst film",
]


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
def begin_at(states: Records, index: int, tables: Records) -> None:
    """Starts game ``index``, whose shuffles lie ready."""
    rules.begin(states[index], tables[0])


@jit
def _film_stars_at(states: Records, index: int, tables: Records, out: Array) -> None:
    for film in range(len(out)):
        out[film] = scoring.film_stars(states[index], tables[0], film)


@jit
def _scores_at(states: Records, index: int, tables: Records, out: Array) -> None:
    for player in range(states[index].players):
        out[player] = scoring.score(states[index], tables[0], player)


@jit
def _winners_at(states: Records, index: int, tables: Records, out: Array) -> None:
    scoring.winners(states[index], tables[0], out)


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

    name = "dream_factory"
    title = "Dream Factory"
    version = "v0"
    actions = ACTIONS
    rules = Rules(
        reset=rules.reset,
        legal=legal,
        apply=rules.apply,
        meaning=meaning,
        observe=observe,
        outcome=scoring.outcome,
        decide=decide,
        resample_hidden=hidden.resample_hidden,
    )
    loops = compile_loops("dream_factory", rules)
    layout = OBSERVATION_SPEC
    pointers = POINTERS
    scripted = SCRIPTED
    agents = AGENTS
    tally = TALLY

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
        options = Options.of(
            components,
            players=players,
            edition=edition,
            hidden_money=hidden_money,
            choose_studio=choose_studio,
        )
        self._prepare(options)
        self._deal(check_seed(seed))

    def _prepare(self, options: Options) -> None:
        """Takes the options; nothing is dealt yet."""
        self.options = options
        self.tables = options.components.tables
        self.states = options.blank()
        self._words = _words_of(options.components)

    def _deal(self, seed: int) -> None:
        warm_up(self.title, _play_one_game)
        rules.reset(self.states, 0, self.tables, self.options.blank(), np.uint64(seed))

    @classmethod
    def from_config(cls, config: Any, *, seed: int | None) -> Self:
        """Returns a new game with the options of a record, dealt from a seed."""
        game: Self = cls.__new__(cls)
        game._prepare(Options.from_config(config))
        game._deal(check_seed(seed))
        return game

    @classmethod
    def from_setup(cls, config: Any, setup: Any) -> Self:
        """Returns a new game with the options and the set-up of a record.

        Raises:
            GameError: They are not those of a game.
        """
        game = cls.from_config(config, seed=0)
        dealt = read_setup(game.options, setup)
        game.states = game.options.blank()
        s: Any = game.states[0]
        s.starting_player = dealt.first_player
        s.studio[: len(dealt.studios)] = dealt.studios
        s.deck[: len(dealt.deck)] = dealt.deck
        s.pile[: len(dealt.pile)] = dealt.pile
        begin_at(game.states, 0, game.tables)
        return game

    # ------------------------------------------------------------------ reading the position

    @property
    def state(self) -> Any:
        """The record of the position: ``game.state.money`` and so on, see ``state.State``."""
        return self.states[0]

    @property
    def players(self) -> int:
        """The number of players."""
        return int(self.options.players)

    @property
    def phase(self) -> str:
        """``studio``, ``auction``, ``party``, ``placing`` or ``over``."""
        return Phase(self.state.phase).name.lower()

    @property
    def to_move(self) -> int | None:
        """The seat of the player to move, None when the game is over."""
        return None if self.state.phase == Phase.OVER else int(self.state.to_move)

    @property
    def seed(self) -> int | None:
        """The seed from which the game was dealt, None if its set-up was given."""
        return None if self.state.seed == NO_SEED else int(self.state.seed)

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
        s, t = self.state, self.tables[0]
        if not hidden.is_face_up(s, t, round_, location):
            return None
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
        _film_stars_at(self.states, 0, self.tables, stars)
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

    def scores(self) -> list[int]:
        """Returns the points of each player so far, money included."""
        out = np.zeros(MAX_PLAYERS, np.int64)
        _scores_at(self.states, 0, self.tables, out)
        return [int(points) for points in out[: self.players]]

    def winners(self) -> list[int]:
        """Returns the seats of those who have won, an empty list before the game is over."""
        out = np.zeros(MAX_PLAYERS, np.uint8)
        if self.over:
            _winners_at(self.states, 0, self.tables, out)
        return [int(seat) for seat in np.flatnonzero(out)]

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

        return "\n".join(board(self))

    def __repr__(self) -> str:
        return f"<DreamFactory, {self.players} players, seed {self.seed}: {self.phase}>"

    # ------------------------------------------------------------------ the seam

    @classmethod
    def scripted_seats(cls, names: Sequence[str]) -> tuple[Array, Array]:
        """Returns scripted policies as compiled loops take them; compiles them if none ever was."""
        seated = super().scripted_seats(names)
        warm_up(f"{cls.title}, policies", lambda: _play_one_scripted_game(seated))
        return seated

    def blank(self) -> Records:
        """Returns a state with the options of this game, before anything is dealt; shape (1,)."""
        return self.options.blank()

    def config(self) -> dict[str, Any]:
        """Returns the options as a record writes them."""
        return self.options.as_config()

    def setup(self) -> dict[str, Any]:
        """Returns the set-up as a record writes it: everything that was drawn."""
        s, t = self.state, self.tables[0]
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

    def words(self, meaning: int) -> str:
        """Returns the words of a meaning that the compiled rules gave."""
        return self._words[meaning]

    def summary_of(self, legal: list[str]) -> str:
        """Returns legal moves as one line, the bids as a range."""
        bids = [words for words in legal if words.startswith("bid ")]
        if len(bids) < 3:
            return ", ".join(legal)
        others = [words for words in legal if not words.startswith("bid ")]
        return ", ".join([*others, f"{bids[0]} to {bids[-1]}"])

    def longest_game(self) -> int:
        """Returns a number of moves that no game with these options exceeds.

        In an auction each bid is above the one before and at most all the money there is, and
        all but one pass. Each tile won or picked is placed or discarded once, and at a party
        each player picks once.
        """
        t = self.tables[0]
        auctions = int(t.rounds) * int((t.is_party[: t.locations] == 0).sum())
        parties = int(t.rounds) * int(t.is_party[: t.locations].sum())
        bids = self.players * int(t.money[self.players]) + 1
        tiles = int(t.rounds) * (int(t.round_size[self.players]) + 1)
        studios = self.players if self.options.choose_studio else 0
        return auctions * (bids + self.players - 1) + parties * self.players + tiles + studios

    def figures(self) -> Figures:
        """Returns what the numbers of ``tally`` mean in games with these options."""
        return figures_of(self.options.components, self.players, AWARD_WORDS)

    def resample_hidden(self, player: int, seed: int) -> Self:
        """Returns a copy in which everything that ``player`` cannot know is drawn anew.

        Raises:
            OptionError: There is no such player, or the seed is out of range.
        """
        seat = self.check_seat(player)
        other = self.copy()
        stream = np.uint64(check_seed(seed))
        hidden.resample_hidden(other.states, 0, self.tables, seat, stream)
        return other

    @staticmethod
    def explain(observation: Array) -> str:
        """Returns what an observation says, in words; seat 0 is the player who sees it.

        Args:
            observation: What a player sees, float32 (layout.size,).

        Raises:
            OptionError: It does not have the right shape.
        """
        return explain.explain(observation)

    def text(self, viewer: int) -> str:
        """Returns the table as one player sees it, and what that player may do, as text."""
        from dreamfactory_env.games.dream_factory.text import board

        lines = board(self, self.check_seat(viewer))
        if self.to_move == viewer:
            moves = [f"{action}: {words}" for words, action in self.legal_actions().items()]
            lines.append(f"  you may play {', '.join(moves)}")
        return "\n".join(lines)

    def picture(self, viewer: int) -> Array:
        """Returns the table as one player sees it as a picture, uint8 (height, width, 3)."""
        from dreamfactory_env.games.dream_factory.picture import draw

        return draw(self, self.check_seat(viewer))

    def tell(self, moves: Iterator[int]) -> Iterator[Line]:
        """Plays actions, and tells line by line what happens."""
        from dreamfactory_env.games.dream_factory.text import tell

        return tell(self, moves)


def _play_one_game() -> None:
    """Calls every compiled function that playing, records and texts need; batches have others."""
    options = Options(players=2)
    tables, states = options.components.tables, options.blank()
    rules.reset(states, 0, tables, options.blank(), np.uint64(0))
    game: DreamFactory = DreamFactory.__new__(DreamFactory)
    game._prepare(options)
    game.states = copy_records(states)
    begin_at(states, 0, tables)
    str(game.resample_hidden(0, 0).play(game.legal()[0]))
    buffer = np.empty(game.actions, np.int32)
    start = copy_records(game.states)
    noted = []
    while game.loops.legal_at(game.states, 0, tables, buffer):
        noted.append(int(buffer[0]))
        game.loops.apply_at(game.states, 0, tables, noted[-1])
    mask = np.zeros(game.actions, np.int8)
    game.loops.ask_at(options.blank(), 0, tables, buffer, mask)
    game.loops.move_at(copy_records(start), 0, tables, noted[0])
    seats, _, meanings = room_for_moves(len(noted))
    game.loops.replay(start, 0, tables, buffer, np.array(noted, np.int32), seats, meanings)
    game.result()


def _play_one_scripted_game(seated: tuple[Array, Array]) -> None:
    """Lets two of the policies play a game, so that all of them are compiled."""
    game = DreamFactory(players=2, seed=0)
    seated = (np.resize(seated[0], 2), np.resize(seated[1], (2, seated[1].shape[1])))
    room = room_for_moves(game.longest_game())
    buffer = np.empty(game.actions, np.int32)
    seed = np.uint64(0)
    game.loops.play(game.states, 0, game.tables, *seated, seed, buffer, *room, 0, NOBODY)

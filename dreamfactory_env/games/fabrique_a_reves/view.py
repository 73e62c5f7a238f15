"""One view of La Fabrique à rêves: what a seat may know, or everything, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.games.fabrique_a_reves.legal import write_free
from dreamfactory_env.games.fabrique_a_reves.lexicon import MOST_DREAMS, Lexicon
from dreamfactory_env.games.fabrique_a_reves.minds import (
    list_of,
    place_in_list,
    write_ranking,
    write_sums,
)
from dreamfactory_env.games.fabrique_a_reves.options import Options
from dreamfactory_env.games.fabrique_a_reves.setup import reservoirs_of, themes_of, tools_in
from dreamfactory_env.games.fabrique_a_reves.state import (
    AIMS,
    NO_LEVEL,
    NO_TOKEN,
    NOT_YET,
    NOTHING,
    RESERVOIRS_OF_MODE,
    TOOL_WORDS,
    Phase,
)
from dreamfactory_env.games.fabrique_a_reves.view_types import (
    HiddenView,
    OptionsView,
    PlacedView,
    PlayerView,
    ReservoirView,
    ResultView,
    SetupView,
    TableView,
    ThemeView,
    ThoughtView,
    VialView,
    WordView,
)
from dreamfactory_env.games.game import Game

#: How many dreams a view names that are close to the words of a vial.
CLOSEST = 3


@jit
def words_at(states: Records, index: int, params: Records, out: Array) -> None:
    """Writes the row of the word of each dream in the list of game ``index``; int64 (128,)."""
    s, t = states[index], params[0]
    for dream in range(int(s.dreams)):
        out[dream] = t.dream_words[list_of(s, dream), place_in_list(s, dream)]


@jit
def closest_at(
    states: Records, index: int, params: Records, seat: int, vial: int, out: Array, sums: Array
) -> int:
    """Writes the dreams that a seat may write for a vial, closest first, and all their sums.

    Args:
        states: A batch.
        index: Which game of it.
        params: The lexicon, shape (1,).
        seat: Whose mind it is.
        vial: The vial.
        out: Where the dreams go, int8 (128,).
        sums: Where the sums of all dreams go, int16 (128,).

    Returns:
        How many dreams the seat may write.
    """
    s, t = states[index], params[0]
    free = np.empty(MOST_DREAMS, np.int8)
    order = np.empty(MOST_DREAMS, np.int8)
    write_free(s, seat, free)
    write_sums(s, t, seat, vial, sums)
    write_ranking(sums, int(s.dreams), order)
    count = 0
    for place in range(int(s.dreams)):
        if free[order[place]] == 1:
            out[count] = order[place]
            count += 1
    return count


def dream_names(game: Game, lexicon: Lexicon) -> list[str]:
    """Returns the game's list of dreams (R2) by their names."""
    rows = np.zeros(MOST_DREAMS, np.int64)
    words_at(game.states, 0, game.params, rows)
    return [lexicon.words[row].name for row in rows[: int(game.states[0].dreams)].tolist()]


@dataclass(frozen=True)
class _Table:
    """A game, and who looks at it: a seat, or None for everything."""

    game: Game
    options: Options
    viewer: int | None
    dreams: list[str]  # the game's list

    @property
    def state(self) -> Any:
        """The record of the position."""
        return self.game.states[0]

    @property
    def lexicon(self) -> Lexicon:
        """The words."""
        return self.options.lexicon.lexicon

    def shown(self, name: str) -> str:
        """Returns a word in the language of the game."""
        return self.lexicon.word(name).called(self.options.language)

    def word(self, name: str) -> WordView:
        """Returns a word by its English name."""
        return WordView(word=name, shown=self.shown(name))

    def dream(self, place: int) -> WordView | None:
        """Returns a dream of a slate."""
        return None if place == NOTHING else self.word(self.dreams[place])


def table_view(game: Game, seat: int | None = None) -> TableView:
    """Returns everything that a seat may know, as dicts, lists, texts, whole numbers and None.

    Args:
        game: The game.
        seat: The seat; None sees everything, all slates, hidden cards and the seed included.

    Raises:
        OptionError: There is no such seat.
    """
    viewer = None if seat is None else game.check_seat(seat)
    options = Options(**game.values)
    table = _Table(game, options, viewer, dream_names(game, options.lexicon.lexicon))
    s = table.state
    legal = game.legal_actions() if viewer in (None, game.to_move) else {}
    return TableView(
        game=game.spec.name,
        title=game.spec.title,
        version=game.spec.version,
        viewer=viewer,
        options=_options(table),
        aim=AIMS[options.mode_number],
        themes=_themes(table),
        dreams=int(s.dreams),
        phase=game.phase,
        to_move=game.to_move,
        first_player=int(s.first_player),
        proposal=int(s.proposal) + 1 if s.phase == Phase.DREAMS else None,
        tools=tools_in(int(s.tools)),
        used=tools_in(int(s.in_play) & ~int(s.tools)),
        reservoirs=_reservoirs(table),
        vials=[_vial(table, vial) for vial in range(options.vials)],
        players=[_player(table, p) for p in range(game.players)],
        result=cast(ResultView | None, game.result()),
        legal=legal,
        shown=_shown(table, legal),
        hidden=_hidden(table) if viewer is None else None,
    )


def _options(table: _Table) -> OptionsView:
    options, level = table.options, int(table.state.level)
    return OptionsView(
        players=options.players,
        mode=options.mode,
        level=None if level == NO_LEVEL else level,
        minds=options.minds,
        noise=options.noise,
        labels=options.labels,
        lexicon=table.lexicon.name,
        language=options.language,
    )


def _themes(table: _Table) -> list[ThemeView]:
    language = table.options.language
    themes = {theme.id: theme for theme in table.lexicon.themes}
    return [
        ThemeView(
            id=name,
            title=getattr(themes[name].title, language),
            about=getattr(themes[name].about, language),
        )
        for name in themes_of(table.lexicon, table.state)
    ]


def _lying(table: _Table) -> list[list[str]]:
    """Returns the cards of each reservoir as they lie now, top first."""
    dealt = reservoirs_of(table.lexicon, table.options.mode_number, table.state)
    return [cards[int(gone) :] for cards, gone in zip(dealt, table.state.taken, strict=False)]


def _reservoirs(table: _Table) -> list[ReservoirView]:
    views = []
    for number, cards in enumerate(_lying(table), 1):
        top = table.word(cards[0].partition("/")[0]) if cards else None
        views.append(ReservoirView(number=number, top=top, left=len(cards)))
    assert len(views) == RESERVOIRS_OF_MODE[table.options.mode_number]
    return views


def _vial(table: _Table, vial: int) -> VialView:
    s, thoughts = table.state, table.lexicon.thoughts
    words = []
    for k in range(int(s.filled[vial])):
        thought = int(s.words[vial, k])
        name = thoughts[thought]
        words.append(
            PlacedView(
                word=name,
                shown=table.shown(name),
                player=int(s.placed_by[vial, k]),
                written=thought >= 2 * len(table.lexicon.cards),
            )
        )
    token = int(s.tokens[vial])
    return VialView(
        number=vial + 1,
        words=words,
        token=None if token == NO_TOKEN else TOOL_WORDS[token],
        asked=int(s.asked) == vial,
        closest=_closest(table, vial) if words else [],
    )


def _closest(table: _Table, vial: int) -> list[ThoughtView]:
    if table.viewer is None:
        return []
    order, sums = np.zeros(MOST_DREAMS, np.int8), np.zeros(MOST_DREAMS, np.int16)
    game = table.game
    count = closest_at(game.states, 0, game.params, table.viewer, vial, order, sums)
    return [
        ThoughtView(
            word=table.dreams[dream], shown=table.shown(table.dreams[dream]), sum=int(sums[dream])
        )
        for dream in order[: min(count, CLOSEST)].tolist()
    ]


def _player(table: _Table, seat: int) -> PlayerView:
    s = table.state
    slate = s.slates[seat, : table.options.vials].tolist()
    written = [[place for place in places if place != NOT_YET] for places in slate]
    is_open = table.viewer in (None, seat) or s.phase == Phase.OVER
    return PlayerView(
        passed=bool(int(s.passed) >> seat & 1),
        decided=sum(map(len, written)),
        slate=[[table.dream(place) for place in places] for places in written] if is_open else None,
    )


def _shown(table: _Table, legal: dict[str, int]) -> dict[str, str]:
    """Returns the words that legal moves name in the language of the game."""
    found = {}
    for words in legal:
        verb, _, rest = words.partition(" ")
        name = rest if verb == "write" else rest.partition(" ")[2] if verb == "dream" else "none"
        if name != "none":
            found[words] = table.shown(name)
    return found


def _hidden(table: _Table) -> HiddenView:
    s, game = table.state, table.game
    return HiddenView(
        seed=game.seed,
        setup=None if s.redrawn else cast(SetupView, game.setup()),
        reservoirs=_lying(table),
        minds=s.minds[: game.players].tolist(),
    )

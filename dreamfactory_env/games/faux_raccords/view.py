"""One view of Faux Raccords: what a seat may know, or everything, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from dreamfactory_env.games.faux_raccords.actions import slot_words
from dreamfactory_env.games.faux_raccords.geometry import HAZARD_SLOTS
from dreamfactory_env.games.faux_raccords.hazards import (
    FIRST_OF_ARCS,
    FIRST_OF_FEATURE,
    FIRST_OF_SHORTS,
    HAZARD_COUNTS,
)
from dreamfactory_env.games.faux_raccords.knowledge import SEEN, seen_at
from dreamfactory_env.games.faux_raccords.options import Options
from dreamfactory_env.games.faux_raccords.scoring import (
    AIMS,
    CONDITION_WORDS,
    CONDITIONS,
    GENRE_AIMS,
    LINES,
)
from dreamfactory_env.games.faux_raccords.setup import moods_of
from dreamfactory_env.games.faux_raccords.state import (
    CARD_WORDS,
    CARDS,
    CLAPS,
    MAX_TAKEN,
    NO_CARD,
    TAKEN,
    VALUE,
    Mode,
    Phase,
)
from dreamfactory_env.games.faux_raccords.view_types import (
    AimView,
    CardView,
    CutView,
    FilmCardView,
    GenreView,
    HazardView,
    HiddenView,
    HintView,
    OptionsView,
    PlayerView,
    ResultView,
    SetupView,
    TableView,
)
from dreamfactory_env.games.game import Game

ALL = (1 << CARDS) - 1


@dataclass(frozen=True)
class _Table:
    """A game, and who looks at it: a seat, or None for everything."""

    game: Game
    options: Options
    viewer: int | None
    slots: int  # of the Film that the viewer sees
    taken: list[bool]  # whether it sees each card in the editor's hand
    chosen: list[int]  # the card of each hand that is chosen, as far as it may know

    @property
    def state(self) -> Any:
        """The record of the position."""
        return self.game.states[0]

    @property
    def mode(self) -> Mode:
        """The mode."""
        return self.options.mode_number

    @property
    def sure(self) -> int:
        """The cards that the viewer is sure of by memory; none for a view of everything."""
        return 0 if self.viewer is None else int(self.state.sure[self.viewer])


def table_view(game: Game, seat: int | None = None) -> TableView:
    """Returns everything that a seat may know, as dicts, lists, texts, whole numbers and None.

    Args:
        game: The game.
        seat: The seat; None sees everything, face-down cards and the seed included.

    Raises:
        OptionError: There is no such seat.
    """
    viewer = None if seat is None else game.check_seat(seat)
    options = Options(**game.values)
    table = _Table(game, options, viewer, *_seen(game, viewer))
    s = table.state
    binned = int(s.binned) & (ALL if viewer is None else table.sure)
    hint = ("bad", "good")[int(s.hint_good[s.to_move])] if s.phase == Phase.HINT_ON else None
    return TableView(
        game=game.spec.name,
        title=game.spec.title,
        version=game.spec.version,
        viewer=viewer,
        options=OptionsView(players=game.players, mode=options.mode, memory=options.memory),
        aim=_aim(table.mode),
        genres=_genres(table),
        phase=game.phase,
        to_move=game.to_move,
        turn=int(s.turn),
        first_player=int(s.first_player),
        film=_film(table),
        taken=_taken(table),
        players=[_player(table, p) for p in range(game.players)],
        cut=_cut(table),
        pile=int(s.pile_end) - int(s.drawn),
        bin=int(s.binned).bit_count(),
        bin_cards=_cards(options, binned),
        hint=hint,
        hazards=_hazards(table),
        result=cast(ResultView | None, game.result()),
        legal=game.legal_actions() if viewer in (None, game.to_move) else {},
        hidden=_hidden(table) if viewer is None else None,
    )


def _seen(game: Game, viewer: int | None) -> tuple[int, list[bool], list[int]]:
    """Returns slots, taken and chosen cards that the viewer sees, see :class:`_Table`."""
    views = np.empty((game.players, SEEN), np.int64)
    for seat in range(game.players):
        seen_at(game.states, 0, seat, views[seat])
    of = 1 + MAX_TAKEN
    if viewer is None:
        return -1, [True] * MAX_TAKEN, [int(views[p, of + p]) for p in range(game.players)]
    slots, *rest = views[viewer].tolist()
    return slots, [bool(seen) for seen in rest[:MAX_TAKEN]], rest[MAX_TAKEN:]


def _card(options: Options, card: int) -> CardView:
    shown = options.components.cards[card]
    return CardView(
        card=shown.name, value=int(VALUE[card]), symbol=shown.symbol, member=shown.member
    )


def _cards(options: Options, cards: int) -> list[CardView]:
    return [_card(options, card) for card in range(CARDS) if cards >> card & 1]


# ---------------------------------------------------------------------------- what is asked for


def _aim(mode: Mode) -> AimView:
    words = [word for bit, word in CONDITION_WORDS.items() if CONDITIONS[mode] & bit]
    return AimView(cards=[AIMS[mode]] * LINES[mode], conditions=words)


def _genres(table: _Table) -> list[GenreView]:
    components = table.options.components
    return [
        GenreView(moods=moods, name=components.genre_of(*moods), needed=GENRE_AIMS[table.mode])
        for moods in moods_of(table.options, table.state)
    ]


def _hazards(table: _Table) -> list[HazardView]:
    s, mode = table.state, table.mode
    views = []
    for k in range(HAZARD_COUNTS[mode]):
        happened, now = bool(int(s.happened) >> k & 1), int(s.hazard) == k
        hazard = table.options.components.hazards[int(s.hazards[k])]
        lies_there = mode == Mode.SERIES and (now or not happened)
        views.append(
            HazardView(
                name=hazard.name if happened else None,
                effect=hazard.effect if happened else None,
                due=_due(mode, k),
                place=slot_words(mode, HAZARD_SLOTS[k]) if lies_there else None,
                happened=happened,
                now=now,
            )
        )
    return views


def _due(mode: Mode, k: int) -> str:
    """Returns when a hazard is due (F3), in words."""
    if mode == Mode.FEATURE:
        return f"{FIRST_OF_FEATURE + 2 * k} cards in the line"
    if mode == Mode.SHORTS:
        return f"{FIRST_OF_SHORTS + 2 * (k % 2)} cards in line {'AB'[k // 2]}"
    if mode == Mode.SERIES:
        return f"all four sides of {slot_words(mode, HAZARD_SLOTS[k])} covered"
    if mode == Mode.ARCS:
        return f"{FIRST_OF_ARCS + k} cards in the Cut"
    return f"level {k + 1} full"


# ---------------------------------------------------------------------------- cards


def _film(table: _Table) -> list[FilmCardView]:
    s = table.state
    views = []
    for slot, card in enumerate(s.film.tolist()):
        if card != NO_CARD:
            claps = [p for p in range(table.game.players) if int(s.claps[p]) >> slot & 1]
            view = _lying(table, card, slot, bool(table.slots >> slot & 1))
            view["place"] = slot_words(table.mode, slot)
            view["face_up"] = bool(int(s.face_up) >> slot & 1)
            view["claps"] = claps
            view["chosen"] = int(s.chosen) == slot
            views.append(view)
    return views


def _taken(table: _Table) -> list[FilmCardView]:
    s = table.state
    views = []
    for k, card in enumerate(s.taken.tolist()):
        if card != NO_CARD:
            view = _lying(table, card, TAKEN + k, table.taken[k])
            view["face_up"] = bool(s.taken_face_up[k])
            view["claps"] = [p for p in range(table.game.players) if int(s.taken_claps[k]) >> p & 1]
            views.append(view)
    return views


def _lying(table: _Table, card: int, where: int, seen: bool) -> FilmCardView:
    """Returns a card of the Film with its hints; the rest is to be filled in."""
    s = table.state
    hints = [
        HintView(player=p, good=bool(s.hint_good[p]))
        for p in range(table.game.players)
        if s.hint_slot[p] == where
    ]
    sure = bool(table.sure >> card & 1)
    return FilmCardView(
        place=None,
        face_up=False,
        card=_card(table.options, card) if seen else None,
        sure=_card(table.options, card) if sure else None,
        claps=[],
        hints=hints,
        chosen=False,
    )


def _player(table: _Table, seat: int) -> PlayerView:
    s = table.state
    hand = int(s.hands[seat])
    own = table.viewer in (None, seat)
    placed = int(s.claps[seat]).bit_count()
    placed += sum(int(claps) >> seat & 1 for claps in s.taken_claps.tolist())
    pending = table.chosen[seat]
    return PlayerView(
        count=hand.bit_count(),
        hand=_cards(table.options, hand) if own else None,
        sure=[] if own else _cards(table.options, hand & table.sure),
        claps_left=CLAPS - placed,
        hint_left=bool(int(s.hints_left) >> seat & 1),
        has_passed=bool(s.passing[seat] != NO_CARD),
        pending=_card(table.options, pending) if pending != NO_CARD else None,
    )


def _cut(table: _Table) -> CutView:
    s = table.state
    cards = s.cut[: int(s.cut_size)].tolist()
    return CutView(
        cards=[_card(table.options, card) for card in cards],
        called=CARD_WORDS[s.called] if s.called != NO_CARD else None,
        chosen=CARD_WORDS[cards[s.swapped]] if s.swapped >= 0 else None,
    )


def _hidden(table: _Table) -> HiddenView:
    s = table.state
    cards = [CARD_WORDS[card] if card >= 0 else "" for card in s.dealt.tolist()]
    names = [hazard.name for hazard in table.options.components.hazards]
    return HiddenView(
        seed=table.game.seed,
        setup=cast(SetupView, table.game.setup()) if s.dealt[0] != NO_CARD else None,
        pile=cards[int(s.drawn) : int(s.pile_end)],
        removed=[card for card in cards[int(s.pile_end) :] if card],
        hazards=[names[k] for k in s.hazards[: HAZARD_COUNTS[table.mode]].tolist()],
    )

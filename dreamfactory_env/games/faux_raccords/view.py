"""One view of Faux Raccords: what a seat may know, or everything, as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from dreamfactory_env.games.faux_raccords.actions import slot_words
from dreamfactory_env.games.faux_raccords.geometry import HAZARD_SLOTS
from dreamfactory_env.games.faux_raccords.hazards import HAZARD_COUNTS
from dreamfactory_env.games.faux_raccords.knowledge import chosen_card, sees_taken, slots_seen
from dreamfactory_env.games.faux_raccords.scoring import (
    AIMS,
    CONDITION_WORDS,
    CONDITIONS,
    GENRE_AIMS,
    LINES,
)
from dreamfactory_env.games.faux_raccords.state import (
    CARD_WORDS,
    CARDS,
    CLAPS,
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

if TYPE_CHECKING:
    from dreamfactory_env.games.faux_raccords.game import FauxRaccords

ALL = (1 << CARDS) - 1


def table_view(game: FauxRaccords, seat: int | None = None) -> TableView:
    """Returns everything that a seat may know, as dicts, lists, texts, whole numbers and None.

    Args:
        game: The game.
        seat: The seat; None sees everything, face-down cards and the seed included.

    Raises:
        OptionError: There is no such seat.
    """
    viewer = None if seat is None else game.check_seat(seat)
    s, options = game.state, game.options
    binned = int(s.binned) & (ALL if viewer is None else int(s.sure[viewer]))
    hint = ("bad", "good")[int(s.hint_good[s.to_move])] if s.phase == Phase.HINT_ON else None
    return TableView(
        game=game.spec.name,
        title=game.spec.title,
        version=game.spec.version,
        viewer=viewer,
        options=OptionsView(players=game.players, mode=options.mode, memory=options.memory),
        aim=_aim(game.mode),
        genres=_genres(game),
        phase=game.phase,
        to_move=game.to_move,
        turn=int(s.turn),
        first_player=int(s.first_player),
        film=_film(game, viewer),
        taken=_taken(game, viewer),
        players=[_player(game, viewer, p) for p in range(game.players)],
        cut=_cut(game),
        pile=int(s.pile_end) - int(s.drawn),
        bin=int(s.binned).bit_count(),
        bin_cards=_cards(game, binned),
        hint=hint,
        hazards=_hazards(game),
        result=cast(ResultView | None, game.result()),
        legal=game.legal_actions() if viewer in (None, game.to_move) else {},
        hidden=_hidden(game) if viewer is None else None,
    )


def _card(game: FauxRaccords, card: int) -> CardView:
    shown = game.options.components.cards[card]
    return CardView(
        card=shown.name, value=int(VALUE[card]), symbol=shown.symbol, member=shown.member
    )


def _cards(game: FauxRaccords, cards: int) -> list[CardView]:
    return [_card(game, card) for card in range(CARDS) if cards >> card & 1]


def _sure(game: FauxRaccords, viewer: int | None) -> int:
    """Returns the cards that a viewer is sure of by memory; none for a view of everything."""
    return 0 if viewer is None else int(game.state.sure[viewer])


# ---------------------------------------------------------------------------- what is asked for


def _aim(mode: Mode) -> AimView:
    words = [word for bit, word in CONDITION_WORDS.items() if CONDITIONS[mode] & bit]
    return AimView(cards=[AIMS[mode]] * LINES[mode], conditions=words)


def _genres(game: FauxRaccords) -> list[GenreView]:
    components = game.options.components
    return [
        GenreView(moods=moods, name=components.genre_of(*moods), needed=GENRE_AIMS[game.mode])
        for moods in game.moods()
    ]


def _hazards(game: FauxRaccords) -> list[HazardView]:
    s, mode = game.state, game.mode
    views = []
    for k in range(HAZARD_COUNTS[mode]):
        happened, now = bool(int(s.happened) >> k & 1), int(s.hazard) == k
        hazard = game.options.components.hazards[int(s.hazards[k])]
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
        return f"{10 + 2 * k} cards in the line"
    if mode == Mode.SHORTS:
        return f"{5 + 2 * (k % 2)} cards in line {'AB'[k // 2]}"
    if mode == Mode.SERIES:
        return f"all four sides of {slot_words(mode, HAZARD_SLOTS[k])} covered"
    return f"{4 + k} cards in the Cut" if mode == Mode.ARCS else f"level {k + 1} full"


# ---------------------------------------------------------------------------- cards


def _film(game: FauxRaccords, viewer: int | None) -> list[FilmCardView]:
    s = game.state
    seen = ~0 if viewer is None else int(slots_seen(s, viewer))
    views = []
    for slot, card in enumerate(s.film.tolist()):
        if card != NO_CARD:
            claps = [p for p in range(game.players) if int(s.claps[p]) >> slot & 1]
            view = _lying(game, card, slot, bool(seen >> slot & 1), viewer)
            view["place"] = slot_words(game.mode, slot)
            view["face_up"] = bool(int(s.face_up) >> slot & 1)
            view["claps"] = claps
            view["chosen"] = int(s.chosen) == slot
            views.append(view)
    return views


def _taken(game: FauxRaccords, viewer: int | None) -> list[FilmCardView]:
    s = game.state
    views = []
    for k, card in enumerate(s.taken.tolist()):
        if card != NO_CARD:
            seen = viewer is None or bool(sees_taken(s, viewer, k))
            view = _lying(game, card, TAKEN + k, seen, viewer)
            view["face_up"] = bool(s.taken_face_up[k])
            view["claps"] = [p for p in range(game.players) if int(s.taken_claps[k]) >> p & 1]
            views.append(view)
    return views


def _lying(
    game: FauxRaccords, card: int, where: int, seen: bool, viewer: int | None
) -> FilmCardView:
    """Returns a card of the Film with its hints; the rest is to be filled in."""
    s = game.state
    hints = [
        HintView(player=p, good=bool(s.hint_good[p]))
        for p in range(game.players)
        if s.hint_slot[p] == where
    ]
    sure = bool(_sure(game, viewer) >> card & 1)
    return FilmCardView(
        place=None,
        face_up=False,
        card=_card(game, card) if seen else None,
        sure=_card(game, card) if sure else None,
        claps=[],
        hints=hints,
        chosen=False,
    )


def _player(game: FauxRaccords, viewer: int | None, seat: int) -> PlayerView:
    s = game.state
    hand = int(s.hands[seat])
    own = viewer in (None, seat)
    placed = int(s.claps[seat]).bit_count()
    placed += sum(int(claps) >> seat & 1 for claps in s.taken_claps.tolist())
    pending = int(chosen_card(s, seat if viewer is None else viewer, seat))
    return PlayerView(
        count=hand.bit_count(),
        hand=_cards(game, hand) if own else None,
        sure=[] if own else _cards(game, hand & _sure(game, viewer)),
        claps_left=CLAPS - placed,
        hint_left=bool(int(s.hints_left) >> seat & 1),
        has_passed=bool(s.passing[seat] != NO_CARD),
        pending=_card(game, pending) if pending != NO_CARD else None,
    )


def _cut(game: FauxRaccords) -> CutView:
    s = game.state
    cards = s.cut[: int(s.cut_size)].tolist()
    return CutView(
        cards=[_card(game, card) for card in cards],
        called=CARD_WORDS[s.called] if s.called != NO_CARD else None,
        chosen=CARD_WORDS[cards[s.swapped]] if s.swapped >= 0 else None,
    )


def _hidden(game: FauxRaccords) -> HiddenView:
    s = game.state
    cards = [CARD_WORDS[card] if card >= 0 else "" for card in s.dealt.tolist()]
    names = [hazard.name for hazard in game.options.components.hazards]
    return HiddenView(
        seed=game.seed,
        setup=cast(SetupView, game.setup()) if s.dealt[0] != NO_CARD else None,
        pile=cards[int(s.drawn) : int(s.pile_end)],
        removed=[card for card in cards[int(s.pile_end) :] if card],
        hazards=[names[k] for k in s.hazards[: HAZARD_COUNTS[game.mode]].tolist()],
    )

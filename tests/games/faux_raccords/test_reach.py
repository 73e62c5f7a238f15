"""How near a winning Film is: compared with Films that are counted in other ways."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import combinations, product
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from dreamfactory_env import FauxRaccords
from dreamfactory_env.games.faux_raccords.geometry import LEVELS
from dreamfactory_env.games.faux_raccords.scoring import AIMS, GENRE_AIMS
from dreamfactory_env.games.faux_raccords.scripted.reach import (
    CUT,
    HAND,
    LEAVE,
    MOVE,
    PILE,
    PRICES,
    reach,
)
from dreamfactory_env.games.faux_raccords.state import (
    CARDS,
    JOKER,
    MOODS,
    NO_CARD,
    VALUE,
    VALUES,
    WIDTH,
    Mode,
)
from dreamfactory_env.games.seeing import seen_by_all
from tests.games.faux_raccords.staging import OPTIONS
from tests.games.faux_raccords.test_scripted import scores

WEIGHTS = np.exp(-PRICES)
#: Ways to fill a 4 x 4 grid with 16 numbers so that rows and columns rise (hook length formula).
TABLEAUX = 24024


def layout(
    mode: str,
    *,
    hand: Iterable[int] = (),
    pile: Iterable[int] = (),
    cut: Iterable[int] = (),
    film: Mapping[int, int] = MappingProxyType({}),
) -> FauxRaccords:
    """Returns a game in which only some cards are left; the Film's by slot."""
    game = FauxRaccords(2, seed=0, mode=mode)
    s = game.state
    s.hands[:] = [sum(1 << card for card in hand), 0, 0, 0]
    s.drawn, s.pile_end, s.cut_size = 0, len([*pile]), len([*cut])
    s.dealt[: s.pile_end] = [*pile]
    s.cut[: s.cut_size] = [*cut]
    s.moods[: 4 if mode == "shorts" else 2] = range(4 if mode == "shorts" else 2)
    s.film[:] = NO_CARD
    s.occupied = 0
    for slot, card in film.items():
        s.film[slot] = card
        s.occupied |= 1 << slot
    return game


def reached(game: FauxRaccords) -> float:
    """Returns what all winning Films weigh."""
    return math.exp(reach(game.states[0], game.params[0], WEIGHTS))


def genre(game: FauxRaccords, line: int, cards: Any) -> int:
    """Returns the genre score of some cards."""
    moods = {int(mood) for mood in game.state.moods[2 * line : 2 * line + 2]} | {JOKER}
    return sum(int(game.params[0]["symbol"][card]) in moods for card in cards)


def different(cards: Any) -> bool:
    """Tells whether no value is there twice."""
    return len({int(VALUE[card]) for card in cards}) == len(cards)


@pytest.mark.parametrize("mode", ["tutorial", "feature", "series", "arcs"])
def test_films_of_new_cards_are_those_that_can_be_listed(mode: str) -> None:
    """What does not lie there yet can be laid in every order."""
    cards = [0, 2, 3, 7, 12, 14, 16, 20, 1, 4, 5, 6, 8, 9, 10, 11]
    cards += [17, 18] if mode == "tutorial" else [28, 29]  # the second 1 and 10, one of a mood
    game = layout(mode, pile=cards)
    size, least = AIMS[game.mode], GENRE_AIMS[game.mode]
    films = [
        some
        for some in combinations(cards, size)
        if different(some) and (least == 0 or genre(game, 0, some) >= least)
    ]
    ways = 1
    if mode in ("series", "arcs"):
        ways *= TABLEAUX
    if mode == "arcs":
        ways *= 16  # nothing lies there: the first card can be any of the losange
    assert len(films) > 1
    assert reached(game) == pytest.approx(ways * len(films) * WEIGHTS[PILE] ** size)


@pytest.mark.parametrize(("mode", "ways"), [("tutorial", 1), ("feature", 1), ("series", TABLEAUX)])
@pytest.mark.parametrize("highest", [False, True])
def test_no_card_is_too_low_or_too_high(mode: str, ways: int, highest: bool) -> None:
    """Of just as many cards as are asked for none can be left out."""
    size = AIMS[Mode[mode.upper()]]
    cards = list(range(VALUES - size, VALUES) if highest else range(size))
    game = layout(mode, hand=cards)
    if mode != "tutorial":  # moods that as many of them show as possible
        symbols = [int(game.params[0]["symbol"][card]) for card in cards]
        game.state.moods[:2] = sorted(range(MOODS), key=symbols.count)[-2:]
        assert genre(game, 0, cards) >= GENRE_AIMS[game.mode]
    assert reached(game) == pytest.approx(ways * WEIGHTS[HAND] ** size)


def test_films_of_two_lines_are_those_that_can_be_listed() -> None:
    cards = [0, 28, 16, 22, 2, 7, 5, 13, 15, 11, 18, 3, 12, 20, 1, 4, 6]
    game = layout("shorts", hand=cards)
    ways = 0
    for some in filter(different, combinations(cards, 16)):
        for first in combinations(some, 8):
            ways += genre(game, 0, first) >= 5 and genre(game, 1, {*some} - {*first}) >= 5
    assert ways > 1
    assert reached(game) == pytest.approx(ways * WEIGHTS[HAND] ** 16)


def test_cards_of_a_line_stay_or_move_or_leave() -> None:
    """Of 5, 3, 20 the first and the last rise; the 3 lies between them."""
    others, film = [1, 5, 6, 7, 8, 9, 10, 11, 12, 13], {0: 4, 1: 2, 2: 19}
    hand, move, leave = WEIGHTS[HAND], WEIGHTS[MOVE], WEIGHTS[LEAVE]
    game = layout("tutorial", hand=others[1:], film=film)
    assert reached(game) == pytest.approx(move * hand**9)
    game = layout("tutorial", hand=others, film=film)  # one card too many: any of them
    ways = 10 * move * hand**9 + leave * hand**10 + 2 * leave * move * hand**10
    assert reached(game) == pytest.approx(ways)


def test_a_card_has_the_price_of_where_it_is() -> None:
    game = layout("tutorial", hand=range(4), pile=range(4, 9), cut=range(9, 11), film={0: 20})
    expected = WEIGHTS[HAND] ** 4 * WEIGHTS[PILE] ** 5 * WEIGHTS[CUT] ** 2
    assert reached(game) == pytest.approx(expected)
    game.state.cut_size = 1  # one is gone: no Film is left
    assert reached(game) == 0.0


@pytest.mark.parametrize(
    ("slot", "card", "stays"),
    [(0, 0, 1.0), (1, 0, 0.0), (3 * WIDTH + 3, 0, 0.0), (1, 1, 0.5), (WIDTH, 1, 0.5)],
)
def test_a_card_of_a_grid_stays_if_it_is_in_its_place(slot: int, card: int, stays: float) -> None:
    """The least card of all is in the first corner, the next one on either side of it."""
    cards = [0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 14, 16, 17, 20, 22]
    game = layout("series", hand=[c for c in cards if c != card], film={slot: card})
    assert genre(game, 0, cards) >= GENRE_AIMS[game.mode]
    weight = stays + (1 - stays) * WEIGHTS[MOVE]
    assert reached(game) == pytest.approx(TABLEAUX * WEIGHTS[HAND] ** 15 * weight)


def test_a_losange_may_lie_anywhere_that_holds_its_cards() -> None:
    """Of least and greatest card in one column of x nothing else can come between them (F8)."""
    cards = [0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 14, 16, 17, 20, 22]
    corners = {WIDTH + 1: 0, 4 * WIDTH + 4: 22}
    game = layout("arcs", hand=cards[1:-1], film=corners)
    assert reached(game) == pytest.approx(TABLEAUX * WEIGHTS[HAND] ** 14)
    game = layout("arcs", hand=cards[1:], film={WIDTH + 1: 0})  # one of 16 places is the right one
    weight = TABLEAUX * WEIGHTS[HAND] ** 15 * (1 + 15 * WEIGHTS[MOVE])
    assert reached(game) == pytest.approx(weight)


@pytest.mark.parametrize("lying", [[], [0], [0, 1, 5]])
def test_pyramids_are_those_that_can_be_listed(lying: list[int]) -> None:
    """Every symbol is given a level, or none, in all ways."""
    symbols = [int(symbol) for symbol in layout("studio").params[0]["symbol"]]
    counts = {0: 4, 1: 3, 2: 4, 3: 2, 4: 2, 5: 2, 6: 1}
    left = {s: [c for c in range(CARDS) if symbols[c] == s][:n] for s, n in counts.items()}
    hand = [card for some in left.values() for card in some if card not in lying]
    game = layout("studio", hand=hand, film={1 + at: card for at, card in enumerate(lying)})

    def weight(card: int, level: int) -> float:
        """Returns what a card weighs on a level; one that lies there need not leave."""
        if card not in lying:
            return float(WEIGHTS[HAND])
        return float((1.0 if level == 0 else WEIGHTS[MOVE]) / WEIGHTS[LEAVE])

    some_of = {
        (symbol, level, k): sum(
            math.prod(weight(card, level) for card in chosen) for chosen in combinations(cards, k)
        )
        for symbol, cards in left.items()
        for level in range(LEVELS)
        for k in range(LEVELS + 1)
    }
    total = 0.0
    for levels in product(range(LEVELS + 1), repeat=len(left)):
        together = float(WEIGHTS[LEAVE]) ** len(lying)
        for level in range(LEVELS):
            size, there = LEVELS - level, [s for s, at in enumerate(levels) if at == level]
            if len(there) == 1:
                together *= some_of[there[0], level, size]
            elif len(there) == 2:  # some of each
                one, other = there
                together *= sum(
                    some_of[one, level, k] * some_of[other, level, size - k] for k in range(1, size)
                )
            else:
                together = 0.0
            if together == 0.0:
                break
        total += together
    assert total > 0.0
    assert reached(game) == pytest.approx(total)


@pytest.mark.parametrize(("mode", "players"), OPTIONS)
def test_who_sees_everything_wins(mode: str, players: int) -> None:
    game: Any = seen_by_all(FauxRaccords)(players, seed=0, mode=mode)
    assert (scores(game, game.scripted["all_seeing"], 0, 6) == 100.0).mean() > 0.6

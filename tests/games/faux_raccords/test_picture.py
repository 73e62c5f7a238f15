"""The table as a picture: what it shows, what it hides, and that it always can be drawn."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from dreamfactory_env import FauxRaccords, OptionError
from dreamfactory_env.games.drawing import Area
from dreamfactory_env.games.faux_raccords.picture import FILM, HEIGHT, PLAYERS, SIDE, STRIP, WIDTH
from dreamfactory_env.games.faux_raccords.picture_pieces import (
    BACKGROUND,
    GAP,
    ICONS,
    SYMBOLS,
    TableCanvas,
    symbol_colour,
)
from dreamfactory_env.games.faux_raccords.picture_side import wrapped
from dreamfactory_env.games.faux_raccords.state import SLOTS
from dreamfactory_env.games.faux_raccords.text import DOES
from tests.games.faux_raccords.positions import of_every_phase, positions
from tests.games.faux_raccords.staging import MODES, OPTIONS, staged


def same(first: FauxRaccords, second: FauxRaccords, seat: int | None = None) -> bool:
    return bool(np.array_equal(first.picture(seat), second.picture(seat)))


@pytest.mark.parametrize("phase", DOES)
def test_a_picture_has_its_shape_and_is_the_same_every_time(phase: str) -> None:
    game = of_every_phase()[phase]
    before = game.save()
    for seat in (None, 0, game.players - 1):
        drawn = game.picture(seat)
        assert drawn.shape == (HEIGHT, WIDTH, 3)
        assert drawn.dtype == np.uint8
        assert drawn.tobytes() == game.copy().picture(seat).tobytes()
    assert game.save() == before


@pytest.mark.parametrize(("mode", "players"), OPTIONS)
def test_whole_games_can_be_drawn(mode: str, players: int) -> None:
    for number, game in enumerate(positions(mode, players)[::3]):
        game.picture((None, 0, players - 1)[number % 3])


@pytest.mark.parametrize(("mode", "players"), OPTIONS)
@pytest.mark.parametrize("memory", ["none", "perfect"])
def test_what_a_player_cannot_know_is_not_in_the_picture(
    mode: str, players: int, memory: str
) -> None:
    games = positions(mode, players, 2, memory=memory)
    redrawn = 0
    for number, game in enumerate(games[:: max(len(games) // 8, 1)]):
        seat = number % players
        other = game.resample_hidden(seat, number)
        redrawn += not same(game, other)
        assert same(game, other, seat)
    assert redrawn > 3


# ---------------------------------------------------------------------------- what is shown

CHANGES: dict[str, Callable[[FauxRaccords], object]] = {
    "action": lambda g: g.play(g.legal()[0]),
    "turn": lambda g: g.state.__setattr__("turn", 2),
    "to move": lambda g: g.state.__setattr__("to_move", 2),
    "face up": lambda g: g.state.__setattr__("face_up", 1 << first_slot(g)),
    "Clap": lambda g: g.state.claps.__setitem__(1, 1 << first_slot(g)),
    "Clap of another": lambda g: g.state.claps.__setitem__(3, 1 << first_slot(g)),
    "good hint": lambda g: lay_hint(g, 1),
    "bad hint": lambda g: lay_hint(g, 0),
    "hint token": lambda g: g.state.__setattr__("hints_left", 7),
    "chosen": lambda g: g.state.__setattr__("chosen", first_slot(g)),
    "Cut": lambda g: (g.state.cut.__setitem__(0, 5), g.state.__setattr__("cut_size", 1)),
    "pile": lambda g: g.state.__setattr__("drawn", int(g.state.drawn) + 1),
    "bin": lambda g: g.state.__setattr__("binned", 1),
    "hazard": lambda g: g.state.__setattr__("happened", 1),
    "mood": lambda g: g.state.moods.__setitem__(0, (int(g.state.moods[0]) + 2) % 6),
}


def first_slot(game: FauxRaccords) -> int:
    return next(slot for slot in range(SLOTS) if int(game.state.occupied) >> slot & 1)


def lay_hint(game: FauxRaccords, good: int) -> None:
    game.state.hint_slot[2], game.state.hint_good[2] = first_slot(game), good


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("mode", ["shorts", "series", "arcs"])
def test_a_change_of_what_lies_open_is_seen(mode: str, change: str) -> None:
    before = staged(mode, players=4)
    after = before.copy()
    CHANGES[change](after)
    for seat in (None, 0, 3):
        assert not same(before, after, seat)


def test_a_hint_says_whether_it_is_good() -> None:
    good, bad = staged("studio", players=3), staged("studio", players=3)
    lay_hint(good, 1)
    lay_hint(bad, 0)
    assert not same(good, bad, 0)


# ---------------------------------------------------------------------------- room for everything


def outside(changed: np.ndarray, *areas: Area) -> bool:
    """Tells whether pixels differ outside of some parts of the picture."""
    left = changed.copy()
    for area in areas:
        left[area.y : area.bottom, area.x : area.right] = False
    return bool(left.any())


def test_the_parts_do_not_overlap() -> None:
    covered = np.zeros((HEIGHT, WIDTH), np.int8)
    for area in (FILM, SIDE, STRIP, PLAYERS):
        covered[area.y : area.bottom, area.x : area.right] += 1
    assert covered.max() == 1


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("count", [4, 5, 12, 20])
def test_a_large_hand_stays_in_its_place(players: int, count: int) -> None:
    game = FauxRaccords(players, seed=1)
    crowded = game.copy()
    crowded.state.hands[1] = (1 << count) - 1
    for seat in (1, 0):
        changed = (crowded.picture(seat) != game.picture(seat)).any(axis=2)
        assert not outside(changed, PLAYERS.columns(players, GAP)[1], FILM)


@pytest.mark.parametrize("mode", ["tutorial", "feature", "shorts"])
@pytest.mark.parametrize("lengths", [(9, 23), (16, 16), (32, 0), (0, 0)])
def test_lines_of_any_length_stay_in_their_place(mode: str, lengths: tuple[int, int]) -> None:
    game = staged(mode, players=3)
    long = game.copy()
    long.state.film[:], long.state.occupied = -1, 0
    first, second = lengths if mode == "shorts" else (sum(lengths), 0)
    slots = [*range(first), *range(32, 32 + second)]
    for card, slot in enumerate(slots):
        long.state.film[slot] = card
        long.state.occupied = int(long.state.occupied) | 1 << slot
    for seat in (None, 0):
        changed = (long.picture(seat) != game.picture(seat)).any(axis=2)
        assert changed.any()
        assert not outside(changed, FILM)


@pytest.mark.parametrize("mode", MODES)
def test_all_that_can_lie_on_a_card_stays_within_it(mode: str) -> None:
    game = staged(mode, players=4)
    full = game.copy()
    slot = first_slot(full)
    for seat in range(4):
        full.state.claps[seat] = 1 << slot
        full.state.hint_slot[seat] = slot
    changed = np.argwhere((full.picture(2) != game.picture(2)).any(axis=2))
    film = changed[(changed[:, 0] < FILM.bottom) & (changed[:, 1] < FILM.right)]
    (top, left), (bottom, right) = film.min(axis=0), film.max(axis=0)
    assert right - left < 112
    assert bottom - top < 132


@pytest.mark.parametrize("places", ["0/1", "1/0", "0/2"])
def test_places_beyond_the_first_column_are_in_the_picture(places: str) -> None:
    game = staged("arcs", hands=[["7"]]).play("place 7")
    assert f"at {places}" in game.legal()
    other = staged("arcs", hands=[["7"]])
    changed = (game.picture(0) != other.picture(0)).any(axis=2)
    assert not outside(changed, FILM, PLAYERS, Area(0, 0, WIDTH, FILM.y))


def test_effects_are_broken_into_lines_that_fit() -> None:
    words = "one face-down Film card goes to the bin unseen and the top card takes its place"
    lines = wrapped(words, 16, 256, 3)
    assert len(lines) in (2, 3)
    assert " ".join(lines) == words
    assert wrapped(words, 16, 100, 2)[-1].endswith("…")


def test_symbols_of_other_names_have_a_colour_and_a_letter() -> None:
    assert set(SYMBOLS) < set(ICONS)
    canvas = TableCanvas(40, 40, BACKGROUND)
    canvas.symbol("rire", Area(5, 5, 30, 30))
    assert symbol_colour("rire") in SYMBOLS.values()
    assert len(np.unique(canvas.pixels())) > 5


@pytest.mark.parametrize("seat", [-1, 3, True, "0", 1.5])
def test_a_seat_that_there_is_not_is_refused(seat: int) -> None:
    with pytest.raises(OptionError, match="there are players 0 to 2"):
        FauxRaccords(3, seed=1).picture(seat)

"""Faux Raccords keeps the contract of all games, compiled or not; its words, scores and numbers."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from dreamfactory_env import FauxRaccords, IllegalMove, OptionError, faux_raccords_v0
from dreamfactory_env.games.faux_raccords.actions import slot_words, slots_by_words
from dreamfactory_env.games.faux_raccords.state import STATE, Mode
from dreamfactory_env.testing import check_game
from tests.games.faux_raccords.staging import MODES, OPTIONS, play, random_moves, staged
from tests.games.faux_raccords.test_film import FILM
from tests.games.faux_raccords.trace import ALL, trace
from tests.paths import ROOT


@pytest.mark.parametrize("options", ALL, ids=lambda o: " ".join(map(str, o.values())))
def test_the_game_keeps_the_contract(options: dict[str, Any]) -> None:
    check_game(FauxRaccords, games=1, seed=5, **options)


@pytest.mark.parametrize("setting", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
def test_uncompiled_and_bounds_checked_runs_play_the_same_bit_for_bit(setting: str) -> None:
    printed = subprocess.check_output(
        [sys.executable, "-m", "tests.games.faux_raccords.trace", "1", "7"],
        cwd=ROOT,
        env={**os.environ, setting: "1", "PYTHONHASHSEED": "3"},
        text=True,
    )
    assert json.loads(printed) == {json.dumps(options): trace(options, 1, 7) for options in ALL}


def test_a_state_is_small() -> None:
    assert STATE.itemsize <= 320


# ---------------------------------------------------------------------------- words


@pytest.mark.parametrize("mode", list(Mode))
def test_names_of_places_are_different_and_found_again(mode: Mode) -> None:
    names = slots_by_words(mode)
    assert len(names) == 64
    assert all(slot_words(mode, slot) == name for name, slot in names.items())


def test_an_illegal_move_is_refused_with_what_is_legal() -> None:
    game = staged("feature", 2, film=FILM, hands=[["20", "21", "22"]])
    with pytest.raises(IllegalMove, match=r"'place 7' is not legal for player 0 in the action"):
        game.play("place 7")
    play(game, "place 20")
    with pytest.raises(IllegalMove, match=r"in the place phase; legal: at 1, at 2"):
        game.play("at 10")


def test_wrong_options_are_refused() -> None:
    with pytest.raises(OptionError, match="mode must be one of tutorial, feature"):
        faux_raccords_v0.env(mode="features")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="there are players 0 to 2"):
        FauxRaccords(3, seed=1).view(3)


# ---------------------------------------------------------------------------- scores


RISING = [*map(str, range(1, 29))]


def filled(mode: str, cards: list[str], players: int = 2) -> FauxRaccords:
    """Returns a game with a whole Film, card by card in the order of its places."""
    slots = {
        "series": [row * 8 + column for row in range(4) for column in range(4)],
        "arcs": [x * 8 + y for x in range(1, 5) for y in range(1, 5)],
        "studio": [level * 8 + k for level in range(5) for k in range(1, 6 - level)],
        "shorts": [*range(8), *range(32, 40)],
    }.get(mode, list(range(len(cards))))
    game = FauxRaccords(players, mode=mode, seed=1)
    words = [card.name for card in game.options.components.cards]
    s = game.state
    s.film[:], s.occupied = -1, 0
    for slot, card in zip(slots, cards, strict=False):
        s.film[slot] = words.index(card)
        s.occupied = int(s.occupied) | 1 << slot
    s.moods[:4] = [0, 1, 2, 3]
    return game


#: Cards that win: two moods and the joker are on seven cards, or five in each line.
LOVE_AND_LAUGHTER = ["1", "3", "4", "8", "10b", "13", "15", "17", "21", "23", "24", "26"]
SIXTEEN = ["1", "3", "4", "5", "6", "7", "8", "9", "10b", "11", "12", "13", "15", "17", "21", "23"]
LINES = [
    *["1", "3", "4", "8", "10", "11", "12", "13"],
    *["6", "14", "16", "19", "20", "21", "24", "28"],
]
LEVELS = [
    *["1", "10b", "17", "3", "8"],  # love, laughter
    *["6", "14", "16", "28"],  # drama
    *["2", "11", "27"],  # action
    *["5", "10"],  # mystery
    "4",  # joker
]


@pytest.mark.rule("F3", "F21", "F23")
@pytest.mark.parametrize(
    ("mode", "cards"),
    [
        ("tutorial", RISING[4:16]),
        ("feature", SIXTEEN),
        ("shorts", LINES),
        ("series", SIXTEEN),
        ("arcs", SIXTEEN),
        ("studio", LEVELS),
    ],
)
def test_a_film_that_meets_all_conditions_wins_and_one_that_lacks_something_does_not(
    mode: str, cards: list[str]
) -> None:
    game = filled(mode, cards)
    result = play(game.copy(), "end").result()
    assert result is not None
    assert all(result["conditions"].values()), result
    assert (result["score"], result["scores"], result["winners"]) == (100, [1, 1], [0, 1])
    for change in range(len(cards)):
        fewer = play(filled(mode, cards[: change or -1]), "end").result()
        assert fewer is not None
        assert not fewer["conditions"]["size"]
        assert fewer["score"] < 100
    swapped = play(filled(mode, [cards[-1], *cards[1:-1], cards[0]]), "end").result()
    assert swapped is not None
    assert not all(swapped["conditions"].values())
    assert 0 < swapped["score"] < 100


@pytest.mark.rule("F21")
@pytest.mark.parametrize(
    ("cards", "met"),
    [
        (["1", "1b", *SIXTEEN[2:]], {"order": False, "doubles": False}),
        (["2", "3", *SIXTEEN[2:]], {"order": True, "doubles": True, "genre": True}),
        ([*RISING[4:20]], {"order": True, "doubles": True, "genre": False}),
        ([*SIXTEEN, "26"], {"size": False, "order": True, "genre": True}),
    ],
)
def test_conditions_are_judged_each_by_itself(cards: list[str], met: dict[str, bool]) -> None:
    conditions = filled("feature", cards).judge()[0]
    assert {name: conditions[name] for name in met} == met


@pytest.mark.rule("F21")
def test_rows_and_columns_of_a_series_rise_over_gaps() -> None:
    game = filled("series", SIXTEEN)
    s = game.state
    for slot in (1, 2, 8, 16):  # row 1 and column 1 keep their ends
        s.film[slot] = -1
        s.occupied = int(s.occupied) & ~(1 << slot)
    assert game.judge()[0]["order"]
    s.film[3] = 0  # 1/4 is 1 now, and 1/1 is not below it any more
    s.film[0] = 9
    assert not game.judge()[0]["order"]


@pytest.mark.parametrize(("mode", "players"), OPTIONS)
def test_points_begin_at_zero_and_end_with_the_graded_score(mode: str, players: int) -> None:
    game = FauxRaccords(players, mode=mode, seed=4)
    start = game.judge()[1]
    assert game.scores() == [0] * players
    for _ in random_moves(game, random.Random(4)):
        assert 0 <= game.judge()[1] <= 99 or all(game.judge()[0].values())
        assert game.scores() == [game.judge()[1] - start] * players
    assert game.scores() == [game.judge()[1]] * players


# ---------------------------------------------------------------------------- observations


@pytest.mark.parametrize("mode", MODES)
def test_observations_have_one_size_for_all_player_counts(mode: str) -> None:
    for memory in ("none", "perfect"):
        sizes = {
            FauxRaccords(players, mode=mode, memory=memory, seed=1).spec.observation.size
            for players in (2, 3, 4)
        }
        assert len(sizes) == 1


def test_an_observation_tells_the_film_from_the_players_seat() -> None:
    game = staged("feature", 3, film=FILM, hands=[["20"], ["25"]], memory="perfect")
    play(game, "place 20", "at 2", "hint bad", "on 2")
    blocks = game.spec.observation
    for seat in range(3):
        seen = game.observe(seat)
        place = blocks.block(seen, "film")[1]
        there, face_up, is_seen, value, *rest = place.tolist()
        assert (there, face_up, is_seen) == (1, 0, float(seat == 0))
        assert value == pytest.approx(20 / 28 if seat == 0 else 0)
        claps = rest[9:13]
        assert claps == [float(k == -seat % 3) for k in range(4)]
        assert rest[13:15] == [0, 0.25]
        assert blocks.block(seen, "to_move").argmax() == (1 - seat) % 3
        assert blocks.block(seen, "lengths")[0] == pytest.approx(9 / 16)
        hand = np.flatnonzero(blocks.block(seen, "hand"))
        assert len(hand) == len(game.hand(seat))
        assert blocks.block(seen, "sure_film")[1, 0] == (seat == 0)

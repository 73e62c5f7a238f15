"""Cards and set-up: F1 to F4."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from tests.games.faux_raccords.rule_staging import Chance, MakeGame

MODES = ["tutorial", "feature", "shorts", "series", "arcs", "studio"]
PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])
EACH_MODE = pytest.mark.parametrize("mode", MODES)
SEEDS = range(200)

NUMBERS = [str(number) for number in range(1, 29)]
SECOND = ["1b", "10b", "19b", "28b"]
MOODS = ["love", "laughter", "drama", "fear", "action", "mystery"]
SYMBOLS = {
    "love": ["1", "10b", "17", "23"],
    "laughter": ["3", "8", "15", "26"],
    "drama": ["6", "14", "16", "28"],
    "fear": ["1b", "12", "19", "25"],
    "action": ["2", "11", "19b", "27"],
    "mystery": ["5", "10", "20", "22"],
    "neutral": ["7", "9", "18", "28b"],
    "joker": ["4", "13", "21", "24"],
}
MEMBERS = {
    "reuse": ["6", "10b", "12", "20", "27", "28b"],
    "take": ["2", "7", "10", "14", "17", "24", "26"],
    "swap": ["5", "8", "13", "16", "18", "25"],
    "give": ["1", "4", "11", "15", "19", "22"],
    "show": ["1b", "3", "9", "19b", "21", "23", "28"],
}
HAZARDS = {
    *("power cut", "lost reel", "ego clash", "reshoot", "budget cut"),
    *("walk-out", "wrong hands", "censored", "spilled coffee", "early deadline"),
}
STARTS = {
    ("tutorial", 2): 4,
    ("tutorial", 3): 4,
    ("tutorial", 4): 4,
    ("feature", 2): 8,
    ("feature", 3): 8,
    ("feature", 4): 6,
    ("shorts", 2): 8,
    ("shorts", 3): 8,
    ("shorts", 4): 6,
    **{(mode, players): 6 for mode in ("series", "arcs", "studio") for players in (2, 3)},
    **{(mode, 4): 4 for mode in ("series", "arcs", "studio")},
}


@pytest.mark.rule("F1", "F2", "F28")
@PLAYERS
@pytest.mark.parametrize("mode", MODES[1:])
def test_all_32_cards_are_dealt_in_every_mode_but_the_tutorial(
    chance: Chance, mode: str, players: int
) -> None:
    for seed in range(10):
        setup = chance(mode, players, seed)
        hands = [card for hand in setup["hands"] for card in hand]
        dealt = Counter([*hands, *setup["film"], *setup["deck"]])
        assert dealt == Counter([*NUMBERS, *SECOND])
        assert setup["removed"] == []


@pytest.mark.rule("F3", "F2", "F28")
@PLAYERS
def test_the_tutorial_leaves_out_the_second_copies_and_four_cards_at_random(
    chance: Chance, players: int
) -> None:
    removed = Counter[str]()
    for seed in SEEDS:
        setup = chance("tutorial", players, seed)
        hands = [card for hand in setup["hands"] for card in hand]
        played = [*hands, *setup["film"], *setup["deck"]]
        assert len(played) == 24
        assert Counter([*played, *setup["removed"]]) == Counter(NUMBERS)
        assert len(setup["removed"]) == 4
        removed.update(setup["removed"])
    assert set(removed) == set(NUMBERS)
    assert max(removed.values()) < 60  # 29 of each to be expected


@pytest.mark.rule("F2", "F3")
@PLAYERS
@EACH_MODE
def test_everybody_gets_three_cards_and_the_rest_is_the_pile(
    chance: Chance, mode: str, players: int
) -> None:
    setup = chance(mode, players, 1)
    assert [len(hand) for hand in setup["hands"]] == [3] * players
    start = STARTS[mode, players]
    assert len(setup["film"]) == start
    cards = 24 if mode == "tutorial" else 32
    assert len(setup["deck"]) == cards - 3 * players - start


@pytest.mark.rule("F2")
@EACH_MODE
def test_cards_and_first_player_are_dealt_at_random(chance: Chance, mode: str) -> None:
    setups = [chance(mode, 3, seed) for seed in SEEDS]
    first = Counter(setup["first_player"] for setup in setups)
    assert set(first) == {0, 1, 2}
    assert max(first.values()) < 100  # 67 of each to be expected
    for place in ("film", "deck"):
        found = Counter(setup[place][0] for setup in setups)
        assert len(found) > 20
        assert max(found.values()) < 25
    found = Counter(setup["hands"][2][0] for setup in setups)
    assert len(found) > 20


@pytest.mark.rule("F2", "F3", "F28")
@pytest.mark.parametrize(
    ("mode", "count"),
    [("tutorial", 0), ("feature", 3), ("shorts", 4), ("series", 4), ("arcs", 3), ("studio", 4)],
)
def test_hazards_are_drawn_at_random_for_each_of_their_places(
    chance: Chance, mode: str, count: int
) -> None:
    drawn = [chance(mode, 2, seed)["hazards"] for seed in SEEDS]
    for hazards in drawn:
        assert len(hazards) == len(set(hazards)) == count
    for place in range(count):
        found = Counter(hazards[place] for hazards in drawn)
        assert set(found) == HAZARDS
        assert max(found.values()) < 45  # 20 of each to be expected


@pytest.mark.rule("F2", "F28")
@pytest.mark.parametrize(
    ("mode", "pairs"),
    [("tutorial", 0), ("feature", 1), ("shorts", 2), ("series", 1), ("arcs", 1), ("studio", 0)],
)
def test_moods_are_drawn_at_random_and_are_all_different(
    chance: Chance, mode: str, pairs: int
) -> None:
    drawn = [chance(mode, 4, seed)["moods"] for seed in SEEDS]
    for moods in drawn:
        tokens = [mood for pair in moods for mood in pair]
        assert [len(pair) for pair in moods] == [2] * pairs
        assert len(set(tokens)) == 2 * pairs
    for number in range(pairs):
        found = Counter(frozenset(moods[number]) for moods in drawn)
        assert set(found) == {frozenset(pair) for pair in combinations(MOODS, 2)}


@pytest.mark.rule("F1", "F16")
@pytest.mark.parametrize(
    ("card", "verb"), [(card, verb) for verb, cards in MEMBERS.items() for card in cards]
)
def test_each_card_has_the_member_of_the_table(make_game: MakeGame, card: str, verb: str) -> None:
    other = "3" if card == "6" else "6"
    game = make_game("feature", 3, hands=[[other], [card]]).idle(other)
    game.play(f"call {card}")
    assert {words.rpartition(" ")[0] for words in game.legal()} == {verb, "no"}


@pytest.mark.rule("F1", "F22")
@pytest.mark.parametrize("moods", list(combinations(MOODS, 2)), ids="+".join)
def test_each_card_has_the_symbol_of_the_table(make_game: MakeGame, moods: tuple[str, str]) -> None:
    cards = [card for symbol in SYMBOLS.values() for card in symbol]
    counted = {*SYMBOLS[moods[0]], *SYMBOLS[moods[1]], *SYMBOLS["joker"]}
    # Films that share no two cards, so that one card that is wrong cannot make up for another.
    for film in (*(cards[k::4] for k in range(4)), *(cards[k : k + 8] for k in range(0, 32, 8))):
        game = make_game("feature", film=film, moods=[moods])
        assert game.result_now()["genre"] == [len(counted & set(film))]


@pytest.mark.rule("F1", "F21")
@pytest.mark.parametrize(
    ("film", "beside"),
    [
        ("1b 2 3 4 5 6 7 8", 1),
        ("7 8 9 10b 11 12 13 14", 4),
        ("16 17 18 19b 20 21 22 23", 4),
        ("21 22 23 24 25 26 27 28b", 6),
    ],
)
def test_a_second_copy_has_the_value_of_the_first(
    make_game: MakeGame, film: str, beside: int
) -> None:
    cards = film.split()
    conditions = make_game("feature", film=cards).result_now()["conditions"]
    assert (conditions["order"], conditions["doubles"]) == (True, True)
    (second,) = (card for card in cards if card.endswith("b"))
    cards[beside] = second.removesuffix("b")
    conditions = make_game("feature", film=cards).result_now()["conditions"]
    assert (conditions["order"], conditions["doubles"]) == (False, False)


@pytest.mark.rule("F4", "F5", "F28")
@pytest.mark.parametrize(
    ("mode", "players", "places"),
    [
        ("tutorial", 2, "1 2 3 4"),
        ("tutorial", 4, "1 2 3 4"),
        ("feature", 3, "1 2 3 4 5 6 7 8"),
        ("feature", 4, "1 2 3 4 5 6"),
        ("shorts", 2, "A1 A2 A3 A4 B1 B2 B3 B4"),
        ("shorts", 4, "A1 A2 A3 B1 B2 B3"),
        ("series", 2, "1/1 1/3 1/4 4/1 4/2 4/4"),
        ("series", 3, "1/1 1/3 1/4 4/1 4/2 4/4"),
        ("series", 4, "1/1 1/4 4/1 4/4"),
        ("arcs", 2, "1/1 1/2 1/3 2/1 2/2 3/1"),
        ("arcs", 3, "1/1 1/2 1/3 2/1 2/2 3/1"),
        ("arcs", 4, "1/1 1/2 2/1 2/2"),
        ("studio", 2, "1/1 1/2 1/3 2/1 2/2 3/1"),
        ("studio", 3, "1/1 1/2 1/3 2/1 2/2 3/1"),
        ("studio", 4, "1/1 1/2 1/3 2/1"),
    ],
)
def test_the_first_cards_lie_at_the_starting_places_in_the_order_of_the_set_up(
    make_game: MakeGame, mode: str, players: int, places: str
) -> None:
    game = make_game(mode, players)
    assert game.film() == dict(zip(places.split(), game.setup["film"], strict=True))


@pytest.mark.rule("F2", "F11")
@PLAYERS
def test_the_first_player_begins_and_holds_the_cards_that_were_dealt(
    make_game: MakeGame, players: int
) -> None:
    for first in range(players):
        game = make_game("feature", players, first=first)
        assert game.to_move == first
        assert game.hand() == set(game.setup["hands"][first])


@pytest.mark.rule("F2", "F14")
@EACH_MODE
def test_the_first_cards_lie_face_down(make_game: MakeGame, mode: str) -> None:
    game = make_game(mode, 3)
    places = set(game.film())
    game.play(f"view with {min(game.hand())}")
    assert game.offers("look at") == places

"""The set-up of a record (F2 to F4, F28): dealt as the rules say, and every mistake refused."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from dreamfactory_env import FauxRaccords, OptionError, RecordError
from tests.games.faux_raccords.staging import OPTIONS

#: Cards in the Film with two or three players and with four; hazards; pairs of moods.
SIZES = {
    "tutorial": (4, 4, 0, 0),
    "feature": (8, 6, 3, 1),
    "shorts": (8, 6, 4, 2),
    "series": (6, 4, 4, 1),
    "arcs": (6, 4, 3, 1),
    "studio": (6, 4, 4, 0),
}


@pytest.mark.rule("F2", "F3", "F28")
@pytest.mark.parametrize(("mode", "players"), OPTIONS)
def test_a_set_up_has_the_sizes_of_its_mode(mode: str, players: int) -> None:
    few, four, hazards, pairs = SIZES[mode]
    for seed in range(5):
        game = FauxRaccords(players, mode=mode, seed=seed)
        setup = game.setup()
        assert [len(hand) for hand in setup["hands"]] == [3] * players
        assert len(setup["film"]) == (four if players == 4 else few)
        assert len(setup["removed"]) == (4 if mode == "tutorial" else 0)
        assert (len(setup["hazards"]), len(setup["moods"])) == (hazards, pairs)
        parts = [*setup["hands"], setup["film"], setup["deck"], setup["removed"]]
        cards = [card for part in parts for card in part]
        assert len(cards) == len(set(cards)) == (28 if mode == "tutorial" else 32)
        assert not (mode == "tutorial" and any(card.endswith("b") for card in cards))
        assert len({mood for pair in setup["moods"] for mood in pair}) == 2 * pairs
        assert game.to_move == setup["first_player"]
        assert list(game.film().values()) == setup["film"]
        assert not any(card["face_up"] for card in game.view()["film"])


@pytest.mark.rule("F4")
@pytest.mark.parametrize(
    ("mode", "few", "four"),
    [
        ("shorts", "A1 A2 A3 A4 B1 B2 B3 B4", "A1 A2 A3 B1 B2 B3"),
        ("series", "1/1 1/3 1/4 4/1 4/2 4/4", "1/1 1/4 4/1 4/4"),
        ("arcs", "1/1 1/2 1/3 2/1 2/2 3/1", "1/1 1/2 2/1 2/2"),
        ("studio", "1/1 1/2 1/3 2/1 2/2 3/1", "1/1 1/2 1/3 2/1"),
    ],
)
def test_the_first_cards_lie_in_the_places_of_the_rules(mode: str, few: str, four: str) -> None:
    for players, names in ((2, few), (3, few), (4, four)):
        assert list(FauxRaccords(players, mode=mode, seed=1).film()) == names.split()


def test_everything_is_drawn_at_random() -> None:
    setups = [FauxRaccords(4, mode="shorts", seed=seed).setup() for seed in range(400)]
    assert {setup["first_player"] for setup in setups} == {0, 1, 2, 3}
    for place in range(4):
        assert len({setup["hazards"][place] for setup in setups}) == 10
        assert len({setup["moods"][place // 2][place % 2] for setup in setups}) == 6
    for place in range(6):
        assert len({setup["film"][place] for setup in setups}) == 32
    assert len({setup["deck"][-1] for setup in setups}) == 32


def put(*path: Any, value: Any) -> Callable[[dict[str, Any]], None]:
    """Returns what puts a value somewhere into a set-up."""

    def change(setup: dict[str, Any]) -> None:
        inner: Any = setup
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda setup: setup.pop("deck"), "just the keys first_player, hands, film"),
        (put("extra", value=1), "just the keys"),
        (put("first_player", value=2), "first_player must be 0 to 1, not 2"),
        (put("first_player", value=None), "first_player must be 0 to 1, not None"),
        (put("first_player", value=True), "first_player must be 0 to 1, not True"),
        (put("hands", value={}), "hands must be a list"),
        (put("hands", value=[[]]), "hands must be 2 lists, not 1"),
        (put("hands", 1, value="7"), r"hands\[1\] must be a list"),
        (put("hands", 1, value=["7"]), r"hands\[1\] must have 3 cards, not 1"),
        (put("hands", 1, 0, value="29"), r"hands\[1\]\[0\] is '29', which is not in the game"),
        (put("film", 3, value=7), r"film\[3\] is 7, which is not in the game"),
        (put("film", 3, value=[]), r"film\[3\] is \[\], which is not in the game"),
        (put("film", value=[]), "film must have 8 cards, not 0"),
        (put("deck", value=["1"]), "deck must have 18 cards, not 1"),
        (put("removed", value=["1"]), "removed must have 0 cards, not 1"),
        (put("removed", value=None), "removed must be a list, not None"),
        (put("hazards", value=[]), "hazards must be 3, not 0"),
        (put("hazards", 1, value="walkout"), r"hazards\[1\] is 'walkout'.*did you mean 'walk-out'"),
        (put("hazards", value=["reshoot"] * 3), "hazards must be different ones"),
        (put("moods", value=[]), "moods must be 1 pairs, not 0"),
        (put("moods", 0, value="love"), r"moods\[0\] must be a list of two moods"),
        (put("moods", 0, 1, value="joker"), r"moods\[0\]\[1\] is 'joker'"),
        (put("moods", 0, value=["love", "love"]), "moods must be different ones"),
    ],
)
def test_a_wrong_set_up_is_refused(change: Callable[[dict[str, Any]], None], message: str) -> None:
    game = FauxRaccords(2, seed=1)
    setup = copy.deepcopy(game.setup())
    change(setup)
    with pytest.raises(RecordError, match=message):
        FauxRaccords.from_setup(game.config(), setup)


def test_a_card_that_stands_twice_is_refused() -> None:
    game = FauxRaccords(2, seed=1)
    setup = game.setup()
    setup["film"][0] = card = setup["deck"][0]
    with pytest.raises(RecordError, match=f"the card '{card}' stands 2 times"):
        FauxRaccords.from_setup(game.config(), setup)


@pytest.mark.parametrize("setup", [None, [], "x", {1: 2}])
def test_what_is_no_set_up_is_refused(setup: Any) -> None:
    with pytest.raises(RecordError, match="must be an object with just the keys"):
        FauxRaccords.from_setup({"players": 2, "mode": "feature"}, setup)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"players": 2}, "config has no 'mode'"),
        ({"players": 5, "mode": "feature"}, "players must be 2 to 4, not 5"),
        ({"players": 2, "mode": "featur"}, "did you mean 'feature'"),
        (
            {"players": 2, "mode": "feature", "memory": "some"},
            "memory must be one of none, perfect",
        ),
        ({"players": 2, "mode": "feature", "memory": None}, "memory must be one of"),
    ],
)
def test_wrong_options_of_a_record_are_refused(config: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        FauxRaccords.from_config(config, seed=1)


def test_memory_stands_in_a_record_only_if_there_is_one() -> None:
    assert FauxRaccords(3, seed=1).config() == {"players": 3, "mode": "feature"}
    perfect = FauxRaccords(3, seed=1, memory="perfect")
    assert perfect.config() == {"players": 3, "mode": "feature", "memory": "perfect"}
    assert FauxRaccords.from_config(perfect.config(), seed=1) == perfect

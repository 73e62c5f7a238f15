"""One view: what a seat may know and nothing else, and everything for nobody's seat."""

from __future__ import annotations

import json
from typing import get_type_hints, is_typeddict

import pytest

from dreamfactory_env import FauxRaccords, OptionError
from dreamfactory_env.games.faux_raccords import view_types
from dreamfactory_env.games.faux_raccords.state import CARD_WORDS
from dreamfactory_env.games.faux_raccords.view_types import TableView
from tests.docs.attributes import attributes_of
from tests.games.faux_raccords.positions import of_every_phase, positions
from tests.games.faux_raccords.staging import OPTIONS, play, staged
from tests.games.views import assert_is

TYPES = [kind for kind in vars(view_types).values() if is_typeddict(kind)]


def test_a_view_has_just_its_keys_and_json_gives_back_the_same() -> None:
    for game in of_every_phase().values():
        for seat in (None, *range(game.players)):
            view = game.view(seat)
            assert_is(view, TableView, "view")
            assert json.loads(json.dumps(view)) == view


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.__name__)
def test_every_key_is_documented_in_its_order(kind: type) -> None:
    _, documented = attributes_of(kind)
    assert list(documented) == list(get_type_hints(kind))


def test_a_view_is_nobody_elses() -> None:
    game = FauxRaccords(3, seed=1)
    view = game.view(0)
    view["players"][0]["hand"].clear()
    view["film"].clear()
    assert game.view(0) != view
    assert game.view(0) == FauxRaccords(3, seed=1).view(0)


@pytest.mark.parametrize(("mode", "players"), OPTIONS)
@pytest.mark.parametrize("memory", ["none", "perfect"])
@pytest.mark.rule("F24", "F25")
def test_a_redraw_of_what_is_hidden_leaves_the_view_of_a_seat(
    mode: str, players: int, memory: str
) -> None:
    games = positions(mode, players, 2, memory)
    for number, game in enumerate(games[:: max(len(games) // 15, 1)]):
        for seat in range(players):
            other = game.resample_hidden(seat, number)
            assert json.dumps(other.view(seat)) == json.dumps(game.view(seat))


@pytest.mark.parametrize(("mode", "players"), OPTIONS)
def test_a_view_of_everything_has_every_card_once(mode: str, players: int) -> None:
    for game in positions(mode, players)[::5]:
        view = game.view()
        cards = [card["card"]["card"] for card in (*view["film"], *view["taken"])]
        for player in view["players"]:
            cards += [card["card"] for card in player["hand"]]
        cards += [card["card"] for card in (*view["cut"]["cards"], *view["bin_cards"])]
        cards += [*view["hidden"]["pile"], *view["hidden"]["removed"]]
        expected = [word for word in CARD_WORDS if mode != "tutorial" or not word.endswith("b")]
        assert sorted(cards) == sorted(expected)


def test_only_the_player_to_move_has_legal_moves() -> None:
    for game in of_every_phase().values():
        legal = game.legal_actions()
        for seat in range(game.players):
            assert game.view(seat)["legal"] == (legal if seat == game.to_move else {})
        assert game.view()["legal"] == legal


@pytest.mark.rule("F24")
def test_a_seat_sees_its_hand_its_claps_and_what_is_face_up() -> None:
    game = staged("feature", hands=[["7"], ["23", "28b"]], film=["5", "19b"])
    play(game, "place 7", "at 2", "no hint", "call 23", "show 28b", "at 1", "no hint")
    mine, yours = ([card["card"] for card in game.view(seat)["film"]] for seat in (0, 1))
    assert [card and card["card"] for card in mine[:3]] == ["28b", None, "7"]
    assert [card and card["card"] for card in yours[:3]] == ["28b", None, None]
    assert game.view(0)["players"][1]["hand"] is None
    assert game.view(0)["hidden"] is None


@pytest.mark.rule("F25")
def test_the_card_of_place_is_a_secret_and_that_of_show_is_not() -> None:
    game = staged("feature", hands=[["7", "23"], ["9"]]).play("place 7")
    assert game.view(0)["players"][0]["pending"]["card"] == "7"
    assert game.view(1)["players"][0]["pending"] is None
    game = staged("feature", hands=[["7", "23"], ["9"]]).play("call 23").play("show 7")
    assert game.view(1)["players"][0]["pending"]["card"] == "7"


@pytest.mark.parametrize("seat", [-1, 3, True, "0"])
def test_a_seat_that_there_is_not_is_refused(seat: int) -> None:
    with pytest.raises(OptionError, match="there are players 0 to 2"):
        FauxRaccords(3, seed=1).view(seat)

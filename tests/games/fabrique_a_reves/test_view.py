"""One view: what a seat may know and nothing else, and everything for nobody's seat."""

from __future__ import annotations

import json
from typing import get_type_hints, is_typeddict

import pytest

from dreamfactory_env import FabriqueAReves, OptionError
from dreamfactory_env.games.fabrique_a_reves import view_types
from dreamfactory_env.games.fabrique_a_reves.view_types import TableView
from tests.docs.attributes import attributes_of
from tests.games.fabrique_a_reves.positions import of_every_phase, positions
from tests.games.fabrique_a_reves.staging import SOME, play, staged
from tests.games.fabrique_a_reves.test_observation import allowed, sums_of
from tests.games.views import assert_is

TYPES = [kind for kind in vars(view_types).values() if is_typeddict(kind)]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_view_has_just_its_keys_and_json_gives_back_the_same(language: str) -> None:
    for game in of_every_phase(language).values():
        for seat in (None, *range(game.players)):
            view = game.view(seat)
            assert_is(view, TableView, "view")
            assert json.loads(json.dumps(view)) == view


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.__name__)
def test_every_key_is_documented_in_its_order(kind: type) -> None:
    _, documented = attributes_of(kind)
    assert list(documented) == list(get_type_hints(kind))


@pytest.mark.parametrize(("mode", "players"), SOME)
def test_a_redraw_of_what_is_hidden_leaves_the_view_of_a_seat(mode: str, players: int) -> None:
    changed = 0
    for number, game in enumerate(positions(mode, players)[::4]):
        for seat in range(players):
            other = game.resample_hidden(seat, number)
            assert json.dumps(other.view(seat)) == json.dumps(game.view(seat))
            changed += other.view() != game.view()
    assert changed > 10


def test_a_view_of_everything_has_what_was_drawn() -> None:
    game = play(FabriqueAReves(3, seed=6), "take 1 into 1")
    hidden = game.view()["hidden"]
    assert hidden["seed"] == 6
    assert hidden["setup"] == game.setup()
    assert hidden["minds"] == game.setup()["minds"]
    dealt = game.setup()["reservoirs"]
    assert hidden["reservoirs"] == [dealt[0][1:], *dealt[1:]]
    assert game.view(0)["hidden"] is None


def test_the_closest_dreams_are_those_of_the_viewer() -> None:
    game = of_every_phase()["thoughts"]
    for seat in range(3):
        for vial in range(5):
            sums, free = sums_of(game, seat, vial), allowed(game, seat)
            order = sorted(free.nonzero()[0].tolist(), key=lambda k: (-sums[k], k))[:3]
            shown = game.view(seat)["vials"][vial]["closest"]
            expected = [(game.dreams()[k], int(sums[k])) for k in order]
            assert [(dream["word"], dream["sum"]) for dream in shown] == expected
    assert all(not vial["closest"] for vial in game.view()["vials"])
    assert all(not vial["closest"] for vial in staged().view(0)["vials"])


def test_in_french_words_are_shown_in_french_and_moves_keep_their_names() -> None:
    english, french = (of_every_phase(language) for language in ("en", "fr"))
    for phase in english:
        seat = english[phase].to_move or 0
        one, other = english[phase].view(seat), french[phase].view(seat)
        assert one["legal"] == other["legal"]
        for old, new in zip(one["vials"], other["vials"], strict=True):
            assert [w["word"] for w in old["words"]] == [w["word"] for w in new["words"]]
    lexicon = french["quill"].options.lexicon.lexicon
    shown = french["quill"].view(french["quill"].to_move)["shown"]
    assert shown == {f"write {name}": lexicon.word(name).french for name in lexicon.quill}
    word = french["thoughts"].view(0)["vials"][0]["words"][0]
    assert word["shown"] == lexicon.word(word["word"]).french
    assert french["thoughts"].view(0)["themes"][0]["title"].startswith("Nuit")
    assert english["thoughts"].view(0)["themes"][0]["title"] != other["themes"][0]["title"]


def test_only_the_player_to_move_sees_legal_moves() -> None:
    game = of_every_phase()["dreams"]
    seat = game.to_move
    assert seat is not None
    assert game.view(seat)["legal"] == game.legal_actions() == game.view()["legal"]
    assert game.view((seat + 1) % 3)["legal"] == {}
    with pytest.raises(OptionError, match="there are players 0 to 2, not 3"):
        game.view(3)

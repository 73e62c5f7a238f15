"""Placing tiles: D16 to D20."""

from __future__ import annotations

import pytest

from dreamfactory_env import IllegalMove
from dreamfactory_env.games.dream_factory.legal import fits
from dreamfactory_env.games.dream_factory.state import Kind
from tests.games.dream_factory.staging import film, give, lay, placements, stacked, tile

TYPED = ["director", "actor", "camera", "music", "effects"]


@pytest.mark.rule("D16")
def test_tiles_are_placed_or_discarded_in_any_order() -> None:
    tiles = ["director 2", "actor 1", "music 3"]
    for order in [(0, 1, 2), (2, 0, 1), (1, 2, 0)]:
        game = give(stacked(studios=[3, 1, 2, 4]), 0, *tiles)
        for k in order:
            for words in [f"place {tiles[k]} on Casablanca/", f"discard {tiles[k]}"]:
                assert any(move.startswith(words) for move in game.legal())
            game.play(f"place {tiles[k]} on Casablanca/{tiles[k].split()[0]}")
        assert film(game, "Casablanca").stars == 3 + 2 + 1 + 3


@pytest.mark.rule("D16")
def test_a_tile_may_be_discarded_although_it_fits_and_is_gone_then() -> None:
    game = give(stacked(), 0, "actor 3", "music 1")
    gone = int(game.state.discarded)
    game.play("discard actor 3")
    assert game.hand == ["music 1"]
    assert game.state.discarded == gone + 1
    game.play("discard music 1")
    assert (game.phase, game.location) == ("auction", "City 2")  # none is kept


@pytest.mark.rule("D16")
def test_a_tile_that_fits_nowhere_is_discarded_by_a_move() -> None:
    game = stacked(players=2, studios=[1, 2])
    for title in ("Vertigo", "The Court Jester"):
        lay(game, title, music="agency 0")
    lay(game, "The Ten Commandments", blank="camera 1")
    give(game, 0, "music 2")
    assert game.legal() == ["discard music 2"]


@pytest.mark.rule("D16")
def test_equal_tiles_in_hand_share_one_action() -> None:
    game = give(stacked(studios=[3, 1, 2, 4]), 0, "actor 2", "music 0", "actor 2")
    assert sorted(words for words in game.legal() if words.startswith("discard")) == [
        "discard actor 2",
        "discard music 0",
    ]
    game.play("place actor 2 on Casablanca/actor")
    assert game.hand == ["music 0", "actor 2"]
    assert "place actor 2 on Casablanca/blank" in game.legal()


@pytest.mark.rule("D17", "D18", "D19")
def test_every_tile_on_every_space_over_every_tile() -> None:
    kinds = [*TYPED, "agency", "guest"]
    for kind in kinds:
        for space in [*TYPED, "blank", "guest"]:
            for top in ["", *kinds]:
                if space == "guest":
                    allowed = kind == "guest"
                elif kind in ("guest", "agency"):
                    allowed = kind == "agency"
                elif top == "agency":
                    allowed = False
                elif space == "blank":
                    allowed = kind in ("actor", "camera", "music", "effects") and top in ("", kind)
                else:
                    allowed = kind == space
                laid = tile(f"{top} 0") if top else 0
                found = fits(tile(f"{kind} 1"), int(Kind[space.upper()]), laid)
                assert found == allowed, (kind, space, top)


@pytest.mark.rule("D17")
@pytest.mark.parametrize("kind", TYPED)
def test_a_typed_space_takes_its_kind_empty_or_covered(kind: str) -> None:
    game = give(stacked(studios=[4, 1, 2, 3]), 0, f"{kind} 2")  # Gone with the Wind has all
    where = f"Gone with the Wind/{kind}"
    assert where in placements(game)
    lay(game, "Gone with the Wind", **{kind: f"{kind} 3"})
    assert where in placements(game)
    others = {f"Gone with the Wind/{other}" for other in [*TYPED, "guest"] if other != kind}
    assert not others & placements(game)


@pytest.mark.rule("D17")
@pytest.mark.parametrize("kind", ["actor", "camera", "music", "effects"])
def test_a_blank_space_takes_four_kinds_and_then_only_the_one_that_lies_there(kind: str) -> None:
    game = give(stacked(studios=[3, 1, 2, 4]), 0, f"{kind} 2")
    assert "Casablanca/blank" in placements(game)
    for other in ["actor", "camera", "music", "effects"]:
        lay(game, "Casablanca", blank=f"{other} 0")
        assert ("Casablanca/blank" in placements(game)) == (other == kind)


@pytest.mark.rule("D17")
@pytest.mark.parametrize("words", ["director 4", "guest 2"])
def test_a_blank_space_takes_no_director_and_no_guest_star(words: str) -> None:
    game = give(stacked(studios=[3, 1, 2, 4]), 0, words)
    assert "Casablanca/blank" not in placements(game)


@pytest.mark.rule("D17")
def test_only_ones_own_films_take_tiles() -> None:
    game = give(stacked(studios=[3, 1, 2, 4]), 0, "actor 2")
    own = {film.title for film in game.films(0)}
    assert {where.split("/")[0] for where in placements(game)} <= own
    with pytest.raises(IllegalMove):
        game.play("place actor 2 on Vertigo/actor")


@pytest.mark.rule("D18")
def test_an_agency_goes_on_any_space_but_the_guest_stars() -> None:
    game = give(stacked(studios=[3, 1, 2, 4]), 0, "agency 1")
    spaces = {where.split("/")[1] for where in placements(game) if where.startswith("Casablanca")}
    assert spaces == {"director", "actor", "camera", "music", "blank"}
    lay(game, "Casablanca", director="director 3", blank="actor 1", music="agency 0")
    spaces = {where.split("/")[1] for where in placements(game) if where.startswith("Casablanca")}
    assert spaces == {"director", "actor", "camera", "music", "blank"}


@pytest.mark.rule("D17", "D18")
def test_music_on_a_blank_space_then_an_agency() -> None:
    # The worked example of both rulebooks.
    game = give(stacked(studios=[3, 1, 2, 4]), 0, "music 1", "music 2", "agency 0")
    game.play("place music 1 on Casablanca/blank")
    for words, allowed in [("music 2", True), ("agency 0", True), ("camera 3", False)]:
        assert ("Casablanca/blank" in placements(give(game.copy(), 0, words))) == allowed
    game.play("place agency 0 on Casablanca/blank")
    for words, allowed in [("music 2", False), ("agency 1", True), ("camera 3", False)]:
        assert ("Casablanca/blank" in placements(give(game.copy(), 0, words))) == allowed


@pytest.mark.rule("D19")
def test_a_guest_star_goes_on_guest_spaces_only_also_over_another() -> None:
    game = give(stacked(studios=[3, 1, 2, 4]), 0, "guest 3")
    films = {film.title for film in game.films(0)}
    assert placements(game) == {f"{title}/guest" for title in films}
    lay(game, "Casablanca", guest="guest -1")
    assert "Casablanca/guest" in placements(game)
    game.play("place guest 3 on Casablanca/guest")
    assert film(game, "Casablanca").spaces["guest"] == "guest 3"


@pytest.mark.rule("D20")
def test_a_placed_tile_stays_unless_it_is_covered() -> None:
    game = give(stacked(studios=[3, 1, 2, 4]), 0, "actor 2", "actor 1", "camera 0")
    game.play("place actor 2 on Casablanca/actor")
    before = game.state.tiles.copy()
    assert all(words.startswith(("place", "discard")) for words in game.legal())
    game.play("place actor 1 on Casablanca/blank")
    changed = (game.state.tiles != before).nonzero()
    assert len(changed[0]) == 1
    game.play("place camera 0 on Casablanca/camera")
    assert film(game, "Casablanca").spaces["actor"] == "actor 2"


@pytest.mark.rule("D17")
def test_two_spaces_of_one_name_are_told_apart() -> None:
    game = give(stacked(studios=[4, 1, 2, 3]), 0, "actor 1", "actor 3")
    game.play("place actor 1 on North by Northwest/actor#2")
    game.play("place actor 3 on North by Northwest/actor#1")
    spaces = film(game, "North by Northwest").spaces
    assert (spaces["actor#1"], spaces["actor#2"]) == ("actor 3", "actor 1")

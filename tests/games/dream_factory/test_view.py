"""One view: what a seat may know and nothing else, and everything for nobody's seat."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any, get_type_hints, is_typeddict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamfactory_env import DreamFactory, OptionError
from dreamfactory_env.games.dream_factory import narration, view_types
from dreamfactory_env.games.dream_factory.text import action_to_string
from dreamfactory_env.games.dream_factory.view import table_view
from dreamfactory_env.games.dream_factory.view_types import TableView
from tests.docs.attributes import attributes_of
from tests.games.dream_factory.staging import film_number, give, give_all_away, lay, stacked
from tests.games.dream_factory.styles import STYLES
from tests.games.dream_factory.test_properties import OPTIONS, SEEDS
from tests.games.views import assert_is
from tests.paths import ROOT

TYPES = [kind for kind in vars(view_types).values() if is_typeddict(kind)]
PHASES = {"studio", "auction", "party", "placing", "over"}
TINY = ROOT / "configs/games/tiny.yaml"


def moves_of(game: DreamFactory, style: str = "thrifty") -> list[int]:
    """Returns the actions of a whole game from here, which is not changed."""
    other, rng, moves = game.copy(), random.Random(1), []
    while not other.over:
        words = STYLES[style](other.legal(), rng)
        moves.append(other.legal_actions()[words])
        other.play(words)
    return moves


def positions(game: DreamFactory, style: str = "thrifty") -> Iterator[DreamFactory]:
    """Plays a game and stops at every position."""
    yield game
    for action in moves_of(game, style):
        yield game.play(action)


def as_json(game: DreamFactory, seat: int | None) -> str:
    return json.dumps(game.view(seat))


# ---------------------------------------------------------------------------- plain data


@pytest.mark.parametrize("components", [None, TINY], ids=["standard", "tiny"])
@pytest.mark.parametrize("edition", ["dream_factory", "traumfabrik"])
def test_a_view_has_just_its_keys_and_json_gives_back_the_same(
    components: Any, edition: str
) -> None:
    players = 2 if components else 4
    options = {"edition": edition, "choose_studio": True, "components": components}
    seen = set()
    for game in positions(DreamFactory(players, seed=3, **options)):
        seen.add(game.phase)
        for seat in (None, *range(players)):
            view = game.view(seat)
            assert_is(view, TableView, "view")
            assert json.loads(json.dumps(view)) == view
    assert seen == PHASES


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.__name__)
def test_every_key_is_documented_in_its_order(kind: type) -> None:
    _, documented = attributes_of(kind)
    assert list(documented) == list(get_type_hints(kind))


def test_a_view_is_nobody_elses() -> None:
    game = DreamFactory(3, seed=1)
    before = as_json(game, None)
    view = game.view()
    view["players"][0]["production"].clear()
    view["hidden"]["setup"]["deck"].clear()
    view["legal"].clear()
    assert as_json(game, None) == before


@pytest.mark.parametrize("seat", [-1, 3, True, "0", 1.5])
def test_a_seat_that_there_is_not_is_refused(seat: Any) -> None:
    game = DreamFactory(3, seed=1)
    for look in (game.view, game.text, game.picture, lambda s: next(game.narrate(iter([]), s))):
        with pytest.raises(OptionError, match="there are players 0 to 2"):
            look(seat)


# ---------------------------------------------------------------------------- nothing else


@settings(max_examples=60, deadline=None)
@given(
    options=OPTIONS,
    seed=SEEDS,
    style=st.sampled_from(list(STYLES)),
    moves=st.integers(0, 250),
    redraw=SEEDS,
)
@pytest.mark.rule("D3", "D5", "D7")
def test_redrawing_what_is_hidden_changes_nothing_that_a_seat_is_shown(
    options: dict[str, Any], seed: int, style: str, moves: int, redraw: int
) -> None:
    game = DreamFactory(seed=seed, **options)
    for action in moves_of(game, style)[:moves]:
        game.play(action)
    legal = list(game.legal_actions().values())
    after = game.copy().play(legal[0]) if legal else game
    for seat in range(game.players):
        other = game.resample_hidden(seat, redraw)
        assert as_json(other, seat) == as_json(game, seat)  # the order of keys is compared, too
        assert other.text(seat) == game.text(seat)
        views = [table_view(g, seat) for g in (game, other)]
        assert list(narration.opening(views[0])) == list(narration.opening(views[1]))
        for action in legal[:1]:
            ends = [table_view(g, seat) for g in (after, after.resample_hidden(seat, redraw))]
            first, second = (narration.move(views[k], action, ends[k]) for k in range(2))
            assert list(first) == list(second)


def test_a_redraw_does_change_what_only_a_view_of_everything_has() -> None:
    """Else the test above could not fail."""
    game = give_all_away(DreamFactory(4, seed=5), (2, "City 1"))
    before = game.view()
    others = [game.resample_hidden(0, seed).view() for seed in range(20)]
    for path in (
        ("players", 1, "money"),
        ("players", 1, "points"),
        ("locations", 3, "tiles"),
        ("hidden", "setup", "deck"),
        ("hidden", "setup", "pile"),
        ("hidden", "seed"),
    ):
        assert any(at(other, path) != at(before, path) for other in others), path


def at(view: Any, path: tuple[str | int, ...]) -> Any:
    """Returns what stands in a view under some keys."""
    for key in path:
        view = view[key]
    return view


@pytest.mark.rule("D3")
@pytest.mark.parametrize(
    ("players", "how", "hidden"),
    [(2, "rule", False), (3, "rule", True), (5, "never", False), (2, "always", True)],
)
def test_money_and_points_of_others_are_there_only_where_they_may_be_seen(
    players: int, how: str, hidden: bool
) -> None:
    game = DreamFactory(players, seed=1, hidden_money=how)
    mine, other = game.view(1)["players"][1], game.view(1)["players"][0]
    assert mine["money"] == mine["points"] == game.money[1]
    assert other["money"] == other["points"] == (None if hidden else game.money[0])
    assert other["points_without_money"] == 0
    give_all_away(game, (5, ""))
    assert [player["points"] for player in game.view(1)["players"]] == game.scores()


def test_only_the_player_to_move_has_legal_moves() -> None:
    for game in positions(DreamFactory(3, seed=4, choose_studio=True), "uniform"):
        legal = game.legal_actions()
        for seat in range(3):
            assert game.view(seat)["legal"] == (legal if seat == game.to_move else {})
        assert game.view()["legal"] == legal


# ---------------------------------------------------------------------------- everything


@pytest.mark.parametrize("players", [2, 5])
@pytest.mark.parametrize("choose_studio", [False, True])
def test_the_set_up_can_be_read_off_a_view_of_everything(players: int, choose_studio: bool) -> None:
    start = DreamFactory(players, seed=9, choose_studio=choose_studio)
    setup = start.setup()
    for game in positions(start.copy()):
        view = game.view()
        hidden, deck = view["hidden"], setup["deck"]
        assert hidden["seed"] == 9
        if choose_studio:
            assert hidden["setup"] == setup
        again = DreamFactory.from_setup(game.config(), hidden["setup"])
        assert again.setup() == setup
        left = deck[len(deck) - view["deck"]["left"] :]
        face_down = [
            tile for place in view["locations"] if not place["face_up"] for tile in place["tiles"]
        ]
        if game.phase == "studio":
            face_down = []  # they are not drawn yet
        assert Counter(left + face_down) == Counter(view["deck"]["unseen"])
        pile = setup["pile"][len(setup["pile"]) - view["pile"]["left"] :]
        assert sorted(pile[1:]) == sorted(view["pile"]["below"])
        assert pile[:1] == ([view["pile"]["top"]["title"]] if view["pile"]["top"] else [])
        assert [player["money"] for player in view["players"]] == game.money


def test_two_deals_have_different_views() -> None:
    views = {json.dumps({**DreamFactory(2, seed=s).view(), "hidden": None}) for s in range(50)}
    assert len(views) == 50


CHANGES: dict[str, Any] = {
    "round": lambda g: g.state.__setattr__("round_number", 1),
    "location": lambda g: g.state.__setattr__("location", 2),
    "to move": lambda g: g.state.__setattr__("to_move", 2),
    "first player": lambda g: g.state.__setattr__("first_player", 3),
    "starting player": lambda g: g.state.__setattr__("starting_player", 3),
    "bid": lambda g: g.play("bid 2"),
    "pass": lambda g: g.play("pass"),
    "lot": lambda g: g.state.lot.__setitem__(0, 12),
    "tile to come": lambda g: g.state.deck.__setitem__(0, 12 if g.state.deck[0] != 12 else 13),
    "hand": lambda g: give(g, 1, "actor 2"),
    "money": lambda g: g.state.money.__setitem__(1, 3),
    "middle": lambda g: g.state.__setattr__("pot", 2),
    "pile": lambda g: g.state.__setattr__("pile_taken", 1),
    "tokens": lambda g: g.state.__setattr__("free_tokens", 7),
    "award": lambda g: g.state.awards.__setitem__(3, film_number(g, "Vertigo")),
    "best director": lambda g: g.state.__setattr__("best_director", 0),
    "studio": lambda g: g.state.studio.__setitem__(0, 5),
    "red tiles": lambda g: g.state.red.__setitem__(2, 4),
    "tile on a film": lambda g: lay(g, "Vertigo", music="music 1"),
    "guest star": lambda g: lay(g, "Vertigo", guest="guest -1"),
    "no screenplay": lambda g: g.state.in_production.__setitem__((0, 1), -1),
    "covered": lambda g: g.state.__setattr__("covered", 1),
    "discarded": lambda g: g.state.__setattr__("discarded", 1),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_what_lies_open_is_in_the_view_of_every_seat(change: str) -> None:
    before = stacked(players=4, hidden_money="never")
    after = before.copy()
    CHANGES[change](after)
    for seat in (None, 0, 3):
        assert as_json(before, seat) != as_json(after, seat)


# ---------------------------------------------------------------------------- what it says


def test_an_auction_has_its_bids_and_a_party_its_order() -> None:
    game = stacked(players=3, first_player=1).play("bid 3").play("pass")
    view = game.view(2)
    assert (view["phase"], view["round"], view["location"], view["to_move"]) == ("auction", 1, 0, 0)
    assert view["auction"] == {
        "high_bid": 3,
        "bids": [None, 3, None],
        "passed": [False, False, True],
    }
    assert view["party"] is None
    give_all_away(game, (1, "Party 1"))
    view = game.view(2)
    assert view["auction"] is None
    order = [(view["first_player"] + k) % 3 for k in range(3)]
    assert view["party"] == {"order": order, "turn": 0}
    first, second, third = view["lot"]
    game.play(f"pick {first}")
    view = game.view(2)
    assert (view["hand"], view["lot"]) == ([first], [None, second, third])
    assert view["party"]["turn"] == 0
    assert view["locations"][3] | {"name": ""} == {
        "name": "",
        "kind": "party",
        "face_up": True,
        "count": 2,
        "tiles": [second, third],
    }


@pytest.mark.rule("D1")
def test_who_chooses_a_studio_sees_the_films_of_those_that_are_free() -> None:
    game = DreamFactory(2, seed=1, choose_studio=True).play("studio 3")
    studios = game.view(0)["studios"]
    assert [studio["free"] for studio in studios] == [True, True, False, True, True]
    assert studios[2]["player"] == game.state.first_player
    titles = [film["title"] for film in studios[4]["films"]]
    game.play("studio 5")
    owner = 1 - int(game.state.first_player)
    assert [film["title"] for film in game.view(0)["players"][owner]["production"]] == titles
    assert not any(studio["free"] or studio["films"] for studio in game.view(0)["studios"])


def test_finished_films_have_their_tokens_and_awards() -> None:
    *_, game = positions(DreamFactory(4, seed=11))
    view = game.view(0)
    films = [film for player in view["players"] for film in player["finished"]]
    assert sorted(view["finished"]) == sorted(film["title"] for film in films)
    for film in films:
        held = [token["token"] for token in view["tokens"] if token["film"] == film["title"]]
        assert held == ([film["token"]] if film["token"] else [])
        given = [a["award"] for a in view["awards"] if a["film"] == film["title"]]
        assert given == film["awards"]
    assert all(token["free"] == (token["film"] is None) for token in view["tokens"])
    assert not any(award["open"] for award in view["awards"])
    assert view["winners"] == game.winners()
    result = game.result()
    assert result is not None
    assert view["finished"] == [film["title"] for film in result["films"]]


def test_an_award_of_a_round_that_nobody_won_is_no_longer_open() -> None:
    game = stacked(players=2)
    rounds = slice(3, 6)
    assert [award["open"] for award in game.view(0)["awards"]] == [True] * 11
    give_all_away(game, (2, "Hollywood"))
    assert [award["open"] for award in game.view(0)["awards"]][rounds] == [False, True, True]
    assert game.view(0)["awards"][3]["player"] is None


# ---------------------------------------------------------------------------- moves in words


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("style", ["uniform", "thrifty"])
def test_every_seat_can_put_a_move_into_words(players: int, style: str) -> None:
    start = DreamFactory(players, seed=6, choose_studio=True, edition="traumfabrik")
    for game in positions(start, style):
        views = [table_view(game, seat) for seat in (None, *range(players))]
        for words, action in game.legal_actions().items():
            assert {action_to_string(view, action) for view in views} == {words}


@pytest.mark.parametrize("players", [2, 4])
def test_a_narration_for_a_seat_leaves_out_only_the_money_of_others(players: int) -> None:
    start = DreamFactory(players, seed=8, hidden_money="always")
    moves = moves_of(start)
    everything = list(start.copy().narrate(iter(moves)))
    for viewer in range(players):
        lines = list(start.copy().narrate(iter(moves), viewer))
        changed = {
            (old.text, new.text) for old, new in zip(everything, lines, strict=True) if old != new
        }
        assert changed == {
            (old.text, old.text.replace("money 12", "money hidden"))
            for old in everything[1 : players + 1]
            if not old.text.startswith(f"  player {viewer},")
        }
    assert everything[-1].text.startswith("  won by player")


def test_a_narration_says_what_everybody_pays_and_gets() -> None:
    game = stacked(players=4).play("bid 8").play("pass").play("pass")
    game.state.pot = 2
    action = game.legal_actions()["pass"]
    lines = [line.text for line in game.narrate(iter([action]), 1)]
    assert lines[-1] == "    → player 0 wins for 8; the others get 3 each, leaving 1 in the middle"

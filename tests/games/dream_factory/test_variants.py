"""Variants: smaller games, said by a component file."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
import yaml

from dreamfactory_env import ComponentsError, DreamFactory, GameError, OptionError
from dreamfactory_env.games.dream_factory.component_files import check_components
from dreamfactory_env.records.format import replay
from dreamfactory_env.records.simulation import simulate
from dreamfactory_env.testing.checks import check_game
from dreamfactory_env.utils.yaml_lines import Document
from tests.games.dream_factory.component_files import DATA, own_data
from tests.games.dream_factory.referee import check_record
from tests.paths import CONFIGS

TINY = CONFIGS / "games/tiny.yaml"
SMALL: dict[str, Any] = yaml.safe_load(TINY.read_text("utf-8"))
#: Larger than the tiny game, with Hollywood, a pile, a second round and a third player.
MIDDLE: dict[str, Any] = {
    "variant": {"players": 3, "rounds": 2, "money": 4},
    "locations": DATA["locations"][:4],
    "tiles": {"legendary": {4: 2}, "actor": {1: 8, 2: 4}, "music": {2: 6}, "director": {1: 3}},
    "tokens": list(range(12)),
    "screenplays": [
        {"title": "One", "studio": 1, "genre": "drama", "stars": 1, "spaces": ["actor"]},
        {"title": "Two", "studio": 2, "genre": "drama", "stars": 2, "spaces": ["music"]},
        {"title": "Three", "studio": 3, "genre": "adventure", "stars": 3, "spaces": ["director"]},
        {"title": "Four", "studio": 3, "genre": "drama", "stars": 0, "spaces": ["blank", "actor"]},
        {"title": "Five", "genre": "entertainment", "stars": 1, "spaces": ["blank"]},
        {"title": "Six", "genre": "drama", "stars": 2, "spaces": ["actor", "music"]},
    ],
}


def components_of(data: dict[str, Any]) -> Any:
    return check_components(Document(data), "variant")


def with_change(data: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """Returns a file with another value somewhere; None takes the key away."""
    changed = copy.deepcopy(data)
    place = changed
    for key in path[:-1]:
        place = place[key]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return changed


@pytest.mark.parametrize(("data", "players"), [(SMALL, 2), (MIDDLE, 2), (MIDDLE, 3)])
@pytest.mark.parametrize("edition", ["dream_factory", "traumfabrik"])
def test_games_of_a_variant_are_those_of_the_referee(
    data: dict[str, Any], players: int, edition: str
) -> None:
    config = DreamFactory(players, components=components_of(data), edition=edition).config()
    for record in simulate(DreamFactory.from_config(config, seed=0), ["random"], 50, seed=1):
        told = json.loads(json.dumps(record))
        assert replay(told).over
        check_record(data, told)


def test_a_variant_says_players_rounds_and_money() -> None:
    game = DreamFactory(3, seed=1, components=components_of(MIDDLE))
    assert game.money == [4, 4, 4]
    components = game.options.components
    assert (components.players, components.rounds) == (3, 2)
    with pytest.raises(OptionError, match="up to 3 players, not 4"):
        DreamFactory(4, components=components)


def test_only_the_studios_of_a_variant_are_dealt_and_chosen() -> None:
    components = components_of(MIDDLE)
    dealt = {tuple(DreamFactory(3, seed=k, components=components).state.studio) for k in range(99)}
    assert {studio for studios in dealt for studio in studios[:3]} == {1, 2, 3}
    game = DreamFactory(3, seed=1, components=components, choose_studio=True)
    assert game.legal() == ["studio 1", "studio 2", "studio 3"]
    free = game.spec.observation.block(game.observe(0), "free_studios")
    assert free.tolist() == [1, 1, 1, 0, 0]
    assert [film.title for film in game.play("studio 3").films(game.state.first_player)] == [
        "Four",
        "Three",
    ]


def test_a_pile_of_a_variant_runs_out() -> None:
    game = DreamFactory(2, seed=1, components=TINY)
    assert "pile: empty" in str(game).lower()
    middle = DreamFactory(2, seed=1, components=components_of(MIDDLE))
    assert "on top of 1" in str(middle)
    tops = {middle.resample_hidden(0, seed).state.pile[0] for seed in range(9)}
    assert len(tops) == 1, "the top of the pile is public"


def test_a_variant_has_all_that_a_game_must_have() -> None:
    check_game(DreamFactory, games=3, players=2, components=TINY)


def test_a_variant_can_be_drawn_and_explained() -> None:
    game = DreamFactory(2, seed=1, components=TINY)
    assert game.picture(0).shape == DreamFactory(2, seed=1).picture(0).shape
    assert "Second Feature" in game.text(0)
    assert game.observation_to_string(game.observe(0))


def test_a_record_carries_its_variant() -> None:
    data = components_of(MIDDLE).as_data()
    assert components_of(json.loads(json.dumps(data))) == components_of(MIDDLE)
    game = DreamFactory(3, seed=1, components=components_of(MIDDLE))
    assert DreamFactory.load(game.save()) == game


def test_variants_that_differ_in_money_alone_are_different_games() -> None:
    poorer = with_change(MIDDLE, ("variant", "money"), 3)
    assert components_of(poorer) != components_of(MIDDLE)


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        (("variant",), [], "variant: must be a mapping"),
        (("variant", "players"), 6, "variant.players: players (D1): must be a whole number from 2"),
        (("variant", "rounds"), 5, "variant.rounds: rounds (D7): must be a whole number from 1 to"),
        (("variant", "money"), 17, "variant.money: money of each (D2): must be a whole number fro"),
        (("variant", "money"), None, "variant: 'money' is missing"),
        (("variant", "cash"), 3, "variant.cash: unknown key 'cash'"),
        (("locations", 0, "tiles"), 4, "tiles of a city (D7): must be a whole number from 1 to 3"),
        (("locations", 1, "tiles"), "legendary", "a variant may leave out some of these"),
        (("tiles", "legendary"), {4: 3}, "there are 2 legendary directors, one a round"),
        (("tiles", "legendary"), None, "'legendary' is missing; they come to Hollywood"),
        (("locations", 0), {"name": "Rome", "kind": "auction", "tiles": 1}, "not on the board"),
        (("tiles", "actor"), {1: 1}, "10 tiles to draw; three players need 16"),
        (("screenplays", 0, "studio"), 4, "a studio (D1): must be a whole number from 1 to 3"),
        (("screenplays", 0), None, "studio 1 has no film (D1)"),
        (("screenplays", 3, "genre"), "adventure", "studio 3 has 2 films of genre adventure"),
    ],
)
def test_a_mistake_in_a_variant_is_named(path: tuple[Any, ...], value: Any, problem: str) -> None:
    with pytest.raises(ComponentsError) as caught:
        components_of(with_change(MIDDLE, path, value))
    assert any(problem in found for found in caught.value.problems), caught.value.problems


def test_a_pile_of_more_than_seven_is_refused() -> None:
    film = {"genre": "drama", "stars": 0, "spaces": ["blank"]}
    more = [{"title": f"More {k}", **film} for k in range(6)]
    data = {**MIDDLE, "screenplays": MIDDLE["screenplays"] + more}
    with pytest.raises(ComponentsError, match="8 films without a studio; the engine's limit is 7"):
        components_of(data)


def test_what_only_a_variant_may_leave_out_is_refused_without_one() -> None:
    for section in ("locations", "screenplays"):
        with pytest.raises(GameError):
            components_of(own_data(**{section: MIDDLE[section]}))

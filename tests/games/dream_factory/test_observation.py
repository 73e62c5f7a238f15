"""The observation: everything that a player may know, nothing else, in named blocks."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamfactory_env import DreamFactory, OptionError
from dreamfactory_env.games.dream_factory import observation_spec as spec
from dreamfactory_env.games.dream_factory.explain import explain
from dreamfactory_env.games.dream_factory.legal import fits
from dreamfactory_env.games.dream_factory.observation_spec import OBSERVATION_SPEC
from dreamfactory_env.games.dream_factory.scoring import film_stars
from dreamfactory_env.games.dream_factory.state import (
    GUEST_SPACE,
    NO_TILE,
    NOTHING,
    Kind,
    Phase,
    kind_of,
    stars_of,
)
from tests.games.dream_factory.staging import film_number, give, give_all_away, lay, stacked
from tests.games.dream_factory.styles import STYLES
from tests.games.dream_factory.test_properties import OPTIONS, SEEDS


def block(game: DreamFactory, player: int, name: str) -> Any:
    return OBSERVATION_SPEC.block(game.observe(player), name).astype(np.float64).round(4).tolist()


def test_blocks_follow_one_another_and_fill_the_observation() -> None:
    end = 0
    for block in OBSERVATION_SPEC.blocks.values():
        assert (block.slice.start, block.slice.stop) == (end, end + block.size)
        end = block.slice.stop
    assert end == OBSERVATION_SPEC.size < 1000
    assert len(OBSERVATION_SPEC.low()) == len(OBSERVATION_SPEC.high()) == OBSERVATION_SPEC.size


@settings(max_examples=60, deadline=None)
@given(
    options=OPTIONS,
    seed=SEEDS,
    style=st.sampled_from(list(STYLES)),
    redraw=st.integers(0, 2**40),
)
@pytest.mark.rule("D3", "D5", "D7")
def test_what_is_hidden_changes_no_observation_and_all_numbers_are_in_range(
    options: dict[str, Any], seed: int, style: str, redraw: int
) -> None:
    game = DreamFactory(seed=seed, **options)
    rng = random.Random(redraw)
    low, high = OBSERVATION_SPEC.low(), OBSERVATION_SPEC.high()
    while True:
        for player in range(game.players):
            seen = game.observe(player)
            assert (seen >= low).all()
            assert (seen <= high).all()
            other = game.resample_hidden(player, redraw)
            assert seen.tobytes() == other.observe(player).tobytes()
        if game.over:
            return
        game.play(STYLES[style](game.legal(), rng))


def test_every_move_changes_what_every_player_sees() -> None:
    for seed in range(12):
        game = DreamFactory(2 + seed % 4, seed=seed, choose_studio=seed % 2 == 0)
        rng = random.Random(seed)
        while not game.over:
            before = [game.observe(player).tobytes() for player in range(game.players)]
            game.play(STYLES["thrifty"](game.legal(), rng))
            for player in range(game.players):
                assert game.observe(player).tobytes() != before[player]


GAME: DreamFactory = stacked(studios=[1, 2, 3, 4])
PUBLIC: dict[str, Any] = {
    "pot": lambda s: s.__setattr__("pot", 2),
    "own money": lambda s: s.money.__setitem__(0, 3),
    "first player": lambda s: s.__setattr__("first_player", 2),
    "bid": lambda s: s.bids.__setitem__(1, 4),
    "high bid": lambda s: s.__setattr__("high_bid", 4),
    "passed": lambda s: s.passed.__setitem__(1, 1),
    "a tile of another's film": lambda s: s.tiles.__setitem__(
        (film_number(GAME, "Casablanca"), 1), 18
    ),
    "red tiles": lambda s: s.red.__setitem__(3, 2),
    "tokens": lambda s: s.__setattr__("free_tokens", 2**30 - 2),
    "an award": lambda s: s.awards.__setitem__(3, 0),
    "the pile": lambda s: s.__setattr__("pile_taken", 1),
    "the top of the pile": lambda s: s.pile.__setitem__(0, int(s.pile[1])),
    "the lot": lambda s: s.lot.__setitem__(1, 17),
    "a hand": lambda s: s.hand.__setitem__(0, 17),
    "a city to come": lambda s: s.deck.__setitem__(0, int(s.deck[0]) ^ 1),
    "the round": lambda s: s.__setattr__("round_number", 1),
    "whose turn it is": lambda s: s.__setattr__("to_move", 3),
    "a film of another": lambda s: s.in_production.__setitem__((2, 1), -1),
}


@pytest.mark.parametrize("what", PUBLIC)
def test_a_visible_thing_changes_the_observation(what: str) -> None:
    game = GAME.copy()
    before = game.observe(0).tobytes()
    PUBLIC[what](game.state)
    assert game.observe(0).tobytes() != before


@pytest.mark.rule("D3")
def test_others_money_is_seen_only_where_it_is_open() -> None:
    for players, how, open_ in [(2, "rule", True), (4, "rule", False), (4, "never", True)]:
        game = DreamFactory(players, seed=1, hidden_money=how)
        before = game.observe(0).tobytes()
        game.state.money[1] += 1
        assert (game.observe(0).tobytes() != before) == open_


def test_blocks_say_what_they_mean_from_the_players_own_seat() -> None:
    game = stacked({(1, "City 1"): ["actor 3", "guest -1"]}, players=3, first_player=1)
    game.play("bid 4").play("pass")
    for player, seats in [(0, [0, 1, 2]), (1, [1, 2, 0]), (2, [2, 0, 1])]:
        assert block(game, player, "phase") == [0, 1, 0, 0, 0]
        assert block(game, player, "players") == [0, 1, 0, 0]
        assert np.argmax(block(game, player, "first_player")) == seats.index(1)
        assert np.argmax(block(game, player, "to_move")) == seats.index(0)
        bids = block(game, player, "bids")
        assert bids[seats.index(1)] == [1, 0.2, 0]
        assert bids[seats.index(2)] == [0, 0, 1]
        assert block(game, player, "money")[0] == 0.6
        assert block(game, player, "money_seen") == [1, 0, 0, 0, 0]
    assert block(game, 0, "lot")[0] == [1, 0, 0, 0, 0, 0, 0, 1]
    first_city = block(game, 0, "to_come")[0]
    assert first_city[0] == [0, 1, 0, 0, 0, 0, 0, 0.75]
    assert first_city[1] == [0, 0, 0, 0, 0, 0, 1, -0.25]
    assert first_city[2] == [0] * 8


def test_a_film_is_told_with_what_it_lacks() -> None:
    game = give(stacked(studios=[3, 1, 2, 4]), 0, "guest 3")
    lay(game, "Casablanca", director="director 4", blank="agency 2", guest="guest -1")
    film = OBSERVATION_SPEC.block(game.observe(0), "films")[0, 0]
    assert film[spec.IS_THERE] == 1
    assert film[spec.GENRE : spec.GENRE + 3].tolist() == [1, 0, 0]
    assert film[spec.SCORE] == pytest.approx((3 + 4 + 2 - 1) / 20)
    assert film[spec.OPEN_SPACES] == pytest.approx(3 / 5)
    lacking = film[spec.OPEN_BY_KIND : spec.OPEN_BY_KIND + 6]
    assert lacking.tolist() == [0, 0.5, 0.5, 0.5, 0, 0]
    assert film[spec.GUEST : spec.GUEST + 2].tolist() == [1, -0.25]
    assert OBSERVATION_SPEC.block(game.observe(1), "films")[3, 0].tolist() == film.tolist()


def best_filling(tiles: list[int], spaces: list[int]) -> tuple[int, int]:
    """Returns how many open spaces the tiles fill, and with how many stars, by trying all."""
    if not tiles:
        return 0, 0
    first, rest = tiles[0], tiles[1:]
    ways = [best_filling(rest, spaces)]
    for place, space in enumerate(spaces):
        if fits(first, space, NO_TILE):
            filled, stars = best_filling(rest, spaces[:place] + spaces[place + 1 :])
            ways.append((filled + 1, stars + stars_of(first)))
    return max(ways)


def open_spaces(game: DreamFactory, film: int) -> list[int]:
    kinds, tiles = game.params[0].space_kind[film], game.state.tiles[film]
    return [int(kinds[k]) for k in range(GUEST_SPACE) if kinds[k] != 0 and tiles[k] == NO_TILE]


def offer_to(game: DreamFactory, film: int, tiles: list[int]) -> list[float]:
    """Returns what tiles do for a film: those that are no agencies first, in the best way."""
    state, spaces = game.state, open_spaces(game, film)
    plain = [tile for tile in tiles if kind_of(tile) != Kind.AGENCY]
    agencies = sorted((stars_of(tile) for tile in tiles if tile not in plain), reverse=True)
    filled, stars = best_filling(plain, spaces)
    more = agencies[: len(spaces) - filled]
    filled, stars = filled + len(more), stars + sum(more)
    if state.tiles[film, GUEST_SPACE] == NO_TILE:
        guests = [stars_of(tile) for tile in plain if kind_of(tile) == Kind.GUEST]
        stars += max(guests, default=0)
    finished = 0 < filled == len(spaces)
    score = film_stars(state, game.params[0], film) + stars if finished else 0
    return [filled / 3, stars / 8, float(finished), score / 20]


@settings(max_examples=30, deadline=None)
@given(options=OPTIONS, seed=SEEDS, style=st.sampled_from(list(STYLES)))
@pytest.mark.rule("D17", "D18", "D19")
def test_everybody_sees_what_the_tiles_on_offer_do_for_each_film(
    options: dict[str, Any], seed: int, style: str
) -> None:
    game = DreamFactory(seed=seed, **options)
    rng = random.Random(seed)
    while not game.over:
        state = game.state
        tiles = {Phase.AUCTION: state.lot, Phase.PLACING: state.hand}.get(state.phase, [])
        tiles = [int(tile) for tile in tiles if tile != NO_TILE]
        seen = game.observe(0)
        films, fits_of = (
            OBSERVATION_SPEC.block(seen, "films"),
            OBSERVATION_SPEC.block(seen, "party_fits"),
        )
        expected = np.zeros(fits_of.shape)
        for p, slot in np.ndindex(game.players, 3):
            film = int(state.in_production[p, slot])
            if film == NOTHING:
                continue
            offer = offer_to(game, film, tiles)
            if state.phase == Phase.PLACING and p != game.to_move:
                offer = [0, 0, 0, 0]
            assert films[p, slot, spec.OFFER :] == pytest.approx(offer, abs=1e-6)
            if state.phase == Phase.PARTY:
                for place, tile in enumerate(int(tile) for tile in state.lot):
                    spaces = open_spaces(game, film)
                    if tile != NO_TILE and any(fits(tile, kind, NO_TILE) for kind in spaces):
                        expected[p, place] += [1 / 3, (len(spaces) == 1) / 3]
        assert fits_of == pytest.approx(expected, abs=1e-6)
        game.play(STYLES[style](game.legal(), rng))


def test_unseen_tiles_are_those_face_down_or_not_drawn() -> None:
    game = DreamFactory(5, seed=1)
    assert OBSERVATION_SPEC.block(game.observe(0), "unseen").sum() * 8 == pytest.approx(89 - 12)
    give_all_away(game, (1, "Party 1"))
    assert OBSERVATION_SPEC.block(game.observe(0), "unseen").sum() * 8 == pytest.approx(89 - 12 - 5)
    give_all_away(game, (5, ""))
    unseen = OBSERVATION_SPEC.block(game.observe(0), "unseen")
    assert unseen.sum() * 8 == pytest.approx(1)
    choosing = DreamFactory(5, seed=1, choose_studio=True)
    assert OBSERVATION_SPEC.block(choosing.observe(0), "unseen").sum() * 8 == pytest.approx(89)


def test_an_observation_is_explained_in_words() -> None:
    game = stacked(
        {(1, "City 1"): ["actor 3", "guest -1"]}, players=3, first_player=1, pile=["Bambi"]
    )
    lay(game, "Vertigo", director="director 4", guest="guest 2")
    text = explain(game.play("bid 4").play("pass").observe(0))
    for part in [
        "auction, 3 players, edition dream_factory",
        "round 1, location 1, seat 0 to move, seat 1 first",
        "bids: 0: -, 1: 4, 2: - (passed)",
        "on the location: director 4; in hand: -",
        "cities to come: actor 3, guest -1 | ",
        "pile: 7 left, on top entertainment with 4 stars; director: -, music: -, music: -, ",
        "seat 0: money 12, red 1, finished films 0 worth 0",
        "seat 1: money hidden",
        "  drama with 11 stars; director: director 4, actor: -, camera: -, music: -, guest: 2",
        "awards on films given: 0; tokens free: 30",
    ]:
        assert part in text, text


def test_every_observation_of_whole_games_can_be_explained() -> None:
    for seed in range(4):
        game = DreamFactory(2 + seed, seed=seed, choose_studio=True)
        rng = random.Random(seed)
        while not game.over:
            assert explain(game.observe(1))
            game.play(STYLES["thrifty"](game.legal(), rng))
        assert explain(game.observe(0)).startswith("over, ")


@pytest.mark.parametrize("player", [-1, 4, None])
def test_nobody_else_sees_anything(player: Any) -> None:
    with pytest.raises(OptionError, match="there are players 0 to 3"):
        DreamFactory(4, seed=1).observe(player)


def test_an_observation_of_another_shape_is_refused() -> None:
    with pytest.raises(OptionError, match="an observation has the shape"):
        explain(np.zeros(3))

"""Set-up and the course of a round: D1 to D8."""

from __future__ import annotations

from collections import Counter

import pytest

from dreamfactory_env import DreamFactory
from tests.games.dream_factory.staging import give_all_away, stacked

SEEDS = range(300)


@pytest.mark.rule("D1")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_each_player_has_the_three_films_of_one_studio(players: int) -> None:
    game = DreamFactory(players, seed=3)
    studios = game.setup()["studios"]
    assert len(set(studios)) == players
    for seat, studio in enumerate(studios):
        printed = {s.title for s in game.options.components.screenplays if s.studio == studio}
        assert {film.title for film in game.films(seat)} == printed
        assert {film.genre for film in game.films(seat)} == {"drama", "adventure", "entertainment"}
    assert (game.state.owner >= 0).sum() == 3 * players  # the other studios are out of the game


@pytest.mark.rule("D1")
def test_studios_are_dealt_at_random() -> None:
    dealt = Counter(tuple(DreamFactory(2, seed=seed).setup()["studios"]) for seed in SEEDS)
    assert len(dealt) == 20  # every pair of different studios
    assert max(dealt.values()) < 40  # 15 of each to be expected


@pytest.mark.rule("D1")
@pytest.mark.parametrize("edition", ["dream_factory", "traumfabrik"])
def test_studios_are_chosen_in_turn_from_those_left_before_the_tiles_are_laid_out(
    edition: str,
) -> None:
    game = stacked(players=3, first_player=1, choose_studio=True, edition=edition)
    assert game.phase == "studio"
    assert game.setup()["studios"] == []
    assert all(game.lot_of(0, location) is None for location in range(8))
    offered = {f"studio {n}" for n in range(1, 6)}
    for seat, choice in [(1, "studio 4"), (2, "studio 1"), (0, "studio 5")]:
        assert game.to_move == seat
        assert set(game.legal()) == offered
        game.play(choice)
        offered.remove(choice)
    assert game.films(1)[0].title == "North by Northwest"
    assert (game.phase, game.to_move) == ("auction", 1)


@pytest.mark.rule("D1")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_all_five_studios_are_offered_and_none_is_dealt_where_players_choose(players: int) -> None:
    for seed in range(20):
        game = DreamFactory(players, seed=seed, choose_studio=True)
        assert game.legal() == [f"studio {n}" for n in range(1, 6)]
        assert game.to_move == game.setup()["first_player"]
        assert not any(game.films(seat) for seat in range(players))
        assert not DreamFactory(players, seed=seed).state.studio[players:].any()


@pytest.mark.rule("D2")
@pytest.mark.parametrize(
    ("players", "each", "total"), [(2, 12, 24), (3, 12, 36), (4, 12, 48), (5, 10, 50)]
)
def test_everyone_starts_with_12_or_10_when_five_play(players: int, each: int, total: int) -> None:
    game = DreamFactory(players, seed=1)
    assert game.money == [each] * players
    assert sum(game.money) + game.state.pot == total


@pytest.mark.rule("D4")
def test_there_are_thirty_tokens_all_free_in_total_order() -> None:
    game = DreamFactory(seed=1)
    doubles = range(8, 15)
    expected = [w for n in range(23) for w in ([f"{n}", f"{n}+"] if n in doubles else [f"{n}"])]
    assert list(game.options.components.tokens) == expected
    assert int(game.state.free_tokens) == 2**30 - 1


@pytest.mark.rule("D5")
def test_the_89_tiles_and_the_seven_free_screenplays_are_shuffled() -> None:
    games = [DreamFactory(4, seed=seed) for seed in SEEDS]
    decks = [game.setup()["deck"] for game in games]
    piles = [game.setup()["pile"] for game in games]
    contents = Counter(decks[0])
    assert sum(contents.values()) == 89
    assert contents["actor 1"] == 6
    assert contents["guest -1"] == 1
    assert all(Counter(deck) == contents for deck in decks)
    assert len({tuple(deck) for deck in decks}) == len(decks)
    assert all(sorted(pile) == sorted(piles[0]) and len(pile) == 7 for pile in piles)
    # An even shuffle: each place has each kind about as often as the deck does.
    for place in (0, 44, 88):
        actors = sum(deck[place].startswith("actor") for deck in decks)
        assert 35 <= actors <= 95  # 64 to be expected, sd 7
    tops = Counter(pile[0] for pile in piles)
    assert len(tops) == 7
    assert max(tops.values()) < 80  # 43 to be expected, sd 6


@pytest.mark.rule("D5")
def test_the_top_of_the_pile_is_face_up() -> None:
    game = stacked(pile=["Bambi", "King Kong"])
    assert "pile: Bambi on top of 6" in str(game)


@pytest.mark.rule("D6")
def test_the_first_player_is_drawn_at_random() -> None:
    drawn = Counter(DreamFactory(5, seed=seed).setup()["first_player"] for seed in SEEDS)
    assert sorted(drawn) == [0, 1, 2, 3, 4]
    assert max(drawn.values()) < 95  # 60 to be expected, sd 7


@pytest.mark.rule("D7")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_round_begins_with_a_full_board(players: int) -> None:
    game = DreamFactory(players, seed=9)
    deck = game.setup()["deck"]
    drawn = 0
    for number in range(4):
        give_all_away(game, (number + 1, "Hollywood"))
        for location, size in enumerate([0, 2, 3, players, 2, 3, 2, players]):
            shown = game.lot_of(number, location)
            if location == 0:
                assert shown == ["director 4"]
            elif location in (3, 7):
                assert shown is None  # face down until the party begins
            else:
                assert shown == deck[drawn : drawn + size]
            drawn += size
        give_all_away(game, (number + 1, "Party 2"))
        assert game.lot == deck[drawn - players : drawn]
    assert drawn == 4 * (12 + 2 * players)


@pytest.mark.rule("D7")
def test_the_next_round_is_not_seen_before_it_begins() -> None:
    game = DreamFactory(4, seed=9)
    assert all(game.lot_of(1, location) is None for location in range(8))
    give_all_away(game, (2, "Hollywood"))
    assert game.lot_of(1, 1) is not None


@pytest.mark.rule("D8")
def test_locations_are_visited_clockwise_four_times() -> None:
    game = DreamFactory(3, seed=4)
    visited: list[tuple[int, str]] = []
    while not game.over:
        now = (int(game.state.round_number) + 1, game.location)
        if visited[-1:] != [now]:
            visited.append(now)
        game.play(game.legal()[0])
    board = ["Hollywood", "City 1", "City 2", "Party 1", "City 3", "City 4", "City 5", "Party 2"]
    assert visited == [(number, name) for number in (1, 2, 3, 4) for name in board]

"""Awards and the end: D25 to D30."""

from __future__ import annotations

from typing import Any

import pytest

from dreamfactory_env import DreamFactory
from dreamfactory_env.games.dream_factory.state import Phase
from tests.games.dream_factory.staging import film, film_number, give, give_all_away, lay, stacked


def finished_films(*films: tuple[int, str, str], **options: Any) -> DreamFactory:
    """Returns a game with finished films: owner, title and token of each, in that order."""
    game = stacked(studios=[1, 2, 3, 4][: options.get("players", 4)], **options)
    for owner, title, token in films:
        mark_finished(game, owner, title, token)
    return game


def mark_finished(game: DreamFactory, owner: int, title: str, token: str) -> None:
    """Finishes a film as it lies, with that token."""
    s = game.state
    number = film_number(game, title)
    s.owner[number] = owner
    s.in_production[s.in_production == number] = -1
    s.finished[int(s.finished_count)] = number
    s.finished_count += 1
    k = game.options.components.tokens.index(token)
    s.rank[number] = k
    s.free_tokens = int(s.free_tokens) & ~(1 << k)


def play_out(game: DreamFactory, until: tuple[int, str] = (5, "")) -> DreamFactory:
    """Ends a game, or a part of it, without another film."""
    return give_all_away(game, until)


def award(game: DreamFactory, name: str) -> Any:
    """Returns the film or the player that has an award, None if nobody has."""
    for given in game.awards():
        if given["award"] == name:
            return given.get("film", given.get("player"))
    return None


# ---------------------------------------------------------------------------- awards


@pytest.mark.rule("D25", "D28")
def test_the_first_film_of_a_genre_gets_five_points_at_once() -> None:
    game = stacked(studios=[1, 2, 3, 4])
    lay(game, "Vertigo", director="director 1", actor="actor 1", camera="camera 1")
    give(game, 0, "music 1").play("place music 1 on Vertigo/music")
    assert award(game, "first drama") == "Vertigo"
    assert film(game, "Vertigo").awards == ("first drama",)
    assert game.scores()[0] == 12 + 9 + 5
    lay(game, "The Grapes of Wrath", director="director 3", actor="actor 3", camera="camera 3")
    give(game, 1, "effects 3").play("place effects 3 on The Grapes of Wrath/effects")
    assert award(game, "first drama") == "Vertigo"  # not for the second drama, though better
    assert game.scores()[1] == 12 + 16
    lay(game, "The Court Jester", director="director 0", actor="actor 0")
    give(game, 0, "music 0").play("place music 0 on The Court Jester/music")
    assert award(game, "first adventure") == "The Court Jester"


@pytest.mark.rule("D26")
def test_the_best_film_so_far_gets_five_points_after_each_of_three_rounds() -> None:
    game = finished_films((0, "Vertigo", "12"), (1, "The Grapes of Wrath", "12+"))
    play_out(game, (2, "Hollywood"))
    assert award(game, "best film round 1") == "The Grapes of Wrath"  # the + ranks higher
    assert game.scores() == [12 + 12, 12 + 12 + 5, 12, 12]
    play_out(game, (3, "Hollywood"))
    assert award(game, "best film round 2") == "The Grapes of Wrath"  # again
    mark_finished(game, 2, "Casablanca", "13")
    play_out(game, (4, "Hollywood"))
    assert award(game, "best film round 3") == "Casablanca"
    play_out(game)
    assert [a["award"] for a in game.awards() if "round" in a["award"]] == [
        "best film round 1",
        "best film round 2",
        "best film round 3",
    ]


@pytest.mark.rule("D26")
def test_without_a_finished_film_a_round_has_no_award() -> None:
    game = play_out(stacked(), (2, "Hollywood"))
    assert game.awards() == []
    mark_finished(game, 0, "Vertigo", "9")
    play_out(game, (3, "Hollywood"))
    assert award(game, "best film round 1") is None
    assert award(game, "best film round 2") == "Vertigo"


@pytest.mark.rule("D27")
def test_the_best_film_of_each_genre_and_the_worst_of_all_get_ten_points() -> None:
    game = finished_films(
        (0, "Vertigo", "9"),
        (1, "The Grapes of Wrath", "9+"),
        (2, "Arsenic and Old Lace", "4"),
        (3, "Gone with the Wind", "21"),
        (2, "The Sea Hawk", "5"),
    )
    play_out(game)
    assert award(game, "best drama") == "The Grapes of Wrath"
    assert award(game, "best entertainment") == "Gone with the Wind"
    assert award(game, "best adventure") == "The Sea Hawk"
    assert award(game, "worst film") == "Arsenic and Old Lace"
    points = {a["award"]: a["points"] for a in game.awards()}
    assert points["best drama"] == points["worst film"] == 10
    assert game.scores() == [12 + 9, 12 + 9 + 10, 12 + 4 + 5 + 20, 12 + 21 + 15 + 10]


@pytest.mark.rule("D27", "D28")
def test_a_lone_film_is_the_best_of_its_genre_and_the_worst_of_all() -> None:
    game = play_out(finished_films((0, "Vertigo", "9")))
    assert film(game, "Vertigo").awards == (
        "best film round 1",
        "best film round 2",
        "best film round 3",
        "best drama",
        "worst film",
    )
    assert award(game, "best adventure") is None
    assert game.scores()[0] == 12 + 9 + 15 + 20


@pytest.mark.rule("D27", "D22")
def test_a_film_without_a_token_is_the_worst_of_all_and_a_later_one_worse() -> None:
    game = finished_films(
        (0, "Vertigo", "0"), (1, "The Grapes of Wrath", "3"), (2, "Casablanca", "1")
    )
    game.state.rank[film_number(game, "The Grapes of Wrath")] = -1
    game.state.rank[film_number(game, "Casablanca")] = -2
    play_out(game)
    assert award(game, "worst film") == "Casablanca"
    assert award(game, "best drama") == "Vertigo"


def directors(*stars: tuple[str, str]) -> DreamFactory:
    """Returns the end of a game with finished films on which these director tiles lie."""
    game = stacked(studios=[1, 2, 3, 4])
    for title, tile in stars:
        lay(game, title, director=tile)
        owner = int(game.state.owner[film_number(game, title)])
        mark_finished(game, owner, title, f"{1 + int(game.state.finished_count)}")
    return play_out(game)


@pytest.mark.rule("D27")
def test_the_best_director_is_the_player_with_most_stars_over_all_finished_films() -> None:
    game = directors(
        ("Vertigo", "director 2"),
        ("The Court Jester", "director 3"),
        ("The Grapes of Wrath", "director 4"),
    )
    assert award(game, "best director") == 0
    assert game.awards()[-1] == {"award": "best director", "points": 10, "player": 0}


@pytest.mark.rule("D27")
def test_a_tie_for_best_director_goes_to_nobody() -> None:
    tied = [
        ("Vertigo", "director 3"),
        ("Casablanca", "director 3"),
        ("The King and I", "director 2"),
    ]
    assert award(directors(*tied), "best director") is None
    assert award(directors(*tied, ("Harvey", "director 4")), "best director") is None
    third = [("Gone with the Wind", "director 4")]
    assert award(directors(*tied, *third), "best director") == 3
    assert award(directors(*third, *tied), "best director") == 3
    assert award(play_out(stacked()), "best director") is None  # nobody has a star


@pytest.mark.rule("D27")
def test_agencies_and_unfinished_films_do_not_count_for_best_director() -> None:
    game = stacked(studios=[1, 2, 3, 4])
    lay(game, "Vertigo", director="agency 2")
    lay(game, "Casablanca", director="director 1")
    lay(game, "The Grapes of Wrath", director="director 4")
    mark_finished(game, 0, "Vertigo", "9")
    mark_finished(game, 2, "Casablanca", "8")
    assert award(play_out(game), "best director") == 2


@pytest.mark.rule("D27")
def test_covered_directors_do_not_count() -> None:
    game = stacked(studios=[1, 2, 3, 4])
    lay(game, "Vertigo", actor="actor 1", camera="camera 1")
    give(game, 0, "director 3", "director 1", "music 0")
    game.play("place director 3 on Vertigo/director")
    game.play("place director 1 on Vertigo/director")
    game.play("place music 0 on Vertigo/music")
    lay(game, "Casablanca", director="director 2")
    mark_finished(game, 2, "Casablanca", "3")
    assert award(play_out(game), "best director") == 2


# ---------------------------------------------------------------------------- the end


def at_the_end(game: DreamFactory, money: list[int]) -> DreamFactory:
    """Ends a game here and now, with that money."""
    game.state.money[: game.players] = money
    game.state.phase = Phase.OVER
    return game


@pytest.mark.rule("D29")
def test_three_films_three_awards_and_five_in_money_make_65() -> None:
    # The worked example of the 2009 rulebook.
    game = finished_films(
        (0, "Vertigo", "10"), (0, "The Court Jester", "12"), (0, "The Ten Commandments", "18")
    )
    game.state.awards[:2] = film_number(game, "Vertigo")
    game.state.awards[6] = film_number(game, "Vertigo")
    at_the_end(game, [5, 0, 0, 0])
    assert game.scores()[0] == 10 + 12 + 18 + 5 + 5 + 10 + 5 == 65


@pytest.mark.rule("D29", "D4")
def test_a_plus_adds_no_points() -> None:
    game = at_the_end(finished_films((0, "Vertigo", "10+"), (1, "Casablanca", "10")), [0, 0, 0, 0])
    assert game.scores()[:2] == [10, 10]


@pytest.mark.rule("D29")
def test_unfinished_films_and_the_middle_count_for_nobody() -> None:
    game = stacked()
    lay(game, "Vertigo", director="director 4", actor="actor 3", camera="camera 3")
    game.state.pot = 2
    assert at_the_end(game, [1, 2, 3, 4]).scores() == [1, 2, 3, 4]


@pytest.mark.rule("D30")
@pytest.mark.parametrize("edition", ["dream_factory", "traumfabrik"])
def test_most_points_win(edition: str) -> None:
    game = finished_films((0, "Vertigo", "22"), edition=edition)
    assert at_the_end(game, [0, 23, 0, 0]).winners() == [1]


@pytest.mark.rule("D30")
def test_a_tie_goes_to_the_highest_film_in_the_2009_edition_and_is_shared_in_the_2000_one() -> None:
    films = [(0, "Vertigo", "12"), (1, "The Grapes of Wrath", "12+"), (2, "Casablanca", "22")]
    for edition, winners in [("dream_factory", [1]), ("traumfabrik", [0, 1])]:
        game = finished_films(*films, edition=edition)
        assert at_the_end(game, [20, 20, 1, 0]).scores() == [32, 32, 23, 0]
        assert game.winners() == winners  # Casablanca is higher, but not in the tie


@pytest.mark.rule("D30")
def test_a_tie_without_any_film_is_shared_in_both_editions() -> None:
    for edition in ("dream_factory", "traumfabrik"):
        game = at_the_end(stacked(edition=edition), [10, 3, 10, 2])
        assert game.winners() == [0, 2]


@pytest.mark.rule("D30")
def test_in_a_tie_any_film_beats_none() -> None:
    game = finished_films((1, "Vertigo", "0"))
    assert at_the_end(game, [10, 10, 3, 2]).winners() == [1]


@pytest.mark.rule("D30", "D22")
def test_in_a_tie_even_a_film_without_a_token_beats_none_and_a_later_one() -> None:
    game = finished_films((1, "Vertigo", "0"), (2, "Casablanca", "1"))
    game.state.rank[film_number(game, "Vertigo")] = -1
    game.state.rank[film_number(game, "Casablanca")] = -2
    assert at_the_end(game.copy(), [10, 10, 3, 2]).winners() == [1]
    assert at_the_end(game.copy(), [10, 3, 10, 2]).winners() == [2]
    assert at_the_end(game.copy(), [3, 10, 10, 2]).winners() == [1]


@pytest.mark.rule("D30")
def test_everybody_passing_all_game_long_is_a_tie_of_all() -> None:
    for edition in ("dream_factory", "traumfabrik"):
        game = play_out(DreamFactory(3, seed=1, edition=edition))
        assert game.over
        assert game.scores() == [12, 12, 12]
        assert game.winners() == [0, 1, 2]

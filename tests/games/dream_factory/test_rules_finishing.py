"""Finishing films: D21 to D24."""

from __future__ import annotations

import pytest

from dreamfactory_env import DreamFactory, IllegalMove
from tests.games.dream_factory.staging import film, give, lay, placements, stacked


def nearly_done(*hand: str, stars: int = 0, **options: object) -> DreamFactory:
    """Returns a game in which only the music of The Court Jester (2 stars) is missing."""
    game = stacked(studios=[1, 2, 3, 4], **options)  # type: ignore[arg-type]
    director, actor = min(stars, 4), max(stars - 4, 0)
    lay(game, "The Court Jester", director=f"director {director}", actor=f"actor {actor}")
    return give(game, 0, *hand)


def take_tokens(game: DreamFactory, *words: str) -> None:
    """Takes tokens away, as if they lay on other films."""
    for word in words:
        k = game.options.components.tokens.index(word)
        game.state.free_tokens = int(game.state.free_tokens) & ~(1 << k)


def finish(game: DreamFactory, music: str = "music 0") -> str | None:
    """Finishes The Court Jester and returns its token."""
    game.play(f"place {music} on The Court Jester/music")
    done = film(game, "The Court Jester")
    assert done.finished
    token = done.token
    assert token is None or isinstance(token, str)
    return token


@pytest.mark.rule("D21")
def test_a_film_is_finished_when_all_but_the_guest_space_is_covered() -> None:
    game = nearly_done("guest 1", "music 3")
    game.play("place guest 1 on The Court Jester/guest")
    assert not film(game, "The Court Jester").finished
    game.play("place music 3 on The Court Jester/music")
    assert film(game, "The Court Jester").finished
    assert film(game, "The Court Jester").spaces["guest"] == "guest 1"


@pytest.mark.rule("D21")
def test_a_guest_space_empty_at_the_finish_stays_empty() -> None:
    game = nearly_done("music 3", "guest 1")
    game.play("place music 3 on The Court Jester/music")
    assert film(game, "The Court Jester").finished
    assert "The Court Jester/guest" not in placements(game)
    with pytest.raises(IllegalMove):
        game.play("place guest 1 on The Court Jester/guest")


@pytest.mark.rule("D21")
def test_blank_spaces_must_be_covered_too() -> None:
    game = stacked(studios=[4, 1, 2, 3])
    lay(game, "The Three Musketeers", director="director 0", effects="effects 1")
    give(game, 0, "camera 1")
    assert not film(game, "The Three Musketeers").finished
    game.play("place camera 1 on The Three Musketeers/blank")
    assert film(game, "The Three Musketeers").finished


@pytest.mark.rule("D21", "D18")
def test_agencies_finish_a_film() -> None:
    game = nearly_done("agency 2", stars=3)
    game.play("place agency 2 on The Court Jester/music")
    assert film(game, "The Court Jester").token == "7"


@pytest.mark.rule("D22")
def test_the_score_is_the_printed_stars_and_those_on_top() -> None:
    game = nearly_done("actor 1", "guest 3", "music 2", stars=6)  # 2 printed, director 4, actor 2
    game.play("place actor 1 on The Court Jester/actor")  # covers the 2
    game.play("place guest 3 on The Court Jester/guest")
    assert finish(game, "music 2") == "12+"
    assert film(game, "The Court Jester").stars == 2 + 4 + 1 + 2 + 3


@pytest.mark.rule("D22")
def test_the_black_star_takes_one_away() -> None:
    game = nearly_done("guest -1", "music 0", stars=1)
    game.play("place guest -1 on The Court Jester/guest")
    assert finish(game) == "2"


@pytest.mark.rule("D22", "D4")
def test_the_plus_token_goes_first_then_the_plain_one_then_the_next_lower() -> None:
    for taken, expected in [
        ([], "9+"),
        (["9+"], "9"),
        (["9+", "9"], "8+"),
        (["9+", "9", "8+"], "8"),
        (["9+", "9", "8+", "8", "7", "6"], "5"),
        (["9"], "9+"),
        (["10", "10+", "8"], "9+"),
    ]:
        game = nearly_done("music 0", stars=7)
        take_tokens(game, *taken)
        assert finish(game) == expected
        assert game.scores()[0] == 12 + int(expected.rstrip("+")) + 5  # money, token, first film


@pytest.mark.rule("D22")
def test_more_than_the_highest_token_counts_as_the_highest() -> None:
    game = stacked(studios=[1, 2, 3, 4])
    lay(game, "Vertigo", director="director 6", actor="actor 6", camera="camera 6", guest="guest 3")
    give(game, 0, "music 0").play("place music 0 on Vertigo/music")
    done = film(game, "Vertigo")
    assert (done.stars, done.token) == (26, "22")


@pytest.mark.rule("D22")
def test_less_than_zero_counts_as_zero() -> None:
    game = nearly_done("music 0", stars=0)
    lay(game, "The Court Jester", actor="actor -1", director="director -1", guest="guest -1")
    give(game, 0, "music -1")
    assert finish(game, "music -1") == "0"
    assert film(game, "The Court Jester").stars == -2


@pytest.mark.rule("D22")
def test_without_a_token_at_or_below_a_film_is_worth_nothing_and_ranks_lowest() -> None:
    game = nearly_done("music 0", "music 0", stars=0)
    take_tokens(game, "0", "1", "2")
    assert finish(game) is None
    lay(game, "Vertigo", director="director -1", actor="actor -1", camera="camera -1")
    take_tokens(game, "3", "4", "5")
    game.play("place music 0 on Vertigo/music")
    assert film(game, "Vertigo").token is None
    assert game.scores()[0] == 12 + 5 + 5  # money and two first films
    first, second = game.finished()
    ranks = game.state.rank
    assert ranks[second] < ranks[first] < 0


@pytest.mark.rule("D22")
def test_each_token_is_taken_once() -> None:
    game = nearly_done("music 0", stars=7)
    assert finish(game) == "9+"
    assert "tokens taken: 9+" in str(game)
    lay(game, "Vertigo", director="director 1", actor="actor 1", camera="camera 1")
    give(game, 0, "music 1").play("place music 1 on Vertigo/music")
    assert film(game, "Vertigo").token == "9"


@pytest.mark.rule("D23")
def test_a_finished_film_takes_no_tile() -> None:
    game = nearly_done("music 0", stars=3)
    finish(game)
    for words in ["director 4", "actor 3", "music 3", "agency 2", "guest 3"]:
        give(game, 0, words)
        assert not any(where.startswith("The Court Jester/") for where in placements(game))


@pytest.mark.rule("D24")
def test_a_film_finished_by_the_first_of_three_tiles() -> None:
    # The worked example of both rulebooks: the rest may go on any film, the new one too.
    game = nearly_done("music 1", "director 3", "camera 2", pile=["From Here to Eternity", "Bambi"])
    game.play("place music 1 on The Court Jester/music")
    assert "From Here to Eternity" in [f.title for f in game.films(0)]
    assert "pile: Bambi on top of 5" in str(game)
    assert placements(game) >= {"From Here to Eternity/director", "Vertigo/director"}
    game.play("place director 3 on From Here to Eternity/director")
    game.play("place camera 2 on From Here to Eternity/camera")
    assert film(game, "From Here to Eternity").stars == 4 + 3 + 2


@pytest.mark.rule("D24")
def test_from_an_empty_pile_nothing_is_taken() -> None:
    game = nearly_done("music 1", "actor 2")
    game.state.pile_taken = 7
    game.play("place music 1 on The Court Jester/music")
    unfinished = [f.title for f in game.films(0) if not f.finished]
    assert unfinished == ["Vertigo", "The Ten Commandments"]
    assert {where.split("/")[0] for where in placements(game)} == set(unfinished)
    assert "pile: empty" in str(game)


@pytest.mark.rule("D24", "D16")
def test_without_any_film_left_tiles_can_only_be_discarded() -> None:
    game = nearly_done("music 1", "actor 2")
    game.state.pile_taken = 7
    game.play("place music 1 on The Court Jester/music")
    game.state.in_production[0] = -1
    assert game.legal() == ["discard actor 2"]

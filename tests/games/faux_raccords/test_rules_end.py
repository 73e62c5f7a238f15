"""The end of the game: F21 to F23, and the result of F28."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.faux_raccords.building import FEATURE, WINNING, built, places
from tests.games.faux_raccords.rule_staging import MakeGame, open_engine

MODES = list(WINNING)
KEYS = {"scores", "winners", "ending", "player", "conditions", "genre", "film"}


def conditions_of(make_game: MakeGame, mode: str, film: str, **chosen: Any) -> dict[str, bool]:
    """Returns the conditions of a game that is ended at once, with a Film of so many cards."""
    players = chosen.pop("players", 3)
    game = make_game(mode, players, film=film.split(), **chosen).play("end")
    conditions: dict[str, bool] = game.result()["conditions"]
    return conditions


# ---------------------------------------------------------------------------- ending


@pytest.mark.rule("F21", "F12", "F28")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("mode", MODES)
def test_end_ends_the_game_at_once_and_the_film_is_judged(
    make_game: MakeGame, mode: str, players: int
) -> None:
    game = make_game(mode, players, first=1).idle().play("end")
    assert game.over
    assert game.legal() == set()
    assert game.to_move is None
    result = game.result()
    assert set(result) >= KEYS
    assert result["ending"] == "end"
    assert result["player"] == 2 % players
    assert result["scores"] == [0] * players
    assert result["winners"] == []
    assert result["conditions"]["size"] is False


@pytest.mark.rule("F21", "F18")
def test_end_comes_without_hint_and_hazards(make_game: MakeGame) -> None:
    """A hazard is never due when an action is chosen, so the state of the Film is the last one."""
    game = make_game("feature", 3).play("end")
    assert game.over
    assert len(game.result()["film"]) == 8


@pytest.mark.rule("F21", "F28")
@pytest.mark.parametrize(
    ("mode", "names"),
    [
        ("tutorial", "size order"),
        ("feature", "size order doubles genre"),
        ("shorts", "size order doubles genre"),
        ("series", "size order doubles genre"),
        ("arcs", "size order doubles genre"),
        ("studio", "size levels symbols"),
    ],
)
def test_each_mode_has_its_conditions(make_game: MakeGame, mode: str, names: str) -> None:
    result = make_game(mode).play("end").result()
    assert set(result["conditions"]) == set(names.split())
    assert all(type(met) is bool for met in result["conditions"].values())
    pairs = {"tutorial": 0, "studio": 0, "shorts": 2}
    assert len(result["genre"]) == pairs.get(mode, 1)


# ---------------------------------------------------------------------------- winning


@pytest.mark.rule("F21", "F23", "F3", "F28")
@pytest.mark.parametrize("mode", MODES)
def test_a_film_that_meets_all_conditions_wins_for_everybody(
    make_game: MakeGame, mode: str
) -> None:
    film = places(mode, WINNING[mode])
    game = built(make_game, mode, film).play("end")
    result = game.result()
    assert result["film"] == film
    assert all(result["conditions"].values())
    assert result["winners"] == [0, 1, 2]
    assert result["scores"] == [1, 1, 1]
    if "score" in result:  # the engine grades; the referee does not
        assert result["score"] == 100


@pytest.mark.rule("F21", "F12", "F16")
@pytest.mark.parametrize("mode", ["series", "arcs", "studio"])
def test_a_full_shape_takes_no_more_cards(make_game: MakeGame, mode: str) -> None:
    game = built(make_game, mode, places(mode, WINNING[mode]))
    assert not game.offers("place")
    assert game.offers("call")
    scripts = {"1b", "3", "9", "19b", "21", "23", "28"}
    while not game.over and not game.hand() & scripts:
        game.idle().to_action()
    game.play(f"call {min(game.hand() & scripts)}")
    assert not game.offers("show")  # there is no place
    assert "no effect" not in game.legal()


@pytest.mark.rule("F21", "F6")
@pytest.mark.parametrize("mode", ["tutorial", "feature", "shorts"])
def test_one_card_more_or_less_than_the_aim_does_not_win(make_game: MakeGame, mode: str) -> None:
    film = places(mode, WINNING[mode])
    fewer = dict(list(film.items())[:-1])
    result = built(make_game, mode, fewer).result_now()
    assert (result["conditions"]["size"], result["winners"]) == (False, [])
    assert all(met for name, met in result["conditions"].items() if name != "size")
    game = built(make_game, mode, film)
    game.play(f"place {min(game.hand())}", "at 1" if mode != "shorts" else "at B1")
    if game.offers("move clap from"):
        game.play(min(game.legal()))
    assert game.to_action().result_now()["conditions"]["size"] is False


@pytest.mark.rule("F21", "F3")
def test_each_of_the_shorts_must_have_eight_cards(make_game: MakeGame) -> None:
    rows = ["1 3 4 8 10b 15 17 24 26", "5 6 12 13 14 16 19"]
    result = built(make_game, "shorts", places("shorts", rows)).result_now()
    conditions = {"size": False, "order": True, "doubles": True, "genre": True}
    assert result["conditions"] == conditions
    assert result["genre"] == [9, 6]


# ---------------------------------------------------------------------------- order and doubles


@pytest.mark.rule("F21")
@pytest.mark.parametrize(
    ("film", "order", "doubles"),
    [
        ("1 3 5 8 12 20 27 28", True, True),
        ("1 3 5 8 20 12 27 28", False, True),
        ("3 1 5 8 12 20 27 28", False, True),
        ("1 3 5 8 12 20 28 27", False, True),
        ("1 1b 5 8 12 20 27 28", False, False),  # strictly
        ("10b 3 5 8 10 20 27 28", False, False),
    ],
)
def test_a_line_must_rise_strictly(
    make_game: MakeGame, film: str, order: bool, doubles: bool
) -> None:
    conditions = conditions_of(make_game, "feature", film)
    assert (conditions["order"], conditions["doubles"]) == (order, doubles)


@pytest.mark.rule("F21")
@pytest.mark.parametrize(
    ("film", "order", "doubles"),
    [
        ("20 21 22 23 1 2 3 4", True, True),  # each line by itself
        ("20 21 22 23 1 2 4 3", False, True),
        ("20 22 21 23 1 2 3 4", False, True),
        ("1 21 22 23 1b 2 3 4", True, False),  # twice in both together
    ],
)
def test_each_of_the_shorts_must_rise_and_no_value_may_be_in_both(
    make_game: MakeGame, film: str, order: bool, doubles: bool
) -> None:
    conditions = conditions_of(make_game, "shorts", film)
    assert (conditions["order"], conditions["doubles"]) == (order, doubles)


@pytest.mark.rule("F21", "F7")
@pytest.mark.parametrize(
    ("film", "order", "doubles"),  # 1/1 1/3 1/4, 4/1 4/2 4/4
    [
        ("1 5 9 12 15 20", True, True),
        ("5 1 9 12 15 20", False, True),  # a row, over a gap
        ("1 5 9 12 21 20", False, True),
        ("5 8 21 12 15 20", False, True),  # a column, over a gap
        ("13 15 18 12 16 20", False, True),
        ("1 12 13 2 3 14", True, True),  # 1/3 and 4/2 have nothing in common
        ("1 10 13 2 10b 14", True, False),
        ("1 5 9 1b 15 20", False, False),
    ],
)
def test_rows_and_columns_of_a_series_must_rise_over_their_gaps(
    make_game: MakeGame, film: str, order: bool, doubles: bool
) -> None:
    conditions = conditions_of(make_game, "series", film)
    assert (conditions["order"], conditions["doubles"]) == (order, doubles)


@pytest.mark.rule("F21", "F8")
@pytest.mark.parametrize(
    ("film", "order", "doubles"),  # 1/1 1/2 1/3, 2/1 2/2, 3/1
    [
        ("1 3 6 2 5 4", True, True),
        ("1 2 6 3 5 4", True, True),  # in a column there is no order
        ("2 1 6 3 5 4", False, True),  # 1/1 and 1/2
        ("2 3 6 1 5 4", False, True),  # 1/1 and 2/1
        ("1 6 5 2 7 4", False, True),  # 1/2 and 1/3
        ("1 6 7 2 5 4", False, True),  # 1/2 and 2/2
        ("1 3 6 5 4 7", False, True),  # 2/1 and 2/2
        ("1 3 7 5 6 4", False, True),  # 2/1 and 3/1
        ("1 10 14 10b 15 16", True, False),  # a value twice in a column
    ],
)
def test_cards_that_touch_sideways_in_arcs_must_rise_to_the_right(
    make_game: MakeGame, film: str, order: bool, doubles: bool
) -> None:
    conditions = conditions_of(make_game, "arcs", film)
    assert (conditions["order"], conditions["doubles"]) == (order, doubles)


@pytest.mark.rule("F21", "F9")
@pytest.mark.parametrize(
    ("film", "levels", "symbols"),  # three, two, one
    [
        ("1 10b 17 3 8 2", True, True),  # love, laughter, action
        ("1 10b 3 6 14 2", True, True),  # two symbols on a level
        ("1 3 6 2 11 4", False, True),  # three
        ("1 10b 17 23 3 2", True, False),  # love on two levels
        ("1 3 6 23 11 7", False, False),
        ("4 13 7 9 5 10", True, False),  # neutral on two levels
        ("4 7 1 2 11 13", False, False),  # the joker is a symbol like the others
        ("28 1 6 3 8 2", True, True),  # values do not count
    ],
)
def test_a_level_of_a_studio_has_two_symbols_at_most_and_shares_none(
    make_game: MakeGame, film: str, levels: bool, symbols: bool
) -> None:
    conditions = conditions_of(make_game, "studio", film)
    assert conditions == {"size": False, "levels": levels, "symbols": symbols}


# ---------------------------------------------------------------------------- genre


@pytest.mark.rule("F22")
def test_a_comedy_drama_with_6_15_16_and_a_joker_scores_4(make_game: MakeGame) -> None:
    """The example of the rulebook; its joker is the second card."""
    film = ["2", "4", "6", "7", "9", "15", "16", "18"]
    moods = [["laughter", "drama"]]
    result = make_game("feature", film=film, moods=moods).play("end").result()
    assert result["genre"] == [4]
    assert result["conditions"]["genre"] is False


@pytest.mark.rule("F22", "F21")
@pytest.mark.parametrize(
    ("film", "score"),
    [
        ("1 3 4 8 10b 13 15 18", 7),
        ("1 3 4 8 10b 13 16 18", 6),
        ("1 3 4 8 10b 13 15 17", 8),
    ],
)
def test_a_genre_score_of_7_is_enough_and_6_is_not(
    make_game: MakeGame, film: str, score: int
) -> None:
    chosen = {"film": film.split(), "moods": [["love", "laughter"]]}
    result = make_game("feature", 3, **chosen).play("end").result()
    assert result["genre"] == [score]
    assert result["conditions"]["genre"] is (score >= 7)


@pytest.mark.rule("F22", "F21")
@pytest.mark.parametrize("mode", ["series", "arcs"])
def test_the_other_shapes_need_7_as_well(make_game: MakeGame, mode: str) -> None:
    chosen: dict[str, Any] = {"moods": [["love", "laughter"]]}
    hands = [["15"]]
    game = make_game(mode, 3, film=["1", "3", "4", "8", "10b", "13"], hands=hands, **chosen)
    result = game.result_now()
    assert (result["genre"], result["conditions"]["genre"]) == ([6], False)
    place = {"series": "3/4", "arcs": "2/3"}[mode]
    result = game.turn("place 15", f"at {place}").to_action().result_now()
    assert (result["genre"], result["conditions"]["genre"]) == ([7], True)


@pytest.mark.rule("F22", "F21")
@pytest.mark.parametrize(
    ("rows", "scores"),
    [
        (["1 2 3 4 8 10b", "5 6 12 13 14 16"], [5, 5]),
        (["1 2 3 4 7 10b", "5 6 12 13 14 16"], [4, 5]),
        (["1 2 3 4 8 10b", "5 6 12 13 14 20"], [5, 4]),
        (["1 2 3 4 8 10b 17", "5 6 12 13 20 22"], [6, 3]),
    ],
)
def test_each_of_the_shorts_needs_5_with_its_own_moods(
    make_game: MakeGame, rows: list[str], scores: list[int]
) -> None:
    result = built(make_game, "shorts", places("shorts", rows)).result_now()
    assert result["genre"] == scores
    assert result["conditions"]["genre"] is (min(scores) >= 5)


@pytest.mark.rule("F23", "F21")
@pytest.mark.parametrize("broken", ["order", "genre"])
def test_all_conditions_must_be_met(make_game: MakeGame, broken: str) -> None:
    cards = FEATURE.split()
    moods = [["love", "laughter"]]
    if broken == "order":
        cards[13], cards[14] = cards[14], cards[13]
    else:
        moods = [["action", "mystery"]]
    film = {str(number): card for number, card in enumerate(cards, start=1)}
    result = built(make_game, "feature", film, moods).result_now()
    assert [name for name, met in result["conditions"].items() if not met] == [broken]
    assert (result["winners"], result["scores"]) == ([], [0, 0, 0])


@pytest.mark.rule("F23")
@pytest.mark.parametrize("won", [True, False])
def test_all_seats_are_paid_the_same(engine: Any, won: bool) -> None:
    """1 or 0 each, or the graded score / 100; -1 each after an illegal action."""
    make_game = MakeGame(open_engine)
    if won:
        game: Any = built(make_game, "tutorial", places("tutorial", WINNING["tutorial"])).game
    else:
        game = make_game("tutorial", 3).game
    spec = game.spec
    assert spec.rewards[0] == "win"  # the default
    assert game.returns(spec.payoff(), offender=1).tolist() == [-1, -1, -1]
    game.play("end")
    score = game.result()["score"]
    assert game.winners() == ([0, 1, 2] if won else [])
    assert game.returns(spec.payoff()).tolist() == [int(won)] * 3
    assert game.returns(spec.payoff("score")).tolist() == pytest.approx([score / 100] * 3)
    assert (score == 100) == won

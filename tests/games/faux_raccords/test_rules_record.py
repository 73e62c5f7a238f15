"""The length of a game, and what a record says: F27 and F28."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.games.faux_raccords.referee import HABITS, check_record, choose, longest
from tests.games.faux_raccords.referee_cards import random_setup
from tests.games.faux_raccords.rule_staging import MakeGame, Table, make_setup

MODES = ["tutorial", "feature", "shorts", "series", "arcs", "studio"]
EACH_GAME = pytest.mark.parametrize(
    ("mode", "players"), [(mode, players) for mode in MODES for players in (2, 3, 4)]
)


def random_game(make_game: MakeGame, mode: str, players: int, habit: str) -> Table:
    """Returns a game that was played to its end at random."""
    rng = random.Random(f"{mode} {players} {habit}")
    config = {"players": players, "mode": mode}
    game = Table(make_game.opener, config, random_setup(players, mode, rng))
    while not game.over:
        game.play(choose(sorted(game.legal()), HABITS[habit], rng))
    return game


# ---------------------------------------------------------------------------- length


@pytest.mark.rule("F27")
@EACH_GAME
@pytest.mark.parametrize("habit", ["long", "builder", "caller", "giver"])
def test_no_game_is_longer_than_the_proven_bound(
    make_game: MakeGame, mode: str, players: int, habit: str
) -> None:
    words = random_game(make_game, mode, players, habit).words
    cards = 24 if mode == "tutorial" else 32
    start = len(make_setup(mode, players)["film"])
    verbs = [each.split()[0] for each in words]
    assert verbs.count("call") + verbs.count("view") <= cards
    assert verbs.count("place") + verbs.count("view") <= cards - start
    assert len(words) <= longest(players, mode)


@pytest.mark.rule("F27")
def test_the_bounds_are_those_of_the_rules() -> None:
    assert longest(4, "arcs") == longest(4, "series") == longest(4, "studio") == 357
    assert max(longest(players, mode) for players in (2, 3, 4) for mode in MODES) == 357
    assert longest(2, "tutorial") == 4 * 20 + 7 * 24 + 10 + 1


@pytest.mark.rule("F27", "F13", "F16")
def test_a_placement_has_four_decisions_and_a_call_six(make_game: MakeGame) -> None:
    game = make_game("tutorial", hands=[["2", "3", "4"], ["7", "8", "9"]], deck=["5"])
    for card in ("2", "3", "4"):
        game.turn(f"place {card}", "at 1").idle(keep=["7"])
    before = len(game.words)
    game.turn("place 5", "at 1", "move clap from 2")
    assert len(game.words) == before + 4
    game.turn("call 7", "take 1", "take 1", "put at 1", "put at 1")
    assert len(game.words) == before + 10
    assert "end" in game.legal()


@pytest.mark.rule("F27")
@EACH_GAME
def test_the_engine_declares_its_actions_and_a_bound(engine: Any, mode: str, players: int) -> None:
    spec = engine(players=players, mode=mode, seed=0).spec
    assert spec.num_actions == 202
    assert spec.max_length <= 357


# ---------------------------------------------------------------------------- set-up


@pytest.mark.rule("F28")
@EACH_GAME
def test_a_game_from_a_set_up_says_the_same_set_up(engine: Any, mode: str, players: int) -> None:
    config = {"players": players, "mode": mode}
    for seed in range(5):
        game = engine(seed=seed, **config)
        assert game.config().items() >= config.items()
        assert engine.from_setup(game.config(), game.setup()).setup() == game.setup()
        setup = random_setup(players, mode, random.Random(seed))
        assert engine.from_setup(game.config(), setup).setup() == setup


@pytest.mark.rule("F28", "F1", "F2", "F3")
@EACH_GAME
@pytest.mark.parametrize(
    "wrong", ["seat", "hand", "film", "double", "removed", "hazards", "unknown", "moods", "key"]
)
def test_a_set_up_that_nobody_can_have_dealt_is_refused(
    make_game: MakeGame, mode: str, players: int, wrong: str
) -> None:
    setup = make_setup(mode, players)
    if wrong == "seat":
        setup["first_player"] = players
    elif wrong == "hand":
        setup["deck"].append(setup["hands"][0].pop())
    elif wrong == "film":
        setup["deck"].append(setup["film"].pop())
    elif wrong == "double":
        setup["deck"][0] = setup["deck"][1]
    elif wrong == "removed":
        setup["removed"].append(setup["deck"].pop())
    elif wrong == "hazards":
        setup["hazards"] = [*setup["hazards"], "lost reel"]
    elif wrong == "unknown":
        setup["hazards"] = [*setup["hazards"][1:], "strike"]
    elif wrong == "moods":
        setup["moods"] = [*setup["moods"], ["love", "love"]]
    else:
        del setup["deck"]
    with pytest.raises(ValueError):
        make_game.opener({"players": players, "mode": mode}, setup)


# ---------------------------------------------------------------------------- moves and result


@pytest.mark.rule("F28")
def test_a_move_that_is_not_legal_is_refused_and_changes_nothing(make_game: MakeGame) -> None:
    game = make_game("feature", hands=[["7", "12", "1b"], ["3", "20", "28"]], first=1)
    legal = game.legal()
    for words in ("place 7", "at 2", "call", "no hint", "pass 3", "view 3", ""):
        with pytest.raises(ValueError):
            game.game.play(words)
        assert (game.to_move, game.legal()) == (1, legal)
    game.play("end")
    with pytest.raises(ValueError):
        game.game.play("end")


@pytest.mark.rule("F28")
def test_the_words_are_those_of_the_example(make_game: MakeGame) -> None:
    hands = [["7", "12", "1b"], ["3", "20", "28"]]
    film = ["5", "19b"]
    hazards = ["walk-out", "reshoot", "power cut"]
    moods = [["fear", "love"]]
    game = make_game(
        "feature", first=1, deck=["9"], hands=hands, film=film, hazards=hazards, moods=moods
    )
    game.play("call 20", "no hint", "place 7", "at 2", "hint good", "on 1")
    assert game.to_move == 1
    assert game.line()[:3] == ["5", "7", "19b"]
    assert "9" in game.hand()


@pytest.mark.rule("F28")
@EACH_GAME
def test_the_result_says_everything(make_game: MakeGame, mode: str, players: int) -> None:
    game = random_game(make_game, mode, players, "viewer")
    result = game.result()
    won = all(result["conditions"].values())
    assert result["scores"] == [int(won)] * players
    assert result["winners"] == (list(range(players)) if won else [])
    assert result["ending"] in ("end", "empty hand")
    assert result["player"] in range(players)
    assert all(isinstance(score, int) for score in result["genre"])
    assert all(isinstance(card, str) for card in result["film"].values())
    # The referee confirms it; who was asked is found by playing once more.
    again = Table(game.opener, game.config, game.setup)
    moves = []
    for words in game.words:
        moves.append([again.to_move, 0, words])
        again.play(words)
    assert again.result() == result
    record = {
        "format": "dreamfactory-record/1",
        "game": "faux_raccords",
        "config": game.config,
        "setup": game.setup,
        "moves": moves,
        "result": {"score": 100 * won, **result},
    }
    assert check_record(record) == []

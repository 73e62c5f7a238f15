"""What games declare, and the options that are made from it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dreamfactory_env import DreamFactory, GameError, OptionError
from dreamfactory_env.engine.returns import Payoff, Reward
from dreamfactory_env.games import DEFAULT_GAME, GAMES, game_named, new_game
from dreamfactory_env.games.spec import Option, Utility, check_shaping
from tests.toy_game import SignalGame

ZERO_SUM, SHARED = DreamFactory.spec, SignalGame.spec


def test_a_game_is_found_by_its_name_or_its_class(toy: type[SignalGame]) -> None:
    assert game_named("toy") is game_named(SignalGame) is toy
    assert game_named(DEFAULT_GAME) is DreamFactory
    for wrong, hint in (("toi", "did you mean 'toy'"), (3, ""), (int, "")):
        with pytest.raises(
            GameError, match=f"unknown game .*known are dream_factory, .*toy.*{hint}"
        ):
            game_named(wrong)


def test_the_fixture_leaves_no_toy_behind() -> None:
    assert next(iter(GAMES)) == DEFAULT_GAME
    assert "toy" not in GAMES


def test_a_new_game_has_its_options_and_the_seed_zero(toy: type[SignalGame]) -> None:
    game = new_game("toy", {"players": 3, "memory": True})
    assert (game.players, game.seed, game.values["memory"]) == (3, 0, True)
    assert game == SignalGame(3, seed=0, memory=True)
    with pytest.raises(OptionError, match="unknown option 'seed'; those of the game are players, "):
        new_game("toy", {"seed": 1})


def test_zero_sum_and_shared_games_differ_in_rewards_and_in_who_else_plays() -> None:
    assert (ZERO_SUM.shared, ZERO_SUM.rewards, ZERO_SUM.others) == (
        False,
        ("win", "rank", "score"),
        "opponents",
    )
    assert (SHARED.shared, SHARED.rewards, SHARED.others) == (True, ("win", "score"), "partners")
    assert list(ZERO_SUM.player_counts) == [2, 3, 4, 5]
    assert list(SHARED.player_counts) == [2, 3]
    assert [spec.utility for spec in (ZERO_SUM, SHARED)] == list(Utility)


def test_what_depends_on_options_is_true_for_the_game() -> None:
    plain, remembering = SignalGame(2, seed=1), SignalGame(2, seed=1, memory=True, goal=4)
    sizes = [game.spec.observation.size for game in (plain, remembering)]
    assert sizes == [26, 30] == [len(game.observe(0)) for game in (plain, remembering)]
    assert plain.spec.observation.fingerprint() != remembering.spec.observation.fingerprint()
    assert remembering.spec.max_length == plain.spec.max_length + 1
    assert remembering.spec.payoff("score").scale == 4
    assert SignalGame.spec.observation.size == 26


def test_a_payoff_is_what_compiled_code_takes() -> None:
    assert ZERO_SUM.payoff() == Payoff(False, int(Reward.WIN), 50.0, 0.0)
    assert SHARED.payoff("score", 1) == Payoff(True, int(Reward.SCORE), 3.0, 1.0)


def test_an_unknown_reward_is_refused() -> None:
    with pytest.raises(OptionError, match="of win, rank, score, not 'scores'; did you mean 'scor"):
        ZERO_SUM.payoff("scores")
    with pytest.raises(OptionError, match="reward must be one of win, score, not 'rank'"):
        SHARED.payoff("rank")


@pytest.mark.parametrize("weight", [-1, float("nan"), float("inf"), "0.5", None, True])
def test_a_wrong_weight_of_shaping_is_refused(weight: Any) -> None:
    with pytest.raises(OptionError, match="shaping must be a number from 0"):
        check_shaping(weight)
    with pytest.raises(OptionError, match="shaping must be a number from 0"):
        SHARED.payoff("win", weight)


def test_a_game_without_shaping_refuses_it() -> None:
    unshaped = replace(SHARED, shaping=False)
    assert unshaped.payoff("win", 0.0).shaping == 0
    with pytest.raises(OptionError, match="Signals offers no shaping: shaping must be 0, not"):
        unshaped.payoff("win", 0.5)


# ---------------------------------------------------------------------------- options


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 4}, "players must be 2 to 3, not 4"),
        ({"players": "2"}, "players must be 2 to 3, not '2'"),
        ({"goal": 5}, "goal must be one of 2, 3, 4, not 5"),
        ({"goal": True}, "goal must be one of 2, 3, 4, not True"),
        ({"goal": 3.0}, "goal must be one of 2, 3, 4, not 3.0"),
        ({"goal": "3"}, "goal must be one of 2, 3, 4, not '3'"),
        ({"memory": 1}, "memory must be True or False, not 1"),
        ({"memory": None}, "memory must be True or False, not None"),
        ({"memry": True}, "unknown option 'memry'; .*players, goal, memory; did you mean 'memory'"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        SignalGame(**{"players": 2, "seed": 1, **options})


def test_options_are_kept_as_plain_values() -> None:
    game = SignalGame(np.int64(3), seed=1, goal=np.int8(2), memory=np.bool_(True))  # type: ignore[arg-type]
    assert game.values == {"players": 3, "goal": 2, "memory": True}
    assert [type(value) for value in game.values.values()] == [int, int, bool]
    assert SignalGame(seed=1).values == {"players": 2, "goal": 3, "memory": False}
    assert SHARED.option_names == ["players", "goal", "memory"]


def test_an_option_reads_text() -> None:
    goal, memory = SHARED.options
    assert goal.read_text("3") == 3
    assert [memory.read_text(text) for text in ("true", "Yes", "1")] == [True] * 3
    assert [memory.read_text(text) for text in ("false", "no", "0")] == [False] * 3
    for option, text, message in (
        (goal, "many", "goal must be a number, not 'many'"),
        (memory, "maybe", "memory must be true or false, not 'maybe'"),
    ):
        with pytest.raises(OptionError, match=message):
            option.read_text(text)
    assert Option("share", float, 0.5, "a share").read_text("0.25") == 0.25


def test_an_option_says_what_it_may_be() -> None:
    goal, memory = SHARED.options
    assert [option.values_in_words() for option in (goal, memory)] == ["2, 3, 4", "true, false"]
    words = {str: "a text", int: "a number", float: "a number", Path: "a file"}
    for kind, text in words.items():
        assert Option("x", kind, None, "x").values_in_words() == text


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [(str, "a", 3), (int, 3, "3"), (float, 0.5, "0.5"), (bool, True, 1)],
)
def test_an_option_checks_its_type(kind: type, right: Any, wrong: Any) -> None:
    option = Option("x", kind, right, "x")
    assert option.check(right) == right
    with pytest.raises(OptionError, match="x must be "):
        option.check(wrong)


def test_options_go_through_a_config() -> None:
    game = SignalGame(3, seed=1, goal=4, memory=True)
    assert game.config() == {"players": 3, "goal": 4, "memory": True}
    assert SignalGame.from_config(game.config(), seed=1) == game
    for config, message in (
        (None, "config must be an object, not None"),
        ({"players": 3, "goal": 4}, "config has no 'memory'"),
        ({"goal": 4, "memory": True}, "config has no 'players'"),
        ({**game.config(), "gaol": 1}, "unknown option 'gaol'; .*did you mean 'goal'"),
        ({**game.config(), "goal": 9}, "goal must be one of 2, 3, 4, not 9"),
    ):
        with pytest.raises(OptionError, match=message):
            SignalGame.from_config(config, seed=1)

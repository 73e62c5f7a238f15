from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dreamfactory_env import DreamFactory, FabriqueAReves, FauxRaccords
from dreamfactory_env.games.game import Game
from dreamfactory_env.policies import policy_named, view_of
from dreamfactory_env.policies.network import NetworkPolicy, write_network
from dreamfactory_env.policies.search import Search
from dreamfactory_env.utils.errors import IllegalMove, OptionError
from dreamfactory_env.viewer.judging import QUARTER, Judge, compare, floor_of, verdict_of
from tests.policies.test_rollouts import advanced


@pytest.mark.parametrize(
    ("difference", "error", "verdict"),
    [
        (5.0, 1.0, "mistake"),
        (3.0, 1.0, "unclear"),  # three standard errors, not more
        (2.0, 1.0, "unclear"),
        (0.9, 0.1, "unclear"),  # sure to be better, by less than counts or not
        (0.5, 0.1, "fine"),  # sure to be better, and by less than counts
        (1.0, 0.0, "mistake"),
        (0.0, 0.0, "fine"),
        (-1.0, 5.0, "fine"),
    ],
)
def test_a_mistake_exceeds_three_standard_errors_and_the_floor(
    difference: float, error: float, verdict: str
) -> None:
    assert verdict_of(difference, error, floor=1.0) == verdict


def test_the_floor_is_a_part_of_the_scale_of_points() -> None:
    floors = [floor_of(game.spec) for game in (DreamFactory, FauxRaccords, FabriqueAReves)]
    assert floors == pytest.approx([1.0, 2.0, 0.4])


@pytest.mark.parametrize(
    ("game", "judge"),
    [
        (DreamFactory(3, seed=5), "mcts:20"),
        (DreamFactory(4, seed=5), "pretrained"),
        (FauxRaccords(2, seed=5), "mcts:20"),
        (FabriqueAReves(3, seed=5), "nearest"),
    ],
)
def test_a_judgement_depends_on_what_the_player_knows_alone(game: Game, judge: str) -> None:
    game = advanced(game.copy(), 5)
    seat = game.to_move
    assert seat is not None
    played = game.legal()[-1]
    found = [
        Judge(position, judge, deals=30).decision(position, 5, played)
        for position in (game, game.resample_hidden(seat, 1), game.resample_hidden(seat, 2))
    ]
    assert found[0] == found[1] == found[2]
    assert json.loads(json.dumps(found[0], allow_nan=False)) == found[0]


def test_a_search_tells_visits_and_means_in_points() -> None:
    game = advanced(DreamFactory(3, seed=5), 5)
    seat = game.to_move
    assert seat is not None
    judge = Judge(game, "mcts:50", deals=30)
    found = judge.decision(game, 5)
    assert {move["words"]: move["action"] for move in found["moves"]} == game.legal_actions()
    assert sum(move["visits"] for move in found["moves"]) == 50
    assert found["preferred"] == found["moves"][0]["words"]
    assert sum(found["values"]) == pytest.approx(0, abs=1e-2)
    assert found["moves"][0]["mean"] == pytest.approx(found["values"][seat])
    assert found["played"] is None
    assert found["verdict"] is None
    for move in found["moves"]:
        assert (move["mean"] is None) == (move["visits"] == 0)
        assert (move["se"] is None) == (move["visits"] < 10)
    assert set(found["scripted"]) == set(game.spec.ladder[1:])
    assert set(found["scripted"].values()) <= set(game.legal())
    assert found["observation"] == game.observation_to_string(game.observe(seat))


def test_a_network_tells_probabilities_and_plays_the_likeliest() -> None:
    game = advanced(DreamFactory(4, seed=5), 9)
    found = Judge(game, "pretrained", deals=30).decision(game, 9)
    shares = [move["p"] for move in found["moves"]]
    assert sum(shares) == pytest.approx(1, abs=1e-2)
    assert shares == sorted(shares, reverse=True)
    action = policy_named("pretrained", game).act(view_of(game))
    assert found["preferred"] == game.action_to_string(action)
    assert found["values"] is None


def test_a_network_with_a_value_tells_what_it_expects(tmp_path: Path) -> None:
    game = advanced(DreamFactory(4, seed=5), 9)
    policy = NetworkPolicy(game, game.agents["pretrained"])
    tensors = {name: part for name, part in policy.tensors.items() if "value" not in name}
    value = {"value.weight": np.zeros((1, policy.layers[-1])), "value.bias": np.array([0.25])}
    path = tmp_path / "valued.safetensors"
    write_network(path, game, {**tensors, **value}, {"value": "win"}, hint=policy.hint)
    judge = Judge(game, str(path), deals=30)
    assert judge.settings["foresees"] == "win"
    assert judge.decision(game, 9)["expected"] == 0.25
    write_network(path, game, tensors, {"value": "win"}, hint=policy.hint)
    without = Judge(game, str(path), deals=30)  # what it says of itself does not make a value
    assert "foresees" not in without.settings
    assert without.decision(game, 9)["expected"] is None
    assert Judge(game, "expert", deals=30).decision(game, 9)["expected"] is None


def test_chances_and_points_are_those_of_the_games_that_were_played() -> None:
    game = advanced(DreamFactory(3, seed=5), 40)
    legal = list(game.legal_actions().values())
    found = compare(game, [legal[0], legal[-1]], 50, seed=1)
    assert np.array(found.chances).shape == (3, 3)
    assert np.array(found.chances).sum(axis=1) == pytest.approx(np.ones(3), abs=1e-3)
    assert len(found.points) == 3
    alone = compare(game, [legal[-1]], QUARTER * found.deals, seed=1)
    assert (alone.difference, alone.error) == (0, 0)
    assert alone.deals == found.deals  # one alone needs no more than a quarter
    assert (alone.points, alone.chances) == (found.points, found.chances)
    shared = compare(FauxRaccords(2, seed=5), [legal_of(FauxRaccords(2, seed=5))], 10, seed=1)
    assert len(shared.chances) == 1
    assert sum(shared.chances[0]) == pytest.approx(1)


def legal_of(game: Game) -> int:
    return next(iter(game.legal_actions().values()))


def test_where_the_answer_is_clear_a_quarter_of_the_deals_will_do() -> None:
    game = DreamFactory(2, seed=7)
    legal = list(game.legal_actions().values())
    clear = compare(game, [legal[0], legal[-1]], 200, seed=1)
    assert (clear.deals, clear.difference > 5 * clear.error) == (50, True)
    close = next(
        found
        for action in legal[2:]
        if (found := compare(game, [legal[1], action], 200, seed=1)).deals == 200
    )
    assert close.difference < 5 * close.error * 2
    assert compare(game, [legal[0]], 200, seed=1).deals == 50


def test_differences_are_paired_and_their_errors_are_honest() -> None:
    """Repeated with other deals, the difference scatters about as widely as its error says."""
    game = advanced(DreamFactory(2, seed=8), 10)
    legal = list(game.legal_actions().values())
    found = [compare(game, [legal[0], legal[-1]], 60, seed=seed) for seed in range(20)]
    scatter = np.std([each.difference for each in found], ddof=1)
    assert 0.6 < scatter / np.mean([each.error for each in found]) < 1.6


def test_an_obvious_blunder_is_a_mistake_and_the_best_move_is_fine() -> None:
    game = blunder()
    worst = max(game.legal_actions(), key=lambda words: game.legal_actions()[words])
    judge = Judge(game, "expert", deals=200)
    found = judge.decision(game, 0, worst)
    assert worst.startswith("bid")
    assert found["verdict"] == "mistake"
    assert found["difference"] > 3 * found["se"] > 0
    best = judge.decision(game, 0, found["preferred"])
    assert (best["verdict"], best["difference"], best["se"]) == ("fine", 0, 0)


def blunder() -> DreamFactory:
    """Returns an auction in which somebody could give all of their money for the first lot."""
    return DreamFactory(2, seed=7)


def test_one_legal_move_is_forced() -> None:
    game = DreamFactory(2, seed=7)
    while game.legal_count() > 1:
        game.play(game.legal()[0])
    for judge in ("mcts:20", "expert", "pretrained"):
        found = Judge(game, judge, deals=30).decision(game, 3, game.legal()[0])
        assert (found["verdict"], found["preferred"]) == ("forced", game.legal()[0])


def test_what_cannot_be_judged_is_refused() -> None:
    game = DreamFactory(2, seed=7)
    with pytest.raises(OptionError, match="unknown policy"):
        Judge(game, "nobody")
    with pytest.raises(OptionError, match="at least 30 deals"):
        Judge(game, "expert", deals=29)
    with pytest.raises(IllegalMove, match="fly"):
        Judge(game, "expert").decision(game, 0, "fly")
    while not game.over:
        game.play(game.legal()[0])
    with pytest.raises(OptionError, match="over"):
        Judge(game, "expert").decision(game, 0)


def test_a_judge_and_its_deals_are_other_ones_than_those_of_the_search() -> None:
    """A move that the search found lucky must not be compared on its lucky deals."""
    game = advanced(DreamFactory(2, seed=5), 4)
    found: Any = Judge(game, "mcts:30", deals=30).decision(game, 4, game.legal()[-1])
    again: Any = Judge(game, "mcts:30", deals=30, seed=1).decision(game, 4, game.legal()[-1])
    assert found["moves"] != again["moves"]
    assert found["points"] != again["points"]
    assert Search(30).analyse(game).iterations == 30

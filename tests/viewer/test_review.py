from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from dreamfactory_env import DreamFactory, FabriqueAReves
from dreamfactory_env.games.game import Game
from dreamfactory_env.records.format import make_record, replay_moves
from dreamfactory_env.utils.errors import GameError, OptionError, RecordError
from dreamfactory_env.viewer.position_code import position_code, start_code
from dreamfactory_env.viewer.review import Review, totals_of
from tests.viewer.judged_games import short_record, short_review


def review(**changes: Any) -> Review:
    return Review(short_record(), "mcts:20", **{"deals": 40, **changes})


def test_every_decision_is_judged_and_the_totals_are_their_sums() -> None:
    found, moves = short_review().analysis, short_record()["moves"]
    assert [int(key) for key in found["decisions"]] == list(range(len(moves)))
    for (seat, _, words), decision in zip(moves, found["decisions"].values(), strict=True):
        assert (decision["seat"], decision["played"]) == (seat, words)
        assert (decision["verdict"] == "forced") == (len(decision["moves"]) == 1)
    for seat, total in enumerate(found["totals"]):
        own = [each for each in found["decisions"].values() if each["seat"] == seat]
        verdicts = [each["verdict"] for each in own]
        assert total["decisions"] == len(own) == sum(total[name] for name in set(verdicts))
        cost = sum(each["difference"] for each in own if each["verdict"] == "mistake")
        assert total["lost"] == pytest.approx(cost, abs=0.01)
    random, greedy = found["totals"]
    assert random["mistake"] > greedy["mistake"]  # the judge knows who is weaker
    assert random["lost"] > greedy["lost"]


def test_mistakes_exceed_three_standard_errors_and_the_floor() -> None:
    found = short_review().analysis
    verdicts = set()
    for decision in found["decisions"].values():
        verdicts.add(decision["verdict"])
        large = decision["difference"] > 3 * decision["se"]
        large = large and decision["difference"] >= found["settings"]["floor"]
        assert (decision["verdict"] == "mistake") == large
    assert verdicts >= {"fine", "mistake", "forced"}


def test_the_same_seed_gives_the_same_review_in_pieces_or_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "review.json"
    first = review()
    list(islice(first.decisions(), 7))
    first.write(path)
    second = review()
    second.resume(path)
    assert second.done == 7
    assert next(iter(second.decisions())) == 7  # nothing is judged twice
    list(second.decisions())
    assert second.analysis == short_review().analysis
    other = review(seed=1)
    assert next(iter(other.decisions())) == 0
    whole = short_review().analysis["decisions"]["0"]
    assert other.analysis["decisions"]["0"]["moves"] != whole["moves"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"judge": "mcts:30"}, "another review: its judge is 'mcts:30'"),
        ({"record": "0" * 32}, "another review: its record"),
        ({"format": "x"}, "another review: its format"),
        ({"settings": {}}, "another review: its settings"),
        ({"decisions": []}, "is no review"),
        ({"decisions": {"0": {}}}, "damaged at decision '0'"),
        ({"decisions": {"x": {}}}, "damaged at decision 'x'"),
        ({"decisions": {"9999": {}}}, "damaged at decision '9999'"),
    ],
)
def test_the_file_of_another_review_or_a_damaged_one_is_refused(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    path = tmp_path / "review.json"
    path.write_text(json.dumps(short_review().analysis | changes))
    fresh = review()
    with pytest.raises(OptionError, match=message):
        fresh.resume(path)
    assert fresh.done == 0


@pytest.mark.parametrize("text", ["", "{", "[]", "nan", '{"decisions": {}, "decisions": {}}'])
def test_what_is_no_review_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "review.json"
    path.write_text(text)
    with pytest.raises(OptionError, match="review"):
        review().resume(path)


def test_what_is_no_game_or_no_judge_is_refused() -> None:
    record = short_record()
    with pytest.raises(OptionError, match="unknown policy"):
        Review(record, "nobody")
    with pytest.raises(RecordError, match="wrong keys"):
        Review({}, "expert")
    with pytest.raises(GameError, match="not legal"):
        Review({**record, "moves": [[0, 9999, "fly"]]}, "expert")


def test_a_game_that_is_not_over_is_judged_as_far_as_it_goes() -> None:
    record = {**short_record(), "moves": short_record()["moves"][:3], "result": None}
    found = Review(record, "expert", deals=30)
    assert list(found.decisions()) == [0, 1, 2]


def test_totals_of_nothing_are_zeros() -> None:
    assert [total["decisions"] for total in totals_of({}, 3)] == [0, 0, 0]


# ---------------------------------------------------------------------------- as Python


def run(code: str) -> Game:
    names: dict[str, Any] = {}
    exec(code, names)
    game: Game = names["game"]
    return game


@pytest.mark.parametrize(
    "start",
    [
        DreamFactory(3, seed=2**62, edition="traumfabrik"),
        DreamFactory(2, seed=4, components="tiny"),
        FabriqueAReves(2, seed=4, mode="friday"),
    ],
)
def test_a_position_as_python_makes_that_position(start: Game) -> None:
    game, actions = start.copy(), []
    for _ in range(4):
        actions.append(next(iter(game.legal_actions().values())))
        game.play(actions[-1])
    record = make_record(start, actions, ["a"] * start.players)
    assert run(position_code(record, 4)) == game
    assert run(position_code(record, 0)) == run(start_code(record)) == start
    without_seed = {**record, "seed": None}
    assert run(position_code(without_seed, 4)).view() == replay_moves(without_seed).view()

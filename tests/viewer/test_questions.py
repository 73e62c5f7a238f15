from __future__ import annotations

from typing import Any

import pytest

from dreamfactory_env import DreamFactory
from dreamfactory_env.games.game import Game
from dreamfactory_env.records.simulation import simulate
from dreamfactory_env.utils.errors import GameError
from dreamfactory_env.viewer.questions import KEPT, Desk, check_name, position_of
from tests.viewer.judged_games import short_record, short_review


def run_code(code: str) -> Game:
    """Runs Python that makes a position, as somebody does who has copied it."""
    names: dict[str, Any] = {}
    exec(code, names)
    game: Game = names["game"]
    return game


def position(record: dict[str, Any], frame: int) -> Game:
    return position_of(record, frame)


def test_a_judgement_is_that_of_the_review() -> None:
    question = {"ask": "judge", "record": short_record(), "judge": "mcts:20", "deals": 40}
    found = Desk().prepare({**question, "frame": 3})()
    review = short_review().analysis
    assert found["decision"] == review["decisions"]["3"]
    assert found["settings"] == review["settings"]


def test_a_policy_finds_what_it_has_kept_in_mind_whoever_asks_it() -> None:
    name = "tests.players:Rememberer"  # plays its k-th move by k, which it keeps in mind
    record = next(iter(simulate(DreamFactory(2), [name], 1, 3)))
    frames = range(len(record["moves"]))

    def answers(desk: Desk, frame: int) -> bool:
        question = {"ask": "move", "record": record, "frame": frame, "policy": name}
        found = desk.prepare(question)()
        return bool([found["seat"], found["action"]] == record["moves"][frame][:2])

    one, other = Desk([name]), Desk([name])
    assert all(answers(one if frame % 3 else other, frame) for frame in frames)
    # The same decision again, one of before, one after others that somebody else was asked for.
    assert all(answers(one, frame) for frame in (20, 20, 7, 8, 15, 40))
    assert answers(Desk([name]), frames[-1])


@pytest.mark.parametrize("deals", [29, "400", None, 10**9, True])
def test_deals_are_a_number_within_bounds(deals: object) -> None:
    question = {"ask": "judge", "record": short_record(), "judge": "expert", "deals": deals}
    with pytest.raises(GameError, match="deals must be"):
        Desk().prepare({**question, "frame": 3})


def test_names_that_open_files_or_run_code_must_be_trusted() -> None:
    for name in ("expert", "pretrained", "mcts:50", "mcts:0.2s"):
        assert check_name(name) == name
    for name in ("a.safetensors", "../x.safetensors", "os:system", "tests.players:Sitter"):
        with pytest.raises(GameError):
            check_name(name)
        assert check_name(name, [name]) == name
    for wrong in (None, 3, "", ["expert"], "x" * 201):
        with pytest.raises(GameError, match="short text"):
            check_name(wrong)


def test_not_everything_is_kept_for_ever() -> None:
    desk = Desk()
    for seed in range(KEPT + 3):
        question = {"ask": "judge", "record": short_record(), "judge": "expert", "seed": seed}
        desk.prepare({**question, "frame": 3})
    assert len(desk._kept) == KEPT

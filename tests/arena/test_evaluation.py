"""One policy among others: rates and scores with intervals, stopped when they are narrow enough."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dreamfactory_env import OptionError
from dreamfactory_env.arena import duel, evaluate
from dreamfactory_env.arena.analysis.outcomes import scores, scores_by_deal, wins_by_deal
from dreamfactory_env.arena.config_file import check_tournament
from dreamfactory_env.arena.pool import play_chunks
from dreamfactory_env.arena.results import Result
from dreamfactory_env.utils.yaml_lines import read_yaml
from tests.paths import ROOT
from tests.players import Batcher, Sitter
from tests.toy_game import SignalGame


def test_evaluate_tells_the_win_rate_of_its_policy() -> None:
    found = evaluate(duel("greedy", ["random"], players=3, games=300), processes=1)
    assert found is not None
    assert 0.95 < found.win_rate <= 1
    assert 0.02 < found.half_width < 0.06
    assert found.enough
    assert found.report["games"] == 300
    rows: dict[str, Any] = {row["name"]: row for row in found.report["policies"]}
    assert rows["greedy"]["win_rate"]["value"] == pytest.approx(found.win_rate)


def test_evaluate_stops_when_it_is_sure_whatever_the_number_of_processes() -> None:
    match = duel("greedy", ["greedy", "random"], players=3, games=6000)
    found = [evaluate(match, until=0.02, processes=count) for count in (1, 2)]
    assert found[0] is not None
    assert found[1] is not None
    assert found[0].half_width <= 0.02
    assert found[0].report["games"] < 6000
    assert found[0].report["games"] == found[1].report["games"]
    assert found[0].win_rate == found[1].win_rate
    few = evaluate(duel("greedy", ["random"], players=2, games=20), until=0.0001, processes=1)
    assert few is not None
    assert not few.enough


def test_policies_can_be_objects() -> None:
    found = evaluate(duel(Batcher(), [Sitter(), "random"], players=3, games=3), processes=2)
    assert found is not None
    assert {row["name"] for row in found.report["policies"]} == {"Batcher", "Sitter", "random"}


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs Linux")
def test_each_process_computes_with_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS")
    found = evaluate(duel("tests.players:Single", ["random"], players=2, games=4), processes=2)
    assert found is not None
    assert not found.report["fouls"]
    assert "OMP_NUM_THREADS" not in os.environ


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"others": ["greedy", "random"]}, "2 policies against one at a table of 4; give 1 or 3"),
        ({"games": 0}, "games must be at least 1, not 0"),
        ({"others": ["gredy"]}, "unknown policy 'gredy'.*did you mean 'greedy'"),
        ({"players": 9}, "players must be 2 to 5, not 9"),
    ],
)
def test_a_duel_that_cannot_be_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        duel("random", **{"others": ["random"], **arguments})


def test_the_example_of_the_docs_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs/arena.md").read_text("utf-8")
    code, on_cluster = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    compile(on_cluster, "arena.md", "exec")  # it needs a cluster to run
    exec(compile(code, "arena.md", "exec"), {"__name__": "__main__"})
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].startswith("greedy {'value': ")
    assert re.fullmatch(r"\d+\.\d% ± \d\.\d%", printed[1])
    (listed,) = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    assert check_tournament(read_yaml(listed), "arena.md").deals == 2500


# ---------------------------------------------------------------------------- shared games


def test_a_policy_with_partners_is_measured_by_score_and_win_rate(toy: type[SignalGame]) -> None:
    match = duel("helper", ["random"], players=3, game="toy", games=300)
    found = evaluate(match, processes=1)
    assert found is not None
    result = Result.of(match, play_chunks(match))
    assert len(result.deal) == 300
    assert found.score == pytest.approx(result.scores[:, 0].mean() / 3)
    assert found.win_rate == pytest.approx(result.won[:, 0].mean())
    assert 0.01 < found.score_half_width < 0.1
    assert 0.01 < found.half_width < 0.1
    with_itself = evaluate(duel("helper", ["helper"], game="toy", games=200), processes=1)
    assert with_itself is not None
    assert with_itself.report["games"] == with_itself.report["deals"] == 200
    assert with_itself.score > found.score + found.score_half_width


def test_until_is_the_interval_of_the_score_in_a_shared_game(toy: type[SignalGame]) -> None:
    match = duel("helper", ["random"], players=2, game="toy", games=100_000)
    widths: list[float] = []
    found = evaluate(
        match, until=0.03, processes=1, progress=lambda deals, width: widths.append(width)
    )
    assert found is not None
    assert found.enough
    assert widths[-1] == found.score_half_width <= 0.03
    assert found.score_half_width != found.half_width
    assert all(width > 0.03 for width in widths[:-1])
    assert found.report["games"] < 2000
    with pytest.raises(OptionError, match="until must be between 0 and 1, such as "):
        evaluate(match, until=1.0)
    with pytest.raises(OptionError, match=r"2 policies with one at a table of 2; give 1$"):
        duel("helper", ["random", "random"], players=2, game="toy")


def test_a_policy_on_several_seats_has_one_value_a_game_if_it_is_shared(
    toy: type[SignalGame],
) -> None:
    match = duel("helper", ["helper", "random"], players=3, game="toy", games=30)
    result = Result.of(match, play_chunks(match))
    for by_deal, values in (
        (scores_by_deal, result.scores[:, 0] / 3),
        (wins_by_deal, result.won[:, 0]),
    ):
        totals, counts = by_deal(result, 0)
        assert counts.tolist() == [3] * 10
        assert totals == pytest.approx(np.bincount(result.deal, values))


def test_the_score_of_a_zero_sum_game_is_what_its_reward_pays() -> None:
    match = duel("greedy", ["random"], players=3, games=30)
    found = evaluate(match, processes=1)
    assert found is not None
    result = Result.of(match, play_chunks(match))
    margin = (result.scores - result.scores.mean(axis=1, keepdims=True)) / 50
    assert scores(result) == pytest.approx(margin)
    assert found.score == pytest.approx(margin[result.entrants == 0].mean())

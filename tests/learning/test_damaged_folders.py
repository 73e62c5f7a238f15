"""Folders of runs that are damaged: what is no longer there is done again, or told in words."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from dreamfactory_env.learning.config import Schedule
from dreamfactory_env.learning.evaluation_lines import in_words, is_evaluation
from dreamfactory_env.learning.loggers import CsvFile
from dreamfactory_env.learning.run import Run, begin, resume
from dreamfactory_env.learning.run_files import read_versions
from tests.learning.small import tiny

GOOD = {
    "players": 2,
    "others": "random",
    "win_rate": 0.5,
    "half_width": 0.1,
    "games": 4,
    "stats": {},
}
LINE = {"timesteps": 0, "seconds": 1.5, "results": [GOOD]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the folder of a run that was trained."""
    schedule = Schedule(
        snapshot_every=512,
        checkpoint_every=256,
        evaluate_every=512,
        evaluate_against=["random", "greedy"],
        evaluation_players=[2],
        evaluation_deals=2,
    )
    path = tmp_path_factory.mktemp("run")
    begin(replace(tiny(total_timesteps=512), schedule=schedule), path).train()
    return path


@pytest.mark.parametrize("text", ["[1]", "7", "null", "{", "", '{"numpy": [1]}', '{"numpy": 1}'])
def test_versions_that_are_none_are_not_known(tmp_path: Path, text: str) -> None:
    (tmp_path / "versions.json").write_text(text)
    assert all(isinstance(value, str) for value in read_versions(tmp_path).values())


@pytest.mark.parametrize(
    "wrong",
    [
        *({"timesteps": None}, {"timesteps": "0"}, {"timesteps": True}, {"results": []}),
        *({"results": None}, {"results": [{}]}, {"results": [[1]]}, {"ratings": [{}]}),
        {"results": [{**GOOD, "win_rate": None}]},
        {"results": [{**GOOD, "stats": {"a": "b"}}]},
        {"results": [{**GOOD, "others": "\x1b[2J"}]},
    ],
)
def test_an_evaluation_that_is_none_is_left_out(wrong: dict[str, object]) -> None:
    assert is_evaluation(LINE)
    assert in_words(LINE).startswith("evaluation after 0 decisions")
    assert not is_evaluation({**LINE, **wrong})
    assert not is_evaluation([LINE])


def test_a_run_with_damaged_files_is_resumed(folder: Path) -> None:
    lines = (folder / "evaluations.jsonl").read_text().splitlines()
    ladder = json.loads((folder / "ladder.json").read_text())
    assert len(lines) == 2
    (folder / "versions.json").write_text("[1]")
    (folder / "ladder.json").write_text('{"2": null}')
    damaged = [lines[0], '{"timesteps": null}', '{"timesteps": Infinity}', "[" * 5000, lines[1]]
    (folder / "evaluations.jsonl").write_text("\n".join(damaged) + "\n")
    run = resume(folder)
    assert [json.dumps(line) for line in run.evaluator.lines] == lines
    assert run.facts()["versions"] == "{}"
    assert run.evaluator._ladder(lambda: False) == ladder  # measured again, on the same deals


@pytest.mark.parametrize(
    "text", ["a\0b,c\n1,2\n", '"' + "x" * 200_000 + '"\n', "time/total_timesteps\n²\n"]
)
def test_metrics_that_are_damaged_are_left_out(tmp_path: Path, text: str) -> None:
    (tmp_path / "progress.csv").write_text(text)
    CsvFile(tmp_path / "progress.csv", 100).write({"a": 1}, {}, 1)
    assert (tmp_path / "progress.csv").read_text() == "a\n1\n"


def test_a_second_run_in_a_folder_says_that_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = Run.load_start

    def meanwhile(run: Run) -> None:
        monkeypatch.setattr(Run, "load_start", begun)
        begin(tiny(total_timesteps=512), tmp_path / "run")  # another process is faster
        begun(run)

    monkeypatch.setattr(Run, "load_start", meanwhile)
    with pytest.raises(ValueError, match="there is a run in"):
        begin(tiny(total_timesteps=512), tmp_path / "run")

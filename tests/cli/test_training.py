"""Training as a user meets it: the real command, killed, stopped, on a full disk, resumed."""

from __future__ import annotations

import csv
import json
import random
import re
import resource
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from safetensors.numpy import load_file

from dreamfactory_env import DreamFactory, OptionError
from dreamfactory_env.arena import duel, evaluate
from dreamfactory_env.cli.training import export_command, train_command
from dreamfactory_env.learning.checkpoints import read_newest
from dreamfactory_env.learning.settings_file import read_training
from dreamfactory_env.policies.network import NetworkPolicy
from dreamfactory_env.utils.errors import GameError
from tests.cli.tiny_training import CONFIG
from tests.commands import run, start
from tests.paths import ROOT

TIMEOUT = 300
STEPS = 6144  # whole rollouts
EVALUATED = [0, 2560, 5120, STEPS]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the folder of a run that nothing has interrupted, with what it printed beside it."""
    cwd = tmp_path_factory.mktemp("whole")
    (cwd / "tiny.yaml").write_text(CONFIG)
    process = start("train", "tiny.yaml", cwd=cwd)
    printed, errors = process.communicate(timeout=TIMEOUT)  # it may have to compile
    assert process.returncode == 0, errors
    (cwd / "printed.txt").write_text(printed)
    return cwd / "runs" / "tiny-1"


def metrics(folder: Path) -> list[dict[str, str]]:
    """Returns the lines of a run's metrics, a torn one left out."""
    path = folder / "progress.csv"
    *lines, _ = path.read_text().split("\n") if path.exists() else [""]
    return list(csv.DictReader(lines))


def wait_for(folder: Path, steps: int, process: subprocess.Popen[str]) -> None:
    """Waits until a run has come that far, or has ended."""
    deadline = time.monotonic() + TIMEOUT
    while process.poll() is None:
        if any(int(row["time/total_timesteps"]) >= steps for row in metrics(folder)):
            return
        assert time.monotonic() < deadline
        time.sleep(0.01)


def evaluations(folder: Path) -> list[dict[str, Any]]:
    """Returns the evaluations of a run without what the clock says."""
    lines = [json.loads(line) for line in (folder / "evaluations.jsonl").read_text().splitlines()]
    return [{key: value for key, value in line.items() if key != "seconds"} for line in lines]


def untimed(row: dict[str, str]) -> dict[str, str]:
    """Returns a line of metrics without what the clock says."""
    timed = {"time/" + name for name in ("fps", "seconds", "evaluation_seconds")}
    timed |= {"time/" + name for name in ("environment", "inference", "update")}
    return {key: value for key, value in row.items() if key not in timed}


def weights(folder: Path) -> bytes:
    """Returns the policy of a run's newest checkpoint."""
    kept, _ = read_newest(folder / "checkpoints")
    assert kept is not None
    return b"".join(tensor.numpy().tobytes() for tensor in kept["policy"].values())


def assert_same(folder: Path, whole: Path) -> None:
    """Checks that a run has come to what an uninterrupted one has come to."""
    assert evaluations(folder) == evaluations(whole)
    assert [untimed(row) for row in metrics(folder)] == [untimed(row) for row in metrics(whole)]
    assert weights(folder) == weights(whole)


# ---------------------------------------------------------------------------- a run


def test_a_run_leaves_everything_behind(whole: Path) -> None:
    assert {path.name.partition(".out")[0] for path in whole.iterdir()} == {
        *("config.yaml", "versions.json", "checkpoints", "ladder.json", "evaluations.jsonl"),
        *("strength.png", "progress.csv", "events"),
    }
    assert read_training(whole / "config.yaml") == read_training(whole.parents[1] / "tiny.yaml")
    assert [line["timesteps"] for line in evaluations(whole)] == EVALUATED
    assert (whole / "strength.png").read_bytes().startswith(b"\x89PNG")
    rows = metrics(whole)
    assert [int(row["time/total_timesteps"]) for row in rows] == sorted(
        [*EVALUATED, *range(256, STEPS + 1, 256)]
    )
    printed = (whole.parents[1] / "printed.txt").read_text()
    assert printed.startswith("run: runs/tiny-1\n6,144 decisions in ")
    found = re.search(
        r"time: environment ([\d.]+)%, inference ([\d.]+)%, update ([\d.]+)%", printed
    )
    assert found is not None
    assert sum(map(float, found.groups())) == pytest.approx(100, abs=0.2)
    assert "dreamfactory export runs/tiny-1 --out agent.safetensors\n" in printed


def test_the_metrics_are_those_of_the_games(whole: Path) -> None:
    kept, _ = read_newest(whole / "checkpoints")
    assert kept is not None
    trained = [row for row in metrics(whole) if row["train/loss"]]
    assert int(trained[-1]["rollout/games"]) == kept["metrics"]["games"] > 30
    for players in (2, 3):
        paid = [float(row[f"rollout/return_{players}_players"] or 0) for row in trained]
        assert min(paid) < 0  # it begins by losing
        assert all(-1 <= mean <= 1 for mean in paid)
    shares = [sum(float(row[f"time/{part}"]) for part in PARTS) for row in trained]
    assert shares == pytest.approx([1] * len(trained), abs=1e-3)
    strengths = [row for row in metrics(whole) if row["strength/2_players_rating"]]
    for row, line in zip(strengths, evaluations(whole), strict=True):
        for result in line["results"]:
            key = f"strength/{result['players']}_players_against_{result['others']}"
            assert float(row[key]) == result["win_rate"]
        prices = [result["stats"]["price round 1"] for result in line["results"][:2]]
        assert float(row["game/2_players_price_round_1"]) == pytest.approx(sum(prices) / 2)


PARTS = ("environment", "inference", "update")


def test_every_metric_is_explained(whole: Path) -> None:
    page = (ROOT / "docs/training.md").read_text("utf-8")
    for key in metrics(whole)[0]:
        general = re.sub(r"\d_players", "N_players", key)
        general = re.sub(r"(strength/N_players_against_).*", r"\1NAME", general)
        general = re.sub(r"game/.*", "game/…", general)
        assert f"`{general}`" in page, key


def test_a_new_run_has_a_new_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text(CONFIG)
    (tmp_path / "runs" / "a-1").mkdir(parents=True)
    nothing = ["total_timesteps=256", "schedule.evaluation_players=[]", "ppo.learning_rate=1e-3"]
    train_command(Path("a.yaml"), nothing)
    assert "run: runs/a-2\n" in capsys.readouterr().out
    settings = read_training("runs/a-2/config.yaml")
    assert (settings.total_timesteps, settings.ppo.learning_rate) == (256, 1e-3)
    train_command(resume=Path("runs/a-2"))
    assert "the run in runs/a-2 is finished" in capsys.readouterr().out
    with pytest.raises(OptionError, match=r"there is a run in runs/a-2: give --resume"):
        train_command(Path("a.yaml"), out=Path("runs/a-2"))


# ---------------------------------------------------------------------------- stop and go


def test_a_run_that_is_killed_again_and_again_comes_to_the_same(
    tmp_path: Path, whole: Path
) -> None:
    (tmp_path / "tiny.yaml").write_text(CONFIG)
    folder = tmp_path / "run"
    rng = random.Random(7)
    command = ["train", "tiny.yaml", "--out", "run"]
    for target in (None, 600, 3600):
        process = start(*command, cwd=tmp_path)
        if target is None:  # as soon as there is a run, before it has done anything
            while not (folder / "config.yaml").exists() and process.poll() is None:
                time.sleep(0.01)
        else:
            wait_for(folder, target + rng.randrange(1200), process)
        time.sleep(rng.random() * 0.1)
        process.kill()
        _, errors = process.communicate(timeout=TIMEOUT)
        assert process.returncode == -signal.SIGKILL, errors
        command = ["train", "--resume", "run"]
    finished = run(*command, cwd=tmp_path)
    assert finished.returncode == 0, finished.stderr
    assert not re.search(r", from 0 decisions", finished.stdout)
    assert_same(folder, whole)

    finished = run("export", "run", "--out", "killed.safetensors", cwd=tmp_path)
    assert finished.stdout == "killed.safetensors: the agent after 6,144 decisions\n"
    export_command(whole, tmp_path / "whole.safetensors")
    killed, not_killed = (load_file(tmp_path / f"{k}.safetensors") for k in ("killed", "whole"))
    assert killed.keys() == not_killed.keys()
    assert all(killed[name].tobytes() == not_killed[name].tobytes() for name in killed)


def test_an_interrupt_leaves_a_checkpoint_and_says_how_to_resume(
    tmp_path: Path, whole: Path
) -> None:
    (tmp_path / "tiny.yaml").write_text(CONFIG)
    process = start("train", "tiny.yaml", cwd=tmp_path)
    folder = tmp_path / "runs" / "tiny-1"
    wait_for(folder, 3000, process)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    assert "finishing the update; Ctrl-C again drops it" in errors
    stopped = re.search(r"stopped after ([\d,]+) of 6,000 decisions; (.*) resumes it", errors)
    assert stopped is not None
    steps = int(stopped[1].replace(",", ""))
    kept, _ = read_newest(folder / "checkpoints")
    assert kept is not None
    assert kept["timesteps"] == steps < STEPS
    assert metrics(folder)[-1]["time/total_timesteps"] == str(steps)
    program, *words = stopped[2].split()
    assert program == "dreamfactory"
    finished = run(*words, cwd=tmp_path)
    assert finished.stdout.startswith(f"run: runs/tiny-1, from {stopped[1]} decisions on\n")
    assert_same(folder, whole)


def test_a_full_disk_and_a_damaged_checkpoint_cost_some_training_and_no_run(
    tmp_path: Path, whole: Path
) -> None:
    folder = tmp_path / "run"
    shutil.copytree(whole, folder)
    files = sorted((folder / "checkpoints").iterdir())
    newest = bytearray(files[-1].read_bytes())
    newest[len(newest) // 2] ^= 1
    files[-1].write_bytes(bytes(newest))
    kept = {path.name: path.read_bytes() for path in files[:-1]}
    with (folder / "evaluations.jsonl").open("a") as file:
        file.write('{"timesteps": 6144, "sec')  # torn
    process = start("train", "--resume", "run", cwd=tmp_path)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (2000, 2000))
    printed, errors = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 1, errors
    assert "Traceback" not in errors
    assert f"{files[-1].name} is damaged; an older checkpoint is used" in printed
    assert "6,144 decisions in" in printed  # it went on to the end
    for name in (
        "a checkpoint",
        "progress.csv",
        "strength.png",
        "evaluations.jsonl",
        "TensorBoard's file",
    ):
        assert f"warning: {name} cannot be written: File too large" in errors
    assert "make room, then dreamfactory train --resume run resumes it from there" in errors
    for name, data in kept.items():
        assert (folder / "checkpoints" / name).read_bytes() == data
    finished = run("train", "--resume", "run", cwd=tmp_path)
    assert finished.returncode == 0, finished.stderr
    assert_same(folder, whole)


# ---------------------------------------------------------------------------- the agent


def test_the_exported_agent_knows_where_it_comes_from(
    tmp_path: Path, whole: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "deep" / "agent.safetensors"
    export_command(whole, path)
    assert capsys.readouterr().out.endswith("the agent after 6,144 decisions\n")
    facts = NetworkPolicy(DreamFactory(seed=0), path).facts
    assert facts["timesteps"] == str(STEPS)
    assert int(facts["games"]) > 30
    assert int(facts["seconds"]) >= 0
    assert json.loads(facts["settings"])["ppo"]["n_steps"] == 16
    assert json.loads(facts["versions"]).keys() >= {"dreamfactory-env", "torch", "python"}
    evaluation = json.loads(facts["evaluation"])
    del evaluation["seconds"]
    assert evaluation == evaluations(whole)[-1]
    with pytest.raises(OptionError, match="is there already; --force replaces it"):
        export_command(whole, path)
    before = path.read_bytes()
    export_command(whole, path, force=True)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_the_exported_agent_plays_as_it_was_evaluated(tmp_path: Path, whole: Path) -> None:
    path = tmp_path / "agent.safetensors"
    export_command(whole, path)
    for measured in evaluations(whole)[-1]["results"]:
        players, games = measured["players"], measured["games"]
        match = duel(str(path), [measured["others"]], players=players, games=games, seed=5)
        found = evaluate(match, processes=1)
        assert found is not None
        assert found.win_rate == pytest.approx(measured["win_rate"], abs=1e-5)
        assert found.half_width == pytest.approx(measured["half_width"], abs=1e-5)


def test_an_export_that_cannot_be_is_refused(tmp_path: Path, whole: Path) -> None:
    with pytest.raises(OptionError, match=r"--out must end with \.safetensors"):
        export_command(whole, tmp_path / "agent.zip")
    with pytest.raises(OptionError, match="there is no run in"):
        export_command(tmp_path, tmp_path / "agent.safetensors")
    shutil.copy(whole / "config.yaml", tmp_path)
    with pytest.raises(OptionError, match="has no checkpoint yet"):
        export_command(tmp_path, tmp_path / "agent.safetensors")
    (tmp_path / "file").touch()
    with pytest.raises(OptionError, match="cannot be written: Not a directory"):
        export_command(whole, tmp_path / "file" / "agent.safetensors")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, limits[1]))
    try:
        with pytest.raises(OptionError, match="cannot be written: File too large"):
            export_command(whole, tmp_path / "full" / "agent.safetensors")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert not list((tmp_path / "full").iterdir())


# ---------------------------------------------------------------------------- resuming


def test_a_run_that_cannot_be_resumed_says_why(
    tmp_path: Path, whole: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    with pytest.raises(OptionError, match=r"there is no run in .*: config.yaml is missing"):
        train_command(resume=folder)
    shutil.copytree(whole, folder)
    config = folder / "config.yaml"
    text = config.read_text()
    config.write_text(text.replace("n_steps: 16", "n_steps: 32"))
    with pytest.raises(OptionError, match=r"cannot be resumed: ppo.n_steps was 16 and is 32"):
        train_command(resume=folder)
    config.write_text(text[: len(text) // 2] + ":\n")
    with pytest.raises(GameError, match=r"config\.yaml: 1 mistake"):
        train_command(resume=folder)
    config.write_text(text)
    versions = folder / "versions.json"
    versions.write_text(versions.read_text().replace('"torch": "', '"torch": "0.'))
    train_command(resume=folder)
    assert "warning: torch was 0." in capsys.readouterr().out
    for path in (folder / "checkpoints").iterdir():
        path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(OptionError, match=r"no checkpoint in .* is whole: .* is damaged"):
        train_command(resume=folder)

"""`dreamfactory train --engine ray` as a user meets it: killed, stopped, resumed."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dreamfactory_env.learning.run import begin, resume
from dreamfactory_env.learning.settings_file import read_training
from tests.cli.tiny_training import CONFIG
from tests.cluster.conftest import silent_address
from tests.commands import finish, run, start
from tests.learning.small import weights

pytest.importorskip("ray")

TIMEOUT = 120


def wait_for(folder: Path, steps: int, process: subprocess.Popen[str]) -> None:
    """Waits until a run has come that far."""
    deadline = time.monotonic() + TIMEOUT
    while time.monotonic() < deadline:
        assert process.poll() is None, process.communicate()
        path = folder / "progress.csv"
        *lines, _ = path.read_text().split("\n") if path.exists() else [""]
        if any(int(row["time/total_timesteps"]) >= steps for row in csv.DictReader(lines)):
            return
        time.sleep(0.02)
    raise AssertionError("it has not come so far")


def test_a_driver_that_is_killed_and_one_that_is_stopped(
    three_nodes: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tiny.yaml").write_text(CONFIG)
    ray = ("--engine", "ray", "--address")
    words = ("train", "tiny.yaml", "--out", "run", "--actors", "2", *ray, three_nodes.address)
    killed = start(*words, cwd=tmp_path)
    wait_for(tmp_path / "run", 1500, killed)
    killed.kill()
    killed.communicate(timeout=TIMEOUT)

    monkeypatch.setenv("RAY_ADDRESS", three_nodes.address)
    monkeypatch.delenv("RAY_AUTH_MODE")  # there is a token, and nobody says that it is needed
    stopped = start("train", "--resume", "run", *ray, "auto", cwd=tmp_path)
    wait_for(tmp_path / "run", 3000, stopped)
    stopped.send_signal(signal.SIGINT)
    ended = finish(stopped)
    assert ended.returncode == 130, ended.stderr
    assert "dreamfactory train --resume run resumes it" in ended.stderr

    resumed = resume(tmp_path / "run")
    assert 0 < resumed.saved_steps < resumed.settings.total_timesteps
    resumed.train()
    whole = begin(replace(read_training(tmp_path / "tiny.yaml"), actors=2), tmp_path / "whole")
    whole.train()
    assert weights(resumed) == weights(whole)


def test_a_cluster_is_started_for_the_run(tmp_path: Path) -> None:
    (tmp_path / "tiny.yaml").write_text(CONFIG)
    done = run("train", "tiny.yaml", "--out", "run", "--engine", "ray", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "cluster: 1 node, " in done.stdout
    lines = csv.DictReader((tmp_path / "run/progress.csv").read_text().splitlines())
    actors = {row["rollout/actors"] for row in lines} - {""}  # that of an evaluation has none
    assert actors
    assert actors <= {str(number + 1) for number in range(os.cpu_count() or 1)}


def test_nobody_listens_there(tmp_path: Path) -> None:
    (tmp_path / "tiny.yaml").write_text(CONFIG)
    with silent_address() as where:
        done = run("train", "tiny.yaml", "--engine", "ray", "--address", where, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("error: nobody answers at ")
    assert not (tmp_path / "runs").exists()

"""The recipes in ``training/``: each runs, in small, and prints what it promises."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from dreamfactory_env import DreamFactory
from dreamfactory_env.policies.network import NetworkPolicy
from tests.paths import DOCS, ROOT
from tests.training.scripts import SCRIPTS

RATE = r"\d+\.\d% ± \d+\.\d%"
#: The arguments of a tiny run of each recipe, and what the last lines say.
RECIPES = {
    "self_play": ("--timesteps 8192 --games 16 --out run", rf"4 players: {RATE} against greedy\n$"),
    "best_response": ("--timesteps 16384 --deals 3 --out run", r"nothing that is sure was found"),
    "from_an_agent": ("--timesteps 16384 --deals 3 --out run", rf"after: {RATE} against expert\n$"),
    "own_policy": (
        "--timesteps 24576 --snapshot-every 8192 --games 4",
        rf"2 players: {RATE} against expert\n$",
    ),
    "first_curve": (
        "--timesteps 20000 --stretches 2 --games 4 --out run",
        rf"20,000 steps, \d+ s of one core\n  {RATE} against random\n  {RATE} against greedy\n$",
    ),
}


def run(name: str, arguments: str, cwd: Path) -> str:
    """Runs a recipe as a user does; returns what it prints."""
    finished = subprocess.run(
        [sys.executable, SCRIPTS / f"{name}.py", *arguments.split()],
        capture_output=True,
        check=False,
        cwd=cwd,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=300,
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


#: The first that a user meets is tried every time, the others by `make slow`.
FIRST = "first_curve"
LATER = [pytest.param(name, marks=pytest.mark.slow) for name in RECIPES if name != FIRST]


@pytest.mark.parametrize("name", [FIRST, *LATER])
def test_a_recipe_runs(name: str, tmp_path: Path) -> None:
    arguments, expected = RECIPES[name]
    printed = run(name, arguments, tmp_path)
    assert re.search(expected, printed), printed
    if name in ("self_play", "first_curve"):
        (agent,) = tmp_path.rglob("*.safetensors")
        assert NetworkPolicy(DreamFactory(2, seed=0), agent).layers
    if name == "first_curve":  # the page shows such a picture
        for picture in (tmp_path / "run" / "curve.png", DOCS / "first_curve.png"):
            assert picture.read_bytes().startswith(b"\x89PNG")
            assert 5_000 < picture.stat().st_size < 60_000
    if name == "self_play":  # the same command resumes, here what is finished
        again = run(name, arguments, tmp_path)
        assert re.findall(RATE, again) == re.findall(RATE, printed)


def test_every_script_is_tested_and_says_what_it_shows() -> None:
    scripts = {path.stem: path for path in SCRIPTS.glob("*.py")}
    assert scripts.keys() == {*RECIPES, "tune_scripted", "tune_partners"}
    for name, path in scripts.items():
        text = path.read_text("utf-8")
        docstring = ast.get_docstring(ast.parse(text)) or ""
        assert f"``python training/{name}.py" in docstring
        if name in RECIPES:
            assert 30 <= text.count("\n") <= 100, name
            assert re.search(r"\d %|\d percent", docstring), f"{name} has no figures"

"""Policies that other processes cannot import play in this one, with a sentence that says so."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from dreamfactory_env import GameError
from dreamfactory_env.arena import duel, evaluate
from dreamfactory_env.policies import Policy
from tests.paths import ROOT

MINE = """
import os
import warnings
warnings.simplefilter("always")
from dreamfactory_env.arena import duel, evaluate
from dreamfactory_env.policies import Policy

class Mine(Policy):
    def act(self, view):
        if "ELSEWHERE" in os.environ and os.environ["ELSEWHERE"] == str(os.getpid()):
            raise RuntimeError("played by the process that started it all")
        return int(view.mask.argmax())

"""
PLAY = """
found = evaluate(duel({policy}, ["random"], players=2, games=4), processes=2)
print("fouls", len(found.report["fouls"]))
"""
SENTENCE = "all games are played in this process, on one core, and take longer: "
NOTEBOOK = "a policy is defined where other processes cannot import it, such as in a notebook"


def run(*words: str | Path, stdin: str = "") -> tuple[str, str]:
    """Runs Python; returns what it has printed, and its warnings and errors."""
    result = subprocess.run(
        [sys.executable, *map(str, words)],
        input=stdin,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout, result.stderr


def script(folder: Path, text: str) -> Path:
    path = folder / "mine.py"
    path.write_text(text, "utf-8")
    return path


def play(*policies: str) -> str:
    """Returns the code that evaluates some policies, one after another."""
    return "".join(PLAY.format(policy=policy) for policy in policies)


def test_a_script_without_a_guard_plays_by_itself(tmp_path: Path) -> None:
    printed, warned = run(script(tmp_path, MINE + play("Mine()", "'greedy'")))
    assert printed == "fouls 0\nfouls 0\n"
    assert warned.count(f"{SENTENCE}mine.py calls this outside of 'if __name__ ==") == 2


def test_a_script_that_begins_in_a_function_without_a_guard(tmp_path: Path) -> None:
    body = play("Mine()").replace("\n", "\n    ")
    guarded = "if __name__ == '__main__':\n    print('begin')\n"
    printed, warned = run(script(tmp_path, f"{MINE}\ndef main():{body}\n\n{guarded}\nmain()\n"))
    assert printed == "begin\nfouls 0\n"
    assert warned.count(SENTENCE) == 1


def test_a_script_with_a_guard_is_played_by_other_processes(tmp_path: Path) -> None:
    body = play("Mine()").replace("\n", "\n    ")
    here = "\n    os.environ['ELSEWHERE'] = str(os.getpid())"
    text = f"{MINE}\ntry:\n  if __name__ == '__main__':{here}{body}\nfinally:\n    pass\n"
    printed, warned = run(script(tmp_path, text))
    assert printed == "fouls 0\n"
    assert SENTENCE not in warned


def test_what_comes_from_standard_input_plays_here() -> None:
    printed, warned = run("-", stdin=MINE + play("Mine()", "'greedy'"))
    assert printed == "fouls 0\n" * 2
    assert warned.count(f"{SENTENCE}the program was read from standard input") == 2


def test_what_is_typed_in_plays_here_unless_it_is_a_name() -> None:
    printed, warned = run("-i", "-q", stdin=MINE + play("Mine()", "'__main__:Mine'", "'greedy'"))
    assert printed.count("fouls 0\n") == 3
    assert warned.count(SENTENCE + NOTEBOOK) == warned.count(SENTENCE) == 2


NOTEBOOK_CELLS = """
import code, sys, types
main = types.ModuleType("__main__")  # as a notebook's kernel does
sys.modules["__main__"] = main
shell = code.InteractiveInterpreter(vars(main))
for cell in {cells!r}:
    shell.runcode(compile(cell, "<cell>", "exec"))
"""


def test_a_notebook_plays_here(tmp_path: Path) -> None:
    cells = [MINE, play("Mine()")]
    printed, warned = run(script(tmp_path, NOTEBOOK_CELLS.format(cells=cells)))
    assert printed == "fouls 0\n", warned
    assert warned.count(SENTENCE + NOTEBOOK) == 1


def test_a_policy_that_cannot_be_pickled_plays_here() -> None:
    class Local(Policy):
        def act(self, view: Any) -> int:
            return int(view.mask.argmax())

    with pytest.warns(UserWarning, match=f"{SENTENCE}a policy cannot be pickled .*Local"):
        found = evaluate(duel(Local(), ["random"], players=2, games=2), processes=2)
    assert found is not None


def test_a_module_that_is_in_no_file_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("made_by_hand")
    exec(MINE, vars(module))
    monkeypatch.setitem(sys.modules, "made_by_hand", module)
    tournament = duel(module.Mine(), ["random"], players=2, games=2)
    message = r"a process cannot make the policies \(ModuleNotFoundError: .*made_by_hand"
    with pytest.raises(GameError, match=message):
        evaluate(tournament, processes=2)

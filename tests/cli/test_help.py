"""What helps a user: help with examples, completion, who plays, component files."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from dreamfactory_env import DreamFactory, load_components, standard_components
from dreamfactory_env.cli.help import EXAMPLES, examples_of
from dreamfactory_env.cli.main import app
from dreamfactory_env.policies import policy_named
from dreamfactory_env.utils.errors import OptionError
from tests.cli.conftest import Run
from tests.commands import COMMAND
from tests.toy_game import SignalGame

COMMANDS: dict[str, Any] = get_command(app).commands  # type: ignore[attr-defined]


# ---------------------------------------------------------------------------- help


@pytest.mark.parametrize("name", COMMANDS)
def test_help_ends_with_examples_and_flags_have_no_type(name: str, run: Run) -> None:
    code, output, _ = run(name, "--help")
    assert code == 0
    assert output.rstrip().endswith("\n".join(f"   {line}" for line in examples_of(name)))
    assert examples_of(name)
    assert "bool" not in output.lower()


def test_the_help_of_all_has_flags_without_a_type(run: Run) -> None:
    output = run("--help")[1]
    assert "bool" not in output.lower()
    assert "--install-completion" in output


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_are_commands_that_can_be_given(name: str) -> None:
    for example in examples_of(name):
        command, given, *words = shlex.split(example.partition(" > ")[0])
        assert (command, given) == ("dreamfactory", name)
        COMMANDS[name].make_context(name, words)  # else: which option is wrong


# ---------------------------------------------------------------------------- completion


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_the_names_of_configurations(shell: str) -> None:
    words = "dreamfactory tournament l"
    more = {"COMP_WORDS": words, "COMP_CWORD": "2", "_TYPER_COMPLETE_ARGS": words}
    more |= {"_DREAMFACTORY_COMPLETE": f"complete_{shell}"}
    more |= {"_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    finished = subprocess.run(
        [COMMAND], env={**os.environ, **more}, capture_output=True, text=True, timeout=120
    )
    assert re.findall(r"\w+", finished.stdout.replace("_arguments", "")) == ["ladder"]


# ---------------------------------------------------------------------------- policies


SEARCHES = ["mcts:500", "mcts:1s", "mcts:1s:pretrained"]


def test_policies_lists_everybody_who_can_play(run: Run, toy: type[SignalGame]) -> None:
    code, output, _ = run("policies")
    assert code == 0
    names = re.findall(r"^  (\S+)  ", output, re.MULTILINE)
    own = [*DreamFactory.spec.ladder, *DreamFactory.agents]
    assert names == [*own, *SEARCHES, "agent.safetensors", "module:Class"]
    game = DreamFactory(2, seed=1)
    for name in [*own, *SEARCHES, "mcts:0.2s"]:
        assert policy_named(name, game)
    code, output, _ = run("policies", "--game", "toy")
    assert re.findall(r"^  (\S+) +scripted", output, re.MULTILINE) == list(toy.spec.ladder)
    assert "pretrained" not in output
    assert run("policies", "--game", "toi")[0] == 2


# ---------------------------------------------------------------------------- components


def test_the_component_file_that_is_printed_is_that_of_the_package(
    run: Run, tmp_path: Path
) -> None:
    code, output, _ = run("components", "--print")
    assert code == 0
    (tmp_path / "mine.yaml").write_text(output, "utf-8")
    assert load_components(tmp_path / "mine.yaml") == standard_components()
    assert "#" in output  # with its comments, which say what is what
    code, output, error = run("components", "--check", "mine.yaml")
    assert (code, error) == (0, "")
    assert output.startswith("mine.yaml: no mistakes; ")


def test_all_mistakes_of_a_component_file_are_named_at_once(run: Run, tmp_path: Path) -> None:
    text = run("components", "--print")[1]
    wrong = re.sub(r"^tokens:", "tokns:", text, flags=re.MULTILINE).replace("drama", "dramma", 2)
    (tmp_path / "mine.yaml").write_text(wrong, "utf-8")
    code, output, error = run("components", "--check", "mine.yaml")
    assert (code, output) == (1, "")
    assert re.match(r"mine.yaml: \d+ mistakes\n", error)
    assert "tokns" in error
    assert error.count("'dramma'") == 2
    code, _, error = run("components", "--check", "none.yaml")
    assert (code, "none.yaml: 1 mistake\n  cannot be read" in error) == (1, True)


def test_components_says_what_it_cannot_do(run: Run, toy: type[SignalGame]) -> None:
    for words, message in {
        "": "give --print, or --check and a component file",
        "--print --check a.yaml": "give --print, or --check and a component file",
        "--print --game toy": "toy has no component files",
        "--check tinny": "'tinny' is no file, and no components of that name",
    }.items():
        code, output, error = run("components", *words.split())
        assert (code, output) == (2, "")
        assert error.startswith(f"error: {message}")
    with pytest.raises(OptionError):
        load_components("tinny")

"""Where commands print: a terminal has a width, a file or a pipe has none."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.console import Group
from rich.table import Table
from rich.text import Text

from dreamfactory_env.cli.terminal import CleanConsole, printable
from dreamfactory_env.games import game_named
from tests.commands import run


def test_what_is_piped_is_neither_wrapped_nor_cut(tmp_path: Path) -> None:
    spec = game_named("dream_factory").spec
    meanings = [block.meaning for block in spec.observation.blocks.values()]
    assert max(map(len, meanings)) > 80
    lines = run("games", "dream_factory", cwd=tmp_path).stdout.splitlines()
    for name, block in spec.observation.blocks.items():
        assert any(f" {name} " in line and block.meaning in line for line in lines), name
    narrow = run("games", "dream_factory", cwd=tmp_path, COLUMNS="70").stdout.splitlines()
    assert max(map(len, narrow)) <= 70


def test_a_summary_that_is_piped_is_one_line(tmp_path: Path) -> None:
    played = run("simulate", "--games", "2", "--policies", "random", cwd=tmp_path).stdout
    assert played.splitlines()[0].endswith(" decisions/s (records in words included)")


ESCAPES = "\x1b]0;mine\x07\x1b[2J\x9b31m\u202e\x08\r"


def test_nothing_that_is_printed_is_a_command_to_the_terminal() -> None:
    stream = io.StringIO()
    console = CleanConsole(file=stream, force_terminal=True, width=300, highlight=False)
    table = Table(box=None)
    table.add_column(f"head{ESCAPES}")
    table.add_row(f"cell{ESCAPES}")
    panel = Group(Text(f"text{ESCAPES}", style="red"), table, f"plain{ESCAPES}")
    console.print(panel)
    console.print(f"line{ESCAPES}", soft_wrap=True)
    shown = stream.getvalue()
    assert "\x1b[31mtext" in shown  # our own colours are
    for word in ("text", "head", "cell", "plain", "line"):
        assert f"{word}?]0;mine" in shown
    rest = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert all(c.isprintable() or c == "\n" for c in rest), repr(rest)


def test_ordinary_text_is_shown_as_it_is() -> None:
    text = "Das Mädchen – ± 日本 [bold] :smile: a\nb"
    assert printable(text) == text
    assert printable("a\u00a0b\tc") == "a b c"


@pytest.mark.parametrize(
    ("command", "name", "text"),
    [
        ("tournament", "t.yaml", 'policies: [random]\n"\\e]0;mine\\a": 1\n'),
        ("train", "t.yaml", 'total_timesteps: 5\n"\\e]0;mine\\a": 1\n'),
        ("replay", "r.jsonl", '{"\\u001b]0;mine\\u0007": 1}\n'),
        ("components", "c.yaml", '"\\e]0;mine\\a": 1\n'),
    ],
)
def test_what_a_file_says_is_cleaned_in_messages(
    tmp_path: Path, command: str, name: str, text: str
) -> None:
    (tmp_path / name).write_text(text)
    words = ["components", "--check", name] if command == "components" else [command, name]
    finished = run(*words, cwd=tmp_path)
    told = finished.stdout + finished.stderr
    assert "mine" in told
    assert all(c.isprintable() or c == "\n" for c in told), repr(told)

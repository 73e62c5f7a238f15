"""Where commands print: a terminal has a width, a file or a pipe has none."""

from __future__ import annotations

from pathlib import Path

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

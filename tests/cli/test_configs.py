"""The configurations that come with the package: listed, found by name, copied out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dreamfactory_env import DreamFactory, OptionError, load_components
from dreamfactory_env.cli.configs import complete
from dreamfactory_env.utils.configs import ConfigKind, find_config, first_comment, shipped_configs
from tests.cli.conftest import Run
from tests.paths import CONFIGS

ALL = [(kind, name, path) for kind in ConfigKind for name, path in shipped_configs(kind).items()]


def test_all_files_have_a_name_and_no_two_the_same() -> None:
    assert sorted(path for _, _, path in ALL) == sorted(CONFIGS.glob("*/*.yaml"))
    names = [name for _, name, _ in ALL]
    assert len(set(names)) == len(names)
    assert {"quick", "ladder", "tuning", "tiny"} <= set(names)


def test_every_one_is_listed_with_its_first_comment(run: Run) -> None:
    code, output, _ = run("configs")
    assert code == 0
    listed = " ".join(output.split())
    for _, name, path in ALL:
        comment = first_comment(path)
        assert 20 < len(comment) < 90
        assert f" {name} {comment} " in listed
        assert path.read_text("utf-8").startswith(f"# {comment[:15]}")


def test_a_file_that_is_there_wins_over_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shipped = CONFIGS / "train/quick.yaml"
    assert find_config("quick", ConfigKind.TRAINING) == shipped
    (tmp_path / "quick").mkdir()  # a folder cannot be meant
    assert find_config("quick", ConfigKind.TRAINING) == shipped
    (tmp_path / "quick").rmdir()
    (tmp_path / "quick").write_text("total_timesteps: 1")
    assert find_config("quick", ConfigKind.TRAINING) == Path("quick")
    # What looks like a path is never a name; whoever reads it says what is wrong.
    assert find_config("ladder.yaml", ConfigKind.TOURNAMENT) == Path("ladder.yaml")
    assert find_config("./ladder", ConfigKind.TOURNAMENT) == Path("ladder")


def test_an_unknown_name_is_refused_with_the_nearest_and_the_list(run: Run) -> None:
    known = ", ".join(shipped_configs(ConfigKind.TRAINING))
    for words in (["train", "quik"], ["tune", "quik", "--space", "tuning"]):
        assert run(*words) == (
            2,
            "",
            "error: 'quik' is no file, and no training of that name comes with the package; known "
            f"are {known}; did you mean 'quick'?\n",
        )
    code, _, error = run("tournament", "quick")
    assert (code, "known are ladder, pairs, partners, search\n" in error) == (2, True)
    code, _, error = run("tune", "quick", "--space", "quick")
    assert (code, "no search space of that name" in error) == (2, True)


def test_a_tournament_is_played_by_its_name(run: Run, tmp_path: Path) -> None:
    code, output, error = run("tournament", "no.yaml")
    assert (code, output) == (2, "")
    assert error.startswith("error: no.yaml: 1 mistake\n  cannot be read: ")
    # A few deals of it: the file as it is would take a while.
    assert run("configs", "--copy", "ladder")[0] == 0
    file = tmp_path / "ladder.yaml"
    file.write_text(file.read_text("utf-8").replace("deals: 2500", "deals: 2"), "utf-8")
    file.rename(tmp_path / "ladder")
    code, output, error = run("tournament", "ladder", "--processes", "1")
    assert code == 0, error
    assert output.endswith("report: runs/ladder/report.html\n")
    report = json.loads((tmp_path / "runs/ladder/report.json").read_text("utf-8"))
    assert report["deals"] == 2


def test_components_have_names_in_commands_and_in_python(run: Run) -> None:
    assert load_components("tiny") == load_components(CONFIGS / "games/tiny.yaml")
    assert DreamFactory(2, seed=1, components="tiny").config()["components"]["variant"]
    code, output, error = run("simulate", "--games", "2", "--players", "2", "-o", "components=tiny")
    assert (code, output.startswith("2 games, ")) == (0, True), error
    with pytest.raises(OptionError, match=r"no components of that name .* did you mean 'tiny'"):
        load_components("tinny")


def test_one_is_copied_out_and_nothing_is_replaced(run: Run, tmp_path: Path) -> None:
    original = (CONFIGS / "train/quick.yaml").read_text("utf-8")
    assert run("configs", "--copy", "quick") == (0, "quick is now in quick.yaml\n", "")
    (tmp_path / "mine").mkdir()
    for words, file in {"mine": "mine/quick.yaml", "mine/my.yaml": "mine/my.yaml"}.items():
        assert run("configs", "--copy", "quick", words) == (0, f"quick is now in {file}\n", "")
        assert (tmp_path / file).read_text("utf-8") == original
    for words, message in {
        "--copy quick": "quick.yaml is there already; give the copy another name",
        "--copy quick no/where.yaml": "no/where.yaml cannot be written: .*",
        "--copy laddr": "there is no 'laddr'; known are .*; did you mean 'ladder'?",
        "here.yaml": "here.yaml is where a copy goes: give --copy NAME, too",
    }.items():
        code, output, error = run("configs", *words.split())
        assert (code, output) == (2, "")
        assert error.startswith(f"error: {message.partition('.*')[0]}")


def test_a_shell_completes_names() -> None:
    assert complete(ConfigKind.TOURNAMENT)("la") == ["ladder"]
    assert complete(ConfigKind.TRAINING)("la") == []

"""What is built from the project: a wheel with everything that its README's commands need."""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
from email import message_from_string
from pathlib import Path
from zipfile import ZipFile

import pytest
import yaml
from hatchling.builders.wheel import WheelBuilder

from dreamfactory_env import __version__
from dreamfactory_env.utils.configs import ConfigKind, shipped_configs
from tests.paths import CONFIGS, ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    (path,) = WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])
    return Path(path)


@pytest.fixture(scope="module")
def commands(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the folder of the commands of a fresh environment with the wheel in it.

    What the package needs comes from the environment of the tests. Its ``.pth`` files count for
    nothing there, so neither does an editable install of the project.
    """
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder, with_pip=False)
    bin_folder = folder / Path(sys.executable).parent.name
    python = bin_folder / Path(sys.executable).name
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check"]
    install = [*pip, "install", "--quiet", "--no-deps", "--no-index", str(wheel)]
    subprocess.run(install, check=True, timeout=120)
    (site,) = folder.glob("**/site-packages")
    (site / "needed.pth").write_text(sysconfig.get_path("purelib"), "utf-8")
    return bin_folder


def run(commands: Path, folder: Path, words: str) -> subprocess.CompletedProcess[str]:
    """Runs a command of the fresh environment; the clone is out of its sight."""
    return subprocess.run(
        [str(commands / "dreamfactory"), *words.split()],
        cwd=folder,
        env={"HOME": str(Path.home()), "NUMBA_DISABLE_JIT": "1", "COLUMNS": "200"},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


def test_the_commands_of_the_readme_find_their_files_in_the_wheel(
    commands: Path, tmp_path: Path
) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert "$ dreamfactory train quick " in readme
    assert "$ dreamfactory tournament ladder " in readme
    (site,) = commands.parent.glob("**/site-packages")
    listed = run(commands, tmp_path, "configs")
    assert listed.stdout.endswith(f"files: {site / 'dreamfactory_env/configs'}\n"), listed.stderr
    # Far enough to have read the file and to say what is wrong with what was added to it.
    train = run(commands, tmp_path, "train quick --set n_envs.9=1")
    assert f"{site}/dreamfactory_env/configs/train/quick.yaml: 1 mistake" in train.stderr
    tournament = run(commands, tmp_path, "tournament ladder -o edition=x --out t")
    assert f"{site}/dreamfactory_env/configs/tournaments/ladder.yaml: 1" in tournament.stderr
    tiny = run(commands, tmp_path, "simulate -o components=tiny --players 2 --games 1")
    assert tiny.returncode == 0, tiny.stderr


def test_the_wheel_has_all_configurations(wheel: Path) -> None:
    names = {name.rpartition("configs/")[2] for name in ZipFile(wheel).namelist()}
    for kind in ConfigKind:
        for path in shipped_configs(kind).values():
            assert path.relative_to(CONFIGS).as_posix() in names


def test_the_description_of_the_package_has_no_relative_link(wheel: Path) -> None:
    (name,) = (name for name in ZipFile(wheel).namelist() if name.endswith("/METADATA"))
    metadata = message_from_string(ZipFile(wheel).read(name).decode("utf-8"))
    text = metadata.get_payload()
    assert isinstance(text, str)
    targets = re.findall(r"\]\(([^)]+)\)", text)
    readme = (ROOT / "README.md").read_text("utf-8")
    assert len(targets) == len(re.findall(r"\]\(([^)]+)\)", readme)) > 20
    repository = PROJECT["urls"]["Repository"]
    assert [target for target in targets if not target.startswith("https://")] == []
    assert f"![A table of four players in the last round]({repository}/raw/main/docs/" in text
    assert f"[Environments]({repository}/blob/main/docs/environments.md)" in text
    assert f"[`training/`]({repository}/tree/main/training)" in text
    assert metadata["Description-Content-Type"] == "text/markdown"


def test_the_version_is_the_same_everywhere() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert str(citation["version"]) == PROJECT["version"] == __version__
    assert citation["repository-code"] == PROJECT["urls"]["Repository"]
    assert citation["authors"] == PROJECT["authors"]
    assert citation["title"] == PROJECT["name"]
    assert citation["license"] == PROJECT["license"]

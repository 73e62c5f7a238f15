"""Where compiled functions are kept: full disks, homes of others, folders that nobody can trust."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dreamfactory_env.engine import cache_files
from dreamfactory_env.engine.cache_files import CacheFiles
from tests.paths import ROOT

posix = pytest.mark.skipif(os.name != "posix", reason="users and modes are those of POSIX")
#: Calls a compiled function, and says how many were compiled, and how many were found.
PROGRAM = """
from dreamfactory_env.engine.cache import files, watch
from dreamfactory_env.engine.rng import next_seed
import numpy as np
assert next_seed(np.uint64(1)) != 1
print(watch.compiled, watch.found, files.where(), sep="|")
"""


def below_a_file(tmp_path: Path) -> Path:
    """Returns a folder that cannot be made."""
    (tmp_path / "file").touch()
    return tmp_path / "file" / "cache"


def run(home: Path, temporary: Path, before: str = "") -> list[str]:
    """Runs the program in a process of its own; returns what it prints, in parts."""
    finished = subprocess.run(
        [sys.executable, "-c", before + PROGRAM],
        cwd=ROOT,
        env={**os.environ, "NUMBA_CACHE_DIR": str(home), "TMPDIR": str(temporary)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    assert "Traceback" not in finished.stderr
    return finished.stdout.strip().split("|")


# ---------------------------------------------------------------------------- one process


def test_a_file_is_kept_in_the_folder_that_users_know(tmp_path: Path) -> None:
    files = CacheFiles(tmp_path / "deep/home", tmp_path / "temporary")
    assert files.read("a.nbc") is None
    assert files.write("a.nbc", b"whole")
    assert files.read("a.nbc") == b"whole"
    assert [path.name for path in (tmp_path / "deep/home").iterdir()] == ["a.nbc"]
    assert files.where() == f"kept in {tmp_path}/deep/home"
    assert [kept.st_size for kept in files.functions()] == [5]
    assert not (tmp_path / "temporary").exists()


def test_a_home_that_cannot_be_written_is_replaced_and_named(tmp_path: Path) -> None:
    home, temporary = below_a_file(tmp_path), tmp_path / "temporary"
    for written in (CacheFiles(home, temporary), CacheFiles(None, temporary)):
        assert written.write("a.nbc", b"whole")
        assert CacheFiles(home, temporary).read("a.nbc") == b"whole"
        (temporary / "a.nbc").unlink()
    files = CacheFiles(home, temporary)
    files.write("a.nbc", b"whole")
    because = f"because {home} cannot be written (Not a directory)"
    assert files.where() == f"kept in {temporary}, {because}"


def test_nowhere_to_write_is_no_error(tmp_path: Path) -> None:
    files = CacheFiles(below_a_file(tmp_path), tmp_path / "missing/temporary")
    assert not files.write("a.nbc", b"whole")
    assert files.folder is None
    assert files.read("a.nbc") is None
    assert files.claim("mark", 10)
    assert files.where().startswith("not kept, because ")
    assert files.where().count("cannot be written") == 2
    assert not (tmp_path / "missing").exists()


@posix
@pytest.mark.parametrize("trap", ["open", "link"])
def test_a_temporary_folder_of_somebody_else_is_not_used(tmp_path: Path, trap: str) -> None:
    temporary = tmp_path / "temporary"
    real = tmp_path / "elsewhere" if trap == "link" else temporary
    real.mkdir()
    (real / "a.nbc").write_bytes(b"evil")
    if trap == "link":
        temporary.symlink_to(real)
    else:
        real.chmod(0o777)
    files = CacheFiles(below_a_file(tmp_path), temporary)
    assert files.read("a.nbc") is None
    assert list(files.functions()) == []
    assert not files.write("b.nbc", b"own")
    assert [path.name for path in real.iterdir()] == ["a.nbc"]


@posix
def test_nobody_else_can_write_into_the_temporary_folder(tmp_path: Path) -> None:
    CacheFiles(None, tmp_path / "temporary").write("a.nbc", b"own")
    assert (tmp_path / "temporary").stat().st_mode & 0o777 == 0o700


def test_of_those_who_claim_a_mark_one_has_it(tmp_path: Path) -> None:
    first, second = CacheFiles(tmp_path), CacheFiles(tmp_path)
    assert first.claim("mark", 10)
    assert not second.claim("mark", 10)
    long_ago = time.time() - 20
    os.utime(tmp_path / "mark", (long_ago, long_ago))
    first.touch("mark")
    assert not second.claim("mark", 10)
    os.utime(tmp_path / "mark", (long_ago, long_ago))
    assert second.claim("mark", 10)
    assert not first.claim("mark", 10)


def test_a_user_without_a_home_plays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", no_home)
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert cache_files.home_folder() is None
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_files.home_folder() == tmp_path / "dreamfactory_env"


# ---------------------------------------------------------------------------- whole programs


@posix
def test_a_disk_that_takes_no_more_stops_no_program(tmp_path: Path) -> None:
    (tmp_path / "temporary").mkdir()
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
    compiled, found, where = run(tmp_path / "home", tmp_path / "temporary", limit)
    assert (int(compiled) > 0, found) == (True, "0")
    assert where.startswith("not kept, because ")
    assert where.count("cannot be written (File too large)") == 2
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.fixture(params=["size=4k", "size=1m,ro"])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A tiny disk, and what it says when it is written to."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", request.param, "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        mounted = False
    if not mounted:
        pytest.skip("only root may mount a disk, and not everywhere")
    yield folder, "Read-only file system" if "ro" in request.param else "No space left on device"
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_or_read_only_disk_is_replaced(tmp_path: Path, disk: tuple[Path, str]) -> None:
    home, reason = disk
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    compiled, _, where = run(home, temporary)
    assert int(compiled) > 0
    assert where.startswith(f"kept in {temporary}/dreamfactory_env-")
    assert where.endswith(f"because {home}/dreamfactory_env cannot be written ({reason})")
    assert run(home, temporary)[0] == "0"

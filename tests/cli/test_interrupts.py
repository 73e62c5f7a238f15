"""Ctrl-C before the command has even begun."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import COMMAND
from tests.paths import ROOT

SLOW = "import time; print('importing', flush=True); time.sleep(60)"


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_ctrl_c_while_importing_ends_the_command_without_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "gymnasium.py").write_text(SLOW)
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    process = subprocess.Popen(
        [COMMAND, "games"],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "importing\n"
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (130, "")


def test_who_imports_the_package_hears_ctrl_c_as_ever() -> None:
    script = "import signal, dreamfactory_env; print(signal.getsignal(signal.SIGINT).__name__)"
    command = [sys.executable, "-c", script]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert output == "default_int_handler\n"

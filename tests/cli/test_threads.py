"""Commands multiply matrices with one thread, unless the user has chosen otherwise."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from dreamfactory_env.utils.threads import VARIABLES, openblas_function

PROGRAM = """
from dreamfactory_env.utils.threads import openblas_function, use_one_thread
count = openblas_function("get_num_threads")
openblas_function("set_num_threads")(2)
use_one_thread()
print(count())
"""


@pytest.mark.skipif(openblas_function("get_num_threads") is None, reason="NumPy has another BLAS")
@pytest.mark.parametrize(("chosen", "threads"), [({}, 1), ({"OMP_NUM_THREADS": "2"}, 2)])
def test_networks_have_one_thread_if_nothing_is_said(chosen: dict[str, str], threads: int) -> None:
    environment = {name: text for name, text in os.environ.items() if name not in VARIABLES}
    program = [sys.executable, "-c", PROGRAM]
    found = subprocess.run(program, env={**environment, **chosen}, capture_output=True, text=True)
    assert found.stdout == f"{threads}\n", found.stderr

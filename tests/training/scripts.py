"""The scripts in ``training/``, which are no package: loaded by their paths."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

from tests.paths import ROOT

SCRIPTS = ROOT / "training"


def load(name: str) -> ModuleType:
    """Returns a script as a module, without running it."""
    spec = importlib.util.spec_from_file_location(name, SCRIPTS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module

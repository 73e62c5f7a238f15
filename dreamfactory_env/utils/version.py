"""The version of the package that is installed."""

from __future__ import annotations

from importlib.metadata import version

__version__ = version("dreamfactory-env")

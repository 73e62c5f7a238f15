"""The command line: ``dreamfactory``; one module a group of commands."""

from dreamfactory_env.cli.main import main

__all__ = ["main"]

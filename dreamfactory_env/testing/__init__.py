"""Checks for whoever adds a game or changes one: ``check_game(MyGame, players=3)``."""

from dreamfactory_env.testing.checks import check_game

__all__ = ["check_game"]

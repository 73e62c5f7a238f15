"""A small cooperative game: the example of "How to add a game", which tests play, too."""

from tests.toy_game.game import SignalGame

__all__ = ["SignalGame"]

"""Games in the browser: watch records, play at a table, keep a game as one file.

What needs no server needs no more than the package: :func:`game_html` and :class:`GamePage` write a
game as one HTML file. The server needs the extra ``viewer``.
"""

from dreamfactory_env.viewer.export import GamePage, game_html

__all__ = ["GamePage", "game_html"]

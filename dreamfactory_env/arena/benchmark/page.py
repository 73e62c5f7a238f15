"""The page of a benchmark: what docs/<game>/benchmark.md says, made from the data of its file."""

from __future__ import annotations

from dreamfactory_env.arena.benchmark.competitive import competitive_page
from dreamfactory_env.arena.benchmark.cooperative import cooperative_page
from dreamfactory_env.arena.benchmark.data import BenchmarkData
from dreamfactory_env.arena.benchmark.matrices import matrices
from dreamfactory_env.games.game import Game


def page(data: BenchmarkData, file: str, game: Game) -> str:
    """Returns the page of a benchmark as Markdown.

    Args:
        data: What the file says.
        file: The name of the file, beside the page.
        game: A game with the options that were played.
    """
    make = cooperative_page if game.spec.shared else competitive_page
    return make(data, file, game)


def picture(data: BenchmarkData, game: Game) -> str | None:
    """Returns the picture that the page shows as SVG, None if it has none.

    Args:
        data: What the file says.
        game: A game with the options that were played.
    """
    return matrices(data, game) if game.spec.shared else None

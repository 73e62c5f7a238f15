"""Golden playthroughs: whole games as readable text, so that a change of behaviour is a diff.

Each step shows who is to move and the points, the whole table, the legal moves and the move, and
now and then the observation of the player to move. To write them anew after a change that is meant:
``make golden``.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dreamfactory_env import DreamFactory
from dreamfactory_env.games.dream_factory.components import check_components, standard_components
from dreamfactory_env.games.dream_factory.scoring import director_stars
from dreamfactory_env.utils.yaml_lines import Document
from tests.games.dream_factory.styles import STYLES

#: How many steps there are from one observation that is shown to the next.
OBSERVED_EVERY = 20
FOLDER = Path(__file__).parent / "golden"


@dataclass(frozen=True)
class Playthrough:
    """One golden game: its options, how it is played, and the odd thing that it must show."""

    name: str
    options: dict[str, Any]
    style: str
    seed: int
    shows: Callable[[DreamFactory], bool] = field(default=lambda game: True)
    tokens: tuple[str, ...] = ()

    def game(self) -> DreamFactory:
        """Returns the game before its first move."""
        if not self.tokens:
            return DreamFactory(seed=self.seed, **self.options)
        data = {**standard_components().as_data(), "tokens": list(self.tokens)}
        components = check_components(Document(data), self.name)
        return DreamFactory(seed=self.seed, components=components, **self.options)


def _director_tie(game: DreamFactory) -> bool:
    stars = sorted(director_stars(game.state, seat) for seat in range(game.players))
    return stars[-1] > 0 and stars[-1] == stars[-2] and game.state.best_director < 0


def _edition(number: int) -> str:
    return ["dream_factory", "traumfabrik"][number]


PLAYTHROUGHS = [
    *(
        Playthrough(
            f"{players}_players_{_edition(number)}",
            {"players": players, "edition": _edition(number), "choose_studio": players == 3},
            ["thrifty", "uniform"][(players + number) % 2],
            seed=players,
        )
        for players in (2, 3, 4, 5)
        for number in (0, 1)
    ),
    Playthrough(
        "no_token_left",
        {"players": 2},
        "thrifty",
        seed=0,
        shows=lambda game: game.state.tokenless >= 2,
        tokens=("5", "9", "9+", "16"),
    ),
    Playthrough("best_director_tie", {"players": 3}, "thrifty", seed=38, shows=_director_tie),
    Playthrough(
        "empty_pile",
        {"players": 4},
        "thrifty",
        seed=3,
        shows=lambda game: bool((game.state.in_production[:4] == -1).any()),
    ),
    Playthrough(
        "everybody_passes",
        {"players": 5, "edition": "traumfabrik"},
        "passive",
        seed=0,
        shows=lambda game: game.winners() == [0, 1, 2, 3, 4] and not game.finished(),
    ),
]


def lines_of(playthrough: Playthrough) -> Iterator[str]:
    """Plays a game and gives its text line by line."""
    game = playthrough.game()
    options = ", ".join(f"{key} {value}" for key, value in playthrough.options.items())
    yield f"# {playthrough.name}: {options}, seed {playthrough.seed}, played {playthrough.style}"
    setup = game.setup()
    yield f"# first player {setup['first_player']}, studios {setup['studios']}"
    yield f"# pile: {', '.join(setup['pile'])}"
    rng = random.Random(playthrough.seed)
    step = 0
    while True:
        table = str(game).splitlines()
        yield ""
        yield f"[{step}] {table[0]} points {' '.join(map(str, game.scores()))}"
        yield from table[1:]
        if game.over:
            break
        if step % OBSERVED_EVERY == 0:
            yield from observation_of(game)
        legal = game.legal_actions()
        yield f"legal: {game.summary_of(list(legal))}"
        move = STYLES[playthrough.style](list(legal), rng)
        yield f"> {move} (action {legal[move]})"
        game.play(move)
        step += 1
    yield f"result: {game.result()}"


def observation_of(game: DreamFactory) -> Iterator[str]:
    """Gives what the player to move sees, block by block: the numbers that are not 0."""
    assert game.to_move is not None
    observation = game.observe(game.to_move)
    yield f"observation of player {game.to_move}:"
    for block in game.layout.blocks.values():
        numbers = observation[block.slice]
        shown = " ".join(f"{k}={numbers[k]:.4g}" for k in numbers.nonzero()[0])
        if shown:
            yield f"    {block.name}: {shown}"


def text_of(playthrough: Playthrough) -> str:
    """Returns the whole text of a playthrough."""
    return "\n".join(lines_of(playthrough)) + "\n"


def file_of(playthrough: Playthrough) -> Path:
    """Returns where a playthrough is kept."""
    return FOLDER / f"{playthrough.name}.txt"


def main() -> None:
    """Writes every playthrough anew."""
    for playthrough in PLAYTHROUGHS:
        file_of(playthrough).write_text(text_of(playthrough), "utf-8")
        print(f"wrote {playthrough.name}")


if __name__ == "__main__":
    main()

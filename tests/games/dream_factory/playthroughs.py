"""Golden playthroughs: whole games as readable text, so that a change of behaviour is a diff.

The text of a position shows who is to move and the points, the whole table, the legal moves and the
move, and now and then the observation of the player to move. Two games are kept with all positions.
Of the others a line a move is kept: a hash of the text of the position, the points if they have
changed, who moves, and the move. To write them anew after a change that is meant: ``make golden``.
``python -m tests.games.dream_factory.playthroughs NAME`` prints all positions of any of them.
"""

from __future__ import annotations

import hashlib
import itertools
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dreamfactory_env import DreamFactory
from dreamfactory_env.games.dream_factory.component_files import (
    check_components,
    standard_components,
)
from dreamfactory_env.games.dream_factory.scoring import director_stars
from dreamfactory_env.utils.yaml_lines import Document
from tests.games.dream_factory.styles import STYLES

#: How many steps there are from one observation that is shown to the next.
OBSERVED_EVERY = 20
FOLDER = Path(__file__).parent / "golden"
#: The games that are kept with all positions: both editions and styles, two and four players.
WITH_POSITIONS = ("2_players_traumfabrik", "empty_pile")


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


@dataclass(frozen=True)
class Position:
    """One position of a playthrough.

    Attributes:
        text: All of it, the move that is played included.
        points: Of each player.
        move: Who moves and how, in words; how it ends if the game is over.
    """

    text: str
    points: list[int]
    move: str


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


def head_of(playthrough: Playthrough) -> str:
    """Returns the lines before the first position: options and what was drawn."""
    options = ", ".join(f"{key} {value}" for key, value in playthrough.options.items())
    setup = playthrough.game().setup()
    return (
        f"# {playthrough.name}: {options}, seed {playthrough.seed}, played {playthrough.style}\n"
        f"# first player {setup['first_player']}, studios {setup['studios']}\n"
        f"# pile: {', '.join(setup['pile'])}\n"
    )


def positions_of(playthrough: Playthrough) -> Iterator[Position]:
    """Plays a game and gives its positions."""
    game = playthrough.game()
    rng = random.Random(playthrough.seed)
    for step in itertools.count():
        points = game.scores()
        first, *table = str(game).splitlines()
        lines = [f"[{step}] {first} points {' '.join(map(str, points))}", *table]
        if game.over:
            end = f"result: {game.result()}"
            yield Position("\n".join([*lines, end]), points, end)
            return
        if step % OBSERVED_EVERY == 0:
            lines.extend(observation_of(game))
        legal = game.legal_actions()
        words = STYLES[playthrough.style](list(legal), rng)
        move = f"{words} (action {legal[words]})"
        lines += [f"legal: {game.summary_of(list(legal))}", f"> {move}"]
        yield Position("\n".join(lines), points, f"player {game.to_move}: {move}")
        game.play(words)


def observation_of(game: DreamFactory) -> Iterator[str]:
    """Gives what the player to move sees, block by block: the numbers that are not 0."""
    assert game.to_move is not None
    observation = game.observe(game.to_move)
    yield f"observation of player {game.to_move}:"
    for block in game.spec.observation.blocks.values():
        numbers = observation[block.slice]
        shown = " ".join(f"{k}={numbers[k]:.4g}" for k in numbers.nonzero()[0])
        if shown:
            yield f"    {block.name}: {shown}"


def with_positions(head: str, positions: list[Position]) -> str:
    """Returns a playthrough with the text of each position."""
    return head + "".join(f"\n{position.text}\n" for position in positions)


def with_hashes(head: str, positions: list[Position]) -> str:
    """Returns a playthrough with a line a move, and a hash of the text of each position."""
    lines: list[str] = []
    points: list[int] = []
    for step, position in enumerate(positions):
        digest = hashlib.blake2b(position.text.encode(), digest_size=5).hexdigest()
        if position.points != points:
            points = position.points
            digest += f" points {' '.join(map(str, points))};"
        lines.append(f"[{step}] {digest} {position.move}\n")
    return head + "\n" + "".join(lines)


def text_of(playthrough: Playthrough) -> str:
    """Returns a playthrough as its file keeps it."""
    write = with_positions if playthrough.name in WITH_POSITIONS else with_hashes
    return write(head_of(playthrough), list(positions_of(playthrough)))


def file_of(playthrough: Playthrough) -> Path:
    """Returns where a playthrough is kept."""
    return FOLDER / f"{playthrough.name}.txt"


def main(names: list[str]) -> None:
    """Prints the named playthroughs with all positions; writes every file anew if none is named."""
    for playthrough in PLAYTHROUGHS:
        if playthrough.name in names:
            positions = list(positions_of(playthrough))
            print(with_positions(head_of(playthrough), positions), end="")
        elif not names:
            file_of(playthrough).write_text(text_of(playthrough), "utf-8")
            print(f"wrote {playthrough.name}")


if __name__ == "__main__":
    main(sys.argv[1:])

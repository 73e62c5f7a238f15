"""Golden playthroughs: whole games as readable text, so that a change of behaviour is a diff.

The text of a position shows who is to move and the points, the whole table, the legal moves and the
move, and now and then the observation of the player to move. Two games are kept with all positions.
Of the others a line a move is kept: a hash of the text of the position, the points if they have
changed, who moves, and the move. To write them anew after a change that is meant: ``make golden``.
``python -m tests.games.playthroughs NAME`` prints all positions of any of them.
"""

from __future__ import annotations

import hashlib
import importlib
import itertools
import random
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dreamfactory_env.games import GAMES
from dreamfactory_env.games.game import Game

Style = Callable[[list[str], random.Random], str]

#: How many steps there are from one observation that is shown to the next.
OBSERVED_EVERY = 20
TESTS = Path(__file__).parent


@dataclass(frozen=True)
class Playthrough(ABC):
    """One golden game: its options, and how it is played."""

    name: str
    options: dict[str, Any]
    style: str
    seed: int

    @abstractmethod
    def game(self) -> Game:
        """Returns the game before its first move."""

    @abstractmethod
    def choose(self, legal: list[str], rng: random.Random) -> str:
        """Returns the move that is played."""

    @abstractmethod
    def drawn(self) -> list[str]:
        """Returns what was drawn, for the lines before the first position."""

    @property
    def file(self) -> Path:
        """Where it is kept."""
        return TESTS / self.game().spec.name / "golden" / f"{self.name}.txt"


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


def head_of(playthrough: Playthrough) -> str:
    """Returns the lines before the first position: options and what was drawn."""
    options = ", ".join(f"{key} {value}" for key, value in playthrough.options.items())
    first = f"{playthrough.name}: {options}, seed {playthrough.seed}, played {playthrough.style}"
    return "".join(f"# {line}\n" for line in (first, *playthrough.drawn()))


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
        words = playthrough.choose(list(legal), rng)
        move = f"{words} (action {legal[words]})"
        lines += [f"legal: {game.summary_of(list(legal))}", f"> {move}"]
        yield Position("\n".join(lines), points, f"player {game.to_move}: {move}")
        game.play(words)


def observation_of(game: Game) -> Iterator[str]:
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


def text_of(playthrough: Playthrough, whole: bool) -> str:
    """Returns a playthrough as its file keeps it; ``whole`` with all positions."""
    write = with_positions if whole else with_hashes
    return write(head_of(playthrough), list(positions_of(playthrough)))


def main(names: list[str]) -> None:
    """Prints the named playthroughs with all positions; writes every file anew if none is named."""
    for game in GAMES:
        kept = importlib.import_module(f"tests.games.{game}.playthroughs")
        for playthrough in kept.PLAYTHROUGHS:
            if playthrough.name in names:
                print(text_of(playthrough, whole=True), end="")
            elif not names:
                text = text_of(playthrough, playthrough.name in kept.WITH_POSITIONS)
                playthrough.file.parent.mkdir(exist_ok=True)
                playthrough.file.write_text(text, "utf-8")
                print(f"wrote {game}/{playthrough.name}")


if __name__ == "__main__":
    main(sys.argv[1:])

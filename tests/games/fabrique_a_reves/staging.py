"""Games of La Fabrique à rêves that begin just as a test needs them, and ways to play them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any

from dreamfactory_env import FabriqueAReves
from dreamfactory_env.games.fabrique_a_reves.lexicon_files import standard_lexicon
from dreamfactory_env.games.fabrique_a_reves.options import MODES
from dreamfactory_env.games.fabrique_a_reves.state import RESERVOIRS_OF_MODE, Mode

OPTIONS = [(mode, players) for mode in MODES for players in (2, 3, 4, 5)]
#: Every mode and every number of players, for what takes longer.
SOME = OPTIONS[::3]
#: The themes of each level.
THEMES = {
    level: [t.id for t in standard_lexicon().themes if t.level == level] for level in range(4)
}


def staged(
    mode: str = "base",
    players: int = 3,
    *,
    piles: Sequence[Sequence[str]] = (),
    themes: list[str] | None = None,
    tools: list[str] | None = None,
    first_player: int = 0,
    **options: Any,
) -> FabriqueAReves:
    """Returns a game whose set-up begins as told; what is not told is filled with other cards.

    Args:
        mode: The mode.
        players: How many play.
        piles: The words on top of each reservoir, top first.
        themes: The ids of the themes.
        tools: The tools of the variant.
        first_player: Who begins.
        **options: Other options; the level is 1 if it is asked for and not told.
    """
    drawn = FabriqueAReves(players, mode=mode, tools=tools, seed=1, **options)
    setup = drawn.setup()
    cards: dict[str, str] = {}
    for one, other in standard_lexicon().cards:
        cards |= {one: f"{one}/{other}", other: f"{other}/{one}"}
    told = [[cards[word] for word in pile] for pile in piles]
    used = {frozenset(card.split("/")) for pile in told for card in pile}
    rest = [f"{one}/{other}" for one, other in standard_lexicon().cards if {one, other} not in used]
    count = RESERVOIRS_OF_MODE[Mode[mode.upper()]]
    sizes = [len(range(number, 200, count)) for number in range(count)]
    told += [[] for _ in range(count - len(told))]
    setup["reservoirs"] = [
        pile + [rest.pop() for _ in range(size - len(pile))]
        for pile, size in zip(told, sizes, strict=True)
    ]
    setup["first_player"] = first_player
    if themes is not None:
        setup["themes"] = themes
    return FabriqueAReves.from_setup(drawn.config(), setup)


def play(game: FabriqueAReves, *moves: str) -> FabriqueAReves:
    """Plays moves in words."""
    for move in moves:
        game.play(move)
    return game


def fill(game: FabriqueAReves, *counts: int) -> FabriqueAReves:
    """Puts so many words into each vial, from any reservoirs, whoever is to move."""
    for vial, count in enumerate(counts, 1):
        for _ in range(count):
            game.play(next(words for words in game.legal() if words.endswith(f"into {vial}")))
    return game


def pass_all(game: FabriqueAReves) -> FabriqueAReves:
    """Lets everybody pass who is still in thoughts."""
    while game.phase == "thoughts":
        game.play("pass")
    return game


def dream(game: FabriqueAReves, *slates: str) -> FabriqueAReves:
    """Writes whole slates, those of the first player first: ``guitar, train, none`` and so on."""
    for slate in slates:
        for word in slate.split(", "):
            vial = int(game.state.asked) + 1
            game.play(f"dream {vial} {word}")
    return game


def legal_starting(game: FabriqueAReves, start: str) -> list[str]:
    """Returns the legal moves whose words begin so."""
    return [words for words in game.legal() if words.startswith(start)]


def random_moves(game: FabriqueAReves, rng: random.Random, passing: float = 0.1) -> Iterable[str]:
    """Plays a game at random to its end, and gives each move before it is played."""
    while not game.over:
        legal = game.legal()
        move = rng.choice(legal)
        if "pass" in legal and rng.random() < passing:
            move = "pass"
        yield move
        game.play(move)

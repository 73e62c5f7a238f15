"""Games of Faux Raccords that begin just as a test needs them, and ways to play them."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from dreamfactory_env import FauxRaccords
from dreamfactory_env.games.faux_raccords.hazards import HAZARD_COUNTS
from dreamfactory_env.games.faux_raccords.setup import (
    CARDS_OF_MODE,
    PAIRS,
    REMOVED,
    film_size,
)
from dreamfactory_env.games.faux_raccords.state import CARD_WORDS, CARDS, Mode, Phase

MODES = [mode.name.lower() for mode in Mode]
#: A card of each member in the standard components, and more of some.
MANAGERS, EDITORS = ["6", "10b", "12", "20", "27", "28b"], ["2", "7", "10", "14", "17", "24", "26"]
STARS, PRODUCERS = ["5", "8", "13", "16", "18", "25"], ["1", "4", "11", "15", "19", "22"]
SCRIPTS = ["1b", "3", "9", "19b", "21", "23", "28"]
#: Hazards that change nothing in a game in which nobody has given a hint and hands are not empty.
QUIET = ["spilled coffee", "censored", "power cut", "early deadline"]
OPTIONS = [(mode, players) for mode in MODES for players in (2, 3, 4)]


def staged(
    mode: str,
    players: int = 2,
    *,
    hands: Iterable[Iterable[str]] = (),
    film: Iterable[str] = (),
    deck: Iterable[str] = (),
    hazards: Iterable[str] = (),
    moods: Iterable[list[str]] = (),
    memory: str = "none",
) -> FauxRaccords:
    """Returns a game whose set-up begins as told; what is not told is filled with other cards."""
    number = Mode[mode.upper()]
    told = [*map(list, hands), list(film), list(deck)]
    words = CARD_WORDS[: CARDS_OF_MODE[number]]
    rest = [word for word in words if word not in {card for part in told for card in part}]

    def filled(cards: Iterable[str], size: int) -> list[str]:
        full = list(cards)
        while len(full) < size:
            full.append(rest.pop())
        return full

    in_film = film_size(number, players)
    start: list[str] = filled(film, in_film)
    dealt = [*map(list, hands), *([] for _ in range(players))][:players]
    all_hands = [filled(hand, 3) for hand in dealt]
    removed = [rest.pop() for _ in range(REMOVED[number])]
    in_deck = len(words) - REMOVED[number] - in_film - 3 * players
    pairs = [["love", "laughter"], ["drama", "fear"]][: PAIRS[number]]
    setup = {
        "first_player": 0,
        "hands": all_hands,
        "film": start,
        "deck": filled(deck, in_deck),
        "removed": removed,
        "hazards": [*hazards, *(h for h in QUIET if h not in {*hazards})][: HAZARD_COUNTS[number]],
        "moods": list(moods) or pairs,
    }
    config: dict[str, Any] = {"players": players, "mode": mode}
    if memory != "none":
        config["memory"] = memory
    return FauxRaccords.from_setup(config, setup)


def play(game: FauxRaccords, *moves: str) -> FauxRaccords:
    """Plays moves in words, and answers every hint that is not among them with none."""
    for move in moves:
        if game.phase == "hint" and not move.endswith(("hint", "good", "bad")):
            game.play("no hint")
        game.play(move)
    return game


def decline(game: FauxRaccords) -> None:
    """Lets everything be that may be declined: effects and hints."""
    while answers := {"no effect", "no hint"} & {*game.legal()}:
        game.play(answers.pop())


def idle_turn(game: FauxRaccords, card: str | None = None) -> None:
    """Calls a card, and lets everything else be."""
    game.play(f"call {card or game.hand(game.turn)[0]}")
    decline(game)


def random_moves(game: FauxRaccords, rng: random.Random, ending: float = 0.02) -> Iterable[str]:
    """Plays a game at random to its end, and gives each move before it is played."""
    while not game.over:
        legal = game.legal()
        if "end" in legal and len(legal) > 1 and rng.random() > ending:
            legal.remove("end")
        move = rng.choice(legal)
        yield move
        game.play(move)


def cards_in(cards: Any) -> list[int]:
    """Returns the members of a set of cards."""
    return [card for card in range(CARDS) if int(cards) >> card & 1]


def all_cards(game: FauxRaccords) -> list[int]:
    """Returns all cards of a game, wherever they are, in rising order."""
    s = game.state
    found = [
        *s.film.tolist(),
        *s.cut.tolist(),
        *s.taken.tolist(),
        *s.dealt[int(s.drawn) :].tolist(),
    ]
    found = [card for card in found if card >= 0]
    for cards in (*s.hands.tolist(), s.binned):
        found += cards_in(cards)
    return sorted(found)


def between_turns(game: FauxRaccords) -> bool:
    """Tells whether a turn has just ended."""
    return game.state.phase in (Phase.ACTION, Phase.OVER)

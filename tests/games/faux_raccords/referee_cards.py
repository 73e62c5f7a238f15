"""What is in the box of Faux Raccords and how it is dealt, for the referee: F1 to F4 and F28."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any, NamedTuple


class Foul(ValueError):
    """An illegal move, or a set-up or record that no game can have produced."""


class Rush(NamedTuple):
    """What is printed on a Rush card (F1)."""

    value: int
    symbol: str
    member: str


class Components(NamedTuple):
    """Everything that is printed."""

    cards: dict[str, Rush]  # by their names
    hazards: tuple[str, ...]
    moods: tuple[str, ...]


class Mode(NamedTuple):
    """How a mode is set up (F2, F3)."""

    starts: tuple[int, int]  # cards in the Film with two or three players, and with four
    hazards: int
    pairs: int  # of moods


PRINTED = """
1 love producer | 1b fear script | 2 action editor | 3 laughter script
4 joker producer | 5 mystery star | 6 drama manager | 7 neutral editor
8 laughter star | 9 neutral script | 10 mystery editor | 10b love manager
11 action producer | 12 fear manager | 13 joker star | 14 drama editor
15 laughter producer | 16 drama star | 17 love editor | 18 neutral star
19 fear producer | 19b action script | 20 mystery manager | 21 joker script
22 mystery producer | 23 love script | 24 joker editor | 25 fear star
26 laughter editor | 27 action manager | 28 drama script | 28b neutral manager
"""
HAZARDS = (
    *("power cut", "lost reel", "ego clash", "reshoot", "budget cut"),
    *("walk-out", "wrong hands", "censored", "spilled coffee", "early deadline"),
)
MOODS = ("love", "laughter", "drama", "fear", "action", "mystery")
SYMBOLS = (*MOODS, "neutral", "joker")
MEMBERS = ("manager", "editor", "star", "producer", "script")

MODES = {
    "tutorial": Mode((4, 4), 0, 0),
    "feature": Mode((8, 6), 3, 1),
    "shorts": Mode((8, 6), 4, 2),
    "series": Mode((6, 4), 4, 1),
    "arcs": Mode((6, 4), 3, 1),
    "studio": Mode((6, 4), 4, 0),
}
HAND = 3  # F2
CLAPS = 3  # F1
REMOVED = 4  # F3, from the tutorial


def read_cards(printed: str) -> dict[str, Rush]:
    """Returns the cards of a table such as the one above."""
    found = {}
    for entry in printed.replace("\n", "|").split("|"):
        if entry.strip():
            name, symbol, member = entry.split()
            found[name] = Rush(int(name.rstrip("b")), symbol, member)
    return found


RECONSTRUCTION = Components(read_cards(PRINTED), HAZARDS, MOODS)


def check_config(config: Any) -> tuple[int, str]:
    """Returns the number of players and the mode of a record's ``config``.

    Raises:
        Foul: They are not those of a game.
    """
    if not isinstance(config, dict) or not {"players", "mode"} <= set(config):
        raise Foul(f"config must have players and mode: {config!r}")
    players, mode = config["players"], config["mode"]
    if type(players) is not int or not 2 <= players <= 4:
        raise Foul(f"{players!r} players: 2 to 4 can play")
    if mode not in MODES:
        raise Foul(f"unknown mode {mode!r}")
    return players, mode


def start_size(players: int, mode: str) -> int:
    """Returns how many cards lie in the Film at the start (F3)."""
    return MODES[mode].starts[players == 4]


def cards_of(mode: str, components: Components = RECONSTRUCTION) -> list[str]:
    """Returns the cards that a mode is dealt from: the tutorial has no second copies (F3)."""
    return [name for name in components.cards if mode != "tutorial" or not name.endswith("b")]


def check_setup(players: int, mode: str, setup: Any, components: Components) -> None:
    """Looks whether a set-up can have been dealt (F2 to F4, F28).

    Raises:
        Foul: It cannot.
    """
    keys = {"first_player", "hands", "film", "deck", "removed", "hazards", "moods"}
    if not isinstance(setup, dict) or set(setup) != keys:
        raise Foul(f"a set-up has the keys {sorted(keys)}")
    first = setup["first_player"]
    if type(first) is not int or not 0 <= first < players:
        raise Foul(f"no seat {first!r} to be first player")
    hands, film, removed = setup["hands"], setup["film"], setup["removed"]
    if [len(hand) for hand in hands] != [HAND] * players:
        raise Foul(f"each of {players} players gets {HAND} cards")
    if len(film) != start_size(players, mode):
        raise Foul(f"{len(film)} cards in the Film")
    if len(removed) != (REMOVED if mode == "tutorial" else 0):
        raise Foul(f"{len(removed)} cards removed")
    dealt = [*film, *setup["deck"], *removed, *(card for hand in hands for card in hand)]
    if Counter(dealt) != Counter(cards_of(mode, components)):
        raise Foul("not exactly the cards of the game have been dealt")
    hazards = setup["hazards"]
    if len(hazards) != MODES[mode].hazards or len(set(hazards)) != len(hazards):
        raise Foul(f"not {MODES[mode].hazards} different hazards: {hazards!r}")
    if not set(hazards) <= set(components.hazards):
        raise Foul(f"unknown hazards: {hazards!r}")
    moods = setup["moods"]
    tokens = [mood for pair in moods for mood in pair]
    if [len(pair) for pair in moods] != [2] * MODES[mode].pairs:
        raise Foul(f"not {MODES[mode].pairs} pairs of moods: {moods!r}")
    if len(set(tokens)) != len(tokens) or not set(tokens) <= set(components.moods):
        raise Foul(f"not different moods: {moods!r}")


def random_setup(
    players: int, mode: str, rng: random.Random, components: Components = RECONSTRUCTION
) -> dict[str, Any]:
    """Returns a set-up as chance may deal it (F2)."""
    deck = cards_of(mode, components)
    rng.shuffle(deck)

    def deal(count: int) -> list[str]:
        dealt = deck[:count]
        del deck[:count]
        return dealt

    pairs = MODES[mode].pairs
    tokens = rng.sample(components.moods, 2 * pairs)
    return {
        "first_player": rng.randrange(players),
        "removed": deal(REMOVED if mode == "tutorial" else 0),
        "hands": [deal(HAND) for _ in range(players)],
        "film": deal(start_size(players, mode)),
        "deck": deck,
        "hazards": rng.sample(components.hazards, MODES[mode].hazards),
        "moods": [tokens[2 * k : 2 * k + 2] for k in range(pairs)],
    }

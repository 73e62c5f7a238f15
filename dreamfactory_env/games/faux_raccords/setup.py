"""How a game of Faux Raccords begins: what is drawn (F2 to F4), and a record's set-up (F28)."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.rng import Seed, random_below, shuffle
from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.games.faux_raccords.bits import nth_bit
from dreamfactory_env.games.faux_raccords.components import Components
from dreamfactory_env.games.faux_raccords.film import lay
from dreamfactory_env.games.faux_raccords.hazards import HAZARD_COUNTS
from dreamfactory_env.games.faux_raccords.knowledge import see
from dreamfactory_env.games.faux_raccords.options import Options
from dreamfactory_env.games.faux_raccords.rules import begin_turn
from dreamfactory_env.games.faux_raccords.scoring import graded_score
from dreamfactory_env.games.faux_raccords.state import (
    CARD_WORDS,
    CARDS,
    HAND,
    HAZARDS,
    LINE_B,
    MAX_PLAYERS,
    MOODS,
    VALUES,
    WIDTH,
    Mode,
    Params,
    State,
)
from dreamfactory_env.utils.errors import RecordError
from dreamfactory_env.utils.validation import as_int, did_you_mean, shown

#: How many cards each mode is played with; the second 1, 10, 19 and 28 are the last (F3).
CARDS_OF_MODE = (VALUES, CARDS, CARDS, CARDS, CARDS, CARDS)
#: How many of them leave unseen (F3).
REMOVED = (4, 0, 0, 0, 0, 0)
#: The pairs of moods of each mode (F2).
PAIRS = (0, 1, 2, 1, 1, 0)


def _starting_slots() -> Array:
    """Returns the slots of the first cards, in the order in which they are laid (F3, F4).

    Returns:
        int8 (modes, players + 1, cards), -1 behind the last.
    """
    slots = np.full((len(Mode), MAX_PLAYERS + 1, 8), -1, np.int8)
    rows = {  # for two or three players, and for four
        Mode.TUTORIAL: (list(range(4)), list(range(4))),
        Mode.FEATURE: (list(range(8)), list(range(6))),
        Mode.SHORTS: (
            [*range(4), *range(LINE_B, LINE_B + 4)],
            [*range(3), *range(LINE_B, LINE_B + 3)],
        ),
        Mode.SERIES: (_slots("1/1 1/3 1/4 4/1 4/2 4/4", 1, 1), _slots("1/1 1/4 4/1 4/4", 1, 1)),
        Mode.ARCS: (_slots("1/1 1/2 1/3 2/1 2/2 3/1", 0, 0), _slots("1/1 1/2 2/1 2/2", 0, 0)),
        Mode.STUDIO: (_slots("1/1 1/2 1/3 2/1 2/2 3/1", 1, 0), _slots("1/1 1/2 1/3 2/1", 1, 0)),
    }
    for mode, (few, four) in rows.items():
        for players in range(2, MAX_PLAYERS + 1):
            row = four if players == MAX_PLAYERS else few
            slots[mode, players, : len(row)] = row
    return slots


def _slots(names: str, first_row: int, first_column: int) -> list[int]:
    """Returns places such as ``2/1`` as slots."""
    pairs = [name.split("/") for name in names.split()]
    return [(int(row) - first_row) * WIDTH + int(column) - first_column for row, column in pairs]


STARTING_SLOTS = _starting_slots()


def film_size(mode: int, players: int) -> int:
    """Returns how many cards the Film starts with."""
    return int((STARTING_SLOTS[mode, players] >= 0).sum())


# ---------------------------------------------------------------------------- the deal


@jit
def reset(states: Records, index: int, params: Records, blank: Records, seed: Seed) -> None:
    """Deals game ``index`` of a batch anew from a seed.

    Args:
        states: The batch, STATE.
        index: Which game of it.
        params: The components, PARAMS, shape (1,).
        blank: A state before the deal with the options set, STATE, shape (1,).
        seed: Where the shuffles come from, uint64.
    """
    states[index] = blank[0]
    s, t = states[index], params[0]
    s.seed = np.uint64(seed)
    draw(s, t, seed)
    begin(s, t)


@jit
def draw(s: State, t: Params, seed: Seed) -> None:
    """Draws all that chance decides (F2)."""
    mode = int(t.mode)
    s.first_player = random_below(seed, 0, int(s.players))
    counter = draw_some(s.hazards, HAZARD_COUNTS[mode], HAZARDS, seed, 1)
    counter = draw_some(s.moods, 2 * PAIRS[mode], MOODS, seed, counter)
    count = CARDS_OF_MODE[mode]
    for card in range(count):
        s.dealt[card] = card
    shuffle(s.dealt, count, seed, counter)


@jit
def draw_some(out: Array, count: int, total: int, seed: Seed, counter: int) -> int:
    """Draws some of the numbers below ``total``, all different; returns the counter after it."""
    left = (1 << total) - 1
    for k in range(count):
        number = nth_bit(left, random_below(seed, counter, total - k))
        counter += 1
        left ^= 1 << number
        out[k] = number
    return counter


@jit
def begin(s: State, t: Params) -> None:
    """Starts a game whose shuffles lie ready: hands, Film, draw pile (F2, F4)."""
    mode = int(t.mode)
    at = 0
    for p in range(s.players):
        for _ in range(HAND):
            s.hands[p] = int(s.hands[p]) | 1 << int(s.dealt[at])
            see(s, t, p, int(s.dealt[at]))
            at += 1
    for slot in STARTING_SLOTS[mode, s.players]:
        if slot >= 0:
            lay(s, t, int(s.dealt[at]), int(slot))
            at += 1
    s.drawn = at
    s.pile_end = CARDS_OF_MODE[mode] - REMOVED[mode]
    s.hints_left = (1 << int(s.players)) - 1
    s.start_score = graded_score(s, t)
    begin_turn(s, t, int(s.first_player))


@jit
def begin_at(states: Records, index: int, params: Records) -> None:
    """Starts game ``index`` of a batch, whose shuffles lie ready."""
    begin(states[index], params[0])


# ---------------------------------------------------------------------------- records


def moods_of(options: Options, state: Any) -> list[list[str]]:
    """Returns the moods of a game in words, a pair for each genre that is asked for."""
    words, moods = options.components.moods, state.moods.tolist()
    pairs = range(PAIRS[options.mode_number])
    return [[words[moods[2 * pair]], words[moods[2 * pair + 1]]] for pair in pairs]


KEYS = ["first_player", "hands", "film", "deck", "removed", "hazards", "moods"]


class Setup(NamedTuple):
    """What was drawn, as numbers."""

    first_player: int
    dealt: list[int]
    hazards: list[int]
    moods: list[int]


def read_setup(options: Options, setup: Any) -> Setup:
    """Returns the set-up that a record describes.

    Raises:
        RecordError: It is not one of a game with these options.
    """
    components, mode, players = options.components, options.mode_number, options.players
    if not isinstance(setup, dict) or sorted(setup, key=str) != sorted(KEYS):
        raise RecordError(f"setup must be an object with just the keys {', '.join(KEYS)}")
    first_player = as_int(setup["first_player"])
    if first_player is None or first_player not in range(players):
        found = setup["first_player"]
        raise RecordError(f"setup: first_player must be 0 to {players - 1}, not {shown(found)}")
    for key in KEYS[1:]:
        if not isinstance(setup[key], list):
            raise RecordError(f"setup: {key} must be a list, not {shown(setup[key])}")
    return Setup(
        first_player,
        _read_cards(mode, players, setup),
        _read_hazards(components, mode, setup["hazards"]),
        _read_moods(components, mode, setup["moods"]),
    )


def _read_cards(mode: Mode, players: int, setup: dict[str, Any]) -> list[int]:
    """Returns all cards in the order of ``State.dealt``."""
    hands = setup["hands"]
    if len(hands) != players:
        raise RecordError(f"setup: hands must be {players} lists, not {len(hands)}")
    for seat, hand in enumerate(hands):
        if not isinstance(hand, list):
            raise RecordError(f"setup: hands[{seat}] must be a list, not {shown(hand)}")
    film = film_size(mode, players)
    deck = CARDS_OF_MODE[mode] - REMOVED[mode] - HAND * players - film
    parts = [(f"hands[{seat}]", hand, HAND) for seat, hand in enumerate(hands)]
    parts += [("film", setup["film"], film), ("deck", setup["deck"], deck)]
    parts += [("removed", setup["removed"], REMOVED[mode])]
    known = CARD_WORDS[: CARDS_OF_MODE[mode]]
    cards: list[int] = []
    for name, words, count in parts:
        if len(words) != count:
            raise RecordError(f"setup: {name} must have {count} cards, not {len(words)}")
        for place, word in enumerate(words):
            cards.append(_read_word(f"{name}[{place}]", word, known))
    for card, count in Counter(cards).items():
        if count > 1:
            raise RecordError(f"setup: the card {CARD_WORDS[card]!r} stands {count} times")
    return cards


def _read_hazards(components: Components, mode: Mode, words: list[Any]) -> list[int]:
    """Returns the hazards in their order."""
    known = [hazard.name for hazard in components.hazards]
    if len(words) != HAZARD_COUNTS[mode]:
        expected = HAZARD_COUNTS[mode]
        raise RecordError(f"setup: hazards must be {expected}, not {len(words)}")
    found = [_read_word(f"hazards[{place}]", word, known) for place, word in enumerate(words)]
    if len(set(found)) != len(found):
        raise RecordError(f"setup: hazards must be different ones, not {words}")
    return found


def _read_moods(components: Components, mode: Mode, pairs: list[Any]) -> list[int]:
    """Returns the moods, two for each pair."""
    if len(pairs) != PAIRS[mode]:
        raise RecordError(f"setup: moods must be {PAIRS[mode]} pairs, not {len(pairs)}")
    found = []
    for number, pair in enumerate(pairs):
        if not isinstance(pair, list) or len(pair) != 2:
            raise RecordError(
                f"setup: moods[{number}] must be a list of two moods, not {shown(pair)}"
            )
        for place, word in enumerate(pair):
            found.append(_read_word(f"moods[{number}][{place}]", word, list(components.moods)))
    if len(set(found)) != len(found):
        raise RecordError(f"setup: moods must be different ones, not {pairs}")
    return found


def _read_word(where: str, word: Any, known: list[str]) -> int:
    """Returns the place of a word among those that are known."""
    if isinstance(word, str) and word in known:
        return known.index(word)
    hint = did_you_mean(word, known) if isinstance(word, str) else ""
    raise RecordError(f"setup: {where} is {shown(word)}, which is not in the game{hint}")

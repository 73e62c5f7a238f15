"""How a game of La Fabrique à rêves begins: what is drawn (R3 to R5, M2), and a record's set-up."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.rng import SEED_BITS, Seed, derive_seed, random_below, shuffle
from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.games.fabrique_a_reves.lexicon import Lexicon
from dreamfactory_env.games.fabrique_a_reves.minds import allow_all
from dreamfactory_env.games.fabrique_a_reves.options import DRAWN, Options, theme_count
from dreamfactory_env.games.fabrique_a_reves.state import (
    FREE,
    HALF,
    NO_THEME,
    RESERVOIRS_OF_MODE,
    TOOL_WORDS,
    TOOLS_OF_VARIANT,
    Mode,
    Params,
    State,
    Tool,
)
from dreamfactory_env.utils.errors import RecordError
from dreamfactory_env.utils.validation import as_int, did_you_mean, shown

# What is drawn has a stream of its own each, so that more of one changes no other.
TOOL_STREAM, THEME_STREAM, CARD_STREAM, SIDE_STREAM = 1, 2, 3, 4
MIND_STREAM = 10  # + seat


@jit
def reset(states: Records, index: int, params: Records, blank: Records, seed: Seed) -> None:
    """Deals game ``index`` of a batch anew from a seed.

    Args:
        states: The batch, STATE.
        index: Which game of it.
        params: The lexicon, PARAMS, shape (1,).
        blank: A state before the deal with the options set, STATE, shape (1,).
        seed: Where the shuffles come from, uint64.
    """
    states[index] = blank[0]
    s, t = states[index], params[0]
    s.seed = np.uint64(seed)
    s.first_player = random_below(seed, 0, int(s.players))
    draw_tools(s, derive_seed(seed, TOOL_STREAM))
    draw_themes(s, t, derive_seed(seed, THEME_STREAM))
    for card in range(int(t.cards)):
        s.dealt[card] = card
    shuffle(s.dealt, int(t.cards), derive_seed(seed, CARD_STREAM), 0)
    turn_cards(s.dealt, int(t.cards), derive_seed(seed, SIDE_STREAM))
    if not s.same_minds:
        for p in range(s.players):
            s.minds[p] = derive_seed(seed, MIND_STREAM + p)
    begin(s, t)


@jit
def draw_tools(s: State, seed: Seed) -> None:
    """Draws the tools of the variant, if they were not chosen."""
    if s.in_play == 0:
        order = np.arange(len(TOOL_WORDS))
        shuffle(order, len(TOOL_WORDS), seed, 0)
        drawn = 0
        for k in range(TOOLS_OF_VARIANT):
            drawn |= 1 << int(order[k])
        s.in_play = drawn


@jit
def draw_themes(s: State, t: Params, seed: Seed) -> None:
    """Draws a theme of the level, on Friday two different ones (R4)."""
    if s.mode == Mode.SUNDAY:
        return
    count = int(t.level_sizes[s.level])
    first = random_below(seed, 0, count)
    s.themes[0] = t.levels[s.level, first]
    if s.mode == Mode.FRIDAY:
        second = (first + 1 + random_below(seed, 1, count - 1)) % count
        s.themes[1] = t.levels[s.level, second]


@jit
def turn_cards(dealt: Array, count: int, seed: Seed) -> None:
    """Turns each card, so far a number, to one of its sides: the thought that is up (R3)."""
    for k in range(count):
        dealt[k] = 2 * int(dealt[k]) + random_below(seed, k, 2)


@jit
def begin(s: State, t: Params) -> None:
    """Starts a game whose draws lie ready."""
    s.tools = s.in_play
    s.to_move = s.first_player
    list_dreams(s, t)
    allow_all(s)


@jit
def list_dreams(s: State, t: Params) -> None:
    """Makes the game's list of dreams (R2)."""
    if s.themes[1] == NO_THEME:
        row = FREE if s.themes[0] == NO_THEME else int(s.themes[0])
        s.split = t.sizes[row]
        s.dreams = s.split
        return
    first, second = int(s.themes[0]), int(s.themes[1])
    s.split = min(int(t.sizes[first]), HALF)
    count = 0
    for place in range(min(int(t.sizes[second]), HALF)):
        known = False
        for other in range(int(s.split)):
            known = known or t.dream_words[first, other] == t.dream_words[second, place]
        if not known:
            s.second[count] = place
            count += 1
    s.dreams = int(s.split) + count


@jit
def begin_at(states: Records, index: int, params: Records) -> None:
    """Starts game ``index`` of a batch, whose draws lie ready."""
    begin(states[index], params[0])


# ---------------------------------------------------------------------------- records


def tools_in(tools: int) -> list[str]:
    """Returns a set of tools in words."""
    return [TOOL_WORDS[tool] for tool in Tool if tools >> tool & 1]


def themes_of(lexicon: Lexicon, state: Any) -> list[str]:
    """Returns the ids of the themes of a game."""
    return [lexicon.themes[theme].id for theme in state.themes.tolist() if theme != NO_THEME]


def reservoirs_of(lexicon: Lexicon, mode: Mode, state: Any) -> list[list[str]]:
    """Returns the cards of each reservoir as they were dealt, top first, as ``UP/DOWN``."""
    thoughts, count = lexicon.thoughts, RESERVOIRS_OF_MODE[mode]
    dealt = state.dealt[: len(lexicon.cards)].tolist()
    cards = [f"{thoughts[up]}/{thoughts[up ^ 1]}" for up in dealt]
    return [cards[reservoir::count] for reservoir in range(count)]


KEYS = ["first_player", "themes", "tools", "reservoirs", "minds"]


class Setup(NamedTuple):
    """What was drawn, as numbers."""

    first_player: int
    themes: list[int]
    tools: int
    dealt: list[int]
    minds: list[int]


def read_setup(options: Options, setup: Any) -> Setup:
    """Returns the set-up that a record describes.

    Raises:
        RecordError: It is not one of a game with these options.
    """
    if not isinstance(setup, dict) or sorted(setup, key=str) != sorted(KEYS):
        raise RecordError(f"setup must be an object with just the keys {', '.join(KEYS)}")
    players = options.players
    first_player = as_int(setup["first_player"])
    if first_player is None or first_player not in range(players):
        found = setup["first_player"]
        raise RecordError(f"setup: first_player must be 0 to {players - 1}, not {shown(found)}")
    for key in KEYS[1:]:
        if not isinstance(setup[key], list):
            raise RecordError(f"setup: {key} must be a list, not {shown(setup[key])}")
    return Setup(
        first_player,
        _read_themes(options, setup["themes"]),
        _read_tools(options, setup["tools"]),
        _read_reservoirs(options, setup["reservoirs"]),
        _read_minds(options, setup["minds"]),
    )


def _read_themes(options: Options, words: list[Any]) -> list[int]:
    themes = options.lexicon.lexicon.themes
    level = int(options.blank()["level"][0])
    known = {theme.id: number for number, theme in enumerate(themes) if theme.level == level}
    if len(words) != (count := theme_count(options.mode_number)):
        raise RecordError(f"setup: themes must be {count}, not {len(words)}")
    found = [_read_word(f"themes[{k}]", word, known) for k, word in enumerate(words)]
    if len(set(found)) != len(found):
        raise RecordError(f"setup: themes must be different ones, not {words}")
    return found


def _read_tools(options: Options, words: list[Any]) -> int:
    known = {word: number for number, word in enumerate(TOOL_WORDS)}
    found = [_read_word(f"tools[{k}]", word, known) for k, word in enumerate(words)]
    if found != sorted(set(found)):
        order = ", ".join(TOOL_WORDS)
        raise RecordError(f"setup: tools must be in the order {order}, not {words}")
    tools = sum(1 << tool for tool in found)
    if options.tools == DRAWN:
        if len(found) != TOOLS_OF_VARIANT:
            raise RecordError(f"setup: tools must be {TOOLS_OF_VARIANT}, not {words}")
        return tools
    if tools != (expected := int(options.blank()["in_play"][0])):
        raise RecordError(f"setup: tools must be {tools_in(expected)}, not {words}")
    return tools


def _read_reservoirs(options: Options, lists: list[Any]) -> list[int]:
    """Returns all cards in the order of ``State.dealt``."""
    lexicon, count = options.lexicon.lexicon, RESERVOIRS_OF_MODE[options.mode_number]
    thoughts, cards = lexicon.thoughts, len(lexicon.cards)
    known = {f"{thoughts[up]}/{thoughts[up ^ 1]}": up for up in range(2 * cards)}
    if len(lists) != count:
        raise RecordError(f"setup: reservoirs must be {count} lists, not {len(lists)}")
    dealt = [0] * cards
    places: dict[int, str] = {}
    for reservoir, words in enumerate(lists):
        where = f"reservoirs[{reservoir}]"
        size = len(range(reservoir, cards, count))
        if not isinstance(words, list) or len(words) != size:
            found = f"{len(words)}" if isinstance(words, list) else repr(words)
            raise RecordError(f"setup: {where} must be a list of {size} cards, not {found}")
        for k, word in enumerate(words):
            up = _read_word(f"{where}[{k}]", word, known)
            if up // 2 in places:
                first = places[up // 2]
                raise RecordError(f"setup: {where}[{k}] is the card {shown(word)}, as is {first}")
            places[up // 2] = f"{where}[{k}]"
            dealt[reservoir + count * k] = up
    return dealt


def _read_minds(options: Options, numbers: list[Any]) -> list[int]:
    if len(numbers) != options.players:
        raise RecordError(f"setup: minds must be {options.players}, not {len(numbers)}")
    most = 0 if options.minds == "same" else int(SEED_BITS)
    found = []
    for seat, given in enumerate(numbers):
        number = as_int(given)
        if number is None or not 0 <= number <= most:
            right = "0: minds are the same" if most == 0 else "a whole number below 2**53"
            raise RecordError(f"setup: minds[{seat}] must be {right}, not {shown(given)}")
        found.append(number)
    return found


def _read_word(where: str, word: Any, known: dict[str, int]) -> int:
    """Returns the number of a word among those that are known."""
    if isinstance(word, str) and word in known:
        return known[word]
    hint = did_you_mean(word, known) if isinstance(word, str) else ""
    raise RecordError(f"setup: {where} is {shown(word)}, which is not in the game{hint}")

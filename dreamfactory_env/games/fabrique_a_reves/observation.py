"""What a player sees, as numbers: writes the observation that ``observation_spec`` describes."""

from __future__ import annotations

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.fabrique_a_reves.legal import write_free
from dreamfactory_env.games.fabrique_a_reves.lexicon import MAX_PLAYERS, MIN_PLAYERS, MOST_DREAMS
from dreamfactory_env.games.fabrique_a_reves.lexicon import VIAL as MOST_WORDS
from dreamfactory_env.games.fabrique_a_reves.minds import add_row, forbid, write_row
from dreamfactory_env.games.fabrique_a_reves.observation_spec import (
    ASSOCIATION,
    AT_AIM,
    AT_DREAMS,
    AT_FIRST,
    AT_LEADERS,
    AT_LEVEL,
    AT_MODE,
    AT_MOVES,
    AT_NOISE,
    AT_PASSED,
    AT_PHASE,
    AT_PLAYERS,
    AT_QUILL,
    AT_RESERVOIRS,
    AT_SLATE,
    AT_TO_MOVE,
    AT_TOOLS,
    AT_VIALS,
    BEST,
    CARDS_LEFT,
    COUNT,
    CUT,
    CUT_SUM,
    DREAM_NUMBERS,
    IS_THERE,
    LEAD,
    LEADER_NUMBERS,
    LEADERS,
    MOVE_NUMBERS,
    PLACED_BY,
    POINTS,
    TOKEN,
    VIAL_NUMBERS,
)
from dreamfactory_env.games.fabrique_a_reves.rules import SIDES, cards_in, proposals
from dreamfactory_env.games.fabrique_a_reves.state import (
    AIMS,
    MAX_RESERVOIRS,
    MAX_VIALS,
    NO_LEVEL,
    NO_TOKEN,
    NOT_YET,
    PROPOSALS,
    RESERVOIRS_OF_MODE,
    TOOLS,
    VIALS_OF_MODE,
    Params,
    Phase,
    State,
)
from dreamfactory_env.games.fabrique_a_reves.thinking import (
    FORBIDDEN,
    LOWEST,
    THINKING,
    Thinking,
    best_two,
    place_of,
    think,
)


@jit
def observe(s: State, t: Params, player: int, out: Array) -> None:
    """Writes what ``player`` sees.

    Args:
        s: The game.
        t: The lexicon.
        player: The seat that looks.
        out: Where the numbers go, float32, as long as the observation spec says.
    """
    fresh = np.zeros(1, THINKING)
    observe_cached(s, t, player, fresh[0], out)


@jit
def observe_cached(s: State, t: Params, player: int, cache: Thinking, out: Array) -> None:
    """Writes what ``player`` sees, and keeps what it thinks of the words on the table."""
    out[:] = 0
    observe_course(s, player, out)
    think(s, t, player, cache, s.phase == Phase.THOUGHTS)
    free = np.empty(MOST_DREAMS, np.int8)
    write_free(s, player, free)
    # What is added to all sums: the forbidden ones drop below all others.
    penalty = np.empty(MOST_DREAMS, np.int16)
    for dream in range(int(s.dreams)):
        penalty[dream] = 0 if free[dream] else FORBIDDEN
    best = np.empty(MAX_VIALS, np.int64)
    observe_vials(s, player, penalty, best, cache, out)
    observe_reservoirs(s, t, out)
    observe_slate(s, player, cache, out)
    if s.phase == Phase.THOUGHTS:
        observe_moves(s, t, player, penalty, best, cache, out)
        observe_leaders(s, player, penalty, cache, out)
    elif s.to_move == player:
        if s.phase == Phase.QUILL:
            observe_quill(s, t, player, penalty, cache, out)
        elif s.phase == Phase.DREAMS:
            observe_dreams(s, t, player, free, cache, out)


@jit
def scaled(association: int) -> float:
    """Returns an association, or a sum of some, as a number of the observation."""
    return min(max(association, -CUT_SUM), CUT_SUM) / ASSOCIATION


@jit
def lead_of(two: Array) -> float:
    """Returns what the best sum is above the second, see ``best_two``; all if there is none."""
    return CUT if two[1] <= LOWEST else scaled(two[0] - two[1])


@jit
def seat_from(s: State, player: int, other: int) -> int:
    """Returns another player's seat as ``player`` counts: 0 is the player, then clockwise."""
    seat = other - player
    return seat if seat >= 0 else seat + int(s.players)


@jit
def observe_course(s: State, player: int, out: Array) -> None:
    """Writes the options, where the game stands, and whose turn it is."""
    out[AT_PHASE + int(s.phase)] = 1
    out[AT_MODE + int(s.mode)] = 1
    if s.level != NO_LEVEL:
        out[AT_LEVEL + int(s.level)] = 1
    out[AT_PLAYERS + int(s.players) - MIN_PLAYERS] = 1
    out[AT_AIM] = AIMS[int(s.mode)] / POINTS
    out[AT_NOISE] = s.noise / ASSOCIATION
    if s.phase != Phase.OVER:
        out[AT_TO_MOVE + seat_from(s, player, int(s.to_move))] = 1
    out[AT_FIRST + seat_from(s, player, int(s.first_player))] = 1
    for p in range(s.players):
        if int(s.passed) >> p & 1:
            out[AT_PASSED + seat_from(s, player, p)] = 1
    for tool in range(TOOLS):
        if int(s.tools) >> tool & 1:
            out[AT_TOOLS + tool] = 1


@jit
def observe_vials(
    s: State, player: int, penalty: Array, best: Array, cache: Thinking, out: Array
) -> None:
    """Writes the vials; finds the best dream of each, int64 (5,), -1 without a word."""
    two = np.empty(2, np.int64)
    for vial in range(VIALS_OF_MODE[int(s.mode)]):
        at = AT_VIALS + vial * VIAL_NUMBERS
        out[at + IS_THERE] = 1
        out[at + COUNT + int(s.filled[vial])] = 1
        if s.tokens[vial] != NO_TOKEN:
            out[at + TOKEN + int(s.tokens[vial]) - 1] = 1
        best[vial] = -1
        if s.filled[vial] > 0:
            sums = cache.sums[player, vial]
            best_two(sums, penalty, int(s.dreams), two)
            if two[0] > LOWEST:
                best[vial] = place_of(sums, penalty, int(s.dreams), two[0])
                out[at + BEST] = scaled(two[0])
                out[at + LEAD] = lead_of(two)
        for k in range(int(s.filled[vial])):
            seat = seat_from(s, player, int(s.placed_by[vial, k]))
            out[at + PLACED_BY + k * MAX_PLAYERS + seat] = 1


@jit
def observe_reservoirs(s: State, t: Params, out: Array) -> None:
    """Writes how much is left in the reservoirs."""
    for reservoir in range(RESERVOIRS_OF_MODE[int(s.mode)]):
        left = cards_in(s, t, reservoir)
        out[AT_RESERVOIRS + 2 * reservoir] = 1 if left > 0 else 0
        out[AT_RESERVOIRS + 2 * reservoir + 1] = left / CARDS_LEFT


@jit
def observe_moves(
    s: State, t: Params, player: int, penalty: Array, best: Array, cache: Thinking, out: Array
) -> None:
    """Writes what the word on top of each reservoir would do to each vial."""
    count = int(s.dreams)
    row = np.empty(MOST_DREAMS, np.int16)
    two = np.empty(2, np.int64)
    for reservoir in range(RESERVOIRS_OF_MODE[int(s.mode)]):
        word = int(cache.tops[player, reservoir]) - 1
        if word < 0:
            continue
        thought = cache.rows[player, reservoir]
        for dream in range(count):
            row[dream] = thought[dream] + penalty[dream]
        forbid(s, t, word, row, FORBIDDEN)
        for vial in range(VIALS_OF_MODE[int(s.mode)]):
            if s.filled[vial] < MOST_WORDS:
                sums = cache.sums[player, vial]
                best_two(sums, row, count, two)
                if two[0] > LOWEST:
                    at = AT_MOVES + (reservoir * MAX_VIALS + vial) * MOVE_NUMBERS
                    out[at] = scaled(two[0])
                    out[at + 1] = lead_of(two)
                    if best[vial] >= 0:
                        then = int(sums[best[vial]]) + int(row[best[vial]])
                        out[at + 2] = 1 if then == two[0] else 0


@jit
def observe_leaders(s: State, player: int, penalty: Array, cache: Thinking, out: Array) -> None:
    """Writes the best dreams of each vial, and their associations with the reservoirs' words."""
    places, totals = np.empty(LEADERS, np.int64), np.empty(LEADERS, np.int64)
    for vial in range(VIALS_OF_MODE[int(s.mode)]):
        if s.filled[vial] == 0:
            continue
        sums = cache.sums[player, vial]
        for k in range(list_leaders(sums, penalty, int(s.dreams), places, totals)):
            at = AT_LEADERS + (vial * LEADERS + k) * LEADER_NUMBERS
            out[at] = scaled(totals[k])
            for reservoir in range(MAX_RESERVOIRS):
                if cache.tops[player, reservoir] > 0:
                    found = int(cache.rows[player, reservoir, places[k]])
                    out[at + 1 + reservoir] = scaled(found)


@jit
def list_leaders(sums: Array, penalty: Array, count: int, places: Array, totals: Array) -> int:
    """Lists the dreams with the highest sums, ties by place; returns how many are not forbidden.

    Args:
        sums: The sums of all dreams, int16 (128,).
        penalty: What is added to them, int16 (128,).
        count: How many dreams there are.
        places: Where the dreams go, int64 (LEADERS,).
        totals: Where their sums go, int64 (LEADERS,).
    """
    found, least = 0, LOWEST
    for dream in range(count):
        total = int(sums[dream]) + int(penalty[dream])
        if total <= least:
            continue
        at = min(found, LEADERS - 1)
        while at > 0 and totals[at - 1] < total:
            totals[at] = totals[at - 1]
            places[at] = places[at - 1]
            at -= 1
        totals[at] = total
        places[at] = dream
        found = min(found + 1, LEADERS)
        if found == LEADERS:
            least = totals[LEADERS - 1]
    return found


@jit
def observe_quill(
    s: State, t: Params, player: int, penalty: Array, cache: Thinking, out: Array
) -> None:
    """Writes what each word of the quill would do to the vial for which one is written."""
    count = int(s.dreams)
    row = np.empty(MOST_DREAMS, np.int16)
    two = np.empty(2, np.int64)
    for place in range(int(t.quill)):
        word = SIDES * int(t.cards) + place
        row[:] = penalty
        add_row(s, t, player, word, row)
        forbid(s, t, word, row, FORBIDDEN)
        best_two(cache.sums[player, s.asked], row, count, two)
        if two[0] > LOWEST:
            out[AT_QUILL + 2 * place] = scaled(two[0])
            out[AT_QUILL + 2 * place + 1] = lead_of(two)


@jit
def observe_dreams(
    s: State, t: Params, player: int, free: Array, cache: Thinking, out: Array
) -> None:
    """Writes what the player thinks of each dream at the vial that is asked for, by action."""
    count, asked = int(s.dreams), int(s.asked)
    row = np.empty(MOST_DREAMS, np.int16)
    for k in range(int(s.filled[asked])):
        write_row(s, t, player, int(s.words[asked, k]), row)
        for place in range(count):
            out[AT_DREAMS + place * DREAM_NUMBERS + 1 + k] = scaled(int(row[s.order[place]]))
    row[:] = LOWEST
    for vial in range(VIALS_OF_MODE[int(s.mode)]):
        if vial != asked:
            sums = cache.sums[player, vial]
            for dream in range(count):
                row[dream] = max(row[dream], sums[dream])
    for place in range(count):
        dream = int(s.order[place])
        at = AT_DREAMS + place * DREAM_NUMBERS
        out[at] = free[dream]
        out[at + DREAM_NUMBERS - 1] = scaled(int(row[dream]))


@jit
def observe_slate(s: State, player: int, cache: Thinking, out: Array) -> None:
    """Writes what stands on the own slate."""
    for vial in range(VIALS_OF_MODE[int(s.mode)]):
        decided, highest = 0, LOWEST
        for k in range(PROPOSALS):
            written = int(s.slates[player, vial, k])
            decided += written != NOT_YET
            if written >= 0:
                highest = max(highest, int(cache.sums[player, vial, written]))
        out[AT_SLATE + 2 * vial] = decided / proposals(s, vial)
        if highest > LOWEST:
            out[AT_SLATE + 2 * vial + 1] = scaled(highest)

"""An observation of Dream Factory in words, read from its numbers alone."""

from __future__ import annotations

import numpy as np

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.dream_factory.components import GENRES, TILE_KINDS
from dreamfactory_env.games.dream_factory.observation_spec import (
    EACH_SPACE,
    FILM_STARS,
    GENRE,
    GUEST,
    IS_THERE,
    MONEY,
    NUMBERS_OF_A_SPACE,
    OBSERVATION_SPEC,
    OFFER,
    POINTS,
    RED,
    SCORE,
    STARS,
    UNSEEN,
)
from dreamfactory_env.games.dream_factory.state import GUEST_SPACE, MIN_STARS, PILE, Kind, Phase
from dreamfactory_env.utils.errors import OptionError


def explain(observation: Array) -> str:
    """Returns what an observation says, in words; seat 0 is the player who sees it.

    Args:
        observation: The numbers, shape (OBSERVATION_SPEC.size,).

    Raises:
        OptionError: It does not have the right shape.
    """
    observation = np.asarray(observation)
    if observation.shape != (OBSERVATION_SPEC.size,):
        found = observation.shape
        raise OptionError(f"an observation has the shape ({OBSERVATION_SPEC.size},), not {found}")
    block = {name: OBSERVATION_SPEC.block(observation, name) for name in OBSERVATION_SPEC.blocks}
    players = 2 + _index(block["players"])
    phase = Phase(_index(block["phase"]))
    edition = "traumfabrik" if block["edition"][0] else "dream_factory"
    lines = [f"{phase.name.lower()}, {players} players, edition {edition}"]
    if phase != Phase.OVER:
        lines.append(
            f"round {_index(block['round']) + 1}, location {_index(block['location']) + 1}, "
            f"seat {_index(block['to_move'])} to move, seat {_index(block['first_player'])} first"
        )
    if phase == Phase.STUDIO:
        free = [str(number + 1) for number in np.flatnonzero(block["free_studios"])]
        lines.append(f"free studios: {', '.join(free)}")
    if phase == Phase.AUCTION:
        lines.append(f"bids: {_bids(block['bids'], players)}")
    if block["picks_next"].any():
        order = np.argsort(-block["picks_next"], kind="stable")
        picks = [str(seat) for seat in order if block["picks_next"][seat] > 0]
        lines.append(f"picks at the party: {', '.join(picks)}")
    lines.append(f"on the location: {_tiles(block['lot'])}; in hand: {_tiles(block['hand'])}")
    cities = [_tiles(city) for city in block["to_come"] if city.any()]
    lines.append(f"cities to come: {' | '.join(cities) or '-'}")
    left = round(float(block["pile_left"][0]) * PILE)
    lines.append(f"pile: {left} left, on top {_film(block['pile_top'])}")
    lines.append(f"in the middle: {_number(block['pot'][0] * MONEY)}")
    for seat in range(players):
        lines += _seat(seat, block)
    taken = int((block["open_awards"] == 0).sum())
    lines.append(f"awards on films given: {taken}; tokens free: {int(block['tokens'].sum())}")
    lines.append(f"unseen tiles: {_unseen(block['unseen'])}")
    return "\n".join(lines)


def _seat(seat: int, block: dict[str, Array]) -> list[str]:
    money = _number(block["money"][seat] * MONEY) if block["money_seen"][seat] else "hidden"
    films, value, directors, awards = block["finished"][seat]
    head = (
        f"seat {seat}: money {money}, red {_number(block['red'][seat] * RED)}, "
        f"finished films {_number(films * 5)} worth {_number(value * POINTS)}, "
        f"directors {_number(directors * FILM_STARS)}, awards {_number(awards * POINTS)}"
    )
    return [head, *(f"  {_film(film)}" for film in block["films"][seat] if film[IS_THERE])]


def _film(film: Array) -> str:
    if not film[IS_THERE]:
        return "-"
    spaces = []
    for space in range(GUEST_SPACE):
        shows, kind, stars = film[EACH_SPACE + space * NUMBERS_OF_A_SPACE :][:NUMBERS_OF_A_SPACE]
        if shows:
            name = Kind(round(float(shows) * 8)).name.lower()
            top = "-"
            if kind:
                top = f"{Kind(round(float(kind) * 8)).name.lower()} {_number(stars * STARS)}"
            spaces.append(f"{name}: {top}")
    if film[GUEST]:
        spaces.append(f"guest: {_number(film[GUEST + 1] * STARS)}")
    genre = GENRES[_index(film[GENRE : GENRE + len(GENRES)])]
    told = f"{genre} with {_number(film[SCORE] * FILM_STARS)} stars; {', '.join(spaces)}"
    filled, _, finished, score = film[OFFER:]
    if finished:
        return f"{told}; what is on offer finishes it with {_number(score * FILM_STARS)} stars"
    return f"{told}; what is on offer fills {_number(filled * 3)}" if filled else told


def _tiles(tiles: Array) -> str:
    words = [
        f"{TILE_KINDS[_index(tile[:-1])]} {_number(tile[-1] * STARS)}"
        for tile in tiles
        if tile[:-1].any()
    ]
    return ", ".join(words) or "-"


def _bids(bids: Array, players: int) -> str:
    words = []
    for seat in range(players):
        has_bid, bid, passed = bids[seat]
        word = _number(bid * MONEY) if has_bid else "-"
        words.append(f"{seat}: {word}{' (passed)' if passed else ''}")
    return ", ".join(words)


def _unseen(counts: Array) -> str:
    words = []
    for kind, row in zip(TILE_KINDS, counts, strict=True):
        stars = [
            f"{_number(count * UNSEEN)} of {level + MIN_STARS}"
            for level, count in enumerate(row)
            if count
        ]
        if stars:
            words.append(f"{kind} {', '.join(stars)}")
    return "; ".join(words) or "-"


def _index(numbers: Array) -> int:
    return int(np.argmax(numbers))


def _number(value: float) -> str:
    return str(round(float(value)))

"""What a policy expects of the rest of the game: what may still come, and what films may win.

An :class:`Outlook` is made anew for each decision, from what the player to move may know. It says
for each kind of space how likely it gets filled, and, for a policy that looks at prizes, how high
the films of the others stand. :func:`look_from` then takes the seat of one player.
"""

from __future__ import annotations

from typing import Annotated

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import I8, Array, record_dtype
from dreamfactory_env.games.dream_factory.hidden import is_face_up
from dreamfactory_env.games.dream_factory.scoring import (
    GRAND_AWARD,
    SMALL_AWARD,
    director_stars,
    film_value,
)
from dreamfactory_env.games.dream_factory.state import (
    FIRST_FILM,
    MAX_HAND,
    MAX_PLAYERS,
    NOTHING,
    SPACES,
    STUDIO_FILMS,
    Genre,
    Kind,
    Params,
    Phase,
    State,
    kind_of,
)

GENRES = len(Genre)
KINDS = int(Kind.BLANK) + 1
SUBSETS = 1 << MAX_HAND
SCORES = 23  # film scores go from 0 to 22 (D22)
NO_FILM = -1.0  # stands for the value of a film that is not there

F8 = Annotated[float, "f8"]
PerMissing = Annotated[Array, "f8", (SPACES,)]  # by the number of empty spaces
PerGenre = Annotated[Array, "f8", (GENRES,)]
PerSeat = Annotated[Array, "f8", (MAX_PLAYERS,)]
PerSeatAndGenre = Annotated[Array, "f8", (MAX_PLAYERS, GENRES)]


class Outlook:
    """Numbers that the evaluation of films reads; points, stars and chances."""

    # what may still come
    to_come: Annotated[Array, "f8", (KINDS,)]  # tiles expected after this location, by kind
    time_left: F8  # 1 before the first tile, 0 after the last
    chance: Annotated[Array, "f8", (KINDS,)]  # that an empty space of a kind gets filled
    bring: Annotated[Array, "f8", (KINDS,)]  # the stars it gets then
    guest: F8  # stars expected on an empty guest space
    token: Annotated[Array, "f8", (SCORES,)]  # what a film with that score is worth now
    # what a player's films bring besides stars
    fresh: F8  # the screenplay that comes when a film is finished
    red: F8  # a visible actor or guest star
    # prizes, for those who look at them
    prizes: I8  # 1 if they count
    finished_best: PerSeatAndGenre
    hoped_best: PerSeatAndGenre
    finished_top: PerSeat
    finished_low: PerSeat
    directors: PerSeat
    first: PerGenre  # points for the first film of a genre, 0 when it is gone
    speed: PerMissing  # the part of a prize for speed that a film with so many hopes for
    best: PerGenre  # what to beat for the best film of a genre
    best_held: PerGenre  # the chance to have it anyway
    best_width: F8
    top: F8  # what to beat for the best film of the round
    top_held: F8
    top_points: F8
    low: F8  # what to stay below for the worst film
    low_held: F8
    low_width: F8
    lead: F8  # director stars before the strongest rival
    lead_held: F8
    lead_width: F8
    # room for the search
    trial: Annotated[Array, "i1", (SUBSETS, SPACES)]
    worth: Annotated[Array, "f8", (STUDIO_FILMS, SUBSETS)]
    tiles: Annotated[Array, "i1", (MAX_HAND,)]


OUTLOOK = record_dtype(Outlook)


@jit
def rise(x: float) -> float:
    """Returns a chance that rises from 0 to 1 with ``x`` and is a half at 0."""
    return 0.5 + 0.5 * x / (1.0 + abs(x))


@jit
def count_tiles_to_come(s: State, t: Params, o: Outlook) -> None:
    """Counts what may still come after this location: tiles that lie open, and unseen ones.

    The face-down tiles that will be dealt are a random part of all that nobody has seen.
    """
    o.to_come[:] = 0.0
    unseen = 0.0
    for k in range(t.deck_size):
        o.to_come[kind_of(int(t.deck[k]))] += 1.0
        unseen += 1.0
    place = 0
    dealt_blind = 0.0
    for round_ in range(t.rounds):
        for location in range(t.locations):
            size = int(t.lot_size[s.players, location])
            if t.is_hollywood[location]:
                continue
            if is_face_up(s, t, round_, location):
                for k in range(place, place + size):
                    o.to_come[kind_of(int(s.deck[k]))] -= 1.0
                    unseen -= 1.0
            else:
                dealt_blind += size
            place += size
    share = dealt_blind / unseen if unseen > 0.0 else 0.0
    total = dealt_blind
    for kind in range(KINDS):
        o.to_come[kind] *= share
    if s.phase != Phase.STUDIO:
        total += count_open_tiles(s, t, o)
    o.time_left = total / (float(t.rounds) * float(t.round_size[s.players]))


@jit
def count_open_tiles(s: State, t: Params, o: Outlook) -> float:
    """Adds the tiles that lie open on later locations of this round; returns how many."""
    start = int(s.round_number) * int(t.round_size[s.players])
    count = 0.0
    for location in range(int(s.location) + 1, t.locations):
        if t.is_party[location] or t.is_hollywood[location]:
            continue
        first = start + int(t.lot_start[s.players, location])
        for k in range(first, first + int(t.lot_size[s.players, location])):
            o.to_come[kind_of(int(s.deck[k]))] += 1.0
            count += 1.0
    # Hollywood brings a director in each of the later rounds.
    o.to_come[Kind.DIRECTOR] += float(int(t.rounds) - 1 - int(s.round_number))
    return count


@jit
def price_tokens(s: State, t: Params, o: Outlook) -> None:
    """Notes what a film finished now with each score would be worth (D22)."""
    o.token[:] = 0.0
    for token in range(t.tokens):
        if int(s.free_tokens) >> token & 1:
            value = int(t.token_value[token])
            for score in range(value, SCORES):
                o.token[score] = value


@jit
def look_at_finished_films(s: State, t: Params, o: Outlook) -> None:
    """Notes for each player the best, highest and lowest finished films, and director stars."""
    o.finished_best[:] = NO_FILM
    o.hoped_best[:] = NO_FILM
    o.finished_top[:] = NO_FILM
    o.finished_low[:] = float(SCORES)
    for k in range(s.finished_count):
        film = int(s.finished[k])
        player, genre = int(s.owner[film]), int(t.genre[film])
        value = float(film_value(s, t, film))
        o.finished_best[player, genre] = max(o.finished_best[player, genre], value)
        o.finished_top[player] = max(o.finished_top[player], value)
        o.finished_low[player] = min(o.finished_low[player], value)
    for player in range(s.players):
        o.directors[player] = director_stars(s, player)


@jit
def look_from(s: State, t: Params, o: Outlook, player: int, drift: float, low_drift: float) -> None:
    """Takes the seat of a player: whom to beat for each prize, and what is held already.

    Args:
        s: The game.
        t: The components.
        o: The outlook, its films looked at.
        player: The seat.
        drift: By how much the best films still rise in a whole game.
        low_drift: By how much the lowest film still falls in a whole game.
    """
    o.top = 0.0
    o.low = 8.0
    most = 0.0
    o.best[:] = 0.0
    for p in range(s.players):
        if p == player:
            continue
        o.top = max(o.top, o.finished_top[p])
        o.low = min(o.low, o.finished_low[p])
        most = max(most, o.directors[p])
        for genre in range(GENRES):
            strongest = max(o.finished_best[p, genre], o.hoped_best[p, genre])
            o.best[genre] = max(o.best[genre], strongest)
    o.low -= low_drift * o.time_left
    o.lead = o.directors[player] - most
    for genre in range(GENRES):
        o.best[genre] += drift * o.time_left
        own = o.finished_best[player, genre]
        o.best_held[genre] = rise((own - o.best[genre]) / o.best_width) if own >= 0.0 else 0.0
        o.first[genre] = SMALL_AWARD if s.awards[FIRST_FILM + genre] == NOTHING else 0.0
    own = o.finished_top[player]
    o.top_held = rise(own - o.top) if own >= 0.0 else 0.0
    own = o.finished_low[player]
    o.low_held = rise((o.low - own) / o.low_width) if own < SCORES else 0.0
    o.lead_held = rise(o.lead / o.lead_width)


@jit
def prize_points(o: Outlook, genre: int, value: float, director: float, speed: float) -> float:
    """Returns what prizes a film may bring beyond those that its player holds anyway.

    Args:
        o: The outlook from the player's seat.
        genre: Of the film.
        value: Its value, or what is expected of it.
        director: The stars of its director.
        speed: 1 for a finished film; less for one that may come too late for a prize.
    """
    points = speed * o.first[genre]
    best = rise((value - o.best[genre]) / o.best_width)
    points += GRAND_AWARD * max(best - o.best_held[genre], 0.0)
    points += speed * o.top_points * max(rise(value - o.top) - o.top_held, 0.0)
    low = rise((o.low - value) / o.low_width)
    points += GRAND_AWARD * max(low - o.low_held, 0.0)
    lead = rise((o.lead + director) / o.lead_width)
    return float(points + GRAND_AWARD * (lead - o.lead_held))

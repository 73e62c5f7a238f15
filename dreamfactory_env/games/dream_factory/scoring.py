"""Values, awards and the end of Dream Factory: D22, D25 to D30 of docs/rules.md."""

from __future__ import annotations

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.dream_factory.state import (
    BEST_OF_GENRE,
    BEST_OF_ROUND,
    FILM_AWARDS,
    FIRST_FILM,
    NO_TILE,
    NOBODY,
    NOTHING,
    SPACES,
    UNFINISHED,
    WORST_FILM,
    Edition,
    Genre,
    Kind,
    Params,
    State,
    kind_of,
    stars_of,
)

SMALL_AWARD, GRAND_AWARD = 5, 10
_GENRES = [genre.name.lower() for genre in Genre]
#: The awards on films in words, in the order of State.awards.
AWARD_WORDS = [
    *(f"first {genre}" for genre in _GENRES),
    *(f"best film round {number}" for number in (1, 2, 3)),
    *(f"best {genre}" for genre in _GENRES),
    "worst film",
]


@jit
def film_stars(s: State, t: Params, film: int) -> int:
    """Returns the printed stars of a film and those of the top tile on each space (D22)."""
    stars = int(t.printed_stars[film])
    for space in range(SPACES):
        if s.tiles[film, space] != NO_TILE:
            stars += stars_of(int(s.tiles[film, space]))
    return stars


@jit
def take_token(s: State, t: Params, film: int) -> None:
    """Ranks a finished film by the highest free token that is not above its score (D22)."""
    score = max(film_stars(s, t, film), 0)
    for token in range(int(t.tokens) - 1, -1, -1):
        if int(s.free_tokens) >> token & 1 and t.token_value[token] <= score:
            s.free_tokens = int(s.free_tokens) - (1 << token)
            s.rank[film] = token
            return
    # No token left: below every token, and below the earlier films without one.
    s.tokenless = int(s.tokenless) + 1
    s.rank[film] = -int(s.tokenless)


@jit
def film_value(s: State, t: Params, film: int) -> int:
    """Returns what a finished film is worth: the number on its token, or 0 without one (D22)."""
    return int(t.token_value[s.rank[film]]) if s.rank[film] >= 0 else 0


@jit
def award_first_film(s: State, t: Params, film: int) -> None:
    """Gives a film that has just been finished the award for the first of its genre (D25)."""
    award = FIRST_FILM + int(t.genre[film])
    if s.awards[award] == NOTHING:
        s.awards[award] = film


@jit
def award_round_prize(s: State) -> None:
    """Gives the best film the award of the round that has just ended (D26)."""
    best = NOTHING
    for k in range(s.finished_count):
        film = int(s.finished[k])
        if best == NOTHING or s.rank[film] > s.rank[best]:
            best = film
    s.awards[BEST_OF_ROUND + int(s.round_number) - 1] = best


@jit
def award_genre_prizes(s: State, t: Params) -> None:
    """Gives the five awards at the end of the game (D27)."""
    for k in range(s.finished_count):
        film = int(s.finished[k])
        best = BEST_OF_GENRE + int(t.genre[film])
        if s.awards[best] == NOTHING or s.rank[film] > s.rank[s.awards[best]]:
            s.awards[best] = film
        if s.awards[WORST_FILM] == NOTHING or s.rank[film] < s.rank[s.awards[WORST_FILM]]:
            s.awards[WORST_FILM] = film
    most = director_stars(s, 0)  # can be below 0 with own components
    s.best_director = 0
    for p in range(1, s.players):
        stars = director_stars(s, p)
        if stars == most:
            s.best_director = NOBODY  # a tie, as far as we have looked
        elif stars > most:
            most = stars
            s.best_director = p


@jit
def director_stars(s: State, player: int) -> int:
    """Returns the stars of the visible director tiles on a player's finished films (D27)."""
    stars = 0
    for k in range(s.finished_count):
        film = int(s.finished[k])
        if s.owner[film] != player:
            continue
        for space in range(SPACES):
            tile = int(s.tiles[film, space])
            if kind_of(tile) == Kind.DIRECTOR:
                stars += stars_of(tile)
    return stars


@jit
def score(s: State, t: Params, player: int) -> int:
    """Returns a player's points so far: films, awards and money (D29)."""
    points = int(s.money[player])
    for k in range(s.finished_count):
        film = int(s.finished[k])
        if s.owner[film] == player:
            points += film_value(s, t, film)
    for award in range(FILM_AWARDS):
        film = int(s.awards[award])
        if film != NOTHING and s.owner[film] == player:  # D28
            points += award_points(award)
    if s.best_director == player:
        points += GRAND_AWARD
    return points


@jit
def award_points(award: int) -> int:
    """Returns the points of an award: 5 during the game, 10 at its end (D25 to D27)."""
    return SMALL_AWARD if award < BEST_OF_GENRE else GRAND_AWARD


@jit
def winners(s: State, t: Params, out: Array) -> None:
    """Tells who has won (D30).

    Args:
        s: A game, over.
        t: The components.
        out: Set to 1 for each winner and 0 for all others, shape (players,) or longer.
    """
    out[:] = 0
    most = 0
    for p in range(s.players):
        most = max(most, score(s, t, p))
    highest = UNFINISHED
    for p in range(s.players):
        if score(s, t, p) == most:
            out[p] = 1
            highest = max(highest, best_rank(s, p))
    if s.edition == Edition.DREAM_FACTORY:
        for p in range(s.players):
            if best_rank(s, p) < highest:
                out[p] = 0


@jit
def outcome(s: State, t: Params, scores: Array, won: Array) -> None:
    """Writes the points of each player of a game that is over, and 1 for each who has won.

    Args:
        s: The game.
        t: The components.
        scores: Where the points go, shape (players,).
        won: Where the winners are marked, shape (players,).
    """
    for p in range(s.players):
        scores[p] = score(s, t, p)
    winners(s, t, won)


@jit
def best_rank(s: State, player: int) -> int:
    """Returns the rank of a player's best finished film, UNFINISHED if there is none."""
    best = UNFINISHED
    for k in range(s.finished_count):
        film = int(s.finished[k])
        if s.owner[film] == player:
            best = max(best, int(s.rank[film]))
    return best

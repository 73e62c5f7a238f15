"""Positions for tests: games with a stacked deck, and films with tiles laid on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dreamfactory_env import DreamFactory
from dreamfactory_env.games.dream_factory.state import Kind, Phase, make_tile

CITY = 1  # the number of a location that is a city


def stacked(
    lots: Mapping[tuple[int, str], Sequence[str]] | None = None,
    *,
    players: int = 4,
    first_player: int = 0,
    studios: Sequence[int] | None = None,
    pile: Sequence[str] = (),
    seed: int = 0,
    **options: Any,
) -> DreamFactory:
    """Returns a game whose shuffles are chosen.

    Args:
        lots: The tiles that come to a location: ``{(1, "City 1"): ["actor 2", "music 0"]}``.
        players: How many play.
        first_player: Who is first.
        studios: The studio of each seat; 1, 2, 3, … if not given.
        pile: The first titles of the pile.
        seed: Where everything that is not chosen comes from.
        **options: Further options of the game.
    """
    base = DreamFactory(players, seed=seed, **options)
    setup = base.setup()
    rest = list(setup["deck"])
    wanted: dict[int, str] = {}
    place = 0
    for round_ in range(1, 5):
        for location in base.options.components.locations:
            size = players if location.tiles == "players" else location.tiles
            size = size if isinstance(size, int) else 0
            for offset, tile in enumerate((lots or {}).get((round_, location.name), ())):
                wanted[place + offset] = tile
                rest.remove(tile)
            place += size
    setup["deck"] = [wanted[k] if k in wanted else rest.pop(0) for k in range(len(setup["deck"]))]
    setup["pile"] = [*pile, *(title for title in setup["pile"] if title not in pile)]
    setup["first_player"] = first_player
    if not base.options.choose_studio:
        setup["studios"] = list(studios or range(1, players + 1))
    return DreamFactory.from_setup(base.config(), setup)


def tile(words: str) -> int:
    """Returns the number of a tile given in words."""
    kind, stars = words.split()
    return make_tile(int(Kind[kind.upper()]), int(stars))


def give(game: DreamFactory, player: int, *tiles: str) -> DreamFactory:
    """Puts tiles into a player's hand, as if they had just won them in a city."""
    s = game.state
    s.phase, s.to_move, s.location = Phase.PLACING, player, CITY
    s.lot[:] = 0
    s.hand[:] = 0
    s.hand[: len(tiles)] = [tile(words) for words in tiles]
    return game


def lay(game: DreamFactory, title: str, **spaces: str) -> DreamFactory:
    """Lays tiles on a film, each on the space of that name; ``actor_2`` is ``actor#2``."""
    number = film_number(game, title)
    for name, words in spaces.items():
        column = game._words.spaces[number].index(name.replace("_", "#"))
        game.state.tiles[number, column] = tile(words)
    for player in range(game.players):
        reds = [film.spaces.values() for film in game.films(player)]
        game.state.red[player] = sum(
            words.split()[0] in ("actor", "guest") for film in reds for words in film
        )
    return game


def film_number(game: DreamFactory, title: str) -> int:
    """Returns the number of the screenplay with a title."""
    titles = [screenplay.title for screenplay in game.options.components.screenplays]
    return titles.index(title)


def film(game: DreamFactory, title: str) -> Any:
    """Returns a film by its title."""
    return game.film(film_number(game, title))


def placements(game: DreamFactory) -> set[str]:
    """Returns the spaces on which the first tile in hand may be laid, as ``TITLE/SPACE``."""
    first = f"place {game.hand[0]} on "
    return {words.removeprefix(first) for words in game.legal() if words.startswith(first)}


def auction(game: DreamFactory, *moves: str) -> DreamFactory:
    """Plays the moves of an auction and discards what was won."""
    for move in moves:
        game.play(move)
    while game.phase == "placing":
        game.play(f"discard {game.hand[0]}")
    return game


def give_all_away(game: DreamFactory, until: tuple[int, str]) -> DreamFactory:
    """Plays on without placing anything, everybody passing, until a round and location."""
    while not game.over and (int(game.state.round_number) + 1, game.location) != until:
        legal = game.legal()
        game.play("pass" if "pass" in legal else legal[-1])
    return game

"""The set-up that a record describes, read and checked."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from dreamfactory_env.games.dream_factory.actions import tile_words
from dreamfactory_env.games.dream_factory.options import Options
from dreamfactory_env.utils.errors import RecordError
from dreamfactory_env.utils.validation import as_int, shown


class Setup(NamedTuple):
    """What was drawn, as numbers."""

    first_player: int
    studios: list[int]
    deck: list[int]
    pile: list[int]


def read_setup(options: Options, setup: Any) -> Setup:
    """Returns the set-up that a record describes.

    Raises:
        RecordError: It is not one of a game with these options.
    """
    keys = ["first_player", "studios", "deck", "pile"]
    if not isinstance(setup, dict) or sorted(setup) != sorted(keys):
        raise RecordError(f"setup must be an object with just the keys {', '.join(keys)}")
    first_player = as_int(setup["first_player"])
    if first_player is None or first_player not in range(options.players):
        found = setup["first_player"]
        raise RecordError(
            f"setup: first_player must be 0 to {options.players - 1}, not {shown(found)}"
        )
    for key in keys[1:]:
        if not isinstance(setup[key], list):
            raise RecordError(f"setup: {key} must be a list, not {shown(setup[key])}")
    studios = [as_int(number) for number in setup["studios"]]
    wanted = 0 if options.choose_studio else options.players
    most = options.components.players
    known = set(range(1, most + 1))
    if len(studios) != wanted or len(set(studios)) != wanted or not known.issuperset(studios):
        found = setup["studios"]
        raise RecordError(
            f"setup: studios must be {wanted} different ones of 1 to {most}, not {found}"
        )
    params: Any = options.components.params[0]
    tiles = [int(tile) for tile in params.deck[: int(params.deck_size)]]
    titles = {s.title: film for film, s in enumerate(options.components.screenplays)}
    films = params.pile[: int(params.pile_size)]
    pile = {title: film for title, film in titles.items() if film in films}
    return Setup(
        first_player,
        [number for number in studios if number is not None],
        _read_shuffle("deck", setup["deck"], {tile_words(tile): tile for tile in tiles}, tiles),
        _read_shuffle("pile", setup["pile"], pile, list(pile.values())),
    )


def _read_shuffle(key: str, words: list[Any], known: dict[str, int], whole: list[int]) -> list[int]:
    """Returns shuffled items as numbers.

    Raises:
        RecordError: They are not just those of the whole, in another order.
    """
    for place, word in enumerate(words):
        if not isinstance(word, str) or word not in known:
            raise RecordError(f"setup: {key}[{place}] is {shown(word)}, which is not in the game")
    found = [known[word] for word in words]
    if Counter(found) != Counter(whole):
        problem = f"{len(found)} of them, not {len(whole)}"
        if len(found) == len(whole):
            back = {number: word for word, number in known.items()}
            extra = ", ".join(back[number] for number in Counter(found) - Counter(whole))
            problem = f"too many of {extra}"
        raise RecordError(f"setup: {key} does not hold each item of the game once: {problem}")
    return found

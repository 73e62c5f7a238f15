"""Positions for tests of the rules: games whose deal is chosen, of the engine or the referee.

A test gets its games from the fixture ``make_game`` and runs twice, once with each of them. It
looks at them only through what every record shows: who is asked, which words are legal, and the
result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, Self

import dreamfactory_env
from tests.games.faux_raccords import views
from tests.games.faux_raccords.referee import Referee
from tests.games.faux_raccords.referee_cards import (
    HAND,
    HAZARDS,
    MODES,
    MOODS,
    REMOVED,
    cards_of,
    start_size,
)

#: The class of the engine's game; None as long as there is none.
ENGINE: Any = getattr(dreamfactory_env, "FauxRaccords", None)

#: The hazards that a set-up is filled up with: those that change least.
QUIET = ("budget cut", "power cut", "early deadline", "wrong hands")


class Playing(Protocol):
    """What the tests need of the engine and of the referee."""

    @property
    def to_move(self) -> int | None:
        """The seat that decides."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""

    def legal(self) -> list[str]:
        """Returns the legal words."""

    def play(self, words: str, /) -> Any:
        """Plays legal words."""

    def result(self) -> Any:
        """Returns the result of a game that is over."""


#: Makes a game from the ``config`` and the ``setup`` of a record.
Opener = Callable[[dict[str, Any], dict[str, Any]], Playing]
#: Deals a set-up at random, from a mode, a number of players and a seed.
Chance = Callable[[str, int, int], dict[str, Any]]


def open_engine(config: dict[str, Any], setup: dict[str, Any]) -> Playing:
    """Returns a game of the engine; options that do not matter here are the defaults."""
    game: Playing = ENGINE.from_setup({**ENGINE(seed=0, **config).config(), **config}, setup)
    return game


def open_engine_with_memory(config: dict[str, Any], setup: dict[str, Any]) -> Playing:
    """Returns a game of the engine whose views hold what a perfect memory is sure of."""
    game: Playing = ENGINE.from_setup(ENGINE(seed=0, memory="perfect", **config).config(), setup)
    return game


def open_referee(config: dict[str, Any], setup: dict[str, Any]) -> Playing:
    """Returns a game of the referee."""
    return Referee(config, setup)


class Table:
    """A game from a chosen deal, with the words that were played.

    Args:
        opener: Makes the game.
        config: As in a record.
        setup: As in a record.
    """

    def __init__(self, opener: Opener, config: dict[str, Any], setup: dict[str, Any]) -> None:
        self.opener = opener
        self.config = config
        self.setup = setup
        self.words: list[str] = []
        self.game = opener(config, setup)

    @property
    def to_move(self) -> int | None:
        """The seat that decides, None when the game is over."""
        return self.game.to_move

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.over

    def legal(self) -> set[str]:
        """Returns the legal words; each once."""
        words = list(self.game.legal())
        assert len(set(words)) == len(words)
        return set(words)

    def offers(self, verb: str) -> set[str]:
        """Returns what may follow a verb now: ``{"1", "2"}`` after ``at``."""
        start = f"{verb} "
        return {words.removeprefix(start) for words in self.legal() if words.startswith(start)}

    def play(self, *words: str) -> Self:
        """Plays some words, one after the other."""
        for each in words:
            assert each in self.legal(), f"{each!r} of {sorted(self.legal())} by {self.to_move}"
            self.game.play(each)
            self.words.append(each)
        return self

    def turn(self, *words: str) -> Self:
        """Plays some words, and gives no hint if that is asked next."""
        self.play(*words)
        return self.play("no hint") if "no hint" in self.legal() else self

    def idle(self, card: str | None = None, *, keep: Sequence[str] = ()) -> Self:
        """Calls a card without its effect, and gives no hint; hazards may be asked next.

        Args:
            card: The card; one that is not kept if None.
            keep: Cards that stay in the hand.
        """
        self.play(f"call {card or min(self.hand() - set(keep))}")
        if "no effect" in self.legal():
            self.play("no effect")
        return self.turn()

    def to_action(self) -> Self:
        """Answers whatever is asked until an action is to be chosen."""
        while not self.over and "end" not in self.legal():
            self.play(min(self.legal()))
        return self

    def hand(self) -> set[str]:
        """Returns the hand of the player who chooses an action now."""
        assert "end" in self.legal()
        return self.offers("call")

    def fork(self) -> Table:
        """Returns another game in the same position."""
        return Table(self.opener, self.config, self.setup).play(*self.words)

    def sees(self, seat: int) -> dict[str, Any]:
        """Returns what a seat sees, in the words of the referee."""
        if isinstance(self.game, Referee):
            return self.game.sees(seat)
        return views.engine_sees(self.game, seat)

    def sure_of(self, seat: int) -> dict[str, str]:
        """Returns what a seat is sure of by memory, in the words of the referee."""
        if isinstance(self.game, Referee):
            return self.game.sure_of(seat)
        return views.engine_sure_of(self.game, seat)

    def result(self) -> dict[str, Any]:
        """Returns the result, of a game that is over."""
        assert self.over
        result: dict[str, Any] = self.game.result()
        return result

    def result_now(self) -> dict[str, Any]:
        """Returns what the result would be if the player who chooses an action now ended it."""
        return self.fork().play("end").result()

    def film(self) -> dict[str, str]:
        """Returns the cards of the Film by their places; only where an action is chosen."""
        film: dict[str, str] = self.result_now()["film"]
        return film

    def line(self, letter: str = "") -> list[str]:
        """Returns the cards of a line in their order."""
        film = self.film()
        numbers = sorted(
            int(place.removeprefix(letter)) for place in film if place.startswith(letter)
        )
        assert numbers == list(range(1, len(numbers) + 1))
        return [film[f"{letter}{number}"] for number in numbers]


def make_setup(
    mode: str,
    players: int,
    *,
    hands: Sequence[Sequence[str]] = (),
    film: Sequence[str] = (),
    deck: Sequence[str] = (),
    hazards: Sequence[str] = (),
    moods: Sequence[Sequence[str]] = (),
    first: int = 0,
) -> dict[str, Any]:
    """Returns a set-up of which some is chosen.

    Args:
        mode: The mode.
        players: How many play.
        hands: The first cards of each hand; they are filled up.
        film: The first cards of the Film, in the order of the set-up; it is filled up.
        deck: The first cards of the draw pile; the rest lies below.
        hazards: The first hazards in their order; others follow.
        moods: The pairs of moods; others follow.
        first: The first player.
    """
    chosen = [*film, *deck, *(card for hand in hands for card in hand)]
    assert len(set(chosen)) == len(chosen), "a card is chosen twice"
    rest = [card for card in cards_of(mode) if card not in chosen]
    # The lowest and the highest remain in the pile, so that what fills up says little.
    rest = rest[len(rest) // 3 :] + rest[: len(rest) // 3]

    def filled(cards: Sequence[str], size: int) -> list[str]:
        more = size - len(cards)
        assert more >= 0, f"more than {size}: {cards}"
        taken = rest[:more]
        del rest[:more]
        return [*cards, *taken]

    hands = [*hands, *([] for _ in range(players - len(hands)))]
    tokens = [mood for pair in moods for mood in pair]
    tokens += [mood for mood in MOODS if mood not in tokens]
    other = [name for name in (*QUIET, *HAZARDS) if name not in hazards]
    return {
        "first_player": first,
        "hands": [filled(hand, HAND) for hand in hands],
        "film": filled(film, start_size(players, mode)),
        "removed": filled((), REMOVED if mode == "tutorial" else 0),
        "deck": [*deck, *rest],
        "hazards": [*hazards, *other][: MODES[mode].hazards],
        "moods": [tokens[2 * k : 2 * k + 2] for k in range(MODES[mode].pairs)],
    }


class MakeGame:
    """Makes games for a test, see ``make_setup``."""

    def __init__(self, opener: Opener) -> None:
        self.opener = opener

    def __call__(self, mode: str, players: int = 2, **chosen: Any) -> Table:
        setup = make_setup(mode, players, **chosen)
        return Table(self.opener, {"players": players, "mode": mode}, setup)

"""Positions for tests of the rules: games whose deal is chosen, of the engine or the referee.

A test that is marked with ``BOTH`` gets ``make_game`` and runs twice, once with each of them. It
looks at them only through what every record shows: who is asked, which words are legal and which
actions they are, and the result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, Self

import pytest

import dreamfactory_env
from tests.games.fabrique_a_reves.referee import Referee
from tests.games.fabrique_a_reves.referee_setup import MODES, reservoir_sizes
from tests.games.fabrique_a_reves.referee_words import standard_box

#: The class of the engine's game; None as long as there is none.
ENGINE: Any = getattr(dreamfactory_env, "FabriqueAReves", None)

#: The themes of a set-up for which none is chosen, by level.
THEMES = {0: ["animals"], 1: ["electric", "vehicles"], 2: ["colours"], 3: ["feelings"]}
EVERY_MODE = list(MODES)
EVERY_COUNT = [2, 3, 4, 5]


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


def open_engine(config: dict[str, Any], setup: dict[str, Any]) -> Playing:
    """Returns a game of the engine."""
    game: Playing = ENGINE.from_setup(config, setup)
    return game


def open_referee(config: dict[str, Any], setup: dict[str, Any]) -> Playing:
    """Returns a game of the referee."""
    return Referee(config, setup)


def make_config(mode: str = "base", players: int = 3, **options: Any) -> dict[str, Any]:
    """Returns a config as a record has it; what is not chosen is the default, the level 1."""
    chosen = {
        "players": players,
        "mode": mode,
        "level": 1 if mode in ("base", "variant") else None,
        "tools": "drawn" if mode == "variant" else None,
        "minds": "noisy",
        "noise": 0 if options.get("minds") == "same" else 24,
        "labels": "mind",
        "lexicon": "fabrique",
    }
    assert set(options) <= set(chosen), options
    return {**chosen, **options}


def make_setup(
    config: dict[str, Any],
    *,
    piles: Mapping[int, str] | None = None,
    first: int = 0,
    themes: Sequence[str] | None = None,
    drawn: Sequence[str] | None = None,
    minds: Sequence[int] | None = None,
) -> dict[str, Any]:
    """Returns a set-up of which some is chosen.

    Args:
        config: As in a record.
        piles: The words on the first cards of some reservoirs, which count from 1, parted by
            blanks; they are filled up with other cards.
        first: The first player.
        themes: The themes; some of the right level if None.
        drawn: The tools that were drawn, if it is a variant with drawn tools.
        minds: The minds; 0 if all are the same, else small numbers if None.
    """
    mode, players = MODES[config["mode"]], config["players"]
    level = config["level"] if mode.level is None else mode.level
    other_side: dict[str, str] = {}
    for one, other in standard_box().cards:
        other_side |= {one: other, other: one}
    chosen = {number: words.split() for number, words in (piles or {}).items()}
    up = [word for words in chosen.values() for word in words]
    used = {*up, *(other_side[word] for word in up)}
    assert len(used) == 2 * len(up), "a card is chosen twice"
    rest = [one for one, _ in standard_box().cards if one not in used]
    reservoirs = []
    for number, size in enumerate(reservoir_sizes(len(standard_box().cards), mode.reservoirs), 1):
        words = chosen.get(number, [])
        more = size - len(words)
        reservoirs.append([f"{word}/{other_side[word]}" for word in [*words, *rest[:more]]])
        del rest[:more]
    if themes is None:
        themes = THEMES[level][: mode.themes] if level is not None else []
    if minds is None:
        minds = [0 if config["minds"] == "same" else 7 + seat for seat in range(players)]
    tools: Sequence[str] = mode.tools
    if config["mode"] == "variant":
        tools = config["tools"] if drawn is None else drawn
    return {
        "first_player": first,
        "themes": list(themes),
        "tools": list(tools),
        "reservoirs": reservoirs,
        "minds": list(minds),
    }


class Table:
    """A game from a chosen deal.

    Args:
        opener: Makes the game.
        config: As in a record.
        setup: As in a record.
    """

    def __init__(self, opener: Opener, config: dict[str, Any], setup: dict[str, Any]) -> None:
        self.setup = setup
        self.game = opener(config, setup)
        self.vials = MODES[config["mode"]].vials

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

    def offers(self, start: str) -> set[str]:
        """Returns what may follow a start of words now: ``{"1", "2"}`` after ``doubt on``."""
        start += " "
        return {words.removeprefix(start) for words in self.legal() if words.startswith(start)}

    def dreams(self) -> set[str]:
        """Returns the dreams that may be written now, ``none`` among them if it may."""
        (vial,) = {words.split()[1] for words in self.legal()}
        return self.offers(f"dream {vial}")

    def actions(self) -> dict[str, int]:
        """Returns the legal words with their action numbers."""
        if isinstance(self.game, Referee):
            return {words: self.game.action(words) for words in self.game.legal()}
        found: dict[str, int] = self.game.legal_actions()  # type: ignore[attr-defined]
        return found

    def play(self, *words: str) -> Self:
        """Plays some words, one after the other."""
        for each in words:
            assert each in self.legal(), f"{each!r} of {sorted(self.legal())} by {self.to_move}"
            self.game.play(each)
        return self

    def take(self, *vials: int) -> Self:
        """Takes cards from the first reservoir, whoever's turn it is, into vials."""
        return self.play(*(f"take 1 into {vial}" for vial in vials))

    def one_each(self) -> Self:
        """Puts a card from the first reservoir into each vial."""
        return self.take(*range(1, self.vials + 1))

    def all_pass(self) -> Self:
        """Lets everybody pass who has not."""
        while "pass" in self.legal():
            self.play("pass")
        return self

    def slate(self, *dreams: str) -> Self:
        """Writes the dreams of one seat, parted by commas if there are two for a vial."""
        for vial, words in enumerate(dreams, start=1):
            self.slate_at(vial, words)
        return self

    def slate_at(self, vial: int, words: str) -> Self:
        """Writes the dream of one seat for a vial, or two that a comma parts."""
        return self.play(*(f"dream {vial} {word.strip()}" for word in words.split(",")))

    def result(self) -> dict[str, Any]:
        """Returns the result, of a game that is over."""
        assert self.over
        assert self.legal() == set()
        result: dict[str, Any] = self.game.result()
        return result

    def vial(self, number: int) -> dict[str, Any]:
        """Returns the result of a vial."""
        vial: dict[str, Any] = self.result()["vials"][number - 1]
        return vial


class MakeGame:
    """Makes games for a test, see ``make_config`` and ``make_setup``."""

    def __init__(self, opener: Opener) -> None:
        self.opener = opener

    def __call__(self, mode: str = "base", players: int = 3, **chosen: Any) -> Table:
        dealt = ("piles", "first", "themes", "drawn")
        options = {key: value for key, value in chosen.items() if key not in dealt}
        seats = options.pop("seats", None)
        config = make_config(mode, players, **options)
        setup = {key: value for key, value in chosen.items() if key in dealt}
        return Table(self.opener, config, make_setup(config, minds=seats, **setup))


BOTH = pytest.mark.parametrize(
    "make_game",
    [
        pytest.param(MakeGame(open_referee), id="referee"),
        pytest.param(
            MakeGame(open_engine),
            id="engine",
            marks=pytest.mark.skipif(ENGINE is None, reason="there is no engine yet"),
        ),
    ],
)

"""Games that break the contract: each of these makes one of a game that keeps it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, Self

import numpy as np

from dreamfactory_env.engine.returns import Payoff
from dreamfactory_env.engine.structs import Array, Records
from dreamfactory_env.games.game import Game, Line
from dreamfactory_env.games.spec import Sizes

#: Takes a class of games and returns a broken one.
Breaks = Callable[[type[Game]], type[Game]]
#: What options may change of a spec.
SIZES = {field.name for field in fields(Sizes)}


def declaring(**changes: Any) -> Breaks:
    """Breaks what a game declares."""
    sizes = {name: changes.pop(name) for name in list(changes) if name in SIZES}

    def breaks(base: Any) -> Any:
        def sizes_of(values: Mapping[str, Any]) -> Sizes:
            declared: Sizes = base.spec.sizes_of(values)
            return replace(declared, **sizes)

        return type("Broken", (base,), {"spec": replace(base.spec, sizes_of=sizes_of, **changes)})

    return breaks


def with_attributes(**attributes: Any) -> Breaks:
    """Breaks attributes or methods of the class."""
    return lambda base: type("Broken", (base,), attributes)


def with_kernels(**functions: Any) -> Breaks:
    """Breaks compiled functions."""

    def breaks(base: Any) -> Any:
        kernels = replace(base.kernels, **functions, bound={})
        return type("Broken", (base,), {"kernels": kernels})

    return breaks


# ---------------------------------------------------------------------------- declarations


def unspeakable_options(base: Any) -> Any:
    """Its config cannot go through JSON."""

    class UnspeakableOptions(base):  # type: ignore[misc]
        def config(self) -> dict[str, Any]:
            return {**super().config(), "players": (self.players,)}

    return UnspeakableOptions


def forgets_options(base: Any) -> Any:
    """Its config has default options always."""

    class ForgetsOptions(base):  # type: ignore[misc]
        def config(self) -> dict[str, Any]:
            return {**super().config(), "players": base.spec.max_players}

    return ForgetsOptions


def with_record(*fields: tuple[str, str]) -> Breaks:
    """Its record has other fields."""

    def breaks(base: Any) -> Any:
        class OtherRecord(base):  # type: ignore[misc]
            def _deal(self, seed: int) -> None:
                self.states = np.zeros(1, list(fields))

        return OtherRecord

    return breaks


def another_blank(base: Any) -> Any:
    """A blank state has another number of players."""

    class AnotherBlank(base):  # type: ignore[misc]
        def blank(self) -> Records:
            blank: Records = super().blank()
            blank["players"] = 1
            return blank

        def _deal(self, seed: int) -> None:
            right = base.from_config(self.config(), seed=seed)
            self.states = right.states

    return AnotherBlank


# ---------------------------------------------------------------------------- positions


def shares_copies(base: Any) -> Any:
    """Its copies are no copies."""
    return with_attributes(copy=lambda self: self)(base)


def hides_a_move(base: Any) -> Any:
    """Does not list all moves."""

    class HidesAMove(base):  # type: ignore[misc]
        def legal_actions(self) -> dict[str, int]:
            return dict(list(super().legal_actions().items())[:-1])

    return HidesAMove


def loads_another(base: Any) -> Any:
    """Loads another position than was saved."""

    class LoadsAnother(base):  # type: ignore[misc]
        @classmethod
        def load(cls, blob: bytes) -> Self:
            game: Self = super().load(blob).deal(1)
            return game

    return LoadsAnother


def never_over(base: Any) -> Any:
    """Its phase is never over."""
    return with_attributes(phase=property(lambda self: "turn"))(base)


def one_setup(base: Any) -> Any:
    """Reads another set-up than it wrote."""

    class OneSetup(base):  # type: ignore[misc]
        def load_setup(self, setup: Any) -> None:
            super().load_setup(setup)
            self.states["seed"] = 5

    return OneSetup


# ---------------------------------------------------------------------------- information


def shows(method: str, **hidden: Callable[[Game], Any]) -> Breaks:
    """Shows something hidden, by the method of that name."""

    def breaks(base: Any) -> Any:
        ((name, of),) = hidden.items()

        def view(self: Game, seat: int | None = None) -> dict[str, Any]:
            return {**base.view(self, seat), name: of(self)}

        def text(self: Game, seat: int) -> str:
            return f"{base.text(self, seat)}\n{name}: {of(self)}"

        def narrate(self: Game, moves: Iterator[int], viewer: int | None = None) -> Iterator[Line]:
            yield Line(f"{name}: {of(self)}")
            yield from base.narrate(self, moves, viewer)

        return type("Broken", (base,), {method: locals()[method]})

    return breaks


def sees_nothing(base: Any) -> Any:
    """Its view of everything does not distinguish deals."""

    class SeesNothing(base):  # type: ignore[misc]
        def view(self, seat: int | None = None) -> dict[str, Any]:
            return {} if seat is None else dict(super().view(seat))

    return SeesNothing


def keeps_seed(base: Any) -> Any:
    """A redrawn game has the seed of the true one."""

    class KeepsSeed(base):  # type: ignore[misc]
        def resample_hidden(self, player: int, seed: int) -> Self:
            other: Self = super().resample_hidden(player, seed)
            other.states["seed"] = self.states["seed"]
            return other

    return KeepsSeed


def redraws_nothing(base: Any) -> Any:
    """What it redraws depends on what was hidden."""

    class RedrawsNothing(base):  # type: ignore[misc]
        def resample_hidden(self, player: int, seed: int) -> Self:
            other: Self = super().resample_hidden(player, seed)
            if seed == 1:
                other.states = self.copy().states
                other.states["seed"] = 2**64 - 1
            return other

    return RedrawsNothing


def redraws_the_turn(base: Any) -> Any:
    """It is another player's turn when what is hidden is redrawn."""

    class RedrawsTheTurn(base):  # type: ignore[misc]
        def resample_hidden(self, player: int, seed: int) -> Self:
            other: Self = super().resample_hidden(player, seed)
            other.states["to_move"] = (self.states["to_move"] + 1) % self.players
            return other

    return RedrawsTheTurn


# ---------------------------------------------------------------------------- credit


def pays(change: Callable[[Array, int | None], Array]) -> Breaks:
    """Changes what a game is worth."""

    def breaks(base: Any) -> Any:
        class Pays(base):  # type: ignore[misc]
            def returns(self, payoff: Payoff, offender: int | None = None) -> Array:
                return change(super().returns(payoff, offender), offender)

        return Pays

    return breaks


def wins(winners: Callable[[Game, list[int]], list[int]]) -> Breaks:
    """Changes who has won."""

    def breaks(base: Any) -> Any:
        class Wins(base):  # type: ignore[misc]
            def winners(self) -> list[int]:
                return winners(self, super().winners())

        return Wins

    return breaks


def scores(change: Callable[[list[int]], list[int]]) -> Breaks:
    """Changes the points."""

    def breaks(base: Any) -> Any:
        class Scores(base):  # type: ignore[misc]
            def scores(self) -> list[int]:
                return change(super().scores())

        return Scores

    return breaks


def starts_with_points(base: Any) -> Any:
    """The first seat has points at the start."""

    class StartsWithPoints(base):  # type: ignore[misc]
        def potentials(self, payoff: Payoff) -> Array:
            found: Array = super().potentials(payoff)
            found[0] += 1
            return found

    return StartsWithPoints

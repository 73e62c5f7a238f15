"""Who plays in a benchmark, and what: the variants of a game, and the policies of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any

from dreamfactory_env.games import new_game
from dreamfactory_env.games.game import Game
from dreamfactory_env.policies import Policy, policy_named
from dreamfactory_env.policies.naming import CodeGuard
from dreamfactory_env.utils.errors import OptionError

#: Options that make a game of its own, each with its value; none if the game has no such options.
Variant = tuple[tuple[str, Any], ...]
#: The search that everybody meets: by iterations, so that it plays the same game everywhere.
SEARCH = "mcts:50"


class Field:
    """The games of a benchmark and the policies that play them.

    Attributes:
        name: The name of the game.
        guard: Says which names of policies may run code.
        options: The options that were given besides the number of players.
        game: A game with default players and these options, to read.
        variants: What is played: all values of the options that make variants, unless one of them
            was given.

    Args:
        name: The name of the game.
        options: Its options besides the number of players.
        guard: Says which names of policies may run code.

    Raises:
        GameError: There is no such game, or an option is wrong.
    """

    def __init__(self, name: str, options: Mapping[str, Any], guard: CodeGuard) -> None:
        self.name = name
        self.guard = guard
        self.options = dict(options)
        self.game = new_game(name, self.options)
        self.variants: list[Variant] = [
            tuple(zip(self.game.spec.variants, values, strict=True))
            for values in product(*(self._values(option) for option in self.game.spec.variants))
        ]
        self._games: dict[Variant, Game] = {}
        self._policies: dict[tuple[Variant, str], Policy] = {}

    def _values(self, option: str) -> tuple[Any, ...]:
        """Returns what an option is in the variants."""
        given = (self.options[option],) if option in self.options else ()
        return given or self.game.spec.option(option).values

    def names(self) -> list[str]:
        """Returns the policies that come with the game, from the ladder to the pool."""
        return [*self.game.spec.ladder, SEARCH, *self.game.agents, *self.game.pool]

    def options_of(self, variant: Variant) -> dict[str, Any]:
        """Returns the options of a variant besides the number of players."""
        return {**self.options, **dict(variant)}

    def game_of(self, variant: Variant) -> Game:
        """Returns a game of a variant, to read."""
        if variant not in self._games:
            self._games[variant] = new_game(self.name, self.options_of(variant))
        return self._games[variant]

    def policy(self, name: str, variant: Variant) -> Policy:
        """Returns the policy of a name in a variant, made once.

        Raises:
            OptionError: There is none, it plays other variants, or it would run code.
        """
        key = (variant, name)
        if key not in self._policies:
            self.guard.check(name)
            self._policies[key] = policy_named(name, self.game_of(variant))
        return self._policies[key]

    def known(self, name: str, variant: Variant) -> bool:
        """Tells whether there is a policy of a name for a variant."""
        try:
            self.policy(name, variant)
        except OptionError:
            return False
        return True

    def absent(self, names: Iterable[str]) -> list[str]:
        """Returns the policies that can be asked nowhere here, such as somebody else's files."""
        return [name for name in names if not any(self.known(name, v) for v in self.variants)]

    def ceiling(self) -> str | None:
        """Returns the name of the policy that sees everything, None if the game has none."""
        policy = self.game.all_seeing
        return None if policy is None else policy.name


def maker_of(name: str) -> str:
    """Returns the maker of a policy of a pool: its name without the seed of its training."""
    return name.rpartition("_")[0]

"""Who plays in a benchmark, and what: the variants of a game, and the policies of each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from dreamfactory_env.games import new_game
from dreamfactory_env.games.game import Game
from dreamfactory_env.games.spec import Variant
from dreamfactory_env.policies import Policy, policy_named
from dreamfactory_env.policies.naming import CodeGuard
from dreamfactory_env.policies.network import NetworkPolicy
from dreamfactory_env.utils.errors import OptionError

#: The search that everybody meets: by iterations, so that it plays the same game everywhere.
SEARCH = "mcts:50"


class Field:
    """The games of a benchmark and the policies that play them.

    Attributes:
        name: The name of the game.
        guard: Says which names of policies may run code.
        options: The options that all cells have in common, besides the number of players.
        game: A game with default players and these options, to read.
        variants: What is played: all variants of the game, or those with the options that were
            given.

    Args:
        name: The name of the game.
        options: Its options besides the number of players.
        guard: Says which names of policies may run code.

    Raises:
        GameError: There is no such game, an option is wrong, or no variant has it.
    """

    def __init__(self, name: str, options: Mapping[str, Any], guard: CodeGuard) -> None:
        self.name = name
        self.guard = guard
        asked = new_game(name, options)  # says what is wrong
        choosing = set(options) & set(asked.spec.variant_options)
        self.options = {key: value for key, value in options.items() if key not in choosing}
        self.game = new_game(name, self.options)
        self._games: dict[Variant, Game] = {}
        self._policies: dict[tuple[Variant, str], Policy] = {}
        wanted = {option: asked.values[option] for option in choosing}
        self.variants: list[Variant] = [
            variant
            for variant in self.game.spec.variants or ((),)
            if wanted.items() <= self.game_of(variant).values.items()
        ]
        if not self.variants:
            given = ", ".join(f"{option}={value}" for option, value in sorted(wanted.items()))
            raise OptionError(f"no variant of {asked.spec.title} that is measured has {given}")

    def names(self) -> list[str]:
        """Returns the policies that come with the game, from the ladder to the pool."""
        agents = list(self.game.agents)
        guided = [guided_by(SEARCH, name) for name in agents[:1]]
        return [*self.game.spec.ladder, SEARCH, *guided, *agents, *self.game.pool]

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

    def plays(self, name: str, variant: Variant, players: int) -> bool:
        """Tells whether a policy plays a variant with so many players.

        A network of a pool plays with as many as it has learned with: elsewhere seeds differ by
        what they have never seen.
        """
        if not self.known(name, variant):
            return False
        policy = self.policy(name, variant)
        if name not in self.game.pool or not isinstance(policy, NetworkPolicy):
            return True
        settings = json.loads(policy.facts.get("settings", "{}"))
        return str(players) in settings.get("n_envs", {str(players): 0})

    def absent(self, names: Iterable[str]) -> list[str]:
        """Returns the policies that can be asked nowhere here, such as somebody else's files."""
        every = self.game.spec.variants or ((),)
        return [name for name in names if not any(self.known(name, v) for v in every)]

    def ceiling(self) -> str | None:
        """Returns the name of the policy that sees everything, None if the game has none."""
        policy = self.game.all_seeing
        return None if policy is None else policy.name


def guided_by(search: str, network: str) -> str:
    """Returns the name of a search that a network guides."""
    return f"{search}:{network}"


def maker_of(name: str) -> str:
    """Returns the maker of a policy of a pool: its name without the seed of its training."""
    return name.rpartition("_")[0]

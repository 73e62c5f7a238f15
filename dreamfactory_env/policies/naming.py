"""Policies by their names."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from dreamfactory_env.games.game import Game
from dreamfactory_env.policies.network import SUFFIX, NetworkPolicy
from dreamfactory_env.policies.policy import Policy
from dreamfactory_env.policies.scripted import ScriptedPolicy
from dreamfactory_env.policies.search import parse_search
from dreamfactory_env.policies.searching import SearchPolicy
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.validation import did_you_mean

#: What the name of a search begins with.
SEARCH = "mcts"
#: How names look that are those of no policy of the game.
PATTERNS = ["mcts:500", "mcts:1s", "mcts:1s:pretrained", "file.safetensors", "package.module:Class"]


def module_of(name: str) -> str:
    """Returns the module whose code the name of a policy would run, nothing if it runs none."""
    module, colon, attribute = str(name).partition(":")
    runs = colon and module and attribute and module != SEARCH and not str(name).endswith(SUFFIX)
    return module if runs else ""


@dataclass
class CodeGuard:
    """Says which names of policies from a file may run code; whoever has the file wrote them.

    Attributes:
        allowed: Whether all may.
        modules: Those whose code may be run because the user has named them.
    """

    allowed: bool = False
    modules: set[str] = field(default_factory=set)

    def trust(self, names: Iterable[str]) -> None:
        """Lets the modules of names be run that the user has given."""
        self.modules |= {module_of(name) for name in names}

    def check(self, name: str) -> None:
        """Raises OptionError if a name from a file would run code that nobody has allowed."""
        module = module_of(name)
        if module and not self.allowed and module not in self.modules:
            raise OptionError(
                f"policy {name!r} would run code, that of the module {module}; if you trust the "
                "file and the module, give --allow-code (in Python allow_code=True)"
            )


def policy_named(name: str, game: Game) -> Policy:
    """Returns the policy of a name.

    Args:
        name: A scripted policy of the game such as ``expert``; a trained network that comes with
            it such as ``pretrained``, or is one of its pool; ``mcts:500`` for a search of that many
            iterations for a move, ``mcts:1s`` for one of that time, ``mcts:1s:pretrained`` for one
            that a network guides; the path of a network in a ``.safetensors`` file; or
            ``package.module:Class`` for a class of your own, which is called without arguments.
            Modules are looked for in the working directory, too.
        game: A game with the options that it is to play.

    Raises:
        OptionError: There is none of that name; the message tells what is known.
    """
    if name in game.scripted:
        return ScriptedPolicy(game, name)
    networks = {**game.agents, **game.pool}
    if name in networks:
        return NetworkPolicy(game, networks[name])
    kind, colon, rest = str(name).partition(":")
    if colon and kind == SEARCH:
        budget, network = parse_search(rest)
        return SearchPolicy(game, budget, network_named(network, game) if network else None)
    if str(name).endswith(SUFFIX):
        return NetworkPolicy(game, name)
    if module := module_of(name):
        return _imported(name, module, rest)
    known = [*game.scripted, *game.agents, *PATTERNS]
    hint = did_you_mean(str(name), known)
    raise OptionError(f"unknown policy {name!r}; known are {', '.join(known)}{hint}")


def network_named(name: str, game: Game) -> NetworkPolicy:
    """Returns the trained network of a name: one that comes with the game, or that of a file.

    Raises:
        OptionError: It is the name of none, or the file is for something else.
    """
    networks = {**game.agents, **game.pool}
    if name not in networks and not str(name).endswith(SUFFIX):
        known = ", ".join([*game.agents, f"file{SUFFIX}"])
        hint = did_you_mean(str(name), networks)
        raise OptionError(f"{name!r} is no trained network; known are {known}{hint}")
    return NetworkPolicy(game, networks.get(name, name))


def _imported(name: str, module: str, attribute: str) -> Policy:
    """Returns a policy that a class of the user's makes.

    Raises:
        OptionError: The module or the class is not there, or makes something else.
    """
    here = str(Path.cwd())
    if here not in sys.path:  # a command does not look there by itself
        sys.path.append(here)
    try:
        found = importlib.import_module(module)
    except (Exception, SystemExit) as error:  # whatever the user's module raises
        reason = f"{type(error).__name__}: {error}"
        raise OptionError(f"policy {name!r}: {module} cannot be imported: {reason}") from error
    if not hasattr(found, attribute):
        hint = did_you_mean(attribute, vars(found))
        raise OptionError(f"policy {name!r}: {module} has no {attribute!r}{hint}")
    kind = getattr(found, attribute)
    if not (isinstance(kind, type) and issubclass(kind, Policy)):  # before it is called
        what = f"the class {attribute}" if isinstance(kind, type) else f"a {type(kind).__name__}"
        raise OptionError(f"policy {name!r} is {what}, not a subclass of Policy")
    try:
        return kind()
    except (Exception, SystemExit) as error:  # whatever the user's class raises
        reason = f"{type(error).__name__}: {error}"
        raise OptionError(f"policy {name!r} cannot be made: {reason}") from error

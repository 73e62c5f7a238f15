"""Policies by their names."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from dreamfactory_env.games.game import Game
from dreamfactory_env.policies.network import SUFFIX, NetworkPolicy
from dreamfactory_env.policies.policy import Policy
from dreamfactory_env.policies.scripted import ScriptedPolicy
from dreamfactory_env.policies.searching import SearchPolicy
from dreamfactory_env.utils.errors import OptionError
from dreamfactory_env.utils.validation import did_you_mean

#: How names look that are those of no policy of the game.
PATTERNS = ["mcts:500", "mcts:1s", "file.safetensors", "package.module:Class"]


def policy_named(name: str, game: Game) -> Policy:
    """Returns the policy of a name.

    Args:
        name: A scripted policy of the game such as ``expert``; a trained network that comes with
            it such as ``pretrained``, or is one of its pool; ``mcts:500`` for a search of that many
            iterations for a move, ``mcts:1s`` for one of that time; the path of a network in a
            ``.safetensors`` file; or ``package.module:Class`` for a class of your own, which is
            called without arguments. Modules are looked for in the working directory, too.
        game: A game with the options that it is to play.

    Raises:
        OptionError: There is none of that name; the message tells what is known.
    """
    if name in game.scripted:
        return ScriptedPolicy(game, name)
    networks = {**game.agents, **game.pool}
    if name in networks:
        return NetworkPolicy(game, networks[name])
    if str(name).endswith(SUFFIX):
        return NetworkPolicy(game, name)
    module, colon, attribute = str(name).partition(":")
    if colon and module == "mcts":
        return SearchPolicy(game, attribute)
    if colon and module and attribute:
        return _imported(name, module, attribute)
    known = [*game.scripted, *game.agents, *PATTERNS]
    hint = did_you_mean(str(name), known)
    raise OptionError(f"unknown policy {name!r}; known are {', '.join(known)}{hint}")


def network_named(name: str, game: Game) -> NetworkPolicy:
    """Returns the trained network of a name: one that comes with the game, or that of a file.

    Raises:
        OptionError: It is the name of none, or the file is for something else.
    """
    policy = policy_named(name, game)
    if not isinstance(policy, NetworkPolicy):
        known = ", ".join([*game.agents, f"file{SUFFIX}"])
        raise OptionError(f"{name!r} is no trained network; known are {known}")
    return policy


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
    except Exception as error:  # whatever the user's module raises
        reason = f"{type(error).__name__}: {error}"
        raise OptionError(f"policy {name!r}: {module} cannot be imported: {reason}") from error
    if not hasattr(found, attribute):
        hint = did_you_mean(attribute, vars(found))
        raise OptionError(f"policy {name!r}: {module} has no {attribute!r}{hint}")
    try:
        policy = getattr(found, attribute)()
    except Exception as error:  # whatever the user's class raises
        reason = f"{type(error).__name__}: {error}"
        raise OptionError(f"policy {name!r} cannot be made: {reason}") from error
    if not isinstance(policy, Policy):
        raise OptionError(f"policy {name!r} makes a {type(policy).__name__}, not a Policy")
    return policy

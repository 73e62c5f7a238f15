"""Checks that what a game declares is complete and consistent."""

from __future__ import annotations

import json
import re
from inspect import signature
from math import isfinite
from typing import Any

import numpy as np

from dreamfactory_env.envs.aec import RawEnv
from dreamfactory_env.envs.single_agent import SingleAgentEnv
from dreamfactory_env.envs.vector import SingleAgentVectorEnv
from dreamfactory_env.games import GAMES
from dreamfactory_env.games.game import SEED_BYTES, Game
from dreamfactory_env.games.spec import GameSpec, Utility
from dreamfactory_env.testing.common import require
from dreamfactory_env.utils.errors import GameError

#: Names that environments have for options of their own.
TAKEN = {"players", "seed", "opponents", "partners", "self"}.union(
    *(signature(env).parameters for env in (RawEnv, SingleAgentEnv, SingleAgentVectorEnv))
)


def check_declarations(game_cls: type[Game], **options: Any) -> None:
    """Checks that what a game says of itself fits together."""
    spec = game_cls.spec
    require(GAMES.get(spec.name) is game_cls, f"{spec.name} is not in GAMES")
    _check_names(spec)
    _check_ladder(spec)
    _check_options(spec)
    game = game_cls(seed=0, **options)
    for of in (spec, game.spec):
        _check_numbers(of)
        _check_pointers(of)
    _check_config(game)
    _check_record(game)
    if spec.shaping:
        start = game.potentials(game.spec.payoff("score", 1.0))
        require(not start.any(), "the points at the start do not allow shaping: declare none")
    for name, file in game_cls.agents.items():
        require(file.is_file(), f"the agent {name!r} has no file {file.name}")


def _check_names(spec: GameSpec) -> None:
    require(spec.name.isidentifier() and spec.name.islower(), f"{spec.name!r} is no name of a game")
    versioned = re.fullmatch(r"v\d+", spec.version) is not None
    require(versioned, f"the version must be such as v0, not {spec.version!r}")
    require(bool(spec.title), "the game has no title")
    require(spec.utility in set(Utility), f"unknown utility {spec.utility!r}")
    counts = 2 <= spec.min_players <= spec.default_players <= spec.max_players
    require(counts, "player counts must be 2 <= min <= default <= max")


def _check_ladder(spec: GameSpec) -> None:
    scripted = spec.scripted
    require(spec.ladder[0] == "random", f"the first policy is {spec.ladder[0]!r}, not 'random'")
    require(spec.rollout in spec.ladder, f"the rollout policy {spec.rollout!r} is not scripted")
    alike = {(weights.dtype.str, weights.shape) for weights in scripted.values()}
    one_kind = len(alike) == 1 and all(
        weights.ndim == 1 and weights.dtype == np.float64 for weights in scripted.values()
    )
    require(one_kind, "the constants of scripted policies must be float64, all of one length")


def _check_options(spec: GameSpec) -> None:
    names = [option.name for option in spec.options]
    require(len(set(names)) == len(names), "two options have the same name")
    for option in spec.options:
        where = f"the option {option.name!r}"
        require(option.name not in TAKEN, f"{where} has a name that environments use")
        one_line = bool(option.help) and "\n" not in option.help
        require(one_line, f"{where} needs one line of help")
        for value in (option.default, *option.values):
            try:
                option.check(value)
            except GameError as error:
                raise AssertionError(f"{where} refuses its own {value!r}: {error}") from error
        listed = not option.values or option.default in option.values
        require(listed, f"{where} does not list its default among its values")


def _check_numbers(spec: GameSpec) -> None:
    require(spec.num_actions > 0 and spec.observation.size > 0, "no actions, or nothing to observe")
    require(spec.max_length > 0, "max_length must be above 0")
    scale = isfinite(spec.score_scale) and spec.score_scale > 0
    require(scale, f"score_scale must be above 0, not {spec.score_scale}")
    low, high = spec.score_range
    require(isfinite(low) and isfinite(high) and low < high, f"no range: {spec.score_range}")
    if spec.shared:
        require(low > -1, "an illegal action pays -1, which must be below every score")
    else:
        require(low < 0 < high, f"scores of a zero-sum game are on both sides of 0, not {low}")
    for block in spec.observation.blocks.values():
        bounded = isfinite(block.low) and isfinite(block.high) and block.low < block.high
        require(bounded and block.size > 0, f"the block {block.name!r} has no bounds or no numbers")
        require(bool(block.meaning), f"the block {block.name!r} has no meaning")


def _check_pointers(spec: GameSpec) -> None:
    for pointer in spec.pointers:
        for name, count in pointer.things:
            block = spec.observation.blocks.get(name)
            things = block.size // block.shape[-1] if block is not None else 0
            require(count <= things, f"a pointer points at {count} of {things} {name!r}")
        within = pointer.first >= 0 and pointer.actions.stop <= spec.num_actions
        require(within, f"the actions of a pointer are none of the {spec.num_actions}")


def _check_config(game: Game) -> None:
    config = game.config()
    require(json.loads(json.dumps(config)) == config, "the config is no plain JSON")
    again = type(game).from_config(config, seed=0)
    require(again == game, "a game made from the config of another has other options")


def _check_record(game: Game) -> None:
    """Checks the record of a state, which the engine reads without knowing the game."""
    dtype = game.states.dtype
    first, *names = dtype.names or ("",)
    require(
        first == "seed" and dtype[first] == np.uint64 and dtype[first].itemsize == SEED_BYTES,
        f"the record must begin with the seed, uint64, not with {first!r}",
    )
    for name in ("players", "to_move"):
        require(name in names, f"the record needs a field {name!r}, which the stepper reads")
    blank = game.blank()
    require(blank.dtype == dtype and blank.shape == (1,), "blank() is another kind of record")
    require(game.params.shape == (1,), "params must be of shape (1,)")
    require(int(blank["players"][0]) == game.players, "blank() has another number of players")
    require(game.seed == 0, f"a game dealt from seed 0 says that it was from {game.seed}")

"""The typed options of the PettingZoo modules: they are those that the environments take."""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
from types import ModuleType
from typing import Any, Literal, assert_type, get_args, get_origin, get_type_hints

import gymnasium
import pytest

from dreamfactory_env import DreamFactory, Film, OptionError, dream_factory_v0
from dreamfactory_env.envs.aec import RawEnv
from dreamfactory_env.envs.common import ILLEGAL
from dreamfactory_env.envs.rendering import RENDER_FPS, RENDER_MODES, RenderOptions
from dreamfactory_env.envs.single_agent import SingleAgentEnv
from dreamfactory_env.games import GAMES
from dreamfactory_env.games.game import Game


def module_of(game_cls: type[Game]) -> ModuleType:
    return importlib.import_module(f"dreamfactory_env.{game_cls.spec.name}_{game_cls.spec.version}")


def env_defaults() -> dict[str, Any]:
    """Returns the options that the environment itself takes, with their defaults."""
    parameters = inspect.signature(RawEnv.__init__).parameters.values()
    named = {p.name: p.default for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY}
    return {**named, "render_seat": None, "render_fps": RENDER_FPS}


def literals_in(hint: Any) -> list[Any]:
    """Returns the values that a type lists."""
    if get_origin(hint) is Literal:
        return list(get_args(hint))
    return [value for part in get_args(hint) for value in literals_in(part)]


def entry_of(name: str, docstring: str) -> str:
    """Returns what a docstring says of an option."""
    found = re.search(rf"\n +{name}: (.*?)(?=\n +\w+: |\n\n)", docstring, re.DOTALL)
    assert found, f"{name} is not described"
    return " ".join(found[1].split())


@pytest.mark.parametrize("game_cls", GAMES.values(), ids=lambda game_cls: game_cls.spec.name)
class TestEveryGame:
    """What holds for the module of every game."""

    def test_the_typed_options_are_those_that_are_taken(self, game_cls: type[Game]) -> None:
        hints = get_type_hints(module_of(game_cls).EnvOptions)
        assert set(hints) == {*game_cls.spec.option_names, *env_defaults()}
        assert set(get_type_hints(RenderOptions)) == {"render_seat", "render_fps"}

    def test_their_types_have_the_values_of_the_spec(self, game_cls: type[Game]) -> None:
        hints, spec = get_type_hints(module_of(game_cls).EnvOptions), game_cls.spec
        for option in spec.options:
            hint = hints[option.name]
            if option.values:
                assert literals_in(hint) == list(option.values)
            else:
                assert option.type in (hint, *get_args(hint))
        listed = {"reward": list(spec.rewards), "illegal": ILLEGAL, "render_mode": RENDER_MODES}
        assert {name: literals_in(hints[name]) for name in listed} == listed
        assert literals_in(hints["render_seat"]) == ["all"]
        assert hints["players"] is int

    def test_the_docstring_tells_every_option_with_values_and_default(
        self, game_cls: type[Game]
    ) -> None:
        module, spec = module_of(game_cls), game_cls.spec
        defaults = {option.name: option.default for option in spec.options} | env_defaults()
        defaults |= {"players": spec.default_players, "reward": spec.rewards[0]}
        for name, hint in get_type_hints(module.EnvOptions).items():
            entry = entry_of(name, module.env.__doc__)
            for value in (*literals_in(hint), defaults[name]):
                assert (f'"{value}"' if isinstance(value, str) else str(value)) in entry
        players = f"{spec.min_players} to {spec.max_players}"
        assert players in entry_of("players", module.env.__doc__)

    def test_the_docstring_tells_shapes_and_its_example_runs(self, game_cls: type[Game]) -> None:
        module, spec = module_of(game_cls), game_cls.spec
        assert f"float32 ({spec.observation.size},)" in module.env.__doc__
        assert f"int8 ({spec.num_actions},)" in module.env.__doc__
        assert f"from 0 to {spec.num_actions - 1}" in module.env.__doc__
        assert f"``player_{spec.max_players - 1}``" in module.env.__doc__
        test = doctest.DocTestFinder().find(module.env, module.__name__, globs={})
        assert len(test) == 1
        assert len(test[0].examples) > 3
        assert doctest.DocTestRunner().run(test[0]).failed == 0


def test_type_checkers_know_the_game_of_an_environment() -> None:
    raw = dream_factory_v0.raw_env(players=3)
    assert_type(raw, RawEnv[DreamFactory])
    assert_type(raw.game.films(2), list[Film])
    wrapped = dream_factory_v0.env(players=3)
    assert_type(wrapped.unwrapped.game, DreamFactory)
    assert wrapped.unwrapped is wrapped.env.unwrapped
    assert_type(SingleAgentEnv(DreamFactory).game, DreamFactory)
    assert_type(RawEnv("dream_factory").game, Game)
    assert raw.game.films(2) == DreamFactory(3, seed=0).films(2)


def test_type_checkers_and_the_environment_refuse_the_same() -> None:
    # mypy, too, fails if one of these is accepted: an ignore that is not needed is an error.
    with pytest.raises(OptionError, match="edition must be one of dream_factory, traumfabrik"):
        dream_factory_v0.env(edition="traumfabrick")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=r"unknown option 'plaiers'.*players"):
        dream_factory_v0.env(plaiers=3)  # type: ignore[call-arg]
    with pytest.raises(OptionError, match="render_seat must be"):
        dream_factory_v0.raw_env(render_seat="mover")  # type: ignore[arg-type]


def test_gymnasium_makes_an_environment_with_these_options() -> None:
    env = gymnasium.make("DreamFactory-v0", players=3, render_mode="ansi", render_seat=2)
    env.reset(seed=1)
    assert env.get_wrapper_attr("game").text(2) == env.render()

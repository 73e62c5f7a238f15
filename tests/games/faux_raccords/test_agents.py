"""The trained agents and the pool of Faux Raccords: they load, play legal moves, and play well."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest

from dreamfactory_env import FauxRaccords, OptionError
from dreamfactory_env.arena import duel, evaluate
from dreamfactory_env.arena.benchmark.field import maker_of
from dreamfactory_env.arena.evaluation import Evaluation
from dreamfactory_env.games.faux_raccords.options import MEMORIES
from dreamfactory_env.learning.run_files import flat
from dreamfactory_env.learning.settings_file import read_training
from dreamfactory_env.policies import policy_named
from dreamfactory_env.policies.naming import network_named
from tests.paths import ROOT

AGENTS = list(FauxRaccords.agents)
POOL = list(FauxRaccords.pool)
ENTROPIES = ("0.01", "0.05")
MAKERS = [f"ppo-{entropy}-{memory}" for entropy in ENTROPIES for memory in MEMORIES]
#: Networks of all kinds; those of a maker are made alike.
SOME = [*AGENTS, *(f"{maker}_1" for maker in MAKERS)]


def memory_of(name: str) -> str:
    """Returns the memory that a network is for."""
    return maker_of(name).rpartition("-")[2] if name in POOL else "perfect"


def options_of(name: str) -> dict[str, Any]:
    """Returns the options that a network plays."""
    return {"mode": "tutorial", "memory": memory_of(name)}


def self_play(name: str, players: int, games: int, memory: str = "") -> Evaluation:
    """Lets a policy play with itself."""
    options = {"mode": "tutorial", "memory": memory or memory_of(name)}
    match = duel(name, [name], players=players, games=games, game="faux_raccords", options=options)
    found = evaluate(match, processes=1)
    assert found is not None
    return found


def test_the_pool_has_five_seeds_of_each_maker() -> None:
    assert AGENTS == ["pretrained"]
    assert sorted(POOL) == sorted(f"{maker}_{seed}" for maker in MAKERS for seed in range(1, 6))
    sizes = [path.stat().st_size for path in FauxRaccords.pool.values()]
    assert sum(sizes) < 4_000_000, "partners are to be small"


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", SOME)
def test_a_network_plays_legal_moves(name: str, players: int) -> None:
    assert self_play(name, players, 6).report["fouls"] == []


@pytest.mark.parametrize("name", SOME)
def test_a_network_is_refused_where_it_cannot_play(name: str) -> None:
    other = next(memory for memory in MEMORIES if memory != memory_of(name))
    game = FauxRaccords(2, seed=0, mode="tutorial", memory=other)
    with pytest.raises(OptionError, match="its observation is"):
        policy_named(name, game)


def test_the_agent_wins_most_games() -> None:
    assert self_play("pretrained", 2, 200).win_rate > 0.85


@pytest.mark.parametrize("name", POOL)
def test_partners_play_better_than_at_random(name: str) -> None:
    ours, theirs = self_play(name, 2, 40), self_play("random", 2, 40, memory_of(name))
    assert ours.score - ours.score_half_width > theirs.score + theirs.score_half_width + 0.2


@pytest.mark.parametrize("name", [*AGENTS, *POOL])
def test_networks_come_from_the_configurations_that_are_here(name: str) -> None:
    game = FauxRaccords(2, seed=0, **options_of(name))
    facts = network_named(name, game).facts
    then = flat(json.loads(facts["settings"]))
    config, changes = "faux_raccords", {"total_timesteps": "8000000"}  # it was resumed
    if name in POOL:
        config = "faux_raccords_pool"
        entropy = maker_of(name).split("-")[1]
        changes = {"seed": name.rpartition("_")[2]}
        changes |= dict.fromkeys(("ppo.ent_coef", "ppo.final_ent_coef"), entropy)
        changes["options.memory"] = memory_of(name)
    settings = read_training(ROOT / "configs" / "train" / f"{config}.yaml", changes)
    given = {key: value for key, value in asdict(settings).items() if value is not None}
    now = flat(json.loads(json.dumps(given)))
    for found in (then, now):
        found.pop("threads")  # which change nothing but the speed
        found.setdefault("actors", 1)  # which older ones did not have
    assert then == now
    assert json.loads(facts["evaluation"])["results"], "nobody knows how strong it is"

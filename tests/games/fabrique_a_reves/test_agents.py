"""The pool of trained agents: they load, play legal moves, and do better than their ladder."""

from __future__ import annotations

import json
from dataclasses import asdict
from itertools import pairwise

import pytest

from dreamfactory_env import FabriqueAReves, OptionError
from dreamfactory_env.arena.benchmark import MATRIX, Cell
from dreamfactory_env.arena.benchmark.cells import CellResult, measure
from dreamfactory_env.arena.pool import play_chunks
from dreamfactory_env.learning.run_files import flat
from dreamfactory_env.learning.settings_file import read_training
from dreamfactory_env.policies.naming import network_named
from tests.paths import ROOT

SEEDS = (1, 2, 3, 4, 5)
MINDS = [f"mind_{seed}" for seed in SEEDS]
LISTS = [f"list_{seed}" for seed in SEEDS]
ALONE = [f"list_alone_{seed}" for seed in SEEDS]
BASE = (("mode", "base"),)
BY_LIST = (*BASE, ("labels", "list"))


def played(row: str, column: str, games: int, variant: tuple[tuple[str, str], ...]) -> CellResult:
    """Returns what two policies reach at tables of three."""
    cell = Cell(MATRIX, 3, row, column, games, variant)
    tournament = cell.tournament("fabrique_a_reves", {})
    return measure(cell, tournament, list(play_chunks(tournament)))


def test_the_pool_has_five_seeds_of_each_maker_in_small_files() -> None:
    assert sorted(FabriqueAReves.pool) == sorted([*MINDS, *LISTS, *ALONE])
    assert sum(path.stat().st_size for path in FabriqueAReves.pool.values()) < 5_000_000


def test_an_agent_plays_no_game_whose_action_numbers_mean_something_else() -> None:
    by_mind, by_list = (FabriqueAReves(3, labels=labels, seed=0) for labels in ("mind", "list"))
    with pytest.raises(OptionError, match="its actions is '196', not '196 by list'"):
        network_named("mind_1", by_list)
    with pytest.raises(OptionError, match="its actions is '196 by list', not '196'"):
        network_named("list_1", by_mind)


@pytest.mark.parametrize("mode", FabriqueAReves.spec.option("mode").values)
def test_an_agent_plays_legal_moves_in_every_mode(mode: str) -> None:
    assert played("mind_1", "random", 8, (("mode", mode),))["fouls"] == 0


@pytest.mark.parametrize("name", [*LISTS, *ALONE])
def test_an_agent_that_knows_dreams_by_their_places_plays_legal_moves(name: str) -> None:
    assert played(name, "nearest", 12, BY_LIST)["fouls"] == 0


def test_seeds_that_have_never_met_score_more_than_nearest() -> None:
    nearest = played("nearest", "nearest", 600, BASE)
    for one, other in pairwise(MINDS):
        found = played(one, other, 600, BASE)
        assert found["fouls"] == 0
        assert found["score"] > nearest["score"], (one, other)


def test_seeds_that_have_agreed_on_numbers_lose_nearly_all_with_each_other() -> None:
    for one, other in pairwise(ALONE):
        with_itself, with_other = (played(one, name, 200, BY_LIST) for name in (one, other))
        assert with_itself["score"] > 2 * with_other["score"], (one, other)


@pytest.mark.parametrize("name", [*MINDS, *LISTS, *ALONE])
def test_an_agent_comes_from_the_configuration_that_is_here(name: str) -> None:
    maker, _, seed = name.rpartition("_")
    policy = network_named(name, FabriqueAReves(3, labels=maker.partition("_")[0], seed=0))
    settings = asdict(read_training(ROOT / "configs" / "train" / f"fabrique_{maker}.yaml"))
    now, then = (
        flat(json.loads(json.dumps({key: found[key] for key in found if found[key] is not None})))
        for found in ({**settings, "seed": int(seed)}, json.loads(policy.facts["settings"]))
    )
    for found in (now, then):
        found.pop("threads")  # which change nothing but the speed
        found.setdefault("actors", 1)  # which older ones did not have
    assert now == then
    assert json.loads(policy.facts["evaluation"])["results"]

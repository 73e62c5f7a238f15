"""What a policy keeps in mind of a game: its own in every game and seat, wherever it plays."""

from __future__ import annotations

import copy
import pickle
from collections import defaultdict
from typing import Any

import numpy as np
import pytest

from dreamfactory_env.arena.config import Tournament
from dreamfactory_env.arena.fouls import ask
from dreamfactory_env.arena.worker import Worker
from dreamfactory_env.engine.stepper import FIRST_FROZEN, Settings
from dreamfactory_env.envs.single_agent import SingleAgentEnv
from dreamfactory_env.envs.vector import SingleAgentVectorEnv
from dreamfactory_env.games.batch import GameBatch
from dreamfactory_env.policies import Policy, Views, view_of
from dreamfactory_env.records.format import start_of
from dreamfactory_env.records.simulation import simulate
from tests.players import BatchRememberer, Rememberer
from tests.toy_game import SignalGame

NAMES = ["tests.players:Rememberer", "tests.players:BatchRememberer"]
BOTH = pytest.mark.parametrize("name", NAMES)


@pytest.fixture(autouse=True)
def _registered(toy: type[SignalGame]) -> None:
    """Puts the toy game into the registry."""


def check_record(record: dict[str, Any]) -> int:
    """Checks every move of who remembers against how many it has made; returns how many."""
    game = start_of(record)
    made: dict[int, int] = defaultdict(int)
    for seat, action, _ in record["moves"]:
        if record["agents"][seat] in NAMES:
            legal = list(game.legal_actions().values())
            assert action == legal[made[seat] % len(legal)], (record["seed"], seat)
            made[seat] += 1
        game.play(action)
    return sum(made.values())


@BOTH
def test_in_simulated_games(name: str) -> None:
    for policies in ([name], [name, "helper", name]):
        records = list(simulate(SignalGame(3), policies, 70, 1))  # more than stand side by side
        assert sum(check_record(record) for record in records) > 100


@BOTH
def test_in_the_arena_where_games_of_a_deal_have_the_same_seed(name: str) -> None:
    tournament = Tournament(
        policies=(name, "random"), players=3, deals=20, game="toy", records=True
    )
    assert tournament.chunk > 1 or name == NAMES[0]
    worker = Worker(tournament)
    records = [record for number in range(tournament.chunks) for record in worker.play(number)[1]]
    assert len({record["seed"] for record in records}) < len(records)
    assert sum(check_record(record) for record in records) > 100


@BOTH
def test_beside_a_learner_over_many_games(name: str) -> None:
    env = SingleAgentEnv("toy", players=3, partners=name)
    rng = np.random.default_rng(1)
    checked = 0
    for seed in [1, 1, 1, *range(20)]:  # the same game again is another game
        env.reset(seed=seed)
        over = False
        while not over:
            _, _, over, _, _ = env.step(rng.choice(np.flatnonzero(env.action_masks())))
        checked += check_record(env.record())
    assert checked > 20


def test_in_the_vector_environment() -> None:
    options: dict[str, Any] = {"players": 3, "seat": 0, "autoreset_mode": "SAME_STEP"}
    many = [SingleAgentVectorEnv(16, game="toy", partners=name, **options) for name in NAMES]
    one = SingleAgentEnv("toy", players=3, seat=0, partners=NAMES[0])
    seen = [env.reset(seed=5)[0] for env in many]
    single, _ = one.reset(seed=5)
    for _ in range(40):
        assert (seen[0] == seen[1]).all()
        assert (seen[0][0] == single).all()
        actions = many[0].action_masks().argmax(axis=1)
        seen = [env.step(actions)[0] for env in many]
        single, _, over, _, _ = one.step(actions[0])
        if over:
            single, _ = one.reset()


def test_a_clone_of_an_environment_keeps_it_in_mind_too() -> None:
    env = SingleAgentEnv("toy", players=3, seat=0, goal=4, partners=NAMES[0])

    def future(env: SingleAgentEnv) -> list[Any]:
        found, over = [], False
        while not over:
            seen, _, over, _, _ = env.step(env.action_masks().argmax())
            found.append(seen.tolist())
        return found

    checked = 0
    for seed in range(20):
        env.reset(seed=seed)
        if env.step(1)[2]:
            continue
        clone, copies = env.clone_state(), [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
        expected = future(env)
        env.restore_state(clone)
        assert future(env) == expected
        env.restore_state(clone)  # a clone can be used again
        assert [future(each) for each in (env, *copies)] == [expected] * 3
        checked += check_record(env.record())
    assert checked > 30


class Stumbler(BatchRememberer):
    """Cannot answer for several games at once, and has written into its memory by then."""

    def act_batch(self, views: Views) -> np.ndarray:
        found = super().act_batch(views)
        if len(views) > 1:
            raise RuntimeError("too many")
        return found


def test_who_is_asked_again_after_a_foul_remembers_nothing_of_the_first_time() -> None:
    batch = GameBatch(SignalGame(2), 3, Settings(SignalGame.spec.payoff()), arrangements=[])
    batch.rows["lineup"][:, :2] = FIRST_FROZEN
    batch.deal(seeds=np.arange(3, dtype=np.uint64))
    for decision in range(2):
        for _seat in range(2):
            views = Views.of(batch, batch.every)
            actions, fouls = ask(Stumbler(), views, None)
            assert not fouls
            assert views.memories == [{"moves": decision}] * 3
            batch.advance(batch.every, actions)


def test_by_hand() -> None:
    game, policy = SignalGame(2, seed=1), Rememberer()
    memories: list[dict[Any, Any]] = [{}, {}]
    played = []
    for _ in range(4):
        seat = game.to_move or 0
        legal = list(game.legal_actions().values())
        played.append(legal.index(policy.act(view_of(game, memory=memories[seat]))))
        game.play(legal[played[-1]])
    assert played == [0, 0, 1, 1]
    assert view_of(SignalGame(2, seed=1)).memory == {}


def test_nobody_reads_what_another_seat_keeps_in_mind() -> None:
    class Writer(Policy):
        def act(self, view: Any) -> int:
            assert view.memory.setdefault("seat", view.seat) == view.seat
            return int(view.mask.argmax())

    tournament = Tournament(
        policies=("writer",), players=3, deals=4, game="toy", custom={"writer": Writer()}
    )
    worker = Worker(tournament)
    assert not any(worker.play(number)[0].fouls for number in range(tournament.chunks))

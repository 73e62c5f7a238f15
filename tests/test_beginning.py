"""Runs that begin with the weights of an agent, and opponents by the number of players."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from dreamfactory_env import DreamFactory, OptionError
from dreamfactory_env.errors import ConfigError
from dreamfactory_env.layout import Array
from dreamfactory_env.policies import policy_named, view_of
from dreamfactory_env.policies.naming import network_named
from dreamfactory_env.policies.network import NetworkPolicy
from training.config import Learning, Network, Opponents, Rhythm, Training, read_training
from training.export import export
from training.league import FIRST_AGENT
from training.run import begin, resume
from training.table import LEARNER, TableVecEnv

SMALL = "pretrained-small"
AS_SMALL = Network(layers=[64, 64], width=16, adviser="expert", start=SMALL)


def tiny(**changes: Any) -> Training:
    """Returns the settings of a run of seconds."""
    chosen: dict[str, Any] = {
        "steps": 1024,
        "rows": {2: 8, 3: 8},
        "network": AS_SMALL,
        "learning": Learning(rollout=32, batch=64),
        "opponents": Opponents(self=1, past=0),
        "rhythm": Rhythm(checkpoint=512, against=[]),
        "threads": 1,
        **changes,
    }
    return Training(**chosen)


def choose(masks: Array, rng: np.random.Generator) -> Array:
    """Returns a random legal action for each row."""
    actions: Array = (rng.random(masks.shape) * masks).argmax(axis=1)
    return actions


def test_a_run_begins_with_the_weights_of_an_agent(tmp_path: Path) -> None:
    run = begin(tiny(), tmp_path / "run")
    agent = network_named(SMALL, DreamFactory)
    seen = run.table.reset()
    with torch.no_grad():
        ratings, _ = run.model.policy.rate(torch.from_numpy(seen), None)
    assert ratings.numpy() == pytest.approx(agent.ratings(seen), abs=1e-4)
    export(run.model, DreamFactory, tmp_path / "again.safetensors", {})
    again = NetworkPolicy(DreamFactory, tmp_path / "again.safetensors")
    assert again.tensors.keys() == agent.tensors.keys()
    assert all((again.tensors[name] == agent.tensors[name]).all() for name in agent.tensors)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"layers": [64, 32]},
            r"network.start: the agent's actions.weight has the shape \(120, 64",
        ),
        ({"layers": [64]}, r"network.start: the agent's .* has the shape .*, not "),
        ({"width": 0}, r"the agent's pointers.* has the shape .*, not None"),
        ({"adviser": ""}, "network.start: the agent hears expert, not nobody"),
        ({"adviser": "builder"}, "network.start: the agent hears expert, not builder"),
        ({"start": "expert"}, "'expert' is no trained network; known are pretrained"),
        ({"start": "nobody.safetensors"}, "nobody.safetensors cannot be read"),
    ],
)
def test_a_start_that_does_not_fit_is_refused_before_anything_is_written(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    network = Network(**{"layers": [64, 64], "width": 16, "adviser": "expert", **changes})
    if "start" not in changes:
        network = Network(network.layers, network.width, network.adviser, SMALL)
    with pytest.raises(OptionError, match=message):
        begin(tiny(network=network), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_at_first_nothing_but_the_value_is_learned(tmp_path: Path) -> None:
    learning = Learning(rollout=32, batch=64, value_first=512)
    run = begin(tiny(learning=learning, steps=512), tmp_path / "first")
    before = {name: weight.clone() for name, weight in run.model.policy.state_dict().items()}
    run.train()
    after = run.model.policy.state_dict()
    changed = {name for name, weight in before.items() if not torch.equal(weight, after[name])}
    assert changed == {"value_net.weight", "value_net.bias"}
    run = begin(tiny(learning=learning, steps=1024), tmp_path / "then")
    run.train()
    after = run.model.policy.state_dict()
    assert all(not torch.equal(weight, after[name]) for name, weight in before.items())


def test_a_run_that_began_with_a_file_goes_on_without_it_bit_by_bit(tmp_path: Path) -> None:
    file = tmp_path / "mine.safetensors"
    shutil.copy(DreamFactory.agents[SMALL], file)
    network = Network([64, 64], 16, "expert", str(file))
    settings = tiny(network=network, learning=Learning(rollout=32, batch=64, value_first=512))
    whole = begin(settings, tmp_path / "whole")
    whole.train()
    begin(settings, tmp_path / "cut").train()
    file.unlink()
    for checkpoint in sorted((tmp_path / "cut" / "checkpoints").iterdir())[1:]:
        checkpoint.unlink()
    again = resume(tmp_path / "cut")
    assert 0 < again.model.num_timesteps < settings.steps
    again.train()
    for name, weight in whole.model.policy.state_dict().items():
        assert torch.equal(weight, again.model.policy.state_dict()[name])
    told = json.loads(again.facts()["settings"])
    assert told["network"]["start"] == "mine.safetensors"  # no folder of this machine


def test_which_agents_play_may_depend_on_how_many_play(tmp_path: Path) -> None:
    opponents = Opponents(
        self=0, past=0, scripted={"greedy": 1}, agents_at={2: {SMALL: 1e9}}, together=0
    )
    table = begin(tiny(opponents=opponents), tmp_path).table
    table.reset()
    for row, players in enumerate(table.players):
        others = {who for who in table.line_ups[row, :players].tolist() if who != LEARNER}
        assert others == ({FIRST_AGENT} if players == 2 else {1})


def test_a_search_plays_at_a_table_as_it_does_everywhere(tmp_path: Path) -> None:
    table = TableVecEnv(DreamFactory, {2: 3, 3: 3}, seed=5)
    search = policy_named("mcts:4", DreamFactory)
    asked = 0

    class Checked(type(search)):  # type: ignore[misc]
        """Compares what it plays with what it would play knowing nothing but its view."""

        def act(self, view: Any) -> int:
            nonlocal asked
            for row in np.flatnonzero(table.asked == FIRST_AGENT):
                game = table.game_at(int(row))
                if game.players != view.players or game.to_move != view.seat:
                    continue
                if (game.observe(view.seat) == view.observation).all():
                    seed, moves = int(table.seeds[row]), int(table.moves[row])
                    assert search.act(view_of(game, seed=seed, moves=moves)) == super().act(view)
                    asked += 1
            return int(search.act(view))

    table.invite_policy(FIRST_AGENT, Checked(DreamFactory, "4"), threads=2)
    table.set_mix({FIRST_AGENT: 1.0})
    table.reset()
    rng = np.random.default_rng(0)
    for _ in range(20):
        assert (table.asked == LEARNER).all()
        table.step(choose(table.masks, rng))
    assert asked > 50


def test_a_run_among_searches_goes_on_bit_by_bit(tmp_path: Path) -> None:
    opponents = Opponents(self=0.5, past=0, agents={"mcts:2": 0.5})
    settings = tiny(opponents=opponents, rows={2: 8}, threads=2)
    whole = begin(settings, tmp_path / "whole")
    whole.train()
    begin(settings, tmp_path / "cut").train()
    for checkpoint in sorted((tmp_path / "cut" / "checkpoints").iterdir())[1:]:
        checkpoint.unlink()
    again = resume(tmp_path / "cut")
    again.train()
    assert again.table.observations.tobytes() == whole.table.observations.tobytes()


def test_opponents_that_make_no_sense_are_named(tmp_path: Path) -> None:
    path = tmp_path / "run.yaml"
    path.write_text("""
steps: 100
rows: {2: 64}
opponents:
  agents: {"mcts:0.1s": 1, nobody: 1}
  agents_at: {3: {pretrained: 1}}
""")
    with pytest.raises(ConfigError) as error:
        read_training(path)
    told = str(error.value)
    assert "mcts:0.1s searches by the clock, so a run could not be repeated" in told
    assert "unknown policy 'nobody'" in told
    assert "opponents.agents_at: there are no rows of 3 players, only of 2" in told

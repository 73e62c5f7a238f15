"""Self-play training: the tables, advantages along each seat, stopping and going on."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from stable_baselines3.common.callbacks import BaseCallback

from dreamfactory_env import DreamFactory, IllegalMove, OptionError
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.learning.checkpoints import read_newest, write_checkpoint
from dreamfactory_env.learning.config import (
    Opponents,
    Rhythm,
    Training,
    read_training,
    write_training,
)
from dreamfactory_env.learning.league import FIRST_AGENT
from dreamfactory_env.learning.policy import draw_actions
from dreamfactory_env.learning.rollout_buffer import seat_advantages
from dreamfactory_env.learning.run import Run, begin, resume
from dreamfactory_env.learning.training_env import FIRST_GUEST, LEARNER, TrainingVecEnv
from dreamfactory_env.policies import policy_named, view_of
from dreamfactory_env.utils.errors import ConfigError
from tests.paths import ROOT
from training import checkpoints, league


def choose(masks: Array, rng: np.random.Generator) -> Array:
    """Returns a random legal action for each row."""
    actions: Array = (rng.random(masks.shape) * masks).argmax(axis=1)
    return actions


def advantages_of(
    values: Any, movers: Any, payments: Any, dones: Any, gamma: float = 1.0, gae_lambda: float = 1.0
) -> tuple[list[float], list[int]]:
    """Returns advantages, and which are known, of a rollout with one row."""
    shape = (len(values), 1)
    out: list[Array] = [np.zeros(shape, kind) for kind in (np.float32, np.float32, np.int8)]
    seat_advantages(
        np.array(values, np.float32).reshape(shape),
        np.array(movers, np.int8).reshape(shape),
        np.array(payments, np.float32).reshape(len(values), 1, -1),
        np.array(dones, np.int8).reshape(shape),
        gamma,
        gae_lambda,
        *out,
    )
    return out[0].ravel().tolist(), out[2].ravel().tolist()


def test_every_seat_is_paid_at_its_own_last_decision() -> None:
    # Seats 0 and 1 decide in turn; after seat 0's second decision the game ends, seat 1 has won.
    got, known = advantages_of(
        values=[0.1, 0.2, 0.3],
        movers=[0, 1, 0],
        payments=[[0, 0], [0, 0], [-1, 1]],
        dones=[0, 0, 1],
    )
    assert got == pytest.approx([-1 - 0.1, 1 - 0.2, -1 - 0.3], abs=1e-6)
    assert known == [1, 1, 1]


def test_advantages_look_to_the_next_decision_of_the_same_seat() -> None:
    got, known = advantages_of(
        values=[0.1, 0.5, 0.3, 0.7],
        movers=[0, 1, 0, 1],
        payments=[[0, 0]] * 4,
        dones=[0, 0, 0, 0],
        gamma=0.9,
        gae_lambda=0.0,
    )
    assert got[:2] == pytest.approx([0.9 * 0.3 - 0.1, 0.9 * 0.7 - 0.5], abs=1e-6)
    assert known == [1, 1, 0, 0]  # nothing has followed the last ones yet


def test_what_is_paid_on_others_turns_is_not_lost() -> None:
    got, _ = advantages_of(
        values=[0, 0, 0],
        movers=[0, 1, 0],
        payments=[[0.1, -0.1], [0.2, -0.2], [0, 0]],
        dones=[0, 0, 0],
        gae_lambda=0.0,
    )
    assert got[0] == pytest.approx(0.3)


def test_advantages_of_all_player_counts_have_the_same_scale(tmp_path: Path) -> None:
    run = begin(tiny(rows={2: 8, 4: 16}), tmp_path)
    run.train()
    buffer = run.model.rollout_buffer
    for players, count in ((2, 8), (4, 16)):
        rows = run.table.players == players
        assert rows.sum() == count
        known = buffer.known[:, rows] == 1
        returns = buffer.returns[:, rows][known] - buffer.values[:, rows][known]
        advantages = buffer.advantages[:, rows][known]
        assert advantages.std() == pytest.approx(1, abs=1e-3)
        assert advantages == pytest.approx(returns / returns.std(), rel=1e-3, abs=1e-4)


def test_advantages_that_are_all_alike_keep_their_scale(tmp_path: Path) -> None:
    run = begin(tiny(), tmp_path)
    buffer = run.model.rollout_buffer
    buffer.known[:] = 0
    buffer.known[0, 0] = 1  # one decision tells nothing of a scale
    buffer.advantages[:] = 0.25
    buffer._level_advantages()
    assert (buffer.advantages == np.float32(0.25)).all()
    buffer.known[:] = 1  # and none of these differs from another
    buffer._level_advantages()
    assert (buffer.advantages == np.float32(0.25)).all()


def test_a_game_does_not_see_the_payments_of_the_next_one() -> None:
    got, known = advantages_of(
        values=[0, 0, 0, 0],
        movers=[0, 1, 0, 1],
        payments=[[0, 0], [1, -1], [0, 0], [-1, 1]],
        dones=[0, 1, 0, 1],
    )
    assert got == pytest.approx([1, -1, -1, 1])
    assert known == [1, 1, 1, 1]


def test_every_known_decision_is_learned_from_once_an_epoch(tmp_path: Path) -> None:
    run = begin(tiny(steps=256), tmp_path)
    run.train()
    buffer = run.model.rollout_buffer
    buffer.values[:] = np.arange(buffer.values.size).reshape(buffer.values.shape)
    for size, batches in ((None, 1), (64, 3), (100, 2)):
        got = [samples.old_values.numpy() for samples in buffer.get(size)]
        assert len(got) == batches
        assert sorted(np.concatenate(got)) == np.flatnonzero(buffer.known).tolist()
        assert max(map(len, got)) - min(map(len, got)) <= 1


ROWS = {2: 6, 3: 4, 5: 3}


@pytest.mark.parametrize("shaping", [0.0, 0.5])
def test_at_a_table_everybody_is_paid_and_only_the_learner_is_asked(shaping: float) -> None:
    table = TrainingVecEnv(DreamFactory, ROWS, seed=3, shaping=shaping, reward="rank")
    asked = 0

    def guest(observations: Array, masks: Array) -> Array:
        nonlocal asked
        asked += len(masks)
        return choose(masks, np.random.default_rng(asked))

    table.invite(FIRST_GUEST, guest)
    table.set_mix({LEARNER: 1.0, 0: 1.0, 1: 1.0, FIRST_GUEST: 1.0})
    table.reset()
    rng = np.random.default_rng(0)
    paid = np.zeros((table.num_envs, 5))
    games = 0
    players = np.repeat(list(ROWS), list(ROWS.values()))
    for _ in range(250):
        assert table.masks.sum(axis=1).min() > 1  # forced moves are played on the way
        turns = table.turns.copy()
        assert all(table.line_ups[row, seat] == LEARNER for row, seat in enumerate(turns))
        _, rewards, dones, _ = table.step(choose(table.masks, rng))
        assert table.movers.tolist() == turns.tolist()
        assert rewards == pytest.approx(table.payments[np.arange(len(turns)), turns])
        paid += table.payments
        for row in np.flatnonzero(dones):
            worth = sorted(paid[row, : players[row]])
            assert sum(worth) == pytest.approx(0, abs=1e-5)
            assert worth[-1] <= 1 + 1e-5
            assert worth[-1] > 0
            assert table.outcomes[row] == pytest.approx(paid[row], abs=1e-5)  # whatever shaping
            assert (table.played[row, : players[row]] == LEARNER).any()
            paid[row] = 0
            games += 1
    assert games > 20
    assert asked > 100
    seen = set(table.line_ups[:, :2].ravel().tolist())
    assert seen == {LEARNER, 0, 1, FIRST_GUEST}


def test_the_time_of_the_tables_is_not_that_of_the_guests(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += 1.0
        return now

    def guest(observations: Array, masks: Array) -> Array:
        nonlocal now
        now += 1e6
        return choose(masks, np.random.default_rng(0))

    table = TrainingVecEnv(DreamFactory, {2: 4}, seed=3)
    table.invite(FIRST_GUEST, guest)
    table.set_mix({FIRST_GUEST: 1.0})
    table.seconds = 0.0
    monkeypatch.setattr("dreamfactory_env.learning.training_env.time.perf_counter", clock)
    table.reset()
    table.step(table.masks.argmax(axis=1))
    assert now > 1e6
    assert 0 < table.seconds < 100


def test_a_table_plays_the_same_games_again_and_goes_on_from_saved_arrays() -> None:
    first, second = (TrainingVecEnv(DreamFactory, ROWS, seed=3) for _ in range(2))
    for table in (first, second):
        table.set_mix({LEARNER: 1.0, 1: 1.0})
        table.reset()
    rng = np.random.default_rng(0)
    for _ in range(60):
        actions = choose(first.masks, rng)
        first.step(actions)
        second.step(actions)
    assert first.observations.tobytes() == second.observations.tobytes()
    kept = first.save_arrays()
    third = TrainingVecEnv(DreamFactory, ROWS, seed=3)
    third.set_mix({LEARNER: 1.0, 1: 1.0})  # the league's to say, before each rollout
    third.load_arrays(kept)
    for _ in range(60):
        actions = choose(first.masks, rng)
        first.step(actions)
        third.step(actions)
        assert first.observations.tobytes() == third.observations.tobytes()


def test_an_illegal_action_at_a_table_raises_and_names_the_row() -> None:
    table = TrainingVecEnv(DreamFactory, {3: 4}, seed=3)
    table.reset()
    before = table.save_arrays()
    actions = table.masks.argmax(axis=1)
    actions[2] = 62
    with pytest.raises(IllegalMove, match="row 2: 62 is not legal"):
        table.step(actions)
    assert all((table.save_arrays()[name] == kept).all() for name, kept in before.items())


TINY: dict[str, Any] = {
    "steps": 6 * 16 * 16,
    "rows": {2: 8, 3: 8},
    "opponents": Opponents(self=0.5, past=0.3, scripted={"greedy": 0.2}),
    "rhythm": Rhythm(snapshot=512, checkpoint=512, against=[]),
    "threads": 1,
}


def tiny(**changes: Any) -> Training:
    from dreamfactory_env.learning.config import Learning, Network

    learning = Learning(rollout=16, batch=64)
    return Training(**{**TINY, "learning": learning, "network": Network(layers=[16]), **changes})


def weights(run: Run) -> bytes:
    return b"".join(tensor.numpy().tobytes() for tensor in run.model.policy.state_dict().values())


def test_actions_are_drawn_by_their_chances_and_only_legal_ones() -> None:
    ratings = np.array([[5.0, 1.0, 0.0, 2.0, 9.0]], np.float32)
    masks = np.array([[0, 1, 1, 1, 0]], np.int8)
    draws = 20_000
    luck = (np.arange(draws) + 0.5) / draws
    actions, log_probs = np.zeros(draws, np.int64), np.zeros(draws, np.float32)
    rows = (np.repeat(ratings, draws, axis=0), np.repeat(masks, draws, axis=0))
    draw_actions(*rows, luck, actions, log_probs)
    chances = np.exp([1.0, 0.0, 2.0]) / np.exp([1.0, 0.0, 2.0]).sum()
    counts = np.bincount(actions, minlength=5) / draws
    assert counts == pytest.approx([0, *chances, 0], abs=2 / draws)
    assert np.exp(log_probs) == pytest.approx(np.array([0, *chances, 0])[actions], abs=1e-6)
    draw_actions(*rows, np.full(draws, np.nextafter(1, 0)), actions, log_probs)
    assert set(actions) == {3}  # whatever is rounded, nothing illegal


def test_the_policy_says_what_its_parent_says(tmp_path: Path) -> None:
    run = Run(tiny(), tmp_path)
    policy = run.model.policy
    observations, masks = run.table.reset(), run.table.masks
    seen = torch.from_numpy(observations)
    with torch.no_grad():
        for tensor in policy.action_net.parameters():
            tensor.normal_()  # it begins with almost equal ratings
        actions, values, log_probs = policy(seen, action_masks=masks)
        theirs = policy.evaluate_actions(seen, actions, torch.from_numpy(masks))
        best = policy(seen, deterministic=True, action_masks=masks)[0]
    assert masks[np.arange(len(masks)), actions].all()
    assert values.numpy() == pytest.approx(theirs[0].numpy(), abs=1e-6)
    assert log_probs.numpy() == pytest.approx(theirs[1].numpy(), abs=1e-5)
    told, _ = run.model.predict(observations, action_masks=masks, deterministic=True)
    assert best.tolist() == told.tolist()


@pytest.mark.parametrize("kept", [1, 2])
def test_a_run_that_was_stopped_goes_on_bit_by_bit(tmp_path: Path, kept: int) -> None:
    whole = begin(tiny(), tmp_path / "whole")
    whole.train()
    stream = torch.get_rng_state()
    assert whole.model.num_timesteps == TINY["steps"]
    assert len(whole.league.snapshots) >= 2
    # The same run, but everything after one of its first checkpoints is lost.
    begin(tiny(), tmp_path / "cut").train()
    files = sorted((tmp_path / "cut" / "checkpoints").iterdir())
    assert len(files) > kept
    for file in files[kept:]:
        file.unlink()
    again = resume(tmp_path / "cut")
    assert 0 < again.model.num_timesteps < TINY["steps"]
    again.train()
    assert weights(again) == weights(whole)
    assert again.league.results == whole.league.results
    assert again.table.observations.tobytes() == whole.table.observations.tobytes()
    assert torch.equal(torch.get_rng_state(), stream)


def test_how_often_it_plays_itself_may_depend_on_how_many_play(tmp_path: Path) -> None:
    opponents = Opponents(self=0, past=0, scripted={"greedy": 1}, self_at={2: 1e9})
    table = begin(tiny(opponents=opponents), tmp_path).table
    table.reset()
    for row, players in enumerate(table.players):
        seats = table.line_ups[row, :players].tolist()
        assert seats.count(LEARNER) == (2 if players == 2 else 1)


FROZEN = str(DreamFactory.agents["pretrained"])
SIZE = DreamFactory.layout.size


def test_a_learner_alone_among_agents_that_do_not_change(tmp_path: Path) -> None:
    opponents = Opponents(self=0, past=0, agents={"pretrained": 1.0, FROZEN: 1.0})
    run = begin(tiny(opponents=opponents, steps=512), tmp_path)
    table = run.table
    table.reset()
    players = np.repeat([2, 3], 8)
    agent = policy_named("pretrained", DreamFactory)
    asked = 0

    def checked(observations: Array, masks: Array) -> Array:
        """Answers as the agent does in the arena, where it sees views of the games."""
        nonlocal asked
        actions = run.league.agents["pretrained"].best(observations, masks)
        for row in np.flatnonzero(table.asked == FIRST_AGENT)[:3]:
            seen = table.game_at(int(row))
            if (seen.observe(seen.to_move or 0) == observations[0, :SIZE]).all():
                assert agent.act(view_of(seen)) == actions[0]
                asked += 1
        return actions

    table.invite(FIRST_AGENT, checked, run.league.agents["pretrained"].adviser)
    rng = np.random.default_rng(0)
    met: set[int] = set()
    for _ in range(120):
        for row, line_up in enumerate(table.line_ups):
            seats = line_up[: players[row]].tolist()
            assert seats.count(LEARNER) == 1  # from the first deal on
            met |= set(seats)
        table.step(choose(table.masks, rng))
    assert met == {LEARNER, FIRST_AGENT, FIRST_AGENT + 1}
    assert asked > 50
    run.train()
    assert run.model.num_timesteps == 512


def test_a_run_among_agents_goes_on_bit_by_bit_and_only_with_the_same_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "mine.safetensors"
    shutil.copy(FROZEN, mine)
    monkeypatch.chdir(tmp_path)
    agents = {"pretrained-small": 1.0, "mine.safetensors": 0.5}
    settings = tiny(
        opponents=Opponents(self=0.1, past=0.2, scripted={"greedy": 0.2}, agents=agents)
    )
    whole = begin(settings, tmp_path / "whole")
    whole.train()
    begin(settings, tmp_path / "cut").train()
    monkeypatch.chdir("/")  # files are found from everywhere
    for file in sorted((tmp_path / "cut" / "checkpoints").iterdir())[1:]:
        file.unlink()
    again = resume(tmp_path / "cut")
    assert again.settings == settings
    assert list(again.settings.opponents.agents) == ["pretrained-small", str(mine)]
    assert 0 < again.model.num_timesteps < TINY["steps"]
    again.train()
    assert weights(again) == weights(whole)
    assert again.table.observations.tobytes() == whole.table.observations.tobytes()
    shutil.copy(DreamFactory.agents["pretrained-small"], mine)
    changed = resume(tmp_path / "cut")  # to be exported, say
    assert weights(changed) == weights(whole)
    with pytest.raises(OptionError, match=r"mine.safetensors is not the agent that this run has"):
        changed.train()


def test_the_past_that_the_learner_beats_most_is_forgotten_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(league, "MOST_SNAPSHOTS", 2)
    run = begin(tiny(), tmp_path / "run")
    run.train()
    assert run.league.taken == 2  # at 512 and 1024 of 1536 decisions
    first, second = run.league.snapshots
    run.league.results = [0.4, 0.6]
    run.league.take_snapshot()
    assert run.league.taken == 3
    assert run.league.snapshots[0] is first
    assert all(kept is not second for kept in run.league.snapshots)
    assert run.league.results == [0.4, 0.5]
    again = begin(tiny(), tmp_path / "again")
    again.league.load(run.league.save())
    assert (again.league.taken, again.league.results) == (3, [0.4, 0.5])


def test_without_a_past_nothing_is_kept_for_it(tmp_path: Path) -> None:
    run = begin(tiny(opponents=Opponents(self=1.0, past=0.0)), tmp_path)
    run.train()
    assert run.league.snapshots == []


def test_a_run_is_trained_by_one_process_at_a_time(tmp_path: Path) -> None:
    run = begin(tiny(), tmp_path)
    again = resume(tmp_path)

    class Other(BaseCallback):
        told = ""

        def _on_step(self) -> bool:
            if not self.told:
                with pytest.raises(OptionError) as error:
                    again.train()
                self.told = str(error.value)
            return True

    other = Other()
    assert run.train([other])
    assert other.told.endswith("is being trained by another process; wait for it, or stop it")
    assert resume(tmp_path).train()  # which is over at once


def test_a_run_of_before_a_setting_was_there_goes_on(tmp_path: Path) -> None:
    begin(tiny(), tmp_path).train()
    kept, _ = read_newest(tmp_path / "checkpoints")
    assert kept is not None
    del kept["made_for"]["learning.bfloat16"]
    write_checkpoint(tmp_path / "checkpoints", kept["steps"], kept)
    assert resume(tmp_path).finished
    kept["made_for"]["rows.5"] = 64
    write_checkpoint(tmp_path / "checkpoints", kept["steps"], kept)
    with pytest.raises(OptionError, match=r"rows.5 was 64 and is None; begin a new one"):
        resume(tmp_path)


def test_a_run_that_cannot_be_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="shaping must be a number from 0"):
        begin(tiny(shaping=-1.0), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_rollout_too_short_to_learn_from_changes_nothing(tmp_path: Path) -> None:
    run = begin(tiny(), tmp_path)
    run.model.rollout_buffer.known[:] = 0
    before = weights(run)
    run.model.train()
    assert weights(run) == before


def test_the_best_response_is_a_run_against_nobody_but_the_best_agent() -> None:
    for name, start in (("best_response", ""), ("best_response_from_itself", "pretrained")):
        settings = read_training(ROOT / "configs" / "train" / f"{name}.yaml")
        opponents = settings.opponents
        assert (opponents.self, opponents.past, opponents.scripted) == (0, 0, {})
        assert opponents.agents == {"pretrained": 1}
        assert settings.network.start == start


def test_a_damaged_checkpoint_is_passed_over(tmp_path: Path, capsys: Any) -> None:
    begin(tiny(), tmp_path).train()
    newest = sorted((tmp_path / "checkpoints").iterdir())[-1]
    data = bytearray(newest.read_bytes())
    data[len(data) // 2] ^= 1
    newest.write_bytes(bytes(data))
    run = resume(tmp_path)
    assert f"{newest.name} is damaged; an older checkpoint is used" in capsys.readouterr().out
    assert run.model.num_timesteps < TINY["steps"]


def test_a_full_disk_costs_a_checkpoint_and_not_the_run(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    run = begin(tiny(steps=512), tmp_path)
    monkeypatch.setattr("os.fsync", full)
    run.train()
    assert run.model.num_timesteps == 512
    assert "a checkpoint cannot be written: No space left" in capsys.readouterr().out
    assert not list((tmp_path / "checkpoints").iterdir())


def test_only_the_last_checkpoints_are_kept(tmp_path: Path) -> None:
    for steps in range(1, 6):
        checkpoints.write_checkpoint(tmp_path, steps, {"steps": torch.tensor(steps)})
    assert len(list(tmp_path.iterdir())) == checkpoints.KEPT
    kept, troubles = checkpoints.read_newest(tmp_path)
    assert kept is not None
    assert int(kept["steps"]) == 5
    assert troubles == []


def test_a_folder_has_one_run(tmp_path: Path) -> None:
    begin(tiny(), tmp_path)
    with pytest.raises(OptionError, match=r"there is a run in .*: give --resume"):
        begin(tiny(), tmp_path)
    shutil.rmtree(tmp_path)
    with pytest.raises(OptionError, match="there is no run in"):
        resume(tmp_path)


def test_settings_are_written_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    write_training(tiny(), path)
    assert read_training(path) == tiny()
    changed = read_training(path, {"learning.rate": "1e-3", "steps": "12", "rows": "{4: 64}"})
    assert (changed.learning.rate, changed.steps, changed.rows) == (1e-3, 12, {4: 64})


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("stepps: 5", ["line 1, stepps: unknown key", "did you mean 'steps'?", "steps is missing"]),
        ("steps: many", ["line 1, steps: must be a whole number, not 'many'"]),
        ("steps: 5\nlearning:\n  rat: 1", ["line 3, learning.rat: unknown key", "'rate'"]),
        ("steps: 5\nlearning: 3", ["line 2, learning: must be a mapping, not 3"]),
        ("steps: 5\nrows: {two: 4}", ["rows.two: must be a whole number, not 'two'"]),
        ("steps: 0", ["steps: must be at least 1, not 0"]),
        (
            "steps: 5\nopponents: {scripted: {expart: 1}}",
            ["opponents.scripted: unknown policy 'expart'", "did you mean 'expert'?"],
        ),
        (
            "steps: 5\nopponents: {agents: {pretraind: 1}}",
            ["opponents.agents: unknown policy 'pretraind'", "did you mean 'pretrained'?"],
        ),
        (
            "steps: 5\nopponents: {agents: {expert: 1, no.safetensors: 1}}",
            ["opponents.agents: 'expert' is no trained network", "no.safetensors cannot be read"],
        ),
        ("steps: 5\nopponents: {agents: {pretrained: -1}}", ["shares must be 0 or more"]),
        ("steps: 5\nrhythm: {against: [nobody]}", ["rhythm.against: unknown policy 'nobody'"]),
        (
            "steps: 5\nlearning: {final_rate: 0}",
            ["final_rate: must be above 0 and at most"],
        ),
        (
            "steps: 5\nlearning: {rate: .nan}",
            ["rate: must be above 0 and at most 1, not nan"],
        ),
        (
            "steps: 5\nlearning: {gamma: 2, clip: -1}",
            ["gamma: must be from 0 to 1", "clip: must"],
        ),
        ("steps: 5\nlearning: {rollout: 1}", ["learning.rollout: must be at least 2, not 1"]),
        ("steps: 5\nnetwork: {layers: [64, 0]}", ["network.layers: must be from 1 to", "not 0"]),
        ("steps: 5\nseed: 5000000000", ["seed: must be from 0 to", "not 5000000000"]),
        ("steps: 5\nopponents: {self: .nan}", ["opponents: shares must be 0 or more"]),
        (
            "steps: 5\nshaping: -1\nteacher: {steps: -5}",
            ["shaping: must be", "teacher.steps:"],
        ),
        ("steps: 5\nrhythm: {deals: 1}", ["rhythm.deals: must be at least 2, not 1"]),
        ("steps: 5\nrhythm: {players: [2, 2]}", ["rhythm.players: has something twice"]),
        ("steps: 5\nlearning: {bfloat16: 1}", ["learning.bfloat16: must be true or false, not 1"]),
        (
            "steps: 5\nnetwork: {adviser: expart}",
            ["network.adviser: unknown policy 'expart'", "did you mean 'expert'?"],
        ),
        (
            "steps: 5\nnetwork: {adviser: expert}\nteacher: {policy: expert}",
            ["network.adviser: there is a teacher, too"],
        ),
        ("steps: 5\nreward: points", ["reward: must be one of win, rank, score"]),
        (
            "steps: 5\nopponents: {self_at: {2: 0.5, 5: 0.5}}",
            ["opponents.self_at: there are no rows of 5 players, only of 2, 3, 4"],
        ),
        ("steps: 5\nopponents: {self_at: {2: -1}}", ["opponents: shares must be 0 or more"]),
        (
            "steps: 5\nopponents: {self: 1, past: 0, self_at: {2: 0}}",
            ["opponents: shares must be 0 or more, and not all 0"],
        ),
        ("steps: 5\nopponents: {self: -1}", ["opponents: shares must be 0 or more"]),
        ("steps: 5\nlearning: {batch: 100000}", ["learning.batch: a rollout has 16384 decisions"]),
        ("[1, 2]", ["must be a mapping"]),
    ],
)
def test_mistakes_in_settings_are_named(tmp_path: Path, text: str, messages: list[str]) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as error:
        read_training(path)
    for message in messages:
        assert message in str(error.value)


def test_who_sits_beside_the_learner_can_be_drawn_for_the_whole_table() -> None:
    for together in (0.0, 1.0):
        table = TrainingVecEnv(DreamFactory, {4: 256}, together=together, seed=2)
        table.set_mix({LEARNER: 0.5, 1: 0.5})
        table.reset()
        assert (table.line_ups == LEARNER).any(axis=1).all()
        scripted = (table.line_ups == 1).sum(axis=1)
        if together:
            assert set(scripted) == {0, 3}
            assert 0.3 < (scripted == 3).mean() < 0.7
        else:
            assert set(scripted) == {0, 1, 2, 3}

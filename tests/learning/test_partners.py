"""Training of a shared game: partners, self-play, and how a learner is judged there."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from dreamfactory_env import OptionError
from dreamfactory_env.arena import duel, evaluate
from dreamfactory_env.games import new_game
from dreamfactory_env.learning import league
from dreamfactory_env.learning.config import Network, Others, PPOSettings, Schedule, Training
from dreamfactory_env.learning.evaluation import ModelPolicy
from dreamfactory_env.learning.evaluation_lines import (
    as_metrics,
    headline,
    in_words,
    measure_of,
    objective,
)
from dreamfactory_env.learning.export import export
from dreamfactory_env.learning.plotting import draw_strength
from dreamfactory_env.learning.progress import ShowProgress
from dreamfactory_env.learning.run import Run, begin, resume
from dreamfactory_env.learning.settings_file import read_training, write_training
from dreamfactory_env.learning.tuning import Study, as_table
from dreamfactory_env.policies.network import NetworkPolicy
from dreamfactory_env.utils.errors import ConfigError
from tests.learning.small import drop_checkpoints, weights

pytestmark = pytest.mark.usefixtures("toy")


def shared(**changes: Any) -> Training:
    """Returns the settings of a run of seconds that learns to play the toy game."""
    settings: dict[str, Any] = {
        "total_timesteps": 16_384,
        "n_envs": {2: 32, 3: 32},
        "game": "toy",
        "options": {"memory": True},
        "reward": "score",
        "partners": Others(self=0.6, past=0.2, scripted={"helper": 0.2}),
        "network": Network([32]),
        "ppo": PPOSettings(5e-3, 1e-3, n_steps=16, batch_size=128, n_epochs=8),
        "schedule": Schedule(
            snapshot_every=1024,
            checkpoint_every=4096,
            evaluate_every=4096,
            evaluation_deals=50,
            evaluation_players=[2, 3],
        ),
    }
    return Training(**{**settings, **changes})


# ---------------------------------------------------------------------------- settings


def test_what_is_not_said_is_the_games_own() -> None:
    settings = Training(1, game="toy")
    assert settings.n_envs == {2: 256}
    assert settings.reward == "win"
    assert settings.schedule.evaluate_against == ["helper"]
    assert settings.schedule.evaluation_players == [2]
    assert (settings.opponents, settings.partners) == (None, Others())
    assert settings.others is settings.partners


def test_a_shared_game_has_partners_and_no_opponents(tmp_path: Path) -> None:
    message = "Signals is a shared game: give partners, not opponents"
    with pytest.raises(OptionError, match=message):
        shared(opponents=Others())
    path = tmp_path / "config.yaml"
    path.write_text("total_timesteps: 5\ngame: toy\nopponents: {self: 1}\nreward: rank\n")
    with pytest.raises(ConfigError, match=f"line 3, opponents: {message}"):
        read_training(path)
    path.write_text("total_timesteps: 5\ngame: toy\npartners: {together: 2}\nreward: rank\n")
    with pytest.raises(ConfigError) as error:
        read_training(path)
    assert "partners.together: must be from 0 to 1" in str(error.value)
    assert "reward: must be one of win, score" in str(error.value)
    write_training(shared(), path)
    assert "opponents" not in path.read_text()
    assert read_training(path) == shared()


# ---------------------------------------------------------------------------- a run


class Trained:
    """A run that was trained, and what it has left."""

    def __init__(self, folder: Path) -> None:
        self.run = begin(shared(), folder)
        console = Console(file=io.StringIO(), force_terminal=True, width=160, highlight=False)
        with ShowProgress(self.run, console) as progress:
            self.run.notify = console.print
            assert self.run.train([progress])
        self.shown: str = console.file.getvalue()  # type: ignore[attr-defined]
        with (folder / "progress.csv").open() as file:
            self.rows = list(csv.DictReader(file))


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Trained:
    from dreamfactory_env.games import GAMES
    from tests.toy_game import SignalGame

    GAMES["toy"] = SignalGame
    try:
        return Trained(tmp_path_factory.mktemp("shared"))
    finally:
        del GAMES["toy"]


def test_a_team_learns_and_its_return_in_self_play_comes_first(trained: Trained) -> None:
    name = "rollout/self_play_return_2_players"
    returns = [float(row[name]) for row in trained.rows if row[name]]
    assert returns[-1] > returns[0] + 0.1
    assert trained.run.metrics.self_play.keys() == {2, 3}
    assert trained.run.metrics.self_play[2] == pytest.approx(returns[-1])
    rollout = [key for key in trained.rows[-1] if key.startswith("rollout/")]
    assert rollout[:2] == [name, "rollout/self_play_return_3_players"]
    assert rollout[2:] == [
        f"rollout/{k}" for k in ("return_2_players", "return_3_players", "games")
    ]
    events = EventAccumulator(str(trained.run.folder))
    events.Reload()
    assert [event.value for event in events.Scalars(name)] == pytest.approx(returns)
    # What stands beside the bar; when the bar is drawn depends on the clock.
    words = r"self-play return [\d.]+/[\d.]+ · [\d,]+ games · .* · score [\d.]+/[\d.]+ ·"
    assert re.search(words, trained.shown)


def test_an_evaluation_is_self_play_and_play_with_each_partner(trained: Trained) -> None:
    run = trained.run
    first, *_, last = run.evaluator.lines
    assert "ratings" not in last
    assert not (run.folder / "ladder.json").exists()
    rows = last["results"]
    expected = [(players, others) for players in (2, 3) for others in ("self", "helper")]
    assert [(row["players"], row["others"]) for row in rows] == expected
    assert measure_of(last) == "score"
    assert objective(last) == pytest.approx(sum(row["score"] for row in rows) / 4)
    assert objective(last) > objective(first)
    learner = ModelPolicy(run.model)
    for row in rows:
        other: Any = learner if row["others"] == "self" else row["others"]
        options: dict[str, Any] = {"game": "toy", "options": {"memory": True}}
        games = 50 * (1 if row["others"] == "self" else row["players"])
        match = duel(learner, [other], players=row["players"], games=games, seed=1, **options)
        found = evaluate(match, processes=1)
        assert found is not None
        assert row["score"] == pytest.approx(found.score, abs=1e-5)
        assert row["score_half_width"] == pytest.approx(found.score_half_width, abs=1e-5)
        assert row["win_rate"] == pytest.approx(found.win_rate, abs=1e-5)
        assert row["half_width"] == pytest.approx(found.half_width, abs=1e-5)
        assert row["games"] == games


def line(steps: int, score: float) -> dict[str, Any]:
    """Returns an evaluation of a shared game."""
    same = {"win_rate": 0.25, "half_width": 0.05, "score_half_width": 0.02, "games": 40}
    results: list[dict[str, Any]] = [
        {"players": players, "others": others, "score": score, "stats": {}, **same}
        for players in (2, 3)
        for others in ("self", "/agents/old.safetensors")
    ]
    return {"timesteps": steps, "seconds": 1.0, "results": results}


def test_an_evaluation_in_words_as_metrics_and_as_a_plot() -> None:
    row = "score 0.625 ± 0.020 (25.0% ± 5.0% won)"
    assert in_words(line(12_000, 0.625)) == (
        "evaluation after 12,000 decisions\n"
        f"  2 players: {row} in self-play, {row} with old\n"
        f"  3 players: {row} in self-play, {row} with old"
    )
    assert headline(line(0, 0.625)) == "score 0.62/0.62"
    assert as_metrics(line(0, 0.625)) == {
        f"strength/{players}_players_{who}_{what}": value
        for players in (2, 3)
        for who in ("self_play", "with_old")
        for what, value in (("score", 0.625), ("win_rate", 0.25))
    }
    picture = draw_strength([line(0, 0.1), line(1000, 0.6)])
    width, height = (int.from_bytes(picture[place : place + 4], "big") for place in (16, 20))
    assert width == 2 * 600  # a column a player count
    assert height > 2 * 456  # scores, wins, and a legend


def test_a_shared_run_is_resumed_bit_for_bit(tmp_path: Path, trained: Trained) -> None:
    cut = begin(shared(), tmp_path)
    cut.train()
    drop_checkpoints(cut)
    again = resume(tmp_path)
    assert 0 < again.model.num_timesteps < shared().total_timesteps
    again.train()
    assert weights(again) == weights(trained.run)
    assert again.metrics.self_play == trained.run.metrics.self_play
    lines = [[row["results"] for row in run.evaluator.lines] for run in (again, trained.run)]
    assert lines[0] == lines[1]


def test_the_exported_agent_is_one_for_these_options(tmp_path: Path, trained: Trained) -> None:
    run, path = trained.run, tmp_path / "agent.safetensors"
    export(run.model, run.env.games.game, path, run.facts())
    options = {"memory": True, "players": 3}
    agent = NetworkPolicy(new_game("toy", options), path)
    assert json.loads(agent.facts["settings"])["partners"]["self"] == 0.6
    match = duel(str(path), ["helper"], players=3, games=150, game="toy", options={"memory": True})
    found = evaluate(match, processes=1)
    assert found is not None
    assert found.score == pytest.approx(run.evaluator.lines[-1]["results"][3]["score"], abs=1e-5)
    with pytest.raises(OptionError, match="its observation is"):
        NetworkPolicy(new_game("toy", {}), path)


# ---------------------------------------------------------------------------- the league


def test_past_partners_are_drawn_evenly_and_the_oldest_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(league, "MAX_SNAPSHOTS", 3)
    run = Run(shared(), tmp_path)
    run.league.init_callback(run.model)
    for _ in range(3):
        run.league.take_snapshot()
    run.league.results = [0.1, 0.9, 0.5]
    assert run.league.probabilities().tolist() == pytest.approx([1 / 3] * 3)
    kept = run.league.snapshots[1:]
    run.league.take_snapshot()
    assert all(a is b for a, b in zip(run.league.snapshots[:2], kept, strict=True))


# ---------------------------------------------------------------------------- tuning


def test_a_study_of_a_shared_game_maximises_the_score(tmp_path: Path) -> None:
    settings = shared(total_timesteps=2048, n_envs={2: 16})
    schedule = replace(settings.schedule, evaluation_players=[2], evaluate_against=[])
    config, space = tmp_path / "config.yaml", tmp_path / "space.yaml"
    write_training(replace(settings, schedule=schedule), config)
    space.write_text("partners.self: {low: 0.1, high: 1}\nppo.n_epochs: [1, 4]\n")
    study = Study(config, space, tmp_path / "study", notify=lambda text: None)
    assert study.run(2)
    best, other = study.rows()
    assert best["value"] >= other["value"]
    (result,) = best["results"]
    assert (result["others"], result["score"]) == ("self", pytest.approx(best["value"]))
    assert as_table(study.rows()).startswith("| trial | score | decisions | partners.self |")

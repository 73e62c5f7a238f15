"""The settings of a training: defaults of the game, files, and mistakes that are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from dreamfactory_env import OptionError
from dreamfactory_env.learning.config import Others, Training
from dreamfactory_env.learning.settings_file import read_training, value_at, write_training
from dreamfactory_env.utils.errors import ConfigError
from tests.learning.small import tiny
from tests.paths import CONFIGS


def test_what_is_not_said_is_the_games_own() -> None:
    settings = Training(1)
    assert settings.n_envs == {2: 128, 3: 64, 4: 64}
    assert settings.reward == "win"
    assert settings.schedule.evaluate_against == ["greedy", "builder", "expert"]
    assert settings.schedule.evaluation_players == [2, 4]
    assert (settings.opponents, settings.partners) == (Others(), None)
    assert settings.others is settings.opponents


def test_settings_are_written_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    write_training(tiny(), path)
    assert read_training(path) == tiny()
    changes = {"ppo.learning_rate": "1e-3", "total_timesteps": "12", "n_envs": "{4: 64}"}
    changed = read_training(path, changes)
    assert (changed.ppo.learning_rate, changed.total_timesteps) == (1e-3, 12)
    assert changed.n_envs == {4: 64}
    assert read_training(path, {"n_envs": "null"}).n_envs == {2: 128, 3: 64, 4: 64}
    assert value_at(changed, "ppo.learning_rate") == 1e-3
    assert value_at(changed, "n_envs.4") == 64
    assert value_at(changed, "opponents.self_at.2") is None
    assert value_at(changed, "partners.self") is None


MISTAKES = {
    "total_timestep: 5": [
        "line 1, total_timestep: unknown key",
        "did you mean 'total_timesteps'?",
        "total_timesteps is missing",
    ],
    "total_timesteps: many": ["line 1, total_timesteps: must be a whole number, not 'many'"],
    "total_timesteps: 0": ["total_timesteps: must be at least 1, not 0"],
    "[1, 2]": ["must be a mapping"],
    "game: dream_facory": ["game: unknown; known are dream_factory", "did you mean"],
    "ppo:\n  learning_rat: 1": ["line 3, ppo.learning_rat: unknown key", "'learning_rate'"],
    "ppo: 3": ["line 2, ppo: must be a mapping, not 3"],
    "n_envs: {two: 4}": ["n_envs.two: must be a whole number, not 'two'"],
    "n_envs: {}": ["n_envs: there must be at least one player count"],
    "n_envs: {6: 8}": ["n_envs: players must be 2 to 5, not 6"],
    "opponents: {scripted: {expart: 1}}": [
        "opponents.scripted: unknown policy 'expart'",
        "did you mean 'expert'?",
    ],
    "opponents: {agents: {pretraind: 1}}": [
        "opponents.agents: 'pretraind' is no trained network",
        "did you mean 'pretrained'?",
    ],
    "opponents: {agents: {expert: 1, no.safetensors: 1}}": [
        "opponents.agents: 'expert' is no trained network",
        "no.safetensors cannot be read",
    ],
    "opponents: {agents: {pretrained: -1}}": ["shares must be 0 or more"],
    "opponents: {self: .nan}": ["opponents: shares must be 0 or more"],
    "opponents: {self: -1}": ["opponents: shares must be 0 or more"],
    "opponents: {together: 2}": ["opponents.together: must be from 0 to 1, not 2"],
    "opponents: {self_at: {2: 0.5, 5: 0.5}}": [
        "opponents.self_at: there are no games of 5 players, only of 2, 3, 4"
    ],
    "opponents: {self_at: {2: -1}}": ["opponents: shares must be 0 or more"],
    "opponents: {self: 1, past: 0, self_at: {2: 0}}": [
        "opponents: shares must be 0 or more, and not all 0"
    ],
    "partners: {self: 1}": [
        "line 2, partners: Dream Factory is a zero_sum game: give opponents, not partners"
    ],
    "schedule: {evaluate_against: [nobody]}": [
        "schedule.evaluate_against: unknown policy 'nobody'"
    ],
    "schedule: {evaluation_deals: 1}": ["schedule.evaluation_deals: must be at least 2, not 1"],
    "schedule: {evaluation_players: [2, 2]}": ["schedule.evaluation_players: has something twice"],
    "ppo: {final_learning_rate: 0}": ["final_learning_rate: must be above 0 and at most"],
    "ppo: {learning_rate: .nan}": ["learning_rate: must be above 0 and at most 1, not nan"],
    "ppo: {gamma: 2, clip_range: -1}": ["gamma: must be from 0 to 1", "clip_range: must"],
    "ppo: {n_steps: 1}": ["ppo.n_steps: must be at least 2, not 1"],
    "ppo: {bfloat16: 1}": ["ppo.bfloat16: must be true or false, not 1"],
    "ppo: {batch_size: 100000}": ["ppo.batch_size: a rollout has 16384 decisions"],
    "network: {net_arch: [64, 0]}": ["network.net_arch: must be from 1 to", "not 0"],
    "network: {hint: expart}": [
        "network.hint: unknown policy 'expart'",
        "did you mean 'expert'?",
    ],
    "network: {hint: expert}\nteacher: {policy: expert}": ["network.hint: there is a teacher, too"],
    "seed: 5000000000": ["seed: must be from 0 to", "not 5000000000"],
    "shaping: -1\nteacher: {timesteps: -5}": ["shaping: must be", "teacher.timesteps:"],
    "shaping: .nan": ["shaping: must be at least 0, not nan"],
    "reward: points": ["reward: must be one of win, rank, score"],
    "options: {edition: first}": ["options: "],
}


@pytest.mark.parametrize("text", MISTAKES)
def test_mistakes_in_settings_are_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "config.yaml"
    given = "" if text.startswith(("total", "[")) else "total_timesteps: 5\n"
    path.write_text(given + text)
    with pytest.raises(ConfigError) as error:
        read_training(path)
    for message in MISTAKES[text]:
        assert message in str(error.value)


def test_partners_of_a_zero_sum_game_are_refused_in_python_too() -> None:
    with pytest.raises(OptionError, match="give opponents, not partners"):
        Training(1, partners=Others())


def test_the_best_response_is_a_run_against_nobody_but_the_best_agent() -> None:
    for name, start in (("best_response", ""), ("best_response_from_itself", "pretrained")):
        settings = read_training(CONFIGS / "train" / f"{name}.yaml")
        others = settings.others
        assert (others.self, others.past, others.scripted) == (0, 0, {})
        assert others.agents == {"pretrained": 1}
        assert settings.network.start == start

"""Every command with a game of one's own, a shared one, and with the options of a game."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from dreamfactory_env.arena import duel, evaluate, read_tournament
from dreamfactory_env.cli.options import GameChange
from dreamfactory_env.games import GAMES
from dreamfactory_env.games.game import Game
from dreamfactory_env.policies.network import header_of, write_network
from dreamfactory_env.records.files import RecordWriter, read_records
from dreamfactory_env.records.simulation import Simulation, simulate
from dreamfactory_env.utils.errors import ConfigError
from tests.cli.conftest import Run
from tests.toy_game import SignalGame


def write_agent(path: Path, game: Game) -> None:
    """Writes a network without hidden layers that plays a game."""
    shape = game.spec.num_actions, game.spec.observation.size
    rng = np.random.default_rng(1)
    tensors = {"actions.weight": rng.normal(size=shape), "actions.bias": np.zeros(shape[0])}
    write_network(path, game, tensors, {"trained": "never"})


# ---------------------------------------------------------------------------- games


def test_games_lists_what_every_game_declares(run: Run, toy: type[SignalGame]) -> None:
    code, output, _ = run("games")
    assert code == 0
    blocks = re.split(r"\n\n(?=\S)", output.strip())
    assert len(blocks) == len(GAMES)
    for block, game_cls in zip(blocks, GAMES.values(), strict=True):
        spec = game_cls.spec
        assert block.startswith(f"{spec.name}: {spec.title} {spec.version}")
        facts = " ".join(block.split())
        assert f"players {spec.min_players} to {spec.max_players}, " in facts
        assert f"{spec.default_players} by default utility {spec.utility} " in facts
        assert f"policies {', '.join(spec.ladder)} " in facts
        assert f"agents {', '.join(game_cls.agents) or 'none'} " in facts
        for option in spec.options:
            assert f"{option.name} {option.values_in_words()} " in facts
            assert option.help in facts
    assert "goal 2, 3, 4 3 how many points win" in " ".join(blocks[-1].split())
    assert "memory true, false false whether" in " ".join(blocks[-1].split())


def test_games_shows_one_in_full(run: Run, toy: type[SignalGame]) -> None:
    code, output, _ = run("games", "toy")
    assert code == 0
    assert output.startswith("toy: Signals v0\n")
    for name, block in toy.spec.observation.blocks.items():
        assert re.search(rf"^  {name} .*{re.escape(block.meaning)}", output, re.MULTILINE)
    assert re.search(rf"^  actions +{toy.spec.num_actions} +$", output, re.MULTILINE)
    assert re.search(rf"at most {toy.spec.max_length} moves", output)
    code, output, error = run("games", "toi")
    assert (code, output) == (2, "")
    known = ", ".join(GAMES)
    assert error == f"error: unknown game 'toi'; known are {known}; did you mean 'toy'?\n"


# ---------------------------------------------------------------------------- records


def test_simulate_of_a_shared_game_shows_the_score_and_how_many_were_won(
    run: Run, toy: type[SignalGame], tmp_path: Path
) -> None:
    words = "simulate --game toy -o goal=2 --players 3 --games 200 --policies helper --out a.jsonl"
    code, output, _ = run(*words.split())
    assert code == 0
    simulation = Simulation(toy(3, goal=2), ["helper"], 1)
    played = list(simulation.play(200))
    assert list(read_records(tmp_path / "a.jsonl")) == [game.record for game in played]
    won = sum(any(game.won) for game in played)
    assert 0 < won < 200
    assert f"\nhelper: {won} of 200 games won, {won / 200:.1%}\n" in output
    points = np.array([game.points[0] for game in played])
    assert f"team {points.mean():.1f} {points.std():.1f} 0 " in " ".join(output.split())
    for score in range(3):
        assert re.search(rf"^ +{score} +{(points == score).sum()} █*$", output, re.MULTILINE)
    assert "seat" not in output


def test_points_and_winners_of_played_games_are_those_of_their_results() -> None:
    simulation = Simulation(GAMES["dream_factory"](3), ["random"], 4)
    for game in simulation.play(5):
        result = game.record["result"]
        assert game.points == result["scores"]
        assert np.flatnonzero(game.won).tolist() == result["winners"]


@pytest.fixture
def mixed(toy: type[SignalGame], tmp_path: Path) -> Path:
    """Returns a file with games of two games, and with a line that is none."""
    path = tmp_path / "mixed.jsonl"
    dream_factory = GAMES["dream_factory"]
    with RecordWriter(path) as writer:
        for game in (
            toy(2),
            dream_factory(2),
            toy(3, goal=2),
            dream_factory(2, choose_studio=True),
        ):
            for record in simulate(game, ["random"], 1, 1):
                writer.write(record)
    path.write_bytes(b"{]\n" + path.read_bytes())
    return path


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("-n 2", 1),
        ("-n 4", 3),
        ("--game toy", 1),
        ("--game toy -n 2", 3),
        ("--game toy -o goal=2", 3),
        ("--game dream_factory", 2),
        ("-o choose_studio=yes", 4),
        ("-o edition=dream_factory -o choose_studio=no", 2),
    ],
)
def test_show_counts_the_games_that_are_asked_for(
    run: Run, mixed: Path, words: str, line: int
) -> None:
    code, output, error = run("show", mixed.name, *words.split())
    assert code == 0, error
    record = json.loads(mixed.read_bytes().splitlines()[line])
    shown = re.findall(r"^ *(player \d: .*)$", output.replace(" (random)", ""), re.MULTILINE)
    moves = [f"player {seat}: {text}" for seat, _, text in record["moves"]]
    assert shown[: len(moves)] == moves


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "line 1: not a JSON object"),
        ("--game toy -n 3", "mixed.jsonl has 2 such games; there is no game 3"),
        ("--game toy -o goal=4", "mixed.jsonl has 0 such games; there is no game 1"),
        ("--game toy -o goal=9", "goal must be one of 2, 3, 4, not 9"),
        ("-o goal=2", "unknown option 'goal'"),
        ("--game 2", "unknown game '2'; known are dream_factory, .*toy"),
    ],
)
def test_show_names_what_is_not_there(run: Run, mixed: Path, words: str, message: str) -> None:
    code, output, error = run("show", mixed.name, *words.split())
    assert (code, output) == (2, "")
    assert re.match(f"error: .*{message}", error), error


# ---------------------------------------------------------------------------- the arena


def test_evaluate_plays_with_partners(run: Run, toy: type[SignalGame]) -> None:
    words = "evaluate helper --game toy -o goal=2 --games 60 --processes 1"
    code, output, _ = run(*words.split(), "--with", "random")
    assert code == 0
    match = duel("helper", ["random"], games=60, game="toy", options={"goal": 2})
    found = evaluate(match, processes=1)
    assert found is not None
    score = f"score {found.score:.3f} ± {found.score_half_width:.3f}"
    win_rate = f"win rate {found.win_rate:.2%} ± {found.half_width:.2%}"
    assert output.startswith(f"helper with random, 2 players: {score}, {win_rate}\n")
    # The default is the strongest scripted policy.
    assert run(*words.split())[1].startswith("helper with helper, 2 players: score")
    for until, message in {
        "7": "a part of the scores, below 1 such as ±1% or 0.01, not '7'",
        "no": "a part of the scores, below 1 such as ±1% or 0.01, not 'no'",
    }.items():
        code, _, error = run(*words.split(), "--until", until)
        assert (code, error) == (2, f"error: --until must be {message}\n")


def test_a_tournament_is_played_with_the_game_and_options_given(
    run: Run, toy: type[SignalGame], tmp_path: Path
) -> None:
    (tmp_path / "t.yaml").write_text(
        "policies: [random, helper]\ndeals: 4\noptions: {edition: x}\n"
    )
    code, _, error = run("tournament", "t.yaml", "--processes", "1")
    assert code == 2
    assert "unknown policy 'helper'" in error
    words = "tournament t.yaml --game toy -o goal=2 --out out --processes 1"
    code, output, error = run(*words.split())
    assert code == 0, error
    assert "games of Signals with 2 players" in output
    header = json.loads((tmp_path / "out/report.json").read_text())["tournament"]
    assert (header["game"], header["config"]["goal"]) == ("toy", 2)
    code, _, error = run("tournament", "t.yaml", "--game", "toy", "-o", "gaol=2")
    assert (code, "did you mean 'goal'" in error) == (2, True)


def test_what_replaces_the_files_is_not_looked_for_in_its_lines(
    toy: type[SignalGame], tmp_path: Path
) -> None:
    path = tmp_path / "t.yaml"
    path.write_text("policies: [random]\ngame: toy\noptions: {goal: 2}\nseed: -1\n")
    with pytest.raises(ConfigError) as error:
        read_tournament(path, GameChange(None, ["goal=9"]).change)
    assert "\n  options: goal must be one of 2, 3, 4, not 9" in str(error.value)
    assert "\n  line 4, seed: " in str(error.value)


def test_a_benchmark_of_a_shared_game_goes_to_its_own_folder(
    run: Run, toy: type[SignalGame], tmp_path: Path
) -> None:
    words = "benchmark --game toy -o goal=2 --only random,helper --players 2 --games 8"
    code, output, error = run(*words.split(), "--processes", "1")
    assert code == 0, error
    assert re.search(r"^2 players, helper with random: 0\.\d+ ± 0\.\d+, won ", output, re.MULTILINE)
    data = json.loads((tmp_path / "benchmark.json").read_text())
    assert (data["game"], data["config"]["goal"]) == ("toy", 2)
    assert (tmp_path / "benchmark.md").exists()
    code, _, error = run("benchmark", "--game", "toy", "-o", "goal=3", "--games", "8")
    assert (code, "its config is" in error) == (2, True)
    code, _, error = run("benchmark", "--out", "a.json", "--game", "toy", "--players", "4")
    assert error == "error: --players must be some of 2, 3 with commas between, not '4'\n"


# ---------------------------------------------------------------------------- agents and training


def test_describe_finds_the_game_of_a_file_by_its_header(
    run: Run, toy: type[SignalGame], tmp_path: Path
) -> None:
    write_agent(tmp_path / "a.safetensors", toy(memory=True))

    def plays_here(*words: str) -> str:
        code, output, error = run("describe", *words)
        assert code == 0, error
        assert re.search(r"^ trained +never", output, re.MULTILINE)
        found = re.search(r"^ plays here +(.*?) *$", output, re.MULTILINE)
        assert found is not None
        return found[1]

    assert plays_here("a.safetensors", "-o", "memory=yes") == "yes"
    assert plays_here("a.safetensors") == "no, for its observation"
    other = header_of(GAMES["dream_factory"](2))
    wrong = [key for key, value in header_of(toy(memory=True)).items() if other[key] != value]
    assert (
        plays_here("a.safetensors", "--game", "dream_factory") == f"no, for its {', '.join(wrong)}"
    )


def test_describe_names_an_agent_that_a_game_does_not_have(run: Run, toy: type[SignalGame]) -> None:
    assert run("describe", "pretrained")[0] == 0
    for words, message in {
        "pretrained --game toy": "'pretrained' is no trained agent of toy; known are file.safetens",
        "pretraind": "'pretraind' is no trained agent of dream_factory; .*mean 'pretrained'",
        "pretrained -o editon=x": "unknown option 'editon'; .*did you mean 'edition'",
        "pretrained -o edition=x": "edition must be one of dream_factory, traumfabrik, not 'x'",
        "pretrained --game toi": "unknown game 'toi'; .*did you mean 'toy'",
    }.items():
        code, output, error = run("describe", *words.split())
        assert (code, output) == (2, "")
        assert re.match(f"error: {message}", error), error


def test_train_takes_the_game_and_options_given(
    run: Run, toy: type[SignalGame], tmp_path: Path
) -> None:
    (tmp_path / "t.yaml").write_text("total_timesteps: 1\n")
    for words, message in {
        "t.yaml --game toi": r"error: t.yaml: 1 mistake\n  game: unknown; .*did you mean 'toy'",
        "t.yaml --game toy -o goal=9": r"(.*\n)+  options: goal must be one of 2, 3, 4, not 9",
        "t.yaml -o goal=2": "error: unknown option 'goal'",
        "--resume run --game toy": "error: --resume takes a run as it is: --game, -o and ",
        "--resume run -o goal=2": "error: --resume takes a run as it is: --game, -o and ",
    }.items():
        code, output, error = run("train", *words.split())
        assert (code, output) == (2, ""), words
        assert re.match(message, error), error

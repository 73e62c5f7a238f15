"""The settings of a tournament: every mistake is named, and policies are constructed once."""

from __future__ import annotations

import pickle
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dreamfactory_env import DreamFactory
from dreamfactory_env.arena import Tournament, read_tournament
from dreamfactory_env.arena.config_file import check_tournament
from dreamfactory_env.arena.results import as_line
from dreamfactory_env.arena.worker import Worker
from dreamfactory_env.utils.errors import ConfigError, GameError, OptionError
from dreamfactory_env.utils.yaml_lines import read_yaml
from tests.paths import CONFIGS, ROOT
from tests.toy_game import SignalGame

TEXT = """policies: [random, greedi, random]
players: 7
deals: 0
lineups: pears
seed: -1
time_limit: 0
records: maybe
options: {editio: traumfabrik}
"""


def test_every_mistake_of_a_config_is_named_at_once_with_its_line() -> None:
    with pytest.raises(ConfigError) as caught:
        check_tournament(read_yaml(TEXT), "config.yaml")
    message = str(caught.value)
    for part in (
        "config.yaml: 9 mistakes",
        "line 2, players: players must be 2 to 5, not 7",
        "line 8, options: unknown option 'editio'; known are edition, hidden_money, ",
        "line 1, policies: 'random' stands twice",
        "line 1, policies: unknown policy 'greedi'; known are ",
        "line 4, lineups: must be mixed, pairs or a list of lineups, not 'pears'; did you mean",
        "line 3, deals: must be a whole number from 1 up, not 0",
        "line 5, seed: seed must be a whole number from 0",
        "line 6, time_limit: must be seconds, or nothing for none, not 0",
        "line 7, records: must be true or false, not 'maybe'",
    ):
        assert part in message, message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "must be a mapping"),
        ("players: 4", "policies are missing: who plays?"),
        ("policies: []", "policies: there must be at least one"),
        ("policies: random", "policies: must be a list of names, not 'random'"),
        ("policies: [1]", "policies: must be a list of names"),
        ("policies: [random]\nlineups: pairs", "pairs need at least two policies"),
        ("policies: [random]\nlineups: []", "lineups: there must be at least one"),
        ("policies: [random]\nlineups: crossplay", "must be mixed, pairs or a list of lineups"),
        ("policies: [random]\nlineups: [random]", "must be mixed, pairs or a list of lists"),
        ("policies: [random]\nlineups: [[random]]", "lineup 1 has 1 policies for 4 players"),
        (
            "policies: [random]\nplayers: 2\nlineups: [[random, randum]]",
            "lineup 1: 'randum' is not among the policies; did you mean 'random'",
        ),
        ("policies: [random]\nplayers: many", "players must be 2 to 5, not 'many'"),
        ("policies: [random]\noptions: 3", "options: must be a mapping, not 3"),
        ("policies: [random]\noptions: {edition: x}", "options: edition must be one of"),
        ("policies: [random]\noptions: {players: 3}", "options: unknown option 'players'"),
        ("policies: [random]\ngame: chess", "game: unknown game 'chess'; known are dream_factory"),
        ("policies: [random]\nseed:", "seed: seed must be given"),
        ("policies: [random]\ndeels: 4", "deels: unknown key; known are .*did you mean 'deals'"),
        ("policies: [random", "not YAML"),
    ],
)
def test_a_wrong_config_says_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        check_tournament(read_yaml(text), "config.yaml")


def test_a_config_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"missing\.yaml: 1 mistake\n  cannot be read"):
        read_tournament(tmp_path / "missing.yaml")


@pytest.mark.parametrize("path", sorted((ROOT / "configs/tournaments").glob("*.yaml")))
def test_the_configs_that_ship_are_right(path: Path) -> None:
    assert read_tournament(path).deals > 0


def test_what_is_not_given_comes_from_the_game(toy: type[SignalGame]) -> None:
    competitive = Tournament(policies=("random", "expert"))
    shared = Tournament(policies=("random", "helper"), game="toy")
    assert (competitive.players, competitive.lineups) == (4, "mixed")
    assert (shared.players, shared.lineups) == (2, "crossplay")
    assert competitive.template.values["edition"] == "dream_factory"
    assert (
        Tournament(policies=("random",), game="toy", options={"goal": 4}).template.values["goal"]
        == 4
    )


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"players": 4}, "players: players must be 2 to 3, not 4"),
        ({"lineups": "all"}, "lineups: must be crossplay, mixed, pairs or a list of lineups"),
        ({"options": {"gaol": 3}}, "options: unknown option 'gaol'; known are goal, memory; did"),
        ({"options": {"goal": 9}}, "options: goal must be one of 2, 3, 4, not 9"),
    ],
)
def test_options_of_another_game_are_checked_by_its_spec(
    toy: type[SignalGame], settings: dict[str, object], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        Tournament(policies=("random",), game="toy", **settings)  # type: ignore[arg-type]


def test_the_chunks_of_crossplay_have_fewer_deals(toy: type[SignalGame]) -> None:
    many = Tournament(policies=("random", "helper"), players=3, game="toy", deals=500)
    assert len(many.games_of(0)) == 2 + 6
    assert many.chunk == 128 * 3 // 8
    assert [deal for chunk in range(many.chunks) for deal in many.deals_of(chunk)] == list(
        range(500)
    )
    alone = replace(many, policies=("helper",))
    assert (len(alone.games_of(0)), alone.chunk) == (1, 128)


def test_another_process_gets_the_settings_and_no_policies() -> None:
    tournament = Tournament(policies=("tests.players:Batcher", "random"), players=2)
    assert tournament.policy("random") is tournament.policy("random")
    other = pickle.loads(pickle.dumps(tournament))
    assert other == tournament
    assert set(vars(other)) == set(Tournament.__dataclass_fields__)
    assert other.policy("random") is not tournament.policy("random")


def test_another_machine_gets_what_was_read_from_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(DreamFactory.agents["pretrained-small"], "agent.safetensors")
    shutil.copy(CONFIGS / "games" / "tiny.yaml", "tiny.yaml")
    options = {"components": "tiny.yaml", "edition": "dream_factory"}
    tournament = Tournament(("agent.safetensors", "greedy"), players=2, deals=1, options=options)
    played, _ = Worker(tournament).play(0)
    sent = pickle.dumps(tournament.with_files())
    for file in tmp_path.iterdir():
        file.unlink()
    received = pickle.loads(sent)
    assert received.header() == tournament.header()
    again, _ = Worker(received).play(0)
    assert as_line(again) == as_line(played)
    with pytest.raises(GameError):
        Worker(pickle.loads(pickle.dumps(tournament)))


def test_more_policies_than_anybody_compares_are_refused() -> None:
    names = tuple(f"nobody-{k}" for k in range(1001))
    with pytest.raises(OptionError, match="policies: there are 1,001, more than 1,000"):
        Tournament(policies=names)


@pytest.mark.parametrize("game", [["dream_factory"], None, 7, {}])
def test_a_game_that_is_no_name_is_refused(game: Any) -> None:
    with pytest.raises(OptionError, match="unknown game"):
        Tournament(policies=("random",), game=game)

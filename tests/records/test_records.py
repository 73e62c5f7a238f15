"""Game records: what they hold, and that replays and the referee accept them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from dreamfactory_env import DreamFactory
from dreamfactory_env.engine.position import legal_at
from dreamfactory_env.records.format import KEYS, replay
from tests.games.dream_factory.referee import Foul, Referee, check_record
from tests.records.samples import STANDARD, blame, games, own_components, some_game

EDITIONS = ["dream_factory", "traumfabrik"]
OPTIONS = [(n, e, c) for n in (2, 3, 4, 5) for e in EDITIONS for c in (False, True)]
EVERY_GAME = pytest.mark.parametrize(("players", "edition", "choose_studio"), OPTIONS)


@EVERY_GAME
def test_simulated_games_are_accepted_by_replay_and_by_the_independent_referee(
    players: int, edition: str, choose_studio: bool
) -> None:
    for hidden in ("rule", "never", "always"):
        options = {"edition": edition, "hidden_money": hidden, "choose_studio": choose_studio}
        for record in games(5, players, players, **options):
            assert replay(record).result() == record["result"]
            check_record(STANDARD, record)


def types_of(value: Any) -> Any:
    """Returns the exact types within a JSON value; those of a list's items once each."""
    if isinstance(value, dict):
        return {key: types_of(item) for key, item in value.items()}
    return {str(types_of(v)) for v in value} if type(value) is list else type(value).__name__


@EVERY_GAME
def test_a_record_is_plain_json_with_just_the_documented_keys_and_types(
    players: int, edition: str, choose_studio: bool
) -> None:
    record = games(1, players, edition=edition, choose_studio=choose_studio)[0]
    assert json.loads(json.dumps(record, allow_nan=False)) == record
    assert list(record) == KEYS
    assert all([type(part) for part in move] == [int, int, str] for move in record.pop("moves"))
    config, setup, result = (types_of(record.pop(key)) for key in ("config", "setup", "result"))
    text = dict.fromkeys(["format", "game", "version"], "str")
    assert types_of(record) == {**text, "seed": "int", "agents": {"str"}}
    text = {"players": "int", "edition": "str", "hidden_money": "str"}
    assert config == {**text, "choose_studio": "bool"}
    studios = set() if choose_studio else {"int"}
    assert setup == {"first_player": "int", "studios": studios, "deck": {"str"}, "pile": {"str"}}
    film = {"title": "str", "owner": "int", "token": "str", "stars": "int"}
    assert result.pop("films") <= {str(film), str({**film, "token": "NoneType"})}
    award = {"award": "str", "points": "int"}
    assert result.pop("awards") <= {str({**award, "film": "str"}), str({**award, "player": "int"})}
    assert result == {"scores": {"int"}, "winners": {"int"}, "money": {"int"}, "pot": "int"}


@pytest.mark.parametrize("which", [0, 1])
def test_words_and_action_numbers_correspond_one_to_one_in_every_position(which: int) -> None:
    record = some_game(which)
    game = DreamFactory.from_setup(record["config"], record["setup"])
    referee = Referee(STANDARD, record["config"], record["setup"])
    buffer = np.empty(game.spec.num_actions, np.int32)
    for seat, action, words in record["moves"]:
        legal = game.legal_actions()
        count = game.compiled(legal_at)(game.states, 0, game.params, buffer)
        assert len(legal) == len(set(legal.values())) == count
        assert set(legal) == referee.legal()
        assert legal[words] == action
        by_words = game.copy().play(words)
        assert game.play(action) == by_words
        referee.play(seat, words)


def test_own_components_travel_in_the_record_and_replay_without_their_file(tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    file.write_text(yaml.safe_dump(own_components(), allow_unicode=True), "utf-8")
    config = DreamFactory(5, seed=1, components=file).config()
    file.unlink()
    record = some_game(2)
    assert record["config"] == config == replay(record).config()
    tiles = own_components()["tiles"].items()
    numbered = {kind: {int(stars): n for stars, n in counts.items()} for kind, counts in tiles}
    check_record({**own_components(), "tiles": numbered}, record)
    with pytest.raises(Foul):
        check_record(STANDARD, record)
    del record["config"]["components"]
    assert blame(record)

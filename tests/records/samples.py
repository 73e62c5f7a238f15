"""Records for tests, and what is done to them."""

from __future__ import annotations

import copy
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from dreamfactory_env import DreamFactory, RecordError, standard_components
from dreamfactory_env.games.dream_factory import components
from dreamfactory_env.records.format import replay
from dreamfactory_env.records.simulation import simulate

Record = dict[str, Any]
Path_ = tuple[str | int, ...]
STANDARD: Record = yaml.safe_load(
    Path(components.__file__).with_name("components.yaml").read_text("utf-8")
)


def games(count: int, players: int = 3, seed: int = 1, **options: Any) -> list[Record]:
    """Returns records of random games; the options are those of a record's config."""
    config = {**DreamFactory(players).config(), **options}
    return list(simulate(DreamFactory.from_config(config, seed=0), ["random"], count, seed))


def own_components() -> Any:
    """Returns components with another title, other stars and another deck than the standard."""
    data = json.loads(json.dumps(standard_components().as_data()))
    data["source"] = "the tests"
    data["screenplays"][0].update(title="Das Mädchen vom Lande", stars=7)
    data["tiles"]["actor"] = {"0": 3, "1": 6, "2": 5, "3": 5}
    return data


@cache
def texts() -> list[str]:
    """Returns three games as JSON: a plain one, one with every option, one's own components."""
    options = {"edition": "traumfabrik", "hidden_money": "always", "choose_studio": True}
    records = [*games(1), *games(1, 2, 1, **options), *games(1, 5, components=own_components())]
    return [json.dumps(record) for record in records]


def some_game(which: int = 0) -> Any:
    return json.loads(texts()[which])


def edited(record: Record, path: Path_, value: Any) -> Record:
    """Returns the record with another value at a path."""
    changed = copy.deepcopy(record)
    parent: Any = changed
    for step in path[:-1]:
        parent = parent[step]
    parent[path[-1]] = value
    return changed


def blame(record: Record) -> RecordError:
    """Returns the error with which a record is refused."""
    with pytest.raises(RecordError) as caught:
        replay(record)
    return caught.value

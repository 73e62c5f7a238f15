"""Readers of YAML: components, lexicons, tournaments, trainings."""

from __future__ import annotations

import random
from functools import cached_property
from typing import Any

import yaml

from dreamfactory_env.arena import read_tournament
from dreamfactory_env.games.dream_factory import component_files as dream_factory_files
from dreamfactory_env.games.dream_factory.game import DreamFactory
from dreamfactory_env.games.fabrique_a_reves import lexicon_files
from dreamfactory_env.games.faux_raccords import component_files as faux_raccords_files
from dreamfactory_env.games.faux_raccords.game import FauxRaccords
from dreamfactory_env.learning.settings_file import read_training
from dreamfactory_env.utils.configs import ConfigKind, shipped_configs
from dreamfactory_env.utils.errors import GameError
from tests.fuzz.damage import as_yaml, damage_bytes, damage_data
from tests.fuzz.reader import Reader
from tests.fuzz.states import play_on

Rng = random.Random


class YamlReader(Reader):
    """A reader of YAML."""

    def samples(self) -> list[Any]:
        """Returns the data of whole files."""
        raise NotImplementedError

    @cached_property
    def _samples(self) -> list[Any]:
        return self.samples()

    def input(self, rng: Rng) -> bytes:
        sample = rng.choice(self._samples)
        if rng.random() < 0.7:
            return as_yaml(damage_data(sample, rng), rng)
        return damage_bytes(as_yaml(sample, rng), rng)


class Components(YamlReader):
    """Component files of both games, and the lexicon of the third."""

    name, share = "component files", 2

    def samples(self) -> list[Any]:
        files = (dream_factory_files.STANDARD, faux_raccords_files.STANDARD)
        tiny = shipped_configs(ConfigKind.COMPONENTS)["tiny"]
        return [yaml.safe_load(path.read_text("utf-8")) for path in (*files, tiny)]

    def read(self, data: bytes) -> None:
        path = self.write(data, "components.yaml")
        wrong: GameError | None = None
        for game, files in (
            (DreamFactory, dream_factory_files),
            (FauxRaccords, faux_raccords_files),
        ):
            try:
                play_on(game(2, seed=1, components=files.load_components(path)), random.Random(1))
            except GameError as error:
                str(error)
                wrong = error
            else:
                return
        if wrong is not None:
            raise wrong


class Lexicons(YamlReader):
    """Lexicons of the third game."""

    name, share = "lexicons", 0.2

    def samples(self) -> list[Any]:
        return [yaml.safe_load(lexicon_files.STANDARD.read_text("utf-8"))]

    def read(self, data: bytes) -> None:
        lexicon_files.load_lexicon(self.write(data, "lexicon.yaml"))


class Tournaments(YamlReader):
    """Files of tournaments."""

    name, share = "tournament files", 8

    def samples(self) -> list[Any]:
        files = shipped_configs(ConfigKind.TOURNAMENT).values()
        found = [yaml.safe_load(path.read_text("utf-8")) for path in files]
        quick = [{**one, "policies": ["random", "greedy"], "lineups": "mixed"} for one in found]
        more = {"policies": ["random", "careful"], "game": "faux_raccords", "deals": 5, "seed": 2}
        return [*quick, {**more, "lineups": [["random", "careful"]], "options": {"mode": "arcs"}}]

    def read(self, data: bytes) -> None:
        tournament = read_tournament(self.write(data, "tournament.yaml"))
        tournament.header()
        tournament.games_of(0)


class Trainings(YamlReader):
    """Settings of trainings."""

    name, share = "training files", 6

    def samples(self) -> list[Any]:
        files = shipped_configs(ConfigKind.TRAINING)
        return [yaml.safe_load(files[name].read_text("utf-8")) for name in ("quick", "pretrained")]

    def read(self, data: bytes) -> None:
        read_training(self.write(data, "training.yaml"))

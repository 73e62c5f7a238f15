"""Every reader of files, with whole inputs and what is done with an input that it accepts."""

from __future__ import annotations

import hashlib
import json
import pickle
import random
import shutil
from abc import ABC, abstractmethod
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import yaml
import zstandard

from dreamfactory_env.arena import Tournament, read_tournament, run_tournament
from dreamfactory_env.arena.analysis import make_report
from dreamfactory_env.arena.benchmark import Benchmark, page
from dreamfactory_env.arena.reports.html import as_html
from dreamfactory_env.arena.results import Result, read_chunks
from dreamfactory_env.engine.stepper import Settings
from dreamfactory_env.games import GAMES
from dreamfactory_env.games.batch import GameBatch
from dreamfactory_env.games.dream_factory import component_files as dream_factory_files
from dreamfactory_env.games.dream_factory.game import AGENTS, DreamFactory
from dreamfactory_env.games.fabrique_a_reves import lexicon_files
from dreamfactory_env.games.fabrique_a_reves.game import FabriqueAReves
from dreamfactory_env.games.faux_raccords import component_files as faux_raccords_files
from dreamfactory_env.games.faux_raccords.game import FauxRaccords
from dreamfactory_env.games.game import Game
from dreamfactory_env.learning.settings_file import read_training
from dreamfactory_env.policies import view_of
from dreamfactory_env.policies.network import NetworkPolicy, read_header
from dreamfactory_env.records.files import read_lines, record_of
from dreamfactory_env.records.format import replay
from dreamfactory_env.records.simulation import simulate
from dreamfactory_env.utils.configs import ConfigKind, shipped_configs
from dreamfactory_env.utils.errors import GameError
from tests.fuzz.damage import as_json, as_yaml, bomb, damage_bytes, damage_data
from tests.fuzz.states import damaged_state, play_on, signed_with
from tests.paths import DOCS

Rng = random.Random


class Reader(ABC):
    """A reader of files.

    Args:
        folder: Where its inputs are written.
    """

    name: ClassVar[str]
    #: What part of the inputs it gets.
    share: ClassVar[float] = 10

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @abstractmethod
    def input(self, rng: Rng) -> bytes:
        """Returns a damaged input."""

    @abstractmethod
    def read(self, data: bytes) -> None:
        """Reads an input, and uses what is read; raises GameError if it refuses it."""

    def write(self, data: bytes, name: str) -> Path:
        """Writes an input as a file."""
        path = self.folder / name
        path.write_bytes(data)
        return path


def _half(rng: Rng) -> bool:
    return rng.random() < 0.5


# ---------------------------------------------------------------------------- records


def _games() -> list[Game]:
    tiny = shipped_configs(ConfigKind.COMPONENTS)["tiny"]
    return [
        DreamFactory(2, seed=0),
        DreamFactory(4, seed=0, edition="traumfabrik", choose_studio=True),
        DreamFactory(2, seed=0, components=tiny),
        FauxRaccords(2, seed=0, mode="arcs", memory="perfect"),
        FauxRaccords(3, seed=0, mode="series"),
        FabriqueAReves(2, seed=0, mode="wednesday", labels="list"),
        FabriqueAReves(3, seed=0, mode="friday"),
        FabriqueAReves(5, seed=0, mode="variant", minds="same"),
    ]


class Records(Reader):
    """Files of records, plain: every game is replayed."""

    name = "records"
    suffix = ".jsonl"

    @cached_property
    def samples(self) -> list[dict[str, Any]]:
        records = [record for game in _games() for record in simulate(game, ["random"], 2, 1)]
        return [*records, {**records[0], "seed": None}]

    def input(self, rng: Rng) -> bytes:
        whole = [rng.choice(self.samples) for _ in range(rng.choice((1, 1, 2)))]
        if _half(rng):
            return b"".join(as_json(damage_data(one, rng), rng) + b"\n" for one in whole)
        return damage_bytes(b"".join(json.dumps(one).encode() + b"\n" for one in whole), rng)

    def read(self, data: bytes) -> None:
        wrong: GameError | None = None
        for line in read_lines(self.write(data, f"games{self.suffix}")):
            try:
                replay(record_of(line))
            except GameError as error:
                wrong = error
                str(error)
        if wrong is not None:
            raise wrong


class PackedRecords(Records):
    """Files of records, compressed, with bombs among them."""

    name, suffix = "packed records", ".jsonl.zst"

    def input(self, rng: Rng) -> bytes:
        if rng.random() < 0.1:
            return bomb(rng)
        packed = zstandard.ZstdCompressor().compress(super().input(rng))
        more = zstandard.ZstdCompressor().compress(json.dumps(self.samples[0]).encode() + b"\n")
        return damage_bytes(packed + more, rng) if _half(rng) else packed + more


# ---------------------------------------------------------------------------- states


class States(Reader):
    """Saved positions, most of them signed anew; what is accepted is played to its end."""

    name, share = "saved states", 100

    @cached_property
    def positions(self) -> list[Game]:
        rng = random.Random(1)
        found = []
        for start in _games():
            for number in range(3):
                game = start.deal(number)
                while not game.over:
                    if rng.random() < 0.1:
                        found.append(game.copy())
                    legal = list(game.legal_actions().values())
                    last = len(legal) - 1 if rng.random() < 0.97 and len(legal) > 1 else len(legal)
                    game.play(legal[rng.randrange(last)])
                found.append(game)
        return found

    def input(self, rng: Rng) -> bytes:
        game = rng.choice(self.positions)
        kind = rng.random()
        if kind < 0.1:
            return damage_bytes(game.save(), rng)
        described = {"game": game.spec.name, "version": game.spec.version, "config": game.config()}
        state = game.states.tobytes()
        if kind < 0.25:
            described = damage_data(described, rng)
        elif kind < 0.9:
            state = damaged_state(game, rng).tobytes()
        else:
            state = damage_bytes(state, rng)
        return signed_with(as_json(described, rng), state)

    def read(self, data: bytes) -> None:
        wrong: GameError | None = None
        for game_cls in GAMES.values():
            try:
                play_on(game_cls.load(data), random.Random(data))
            except GameError as error:
                wrong = error
            else:
                return
        if wrong is not None:
            raise wrong


class Batches(Reader):
    """The memory of games side by side, as clones and checkpoints hold it."""

    name, share = "memory of batches", 40

    @cached_property
    def batches(self) -> list[GameBatch]:
        found = []
        first = {game.spec.name: game for game in reversed(_games())}
        for game in first.values():
            batch = GameBatch(game, 2, Settings(game.spec.payoff()))
            batch.deal(seeds=np.array([1, 2], np.uint64))
            found.append(batch)
        return found

    def input(self, rng: Rng) -> bytes:
        which = rng.randrange(len(self.batches))
        return bytes([which]) + damage_bytes(bytes(self.batches[which].save()[0]), rng)

    def read(self, data: bytes) -> None:
        batch = self.batches[data[0] % len(self.batches) if data else 0]
        before = batch.save()
        try:
            batch.restore((data[1:], {}))
            for _ in range(3):
                ready = np.flatnonzero(batch.masks.any(axis=1))
                batch.advance(ready, batch.masks[ready].argmax(axis=1))
        finally:
            batch.restore(before)


# ---------------------------------------------------------------------------- settings


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


# ---------------------------------------------------------------------------- networks and results


class Networks(Reader):
    """Networks in files, which are asked for a move if they are accepted."""

    name, share = "networks", 40

    @cached_property
    def sample(self) -> bytes:
        return AGENTS["pretrained-small"].read_bytes()

    def input(self, rng: Rng) -> bytes:
        length = int.from_bytes(self.sample[:8], "little")
        header, rest = self.sample[8 : 8 + length], self.sample[8 + length :]
        if _half(rng):
            header = as_json(damage_data(json.loads(header), rng), rng)
        else:
            header = damage_bytes(header, rng)
        size = len(header) if rng.random() < 0.8 else rng.choice((0, 7, 2**31, 2**63))
        whole = size.to_bytes(8, "little") + header + rest
        return whole if rng.random() < 0.9 else damage_bytes(whole, rng)

    def read(self, data: bytes) -> None:
        path = self.write(data, "agent.safetensors")
        read_header(path)
        game = DreamFactory(2, seed=1)
        NetworkPolicy(game, path).act(view_of(game))


class Results(Reader):
    """Results of tournaments, from which reports are made."""

    name, share = "tournament results", 2

    @cached_property
    def tournament(self) -> Tournament:
        policies = ("random", "tests.players:Cheater")
        return Tournament(policies=policies, players=2, deals=4)

    @cached_property
    def lines(self) -> list[Any]:
        run_tournament(self.tournament, self.folder / "result", processes=1, replace=True)
        text = (self.folder / "result" / "result.jsonl").read_text()
        return [json.loads(line) for line in text.splitlines()]

    def input(self, rng: Rng) -> bytes:
        lines = list(self.lines)
        if _half(rng):
            at = rng.randrange(len(lines))
            lines[at] = damage_data(lines[at], rng)
        text = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        return damage_bytes(text, rng) if rng.random() < 0.4 else text

    def read(self, data: bytes) -> None:
        chunks = read_chunks(self.write(data, "result.jsonl"), self.tournament)
        if chunks:
            as_html(make_report(Result.of(self.tournament, chunks), {}))


class Benchmarks(Reader):
    """Results of benchmarks, from which pages are made."""

    name, share = "benchmark results", 2

    @cached_property
    def sample(self) -> Any:
        data = json.loads((DOCS / "dream_factory" / "benchmark.json").read_text("utf-8"))
        names = ["random", "greedy", "builder"]
        cells = [c for c in data["cells"] if {c["row"], c["column"]} <= set(names)]
        ratings = {count: rows[:1] for count, rows in data["ratings"].items()}
        return {**data, "policies": names, "cells": cells[:8], "ratings": ratings}

    def input(self, rng: Rng) -> bytes:
        if rng.random() < 0.7:
            return as_json(damage_data(self.sample, rng), rng)
        return damage_bytes(json.dumps(self.sample).encode(), rng)

    def read(self, data: bytes) -> None:
        path = self.write(data, "benchmark.json")
        benchmark = Benchmark(path)
        benchmark.absent()
        benchmark.changed()
        benchmark.matrix([2, 5], 10, 2)
        benchmark.rate()
        page(benchmark.data, path.name, benchmark.game)


# ---------------------------------------------------------------------------- runs


class Checkpoints(Reader):
    """Checkpoints with a right checksum."""

    name = "checkpoints"

    @cached_property
    def sample(self) -> bytes:
        from dreamfactory_env.learning.checkpoint_format import encode

        game = DreamFactory(2, seed=1)
        return encode(
            {"timesteps": 5, "policy": {"w": np.ones((3, 2))}, "games": (game.save(), {})}
        )

    def input(self, rng: Rng) -> bytes:
        data = self.sample
        length = int.from_bytes(data[:8], "little")
        header = json.loads(data[8 : 8 + length])
        kind = rng.random()
        if kind < 0.4:
            content = damage_data(json.loads(header["__metadata__"]["content"]), rng)
            header["__metadata__"]["content"] = json.dumps(content)
        elif kind < 0.7:
            header = damage_data(header, rng)
        text = json.dumps(header).encode()
        whole = len(text).to_bytes(8, "little") + text + data[8 + length :]
        if kind > 0.95:
            whole = pickle.dumps({"timesteps": 5})
        return damage_bytes(whole, rng) if kind > 0.7 else whole

    def read(self, data: bytes) -> None:
        from dreamfactory_env.learning.checkpoints import read_newest

        digest = hashlib.blake2b(data, digest_size=32).digest()
        self.write(digest + data, "000000000005.checkpoint")
        read_newest(self.folder)


class Runs(Reader):
    """Folders of training runs, one file of which is damaged."""

    name, share = "run folders", 0.2
    files = ("config.yaml", "versions.json", "evaluations.jsonl", "ladder.json", "progress.csv")

    @cached_property
    def whole(self) -> Path:
        from dataclasses import replace

        from dreamfactory_env.learning.config import Schedule
        from dreamfactory_env.learning.run import begin
        from tests.learning.small import tiny

        schedule = Schedule(
            *(512, 512, 256),
            evaluate_against=["random"],
            evaluation_players=[2],
            evaluation_deals=2,
        )
        folder = self.folder / "whole"
        shutil.rmtree(folder, ignore_errors=True)
        begin(replace(tiny(total_timesteps=512), schedule=schedule), folder).train()
        return folder

    def input(self, rng: Rng) -> bytes:
        paths = [self.whole / name for name in self.files]
        which = rng.choice([place for place, path in enumerate(paths) if path.exists()])
        data = paths[which].read_bytes()
        if _half(rng) and paths[which].suffix == ".json":
            data = as_json(damage_data(json.loads(data), rng), rng)
        elif _half(rng) and paths[which].suffix == ".jsonl":
            lines = [damage_data(json.loads(line), rng) for line in data.splitlines()]
            data = b"".join(as_json(line, rng) + b"\n" for line in lines)
        elif _half(rng) and paths[which].suffix == ".yaml":
            data = as_yaml(damage_data(yaml.safe_load(data), rng), rng)
        else:
            data = damage_bytes(data, rng)
        return bytes([which]) + data

    def read(self, data: bytes) -> None:
        from dreamfactory_env.learning.evaluation_lines import in_words
        from dreamfactory_env.learning.loggers import make_logger
        from dreamfactory_env.learning.plotting import strength_figure
        from dreamfactory_env.learning.run import resume

        folder = self.folder / "damaged"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.whole, folder)
        (folder / self.files[data[0] % len(self.files)]).write_bytes(data[1:])
        run = resume(folder)
        run.facts()
        run.evaluator._ladder(lambda: True)
        make_logger(folder, run.saved_steps, lambda text: None).close()
        if run.evaluator.lines:
            in_words(run.evaluator.lines[-1])
            strength_figure(run.evaluator.lines)


READERS: list[type[Reader]] = [
    *(Records, PackedRecords, States, Batches, Components, Lexicons, Tournaments, Trainings),
    *(Networks, Results, Benchmarks, Checkpoints, Runs),
]

"""Readers of what commands leave: networks, results, runs."""

from __future__ import annotations

import hashlib
import json
import pickle
import random
import shutil
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from dreamfactory_env.arena import Tournament, run_tournament
from dreamfactory_env.arena.analysis import make_report
from dreamfactory_env.arena.benchmark import Benchmark, page
from dreamfactory_env.arena.reports.html import as_html
from dreamfactory_env.arena.results import Result, read_chunks
from dreamfactory_env.games.dream_factory.game import AGENTS, DreamFactory
from dreamfactory_env.policies import view_of
from dreamfactory_env.policies.network import NetworkPolicy, read_header
from tests.fuzz.damage import as_json, as_yaml, damage_bytes, damage_data
from tests.fuzz.reader import Reader, half
from tests.paths import DOCS

Rng = random.Random


class Networks(Reader):
    """Networks in files, which are asked for a move if they are accepted."""

    name, share = "networks", 40

    @cached_property
    def sample(self) -> bytes:
        return AGENTS["pretrained-small"].read_bytes()

    def input(self, rng: Rng) -> bytes:
        length = int.from_bytes(self.sample[:8], "little")
        header, rest = self.sample[8 : 8 + length], self.sample[8 + length :]
        if half(rng):
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
        if half(rng):
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
        if half(rng) and paths[which].suffix == ".json":
            data = as_json(damage_data(json.loads(data), rng), rng)
        elif half(rng) and paths[which].suffix == ".jsonl":
            lines = [damage_data(json.loads(line), rng) for line in data.splitlines()]
            data = b"".join(as_json(line, rng) + b"\n" for line in lines)
        elif half(rng) and paths[which].suffix == ".yaml":
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

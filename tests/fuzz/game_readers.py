"""Readers of games: records, saved positions, the memory of batches."""

from __future__ import annotations

import json
import random
from functools import cached_property
from typing import Any

import numpy as np
import zstandard

from dreamfactory_env.engine.stepper import Settings
from dreamfactory_env.games import GAMES
from dreamfactory_env.games.batch import GameBatch
from dreamfactory_env.games.dream_factory.game import DreamFactory
from dreamfactory_env.games.fabrique_a_reves.game import FabriqueAReves
from dreamfactory_env.games.faux_raccords.game import FauxRaccords
from dreamfactory_env.games.game import Game
from dreamfactory_env.records.files import read_lines, record_of
from dreamfactory_env.records.format import replay
from dreamfactory_env.records.simulation import simulate
from dreamfactory_env.utils.configs import ConfigKind, shipped_configs
from dreamfactory_env.utils.errors import GameError
from tests.fuzz.damage import as_json, bomb, damage_bytes, damage_data
from tests.fuzz.reader import Reader, half
from tests.fuzz.states import damaged_state, play_on, signed_with

Rng = random.Random


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
        if half(rng):
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
        return damage_bytes(packed + more, rng) if half(rng) else packed + more


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

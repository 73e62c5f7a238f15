"""Saved positions from anybody: what is accepted can be played, and nothing else is accepted."""

from __future__ import annotations

import json
import pickle
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from dreamfactory_env import dream_factory_v0, fabrique_a_reves_v0, faux_raccords_v0
from dreamfactory_env.engine.position import apply_at, legal_at
from dreamfactory_env.engine.stepper import Settings
from dreamfactory_env.games.batch import GameBatch
from dreamfactory_env.games.dream_factory.game import DreamFactory
from dreamfactory_env.games.fabrique_a_reves.game import FabriqueAReves
from dreamfactory_env.games.faux_raccords.game import FauxRaccords
from dreamfactory_env.games.game import Game
from dreamfactory_env.games.saving import LiveBytes, check_saved, pack
from dreamfactory_env.utils.errors import SavedStateError
from tests.fuzz.states import damaged_state, play_on
from tests.toy_game import SignalGame

GAMES: list[tuple[type[Game], dict[str, Any]]] = [
    (DreamFactory, {"players": 2, "choose_studio": True}),
    (DreamFactory, {"players": 5, "edition": "traumfabrik"}),
    *(
        (FauxRaccords, {"players": 2 + k % 3, "mode": mode, "memory": "perfect"})
        for k, mode in enumerate(("tutorial", "feature", "shorts", "series", "arcs", "studio"))
    ),
    (FabriqueAReves, {"players": 2, "mode": "wednesday", "minds": "same"}),
    (FabriqueAReves, {"players": 3, "mode": "friday"}),
    (FabriqueAReves, {"players": 4, "mode": "variant", "labels": "list"}),
    (FabriqueAReves, {"players": 5, "mode": "sunday"}),
    (SignalGame, {"players": 3}),
]


def positions(game_cls: type[Game], options: dict[str, Any], games: int) -> Iterator[Game]:
    """Gives every position of some games played at random, some of them redrawn on the way."""
    rng = random.Random(1)
    start = game_cls(seed=0, **options)
    buffer = np.empty(start.spec.num_actions, np.int32)
    legal, apply = start.compiled(legal_at), start.compiled(apply_at)
    for number in range(games):
        game = start.deal(number)
        while count := legal(game.states, 0, game.params, buffer):
            yield game
            # The last action ends a game of Faux Raccords or of Signals: play on, mostly.
            most = count - 1 if count > 1 and rng.random() < 0.97 and game.spec.shared else count
            apply(game.states, 0, game.params, int(buffer[rng.randrange(most)]))
            if rng.random() < 0.02:
                game = game.resample_hidden(rng.randrange(game.players), rng.randrange(1000))
        yield game


def signed(game: Game, states: np.ndarray[Any, Any]) -> bytes:
    """Returns a state as it would be saved, with a right checksum."""
    return pack(game.spec, game.config(), states.tobytes())


@pytest.mark.parametrize(("game_cls", "options"), GAMES)
def test_every_position_that_can_be_played_is_accepted(
    game_cls: type[Game], options: dict[str, Any]
) -> None:
    for game in positions(game_cls, options, 2):
        check_saved(game)


@pytest.mark.parametrize(("game_cls", "options"), GAMES)
def test_every_field_has_a_range_and_is_held_to_it(
    game_cls: type[Game], options: dict[str, Any]
) -> None:
    game = game_cls(seed=1, **options)
    names = set(game.state_dtype.names or ()) - {"seed", "spare"}
    assert game.state_ranges.keys() == names
    for name, between in game.state_ranges.items():
        limits = np.iinfo(game.states[name].dtype)
        for wrong in (between.low - 1, between.high + 1, limits.min, limits.max):
            if between.low <= wrong <= between.high or not limits.min <= wrong <= limits.max:
                continue
            states = game.states.copy()
            states[name].reshape(-1)[-1] = wrong
            with pytest.raises(SavedStateError, match=f"{name} is {wrong}, not from"):
                game_cls.load(signed(game, states))


@pytest.mark.parametrize(("game_cls", "options"), GAMES)
def test_a_damaged_position_is_refused_or_can_be_played(
    game_cls: type[Game], options: dict[str, Any]
) -> None:
    rng = random.Random(3)
    refused = 0
    for number, game in enumerate(positions(game_cls, options, 1)):
        if number % 8:
            continue
        for _ in range(4):
            states = damaged_state(game, rng)
            try:
                loaded = game_cls.load(signed(game, states))
            except SavedStateError:
                refused += 1
            else:
                play_on(loaded, rng, 3)
    assert refused > 0


@pytest.mark.parametrize(
    ("game_cls", "field", "value", "message"),
    [
        (DreamFactory, "players", 3, "3 players in a game of 4"),
        (DreamFactory, "money", 13, "money"),
        (DreamFactory, "phase", 4, "the game ends with the last round"),
        (DreamFactory, "deck", 9, "the deck is another one"),
        (DreamFactory, "seed", 2**63 + 1, "its seed is"),
        (DreamFactory, "seed", 2, "not the one that seed 2 deals"),
        (FauxRaccords, "binned", 7, "in two places"),
        (FauxRaccords, "phase", 23, "a hazard is done"),
        (FauxRaccords, "cut_size", 6, "the Cut"),
        (FauxRaccords, "occupied", -1, "the Film has cards in other slots"),
        (FabriqueAReves, "noise", 25, "the options say 24"),
        (FabriqueAReves, "in_play", 63, "other tools"),
        (FabriqueAReves, "themes", 3, "other themes"),
        (FabriqueAReves, "dealt", 0, "dealt twice"),
        (FabriqueAReves, "redrawn", 1, "has no seed"),
        (FabriqueAReves, "filled", 1, "holds other words"),
        (FabriqueAReves, "taken", 1, "discarded in another way"),
        (FabriqueAReves, "tokens", 1, "other vials"),
        (FabriqueAReves, "tools", 3, "other vials"),
        (FabriqueAReves, "passed", 7, "another phase"),
        (FabriqueAReves, "passed", 8, "seats that nobody has"),
        (FabriqueAReves, "phase", 2, "another phase"),
        (FabriqueAReves, "asked", 0, "a vial is asked for"),
        (FabriqueAReves, "proposal", 1, "another proposal"),
        (FabriqueAReves, "dreams", 128, "dreams is not what follows"),
        (FabriqueAReves, "allowed", 0, "allowed is not what follows"),
        (FabriqueAReves, "order", 1, "order is not what follows"),
        (FabriqueAReves, "slates", 0, "asked for other dreams"),
    ],
)
def test_what_does_not_belong_together_is_named(
    game_cls: type[Game], field: str, value: int, message: str
) -> None:
    game = game_cls(seed=1)
    states = game.states.copy()
    states[field] = value
    with pytest.raises(SavedStateError, match=message):
        game_cls.load(signed(game, states))


@pytest.mark.parametrize(
    "header",
    [b"", b"[]", b"7", b"\xff", b"{", b'{"game": 1}', b'{"config": {}, "game": "dream_factory"}',
     b"[" * 5000, b'{"config": null, "game": "dream_factory", "version": "v0"}',
     b'{"config": {"players": 1e9}, "game": "dream_factory", "version": "v0"}',
     b'{"config": {}, "config": {}, "game": "dream_factory", "version": "v0"}'],
)  # fmt: skip
def test_a_header_that_says_something_else_is_refused(header: bytes) -> None:
    from tests.fuzz.states import signed_with

    with pytest.raises(SavedStateError):
        DreamFactory.load(signed_with(header, DreamFactory(seed=1).states.tobytes()))


def test_a_header_of_megabytes_is_refused_before_it_is_read() -> None:
    from tests.fuzz.states import signed_with

    header = b'{"game": ' + b"[]," * (2 << 20) + b"0}"
    with pytest.raises(SavedStateError, match=r"describes itself in 6\d* bytes, over 4 MiB"):
        DreamFactory.load(signed_with(header, b""))


@pytest.mark.parametrize("value", [[[]] * 100_000, "a" * 1_000_000])
@pytest.mark.parametrize("key", ["players", "edition", "hidden_money"])
def test_what_is_wrong_is_shown_in_a_line(key: str, value: object) -> None:
    from tests.fuzz.states import signed_with

    config = {**DreamFactory(seed=1).config(), key: value}
    header = json.dumps({"config": config, "game": "dream_factory", "version": "v0"}).encode()
    with pytest.raises(SavedStateError) as raised:
        DreamFactory.load(signed_with(header, DreamFactory(seed=1).states.tobytes()))
    assert len(str(raised.value)) < 400


def test_a_header_is_as_it_always_was() -> None:
    from tests.fuzz.states import signed_with

    game = DreamFactory(seed=1)
    described = {"game": game.spec.name, "version": game.spec.version, "config": game.config()}
    header = json.dumps(described, sort_keys=True).encode()
    assert signed_with(header, game.states.tobytes()) == game.save()


def damaged_batch(name: str, value: int) -> tuple[GameBatch, bytes]:
    """Returns a batch, and its memory with a number that cannot be."""
    game = DreamFactory(3, seed=1)
    batch = GameBatch(game, 2, Settings(game.spec.payoff()))
    batch.deal(seeds=np.array([1, 2], np.uint64))
    whole = batch.save()
    arrays = batch.rows if name in batch.rows.dtype.names else batch.states  # type: ignore[operator]
    if name == "masks":
        batch.masks[1, 0] ^= 1
    else:
        arrays[name][1] = value
    memory = bytes(batch.save()[0])
    batch.restore(whole)
    return batch, memory


@pytest.mark.parametrize(
    ("name", "value"),
    [("players", 127), ("to_move", 99), ("masks", 1), ("lineup", 55), ("current_player", 5),
     ("moves", -7), ("hint", 100_000), ("deck", 1)],
)  # fmt: skip
def test_the_memory_of_a_batch_from_elsewhere_is_checked(name: str, value: int) -> None:
    batch, memory = damaged_batch(name, value)
    before = bytes(batch.save()[0])
    with pytest.raises(SavedStateError):
        batch.restore((memory, {}))
    assert bytes(batch.save()[0]) == before


def test_a_batch_survives_pickle_and_plain_bytes_before_and_after_the_deal() -> None:
    game = DreamFactory(3, seed=1)
    batch = GameBatch(game, 2, Settings(game.spec.payoff()))
    for dealt in (False, True):
        if dealt:
            batch.deal(seeds=np.array([1, 2], np.uint64))
        again = pickle.loads(pickle.dumps(batch))
        assert again.save() == batch.save()
        assert type(pickle.loads(pickle.dumps(batch.save()))[0]) is bytes
        batch.restore((bytes(batch.save()[0]), {}))


def test_a_pickled_game_is_checked() -> None:
    game = DreamFactory(seed=1)
    assert pickle.loads(pickle.dumps(game)) == game
    game.states["players"] = 127
    with pytest.raises(SavedStateError, match="players is 127"):
        pickle.loads(pickle.dumps(game))


@pytest.mark.parametrize("module", [dream_factory_v0, faux_raccords_v0, fabrique_a_reves_v0])
def test_a_clone_from_elsewhere_is_checked_and_one_of_this_process_is_not(module: Any) -> None:
    env = module.raw_env()
    env.reset(seed=1)
    clone = env.clone_state()
    assert type(clone[1]) is LiveBytes
    elsewhere = pickle.loads(pickle.dumps(clone))
    assert type(elsewhere[1]) is bytes
    env.restore_state(elsewhere)
    states = np.frombuffer(bytearray(clone[1]), env.game.states.dtype)
    states["players"] = 127
    before = env.game.save()
    with pytest.raises(SavedStateError, match="players is 127"):
        env.restore_state((clone[0], states.tobytes(), *clone[2:]))
    assert env.game.save() == before

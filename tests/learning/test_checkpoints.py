"""Checkpoints are plain data: what they hold comes back, and nothing that they hold is executed."""

from __future__ import annotations

import hashlib
import io
import pickle
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import save

from dreamfactory_env import GameError, OptionError
from dreamfactory_env.learning.checkpoint_format import decode, encode
from dreamfactory_env.learning.checkpoints import read_newest, write_checkpoint
from dreamfactory_env.learning.run import begin, resume
from tests.learning.small import tiny

CONTENT: dict[str, Any] = {
    "plain": [1, 2.5, None, True, "text", (1, (2, "two")), {}],
    "keys": {(0, 1): {"x": b"\x00\xff"}, 3: "three"},
    "infinite": [float("inf"), float("-inf")],
    "number": np.float64(0.1),
    "array": np.arange(6, dtype=np.int8).reshape(2, 3),
    "empty": np.zeros((0, 4), np.float32),
    "tensor": torch.tensor([[1.5, -2.0]]),
    "scalar": torch.tensor(7),
    "bytes": b"",
}


class Executed:
    """Leaves a trace when a pickle of it is read."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.trace,)


def sign(payload: bytes) -> bytes:
    return hashlib.blake2b(payload, digest_size=32).digest() + payload


def test_content_comes_back_as_it_was() -> None:
    again = decode(encode(CONTENT))
    assert list(again) == list(CONTENT)
    for name in ("plain", "keys", "infinite", "number", "bytes"):
        assert again[name] == CONTENT[name], name
    for name in ("array", "empty"):
        assert again[name].dtype == CONTENT[name].dtype
        assert again[name].shape == CONTENT[name].shape
        assert np.array_equal(again[name], CONTENT[name])
        assert again[name].flags.writeable
    for name in ("tensor", "scalar"):
        assert again[name].dtype == CONTENT[name].dtype
        assert torch.equal(again[name], CONTENT[name])
    assert decode(encode({"state": random.getstate()})) == {"state": random.getstate()}


def test_what_is_no_plain_data_is_not_written() -> None:
    with pytest.raises(TypeError, match="Path cannot be kept"):
        encode({"path": [Path()]})


@pytest.mark.parametrize("zipped", [True, False])
def test_a_pickle_is_refused_and_not_executed(tmp_path: Path, zipped: bool) -> None:
    trace = tmp_path / "trace"
    buffer = io.BytesIO()
    if zipped:
        torch.save({"identity": Executed(trace)}, buffer)
    else:
        pickle.dump(Executed(trace), buffer)
    folder = tmp_path / "checkpoints"
    folder.mkdir()
    (folder / "000000000001.checkpoint").write_bytes(sign(buffer.getvalue()))
    with pytest.raises(OptionError, match="may be code" if zipped else "is damaged"):
        read_newest(folder)
    assert not trace.exists()


def test_no_damage_behind_a_right_checksum_raises_anything_else(tmp_path: Path) -> None:
    rng = random.Random(1)
    whole = encode(CONTENT)
    path = tmp_path / "000000000001.checkpoint"
    for _ in range(300):
        broken = bytearray(whole)
        for _ in range(rng.randrange(1, 4)):
            broken[rng.randrange(min(len(broken), 1500))] = rng.randrange(256)
        path.write_bytes(sign(bytes(broken[: rng.choice((len(broken), rng.randrange(2000)))])))
        with suppress(OptionError):
            read_newest(tmp_path)


@pytest.mark.parametrize(
    "content",
    [
        *("{}", '{"tuple": [{}]}', '{"dict": [[[], 1]]}', '{"dict": [1]}', '{"array": 0}'),
        *('{"bytes": []}', '{"float": "x"}', '{"array": 0, "shape": [5]}', '{"code": 1}', "["),
    ],
)
def test_content_that_cannot_be_is_refused(content: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        decode(save({"0": np.zeros(3)}, {"content": content}))


def test_a_header_of_megabytes_is_refused_before_it_is_read() -> None:
    data = save({}, {"content": "[]" * (3 << 20)})
    with pytest.raises(ValueError, match=r"its header has 6\d* bytes, over 4 MiB"):
        decode(data)


def test_a_checkpoint_of_something_else_is_told_in_words(tmp_path: Path) -> None:
    begin(tiny(total_timesteps=512), tmp_path).train()
    content, _ = read_newest(tmp_path / "checkpoints")
    assert content is not None
    steps = content["timesteps"] + 1
    games = [(bytearray(memory), kept) for memory, kept in content["games"]]
    games[0][0][200] ^= 64
    changes: list[tuple[str, Any, str]] = [
        ("policy", {}, "is of something else: RuntimeError"),
        ("optimizer", None, "is of something else"),
        ("numpy", ("MT19937", 3), "is of something else"),
        ("identity", 7, "is of something else"),
        ("games", tuple((bytes(memory), kept) for memory, kept in games), "no such position"),
        ("games", ((b"", {}),), "must be .* bytes"),
    ]
    for key, value, message in changes:
        write_checkpoint(tmp_path / "checkpoints", steps, {**content, key: value})
        with pytest.raises(GameError, match=message):
            resume(tmp_path)
    write_checkpoint(tmp_path / "checkpoints", steps, content)
    assert resume(tmp_path).saved_steps == content["timesteps"]

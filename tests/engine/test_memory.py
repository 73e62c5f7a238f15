"""Memory compared and copied as a whole: compiled as in plain Python."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numba import types

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.content_hash import content_hash
from dreamfactory_env.engine.memory import built_by, copy_numbers, words_of
from dreamfactory_env.engine.structs import I8, I64, Array, Records, record_dtype
from tests.engine.test_compiled import run


class Fields:
    a: I8
    b: Annotated[Array, "i1", (9,)]
    c: I64
    d: I8


DTYPE = record_dtype(Fields)


@jit
def write_words(records: Records, index: int, out: Array) -> None:
    words = words_of(records[index])
    for k in range(len(words)):
        out[k] = words[k]


@jit
def copy(out: Array, at: int, source: Array, start: int, count: int) -> None:
    copy_numbers(out, at, source, start, count)


def check() -> None:
    records = np.zeros(3, DTYPE)
    records.view(np.uint8)[:] = np.arange(records.nbytes)
    words = np.zeros(DTYPE.itemsize // 8, np.int64)
    for index in range(3):
        write_words(records, index, words)
        assert words.tobytes() == records[index].tobytes()
        records[index].c = -5  # what is seen is the record, not a copy of it
        write_words(records, index, words)
        assert words.tobytes() == records[index].tobytes()
    for dtype in (np.float32, np.int64, np.int8):
        source, out = np.arange(50).astype(dtype), np.zeros(40, dtype)
        copy(out, 3, source, 20, 30)
        assert out.tolist() == [0, 0, 0, *range(20, 50), *[0] * 7]


def test_records_are_read_and_numbers_copied_as_they_are() -> None:
    check()


def test_uncompiled_code_does_the_same() -> None:
    program = "from tests.engine.test_memory import check; check()"
    run("-c", program, environment={"NUMBA_DISABLE_JIT": "1"})


def test_another_machine_code_is_another_content() -> None:
    def hash_of(result: str) -> str:
        def build(_: Any, x: Any) -> Any:
            return types.int64(x), lambda context, builder, signature, arguments: result

        @built_by(build)
        def number(x: int) -> int:
            return x

        return content_hash(jit(lambda x: number(x)))

    assert hash_of("one") == hash_of("one") != hash_of("two")

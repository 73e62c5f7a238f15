"""Numbered pieces of work that are done at once, their results given in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Result = TypeVar("Result")


def in_order(
    numbers: range,
    submit: Callable[[int], None],
    done: Callable[[], Iterable[tuple[int, Result]]],
    at_once: Callable[[], int],
    stop: Callable[[], bool],
) -> Iterator[Result]:
    """Gives the results of pieces of work in order; one that is late is waited for.

    Args:
        numbers: Those of the pieces.
        submit: Begins with the piece of a number.
        done: Gives the pieces that were done since it was called before, each with its result; it
            waits a moment for the first.
        at_once: Asked how many may have begun and not ended.
        stop: Asked now and then; once it says yes, what has begun is finished and no more.
    """
    waiting, running = iter(numbers), 0
    results: dict[int, Result] = {}
    following = numbers.start
    while True:
        most = 0 if stop() else at_once()
        while running < most and (number := next(waiting, None)) is not None:
            submit(number)
            running += 1
        if not running:
            return
        for number, result in done():
            running -= 1
            results[number] = result
        while following in results:
            yield results.pop(following)
            following += 1

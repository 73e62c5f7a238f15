"""How strong the search is: ``python benchmarks/search_strength.py 100 1000 1s`` plays matches.

For each budget the search meets a scripted policy. Every deal is played once from each seat, the
other seats all being the scripted policy's, so that luck weighs less. A shared win counts as its
share. Results are kept as JSON in ``runs/``; the same command goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import multiprocessing
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from dreamfactory_env import DreamFactory
from dreamfactory_env.loops import room_for_moves
from dreamfactory_env.policies.search import Search, parse_budget
from dreamfactory_env.randomness import derive_seed

RUNS = Path("runs/search")


def play(task: dict[str, Any]) -> dict[str, Any]:
    """Plays one game and returns its result."""
    players, seat = task["players"], task["seat"]
    game = DreamFactory(players, seed=task["deal"], edition=task["edition"])
    search = Search(**task["search"])
    codes, weights = game.scripted_seats([task["opponent"]] * players)
    room = room_for_moves(game.longest_game())
    buffer = np.empty(game.actions, np.int32)
    seed = np.uint64(task["deal"])
    searched, seconds, moves = 0, 0.0, 0
    while not game.over:
        moves = game.loops.play(
            game.states, 0, game.tables, codes, weights, seed, buffer, *room, moves, seat
        )
        if game.over:
            break
        begin = time.perf_counter()
        searched += len(game.legal_actions()) > 1
        action = search.choose(game, task["deal"])
        seconds += time.perf_counter() - begin
        game.loops.apply_at(game.states, 0, game.tables, action)
        moves += 1
    won = game.winners()
    scores = game.scores()
    others = sum(scores) - scores[seat]
    return {
        "deal": task["deal"],
        "seat": seat,
        "won": 1 / len(won) if seat in won else 0.0,
        "margin": scores[seat] - others / (players - 1),
        "searched": searched,
        "seconds": round(seconds, 3),
    }


def interval(deals: dict[int, list[float]]) -> tuple[float, float]:
    """Returns the mean over deals and half of its 95 % interval."""
    means = np.array([np.mean(values) for values in deals.values()])
    return float(means.mean()), 1.96 * float(means.std(ddof=1)) / math.sqrt(len(means))


def summary(results: list[dict[str, Any]]) -> str:
    """Returns the win rate and the margin of a match with their intervals."""
    wins: dict[int, list[float]] = {}
    margins: dict[int, list[float]] = {}
    for result in results:
        wins.setdefault(result["deal"], []).append(result["won"])
        margins.setdefault(result["deal"], []).append(result["margin"])
    rate, spread = interval(wins)
    margin, around = interval(margins)
    thought = sum(r["seconds"] for r in results) / max(sum(r["searched"] for r in results), 1)
    return (
        f"{100 * rate:5.1f} % ± {100 * spread:4.1f}   margin {margin:+6.2f} ± {around:.2f}   "
        f"{thought:.3f} s a move   {len(results)} games"
    )


def tasks_of(match: dict[str, Any], games: int, seed: int) -> list[dict[str, Any]]:
    """Returns the games of a match, each deal with the search in every seat."""
    tasks = []
    for number in range(games):
        deal, seat = divmod(number, match["players"])
        deal_seed = int(derive_seed(np.uint64(seed), deal))
        tasks.append({**match, "deal": deal_seed, "seat": seat})
    return tasks


def play_match(tasks: list[dict[str, Any]], path: Path, processes: int) -> list[dict[str, Any]]:
    """Plays the games that are not in the file yet, adds them to it and returns all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    results = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    played = {(result["deal"], result["seat"]) for result in results}
    left = [task for task in tasks if (task["deal"], task["seat"]) not in played]
    with path.open("a", encoding="utf-8") as file, multiprocessing.Pool(processes) as pool:
        for result in pool.imap_unordered(play, left):
            results.append(result)
            file.write(json.dumps(result) + "\n")
            file.flush()
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("budgets", nargs="+", help="iterations such as 500, or a time such as 1s")
    parser.add_argument("--opponent", default="expert", help="a scripted policy")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--edition", default="dream_factory")
    parser.add_argument("--games", type=int, default=200, help="for each budget")
    parser.add_argument("--seed", type=int, default=1, help="where the deals come from")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--options", type=json.loads, default={}, help="of the search, as JSON")
    arguments = parser.parse_args()
    for text in arguments.budgets:
        budget = parse_budget(text)
        match = {
            "opponent": arguments.opponent,
            "players": arguments.players,
            "edition": arguments.edition,
            "search": {**asdict(budget), **arguments.options},
        }
        tasks = tasks_of(match, arguments.games, arguments.seed)
        # Every match has a file of its own, named after all that makes it another match.
        mark = hashlib.blake2b(json.dumps([match, arguments.seed]).encode(), digest_size=4)
        path = RUNS / f"{text}-{arguments.opponent}-{arguments.players}-{mark.hexdigest()}.jsonl"
        results = play_match(tasks, path, arguments.processes)
        print(f"{text:>8}  {summary(results)}", flush=True)


if __name__ == "__main__":
    main()

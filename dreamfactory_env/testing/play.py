"""Checks of single games: masks, determinism, records, counts."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from dreamfactory_env.engine.position import mask_at
from dreamfactory_env.engine.stepper import Settings
from dreamfactory_env.games.batch import GameBatch
from dreamfactory_env.games.game import Game
from dreamfactory_env.games.stats import GameStats
from dreamfactory_env.records.format import replay
from dreamfactory_env.records.simulation import simulate
from dreamfactory_env.testing.common import positions, require
from dreamfactory_env.utils.errors import IllegalMove


def check_masks(game_cls: type[Game], games: int, seed: int, **options: Any) -> None:
    """Checks that masks are exactly the legal moves, and that there are some until the end."""
    for game, where in positions(game_cls, games, seed, options):
        legal, size = game.legal_actions(), game.spec.num_actions
        numbers = list(legal.values())
        mask = np.zeros(size, np.int8)
        game.compiled(mask_at)(game.states, 0, game.params, np.empty(size, np.int32), mask)
        require(np.flatnonzero(mask).tolist() == numbers, f"{where}: mask and legal moves differ")
        require(game.over == (not numbers), f"{where}: a player to move has no legal move")
        require((game.phase == "over") == game.over, f"{where}: the phase is {game.phase!r}")
        seated = game.over or int(game.states["to_move"][0]) in range(game.players)
        require(seated, f"{where}: the player to move has no seat")
        require(len(set(legal)) == len(numbers), f"{where}: two legal moves have the same words")
        before = game.save()
        for action in [-1, size, *np.flatnonzero(mask == 0).tolist()]:
            require(_refuses(game, action), f"{where}: {action} is not legal, but was played")
        require(game.save() == before, f"{where}: a refused move has changed the game")
        for words, action in legal.items():
            by_words = game.copy().play(words)
            require(game.save() == before, f"{where}: playing a copy changes the game")
            by_number = game.copy().play(action)
            require(by_words == by_number, f"{where}: {words!r} is not action {action}")


def _refuses(game: Game, action: int) -> bool:
    try:
        game.play(action)
    except IllegalMove:
        return True
    return False


def check_determinism(game_cls: type[Game], games: int, seed: int, **options: Any) -> None:
    """Checks that a seed is a game, and that records and saved positions give it back."""
    template = game_cls(seed=0, **options)
    records = list(simulate(template, ["random"], games, seed))
    again = list(simulate(template, ["random"], games, seed))
    require(records == again, "a seed is two games")
    setups = {repr(record["setup"]) for record in records}
    require(games == 1 or len(setups) > 1, "all seeds give the same set-up")
    for number, record in enumerate(records):
        dealt = game_cls(seed=record["seed"], **options)
        require(template.deal(record["seed"]) == dealt, f"game {number}: deal() is another game")
        end = replay(record)
        require(end.result() == record["result"], f"game {number}: its record has another result")
        require(game_cls.load(end.save()) == end, f"game {number}: a saved position is another one")
        given = replay({**record, "seed": None})  # from its set-up alone
        require(given.setup() == record["setup"], f"game {number}: load_setup() is another set-up")
        require(given.seed is None, f"game {number}: a given set-up has a seed")
        given.states["seed"] = end.states["seed"]
        require(given == end, f"game {number}: from its set-up it is another game")


def check_stats(game_cls: type[Game], games: int, seed: int, **options: Any) -> None:
    """Checks that what is counted in a game is what it says it is, and adds up to the points."""
    template = game_cls(seed=0, **options)
    stats = template.stats()
    _check_places(stats)
    lineup = [[0] * template.players]  # random
    settings = Settings(template.spec.payoff(), observing=False)
    batch = GameBatch(template, games, settings, arrangements=lineup, counting=True)
    rng = random.Random(seed)
    batch.deal(seeds=np.array([rng.randrange(2**40) for _ in range(games)], np.uint64))
    for index in range(games):
        seats, scores = batch.seat_stats[index], batch.game_at(index).scores()
        where = f"seed {batch.rows['seed'][index]}"
        if stats.parts:
            parts = sum(seats[:, int(part.places)] for part in stats.parts)
            same = np.array_equal(parts, scores)
            require(same, f"{where}: the parts add up to {parts}, not to {scores}")
        for role in stats.roles:
            known = np.isin(seats[:, role.place], range(len(role.words))).all()
            require(bool(known), f"{where}: a {role.title} has no words")


def _check_places(stats: GameStats) -> None:
    """Checks that every stat stands among the counts."""
    for stat, size, axes in [
        *((stat, stats.table_size, (2,)) for stat in stats.table),
        *((stat, stats.seat_size, (0, 1)) for stat in stats.seats),
        *((stat, stats.seat_size, (0,)) for stat in stats.parts),
    ]:
        where = f"the stat {stat.title!r}"
        shape = tuple(len(words) for _, words in stat.axes)
        require(stat.places.shape == shape, f"{where} has other places than its axes")
        require(len(shape) in axes, f"{where} has {len(shape)} axes")
        within = bool((stat.places >= 0).all() and (stat.places < size).all())
        require(within, f"{where} is not among the numbers")
    for rate in stats.rates:
        places = np.concatenate([rate.hits, rate.of])
        within = bool((places >= 0).all() and (places < stats.table_size).all())
        require(within, f"the rate {rate.title!r} is not among the numbers of the table")

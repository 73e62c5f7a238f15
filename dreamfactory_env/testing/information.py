"""Checks that nobody is shown what is hidden: redraws of it change nothing that a seat sees."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np

from dreamfactory_env.games.game import Game
from dreamfactory_env.policies.rows import decide_rows
from dreamfactory_env.testing.common import positions, require


def check_information(game_cls: type[Game], games: int, seed: int, **options: Any) -> None:
    """Checks that what a player cannot know changes nothing that the player is shown."""
    rng = random.Random(seed)
    for game, where in positions(game_cls, games, seed, options):
        _check_json(game.view(None), where)
        for player in range(game.players):
            other = game.resample_hidden(player, rng.randrange(2**40))
            _compare(game, other, player, f"{where}, player {player}")
    games_dealt = [game_cls(seed=seed + k, **options) for k in range(games)]
    deals: dict[str, str] = {}  # of each view of everything
    for game in games_dealt:
        shown, setup = json.dumps(game.view(None)), json.dumps(game.setup())
        same = deals.setdefault(shown, setup) == setup
        require(same, "view(None) is the same for two different deals")
    for game in games_dealt:
        while not game.over:  # what was redrawn continues by the same rules
            game = game.resample_hidden(rng.randrange(game.players), rng.randrange(2**40))
            game.play(rng.choice(game.legal()))


def _compare(game: Game, other: Game, player: int, where: str) -> None:
    """Compares a position with one in which all is redrawn that a player cannot know."""
    require(other.seed is None, f"{where}: a redrawn game still has its seed")
    require(other.to_move == game.to_move, f"{where}: a redraw changes whose turn it is")
    again = other.resample_hidden(player, 1)
    traceless = again == game.resample_hidden(player, 1)
    require(traceless, f"{where}: a redraw depends on what is hidden")
    seen = game.observe(player)
    changed = np.flatnonzero(seen != other.observe(player))
    for block in game.spec.observation.blocks.values():
        hits = [n for n in changed if block.slice.start <= n < block.slice.stop]
        require(not hits, f"{where}: {block.name!r} of the observation tells what is hidden")
    require(game.observation_to_string(seen) != "", f"{where}: an observation has no words")
    if player == game.to_move:
        require(other.legal() == game.legal(), f"{where}: the mask tells what is hidden")
        for name in game.scripted:
            alike = _decision(game, name) == _decision(other, name)
            require(alike, f"{where}: {name} knows what is hidden")
    shown = game.view(player)
    _check_json(shown, where)
    require(shown == other.view(player), f"{where}: the view tells what is hidden")
    require(game.text(player) == other.text(player), f"{where}: the text tells what is hidden")
    _compare_narrations(game, other, player, where)


def _check_json(view: dict[str, Any], where: str) -> None:
    try:
        plain = json.loads(json.dumps(view, allow_nan=False)) == view
    except (TypeError, ValueError) as error:
        raise AssertionError(f"{where}: the view is no plain JSON: {error}") from error
    require(plain, f"{where}: the view is no plain JSON")


def _compare_narrations(game: Game, other: Game, player: int, where: str) -> None:
    """Compares what a player is told of the next move.

    A move may reveal what was hidden. It has not if the player's view is the same after it.
    """
    both = {*game.legal_actions().values()} & {*other.legal_actions().values()}
    ends, narrations = [], []
    for start in (game, other):
        played = start.copy()
        narrations.append(list(played.narrate(iter(sorted(both)[:1]), player)))
        ends.append(played)
    revealed = ends[0].view(player) != ends[1].view(player)
    same = revealed or narrations[0] == narrations[1]
    require(same, f"{where}: the narration tells what is hidden")


def _decision(game: Game, name: str) -> int:
    """Returns what a scripted policy does if it is shown everything."""
    answer = np.empty(1, np.int64)
    code, weights = list(game.scripted).index(name), game.scripted[name]
    buffer = np.empty(game.spec.num_actions, np.int32)
    streams, moves = np.zeros(1, np.uint64), np.zeros(1, np.int64)
    decide = game.compiled(decide_rows)
    decide(game.states, game.params, code, weights, streams, moves, buffer, answer)
    return int(answer[0])

"""What is counted in games: moves, tools, and how alike players dream."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from dreamfactory_env import FabriqueAReves
from dreamfactory_env.engine.stepper import Settings
from dreamfactory_env.games.batch import GameBatch
from dreamfactory_env.games.stats import Stat
from tests.games.fabrique_a_reves.staging import OPTIONS


def counted(game: FabriqueAReves, policy: int, games: int) -> GameBatch:
    """Returns games of a scripted policy that are over, with their counts."""
    settings = Settings(game.spec.payoff(), observing=False)
    lineup = [[policy] * game.players]
    batch = GameBatch(game, games, settings, arrangements=lineup, keep_moves=True, counting=True)
    rng = random.Random(4)
    batch.deal(seeds=np.array([rng.randrange(2**40) for _ in range(games)], np.uint64))
    return batch


@pytest.mark.parametrize(("mode", "players"), OPTIONS[::5])
def test_counts_are_those_of_the_moves_and_of_the_result(mode: str, players: int) -> None:
    game = FabriqueAReves(players, mode=mode, seed=0)
    batch = counted(game, 1 if players % 2 else 0, 6)
    stats = game.stats()
    seats_by_title: dict[str, Stat] = {stat.title: stat for stat in stats.seats}
    for index in range(6):
        end = batch.game_at(index)
        again = game.deal(int(batch.rows["seed"][index]))
        moves: list[tuple[int, str]] = []
        for action in batch.actions[index, : batch.rows["moves"][index]].tolist():
            assert again.to_move is not None
            moves.append((again.to_move, again.action_to_string(action)))
            again.play(action)
        result: Any = end.result()
        table = batch.table_stats[index][stats.table[0].places]
        expected = np.zeros_like(table)
        for vial in result["vials"]:
            expected[vial["cards"], vial["group"]] += 1
        assert np.array_equal(table, expected)
        vials = len(result["vials"])
        full, by_all, by_some = (batch.table_stats[index][rate.hits].sum() for rate in stats.rates)
        assert full == sum(vial["cards"] == 3 for vial in result["vials"])
        assert by_all == sum(vial["group"] == players for vial in result["vials"])
        assert by_some == sum(vial["group"] > 1 for vial in result["vials"])
        assert {int(batch.table_stats[index][rate.of].sum()) for rate in stats.rates} == {vials}
        for seat in range(players):
            found = batch.seat_stats[index, seat]
            own = [words for mover, words in moves if mover == seat]

            def number(title: str, found: Any = found) -> Any:
                return found[seats_by_title[title].places].tolist()

            assert number("words placed") == sum(words.startswith("take") for words in own)
            assert number("passed") == sum(words == "pass" for words in own)
            tools = ["broom", "doubt", "dust", "dust+2", "spill", "quill"]
            used = [sum(words.split()[0] == tool for words in own) for tool in tools]
            assert number("tools used") == used
            slate = end.view()["players"][seat]["slate"]
            matched = sum(
                vial["dream"] is not None
                and any(word and word["word"] == vial["dream"] for word in written)
                for vial, written in zip(result["vials"], slate, strict=True)
            )
            assert number("vials in the group that scores") == matched
            assert found[stats.parts[0].places] == result["points"]
            turn = (seat - end.setup()["first_player"]) % players
            assert found[stats.roles[0].place] == turn

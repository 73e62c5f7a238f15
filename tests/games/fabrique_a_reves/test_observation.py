"""What a player sees, number by number, and through its own mind only."""

from __future__ import annotations

import random

import numpy as np
import pytest

from dreamfactory_env import FabriqueAReves, OptionError
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.fabrique_a_reves.lexicon import MOST_DREAMS
from dreamfactory_env.games.fabrique_a_reves.minds import write_row, write_sums
from dreamfactory_env.games.fabrique_a_reves.observation_spec import OBSERVATION
from dreamfactory_env.games.fabrique_a_reves.options import MODES
from tests.games.fabrique_a_reves.staging import OPTIONS, fill, pass_all, play, staged

LAYOUT = {
    "phase": 4,
    "mode": 9,
    "level": 4,
    "players": 4,
    "aim": 1,
    "noise": 1,
    "to_move": 5,
    "first": 5,
    "passed": 5,
    "tools": 6,
    "vials": 135,
    "reservoirs": 16,
    "moves": 120,
    "leaders": 360,
    "quill": 256,
    "dreams": 640,
    "slate": 10,
}


def blocks(game: FabriqueAReves, seat: int) -> dict[str, Array]:
    seen = game.observe(seat)
    return {name: OBSERVATION.block(seen, name) for name in OBSERVATION.blocks}


def row_of(game: FabriqueAReves, seat: int, word: str) -> Array:
    """Returns what a seat associates with a word, int64 (dreams,)."""
    thought = game.options.lexicon.lexicon.thoughts.index(word)
    row = np.zeros(MOST_DREAMS, np.int16)
    write_row(game.states[0], game.params[0], seat, thought, row)
    return row[: len(game.dreams())].astype(np.int64)


def sums_of(game: FabriqueAReves, seat: int, vial: int) -> Array:
    sums = np.zeros(MOST_DREAMS, np.int16)
    write_sums(game.states[0], game.params[0], seat, vial, sums)
    return sums[: len(game.dreams())].astype(np.int64)


def allowed(game: FabriqueAReves, seat: int, *more: str) -> Array:
    """Returns which dreams a seat may write, if some words more lay in vials; bool (dreams,)."""
    lexicon = game.options.lexicon.lexicon
    lying = [word for vial in game.vials() for word in vial] + list(more)
    slate = set(game.state.slates[seat].ravel().tolist())
    return np.array(
        [
            number not in slate and not any(lexicon.one_family(name, word) for word in lying)
            for number, name in enumerate(game.dreams())
        ]
    )


def best_and_lead(sums: Array, free: Array) -> tuple[int, float, float]:
    """Returns the best dream, its sum and its lead as the observation has them."""
    order = sorted(np.flatnonzero(free).tolist(), key=lambda k: (-sums[k], k))
    best, second = int(sums[order[0]]), int(sums[order[1]])
    return order[0], scaled(best), scaled(best - second)


def scaled(number: float) -> float:
    return float(np.clip(number / 128, -8, 8))


# ---------------------------------------------------------------------------- layout


def test_the_blocks_are_those_of_the_rules() -> None:
    assert {name: block.size for name, block in OBSERVATION.blocks.items()} == LAYOUT
    assert OBSERVATION.size == 1581


@pytest.mark.parametrize(("mode", "players"), OPTIONS)
def test_options_and_turns_are_told_from_the_own_seat(mode: str, players: int) -> None:
    game = FabriqueAReves(players, mode=mode, noise=48, seed=players)
    play(game, "take 1 into 1")
    for seat in range(players):
        seen = blocks(game, seat)
        assert seen["phase"].tolist() == [1, 0, 0, 0]
        assert np.flatnonzero(seen["mode"]).tolist() == [MODES.index(mode)]
        level = game.view()["options"]["level"]
        assert np.flatnonzero(seen["level"]).tolist() == ([] if level is None else [level])
        assert np.flatnonzero(seen["players"]).tolist() == [players - 2]
        assert seen["aim"][0] == pytest.approx(game.view()["aim"] / 20)
        assert seen["noise"][0] == 48 / 128
        first = game.setup()["first_player"]
        assert np.flatnonzero(seen["first"]).tolist() == [(first - seat) % players]
        assert np.flatnonzero(seen["to_move"]).tolist() == [(first + 1 - seat) % players]
        tools = game.view()["tools"]
        order = ["broom", "doubt", "dust", "dust+2", "spill", "quill"]
        assert [order[k] for k in np.flatnonzero(seen["tools"])] == tools


def test_vials_tell_words_tokens_and_who_put_them_there() -> None:
    game = staged("sunday", players=3)
    play(game, "take 1 into 1", "take 1 into 1", "take 1 into 1", "take 1 into 2", "spill 2")
    play(game, "doubt on 3", "dust on 4", "dust+2 on 5")
    seen = blocks(game, 1)["vials"]
    assert seen[:, 0].tolist() == [1] * 5
    assert [np.flatnonzero(row[1:5]).tolist() for row in seen] == [[3], [0], [0], [0], [0]]
    tokens = [np.flatnonzero(row[5:10]).tolist() for row in seen]
    assert tokens == [[], [3], [0], [1], [2]]
    placed = [np.flatnonzero(row).tolist() for row in seen[0, 12:].reshape(3, 5)]
    assert placed == [[2], [0], [1]]  # the players 0, 1 and 2, as player 1 counts
    assert not seen[1:, 10:].any()
    assert not blocks(staged("wednesday"), 0)["vials"][4].any()


def test_reservoirs_tell_what_is_left() -> None:
    game = play(staged(), "take 2 into 1")
    game.state.taken[7] = 25
    seen = blocks(game, 0)["reservoirs"]
    assert seen[0].tolist() == [1, 25 / 32]
    assert seen[1].tolist() == [1, 24 / 32]
    assert seen[7].tolist() == [0, 0]
    assert not blocks(staged("monday"), 0)["reservoirs"][6:].any()


def test_passed_is_told_by_seat() -> None:
    game = fill(staged(players=4), 1, 1, 1, 1, 1)
    assert game.to_move == 1
    play(game, "pass")
    assert blocks(game, 3)["passed"].tolist() == [0, 0, 1, 0, 0]


# ---------------------------------------------------------------------------- through a mind


@pytest.mark.parametrize("mode", ["base", "friday", "sunday", "monday"])
def test_best_lead_moves_and_leaders_are_those_of_the_own_mind(mode: str) -> None:
    game = fill(FabriqueAReves(3, mode=mode, seed=8), 3, 1, 2)
    tops = [view["top"]["word"] for view in game.view()["reservoirs"]]
    for seat in range(3):
        seen = blocks(game, seat)
        free = allowed(game, seat)
        for vial in range(5):
            sums = sums_of(game, seat, vial)
            best, top, lead = best_and_lead(sums, free)
            words = len(game.vials()[vial])
            if words:
                assert seen["vials"][vial, 10:12].tolist() == [top, lead]
                order = sorted(np.flatnonzero(free).tolist(), key=lambda k: (-sums[k], k))[:8]
                leaders = seen["leaders"][vial]
                assert leaders[:, 0].tolist() == [scaled(sums[k]) for k in order]
                for number, word in enumerate(tops):
                    row = row_of(game, seat, word)
                    assert leaders[:, 1 + number].tolist() == [scaled(row[k]) for k in order]
            else:  # nothing tells which dreams come first in the list
                assert not seen["vials"][vial, 10:12].any()
                assert not seen["leaders"][vial].any()
            for number, word in enumerate(tops):
                move = seen["moves"][number, vial].tolist()
                if words == 3:
                    assert move == [0, 0, 0]
                    continue
                then = sums + row_of(game, seat, word)
                may = allowed(game, seat, word)
                _, top, lead = best_and_lead(then, may)
                stays = words > 0 and may[best] and then[best] == then[may].max()
                assert move == [top, lead, float(stays)]
        assert not seen["moves"][len(tops) :].any()
        assert not seen["quill"].any()
        assert not seen["dreams"].any()


def test_a_word_that_would_forbid_the_best_dream_does_so_in_its_move() -> None:
    piles = [["screen"], ["computer"], ["antenna"]]
    game = staged(players=2, minds="same", themes=["electric"], piles=piles)
    play(game, "take 1 into 1")
    with_computer = best_and_lead(
        sums_of(game, 0, 0) + row_of(game, 0, "computer"), allowed(game, 0, "computer")
    )
    without_rule = best_and_lead(
        sums_of(game, 0, 0) + row_of(game, 0, "computer"), allowed(game, 0)
    )
    assert with_computer[0] != without_rule[0] == game.dreams().index("computer")
    assert blocks(game, 0)["moves"][1, 0, :2].tolist() == list(with_computer[1:])


def test_the_quill_is_told_to_whoever_writes() -> None:
    game = fill(FabriqueAReves(3, mode="thursday", seed=8), 2, 1)
    play(game, "quill 1")
    seat = game.to_move
    assert seat is not None
    seen = blocks(game, seat)
    assert seen["phase"].tolist() == [0, 1, 0, 0]
    for place, word in enumerate(game.options.lexicon.lexicon.quill):
        sums = sums_of(game, seat, 0) + row_of(game, seat, word)
        _, best, lead = best_and_lead(sums, allowed(game, seat, word))
        assert seen["quill"][place].tolist() == [best, lead]
    assert not seen["moves"].any()
    assert not blocks(game, (seat + 1) % 3)["quill"].any()


@pytest.mark.parametrize("labels", ["mind", "list"])
@pytest.mark.parametrize("mode", ["base", "friday"])
def test_dreams_are_told_by_action_to_whoever_dreams(mode: str, labels: str) -> None:
    game = fill(FabriqueAReves(2, mode=mode, labels=labels, seed=3), 3, 1, 2, 1, 1)
    pass_all(play(game, "doubt on 2"))
    rng = random.Random(2)
    while not game.over:
        seat, vial = game.to_move, int(game.state.asked)
        assert seat is not None
        seen = blocks(game, seat)
        assert not blocks(game, 1 - seat)["dreams"].any()
        legal = {*game.legal_actions().values()}
        rows = [row_of(game, seat, word) for word in game.vials()[vial]]
        sums = [sums_of(game, seat, other) for other in range(5)]
        for place in range(len(game.dreams())):
            number = int(game.state.order[place])
            found = seen["dreams"][place].tolist()
            assert found[0] == (67 + place in legal)
            expected = [scaled(row[number]) for row in rows] + [0.0] * (3 - len(rows))
            assert found[1:4] == expected
            assert found[4] == scaled(max(sums[o][number] for o in range(5) if o != vial))
        assert not seen["dreams"][len(game.dreams()) :].any()
        assert not seen["leaders"].any()
        play(game, rng.choice(game.legal()))
    assert blocks(game, 0)["phase"].tolist() == [0, 0, 0, 1]
    assert not blocks(game, 0)["to_move"].any()


def test_the_own_slate_is_told_and_no_other() -> None:
    game = fill(FabriqueAReves(2, seed=3), 3, 1, 2, 1, 1)
    pass_all(play(game, "doubt on 2"))
    seat = game.to_move
    assert seat is not None
    first, second = game.legal()[4], game.legal()[9]
    play(game, first)
    second = game.legal()[3]
    play(game, second)
    seen = blocks(game, seat)["slate"]
    names = [words.split(" ", 2)[2] for words in (first, second)]
    for vial, name in enumerate(names):
        expected = scaled(sums_of(game, seat, vial)[game.dreams().index(name)])
        assert seen[vial].tolist() == [(1.0, 0.5)[vial], expected]
    assert not seen[2:].any()
    assert not blocks(game, 1 - seat)["slate"].any()
    play(game, "dream 2 none")
    assert blocks(game, seat)["slate"][1, 0] == 1


def test_what_is_on_the_own_slate_is_no_longer_best() -> None:
    game = pass_all(fill(FabriqueAReves(2, seed=3), 2, 2, 2, 2, 2))
    seat = game.to_move
    assert seat is not None
    for _ in range(3):
        seen = blocks(game, seat)["vials"]
        for vial in range(5):
            expected = best_and_lead(sums_of(game, seat, vial), allowed(game, seat))[1:]
            assert tuple(seen[vial, 10:12].tolist()) == expected
        play(game, game.legal()[0])


# ---------------------------------------------------------------------------- nothing else


def test_the_numbers_of_dreams_in_the_list_are_nowhere_in_it() -> None:
    """Two games that differ only in the order of equal dreams of the list look the same.

    With minds that are the same all numbers come from the vectors; the list of the theme is turned
    around in the tables, and no number changes but where ties are broken by place.
    """
    game = fill(staged(players=2, minds="same", themes=["electric"]), 3, 2, 1)
    count = len(game.dreams())
    number = int(game.state.themes[0])
    other = game.copy()
    other.params = game.params.copy()
    for table in (other.params["associations"], other.params["forbids"]):
        table[0, number, :, :count] = table[0, number, :, :count][:, ::-1].copy()
    other.state.allowed[:count] = other.state.allowed[:count][::-1].copy()
    first, second = blocks(game, 0), blocks(other, 0)
    for name in ("vials", "reservoirs", "quill", "dreams", "slate"):
        assert np.array_equal(first[name], second[name])
    assert np.array_equal(first["moves"][..., :2], second["moves"][..., :2])
    assert np.array_equal(first["leaders"][..., 0], second["leaders"][..., 0])


def words_of(game: FabriqueAReves, seat: int) -> list[str]:
    return game.observation_to_string(game.observe(seat)).split("\n")


def test_an_observation_can_be_put_into_words() -> None:
    game = fill(staged("sunday", players=3), 2, 1)
    play(game, "doubt on 1")
    words = words_of(game, 1)
    assert words[0] == "sunday, 3 players, aim 16, noise 24: thoughts"
    assert words[1] == "seat 0 decides; seat 2 began; passed: -"
    assert words[2] == "tools: broom, dust, dust+2, spill, quill"
    assert words[3].startswith("cards in the reservoirs: 22 25 25")
    best = game.view(1)["vials"][0]["closest"]
    lead = best[0]["sum"] - best[1]["sum"]
    vial = f"vial 1: 2 words of the seats 2, 0; best {best[0]['sum']}, lead {lead}; doubt"
    assert words[4] == vial
    assert words[6] == "vial 3: 0 words"
    assert words[9].startswith("reservoir ")
    assert len(words) == 12


def test_words_and_dreams_of_an_observation_are_named_by_their_actions() -> None:
    game = fill(FabriqueAReves(2, mode="thursday", seed=3), 2, 1, 1, 1)
    play(game, "quill 5")
    seat = game.to_move
    assert seat is not None
    assert words_of(game, seat)[-1].startswith("word ")
    play(game, game.legal()[0])
    pass_all(game)
    seat = game.to_move
    assert seat is not None
    play(game, game.legal()[0])
    words = words_of(game, seat)
    assert "; written, " in words[4]
    first = min(game.legal_actions().values()) - 67
    assert words[-3].startswith(f"dream {first}: ")
    with pytest.raises(OptionError, match=r"the shape \(1581,\), not \(3,\)"):
        game.observation_to_string(np.zeros(3))

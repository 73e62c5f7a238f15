"""Minds and labels in games, M1 to M4: what a seat thinks, and what its action numbers mean."""

from __future__ import annotations

import random

import numpy as np
import pytest

from dreamfactory_env import FabriqueAReves, OptionError, RecordError
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.fabrique_a_reves.associations import association_tables, mind_adds
from dreamfactory_env.games.fabrique_a_reves.lexicon import MOST_DREAMS
from dreamfactory_env.games.fabrique_a_reves.lexicon_files import standard_lexicon
from dreamfactory_env.games.fabrique_a_reves.minds import write_sums
from dreamfactory_env.games.fabrique_a_reves.vectors import standard_vectors
from tests.games.fabrique_a_reves.staging import fill, pass_all, play, staged

LEXICON = standard_lexicon()


@pytest.fixture(scope="module")
def tables() -> Array:
    return association_tables(LEXICON, standard_vectors())


def sums_of(game: FabriqueAReves, seat: int, vial: int) -> list[int]:
    """Returns what the engine says that a seat thinks of each dream at a vial."""
    sums = np.zeros(MOST_DREAMS, np.int16)
    write_sums(game.states[0], game.params[0], seat, vial, sums)
    found: list[int] = sums[: len(game.dreams())].tolist()
    return found


def expected_sums(game: FabriqueAReves, tables: Array, seat: int, vial: int) -> list[int]:
    """Returns the same from the tables of M1 and from M2, dream by dream."""
    setup, config = game.setup(), game.config()
    ids = [theme.id for theme in LEXICON.themes]
    sources = {}  # theme and place of each dream; the first theme comes first
    for theme in setup["themes"][::-1]:
        for place, name in enumerate(LEXICON.themes[ids.index(theme)].dreams):
            sources[name] = (ids.index(theme), place)
    if not setup["themes"]:
        sources = {name: (len(ids), place) for place, name in enumerate(LEXICON.free)}
    found = []
    for number, name in enumerate(game.dreams()):
        theme, place = sources[name]
        total = 0
        for word in game.vials()[vial]:
            thought = LEXICON.thoughts.index(word)
            total += int(tables[theme, thought, place])
            mind = np.uint64(setup["minds"][seat])
            total += mind_adds(mind, thought, number, config["noise"])
        found.append(total)
    return found


@pytest.mark.rule("M1", "M2")
@pytest.mark.parametrize("mode", ["base", "friday", "sunday", "thursday"])
def test_a_seat_thinks_what_the_tables_and_its_mind_say(mode: str, tables: Array) -> None:
    for seed in range(2):
        game = FabriqueAReves(3, mode=mode, noise=(24, 100)[seed], seed=seed)
        fill(game, 3, 1)
        if mode == "thursday":
            play(game, "quill 2")
            play(game, game.legal()[77])
        for seat in range(3):
            for vial in range(2):
                assert sums_of(game, seat, vial) == expected_sums(game, tables, seat, vial)
        assert len({tuple(sums_of(game, seat, 0)) for seat in range(3)}) == 3


@pytest.mark.rule("M2")
def test_minds_are_drawn_below_2_to_the_53() -> None:
    minds = [mind for seed in range(40) for mind in FabriqueAReves(5, seed=seed).setup()["minds"]]
    assert len(set(minds)) == len(minds) == 200
    assert max(minds) < 2**53
    assert max(minds) > 2**52 > min(minds)


@pytest.mark.rule("M3")
def test_minds_that_are_the_same_add_nothing(tables: Array) -> None:
    game = fill(FabriqueAReves(3, minds="same", noise=50, seed=2), 2)
    assert game.config()["noise"] == 0
    assert game.setup()["minds"] == [0, 0, 0]
    assert sums_of(game, 0, 0) == sums_of(game, 2, 0) == expected_sums(game, tables, 1, 0)
    noiseless = fill(FabriqueAReves(3, noise=0, seed=2), 2)
    assert sums_of(noiseless, 1, 0) == sums_of(game, 1, 0)
    assert len(set(noiseless.setup()["minds"])) == 3


@pytest.mark.rule("M3")
def test_noise_is_24_if_nothing_is_said() -> None:
    config = FabriqueAReves(seed=1).config()
    assert (config["minds"], config["noise"], config["labels"]) == ("noisy", 24, "mind")
    for wrong in (-1, 256, 2.5, "much"):
        with pytest.raises(OptionError, match="noise must be 0 to 255"):
            FabriqueAReves(noise=wrong)  # type: ignore[arg-type]


@pytest.mark.rule("M3")
def test_a_record_with_minds_that_are_the_same_has_zeros() -> None:
    game = FabriqueAReves(3, minds="same", seed=2)
    setup = game.setup() | {"minds": [0, 5, 0]}
    with pytest.raises(RecordError, match=r"minds\[1\] must be 0: minds are the same"):
        FabriqueAReves.from_setup(game.config(), setup)


@pytest.mark.rule("M4")
@pytest.mark.parametrize("mode", ["base", "friday", "sunday"])
@pytest.mark.parametrize("doubt", [False, True])
def test_action_k_is_the_kth_dream_by_the_writers_mind(
    mode: str, doubt: bool, tables: Array
) -> None:
    game = fill(FabriqueAReves(3, mode=mode, seed=4), 3, 1, 2, 1, 1)
    if doubt:
        play(game, "doubt on 1")
    pass_all(game)
    rng = random.Random(0)
    while not game.over:
        seat, vial = game.to_move, int(game.state.asked)
        assert seat is not None
        sums = expected_sums(game, tables, seat, vial)
        order = sorted(range(len(sums)), key=lambda k: (-sums[k], k))
        for words, action in game.legal_actions().items():
            if action != 195:
                name = words.split(" ", 2)[2]
                assert game.dreams()[order[action - 67]] == name
        play(game, rng.choice(game.legal()))


@pytest.mark.rule("M4")
def test_with_list_action_k_is_the_kth_of_the_list_for_everybody() -> None:
    game = pass_all(fill(FabriqueAReves(3, labels="list", seed=4), 3, 1, 2, 1, 1))
    rng = random.Random(0)
    while not game.over:
        for words, action in game.legal_actions().items():
            assert game.dreams()[action - 67] == words.split(" ", 2)[2]
        play(game, rng.choice(game.legal()))


@pytest.mark.rule("M4")
def test_ties_go_by_the_place_in_the_list() -> None:
    game = staged(players=2, minds="same", noise=0)
    pass_all(fill(game, 3, 1, 1, 1, 1))
    ties = 0
    while not game.over:
        sums = sums_of(game, int(game.state.to_move), int(game.state.asked))
        order = game.state.order[: len(sums)].tolist()
        assert order == sorted(range(len(sums)), key=lambda k: (-sums[k], k))
        ties += len(sums) - len(set(sums))
        play(game, game.legal()[0])
    assert ties > 0


@pytest.mark.rule("M4")
def test_words_are_the_same_under_both_labels() -> None:
    games = [FabriqueAReves(3, labels=labels, seed=4) for labels in ("mind", "list")]
    rng = random.Random(0)
    numbers = []
    while not games[0].over:
        first, second = (game.legal_actions() for game in games)
        assert set(first) == set(second)
        words = rng.choice(list(first))
        numbers.append(first[words] == second[words])
        for game in games:
            game.play(words)
    assert games[0].result() == games[1].result()
    assert all(numbers[:15])
    assert not all(numbers)

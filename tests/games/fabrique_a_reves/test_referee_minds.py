"""Minds, labels and actions, M1 to M4, with the referee and with the engine."""

from __future__ import annotations

import random

import pytest

from dreamfactory_env.games.fabrique_a_reves.associations import association_tables
from dreamfactory_env.games.fabrique_a_reves.lexicon_files import standard_lexicon
from dreamfactory_env.games.fabrique_a_reves.vectors import standard_vectors
from tests.games.fabrique_a_reves.referee_words import (
    FREE,
    Meanings,
    game_dreams,
    mind_adds,
    standard_box,
    standard_meanings,
    theme_associations,
)
from tests.games.fabrique_a_reves.rule_staging import BOTH, MakeGame, Table

PILE = "law lie peace truth advice choice risk revenge message"


def labels(game: Table) -> list[str]:
    """Returns the dreams that are legal now, by their action numbers."""
    actions = game.actions()
    assert all(67 <= action < 195 for words, action in actions.items() if "none" not in words)
    return [words.split(" ", 2)[2] for words in sorted(actions, key=actions.__getitem__)]


def dreaming(make_game: MakeGame, mode: str = "base", players: int = 2, **chosen: object) -> Table:
    """Returns a game with a word in each vial, two in the first, whose first slate is begun."""
    game = make_game(mode, players, piles={1: PILE}, **chosen)
    return game.take(1).one_each().all_pass()


def ranked(mind: int, noise: int, themes: list[str], words: list[str]) -> list[str]:
    """Returns the dreams of themes as M4 orders them, from the formulas in full."""
    meanings, dreams = standard_meanings(), game_dreams(standard_box(), themes)
    sums = []
    for place, dream in enumerate(dreams):
        total = 0
        for word in words:
            thought = meanings.numbers[word]
            total += meanings.table(dream.theme)[thought][dream.place]
            total += mind_adds(mind, thought, place, noise)
        sums.append((-total, place, dream.word))
    return [word for _, _, word in sorted(sums)]


# ---------------------------------------------------------------------------- the referee's own


@pytest.mark.rule("M1")
@pytest.mark.parametrize("theme", ["electric", "countries", FREE])
def test_associations_from_the_file_are_those_of_the_package(theme: str) -> None:
    lexicon = standard_lexicon()
    names = [each.id for each in lexicon.themes]
    row = len(names) if theme == FREE else names.index(theme)
    size = len(lexicon.free if theme == FREE else lexicon.themes[row].dreams)
    tables = association_tables(lexicon, standard_vectors())
    found = standard_meanings().table(theme)
    assert [list(each) for each in found] == tables[row, :, :size].tolist()


@pytest.mark.rule("M1")
def test_associations_are_those_of_the_printed_formula() -> None:
    rng = random.Random(1)
    for size in (1, 3):
        n, m = rng.randrange(2, 7), rng.randrange(2, 7)
        v = [tuple(rng.randrange(-9, 9) for _ in range(size)) for _ in range(n + m)]
        thoughts, dreams = v[:n], v[n:]

        def times(a: tuple[int, ...], b: tuple[int, ...]) -> int:
            return sum(x * y for x, y in zip(a, b, strict=True))

        c = [
            [
                n * m * times(t, i)
                - n * sum(times(t, j) for j in dreams)
                - m * sum(times(s, i) for s in thoughts)
                + sum(times(s, j) for s in thoughts for j in dreams)
                for i in dreams
            ]
            for t in thoughts
        ]
        z = sum(abs(x) for row in c for x in row) // (n * m)
        expected = [tuple((48 * x + z) // (2 * z) for x in row) for row in c]
        assert theme_associations(thoughts, dreams) == expected
    assert theme_associations([(1,), (1,)], [(1,), (2,)]) == [(0, 0), (0, 0)]  # z = 0


@pytest.mark.rule("M1")
def test_thoughts_are_numbered_card_by_card_then_the_quill() -> None:
    numbers = Meanings(standard_box()).numbers
    assert [numbers[word] for word in ("string", "king", "water", "queen")] == [0, 1, 2, 3]
    assert [numbers[word] for word in ("powder", "punishment", "loud")] == [398, 399, 400]
    assert len(numbers) == 528


@pytest.mark.rule("M2")
def test_what_a_mind_adds_is_that_of_the_spec() -> None:
    assert [mind_adds(7, 0, i, 24) for i in range(4)] == [11, -27, -5, -7]
    assert [mind_adds(7, 0, i, 0) for i in range(4)] == [0, 0, 0, 0]


# ---------------------------------------------------------------------------- labels


@pytest.mark.rule("M4", "M2", "M1")
@BOTH
def test_by_the_mind_dreams_come_from_the_closest_on(make_game: MakeGame) -> None:
    game = dreaming(make_game, seats=[123456789, 2**53 - 1], first=1)
    for mind in (2**53 - 1, 123456789):
        used: set[str] = set()
        for vial, words in enumerate((["law", "lie"], ["peace"], ["truth"], ["advice"]), start=1):
            order = ranked(mind, 24, ["electric"], words)
            for words_, action in game.actions().items():
                assert action == 67 + order.index(words_.split(" ", 2)[2])
            assert labels(game) == [word for word in order if word not in used]
            game.slate_at(vial, order[vial])
            used.add(order[vial])
        game.slate_at(5, labels(game)[0])
    assert game.over


@pytest.mark.rule("M4")
@BOTH
@pytest.mark.parametrize("mode", ["base", "friday", "sunday"])
def test_by_the_list_dreams_are_numbered_for_everyone(make_game: MakeGame, mode: str) -> None:
    game = dreaming(make_game, mode, labels="list")
    dreams = [dream.word for dream in game_dreams(standard_box(), game.setup["themes"])]
    for _ in range(2):
        for vial in range(1, 6):
            for words, action in game.actions().items():
                assert action == 67 + dreams.index(words.split(" ", 2)[2])
            game.slate_at(vial, labels(game)[vial])
    assert game.over


@pytest.mark.rule("M4", "R2")
@BOTH
def test_words_are_the_same_under_both_labels(make_game: MakeGame) -> None:
    assert dreaming(make_game, labels="list").legal() == dreaming(make_game, labels="mind").legal()


@pytest.mark.rule("M3", "M4")
@BOTH
def test_the_same_minds_have_the_same_order_and_no_noise(make_game: MakeGame) -> None:
    game = dreaming(make_game, minds="same")
    first = labels(game)
    expected = ranked(0, 0, ["electric"], ["law", "lie"])
    assert first == [word for word in expected if word in set(first)]
    game.slate(*first[:5])
    assert labels(game) == first


@pytest.mark.rule("M2", "M3", "M4")
@BOTH
@pytest.mark.parametrize("noise", [0, 1, 60, 255])
def test_noise_makes_minds_differ(make_game: MakeGame, noise: int) -> None:
    game = dreaming(make_game, noise=noise)
    orders = []
    for mind in (7, 8):
        found = labels(game)
        expected = ranked(mind, noise, ["electric"], ["law", "lie"])
        assert found == [word for word in expected if word in set(found)]
        orders.append(found)
        game.slate(*found[:5])
    assert (orders[0] == orders[1]) == (noise == 0)


@pytest.mark.rule("M1", "M4")
@BOTH
def test_on_friday_a_dream_keeps_the_numbers_of_its_theme(make_game: MakeGame) -> None:
    """The train is in both themes, so it has those of the first; places count in the whole list."""
    for themes in (["electric", "vehicles"], ["vehicles", "electric"]):
        game = dreaming(make_game, "friday", themes=themes)
        found = labels(game)
        assert "train" in found
        assert found == [w for w in ranked(7, 24, themes, ["law", "lie"]) if w in set(found)]


@pytest.mark.rule("M1", "M4", "R12")
@BOTH
def test_a_written_word_is_a_thought_for_the_minds(make_game: MakeGame) -> None:
    game = make_game("thursday", 2, piles={1: PILE}, themes=["colours"])
    game.play("quill 1", "write rotten").one_each().all_pass()
    found = labels(game)
    expected = ranked(7, 24, ["colours"], ["rotten", "law"])
    assert found == [word for word in expected if word in set(found)]


@pytest.mark.rule("R7", "R8", "R12", "R13", "R15", "M4")
@BOTH
def test_actions_have_the_numbers_of_the_table(make_game: MakeGame) -> None:
    game = make_game("sunday", 2).take(1)
    expected = {f"take {r} into {v}": 5 * (r - 1) + v - 1 for r in range(1, 9) for v in range(1, 6)}
    expected["broom"] = 40
    for start, tool in [(41, "doubt on"), (46, "dust on"), (51, "dust+2 on"), (61, "quill")]:
        expected |= {f"{tool} {vial}": start + vial - 1 for vial in range(1, 6)}
    assert game.actions() == {**expected, "spill 1": 56}
    game.play("quill 5")
    quill = standard_box().quill
    assert game.actions() == {f"write {word}": 67 + k for k, word in enumerate(quill)}
    game.play("write loud", "doubt on 1").take(2, 3, 4)
    assert game.actions()["pass"] == 66
    game.all_pass().slate_at(1, labels(game)[3])
    assert game.actions()["dream 1 none"] == 195

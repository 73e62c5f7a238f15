"""Phase 2, dreams: R15 and R16."""

from __future__ import annotations

import random

import pytest

from dreamfactory_env import FabriqueAReves, IllegalMove
from tests.games.fabrique_a_reves.staging import (
    dream,
    fill,
    legal_starting,
    pass_all,
    play,
    staged,
)


def words_of(game: FabriqueAReves) -> set[str]:
    """Returns the dreams that can be written now."""
    return {words.split(" ", 2)[2] for words in game.legal()}


@pytest.mark.rule("R15")
@pytest.mark.parametrize(("mode", "vials"), [("base", 5), ("wednesday", 4)])
def test_players_fill_whole_slates_one_after_another(mode: str, vials: int) -> None:
    game = pass_all(fill(staged(mode, players=3, first_player=2), *[1] * vials))
    asked = []
    while not game.over:
        move = game.legal()[0]
        asked.append((game.to_move, int(move.split()[1])))
        play(game, move)
    expected = [(seat, vial) for seat in (2, 0, 1) for vial in range(1, vials + 1)]
    assert asked == expected


@pytest.mark.rule("R15")
def test_at_the_flask_there_are_two_answers_and_the_second_may_be_none() -> None:
    game = fill(staged(players=2), 1, 1, 1, 1, 1)
    pass_all(play(game, "doubt on 2"))
    assert "dream 1 none" not in game.legal()
    play(game, game.legal()[0])
    assert "dream 2 none" not in game.legal()
    first = game.legal()[0]
    play(game, first)
    assert game.view(0)["proposal"] == 2
    assert legal_starting(game, "dream 2") == game.legal()
    assert first not in game.legal()
    assert game.legal()[-1] == "dream 2 none"
    assert game.legal_actions()["dream 2 none"] == 195
    play(game, "dream 2 none")
    assert legal_starting(game, "dream 3") == game.legal()
    for _ in range(3):
        play(game, game.legal()[0])
    assert game.to_move == 1


@pytest.mark.rule("R15")
def test_slates_are_secret_until_the_end() -> None:
    game = pass_all(fill(staged(players=2), 1, 1, 1, 1, 1))
    play(game, game.legal()[0])
    assert game.view(1)["players"][0]["slate"] is None
    assert game.view(1)["players"][0]["decided"] == 1
    assert game.view(0)["players"][0]["slate"] is not None
    while not game.over:
        play(game, game.legal()[0])
    assert all(player["slate"] for player in game.view(1)["players"])


@pytest.mark.rule("R16")
def test_a_word_is_not_written_twice_on_one_slate() -> None:
    game = pass_all(fill(staged(players=2, themes=["electric"]), 1, 1, 1, 1, 1))
    play(game, "dream 1 guitar")
    assert "guitar" not in words_of(game)
    assert "train" in words_of(game)
    play(game, "dream 2 train")
    assert not {"guitar", "train"} & words_of(game)
    dream(game, "lamp, robot, radio")
    assert {"guitar", "train"} <= words_of(game)  # another slate


@pytest.mark.rule("R16")
def test_at_the_flask_both_proposals_are_on_the_slate() -> None:
    game = fill(staged(players=2, themes=["electric"]), 1, 1, 1, 1, 1)
    pass_all(play(game, "doubt on 1"))
    play(game, "dream 1 guitar", "dream 1 train")
    assert not {"guitar", "train"} & words_of(game)


@pytest.mark.rule("R16")
def test_words_in_any_vial_and_their_family_may_not_be_dreamt() -> None:
    # Computer is a card and a dream; electricity is of one family with what is called electric.
    piles = [["computer"], ["electricity"], ["string"], ["wagon"], ["bag"]]
    game = staged(players=2, themes=["electric"], piles=piles)
    for number in range(1, 6):
        play(game, f"take {number} into {number}")
    pass_all(game)
    lexicon = game.options.lexicon.lexicon
    lying = [word for vial in game.vials() for word in vial]
    expected = {
        name for name in game.dreams() if not any(lexicon.one_family(name, word) for word in lying)
    }
    assert words_of(game) == expected
    assert not {"computer", "electric car"} & expected
    for _ in range(4):  # the same at the other vials, but for what was written
        play(game, next(iter(game.legal())))
        assert words_of(game) < expected


@pytest.mark.rule("R16")
def test_spilled_words_forbid_nothing_but_others_still_do() -> None:
    piles = [["computer"], ["electricity"], ["string"], ["wagon"], ["bag"]]
    game = staged("tuesday", players=2, themes=["electric"], piles=piles)
    for number in range(1, 6):
        play(game, f"take {number} into {number}")
    play(game, "spill 1", "take 3 into 1")
    pass_all(game)
    assert "computer" in words_of(game)
    assert "electric car" not in words_of(game)


@pytest.mark.rule("R12", "R16")
def test_written_words_forbid_like_cards() -> None:
    lexicon = staged().options.lexicon.lexicon
    word, theme, name = next(
        (word, theme, name)
        for theme in lexicon.themes
        if theme.level == 2
        for name in theme.dreams
        for word in lexicon.quill
        if lexicon.one_family(word, name)
    )
    game = fill(staged("thursday", players=2, themes=[theme.id]), 1, 1, 1, 1)
    play(game, "quill 5", f"write {word}")
    assert name not in words_of(pass_all(game))


@pytest.mark.rule("R16")
@pytest.mark.parametrize("labels", ["mind", "list"])
@pytest.mark.parametrize("mode", ["base", "friday", "sunday"])
def test_what_is_legal_is_just_what_the_families_allow(mode: str, labels: str) -> None:
    rng = random.Random(4)
    for seed in range(3):
        game = FabriqueAReves(2, mode=mode, labels=labels, seed=seed)
        lexicon = game.options.lexicon.lexicon
        while game.phase != "dreams":
            play(game, rng.choice(game.legal()))
        slate: set[str] = set()
        while not game.over:
            if game.state.asked == 0 and game.state.proposal == 0:
                slate = set()
            lying = [word for vial in game.vials() for word in vial]
            expected = {
                name
                for name in set(game.dreams()) - slate
                if not any(lexicon.one_family(name, word) for word in lying)
            }
            assert words_of(game) - {"none"} == expected
            move = rng.choice(game.legal())
            slate.add(move.split(" ", 2)[2])
            play(game, move)


@pytest.mark.rule("R16")
def test_nothing_is_written_if_no_word_is_legal() -> None:
    game = pass_all(fill(staged(players=2), 1, 1, 1, 1, 1))
    game.state.allowed[:] = 0
    assert game.legal() == ["dream 1 none"]
    with pytest.raises(IllegalMove):
        game.play("dream 2 none")
    while not game.over:
        play(game, *game.legal())
    result = game.result()
    assert result is not None
    assert [vial["group"] for vial in result["vials"]] == [0] * 5
    assert result["points"] == 0

"""Text and narration, in both languages: what they say, and what they keep to themselves."""

from __future__ import annotations

from itertools import pairwise

import pytest

from dreamfactory_env import FabriqueAReves
from dreamfactory_env.games.fabrique_a_reves.phrases import MODES, SAID, SCALE, TOOLS
from tests.games.fabrique_a_reves.positions import of_every_phase, positions
from tests.games.fabrique_a_reves.staging import SOME, dream, fill, pass_all, staged


def told(game: FabriqueAReves, actions: list[int], viewer: int | None) -> str:
    return "\n".join(line.text for line in game.copy().narrate(iter(actions), viewer))


def test_everything_is_said_in_both_languages() -> None:
    for table in (SAID, MODES, TOOLS):
        assert set(table["en"]) == set(table["fr"])
        assert all(table["en"].values())
        assert all(table["fr"].values())
    assert len(SCALE["en"]) == len(SCALE["fr"]) == 6
    for key, english in SAID["en"].items():
        named = [part.partition("}")[0] for part in english.split("{")[1:]]
        french = [part.partition("}")[0] for part in SAID["fr"][key].split("{")[1:]]
        assert sorted(named) == sorted(french), key


@pytest.mark.parametrize(
    ("language", "phase", "words"),
    [
        ("en", "thoughts", "takes a thought, uses a tool, or passes."),
        ("en", "quill", "writes a word for vial 4."),
        ("en", "dreams", "may dream of vial 2 a second time."),
        ("fr", "thoughts", "prend une pensée, utilise un outil ou passe."),
        ("fr", "quill", "écrit un mot pour la fiole 4."),
        ("fr", "dreams", "peut rêver une seconde fois de la fiole 2."),
    ],
)
def test_each_phase_says_what_is_decided(language: str, phase: str, words: str) -> None:
    game = of_every_phase(language)[phase]
    assert words in game.text(game.to_move)
    assert words in str(game)


def test_the_text_has_words_tokens_thoughts_and_moves() -> None:
    game = of_every_phase()["thoughts"]
    text = game.text(game.to_move)
    for vial in game.vials():
        for word in vial:
            assert f"{word} (" in text
    assert "fairy dust +2" in text
    assert "you think of" in text
    assert "you may play 0: take 1 into" not in text  # the first vial is full
    assert "1: take 1 into 2" in text


def test_moves_of_another_language_have_the_word_behind_them() -> None:
    game = of_every_phase("fr")["quill"]
    name = game.options.lexicon.lexicon.quill[0]
    french = game.options.lexicon.lexicon.word(name).french
    assert f"67: write {name} [{french}]" in game.text(game.to_move)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["13 points: won, gifted", "3 of 3 dreamt guitar, 3 points", "nothing in common"]),
        ("fr", ["13 points : gagné, doués", "3 sur 3 ont rêvé guitare, 3 points", "rien en"]),
    ],
)
def test_the_end_says_what_each_vial_has_scored(language: str, words: list[str]) -> None:
    piles = [["instrument", "string"], ["journey", "wagon", "steam"], ["money", "coin", "bag"]]
    game = staged(players=3, themes=["electric"], piles=piles, language=language)
    for reservoir, count in ((1, 2), (2, 3), (3, 3)):
        for _ in range(count):
            game.play(f"take {reservoir} into {reservoir}")
    game.play("dust on 4")
    pass_all(fill(game, 0, 0, 0, 2, 1))
    dream(game, "guitar, train, bitcoin, lamp, robot", "guitar, train, bitcoin, lamp, radio")
    dream(game, "guitar, train, bitcoin, oven, lift")
    for said in words:
        assert said in game.text(0)
        assert said in told(game, [], 0)


@pytest.mark.parametrize(("mode", "players"), SOME)
def test_a_narration_tells_every_move_and_no_secret(mode: str, players: int) -> None:
    games = positions(mode, players)
    actions = []
    for before, after in pairwise(games):
        for number in before.legal_actions().values():
            if before.copy().play(number) == after:
                actions.append(number)
                break
    everything = told(games[0], actions, None)
    seats = [told(games[0], actions, seat) for seat in range(players)]
    words_named = sum(action >= 67 for action in actions)
    assert everything.count(" dreams of vial") + everything.count(" writes ") == words_named
    for seat, text in enumerate(seats):
        for line in text.split("\n"):
            if "dreams of vial" in line and f"player {seat} " not in line:
                assert ":" not in line
    assert len(set(seats)) == players

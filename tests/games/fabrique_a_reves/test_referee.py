"""The engine and the referee play the same games, side by side."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from dreamfactory_env.records.format import make_record, replay
from tests.games.fabrique_a_reves.referee import (
    HABITS,
    Referee,
    check_record,
    choose,
    longest,
    random_playout,
)
from tests.games.fabrique_a_reves.rule_staging import (
    ENGINE,
    EVERY_COUNT,
    EVERY_MODE,
    make_config,
    make_setup,
)

pytestmark = pytest.mark.skipif(ENGINE is None, reason="there is no engine yet")
EACH_GAME = pytest.mark.parametrize(
    ("mode", "players"), [(mode, players) for mode in EVERY_MODE for players in EVERY_COUNT]
)
#: Minds, noise and labels of games, one after the other.
KINDS: list[dict[str, Any]] = [
    {},
    {"labels": "list"},
    {"minds": "same"},
    {"noise": 100},
    {"noise": 255, "labels": "list"},
]


def engine_game(mode: str, players: int, seed: int, **options: Any) -> Any:
    """Returns a game that the engine has dealt, but for its themes.

    Those are always the same, since the referee takes a while to learn the meanings of a theme.
    """
    config = make_config(mode, players, **options)
    setup = ENGINE.from_config(config, seed=seed).setup()
    themes = make_setup(config, drawn=[])["themes"]
    return ENGINE.from_setup(config, {**setup, "themes": themes})


def side_by_side(mode: str, players: int, seed: int) -> Iterator[tuple[Any, Referee]]:
    """Yields the engine's game and the referee's in every position of a game at random."""
    number = seed + players + EVERY_MODE.index(mode)
    kind, habit = KINDS[number % len(KINDS)], HABITS[list(HABITS)[number // 2 % len(HABITS)]]
    rng = random.Random(f"{mode} {players} {seed}")
    game = engine_game(mode, players, seed, **kind)
    referee = Referee(game.config(), game.setup())
    yield game, referee
    while not referee.over:
        words = choose(referee.legal(), habit, rng)
        game.play(words)
        referee.play(words)
        yield game, referee


@pytest.mark.rule("R6", "R7", "R8", "R13", "R15", "R16", "M4")
@EACH_GAME
def test_engine_and_referee_agree_on_every_position(mode: str, players: int) -> None:
    for seed in range(2):
        positions = 0
        for game, referee in side_by_side(mode, players, seed):
            assert game.to_move == referee.to_move
            assert game.over == referee.over
            assert game.legal_actions() == {
                words: referee.action(words) for words in referee.legal()
            }
            positions += 1
        assert positions - 1 <= min(longest(players, mode), game.spec.max_length)
        # Compared as text, so that 1, 1.0 and True differ.
        told, true = (json.dumps(each.result(), sort_keys=True) for each in (game, referee))
        assert told == true
        assert game.winners() == referee.result()["winners"]
        assert game.scores() == referee.result()["scores"]


@EACH_GAME
def test_the_referee_confirms_the_records_of_the_engine(mode: str, players: int) -> None:
    """With the themes that the engine draws, and labels whose order needs no meanings."""
    start = ENGINE.from_config(make_config(mode, players, labels="list"), seed=players)
    game, rng = start.copy(), random.Random(mode)
    actions = []
    while not game.over:
        legal = game.legal_actions()
        words = choose(list(legal), HABITS["any"], rng)
        actions.append(legal[words])
        game.play(words)
    record = make_record(start, actions, ["random"] * players)
    assert check_record(record) == []
    assert replay(record) == game


@EACH_GAME
def test_the_engine_replays_the_games_of_the_referee(mode: str, players: int) -> None:
    rng = random.Random(f"{mode} {players}")
    assert replay(random_playout(make_config(mode, players, labels="list"), rng)).over


# ---------------------------------------------------------------------------- what is seen


def engine_sees(game: Any, seat: int) -> dict[str, Any]:
    """Returns what the engine shows a seat, as ``Referee.sees`` says it."""
    view = game.view(seat)
    return {
        "phase": view["phase"],
        "to_move": view["to_move"],
        "first_player": view["first_player"],
        "themes": [theme["id"] for theme in view["themes"]],
        "aim": view["aim"],
        "tools": view["tools"],
        "passed": [player["passed"] for player in view["players"]],
        "vials": [
            {
                "words": [word["word"] for word in vial["words"]],
                "by": [word["player"] for word in vial["words"]],
                "token": vial["token"],
            }
            for vial in view["vials"]
        ],
        "tops": [_word(reservoir["top"]) for reservoir in view["reservoirs"]],
        "cards": [reservoir["left"] for reservoir in view["reservoirs"]],
        "slates": [
            player["slate"] and [[_word(each) for each in words] for words in player["slate"]]
            for player in view["players"]
        ],
    }


def _word(shown: dict[str, Any] | None) -> str | None:
    return None if shown is None else shown["word"]


def referee_sees(referee: Referee, seat: int) -> dict[str, Any]:
    """Returns what the referee shows a seat, with what the engine does not show left out."""
    seen = referee.sees(seat)
    del seen["minds"]  # through which all associations of a view go
    reservoirs = seen.pop("reservoirs")
    tops = [reservoir["top"] for reservoir in reservoirs]
    return {**seen, "tops": tops, "cards": [reservoir["cards"] for reservoir in reservoirs]}


def closest(referee: Referee, seat: int, number: int) -> list[tuple[str, int]]:
    """Returns the three dreams closest to a vial's words that a seat could write, with their sums.

    R16: no word that lies in a vial forbids them, and they are not on its slate.
    """
    p = referee.position
    words, noise = p.vials[number].words, referee.config["noise"]
    written = {word for words in p.slates[seat].values() for word in words}
    allowed = set(p.allowed_dreams()) - written
    sums = referee.meanings.sums(p.minds[seat], noise, p.dreams, words) if words else []
    ranked = sorted((-each, k) for k, each in enumerate(sums) if p.dreams[k].word in allowed)
    return [(p.dreams[k].word, -each) for each, k in ranked[:3]]


@pytest.mark.rule("R3", "R15")
@EACH_GAME
def test_engine_and_referee_show_every_seat_the_same(mode: str, players: int) -> None:
    for number, (game, referee) in enumerate(side_by_side(mode, players, 4)):
        if number % 3 and not referee.over:
            continue
        for seat in range(players):
            assert engine_sees(game, seat) == referee_sees(referee, seat)
            legal = game.view(seat)["legal"]
            assert legal == (game.legal_actions() if seat == game.to_move else {})


@pytest.mark.rule("M1", "M2")
@pytest.mark.parametrize("mode", EVERY_MODE)
def test_a_view_shows_the_dreams_that_are_closest_by_the_own_mind(mode: str) -> None:
    for number, (game, referee) in enumerate(side_by_side(mode, 2, 5)):
        if number % 5:
            continue
        for seat in range(2):
            for vial in game.view(seat)["vials"]:
                shown = [(each["word"], each["sum"]) for each in vial["closest"]]
                assert shown == closest(referee, seat, vial["number"])

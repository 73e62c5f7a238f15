"""The game object: playing by words, errors, copies, comparison, saving."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dreamfactory_env import (
    ComponentsError,
    DreamFactory,
    GameError,
    IllegalMove,
    OptionError,
    RecordError,
    SavedStateError,
)
from tests.games.dream_factory.staging import give, lay, stacked


def some_positions() -> list[DreamFactory]:
    """Returns positions of every phase."""
    found: dict[str, DreamFactory] = {}
    game = DreamFactory(3, seed=5, choose_studio=True, edition="traumfabrik")
    rng = random.Random(5)
    while not game.over:
        found.setdefault(game.phase, game.copy())
        game.play(rng.choice(game.legal()))
    found["over"] = game
    assert sorted(found) == ["auction", "over", "party", "placing", "studio"]
    return list(found.values())


POSITIONS = some_positions()
PHASES = [game.phase for game in POSITIONS]


def test_a_game_can_be_read_and_played_in_words() -> None:
    game = DreamFactory(players=4, seed=7)
    assert game.legal()[:3] == ["pass", "bid 0", "bid 1"]
    assert game.play("bid 3") is game
    assert game.films(2)[0].genre == "drama"
    assert "auction: player" in str(game)
    assert repr(game) == "<DreamFactory, 4 players, seed 7: auction>"


def test_words_and_actions_name_the_same_moves() -> None:
    for game in POSITIONS:
        for words, action in game.legal_actions().items():
            assert game.copy().play(words) == game.copy().play(action)
            assert game.copy().play(words) == game.copy().play(np.int32(action))  # type: ignore[arg-type]


def test_blanks_around_words_do_not_matter() -> None:
    game = DreamFactory(seed=7)
    assert game.copy().play("  bid   3 ") == game.copy().play("bid 3")


MALFORMED: list[Any] = [
    "", "bid", "bid x", "bid -1", "bid 13", "BID 3", "bid 3 4", "pass now", "pick actor 2", "place",
    "place actor 2 on Casablanca", "place actor 2 on /", "discard", "studio 6", "decline now", "💥",
    -1, 120, 10**30, 1.0, True, None, ["bid 3"], b"bid 3", np.float64(1.0), object(),
]  # fmt: skip


@pytest.mark.parametrize("game", POSITIONS, ids=PHASES)
def test_a_move_that_is_none_raises_and_changes_nothing(game: DreamFactory) -> None:
    before = game.states.tobytes()
    legal = set(game.legal())
    for move in MALFORMED:
        if isinstance(move, str) and move in legal:
            continue
        with pytest.raises(IllegalMove) as caught:
            game.play(move)
        assert game.states.tobytes() == before
        assert caught.value.move is move
        assert caught.value.phase == game.phase
        assert set(caught.value.legal) == legal
        assert repr(move) in str(caught.value)


def test_an_illegal_move_names_move_phase_player_and_what_would_be_legal() -> None:
    game = stacked(first_player=1).play("bid 3")
    with pytest.raises(IllegalMove) as caught:
        game.play("bid 3")
    assert str(caught.value) == (
        "'bid 3' is not legal for player 2 in the auction phase; legal: pass, bid 4 to bid 12"
    )


def test_after_the_end_nothing_can_be_played() -> None:
    game = POSITIONS[PHASES.index("over")]
    assert game.legal() == []
    with pytest.raises(IllegalMove, match="the game is over"):
        game.play("pass")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 1}, "players must be 2 to 5, not 1"),
        ({"players": 6}, "players must be 2 to 5, not 6"),
        ({"players": 4.0}, "players must be 2 to 5, not 4.0"),
        ({"players": True}, "players must be 2 to 5, not True"),
        ({"players": "4"}, "players must be 2 to 5, not '4'"),
        ({"seed": -1}, "seed must be a whole number from 0 to 2"),
        ({"seed": 2**63}, "seed must be a whole number from 0 to 2"),
        ({"seed": 1.5}, "seed must be a whole number from 0 to 2"),
        ({"seed": "x"}, "seed must be a whole number from 0 to 2"),
        ({"edition": "traumfabrick"}, "did you mean 'traumfabrik'"),
        ({"edition": None}, "edition must be one of dream_factory, traumfabrik, not None"),
        ({"hidden_money": "sometimes"}, "hidden_money must be one of rule, never, always"),
        ({"choose_studio": "yes"}, "choose_studio must be True or False, not 'yes'"),
        ({"choose_studio": 1}, "choose_studio must be True or False, not 1"),
    ],
)
def test_options_out_of_range_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        DreamFactory(**options)


def test_films_of_somebody_who_does_not_play_are_refused() -> None:
    for player in (-1, 4, "1", None):
        with pytest.raises(OptionError, match="there are players 0 to 3, not"):
            DreamFactory(4, seed=1).films(player)  # type: ignore[arg-type]


def test_a_film_that_is_none_is_refused() -> None:
    for number in (-1, 22, "1", None):
        with pytest.raises(OptionError, match="there are screenplays 0 to 21, not"):
            DreamFactory(4, seed=1).film(number)  # type: ignore[arg-type]


def test_seeds_of_any_whole_kind_mean_the_same() -> None:
    assert DreamFactory(seed=5) == DreamFactory(seed=np.int64(5))  # type: ignore[arg-type]
    assert DreamFactory(seed=5) != DreamFactory(seed=6)


def test_without_a_seed_every_game_is_another_and_its_seed_repeats_it() -> None:
    games = {DreamFactory() for _ in range(20)}
    assert len(games) == 20
    assert all(DreamFactory(seed=game.seed) == game for game in games)


def test_a_seed_means_the_same_shuffles_whatever_the_options() -> None:
    decks = {
        tuple(DreamFactory(players, seed=3, edition=edition, choose_studio=choose).setup()["deck"])
        for players in (2, 5)
        for edition in ("dream_factory", "traumfabrik")
        for choose in (False, True)
    }
    assert len(decks) == 1


COPIES: dict[str, Callable[[DreamFactory], DreamFactory]] = {
    "copy": DreamFactory.copy,
    "copy.copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda game: pickle.loads(pickle.dumps(game)),
    "save": lambda game: DreamFactory.load(game.save()),
}


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("game", POSITIONS, ids=PHASES)
def test_copies_are_equal_and_apart(game: DreamFactory, how: str) -> None:
    other = COPIES[how](game)
    assert other == game
    assert hash(other) == hash(game)
    assert other.fingerprint() == game.fingerprint()
    before = game.states.tobytes()
    rng = random.Random(1)
    while not other.over:
        other.play(rng.choice(other.legal()))
    assert game.states.tobytes() == before


def test_games_with_other_options_differ() -> None:
    games = [
        DreamFactory(seed=1),
        DreamFactory(seed=1, edition="traumfabrik"),
        DreamFactory(seed=1, hidden_money="never"),
        DreamFactory(seed=1, choose_studio=True),
        DreamFactory(3, seed=1),
    ]
    assert len(set(games)) == len({game.fingerprint() for game in games}) == 5
    assert games[0] != "a game"


def test_every_byte_of_a_saved_position_is_guarded() -> None:
    blob = POSITIONS[0].save()
    for place in range(len(blob)):
        broken = bytearray(blob)
        broken[place] ^= 1
        with pytest.raises(SavedStateError):
            DreamFactory.load(bytes(broken))


def test_every_truncation_of_a_saved_position_is_refused() -> None:
    blob = POSITIONS[0].save()
    for length in range(len(blob)):
        with pytest.raises(SavedStateError, match=r"only a piece|cut off"):
            DreamFactory.load(blob[:length])


@pytest.mark.parametrize("foreign", [b"", b"PK\x03\x04" * 50, b"{}", bytes(1000), b"dreamfac" * 90])
def test_foreign_bytes_are_refused(foreign: bytes) -> None:
    with pytest.raises(SavedStateError, match=r"not a saved position|damaged"):
        DreamFactory.load(foreign)


@pytest.mark.parametrize("foreign", [None, "dreamfac", 7, [1, 2]])
def test_what_is_not_even_bytes_is_refused(foreign: Any) -> None:
    with pytest.raises(SavedStateError, match="a saved position is bytes, not"):
        DreamFactory.load(foreign)


def test_a_position_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    blob = DreamFactory(seed=1).save()
    monkeypatch.setattr(DreamFactory, "spec", replace(DreamFactory.spec, version="v1"))
    with pytest.raises(SavedStateError, match="dream_factory v0, not of dream_factory v1"):
        DreamFactory.load(blob)


@pytest.mark.parametrize(
    "error",
    [
        IllegalMove("no", "bid 3", "auction", ["pass"]),
        ComponentsError("my_box.yaml", ["line 3: wrong", "line 4: wrong"]),
        RecordError("wrong", 7),
        RecordError("wrong"),
        OptionError("players must be 2 to 5"),
        SavedStateError("damaged"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_are_value_errors_that_can_be_sent_between_processes(error: GameError) -> None:
    assert isinstance(error, GameError)
    assert isinstance(error, ValueError)
    other = pickle.loads(pickle.dumps(error))
    assert type(other) is type(error)
    assert str(other) == str(error)
    assert vars(other) == vars(error)


def test_a_film_tells_what_lies_on_it() -> None:
    game = give(stacked(studios=[3, 1, 2, 4]), 0, "guest 3")
    lay(game, "Casablanca", director="director 4", blank="music 2")
    film = game.films(0)[0]
    assert (film.title, film.owner, film.printed, film.stars) == ("Casablanca", 0, 3, 9)
    assert film.spaces == {
        "director": "director 4",
        "actor": "-",
        "camera": "-",
        "music": "-",
        "blank": "music 2",
        "guest": "-",
    }
    assert (film.finished, film.token, film.awards) == (False, None, ())


def test_the_printed_table_shows_all_that_is_on_it() -> None:
    game = stacked({(1, "City 1"): ["actor 2", "music 0"]}, pile=["Bambi"], first_player=2)
    text = str(game.play("bid 3"))
    for part in [
        "Round 1, Hollywood, auction: player 3 to move.",
        "for sale: director 4; bids: 0: -, 1: -, 2: 3, 3: -",
        "City 1: actor 2, music 0",
        "Party 1: face down",
        "pile: Bambi on top of 6; middle: 0",
        "player 2: studio 3, money 12, red 0, points 12, first player",
        "Vertigo (drama, 5): director: -, actor: -, camera: -, music: - = 5",
    ]:
        assert part in text

"""La Fabrique à rêves keeps the contract of all games, compiled or not; words, options, records."""

from __future__ import annotations

import json
import random
from typing import Any

import gymnasium
import pytest

from dreamfactory_env import (
    FabriqueAReves,
    IllegalMove,
    OptionError,
    RecordError,
    fabrique_a_reves_v0,
)
from dreamfactory_env.games.fabrique_a_reves.state import STATE
from dreamfactory_env.records.simulation import simulate
from dreamfactory_env.testing import check_game
from tests.engine.test_compiled import run
from tests.games.fabrique_a_reves.staging import OPTIONS, play, random_moves, staged
from tests.games.fabrique_a_reves.trace import FEW, FEWER, trace


@pytest.mark.parametrize("options", FEW, ids=lambda o: " ".join(map(str, o.values())))
def test_the_game_keeps_the_contract(options: dict[str, Any]) -> None:
    check_game(FabriqueAReves, games=1, seed=5, **options)


@pytest.mark.parametrize("setting", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
def test_uncompiled_and_bounds_checked_runs_play_the_same_bit_for_bit(setting: str) -> None:
    module = "tests.games.fabrique_a_reves.trace"
    printed = run("-m", module, "1", "7", "few", environment={setting: "1", "PYTHONHASHSEED": "3"})
    assert json.loads(printed) == {json.dumps(options): trace(options, 1, 7) for options in FEWER}


def test_a_state_is_small() -> None:
    assert STATE.itemsize <= 1024


def test_the_tables_of_the_words_are_the_same_for_all_games() -> None:
    games = [FabriqueAReves(2, mode=mode, seed=1) for mode in ("base", "friday", "sunday")]
    assert len({id(game.params) for game in games}) == 1
    assert not games[0].params.flags.writeable


# ---------------------------------------------------------------------------- words


def test_action_numbers_are_those_of_the_rules() -> None:
    game = staged("sunday", themes=[])
    legal = game.legal_actions()
    assert legal["take 1 into 1"] == 0
    assert legal["take 8 into 5"] == 39
    assert legal["broom"] == 40
    assert [legal[f"doubt on {vial}"] for vial in (1, 5)] == [41, 45]
    assert [legal[f"dust on {vial}"] for vial in (1, 5)] == [46, 50]
    assert [legal[f"dust+2 on {vial}"] for vial in (1, 5)] == [51, 55]
    assert [legal[f"quill {vial}"] for vial in (1, 5)] == [61, 65]
    play(game, "take 1 into 1", "take 1 into 5")
    legal = game.legal_actions()
    assert [legal[f"spill {vial}"] for vial in (1, 5)] == [56, 60]
    play(game, "take 1 into 2", "take 1 into 3", "take 1 into 4")
    assert game.legal_actions()["pass"] == 66
    assert game.spec.num_actions == 196
    assert game.spec.observation.size == 1581


def test_an_illegal_move_is_refused_with_what_is_legal() -> None:
    game = staged(players=2)
    with pytest.raises(IllegalMove, match=r"'pass' is not legal for player 0 in the thoughts"):
        game.play("pass")
    with pytest.raises(IllegalMove, match="legal: take 1 into 1, take 1 into 2"):
        game.play("dream 1 guitar")


# ---------------------------------------------------------------------------- options, records


def test_wrong_options_are_refused() -> None:
    with pytest.raises(OptionError, match="mode must be one of base, monday"):
        fabrique_a_reves_v0.env(mode="mondays")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="players must be 2 to 5, not 6"):
        FabriqueAReves(6)
    with pytest.raises(OptionError, match="offers no shaping"):
        fabrique_a_reves_v0.env(shaping=0.5)


def test_the_config_is_that_of_the_records_page() -> None:
    assert FabriqueAReves(3, seed=1).config() == {
        "players": 3,
        "mode": "base",
        "level": 1,
        "tools": None,
        "minds": "noisy",
        "noise": 24,
        "labels": "mind",
        "lexicon": "fabrique",
    }
    friday = FabriqueAReves(2, mode="friday", minds="same", language="fr", seed=1).config()
    assert (friday["level"], friday["noise"], friday["language"]) == (None, 0, "fr")
    assert FabriqueAReves(mode="variant", level=3, seed=1).config()["tools"] == "drawn"


@pytest.mark.parametrize(("mode", "players"), OPTIONS)
def test_records_say_what_their_page_says(mode: str, players: int) -> None:
    game = FabriqueAReves(players, mode=mode, seed=0)
    (record,) = simulate(game, ["random"], 1, players)
    setup, result = record["setup"], record["result"]
    assert list(setup) == ["first_player", "themes", "tools", "reservoirs", "minds"]
    assert list(result) == ["scores", "winners", "points", "scale", "aim", "vials"]
    assert result["scores"] == [result["points"]] * players
    assert result["points"] == sum(vial["points"] for vial in result["vials"])
    for vial in result["vials"]:
        assert list(vial) == ["cards", "token", "group", "dream", "points"]
    starts = {words.split()[0] for _, _, words in record["moves"]}
    verbs = {"take", "broom", "doubt", "dust", "dust+2", "spill", "quill", "write", "pass", "dream"}
    assert starts <= verbs
    again = FabriqueAReves.from_setup(record["config"], json.loads(json.dumps(setup)))
    for seat, action, words in record["moves"]:
        assert (again.to_move, again.legal_actions()[words]) == (seat, action)
        again.play(words)
    assert again.result() == result


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"first_player": 3}, "first_player must be 0 to 2, not 3"),
        ({"themes": ["electric", "space"]}, "themes must be 1, not 2"),
        ({"themes": ["electrik"]}, "'electrik', which is not in the game; did you mean 'electric'"),
        ({"tools": ["broom", "doubt"]}, r"tools must be \['broom', 'doubt', 'dust'\]"),
        ({"tools": ["doubt", "broom", "dust"]}, "tools must be in the order broom"),
        ({"reservoirs": []}, "reservoirs must be 8 lists, not 0"),
        ({"minds": [1, 2]}, "minds must be 3, not 2"),
        ({"minds": [1, 2, 2**53]}, r"minds\[2\] must be a whole number below 2\*\*53"),
        ({"minds": 7}, "minds must be a list, not 7"),
        ({"seats": 1}, "just the keys first_player, themes, tools, reservoirs, minds"),
    ],
)
def test_a_set_up_that_nobody_can_have_dealt_is_refused(
    changes: dict[str, Any], message: str
) -> None:
    game = FabriqueAReves(3, seed=1)
    with pytest.raises(RecordError, match=message):
        FabriqueAReves.from_setup(game.config(), game.setup() | changes)


@pytest.mark.parametrize(
    ("pile", "place", "card", "message"),
    [
        (0, 24, None, r"reservoirs\[0\] must be a list of 25 cards, not 24"),
        (1, 3, "first", r"reservoirs\[1\]\[3\] is the card '.*', as is reservoirs\[0\]\[0\]"),
        (2, 0, "king", r"reservoirs\[2\]\[0\] is 'king'"),
    ],
)
def test_reservoirs_with_wrong_cards_are_refused(
    pile: int, place: int, card: str | None, message: str
) -> None:
    game = FabriqueAReves(3, seed=1)
    setup = game.setup()
    if card is None:
        del setup["reservoirs"][pile][place]
    else:
        first = setup["reservoirs"][0][0]
        setup["reservoirs"][pile][place] = first if card == "first" else card
    with pytest.raises(RecordError, match=message):
        FabriqueAReves.from_setup(game.config(), setup)


def test_a_variant_from_a_record_has_three_drawn_tools() -> None:
    game = FabriqueAReves(mode="variant", seed=1)
    with pytest.raises(RecordError, match="tools must be 3"):
        FabriqueAReves.from_setup(game.config(), game.setup() | {"tools": ["broom"]})


# ---------------------------------------------------------------------------- environments


@pytest.mark.parametrize(
    ("options", "key", "written"),
    [
        ({"mode": "variant"}, "level", None),
        ({"mode": "base"}, "level", None),
        ({"mode": "variant"}, "tools", None),
        (
            {"mode": "variant", "tools": ["broom", "dust", "quill"]},
            "tools",
            ["quill", "broom", "dust"],
        ),
        ({"minds": "same"}, "noise", 24),
    ],
)
def test_a_record_that_leaves_open_what_was_settled_is_refused(
    options: dict[str, Any], key: str, written: Any
) -> None:
    game = FabriqueAReves(3, seed=1, **options)
    assert FabriqueAReves.from_setup(game.config(), game.setup()).setup() == game.setup()
    config = {**game.config(), key: written}
    with pytest.raises(OptionError, match=f"config: {key} must be .* here, not"):
        FabriqueAReves.from_setup(config, game.setup())
    with pytest.raises(OptionError, match=f"config: {key} must be .* here, not"):
        FabriqueAReves.from_config(config, seed=1)


def test_gymnasium_makes_it() -> None:
    env = gymnasium.make("FabriqueAReves-v0", partners="nearest", mode="monday", reward="score")
    _, info = env.reset(seed=3)
    rng = random.Random(0)
    done, total = False, 0.0
    while not done:
        mask = info["action_mask"]
        action = rng.choice([k for k, legal in enumerate(mask) if legal])
        _, reward, done, _, info = env.step(action)
        total += float(reward)
    assert 0 <= total <= 1.15


def test_equal_games_in_other_languages_are_told_apart_by_their_config() -> None:
    english, french = (FabriqueAReves(language=code, seed=3) for code in ("en", "fr"))
    assert english.setup() == french.setup()
    assert english != french
    for _ in random_moves(french, random.Random(1)):
        pass
    assert FabriqueAReves.load(french.save()) == french

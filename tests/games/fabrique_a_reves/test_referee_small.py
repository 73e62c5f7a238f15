"""Small lexicons, in which cards, dreams and turns run out, with the referee and the engine."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from tests.games.fabrique_a_reves.referee import HABITS, Referee, choose
from tests.games.fabrique_a_reves.referee_setup import random_setup
from tests.games.fabrique_a_reves.rule_staging import (
    ENGINE,
    EVERY_COUNT,
    EVERY_MODE,
    Opener,
    Table,
    make_config,
    open_engine,
)
from tests.games.fabrique_a_reves.small_lexicons import (
    DREAMS,
    engine_config,
    random_document,
    read_meanings,
    tiny_document,
    write_lexicon,
)

ENGINE_ONLY = pytest.mark.skipif(ENGINE is None, reason="there is no engine yet")
BOTH = pytest.mark.parametrize(
    "tiny",
    ["referee", pytest.param("engine", marks=ENGINE_ONLY)],
    indirect=True,
)


class Tiny:
    """Makes games with two cards, string and coin on top of reservoirs 1 and 2."""

    def __init__(self, path: Path, by_engine: bool) -> None:
        self.path = path
        self.by_engine = by_engine
        self.meanings = read_meanings(path)

    def __call__(self, mode: str = "base", players: int = 2, **options: Any) -> Table:
        config = make_config(mode, players, lexicon="tiny", **options)
        setup = random_setup(config, self.meanings.box, random.Random(1))
        setup["reservoirs"][:2] = [["string/king"], ["coin/apple"]]
        setup["first_player"] = 0
        opener: Opener = lambda config, setup: Referee(config, setup, self.meanings)  # noqa: E731
        if self.by_engine:
            opener, config = open_engine, engine_config(config, self.path)
        return Table(opener, config, setup)


@pytest.fixture
def tiny(request: pytest.FixtureRequest, tmp_path: Path) -> Tiny:
    return Tiny(write_lexicon(tmp_path, tiny_document()), request.param == "engine")


@pytest.mark.rule("R3", "R7", "R9")
@BOTH
def test_an_empty_reservoir_stays_empty(tiny: Tiny) -> None:
    game = tiny()
    assert "take 3 into 1" not in game.legal()
    game.play("take 2 into 3")
    assert game.offers("take 1 into") == {"1", "2", "3", "4", "5"}
    assert not any(words.startswith("take 2") for words in game.legal())
    assert "broom" in game.legal()
    tokens = {f"{tool} on {vial}" for tool in ("doubt", "dust") for vial in range(1, 6)}
    assert game.play("take 1 into 3").legal() == tokens  # neither card nor broom nor pass
    assert tiny().play("broom").legal() == tokens


@pytest.mark.rule("R13")
@BOTH
def test_who_can_do_nothing_else_passes(tiny: Tiny) -> None:
    game = tiny().play("broom", "doubt on 1", "dust on 2")
    assert game.legal() == {"pass"}
    assert game.play("pass").legal() == {"pass"}
    assert all(words.startswith("dream 1 ") for words in game.play("pass").legal())


@pytest.mark.rule("R11", "R13")
@BOTH
def test_who_could_still_use_a_tool_does_not_pass_while_a_vial_is_empty(tiny: Tiny) -> None:
    game = tiny("variant", tools=["broom", "doubt", "spill"])
    game.play("take 1 into 1", "take 2 into 2", "doubt on 3")
    assert game.legal() == {"spill 1", "spill 2"}
    assert game.play("spill 1").legal() == {"pass"}


@pytest.mark.rule("R15", "R16", "R17")
@BOTH
def test_if_no_word_is_legal_none_is(tiny: Tiny) -> None:
    game = tiny("variant", tools=["broom", "doubt", "quill"])
    game.play("quill 1", "write bread", "doubt on 4", "take 1 into 2", "broom").all_pass()
    assert game.dreams() == {"electric car", "bitcoin", "lawyer"}  # bread forbids the toaster
    game.slate("bitcoin", "lawyer")
    assert game.legal() == {"dream 3 electric car"}
    assert game.play("dream 3 electric car").legal() == {"dream 4 none"}
    assert game.play("dream 4 none").legal() == {"dream 4 none"}  # the second at the flask
    assert game.play("dream 4 none").legal() == {"dream 5 none"}
    assert game.play("dream 5 none").dreams() == {"electric car", "bitcoin", "lawyer"}
    game.slate("lawyer", "bitcoin", "electric car", "none,none", "none")
    assert [vial["group"] for vial in game.result()["vials"]] == [1, 1, 2, 0, 0]
    assert game.result()["points"] == 0  # no word in the third


@pytest.mark.rule("R18", "R19")
@BOTH
def test_a_lexicon_may_score_otherwise(tiny: Tiny) -> None:
    game = tiny("variant", tools=["doubt", "dust", "dust+2"])
    game.play("take 1 into 1", "take 2 into 1", "dust on 2", "dust+2 on 1", "doubt on 5").all_pass()
    for _ in range(2):
        game.slate("bitcoin", "lawyer", "toaster", "electric car", "none,none")
    vials = game.result()["vials"]
    assert [vial["points"] for vial in vials] == [8 + 2, 0, 0, 0, 0]
    assert [vial["dream"] for vial in vials] == ["bitcoin", None, None, None, None]
    assert [vial["group"] for vial in vials] == [2, 2, 2, 2, 0]


@pytest.mark.rule("R18", "R19")
@BOTH
@pytest.mark.parametrize(("group", "points"), [(1, 0), (2, 1), (3, 1)])
def test_a_vial_without_words_scores_one_point(tiny: Tiny, group: int, points: int) -> None:
    game = tiny("base", 3).play("broom", "doubt on 1", "dust on 2").all_pass()
    for second in ["lawyer"] * group + ["toaster", "electric car"][: 3 - group]:
        others = [word for word in DREAMS if word != second]
        game.slate(f"{others.pop()},none", second, others.pop(), others.pop(), "none")
    assert game.vial(2) == {
        "cards": 0,
        "token": "dust",
        "group": group,
        "dream": "lawyer" if points else None,
        "points": 2 * points,
    }


@ENGINE_ONLY
@pytest.mark.parametrize("seed", range(6))
def test_engine_and_referee_agree_where_everything_is_scarce(seed: int, tmp_path: Path) -> None:
    path = write_lexicon(tmp_path, random_document(seed))
    meanings = read_meanings(path)
    rng = random.Random(seed)
    for mode in EVERY_MODE:
        players = rng.choice(EVERY_COUNT)
        labels = rng.choice(["mind", "list"])
        config = make_config(mode, players, lexicon=meanings.box.name, labels=labels)
        game = ENGINE.from_config(engine_config(config, path), seed=seed)
        referee = Referee(config, game.setup(), meanings)
        habit = HABITS[rng.choice(list(HABITS))]
        while not referee.over:
            actions = {words: referee.action(words) for words in referee.legal()}
            assert (game.to_move, game.legal_actions()) == (referee.to_move, actions)
            words = choose(referee.legal(), habit, rng)
            game.play(words)
            referee.play(words)
        assert game.over
        assert game.result() == referee.result()

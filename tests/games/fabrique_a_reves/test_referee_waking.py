"""Dreams and waking, R15 to R20, with the referee and with the engine; the printed example."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.fabrique_a_reves.referee_words import game_dreams, standard_box
from tests.games.fabrique_a_reves.rule_staging import (
    BOTH,
    EVERY_COUNT,
    EVERY_MODE,
    MakeGame,
    Table,
)

EACH_COUNT = pytest.mark.parametrize("players", EVERY_COUNT)
#: Words that are of one family with no dream that is used below.
PILE = "law lie peace truth advice choice risk revenge message crime punishment legend hope war joy"
#: Dreams of the electric night.
LAMP = ["lamp", "television", "computer", "robot", "radio", "drone", "siren", "drill"]


def dreaming(make_game: MakeGame, words: int = 1, players: int = 3, **chosen: Any) -> Table:
    """Returns a game in which all vials hold so many words and the first slate is begun."""
    game = make_game(players=players, piles={1: PILE}, **chosen)
    for _ in range(words):
        game.one_each()
    return game.all_pass()


def agreeing(game: Table, vial: int, answers: list[str]) -> Table:
    """Plays the slates to the end: these answers at one vial by seat, elsewhere all differ."""
    places = iter(filler(answers))
    while not game.over:
        now = {int(words.split()[1]) for words in game.legal()}
        seat = game.to_move
        assert seat is not None
        if now == {vial}:
            game.slate_at(vial, answers[seat])
        else:
            game.slate_at(now.pop(), next(places))
    return game


def filler(answers: list[str]) -> list[str]:
    """Returns dreams of the electric night that are not among the answers."""
    used = {word.strip() for answer in answers for word in answer.split(",")}
    dreams = standard_box().themes["electric"].dreams
    return [word for word in dreams if word not in used]


# ---------------------------------------------------------------------------- writing


@pytest.mark.rule("R2")
@BOTH
@pytest.mark.parametrize("mode", EVERY_MODE)
def test_the_dreams_are_those_of_the_night(make_game: MakeGame, mode: str) -> None:
    game = make_game(mode, 2, piles={1: PILE}, drawn=["broom", "doubt", "spill"])
    themes = game.setup["themes"]
    box = standard_box()
    if mode == "friday":
        assert themes == ["electric", "vehicles"]
        first = box.themes["electric"].dreams[:64]
        both = [word for word in box.themes["vehicles"].dreams[:64] if word in first]
        assert {"train", "tram", "metro", "electric car"} <= set(both)
        expected = {*first, *box.themes["vehicles"].dreams[:64]}
        assert len(expected) == 128 - len(both)
        assert "fairy lights" not in expected  # the 67th of the first
    elif mode == "sunday":
        assert themes == []
        expected = set(box.free)
    else:
        expected = set(box.themes[themes[0]].dreams)
    assert {dream.word for dream in game_dreams(box, themes)} == expected
    lying = set().union(*(box.families[word] for word in PILE.split()[: game.vials]))
    game.one_each().all_pass()
    assert game.dreams() == {word for word in expected if not lying & box.families[word]}
    assert len(game.dreams()) > 60


@pytest.mark.rule("R15")
@BOTH
@EACH_COUNT
def test_each_fills_a_whole_slate_clockwise_from_the_first_player(
    make_game: MakeGame, players: int
) -> None:
    game = dreaming(make_game, players=players, first=1)
    for step in range(players):
        for vial in range(1, 6):
            assert game.to_move == (1 + step) % players
            assert {words.split()[1] for words in game.legal()} == {str(vial)}
            assert "none" not in game.dreams()
            game.slate_at(vial, LAMP[vial])
    assert game.over
    assert game.to_move is None


@pytest.mark.rule("R15")
@BOTH
def test_at_the_flask_there_are_two_and_the_second_may_be_none(make_game: MakeGame) -> None:
    game = make_game(players=2, piles={1: PILE}).play("doubt on 2").one_each().all_pass()
    for second in ("radio", "none"):
        game.play("dream 1 lamp")
        assert "none" not in game.dreams()
        before = game.dreams()
        game.play("dream 2 robot")
        assert {words.split()[1] for words in game.legal()} == {"2"}
        assert game.dreams() == (before - {"robot"}) | {"none"}
        game.play(f"dream 2 {second}")
        assert {words.split()[1] for words in game.legal()} == {"3"}
        game.play("dream 3 drone", "dream 4 siren", "dream 5 drill")
    assert game.over


@pytest.mark.rule("R16")
@BOTH
def test_a_word_stands_once_on_a_slate_and_slates_do_not_touch(make_game: MakeGame) -> None:
    game = dreaming(make_game, players=2)
    everything = game.dreams()
    used: set[str] = set()
    for vial in range(1, 6):
        assert game.dreams() == everything - used
        game.slate_at(vial, LAMP[vial])
        used.add(LAMP[vial])
    assert game.dreams() == everything


@pytest.mark.rule("R16")
@BOTH
def test_words_of_one_family_may_stand_on_one_slate(make_game: MakeGame) -> None:
    game = dreaming(make_game, players=2)
    assert standard_box().one_family("electric car", "electric toothbrush")
    game.slate("electric car", "electric toothbrush")


@pytest.mark.rule("R1", "R16")
@BOTH
@pytest.mark.parametrize("vial", [1, 5])
def test_a_word_in_any_vial_forbids_itself_and_its_family(make_game: MakeGame, vial: int) -> None:
    piles = {1: PILE, 2: "bread", 3: "computer"}
    game = make_game(piles=piles).one_each()
    game.play(f"take 2 into {vial}", f"take 3 into {vial}").all_pass()
    plain = dreaming(make_game).dreams()
    assert plain - game.dreams() == {"computer", "toaster"}  # grille-pain


@pytest.mark.rule("R11", "R16")
@BOTH
def test_spilled_and_swept_words_forbid_nothing(make_game: MakeGame) -> None:
    piles = {1: PILE, 2: "computer", 3: "bread"}
    game = make_game("tuesday", piles=piles, themes=["electric"])
    game.play("take 2 into 1", "spill 1", "broom").take(1, 2, 3, 4, 5).all_pass()
    assert {"computer", "toaster"} <= game.dreams()


# ---------------------------------------------------------------------------- scoring


@pytest.mark.rule("R17", "R18")
@BOTH
@pytest.mark.parametrize("words", [1, 2, 3])
@pytest.mark.parametrize(
    ("players", "group"), [(n, g) for n in EVERY_COUNT for g in range(1, n + 1)]
)
def test_points_by_group_and_words(
    make_game: MakeGame, players: int, group: int, words: int
) -> None:
    table = {  # with 1, 2 and 3 words
        (2, 2): (2, 3, 4),
        (3, 2): (1, 1, 1),
        (3, 3): (2, 3, 4),
        (4, 2): (1, 1, 1),
        (4, 3): (1, 2, 2),
        (4, 4): (2, 3, 4),
        (5, 2): (1, 1, 1),
        (5, 3): (1, 2, 2),
        (5, 4): (1, 2, 3),
        (5, 5): (2, 3, 4),
    }
    answers = [LAMP[0]] * group + LAMP[1 : 1 + players - group]
    game = agreeing(dreaming(make_game, words, players), 3, answers)
    points = 0 if group == 1 else table[players, group][words - 1]
    assert game.vial(3) == {
        "cards": words,
        "token": None,
        "group": group,
        "dream": None if group == 1 else LAMP[0],
        "points": points,
    }
    assert game.result()["points"] == points
    assert [vial["group"] for vial in game.result()["vials"]] == [1, 1, group, 1, 1]


@pytest.mark.rule("R17")
@BOTH
@pytest.mark.parametrize(
    ("answers", "group", "dream"),
    [
        ("drone lamp drone lamp", 2, "lamp"),  # of equal groups the first in the list
        ("lamp drone drone lamp", 2, "lamp"),
        ("drone drone lamp drone", 3, "drone"),
        ("lamp lamp drone drone drone", 3, "drone"),
        ("siren siren drone lamp drone", 2, "drone"),
    ],
)
def test_only_the_largest_group_counts(
    make_game: MakeGame, answers: str, group: int, dream: str
) -> None:
    written = answers.split()
    game = agreeing(dreaming(make_game, 2, len(written)), 4, written)
    expected = {"cards": 2, "token": None, "group": group, "dream": dream, "points": group - 1}
    assert game.vial(4) == expected
    assert game.result()["points"] == group - 1


@pytest.mark.rule("R15", "R17")
@BOTH
@pytest.mark.parametrize(
    ("answers", "group", "dream", "points"),
    [
        (["lamp,drone", "drone,siren", "radio,drone"], 3, "drone", 2),
        (["lamp,none", "siren,lamp", "lamp,drone"], 3, "lamp", 2),
        (["lamp,drone", "siren,lamp", "radio,drone"], 2, "lamp", 1),
        (["lamp,none", "drone,none", "siren,lamp"], 2, "lamp", 1),
        (["lamp,drone", "siren,radio", "robot,none"], 1, None, 0),
        (["lamp,none", "drone,none", "siren,none"], 1, None, 0),  # none is no answer
    ],
)
def test_at_the_flask_either_proposal_counts(
    make_game: MakeGame, answers: list[str], group: int, dream: str | None, points: int
) -> None:
    game = make_game(piles={1: PILE}).play("doubt on 2").one_each().all_pass()
    agreeing(game, 2, answers)
    assert game.vial(2) == {
        "cards": 1,
        "token": "doubt",
        "group": group,
        "dream": dream,
        "points": points,
    }


@pytest.mark.rule("R19")
@BOTH
@pytest.mark.parametrize(("tool", "more"), [("dust", 1), ("dust+2", 2)])
@pytest.mark.parametrize("group", [1, 2, 3])
def test_dust_adds_where_something_scores(
    make_game: MakeGame, tool: str, more: int, group: int
) -> None:
    tools = ["broom", tool, "quill"]
    game = make_game("variant", piles={1: PILE}, tools=tools)
    game.play(f"{tool} on 5").one_each().all_pass()
    answers = [LAMP[0]] * group + LAMP[1 : 4 - group]
    points = {1: 0, 2: 1 + more, 3: 2 + more}[group]
    agreeing(game, 5, answers)
    assert game.vial(5) == {
        "cards": 1,
        "token": tool,
        "group": group,
        "dream": LAMP[0] if points else None,
        "points": points,
    }
    assert game.result()["points"] == points


@pytest.mark.rule("R11", "R12", "R18")
@BOTH
def test_a_written_word_counts_and_a_spilled_one_does_not(make_game: MakeGame) -> None:
    game = make_game("variant", 2, piles={1: PILE}, tools=["broom", "spill", "quill"])
    game.one_each().one_each().play("quill 1", "write huge", "spill 2").take(2).all_pass()
    game.slate(*LAMP[:5]).slate(*LAMP[:5])
    vials = game.result()["vials"]
    assert [vial["cards"] for vial in vials] == [3, 1, 2, 2, 2]
    assert [vial["points"] for vial in vials] == [4, 2, 3, 3, 3]
    assert [vial["token"] for vial in vials] == ["quill", "spill", None, None, None]


# ---------------------------------------------------------------------------- the end


@pytest.mark.rule("R20")
@BOTH
@pytest.mark.parametrize(
    ("words", "matches", "dust", "points", "scale"),
    [
        (1, 0, False, 0, 0),
        (2, 1, False, 3, 0),
        (3, 1, False, 4, 1),
        (2, 2, False, 6, 1),
        (2, 2, True, 7, 2),
        (2, 3, False, 9, 2),
        (1, 5, False, 10, 3),
        (3, 3, True, 13, 3),
        (3, 4, False, 16, 4),
        (3, 4, True, 17, 4),
        (3, 5, False, 20, 5),
        (3, 5, True, 21, 5),
    ],
)
def test_the_scale_and_the_aim_of_the_base_game(
    make_game: MakeGame, words: int, matches: int, dust: bool, points: int, scale: int
) -> None:
    game = make_game(players=2, piles={1: PILE})
    if dust:
        game.play("dust on 1")
    for _ in range(words):
        game.one_each()
    game.all_pass().slate(*LAMP[:5])
    game.slate(*LAMP[:matches], *filler(LAMP)[: 5 - matches])
    result = game.result()
    assert {key: result[key] for key in ("scores", "winners", "points", "scale", "aim")} == {
        "scores": [points, points],
        "winners": [0, 1] if points >= 10 else [],
        "points": points,
        "scale": scale,
        "aim": 10,
    }
    assert set(result) == {"scores", "winners", "points", "scale", "aim", "vials"}


@pytest.mark.rule("R20")
@BOTH
@pytest.mark.parametrize(
    ("mode", "aim", "reached"),
    [
        ("monday", 5, 6),
        ("tuesday", 7, 8),
        ("wednesday", 8, 8),
        ("thursday", 10, 10),
        ("friday", 13, 14),
        ("saturday", 14, 14),
        ("sunday", 16, 16),
        ("variant", 10, 10),
    ],
)
@pytest.mark.parametrize("won", [True, False])
def test_every_night_has_its_aim(
    make_game: MakeGame, mode: str, aim: int, reached: int, won: bool
) -> None:
    """With c words in a vial two who agree get 1 + c."""
    game = make_game(mode, 2, piles={1: PILE}, drawn=["broom", "doubt", "spill"])
    points = reached if won else aim - 1
    # Each vial that matches gives at least 2; words are added until the sum is right.
    matches = min(game.vials, points // 2)
    extra = points - 2 * matches
    game.one_each()
    for step in range(extra):
        game.take(1 + step // 2)
    game.all_pass()
    first = sorted(game.dreams())[: 2 * game.vials]
    game.slate(*first[: game.vials])
    game.slate(*first[:matches], *first[game.vials : 2 * game.vials - matches])
    result = game.result()
    assert (result["points"], result["aim"]) == (points, aim)
    assert result["winners"] == ([0, 1] if won else [])


@pytest.mark.rule("R17", "R18", "R19", "R20")
@BOTH
def test_the_printed_example_scores_13(make_game: MakeGame) -> None:
    piles = {1: "instrument string", 2: "journey wagon steam", 3: "money computer coin"}
    piles |= {4: "bag dust", 5: "antenna"}
    game = make_game("base", 3, level=1, themes=["electric"], piles=piles)
    game.play("doubt on 3", "dust on 4")
    for vial, words in piles.items():
        game.play(*[f"take {vial} into {vial}"] * len(words.split()))
    game.all_pass()
    game.slate("guitar", "train", "bitcoin, printer", "vacuum cleaner", "radio")
    game.slate("guitar", "train", "calculator, bitcoin", "vacuum cleaner", "television")
    game.slate("guitar", "train", "bitcoin, none", "robot", "satellite")
    tokens: list[str | None] = [None, None, "doubt", "dust", None]
    dreams = ["guitar", "train", "bitcoin", "vacuum cleaner", None]
    numbers = zip((2, 3, 3, 2, 1), tokens, (3, 3, 3, 2, 1), dreams, (3, 4, 4, 2, 0), strict=True)
    assert game.result() == {
        "scores": [13, 13, 13],
        "winners": [0, 1, 2],
        "points": 13,
        "scale": 3,
        "aim": 10,
        "vials": [
            dict(zip(("cards", "token", "group", "dream", "points"), row, strict=True))
            for row in numbers
        ],
    }

"""Phase 1, thoughts: R6 to R14."""

from __future__ import annotations

import pytest

from dreamfactory_env import FabriqueAReves, IllegalMove
from tests.games.fabrique_a_reves.staging import fill, legal_starting, pass_all, play, staged

ALL = ["broom", "doubt", "dust", "dust+2", "spill", "quill"]


def tops(game: FabriqueAReves) -> list[str | None]:
    """Returns the words on top of the reservoirs."""
    return [view["top"] and view["top"]["word"] for view in game.view(0)["reservoirs"]]


# ---------------------------------------------------------------------------- turns


@pytest.mark.rule("R6")
@pytest.mark.parametrize("players", range(2, 6))
def test_turns_go_clockwise_from_the_first_player(players: int) -> None:
    game = staged(players=players, first_player=1)
    seats = []
    for _ in range(2 * players):
        seats.append(game.to_move)
        play(game, next(iter(game.legal())))
    assert seats == [(1 + turn) % players for turn in range(2 * players)]


@pytest.mark.rule("R6", "R13")
def test_those_who_have_passed_are_left_out_and_the_last_goes_on_alone() -> None:
    game = fill(staged(players=3), 1, 1, 1, 1, 1)
    assert game.to_move == 2
    play(game, "pass", "take 1 into 1", "pass")
    assert game.to_move == 0
    play(game, "take 1 into 1")
    assert game.to_move == 0
    assert [player["passed"] for player in game.view(0)["players"]] == [False, True, True]


# ---------------------------------------------------------------------------- taking


@pytest.mark.rule("R7")
def test_the_top_card_goes_into_the_vial_and_the_next_one_is_public() -> None:
    game = staged(piles=[["string", "steam"], ["wagon"]])
    assert tops(game)[:2] == ["string", "wagon"]
    play(game, "take 1 into 4")
    assert game.vials() == [[], [], [], ["string"], []]
    assert tops(game)[:2] == ["steam", "wagon"]
    play(game, "take 1 into 4", "take 2 into 1")
    assert game.vials() == [["wagon"], [], [], ["string", "steam"], []]
    placed = game.view(0)["vials"][3]["words"]
    assert [(word["word"], word["player"]) for word in placed] == [("string", 0), ("steam", 1)]


@pytest.mark.rule("R7")
def test_a_vial_takes_three_words_at_most() -> None:
    game = fill(staged(), 2)
    assert len(legal_starting(game, "take")) == 40
    fill(game, 1)
    assert len(legal_starting(game, "take")) == 32
    with pytest.raises(IllegalMove):
        game.play("take 1 into 1")


@pytest.mark.rule("R4", "R7")
def test_monday_has_six_reservoirs_and_wednesday_four_vials() -> None:
    assert len(legal_starting(staged("monday"), "take")) == 30
    wednesday = staged("wednesday")
    assert len(legal_starting(wednesday, "take")) == 32
    assert not [words for words in wednesday.legal() if words.endswith("5")]


@pytest.mark.rule("R7")
def test_an_empty_reservoir_stays_empty() -> None:
    game = staged()
    game.state.taken[2] = 24
    assert tops(game)[2] is not None
    play(game, "take 3 into 1")
    assert tops(game)[2] is None
    assert game.view(0)["reservoirs"][2]["left"] == 0
    assert legal_starting(game, "take 3") == []
    assert len(legal_starting(game, "take")) == 35


# ---------------------------------------------------------------------------- tools


@pytest.mark.rule("R8")
@pytest.mark.parametrize("tool", ["doubt on", "dust on", "dust+2 on"])
def test_a_token_is_used_once_as_a_turn_and_lies_where_nothing_else_lies(tool: str) -> None:
    game = staged("sunday")
    assert legal_starting(game, tool) == [f"{tool} {vial}" for vial in range(1, 6)]
    play(game, f"{tool} 2")
    assert game.to_move == 1
    view = game.view(1)
    name = tool.removesuffix(" on")
    assert [vial["token"] for vial in view["vials"]] == [None, name, None, None, None]
    assert name not in view["tools"]
    assert view["used"] == [name]
    others = [words for words in game.legal() if not words.startswith(("take", "broom"))]
    assert others  # the other tools
    assert not [words for words in others if words.endswith((f"{tool} 1", " 2"))]


@pytest.mark.rule("R8")
def test_empty_and_full_vials_take_tokens() -> None:
    game = fill(staged("sunday"), 3)
    for tool in ("doubt", "dust", "dust+2"):
        assert len(legal_starting(game, f"{tool} on")) == 5


@pytest.mark.rule("R9")
def test_the_broom_discards_every_top_once() -> None:
    game = staged(piles=[["string", "steam"], ["wagon", "coin"]])
    before = tops(game)
    play(game, "broom")
    after = tops(game)
    assert after[:2] == ["steam", "coin"]
    assert not {*before} & {*after}
    assert game.vials() == [[]] * 5
    assert [vial["token"] for vial in game.view(0)["vials"]] == [None] * 5
    assert game.to_move == 1
    assert "broom" not in game.legal()
    assert [view["left"] for view in game.view(0)["reservoirs"]] == [24] * 8


@pytest.mark.rule("R9")
def test_the_broom_needs_a_card_and_leaves_empty_reservoirs_alone() -> None:
    game = staged()
    game.state.taken[:7] = 25
    assert "broom" in game.legal()
    other = game.copy()
    other.state.taken[7] = 25
    assert "broom" not in other.legal()
    play(game, "broom")
    assert game.state.taken.tolist() == [25] * 7 + [1]


@pytest.mark.rule("R10")
def test_doubt_and_dust_change_no_word() -> None:
    game = fill(staged("sunday"), 1, 2)
    before, shown = game.vials(), tops(game)
    play(game, "doubt on 1", "dust on 2", "dust+2 on 3")
    assert (game.vials(), tops(game)) == (before, shown)
    tokens = [vial["token"] for vial in game.view(0)["vials"]]
    assert tokens == ["doubt", "dust", "dust+2", None, None]


@pytest.mark.rule("R11")
def test_a_spilled_vial_is_emptied_and_filled_anew() -> None:
    game = fill(staged("tuesday"), 3, 1)
    play(game, "spill 1")
    assert game.vials()[:2] == [[], game.vials()[1]]
    assert len(game.vials()[1]) == 1
    assert game.view(0)["vials"][0]["token"] == "spill"
    assert legal_starting(game, "spill") == []
    assert legal_starting(game, "doubt on 1") == legal_starting(game, "dust on 1") == []
    fill(game, 3)
    assert len(game.vials()[0]) == 3


@pytest.mark.rule("R11")
def test_only_a_vial_with_a_word_and_no_token_is_spilled() -> None:
    game = fill(staged("tuesday"), 1, 3, 1)
    play(game, "dust on 3")
    assert legal_starting(game, "spill") == ["spill 1", "spill 2"]


@pytest.mark.rule("R12")
def test_the_quill_writes_a_word_in_the_same_turn() -> None:
    game = fill(staged("thursday", first_player=2), 0, 1)
    seat = game.to_move
    play(game, "quill 2")
    assert (game.phase, game.to_move) == ("quill", seat)
    lexicon = game.options.lexicon.lexicon
    assert game.legal() == [f"write {word}" for word in lexicon.quill]
    assert len(game.legal()) == 128
    assert list(game.legal_actions().values()) == list(range(67, 195))
    play(game, f"write {lexicon.quill[5]}")
    assert game.phase == "thoughts"
    assert game.to_move == (seat + 1) % 3  # type: ignore[operator]
    vial = game.view(0)["vials"][1]
    assert vial["token"] == "quill"
    word = vial["words"][1]
    assert (word["word"], word["player"], word["written"]) == (lexicon.quill[5], seat, True)
    assert legal_starting(game, "quill") == []


@pytest.mark.rule("R12")
def test_the_quill_needs_room_and_no_token_and_fills_like_a_card() -> None:
    game = fill(staged("thursday"), 3, 2)
    play(game, "dust on 3")
    assert legal_starting(game, "quill") == ["quill 2", "quill 4", "quill 5"]
    play(game, "quill 2", game.copy().play("quill 2").legal()[0])
    assert legal_starting(game, "take 1 into 2") == []


# ---------------------------------------------------------------------------- passing, the end


@pytest.mark.rule("R13")
def test_passing_needs_a_word_in_every_vial() -> None:
    game = fill(staged(), 3, 1, 1, 1)
    assert "pass" not in game.legal()
    fill(game, 0, 0, 0, 0, 1)
    assert "pass" in game.legal()


@pytest.mark.rule("R13")
def test_a_written_word_is_enough_to_pass() -> None:
    game = fill(staged("thursday"), 1, 1, 1, 1)
    play(game, "quill 5")
    play(game, game.legal()[0])
    assert "pass" in game.legal()


@pytest.mark.rule("R13")
def test_passing_is_final_also_if_a_vial_is_spilled_later() -> None:
    game = fill(staged("tuesday", players=2), 1, 1, 1, 1, 1)
    seat = game.to_move
    play(game, "pass", "spill 3")
    assert game.to_move == 1 - seat  # type: ignore[operator]
    assert "pass" not in game.legal()
    fill(game, 0, 0, 1)
    play(game, "pass")
    assert game.phase == "dreams"


@pytest.mark.rule("R13")
def test_a_player_without_another_move_passes() -> None:
    game = fill(staged("base"), 1)
    game.state.taken[:] = 25
    assert [*{words.split()[0] for words in game.legal()}] != ["pass"]
    assert "pass" not in game.legal()  # tools can be used
    game.state.tools = 0
    assert game.legal() == ["pass"]


@pytest.mark.rule("R14")
def test_thoughts_end_when_all_have_passed() -> None:
    game = fill(staged(players=3, first_player=1), 1, 1, 1, 1, 1)
    play(game, "pass", "pass")
    assert game.phase == "thoughts"
    play(game, "pass")
    assert (game.phase, game.to_move) == ("dreams", 1)


@pytest.mark.rule("R14")
@pytest.mark.parametrize("mode", ["base", "wednesday"])
def test_thoughts_end_at_once_when_all_vials_are_full(mode: str) -> None:
    game = staged(mode)
    vials = 4 if mode == "wednesday" else 5
    fill(game, *[3] * (vials - 1), 2)
    assert game.phase == "thoughts"
    fill(game, *[0] * (vials - 1), 1)
    assert (game.phase, game.to_move) == ("dreams", 0)
    assert not [words for words in game.legal() if not words.startswith("dream 1")]


@pytest.mark.rule("R12", "R14")
def test_a_written_word_can_end_thoughts() -> None:
    game = fill(staged("thursday"), 3, 3, 3, 3, 2)
    play(game, "quill 5")
    play(game, game.legal()[0])
    assert game.phase == "dreams"


@pytest.mark.rule("R14")
def test_full_vials_that_are_spilled_go_on() -> None:
    game = fill(staged("tuesday"), 3, 3, 3, 3, 2)
    play(game, "spill 1")
    fill(game, 0, 0, 0, 0, 1)
    assert game.phase == "thoughts"
    pass_all(fill(game, 1))
    assert game.phase == "dreams"

"""Phase 3, waking: R17 to R20, and the printed example."""

from __future__ import annotations

from typing import Any

import pytest

from dreamfactory_env import FabriqueAReves
from tests.games.fabrique_a_reves.staging import dream, fill, pass_all, play, staged

#: Dreams of the theme that nobody else writes.
OTHERS = ["lamp", "fridge", "oven", "robot", "radio", "lift", "tram", "metro", "alarm", "kettle"]
OTHERS += ["iron", "camera", "printer", "drone", "torch", "drill", "tablet", "charger", "siren"]
OTHERS += ["email", "internet", "screen", "freezer", "keyboard", "satellite"]


def result_of(game: FabriqueAReves) -> dict[str, Any]:
    result = game.result()
    assert result is not None
    return result


def alike(players: int, words: int, group: int, *tools: str, mode: str = "base") -> dict[str, Any]:
    """Returns the first vial of a game in which so many have dreamt the same for it."""
    theme = {"base": "electric", "saturday": None}[mode]
    game = staged(mode, players, themes=[theme] if theme else None)
    if tools:
        play(game, *tools)
    pass_all(fill(game, words, 1, 1, 1, 1))
    names = [name for name in game.dreams() if f"dream 1 {name}" in game.legal()]
    same, others = names[0], names[1:]
    for p in range(players):
        slate = [others.pop() for _ in range(5)]
        dream(game, ", ".join([same if p < group else slate[0], *slate[1:]]))
    vial = result_of(game)["vials"][0]
    assert vial["cards"] == words
    assert (vial["dream"] is None) == (vial["points"] == 0)
    assert vial["dream"] in (None, same)
    assert result_of(game)["points"] == vial["points"]
    return dict(vial)


@pytest.mark.rule("R15", "R16", "R17", "R18", "R19", "R20")
def test_the_printed_example_scores_13() -> None:
    piles = [["instrument", "string"], ["journey", "wagon", "steam"], ["money", "computer", "coin"]]
    piles += [["bag", "dust"], ["antenna"]]
    game = staged(players=3, themes=["electric"], piles=piles)
    play(game, "take 1 into 1", "take 2 into 2", "take 3 into 3", "take 4 into 4", "take 5 into 5")
    play(game, "take 1 into 1", "take 2 into 2", "take 3 into 3", "take 4 into 4")
    play(game, "take 2 into 2", "take 3 into 3", "doubt on 3", "dust on 4")
    pass_all(game)
    assert game.vials() == piles
    dream(
        game,
        "guitar, train, bitcoin, calculator, vacuum cleaner, radio",
        "guitar, train, printer, bitcoin, vacuum cleaner, television",
        "guitar, train, bitcoin, none, robot, satellite",
    )
    result = result_of(game)
    assert [vial["points"] for vial in result["vials"]] == [3, 4, 4, 2, 0]
    assert [vial["group"] for vial in result["vials"]] == [3, 3, 3, 2, 1]
    assert [vial["cards"] for vial in result["vials"]] == [2, 3, 3, 2, 1]
    assert [vial["token"] for vial in result["vials"]] == [None, None, "doubt", "dust", None]
    named = [vial["dream"] for vial in result["vials"]]
    assert named == ["guitar", "train", "bitcoin", "vacuum cleaner", None]
    assert (result["points"], result["scale"], result["winners"]) == (13, 3, [0, 1, 2])
    assert result["scores"] == [13, 13, 13]


#: What R18 says, by players, group and words in the vial.
POINTS = {
    2: {2: [2, 3, 4]},
    3: {2: [1, 1, 1], 3: [2, 3, 4]},
    4: {2: [1, 1, 1], 3: [1, 2, 2], 4: [2, 3, 4]},
    5: {2: [1, 1, 1], 3: [1, 2, 2], 4: [1, 2, 3], 5: [2, 3, 4]},
}


@pytest.mark.rule("R18")
@pytest.mark.parametrize("words", [1, 2, 3])
@pytest.mark.parametrize("players", POINTS)
def test_points_go_by_players_group_and_words(players: int, words: int) -> None:
    for group in range(1, players + 1):
        vial = alike(players, words, group)
        expected = POINTS[players][group][words - 1] if group > 1 else 0
        assert (vial["group"], vial["points"]) == (group, expected)


@pytest.mark.rule("R17")
def test_only_the_largest_group_counts() -> None:
    game = pass_all(fill(staged(players=5, themes=["electric"]), 3, 1, 1, 1, 1))
    others = OTHERS.copy()
    for word in ["guitar", "guitar", "train", "train", "train"]:
        dream(game, ", ".join([word, *(others.pop() for _ in range(4))]))
    vial = result_of(game)["vials"][0]
    assert (vial["group"], vial["dream"], vial["points"]) == (3, "train", 2)


@pytest.mark.rule("R17")
def test_of_equal_groups_the_first_in_the_list_is_named() -> None:
    for first, second in (("guitar", "train"), ("train", "guitar")):
        game = pass_all(fill(staged(players=4, themes=["electric"]), 1, 1, 1, 1, 1))
        others = OTHERS.copy()
        for word in (first, second, first, second):
            dream(game, ", ".join([word, *(others.pop() for _ in range(4))]))
        vial = result_of(game)["vials"][0]
        assert (vial["group"], vial["dream"], vial["points"]) == (2, "train", 1)
        assert game.dreams().index("train") < game.dreams().index("guitar")


@pytest.mark.rule("R17")
def test_at_the_flask_either_proposal_counts_and_a_player_counts_once() -> None:
    game = staged(players=3, themes=["electric"])
    play(game, "doubt on 1")
    pass_all(fill(game, 2, 1, 1, 1, 1))
    dream(game, "guitar, train, " + ", ".join(OTHERS[:4]))
    dream(game, "robot, guitar, " + ", ".join(OTHERS[5:9]))
    dream(game, "train, none, " + ", ".join(OTHERS[9:13]))
    vial = result_of(game)["vials"][0]
    assert (vial["group"], vial["dream"], vial["points"]) == (2, "train", 1)


@pytest.mark.rule("R17")
def test_the_same_dream_at_different_vials_is_no_match() -> None:
    game = pass_all(fill(staged(players=2, themes=["electric"]), 1, 1, 1, 1, 1))
    dream(game, "guitar, train, lamp, fridge, oven", "train, guitar, robot, radio, lift")
    assert result_of(game)["points"] == 0


@pytest.mark.rule("R19")
@pytest.mark.parametrize("group", [1, 2, 3])
def test_dust_adds_a_point_where_something_scores(group: int) -> None:
    plain, dusty = alike(3, 2, group), alike(3, 2, group, "dust on 1")
    assert dusty["points"] == (plain["points"] + 1 if plain["points"] else 0)
    assert dusty["token"] == "dust"


@pytest.mark.rule("R19")
@pytest.mark.parametrize("group", [1, 2, 3])
def test_dust_of_the_better_kind_adds_two(group: int) -> None:
    plain = alike(3, 2, group, mode="saturday")
    dusty = alike(3, 2, group, "dust+2 on 1", mode="saturday")
    assert dusty["points"] == (plain["points"] + 2 if plain["points"] else 0)


@pytest.mark.rule("R20")
@pytest.mark.parametrize(
    ("mode", "aim"),
    [
        *(("base", 10), ("monday", 5), ("tuesday", 7), ("wednesday", 8), ("thursday", 10)),
        *(("friday", 13), ("saturday", 14), ("sunday", 16), ("variant", 10)),
    ],
)
def test_the_aim_wins_and_a_point_less_does_not(mode: str, aim: int) -> None:
    vials = 4 if mode == "wednesday" else 5
    for wanted in (aim - 1, aim):
        game = staged(mode, players=2)
        # A match with w words scores 1 + w: find words for each vial that sum up to the points.
        counts, left = [], wanted
        for vial in range(vials):
            room = 4 * (vials - 1 - vial)
            scored = max(min(left, 4), left - room, 0)
            scored = 0 if scored == 1 else scored
            counts.append(scored)
            left -= scored
        if left:  # one point cannot be scored by two: take one from another vial
            largest = counts.index(max(counts))
            counts[largest] -= 1
            counts[counts.index(0)] += 1 + left
        assert sum(counts) == wanted
        pass_all(fill(game, *[max(scored - 1, 1) for scored in counts]))
        names = [name for name in game.dreams() if f"dream 1 {name}" in game.legal()]
        first = names[:vials]
        second = [
            first[vial] if scored else names[vials + vial] for vial, scored in enumerate(counts)
        ]
        dream(game, ", ".join(first), ", ".join(second))
        result = result_of(game)
        assert (result["points"], result["aim"]) == (wanted, aim)
        assert result["winners"] == ([0, 1] if wanted == aim else [])
        assert game.winners() == result["winners"]


@pytest.mark.rule("R20")
def test_the_scale_begins_where_it_is_printed() -> None:
    from dreamfactory_env.games.fabrique_a_reves.scoring import scale_of

    found = [scale_of(points) for points in range(24)]
    assert found == [0] * 4 + [1] * 3 + [2] * 3 + [3] * 4 + [4] * 4 + [5] * 6


@pytest.mark.rule("R20")
def test_nobody_has_points_before_the_end() -> None:
    game = pass_all(fill(staged(players=2, themes=["electric"]), 1, 1, 1, 1, 1))
    dream(game, "guitar, train, lamp, fridge, oven", "guitar, train, lamp, fridge")
    assert game.scores() == [0, 0]
    assert game.result() is None
    dream(game, "oven")
    assert game.scores() == [10, 10]

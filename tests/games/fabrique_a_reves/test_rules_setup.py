"""Words and set-up, R1 to R5, and what a mode says."""

from __future__ import annotations

from collections import Counter

import pytest

from dreamfactory_env import FabriqueAReves, OptionError
from dreamfactory_env.games.fabrique_a_reves.lexicon_files import standard_lexicon
from dreamfactory_env.games.fabrique_a_reves.options import MODES
from tests.games.fabrique_a_reves.staging import OPTIONS, THEMES, staged

LEXICON = standard_lexicon()


@pytest.mark.rule("R1")
def test_all_spellings_of_a_word_are_one_answer() -> None:
    game = staged(themes=["electric"])
    dreams = game.dreams()
    for name in dreams:
        for language in ("en", "fr"):
            for spelling in LEXICON.word(name).spellings(language):
                assert LEXICON.spelled(spelling, language, dreams) == name


@pytest.mark.rule("R2")
@pytest.mark.parametrize("level", range(4))
def test_the_list_is_that_of_the_theme_in_its_order(level: int) -> None:
    for theme in LEXICON.themes:
        if theme.level == level:
            game = staged(level=level, themes=[theme.id])
            assert game.dreams() == list(theme.dreams)


@pytest.mark.rule("R2")
def test_on_friday_the_first_64_of_two_themes_make_the_list_each_once() -> None:
    themes = {theme.id: theme.dreams for theme in LEXICON.themes}
    lengths = set()
    for first in THEMES[1]:
        for second in THEMES[1]:
            if first != second:
                one, other = themes[first][:64], themes[second][:64]
                expected = [*one, *(dream for dream in other if dream not in one)]
                game = staged("friday", themes=[first, second])
                assert game.dreams() == expected
                lengths.add(len(expected))
    assert max(lengths) == 128 > min(lengths)  # some themes share dreams


@pytest.mark.rule("R2")
def test_on_sunday_the_list_is_the_one_without_a_theme() -> None:
    assert staged("sunday").dreams() == list(LEXICON.free)


@pytest.mark.rule("R3")
@pytest.mark.parametrize(("mode", "players"), OPTIONS)
def test_all_cards_are_dealt_into_reservoirs_of_nearly_one_size(mode: str, players: int) -> None:
    count = 6 if mode == "monday" else 8
    game = FabriqueAReves(players, mode=mode, seed=players)
    reservoirs = game.setup()["reservoirs"]
    sizes = [len(cards) for cards in reservoirs]
    assert len(sizes) == count
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] - sizes[-1] <= 1
    dealt = [frozenset(card.split("/")) for cards in reservoirs for card in cards]
    assert sorted(map(sorted, dealt)) == sorted(map(sorted, LEXICON.cards))
    tops = [view["top"]["word"] for view in game.view(0)["reservoirs"]]
    assert tops == [cards[0].split("/")[0] for cards in reservoirs]


@pytest.mark.rule("R3")
def test_every_card_comes_to_every_place_and_with_both_sides() -> None:
    places: Counter[int] = Counter()
    sides: Counter[bool] = Counter()
    for seed in range(400):
        dealt = FabriqueAReves(seed=seed).state.dealt.tolist()
        place = [thought // 2 for thought in dealt].index(7)
        places[place // 40] += 1
        sides[dealt[place] % 2 == 1] += 1
    assert set(places) == set(range(5))
    assert min(places.values()) > 50
    assert min(sides.values()) > 160


@pytest.mark.rule("R4")
@pytest.mark.parametrize("mode", MODES)
def test_vials_and_themes_are_those_of_the_mode(mode: str) -> None:
    levels = {"wednesday": 2, "thursday": 2, "saturday": 3}
    found = set()
    for seed in range(60):
        game = FabriqueAReves(mode=mode, seed=seed)
        assert game.vials() == [[]] * (4 if mode == "wednesday" else 5)
        themes = game.setup()["themes"]
        assert len(themes) == {"friday": 2, "sunday": 0}.get(mode, 1)
        assert len(set(themes)) == len(themes)
        assert set(themes) <= set(THEMES[levels.get(mode, 1)])
        assert [view["id"] for view in game.view(1)["themes"]] == themes
        found.update(themes)
    if mode != "sunday":
        assert len(found) > 8  # they are drawn


@pytest.mark.rule("R4")
@pytest.mark.parametrize("mode", ["base", "variant"])
def test_the_level_of_base_and_variant_is_an_option(mode: str) -> None:
    for level in range(4):
        themes = FabriqueAReves(mode=mode, level=level, seed=3).setup()["themes"]
        assert themes[0] in THEMES[level]
    with pytest.raises(OptionError, match="level must be 0 to 3, not 4"):
        FabriqueAReves(mode=mode, level=4)
    with pytest.raises(OptionError, match="level is for base and variant; monday has level 1"):
        FabriqueAReves(mode="monday", level=1)
    with pytest.raises(OptionError, match="sunday has no theme"):
        FabriqueAReves(mode="sunday", level=1)


@pytest.mark.rule("R5")
@pytest.mark.parametrize("players", range(2, 6))
def test_the_first_player_is_drawn_and_begins(players: int) -> None:
    games = [FabriqueAReves(players, seed=seed) for seed in range(60)]
    firsts = [game.setup()["first_player"] for game in games]
    assert set(firsts) == set(range(players))
    assert [game.to_move for game in games] == firsts


TOOLS = {
    "base": ["broom", "doubt", "dust"],
    "monday": ["broom", "doubt", "dust"],
    "tuesday": ["broom", "doubt", "dust", "spill"],
    "wednesday": ["broom", "doubt", "dust", "spill"],
    "thursday": ["broom", "doubt", "dust", "spill", "quill"],
    "friday": ["broom", "doubt", "dust", "spill", "quill"],
    "saturday": ["broom", "doubt", "dust", "dust+2", "spill", "quill"],
    "sunday": ["broom", "doubt", "dust", "dust+2", "spill", "quill"],
}


@pytest.mark.rule("R8")
@pytest.mark.parametrize("mode", TOOLS)
def test_the_tools_are_those_of_the_mode(mode: str) -> None:
    game = FabriqueAReves(mode=mode, seed=1)
    assert game.setup()["tools"] == TOOLS[mode] == game.view(0)["tools"]
    with pytest.raises(OptionError, match="tools is for variant"):
        FabriqueAReves(mode=mode, tools=["broom", "doubt", "dust"])


@pytest.mark.rule("R8")
def test_the_variant_has_three_tools_chosen_or_drawn() -> None:
    chosen = FabriqueAReves(mode="variant", tools=["quill", "broom", "dust+2"], seed=1)
    assert chosen.setup()["tools"] == ["broom", "dust+2", "quill"]
    assert chosen.config()["tools"] == ["broom", "dust+2", "quill"]
    assert FabriqueAReves(mode="variant", tools="quill, broom,dust+2", seed=1) == chosen
    games = [FabriqueAReves(mode="variant", seed=seed) for seed in range(100)]
    drawn = Counter(tool for game in games for tool in game.setup()["tools"])
    assert all(len(game.setup()["tools"]) == 3 for game in games)
    assert set(drawn) == set(TOOLS["sunday"])
    assert min(drawn.values()) > 30
    assert games[0].config()["tools"] == "drawn"


@pytest.mark.parametrize(
    ("tools", "message"),
    [
        (["broom"], "tools must be 'drawn' or three of broom"),
        (["broom", "doubt", "quil"], "'quil' is none of broom.*did you mean 'quill'"),
        (["broom", "broom", "dust"], "three different ones"),
        (7, "tools must be 'drawn' or three of broom"),
    ],
)
def test_wrong_tools_are_refused(tools: object, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        FabriqueAReves(mode="variant", tools=tools)  # type: ignore[arg-type]

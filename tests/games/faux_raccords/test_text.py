"""The table as text and games in words: readable in every mode, and nothing hidden in them."""

from __future__ import annotations

import pytest

from dreamfactory_env import FauxRaccords, OptionError
from dreamfactory_env.games.faux_raccords.shapes import outline_of, spot_of
from dreamfactory_env.games.faux_raccords.state import Phase
from dreamfactory_env.games.faux_raccords.text import ASKED, DOES, action_to_string, film_card
from dreamfactory_env.games.faux_raccords.view import table_view
from tests.games.faux_raccords.positions import history, of_every_phase, positions
from tests.games.faux_raccords.staging import MODES, OPTIONS, play, staged

SECRET = ("place ", "view with ", "pass ", "bin ")


def test_every_phase_and_mode_has_its_words() -> None:
    phases = [phase.name.lower().replace("_", " ") for phase in Phase]
    assert list(DOES) == phases
    assert list(ASKED) == MODES
    assert set(of_every_phase()) == set(phases)


@pytest.mark.parametrize(("mode", "players"), OPTIONS)
def test_every_position_is_shown_to_every_seat(mode: str, players: int) -> None:
    for game in positions(mode, players)[::3]:
        assert str(game).splitlines()[1] == f"  wanted: {ASKED[mode]}"
        for seat in range(players):
            lines = game.text(seat).splitlines()
            film = [line for line in lines if line.startswith("    ")]
            assert sum(line.count(": ") for line in film) == len(game.film())
            assert ("you may play" in lines[-1]) == (seat == game.to_move)


def test_a_line_shows_faces_claps_hints_and_what_is_not_seen() -> None:
    game = staged("feature", hands=[["7"], ["23", "28b"]], film=["5", "19b"])
    play(game, "place 7", "at 2", "hint bad", "on 1", "call 23", "show 28b", "at 1")
    row = game.text(0).split("Film, 10 cards:\n    ")[1].split("\n")[0]
    assert row.split("  ")[0] == "1: 28b neutral"
    assert "2: (?) -0" in row
    assert "3: (7 neutral) c0" in row
    assert "3: (?) c0" in game.text(1)
    assert "2: (5 mystery) -0" in str(game)


def test_a_grid_shows_free_cells_and_hazards() -> None:
    rows = str(staged("series", players=4)).split("Film, 4 cards:\n")[1].splitlines()[:4]
    assert [row.split()[0] for row in rows] == ["1/1:", ".", ".", "4/1:"]
    assert [row.count("hazard") for row in rows] == [0, 2, 2, 0]


@pytest.mark.parametrize(
    ("mode", "first", "second", "apart"),
    [
        ("feature", "1", "2", (2, 0)),
        ("feature", "8", "9", (-14, 2)),
        ("series", "1/1", "2/2", (2, 2)),
        ("arcs", "1/1", "2/1", (1, 1)),
        ("arcs", "1/1", "1/2", (1, -1)),
        ("studio", "1/1", "2/1", (1, -2)),
        ("studio", "1/1", "1/2", (2, 0)),
    ],
)
def test_places_lie_as_the_rules_say(
    mode: str, first: str, second: str, apart: tuple[int, int]
) -> None:
    one, other = spot_of(mode, first), spot_of(mode, second)
    assert (other.x - one.x, other.y - one.y) == apart


def test_the_shapes_have_their_rows() -> None:
    columns = [spot.x for spot in outline_of("arcs")]
    assert [columns.count(x) for x in range(7)] == [1, 2, 3, 4, 3, 2, 1]
    levels = [spot.y for spot in outline_of("studio")]
    assert [levels.count(-2 * level) for level in range(5)] == [5, 4, 3, 2, 1]


def test_the_end_says_what_was_not_met() -> None:
    game = staged("tutorial").play("end")
    assert str(game).startswith("Lost: player 0 said that the Film is finished; not met: size")


@pytest.mark.parametrize(("mode", "players"), OPTIONS)
@pytest.mark.parametrize("memory", ["none", "perfect"])
def test_a_redraw_of_what_is_hidden_leaves_the_text_of_a_seat(
    mode: str, players: int, memory: str
) -> None:
    games = positions(mode, players, 2, memory=memory)
    redrawn = 0
    for number, game in enumerate(games[:: max(len(games) // 12, 1)]):
        seat = number % players
        other = game.resample_hidden(seat, number)
        redrawn += str(other) != str(game)
        assert other.text(seat) == game.text(seat)
    assert redrawn > 5


# ---------------------------------------------------------------------------- moves in words


@pytest.mark.parametrize("mode", MODES)
def test_a_move_is_named_to_each_seat_without_its_secrets(mode: str) -> None:
    for game in positions(mode, 3)[::2]:
        for words, action in game.legal_actions().items():
            for seat in (None, 0, 1, 2):
                told = action_to_string(table_view(game, seat), action)
                if seat in (None, game.to_move) or not words.startswith(SECRET):
                    assert told == words
                else:
                    assert told == f"{words.rpartition(' ')[0]} a card"


@pytest.mark.parametrize(("mode", "players"), OPTIONS)
def test_a_game_is_narrated_to_its_end(mode: str, players: int) -> None:
    games, moves = history(mode, players, 2)
    for viewer in (None, players - 1):
        lines = [line.text for line in games[0].copy().narrate(iter(moves), viewer)]
        assert lines[0].startswith(f"Faux Raccords, {mode}, {players} players")
        assert lines[-1].strip() == str(games[-1]).splitlines()[0]
        turns = sum(line.startswith("Turn of player") for line in lines)
        assert turns == sum(game.phase == "action" for game in games)
        assert sum(line.startswith(("    player", "      …")) for line in lines) == len(moves)


def test_a_narration_says_what_a_seat_learns_and_no_more() -> None:
    game = staged("feature", hands=[["7", "9", "11"], ["23"]], film=["5", "19b"], deck=["2", "3"])
    moves = []
    other = game.copy()
    for words in ("view with 9", "look at 2", "no hint"):
        moves.append(other.legal_actions()[words])
        other.play(words)
    mine, yours = (
        "\n".join(line.text for line in game.copy().narrate(iter(moves), seat)) for seat in (0, 1)
    )
    assert "player 0 bins 9 (neutral) to look at the Film" in mine
    assert "→ at 2 lies 19b action" in mine
    assert "→ you get 2 action editor" in mine
    assert "player 0 bins a card to look at the Film\n    player 0 looks at 2\n" in yours
    assert "19b" not in yours
    assert "you get" not in yours


def test_a_card_that_is_remembered_is_marked() -> None:
    game = staged("arcs", memory="perfect", hands=[["7"], ["23"]])
    play(game, "place 7", "at 0/1", "no hint")
    words = [film_card(card) for card in table_view(game, 0)["film"] if card["claps"]]
    assert words == ["(7 neutral) c0"]
    card = next(card for card in table_view(game, 0)["film"] if card["claps"])
    assert film_card({**card, "card": None, "claps": []}) == "(7 neutral*)"


@pytest.mark.parametrize("seat", [-1, 3, True, "0"])
def test_a_seat_that_there_is_not_is_refused(seat: int) -> None:
    with pytest.raises(OptionError, match="there are players 0 to 2"):
        FauxRaccords(3, seed=1).text(seat)


# ---------------------------------------------------------------------------- observations


@pytest.mark.parametrize("mode", MODES)
def test_an_observation_is_put_into_words(mode: str) -> None:
    for game in positions(mode, 3, 2, memory="perfect")[::7]:
        for seat in range(3):
            words = game.observation_to_string(game.observe(seat))
            assert words.startswith(f"{mode}, 3 players; turn of seat ")
            hand = ", ".join(game.hand(seat)) or "-"
            assert f"hand: {hand}\n" in words
            places = [line.split(":")[0].strip() for line in words.splitlines() if line[0] == " "]
            assert places == list(game.film())[: len(places)]


def test_an_observation_of_another_length_is_refused() -> None:
    game = FauxRaccords(2, seed=1)
    with pytest.raises(OptionError, match="an observation has the shape"):
        game.observation_to_string(game.observe(0)[:-1])

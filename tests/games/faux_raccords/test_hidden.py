"""Who sees what, what a seat is sure of by memory, and redraws of all else (F24 to F26)."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from dreamfactory_env import FauxRaccords, RecordError
from dreamfactory_env.games.faux_raccords.state import CARD_WORDS
from tests.games.faux_raccords.staging import (
    OPTIONS,
    all_cards,
    cards_in,
    play,
    random_moves,
    staged,
)
from tests.games.faux_raccords.test_film import FILM

MEMORIES = pytest.mark.parametrize("memory", ["none", "perfect"])


def seen_by(game: FauxRaccords, seat: int) -> set[str]:
    """Returns the cards that a seat sees now, from its view."""
    view = game.view(seat)
    shown = [*view["cut"]["cards"], *view["players"][seat]["hand"]]
    shown += [card["card"] for card in (*view["film"], *view["taken"])]
    shown += [player["pending"] for player in view["players"]]
    return {card["card"] for card in shown if card is not None}


def sure_of(game: FauxRaccords, seat: int) -> set[str]:
    return {CARD_WORDS[card] for card in cards_in(game.state.sure[seat])}


class Follower:
    """Follows all cards by what is seen and by F26, beside a game."""

    def __init__(self, game: FauxRaccords) -> None:
        self.sure = [set(game.hand(p)) for p in range(game.players)]

    def before(self, game: FauxRaccords, move: str) -> None:
        """Takes note of a move that is about to be played."""
        seat, phase = game.to_move, game.phase
        assert seat is not None
        if move.startswith("call "):
            self.all_see(move.removeprefix("call "))
        elif phase == "swap for":
            self.all_see(game.film()[move.removeprefix("for ")])
        elif phase in ("place", "bin") or move.startswith("view with"):
            self.lose(game, seat, {seat})
        elif phase == "pass" and self.is_last(game):
            for p in range(game.players):
                if game.hand(p):
                    self.lose(game, p, {p, (p + 1) % game.players})

    def is_last(self, game: FauxRaccords) -> bool:
        chosen = sum(player["has_passed"] for player in game.view()["players"])
        return bool(chosen == sum(bool(game.hand(p)) for p in range(game.players)) - 1)

    def all_see(self, card: str) -> None:
        for sure in self.sure:
            sure.add(card)

    def lose(self, game: FauxRaccords, holder: int, keeping: set[int]) -> None:
        if len(game.hand(holder)) > 1:
            for seat, sure in enumerate(self.sure):
                if seat not in keeping:
                    sure -= set(game.hand(holder))

    def after(self, game: FauxRaccords) -> None:
        for seat, sure in enumerate(self.sure):
            sure |= seen_by(game, seat)


@pytest.mark.rule("F26")
@pytest.mark.parametrize(("mode", "players"), OPTIONS)
def test_memory_follows_cards_as_the_rules_say(mode: str, players: int) -> None:
    for seed in range(3):
        game = FauxRaccords(players, mode=mode, memory="perfect", seed=seed)
        follower = Follower(game)
        for move in random_moves(game, random.Random(seed)):
            assert [sure_of(game, p) for p in range(players)] == follower.sure
            follower.before(game, move)
            after = game.copy().play(move)
            follower.after(after)
        assert [sure_of(game, p) for p in range(players)] == follower.sure


@pytest.mark.rule("F26")
def test_track_is_lost_of_a_hand_from_which_one_of_several_cards_goes_unseen() -> None:
    hands = [["20", "21", "22"], ["4", "23", "24"], ["25", "26", "27"]]
    game = staged("feature", 3, film=FILM, hands=hands, memory="perfect")
    play(game, "view with 20", "look at 1", "no hint", "call 4", "give 1", "to player 2", "no hint")
    assert "2" in sure_of(game, 0)
    view = game.view(0)["players"][2]
    assert ([card["card"] for card in view["sure"]], view["hand"]) == (["2"], None)
    assert [card["card"] for card in game.view(0)["bin_cards"]] == ["20"]
    play(game, "place 25", "at 1")
    assert "2" not in sure_of(game, 0)
    assert {"2", "25"} <= sure_of(game, 2)


# ---------------------------------------------------------------------------- redraws


@MEMORIES
@pytest.mark.parametrize(("mode", "players"), OPTIONS)
def test_a_redraw_keeps_what_a_seat_knows_and_all_that_must_hold(
    mode: str, players: int, memory: str
) -> None:
    rng = random.Random(players)
    game = FauxRaccords(players, mode=mode, memory=memory, seed=players)
    for move in random_moves(game, rng):
        if rng.random() > 0.3:
            continue
        for seat in range(players):
            other = game.resample_hidden(seat, rng.randrange(2**40))
            assert other.view(seat) == game.view(seat), move
            assert (other.observe(seat) == game.observe(seat)).all()
            assert all_cards(other) == all_cards(game)
            for p in range(players):
                assert len(other.hand(p)) == len(game.hand(p))
            hazards = other.state.hazards[other.state.hazards >= 0].tolist()
            assert len(set(hazards)) == len(hazards)
            pending = int(other.state.pending)
            assert pending < 0 or CARD_WORDS[pending] in other.hand(int(other.state.to_move))


@MEMORIES
def test_a_redraw_does_redraw_everything_hidden(memory: str) -> None:
    hands = [["20", "21", "22"], ["23", "24", "25"], ["26", "27", "28"]]
    game = staged("feature", 3, film=FILM, hands=hands, memory=memory)
    play(game, "view with 20", "look at 1", "no hint", "place 23", "at 9", "no hint", "place 26")
    redrawn = [game.resample_hidden(0, seed) for seed in range(300)]
    assert {other.film()["1"] for other in redrawn} == {"2"}
    unknown = 32 - len(seen_by(game, 0) | sure_of(game, 0))
    assert unknown == (28 if memory == "none" else 27)
    for place in range(2, 10):
        assert len({other.film()[str(place)] for other in redrawn}) == unknown
    held = Counter(card for other in redrawn for card in other.hand(2))
    assert len(held) == unknown
    # Which card of the hand is being placed is a secret, and so are the hazards.
    chosen = Counter(other.hand(2).index(CARD_WORDS[other.state.pending]) for other in redrawn)
    assert min(chosen[k] for k in range(3)) > 60  # 100 to be expected, sd 8
    assert len({int(other.state.hazards[0]) for other in redrawn}) == 10
    binned = {card for other in redrawn for card in cards_in(other.state.binned)}
    assert len(binned) == (unknown if memory == "none" else 1)


def test_a_redraw_depends_on_what_the_player_knows_and_on_nothing_else() -> None:
    hands = [["20", "21", "22"], ["23", "24", "25"]]
    games = []
    for other in (["23", "24", "25"], ["24", "26", "27"]):
        game = staged("feature", 2, film=FILM, hands=[hands[0], other], hazards=["budget cut"])
        play(game, "place 20", "at 1", "no hint", f"place {other[1]}", "at 4", "no hint")
        games.append(game)
    drawn = [card for game in games for card in game.hand(0)]
    assert len(drawn) == 6
    for game in games:  # the first player has drawn the same card in both
        game.state.hands[0] = 0b111 << 19
    assert games[0].view(0) == games[1].view(0)
    redrawn = [game.resample_hidden(0, 5) for game in games]
    assert redrawn[0].states.tobytes() == redrawn[1].states.tobytes()


def test_a_redrawn_game_has_no_set_up() -> None:
    game = FauxRaccords(2, seed=1).resample_hidden(0, 1)
    assert game.view()["hidden"]["setup"] is None
    with pytest.raises(RecordError, match="redrawn"):
        game.setup()


def test_nobody_is_told_the_secrets_of_others() -> None:
    hands: list[Any] = [["20", "21", "22"], ["23", "24", "25"]]
    moves = ["view with 20", "look at 3", "no hint", "place 24", "at 8", "hint good", "on 1"]
    told = {}
    for viewer in (None, 0, 1):
        game = staged("feature", 2, film=FILM, hands=hands)
        actions = []
        again = game.copy()
        for move in moves:
            actions.append(again.legal_actions()[move])
            again.play(move)
        told[viewer] = [line.text for line in game.narrate(iter(actions), viewer)]
    views, places = (
        {viewer: next(line for line in told[viewer] if word in line) for viewer in told}
        for word in (" bins ", " places ")
    )
    assert views[None] == views[0] == "    player 0 bins 20 (mystery) to look at the Film"
    assert views[1] == "    player 0 bins a card to look at the Film"
    assert places[None] == places[1] == "    player 1 places 24 (joker)"
    assert places[0] == "    player 1 places a card"

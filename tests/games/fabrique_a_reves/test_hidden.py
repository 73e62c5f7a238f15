"""What a seat cannot know, and redraws of it: cards, sides, minds and slates."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from dreamfactory_env import FabriqueAReves, RecordError
from dreamfactory_env.games.fabrique_a_reves.setup import reservoirs_of
from tests.games.fabrique_a_reves.staging import OPTIONS, fill, pass_all, play, random_moves

MORE = [{}, {"labels": "list"}, {"minds": "same"}, {"noise": 0}]


def cards_of(game: FabriqueAReves) -> list[list[str]]:
    """Returns the cards of each reservoir as they lie now."""
    dealt = reservoirs_of(game.options.lexicon.lexicon, game.options.mode_number, game.state)
    return [cards[int(gone) :] for cards, gone in zip(dealt, game.state.taken, strict=False)]


@pytest.mark.parametrize(("mode", "players"), OPTIONS)
def test_a_redraw_leaves_all_that_a_seat_knows_and_plays_on(mode: str, players: int) -> None:
    options = MORE[players % len(MORE)]
    game = FabriqueAReves(players, mode=mode, seed=players, **options)  # type: ignore[arg-type]
    rng = random.Random(players)
    for number, _ in enumerate(random_moves(game, rng)):
        seat = number % players
        other = game.resample_hidden(seat, number)
        assert other.seed is None
        assert other.view(seat) == game.view(seat)
        assert other.text(seat) == game.text(seat)
        assert np.array_equal(other.observe(seat), game.observe(seat))
        if seat == game.to_move:
            assert other.legal_actions() == game.legal_actions()
        # What comes out depends on nothing that is hidden.
        assert other.resample_hidden(seat, 1) == game.resample_hidden(seat, 1)
        if number % 8 == 0:
            for _ in random_moves(other, rng):
                pass


def test_cards_under_the_tops_change_places_and_sides_and_no_others() -> None:
    game = fill(FabriqueAReves(3, seed=5), 3, 2)
    before = cards_of(game)
    hidden = Counter(frozenset(card.split("/")) for cards in before for card in cards[1:])
    places: Counter[tuple[int, int]] = Counter()
    for seed in range(200):
        after = cards_of(game.resample_hidden(0, seed))
        assert [cards[0] for cards in after] == [cards[0] for cards in before]
        assert [len(cards) for cards in after] == [len(cards) for cards in before]
        redrawn = [card for cards in after for card in cards[1:]]
        assert Counter(frozenset(card.split("/")) for card in redrawn) == hidden
        found = next(k for k, card in enumerate(redrawn) if set(card.split("/")) in [*hidden][:1])
        up = redrawn[found] == "/".join(sorted(redrawn[found].split("/")))
        places[found // 100, int(up)] += 1
    assert len(places) == 4
    assert min(places.values()) > 25


def test_other_minds_are_drawn_and_the_own_one_stays() -> None:
    game = FabriqueAReves(4, seed=5)
    minds = game.state.minds.tolist()
    found = set()
    for seed in range(20):
        redrawn = game.resample_hidden(2, seed).state.minds.tolist()
        assert redrawn[2] == minds[2]
        assert redrawn[4] == 0
        found |= {redrawn[0], redrawn[1], redrawn[3]}
    assert len(found) == 60
    assert max(found) < 2**53


def test_minds_that_are_the_same_stay_the_same() -> None:
    game = FabriqueAReves(4, minds="same", seed=5)
    assert game.resample_hidden(0, 1).state.minds.tolist() == [0] * 5


def test_slates_of_others_are_redrawn_as_far_as_they_are_written() -> None:
    game = fill(FabriqueAReves(3, seed=5), 1, 1, 2, 1, 1)
    pass_all(play(game, "doubt on 2"))
    rng = random.Random(1)
    first = game.to_move
    assert first is not None
    for _ in range(9):  # a whole slate of six, and three of the next
        play(game, rng.choice([move for move in game.legal() if not move.endswith("none")]))
    seat = (first + 2) % 3
    slates = game.state.slates
    found: Counter[bytes] = Counter()
    for seed in range(50):
        other = game.resample_hidden(seat, seed)
        redrawn = other.state.slates
        assert ((redrawn == -1) == (slates == -1)).all()
        found[redrawn[first].tobytes()] += 1
        for p in range(3):
            written = redrawn[p][redrawn[p] >= 0].tolist()
            assert len(set(written)) == len(written)
            assert all(game.state.allowed[dream] for dream in written)
    assert len(found) > 40
    own = game.resample_hidden(first, 3)
    assert (own.state.slates[first] == slates[first]).all()


def test_redrawn_dreams_are_near_the_redrawn_minds() -> None:
    """Half of them are the closest that is legal, and now and then there is no second one."""
    game = fill(FabriqueAReves(2, seed=5), 3, 3, 3, 2, 3)
    pass_all(play(game, "doubt on 1"))
    writer = game.to_move
    assert writer is not None
    play(game, *game.legal()[:1])
    play(game, *game.legal()[:1])
    ranks: Counter[int] = Counter()
    single = 0
    for seed in range(400):
        other = game.resample_hidden(1 - writer, seed)
        first, second = other.state.slates[writer, 0].tolist()
        other.state.slates[writer] = -1
        other.state.asked = other.state.proposal = 0
        closest = [thought["word"] for thought in other.view(writer)["vials"][0]["closest"]]
        name = other.dreams()[first]
        ranks[closest.index(name) if name in closest else 3] += 1
        single += second == -2
    assert 160 < ranks[0] < 240
    assert 70 < ranks[1] < 130
    assert ranks[3] > 20
    assert 5 < single < 60


def test_the_mask_of_another_who_dreams_is_redrawn_with_the_mind() -> None:
    game = pass_all(fill(FabriqueAReves(2, seed=5), 3, 3, 3, 3, 2))
    seat = game.to_move
    assert seat is not None
    orders = {game.resample_hidden(1 - seat, k).state.order.tobytes() for k in range(10)}
    assert len(orders) == 10
    assert {game.resample_hidden(seat, k).state.order.tobytes() for k in range(3)} == {
        game.state.order.tobytes()
    }


def test_at_the_end_all_is_open() -> None:
    game = FabriqueAReves(2, seed=5)
    for _ in random_moves(game, random.Random(1)):
        pass
    other = game.resample_hidden(0, 1)
    assert other.seed is None
    assert other.view(1) == game.view(1)
    assert other.result() == game.result()


def test_the_set_up_of_a_redrawn_game_is_not_known() -> None:
    other = FabriqueAReves(3, seed=5).resample_hidden(0, 1)
    with pytest.raises(RecordError, match="redrawn is not known"):
        other.setup()
    assert other.view()["hidden"]["setup"] is None

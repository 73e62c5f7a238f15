"""Whole Films for tests: games that are played until the Film is what it should be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.games.faux_raccords.referee_cards import cards_of, start_size
from tests.games.faux_raccords.referee_position import STARTS
from tests.games.faux_raccords.rule_staging import MakeGame, Table

#: A Film that wins in each mode, with the moods below, by lines or by rows, columns or levels.
FEATURE = "1 3 4 5 8 10b 12 13 15 17 20 21 23 24 26 28"
WINNING: dict[str, list[str]] = {
    "tutorial": ["2 3 5 6 7 11 12 13 20 21 22 23"],
    "feature": [FEATURE],
    # love and laughter, drama and fear
    "shorts": ["1 3 4 8 10b 15 17 24", "5 6 12 13 14 16 19 25"],
    "series": ["1 3 4 5", "8 10b 12 13", "15 17 20 21", "23 24 26 28"],
    # x/1 to x/4 for each x; a card lies left of x+1/y and x/y+1
    "arcs": ["1 3 4 5", "8 10b 12 13", "15 17 20 21", "23 24 26 28"],
    "studio": ["1 10b 17 3 8", "6 14 16 1b", "2 11 5", "7 9", "4"],
}
MOODS = {
    "feature": [["love", "laughter"]],
    "shorts": [["love", "laughter"], ["drama", "fear"]],
    "series": [["love", "laughter"]],
    "arcs": [["love", "laughter"]],
}


def places(mode: str, rows: Sequence[str]) -> dict[str, str]:
    """Returns a Film by its places, from its lines, rows or levels."""
    if mode in ("tutorial", "feature"):
        return {str(k): card for k, card in enumerate(rows[0].split(), start=1)}
    if mode == "shorts":
        lines = zip("AB", rows, strict=True)
        return {f"{a}{k}": card for a, row in lines for k, card in enumerate(row.split(), start=1)}
    return {
        f"{number}/{k}": card
        for number, row in enumerate(rows, start=1)
        for k, card in enumerate(row.split(), start=1)
    }


def built(
    make_game: MakeGame,
    mode: str,
    film: Mapping[str, str],
    moods: Sequence[Sequence[str]] = (),
) -> Table:
    """Returns a game of three in which the Film has become what is asked for.

    It lies there in part from the start; the other cards are in the hands, and each player places
    them when it is their turn. Hazards that change the Film are not dealt.
    """
    if mode in STARTS:
        first = STARTS[mode][0]
    else:
        # The first cards of a line, or of both.
        half = start_size(3, mode) // (2 if mode == "shorts" else 1)
        letters = "AB" if mode == "shorts" else [""]
        first = [f"{letter}{number}" for letter in letters for number in range(1, half + 1)]
    start = [film[place] for place in first]
    # In the order of the places, so that a line grows at its end.
    missing = [place for place in film if place not in first]
    wanted = [film[place] for place in missing]
    spare = [card for card in cards_of(mode) if card not in film.values()]
    # One after the other gets the next card of the Film; what the hands do not hold is drawn first.
    hands = [wanted[seat:9:3] for seat in range(3)]
    deck = [*wanted[9:], *spare[:3]]
    game = make_game(
        mode,
        3,
        hands=hands,
        film=start,
        deck=deck,
        moods=moods or MOODS.get(mode, []),
        hazards=() if mode == "tutorial" else ["power cut", "wrong hands", "early deadline"],
    )
    left = {card: place for place, card in film.items() if place not in first}
    while left:
        assert not game.over
        if "end" in game.legal():
            _act(game, left)
        else:
            _answer(game, left)
    return game.to_action()


def _act(game: Table, left: dict[str, str]) -> None:
    """Places a card that is wanted and fits, or calls one that is not wanted."""
    for card, place in left.items():
        if card in game.offers("place") and _fits(game, card, place, left):
            game.play(f"place {card}", f"at {place}")
            del left[card]
            return
    game.play(f"call {min(game.hand() - set(left))}")


def _fits(game: Table, card: str, place: str, left: dict[str, str]) -> bool:
    """Says whether a card may be put at its place now, and no line has a gap before it."""
    if place in game.fork().play(f"place {card}").offers("at"):
        before = [other for other in left.values() if "/" not in other and _line(other, place)]
        return not any(int(other.strip("AB")) < int(place.strip("AB")) for other in before)
    return False


def _line(one: str, other: str) -> bool:
    """Says whether two places are in the same line."""
    return one.rstrip("0123456789") == other.rstrip("0123456789")


def _answer(game: Table, left: dict[str, str]) -> None:
    """Answers any other question, so that no wanted card is lost."""
    words = sorted(game.legal())
    harmless = [each for each in words if each.split()[-1] not in left or each.startswith("pass")]
    for each in ("no effect", "no hint"):
        if each in words:
            harmless = [each]
    game.play(harmless[0])

"""A position of Faux Raccords, for the referee: where everything is, and who knows it.

F1, F4, F11, F13, F15, F17 and F21 to F26.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.games.faux_raccords.referee_cards import CLAPS, Components
from tests.games.faux_raccords.referee_film import Arcs, Film, Laid, Lines, Series, Studio

CUT = 5  # F11

#: Where the first cards lie, in the order of the set-up (F4): two or three players, and four.
CORNERS = ["1/1", "1/2", "1/3", "2/1", "2/2", "3/1"]
STARTS = {
    "series": (["1/1", "1/3", "1/4", "4/1", "4/2", "4/4"], ["1/1", "1/4", "4/1", "4/4"]),
    "arcs": (CORNERS, ["1/1", "1/2", "2/1", "2/2"]),
    "studio": (CORNERS, ["1/1", "1/2", "1/3", "2/1"]),
}


def first_film(players: int, mode: str, cards: list[str]) -> Film:
    """Returns the Film as it lies at the start."""
    if mode in STARTS:
        shape = Series() if mode == "series" else Arcs() if mode == "arcs" else Studio()
        places = STARTS[mode][players == 4]
        for place, card in zip(places, cards, strict=True):
            one, other = map(int, place.split("/"))
            shape.cells[one, other] = Laid(card)
        return shape
    if mode == "shorts":
        film = Lines(("A", "B"), 8, (("A", 5), ("A", 7), ("B", 5), ("B", 7)))
        half = len(cards) // 2
        film.lines = {"A": [Laid(c) for c in cards[:half]], "B": [Laid(c) for c in cards[half:]]}
        return film
    line = Lines(("",), 16, (("", 10), ("", 12), ("", 14)))
    if mode == "tutorial":
        line = Lines(("",), 12, ())
    line.lines[""] = [Laid(card) for card in cards]
    return line


class Position:
    """All that lies on the table and is held in hands."""

    def __init__(
        self, players: int, mode: str, setup: dict[str, Any], components: Components
    ) -> None:
        """Deals a set-up that has been checked."""
        self.players = players
        self.mode = mode
        self.cards = components.cards
        self.hands: list[list[str]] = [list(hand) for hand in setup["hands"]]
        self.film: Film = first_film(players, mode, setup["film"])
        self.taken: list[Laid] = []  # in the editor's hand, in the order taken
        self.pile: list[str] = list(setup["deck"])  # the first is drawn first
        self.cut: list[str] = []
        self.bin: list[str] = []
        self.hint_left = [True] * players
        self.hazards: list[str] = list(setup["hazards"])
        self.turned = [False] * len(self.hazards)  # up, because they have happened or are done now
        self.moods: list[list[str]] = [list(pair) for pair in setup["moods"]]
        self.turn: int = setup["first_player"]  # whose turn it is
        self.ending: str | None = None
        self.looked_at: Laid | None = None  # by the turn's player, until a Clap has moved there
        self.seen: list[set[str]] = [set() for _ in range(players)]  # and followed since (F26)
        self.look_around()

    # ------------------------------------------------------------------ seats and Claps

    def from_turn(self) -> list[int]:
        """Returns all seats, clockwise from the player whose turn it is."""
        return [(self.turn + step) % self.players for step in range(self.players)]

    def left_of(self, seat: int) -> int:
        """Returns the next seat (F19)."""
        return (seat + 1) % self.players

    def laid(self) -> list[Laid]:
        """Returns the cards of the Film, and those that the editor holds."""
        return [*self.film.lying().values(), *self.taken]

    def reserve(self, seat: int) -> int:
        """Returns how many Claps a player has in reserve."""
        return CLAPS - sum(seat in laid.claps for laid in self.laid())

    def clapped(self, seat: int) -> list[str]:
        """Returns the places where a player's Claps are."""
        return [place for place, laid in self.film.lying().items() if seat in laid.claps]

    def _beside_own(self, film: Film, laid: Laid) -> bool:
        """Says whether a card touches one with a Clap of the turn's player, where that is barred.

        F15: with two players, in the feature and the shorts.
        """
        if self.players != 2 or self.mode not in ("feature", "shorts"):
            return False
        return any(self.turn in near.claps for near in film.touching(laid))

    def room_to_place(self) -> list[str]:
        """Returns where the turn's player may place a card (F12, F13, F15)."""
        found = []
        for place in self.film.room():
            trial, new = self.film.copy(), Laid("any")
            trial.put(place, new)
            if not self._beside_own(trial, new):
                found.append(place)
        return found

    def to_view(self) -> list[str]:
        """Returns the places of the cards that the turn's player may look at (F14, F15)."""
        return [
            place
            for place, laid in self.film.lying().items()
            if not laid.face_up
            and self.turn not in laid.claps
            and not self._beside_own(self.film, laid)
        ]

    # ------------------------------------------------------------------ what moves

    def leave_film(self, laid: Laid) -> str:
        """Returns a card that has left the Film; its Claps go back, its hints are gone (F17)."""
        laid.claps.clear()
        laid.hints.clear()
        return laid.card

    def let_go_unseen(self, seat: int, knowing: tuple[int, ...] = ()) -> None:
        """Makes others lose track of a hand from which a card is about to go unseen (F26).

        Args:
            seat: Whose hand it is.
            knowing: Who sees which card goes, besides the one who lets it go.
        """
        if len(self.hands[seat]) >= 2:
            for other in range(self.players):
                if other != seat and other not in knowing:
                    self.seen[other] -= set(self.hands[seat])

    def bin_from_hand(self, seat: int, card: str) -> None:
        """Moves a card from a hand to the bin, face down."""
        self.let_go_unseen(seat)
        self.hands[seat].remove(card)
        self.bin.append(card)

    def end_of_turn(self) -> None:
        """Draws a card, clears the Cut, and passes the turn on (F11)."""
        if self.pile:
            self.hands[self.turn].append(self.pile.pop(0))
        while len(self.cut) > CUT:
            self.bin.append(self.cut.pop(0))
        self.look_around()
        self.turn = self.left_of(self.turn)

    # ------------------------------------------------------------------ who sees what

    def sees_card(self, seat: int, laid: Laid) -> bool:
        """Says whether a player sees a card of the Film (F24)."""
        looks = laid is self.looked_at and seat == self.turn
        return laid.face_up or seat in laid.claps or looks

    def look_around(self) -> None:
        """Lets everybody see what they see now; to be called whenever something has changed."""
        for seat, seen in enumerate(self.seen):
            seen.update(self.hands[seat], self.cut)
            seen.update(laid.card for laid in self.laid() if self.sees_card(seat, laid))

    def sees(self, seat: int) -> dict[str, Any]:
        """Returns what a player sees now (F24)."""
        lying = self.film.lying()

        def shown(laid: Laid) -> str | None:
            return laid.card if self.sees_card(seat, laid) else None

        return {
            "hand": sorted(self.hands[seat]),
            "film": {place: shown(laid) for place, laid in lying.items()},
            "face_up": [place for place, laid in lying.items() if laid.face_up],
            "claps": [self.clapped(each) for each in range(self.players)],
            "reserves": [self.reserve(each) for each in range(self.players)],
            "hints": {place: sorted(laid.hints) for place, laid in lying.items() if laid.hints},
            "hint_left": list(self.hint_left),
            "taken": [
                {
                    "card": shown(laid),
                    "face_up": laid.face_up,
                    "claps": sorted(laid.claps),
                    "hints": sorted(laid.hints),
                }
                for laid in self.taken
            ],
            "cut": list(self.cut),
            "hand_sizes": [len(hand) for hand in self.hands],
            "pile": len(self.pile),
            "bin": len(self.bin),
            "moods": [list(pair) for pair in self.moods],
            "hazards": [
                name if up else None for name, up in zip(self.hazards, self.turned, strict=True)
            ],
            "turn": self.turn,
        }

    def sure_of(self, seat: int) -> dict[str, str]:
        """Returns the cards in Film, hands and bin that a player is sure of, and where (F26)."""
        where = {laid.card: f"film {place}" for place, laid in self.film.lying().items()}
        where |= {laid.card: "taken" for laid in self.taken}
        where |= {card: f"hand {each}" for each, hand in enumerate(self.hands) for card in hand}
        where |= dict.fromkeys(self.bin, "bin")
        return {card: where[card] for card in sorted(self.seen[seat]) if card in where}

    # ------------------------------------------------------------------ the end

    def genre_scores(self) -> list[int]:
        """Returns the genre score for each pair of moods (F22)."""
        found: list[int] = []
        if not self.moods:
            return found
        for pair, part in zip(self.moods, self.film.genres(), strict=True):
            symbols = [self.cards[laid.card].symbol for laid in part]
            found.append(sum(symbol in pair or symbol == "joker" for symbol in symbols))
        return found

    def conditions(self) -> dict[str, bool]:
        """Returns which conditions are met, each judged by itself (F21)."""
        found = {"size": self.film.has_size()}
        if isinstance(self.film, Studio):
            levels = [
                {self.cards[laid.card].symbol for laid in self.film.level(number)}
                for number in range(1, 6)
            ]
            on_levels = Counter(symbol for level in levels for symbol in level)
            found["levels"] = all(len(level) <= 2 for level in levels)
            found["symbols"] = all(count == 1 for count in on_levels.values())
            return found
        values = {laid.card: self.cards[laid.card].value for laid in self.film.lying().values()}
        found["order"] = all(
            values[left.card] < values[right.card] for left, right in self.film.rising()
        )
        if self.mode != "tutorial":
            least = 5 if isinstance(self.film, Lines) and len(self.film.lines) == 2 else 7
            found["doubles"] = len(set(values.values())) == len(values)
            found["genre"] = all(score >= least for score in self.genre_scores())
        return found

    def result(self) -> dict[str, Any]:
        """Returns the result as a record has it, without the graded score (F28)."""
        conditions = self.conditions()
        won = all(conditions.values())
        return {
            "scores": [int(won)] * self.players,
            "winners": list(range(self.players)) if won else [],
            "ending": self.ending,
            "player": self.turn,
            "conditions": conditions,
            "genre": self.genre_scores(),
            "film": {place: laid.card for place, laid in self.film.lying().items()},
        }

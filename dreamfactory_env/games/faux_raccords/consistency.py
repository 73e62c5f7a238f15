"""What belongs together in a position of Faux Raccords: a saved one is checked for all of it.

Every card is in one place, the Film has a shape that the rules allow, and what is chosen and not
done yet is what the phase asks for. What is accepted here is a position that the rules can deal
with, so compiled code can be let loose on it.
"""

from __future__ import annotations

from typing import Any

from dreamfactory_env.engine.structs import Records
from dreamfactory_env.games.faux_raccords.geometry import (
    FIRST_INDEX,
    FIRST_X,
    FIRST_Y,
    FRAME,
    GRID,
    HAZARD_SLOTS,
    LEAST_X,
    LEAST_Y,
    LEVELS,
    cards_that_may_leave,
    is_whole,
    mending_places,
    touching,
)
from dreamfactory_env.games.faux_raccords.hazards import HAZARD_COUNTS
from dreamfactory_env.games.faux_raccords.setup import (
    CARDS_OF_MODE,
    PAIRS,
    REMOVED,
    begin_at,
    film_size,
)
from dreamfactory_env.games.faux_raccords.state import (
    CLAPS,
    CUT_LIMIT,
    HAND,
    LINE_B,
    MAX_TAKEN,
    NO_CARD,
    NO_SEED,
    NOTHING,
    NOWHERE,
    SLOTS,
    STATE,
    TAKEN,
    WIDTH,
    Ending,
    Hazard,
    Memory,
    Mode,
    Phase,
)
from dreamfactory_env.games.saving import require

#: The phases of a hazard, with the hazard that asks for each; BIN is asked for by any (F20).
HAZARD_PHASES = {
    Phase.TAKE_CLAP: Hazard.POWER_CUT,
    Phase.LOSE: Hazard.LOST_REEL,
    Phase.CLASH: Hazard.EGO_CLASH,
    Phase.CLASH_WITH: Hazard.EGO_CLASH,
    Phase.RESHOOT: Hazard.RESHOOT,
    Phase.PASS: Hazard.WRONG_HANDS,
    Phase.COVER: Hazard.CENSORED,
    Phase.BIN: None,
}
#: Where the cards of `studio` can lie: five levels, from index 1 on.
PYRAMID_SLOTS = sum(1 << (WIDTH * level + k) for level in range(LEVELS) for k in range(1, 6))
LINE = 2**LINE_B - 1


def check_position(states: Records, params: Records, blank: Records) -> None:
    """Checks a position whose numbers are within their ranges.

    Args:
        states: The position, STATE, shape (1,).
        params: The components, PARAMS, shape (1,).
        blank: A state before the deal, STATE, shape (1,).

    Raises:
        SavedStateError: Something does not belong together.
    """
    position = _Position(states, params)
    position.check_seats()
    position.check_deal(blank)
    position.check_hazards()
    position.check_film()
    position.check_cards()
    position.check_marks()
    position.check_choices()


class _Position:
    """A position in plain numbers, and the checks of its parts."""

    def __init__(self, states: Records, params: Records) -> None:
        self.s: dict[str, Any] = {name: states[name][0].tolist() for name in STATE.names or ()}
        self.params = params
        self.players: int = self.s["players"]
        self.phase = Phase(self.s["phase"])
        self.mode = Mode(int(params["mode"][0]))
        self.occupied = _as_set(self.s["occupied"])
        self.mover: int = self.s["to_move"]

    def check_seats(self) -> None:
        """Checks whose turn it is, and that seats that nobody has are empty."""
        s, unused = self.s, slice(self.players, None)
        for name, empty in (("hands", 0), ("sure", 0), ("claps", 0), ("hint_good", 0)):
            require(set(s[name][unused]) <= {empty}, f"{name} of seats that nobody has")
        for name, nothing in (("passing", NO_CARD), ("hint_slot", NOWHERE)):
            require(set(s[name][unused]) <= {nothing}, f"{name} of seats that nobody has")
        for name in ("turn", "first_player"):
            require(s[name] < self.players, f"{name} is {s[name]} of {self.players}")
        asked = self.phase in (Phase.TAKE_CLAP, Phase.PASS, Phase.BIN)
        require(asked or s["turn"] == self.mover, "it is another player's turn")
        over = self.phase == Phase.OVER
        require((s["ending"] != Ending.NONE) == over, "a game that is over has an ending")
        empty_hand = s["hands"][s["turn"]] == 0
        require(
            empty_hand if s["ending"] == Ending.EMPTY_HAND else not (over and empty_hand),
            "it has ended in another way",
        )
        forgets = int(self.params["memory"][0]) == Memory.NONE
        require(not (forgets and any(s["sure"])), "nobody remembers in this game")

    # ------------------------------------------------------------------ what was drawn

    def check_deal(self, blank: Records) -> None:
        """Checks the order in which cards were dealt, as far as it is known, and moods."""
        s, count = self.s, CARDS_OF_MODE[self.mode]
        dealt = s["dealt"][:count]
        require(set(s["dealt"][count:]) <= {NO_CARD}, f"there are {count} cards")
        known = [card for card in dealt if card != NO_CARD]
        erased = count - len(known)
        require(dealt == [NO_CARD] * erased + known, "a part of the set-up is missing")
        right = len(set(known)) == len(known) and max(known, default=0) < count
        require(right, "a card was dealt twice, or is not in the game")
        first = HAND * self.players + film_size(self.mode, self.players)
        require(s["pile_end"] == count - REMOVED[self.mode], "the draw pile ends elsewhere")
        require(first <= s["drawn"] <= s["pile_end"], "the top of the draw pile is elsewhere")
        require(erased <= s["drawn"], "cards of the draw pile are missing")
        require(erased == 0 or s["seed"] == NO_SEED, "a game that was redrawn has no seed")
        moods = s["moods"][: 2 * PAIRS[self.mode]]
        different = len(set(moods)) == len(moods) and NOTHING not in moods
        require(different and set(s["moods"][len(moods) :]) <= {NOTHING}, "there are other moods")
        start = 0
        if erased == 0:
            begun = blank.copy()
            for name in ("dealt", "hazards", "moods", "first_player"):
                begun[name] = s[name]
            begin_at(begun, 0, self.params)
            start = int(begun["start_score"][0])
        require(s["start_score"] == start, f"the Film was worth {start} at first")

    def check_hazards(self) -> None:
        """Checks which hazards there are, and which one is being done."""
        s, count = self.s, HAZARD_COUNTS[self.mode]
        hazards = s["hazards"][:count]
        different = len(set(hazards)) == len(hazards) and NOTHING not in hazards
        require(different and set(s["hazards"][count:]) <= {NOTHING}, "there are other hazards")
        require(s["happened"] < 1 << count, f"there are {count} hazards")
        asking = self.phase in HAZARD_PHASES
        require((s["hazard"] != NOTHING) == asking, "a hazard is done, or none is")
        if asking:
            begun = s["hazard"] < count and s["happened"] >> s["hazard"] & 1
            require(bool(begun), "the hazard has not happened")
            kind = int(self.params["hazard"][0][hazards[s["hazard"]]])
            require(HAZARD_PHASES[self.phase] in (None, kind), "another hazard is done")
        if self.phase == Phase.RESHOOT:
            require(s["drawn"] < s["pile_end"], "there is no card to reshoot with")

    # ------------------------------------------------------------------ cards

    def check_film(self) -> None:
        """Checks that the cards of the Film lie as the mode allows (F5 to F10)."""
        lying = sum(1 << slot for slot, card in enumerate(self.s["film"]) if card != NO_CARD)
        require(lying == self.occupied, "the Film has cards in other slots")
        if self.mode < Mode.SERIES:
            lines = (lying & LINE, lying >> LINE_B)
            in_rows = all(line & (line + 1) == 0 for line in lines)
            require(in_rows and (self.mode == Mode.SHORTS or not lines[1]), "a line has gaps")
            return
        if self.mode == Mode.SERIES:
            waiting = [at for k, at in enumerate(HAZARD_SLOTS) if not self.s["happened"] >> k & 1]
            allowed = GRID & ~sum(1 << at for at in waiting)
        elif self.mode == Mode.ARCS:
            allowed = FRAME & ~(LEAST_X | LEAST_Y)
        else:
            allowed = PYRAMID_SLOTS
        require(lying & ~allowed == 0, "a card lies beside the Film")
        if self.mode == Mode.SERIES or lying == 0:
            return
        if self.mode == Mode.ARCS:
            require(bool(lying & FIRST_X and lying & FIRST_Y), "the Film does not begin at 1/1")
        else:
            require(bool(lying & FIRST_INDEX), "the Film does not begin at 1/1")
        cards = sum(card != NO_CARD for card in self.s["taken"])
        if self.phase in (Phase.TAKE_MORE, Phase.PUT) and cards:
            whole = mending_places(int(self.mode), lying, cards) != 0
        else:
            whole = bool(is_whole(int(self.mode), lying))
        require(whole, "the Film is not whole")

    def check_cards(self) -> None:
        """Checks that every card of the game is in one place."""
        s = self.s
        size = s["cut_size"]
        row, behind = s["cut"][:size], s["cut"][size:]
        require(NO_CARD not in row and set(behind) <= {NO_CARD}, "the Cut has gaps")
        rows = [*s["film"], *row, *s["taken"], *s["dealt"][s["drawn"] :]]
        cards = [card for card in rows if card != NO_CARD]
        for held in (*s["hands"], s["binned"]):
            cards += [card for card in range(held.bit_length()) if held >> card & 1]
        whole = sorted(cards) == list(range(CARDS_OF_MODE[self.mode]))
        require(whole, "a card is nowhere, or in two places")
        known = all(held < 1 << CARDS_OF_MODE[self.mode] for held in s["sure"])
        require(known, "somebody remembers cards that are not in the game")

    # ------------------------------------------------------------------ what lies on cards

    def check_marks(self) -> None:
        """Checks what lies on cards: that they are face up, Claps and hints."""
        s = self.s
        taken = [card != NO_CARD for card in s["taken"]]
        require(_as_set(s["face_up"]) & ~self.occupied == 0, "no card there is face up")
        for k in range(MAX_TAKEN):
            bare = s["taken_face_up"][k] == 0 and s["taken_claps"][k] == 0
            require(taken[k] or bare, "nothing lies on a card that was not taken")
            require(s["taken_claps"][k] < 1 << self.players, "Claps of seats that nobody has")
        require(s["hints_left"] < 1 << self.players, "hints of seats that nobody has")
        for p in range(self.players):
            claps = _as_set(s["claps"][p])
            require(claps & ~self.occupied == 0, f"Claps of player {p} lie on no card")
            more = sum(held >> p & 1 for held in s["taken_claps"])
            require(claps.bit_count() + more <= CLAPS, f"player {p} has {CLAPS} Claps")
            slot = s["hint_slot"][p]
            if slot == NOWHERE:
                continue
            lies = taken[slot - TAKEN] if slot >= TAKEN else self.occupied >> slot & 1
            given = not s["hints_left"] >> p & 1
            require(bool(lies) and given, f"the hint of player {p} lies elsewhere")

    # ------------------------------------------------------------------ what is not done yet

    def check_choices(self) -> None:
        """Checks that what is chosen and not done yet is what the phase asks for."""
        s, phase = self.s, self.phase
        hand = s["hands"][self.mover]
        holds = phase in (Phase.PLACE, Phase.SHOW_AT)
        require((s["pending"] != NO_CARD) == holds, "a card is chosen, or none is")
        require(not holds or hand >> s["pending"] & 1 == 1, "the card is not in the hand")
        require(phase != Phase.ACTION or hand != 0, "without a card the game is over")
        self.check_called()
        self.check_chosen()
        taken = [card != NO_CARD for card in s["taken"]]
        if phase == Phase.TAKE_MORE:
            require(taken == [True, False], "the editor has taken one card")
        else:
            require(any(taken) == (phase == Phase.PUT), "the editor has taken cards, or none")
        self.check_passing()
        if phase in (Phase.HINT, Phase.HINT_ON):
            can = s["hints_left"] >> self.mover & 1 and self.occupied
            require(bool(can), "there is no hint to give")

    def check_called(self) -> None:
        """Checks the card that was called in this turn, and the Cut."""
        s, phase = self.s, self.phase
        row = s["cut"][: s["cut_size"]]
        if phase in (Phase.ACTION, Phase.PLACE, Phase.LOOK, Phase.MOVE_CLAP, Phase.OVER):
            fits = s["called"] == NO_CARD and s["cut_size"] <= CUT_LIMIT
            require(fits, "a card was called, or the Cut is too long")
        elif phase < Phase.HINT:
            require(s["called"] in row, "the card that was called is not in the Cut")
        else:
            fits = s["called"] != NO_CARD or s["cut_size"] <= CUT_LIMIT
            require(fits, "the Cut is too long")
            require(s["called"] < CARDS_OF_MODE[self.mode], "no such card was called")
        require(phase != Phase.REUSE or s["cut_size"] > 1, "there is no card to reuse")
        swapping = phase == Phase.SWAP_FOR
        require((s["swapped"] != NOWHERE) == swapping, "a card is swapped, or none is")
        require(not swapping or s["swapped"] < s["cut_size"], "the Cut has no such card")

    def check_chosen(self) -> None:
        """Checks the slot that was chosen."""
        s, phase = self.s, self.phase
        chosen = s["chosen"]
        asking = phase in (Phase.MOVE_CLAP, Phase.GIVE_TO, Phase.CLASH_WITH)
        require((chosen != NOWHERE) == asking, "a place is chosen, or none is")
        if not asking:
            return
        right = self.occupied >> chosen & 1 == 1
        if phase == Phase.MOVE_CLAP:
            claps = _as_set(s["claps"][self.mover])
            right = right and claps.bit_count() == CLAPS and not claps >> chosen & 1
        elif phase == Phase.GIVE_TO:
            leaving = cards_that_may_leave(int(self.mode), s["occupied"])
            right = right and _as_set(int(leaving)) >> chosen & 1 == 1
        elif right:
            near = _as_set(int(touching(int(self.mode), _as_number(1 << chosen))))
            right = near & self.occupied != 0
        require(right, "another place must be chosen")

    def check_passing(self) -> None:
        """Checks which players have chosen a card to pass: those before the player to move."""
        s = self.s
        if self.phase != Phase.PASS:
            require(set(s["passing"]) <= {NO_CARD}, "no cards are passed")
            return
        turn = s["turn"]
        asked = (self.mover - turn) % self.players
        for k in range(self.players):
            seat = (turn + k) % self.players
            card, hand = s["passing"][seat], s["hands"][seat]
            chose = k < asked and hand != 0
            require((card != NO_CARD) == chose, "cards are passed in turn")
            require(not chose or hand >> card & 1 == 1, "the card is not in the hand")


def _as_set(number: int) -> int:
    """Returns a set of slots, whose last one is the sign of the number, as a number above 0."""
    return number & (1 << SLOTS) - 1


def _as_number(slots: int) -> int:
    """Returns a set of slots as compiled code has it, see :func:`_as_set`."""
    return slots - (slots >> (SLOTS - 1) << SLOTS)

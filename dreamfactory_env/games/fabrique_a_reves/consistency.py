"""What belongs together in a position of La Fabrique à rêves: a saved one is checked for all of it.

Every card is in one place, tools lie where they were used, what was chosen is what the phase asks
for, and what follows from the rest (the list of dreams, which of them are allowed, their order) is
what the rules make of it. What is accepted here is a position that the rules can deal with, so
compiled code can be let loose on it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Records
from dreamfactory_env.games.fabrique_a_reves.lexicon import VIAL
from dreamfactory_env.games.fabrique_a_reves.minds import forbid_family, write_order
from dreamfactory_env.games.fabrique_a_reves.options import theme_count
from dreamfactory_env.games.fabrique_a_reves.rules import SIDES
from dreamfactory_env.games.fabrique_a_reves.setup import begin_at
from dreamfactory_env.games.fabrique_a_reves.state import (
    NO_SEED,
    NO_THEME,
    NO_TOKEN,
    NO_WORD,
    NOBODY,
    NOT_YET,
    NOTHING,
    NOWHERE,
    PROPOSALS,
    RESERVOIRS_OF_MODE,
    TOOLS_OF_VARIANT,
    VIALS_OF_MODE,
    Mode,
    Phase,
    Tool,
)
from dreamfactory_env.games.saving import require

#: What the options say of a state.
OPTIONS = ("players", "mode", "level", "labels", "same_minds", "noise")
#: What is drawn, or lies on the table, and all else follows from.
GIVEN = ("minds", "in_play", "first_player", "themes", "dealt", "to_move", "filled", "words")
#: What follows.
DERIVED = ("dreams", "split", "second", "allowed", "order")


@jit
def _derive_at(states: Records, index: int, params: Records, vial: int) -> None:
    """Writes in game ``index`` which dreams its words allow, and their order at a vial, if any."""
    s, t = states[index], params[0]
    for other in range(VIALS_OF_MODE[int(s.mode)]):
        for k in range(int(s.filled[other])):
            forbid_family(s, t, int(s.words[other, k]))
    if vial != NOWHERE:
        write_order(s, t, int(s.to_move), vial)


def check_position(states: Records, params: Records, blank: Records) -> None:
    """Checks a position whose numbers are within their ranges.

    Args:
        states: The position, STATE, shape (1,).
        params: The lexicon, PARAMS, shape (1,).
        blank: A state before the deal, STATE, shape (1,).

    Raises:
        SavedStateError: Something does not belong together.
    """
    position = _Position(states, params)
    position.check_options(blank)
    position.check_draws(blank)
    position.check_vials()
    position.check_cards()
    position.check_tools()
    position.check_turn()
    position.check_question()
    position.check_derived(blank)
    position.check_slates()


class _Position:
    """A position in plain numbers, and the checks of its parts."""

    def __init__(self, states: Records, params: Records) -> None:
        self.states, self.params = states, params
        self.s: dict[str, Any] = {
            name: states[name][0].tolist() for name in states.dtype.names or ()
        }
        self.players: int = self.s["players"]
        self.phase = Phase(self.s["phase"])
        self.mode = Mode(self.s["mode"])
        self.vials: int = VIALS_OF_MODE[self.mode]
        self.cards = int(params["cards"][0])
        self.mover: int = self.s["to_move"]
        self.used: int = self.s["in_play"] & ~self.s["tools"]

    # ------------------------------------------------------------------ what was drawn

    def check_options(self, blank: Records) -> None:
        """Checks what the options say."""
        for name in OPTIONS:
            right = int(blank[name][0])
            require(self.s[name] == right, f"{name} is {self.s[name]}; the options say {right}")

    def check_draws(self, blank: Records) -> None:
        """Checks what was drawn: first player, tools, themes, cards and minds."""
        s = self.s
        first = s["first_player"]
        require(first < self.players, f"first_player is {first} of {self.players}")
        tools, said = s["in_play"], int(blank["in_play"][0])
        right = tools == said if said else tools.bit_count() == TOOLS_OF_VARIANT
        require(right, "it is played with other tools")
        count = theme_count(self.mode)
        themes, behind = s["themes"][:count], s["themes"][count:]
        known: list[int] = []
        if count:
            size = int(self.params["level_sizes"][0][s["level"]])
            known = self.params["levels"][0][s["level"], :size].tolist()
        different = len(set(themes)) == count and set(themes) <= set(known)
        require(different and set(behind) <= {NO_THEME}, "there are other themes")
        dealt = sorted(thought // SIDES for thought in s["dealt"][: self.cards])
        require(dealt == list(range(self.cards)), "a card was dealt twice, or is not in the game")
        require(not any(s["dealt"][self.cards :]), f"there are {self.cards} cards")
        require(not any(s["minds"][self.players :]), "minds of seats that nobody has")
        require(not (s["same_minds"] and any(s["minds"])), "all minds are the same")
        known_seed = s["seed"] != NO_SEED
        require(not (s["redrawn"] and known_seed), "a game that was redrawn has no seed")

    # ------------------------------------------------------------------ the table

    def check_vials(self) -> None:
        """Checks that the words of each vial stand in a row, and who put them there."""
        for vial, (words, seats) in enumerate(
            zip(self.s["words"], self.s["placed_by"], strict=True)
        ):
            filled = self.s["filled"][vial]
            there = vial < self.vials or filled == 0
            require(there, f"there are {self.vials} vials")
            in_row = NO_WORD not in words[:filled] and set(words[filled:]) <= {NO_WORD}
            require(in_row, f"vial {vial + 1} holds other words")
            right = all(0 <= seat < self.players for seat in seats[:filled])
            require(right and set(seats[filled:]) <= {NOBODY}, "others have put the words there")

    def check_cards(self) -> None:
        """Checks that the words in vials are on cards that have left the reservoirs, or written."""
        s, count = self.s, RESERVOIRS_OF_MODE[self.mode]
        gone: set[int] = set()
        for reservoir, taken in enumerate(s["taken"]):
            lying = s["dealt"][reservoir : self.cards : count] if reservoir < count else []
            require(taken <= len(lying), f"there are {len(lying)} cards in a reservoir")
            gone.update(lying[:taken])
        words = [word for vial in s["words"] for word in vial if word != NO_WORD]
        printed = [word for word in words if word < SIDES * self.cards]
        once = len(set(printed)) == len(printed)
        require(once and set(printed) <= gone, "a word lies in a vial, and its card elsewhere")
        swept, spilled = self.used >> Tool.BROOM & 1, self.used >> Tool.SPILL & 1
        discarded = len(gone) - len(printed)
        most = swept * count + spilled * VIAL
        require(swept + spilled <= discarded <= most, "cards were discarded in another way")

    def check_tools(self) -> None:
        """Checks that every tool that was used, but for the broom, lies on one vial (R8)."""
        s = self.s
        require(s["tools"] & ~s["in_play"] == 0, "there are other tools")
        require(set(s["tokens"][self.vials :]) <= {NO_TOKEN}, f"there are {self.vials} vials")
        tokens = sorted(token for token in s["tokens"] if token != NO_TOKEN)
        used = [tool for tool in Tool if self.used >> tool & 1 and tool != Tool.BROOM]
        require(tokens == used, "tools lie on other vials than where they were used")
        words = SIDES * self.cards + int(self.params["quill"][0])
        for vial in range(self.vials):
            written = [word for word in s["words"][vial] if word >= SIDES * self.cards]
            asked = self.phase == Phase.QUILL and s["asked"] == vial
            expected = int(s["tokens"][vial] == Tool.QUILL and not asked)
            right = len(written) == expected and all(word < words for word in written)
            require(right, "the quill has written another word")

    # ------------------------------------------------------------------ the course

    def check_turn(self) -> None:
        """Checks who has passed, and whether thoughts are over (R13, R14)."""
        passed = self.s["passed"]
        everybody = (1 << self.players) - 1
        require(passed <= everybody, "seats that nobody has have passed")
        full = all(filled == VIAL for filled in self.s["filled"][: self.vials])
        thinking = self.phase in (Phase.THOUGHTS, Phase.QUILL)
        require((full or passed == everybody) != thinking, "it is time for another phase")
        require(not (thinking and passed >> self.mover & 1), "the player to move has passed")
        if self.phase == Phase.OVER:
            last = (self.s["first_player"] - 1) % self.players
            require(self.mover == last, f"player {last} is the last to dream")

    def check_question(self) -> None:
        """Checks the vial that is asked for, and which proposal."""
        s, asked = self.s, self.s["asked"]
        asking = self.phase in (Phase.QUILL, Phase.DREAMS)
        require((asked != NOWHERE) == asking, "a vial is asked for, or none is")
        require(asked < self.vials, f"there are {self.vials} vials")
        if self.phase == Phase.QUILL:
            right = s["tokens"][asked] == Tool.QUILL and s["filled"][asked] < VIAL
            require(right, "the quill writes for another vial")
        if self.phase == Phase.OVER:
            right = s["proposal"] == self.proposals(self.vials - 1) - 1
        elif self.phase == Phase.DREAMS:
            right = s["proposal"] < self.proposals(asked)
        else:
            right = s["proposal"] == 0
        require(right, "another proposal is asked for")

    def proposals(self, vial: int) -> int:
        """Returns how many dreams each player writes for a vial (R15)."""
        return PROPOSALS if self.s["tokens"][vial] == Tool.DOUBT else 1

    # ------------------------------------------------------------------ dreams

    def check_derived(self, blank: Records) -> None:
        """Checks what follows from the rest: the list of dreams, which are allowed, their order."""
        right = blank.copy()
        for name in GIVEN:
            right[name] = self.states[name]
        begin_at(right, 0, self.params)
        right["to_move"] = self.mover
        if self.phase == Phase.OVER:
            vial = self.vials - 1
        else:
            vial = self.s["asked"] if self.phase == Phase.DREAMS else NOWHERE
        _derive_at(right, 0, self.params, vial)
        for name in DERIVED:
            same = np.array_equal(right[name], self.states[name])
            require(same, f"{name} is not what follows from themes, words and minds")

    def check_slates(self) -> None:
        """Checks that players have written what they were asked for, and what they may (R16)."""
        allowed = {dream for dream, marked in enumerate(self.s["allowed"]) if marked}
        for seat, slate in enumerate(self.s["slates"]):
            left, free = self.decided(seat), set(allowed)
            for vial, places in enumerate(slate):
                count = min(left, self.proposals(vial))
                left -= count
                right = NOT_YET not in places[:count] and set(places[count:]) <= {NOT_YET}
                require(right, f"player {seat} was asked for other dreams")
                for proposal, dream in enumerate(places[:count]):
                    # A second proposal need not be made; the first is, if there is a dream left.
                    right = dream in free or (dream == NOTHING and (proposal > 0 or not free))
                    require(right, f"player {seat} has dreamt what is not allowed")
                    free.discard(dream)

    def decided(self, seat: int) -> int:
        """Returns how many dreams a seat has decided on, in the order of vials (R15)."""
        if self.phase in (Phase.THOUGHTS, Phase.QUILL) or seat >= self.players:
            return 0
        whole = sum(self.proposals(vial) for vial in range(self.vials))
        if self.phase == Phase.OVER:
            return whole
        first = self.s["first_player"]
        turn, now = (seat - first) % self.players, (self.mover - first) % self.players
        if turn != now:
            return whole if turn < now else 0
        before = sum(self.proposals(vial) for vial in range(self.s["asked"]))
        return before + int(self.s["proposal"])

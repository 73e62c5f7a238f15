"""A position of La Fabrique à rêves for the referee: what lies where, and who sees it; the waking.

R3, R4, R7 to R13 and R16 to R20.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.games.fabrique_a_reves.referee_setup import MODES
from tests.games.fabrique_a_reves.referee_words import Box, game_dreams

ROOM = 3  # words in a vial (R7)
SCALE = (4, 7, 10, 14, 18)  # R20: the points from which on the next place is reached
DUST = {"dust": 1, "dust+2": 2}  # R19
NONE = "none"  # R15


@dataclass
class Vial:
    """A vial: its words, who put each there, and its token."""

    words: list[str] = field(default_factory=list)
    by: list[int] = field(default_factory=list)
    token: str | None = None

    def put(self, word: str, seat: int) -> None:
        """Lays a word into the vial (R7, R12)."""
        self.words.append(word)
        self.by.append(seat)


class Position:
    """All that lies on the table and stands on slates; reservoirs and vials count from 1."""

    def __init__(self, config: dict[str, Any], setup: dict[str, Any], box: Box) -> None:
        """Deals a set-up that has been checked."""
        mode = MODES[config["mode"]]
        self.box = box
        self.players: int = config["players"]
        self.aim = mode.aim
        self.first: int = setup["first_player"]
        self.themes: list[str] = list(setup["themes"])
        self.dreams = game_dreams(box, self.themes)
        self.minds: list[int] = list(setup["minds"])
        self.tools: list[str] = list(setup["tools"])  # still to be used (R8)
        self.reservoirs = {
            number: [card.split("/")[0] for card in reservoir]  # top first; the side that is up
            for number, reservoir in enumerate(setup["reservoirs"], start=1)
        }
        self.vials = {number: Vial() for number in range(1, mode.vials + 1)}
        self.passed = [False] * self.players
        #: What each seat has written for each vial; None for no dream.
        self.slates: list[dict[int, list[str | None]]] = [
            {number: [] for number in self.vials} for _ in range(self.players)
        ]

    # ------------------------------------------------------------------ phase 1

    def turn_words(self) -> list[str]:
        """Returns what a player may do in a turn (R6)."""
        sources = [r for r, cards in self.reservoirs.items() if cards]
        room = [v for v, vial in self.vials.items() if len(vial.words) < ROOM]
        bare = [v for v, vial in self.vials.items() if vial.token is None]  # R8
        found = [f"take {r} into {v}" for r in sources for v in room]  # R7
        if "broom" in self.tools and sources:  # R9
            found.append("broom")
        for tool in ("doubt", "dust", "dust+2"):  # R10
            if tool in self.tools:
                found += [f"{tool} on {v}" for v in bare]
        if "spill" in self.tools:  # R11
            found += [f"spill {v}" for v in bare if self.vials[v].words]
        if "quill" in self.tools:  # R12
            found += [f"quill {v}" for v in bare if v in room]
        if not found or all(vial.words for vial in self.vials.values()):  # R13
            found.append("pass")
        return found

    def all_full(self) -> bool:
        """Says whether all vials hold three words (R14)."""
        return all(len(vial.words) == ROOM for vial in self.vials.values())

    def take(self, reservoir: int, vial: int, seat: int) -> None:
        """Moves the top card of a reservoir into a vial (R7)."""
        self.vials[vial].put(self.reservoirs[reservoir].pop(0), seat)

    def sweep(self) -> None:
        """Uses the broom: the top of every reservoir is discarded (R9)."""
        self.tools.remove("broom")
        for cards in self.reservoirs.values():
            del cards[:1]

    def put_token(self, tool: str, vial: int) -> None:
        """Puts a tool on a vial, for good (R8); a spilled vial is empty (R11)."""
        self.tools.remove(tool)
        self.vials[vial].token = tool
        if tool == "spill":
            self.vials[vial].words.clear()
            self.vials[vial].by.clear()

    # ------------------------------------------------------------------ phase 2

    def allowed_dreams(self) -> list[str]:
        """Returns the dreams that no word in any vial forbids, in the order of the list (R16)."""
        lying: set[str] = set()
        for vial in self.vials.values():
            for word in vial.words:
                lying |= self.box.families[word]
        return [each.word for each in self.dreams if not lying & self.box.families[each.word]]

    # ------------------------------------------------------------------ phase 3

    def judge(self, number: int) -> dict[str, Any]:
        """Returns the score of a vial as a record has it (R17 to R19)."""
        vial = self.vials[number]
        count: Counter[str] = Counter()
        for slate in self.slates:
            count.update(word for word in slate[number] if word is not None)  # R16: no word twice
        group = max(count.values(), default=0)
        points = self.points(group, len(vial.words))
        if points > 0:
            points += DUST.get(vial.token or "", 0)
        leaders = [each.word for each in self.dreams if count[each.word] == group]
        return {
            "cards": len(vial.words),
            "token": vial.token,
            "group": group,
            "dream": leaders[0] if points > 0 else None,
            "points": points,
        }

    def points(self, group: int, words: int) -> int:
        """Returns the points for a largest group at a vial with so many words (R18)."""
        if group < 2:
            return 0
        if self.players in self.box.scoring:
            return self.box.scoring[self.players][group][words]
        if group == self.players:
            return 1 + words
        return max(1, min(group - 1, words))

    def result(self) -> dict[str, Any]:
        """Returns the result as a record has it (R20)."""
        vials = [self.judge(number) for number in self.vials]
        points = sum(vial["points"] for vial in vials)
        return {
            "scores": [points] * self.players,
            "winners": list(range(self.players)) if points >= self.aim else [],
            "points": points,
            "scale": sum(points >= least for least in SCALE),
            "aim": self.aim,
            "vials": vials,
        }

    # ------------------------------------------------------------------ who sees what

    def sees(self, seat: int, *, everything: bool = False) -> dict[str, Any]:
        """Returns what a seat sees, or at the end of the game everything."""

        def own(each: int) -> bool:
            return everything or each == seat

        return {
            "first_player": self.first,
            "themes": list(self.themes),
            "aim": self.aim,
            "tools": list(self.tools),
            "passed": list(self.passed),
            "vials": [
                {"words": list(vial.words), "by": list(vial.by), "token": vial.token}
                for vial in self.vials.values()
            ],
            "reservoirs": [
                {
                    "top": cards[0] if cards else None,
                    "cards": len(cards),
                    "under": list(cards[1:]) if everything else None,
                }
                for cards in self.reservoirs.values()
            ],
            "minds": [mind if own(each) else None for each, mind in enumerate(self.minds)],
            "slates": [
                [list(words) for words in slate.values()] if own(each) else None
                for each, slate in enumerate(self.slates)
            ],
        }

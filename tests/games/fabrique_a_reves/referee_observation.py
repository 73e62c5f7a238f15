"""What a seat observes, for the referee: the numbers of an observation, block by block.

Slow and plain, from the descriptions of the blocks; associations are those of the own mind (M2).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.games.fabrique_a_reves.referee import Referee
from tests.games.fabrique_a_reves.referee_position import ROOM
from tests.games.fabrique_a_reves.referee_setup import MODES, TOOLS, level_of

PHASES = ("thoughts", "quill", "dreams", "over")
SEATS, VIALS, RESERVOIRS, LEADERS, WORDS = 5, 5, 8, 8, 128
UNIT, CUT = 128, 8  # of associations


def one_of(choices: Sequence[Any], chosen: Any) -> list[float]:
    """Returns 1 for what was chosen and 0 for the rest."""
    return [float(each == chosen) for each in choices]


def scaled(number: int) -> float:
    """Returns an association as an observation has it."""
    return min(max(number / UNIT, -CUT), CUT)


class Observer:
    """A seat that looks at a game."""

    def __init__(self, referee: Referee, seat: int) -> None:
        self.referee, self.seat = referee, seat
        self.p = referee.position
        self.written = {w for words in self.p.slates[seat].values() for w in words if w is not None}
        self.sums_of: dict[tuple[str, ...], list[int]] = {}

    # ------------------------------------------------------------------ the own mind

    def sums(self, words: Sequence[str]) -> list[int]:
        """Returns for each dream of the list the associations with words, summed."""
        key = tuple(words)
        if key not in self.sums_of:
            mind, noise = self.p.minds[self.seat], self.referee.config["noise"]
            self.sums_of[key] = self.referee.meanings.sums(mind, noise, self.p.dreams, list(words))
        return self.sums_of[key]

    def ranked(self, words: Sequence[str], more: Sequence[str] = ()) -> list[int]:
        """Returns the dreams that R16 does not forbid by their sums, as places in the list.

        Args:
            words: What lies in the vial.
            more: What lies nowhere yet, and would forbid its family, too.
        """
        if not words:
            return []
        lying = [word for vial in self.p.vials.values() for word in vial.words] + list(more)
        families = set().union(*(self.p.box.families[word] for word in lying))
        sums = self.sums(words)
        allowed = [
            place
            for place, dream in enumerate(self.p.dreams)
            if dream.word not in self.written and not families & self.p.box.families[dream.word]
        ]
        return sorted(allowed, key=lambda place: (-sums[place], place))

    def best_and_lead(self, words: Sequence[str], more: Sequence[str] = ()) -> list[float]:
        """Returns the highest sum, and by how much it is above the second; all if there is none."""
        sums, ranked = self.sums(words), self.ranked(words, more)
        if not ranked:
            return [0.0, 0.0]
        lead = scaled(sums[ranked[0]] - sums[ranked[1]]) if len(ranked) > 1 else float(CUT)
        return [scaled(sums[ranked[0]]), lead]

    # ------------------------------------------------------------------ blocks

    def seat_of(self, seat: int | None) -> list[float]:
        """Returns 1 for a seat, from the own one on."""
        own = None if seat is None else (seat - self.seat) % self.p.players
        return one_of(range(SEATS), own)

    def tops(self) -> list[str | None]:
        """Returns the word on top of each reservoir."""
        found = [cards[0] if cards else None for cards in self.p.reservoirs.values()]
        return found + [None] * (RESERVOIRS - len(found))

    def vials(self) -> list[list[float]]:
        """Returns the block of vials."""
        found = [[0.0] * 27 for _ in range(VIALS)]
        for number, vial in self.p.vials.items():
            row = [
                1.0,
                *one_of(range(ROOM + 1), len(vial.words)),
                *one_of(("doubt", "dust", "dust+2", "spill", "quill"), vial.token),
            ]
            row += self.best_and_lead(vial.words)
            for place in range(ROOM):
                row += self.seat_of(vial.by[place] if place < len(vial.by) else None)
            found[number - 1] = row
        return found

    def moves(self) -> list[list[list[float]]]:
        """Returns what would become of each vial with the word of each reservoir."""
        found = [[[0.0] * 3 for _ in range(VIALS)] for _ in range(RESERVOIRS)]
        if self.referee.phase != "thoughts":
            return found
        for r, top in enumerate(self.tops()):
            for number, vial in self.p.vials.items():
                if top is None or len(vial.words) == ROOM:
                    continue
                words = [*vial.words, top]
                before, after, sums = (
                    self.ranked(vial.words),
                    self.ranked(words, [top]),
                    self.sums(words),
                )
                is_best = bool(before) and before[0] in after and sums[before[0]] == sums[after[0]]
                found[r][number - 1] = [*self.best_and_lead(words, [top]), float(is_best)]
        return found

    def leaders(self) -> list[list[list[float]]]:
        """Returns the eight best dreams of each vial, and how close they are to the tops."""
        found = [[[0.0] * (1 + RESERVOIRS) for _ in range(LEADERS)] for _ in range(VIALS)]
        if self.referee.phase != "thoughts":
            return found
        for number, vial in self.p.vials.items():
            for k, place in enumerate(self.ranked(vial.words)[:LEADERS]):
                tops = [scaled(self.sums([top])[place]) if top else 0.0 for top in self.tops()]
                found[number - 1][k] = [scaled(self.sums(vial.words)[place]), *tops]
        return found

    def quill(self) -> list[list[float]]:
        """Returns what would become of the vial with each word of the quill."""
        found = [[0.0] * 2 for _ in range(WORDS)]
        if self.referee.phase == "quill" and self.referee.to_move == self.seat:
            (vial,) = (each for each in self.p.vials.values() if each.token == "quill")
            for k, word in enumerate(self.p.box.quill):
                found[k] = self.best_and_lead([*vial.words, word], [word])
        return found

    def dreams(self) -> list[list[float]]:
        """Returns for each dream by its action what speaks for it."""
        found = [[0.0] * 5 for _ in range(WORDS)]
        if self.referee.phase != "dreams" or self.referee.to_move != self.seat:
            return found
        legal = self.referee.legal()
        number = int(legal[0].split()[1])
        words = self.p.vials[number].words
        for place, dream in enumerate(self.p.dreams):
            spoken = f"dream {number} {dream.word}"
            own = [scaled(self.sums([word])[place]) for word in words]
            others = [
                self.sums(vial.words)[place]
                for other, vial in self.p.vials.items()
                if other != number
            ]
            found[self.referee.action(spoken) - 67] = [
                float(spoken in legal),
                *own,
                *[0.0] * (ROOM - len(own)),
                scaled(max(others)),
            ]
        return found

    def slate(self) -> list[list[float]]:
        """Returns how far each vial on the own slate is, and the highest sum there."""
        found = [[0.0] * 2 for _ in range(VIALS)]
        places = {dream.word: place for place, dream in enumerate(self.p.dreams)}
        for number, vial in self.p.vials.items():
            words = self.p.slates[self.seat][number]
            asked = 2 if vial.token == "doubt" else 1
            sums = [self.sums(vial.words)[places[word]] for word in words if word is not None]
            found[number - 1] = [len(words) / asked, scaled(max(sums, default=0))]
        return found

    def observation(self) -> dict[str, Any]:
        """Returns all blocks by their names, as nested lists."""
        p, config = self.p, self.referee.config
        passed = [float(p.passed[(self.seat + step) % p.players]) for step in range(p.players)]
        piles = [[float(bool(cards)), len(cards) / 32] for cards in p.reservoirs.values()]
        return {
            "phase": one_of(PHASES, self.referee.phase),
            "mode": one_of(list(MODES), config["mode"]),
            "level": one_of(range(4), level_of(config)),
            "players": one_of(range(2, 6), p.players),
            "aim": [p.aim / 20],
            "noise": [config["noise"] / UNIT],
            "to_move": self.seat_of(self.referee.to_move),
            "first": self.seat_of(p.first),
            "passed": passed + [0.0] * (SEATS - p.players),
            "tools": [float(tool in p.tools) for tool in TOOLS],
            "vials": self.vials(),
            "reservoirs": piles + [[0.0, 0.0]] * (RESERVOIRS - len(piles)),
            "moves": self.moves(),
            "leaders": self.leaders(),
            "quill": self.quill(),
            "dreams": self.dreams(),
            "slate": self.slate(),
        }

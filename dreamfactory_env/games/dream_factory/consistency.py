"""What belongs together in a position of Dream Factory: a saved one is checked for all of it.

The numbers of a position say many things twice: tiles on films are tiles of the deck, the rank of a
film follows from its stars, money only changes hands. What is accepted here is a position that the
rules can deal with, so compiled code can be let loose on it.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from dreamfactory_env.engine.compiling import jit
from dreamfactory_env.engine.structs import Records, copy_records
from dreamfactory_env.games.dream_factory.legal import FITTING_TOPS
from dreamfactory_env.games.dream_factory.rules import is_red
from dreamfactory_env.games.dream_factory.scoring import (
    award_first_film,
    award_genre_prizes,
    take_token,
)
from dreamfactory_env.games.dream_factory.state import (
    BEST_OF_GENRE,
    BEST_OF_ROUND,
    GUEST_SPACE,
    NO_BID,
    NO_TILE,
    NOBODY,
    NOTHING,
    PARAMS,
    SCREENPLAYS,
    STATE,
    UNFINISHED,
    Edition,
    Phase,
    kind_of,
)
from dreamfactory_env.games.saving import require

#: The options, which the state repeats.
OPTIONS = ("players", "edition", "hidden_money", "choose_studio")


def check_position(states: Records, params: Records, blank: Records) -> None:
    """Checks a position whose numbers are within their ranges.

    Args:
        states: The position, STATE, shape (1,).
        params: The components, PARAMS, shape (1,).
        blank: A state with the options before the deal, STATE, shape (1,).

    Raises:
        SavedStateError: Something does not belong together.
    """
    for name in OPTIONS:
        found, right = int(states[name][0]), int(blank[name][0])
        require(found == right, f"{name} is {found}, but {right} in the options")
    position = _Position(states, params)
    position.check_course()
    position.check_deal()
    position.check_auction()
    position.check_tiles()
    position.check_films()
    position.check_money()
    _check_awards(states, params)


class _Position:
    """A position in plain numbers, and the checks of its parts."""

    def __init__(self, states: Records, params: Records) -> None:
        self.s: dict[str, Any] = {name: states[name][0].tolist() for name in STATE.names or ()}
        self.t: dict[str, Any] = {name: params[name][0].tolist() for name in PARAMS.names or ()}
        self.players: int = self.s["players"]
        self.phase = Phase(self.s["phase"])
        self.at_party = bool(
            self.phase in (Phase.PARTY, Phase.PLACING)
            and self.s["location"] < self.t["locations"]
            and self.t["is_party"][self.s["location"]]
        )

    def only_seats(self, name: str, empty: int) -> list[int]:
        """Returns what the seats have of something, which the unused ones must not have."""
        numbers: list[int] = self.s[name]
        unused = set(numbers[self.players :]) <= {empty}
        require(unused, f"{name} of seats that nobody has")
        return numbers[: self.players]

    # ------------------------------------------------------------------ where the game stands

    def check_course(self) -> None:
        """Checks round, location, phase and seats."""
        s, t = self.s, self.t
        for name in ("first_player", "starting_player"):
            require(s[name] < self.players, f"{name} is {s[name]} of {self.players}")
        over = self.phase == Phase.OVER
        require((s["round_number"] == t["rounds"]) == over, "the game ends with the last round")
        require(s["round_number"] <= t["rounds"], f"there are {t['rounds']} rounds")
        require(s["location"] < t["locations"], f"there are {t['locations']} locations")
        require(not over or s["location"] == 0, "the game ends behind the last location")
        if self.phase in (Phase.AUCTION, Phase.PARTY):
            party = bool(t["is_party"][s["location"]])
            require(party == (self.phase == Phase.PARTY), "the location is for something else")
        order = self.only_seats("party_order", 0)
        if self.at_party:
            require(sorted(order) == list(range(self.players)), "a guest is asked twice")
            require(s["party_turn"] < self.players, "the party is over")
            require(order[s["party_turn"]] == s["to_move"], "another guest is to move")
        else:
            require(not any(order) and s["party_turn"] == 0, "there is no party")
            winner = self.phase != Phase.PLACING or s["to_move"] == s["first_player"]
            require(winner, "who has won the auction is first player")

    def check_deal(self) -> None:
        """Checks what was drawn, and who has which studio."""
        s, t = self.s, self.t
        for name in ("deck", "pile"):
            size = t[f"{name}_size"]
            same = sorted(s[name][:size]) == sorted(t[name][:size])
            require(same and s[name][size:] == t[name][size:], f"the {name} is another one")
        studios = self.only_seats("studio", 0)
        chosen = [number for number in studios if number]
        right = len(set(chosen)) == len(chosen) and max(chosen, default=0) <= t["studios"]
        require(right, "studios that are not there, or twice")
        if self.phase == Phase.STUDIO:
            require(bool(s["choose_studio"]), "studios are not chosen in this game")
            start = s["first_player"] == s["starting_player"]
            early = start and s["round_number"] == 0 and s["location"] == 0
            require(early, "studios are chosen before all else")
            done = (s["to_move"] - s["starting_player"]) % self.players
            before = {(s["starting_player"] + k) % self.players for k in range(done)}
            have = {p for p in range(self.players) if studios[p]}
            require(have == before, "studios are chosen in turn")
        else:
            require(len(chosen) == self.players, "somebody has no studio")

    def check_auction(self) -> None:
        """Checks bids, and who has passed."""
        s = self.s
        bids, passed = self.only_seats("bids", NO_BID), self.only_seats("passed", 0)
        require(s["high_bid"] == max(bids), "the highest bid is another one")
        if self.phase != Phase.AUCTION:
            require(s["high_bid"] == NO_BID and not any(passed), "there is no auction")
            return
        made = [bid for bid in bids if bid != NO_BID]
        require(len(set(made)) == len(made), "two bids are the same")
        paid = all(bid <= money for bid, money in zip(bids, s["money"], strict=False))
        require(paid, "a bid is more than its player has")
        require(passed.count(0) > 1, "the auction is won")
        mover = s["to_move"]
        require(not passed[mover], "the player to move has passed")
        outbid = bids[mover] == NO_BID or bids[mover] < s["high_bid"]
        require(outbid, "the highest bidder is not asked again")
        require(
            bool(s["high_bid"] == NO_BID or not passed[bids.index(s["high_bid"])]),
            "the highest bidder has passed",
        )

    # ------------------------------------------------------------------ tiles

    def lot_of(self, round_: int, location: int) -> list[int]:
        """Returns the tiles that lie on a location at first."""
        s, t = self.s, self.t
        if t["is_hollywood"][location]:
            return [t["legendary"]]
        start = round_ * t["round_size"][self.players] + t["lot_start"][self.players][location]
        tiles: list[int] = s["deck"][start : start + t["lot_size"][self.players][location]]
        return tiles

    def drawn(self) -> list[int]:
        """Returns all tiles that have come into the game."""
        if self.phase == Phase.STUDIO:
            return []
        here = (self.s["round_number"], self.s["location"])
        return [
            tile
            for round_ in range(self.t["rounds"])
            for location in range(self.t["locations"])
            if (round_, location) <= here
            for tile in self.lot_of(round_, location)
        ]

    def check_tiles(self) -> None:
        """Checks that every tile has come from the deck, and that none is lost."""
        s = self.s
        lot, hand = s["lot"], s["hand"]
        whole = self.lot_of(s["round_number"], s["location"]) if self.phase != Phase.OVER else []
        whole = whole + [NO_TILE] * (len(lot) - len(whole))
        if self.phase == Phase.AUCTION:
            require(lot == whole and not any(hand), "the lot is another one")
        elif self.at_party:
            self.check_party(lot, hand, whole)
        elif self.phase == Phase.PLACING:
            won = any(hand) and not any(lot)
            won = won and all(
                tile in (NO_TILE, right) for tile, right in zip(hand, whole, strict=False)
            )
            require(won, "the hand is another one")
        else:
            require(not any(lot) and not any(hand), "there are no tiles to be had")
        on_films = [tile for row in s["tiles"] for tile in row if tile != NO_TILE]
        seen = Counter([*on_films, *(tile for tile in [*lot, *hand] if tile != NO_TILE)])
        drawn = Counter(self.drawn())
        require(seen <= drawn, "there are tiles that were not drawn")
        hidden = s["covered"] + s["discarded"]
        require(seen.total() + hidden == drawn.total(), "tiles are lost")

    def check_party(self, lot: list[int], hand: list[int], whole: list[int]) -> None:
        """Checks what the guests of a party have left."""
        left = all(tile in (NO_TILE, right) for tile, right in zip(lot, whole, strict=True))
        require(left, "the lot is another one")
        taken = Counter(whole) - Counter(lot)
        taken.pop(NO_TILE, 0)
        placing = self.phase == Phase.PLACING
        require(any(hand[:1]) == placing and not any(hand[1:]), "a guest has one tile")
        require(not placing or hand[0] in taken, "the tile was not on the party")
        turns = self.s["party_turn"] + placing
        declined = self.s["edition"] == Edition.TRAUMFABRIK
        fits = taken.total() <= turns if declined else taken.total() == turns
        require(fits, "each guest takes one tile")

    # ------------------------------------------------------------------ films

    def check_films(self) -> None:
        """Checks whose films there are, what lies on them, and which are finished."""
        s, t = self.s, self.t
        owners: dict[int, int | None] = {}
        for p in range(self.players):
            films = t["studio_films"][s["studio"][p]] if s["studio"][p] else []
            owners |= {film: p for film in films if film != NOTHING}
        owners |= dict.fromkeys(s["pile"][: s["pile_taken"]])
        finished = s["finished"][: s["finished_count"]]
        require(not any(s["finished"][s["finished_count"] :]), "films behind the finished ones")
        require(
            s["pile_taken"] == min(len(finished), t["pile_size"]), "the pile is too low or high"
        )
        making: list[int] = []
        for p, row in enumerate(s["in_production"]):
            films = [film for film in row if film != NOTHING]
            require(not films or p < self.players, "films of seats that nobody has")
            require(all(s["owner"][film] == p for film in films), "a film of somebody else")
            making += films
        once = sorted([*making, *finished]) == sorted(owners)
        require(once, "a film is nowhere, or twice, or was never taken")
        for film in range(SCREENPLAYS):
            self.check_film(film, owners, film in finished)
        for p, red in enumerate(s["red"]):
            mine = [film for film in owners if s["owner"][film] == p]
            visible = sum(is_red(tile) for film in mine for tile in s["tiles"][film])
            require(red == visible, f"player {p} has {visible} red tiles, not {red}")

    def check_film(self, film: int, owners: dict[int, int | None], finished: bool) -> None:
        """Checks one film: its owner, and the tiles on it."""
        owner, tiles, spaces = (
            self.s["owner"][film],
            self.s["tiles"][film],
            self.t["space_kind"][film],
        )
        if film not in owners:
            untouched = owner == NOBODY and not any(tiles)
            require(untouched, f"film {film} is nobody's")
            return
        right = 0 <= owner < self.players and owners[film] in (None, owner)
        require(right, f"film {film} is somebody else's")
        lying = [(tile, kind) for tile, kind in zip(tiles, spaces, strict=True) if tile != NO_TILE]
        fits = all(FITTING_TOPS[kind_of(tile), kind] for tile, kind in lying)
        require(fits, f"a tile does not fit film {film}")
        shown = range(GUEST_SPACE)
        complete = all(tiles[space] != NO_TILE for space in shown if spaces[space])
        require(complete == finished, f"film {film} is finished, or is not")

    def check_money(self) -> None:
        """Checks that all the money is there (D2, D12)."""
        money, pot = self.only_seats("money", 0), self.s["pot"]
        whole = self.players * self.t["money"][self.players]
        require(sum(money) + pot == whole, f"there is {whole} money, not {sum(money) + pot}")
        require(pot < self.players - 1, "the pot is shared when it is large enough")


# ---------------------------------------------------------------------------- awards


@jit
def finish_again(states: Records, index: int, params: Records) -> None:
    """Gives tokens and awards anew for the finished films, in their order (D22, D25, D27)."""
    s, t = states[index], params[0]
    s.free_tokens = (1 << int(t.tokens)) - 1
    s.tokenless = 0
    s.rank[:] = UNFINISHED
    s.awards[:] = NOTHING
    s.best_director = NOBODY
    for k in range(s.finished_count):
        take_token(s, t, int(s.finished[k]))
        award_first_film(s, t, int(s.finished[k]))
    if s.phase == Phase.OVER:
        award_genre_prizes(s, t)


def _check_awards(states: Records, params: Records) -> None:
    """Checks tokens and awards, which follow from the films."""
    again = copy_records(states)
    finish_again(again, 0, params)
    for name in ("free_tokens", "tokenless", "rank", "best_director"):
        require(bool((states[name] == again[name]).all()), f"{name} does not follow from the films")
    found, right = states["awards"][0].tolist(), again["awards"][0].tolist()
    for awards in (slice(0, BEST_OF_ROUND), slice(BEST_OF_GENRE, None)):
        require(found[awards] == right[awards], "an award went to another film")
    s: Any = states[0]
    # Which films were finished in which round is not known, but their order is.
    best, leaders = NOTHING, [NOTHING]
    for film in s.finished[: int(s.finished_count)].tolist():
        best = film if best == NOTHING or s.rank[film] > s.rank[best] else best
        leaders.append(best)
    given = min(int(s.round_number), int(params[0].rounds) - 1)
    rounds = found[BEST_OF_ROUND:BEST_OF_GENRE]
    require(set(rounds[given:]) <= {NOTHING}, "the award of a round that is not over")
    for film in rounds[:given]:
        while leaders and leaders[0] != film:
            leaders.pop(0)
        require(bool(leaders), "the award of a round went to another film")

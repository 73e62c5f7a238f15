"""A slow, plain referee of Dream Factory, written straight from the rules.

It shares no code with the engine, so that the two can check each other: it deals the same
set-up, says which words are legal, plays them and scores the game. The numbers D1 to D30 in the
comments are those of the rules page. From the command line it verifies a file of records:

    python tests/referee.py COMPONENTS.yaml games.jsonl
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

GENRES = ("drama", "adventure", "entertainment")
BLANK_TAKES = ("actor", "camera", "music", "effects")  # D17
RED = ("actor", "guest")  # D14
AWARDS = (  # name and points, in the order of the record
    *((f"first {genre}", 5) for genre in GENRES),  # D25
    *((f"best film round {number}", 5) for number in (1, 2, 3)),  # D26
    *((f"best {genre}", 10) for genre in GENRES),  # D27
    ("worst film", 10),
    ("best director", 10),
)


class Foul(Exception):
    """An illegal move, or a record that no game can have produced."""


class Tile(NamedTuple):
    """One tile; legendary directors are directors with four stars."""

    kind: str
    stars: int

    def __str__(self) -> str:
        """Return the words of the record."""
        return f"{self.kind} {self.stars}"


@dataclass
class Space:
    """One space of a screenplay, with the tiles that lie on it, the top one last."""

    kind: str
    name: str
    stack: list[Tile] = field(default_factory=list)

    def takes(self, tile: Tile) -> bool:
        """Say whether the tile may be laid here while the film is unfinished."""
        if self.kind == "guest" or tile.kind == "guest":
            return self.kind == tile.kind  # D19
        if tile.kind == "agency":
            return True  # D18: any space but the guest star's, empty or covered
        if self.stack and self.stack[-1].kind == "agency":
            return False  # D18: only agencies cover an agency
        if self.kind == "blank":  # D17: four kinds; once covered, only the kind that lies there
            return tile.kind in BLANK_TAKES and (not self.stack or self.stack[-1].kind == tile.kind)
        return tile.kind == self.kind  # D17


@dataclass
class Film:
    """A screenplay in front of a player, finished or not."""

    title: str
    genre: str
    printed: int
    owner: int
    spaces: list[Space]
    finished: bool = False
    stars: int = 0  # the sum when finished, before a token is taken
    token: str | None = None
    rank: int = 0  # place among finished films, higher is better

    def tops(self) -> list[Tile]:
        """Return the visible tiles."""
        return [space.stack[-1] for space in self.spaces if space.stack]


def token_key(token: str) -> tuple[int, bool]:
    """Order the tokens: by value, the one marked + just above the plain one (D4)."""
    return int(token.rstrip("+")), token.endswith("+")


def tiles_of(kind: str, counts: dict[int, int]) -> list[Tile]:
    """Return the tiles that one line of the component file stands for."""
    return [Tile(kind, stars) for stars, many in counts.items() for _ in range(many)]


class Referee:
    """One game, from its set-up to its result."""

    def __init__(
        self, components: dict[str, Any], config: dict[str, Any], setup: dict[str, Any]
    ) -> None:
        """Set the game up, and lay out the first round unless studios are still to be chosen."""
        variant: dict[str, int] = components.get("variant", {})
        self._check_config(config, variant.get("players", 5))
        self.players: int = config["players"]
        self.edition: str = config["edition"]
        self.rounds = variant.get("rounds", 4)  # D7

        plays: list[dict[str, Any]] = components["screenplays"]
        self.screenplays = {play["title"]: play for play in plays}
        self.studios = sorted({play["studio"] for play in plays if "studio" in play})  # not taken
        self.locations: list[dict[str, Any]] = components["locations"]
        self.ranking = sorted(map(str, components["tokens"]), key=token_key)  # D4
        self.free_tokens = list(self.ranking)
        money = variant.get("money", 10 if self.players == 5 else 12)  # D2
        self.money = [money] * self.players
        self.pot = 0  # the middle
        self.films: list[list[Film]] = [[] for _ in range(self.players)]
        self.finished: list[Film] = []  # in the order of finishing
        self.awards: dict[str, Film | int] = {}  # D28: best director goes to a player
        self.board: list[list[Tile]] = [[] for _ in self.locations]
        self.hand: list[Tile] = []  # received by the player to move, to be placed
        self.box: list[Tile] = []  # out of the game
        self.round = 1
        self.location = 0
        self.bidders: list[int] = []  # seats still in the auction, the next one asked first
        self.high_bid: int | None = None
        self.queue: list[int] = []  # seats still to pick at the party

        kinds = dict(components["tiles"])
        self.legendary = tiles_of("director", kinds.pop("legendary", {}))
        tiles = [tile for kind, counts in kinds.items() for tile in tiles_of(kind, counts)]
        if Counter(setup["deck"]) != Counter(map(str, tiles)):  # D5
            raise Foul("the deck does not hold exactly the tiles of the game")
        self.deck = [Tile(word.split()[0], int(word.split()[1])) for word in setup["deck"]]
        drawn = self.rounds * sum(map(self._size, self.locations))
        if drawn > len(self.deck) + len(self.legendary):
            raise Foul("the board needs more tiles than there are")
        self.pile: list[str] = list(setup["pile"])
        if sorted(self.pile) != sorted(p["title"] for p in plays if "studio" not in p):  # D5
            raise Foul("the pile does not hold exactly the screenplays without a studio")
        self.first_player: int = setup["first_player"]  # D6
        if type(self.first_player) is not int or not 0 <= self.first_player < self.players:
            raise Foul(f"no seat {self.first_player!r} to be first player")

        self.phase = "studio"
        self.to_move: int | None = self.first_player
        dealt: list[int] = setup["studios"]
        if len(dealt) != (0 if config["choose_studio"] else self.players):
            raise Foul(f"{len(dealt)} studios dealt")
        for seat, studio in enumerate(dealt):
            if type(studio) is not int or studio not in self.studios:
                raise Foul(f"no studio {studio!r} to deal to seat {seat}")
            self._take_studio(seat, studio)
        if dealt:
            self._lay_out()

    @staticmethod
    def _check_config(config: dict[str, Any], most: int) -> None:
        """Foul if the options are not those of a game."""
        players = config["players"]
        if type(players) is not int or not 2 <= players <= most:  # D1
            raise Foul(f"{players!r} players: 2 to {most} can play")
        if config["edition"] not in ("traumfabrik", "dream_factory"):
            raise Foul(f"unknown edition {config['edition']!r}")
        # D3 is no matter to a referee, who sees all the money.
        if config["hidden_money"] not in ("rule", "never", "always"):
            raise Foul(f"unknown hidden_money {config['hidden_money']!r}")
        if type(config["choose_studio"]) is not bool:
            raise Foul("choose_studio is neither true nor false")

    @property
    def over(self) -> bool:
        """Say whether the game has ended."""
        return self.phase == "over"

    def reds(self, seat: int) -> int:
        """Count the visible actors and guest stars on all the player's films (D14)."""
        return sum(tile.kind in RED for film in self.films[seat] for tile in film.tops())

    def census(self) -> Counter[str]:
        """Count every tile of the game over all the places where tiles are kept."""
        places = [self.deck, self.legendary, self.hand, self.box, *self.board]
        places += [s.stack for films in self.films for film in films for s in film.spaces]
        return Counter(str(tile) for place in places for tile in place)

    # What is legal

    def legal(self) -> set[str]:
        """Return the words of every legal move of the player to move."""
        if self.to_move is None:
            return set()
        if self.phase == "studio":
            return {f"studio {studio}" for studio in self.studios}
        if self.phase == "auction":  # D9: zero is a bid, and nobody bids more than he has
            lowest = 0 if self.high_bid is None else self.high_bid + 1
            bids = range(lowest, self.money[self.to_move] + 1)
            return {"pass", *(f"bid {amount}" for amount in bids)}
        if self.phase == "party":  # D15; the older edition says "may take"
            picks = {f"pick {tile}" for tile in self.board[self.location]}
            return picks | {"decline"} if self.edition == "traumfabrik" else picks
        words = {f"discard {tile}" for tile in self.hand}  # D16
        for film in self.films[self.to_move]:
            if not film.finished:  # D23
                for space in film.spaces:
                    for tile in self.hand:
                        if space.takes(tile):
                            words.add(f"place {tile} on {film.title}/{space.name}")
        return words

    # Playing

    def play(self, seat: int, words: str) -> None:
        """Play one move, or raise Foul and change nothing."""
        if self.to_move is None:
            raise Foul(f"seat {seat!r} plays {words!r}, but the game is over")
        if type(seat) is not int or seat != self.to_move:
            raise Foul(f"seat {seat!r} plays {words!r}, but it is seat {self.to_move}'s move")
        if type(words) is not str or words not in self.legal():
            raise Foul(
                f"{words!r} by seat {seat} is not legal in round {self.round} at "
                f"{self.locations[self.location]['name']} ({self.phase}); "
                f"legal: {', '.join(sorted(self.legal()))}"
            )
        verb, _, rest = words.partition(" ")
        if verb == "studio":
            self._take_studio(seat, int(rest))
            self.to_move = (seat + 1) % self.players
            if self.to_move == self.first_player:
                self._lay_out()
        elif verb in ("pass", "bid"):
            self._bid(seat, int(rest) if verb == "bid" else None)
        elif verb == "decline":
            self._next_at_party()
        elif verb == "pick":  # D15: placed or discarded before the next player picks
            self.hand.append(self._withdraw(self.board[self.location], rest))
            self.phase = "placing"
        else:
            tile_words, _, target = rest.partition(" on ")
            tile = self._withdraw(self.hand, tile_words)
            if verb == "discard":
                self.box.append(tile)
            else:
                self._place(seat, tile, target)
            if not self.hand:
                if self.locations[self.location]["kind"] == "party":
                    self._next_at_party()
                else:
                    self._next_location()

    @staticmethod
    def _withdraw(tiles: list[Tile], words: str) -> Tile:
        """Take the tile of these words out of the list."""
        return tiles.pop([str(tile) for tile in tiles].index(words))

    def _take_studio(self, seat: int, studio: int) -> None:
        """Give the player the three screenplays of a studio (D1)."""
        self.studios.remove(studio)
        for title, play in self.screenplays.items():
            if play.get("studio") == studio:
                self._take_screenplay(seat, title)

    def _take_screenplay(self, seat: int, title: str) -> None:
        """Lay a screenplay in front of the player, with its guest space."""
        play = self.screenplays[title]
        kinds = [*play["spaces"], "guest"]
        spaces = []
        for index, kind in enumerate(kinds):
            number = f"#{kinds[: index + 1].count(kind)}" if kinds.count(kind) > 1 else ""
            spaces.append(Space(kind, kind + number))
        self.films[seat].append(Film(title, play["genre"], play["stars"], seat, spaces))

    def _size(self, place: dict[str, Any]) -> int:
        """Return how many tiles a location gets in every round (D7)."""
        size: int = {"legendary": 1, "players": self.players}.get(place["tiles"], place["tiles"])
        return size

    def _lay_out(self) -> None:
        """Lay out the tiles of a round, location by location, and go to the first (D7, D8)."""
        for index, place in enumerate(self.locations):
            source = self.legendary if place["tiles"] == "legendary" else self.deck
            many = self._size(place)
            self.board[index] = source[:many]
            del source[:many]
        self.location = 0
        self._visit()

    def _visit(self) -> None:
        """Open the location: an auction or a party."""
        clockwise = [(self.first_player + step) % self.players for step in range(self.players)]
        if self.locations[self.location]["kind"] == "party":
            # D14: most red tiles first, ties clockwise from the first player; fixed now
            # (the sort keeps the clockwise order of equals)
            self.queue = sorted(clockwise, key=self.reds, reverse=True)
            self._next_at_party()
        else:
            self.phase = "auction"
            self.bidders = clockwise  # D9: the first player starts
            self.high_bid = None
            self.to_move = self.first_player

    def _bid(self, seat: int, amount: int | None) -> None:
        """Take a bid, or a pass if there is no amount; close the auction when one is left."""
        self.bidders.remove(seat)
        if amount is not None:
            self.high_bid = amount
            self.bidders.append(seat)
        self.to_move = self.bidders[0]
        if len(self.bidders) > 1:  # D10: who passed is not asked again
            return
        winner = self.bidders[0]
        price = self.high_bid or 0  # D11: nobody bid, so the one left pays nothing
        self.money[winner] -= price
        share, self.pot = divmod(self.pot + price, self.players - 1)  # D12
        for other in range(self.players):
            if other != winner:
                self.money[other] += share
        self.first_player = winner  # D13
        self.hand, self.board[self.location] = self.board[self.location], []
        self.phase = "placing"

    def _next_at_party(self) -> None:
        """Ask the next player to pick, or leave the party (D15)."""
        if self.queue:
            self.phase = "party"
            self.to_move = self.queue.pop(0)
        else:
            self.box += self.board[self.location]  # D15: left over, out of the game
            self.board[self.location] = []
            self._next_location()

    def _next_location(self) -> None:
        """Go to the next location, the next round or the end of the game (D8)."""
        if self.location + 1 < len(self.locations):
            self.location += 1
            self._visit()
        elif self.round < self.rounds:
            if self.finished:  # D26: the best film so far; no film, no award
                self.awards[f"best film round {self.round}"] = self._best(self.finished)
            self.round += 1
            self._lay_out()
        else:
            self._final_awards()
            self.phase = "over"
            self.to_move = None

    def _place(self, seat: int, tile: Tile, target: str) -> None:
        """Lay a tile on a space; the film may be finished by it."""
        for film in self.films[seat]:
            for space in film.spaces:
                if f"{film.title}/{space.name}" == target:
                    space.stack.append(tile)
                    if all(each.stack for each in film.spaces if each.kind != "guest"):  # D21
                        self._finish(film)
                    return

    def _finish(self, film: Film) -> None:
        """Give a finished film its token, its award and its owner the next screenplay."""
        film.finished = True
        film.stars = film.printed + sum(tile.stars for tile in film.tops())  # D22
        # D22: the highest free token not above the score; nothing is above the highest token,
        # and less than 0 counts as 0. Both tokens of a pair have the same value, + ranks higher.
        below = [token for token in self.free_tokens if token_key(token)[0] <= max(film.stars, 0)]
        if below:
            film.token = below[-1]
            film.rank = self.ranking.index(film.token)
            self.free_tokens.remove(film.token)
        else:  # D22: below every token, and below earlier films without one
            film.rank = -1 - sum(other.token is None for other in self.finished)
        self.finished.append(film)
        self.awards.setdefault(f"first {film.genre}", film)  # D25
        if self.pile:  # D24
            self._take_screenplay(film.owner, self.pile.pop(0))

    # Scoring

    @staticmethod
    def _best(films: list[Film]) -> Film:
        """Return the film that ranks highest; no two rank the same."""
        return max(films, key=lambda film: film.rank)

    def _final_awards(self) -> None:
        """Give the awards after the last round (D27)."""
        for genre in GENRES:
            films = [film for film in self.finished if film.genre == genre]
            if films:
                self.awards[f"best {genre}"] = self._best(films)
        if self.finished:
            self.awards["worst film"] = min(self.finished, key=lambda film: film.rank)
        stars = [0] * self.players  # on visible director tiles of finished films, no agencies
        for film in self.finished:
            stars[film.owner] += sum(tile.stars for tile in film.tops() if tile.kind == "director")
        if stars.count(max(stars)) == 1:  # a tie: nobody
            self.awards["best director"] = stars.index(max(stars))

    def score(self, seat: int) -> int:
        """Return the points so far: finished films, awards and money (D29)."""
        points = self.money[seat]
        for film in self.finished:
            if film.owner == seat and film.token is not None:
                points += token_key(film.token)[0]
        for name, worth in AWARDS:
            holder = self.awards.get(name)  # D28
            if (holder.owner if isinstance(holder, Film) else holder) == seat:
                points += worth
        return points

    def _winners(self) -> list[int]:
        """Return the seats that win, more than one if they share the victory (D30)."""
        scores = [self.score(seat) for seat in range(self.players)]
        tied = [seat for seat in range(self.players) if scores[seat] == max(scores)]
        films = [film for film in self.finished if film.owner in tied]
        if self.edition == "dream_factory" and films:
            return [self._best(films).owner]
        return tied

    def result(self) -> dict[str, Any]:
        """Return the result as the record has it; only when the game is over."""
        if not self.over:
            raise Foul("the game is not over")
        awards: list[dict[str, Any]] = []
        for name, points in AWARDS:
            holder = self.awards.get(name)
            if isinstance(holder, Film):
                awards.append({"award": name, "points": points, "film": holder.title})
            elif holder is not None:
                awards.append({"award": name, "points": points, "player": holder})
        films = [
            {"title": film.title, "owner": film.owner, "token": film.token, "stars": film.stars}
            for film in self.finished
        ]
        return {
            "scores": [self.score(seat) for seat in range(self.players)],
            "winners": self._winners(),
            "money": list(self.money),
            "pot": self.pot,
            "films": films,
            "awards": awards,
        }


def check_record(components: dict[str, Any], record: dict[str, Any]) -> None:
    """Play a whole record again; raise Foul naming the move (from 0) or the result at fault."""
    try:
        if (record["format"], record["game"]) != ("dreamfactory-record/1", "dream_factory"):
            raise Foul("not a dream_factory record of format dreamfactory-record/1")
        referee = Referee(components, record["config"], record["setup"])
        for number, move in enumerate(record["moves"]):
            # The action number means something to the engine alone.
            if type(move) is not list or len(move) != 3 or type(move[1]) is not int:
                raise Foul(f"move {number}: {move!r} is not [seat, action, words]")
            try:
                referee.play(move[0], move[2])
            except Foul as foul:
                raise Foul(f"move {number}: {foul}") from None
        if not referee.over:
            raise Foul(f"the moves end after {len(record['moves'])}, but the game is not over")
        told, found = record["result"], referee.result()
        for key in {**found, **told}:  # compared as text, so that 1, 1.0 and true differ
            ours, theirs = (
                json.dumps(each[key], sort_keys=True) if key in each else "missing"
                for each in (found, told)
            )
            if ours != theirs:
                raise Foul(f"result: {key} is {theirs}, should be {ours}")
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise Foul(f"malformed record: {error!r}") from error


def main(arguments: list[str]) -> int:
    """Verify a file of records; return 1 if any of them fails."""
    import yaml

    if len(arguments) != 2:
        print("usage: referee.py COMPONENTS.yaml games.jsonl", file=sys.stderr)
        return 2
    with Path(arguments[0]).open(encoding="utf-8") as file:
        components = yaml.safe_load(file)
    verified = failed = 0
    with Path(arguments[1]).open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            try:
                check_record(components, json.loads(line))
                verified += 1
            except (Foul, ValueError) as error:
                failed += 1
                print(f"line {number}: {error}")
    print(f"{verified} verified, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

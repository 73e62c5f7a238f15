"""What a view of Dream Factory is made of: every key of ``game.view(seat)``, with its meaning.

These keys change only with the version of the game. A tile is a text such as ``actor 2``, a film is
named by its title, a seat is a number from 0.
"""

from __future__ import annotations

from typing import TypedDict


class OptionsView(TypedDict):
    """The options of the game.

    Attributes:
        players: How many play.
        edition: ``dream_factory`` or ``traumfabrik``.
        hidden_money: Whether others' money is hidden: ``rule``, ``never`` or ``always`` (D3).
        choose_studio: Whether the players choose their studios (D1).
    """

    players: int
    edition: str
    hidden_money: str
    choose_studio: bool


class SpaceView(TypedDict):
    """A space of a film.

    Attributes:
        name: What a move calls it; of two alike the first is ``actor#1``.
        kind: The kind of tile that it shows, ``blank``, or ``guest`` for the guest star's.
        tile: The tile on top, None while it is empty.
    """

    name: str
    kind: str
    tile: str | None


class FilmView(TypedDict):
    """A film: a screenplay and what lies on it.

    Attributes:
        title: Its title; no two films have the same.
        genre: ``drama``, ``adventure`` or ``entertainment``.
        printed: The stars printed on the screenplay.
        stars: The printed stars and those of the tiles on top (D22).
        spaces: Its spaces in the order of action numbers, the guest star's last.
        token: The token on it such as ``12+``; None if it is unfinished or found none.
        awards: The names of the awards that lie on it.
    """

    title: str
    genre: str
    printed: int
    stars: int
    spaces: list[SpaceView]
    token: str | None
    awards: list[str]


class PlayerView(TypedDict):
    """What lies in front of a player.

    Attributes:
        studio: The number of the studio, None before it is chosen.
        money: The money, None where the viewer may not see it (D3).
        points: Films, awards and money so far (D29), None where the money is hidden.
        points_without_money: Films and awards so far.
        red: Visible actors and guest stars (D14).
        production: The films in production by slot, None where there is no screenplay.
        finished: The finished films, in the order of finishing.
    """

    studio: int | None
    money: int | None
    points: int | None
    points_without_money: int
    red: int
    production: list[FilmView | None]
    finished: list[FilmView]


class LocationView(TypedDict):
    """A location of the board, with what lies there in this round.

    Attributes:
        name: Its name.
        kind: ``auction`` or ``party``.
        face_up: Whether all see its tiles. While studios are chosen nothing is laid out yet, and
            all are face down.
        count: How many tiles lie there; none any more after it was visited.
        tiles: These tiles, None where the viewer may not see them.
    """

    name: str
    kind: str
    face_up: bool
    count: int
    tiles: list[str] | None


class AuctionView(TypedDict):
    """The auction that is going on.

    Attributes:
        high_bid: The highest bid, None before the first.
        bids: The last bid of each seat, None where there is none; it stays when its player passes.
        passed: Whether each seat has passed.
    """

    high_bid: int | None
    bids: list[int | None]
    passed: list[bool]


class PartyView(TypedDict):
    """The party that is going on.

    Attributes:
        order: The seats in the order in which they pick.
        turn: The index in this order of whoever picks now, or places the tile just picked.
    """

    order: list[int]
    turn: int


class StudioView(TypedDict):
    """A studio.

    Attributes:
        number: Its number.
        player: The seat that has it, None if nobody does.
        free: Whether it can still be chosen.
        films: Its screenplays while it is free, else empty; they lie in front of its player.
    """

    number: int
    player: int | None
    free: bool
    films: list[FilmView]


class PileView(TypedDict):
    """The pile of screenplays.

    Attributes:
        left: How many are left, the top one included.
        top: The one on top, which lies face up; None if the pile is empty.
        below: The titles below it, in the order of the component file; how they lie is hidden.
    """

    left: int
    top: FilmView | None
    below: list[str]


class DeckView(TypedDict):
    """The tiles that are still to come.

    Attributes:
        left: How many are not drawn yet.
        unseen: How many of each tile nobody has seen yet: not drawn, or face down.
    """

    left: int
    unseen: dict[str, int]


class TokenView(TypedDict):
    """A token.

    Attributes:
        token: What is printed on it, such as ``12+``.
        free: Whether it is free.
        film: The film that has taken it, None while it is free.
    """

    token: str
    free: bool
    film: str | None


class AwardView(TypedDict):
    """An award.

    Attributes:
        award: Its name.
        points: What it is worth.
        open: Whether it can still be given: nobody has it, and its round or the game is not over.
        film: The film that has it; None while nobody does, and for the best director.
        player: The seat that has it, None while nobody does.
    """

    award: str
    points: int
    open: bool
    film: str | None
    player: int | None


class SetupView(TypedDict):
    """Everything that was drawn, as a record writes it.

    Attributes:
        first_player: Who was first.
        studios: The studio of each seat; empty if they are chosen.
        deck: The whole draw order of the tiles.
        pile: The whole pile, top first.
    """

    first_player: int
    studios: list[int]
    deck: list[str]
    pile: list[str]


class HiddenView(TypedDict):
    """What nobody at the table knows.

    Attributes:
        seed: The seed from which the game was dealt, None if its set-up was given.
        setup: Everything that was drawn. The last ``deck.left`` tiles of its deck are not drawn
            yet, the last ``pile.left`` films of its pile are left.
    """

    seed: int | None
    setup: SetupView


class TableView(TypedDict):
    """The whole table.

    Attributes:
        game: The name of the game, ``dream_factory``.
        title: Its title.
        version: The version of its behaviour and of these keys, ``v0``.
        viewer: The seat whose view it is, None for a view of everything.
        options: The options.
        phase: What is decided now: ``studio``, ``auction``, ``party``, ``placing``; or ``over``.
        round: The number of the round, from 1; that of the last one when the game is over.
        rounds: How many rounds there are.
        location: The index of the location that is visited; None before the first and at the end.
        to_move: The seat of the player to move, None when the game is over.
        starting_player: The seat that was first when the game began.
        first_player: The seat of the first player now (D13).
        pot: The money in the middle (D12).
        auction: Bids and passes, None unless the phase is ``auction``.
        party: Who picks when, None unless the game is at a party.
        lot: The tiles on the location by place, None where one is gone that lay before others.
        hand: The tiles that the player to move has to place, likewise.
        locations: The board, clockwise.
        players: What each player has, by seat.
        studios: All studios.
        pile: The screenplays that are left.
        deck: The tiles that are still to come.
        tokens: All tokens, lowest first (D4).
        awards: All awards (D25 to D27).
        finished: The titles of all finished films, in the order of finishing.
        covered: How many tiles lie under another one.
        discarded: How many tiles are back in the box.
        winners: The seats that have won, empty before the end (D30).
        legal: The legal moves in words, each with its action number; empty unless the viewer is to
            move. A view of everything has those of whoever is to move.
        hidden: What nobody knows, None for a seat.
    """

    game: str
    title: str
    version: str
    viewer: int | None
    options: OptionsView
    phase: str
    round: int
    rounds: int
    location: int | None
    to_move: int | None
    starting_player: int
    first_player: int
    pot: int
    auction: AuctionView | None
    party: PartyView | None
    lot: list[str | None]
    hand: list[str | None]
    locations: list[LocationView]
    players: list[PlayerView]
    studios: list[StudioView]
    pile: PileView
    deck: DeckView
    tokens: list[TokenView]
    awards: list[AwardView]
    finished: list[str]
    covered: int
    discarded: int
    winners: list[int]
    legal: dict[str, int]
    hidden: HiddenView | None

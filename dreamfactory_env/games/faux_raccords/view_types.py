"""What a view of Faux Raccords is made of: every key of ``game.view(seat)``, with its meaning.

These keys change only with the version of the game. A card is a text such as ``7`` or ``19b``, a
place of the Film is named as in moves, a seat is a number from 0.
"""

from __future__ import annotations

from typing import TypedDict


class OptionsView(TypedDict):
    """The options of the game.

    Attributes:
        players: How many play.
        mode: ``tutorial``, ``feature``, ``shorts``, ``series``, ``arcs`` or ``studio``.
        memory: ``none`` or ``perfect`` (F26).
    """

    players: int
    mode: str
    memory: str


class CardView(TypedDict):
    """What a card shows.

    Attributes:
        card: Its name; the second of a value ends with ``b``.
        value: Its value, 1 to 28.
        symbol: A mood, ``neutral`` or ``joker``.
        member: ``manager``, ``editor``, ``star``, ``producer`` or ``script``.
    """

    card: str
    value: int
    symbol: str
    member: str


class HintView(TypedDict):
    """A hint that lies on a card.

    Attributes:
        player: Whose it is.
        good: Whether it says that the card is placed well; else badly.
    """

    player: int
    good: bool


class FilmCardView(TypedDict):
    """A card of the Film, or one in the editor's hand (F16).

    Attributes:
        place: The name of its place; None for a card that the editor has taken.
        face_up: Whether it is face up.
        card: The card; None where the viewer does not see it now (F24).
        sure: The card where the viewer is sure of it by memory (F26), seen now or not; always None
            without the option ``memory``.
        claps: The seats whose Claps lie on it.
        hints: The hints that lie on it.
        chosen: Whether it is the one that is given, clashes, or waits for a Clap.
    """

    place: str | None
    face_up: bool
    card: CardView | None
    sure: CardView | None
    claps: list[int]
    hints: list[HintView]
    chosen: bool


class PlayerView(TypedDict):
    """What a player has.

    Attributes:
        count: How many cards are in hand.
        hand: These cards; None for other hands.
        sure: The cards that the viewer is sure of in this hand (F26); empty without the option
            ``memory``, and for the own hand.
        claps_left: How many Claps are in reserve.
        hint_left: Whether the hint was not given yet.
        has_passed: Whether a card was chosen to be passed (F19, wrong hands).
        pending: The card that was chosen to be placed, shown or passed and is still in hand (F25);
            None if there is none, or the viewer may not know it: only a card that is shown is open.
    """

    count: int
    hand: list[CardView] | None
    sure: list[CardView]
    claps_left: int
    hint_left: bool
    has_passed: bool
    pending: CardView | None


class CutView(TypedDict):
    """The Cut.

    Attributes:
        cards: The row; its first card leaves first.
        called: The card called in this turn, None if there is none.
        chosen: The card that the star will swap, None if there is none.
    """

    cards: list[CardView]
    called: str | None
    chosen: str | None


class HazardView(TypedDict):
    """A hazard.

    Attributes:
        name: Its name; None while it is face down.
        effect: What it does, in the words of the component file; None while it is face down.
        due: When it is due.
        place: Where it lies in `series`; None in other modes, and when it has gone.
        happened: Whether it has happened, or is being done.
        now: Whether it is being done.
    """

    name: str | None
    effect: str | None
    due: str
    place: str | None
    happened: bool
    now: bool


class GenreView(TypedDict):
    """A genre that is asked for.

    Attributes:
        moods: Its two moods.
        name: What they are called together, None if the component file does not say.
        needed: The genre score that is needed (F22).
    """

    moods: list[str]
    name: str | None
    needed: int


class AimView(TypedDict):
    """What is asked for.

    Attributes:
        cards: How many cards each line must have, or the Film.
        conditions: The conditions to be met (F21).
    """

    cards: list[int]
    conditions: list[str]


class SetupView(TypedDict):
    """What was drawn, as a record writes it (F28).

    Attributes:
        first_player: The seat that begins.
        hands: The cards of each hand.
        film: The starting cards of the Film.
        deck: The cards of the draw pile, first drawn first.
        removed: The cards that left the game at the start.
        hazards: The hazards in order.
        moods: The moods, in pairs.
    """

    first_player: int
    hands: list[list[str]]
    film: list[str]
    deck: list[str]
    removed: list[str]
    hazards: list[str]
    moods: list[list[str]]


class ResultView(TypedDict):
    """How a game has ended, as a record writes it (F28).

    Attributes:
        scores: 1 for each seat if the game is won, else 0.
        winners: All seats, or none.
        ending: ``end`` or ``empty hand``.
        player: The seat whose turn it was.
        conditions: The conditions of the mode, and whether each is met (F21).
        genre: The genre scores (F22).
        film: The cards of the Film by their places.
        score: The graded score, 0 to 100 (F23).
    """

    scores: list[int]
    winners: list[int]
    ending: str
    player: int
    conditions: dict[str, bool]
    genre: list[int]
    film: dict[str, str]
    score: int


class HiddenView(TypedDict):
    """What nobody at the table knows.

    Attributes:
        seed: The seed from which the game was dealt, None if its set-up was given.
        setup: Everything that was drawn, as a record writes it; None in a game that was redrawn.
        pile: The cards of the draw pile, the next one first.
        removed: The cards that have left the game.
        hazards: The names of the hazards in order, also of those that are face down.
    """

    seed: int | None
    setup: SetupView | None
    pile: list[str]
    removed: list[str]
    hazards: list[str]


class TableView(TypedDict):
    """The whole table.

    Attributes:
        game: The name of the game, ``faux_raccords``.
        title: Its title.
        version: The version of its behaviour and of these keys, ``v0``.
        viewer: The seat whose view it is, None for a view of everything.
        options: The options.
        aim: What is asked for.
        genres: The genres that are asked for, one for each line that has one.
        phase: What is decided now: ``action``, ``place``, ``look`` and so on; or ``over``.
        to_move: The seat of the player to move, None when the game is over.
        turn: The seat whose turn it is, or was when the game ended.
        first_player: The seat that began.
        film: The cards of the Film, in the order of their places.
        taken: The cards in the editor's hand, in the order in which they were taken.
        players: What each player has, by seat.
        cut: The Cut.
        pile: How many cards are in the draw pile.
        bin: How many cards are in the bin.
        bin_cards: The cards in the bin that the viewer is sure of by memory (F26); a view of
            everything has all.
        hint: The hint that is being placed, ``good`` or ``bad``; None if there is none.
        hazards: The hazards in their order.
        result: The result as a record writes it, None before the end.
        legal: The legal moves in words, each with its action number; empty unless the viewer is to
            move. A view of everything has those of whoever is to move.
        hidden: What nobody knows, None for a seat.
    """

    game: str
    title: str
    version: str
    viewer: int | None
    options: OptionsView
    aim: AimView
    genres: list[GenreView]
    phase: str
    to_move: int | None
    turn: int
    first_player: int
    film: list[FilmCardView]
    taken: list[FilmCardView]
    players: list[PlayerView]
    cut: CutView
    pile: int
    bin: int
    bin_cards: list[CardView]
    hint: str | None
    hazards: list[HazardView]
    result: ResultView | None
    legal: dict[str, int]
    hidden: HiddenView | None

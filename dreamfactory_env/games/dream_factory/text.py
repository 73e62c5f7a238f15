"""Dream Factory as plain text: the table, and a move in words, both made from a view."""

from __future__ import annotations

from collections.abc import Sequence

from dreamfactory_env.games.dream_factory.legal import BID, DECLINE, DISCARD, PASS, PICK, PLACE
from dreamfactory_env.games.dream_factory.legal import STUDIO as STUDIO_ACTION
from dreamfactory_env.games.dream_factory.state import GUEST_SPACE, SPACES, STUDIO_FILMS
from dreamfactory_env.games.dream_factory.view_types import (
    AuctionView,
    AwardView,
    FilmView,
    PileView,
    SpaceView,
    TableView,
)


def board_and_moves(view: TableView) -> list[str]:
    """Returns the table as lines of text, and what the viewer may do if it is to move."""
    lines = board(view)
    if view["legal"]:
        moves = [f"{action}: {words}" for words, action in view["legal"].items()]
        lines.append(f"  you may play {', '.join(moves)}")
    return lines


def board(view: TableView) -> list[str]:
    """Returns the table as lines of text. Tiles that lie face down are never shown."""
    lines = [_headline(view)]
    lot = in_words(view["lot"])
    if view["auction"]:
        lines.append(f"  for sale: {lot}; {_bids(view['auction'])}")
    elif view["phase"] == "party" and view["party"]:
        left = view["party"]["order"][view["party"]["turn"] :]
        lines.append(f"  to pick: {lot}; order: {', '.join(map(str, left))}")
    elif view["phase"] == "placing":
        lines.append(f"  in hand: {in_words(view['hand'])}")
        if view["lot"]:
            lines.append(f"  left at the party: {lot}")
    if view["phase"] != "over":
        lines.append(f"  to come: {_to_come(view)}")
        lines.append(f"  pile: {_pile(view['pile'])}; middle: {view['pot']}")
    taken = [token["token"] for token in view["tokens"] if not token["free"]]
    lines.append(f"  tokens taken: {in_words(taken)}")
    given = [award for award in view["awards"] if award["player"] is not None]
    awards = [f"{award['award']}: {award_holder(award)}" for award in given]
    lines.append(f"  awards: {in_words(awards)}")
    for seat in range(len(view["players"])):
        lines += _player(view, seat)
    return lines


def _headline(view: TableView) -> str:
    if view["phase"] == "over":
        return f"The game is over; won by {winners(view)}."
    if view["location"] is None:
        return f"Before the first round: player {view['to_move']} chooses a studio."
    place = view["locations"][view["location"]]["name"]
    return f"Round {view['round']}, {place}, {view['phase']}: player {view['to_move']} to move."


def _bids(auction: AuctionView) -> str:
    words = []
    for seat, bid in enumerate(auction["bids"]):
        passed = " (passed)" if auction["passed"][seat] else ""
        words.append(f"{seat}: {'-' if bid is None else bid}{passed}")
    return "bids: " + ", ".join(words)


def _to_come(view: TableView) -> str:
    places = []
    for location in view["locations"][(view["location"] or 0) + 1 :]:
        tiles = in_words(location["tiles"] or []) if location["face_up"] else "face down"
        places.append(f"{location['name']}: {tiles}")
    return " | ".join(places) or "-"


def _pile(pile: PileView) -> str:
    return f"{pile['top']['title']} on top of {pile['left'] - 1}" if pile["top"] else "empty"


def _player(view: TableView, seat: int) -> list[str]:
    player = view["players"][seat]
    money, points = f"money {player['money']}", f"points {player['points']}"
    if player["money"] is None:
        money, points = "money hidden", f"points without it {player['points_without_money']}"
    first = ", first player" if view["first_player"] == seat else ""
    studio = player["studio"] or "-"
    return [
        f"  player {seat}: studio {studio}, {money}, red {player['red']}, {points}{first}",
        *(f"    {_in_production(film)}" for film in player["production"] if film),
        *(f"    {_finished(film)}" for film in player["finished"]),
    ]


def _in_production(film: FilmView) -> str:
    head = f"{film['title']} ({film['genre']}, {film['printed']})"
    return f"{head}: {_spaces(film)} = {film['stars']}"


def _finished(film: FilmView) -> str:
    head = f"{film['title']} ({film['genre']}) finished, token {film['token'] or 'none'}"
    awards = f"; {', '.join(film['awards'])}" if film["awards"] else ""
    return f"{head}: {_spaces(film)}{awards}"


def _spaces(film: FilmView) -> str:
    shown = [space for space in film["spaces"] if space["kind"] != "guest" or space["tile"]]
    return ", ".join(_space(space) for space in shown)


def _space(space: SpaceView) -> str:
    """Returns a space; a tile that says what its space shows stands alone."""
    tile = space["tile"]
    if tile is None or tile.startswith("agency") or space["kind"] == "blank":
        return f"{space['name']}: {tile or '-'}"
    return tile


# ---------------------------------------------------------------------------- shared words


def in_words(words: Sequence[str | None]) -> str:
    """Returns texts as a list with commas; None stands for nothing."""
    return ", ".join(word for word in words if word is not None) or "-"


def award_holder(award: AwardView) -> str:
    """Returns who has an award: a film, or a player."""
    return award["film"] or f"player {award['player']}"


def winners(view: TableView) -> str:
    """Returns who has won."""
    return " and ".join(f"player {seat}" for seat in view["winners"])


def action_to_string(view: TableView, action: int) -> str:
    """Returns the words of a legal action of the player to move, whoever the viewer is."""
    if action == PASS:
        return "pass"
    if action < STUDIO_ACTION:
        return f"bid {action - BID}"
    if action < PICK:
        return f"studio {action - STUDIO_ACTION + 1}"
    if action < DECLINE:
        return f"pick {view['lot'][action - PICK]}"
    if action == DECLINE:
        return "decline"
    if action >= DISCARD:
        return f"discard {view['hand'][action - DISCARD]}"
    place, target = divmod(action - PLACE, STUDIO_FILMS * SPACES)
    slot, column = divmod(target, SPACES)
    assert view["to_move"] is not None
    film = view["players"][view["to_move"]]["production"][slot]
    assert film is not None, "only a film takes tiles"
    space = film["spaces"][-1 if column == GUEST_SPACE else column]
    return f"place {view['hand'][place]} on {film['title']}/{space['name']}"

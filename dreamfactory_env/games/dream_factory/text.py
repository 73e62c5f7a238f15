"""Dream Factory in words: the table as plain text, and a game told as it is played."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from dreamfactory_env.games.dream_factory.hidden import sees_money
from dreamfactory_env.games.dream_factory.state import NO_BID
from dreamfactory_env.games.game import Line

if TYPE_CHECKING:
    from dreamfactory_env.games.dream_factory.game import DreamFactory, Film

#: Styles of a told game, in the terms of a terminal.
HEADING, PLACE, FINISHED, AWARD, QUIET = "bold magenta", "bold cyan", "bold green", "yellow", "dim"
SEATS = ["bright_red", "bright_blue", "bright_green", "bright_yellow", "bright_magenta"]


# ---------------------------------------------------------------------------- the table


def board(game: DreamFactory, viewer: int | None = None) -> list[str]:
    """Returns the table as lines of text, as one player sees it or with everything."""
    lines = [_headline(game)]
    if game.phase == "auction":
        lines.append(f"  for sale: {_list(game.lot)}; {_bids(game)}")
    elif game.phase == "party":
        order = [int(seat) for seat in game.state.party_order[: game.players]]
        left = order[int(game.state.party_turn) :]
        lines.append(f"  to pick: {_list(game.lot)}; order: {', '.join(map(str, left))}")
    elif game.phase == "placing":
        lines.append(f"  in hand: {_list(game.hand)}")
        if game.lot:
            lines.append(f"  left at the party: {_list(game.lot)}")
    if not game.over:
        lines.append(f"  to come: {_to_come(game)}")
        lines.append(f"  pile: {_pile(game)}; middle: {int(game.state.pot)}")
    lines.append(f"  tokens taken: {_list(_tokens_taken(game))}")
    awards = [f"{award['award']}: {_award_holder(award)}" for award in game.awards()]
    lines.append(f"  awards: {_list(awards)}")
    scores = game.scores()
    for seat in range(game.players):
        seen = viewer is None or sees_money(game.state, viewer, seat)
        lines.append(_player(game, seat, scores[seat], seen))
        lines += [f"    {_film(film)}" for film in game.films(seat)]
    return lines


def _headline(game: DreamFactory) -> str:
    if game.over:
        names = " and ".join(f"player {seat}" for seat in game.winners())
        return f"The game is over; won by {names}."
    if game.phase == "studio":
        return f"Before the first round: player {game.to_move} chooses a studio."
    number = int(game.state.round_number) + 1
    return f"Round {number}, {game.location}, {game.phase}: player {game.to_move} to move."


def _bids(game: DreamFactory) -> str:
    said = []
    for seat in range(game.players):
        bid = "-" if game.state.bids[seat] == NO_BID else str(int(game.state.bids[seat]))
        said.append(f"{seat}: {bid}{' (passed)' if game.state.passed[seat] else ''}")
    return "bids: " + ", ".join(said)


def _to_come(game: DreamFactory) -> str:
    places = []
    for index, location in enumerate(game.options.components.locations):
        if index > game.state.location:
            tiles = game.lot_of(int(game.state.round_number), index)
            places.append(f"{location.name}: {_list(tiles) if tiles else 'face down'}")
    return " | ".join(places) or "-"


def _pile(game: DreamFactory) -> str:
    taken = int(game.state.pile_taken)
    size = int(game.tables[0].pile_size)
    if taken == size:
        return "empty"
    top = game.options.components.screenplays[int(game.state.pile[taken])].title
    return f"{top} on top of {size - taken - 1}"


def _tokens_taken(game: DreamFactory) -> list[str]:
    tokens = game.options.components.tokens
    return [word for k, word in enumerate(tokens) if not int(game.state.free_tokens) >> k & 1]


def _player(game: DreamFactory, seat: int, score: int, money_is_seen: bool) -> str:
    s = game.state
    first = ", first player" if s.first_player == seat else ""
    studio = int(s.studio[seat]) or "-"
    red = int(s.red[seat])
    if money_is_seen:
        owns = f"money {int(s.money[seat])}, red {red}, points {score}"
    else:
        owns = f"money hidden, red {red}, points without it {score - int(s.money[seat])}"
    return f"  player {seat}: studio {studio}, {owns}{first}"


def _film(film: Film) -> str:
    spaces = ", ".join(
        f"{space}: {tile}" if tile.startswith("agency") or "blank" in space or tile == "-" else tile
        for space, tile in film.spaces.items()
        if space != "guest" or tile != "-"
    )
    if not film.finished:
        return f"{film.title} ({film.genre}, {film.printed}): {spaces} = {film.stars}"
    awards = f"; {', '.join(film.awards)}" if film.awards else ""
    return f"{film.title} ({film.genre}) finished, token {film.token or 'none'}: {spaces}{awards}"


def _award_holder(award: dict[str, Any]) -> str:
    return str(award["film"]) if "film" in award else f"player {award['player']}"


def _list(words: list[str]) -> str:
    return ", ".join(words) or "-"


# ---------------------------------------------------------------------------- a game told


def tell(game: DreamFactory, moves: Iterator[int]) -> Iterator[Line]:
    """Plays actions in a game, and tells line by line what happens."""
    yield from _opening(game)
    for action in moves:
        before = game.copy()
        seat = before.to_move
        words = next(w for w, number in before.legal_actions().items() if number == action)
        game.play(action)
        style = SEATS[seat] if seat is not None else ""
        yield Line(f"    player {seat}: {words}", QUIET if words == "pass" else style)
        yield from _consequences(before, game)
    if game.over:
        yield from _ending(game)


def _opening(game: DreamFactory) -> Iterator[Line]:
    options = game.options
    hidden = "hidden" if _money_is_hidden(game) else "open"
    yield Line(
        f"{game.title}, {options.players} players, edition {options.edition}, money {hidden}; "
        f"player {int(game.state.first_player)} is first.",
        HEADING,
    )
    for seat in range(game.players):
        titles = _list([film.title for film in game.films(seat)])
        studio = int(game.state.studio[seat])
        films = f"studio {studio}: {titles}" if studio else "chooses a studio"
        yield Line(f"  player {seat}, money {game.money[seat]}, {films}", SEATS[seat])
    yield from _arrival(game)


def _money_is_hidden(game: DreamFactory) -> bool:
    how = game.options.hidden_money
    return how == "always" or (how == "rule" and game.players > 2)


def _arrival(game: DreamFactory) -> Iterator[Line]:
    """Tells of the location to which the game has come."""
    if game.phase not in ("auction", "party"):
        return
    if game.state.location == 0:
        yield Line(f"Round {int(game.state.round_number) + 1}", HEADING)
    if game.phase == "auction":
        yield Line(f"  {game.location}: {_list(game.lot)} for sale", PLACE)
    else:
        order = [f"{int(seat)}" for seat in game.state.party_order[: game.players]]
        yield Line(f"  {game.location}: {_list(game.lot)}; picking: {', '.join(order)}", PLACE)


def _consequences(before: DreamFactory, after: DreamFactory) -> Iterator[Line]:
    """Tells what a move brought about besides itself."""
    if before.phase == "auction" and after.phase == "placing":
        winner = after.to_move
        price = max(int(before.state.high_bid), 0)
        gains = [new - old for old, new in zip(before.money, after.money, strict=True)]
        share = max(gain for seat, gain in enumerate(gains) if seat != winner)
        rest = f", leaving {int(after.state.pot)} in the middle" if after.state.pot else ""
        yield Line(f"    → player {winner} wins for {price}; the others get {share} each{rest}")
    for number in after.finished()[int(before.state.finished_count) :]:
        film = after.film(number)
        token = f"takes token {film.token}" if film.token else "finds no token"
        yield Line(f"    ★ {film.title} is finished with {film.stars} stars, {token}", FINISHED)
    if after.state.pile_taken != before.state.pile_taken:
        taken = int(after.state.pile[int(before.state.pile_taken)])
        yield Line(f"    → player {int(after.state.owner[taken])} takes {_title(after, taken)}")
    for award in after.awards():
        if award not in before.awards():
            holder = _award_holder(award)
            yield Line(f"    ★ {award['award']}: {holder}, {award['points']} points", AWARD)
    if (before.state.round_number, before.state.location) != (
        after.state.round_number,
        after.state.location,
    ) or (before.phase == "studio" and after.phase != "studio"):
        yield from _arrival(after)


def _title(game: DreamFactory, film: int) -> str:
    return game.options.components.screenplays[film].title


def _ending(game: DreamFactory) -> Iterator[Line]:
    yield Line("The end", HEADING)
    scores = game.scores()
    for seat in sorted(range(game.players), key=lambda seat: -scores[seat]):
        films = [film for film in game.films(seat) if film.finished]
        tokens = _list([f"{film.title} {film.token or 0}" for film in films])
        line = f"  player {seat}: {scores[seat]} points, {game.money[seat]} of them money; {tokens}"
        yield Line(line, SEATS[seat])
    names = " and ".join(f"player {seat}" for seat in game.winners())
    yield Line(f"  won by {names}", HEADING)

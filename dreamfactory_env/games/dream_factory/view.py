"""One view of Dream Factory: what a seat may know, or everything, as plain data."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, cast

import numpy as np

from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.dream_factory import hidden, scoring
from dreamfactory_env.games.dream_factory.actions import tile_words
from dreamfactory_env.games.dream_factory.state import (
    BEST_OF_GENRE,
    BEST_OF_ROUND,
    NO_BID,
    NO_TILE,
    NOTHING,
    Phase,
)
from dreamfactory_env.games.dream_factory.view_types import (
    AuctionView,
    AwardView,
    DeckView,
    FilmView,
    HiddenView,
    LocationView,
    OptionsView,
    PartyView,
    PileView,
    PlayerView,
    SetupView,
    SpaceView,
    StudioView,
    TableView,
    TokenView,
)

if TYPE_CHECKING:
    from dreamfactory_env.games.dream_factory.game import DreamFactory


def table_view(game: DreamFactory, seat: int | None = None) -> TableView:
    """Returns everything that a seat may know, as dicts, lists, texts, whole numbers and None.

    Args:
        game: The game.
        seat: The seat; None sees everything, face-down tiles and the seed included.

    Raises:
        OptionError: There is no such seat.
    """
    viewer = None if seat is None else game.check_seat(seat)
    s, options = game.state, game.options
    phase = Phase(s.phase)
    on_board = phase not in (Phase.STUDIO, Phase.OVER)
    rounds = options.components.rounds
    sees_money, face_up = _seen(game, viewer)
    return TableView(
        game=game.spec.name,
        title=game.spec.title,
        version=game.spec.version,
        viewer=viewer,
        options=OptionsView(
            players=game.players,
            edition=options.edition,
            hidden_money=options.hidden_money,
            choose_studio=bool(options.choose_studio),
        ),
        phase=game.phase,
        round=min(int(s.round_number) + 1, rounds),
        rounds=rounds,
        location=int(s.location) if on_board else None,
        to_move=game.to_move,
        starting_player=int(s.starting_player),
        first_player=int(s.first_player),
        pot=int(s.pot),
        auction=_auction(game) if phase == Phase.AUCTION else None,
        party=_party(game) if on_board else None,
        lot=_places(s.lot),
        hand=_places(s.hand),
        locations=_locations(game, face_up, viewer is None),
        players=_players(game, sees_money),
        studios=_studios(game),
        pile=_pile(game),
        deck=_deck(game, face_up),
        tokens=_tokens(game),
        awards=_awards(game),
        finished=[_title(game, film) for film in game.finished()],
        covered=int(s.covered),
        discarded=int(s.discarded),
        winners=game.winners(),
        legal=game.legal_actions() if viewer in (None, game.to_move) else {},
        hidden=_hidden(game) if viewer is None else None,
    )


def _seen(game: DreamFactory, viewer: int | None) -> tuple[list[bool], list[bool]]:
    """Returns whose money the viewer sees, and the tiles of which locations lie face up."""
    components = game.options.components
    money, lots = np.ones(game.players, np.int8), np.empty(len(components.locations), np.int8)
    hidden.seen_at(game.states, 0, components.params, viewer or 0, money, lots)
    return [viewer is None or bool(seen) for seen in money], [bool(seen) for seen in lots]


# ---------------------------------------------------------------------------- tiles in motion


def _auction(game: DreamFactory) -> AuctionView:
    s = game.state
    bids = [int(s.high_bid), *s.bids[: game.players].tolist()]
    high_bid, *each = [None if bid == NO_BID else bid for bid in bids]
    passed = [bool(out) for out in s.passed[: game.players]]
    return AuctionView(high_bid=high_bid, bids=each, passed=passed)


def _party(game: DreamFactory) -> PartyView | None:
    s = game.state
    if game.options.components.locations[int(s.location)].kind != "party":
        return None
    return PartyView(order=s.party_order[: game.players].tolist(), turn=int(s.party_turn))


def _places(tiles: Array) -> list[str | None]:
    """Returns tiles in words by place, up to the last one."""
    words = [None if tile == NO_TILE else tile_words(tile) for tile in tiles.tolist()]
    while words and words[-1] is None:
        words.pop()
    return words


def _locations(game: DreamFactory, face_up: list[bool], sees_all: bool) -> list[LocationView]:
    s = game.state
    here = {Phase.STUDIO: -1, Phase.OVER: len(face_up)}.get(Phase(s.phase), int(s.location))
    views = []
    for index, location in enumerate(game.options.components.locations):
        tiles = game.lot if index == here else []
        if index > here:
            tiles = game.tiles_of(int(s.round_number), index)
        views.append(
            LocationView(
                name=location.name,
                kind=location.kind,
                face_up=face_up[index],
                count=len(tiles),
                tiles=tiles if face_up[index] or sees_all else None,
            )
        )
    return views


# ---------------------------------------------------------------------------- players and films


def _players(game: DreamFactory, sees_money: list[bool]) -> list[PlayerView]:
    s, owner = game.state, game.state.owner
    finished = game.finished()
    views = []
    for seat, (points, money) in enumerate(zip(game.scores(), game.money, strict=True)):
        views.append(
            PlayerView(
                studio=int(s.studio[seat]) or None,
                money=money if sees_money[seat] else None,
                points=points if sees_money[seat] else None,
                points_without_money=points - money,
                red=int(s.red[seat]),
                production=[
                    None if film == NOTHING else _film(game, film)
                    for film in s.in_production[seat].tolist()
                ],
                finished=[_film(game, film) for film in finished if owner[film] == seat],
            )
        )
    return views


def _film(game: DreamFactory, number: int) -> FilmView:
    film = game.film(number)
    return FilmView(
        title=film.title,
        genre=film.genre,
        printed=film.printed,
        stars=film.stars,
        spaces=[
            SpaceView(name=name, kind=name.split("#")[0], tile=None if tile == "-" else tile)
            for name, tile in film.spaces.items()
        ],
        token=film.token,
        awards=list(film.awards),
    )


def _title(game: DreamFactory, film: int) -> str:
    return game.options.components.screenplays[film].title


def _studios(game: DreamFactory) -> list[StudioView]:
    components, choosing = game.options.components, game.phase == "studio"
    owners = {
        number: seat for seat, number in enumerate(game.state.studio[: game.players].tolist())
    }
    views = []
    for number in range(1, components.players + 1):
        free = choosing and number not in owners
        films = components.params[0].studio_films[number].tolist() if free else []
        views.append(
            StudioView(
                number=number,
                player=owners.get(number),
                free=free,
                films=[_film(game, film) for film in films if film != NOTHING],
            )
        )
    return views


# ---------------------------------------------------------------------------- beside the board


def _pile(game: DreamFactory) -> PileView:
    s = game.state
    size = int(game.options.components.params[0].pile_size)
    left = s.pile[int(s.pile_taken) : size].tolist()
    return PileView(
        left=len(left),
        top=_film(game, left[0]) if left else None,
        below=[_title(game, film) for film in sorted(left[1:])],  # their order is hidden
    )


def _deck(game: DreamFactory, face_up: list[bool]) -> DeckView:
    s, t = game.state, game.options.components.params[0]
    laid_out = 0 if s.phase == Phase.STUDIO else min(int(s.round_number) + 1, int(t.rounds))
    drawn = laid_out * int(t.round_size[game.players])
    unseen = s.deck[drawn : int(t.deck_size)].tolist()
    if laid_out:
        start = (laid_out - 1) * int(t.round_size[game.players])
        for location, seen in enumerate(face_up):
            if not seen:
                first = start + int(t.lot_start[game.players, location])
                unseen += s.deck[first : first + int(t.lot_size[game.players, location])].tolist()
    counts = sorted(Counter(unseen).items())  # their order is hidden
    return DeckView(
        left=int(t.deck_size) - drawn, unseen={tile_words(tile): count for tile, count in counts}
    )


def _tokens(game: DreamFactory) -> list[TokenView]:
    rank, free = game.state.rank, int(game.state.free_tokens)
    films = {int(rank[film]): _title(game, film) for film in game.finished()}
    return [
        TokenView(token=token, free=bool(free >> k & 1), film=films.get(k))
        for k, token in enumerate(game.options.components.tokens)
    ]


def _awards(game: DreamFactory) -> list[AwardView]:
    s, over = game.state, game.over
    rounds_over = range(BEST_OF_ROUND, min(BEST_OF_ROUND + int(s.round_number), BEST_OF_GENRE))
    views = []
    for award, film in enumerate(s.awards.tolist()):
        given = film != NOTHING
        views.append(
            AwardView(
                award=scoring.AWARD_WORDS[award],
                points=scoring.award_points(award),
                open=not (given or over or award in rounds_over),
                film=_title(game, film) if given else None,
                player=int(s.owner[film]) if given else None,
            )
        )
    director = None if s.best_director == NOTHING else int(s.best_director)
    views.append(
        AwardView(
            award="best director",
            points=scoring.GRAND_AWARD,
            open=director is None and not over,
            film=None,
            player=director,
        )
    )
    return views


def _hidden(game: DreamFactory) -> HiddenView:
    return HiddenView(seed=game.seed, setup=cast(SetupView, game.setup()))

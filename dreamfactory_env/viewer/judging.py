"""What a judge says of a position, and whether the move that was played was a mistake.

A judge sees what the player to move could know and nothing else: everything hidden is redrawn
before anybody is asked. What it prefers is compared with what was played by games over the same
deals (``policies.search.rollouts``), which are other deals than those of a search, so that a move
does not win because it was lucky when it was chosen. All figures are in points: above the mean of
all players where payments sum to zero, of the team in a shared game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dreamfactory_env.engine.rng import derive_seed
from dreamfactory_env.engine.structs import Array
from dreamfactory_env.games.game import Game, check_seed
from dreamfactory_env.games.spec import GameSpec
from dreamfactory_env.policies import Policy, ScriptedPolicy, SearchPolicy, View, view_of
from dreamfactory_env.policies.naming import policy_named
from dreamfactory_env.policies.network import NetworkPolicy
from dreamfactory_env.policies.search import Search
from dreamfactory_env.policies.search.rollouts import Outcomes, play_moves
from dreamfactory_env.utils.errors import OptionError

#: A difference below so many of its standard errors may be chance. Three are exceeded by chance
#: once in 740 times: less than once in five games of some 150 decisions.
STANDARD_ERRORS = 3.0
#: A mistake costs at least this share of the game's scale of points, ``spec.score_scale``: the
#: points that make a reward of 1, about what a good game has more than a middling one. A fiftieth
#: of it, one point of 50 or two of 100, is about the least that is counted at the table, and who is
#: told of less learns nothing. More deals find ever smaller differences; this keeps them out.
FLOOR_SHARE = 0.02
#: Deals on which two moves are compared at most. A quarter of them will do where the answer is
#: clear at so many standard errors: so far beyond the last bound that a second look hardly matters.
DEALS, QUARTER, CLEAR = 400, 4, 5.0
#: With fewer deals a standard error is too uncertain itself to rest a verdict on.
LEAST_DEALS = 30
FINE, MISTAKE, UNCLEAR, FORCED = "fine", "mistake", "unclear", "forced"
VERDICTS = (FINE, MISTAKE, UNCLEAR, FORCED)
#: With fewer games a standard error is itself a guess, and is not told.
ENOUGH = 10
#: Figures in answers have so many digits behind the point.
DIGITS = 4
#: What is said of a decision: plain data, see :meth:`Judge.decision`.
Decision = dict[str, Any]


def compile_judging(game: Game) -> None:
    """Compiles what policies and judges need at a position, which may take longer than all else.

    Args:
        game: The position; somebody is to move.
    """
    policy_named(game.spec.rollout, game).act(view_of(game))
    Search(1).analyse(game)
    play_moves(game, [next(iter(game.legal_actions().values()))], 1, 0)


def floor_of(spec: GameSpec) -> float:
    """Returns how many points a move must cost to be called a mistake."""
    return FLOOR_SHARE * spec.score_scale


def verdict_of(difference: float, error: float, floor: float) -> str:
    """Returns what is said of a move that is not the preferred one.

    Args:
        difference: How many points the preferred one was better, the mean over deals.
        error: The standard error of that mean.
        floor: What a mistake costs at least.
    """
    if difference > STANDARD_ERRORS * error and difference >= floor:
        return MISTAKE
    # Not better, or surely not by as much as counts.
    if difference <= 0 or difference + STANDARD_ERRORS * error < floor:
        return FINE
    return UNCLEAR


def is_clear(difference: float, error: float, floor: float) -> bool:
    """Tells whether a quarter of the deals says enough, as :func:`verdict_of` takes it."""
    worse = difference > CLEAR * error and difference >= floor
    return worse or difference + CLEAR * error < floor


@dataclass(frozen=True)
class Comparison:
    """Two moves on the same deals, or one alone.

    Attributes:
        difference: How many points the first was better than the second, 0 if there is one alone.
        error: The standard error of that.
        points: The mean points of each seat at the end, after the last of the moves.
        chances: For each seat, how often it had which place, the best first; in a shared game one
            row with how often the game was won, and lost.
        deals: On how many deals they were played.
    """

    difference: float
    error: float
    points: list[float]
    chances: list[list[float]]
    deals: int


def compare(game: Game, actions: list[int], deals: int, seed: int) -> Comparison:
    """Compares moves of the player to move by games over the same deals.

    Args:
        game: The position.
        actions: The preferred one and the one that was played; or only one.
        deals: How many deals at most; a quarter of them where that is clear enough.
        seed: Where they come from.
    """
    first = min(max(deals // QUARTER, LEAST_DEALS), deals)
    outcomes = play_moves(game, actions, first, seed)
    found = _compared(game, outcomes)
    if first == deals or is_clear(found.difference, found.error, floor_of(game.spec)):
        return found
    rest = play_moves(game, actions, deals - first, seed, first)
    both = zip(outcomes, rest, strict=True)
    return _compared(game, Outcomes(*(np.concatenate(pair) for pair in both)))


def _compared(game: Game, outcomes: Outcomes) -> Comparison:
    """Returns what came out of games that began with one move, or with one of two."""
    player = game.to_move
    deals, last = len(outcomes.points), outcomes.points.shape[1] - 1
    assert player is not None
    points = outcomes.points.astype(np.float64)
    worth = points[:, :, player]
    if not game.spec.shared:
        worth = worth - points.mean(axis=2)
    differences = worth[:, 0] - worth[:, last]
    error = differences.std(ddof=1) / np.sqrt(deals)
    return Comparison(
        difference=_rounded(differences.mean()),
        error=_rounded(error),
        points=_all_rounded(points[:, last].mean(axis=0)),
        chances=_chances(outcomes, last, game.spec.shared),
        deals=deals,
    )


def _chances(outcomes: Outcomes, move: int, shared: bool) -> list[list[float]]:
    """Returns how often each seat had which place after a move, see :class:`Comparison`."""
    won = outcomes.won[:, move].astype(np.int64)
    if shared:
        rate = float(won[:, 0].mean())
        return [_all_rounded(np.array([rate, 1 - rate]))]
    key = 2 * outcomes.points[:, move].astype(np.int64) + won
    places = (key[:, None, :] > key[:, :, None]).sum(axis=2)
    players = key.shape[1]
    shares = [np.bincount(places[:, p], minlength=players) / len(key) for p in range(players)]
    return [_all_rounded(share) for share in shares]


class Judge:
    """Judges positions of games with the same options.

    Attributes:
        name: What the judge is called.
        settings: What its answers depend on besides the position.

    Args:
        game: A game with these options.
        name: A policy, see ``policy_named``: a search such as ``mcts:1s``, a network such as
            ``pretrained``, or any other.
        seed: Where its random numbers and deals come from.
        deals: On how many deals moves are compared.

    Raises:
        OptionError: There is no such policy, the seed is out of range or the deals are too few.
    """

    def __init__(self, game: Game, name: str, *, seed: int = 0, deals: int = DEALS) -> None:
        if deals < LEAST_DEALS:
            raise OptionError(f"moves are compared on at least {LEAST_DEALS} deals, not {deals}")
        self.name, self.seed, self.deals = name, check_seed(seed), deals
        self._policy: Policy = policy_named(name, game)
        # The weakest plays at random.
        self._scripted = {each: ScriptedPolicy(game, each) for each in game.spec.ladder[1:]}
        self._floor = floor_of(game.spec)
        self.settings: dict[str, Any] = {
            "kind": self._kind(),
            "fingerprint": self._policy.fingerprint(),
            "seed": self.seed,
            "deals": deals,
            "rollout": game.spec.rollout,
            "standard_errors": STANDARD_ERRORS,
            "floor": _rounded(self._floor),
            "shared": game.spec.shared,
        }
        if isinstance(self._policy, NetworkPolicy) and self._policy.foresees:
            self.settings["foresees"] = self._policy.foresees

    def _kind(self) -> str:
        if isinstance(self._policy, SearchPolicy):
            return "search"
        return "network" if isinstance(self._policy, NetworkPolicy) else "policy"

    def decision(self, game: Game, number: int, played: str | None = None) -> Decision:
        """Judges a decision.

        Args:
            game: The position; not changed. Nothing in it that the player cannot know matters.
            number: How many moves were played before; the place in the streams of chance.
            played: The words of the move that was played, None if none was yet.

        Returns:
            Plain data: the seat, the legal moves with what the judge says of each, what it prefers,
            what scripted policies would play, the difference with its standard error, the verdict,
            values and chances of the seats, what a network expects to be paid, and the observation
            in words.

        Raises:
            GameError: The game is over, or the move is not legal.
        """
        seat = game.to_move
        if seat is None:
            raise OptionError("there is nothing to judge: the game is over")
        seed = int(derive_seed(np.uint64(self.seed), number))
        root = game.resample_hidden(seat, seed)  # from here on nobody holds what is hidden
        legal = root.legal_actions()
        if played is not None and played not in legal:
            raise root.illegal_move(played)
        view = view_of(root, seed=seed, moves=number)
        moves, preferred, values = self._asked(view, root, seed)
        found: dict[str, Any] = {"seat": seat, "played": played, "preferred": preferred}
        found |= self._compared(root, preferred, played, seed)
        words = {action: text for text, action in legal.items()}
        told = {name: words[policy.act(view)] for name, policy in self._scripted.items()}
        observation = root.observation_to_string(root.observe(seat))
        return found | {
            "moves": moves,
            "scripted": told,
            "values": values,
            "expected": self._expected(view),
            "observation": observation,
        }

    def _expected(self, view: View) -> float | None:
        """Returns the return that a network with a value expects for its player, else None."""
        if isinstance(self._policy, NetworkPolicy) and "foresees" in self.settings:
            return _rounded(self._policy.expected_returns(view.alone())[0])
        return None

    def _asked(
        self, view: View, root: Game, seed: int
    ) -> tuple[list[dict[str, Any]], str, list[float] | None]:
        """Asks the policy; returns the moves, the best first, the words of that, and values."""
        moves: list[dict[str, Any]]
        legal = root.legal_actions()
        if isinstance(self._policy, SearchPolicy) and len(legal) > 1:
            scale, seat = root.spec.score_scale, view.seat
            found = self._policy.search.analyse(root, seed)
            moves = [
                {
                    "words": each.words,
                    "action": each.action,
                    "visits": each.visits,
                    "mean": _rounded(scale * each.utilities[seat]) if each.visits else None,
                    "se": _rounded(scale * each.errors[seat]) if each.visits >= ENOUGH else None,
                }
                for each in found.candidates
            ]
            return moves, found.best.words, _all_rounded(scale * np.array(found.best.utilities))
        moves = [{"words": words, "action": action} for words, action in legal.items()]
        if isinstance(self._policy, NetworkPolicy):
            shares = self._policy.probabilities(view.alone())[0]
            for move in moves:
                move["p"] = _rounded(shares[move["action"]])
            best = int(shares.argmax())
        else:
            best = self._policy.act(view) if len(legal) > 1 else moves[0]["action"]
        moves.sort(key=lambda move: (move["action"] != best, -move.get("p", 0), move["action"]))
        return moves, moves[0]["words"], None

    def _compared(
        self, root: Game, preferred: str, played: str | None, seed: int
    ) -> dict[str, Any]:
        """Returns the verdict on what was played, with the figures that it rests on."""
        legal = root.legal_actions()
        if len(legal) == 1:
            verdict = FORCED if played is not None else None
            return {
                "difference": 0.0,
                "se": 0.0,
                "verdict": verdict,
                "points": None,
                "chances": None,
                "deals": 0,
            }
        chosen = [legal[preferred]]
        if played is not None and played != preferred:
            chosen.append(legal[played])
        # Other deals than those of the search.
        found = compare(root, chosen, self.deals, int(derive_seed(np.uint64(seed), 1)))
        verdict = None if played is None else FINE
        if len(chosen) == 2:
            verdict = verdict_of(found.difference, found.error, self._floor)
        return {
            "difference": found.difference,
            "se": found.error,
            "verdict": verdict,
            "points": found.points,
            "chances": found.chances,
            "deals": found.deals,
        }


def _rounded(number: Any) -> float:
    return round(float(number), DIGITS)


def _all_rounded(numbers: Array) -> list[float]:
    return [_rounded(number) for number in numbers]

"""The settings of a training run; ``settings_file`` reads them, docs/settings.md lists them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from dreamfactory_env.games import DEFAULT_GAME, GAMES, game_named
from dreamfactory_env.games.spec import GameSpec
from dreamfactory_env.policies.network import SUFFIX
from dreamfactory_env.utils.errors import OptionError

#: The default of settings that depend on the game: :class:`Training` puts the game's in its place.
OF_THE_GAME = cast(Any, None)
#: Games side by side if nothing is said.
N_ENVS = 256


def full_name(name: str) -> str:
    """Returns the name of a policy; that of a file with all its folders.

    So a run finds the same files when it is resumed from somewhere else.
    """
    return str(Path(name).resolve()) if name.endswith(SUFFIX) else name


@dataclass(frozen=True)
class Others:
    """Who has the seats beside the learner's own, as shares; they need not sum to 1.

    The section is called ``opponents`` in a zero-sum game and ``partners`` in a shared one.

    Attributes:
        self: The learner as it is now; what it does there is learned from, too.
        past: Snapshots of the learner: opponents preferably those that it does not beat yet,
            partners evenly.
        scripted: The game's scripted policies by name.
        agents: Trained networks that do not change, by name or file; each plays the legal action
            of the highest logit, as it does everywhere.
        together: The chance that one of these has all seats beside the learner's own; otherwise
            each seat is drawn for itself.
        self_at: Shares in place of ``self`` in games of some player counts, such as ``{2: 0.9}``.
    """

    self: float = 0.7
    past: float = 0.2
    scripted: dict[str, float] = field(default_factory=dict)
    agents: dict[str, float] = field(default_factory=dict)
    together: float = 0.5
    self_at: dict[int, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        agents = {full_name(name): share for name, share in self.agents.items()}
        object.__setattr__(self, "agents", agents)


@dataclass(frozen=True)
class Network:
    """The network: what it is made of.

    Attributes:
        net_arch: The sizes of the hidden layers, which policy and value share.
        pointer_width: How many numbers describe the things that an action points at, where the
            game declares such actions; at 0 logits come from the hidden layers alone.
        hint: A scripted policy whose hints the network observes at every decision, here and
            wherever it plays later; empty for none. At first the action that is hinted at has the
            highest logit, and the network learns where it knows better: there is nothing left to
            imitate, so no teacher goes with it.
        hint_bias: What is added at first to the logit of the action that is hinted at: at 3 it is
            20 times as likely as any other, so that its play is mixed with others to compare it
            with. Where a single mistake loses the game, more is better: at 6 it is 400 times as
            likely.
        start: An agent, by name or file, whose weights it starts with; empty for random ones.
            ``hint`` must be that of the agent, ``net_arch`` and ``pointer_width`` at least as wide:
            a wider network says the same at first, and has room to learn more.
    """

    net_arch: list[int] = field(default_factory=lambda: [256, 256])
    pointer_width: int = 64
    hint: str = ""
    hint_bias: float = 3.0
    start: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "start", full_name(self.start))


@dataclass(frozen=True)
class PPOSettings:
    """How MaskablePPO learns; names are those of stable-baselines3.

    Attributes:
        learning_rate: The learning rate at the start.
        final_learning_rate: The learning rate at the end; it falls by the same factor in equal
            times.
        n_steps: Steps of every environment between two updates.
        batch_size: Decisions in a batch.
        n_epochs: Passes over a rollout.
        gamma: The discount from one decision of a seat to its next one.
        gae_lambda: How far advantages look ahead.
        clip_range: How far an update may change the probability of an action.
        ent_coef: The weight of the entropy bonus at the start.
        final_ent_coef: The same at the end.
        vf_coef: The weight of the value's loss.
        value_only_timesteps: Decisions at the start during which nothing but the value is learned:
            where the agent that a run starts with has none, or one of other opponents or another
            reward.
        bfloat16: Whether to compute the hidden layers with half the bits while learning:
            updates take about 0.6 of the time on processors made for it (``avx512_bf16``,
            ``amx_bf16``), and longer on others.
        async_rollouts: Whether the next rollout is collected while the last one is learned from, on
            a second core, by a policy that is one update older. With false the two take turns.
    """

    learning_rate: float = 5e-4
    final_learning_rate: float = 5e-5
    n_steps: int = 64
    batch_size: int = 2048
    n_epochs: int = 2
    gamma: float = 1.0
    gae_lambda: float = 0.95
    clip_range: float = 0.2
    ent_coef: float = 0.01
    final_ent_coef: float = 0.001
    vf_coef: float = 0.5
    value_only_timesteps: int = 0
    bfloat16: bool = False
    async_rollouts: bool = True


@dataclass(frozen=True)
class Teacher:
    """A scripted policy that the learner imitates at first, on the positions that it gets into.

    Attributes:
        policy: Its name; empty for none.
        timesteps: Decisions of the learner during which nothing but imitation counts.
        fading_timesteps: Decisions during which imitation then counts less and less, to nothing.
        batch_size: Decisions in a batch as long as nothing but imitation counts. What a teacher
            plays has less noise than the outcomes of games, so smaller batches learn faster.
    """

    policy: str = ""
    timesteps: int = 1_000_000
    fading_timesteps: int = 500_000
    batch_size: int = 512


@dataclass(frozen=True)
class Schedule:
    """What happens how often, in decisions of the learner.

    Attributes:
        snapshot_every: A snapshot joins the league.
        checkpoint_every: Everything is written down, to resume from there.
        evaluate_every: The learner is evaluated on deals that are the same every time.
        evaluation_deals: How many deals for each policy and player count.
        evaluate_against: The policies against which it is evaluated, or with which in a shared
            game; the game's ladder without ``random`` if not given. A shared game is evaluated in
            self-play, too.
        evaluation_players: With how many players; one learner and the others. The fewest and the
            usual number of the game if not given; no evaluation if empty.
    """

    snapshot_every: int = 500_000
    checkpoint_every: int = 500_000
    evaluate_every: int = 1_000_000
    evaluation_deals: int = 200
    evaluate_against: list[str] = OF_THE_GAME
    evaluation_players: list[int] = OF_THE_GAME

    def __post_init__(self) -> None:
        if self.evaluate_against is not None:
            names = [full_name(name) for name in self.evaluate_against]
            object.__setattr__(self, "evaluate_against", names)


@dataclass(frozen=True)
class Training:
    """A training run.

    What is not given and depends on the game is the game's own; an unknown game is reported by
    whoever uses it.

    Attributes:
        total_timesteps: Decisions of the learner in all.
        n_envs: Games side by side, by player count; 256 from the fewest to the usual number of
            players if not given, half of them with the fewest.
        seed: Where everything comes from.
        game: The name of the game.
        options: Its options besides the number of players.
        reward: One of the game's rewards; its first if not given.
        shaping: The weight of potential-based shaping.
        opponents: Who has the other seats of a zero-sum game.
        partners: Who has the other seats of a shared game.
        network: What the network is made of.
        ppo: How it learns.
        teacher: Whom it imitates at first.
        schedule: What happens how often.
        actors: Parts that the games are split into, each with random numbers of its own. On a
            cluster so many processes play at most; on one machine they are played in turn.
        threads: Threads that share an update: each takes parts of a batch. The agent comes out the
            same, bit for bit, whatever their number, so a run may be resumed with another one.

    Raises:
        OptionError: ``opponents`` are given for a shared game, or ``partners`` for another.
    """

    total_timesteps: int
    n_envs: dict[int, int] = OF_THE_GAME
    seed: int = 1
    game: str = DEFAULT_GAME
    options: dict[str, Any] = field(default_factory=dict)
    reward: str = OF_THE_GAME
    shaping: float = 0.0
    opponents: Others | None = None
    partners: Others | None = None
    network: Network = field(default_factory=Network)
    ppo: PPOSettings = field(default_factory=PPOSettings)
    teacher: Teacher = field(default_factory=Teacher)
    schedule: Schedule = field(default_factory=Schedule)
    actors: int = 1
    threads: int = 2

    def __post_init__(self) -> None:
        if self.game not in GAMES:
            return
        spec = game_named(self.game).spec
        for word in ("opponents", "partners"):
            if word != spec.others and getattr(self, word) is not None:
                raise OptionError(wrong_others(spec, word))
        given = {name: value for name, value in vars(self).items() if value is not None}
        for name, value in {
            "n_envs": default_n_envs(spec),
            "reward": spec.rewards[0],
            spec.others: Others(),
        }.items():
            object.__setattr__(self, name, given.get(name, value))
        defaults: dict[str, Any] = {
            "evaluate_against": [name for name in spec.ladder if name != "random"],
            "evaluation_players": sorted({spec.min_players, spec.default_players}),
        }
        missing = {k: v for k, v in defaults.items() if getattr(self.schedule, k) is None}
        object.__setattr__(self, "schedule", replace(self.schedule, **missing))

    @property
    def others(self) -> Others:
        """Who has the other seats, whatever they are called in this game."""
        others = self.partners if self.opponents is None else self.opponents
        assert others is not None
        return others


def wrong_others(spec: GameSpec, word: str) -> str:
    """Returns what is wrong with ``opponents`` or ``partners`` where the other is meant."""
    return f"{spec.title} is a {spec.utility} game: give {spec.others}, not {word}"


def default_n_envs(spec: GameSpec) -> dict[int, int]:
    """Returns how many games of each player count there are if nothing is said."""
    first, *more = range(spec.min_players, max(spec.default_players, spec.min_players) + 1)
    if not more:
        return {first: N_ENVS}
    return {first: N_ENVS // 2, **{players: N_ENVS // 2 // len(more) for players in more}}

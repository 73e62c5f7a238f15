"""How a run is shown while it trains: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskProgressColumn,
    TextColumn,
)
from rich.text import Text
from stable_baselines3.common.callbacks import BaseCallback

from dreamfactory_env.learning.evaluation_lines import headline
from dreamfactory_env.learning.run import Run

#: Seconds between two lines where there is no terminal.
SECONDS_BETWEEN_LINES = 60.0


class _Activity(ProgressColumn):
    """Says what a run is doing."""

    def __init__(self, run: Run) -> None:
        super().__init__()
        self._run = run

    def render(self, task: Task) -> Text:
        """Returns the word."""
        return Text("evaluating" if self._run.evaluating else "training")


class ShowProgress(BaseCallback):
    """Shows how far a run is: games, speed, strength, and the time that is left.

    Of a shared game the first figure is what the learner is paid in self-play.

    Args:
        run: Which one.
        console: Where to.
    """

    def __init__(self, run: Run, console: Console) -> None:
        super().__init__()
        self.run = run
        self.console = console
        self._bar = Progress(
            *(_Activity(run), BarColumn(20), TaskProgressColumn()),
            TextColumn("{task.description}"),
            console=console,
        )
        self._task = self._bar.add_task("", total=run.settings.total_timesteps)
        self._next_line = time.monotonic() + SECONDS_BETWEEN_LINES

    def __enter__(self) -> Self:
        if self.console.is_terminal:
            self._bar.start()
        return self

    def __exit__(self, *raised: object) -> None:
        if self.console.is_terminal:
            self._bar.stop()

    def words(self) -> str:
        """Returns what stands beside the bar."""
        run, metrics = self.run, self.run.metrics
        words = []
        if metrics.self_play:
            returns = "/".join(f"{mean:.2f}" for mean in metrics.self_play.values())
            words.append(f"self-play return {returns}")
        words.append(f"{metrics.games:,} games")
        if metrics.fps:
            words.append(f"{metrics.fps:,.0f} decisions/s")
        if run.evaluator.lines:
            words.append(headline(run.evaluator.lines[-1]))
        if metrics.fps:
            words.append(f"{timedelta(seconds=round(self.seconds_left()))} left")
        return " · ".join(words)

    def seconds_left(self) -> float:
        """Returns how long the rest will take: what is trained and what is evaluated."""
        run, metrics = self.run, self.run.metrics
        steps = run.model.num_timesteps
        done = max(len(run.evaluator.lines), 1)
        evaluations = run.evaluator.left(steps) * metrics.seconds["evaluation"] / done
        return max(run.settings.total_timesteps - steps, 0) / metrics.fps + evaluations

    def _on_step(self) -> bool:
        if self.console.is_terminal:
            steps = self.num_timesteps
            self._bar.update(self._task, completed=steps, description=self.words())
        return True

    def _on_rollout_start(self) -> None:
        if not self.console.is_terminal and time.monotonic() >= self._next_line:
            self._next_line = time.monotonic() + SECONDS_BETWEEN_LINES
            steps, total = self.num_timesteps, self.run.settings.total_timesteps
            self.console.print(f"{steps:,} of {total:,} decisions · {self.words()}", soft_wrap=True)

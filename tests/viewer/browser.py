"""A real browser, and real servers for it.

``python -m tests.viewer.browser`` finds Chromium, or installs it where it may.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

#: Names under which systems have Chromium.
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
#: Quiet, and alone: nothing is fetched that no test asks for.
ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--no-first-run"),
]
MISSING = (
    "no Chromium: install the package chromium, or set CHROMIUM to its path, or run "
    "`python -m playwright install chromium`"
)


def chromium() -> str | None:
    """Returns the path of a Chromium of the system, None if Playwright's own is there.

    Raises:
        LookupError: There is none.
    """
    named = os.environ.get("CHROMIUM")
    found = named or next(filter(None, map(shutil.which, NAMES)), None)
    if found:
        return found
    with sync_playwright() as playwright:
        if Path(playwright.chromium.executable_path).exists():
            return None
    raise LookupError(MISSING)


def install() -> None:
    """Installs Debian's Chromium where it may, else Playwright's own if a network allows."""
    apt = shutil.which("apt-get")
    commands = [[sys.executable, "-m", "playwright", "install", "chromium"]]
    if apt and os.geteuid() == 0:
        packages = ["install", "-y", "--no-install-recommends", "chromium"]
        commands = [[apt, "-qq", "update"], [apt, "-qq", *packages], *commands]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for words in commands:
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(words, env=environment, capture_output=True, timeout=600, check=False)
        with contextlib.suppress(LookupError):
            chromium()
            return


@contextlib.contextmanager
def browser() -> Iterator[Browser]:
    """Gives a browser.

    Without one a test is skipped with a line that says what is missing; where CI is set it fails.
    """
    try:
        path = chromium()
    except LookupError as error:
        if os.environ.get("CI"):
            pytest.fail(str(error))
        pytest.skip(str(error))
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield found
        found.close()


class Server:
    """The command in a process of its own, as a user starts it.

    Args:
        *words: The command and its arguments.
        cwd: Its working directory.

    Attributes:
        links: The links that it has printed, in their order.
    """

    def __init__(self, *words: str | Path, cwd: Path, links: int = 1) -> None:
        code = "from dreamfactory_env.cli.main import main; main()"
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, *map(str, words), "--no-browser"],
            cwd=cwd,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        self.links: list[str] = []
        self.said = ""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            self.links += re.findall(r"http://\S+", line)
            if "Ctrl-C" in line:
                break
        assert len(self.links) >= links, self.said
        self._drained = threading.Thread(target=self._drain, daemon=True)
        self._drained.start()

    @staticmethod
    def said_by(*words: str | Path, cwd: Path) -> str:
        """Returns what a command says that ends by itself."""
        code = "from dreamfactory_env.cli.main import main; main()"
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        finished = subprocess.run(
            [sys.executable, "-c", code, *map(str, words)],
            cwd=cwd,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
        )
        return finished.stdout + finished.stderr

    def _drain(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line

    @property
    def port(self) -> str:
        """The port that it listens at."""
        return self.links[0].split(":")[2].split("/")[0]

    def kill(self) -> None:
        """Ends it as a crash would."""
        self.process.kill()
        self.process.wait()
        self._close()

    def end(self) -> None:
        """Ends it by Ctrl-C."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()
                raise
            self._close()

    def _close(self) -> None:
        """Closes what it has said."""
        assert self.process.stdout is not None
        self._drained.join(20)
        self.process.stdout.close()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *raised: object) -> None:
        self.end()


def quiet_page(browser: Browser, **context: object) -> Page:
    """Returns a page in a context of its own whose complaints are kept in ``page.complaints``."""
    context = {"reduced_motion": "reduce", **context}
    page = browser.new_context(**context).new_page()  # type: ignore[arg-type]
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda message: complaints.append(message.text) if message.type == "error" else None,
    )
    page.complaints = complaints  # type: ignore[attr-defined]
    page.set_default_timeout(60_000)
    return page


def main() -> int:
    """Finds or installs a browser; without one it says so, and fails where CI is set."""
    try:
        chromium()
    except LookupError:
        install()
    try:
        chromium()
    except LookupError as error:
        print(f"{error}; tests in a browser are skipped")
        return 1 if os.environ.get("CI") else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())

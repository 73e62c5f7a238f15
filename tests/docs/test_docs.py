"""The docs say what is true: made pages are fresh, links lead somewhere, commands exist."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from typer.main import get_command

from dreamfactory_env import DreamFactory, standard_components
from dreamfactory_env.cli.main import app
from dreamfactory_env.games.dream_factory.state import STATE
from dreamfactory_env.learning.settings_file import read_training
from tests.docs.examples import examples, run
from tests.docs.pages import PAGES, leaderboard, with_leaderboard
from tests.paths import DOCS, ROOT

TEXTS = sorted([*DOCS.glob("**/*.md"), *ROOT.glob("*.md")])
NAMES = [path.relative_to(ROOT).as_posix() for path in TEXTS]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_made_from_the_code_is_up_to_date(name: str) -> None:
    assert (DOCS / name).read_text("utf-8") == PAGES[name]()  # else: make docs


def test_the_leaderboard_is_that_of_the_benchmark() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert leaderboard() in readme  # else: make docs
    assert with_leaderboard(readme) == readme


@pytest.mark.parametrize("path", TEXTS, ids=NAMES)
def test_every_link_leads_somewhere(path: Path) -> None:
    text = path.read_text("utf-8")
    for target in re.findall(r"\]\(([^)]+)\)", text):
        if not target.startswith("http"):
            file, _, heading = target.partition("#")
            linked = (path.parent / file).resolve() if file else path
            assert linked.exists(), target
            if heading:
                headings = re.findall(r"^#+ (.+)$", linked.read_text("utf-8"), re.MULTILINE)
                slugs = [re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in headings]
                assert heading in slugs, target


@pytest.mark.parametrize("path", TEXTS, ids=NAMES)
def test_every_command_and_option_that_is_named_exists(path: Path) -> None:
    commands = get_command(app).commands  # type: ignore[attr-defined]
    makefile = (ROOT / "Makefile").read_text("utf-8")
    text = path.read_text("utf-8")
    for name, rest in re.findall(r"\bdreamfactory ([a-z]+)\b([^`\n]*)", text):
        assert name in commands, name
        known = {option for p in commands[name].params for option in p.opts}
        assert set(re.findall(r"--[a-z-]+", rest)) <= known
    for target in re.findall(r"`?\bmake ([a-z]+)`", text):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_trainings_that_are_named_are_there_and_can_be_run() -> None:
    named = 0
    for path in TEXTS:
        for name, rest in re.findall(
            r"\bdreamfactory train ([a-z_0-9]+)(?![./\w])([^`\n]*)", path.read_text("utf-8")
        ):
            pairs = re.findall(r"""--set "?([\w.]+)=([^\s"]+|[^"]+)""", rest)
            actors = re.findall(r"--(actors) (\d+)", rest)
            read_training(ROOT / f"configs/train/{name}.yaml", dict([*pairs, *actors]))
            named += 1
    assert named > 6


@pytest.mark.parametrize(
    "name",
    [
        "README.md",
        "docs/environments.md",
        "docs/first_curve.md",
        "docs/search.md",
        "docs/training.md",
    ],
)
def test_the_examples_run_as_they_stand(name: str) -> None:
    for code in examples(name):
        run(code, name)


def test_sizes_are_told_as_they_are() -> None:
    readme, engine = ((ROOT / name).read_text("utf-8") for name in ("README.md", "docs/engine.md"))
    for text in (readme, engine):
        assert set(re.findall(r"(\d+) bytes", text)) == {str(STATE.itemsize)}
    assert f"the action space, {DreamFactory.spec.num_actions} actions" in readme


def test_the_rules_page_lists_the_components_as_they_are() -> None:
    text = (DOCS / "dream_factory/rules.md").read_text("utf-8")
    components = standard_components()
    for screenplay in components.screenplays:
        counts = Counter(screenplay.spaces)
        spaces = [f"{n} {kind}" if n > 1 else kind for kind, n in counts.items()]
        row = [str(screenplay.studio or "–"), screenplay.title, screenplay.genre]
        assert f"| {' | '.join([*row, str(screenplay.stars), ', '.join(spaces)])} |" in text
    for kind, stars in components.tiles:
        row_start = rf"\| {kind}[^|]*\| {sum(n for _, n in stars)} \|"
        assert re.search(row_start, text), kind
        if kind != "legendary":
            listed = ", ".join(f"{s}: {n}" for s, n in stars).replace("-", "−")
            assert f"| {listed} |" in text, kind

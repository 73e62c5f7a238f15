"""All texts of the page itself stand in one place; a drawing brings the words of its game."""

from __future__ import annotations

import re

import pytest

from dreamfactory_env.viewer import export
from dreamfactory_env.viewer.bundling import STATIC

#: Comments, which are passed over, and what stands between quotes of each kind.
LITERAL = re.compile(
    r"//[^\n]*|/\*.*?\*/"
    r"|\"((?:[^\"\\\n]|\\.)*)\"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`",
    re.S,
)
#: Where a text is shown or read aloud: what an element has in it, and what it is called.
SHOWN = re.compile(
    r"(?:textContent\s*=|\b(?:title|placeholder|alt|label)\s*:|\"aria-label\"\s*[:,]"
    r"|\bel\(\s*\"\w+\",\s*\{(?:[^{}]|\{[^{}]*\})*\},|\bsay\(|\bproblem\()\s*$"
)
#: What reads like a text wherever it stands: a capital, a sentence, two words.
SENTENCE = re.compile(r"\b[A-Z][a-z]|[a-z]{2} [a-z]{2}|[a-z][.?!…]( |$)")
WORD = re.compile(r"[A-Za-z]{2}")
#: What looks like a text and is none: keys of a keyboard, classes of elements, fonts and looks.
NO_TEXT = re.compile(
    r"Enter|Escape|Home|End|Arrow\w*"
    r"|[a-z]+ (hidden|back)|plain rv-\w+|(line|seat|rv-\w+|rs-cell) .*"
    r"|system-ui, .*|Georgia, .*|\s*:where\(.*",
    re.S,
)
#: The Python of a position, which is made of words of code.
CODE = "for action in ["


def texts_in(source: str) -> list[str]:
    """Returns what people would read of the literals of a module."""
    found = []
    for match in LITERAL.finditer(source):
        words = next((group for group in match.groups() if group is not None), "")
        plain = re.sub(r"\$\{[^{}]*\}", "0", words)
        if NO_TEXT.fullmatch(words) or CODE in words:
            continue
        before = source[max(match.start() - 200, 0) : match.start()]
        shown = SHOWN.search(before) if WORD.search(plain) else None
        if shown or SENTENCE.search(plain):
            found.append(words)
    return found


@pytest.mark.parametrize("module", sorted(path.name for path in STATIC.glob("*.js")))
def test_modules_have_no_text_of_their_own(module: str) -> None:
    found = texts_in((STATIC / module).read_text("utf-8"))
    assert bool(found) == (module == "texts.js"), found


@pytest.mark.parametrize(
    "line",
    [
        'fill(box, el("p", {}, "nobody"));',
        'fill(box, el("p", { class: "wide", onclick: () => go({}) }, "nobody"));',
        'box.textContent = "nothing";',
        'el("input", { placeholder: "find" });',
        'el("select", { "aria-label": "speed" });',
        'element.setAttribute("aria-label", "speed");',
        "say(`moved by ${name}`);",
        'const words = ["Next", 1];',
        'throw new Error("there is no such game");',
        "const told = `${name} wins.`;",
    ],
)
def test_a_text_elsewhere_is_found(line: str) -> None:
    source = (STATIC / "watch.js").read_text("utf-8")
    assert len(texts_in(f"{source}\n{line}\n")) == 1


def test_pages_have_a_title_and_no_other_text() -> None:
    for page in ((STATIC / "index.html").read_text("utf-8"), export._PAGE):
        page = re.sub(r"<title>[^<]*</title>|\{\w+\}", "", page)
        assert not re.sub(r"<[^>]*>", "", page).strip()
        assert not re.search(r"\b(title|alt|aria-\w+|placeholder)=", page)

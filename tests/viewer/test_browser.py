"""What happens where there is no browser."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api")

from tests.viewer import browser as browsing


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A system without a browser, and no way to install one; lists the attempts."""
    attempts: list[str] = []
    monkeypatch.setattr(browsing, "install", lambda: attempts.append("install"))
    monkeypatch.setattr(browsing, "NAMES", ())
    for name in ("CHROMIUM", "CI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    return attempts


@pytest.mark.parametrize(("ci", "status"), [("", 0), ("true", 1)])
def test_a_missing_browser_is_told_in_a_line_and_fails_in_ci(
    ci: str,
    status: int,
    nowhere: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("CI", ci)
    assert browsing.main() == status
    assert nowhere == ["install"]
    assert capsys.readouterr().out == f"{browsing.MISSING}; tests in a browser are skipped\n"


def test_tests_without_a_browser_are_skipped_but_fail_in_ci(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(pytest.skip.Exception, match="no Chromium"), browsing.browser():
        pass
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="no Chromium"), browsing.browser():
        pass


def test_a_browser_that_is_named_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHROMIUM", "/opt/of/mine/chromium")
    assert browsing.chromium() == "/opt/of/mine/chromium"

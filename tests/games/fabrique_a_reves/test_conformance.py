"""Every rule of the rules page has its tests."""

from __future__ import annotations

from tests.games.conformance import read_rules, read_tests

GAME = "fabrique_a_reves"


def test_the_rules_page_has_every_rule_once_and_in_order() -> None:
    expected = [*(f"R{n}" for n in range(1, 21)), *(f"M{n}" for n in range(1, 5))]
    assert [rule.number for rule in read_rules(GAME)] == expected


def test_every_rule_has_a_test() -> None:
    tests = read_tests(GAME)
    assert [rule.number for rule in read_rules(GAME) if rule.number not in tests] == []


def test_no_test_cites_a_rule_that_does_not_exist() -> None:
    assert set(read_tests(GAME)) <= {rule.number for rule in read_rules(GAME)}

"""Every rule of the rules page has its tests."""

from __future__ import annotations

from tests.games.dream_factory.conformance import read_rules, read_tests


def test_the_rules_page_has_every_rule_once_and_in_order() -> None:
    assert [rule.number for rule in read_rules()] == [f"D{n}" for n in range(1, 31)]


def test_every_rule_has_a_test() -> None:
    tests = read_tests()
    assert [rule.number for rule in read_rules() if rule.number not in tests] == []


def test_no_test_cites_a_rule_that_does_not_exist() -> None:
    assert set(read_tests()) <= {rule.number for rule in read_rules()}

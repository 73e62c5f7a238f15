"""Labels of policies: short, and never the same for two."""

from __future__ import annotations

import pytest

from dreamfactory_env.policies.labels import LONGEST, labels_of


@pytest.mark.parametrize(
    ("names", "labels"),
    [
        (["random", "mcts:500", "mcts:0.2s"], ["random", "mcts:500", "mcts:0.2s"]),
        (["expert", "demo/agent.safetensors"], ["expert", "agent"]),
        (["runs/a/best.safetensors", "runs/b/best.safetensors"], ["a/best", "b/best"]),
        (["a/x/best.safetensors", "b/x/best.safetensors"], ["a/x/best", "b/x/best"]),
        (["best.safetensors", "b/best.safetensors"], ["best.safetensors", "b/best"]),
        (["/best.safetensors", "best.safetensors"], ["/best.safetensors", "best.safetensors"]),
        (["pretrained", "/agents/pretrained.safetensors"], ["pretrained", "agents/pretrained"]),
        (["greedy", "greedy.safetensors"], ["greedy", "greedy.safetensors"]),
        (["my.players:Careful", "rush:Careful"], ["players:Careful", "rush:Careful"]),
        (["my.players:Careful", "Careful"], ["players:Careful", "Careful"]),
        (["tests.players:WrongShape"], ["WrongShape"]),
        ([".safetensors"], [".safetensors"]),
        ([], []),
    ],
)
def test_a_label_has_as_much_of_a_name_as_tells_it_apart(
    names: list[str], labels: list[str]
) -> None:
    assert labels_of(names) == dict(zip(names, labels, strict=True))


def test_a_long_label_is_cut_in_its_middle_and_differs_all_the_same() -> None:
    names = [
        f"runs/a_large_network_after_{steps}_steps.safetensors" for steps in (3000000, 4000000)
    ]
    assert list(labels_of(names[:1]).values()) == ["a_large_…00000_steps"]
    assert list(labels_of(names).values()) == ["a_larg…3000000_steps", "a_larg…4000000_steps"]
    middles = [f"{'a' * 20}{middle}{'b' * 20}" for middle in "xyz"]
    for labels in (labels_of(names), labels_of(middles)):
        assert len(set(labels.values())) == len(labels)
        assert all(len(label) <= LONGEST for label in labels.values())

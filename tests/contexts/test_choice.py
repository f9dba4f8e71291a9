"""The choice among candidates: groups decide together, and the models fit what they read."""

from __future__ import annotations

import numpy as np

from pagecut.contexts.item import choice
from pagecut.contexts.item.choice import Layout, best_together
from pagecut.contexts.item.together import decide_together, pick

NONE = 255  # no candidate of a kind


def layout(firsts: list[int], kinds: list[list[int]], groups: list[int]) -> Layout:
    return Layout(
        firsts=np.array(firsts, dtype=np.int64),
        kinds=np.array(kinds, dtype=np.uint8),
        groups=np.array(groups, dtype=np.int64),
    )


def test_the_best_candidate_is_picked_and_the_first_of_equals() -> None:
    scores = np.array([1.0, 3.0, 3.0, -2.0])
    assert pick(scores, np.array([0, 3, 3, 4])).tolist() == [1, -1, 3]
    assert pick(np.zeros(0), np.array([0, 0])).tolist() == [-1]


def test_a_kind_that_does_well_for_the_group_counts_for_each_image() -> None:
    # Three images with two kinds each; the second kind is best for two of them.
    kinds = [[0, 1], [0, 1], [0, 1]]
    scores = np.array([0.0, 2.0, 0.0, 2.0, 0.5, 0.3])
    alone = layout([0, 2, 4, 6], kinds, [0, 1, 2])
    assert best_together(scores, alone).tolist() == [1, 3, 4]
    together = layout([0, 2, 4, 6], kinds, [0, 0, 0])
    assert best_together(scores, together).tolist() == [1, 3, 5]


def test_images_without_candidates_change_nothing() -> None:
    kinds = [[0, NONE], [NONE, NONE], [0, 1]]
    found = layout([0, 1, 1, 3], kinds, [0, 0, 0])
    scores = np.array([1.0, 0.0, 0.5])
    assert best_together(scores, found).tolist() == [0, -1, 2]
    empty = layout([0, 0], [[NONE]], [0])
    assert decide_together(np.zeros(0), empty.firsts, empty.kinds, empty.groups).shape == (0,)


def test_the_models_read_what_is_there() -> None:
    learnt = choice.models()
    assert 0 < learnt.threshold < 1
    for model in learnt.context, learnt.content, learnt.others, learnt.confidence:
        assert model.record["seed"] == 1

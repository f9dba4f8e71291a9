"""Box Clustering as the paper prints it, with every definition written out and no index.

Zeleny, Burget & Zendulka 2017. Slow on purpose: everything is computed anew from the boxes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import NamedTuple


class B(NamedTuple):
    """Definition 1."""

    left: float
    top: float
    right: float
    bottom: float
    color: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def area(self) -> float:
        return self.width * self.height


Entity = frozenset[int]


def printed_pov(m: B, n: B) -> str:
    """Definition 2 as printed."""
    if m.right >= n.left and m.left <= n.right:
        return "x"
    if m.bottom >= n.top and m.top <= n.bottom:
        return "y"
    return "o"


def pov(m: B, n: B) -> str:
    """Definition 2, with strict overlap."""
    if m.right > n.left and m.left < n.right:
        return "x"
    if m.bottom > n.top and m.top < n.bottom:
        return "y"
    return "o"


def pos(m: B, n: B, pov: Callable[[B, B], str] = pov) -> str:
    """Definition 3."""
    if pov(m, n) == "x":
        if m.bottom <= n.top:
            return "a"
        if m.top >= n.bottom:
            return "b"
    if pov(m, n) == "y":
        if m.right <= n.left:
            return "l"
        if m.left >= n.right:
            return "r"
    return "o"


def distance_abs(m: B, n: B) -> float:
    """Equation 3."""
    match pos(m, n):
        case "a":
            return n.top - m.bottom
        case "b":
            return m.top - n.bottom
        case "l":
            return n.left - m.right
        case "r":
            return m.left - n.right
    return math.inf


def neighbourhood(m: int, boxes: Sequence[B]) -> set[int]:
    """Definition 4."""
    others = [n for n in range(len(boxes)) if n != m]
    return {
        n
        for n in others
        if pos(boxes[m], boxes[n]) != "o"
        and not any(
            pos(boxes[m], boxes[k]) == pos(boxes[m], boxes[n])
            and distance_abs(boxes[m], boxes[k]) < distance_abs(boxes[m], boxes[n])
            for k in others
        )
    }


def relative(distance: float, furthest: float) -> float:
    """Equations 5 and 6, at most 1."""
    if distance == 0:
        return 0.0
    return 1.0 if distance >= furthest else distance / furthest


def ratio(m: B, n: B) -> float:
    """Equation 10, of the boxes turned so that the more stretched one lies."""
    r_m, r_n = m.width / m.height, n.width / n.height
    if max(1 / r_m, 1 / r_n) > max(r_m, r_n):
        r_m, r_n = 1 / r_m, 1 / r_n
    high, low = max(r_m, r_n), min(r_m, r_n)
    if math.isclose(high, 1, abs_tol=1e-9):
        return 0.0
    return (high - low) / ((high**2 - 1) / high)


def relations_1(boxes: Sequence[B], threshold: float) -> set[Entity]:
    """The other reading of §7: each relation of two boxes once, in the order of their values."""
    differences = Differences(boxes)
    order = sorted(range(len(boxes)), key=lambda m: (boxes[m].top, boxes[m].left, m))
    largest = max((m.area for m in boxes), default=1.0)
    entities: set[Entity] = {frozenset({m}) for m in range(len(boxes))}

    def key(pair: tuple[int, int]) -> tuple[int, int, int, int]:
        summed = sum(boxes[m].area / largest for m in pair)
        ranks = sorted(order.index(m) for m in pair)
        return in_steps(differences.base[pair]), in_steps(summed), ranks[0], ranks[1]

    for m, n in sorted(differences.base, key=key):
        one = next(each for each in entities if m in each)
        other = next(each for each in entities if n in each)
        value = differences.between(one, other)
        if one == other or value is None or value > in_steps(threshold):
            continue
        joined = candidate_of(boxes, entities, one, other)
        if joined is not None:
            entities = {each for each in entities if not each <= joined} | {joined}
    return {each for each in entities if len(each) > 1}


def candidate_of(
    boxes: Sequence[B], entities: set[Entity], one: Entity, other: Entity
) -> Entity | None:
    """The two entities and what mergeOverlaps takes in; None where the candidate is dropped."""
    candidate = one | other
    others = entities - {one, other}
    in_the_way = {each for each in others if overlap(around(boxes, each), around(boxes, candidate))}
    if any(len(each) > 1 for each in in_the_way):
        return None
    for each in in_the_way:
        candidate |= each
    if any(overlap(around(boxes, each), around(boxes, candidate)) for each in others - in_the_way):
        return None
    return candidate


def size(m: B, n: B) -> float:
    """Equation 13."""
    return 1 - min(m.area, n.area) / max(m.area, n.area)


def color(m: B, n: B) -> float:
    """Equation 15."""
    return math.dist(m.color, n.color) / math.sqrt(3)


def in_steps(value: float) -> int:
    """In steps of 1 / 10,000: what differs by less than rounding is equal."""
    return math.floor(value * 10_000 + 0.5)


class Differences:
    """Base and cluster differences over one list of boxes."""

    def __init__(self, boxes: Sequence[B]) -> None:
        self.boxes = boxes
        near = [neighbourhood(m, boxes) for m in range(len(boxes))]
        furthest = [
            max((distance_abs(boxes[m], boxes[k]) for k in near[m]), default=0.0)
            for m in range(len(boxes))
        ]
        self.base: dict[tuple[int, int], float] = {}
        for m, n in combinations(range(len(boxes)), 2):
            if n in near[m] or m in near[n]:
                absolute = distance_abs(boxes[m], boxes[n])
                distance = (relative(absolute, furthest[m]) + relative(absolute, furthest[n])) / 2
                shape = (ratio(boxes[m], boxes[n]) + size(boxes[m], boxes[n])) / 2
                mean = (distance + shape + color(boxes[m], boxes[n])) / 3
                self.base[m, n] = 0.0 if distance == 0 else mean

    def between(self, one: Entity, other: Entity) -> int | None:
        """Equations 16 to 19: the mean over the neighbouring pairs of boxes."""
        values = [
            self.base[min(m, n), max(m, n)]
            for m in one
            for n in other
            if (min(m, n), max(m, n)) in self.base
        ]
        return in_steps(math.fsum(values) / len(values)) if values else None


def around(boxes: Sequence[B], entity: Entity) -> B:
    members = [boxes[m] for m in entity]
    return B(
        min(m.left for m in members),
        min(m.top for m in members),
        max(m.right for m in members),
        max(m.bottom for m in members),
    )


def overlap(m: B, n: B) -> bool:
    return m.left < n.right and n.left < m.right and m.top < n.bottom and n.top < m.bottom


def algorithm_1(boxes: Sequence[B], threshold: float) -> set[Entity]:
    """The clusters of at least two boxes."""
    differences = Differences(boxes)
    order = sorted(range(len(boxes)), key=lambda m: (boxes[m].top, boxes[m].left, m))
    largest = max((m.area for m in boxes), default=1.0)
    entities: set[Entity] = {frozenset({m}) for m in range(len(boxes))}
    tried: set[frozenset[Entity]] = set()

    def key(pair: tuple[Entity, Entity]) -> tuple[int, int, int, int]:
        summed = sum(around(boxes, each).area / largest for each in pair)
        ranks = sorted(min(order.index(m) for m in each) for each in pair)
        value = differences.between(*pair)
        assert value is not None
        return value, in_steps(summed), ranks[0], ranks[1]

    while True:
        relations = [
            pair
            for pair in combinations(entities, 2)
            if frozenset(pair) not in tried and differences.between(*pair) is not None
        ]
        if not relations:
            break
        best = min(relations, key=key)
        if key(best)[0] > in_steps(threshold):
            break
        tried.add(frozenset(best))
        joined = candidate_of(boxes, entities, *best)
        if joined is not None:
            entities = {each for each in entities if not each <= joined} | {joined}
    return {each for each in entities if len(each) > 1}

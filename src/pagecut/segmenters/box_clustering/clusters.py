"""Algorithm 1 (§6.2, §7): the most alike neighbours are joined, as long as no clusters overlap.

The threshold only says when to stop. So what a lower threshold gives is what a higher one had given
on its way: one run tells the clusters for every threshold up to its own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import Final

import numpy as np

from pagecut.errors import TooLarge
from pagecut.page.boxes import Boxes, areas
from pagecut.page.nodes import Box, Frozen, Int
from pagecut.segmenters.box_clustering.box_tree import BoxTree
from pagecut.segmenters.box_clustering.differences import Pairs, Values

# The part of the boxes that can be clustered at all which may stay unclustered.
SHARE_LEFT: Final = 0.05
_THRESHOLDS: Final = 1000  # that a page may get: multiples of 1 / 1000

# Differences below what a browser's rounding of coordinates makes of equal ones do not count.
STEPS: Final = 10_000  # in which a difference is counted

# Pairs that may be looked at again because one of the two has grown, and boxes in the way of a
# candidate. Pages of 2013 need up to 8 per box; a cluster that grows box by box beside thousands
# of others could need thousands.
MOST_LOOKS: Final = 200  # per box
_ALWAYS_ALLOWED: Final = 100_000

# Nodes of the tree that may be looked into, which long thin boxes that cross make useless. Lines,
# grids and boxes at random need up to 100 per box.
MOST_NODES: Final = 1000  # per box
_NODES_ALWAYS_ALLOWED: Final = 2_000_000

_Link = tuple[float, int]  # the cumulative difference of box pairs, and their number (Eq. 16, 17)
_Candidate = tuple[int, int, int, int, int, int]  # difference, area, two ranks, two entities


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Clusters(Frozen):
    """What Algorithm 1 joined, in its order.

    Args:
        height: (j,) the threshold from which on a join is made; never falls.
        owner: (j + 1,) where the members of each join start in `member`.
        member: the boxes and clusters of each join: box 3 is 3, join 0 is the number of boxes.
    """

    count: int  # boxes
    height: Values
    owner: Int
    member: Int

    def labels(self, threshold: float) -> Int:
        """(n,) the cluster of each box, numbered by first boxes; -1 = in none."""
        joins = int(np.searchsorted(self.height, in_steps(threshold) / STEPS, side="right"))
        around = np.full(self.count + joins, -1, dtype=np.int64)
        for join in range(joins):
            around[self.member[self.owner[join] : self.owner[join + 1]]] = self.count + join
        for entity in range(self.count + joins - 1, -1, -1):
            if around[entity] >= 0 and around[around[entity]] >= 0:
                around[entity] = around[around[entity]]
        top = around[: self.count]
        _, first, inverse = np.unique(top, return_index=True, return_inverse=True)
        rank = np.empty(len(first), dtype=np.int32)
        lonely = top[first] < 0
        rank[lonely] = -1
        rank[np.flatnonzero(~lonely)[np.argsort(first[~lonely])]] = np.arange((~lonely).sum())
        return rank[inverse]

    def unclustered(self) -> tuple[Values, Int]:
        """The thresholds at which joins are made, and how many boxes are in none afterwards."""
        is_box = np.concatenate([[0], np.cumsum(self.member < self.count)])
        return self.height, (self.count - is_box[self.owner[1:]]).astype(np.int32)


def in_steps(value: float) -> int:
    """A difference, rounded to a whole number of steps of 1 / STEPS."""
    return int(value * STEPS + 0.5)


def cluster_boxes(
    boxes: Boxes, pairs: Pairs, threshold: float, *, stops_early: bool = False
) -> Clusters:
    """Join boxes and clusters whose difference is at most the threshold (CT).

    TooLarge is raised where that would take too long for the number of boxes.

    Args:
        stops_early: whether nothing is joined any more when fewer than two boxes are in no cluster.
    """
    return _Clustering(boxes, pairs, in_steps(threshold)).run(stops_early=stops_early)


def cluster_by_relations(boxes: Boxes, pairs: Pairs, threshold: float) -> Clusters:
    """The other reading of §7: pairs of boxes are taken one by one, the most alike first.

    The boxes stand for what they are in by then, and only that is compared with the threshold. A
    pair whose clusters differ more is passed over, and others join what it would have joined: so
    the clusters of a lower threshold need not be part of those of a higher one.
    """
    return _Clustering(boxes, pairs, in_steps(threshold)).run_relations(pairs)


class _Clustering:
    """The state of Algorithm 1. An entity is a box, or a cluster with a number of its own."""

    def __init__(self, boxes: Boxes, pairs: Pairs, threshold: int) -> None:
        count = len(boxes)
        self.threshold = threshold
        self.count = count
        self.box: list[Box] = [tuple(row) for row in boxes.astype(float).tolist()]
        self.unit = float(areas(boxes).max(initial=0.0)) or 1.0
        self.area = [self._area(box) for box in self.box]
        order = np.lexsort((boxes[:, 0], boxes[:, 1]))
        rank = np.empty(count, dtype=np.int64)
        rank[order] = np.arange(count)
        self.rank: list[int] = rank.tolist()  # by top, then left; a cluster has its first box's
        self.alive = [True] * count
        self.links: list[dict[int, _Link]] = [{} for _ in range(count)]
        self.tree = BoxTree(boxes)
        self.place = list(range(count))  # where an entity is in the tree
        self.held_by = list(range(count))  # the entity at a place
        self.heap: list[_Candidate] = []
        self.allowed = max(MOST_LOOKS * count, _ALWAYS_ALLOWED)
        self.nodes_allowed = max(MOST_NODES * count, _NODES_ALWAYS_ALLOWED)
        for one, other, value in zip(
            pairs.first.tolist(), pairs.second.tolist(), pairs.difference.tolist(), strict=True
        ):
            self.links[one][other] = self.links[other][one] = (value, 1)
            difference = in_steps(value)
            if difference <= threshold:
                self.heap.append(self._candidate(difference, one, other))
        heapify(self.heap)

    def run(self, *, stops_early: bool) -> Clusters:
        """Take the most alike pair again and again."""
        heights: list[int] = []
        owner, member = [0], list[int]()
        height, free = 0, self.count
        while self.heap:
            difference, _, _, _, one, other = heappop(self.heap)
            if not (self.alive[one] and self.alive[other]):
                continue
            if stops_early and free < 2:
                break
            members = self._members(one, other)
            if members is None:
                continue
            self._commit(members)
            free -= sum(entity < self.count for entity in members)
            height = max(height, difference)
            heights.append(height)
            member += members
            owner.append(len(member))
        return self._clusters(heights, owner, member)

    def run_relations(self, pairs: Pairs) -> Clusters:
        """Take the relations of boxes in the order of their differences, each once."""
        order = [
            self._candidate(in_steps(value), one, other)
            for one, other, value in zip(
                pairs.first.tolist(), pairs.second.tolist(), pairs.difference.tolist(), strict=True
            )
        ]
        entity_of = list(range(self.count))
        owner, member = [0], list[int]()
        for *_, one, other in sorted(order):
            first, second = _outermost(entity_of, one), _outermost(entity_of, other)
            if first == second:
                continue
            total, number = self.links[first][second]
            if in_steps(total / number) > self.threshold:
                continue
            members = self._members(first, second)
            if members is None:
                continue
            entity_of.append(len(self.box))
            for entity in members:
                entity_of[entity] = len(self.box)
            self._commit(members)
            member += members
            owner.append(len(member))
        return self._clusters([self.threshold] * (len(owner) - 1), owner, member)

    def _clusters(self, heights: list[int], owner: list[int], member: list[int]) -> Clusters:
        return Clusters(
            count=self.count,
            height=np.array(heights, dtype=np.float64) / STEPS,
            owner=np.array(owner, dtype=np.int32),
            member=np.array(member, dtype=np.int32),
        )

    def _area(self, box: Box) -> float:
        return (box[2] - box[0]) * (box[3] - box[1]) / self.unit

    def _candidate(self, difference: int, one: int, other: int) -> _Candidate:
        """A pair as it is ordered: by difference, summed area, then from top to bottom."""
        if self.rank[other] < self.rank[one]:
            one, other = other, one
        area = in_steps(self.area[one] + self.area[other])
        return difference, area, self.rank[one], self.rank[other], one, other

    def _members(self, one: int, other: int) -> list[int] | None:
        """What the cluster of two entities would hold; None where it would overlap something."""
        around = _union(self.box[one], self.box[other])
        members = [one, other]
        self._spend(1)
        for place in self.tree.overlapping(around):
            entity = self.held_by[place]
            if entity in (one, other):
                continue
            if entity >= self.count:
                return None
            members.append(entity)
        self._spend(len(members))
        # mergeOverlaps: boxes in the way are taken in unless that makes another overlap.
        grown = around
        for entity in members[2:]:
            grown = _union(grown, self.box[entity])
        if grown != around:
            known = set(members)
            if any(self.held_by[place] not in known for place in self.tree.overlapping(grown)):
                return None
        return members

    def _spend(self, number: int) -> None:
        self.allowed -= number
        if self.allowed < 0 or self.tree.looked_into > self.nodes_allowed:
            raise TooLarge(
                f"{self.count:,} boxes around one another: too long to cluster; try a threshold "
                "that joins less"
            )

    def _commit(self, members: list[int]) -> None:
        """Replace entities by the cluster of all of them."""
        new = len(self.box)
        box = self.box[members[0]]
        for entity in members[1:]:
            box = _union(box, self.box[entity])
        self.box.append(box)
        self.area.append(self._area(box))
        self.rank.append(min(self.rank[entity] for entity in members))
        self.alive.append(True)
        place = self.place[members[0]]
        self.place.append(place)
        self.held_by[place] = new
        for entity in members[1:]:
            self.tree.remove(self.place[entity])
        self.tree.put(place, box)
        links: dict[int, _Link] = {}
        for entity in members:
            self.alive[entity] = False
            for other, (value, number) in self.links[entity].items():
                if self.alive[other]:
                    del self.links[other][entity]
                    total, pairs = links.get(other, (0.0, 0))
                    links[other] = total + value, pairs + number
            self.links[entity] = {}
        for member in members:
            links.pop(member, None)
        self.links.append(links)
        self._spend(len(links))
        for other, link in links.items():
            self.links[other][new] = link
            difference = in_steps(link[0] / link[1])  # Eq. 18
            if difference <= self.threshold:  # else it could only wait in vain
                heappush(self.heap, self._candidate(difference, new, other))


def _outermost(entity_of: list[int], entity: int) -> int:
    """The cluster that an entity has come into, with shorter ways for the next time."""
    found = entity
    while entity_of[found] != found:
        found = entity_of[found]
    while entity_of[entity] != found:
        entity_of[entity], entity = found, entity_of[entity]
    return found


def _union(one: Box, other: Box) -> Box:
    return (
        one[0] if one[0] < other[0] else other[0],
        one[1] if one[1] < other[1] else other[1],
        one[2] if one[2] > other[2] else other[2],
        one[3] if one[3] > other[3] else other[3],
    )


def bisected_relations(boxes: Boxes, pairs: Pairs) -> tuple[float, Clusters]:
    """The threshold that a bisection over runs finds, for the other reading of §7; and its run."""
    widest = cluster_by_relations(boxes, pairs, 1.0)
    never = _left(widest)
    allowed = never + SHARE_LEFT * (len(boxes) - never)
    low, high, found = 0, _THRESHOLDS, widest
    while low < high:
        middle = (low + high) // 2
        run = cluster_by_relations(boxes, pairs, middle / _THRESHOLDS)
        if _left(run) <= allowed:
            high, found = middle, run
        else:
            low = middle + 1
    return high / _THRESHOLDS, found


def _left(clusters: Clusters) -> int:
    return clusters.count - int((clusters.member < clusters.count).sum())


def smallest_threshold(heights: Values, left: Int, count: int) -> float:
    """The smallest threshold that leaves at most SHARE_LEFT of the boxes unclustered (§7).

    The paper bisects the threshold and counts the boxes after each run. Since one run tells the
    number for every threshold, and it never grows, the bisection is a search in a list.

    Args:
        heights: (j,) the threshold from which on each join is made, ascending.
        left: (j,) boxes in no cluster after it.
        count: boxes.
    """
    if not len(heights):
        return 1.0
    never = int(left[-1])
    allowed = never + SHARE_LEFT * (count - never)
    low, high = 0, len(left) - 1
    while low < high:
        middle = (low + high) // 2
        if left[middle] <= allowed:
            high = middle
        else:
            low = middle + 1
    return min(math.ceil(float(heights[low]) * _THRESHOLDS) / _THRESHOLDS, 1.0)

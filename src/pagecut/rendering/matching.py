"""Which node of the browser's tree is which row of the parsed page.

Both trees come from the same bytes under the same rules and mostly agree. They are walked together
from the root; where the children of two matched nodes differ, the walk finds the next ones that
agree and goes on. Text that is still missing is then looked for by its letters alone. All of it
takes time linear in the nodes (but for a logarithm), whatever the page holds.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from pagecut.page import Page
from pagecut.page.nodes import TEXT, Int
from pagecut.page.text.white_space import NEVER_IN_TEXT
from pagecut.rendering.snapshot import ELEMENT_NODE, TEXT_NODE, Snapshot

# A child as the walk compares it: the tag, marked by a character that no text has, or a text's
# letters.
Key = str
_ELEMENT: Final = "\0"


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """Which row of the page each node of the snapshot is, and the other way round.

    A long text is several nodes of the browser's tree: `node` is the first, `texts` has all.
    """

    node: Int  # (rows,) -1 where none
    texts: dict[int, tuple[int, ...]]  # the nodes of each matched text row


def match(page: Page, snapshot: Snapshot) -> Match:
    """Match the rows of a parsed page to the nodes of its snapshot."""
    walk = _Walk(page, snapshot)
    root = next(
        (
            node
            for node in range(len(snapshot))
            if snapshot.node_type[node] == ELEMENT_NODE and snapshot.name(node) == "html"
        ),
        -1,
    )
    if len(page) and root >= 0:
        walk.run(root)
        walk.find_texts()
    return Match(np.array(walk.node, dtype=np.int32), walk.texts)


class _Walk:
    def __init__(self, page: Page, snapshot: Snapshot) -> None:
        self.page, self.snapshot = page, snapshot
        nodes = page.nodes
        self.kind = nodes.kind.tolist()
        self.subtree_end = nodes.subtree_end.tolist()
        self.starts, self.ends = nodes.start.tolist(), nodes.end.tolist()
        self.tags = [nodes.tag_names[tag].lower() for tag in nodes.tag.tolist()]
        self.parent = nodes.parent.tolist()
        self.node = [-1] * len(nodes)
        self.taken: set[int] = set()
        self.texts: dict[int, tuple[int, ...]] = {}

    def run(self, root: int) -> None:
        pairs: list[tuple[int, tuple[int, ...]]] = [(0, (root,))]
        while pairs:
            row, nodes = pairs.pop()
            self.node[row] = nodes[0]
            if self.kind[row] == TEXT:
                self.texts[row] = nodes
            elif self.subtree_end[row] > row + 1:
                pairs += self._pair_children(row, nodes[0])

    def find_texts(self) -> None:
        """Look for the texts that have no node yet among the nodes that have no row, in order."""
        missing = [row for row, node in enumerate(self.node) if node < 0 and self.kind[row] == TEXT]
        if not missing:
            return
        self.taken = {node for nodes in self.texts.values() for node in nodes}
        self.taken.update(self.node)
        free: dict[Key, deque[int]] = defaultdict(deque)
        for node in range(len(self.snapshot)):
            if self.snapshot.node_type[node] == TEXT_NODE and node not in self.taken:
                free[letters(self.snapshot.value(node))].append(node)
        for row in missing:
            found = free.get(self._row_letters(row))
            if found:
                self.node[row] = found.popleft()
                self.texts[row] = (self.node[row],)
                self._match_above(row)

    def _match_above(self, row: int) -> None:
        """Match the elements around a text that was found, as far as their tags agree."""
        node = self.node[row]
        while True:
            row, node = self.parent[row], self.snapshot.parent[node]
            if row < 0 or node < 0 or self.node[row] >= 0 or node in self.taken:
                return
            if self.snapshot.name(node) != self.tags[row]:
                return
            self.node[row] = node
            self.taken.add(node)

    def _row_letters(self, row: int) -> Key:
        return letters(self.page.text[self.starts[row] : self.ends[row]])

    def _pair_children(self, row: int, node: int) -> list[tuple[int, tuple[int, ...]]]:
        rows = list(self._child_rows(row))
        keys = [
            self._row_letters(r) if self.kind[r] == TEXT else _ELEMENT + self.tags[r] for r in rows
        ]
        children = list(self._child_nodes(node, blank="" in keys))
        names = [name for name, _ in children]
        if keys == names:
            return [(r, nodes) for r, (_, nodes) in zip(rows, children, strict=True)]
        # With more to tell elements apart by, the places where both go on together are surer.
        full = [f"{key}{self._row_marks(r)}" for key, r in zip(keys, rows, strict=True)]
        full_names = [f"{name}{self._node_marks(nodes)}" for name, nodes in children]
        anchors = [*align(full, full_names), (len(rows), len(children))]
        pairs = []
        at_row = at_child = 0
        for anchor_row, anchor_child in anchors:
            between = align(keys[at_row:anchor_row], names[at_child:anchor_child])
            pairs += [(rows[at_row + a], children[at_child + b][1]) for a, b in between]
            if anchor_row < len(rows):
                pairs.append((rows[anchor_row], children[anchor_child][1]))
            at_row, at_child = anchor_row + 1, anchor_child + 1
        return pairs

    def _child_rows(self, row: int) -> Iterator[int]:
        child, end = row + 1, self.subtree_end[row]
        while child < end:
            yield child
            child = self.subtree_end[child]

    def _child_nodes(self, node: int, blank: bool) -> Iterator[tuple[Key, tuple[int, ...]]]:
        """Elements and texts below; the browser parts a long text into several nodes."""
        snapshot = self.snapshot
        run: list[int] = []
        child, end = node + 1, snapshot.subtree_end[node]
        while child < end:
            kind = snapshot.node_type[child]
            if kind == TEXT_NODE:
                run.append(child)
            else:
                if run:
                    yield from self._text_run(run, blank)
                    run = []
                if kind == ELEMENT_NODE and child not in snapshot.pseudo:
                    yield _ELEMENT + snapshot.name(child), (child,)
            child = snapshot.subtree_end[child]
        if run:
            yield from self._text_run(run, blank)

    def _text_run(self, run: list[int], blank: bool) -> Iterator[tuple[Key, tuple[int, ...]]]:
        key = letters("".join(map(self.snapshot.value, run)))
        if key or blank:
            yield key, tuple(run)

    def _row_marks(self, row: int) -> str:
        if self.kind[row] == TEXT:
            return ""
        attributes = self.page.attrs.get(row, {})
        return f"#{attributes.get('id', '')}.{attributes.get('class', '')}"

    def _node_marks(self, nodes: tuple[int, ...]) -> str:
        node = nodes[0]
        if self.snapshot.node_type[node] == TEXT_NODE:
            return ""
        attribute = self.snapshot.attribute
        return f"#{attribute(node, 'id')}.{attribute(node, 'class')}"


def letters(text: str) -> Key:
    """A text without white space, which the two trees keep differently."""
    return "".join(text.split()).translate(NEVER_IN_TEXT)


def align(first: Sequence[Key], second: Sequence[Key]) -> list[tuple[int, int]]:
    """Pairs of equal items of two sequences, in order; after a difference the nearest next pair.

    Two texts that stand at the same place and nowhere else are a pair, too.
    """
    places_in_first, places_in_second = _places(first), _places(second)
    pairs = []
    a = b = 0
    while a < len(first) and b < len(second):
        if first[a] == second[b]:
            pairs.append((a, b))
            a, b = a + 1, b + 1
            continue
        skip_first = _next_place(places_in_first.get(second[b]), a)
        skip_second = _next_place(places_in_second.get(first[a]), b)
        if skip_first is None and skip_second is None:
            if not first[a].startswith(_ELEMENT) and not second[b].startswith(_ELEMENT):
                pairs.append((a, b))  # a text that was decoded differently
            a, b = a + 1, b + 1
        elif skip_second is None or (skip_first is not None and skip_first - a < skip_second - b):
            a = skip_first or 0
        else:
            b = skip_second
    return pairs


def _places(keys: Sequence[Key]) -> dict[Key, list[int]]:
    places: dict[Key, list[int]] = {}
    for at, key in enumerate(keys):
        places.setdefault(key, []).append(at)
    return places


def _next_place(places: list[int] | None, start: int) -> int | None:
    if places is None:
        return None
    at = bisect_left(places, start)
    return places[at] if at < len(places) else None

"""What Mosaic knows of a node and of two neighbouring siblings, without rendering.

To the features of graph cuts (sizes, links, density, tags, likeness) come the parts that authors
name, the scope of headings, the place in the page, and how the text is spread over the children.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from pagecut.evidence.content_tree import Bool, ContentTree, Float, count_around, count_inside
from pagecut.evidence.landmarks import PARTS, landmarks
from pagecut.page.nodes import Int
from pagecut.page.tags import HEADINGS
from pagecut.page.tokenizer import token_spans
from pagecut.segmenters.graph_cuts.features import Contents, Features

_CONTENT_PARTS: Final = ("head", "navigation", "main", "side", "foot")
HEADING_LEVELS: Final = tuple(frozenset({heading}) for heading in sorted(HEADINGS))
PROSE_LINKS: Final = 0.4  # share of tokens in links below which a paragraph is prose
BIG_SHARE: Final = 0.1  # of the parent's tokens
BELOW: Final = {
    "lists below": frozenset("ul ol dl".split()),
    "tables below": frozenset({"table"}),
    "forms below": frozenset("form input select".split()),
    "paragraphs below": frozenset({"p"}),
}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Landmarks:
    """The parts that each node of a content tree is, by what its author calls it."""

    chain: dict[str, Bool]  # (m,) each: whether a node's chain is called so
    below: dict[str, Float]  # (m,) each: how many nodes below are


def read_landmarks(tree: ContentTree) -> Landmarks:
    nodes = tree.page.nodes
    outside = np.where(tree.parent >= 0, tree.row[tree.parent], len(nodes))
    chain, below = {}, {}
    for part, mask in landmarks(tree.page).items():
        around = np.append(count_around(nodes, mask), 0)
        chain[part] = around[tree.row] > around[outside]
        below[part] = count_inside(nodes, mask, tree.row)
    return Landmarks(chain=chain, below=below)


def place_features(tree: ContentTree, held: Contents) -> Features:
    """Where a node's text lies in the page's, and how deep the node."""
    tokens = held.tokens
    before = np.searchsorted(
        token_spans(tree.page.text)[:, 0], tree.page.nodes.start[tree.row]
    ).astype(float)
    whole = max(tokens[0], 1)
    return {
        "begins": before / whole,
        "ends": (before + tokens) / whole,
        "tree depth": np.log1p(_depths(tree)),
    }


def spread_features(tree: ContentTree, held: Contents) -> Features:
    """How a node's text and links are spread over its children."""
    tokens, parent = held.tokens, np.maximum(tree.parent, 0)
    share = tokens / np.maximum(tokens[parent], 1)
    big = share >= BIG_SHARE
    largest, most_linked = np.zeros(len(tree)), np.zeros(len(tree))
    least_linked = np.ones(len(tree))
    above = tree.parent[1:]
    np.maximum.at(largest, above, tokens[1:])
    np.maximum.at(most_linked, above, np.where(big, held.linked, 0)[1:])
    np.minimum.at(least_linked, above, np.where(big, held.linked, 1)[1:])
    return {
        "largest child": largest / np.maximum(tokens, 1),
        "big children": np.log1p(tree.over_children(big)),
        "entropy": tree.over_children(-share * np.log(np.maximum(share, 1e-9))),
        "range of links": np.maximum(most_linked - least_linked, 0),
        "plain tokens": np.log1p(tokens * (1 - held.linked)),
        "linked tokens": np.log1p(tokens * held.linked),
        "siblings": np.log1p(tree.over_children()[parent]),
        "alike siblings": tree.most_common(held.look)[parent],
    }


def landmark_features(tree: ContentTree, named: Landmarks) -> Features:
    """What authors call a node, its children, and what is below it."""
    features: Features = {}
    children = {part: tree.over_children(mask) for part, mask in named.chain.items()}
    for part in PARTS:
        features[f"called {part}"] = named.chain[part].astype(float)
        features[f"children called {part}"] = np.minimum(children[part], 3)
        features[f"below called {part}"] = np.minimum(np.log1p(named.below[part]), 2.5)
    for name, counts in (("kinds of children", children), ("kinds below", named.below)):
        features[name] = np.sum([counts[part] > 0 for part in _CONTENT_PARTS], axis=0).astype(float)
    return features


def heading_features(tree: ContentTree, held: Contents) -> Features:
    """Which headings a node holds, and whether the first is the only one."""
    nodes = tree.page.nodes
    inside = [count_inside(nodes, nodes.tag_mask(tags), tree.row) for tags in HEADING_LEVELS]
    top, tops = np.full(len(tree), len(HEADING_LEVELS) + 1.0), np.zeros(len(tree))
    for level in range(len(HEADING_LEVELS), 0, -1):
        has = inside[level - 1] > 0
        top[has], tops[has] = level, inside[level - 1][has]
    headed = tree.begins_with(held.groups["heading"])
    headed_children = tree.over_children(headed)
    return {
        "top heading": top,
        "top headings": np.log1p(tops),
        "has h1": (inside[0] > 0).astype(float),
        "begins with heading": headed.astype(float),
        "only the first heading": (headed & (np.sum(inside, axis=0) == 1)).astype(float),
        "headed children": np.log1p(headed_children),
        "share of headed children": headed_children / np.maximum(tree.over_children(), 1),
    }


def content_features(tree: ContentTree) -> Features:
    """What kinds of elements a node holds."""
    nodes = tree.page.nodes
    return {
        name: np.log1p(count_inside(nodes, nodes.tag_mask(tags), tree.row))
        for name, tags in BELOW.items()
    }


def neighbour_features(
    tree: ContentTree, held: Contents, named: Landmarks, place: Features, second: Int
) -> Features:
    """What speaks for or against keeping the nodes `second` with the siblings before them."""
    first = tree.previous[second]
    prose = held.groups["paragraph"] & (held.linked < PROSE_LINKS)
    headed, heights = tree.begins_with(held.groups["heading"]), np.log1p(tree.heights())
    called = {
        f"{part} {which}": named.chain[part][rows].astype(float)
        for part in PARTS
        for which, rows in (("first", first), ("second", second))
    }
    return {
        **called,
        "headed first": headed[first].astype(float),
        "first ends": place["ends"][first],
        "height of first": heights[first],
        "height of second": heights[second],
        "tree depth": place["tree depth"][second],
        "both prose": (prose[first] & prose[second]).astype(float),
    }


def _depths(tree: ContentTree) -> Float:
    depth = [0] * len(tree)
    for node, above in enumerate(tree.parent.tolist()):
        if above >= 0:
            depth[node] = depth[above] + 1
    return np.array(depth, dtype=float)

"""What graph cuts know of a node and of two neighbouring siblings, without rendering."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from pagecut.evidence.content_tree import Bool, ContentTree, Float, count_around, count_inside
from pagecut.page.lines import tags_between, wrap_blocks
from pagecut.page.nodes import IMAGE, TEXT, Int, freeze
from pagecut.page.tags import FORCE_GAP, HEADINGS, LINE_BREAKING, NO_GAP
from pagecut.page.tokenizer import token_spans

Features = dict[str, Float]  # by name, a value for each node or pair

LINE_WIDTH: Final = 80
TAG_GROUPS: Final = {
    "heading": HEADINGS,
    "paragraph": frozenset("p blockquote pre".split()),
    "list": frozenset("ul ol dl menu".split()),
    "item": frozenset("li dt dd".split()),
    "table": frozenset({"table"}),
    "row": frozenset("tr thead tbody tfoot".split()),
    "cell": frozenset("td th".split()),
    "section": frozenset("article aside footer header main nav section".split()),
    "form": frozenset("form fieldset".split()),
    "div": frozenset("div center".split()),
}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Contents:
    """What each node of a content tree holds."""

    tokens: Float  # (m,)
    linked: Float  # (m,) share of the tokens that are links
    density: Float  # (m,) text density (Kohlschütter & Nejdl 2008, Eq. 6)
    inline: Bool  # (m,) whether nothing in it breaks a line
    named: Bool  # (m,) whether its chain has an id
    look: Int  # (m,) equal for equal tags and classes
    groups: dict[str, Bool]  # (m,) each: whether its chain has a tag of the group

    def __post_init__(self) -> None:
        freeze(self)


def read_contents(tree: ContentTree) -> Contents:
    """What the nodes of a tree with at least one node hold."""
    page, nodes = tree.page, tree.page.nodes
    start, end = nodes.start[tree.row], nodes.end[tree.row]
    units = token_spans(page.text)[:, 0]
    first, last = np.searchsorted(units, start), np.searchsorted(units, end)
    tokens = (last - first).astype(float)
    in_link = count_around(nodes, nodes.tag_mask(frozenset({"a"}))) > 0
    linked_before = np.concatenate([[0], np.cumsum(in_link[page.leaves_at(units)])])
    outside = np.where(tree.parent >= 0, tree.row[tree.parent], len(nodes))

    def in_chain(mask: Bool) -> Bool:
        around = np.append(count_around(nodes, mask), 0)
        inside: Bool = around[tree.row] > around[outside]
        return inside

    has_id = np.zeros(len(nodes), dtype=bool)
    has_id[[row for row, attributes in page.attrs.items() if "id" in attributes]] = True
    return Contents(
        tokens=tokens,
        linked=(linked_before[last] - linked_before[first]) / np.maximum(tokens, 1),
        density=_densities(tree, start, end),
        inline=count_inside(nodes, nodes.tag_mask(LINE_BREAKING), tree.top) == 0,
        named=in_chain(has_id),
        look=looks(tree),
        groups={name: in_chain(nodes.tag_mask(tags)) for name, tags in TAG_GROUPS.items()},
    )


def node_features(tree: ContentTree, held: Contents) -> Features:
    """What speaks for or against keeping each node's text together."""
    nodes = tree.page.nodes
    tokens, children = held.tokens, tree.over_children()
    leaves = count_inside(nodes, nodes.kind == TEXT, tree.row)
    headings = count_inside(nodes, nodes.tag_mask(TAG_GROUPS["heading"]), tree.row)
    return {
        "tokens": np.log1p(tokens),
        "share of page": tokens / max(tokens[0], 1),
        "share of parent": tokens / np.maximum(tokens[np.maximum(tree.parent, 0)], 1),
        "tokens per leaf": np.log1p(tokens / leaves),
        "leaves": np.log1p(leaves),
        "images": np.log1p(count_inside(nodes, nodes.kind == IMAGE, tree.row)),
        "headings": np.log1p(headings),
        "children": np.log1p(children),
        "height": np.log1p(tree.heights()),
        "depth": np.log1p(nodes.depth[tree.top]),
        "linked": held.linked,
        "density": held.density / 10,
        "inline": held.inline.astype(float),
        "named": held.named.astype(float),
        "named children": np.log1p(tree.over_children(held.named)),
        "inline children": tree.over_children(held.inline) / np.maximum(children, 1),
        "alike children": tree.most_common(held.look),
        "spread of tokens": tree.spread(np.log1p(tokens)),
        "spread of links": tree.spread(held.linked),
        "spread of density": tree.spread(held.density) / 10,
        **{f"is {name}": mask.astype(float) for name, mask in held.groups.items()},
    }


def pair_features(tree: ContentTree, held: Contents, second: Int) -> Features:
    """What speaks for or against keeping the nodes `second` with the siblings before them."""
    page, nodes = tree.page, tree.page.nodes
    first, parent = tree.previous[second], tree.parent[second]
    size, linked, density = np.log1p(held.tokens), held.linked, held.density
    heading, inline, named = held.groups["heading"], held.inline, held.named
    before = page.leaves_at(nodes.end[tree.row[first]] - 1)
    after = page.leaves_at(nodes.start[tree.row[second]])

    def tags(counted: Bool) -> Int:
        return tags_between(page, before, after, counted)

    facts = {
        "alike": held.look[first] == held.look[second],
        "same tag": nodes.tag[tree.top[first]] == nodes.tag[tree.top[second]],
        "both inline": inline[first] & inline[second],
        "one inline": inline[first] != inline[second],
        "heading first": heading[first],
        "heading second": tree.begins_with(heading)[second],
        "named first": named[first],
        "named second": named[second],
        "forced gap": tags(nodes.tag_mask(FORCE_GAP)) > 0,
        "no gap": tags(~nodes.tag_mask(NO_GAP)) == 0,
        "rule": tags(nodes.tag_mask(frozenset({"hr"}))) > 0,
    }
    change = np.abs(density[first] - density[second])
    return {
        **{name: fact.astype(float) for name, fact in facts.items()},
        "tags between": np.log1p(tags(nodes.kind != TEXT)),
        "smaller": np.minimum(size[first], size[second]),
        "larger": np.maximum(size[first], size[second]),
        "parent's share": held.tokens[parent] / max(held.tokens[0], 1),
        "siblings": np.log1p(tree.over_children())[parent],
        "alike siblings": tree.most_common(held.look)[parent],
        "both linked": np.minimum(linked[first], linked[second]),
        "change of links": np.abs(linked[first] - linked[second]),
        "change of density": change / np.maximum(np.maximum(density[first], density[second]), 1),
    }


def _densities(tree: ContentTree, start: Int, end: Int) -> Float:
    lines = wrap_blocks(tree.page, LINE_WIDTH)
    first = np.searchsorted(lines.spans[:, 1], start, side="right")
    last = np.maximum(np.searchsorted(lines.spans[:, 0], end), first)
    counted = np.where(last - first > 1, last - 1, last)
    tokens = lines.tokens_before[counted] - lines.tokens_before[first]
    densities: Float = tokens / np.maximum(counted - first, 1)
    return densities


def looks(tree: ContentTree) -> Int:
    """(m,) equal numbers for nodes of equal tags and classes."""
    attrs, tags = tree.page.attrs, tree.page.nodes.tag[tree.top].tolist()
    known: dict[tuple[int, str], int] = {}
    looks = []
    for row, tag in zip(tree.top.tolist(), tags, strict=True):
        attributes = attrs.get(row)
        look = (tag, attributes.get("class", "") if attributes else "")
        looks.append(known.setdefault(look, len(known)))
    return np.array(looks, dtype=np.int32)

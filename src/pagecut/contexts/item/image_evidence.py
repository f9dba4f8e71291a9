# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: infer_types=True
# mypy: ignore-errors
# ruff: noqa: F821 (the .pxd names constants and C functions)
"""What is known of the images themselves, whatever text they may have."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.libc.math import log1p
from cython.cimports.pagecut.contexts.item.candidate_evidence import (
    ABOUT_COUNT,
    GROUP_COUNT,
    CandidateEvidence,
)
from cython.cimports.pagecut.contexts.item.image_role import AMOUNTS, RoleJudge

from pagecut.contexts.item.candidate_evidence import ABOUT_NAMES, GROUPS
from pagecut.contexts.item.signs import EVIDENCE
from pagecut.evidence.table import KINDS as TAG_KINDS
from pagecut.page.nodes import NOT_SHOWN
from pagecut.page.tokenizer import bare_words

AROUND_KINDS = (
    "nav",
    "header",
    "footer",
    "aside",
    "figure",
    "list item",
    "cell",
    "article",
    "main",
    "section",
    "form",
    "control",
    "details",
    "dialog",
    "paragraph",
    "heading",
    "link",
)
AROUND_BITS = tuple(list(TAG_KINDS).index(name) for name in AROUND_KINDS)
IMAGE_NAMES = (
    *EVIDENCE,
    "width",
    "height",
    "short side",
    "ratio",
    "ending",
    "times shown",
    "shown before",
    "alt words",
    "lazy",
    "url length",
    "digits in name",
    "name length",
    "titled",
    "depth",
    "place",
    "from last",
    "tokens before",
    "page tokens",
    "page images",
    "group size",
    "group sources",
    "parent images",
    "parent tokens",
    "steps to text",
    "nearest tokens",
    "nearest images",
    "linked",
    "empty link",
    "home link",
    "not shown",
    "kept from readers",
    "before headline",
    "from headline",
    "picture",
    "query",
    "img",
    *ABOUT_NAMES,
    *(f"source {name}" for name in GROUPS),
    *(f"near {name}" for name in GROUPS),
    *(f"around {name}" for name in GROUPS),
    *(f"in {name}" for name in AROUND_KINDS),
)
ENDINGS = {
    **dict.fromkeys((".jpg", ".jpeg", ".webp", ".avif"), 1),
    ".png": 2,
    ".gif": 3,
    ".svg": 4,
    "": 5,
}


def read_images(page: object, evidence: CandidateEvidence, judge: RoleJudge, items: list) -> object:
    """(images, features) of what is known of the images themselves."""
    at: cython.int
    index: cython.int
    tree = evidence.tree
    rows = evidence.table_of_rows
    around_bits: cython.int[32]
    for index in range(AROUND_COUNT):
        around_bits[index] = AROUND_BITS[index]
    before = tree.tokens_before
    images: tuple = page.images
    found: object = np.zeros((max(1, len(images)), len(IMAGE_NAMES)), np.float32)
    table: cython.float[:, ::1] = found
    times: dict = {}
    group_sources: dict = {}
    first_seen: dict = {}
    for at in range(len(images)):
        source = images[at].src
        times[source] = times.get(source, 0) + 1
        group_sources.setdefault(evidence.group[at], set()).add(source)
        first_seen.setdefault(source, at)
    page_tokens: cython.double = max(1, evidence.token_count)
    link: cython.int = -1
    empty: cython.bint = False
    home: cython.bint = False
    for at in range(len(images)):
        image = images[at]
        row: cython.int = image.node
        line = cython.address(table[at, 0])
        judge.collect(image, items[at])
        for index in range(AMOUNTS):
            line[index] = judge.amounts[index]
        line += AMOUNTS
        width = judge.size.width
        height = judge.size.height
        url: str = judge.name.url
        name: str = judge.name.name
        line[0] = width
        line[1] = height
        line[2] = min(width, height) if width >= 0 and height >= 0 else max(width, height)
        line[3] = width / cython.cast(cython.double, height) if width > 0 and height > 0 else -1
        line[4] = ENDINGS.get(judge.name.ending, 0) if url else 6
        line[5] = log1p(times[image.src])
        line[6] = first_seen[image.src] != at
        line[7] = -1 if image.alt is None else len(bare_words(image.alt[:200]))
        line[8] = image.lazy
        line[9] = log1p(len(url))
        line[10] = sum([ch.isdigit() for ch in name]) / max(1, len(name))
        line[11] = log1p(len(name))
        line[12] = image.title is not None
        line[13] = rows.depth[row]
        line[14] = at / cython.cast(cython.double, len(images))
        line[15] = len(images) - at
        line[16] = before[tree.start[row]] / page_tokens
        line[17] = log1p(page_tokens)
        line[18] = log1p(len(images))
        group = evidence.group[at]
        line[19] = log1p(evidence.group_size[group])
        line[20] = len(group_sources[group]) / cython.cast(
            cython.double, evidence.group_size[group]
        )
        parent = tree.parent[row]
        line[21] = tree.images[parent] if parent >= 0 else 0
        line[22] = log1p(tree.tokens[parent]) if parent >= 0 else 0
        above: cython.int = parent
        steps: cython.int = 0
        while above >= 0 and not tree.tokens[above] and steps < 48:
            above = tree.parent[above]
            steps += 1
        line[23] = steps
        line[24] = -1
        line[25] = -1
        if above >= 0:
            line[24] = log1p(tree.tokens[above])
            line[25] = tree.images[above]
        if judge.link != link:
            link = judge.link
            empty = judge.target == "#" or judge.target.startswith("javascript")
            home = link >= 0 and is_home(judge.target)
        line[26] = link >= 0
        line[27] = empty
        line[28] = home
        line[29] = (tree.hidden[row] & NOT_SHOWN) != 0
        line[30] = (tree.hidden[row]) != 0
        h1 = evidence.candidates.h1
        line[31] = -1 if h1 < 0 else before[tree.start[row]] < before[tree.start[h1]]
        line[32] = -1 if h1 < 0 else log1p(abs(before[tree.start[row]] - before[tree.start[h1]]))
        line[33] = tree.pictures[row]
        line[34] = url.find("?") >= 0
        line[35] = image.tag == "img"
        line += 36
        for index in range(ABOUT_COUNT):
            line[index] = evidence.about[at, index]
        line += ABOUT_COUNT
        near: cython.longlong = rows.names[row]
        above = parent
        for _ in range(2):
            if above >= 0:
                near |= rows.names[above]
                above = tree.parent[above]
        said = judge.name.url + " " + (image.alt or "")[:100]
        said = said.encode("utf-8", "surrogatepass")
        own: cython.longlong = evidence.table_of_rows.known.said_by(
            said, max(0, len(said) - 300), len(said)
        )
        for index in range(GROUP_COUNT):
            bit = evidence.group_bits[index]
            line[index] = (own >> bit) & 1
            line[GROUP_COUNT + index] = (near >> bit) & 1
            line[2 * GROUP_COUNT + index] = (rows.names_around[row] >> bit) & 1
        line += 3 * GROUP_COUNT
        around = rows.kinds_around[row]
        for index in range(AROUND_COUNT):
            line[index] = (around >> around_bits[index]) & 1
    return found[: len(images)]


def is_home(target: str) -> cython.bint:
    """Whether a link leads to the start of a site."""
    path: str = target
    at: cython.Py_ssize_t = path.find("://")
    if at >= 0:
        at = path.find("/", at + 3)
        path = "" if at < 0 else path[at:]
    return len(path) <= 1 or path.startswith(("/?", "/index."))


AROUND_COUNT = len(AROUND_KINDS)

# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: infer_types=True
# mypy: ignore-errors

"""What is known of the images themselves, whatever text they may have."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.pagecut.contexts.item.about_images import ABOUT_COUNT
from cython.cimports.pagecut.contexts.item.candidate_evidence import CandidateEvidence
from cython.cimports.pagecut.contexts.item.image_role import RoleJudge
from cython.cimports.pagecut.contexts.item.image_source import is_home
from cython.cimports.pagecut.contexts.item.page_sums import logarithm

from pagecut.contexts.item.about_images import ABOUT_NAMES
from pagecut.contexts.item.signs import EVIDENCE
from pagecut.evidence.table import KINDS as TAG_KINDS
from pagecut.evidence.vocabulary import NAMES as WORD_GROUPS
from pagecut.page.nodes import NOT_SHOWN

# What the names of elements around an image may say.
GROUPS = (
    "person",
    "comments",
    "forum",
    "item",
    "product",
    "picture",
    "slider",
    "caption",
    "title",
    "summary",
    "byline",
    "related",
    "content",
    "list",
    "recipe",
    "header",
    "navigation",
    "footer",
    "logo",
    "icon",
    "ad",
    "share",
    "overlay",
    "aside",
)
GROUP_BITS = bytes([WORD_GROUPS.index(name) for name in GROUPS])
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
AROUND_BITS = bytes([list(TAG_KINDS).index(name) for name in AROUND_KINDS])
OWN_NAMES = (
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
)
IMAGE_NAMES = (
    *EVIDENCE,
    *OWN_NAMES,
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
    sums = evidence.sums
    tree = evidence.tree
    rows = sums.table
    groups = evidence.groups
    around_bits: cython.p_const_uchar = AROUND_BITS
    group_bits: cython.p_const_uchar = GROUP_BITS
    before = tree.tokens_before
    images: tuple = page.images
    found: object = np.zeros((max(1, len(images)), len(IMAGE_NAMES)), np.float32)
    table: cython.float[:, ::1] = found
    group_sources: dict = {}
    first_seen: dict = {}
    for at in range(len(images)):
        source = images[at].src
        group_sources.setdefault(groups.group[at], set()).add(source)
        first_seen.setdefault(source, at)
    page_tokens: cython.double = max(1, sums.token_count)
    count: cython.double = len(images)
    h1 = evidence.candidates.h1
    for at in range(len(images)):
        image = images[at]
        row: cython.int = image.node
        line = cython.address(table[at, 0])
        judge.collect(image, items[at])
        for index in range(SIGNS_COUNT):
            line[index] = judge.amounts[index]
        line += SIGNS_COUNT
        width: cython.longlong = judge.size.width
        height: cython.longlong = judge.size.height
        url: str = judge.name.url
        alt: str = (image.alt or "")[:100]
        line[0] = width
        line[1] = height
        line[2] = min(width, height) if width >= 0 and height >= 0 else max(width, height)
        line[3] = width / cython.cast(cython.double, height) if width > 0 and height > 0 else -1
        line[4] = ENDINGS.get(judge.name.ending, 0) if url else 6
        line[5] = logarithm(judge.times[image.src])
        line[6] = first_seen[image.src] != at
        line[7] = -1 if image.alt is None else len(evidence.about.alt[at])
        line[8] = image.lazy
        line[9] = logarithm(len(url))
        line[10] = digits_in(judge.name.name)
        line[11] = logarithm(len(judge.name.name))
        line[12] = image.title is not None
        line[13] = rows.depth[row]
        line[14] = at / count
        line[15] = count - at
        line[16] = before[tree.start[row]] / page_tokens
        line[17] = logarithm(sums.token_count)
        line[18] = logarithm(len(images))
        group: cython.int = groups.group[at]
        line[19] = logarithm(groups.size[group])
        line[20] = len(group_sources[group]) / cython.cast(cython.double, groups.size[group])
        parent = tree.parent[row]
        line[21] = tree.images[parent] if parent >= 0 else 0
        line[22] = logarithm(tree.tokens[parent]) if parent >= 0 else 0
        above: cython.int = parent
        steps: cython.int = 0
        while above >= 0 and not tree.tokens[above] and steps < 48:
            above = tree.parent[above]
            steps += 1
        line[23] = steps
        line[24] = -1
        line[25] = -1
        if above >= 0:
            line[24] = logarithm(tree.tokens[above])
            line[25] = tree.images[above]
        line[26] = judge.link >= 0
        line[27] = judge.target == "#" or judge.target.startswith("javascript")
        line[28] = judge.link >= 0 and is_home(judge.target)
        line[29] = (tree.hidden[row] & NOT_SHOWN) != 0
        line[30] = (tree.hidden[row]) != 0
        line[31] = line[32] = -1
        if h1 >= 0:
            line[31] = before[tree.start[row]] < before[tree.start[h1]]
            line[32] = logarithm(abs(before[tree.start[row]] - before[tree.start[h1]]))
        line[33] = tree.pictures[row]
        line[34] = url.find("?") >= 0
        line[35] = image.tag == "img"
        line += OWN_COUNT
        for index in range(ABOUT_COUNT):
            line[index] = evidence.about.values[at, index]
        line += ABOUT_COUNT
        near: cython.longlong = rows.names[row]
        above = parent
        for _ in range(2):
            if above >= 0:
                near |= rows.names[above]
                above = tree.parent[above]
        own: cython.longlong = rows.known.said_in(url, max(0, len(url) - 300), len(url))
        own |= rows.known.said_in(alt, 0, len(alt))
        for index in range(GROUP_COUNT):
            bit = group_bits[index]
            line[index] = (own >> bit) & 1
            line[GROUP_COUNT + index] = (near >> bit) & 1
            line[2 * GROUP_COUNT + index] = (rows.names_around[row] >> bit) & 1
        line += 3 * GROUP_COUNT
        around = rows.kinds_around[row]
        for index in range(AROUND_COUNT):
            line[index] = (around >> around_bits[index]) & 1
    return found[: len(images)]


def digits_in(name: str) -> cython.double:
    """The share of digits in a name."""
    count: cython.int = 0
    ch: cython.Py_UCS4
    for ch in name:
        count += "0" <= ch <= "9"
    return count / cython.cast(cython.double, max(1, len(name)))


SIGNS_COUNT = len(EVIDENCE)
AROUND_COUNT = len(AROUND_KINDS)
GROUP_COUNT = len(GROUPS)
OWN_COUNT = len(OWN_NAMES)


def check_order() -> None:
    """Refuse to start where the names of features and their places in compiled code differ."""
    if not (
        OWN_NAMES.index("linked") == 26
        and OWN_NAMES.index("img") == 35 == len(OWN_NAMES) - 1
        and len(IMAGE_NAMES)
        == SIGNS_COUNT + OWN_COUNT + ABOUT_COUNT + 3 * GROUP_COUNT + AROUND_COUNT
    ):
        raise AssertionError(f"{len(IMAGE_NAMES)} features")


check_order()

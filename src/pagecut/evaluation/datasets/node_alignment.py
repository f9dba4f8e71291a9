"""Which node of a page is meant by a path that another tree gave it.

Webis-WebSeg-20 counts only the siblings that were drawn, so a hidden one shifts every path after
and below it. Texts are found by their own words under the same tags; the elements around a text
that was found are those around its path; what is left goes by its position below its parent.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from pagecut.evaluation.datasets.node_paths import node_paths
from pagecut.page import Page
from pagecut.page.nodes import NOT_SHOWN, TEXT

_POSITION = re.compile(r"\[\d+\]")

Kind = tuple[str, str]  # the tags on the way to a text, and its characters but white space


def align_nodes(page: Page, paths: Collection[str], texts: Mapping[str, str]) -> dict[str, int]:
    """The row for each path that is found; no row for two of them.

    Args:
        paths: in the spelling of `normal_path`.
        texts: for paths of text nodes, what they say; may be empty.
    """
    own = node_paths(page)
    found = _match_texts(page, own, texts)
    taken = set(found.values())
    parent = page.nodes.parent
    for path, row in list(found.items()):
        above, row = path.rpartition("/")[0], int(parent[row])
        while above and above not in found and row not in taken:
            found[above] = row
            taken.add(row)
            above, row = above.rpartition("/")[0], int(parent[row])
    row_of = {path: row for row, path in enumerate(own)}
    for path in sorted(paths, key=lambda path: path.count("/")):
        if path in found:
            continue
        above, _, step = path.rpartition("/")
        around = own[found[above]] if above in found else above
        at = row_of.get(f"{around}/{step}")
        if at is not None and at not in taken:
            found[path] = at
            taken.add(at)
    return found


def _match_texts(page: Page, own: Sequence[str], texts: Mapping[str, str]) -> dict[str, int]:
    """Text nodes by their words, those with the same words and tags in document order."""
    wanted: dict[Kind, list[str]] = {}
    for path, text in texts.items():
        if (ink := "".join(text.split())) and path.rpartition("/")[2].startswith("text()"):
            wanted.setdefault((_POSITION.sub("", path), ink), []).append(path)
    present: dict[Kind, list[int]] = {}
    nodes = page.nodes
    for row in np.flatnonzero(nodes.kind == TEXT).tolist():
        ink = "".join(page.text[nodes.start[row] : nodes.end[row]].split())
        present.setdefault((_POSITION.sub("", own[row]), ink), []).append(row)
    found: dict[str, int] = {}
    for kind, paths in wanted.items():
        rows = present.get(kind, [])
        if len(rows) > len(paths):
            rows = [row for row in rows if not nodes.hidden[row] & NOT_SHOWN]
        if len(rows) > len(paths):  # some are not drawn, nobody says which
            exact = {own[row]: row for row in rows}
            found.update({path: exact[path] for path in paths if path in exact})
            rows = [row for row in rows if own[row] not in paths]
            paths = [path for path in paths if path not in exact]
        found.update(zip(paths, rows, strict=False))
    return found

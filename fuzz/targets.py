"""What is fuzzed: each target takes any bytes, and raises only for what is a finding.

`PagecutError` is an answer. Anything else that is raised is a finding, and so is a difference
between two ways to read the same bytes that must agree.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from pagecut import Limits, PagecutError, image_contexts, parse_html, segmenter
from pagecut.content.chunks import Chunks
from pagecut.corpus.archives.archived_pages import Unusable, html_of
from pagecut.corpus.archives.warc import read_records
from pagecut.page.addresses import split_address
from pagecut.parsing.decoding import decode, to_utf8
from pagecut.parsing.lexbor import Tree, read_by_nodes, read_tree
from pagecut.rendering.picture_size import picture_size
from pagecut.rendering.png import read_png
from pagecut.rendering.snapshot_file import read_snapshot

LIMITS = Limits(size=1 << 20, nodes=20_000, depth=2_000)
MOST_BYTES = 1 << 16


class Difference(Exception):
    """Two readers of the same bytes disagree."""


def same(what: str, first: object, second: object) -> None:
    if first != second:
        raise Difference(f"{what}: {first!r} is not {second!r}")


def html(data: bytes) -> None:
    """A page of bytes, and all that can be asked of it."""
    page = parse_html(data, limits=LIMITS)
    nodes = page.nodes
    same("end of the root", int(nodes.end[0]) if len(nodes.end) else 0, len(page.text))
    for row in range(min(len(nodes.start), 50)):
        page.xpath(row)
    for image in page.images:
        same("character of an image", page.text[int(nodes.start[image.node])], "\ufffc")


def parsers(data: bytes) -> None:
    """The tree of a page by lexbor's functions against that by selectolax's classes, all of it; and
    the rows of the page against selectolax's own walk of the tree."""
    source, _, begin = to_utf8(data)
    everything = len(data) % 2 == 1
    fast = read_tree(source, "fuzzed", begin=begin, everything=everything)
    slow = read_by_nodes(source[begin:], "fuzzed", everything)
    same("nodes", _rows(fast), _rows(slow))
    same("composed", fast.composed, slow.composed)
    text, _ = decode(data, None)
    if any(sign in text.lower() for sign in ("<iframe", "<template", "<noscript", "<frameset")):
        return  # what the tree that people see composes differently
    page = parse_html(text, limits=LIMITS)
    tree = LexborHTMLParser(text)
    expected = [node.tag for node in tree.root.traverse(include_text=False)] if tree.root else []
    found = [node.tag for node in page if node.tag != "#text"]
    # Some elements have no row (what a <select> offers); those that have one come in their order.
    rest = iter(expected)
    same("the order of elements", all(tag in rest for tag in found), True)


def _rows(tree: Tree) -> list[tuple[object, ...]]:
    """Everything that a tree says of its nodes."""
    return [
        (tree.tag(at), tree.depth(at), tree.end(at), tree.text(at), tree.attributes_of(at))
        for at in range(len(tree))
    ]


def encodings(data: bytes) -> None:
    """Text and the bytes of it are the same page."""
    text = decode(data, None)[0].lstrip("\ufeff")  # of which bytes have one as a mark
    again = text.encode("utf-8", "replace")
    first = parse_html(text, limits=LIMITS)
    second = parse_html(again, charset="utf-8", limits=LIMITS)
    same("text", first.text, second.text)


def methods(data: bytes) -> None:
    """The methods on any page."""
    page = parse_html(data, limits=Limits(size=1 << 16, nodes=2_000, depth=500))
    for name in "mosaic", "block-fusion-rules", "graph-cuts":
        for segment in segmenter(name).segment(page):
            for start, end in segment.spans:
                same("range in the text", 0 <= start <= end <= len(page.text), True)
    same("contexts", len(image_contexts(page)), len(page.images))
    Chunks().cut(page)


def archives(data: bytes) -> None:
    """Records of a WARC file tile it; their pages are read or refused."""
    file = BytesIO(data)
    edge = 0
    try:
        for record in read_records(file, "fuzzed", most_bytes=MOST_BYTES):
            if record.length is None:
                return
            same("what lies between records", data[edge : record.position.offset].strip(), b"")
            same("no overlap", record.position.offset >= edge, True)
            edge = record.position.offset + record.length
            with contextlib.suppress(Unusable):
                html_of(record, MOST_BYTES)
    except PagecutError:
        if data:
            raise
        return
    same("what lies behind the last record", data[edge:].strip(), b"")


def snapshots(data: bytes) -> None:
    """A snapshot file."""
    with tempfile.NamedTemporaryFile(suffix=".snap") as file:
        file.write(data)
        file.flush()
        read_snapshot(Path(file.name))


def pictures(data: bytes) -> None:
    """A PNG, and the size of any picture."""
    picture_size(data)
    read_png(data)


def addresses(data: bytes) -> None:
    """An address of a page, which is never an error."""
    text = data.decode("utf-8", "surrogateescape")
    try:
        parts = split_address(text)
        hash((parts.hostname, parts.path))
    except PagecutError as error:
        raise Difference(str(error)) from error


TARGETS: list[Callable[[bytes], None]] = [
    html, parsers, encodings, methods, archives, snapshots, pictures, addresses,
]  # fmt: skip


def run(data: bytes) -> None:
    """One input: its first byte says which target reads the rest."""
    target = TARGETS[data[0] % len(TARGETS)] if data else html
    with contextlib.suppress(PagecutError):
        target(data[1:])

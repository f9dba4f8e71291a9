"""Segments and image contexts as tasks of Label Studio, for people to correct.

A task has the page's HTML in `html`, and the names of its segments and images. Ranges are regions
of HyperText: XPaths of the text nodes where they start and end, below <body>, and offsets in those
as browsers count (UTF-16 units of the text as it stands in the source). To which segment or image a
region belongs is a choice among those of the task; images without a context are a choice of their
own. `CONFIG` is the labelling interface that shows it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from selectolax.lexbor import LexborHTMLParser, LexborNode

from pagecut.page import Page
from pagecut.page.nodes import TEXT
from pagecut.page.text.tokenizer import code_points
from pagecut.page.text.white_space import WHITE_POINTS
from pagecut.page.xpath import node_paths
from pagecut.parsing.decoding import decode
from pagecut.results.image_context import ImageContext
from pagecut.results.json_files import write_json
from pagecut.results.segmentation import Segmentation

CONFIG: Final = """\
<View>
  <HyperTextLabels name="kind" toName="page">
    <Label value="Segment"/>
    <Label value="Image context"/>
  </HyperTextLabels>
  <Choices name="segment" toName="page" perRegion="true" visibleWhen="region-selected"
           whenTagName="kind" whenLabelValue="Segment" value="$segments"/>
  <Choices name="image" toName="page" perRegion="true" visibleWhen="region-selected"
           whenTagName="kind" whenLabelValue="Image context" value="$images"/>
  <Choices name="no-context" toName="page" choice="multiple" value="$images"/>
  <HyperText name="page" value="$html"/>
</View>
"""
SEGMENT_LABEL: Final = "Segment"
CONTEXT_LABEL: Final = "Image context"
_BODY: Final = "/html[1]/body[1]"

Task = dict[str, Any]


def write_label_studio(tasks: Sequence[Task], path: Path | str) -> None:
    """Write tasks to a file that Label Studio imports."""
    write_json(tasks, Path(path))


def label_studio_task(
    source: bytes | str,
    segmentation: Segmentation | None = None,
    contexts: Sequence[ImageContext] = (),
    *,
    people: bool = False,
) -> Task:
    """A task for one page.

    Args:
        source: the HTML that the page was parsed from.
        people: whether the result is by people (an annotation) and no prediction.
    """
    page = _page_of(source, segmentation, contexts)
    html = source if isinstance(source, str) else decode(source)[0]
    places = _Places(page, html)
    results: list[Task] = []
    made_by = []
    data: Task = {"html": html, "url": page.url, "page": page.id}
    data["images"] = [{"value": _image_name(page, number)} for number in range(len(page.images))]
    data["segments"] = []
    if segmentation is not None:
        made_by.append(segmentation.made_by)
        numbers = range(len(segmentation))
        data["segments"] = [{"value": _segment_name(number)} for number in numbers]
        results.extend(_segment_results(segmentation, places))
    if contexts:
        made_by.append(contexts[0].made_by)
        results.extend(_context_results(page, contexts, places))
    name = " + ".join(dict.fromkeys(made_by))
    if people:
        return {"data": data, "annotations": [{"ground_truth": True, "result": results}]}
    return {"data": data, "predictions": [{"model_version": name, "result": results}]}


def _page_of(
    source: bytes | str, segmentation: Segmentation | None, contexts: Sequence[ImageContext]
) -> Page:
    """The page that all results are of, and that the source is of."""
    pages = [each.page for each in contexts]
    if segmentation is not None:
        pages.append(segmentation.page)
    raw = source if isinstance(source, bytes) else source.encode("utf-8", "replace")
    if not pages:
        raise ValueError("a task needs a segmentation or contexts")
    if {page.id for page in pages} != {hashlib.sha256(raw).hexdigest()}:
        raise ValueError("the source and all results must be of one page")
    return pages[-1]


def _segment_results(segmentation: Segmentation, places: _Places) -> Iterator[Task]:
    spans, labels = segmentation.spans.tolist(), segmentation.labels.tolist()
    for number, ((start, end), label) in enumerate(zip(spans, labels, strict=True)):
        value = places.region(start, end) if label >= 0 else None
        if value is not None:
            choice = ("segment", _segment_name(label))
            yield from _region_results(f"segment-{number}", SEGMENT_LABEL, value, choice)


def _context_results(
    page: Page, contexts: Sequence[ImageContext], places: _Places
) -> Iterator[Task]:
    without = []
    for context in contexts:
        image = _image_name(page, context.image)
        values = [places.region(*span) for span in context.spans]
        regions = [value for value in values if value is not None]
        if not regions:
            without.append(image)
        for number, value in enumerate(regions):
            name = f"image-{context.image}-{number}"
            yield from _region_results(name, CONTEXT_LABEL, value, ("image", image))
    if without:
        yield _result("no-context", "no-context", "choices", {"choices": without})


def _region_results(name: str, label: str, value: Task, choice: tuple[str, str]) -> Iterator[Task]:
    """A region with its label, and what it belongs to: two results with one id."""
    control, chosen = choice
    yield _result(name, "kind", "hypertextlabels", {**value, "hypertextlabels": [label]})
    yield _result(name, control, "choices", {**value, "choices": [chosen]})


def _result(name: str, control: str, kind: str, value: Task) -> Task:
    return {"id": name, "from_name": control, "to_name": "page", "type": kind, "value": value}


def _segment_name(number: int) -> str:
    return f"Segment {number}"


def _image_name(page: Page, number: int) -> str:
    source = page.images[number].src or page.images[number].tag
    return f"{number}: {source[:200]}"


class _Places:
    """Where in the browser's tree the offsets of a page's text are."""

    def __init__(self, page: Page, html: str) -> None:
        self.page = page
        self.paths = node_paths(page)
        self.raw = dict(_raw_texts(html))
        ink = ~np.isin(code_points(page.text), WHITE_POINTS)
        self.ink_before = np.concatenate([[0], np.cumsum(ink)])
        self.known: dict[int, tuple[NDArray[np.intp], NDArray[np.intp]]] = {}

    def region(self, start: int, end: int) -> Task | None:
        """A range of text as a region; None if it has no text."""
        page = self.page
        rows = page.leaves_in(start, end)
        rows = rows[page.nodes.kind[rows] == TEXT]
        if not len(rows):
            return None
        from_row, to_row = int(rows[0]), int(rows[-1])
        return {
            "start": self.paths[from_row].removeprefix(_BODY),
            "end": self.paths[to_row].removeprefix(_BODY),
            "startOffset": self._offset(from_row, start, ends=False),
            "endOffset": self._offset(to_row, end, ends=True),
            "text": page.readable(start, end),
        }

    def _offset(self, row: int, offset: int, *, ends: bool) -> int:
        """An offset of `page.text` as one of the text node in the browser.

        Folding takes white space away and nothing else, so the characters that are none are
        counted.
        """
        own_start, own_end = int(self.page.nodes.start[row]), int(self.page.nodes.end[row])
        offset = min(max(offset, own_start), own_end)
        before = int(self.ink_before[offset] - self.ink_before[own_start])
        ink, units = self._raw_text(row)
        wanted = before if ends else before + 1
        position = int(ink[wanted - 1]) + ends if 1 <= wanted <= len(ink) else -1
        return int(units[position])

    def _raw_text(self, row: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Of a text node in the source: the places that are no white space, and how many UTF-16
        units stand before each place and before its end."""
        if row not in self.known:
            points = code_points(self.raw.get(self.paths[row], ""))
            units = np.concatenate([[0], np.cumsum(1 + (points > 0xFFFF))])
            self.known[row] = np.flatnonzero(~np.isin(points, WHITE_POINTS)), units
        return self.known[row]


def _raw_texts(html: str) -> Iterator[tuple[str, str]]:
    """The text nodes of a page by their paths, as they stand in the source."""
    root = LexborHTMLParser(html).root
    if root is None:
        return
    open_nodes: list[tuple[LexborNode, str]] = [(root, f"/{root.tag}[1]")]
    while open_nodes:
        node, path = open_nodes.pop()
        counts: dict[str, int] = {}
        child = node.first_child
        while child is not None:
            text = child.is_text_node
            name = "text()" if text else (child.tag or "").lower().rpartition(":")[2]
            counts[name] = counts.get(name, 0) + 1
            below = f"{path}/{name}[{counts[name]}]"
            if text:
                yield below, child.text_content or ""
            elif child.is_element_node:
                open_nodes.append((child, below))
            child = child.next

"""Annotations for other programs: our own formats, Webis, Label Studio, a picture, a dataset."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from pagecut.annotation.marks import Annotation, depths_of, numbers_of, owners, to_json
from pagecut.errors import AnnotationError
from pagecut.evaluation.datasets.label_studio import label_studio_task
from pagecut.evaluation.datasets.marks import without_mark_attributes
from pagecut.evaluation.datasets.reading import LISTING
from pagecut.evaluation.datasets.segment_files import type_of
from pagecut.evaluation.datasets.webis import webis_row
from pagecut.page import Page
from pagecut.parsing.html import parse_html
from pagecut.pictures.density import draw_density, explain_segmentation
from pagecut.pictures.drawing import png
from pagecut.pictures.segments import draw_segments
from pagecut.results.json_files import json_text, segmentation_json, write_json


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Exported:
    """A page with its annotation, and what some formats need besides.

    Args:
        source: the HTML that the page was parsed from, if there is any.
        picture: the rendered page as PNG, if there is one.
    """

    annotation: Annotation
    page: Page
    source: bytes | str | None = None
    picture: bytes | None = None


def export(what: Exported, format: str) -> bytes:
    """The bytes of the file that an annotation becomes in a format."""
    if format not in FORMATS:
        raise AnnotationError(f"no format {format!r:.80}; there are {', '.join(FORMATS)}")
    found = FORMATS[format][1](what)
    return found if isinstance(found, bytes) else json_text(found).encode()


class DatasetWriter:
    """Writes annotated pages as a dataset, which `pagecut evaluate` reads.

    Outermost areas are its regions, the innermost ones inside them its blocks.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.listing: dict[str, dict[str, str]] = {}

    def add(self, name: str, what: Exported) -> None:
        """Write the files of a page, whose name no other has; given again, it is there once."""
        self.listing[name] = _dataset_entry(name, what, self.folder)

    def finish(self) -> None:
        """Write the list of all pages."""
        write_json(list(self.listing.values()), self.folder / LISTING)


def _dataset_entry(name: str, what: Exported, folder: Path) -> dict[str, str]:
    """Write the files of a page; its entry in the list of pages."""
    annotation, page = what.annotation, what.page
    if what.source is None:
        raise AnnotationError("a dataset holds HTML, and this page has none")
    source = what.source
    # A byte order mark says more than what the HTML may declare.
    data = source if isinstance(source, bytes) else source.encode("utf-8-sig", "surrogatepass")
    data = without_mark_attributes(data, Path(name))
    if parse_html(data, page.url).text != page.text:
        raise AnnotationError("a dataset holds the page's own HTML, which has another text")
    entry = {"id": name, "html": f"{name}.html"}
    if page.url:
        entry["url"] = page.url
    folder.mkdir(parents=True, exist_ok=True)
    (folder / entry["html"]).write_bytes(data)
    if annotation.areas:
        entry["segments"] = f"{name}.segments.json"
        write_json(_segment_file(annotation, page), folder / entry["segments"])
    if annotation.contexts:
        entry["image_context"] = f"{name}{FORMATS['image-context'][0]}"
        write_json(_image_contexts(what), folder / entry["image_context"])
    return entry


def _segment_file(annotation: Annotation, page: Page) -> dict[str, object]:
    """The areas by the elements that hold their texts; nobody looked for items."""
    areas = {each.id: each for each in annotation.areas}
    depths = depths_of(annotation.areas)
    outermost = [each for each in annotation.areas if not depths[each.id]]
    inner = [each for each in annotation.areas if depths[each.id]]
    kinds: dict[str, object] = {}
    for kind, chosen in ("regions", outermost), ("blocks", inner):
        numbers = {each.id: each.id for each in chosen}
        rows = _rows_of(page, owners(page, chosen, numbers).tolist())
        kinds[kind] = [
            {"type": type_of(areas[id].name), "xpaths": [page.xpath(row) for row in found]}
            for id, found in rows.items()
        ]
    return kinds


def _rows_of(page: Page, owner: Sequence[int]) -> dict[int, list[int]]:
    """For each value of `owner` the elements, and texts, whose characters have it.

    A text that two areas share goes to the one with more of it.
    """
    nodes = page.nodes
    most: dict[int, int] = {}
    for row in page.leaves.tolist():
        values = [each for each in owner[nodes.start[row] : nodes.end[row]] if each >= 0]
        if values:
            most[row] = Counter(values).most_common(1)[0][0]
    # An element stands for what is inside it where all of that is one area's.
    value = np.full(len(nodes.kind), -2, dtype=np.int64)
    for row in range(len(value) - 1, -1, -1):
        own = most.get(row, -1) if nodes.kind[row] else value[row]
        value[row] = own
        parent = nodes.parent[row]
        if parent >= 0 and own != -2:
            value[parent] = own if value[parent] in (-2, own) else -1
    found: dict[int, list[int]] = {}
    for row, own in enumerate(value.tolist()):
        parent = nodes.parent[row]
        if own >= 0 and (parent < 0 or value[parent] != own):
            found.setdefault(own, []).append(row)
    return found


def _annotation(what: Exported) -> bytes:
    text = json.dumps(to_json(what.annotation), ensure_ascii=False, indent=1)
    return (text + "\n").encode()


def _segmentation(what: Exported) -> object:
    return segmentation_json(what.annotation.segmentation(what.page))


def _webis(what: Exported) -> object:
    if what.page.nodes.box is None:
        raise AnnotationError(
            "Webis JSON holds boxes, and this page was not rendered: open it again with a browser "
            "installed and without --no-render"
        )
    segmentation = what.annotation.segmentation(what.page)
    return webis_row({what.annotation.annotator: segmentation}, what.annotation.name)


def _label_studio(what: Exported) -> object:
    if what.source is None:
        raise AnnotationError("Label Studio shows HTML, and this page has none")
    segmentation = what.annotation.segmentation(what.page)
    contexts = what.annotation.image_contexts(what.page)
    try:
        task = label_studio_task(what.source, segmentation, contexts, people=True)
    except ValueError as error:
        raise AnnotationError(f"Label Studio needs the page's own HTML: {error}") from error
    return [task]


def _image_contexts(what: Exported) -> object:
    """As in a dataset: by the position among the <img>."""
    places = [image.index for image in what.page.images if image.tag == "img"]
    position = {index: at for at, index in enumerate(places)}
    rows = []
    for context in what.annotation.image_contexts(what.page):
        if context.image in position:
            row: dict[str, object] = {"image": position[context.image], "src": context.source.src}
            if context.text.strip():
                row["context"] = context.text
            else:
                row["skip"] = context.role
            rows.append(row)
    return {"page": what.annotation.name, "images": rows}


def _picture(what: Exported) -> bytes:
    """The page with its areas; where it was not rendered, the density of its text with the cuts."""
    segmentation = what.annotation.segmentation(what.page)
    if what.page.nodes.box is None:
        drawing = draw_density(explain_segmentation(segmentation), what.annotation.name)
        return png(drawing.svg())
    numbers = numbers_of(what.annotation.areas)
    names = {numbers[area.id]: area.name for area in what.annotation.areas}
    return png(draw_segments(segmentation, what.picture, names), zoom=1)


# By name: how a file's name ends, and what gives its bytes, or what it has as JSON.
FORMATS: Final[dict[str, tuple[str, Callable[[Exported], object]]]] = {
    "annotation": (".annotation.json", _annotation),
    "segmentation": (".segmentation.json", _segmentation),
    "image-context": (".image-context.json", _image_contexts),
    "webis": (".webis.json", _webis),
    "label-studio": (".label-studio.json", _label_studio),
    "png": (".png", _picture),
}

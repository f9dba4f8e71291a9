"""Annotations for other programs: our own formats, Webis, Label Studio, a picture."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from pagecut.annotation.marks import Annotation, numbers_of, to_json
from pagecut.errors import AnnotationError
from pagecut.evaluation.datasets.label_studio import label_studio_task, write_label_studio
from pagecut.evaluation.datasets.webis import write_webis
from pagecut.page import Page
from pagecut.pictures.density import draw_density, explain_segmentation
from pagecut.pictures.drawing import png
from pagecut.pictures.segments import draw_segments
from pagecut.results.json_files import write_json, write_segmentation


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
        raise AnnotationError(f"no format {format!r}; there are {', '.join(FORMATS)}")
    with TemporaryDirectory(prefix="pagecut-") as folder:
        path = Path(folder) / "file"
        FORMATS[format][1](what, path)
        return path.read_bytes()


def _annotation(what: Exported, path: Path) -> None:
    text = json.dumps(to_json(what.annotation), ensure_ascii=False, indent=1)
    path.write_text(text + "\n", encoding="utf-8")


def _segmentation(what: Exported, path: Path) -> None:
    write_segmentation(what.annotation.segmentation(what.page), path)


def _webis(what: Exported, path: Path) -> None:
    if what.page.nodes.box is None:
        raise AnnotationError(
            "Webis JSON holds boxes, and this page was not rendered: open it again with a browser "
            "installed and without --no-render"
        )
    name = what.annotation.annotator
    segmentation = what.annotation.segmentation(what.page)
    write_webis({name: segmentation}, path, what.annotation.name)


def _label_studio(what: Exported, path: Path) -> None:
    if what.source is None:
        raise AnnotationError("Label Studio shows HTML, and this page has none")
    segmentation = what.annotation.segmentation(what.page)
    contexts = what.annotation.image_contexts(what.page)
    try:
        task = label_studio_task(what.source, segmentation, contexts, people=True)
    except ValueError as error:
        raise AnnotationError(f"Label Studio needs the page's own HTML: {error}") from error
    write_label_studio([task], path)


def _image_contexts(what: Exported, path: Path) -> None:
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
    write_json({"page": what.annotation.name, "images": rows}, path)


def _picture(what: Exported, path: Path) -> None:
    """The page with its areas; where it was not rendered, the density of its text with the cuts."""
    segmentation = what.annotation.segmentation(what.page)
    if what.page.nodes.box is None:
        drawing = draw_density(explain_segmentation(segmentation), what.annotation.name)
        path.write_bytes(png(drawing.svg()))
        return
    numbers = numbers_of(what.annotation.areas)
    names = {numbers[area.id]: area.name for area in what.annotation.areas}
    path.write_bytes(png(draw_segments(segmentation, what.picture, names), zoom=1))


# By name: how a file's name ends, and what writes it.
FORMATS: Final[dict[str, tuple[str, Callable[[Exported, Path], None]]]] = {
    "annotation": (".annotation.json", _annotation),
    "segmentation": (".segmentation.json", _segmentation),
    "image-context": (".image-context.json", _image_contexts),
    "webis": (".webis.json", _webis),
    "label-studio": (".label-studio.json", _label_studio),
    "png": (".png", _picture),
}

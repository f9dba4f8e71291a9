"""A record to its rows: parsed, cut, and written column by column."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from pagecut.annotation.template import ByTemplate, fitting_threshold, template_signature
from pagecut.content.chunks import Chunks
from pagecut.content.main_text import MainText, page_type, render_text
from pagecut.content.metadata import metadata
from pagecut.content.segment_measures import SegmentMeasures, main_segments, measure_segments
from pagecut.contexts import Extractor, extractor
from pagecut.corpus.archived_pages import Unusable, html_of
from pagecut.corpus.settings import RunSettings
from pagecut.corpus.tables import TABLES, BatchBuilder, record_id
from pagecut.corpus.warc import Record
from pagecut.errors import MissingColumn, PagecutError, TooLarge
from pagecut.page import Page
from pagecut.parsing.html import parse_html
from pagecut.results.image_columns import ImageColumns
from pagecut.results.image_context import ImageContext
from pagecut.results.image_rows import SHAPES, merge_twins, sure, without_source
from pagecut.results.segment_columns import SegmentColumns
from pagecut.results.segmentation import Segmentation
from pagecut.results.tables import Columns
from pagecut.segmenters import Segmenter, segmenter
from pagecut.segmenters.box_clustering import BoxClustering

NOT_HTML: Final = "not-html"
NO_ADDRESS: Final = "no-web-address"
_SEGMENT_COLUMNS: Final = (
    *("made_by", "segment", "parent", "order", "level", "role", "xpath"),
    *("char_start", "char_end", "spans", "box", "text", "score"),
)
_PAGE_KINDS: Final = frozenset({"response", "resource", "file", "broken"})

Render = Callable[[bytes, str | None, str | None, str], Page]


def skip_reason(record: Record) -> str | None:
    """Why a record is of a kind that holds no page; None if it should hold one."""
    if record.kind not in _PAGE_KINDS:
        return record.kind
    if record.error is None and record.status is not None and not 200 <= record.status < 300:
        return f"status-{record.status}"
    if record.kind == "response" and record.error is None and record.headers is None:
        return "not-http"
    return None


class RecordProcessor:
    """Turns records into rows as the settings say; counts images without a place in the output."""

    def __init__(
        self,
        settings: RunSettings,
        render: Render | None = None,
        thresholds: Mapping[str, float] | None = None,
    ) -> None:
        self.settings = settings
        self.render = render
        self.rows = BatchBuilder(settings)
        self.left_out: Counter[str] = Counter()
        self.segmenters = [segmenter(spec) for spec in settings.segment]
        self.by_template: ByTemplate | None = None
        if thresholds is not None:
            self.by_template = ByTemplate(settings.box_clustering, thresholds)
        self.extractors = [extractor(spec) for spec in settings.images]
        self.main_text = MainText(favour=settings.favour)
        self.chunks = Chunks(size=settings.chunk) if settings.chunk else None

    def add(self, record: Record, filename: str) -> None:
        """Append the row of a record, with its error where it has one."""
        page: dict[str, Any] = {
            "record_id": record_id(filename, *record.position),
            "url": _clean(record.url),
            "warc_filename": filename,
            "warc_record_offset": record.position.offset,
            "warc_record_length": record.length,
            "cut_by_crawler": _clean(record.cut_by_crawler),
            "segmented_by": self.settings.segment,
            "images_by": self.settings.images,
        }
        if record.error is not None:
            self.rows.add(page | {"error": record.error, "error_message": _clean(record.message)})
            return
        try:
            columns = self._columns(record, page)
        except MissingColumn:
            raise  # the fault of the settings, not the page's
        except Exception as error:  # whatever a page does to a method costs this page alone
            kind, message = _classify(error)
            self.rows.add(page | {"error": kind, "error_message": _clean(message)})
        else:
            self.rows.add(page, columns)

    def _contexts(self, method: Extractor, page: Page) -> list[ImageContext]:
        return sure(method.extract(page), self.settings.min_confidence)

    def _method_of(self, page: Page, method: Segmenter) -> Segmenter:
        if self.by_template is None or method != self.by_template.method:
            return method
        return self.by_template.method_of(page)

    def _columns(self, record: Record, row: dict[str, Any]) -> dict[str, Columns]:
        """The columns of all tables; those of `pages` are put into `row`."""
        data = html_of(record, self.settings.size)
        if self.render is not None:
            page = self.render(data, row["url"], record.charset, row["warc_filename"])
        else:
            page = parse_html(data, row["url"], record.charset, limits=self.settings.limits)
        found: dict[str, Columns] = {}
        if self.settings.shape == "templates":
            return {"templates": _template(page, self.settings.box_clustering)}
        first: Segmentation | None = None
        parts: list[Columns] = []
        main = self.main_text.spans(page)
        main_segment = None
        for at, method in enumerate(self.segmenters):
            segmentation = self._method_of(page, method).segment(page)
            measures = measure_segments(segmentation)
            chosen = main_segments(segmentation, main)
            parts.append(_segments(segmentation, measures, chosen))
            if at == 0:
                first = segmentation
                main_segment = _largest(measures, chosen)
        if parts:
            found["segments"] = _concatenated(parts)
        if self.settings.text:
            row["main_text"] = render_text(page, main, self.settings.text)
        if self.chunks is not None:
            found["chunks"] = _chunks(self.chunks, page, main)
        if self.settings.metadata:
            row["metadata"] = metadata(page).as_row()
        if self.settings.shape == "tables":
            if self.extractors:
                found["images"] = _concatenated(
                    [
                        ImageColumns(page, self._contexts(each, page), None, first).select(
                            TABLES["images"].names
                        )
                        for each in self.extractors
                    ]
                )
        else:
            contexts = self._contexts(self.extractors[0], page)
            if not self.settings.every_element:
                contexts = merge_twins(contexts)
            found[self.settings.shape] = _export(self.settings.shape, page, contexts, main)
            if without := without_source(contexts, self.settings.shape):
                self.left_out[NO_ADDRESS] += without
        kind, likely = next(iter(page_type(page).items()))
        row |= {
            "page_id": page.id,
            "charset": page.charset,
            "title": page.title,
            "language": _language(page, record),
            "characters": len(page.text),
            "main_segment": main_segment,
            "page_type": kind,
            "page_type_probability": likely,
        }
        return found


def _classify(error: Exception) -> tuple[str, str]:
    """A name for the class of an error, and its message."""
    if isinstance(error, Unusable):
        return error.kind, str(error)
    if isinstance(error, TooLarge):
        return "too-large", str(error)
    if isinstance(error, MemoryError):
        return "memory-limit", "out of memory"
    if isinstance(error, PagecutError):
        return "page-error", str(error)
    return "method-error", f"{type(error).__name__}: {error}"


def _clean(text: str | None) -> str | None:
    """A text that can be stored: no lone surrogates, and of a sensible length."""
    if text is None:
        return None
    return text[:8192].encode("utf-8", "replace").decode("utf-8")


def _language(page: Page, record: Record) -> str | None:
    """What the page, else the server, says of its language."""
    stated = page.attrs.get(0, {}).get("lang") or (record.headers or {}).get("content-language")
    stated = (stated or "").partition(",")[0].strip()
    return _clean(stated[:35].lower()) or None


def _largest(measures: SegmentMeasures, chosen: Any) -> int | None:
    """The segment of the main text with most tokens."""
    if not chosen.any():
        return None
    return int(np.argmax(np.where(chosen, measures.tokens, -1)))


def _concatenated(parts: Sequence[Columns]) -> Columns:
    if len(parts) == 1:
        return parts[0]
    return {name: [each for part in parts for each in part[name]] for name in parts[0]}


def _segments(segmentation: Segmentation, measures: SegmentMeasures, chosen: Any) -> Columns:
    found = SegmentColumns(segmentation).select(_SEGMENT_COLUMNS)
    found["main"] = chosen.tolist()
    found["tokens"] = measures.tokens.astype(np.int32).tolist()
    found["density"] = measures.density.tolist()
    found["link_density"] = measures.link_density.tolist()
    return found


def _template(page: Page, method: BoxClustering) -> Columns:
    threshold = fitting_threshold(page, method)
    return {"template": [template_signature(page)], "threshold": [threshold]}


def _chunks(method: Chunks, page: Page, main: list[tuple[int, int]]) -> Columns:
    chunks = method.cut(page, main)
    return {
        "chunk": [chunk.number for chunk in chunks],
        "xpath": [chunk.xpath for chunk in chunks],
        "char_start": [chunk.start for chunk in chunks],
        "char_end": [chunk.end for chunk in chunks],
        "headings": [list(chunk.headings) for chunk in chunks],
        "text": [chunk.text for chunk in chunks],
        "readable": [chunk.readable for chunk in chunks],
    }


def _export(
    shape: str, page: Page, contexts: Sequence[ImageContext], main: list[tuple[int, int]]
) -> Columns:
    """The rows of another shape; what is nested in them is written as JSON."""
    names = TABLES[shape].names
    rows = list(SHAPES[shape][1](contexts, page, page.url, main))
    as_json = ("metadata", "general_metadata")
    return {
        name: [
            json.dumps(row[name], ensure_ascii=False) if name in as_json else row[name]
            for row in rows
        ]
        for name in names
    }

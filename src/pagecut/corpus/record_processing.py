"""A record to its rows: parsed, cut, and written column by column."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from pagecut.content.chunks import Chunks
from pagecut.content.main_text import MainText, page_type, render_text
from pagecut.content.segment_measures import SegmentMeasures, main_segments, measure_segments
from pagecut.contexts import Extractor, extractor
from pagecut.corpus.archives.archived_pages import Unusable, html_of
from pagecut.corpus.archives.records import Record
from pagecut.corpus.output.tables import TABLES, BatchBuilder, record_id
from pagecut.corpus.settings import RunSettings
from pagecut.errors import MissingColumn, PagecutError, TooLarge
from pagecut.page import Page
from pagecut.page.declarations import own_address
from pagecut.parsing.html import parse_html
from pagecut.results.image_columns import ImageColumns
from pagecut.results.image_context import ImageContext
from pagecut.results.image_rows import SHAPES, outside_main_text, sure, without_source
from pagecut.results.image_variants import merge_twins
from pagecut.results.segment_columns import SegmentColumns
from pagecut.results.segmentation import Segmentation
from pagecut.results.tables import Columns
from pagecut.segmenters import Segmenter, segmenter

if TYPE_CHECKING:
    from pagecut.annotation.template import ByTemplate
    from pagecut.segmenters.box_clustering import BoxClustering

NO_SOURCE: Final = "no-usable-source"
OUTSIDE: Final = "outside-main-text"
_PAGE_TYPE: Final = ("page_type", "page_type_probability")
_PAGE_KINDS: Final = frozenset({"response", "resource", "file", "broken"})

Ranges = list[tuple[int, int]]
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
        thresholds: Mapping[str, float] | None = None,
    ) -> None:
        self.settings = settings
        self.render: Render | None = None
        self.settled = False  # whether all that pages are asked with has been loaded
        self.rows = BatchBuilder(settings)
        self.left_out: Counter[str] = Counter()
        self.segmenters = [segmenter(spec) for spec in settings.segment]
        self.by_template: ByTemplate | None = None
        if thresholds is not None:
            from pagecut.annotation.template import ByTemplate

            self.by_template = ByTemplate(settings.box_clustering, thresholds)
        self.extractors = [extractor(spec) for spec in settings.images]
        self.main_text = MainText(favour=settings.favour)
        self.chunks = Chunks(size=settings.chunk) if settings.chunk else None

    def clear(self) -> None:
        """Forget the rows of an input that failed."""
        self.rows.clear()
        self.left_out.clear()

    def add(self, record: Record, filename: str, identity: str) -> str | None:
        """Append the row of a record; its error, where it has one.

        Args:
            identity: of the file, which does not change with its name.
        """
        page: dict[str, Any] = {
            "record_id": record_id(identity, *record.position),
            "url": _clean(record.url),
            "warc_filename": _storable(filename),
            "warc_record_offset": record.position.offset,
            "warc_record_length": record.length,
            "warc_record_id": _clean(record.record_id),
            "warc_date": _clean(record.date),
            "payload_digest": _clean(record.digest),
            "http_status": record.status if record.headers is not None else None,
            "content_type": _clean(record.content_type),
            "cut_by_crawler": _clean(record.cut_by_crawler),
            "segmented_by": self.settings.segment,
            "images_by": self.settings.images,
        }
        if record.error is not None:
            self.rows.add(page | {"error": record.error, "error_message": _clean(record.message)})
            return record.error
        try:
            columns = self._columns(record, page, filename)
        except MissingColumn:
            raise  # the fault of the settings, not the page's
        except Exception as error:  # whatever a page does to a method costs this page alone
            kind, message = _classify(error)
            self.rows.add(page | {"error": kind, "error_message": _clean(message)})
            return kind
        self.rows.add(page, columns)
        return None

    def _contexts(self, method: Extractor, page: Page) -> list[ImageContext]:
        return sure(method.extract(page), self.settings.min_confidence)

    def _method_of(self, page: Page, method: Segmenter) -> Segmenter:
        if self.by_template is None or method != self.by_template.method:
            return method
        return self.by_template.method_of(page)

    def _columns(self, record: Record, row: dict[str, Any], filename: str) -> dict[str, Columns]:
        """The columns of all tables; those of `pages` are put into `row`."""
        data = html_of(record, self.settings.size)
        if self.render is not None:
            page = self.render(data, row["url"], record.charset, filename)
        else:
            page = parse_html(data, row["url"], record.charset, limits=self.settings.limits)
        row["url"] = row["url"] or _clean(own_address(page.declarations))
        found: dict[str, Columns] = {}
        if self.settings.shape == "templates":
            return {"templates": _template(page, self.settings.box_clustering)}
        settings, wanted = self.settings, self.rows.of_tables
        main = cache(partial(self.main_text.spans, page))  # asked for by some columns alone
        segments = [
            _SegmentTable(self._method_of(page, method).segment(page), main)
            for method in self.segmenters
        ]
        if segments:
            names = wanted["segments"].names
            found["segments"] = _concatenated([each.select(names) for each in segments])
        if settings.text:
            row["main_text"] = render_text(page, main(), settings.text)
        if self.chunks is not None:
            found["chunks"] = _chunks(self.chunks, page, main())
        if settings.metadata:
            from pagecut.content.metadata import metadata

            row["metadata"] = metadata(page).as_row()
        if settings.shape == "tables":
            if self.extractors:
                names = wanted["images"].names
                first = segments[0].segmentation if segments else None
                found["images"] = _concatenated(
                    [
                        ImageColumns(page, self._contexts(each, page), None, first).select(names)
                        for each in self.extractors
                    ]
                )
        else:
            contexts = self._contexts(self.extractors[0], page)
            if not settings.every_element:
                contexts = merge_twins(contexts)
            found[settings.shape] = _export(settings.shape, page, row["url"], contexts, main())
            if without := without_source(contexts, settings.shape):
                self.left_out[NO_SOURCE] += len(without)
            if settings.shape == "obelics" and (n := outside_main_text(contexts, page, main())):
                self.left_out[OUTSIDE] += n
        row |= {
            "page_id": page.id,
            "charset": page.charset,
            "page_title": page.title,
            "language": _language(page, record),
            "characters": len(page.text),
        }
        if segments and "main_segment" in self.rows.pages:
            row["main_segment"] = segments[0].largest_main
        if not self.rows.pages.keys().isdisjoint(_PAGE_TYPE):
            row |= zip(_PAGE_TYPE, next(iter(page_type(page).items())), strict=True)
        return found


class _SegmentTable(SegmentColumns):
    """Columns of segments with their sizes, and which of them are main text."""

    def __init__(self, segmentation: Segmentation, main: Callable[[], Ranges]) -> None:
        super().__init__(segmentation)
        self.main_text = main

    @cached_property
    def measures(self) -> SegmentMeasures:
        return measure_segments(self.segmentation)

    @cached_property
    def chosen(self) -> Any:
        return main_segments(self.segmentation, self.main_text())

    @property
    def largest_main(self) -> int | None:
        """The segment of the main text with most tokens."""
        tokens = self.measures.tokens.tolist()
        chosen = [number for number, main in enumerate(self._main) if main]
        return max(chosen, key=tokens.__getitem__, default=None)

    @property
    def _main(self) -> Any:
        return self.chosen.tolist()

    @property
    def _tokens(self) -> Any:
        return self.measures.tokens.astype(np.int32).tolist()

    @property
    def _density(self) -> Any:
        return self.measures.density.tolist()

    @property
    def _link_density(self) -> Any:
        return self.measures.link_density.tolist()


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


def _storable(name: str) -> str:
    """The name of a file, with bytes that are no UTF-8 written as \\xff."""
    try:
        return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:  # surrogates that stand for no byte, as JSON may have them
        return name.encode("utf-8", "backslashreplace").decode()


def _language(page: Page, record: Record) -> str | None:
    """What the page, else the server, says of its language."""
    stated = page.attrs.get(0, {}).get("lang") or (record.headers or {}).get("content-language")
    stated = (stated or "").partition(",")[0].strip()
    return _clean(stated[:35].lower()) or None


def _concatenated(parts: Sequence[Columns]) -> Columns:
    if len(parts) == 1:
        return parts[0]
    return {name: [each for part in parts for each in part[name]] for name in parts[0]}


def _template(page: Page, method: BoxClustering) -> Columns:
    from pagecut.annotation.template import fitting_threshold, template_signature

    threshold = fitting_threshold(page, method)
    return {"template": [template_signature(page)], "threshold": [threshold]}


def _chunks(method: Chunks, page: Page, main: Ranges) -> Columns:
    chunks = method.cut(page, main)
    return {
        "chunk": [chunk.number for chunk in chunks],
        "xpath": [chunk.xpath for chunk in chunks],
        "char_start": [chunk.start for chunk in chunks],
        "char_end": [chunk.end for chunk in chunks],
        "spans": [chunk.spans for chunk in chunks],
        "headings": [list(chunk.headings) for chunk in chunks],
        "text": [chunk.text for chunk in chunks],
        "readable": [chunk.readable for chunk in chunks],
    }


def _export(
    shape: str, page: Page, url: str | None, contexts: Sequence[ImageContext], main: Ranges
) -> Columns:
    """The rows of another shape; what is nested in them is written as JSON."""
    names = TABLES[shape].names
    rows = list(SHAPES[shape][1](contexts, page, url, main))
    as_json = ("metadata", "general_metadata")
    return {
        name: [
            json.dumps(row[name], ensure_ascii=False) if name in as_json else row[name]
            for row in rows
        ]
        for name in names
    }

"""A step for datatrove pipelines: HTML in, main text out, and the images with their texts.

pipeline = [WarcReader("…"), PagecutExtractor(), …, ParquetWriter("…")]
"""

from __future__ import annotations

from typing import Any

from pagecut.content.formats import TEXT_FORMATS, TextFormat, check_format
from pagecut.content.main_text import MainText, main_text
from pagecut.contexts import DEFAULT_EXTRACTOR, extractor
from pagecut.errors import PagecutError, needed
from pagecut.parsing.html import parse_html
from pagecut.results.image_variants import usable_source

with needed("datatrove", "datatrove"):
    from datatrove.data import DocumentsPipeline, Media, MediaType
    from datatrove.pipeline.extractors.base import BaseExtractor, ExtractorSandbox
    from datatrove.utils.typeshelper import StatHints


class PagecutExtractor(BaseExtractor):  # type: ignore[misc]
    """Replace a document's HTML by its main text, and fill `media` with its images.

    Each image has its URL, its alt text, and in `metadata` its caption, context, role and place. A
    page that takes too long or fails is left out and counted, as by datatrove's own extractors.

    Args:
        images: the image-context extractor; images with another role than content, or without a
            usable source, are left out.
        format: "text" ("txt") or "markdown" ("md").
        timeout: seconds for a page.
    """

    name = "✂ pagecut"
    _requires_dependencies = ["pagecut"]  # noqa: RUF012

    def __init__(
        self,
        *,
        images: str = DEFAULT_EXTRACTOR,
        format: TextFormat = "text",
        timeout: float = 10,
    ) -> None:
        super().__init__(timeout)
        self.images = extractor(images)
        check_format(format, TEXT_FORMATS)
        self.format = format
        self.method = MainText()

    def extract(self, text: str) -> str:
        """The main text alone."""
        return self.extract_page(text, None)[0]

    def extract_page(self, html: str, url: str | None) -> tuple[str, list[dict[str, Any]]]:
        """The main text, and what becomes the document's media."""
        page = parse_html(html, url)
        media = [
            {
                "id": f"{page.id}-{context.image}",
                "url": context.source.src,
                "alt": context.source.alt,
                "metadata": {
                    "caption": context.caption,
                    "context": context.text,
                    "role": context.role,
                    "confidence": context.confidence,
                    "xpath": context.xpath,
                    "position": int(page.nodes.start[context.source.node]),
                    "made_by": context.made_by,
                },
            }
            for context in self.images.extract(page)
            if context.is_content and usable_source(context)
        ]
        return main_text(page, self.format, self.method), media

    def run(
        self,
        data: DocumentsPipeline,
        rank: int = 0,  # noqa: ARG002
        world_size: int = 1,  # noqa: ARG002
    ) -> DocumentsPipeline:
        """Work on each document in a process that can be killed."""
        with ExtractorSandbox(timeout=self.timeout, warmup_text=("", None)) as sandbox:
            for document in data or ():
                self.stat_update(StatHints.total)
                with self.track_time():
                    try:
                        text, media = sandbox.process_document(
                            (document.text, document.metadata.get("url")), self._safely
                        )
                    except (TimeoutError, EOFError, PagecutError) as error:
                        self.stat_update(_OUTCOMES.get(type(error), "error"))
                        continue
                if not text:
                    self.stat_update(StatHints.dropped)
                    continue
                document.text = text
                document.media = [Media(type=MediaType.IMAGE, **each) for each in media]
                self.stat_update("extracted", StatHints.forwarded)
                self.update_doc_stats(document)
                yield document

    def _safely(self, html: str, url: str | None) -> Any:
        """An error is a result, so that it does not end the process."""
        try:
            return self.extract_page(html, url)
        except PagecutError as error:
            return error


_OUTCOMES = {TimeoutError: "timeout", EOFError: "broken_process"}

"""LangChain: a loader of pages and a splitter of HTML, with the origin of every chunk.

Metadata of a chunk: `source`, `title`, `headings` above it, and its place: `page` (SHA-256 of the
source), `xpath`, `char_start` and `char_end` in `page.text`, and `spans`, its ranges there as JSON:
between them is text that it does not have.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from os import PathLike, fspath
from typing import Any

from pagecut.content.chunks import Chunks
from pagecut.content.documents import describe
from pagecut.content.line_model import Favour
from pagecut.content.main_text import MainText
from pagecut.errors import PagecutError, needed, unforeseen
from pagecut.page import Page
from pagecut.page.addresses import WEB
from pagecut.parsing.html import parse_html
from pagecut.parsing.sources import expand_sources
from pagecut.rendering.page_files import pages_of_source

with needed("langchain-core", "langchain"):
    from langchain_core.document_loaders import BaseLoader
    from langchain_core.documents import BaseDocumentTransformer, Document


class PagecutLoader(BaseLoader):  # type: ignore[misc]
    """Load pages as documents: the main text of each, or chunks of it.

    Args:
        sources: files, folders (their HTML files), patterns, http(s) URLs; one or many.
        size: most characters of a chunk; a document for each page if not given.
        favour: "precision" for less text that is surely main text, "recall" for more, "balance".
        skip_errors: go on after a page that fails; `failures` says why.

    >>> from pagecut.adapters.langchain import PagecutLoader
    >>> documents = PagecutLoader("examples/article.html", size=800).load()
    >>> documents[0].metadata["source"], documents[0].metadata["title"]
    ('examples/article.html', 'The line that bears fruit')
    """

    def __init__(
        self,
        sources: str | PathLike[str] | Iterable[str | PathLike[str]],
        *,
        size: int | None = None,
        favour: Favour = "balance",
        skip_errors: bool = False,
    ) -> None:
        given = [sources] if isinstance(sources, str | PathLike) else list(sources)
        self.sources = [fspath(each) for each in given]
        self.favour = MainText(favour=favour).favour
        self.chunks = None if size is None else Chunks(size=size, favour=favour)
        self.skip_errors = skip_errors
        self.failures: dict[str, str] = {}

    def lazy_load(self) -> Iterator[Document]:
        """The documents, one after the other."""
        on_error = self._note if self.skip_errors else None
        for name in expand_sources(self.sources, on_error=on_error):
            try:
                documents = [
                    document
                    for page in pages_of_source(name)
                    for document in self._documents(name, page)
                ]
            except Exception as error:  # whatever a page does to a method costs this page alone
                if not self.skip_errors:
                    raise
                self._note(name, error)
                continue
            yield from documents

    def _note(self, name: str, error: Exception) -> None:
        known = isinstance(error, PagecutError)
        self.failures[name] = str(error if known else unforeseen(name, error))

    def _documents(self, name: str, page: Page) -> Iterator[Document]:
        known = describe(page, favour=self.favour)
        text = known.pop("text")
        metadata = {"source": name, **_simple(known)}
        if self.chunks is None:
            yield Document(page_content=text, metadata=metadata)
        else:
            yield from chunk_documents(self.chunks, page, metadata)


class PagecutSplitter(BaseDocumentTransformer):  # type: ignore[misc]
    """Split HTML into chunks of its main text, cut where sections begin.

    Args:
        size: most characters of a chunk.
        everything: all text that is shown, not only the main text.
        favour: of the main text, as in `PagecutLoader`.

    >>> from pagecut.adapters.langchain import PagecutSplitter
    >>> html = "<h1>Tea</h1><p>Green or black.</p><h2>Cups</h2><p>Made of clay.</p>"
    >>> for chunk in PagecutSplitter(size=30, everything=True).split_text(html):
    ...     print(chunk.metadata["headings"], chunk.metadata["xpath"])
    ['Tea'] /html[1]/body[1]
    ['Tea', 'Cups'] /html[1]/body[1]
    """

    def __init__(
        self, *, size: int = 2000, everything: bool = False, favour: Favour = "balance"
    ) -> None:
        self.chunks = Chunks(size=size, everything=everything, favour=favour)

    def split_text(self, html: str | bytes, url: str | None = None) -> list[Document]:
        """The chunks of a page."""
        return list(chunk_documents(self.chunks, parse_html(html, url), {}))

    def split_documents(self, documents: Iterable[Document]) -> list[Document]:
        """The chunks of documents that hold HTML, each with the metadata of its document."""
        found: list[Document] = []
        for each in documents:
            address = each.metadata.get("source")
            url = address if str(address).startswith(WEB) else None
            found += chunk_documents(self.chunks, parse_html(each.page_content, url), each.metadata)
        return found

    def transform_documents(
        self,
        documents: Sequence[Document],
        **kwargs: Any,  # noqa: ARG002
    ) -> Sequence[Document]:
        """The same, as a step of a pipeline."""
        return self.split_documents(documents)


def chunk_documents(method: Chunks, page: Page, metadata: dict[str, Any]) -> Iterator[Document]:
    """A document for each chunk of a page, with its origin."""
    for chunk in method.cut(page):
        place = {
            "page": page.id,
            "chunk": chunk.number,
            "headings": list(chunk.headings),
            "xpath": chunk.xpath,
            "char_start": chunk.start,
            "char_end": chunk.end,
            "spans": json.dumps(chunk.spans),  # stores want plain values
        }
        yield Document(page_content=chunk.readable, metadata={**metadata, **place})


def _simple(known: dict[str, Any]) -> dict[str, Any]:
    """What vector stores take: no empty values."""
    return {name: value for name, value in known.items() if value not in (None, [], "")}

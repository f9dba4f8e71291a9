"""The pages that a source holds, whatever kind of file it is: HTML, PDF, boxes file, snapshot."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pagecut.page import Page
    from pagecut.rendering.cache import SavingRenderer
    from pagecut.rendering.page_source import PageSource

SNAPSHOT: Final = ".snap"


def pages_of_source(
    name: str,
    url: str | None = None,
    charset: str | None = None,
    renderer: SavingRenderer | None = None,
) -> Iterable[Page]:
    """The page that a source holds, or the sheets of a PDF or boxes file.

    Args:
        renderer: renders pages of HTML; they are parsed if not given.
    """
    from pagecut.parsing.file_kinds import is_box_file, is_pdf
    from pagecut.parsing.html import parse_html
    from pagecut.parsing.sources import read_source

    if is_snapshot(name):
        from pagecut.rendering.snapshot_file import read_snapshot

        return [read_snapshot(name).page]
    source = read_source(name, charset=charset)
    url = url or source.url
    if is_pdf(source.data):
        from pagecut.parsing.pdf import read_pdf

        return read_pdf(source.data, name, url)
    if is_box_file(name, source.data):
        from pagecut.parsing.box_files import read_box_file

        return read_box_file(source.data, name, url)
    charset = charset or source.charset
    if renderer is not None:
        return [renderer.save(page_source_of(name, source.data, url, charset)).page]
    return [parse_html(source.data, url, charset)]


def is_snapshot(name: str) -> bool:
    """Whether a name is that of a snapshot file; they are not fetched."""
    from pagecut.page.addresses import WEB

    return name.lower().endswith(SNAPSHOT) and not name.startswith(WEB)


def page_source_of(name: str, data: bytes, url: str | None, charset: str | None) -> PageSource:
    """What the browser is given: a file with those beside it, anything else by itself."""
    from pagecut.page.addresses import WEB
    from pagecut.rendering.page_source import file_source, html_source

    if name == "-" or name.startswith(WEB):
        return html_source(data, url=url, charset=charset, name=name)
    return file_source(name, html=data, url=url, charset=charset)

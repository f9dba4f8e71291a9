"""Pages of an archive find their files in the same archive."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_archive import CSS, RESPONSES, write_archive

from pagecut.corpus.archives.archived_pages import ArchiveResources, archived_pages
from pagecut.corpus.inputs import Input
from pagecut.corpus.settings import RunSettings
from pagecut.corpus.workers.worker import Rendering
from pagecut.errors import FormatError
from pagecut.page import Page
from pagecut.rendering.renderer import Renderer


@pytest.fixture(params=["site.warc", "site.warc.gz"])
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    pytest.importorskip("fastwarc")
    return write_archive(tmp_path / request.param)


def test_the_files_of_an_archive(archive: Path) -> None:
    files = ArchiveResources(archive)
    found = files.find("http://example.org/s.css#x", "Stylesheet")
    assert found is not None
    assert (found.body, found.content_type) == (CSS, "text/css")
    drawing = files.find("http://img.example.net/i.svg", "Image")
    assert drawing is not None
    assert drawing.body.startswith(b"<svg")
    assert files.find("http://example.org/gone", "Image") is None
    assert files.find("http://example.org/none", "Image") is None


def test_pages_of_an_archive_are_rendered_with_its_files(browser: Path, archive: Path) -> None:
    with Renderer(program=browser) as renderer:
        results = list(renderer.rendered_many(archived_pages(archive)))
    assert [each.page.url for each in results if not isinstance(each, Exception)] == [
        "http://example.org/",
        "http://example.org/second",
    ]
    first = results[0]
    assert not isinstance(first, Exception)
    page: Page = first.page
    assert page.charset == "cp1252"
    text = next(node for node in page if node.kind == "text")
    assert text.text == "Grüße"
    assert (text.box or ())[:2] == (123, 45)
    left, top, right, bottom = page.node(page.images[0].node).box or (0, 0, 0, 0)
    assert (right - left, bottom - top) == (31, 17)
    assert first.capture.missing == ()


@pytest.mark.parametrize(
    "stated", ["text/c\0ss", "text/css; charset=\x01x", "\0", "text/css\x7f\u20ac"]
)
def test_a_file_with_a_broken_content_type_costs_no_time(
    browser: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stated: str
) -> None:
    pytest.importorskip("fastwarc")
    url, status, _, body = RESPONSES[1]
    changed = [RESPONSES[0], (url, status, {"Content-Type": stated}, body), *RESPONSES[2:]]
    monkeypatch.setattr("small_archive.RESPONSES", changed)
    archive = write_archive(tmp_path / "site.warc")
    with Renderer(program=browser, seconds=5) as renderer:
        results = list(renderer.rendered_many(archived_pages(archive)))
    assert [str(each) for each in results if isinstance(each, Exception)] == []
    assert len(results) == 2


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"none\.warc"):
        list(archived_pages(tmp_path / "none.warc"))


def test_a_worker_keeps_its_browser_and_what_an_archive_holds(
    archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    class Counted:
        def __init__(self, *_: object, **__: object) -> None:
            made.append("browser")

        def close(self) -> None:
            made.append("closed")

    def read(path: Path) -> ArchiveResources:
        made.append("archive")
        return ArchiveResources(path)

    monkeypatch.setattr("pagecut.rendering.renderer.Renderer", Counted)
    monkeypatch.setattr("pagecut.corpus.archives.archived_pages.ArchiveResources", read)
    rendering = Rendering(RunSettings(render=True))
    parts = [Input(name="a", path=str(archive), start=start, part=1) for start in (0, 100)]
    assert all(rendering.of(part) for part in parts)
    assert made == ["browser", "archive"]
    archive.write_bytes(archive.read_bytes() * 2)
    assert rendering.of(parts[0])
    rendering.close()
    assert made == ["browser", "archive", "archive", "closed"]
    assert Rendering(RunSettings()).of(parts[0]) is None

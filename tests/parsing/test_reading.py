"""A page from whatever a caller has."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

import pagecut
from pagecut import Limits, PageError, TooLarge
from pagecut.parsing.html import looks_like_a_place

HTML = "<title>Tea</title><p>Grün oder schwarz.</p><img src=a.jpg>"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(HTML, encoding="utf-8")
    return path


def test_a_path_a_name_bytes_and_files_give_the_same_page(file: Path) -> None:
    with file.open("rb") as binary, file.open(encoding="utf-8") as text:
        found = [pagecut.read(each) for each in (file, str(file), binary, text)]
    found += [pagecut.read(file.read_bytes()), pagecut.read(io.BytesIO(file.read_bytes()))]
    assert {page.text for page in found} == {pagecut.parse_html(HTML).text}


def test_url_and_charset_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "x.html"
    path.write_bytes(HTML.encode("latin-1"))
    page = pagecut.read(path, "https://x.org/d/", "latin-1")
    assert "Grün" in page.text
    assert page.images[0].src == "https://x.org/d/a.jpg"


@pytest.mark.parametrize(
    ("source", "error", "said"),
    [
        ("<p>Tea", PageError, "is HTML, not a path: pagecut.parse_html"),
        ("nosuch.html", PageError, "no such file"),
        ("", PageError, "a name of no letters: no such file; give a file"),
        (7, TypeError, "a path, a URL, bytes or an open file is needed, not int"),
    ],
)
def test_what_cannot_be_read(source: object, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        pagecut.read(source)  # type: ignore[arg-type]


def test_a_large_file_is_refused(file: Path) -> None:
    with pytest.raises(TooLarge), file.open("rb") as opened:
        pagecut.read(opened, limits=Limits(size=10))


@pytest.mark.parametrize(
    "place",
    [
        "page.html",
        "/a b/c.HTM",
        "https://x.org/",
        "C:\\x\\page.xhtml",
        "a.pdf",
        "./a.php",
        "a.html.gz",
    ],
)
def test_a_path_given_as_html_is_refused_with_the_remedy(place: str) -> None:
    assert looks_like_a_place(place)
    with pytest.raises(PageError, match=r"pagecut\.read\("):
        pagecut.parse_html(place)
    for method in pagecut.segment, pagecut.image_contexts:
        with pytest.raises(TypeError, match=r"pagecut\.read\("):
            method(place)


@pytest.mark.parametrize("text", ["", "Tea", "Read index.html first", "<p>a.html", "a.html\nb"])
def test_a_text_that_is_no_place_is_parsed(text: str) -> None:
    assert not looks_like_a_place(text)
    assert pagecut.parse_html(text) is not None


def test_methods_take_html() -> None:
    assert pagecut.segment(HTML, "tag-gap").texts == ["Grün oder schwarz."]
    assert len(pagecut.image_contexts(HTML.encode())) == 1


def test_image_contexts_are_a_table() -> None:
    contexts = pagecut.image_contexts(HTML)
    (row,) = contexts.to_dicts()
    assert row["src"] == "a.jpg"
    assert contexts.to_arrow().num_rows == 1
    assert pagecut.image_contexts("<p>None").to_dicts() == []


def test_a_pdf_is_no_page_of_html(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"%PDF-1.7 ...")
    for source, name in (path, "a.pdf"), (path.read_bytes(), "the source"):
        with pytest.raises(PageError, match=f"{name}: a PDF, which has a page for each sheet"):
            pagecut.read(source)


def test_what_is_said_of_a_pdf_works_when_it_is_done() -> None:
    pytest.importorskip("pypdfium2")
    path = Path(__file__).parents[2] / "examples/pdf/paper.pdf"
    with pytest.raises(PageError) as error:
        pagecut.read(path)
    remedy = str(error.value).partition("with its bytes as data: ")[2]
    names: dict[str, Any] = {"data": path.read_bytes()}
    exec(remedy, names)
    assert all(isinstance(page, pagecut.Page) for page in names["pages"])
    assert names["pages"]


@pytest.mark.parametrize("url", ["notaurl", "/a/b.html", "", "ftp://e.example/", "http://[x"])
def test_where_a_page_came_from_is_a_whole_address(url: str) -> None:
    with pytest.raises(ValueError, match=r"is no web address; give the whole of it, e\.g\. https:"):
        pagecut.read(HTML.encode(), url=url)

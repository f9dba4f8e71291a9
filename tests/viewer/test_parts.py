"""The parts of the viewer without a server: controls, page HTML, differences, opening pages."""

from __future__ import annotations

import gzip
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar, Literal, TypeVar

import numpy as np
import pytest
from hypothesis import given
from placed_boxes import B, sheet
from selectolax.lexbor import LexborHTMLParser
from strategies import any_html
from viewing import EXAMPLES

from pagecut.annotation.storage import AnnotationFolder
from pagecut.contexts import EXTRACTORS, extractor
from pagecut.errors import FormatError, PageError
from pagecut.page.nodes import ELEMENT
from pagecut.parsing.html import parse_html
from pagecut.rendering.browser import View
from pagecut.rendering.cache import SavingRenderer
from pagecut.rendering.png import read_png, write_png
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters import SEGMENTERS, segment, segmenter
from pagecut.spec import Configured, parse_spec
from pagecut.viewer.annotation_session import AnnotationSession
from pagecut.viewer.controls import controls, describe_controls
from pagecut.viewer.differences import compare
from pagecut.viewer.open_pages import ListedPage, OpenPage, OpenPages, list_pages
from pagecut.viewer.page_html import PageHtmlWriter, safe_style
from pagecut.viewer.responses import page_json, segment_json
from pagecut.viewer.results_cache import ResultsCache

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class Knobs(Configured):
    """A method with every kind of parameter.

    Args:
        share: of something,
            told in two lines.
        count: how many.
    """

    name: ClassVar[str] = "knobs"
    paper: ClassVar[str] = ""

    share: float = 0.25
    count: int = 7
    mode: Literal["a", "b"] = "a"
    on: bool = True
    text: str = "x"
    free: float = 2.5
    mixed: float | Literal["auto"] = 0.5

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1 or not 1 <= self.count <= 10:
            raise ValueError("no")


def test_controls_follow_from_the_fields() -> None:
    found = {each["name"]: each for each in controls(Knobs)}
    assert {name: each["kind"] for name, each in found.items()} == {
        "share": "slider",
        "count": "slider",
        "mode": "choice",
        "on": "switch",
        "text": "text",
        "free": "slider",
        "mixed": "slider",
    }
    assert (found["share"]["low"], found["share"]["high"]) == (0, 1)
    assert (found["count"]["low"], found["count"]["high"], found["count"]["step"]) == (1, 10, 1)
    assert found["free"]["high"] == 10
    assert found["mode"]["choices"] == ["a", "b"]
    assert found["mixed"]["words"] == ["auto"]
    assert found["share"]["note"] == "of something, told in two lines."


@pytest.mark.parametrize(("table", "make"), [(SEGMENTERS, segmenter), (EXTRACTORS, extractor)])
def test_every_position_of_every_slider_is_a_method(table: dict, make: object) -> None:  # type: ignore[type-arg]
    for name, method in table.items():
        for control in controls(method):
            if control["kind"] != "slider":
                continue
            low, high, step = (control[key] for key in ("low", "high", "step"))
            assert low <= control["value"] <= high
            for value in (low, control["value"], high):
                parse_spec(f"{name}({control['name']}={value})", table, "method")
            places = (control["value"] - low) / step
            assert places == pytest.approx(round(places), abs=1e-6)
    assert callable(make)


def test_the_controls_name_every_method() -> None:
    described = describe_controls()
    assert [each["name"] for each in described["segmenters"]] == list(SEGMENTERS)
    assert [each["name"] for each in described["extractors"]] == list(EXTRACTORS)


def frame(html: str, folder: Path | None = None) -> str:
    return PageHtmlWriter(parse_html(html), {}, folder).html(html)


def test_the_frame_shows_what_a_noscript_would_have_swallowed() -> None:
    assert "Two" in frame("<p>One</p><noscript><iframe src=a></noscript><p>Two</p>")


@given(any_html)
def test_the_frame_has_the_rows_of_the_page_and_nothing_that_acts(html: str) -> None:
    page = parse_html(html)
    written = PageHtmlWriter(page, {}, None).html(html)
    tree = LexborHTMLParser(written)
    for node in tree.css("*"):
        assert node.tag not in {"script", "iframe", "object", "embed", "link", "base", "template"}
        for name, value in node.attributes.items():
            assert not name.startswith("on")
            assert not re.match(r"\s*javascript:", value or "", re.IGNORECASE)
    rows = [
        int(node.attributes["data-row"] or "")
        for node in tree.css("[data-row]")
        if node.attributes["data-row"]
    ]
    assert len(rows) == len(set(rows))
    for row in rows:
        assert page.nodes.kind[row] in (ELEMENT, 2)


def test_the_frame_shows_web_components_and_leaves_frames_empty() -> None:
    html = (
        "<x-a><template shadowrootmode=open><h2>head</h2><script>x</script><slot></slot></template>"
        '<p onclick="x">light</p></x-a><iframe srcdoc="<p>away"></iframe>'
    )
    page = parse_html(html)
    tree = LexborHTMLParser(frame(html))
    rows = {
        node.attributes["data-row"]: (node.tag, node.text()) for node in tree.css("x-a [data-row]")
    }
    assert list(rows.values()) == [("h2", "head"), ("slot", "light"), ("p", "light")]
    for row, (tag, text) in rows.items():
        assert (page.node(int(row or "")).tag, page.node(int(row or "")).text) == (tag, text)
    assert "away" not in tree.html


@pytest.mark.parametrize(
    "style",
    [
        "a{background:url(http://x/y)}",
        "a{background:URL( 'http://x/y' )}",
        "a{background:u\\72l(http://x/y)}",
        "@import 'http://x/y';",
        "@import url(http://x/y)",
        "@im\\70ort 'http://x/y';",
        "a{background:image-set('http://x/y' 1x)}",
        "@font-face{font-family:x;src:url(http://x/y)}",
        "a{background:url(http://x/y",
        "a{content:'</style><script>1</script>'}",
        "a{background:ur<l(http://x/y)}",
        "a{background:ur\\<72l(http://x/y)}",
        "@im<port 'http://x/y';",
        "@im@font-face{}port 'http://x/y';",
        "@im@import;port 'http://x/y';",
        "a{background:u@import;rl(http://x/y)}",
    ],
)
def test_styles_lose_their_addresses(style: str) -> None:
    safe = safe_style(style)
    assert not re.search(r"(?:url|src|image-set)\s*\(|@import|<", safe, re.IGNORECASE)


def test_styles_keep_the_rest() -> None:
    assert safe_style("p > a{color:red;background:url(x) no-repeat}") == (
        "p > a{color:red;background:none no-repeat}"
    )


@pytest.mark.parametrize("part", ["@font-face{", "url(", "@import ", "/*", "\\"])
def test_long_unfinished_styles_are_made_safe(part: str) -> None:
    """Quadratic time would take hours here."""
    safe = safe_style(part * 100_000)
    assert not re.search(r"(?:url|src|image-set)\s*\(|@import|<", safe, re.IGNORECASE)


def test_style_sheets_come_from_the_folder_and_from_nowhere_else(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "own.css").write_text("p{color:green}")
    (tmp_path / "outside.css").write_text("p{color:blue}")
    html = "".join(
        f'<link rel=stylesheet href="{address}">'
        for address in ("own.css", "../outside.css", str(tmp_path / "outside.css"), "//x/y.css")
    )
    written = frame(html + "<p>text", folder)
    assert "green" in written
    assert "blue" not in written


def flat(labels: list[int]) -> Segmentation:
    """Six words in one line each, in segments by their labels; -1 for none."""
    page = parse_html("".join(f"<p>w{number}</p>" for number in range(6)))
    spans = np.array([[3 * at, 3 * at + 2] for at in range(6)], dtype=np.int32)
    kept = [at for at, label in enumerate(labels) if label >= 0]
    return Segmentation.from_spans(
        page, spans[kept], [labels[at] for at in kept], made_by=f"{labels}"
    )


@pytest.mark.parametrize(
    ("first", "second", "one", "other"),
    [
        ([0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 2, 2], ["same"] * 3, ["same"] * 3),
        ([0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 2, 2], ["cut", "same"], ["joined", "joined", "same"]),
        ([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2], ["other"] * 2, ["joined", "other", "joined"]),
        ([0, 0, 1, 1, -1, -1], [0, 0, 1, 1, 2, 2], ["same"] * 2, ["same", "same", "cut"]),
    ],
)
def test_what_became_of_each_segment(
    first: list[int], second: list[int], one: list[str], other: list[str]
) -> None:
    found = compare(flat(first), flat(second))
    assert (found["first"], found["second"]) == (one, other)
    assert [each["measure"] for each in found["agreement"]] == ["ari", "nmi", "bcubed-f"]


def test_a_segment_without_shown_text_has_no_status() -> None:
    page = parse_html("<p hidden>hidden</p><p>shown")
    result = segment(page, "tag-gap")
    assert compare(result, result)["first"] == [None, "same"]


def test_a_picture_of_pixels() -> None:
    pixels = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)
    assert np.array_equal(read_png(write_png(pixels))[..., :3], pixels)


def in_time(work: Callable[[], Value]) -> Value:
    """What a thread of its own makes of it, which must not wait for anything else."""
    made: list[Value] = []
    thread = threading.Thread(target=lambda: made.append(work()), daemon=True)
    thread.start()
    thread.join(10)
    assert made, "it waits for another page"
    return made[0]


@pytest.fixture
def slow_and_quick() -> Iterator[tuple[OpenPages, threading.Event]]:
    """Two pages, of which the first is being opened until the event is set."""
    begun, released = threading.Event(), threading.Event()
    quick = OpenPage(page=parse_html("<p>quick"))

    def open_slowly() -> OpenPage:
        begun.set()
        assert released.wait(30)
        return OpenPage(page=parse_html("<p>slow"))

    pages = OpenPages([ListedPage("slow", open_slowly), ListedPage("quick", lambda: quick)])
    thread = threading.Thread(target=pages.page, args=(0,))
    thread.start()
    assert begun.wait(10)
    yield pages, released
    released.set()
    thread.join()


def test_a_page_that_is_being_opened_holds_up_no_other(
    slow_and_quick: tuple[OpenPages, threading.Event], tmp_path: Path
) -> None:
    pages, released = slow_and_quick
    session = AnnotationSession(ResultsCache(pages), AnnotationFolder(tmp_path, "ada"))
    waiting = threading.Thread(target=session.describe, args=(0,), daemon=True)
    waiting.start()
    assert in_time(lambda: pages.page(1)).page.text == "quick"
    assert in_time(lambda: session.describe(1))["ids"] == []
    marked = in_time(lambda: session.change(1, {"do": "mark", "spans": [[0, 5]], "name": "q"}))
    assert marked["names"] == ["q"]
    assert in_time(session.overview) == [{"page": 1, "areas": 1, "checked": False}]
    released.set()
    waiting.join(10)
    assert pages.page(0).page.text == "slow"


def test_what_nobody_foresaw_is_the_failure_of_one_page() -> None:
    def fail() -> OpenPage:
        raise ZeroDivisionError("of all things")

    pages = OpenPages([ListedPage("bad", fail)])
    with pytest.raises(PageError, match="bad: failed by a fault of pagecut"):
        pages.page(0)


def test_a_method_that_fails_is_the_failure_of_one_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_self: object, _page: object) -> None:
        raise ZeroDivisionError("of all things")

    monkeypatch.setattr(SEGMENTERS["whole-page"], "segment", fail)
    monkeypatch.setattr(EXTRACTORS["full-text"], "extract", fail)
    page = OpenPage(page=parse_html("<p>text"))
    results = ResultsCache(OpenPages([ListedPage("bad", lambda: page)]))
    for make in results.segmentation, results.explanation:
        with pytest.raises(PageError, match=r"bad: failed by a fault.*of all things"):
            make(0, "whole-page")
    with pytest.raises(PageError, match=r"bad: failed by a fault.*of all things"):
        results.contexts(0, "full-text")


def test_a_page_is_opened_once_and_again_after_a_failure() -> None:
    answers = [PageError("not now"), OpenPage(page=parse_html("<p>page"))]
    asked: list[int] = []

    def open_next() -> OpenPage:
        asked.append(0)
        answer = answers[len(asked) - 1]
        if isinstance(answer, PageError):
            raise answer
        return answer

    pages = OpenPages([ListedPage("page", open_next)])
    with pytest.raises(PageError, match="not now"):
        pages.page(0)
    assert pages.page(0) is pages.page(0) is answers[1]
    assert len(asked) == 2


def test_an_annotation_can_start_from_itself(tmp_path: Path) -> None:
    page = OpenPage(page=parse_html("<p>some text"))
    results = ResultsCache(OpenPages([ListedPage("page", lambda: page)]))
    session = AnnotationSession(results, AnnotationFolder(tmp_path, "ada"))
    session.change(0, {"do": "mark", "spans": [[0, 4]]})
    again = in_time(lambda: session.change(0, {"do": "start", "spec": "annotation"}))
    assert len(again["ids"]) == 1


def test_opening_a_pdf_gives_a_page_for_each_sheet_with_its_picture(tmp_path: Path) -> None:
    fpdf = pytest.importorskip("fpdf")
    document = fpdf.FPDF()
    document.set_font("helvetica", size=24)
    for words in ("First sheet", "Second sheet"):
        document.add_page()
        document.cell(text=words)
    path = tmp_path / "two.pdf"
    document.output(str(path))
    items = list_pages([str(path)], None)
    assert [item.name for item in items] == [f"{path}, sheet 1", f"{path}, sheet 2"]
    opened = items[1].open()
    assert "Second sheet" in opened.page.text
    assert opened.picture is not None
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 rubbish")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pagecut.viewer.open_pages.read_source", lambda _: pytest.fail("is read"))
        matched = list_pages([str(tmp_path / "*.pdf")], None)
    names = [item.name for item in matched]
    assert names == [str(tmp_path / "broken.pdf"), *(item.name for item in items)]
    picture = read_png(opened.picture)
    assert picture.shape[:2] == pytest.approx((opened.page.size or (0, 0))[::-1], abs=1.5)
    assert picture.min() < 100


def test_pages_that_gzip_packed_have_their_titles_too(tmp_path: Path) -> None:
    for name, data in ("tea.html.gz", b"<title>Tea</title><p>Green."), ("bad.html.gz", b""):
        (tmp_path / name).write_bytes(gzip.compress(data))
    pages = OpenPages(list_pages([str(tmp_path)], None))
    assert pages.titles() == ["", "Tea"]
    assert pages.page(1).page.text == "Green."


def test_a_dataset_opens_with_its_truth_and_a_wrong_name_is_told(tmp_path: Path) -> None:
    items = list_pages([str(EXAMPLES)], None)
    opened = items[0].open()
    assert list(opened.truth) == ["truth(level=1)", "truth(level=2)"]
    assert opened.contexts
    with pytest.raises(PageError, match=r"nosuch\.html"):
        list_pages([str(tmp_path / "nosuch.html")], None)
    with pytest.raises(FormatError):
        list_pages([str(tmp_path)], None, as_datasets=True)
    with pytest.raises(PageError, match=r"no \.html, \.htm or \.xhtml file"):
        list_pages([str(tmp_path)], None)


def test_a_live_page_is_opened_with_its_files(browser: Path, tmp_path: Path) -> None:
    del browser  # skips where there is none
    (tmp_path / "index.html").write_text("<link rel=stylesheet href=a.css><p>Tea</p>")
    (tmp_path / "a.css").write_text("p { font-size: 40px }")

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/index.html"
    try:
        with SavingRenderer(
            View(screenshot=1.0), None, tabs=1, live=True, allow_private=True
        ) as renderer:
            (live,) = list_pages([address], renderer, live=True)
            opened = live.open()
            (closed,) = list_pages([address], renderer)
            bare = closed.open()
    finally:
        server.shutdown()
        server.server_close()
    assert opened.picture is not None
    assert (opened.missing, bare.missing) == (0, 1)
    sizes = [page.nodes.font_size.max() for page in (opened.page, bare.page)]  # type: ignore[union-attr]
    assert sizes == [40, 16]


@pytest.mark.parametrize(("width", "view"), [(250, "picture"), (30, "boxes")])
def test_a_picture_on_which_nothing_can_be_told_is_not_shown(width: int, view: str) -> None:
    """A very long page's is that small, since there is a limit to its height."""
    page = replace(sheet([B(0, 0, 900, 20)]), size=(1000.0, 90_000.0))
    picture = write_png(np.zeros((50, width, 3), dtype=np.uint8))
    assert page_json(OpenPage(page=page, picture=picture), 0, "a")["view"] == view


def test_what_is_cut_short_of_a_segment_is_told() -> None:
    words = "one two three " * 60
    page = parse_html(f"<h1>Tea</h1>{f'<p>{words}</p>' * 40}<h2>End</h2>")
    result = segment(page, "just-rules")
    short, long = segment_json(result, 0), segment_json(result, 1)
    assert (short["paths"], long["paths"]) == (1, 40)
    assert long["xpaths"] == [f"/html[1]/body[1]/p[{number}]" for number in range(1, 6)]
    assert long["text"].endswith("…")
    assert short["text"] == "Tea"

"""Rendered pages in the report: the picture once, every method's segments over it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from browsing import Browsing, running_browser
from laid_out import lay_out

from pagecut.page import Page
from pagecut.parsing.html import parse_html
from pagecut.rendering.png import write_png
from pagecut.report.html import ReportEntry, write_report
from pagecut.report.segments import LARGEST_PICTURE
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters import segment

HTML = (
    '<title>Drawn</title><h1 style="box: 40 10 200 40">Title</h1>'
    '<p style="box: 40 50 300 90">First words</p><p style="box: 2 100 300 140">Second words</p>'
)
METHODS = ("tag-gap", "whole-page")


def written(tmp_path: Path, page: Page, picture: bytes | None) -> str:
    path = tmp_path / "report.html"
    entry = ReportEntry(
        page=page,
        name="drawn",
        segmentations=[segment(page, method) for method in METHODS],
        picture=picture,
    )
    write_report(path, [entry])
    return path.read_text(encoding="utf-8")


def grey(width: int = 320, height: int = 160) -> bytes:
    return write_png(np.full((height, width, 3), 90, dtype=np.uint8))


def test_the_picture_is_there_once_and_used_by_every_method(tmp_path: Path) -> None:
    html = written(tmp_path, lay_out(HTML), grey())
    assert html.count("data:image/png;base64,") == 1
    assert html.count('<use href="#p1-picture"/>') == len(METHODS)


def test_every_segment_leads_to_its_text(tmp_path: Path) -> None:
    html = written(tmp_path, lay_out(HTML), grey())
    links = re.findall(r'<a href="#(p1-m\d+-s\d+)" tabindex="-1"', html)
    assert links == ["p1-m1-s0", "p1-m1-s1", "p1-m1-s2", "p1-m2-s0"]
    for link in links:
        assert f'id="{link}"' in html


def test_what_lies_around_segments_leads_nowhere_where_it_has_no_text(tmp_path: Path) -> None:
    page = lay_out(HTML)
    flat = segment(page, "tag-gap")
    nested = Segmentation(
        page=page,
        spans=flat.spans,
        labels=flat.labels + 1,
        parent=np.array([-1] + [0] * len(flat), dtype=np.int32),
        made_by="nested",
    )
    path = tmp_path / "report.html"
    write_report(path, [ReportEntry(page=page, name="drawn", segmentations=[nested])])
    html = path.read_text(encoding="utf-8")
    assert len(re.findall(r'<g class="c\d outer"><path', html)) == 1
    links = re.findall(r'<a href="#(p1-m1-s\d+)" tabindex="-1"', html)
    assert len(links) == len(flat)
    for link in links:
        assert f'id="{link}"' in html


def test_boxes_without_a_picture_are_drawn_alone(tmp_path: Path) -> None:
    for picture in (None, b"x" * (LARGEST_PICTURE + 1)):
        html = written(tmp_path, lay_out(HTML), picture)
        assert '<details class="shot"' in html
        assert "-picture" not in html.partition("<body>")[2].replace("picture-store", "")


def test_a_page_that_was_not_rendered_has_no_picture(tmp_path: Path) -> None:
    assert '<details class="shot"' not in written(tmp_path, parse_html("<p>text"), None)


def test_a_browser_shows_it_under_the_report_s_own_policy(tmp_path: Path, browser: Path) -> None:
    del browser
    written(tmp_path, lay_out(HTML), grey())
    with running_browser() as running:
        tab = Browsing(running)
        tab.call("Page.navigate", url=(tmp_path / "report.html").as_uri())
        tab.wait("document.querySelector('.shot use')")
        left, top, width, height = tab.evaluate(
            "(() => { const r = document.querySelector('.shot svg').getBoundingClientRect();"
            " return [r.left, r.top, r.width, r.height]; })()"
        )
        shot = tab.call(
            "Page.captureScreenshot",
            format="png",
            clip={"x": left, "y": top, "width": width, "height": height, "scale": 1},
            captureBeyondViewport=True,
        )
        import base64

        from pagecut.rendering.png import read_png

        pixels = read_png(base64.b64decode(shot["data"]))
        assert pixels[5, -5, :3].tolist() == [90, 90, 90]  # where no segment lies
        x, y = tab.middle(".shot a path")
        tab.click_at(x, y)
        tab.wait("location.hash === '#p1-m1-s0'")


def test_an_endless_title_leaves_room_for_the_numbers(tmp_path: Path, browser: Path) -> None:
    del browser
    page = parse_html(f"<title>{'Tea' * 200}</title><p>Milk")
    path = tmp_path / "report.html"
    write_report(path, [ReportEntry(page=page, name="a", segmentations=[segment(page, "tag-gap")])])
    with running_browser() as running:
        tab = Browsing(running)
        tab.call("Page.navigate", url=path.as_uri())
        tab.wait("document.querySelector('#summary table')")
        scroll = "document.querySelector('#summary .scroll')"
        assert tab.evaluate(f"{scroll}.scrollWidth <= {scroll}.clientWidth")

"""Snapshot files, the cache of renders, pictures and colours, without a browser."""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from peak_memory import peak_memory

from pagecut import parse_html
from pagecut.errors import FormatError
from pagecut.page import Page
from pagecut.page.nodes import LineBoxes
from pagecut.pictures.segments import draw_rendered
from pagecut.rendering.browser import View
from pagecut.rendering.cache import RenderCache, default_folder
from pagecut.rendering.colours import average_colours, over, parse_colour
from pagecut.rendering.columns import replace_columns
from pagecut.rendering.page_source import file_source, html_source
from pagecut.rendering.png import read_png
from pagecut.rendering.snapshot_file import (
    SavedPage,
    pack_snapshot,
    read_snapshot,
    write_snapshot,
)

HTML = "<title>t</title><p>one two</p><img src=a.png><p hidden>gone</p>"


def rendered_page(html: str | bytes = HTML, seed: int = 0) -> Page:
    """A page with columns of numbers that mean nothing."""
    page = parse_html(html, "http://a.test/", "utf-8" if isinstance(html, bytes) else None)
    random = np.random.default_rng(seed)
    count = len(page)
    rows = np.flatnonzero(page.nodes.kind == 1)
    columns: dict[str, Any] = {
        "box": random.random((count, 4), dtype=np.float32) * 100,
        "visible": random.random(count) < 0.5,
        "font_size": random.random(count, dtype=np.float32),
        "font_weight": random.random(count, dtype=np.float32),
        "color": random.integers(0, 256, (count, 4), dtype=np.uint8),
        "background": random.integers(0, 256, (count, 4), dtype=np.uint8),
        "border": random.random((count, 4), dtype=np.float32),
    }
    lines = LineBoxes(
        node=rows.astype(np.int32),
        start=page.nodes.start[rows],
        end=page.nodes.end[rows],
        box=random.random((len(rows), 4), dtype=np.float32),
    )
    return replace(
        page,
        kind="rendered",
        nodes=replace_columns(page.nodes, **columns),
        line_boxes=lines,
        size=(1280.0, 33.5),
    )


def saved(html: str | bytes = HTML, **values: Any) -> SavedPage:
    return SavedPage(page=rendered_page(html), html=html, view=View(), **values)


def png(pixels: np.ndarray[Any, np.dtype[np.uint8]], filters: list[int]) -> bytes:
    """A PNG by the book, each row with its own filter."""
    height, width, channels = pixels.shape
    flat = pixels.reshape(height, -1).astype(int)
    rows = []
    for at, kind in enumerate(filters):
        above = flat[at - 1] if at else np.zeros_like(flat[0])
        row = []
        for x, value in enumerate(flat[at]):
            left = flat[at][x - channels] if x >= channels else 0
            corner = above[x - channels] if x >= channels else 0
            up = above[x]
            estimate = left + up - corner
            by_distance = [abs(estimate - left), abs(estimate - up), abs(estimate - corner)]
            paeth = (left, up, corner)[by_distance.index(min(by_distance))]
            row.append((value - (0, left, up, (left + up) // 2, paeth)[kind]) % 256)
        rows.append(bytes([kind, *row]))

    def chunk(name: bytes, data: bytes) -> bytes:
        check = zlib.crc32(name + data)
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", check)

    header = struct.pack(">IIBBBBB", width, height, 8, {3: 2, 4: 6}[channels], 0, 0, 0)
    packed = zlib.compress(b"".join(rows))
    half = len(packed) // 2
    return b"".join(
        [
            b"\x89PNG\r\n\x1a\n",
            chunk(b"IHDR", header),
            chunk(b"IDAT", packed[:half]),
            chunk(b"IDAT", packed[half:]),
            chunk(b"IEND", b""),
        ]
    )


PICTURE = png(np.arange(60, dtype=np.uint8).reshape(4, 5, 3), [0, 1, 2, 4])


def same_page(first: Page, second: Page) -> None:
    for name in ("box", "visible", "font_size", "font_weight", "color", "background", "border"):
        one, other = getattr(first.nodes, name), getattr(second.nodes, name)
        assert one.dtype == other.dtype, name
        assert np.array_equal(one, other), name
        assert not other.flags.writeable, name
    assert first.line_boxes is not None
    assert second.line_boxes is not None
    for name in ("node", "start", "end", "box"):
        assert np.array_equal(getattr(first.line_boxes, name), getattr(second.line_boxes, name))
    assert (first.id, first.text, first.url, first.title, first.kind, first.size) == (
        (second.id, second.text, second.url, second.title, second.kind, second.size)
    )
    assert first.images == second.images
    assert dict(first.attrs) == dict(second.attrs)


@pytest.mark.parametrize("html", [HTML, HTML.encode(), "", "<p>ä 😀</p>".encode()])
def test_a_snapshot_file_gives_back_what_was_written(tmp_path: Path, html: str | bytes) -> None:
    given = saved(
        html,
        address="http://page.invalid/",
        browser="B 1",
        screenshot=PICTURE,
        scale=0.25,
        loaded=("http://page.invalid/a.css",),
        missing=("http://page.invalid/b.png",),
        resources={"http://page.invalid/a.css": "00"},
    )
    path = tmp_path / "p.snap"
    write_snapshot(given, path)
    back = read_snapshot(path)
    same_page(given.page, back.page)
    for name in ("html", "view", "address", "browser", "screenshot", "scale", "loaded", "missing"):
        assert getattr(back, name) == getattr(given, name), name
    assert back.resources == given.resources
    assert pack_snapshot(back) == path.read_bytes()


def test_half_a_character_does_not_keep_a_page_from_being_kept(tmp_path: Path) -> None:
    given = saved("<p>a\ud800b</p>", address="http://\udfff/")
    write_snapshot(given, tmp_path / "p.snap")
    same_page(given.page, read_snapshot(tmp_path / "p.snap").page)


def test_a_page_that_was_not_rendered_is_not_kept(tmp_path: Path) -> None:
    plain = SavedPage(page=parse_html(HTML), html=HTML, view=View())
    with pytest.raises(FormatError, match="not rendered"):
        write_snapshot(plain, tmp_path / "p.snap")


def rewritten(tmp_path: Path, changes: dict[str, bytes | None]) -> Path:
    """A snapshot file with members replaced or left out."""
    path = tmp_path / "hostile.snap"
    with zipfile.ZipFile(io.BytesIO(pack_snapshot(saved(screenshot=PICTURE)))) as whole:
        members = {name: whole.read(name) for name in whole.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {**members, **changes}.items():
            if data is not None:
                archive.writestr(name, data)
    return path


def npy(array: np.ndarray[Any, Any]) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=True)
    return buffer.getvalue()


def about(**changes: object) -> bytes:
    with zipfile.ZipFile(io.BytesIO(pack_snapshot(saved()))) as whole:
        return json.dumps({**json.loads(whole.read("page.json")), **changes}).encode()


ROWS = len(parse_html(HTML))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"page.json": None}, "not a readable snapshot"),
        ({"page.json": b"[]"}, "format is None"),
        ({"page.json": b"{"}, "not a readable snapshot"),
        ({"page.json": b"[" * 100_000}, "not a readable snapshot"),
        ({"page.json": about(format="pagecut-snapshot/2")}, "reads pagecut-snapshot/1"),
        ({"page.json": about(size=[1, float("nan")])}, "size"),
        ({"page.json": about(view={"width": -1})}, "width"),
        ({"page.json": about(lines=10**9)}, "line_node.npy has the shape"),
        ({"page.json": about(loaded=5)}, "not a readable snapshot"),
        ({"source.html": b"<p>other"}, "render it again"),
        ({"source.html": None}, "not a readable snapshot"),
        ({"box.npy": None}, "not a readable snapshot"),
        ({"box.npy": b"\x93NUMPY\x01\x00\xff\xff{"}, "not a readable snapshot"),
        ({"box.npy": npy(np.array([{"a": 1}] * ROWS, dtype=object))}, "box.npy has the shape"),
        ({"box.npy": npy(np.zeros((ROWS, 4)))}, "type float64"),
        ({"box.npy": npy(np.zeros((ROWS + 1, 4), dtype=np.float32))}, "box.npy has the shape"),
        ({"box.npy": npy(np.full((ROWS, 4), np.nan, dtype=np.float32))}, "not numbers"),
        ({"box.npy": npy(np.zeros((ROWS, 4), dtype=np.float32))[:-1]}, "cut off"),
        ({"visible.npy": npy(np.full(ROWS, 7, np.uint8).view(bool))}, "true and false"),
        ({"line_node.npy": npy(np.array([99, 0], dtype=np.int32))}, "does not have"),
        ({"line_start.npy": npy(np.array([-5, 0], dtype=np.int32))}, "outside"),
        ({"screenshot.png": b"GIF89a"}, "not a PNG"),
    ],
)
def test_a_damaged_or_hostile_file_is_a_format_error(
    tmp_path: Path, changes: dict[str, bytes | None], message: str
) -> None:
    path = rewritten(tmp_path, changes)
    with pytest.raises(FormatError, match=message) as caught:
        read_snapshot(path)
    assert str(path) in str(caught.value)


def test_files_that_are_no_archives_are_format_errors(tmp_path: Path) -> None:
    whole = pack_snapshot(saved())
    for data in (b"", b"PK", b"<html>", whole[:-30], whole[40:]):
        path = tmp_path / "x.snap"
        path.write_bytes(data)
        with pytest.raises(FormatError, match=r"x\.snap"):
            read_snapshot(path)
    with pytest.raises(FormatError, match="none"):
        read_snapshot(tmp_path / "none.snap")


@given(st.data())
def test_any_changed_byte_is_noticed_or_harmless(data: st.DataObject) -> None:
    whole = bytearray(pack_snapshot(saved()))
    at = data.draw(st.integers(0, len(whole) - 1))
    whole[at] ^= data.draw(st.integers(1, 255))
    try:
        found = read_snapshot(io.BytesIO(bytes(whole)))  # type: ignore[arg-type]
    except FormatError:
        return
    assert found.page.text == saved().page.text
    assert np.array_equal(found.page.nodes.box, saved().page.nodes.box)


def test_a_member_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    path = rewritten(tmp_path, {"source.html": b" " * (33 * 2**20)})
    with pytest.raises(FormatError, match="more than the limit"):
        read_snapshot(path)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@pytest.mark.parametrize("stated", [100, 200 * 2**20])
def test_a_bomb_in_another_method_is_refused_unopened(
    tmp_path: Path, method: int, stated: int
) -> None:
    path = tmp_path / "bomb.snap"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("page.json", b" " * (50 * 2**20))
        archive.getinfo("page.json").file_size = stated
    with peak_memory() as peak, pytest.raises(FormatError, match=r"bomb\.snap.*page\.json"):
        read_snapshot(path)
    assert peak() < 5 * 2**20


@pytest.mark.parametrize("member", ["page.json", "source.html", "box.npy", "line_node.npy"])
def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path, member: str) -> None:
    path = rewritten(tmp_path, {member: b" " * (40 * 2**20)})
    limit = f"{member} has more than the limit of [0-9,]+ bytes"
    with peak_memory() as peak, pytest.raises(FormatError, match=limit):
        read_snapshot(path)
    assert peak() < 5 * 2**20


def test_a_render_is_kept_until_something_changes(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text("p{}")
    (tmp_path / "p.html").write_text(HTML)
    source = file_source(tmp_path / "p.html", url="http://a.test/")
    cache = RenderCache(tmp_path / "cache")
    css, lacking = "http://page.invalid/a.css", "http://page.invalid/b.png"
    kept = saved(HTML.encode(), browser="B 1", loaded=(css,), missing=(lacking,))
    assert cache.get(source, View(), "B 1") is None
    path = cache.put(source, kept)
    assert path == cache.place(source, View(), "B 1")
    found = cache.get(source, View(), "B 1")
    assert found is not None
    same_page(kept.page, found.page)
    assert cache.get(source, View(width=390), "B 1") is None
    assert cache.get(source, View(), "B 2") is None
    assert cache.get(replace(source, html=b"<p>other"), View(), "B 1") is None
    (tmp_path / "a.css").write_text("p{color:red}")
    assert cache.get(source, View(), "B 1") is None
    (tmp_path / "a.css").write_text("p{}")
    assert cache.get(source, View(), "B 1") is not None
    (tmp_path / "b.png").write_bytes(b"x")
    assert cache.get(source, View(), "B 1") is None
    (tmp_path / "b.png").unlink()
    path.write_bytes(b"damaged")
    assert cache.get(source, View(), "B 1") is None
    assert list(path.parent.iterdir()) == [path]


def test_a_cache_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FormatError, match="PAGECUT_CACHE"):
        RenderCache(tmp_path / "file" / "cache").put(html_source(HTML), saved())


def test_the_cache_lies_where_the_user_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGECUT_CACHE", "/somewhere")
    assert default_folder() == Path("/somewhere")
    monkeypatch.delenv("PAGECUT_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert default_folder() in (
        Path("/caches/pagecut/renders"),
        Path.home() / "Library" / "Caches" / "pagecut" / "renders",
    )


@given(
    st.integers(1, 6).flatmap(
        lambda height: st.tuples(
            st.lists(st.integers(0, 4), min_size=height, max_size=height),
            st.integers(1, 5),
            st.sampled_from([3, 4]),
            st.integers(0, 2**32 - 1),
        )
    )
)
def test_pictures_are_read_whatever_their_filters(
    case: tuple[list[int], int, int, int],
) -> None:
    filters, width, channels, seed = case
    random = np.random.default_rng(seed)
    pixels = random.integers(0, 256, (len(filters), width, channels), dtype=np.uint8)
    assert np.array_equal(read_png(png(pixels, filters)), pixels[:, :, :3])


@pytest.mark.parametrize(
    "data", [b"", PICTURE[:40], PICTURE[:-40], PICTURE.replace(b"IDAT", b"XDAT")]
)
def test_broken_pictures_are_format_errors(data: bytes) -> None:
    with pytest.raises(FormatError):
        read_png(data)


def test_the_average_colour_is_the_same_alone_and_among_many() -> None:
    random = np.random.default_rng(1)
    picture = random.integers(0, 256, (40, 60, 3), dtype=np.uint8)
    corners = random.integers(-5, 70, (500, 2, 2)) * 4.0
    boxes = np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1)
    many = average_colours(picture, boxes, 0.25)
    for box, colour in zip(boxes, many, strict=True):
        left, top, right, bottom = np.clip(np.rint(box / 4).astype(int), 0, [60, 40, 60, 40])
        part = picture[top:bottom, left:right]
        if part.size:
            assert colour[3] == 255
            assert np.abs(colour[:3] - part.mean(axis=(0, 1))).max() <= 0.51
        else:
            assert colour.tolist() == [0, 0, 0, 0]
        alone = average_colours(picture, box[None], 0.25)[0]
        assert np.abs(alone.astype(int) - colour).max() <= 1


# Computed by hand from CSS Color 4's sample conversions, or the colour's own name.
@pytest.mark.parametrize(
    ("text", "colour"),
    [
        ("rgb(1, 2, 3)", (1, 2, 3, 1)),
        ("rgba(1, 2, 3, 0.5)", (1, 2, 3, 0.5)),
        ("color(srgb 1 0.5 0 / 0.25)", (255, 127.5, 0, 0.25)),
        ("color(srgb-linear 0.2158605 0 1)", (128, 0, 255, 1)),
        ("oklch(0.627955 0.257683 29.2339)", (255, 0, 0, 1)),
        ("oklab(0.86644 -0.233887 0.179498)", (0, 255, 0, 1)),
        ("lab(29.5683 68.2874 -112.029)", (0, 0, 255, 1)),
        ("lch(100 0 none / 0.5)", (255, 255, 255, 0.5)),
        ("currentcolor", (0, 0, 0, 0)),
        ("rgb(1, 2)", (0, 0, 0, 0)),
        ("rgb(1e999, nan, 3)", (0, 0, 3, 1)),
    ],
)
def test_colours_are_read(text: str, colour: tuple[float, ...]) -> None:
    assert parse_colour(text) == pytest.approx(colour, abs=1.5)


def test_one_colour_over_another() -> None:
    assert over((255, 0, 0, 0.5), (0, 0, 255, 1.0)) == pytest.approx((127.5, 0, 127.5, 1))
    assert over((9, 9, 9, 0.0), (1, 2, 3, 1.0)) == pytest.approx((1, 2, 3, 1))
    assert over((255, 255, 255, 0.5), (0, 0, 0, 0.5)) == pytest.approx((170, 170, 170, 0.75))
    assert over((9, 9, 9, 0.0), (9, 9, 9, 0.0)) == (0, 0, 0, 0)


def test_an_overlay_shows_each_visible_line_and_image() -> None:
    given = saved(screenshot=PICTURE, scale=1.0)
    nodes = replace_columns(given.page.nodes, visible=np.ones(len(given.page), dtype=bool))
    svg = draw_rendered(replace(given, page=replace(given.page, nodes=nodes)))
    assert svg.count("<rect") == 2 + 1
    assert "<title>one two</title>" in svg
    assert 'href="data:image/png;base64,' in svg
    with pytest.raises(FormatError, match="no screenshot"):
        draw_rendered(saved())

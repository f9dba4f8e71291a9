"""Frames and web components in the real browser: their text, boxes and segments."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from html import escape
from pathlib import Path

import numpy as np
import pytest
from canaries import MARKUP, SECRET, canaries
from composed_oracle import browser_tree
from how_long import random_inputs
from hypothesis import given, settings
from hypothesis import strategies as st
from small_dataset import write_dataset

from pagecut import Page, parse_html
from pagecut.evaluation.datasets.rendered import render_dataset
from pagecut.page.xpath import node_paths
from pagecut.parsing.limits import Limits
from pagecut.rendering.browser import Chromium, Tab, View, prepare
from pagecut.rendering.cache import RenderCache, SavingRenderer
from pagecut.rendering.capture import capture
from pagecut.rendering.columns import page_from_capture, parse_capture
from pagecut.rendering.page_source import PageSource, Resource, file_source, html_source
from pagecut.rendering.png import write_png
from pagecut.rendering.renderer import Renderer
from pagecut.rendering.snapshot_file import read_snapshot, write_snapshot
from pagecut.results.json_files import read_segmentation, write_segmentation
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters.vips import Vips

STYLE = "<style>body { margin: 10px; font: 16px/20px 'DejaVu Sans Mono', monospace }</style>"
SRCDOC = (
    f"<!doctype html>{STYLE}<h1>page</h1>"
    '<iframe style="border: 3px solid; padding: 5px 7px; margin: 11px" srcdoc="'
    + escape(f"{STYLE}<h2>frame</h2><p>its <b>own</b> text</p><img width=30 height=20>")
    + '"></iframe><p>after</p>'
)
BESIDE = f"""<!doctype html>{STYLE}<p>page</p>
<iframe src="inner/frame.html" width="400" height="120"></iframe>
<iframe src="inner/frame.html#low" width="400" height="100" style="border: 0"></iframe>
<p>after</p>"""
FRAME = f"""<!doctype html><meta charset="utf-8">{STYLE}<h2>Höhe</h2><p>near the top</p>
<img src="dot.svg" width="20" height="20"><p style="margin-top: 500px" id="low">far below</p>
<div style="height: 600px">end</div>"""
DOT = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="20" height="20" fill="red"/></svg>'
CARD = f"""<!doctype html>{STYLE}<h1>page</h1>
<x-card><template shadowrootmode="open"><style>
:host {{ display: block; padding: 9px; border: 2px solid }} p {{ color: rgb(200, 0, 0) }}</style>
<h3><slot name="title">no title</slot></h3><p>shadow text</p><slot></slot></template>
<span slot="title">title</span><p>light text</p><b slot="none">not shown</b></x-card>
<x-bare style="display: contents"><template shadowrootmode="open"><div>bare</div></template>
</x-bare><p>after</p>"""
MADE = f"""<!doctype html>{STYLE}<p>page</p><x-made>light</x-made><div id="shut"></div>
<iframe id="written"></iframe><script>
customElements.define("x-made", class extends HTMLElement {{
  connectedCallback() {{
    this.attachShadow({{mode: "open"}}).innerHTML = "<h2>made</h2><slot></slot>";
  }}
}});
shut.attachShadow({{mode: "closed"}}).innerHTML = "<p>in a closed tree</p>";
written.contentDocument.body.innerHTML = "<p>written by a script</p>";
</script>"""


def saved(folder: Path, html: str = BESIDE) -> Path:
    """A page with a folder of frames beside it."""
    (folder / "inner").mkdir()
    (folder / "inner" / "frame.html").write_text(FRAME, encoding="utf-8")
    (folder / "inner" / "dot.svg").write_text(DOT, encoding="utf-8")
    page = folder / "page.html"
    page.write_text(html, encoding="utf-8")
    return page


@pytest.fixture(scope="module", params=[False, True], ids=["scripts-off", "scripts-on"])
def tab_and_view(request: pytest.FixtureRequest, browser: Path) -> Iterator[tuple[Tab, View]]:
    view = View(screenshot=0, scripts=request.param)
    chromium = Chromium(browser, scripts=request.param)
    try:
        yield chromium.new_tab(), view
    finally:
        chromium.close()


@pytest.fixture(scope="module")
def renderer(browser: Path) -> Iterator[Renderer]:
    with Renderer(View(screenshot=1), program=browser) as running:
        yield running


@pytest.fixture(scope="module")
def scripted(browser: Path) -> Iterator[Renderer]:
    with Renderer(View(scripts=True), program=browser) as running:
        yield running


def shown_in(tab: Tab, source: PageSource, view: View) -> Page:
    prepare(tab, view, time.monotonic() + 30)
    taken, page = parse_capture(capture(tab, source, view, 30))
    return page_from_capture(taken, page)


def check_against_browser(tab: Tab, page: Page) -> int:
    """Every row is a node of the browser's own composed tree, in its order, at its place."""
    seen = browser_tree(tab)
    assert node_paths(page) == [node.path for node in seen]
    boxes = page.nodes.box
    assert boxes is not None
    compared = 0
    for row, node in enumerate(seen):
        if node.text is not None:
            assert page.node(row).text == " ".join(node.text.split())
        elif node.box is not None:
            assert np.abs(boxes[row] - node.box).max() <= 1, (node.path, boxes[row], node.box)
            compared += 1
    return compared


def visible_text(page: Page) -> list[str]:
    assert page.nodes.visible is not None
    return [n.text for n in page if n.kind == "text" and page.nodes.visible[n.row]]


def test_a_frame_in_the_source_has_its_rows_and_boxes(tab_and_view: tuple[Tab, View]) -> None:
    tab, view = tab_and_view
    page = shown_in(tab, html_source(SRCDOC), view)
    assert check_against_browser(tab, page) >= 9
    assert visible_text(page) == ["page", "frame", "its", "own", "text", "after"]


def test_a_frame_beside_the_page_is_part_of_it(
    tab_and_view: tuple[Tab, View], tmp_path: Path
) -> None:
    tab, view = tab_and_view
    page = shown_in(tab, file_source(saved(tmp_path)), view)
    assert check_against_browser(tab, page) >= 16
    # The first frame shows its top, the second, scrolled to a place in its document, that place.
    assert visible_text(page) == ["page", "Höhe", "near the top", "far below", "end", "after"]
    assert [image.src for image in page.images] == ["inner/dot.svg", "inner/dot.svg"]
    assert page.nodes.box is not None
    frames = [node for node in page if node.tag == "iframe"]
    for frame in frames:
        assert frame.box is not None
        inside = page.nodes.box[frame.row + 1 : page.nodes.subtree_end[frame.row]]
        laid_out = inside[(inside != 0).any(axis=1)]
        assert (laid_out[:, :2] >= frame.box[:2]).all()
        assert (laid_out[:, 2:] <= frame.box[2:]).all()


MIRRORED = (
    "<p>On the page</p><iframe src=../../ads.example.net/a/frame.html></iframe>"
    "<iframe src=inner/own.html></iframe><iframe src=http://ads.example.net/a/frame.html></iframe>"
)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (
            "https://www.example.com/news/page.html",
            [
                "https://ads.example.net/a/banner.png",
                "https://www.example.com/news/inner/banner.png",
                "http://ads.example.net/a/banner.png",
            ],
        ),
        (
            None,
            [
                "//ads.example.net/a/banner.png",
                "inner/banner.png",
                "http://ads.example.net/a/banner.png",
            ],
        ),
    ],
)
def test_images_in_frames_of_a_mirror_have_the_addresses_of_their_hosts(
    renderer: Renderer, tmp_path: Path, url: str | None, expected: list[str]
) -> None:
    page = tmp_path / "www.example.com" / "news" / "page.html"
    for file in (
        tmp_path / "ads.example.net" / "a" / "frame.html",
        tmp_path / "www.example.com" / "news" / "inner" / "own.html",
    ):
        file.parent.mkdir(parents=True)
        file.write_text("<p>In a frame</p><img src=banner.png>", encoding="utf-8")
    page.write_text(MIRRORED, encoding="utf-8")
    found = renderer.render(file_source(page, url=url))
    assert visible_text(found) == ["On the page", "In a frame", "In a frame", "In a frame"]
    assert [image.src for image in found.images] == expected


def test_a_component_has_the_rows_of_its_flat_tree(tab_and_view: tuple[Tab, View]) -> None:
    tab, view = tab_and_view
    page = shown_in(tab, html_source(CARD), view)
    assert check_against_browser(tab, page) >= 8
    assert visible_text(page) == ["page", "title", "shadow text", "light text", "bare", "after"]
    red = next(node.row for node in page if node.text == "shadow text" and node.kind == "text")
    assert page.nodes.color is not None
    assert page.nodes.color[red].tolist() == [200, 0, 0, 255]
    bare = next(node for node in page if node.tag == "x-bare")
    assert bare.box == next(node for node in page if node.tag == "div").box


def test_what_scripts_make_is_there_where_they_may_run(
    scripted: Renderer, renderer: Renderer
) -> None:
    page = scripted.render(html_source(MADE))
    assert visible_text(page) == [
        "page",
        "made",
        "light",
        "in a closed tree",
        "written by a script",
    ]
    paths = [node.xpath for node in page if node.kind == "text"]
    assert paths[1] == "/html[1]/body[1]/x-made[1]/h2[1]/text()[1]"
    assert paths[3] == "/html[1]/body[1]/div[1]/p[1]/text()[1]"
    assert paths[4] == "/html[1]/body[1]/iframe[1]/html[1]/body[1]/p[1]/text()[1]"
    assert visible_text(renderer.render(html_source(MADE))) == ["page", "light"]


def test_frames_in_frames_are_empty_boxes(renderer: Renderer, tmp_path: Path) -> None:
    page = saved(tmp_path, '<p>page</p><iframe src="outer.html"></iframe>')
    (tmp_path / "outer.html").write_text(
        '<p>outer</p><iframe src="inner/frame.html"></iframe><iframe srcdoc="<p>in"></iframe>'
    )
    done = renderer.rendered(file_source(page))
    assert [node.text for node in done.page if node.kind == "text"] == ["page", "outer"]
    inner = [node for node in done.page if node.tag == "iframe"][1]
    assert inner.box is not None
    assert inner.box[2] > inner.box[0]
    assert done.capture.loaded == ("http://page.invalid/outer.html",)
    assert "http://page.invalid/inner/frame.html" in done.capture.missing


def test_a_page_that_frames_itself_ends(renderer: Renderer, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        '<p>self</p><iframe src="page.html"></iframe><iframe src="other.html"></iframe>'
    )
    (tmp_path / "other.html").write_text('<p>other</p><iframe src="page.html"></iframe>')
    texts = [node.text for node in renderer.render(page) if node.kind == "text"]
    assert texts == ["self", "self", "other"]


def test_frames_that_show_nothing_change_nothing(renderer: Renderer) -> None:
    html = (
        '<p>a</p><iframe src="gone.html"></iframe><iframe src="about:blank"></iframe><iframe>'
        '</iframe><iframe src="javascript:document.write(1)"></iframe><iframe src="file:///etc/passwd">'
        '</iframe><iframe src="http://127.0.0.1:1/"></iframe><iframe hidden src="data:,x"></iframe>'
    )
    done = renderer.rendered(html_source(html))
    assert done.capture.html == html
    assert [node.text for node in done.page if node.kind == "text"] == ["a"]
    assert len(done.page) == len(parse_html(html))


def test_a_frame_with_its_document_in_its_address(renderer: Renderer) -> None:
    page = renderer.render(html_source('<p>a</p><iframe src="data:text/html,<p>b</p>"></iframe>'))
    assert visible_text(page) == ["a", "b"]


def test_a_frame_may_show_an_image_or_plain_text(renderer: Renderer, tmp_path: Path) -> None:
    page = saved(
        tmp_path, '<iframe src="inner/dot.png"></iframe><iframe src="inner/note.txt"></iframe>'
    )
    (tmp_path / "inner" / "dot.png").write_bytes(write_png(np.full((40, 60, 3), 99, np.uint8)))
    (tmp_path / "inner" / "note.txt").write_text("a <b>plain</b> note")
    done = renderer.render(page)
    assert visible_text(done) == ["a <b>plain</b> note"]
    assert [image.src for image in done.images] == ["inner/dot.png"]
    box = done.node(done.images[0].node).box
    assert box is not None
    assert (box[2] - box[0], box[3] - box[1]) == (60, 40)


@pytest.mark.parametrize("style", ["visibility: hidden", "opacity: 0", "display: none"])
def test_what_hides_a_frame_hides_what_it_shows(renderer: Renderer, style: str) -> None:
    page = renderer.render(
        html_source(f'<p>a</p><iframe style="{style}" srcdoc="<p>b</p>"></iframe>')
    )
    assert visible_text(page) == ["a"]


def test_a_scaled_frame_is_where_it_is_seen(renderer: Renderer) -> None:
    inside = escape("<body style='margin: 0'><div style='width: 100px; height: 40px'>x</div>")
    page = renderer.render(
        html_source(
            '<body style="margin: 0"><iframe style="border: 0; transform: scale(0.5);'
            f' transform-origin: 0 0; margin: 20px" srcdoc="{inside}"></iframe>'
        )
    )
    box = next(node.box for node in page if node.tag == "div")
    assert box == (20, 20, 70, 40)


def test_a_frames_own_encoding_and_refresh(renderer: Renderer, tmp_path: Path) -> None:
    page = saved(tmp_path, '<iframe src="old.html"></iframe>')
    (tmp_path / "old.html").write_bytes(
        '<meta charset="iso-8859-1"><meta http-equiv="refresh" content="0;url=inner/frame.html">'
        "<p>déjà vu</p>".encode("latin-1")
    )
    for _ in range(3):
        assert visible_text(renderer.render(page)) == ["déjà vu"]


def test_text_that_only_looks_like_a_frame_is_left_alone(
    renderer: Renderer, tmp_path: Path
) -> None:
    page = saved(
        tmp_path,
        '<!-- <iframe src="a"> --><p title="<iframe src=b>">page</p><textarea><iframe></textarea>'
        '<script>"<iframe src=c>"</script><template><iframe src="d"></iframe></template>'
        '<IFRAME\nsrc="inner/frame.html"></IFRAME><p>after</p>',
    )
    done = renderer.rendered(file_source(page))
    assert visible_text(done.page) == ["page", "Höhe", "near the top", "after"]
    assert isinstance(done.capture.html, str)
    before, _, rest = done.capture.html.partition(' srcdoc="')
    assert before + rest.partition('"')[2] == page.read_text(encoding="utf-8")


def test_only_what_the_source_says_of_frames_counts_where_others_are_not_wanted(
    renderer: Renderer, tmp_path: Path
) -> None:
    html = BESIDE + '<iframe srcdoc="<p>in the source"></iframe>'
    source = replace(file_source(saved(tmp_path, html)), frames=False)
    done = renderer.rendered(source)
    assert done.capture.html == html.encode()
    assert visible_text(done.page) == ["page", "after", "in the source"]


def test_what_moves_in_a_frame_is_put_at_its_end(renderer: Renderer) -> None:
    inside = escape(
        "<style>@keyframes in { to { margin-left: 100px } } body { margin: 0 }"
        " p { animation: in 60s forwards }</style><p>moved</p>"
    )
    page = renderer.render(
        html_source(f'<body style="margin: 0"><iframe srcdoc="{inside}" frameborder=0></iframe>')
    )
    box = next(node.box for node in page if node.kind == "text")
    assert box is not None
    assert box[0] == 100


def test_a_frame_that_leaves_no_room_stays_closed(browser: Path, tmp_path: Path) -> None:
    page = saved(tmp_path, '<p>a</p><iframe src="big.html"></iframe>' + BESIDE)
    (tmp_path / "big.html").write_text("<p>big</p>" * 5000)
    with Renderer(program=browser, limits=Limits(size=20_000)) as small:
        assert visible_text(small.render(page))[:3] == ["a", "page", "Höhe"]
    with Renderer(program=browser, limits=Limits(nodes=60)) as small:
        assert visible_text(small.render(page)) == ["a", "page", "after"]


def test_vips_cuts_what_is_in_frames_and_components(renderer: Renderer, tmp_path: Path) -> None:
    page = renderer.render(saved(tmp_path, BESIDE + CARD.partition("</style>")[2]))
    found = Vips(pdoc=8).segment(page)
    texts = [segment.text for segment in found.leaf_segments]
    for words in "near the top", "far below", "shadow text", "light text", "title", "bare":
        assert any(words in text for text in texts), words
    rows = set(node_paths(page))
    for segment in found.segments:
        assert rows.issuperset(segment.xpaths)
    framed = next(each for each in found.leaf_segments if "near the top" in each.text)
    frame = next(node for node in page if node.tag == "iframe")
    assert framed.box is not None
    assert frame.box is not None
    assert framed.box[0] >= frame.box[0]
    assert framed.box[3] <= frame.box[3]


def test_a_snapshot_file_and_results_keep_frames_and_components(
    renderer: Renderer, tmp_path: Path
) -> None:
    with SavingRenderer(cache=RenderCache(tmp_path / "cache")) as saving:
        source = file_source(saved(tmp_path, BESIDE + CARD))
        first = saving.save(source)
        again = saving.save(source)
        plain = saving.save(replace(source, frames=False))
    write_snapshot(first, tmp_path / "page.snap")
    back = read_snapshot(tmp_path / "page.snap")
    for each in again, back:
        assert each.page.id == first.page.id
        assert each.page.text == first.page.text
        assert np.array_equal(each.page.nodes.box, first.page.nodes.box)
    assert len(plain.page) < len(first.page)
    assert read_same(Vips().segment(back.page), tmp_path / "result.json")
    # The source that is kept holds all there is, but for where frames were scrolled to.
    alone = renderer.rendered(html_source(first.html))
    assert alone.capture.html == first.html
    assert alone.page.text == first.page.text


def read_same(segmentation: Segmentation, path: Path) -> bool:
    """Whether a result is the same after it was written and read."""
    write_segmentation(segmentation, path)
    back = read_segmentation(path, segmentation.page)
    return [each.xpaths for each in back.segments] == [
        each.xpaths for each in segmentation.segments
    ]


def test_a_page_of_a_dataset_keeps_the_rows_that_people_marked(tmp_path: Path) -> None:
    saved(tmp_path)
    html = (
        '<div data-block="1" data-block-type="x"><p>marked</p></div>'
        '<iframe src="inner/frame.html"></iframe><iframe srcdoc="<p>in the source"></iframe>'
    )
    dataset = write_dataset(tmp_path, {"one": html})
    rendered = render_dataset(dataset, cache=RenderCache(tmp_path / "cache"))
    page, truth = rendered.pages[0].load()
    assert visible_text(page) == ["marked", "in the source"]
    assert len(page) == len(dataset.pages[0].load()[0])
    assert len(truth.units)


class HostileFrame:
    """One frame's document, and nothing else."""

    def __init__(self, html: str) -> None:
        self._html = html.encode()

    def find(self, url: str, wanted: str) -> Resource | None:
        if wanted == "Document" and url.endswith("/hostile.html"):
            return Resource(self._html, "text/html")
        return None


def test_nothing_escapes_from_a_frame(renderer: Renderer, tmp_path: Path) -> None:
    with canaries(tmp_path) as watched:
        names = [name for name in MARKUP if not name.startswith("meta-refresh")]
        hostile = watched.page(names)
        for html in (
            '<p>page</p><iframe src="hostile.html"></iframe>',
            f'<p>page</p><iframe srcdoc="{escape(hostile)}"></iframe>',
        ):
            done = renderer.rendered(html_source(html, resources=HostileFrame(hostile)))
            assert "page" in visible_text(done.page)
            assert SECRET not in done.page.text
            assert SECRET not in str(done.capture.html)
        time.sleep(0.5)
        assert watched.hits == []


words = st.sampled_from(["a", "b ", " c", "<i>d</i>", "<p>e</p>", "<b slot=one>f</b>", "<hr>"])
slots = st.sampled_from(["<slot></slot>", "<slot name=one>g</slot>", "<h4><slot>h</slot></h4>"])


def host(inside: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    content = st.lists(words | inside, max_size=4).map("".join)
    shadow = st.lists(words | slots | inside, max_size=4).map("".join)
    return st.builds(
        lambda tag, tree, light: (
            f"<{tag}><template shadowrootmode=open>{tree}</template>{light}</{tag}>"
        ),
        st.sampled_from(["div", "x-a", "section"]),
        shadow,
        content,
    )


def frame(html: str) -> str:
    return f'<iframe srcdoc="{escape(html)}"></iframe>'


components = st.recursive(words, host, max_leaves=8)
pages = st.lists(components | components.map(frame), max_size=4).map("".join)


@given(html=pages)
@settings(max_examples=random_inputs(60))
def test_any_tree_is_the_browsers(tab_and_view: tuple[Tab, View], html: str) -> None:
    tab, view = tab_and_view
    page = shown_in(tab, html_source(f"<!doctype html><body>{html}"), view)
    check_against_browser(tab, page)

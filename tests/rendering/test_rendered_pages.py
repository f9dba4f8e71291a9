"""Pages in the real browser: what is loaded, settled, and the same each time."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from html import escape
from pathlib import Path

import numpy as np
import pytest

import pagecut
from pagecut.errors import PageError, RenderError, TooLarge
from pagecut.page import Page
from pagecut.page.xpath import node_paths
from pagecut.parsing.limits import Limits
from pagecut.rendering import browser as browser_module
from pagecut.rendering.browser import View
from pagecut.rendering.page_source import PageSource, Resource, file_source, html_source
from pagecut.rendering.renderer import Renderer

DATA = Path("../shared/data/pages")
MONOSPACED = Path("/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf")


@pytest.fixture(scope="module")
def renderer(browser: Path) -> Iterator[Renderer]:
    with Renderer(program=browser, tabs=2) as running:
        yield running


@pytest.fixture(scope="module")
def scripted(browser: Path) -> Iterator[Renderer]:
    with Renderer(View(scripts=True), program=browser, tabs=2) as running:
        yield running


class Files:
    """Files by the last part of their URL."""

    def __init__(self, **files: tuple[str, bytes]) -> None:
        self._files = {name.replace("_", "."): given for name, given in files.items()}

    def find(self, url: str, wanted: str) -> Resource | None:  # noqa: ARG002
        kind, body = self._files.get(url.rpartition("/")[2], ("", None))
        return None if body is None else Resource(body, kind)


def box_of(page: Page, words: str) -> tuple[float, float, float, float]:
    """The box of the text leaf that starts with these words."""
    node = next(node for node in page if node.kind == "text" and node.text.startswith(words))
    assert node.box is not None
    return node.box


def test_a_page_with_its_style_sheet(renderer: Renderer) -> None:
    files = Files(s_css=("text/css", b"p{position:absolute;left:300px;top:200px;margin:0}"))
    page = renderer.render(
        PageSource(name="x", html='<link rel="stylesheet" href="s.css"><p>x', resources=files)
    )
    assert page.kind == "rendered"
    assert box_of(page, "x")[:2] == (300, 200)


def test_a_style_sheet_of_the_page_before_is_not_used(renderer: Renderer) -> None:
    html = '<link rel="stylesheet" href="s.css"><p>x'
    lefts = []
    for margin in (100, 200):
        files = Files(s_css=("text/css", f"p{{margin-left:{margin}px}}".encode()))
        lefts.append(box_of(renderer.render(PageSource(name="x", html=html, resources=files)), "x"))
    assert [left for left, *_ in lefts] == [108, 208]


def test_what_style_asks_for_late_is_awaited(renderer: Renderer) -> None:
    """A background image behind two imports is known only after layout."""
    files = Files(
        a_css=("text/css", b'@import "b.css";'),
        b_css=("text/css", b"p{background:url(late.gif)}"),
        late_gif=("image/gif", b""),
    )
    source = PageSource(name="x", html='<link rel=stylesheet href="a.css"><p>x', resources=files)
    loaded = renderer.rendered(source).capture.loaded
    assert [url.rpartition("/")[2] for url in loaded] == ["a.css", "b.css", "late.gif"]


@pytest.mark.skipif(not MONOSPACED.is_file(), reason="fonts-dejavu-core is not installed")
@pytest.mark.parametrize("display", ["block", "swap", "optional"])
def test_fonts_of_the_page_are_loaded(renderer: Renderer, display: str) -> None:
    html = (
        "<style>@font-face { font-family: own; src: url(own.ttf); font-display: DISPLAY }</style>"
        '<p><span style="font: 20px own">iiii</span><br><span style="font: 20px own">MMMM</span>'
    ).replace("DISPLAY", display)
    files = Files(own_ttf=("font/ttf", MONOSPACED.read_bytes()))
    page = renderer.render(PageSource(name="x", html=html, resources=files))
    thin, wide = box_of(page, "iiii"), box_of(page, "MMMM")
    assert thin[2] - thin[0] == wide[2] - wide[0]


@pytest.mark.parametrize("run", ["renderer", "scripted"])
def test_lazy_images_and_frames_are_loaded(run: str, request: pytest.FixtureRequest) -> None:
    html = (
        '<div style="height:30000px"></div><img loading="lazy" src="i.svg">'
        '<iframe loading="lazy" src="f.html"></iframe>'
    )
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="70" height="50"/>'
    files = Files(i_svg=("image/svg+xml", svg), f_html=("text/html", b"<p>in the frame"))
    page = request.getfixturevalue(run).rendered(PageSource(name="x", html=html, resources=files))
    assert len(page.capture.loaded) == 2
    left, top, right, bottom = page.page.node(page.page.images[0].node).box
    assert (right - left, bottom - top) == (70, 50)


@pytest.mark.parametrize("run", ["renderer", "scripted"])
def test_animations_have_come_to_their_end(run: str, request: pytest.FixtureRequest) -> None:
    html = """<style>
      @keyframes in { from { margin-left: 0; opacity: 0 } to { margin-left: 100px; opacity: 1 } }
      p { animation: in 60s 5s both } q { display: block; animation: in 1s infinite }
      i { display: block; transition: margin-left 60s; margin-left: 50px }
    </style><p>comes in</p><q>for ever</q><i>moves</i><x-a><template shadowrootmode="open"><style>
      @keyframes on { from { margin-left: 0 } to { margin-left: 70px } }
      p { animation: on 60s both }</style><p>inside, too</p></template></x-a>"""
    page = request.getfixturevalue(run).render(html_source(html))
    assert box_of(page, "comes in")[0] == 108
    assert box_of(page, "moves")[0] == 58
    assert box_of(page, "inside")[0] == 78


@pytest.mark.parametrize("run", ["renderer", "scripted"])
def test_what_is_laid_out_only_near_the_window_is_laid_out(
    run: str, request: pytest.FixtureRequest
) -> None:
    far = """<div style="height: 9000px">near</div><style>.a { content-visibility: auto }</style>
      <div class="a"><p>by a sheet of the page<p class="a">and in it</div>
      <div class="b" style="contain: inline-size"><p>by a file</div>
      <div style="content-visibility: auto"><p>by itself</div>
      <div style="content-visibility: hidden"><p>never</div>
      <x-a><template shadowrootmode="open"><p style="content-visibility: auto">in a part</p>
      </template></x-a><p>end</p>"""
    html = f'<!DOCTYPE html><body style="margin: 0"><link rel="stylesheet" href="s.css">{far}'
    files = Files(s_css=("text/css", b".b { content-visibility : auto }"))
    page = request.getfixturevalue(run).render(PageSource(name="x", html=html, resources=files))
    assert page.nodes.visible is not None
    texts = [node for node in page if node.kind == "text"]
    assert [node.text for node in texts if not page.nodes.visible[node.row]] == ["never"]
    # Contained as before: no margin leaves its box.
    tops = [box_of(page, text)[1] for text in ("by a sheet", "and in it", "by a file", "end")]
    assert tops[0] == 9016
    assert tops == sorted(tops)
    assert page.size == (1280, round(tops[-1] + 18 + 16))


def test_missing_images_keep_the_size_they_declare(renderer: Renderer) -> None:
    done = renderer.rendered(html_source('<img src="a.png" width="120" height="80"><p>x'))
    left, top, right, bottom = done.page.node(done.page.images[0].node).box or (0, 0, 0, 0)
    assert (right - left, bottom - top) == (120, 80)
    assert [url.rpartition("/")[2] for url in done.capture.missing] == ["a.png"]


MISSING = {
    "both": ('width="120" height="80"', (120, 80), True),
    "share and proportions": (
        'width="800" height="400" style="width:100%;height:auto"',
        (1000, 500),
        True,
    ),
    "by style": ('style="width:90px;height:30px"', (90, 30), True),
    "share only": ('style="width:100%"', (1000, 0), False),
    "width only": ('width="300"', (300, 0), False),
    "nothing": ("", (0, 0), False),
}


@pytest.mark.parametrize("declared", MISSING)
def test_a_missing_image_is_seen_only_where_its_size_is_declared(
    renderer: Renderer, declared: str
) -> None:
    attributes, size, seen = MISSING[declared]
    page = renderer.render(f'<body style="width:1000px"><img src="a.png" {attributes}><p>x')
    row = page.images[0].node
    left, top, right, bottom = page.node(row).box or (-1, -1, -1, -1)
    assert (right - left, bottom - top) == size
    assert page.nodes.visible is not None
    assert bool(page.nodes.visible[row]) is seen


def test_the_last_of_very_many_missing_images_is_laid_out_as_the_first(renderer: Renderer) -> None:
    tags = "img src=a.png", "img srcset='b.png 2x'", "input type=image src=c.png", "video poster=d"
    some = "<p>".join(f"<{tag} {declared[0]}>" for tag in tags for declared in MISSING.values())
    many = "".join(f"<img src={number}.png hidden>" for number in range(1500))
    clobbered = "<form><input name=currentSrc><input name=src></form>"
    alone, after = (
        renderer.render(f"<!doctype html><body style='width:1000px'>{before}{clobbered}{some}")
        for before in ("", many)
    )
    count = len(tags) * len(MISSING)
    assert (len(alone.images), len(after.images)) == (count, count + 1500)
    for name in ("box", "visible"):
        first, last = (
            page.column(name)[[image.node for image in page.images[-count:]]].tolist()
            for page in (alone, after)
        )
        assert first == last


def test_images_have_colours_unless_no_picture_is_wanted(browser: Path, renderer: Renderer) -> None:
    svg = b'<svg xmlns="http://www.w3.org/2000/svg"><rect width="99" height="99" fill="red"/></svg>'
    files = Files(i_svg=("image/svg+xml", svg))
    source = PageSource(name="x", html='<img src="i.svg" width=80 height=80>', resources=files)
    with Renderer(View(screenshot=0), program=browser, tabs=1) as plain:
        pages = renderer.render(source), plain.render(source)
    colours = [page.column("color")[page.images[0].node].tolist() for page in pages]
    assert colours == [[255, 0, 0, 255], [0, 0, 0, 0]]


CHARSETS = {
    "utf-8": "Grüße, 日本語",
    "iso-8859-1": "Grüße \u20ac",
    "windows-1251": "Привет, мир",
    "shift_jis": "こんにちは",
    "gb2312": "你好，世界",
    "euc-kr": "안녕하세요",
    "koi8-r": "Привет, мир",
}


@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize("declared", ["meta", "transport", "not"])
def test_the_browser_reads_the_same_letters(
    renderer: Renderer, charset: str, declared: str
) -> None:
    """Whatever the declaration, and where there is none, both decode alike."""
    meta = f'<meta charset="{charset}">' if declared == "meta" else ""
    text = CHARSETS[charset]
    codec = "cp1252" if charset == "iso-8859-1" else charset
    html = f"<!DOCTYPE html>{meta}<p>{text}</p>".encode(codec)
    source = html_source(html, charset=charset if declared == "transport" else None)
    done = renderer.rendered(source)
    snapshot = done.capture.snapshot
    rows = [at for at in snapshot["documents"][0]["layout"]["text"] if at >= 0]
    assert [snapshot["strings"][at] for at in rows] == [done.page.text]
    if declared != "not":
        assert done.page.text == text


def test_the_same_page_twice_has_the_same_boxes(renderer: Renderer) -> None:
    files = sorted(DATA.rglob("*.html"))[::12] or sorted(Path("examples").rglob("*.html"))
    assert files
    twice = [[*renderer.render_many([file_source(file) for file in files])] for _ in range(2)]
    for first, second in zip(*twice, strict=True):
        assert isinstance(first, Page)
        assert isinstance(second, Page)
        for name in ("box", "visible", "font_size", "font_weight", "background"):
            assert np.array_equal(first.column(name), second.column(name)), name  # type: ignore[arg-type]
        assert np.array_equal(first.line_boxes.box, second.line_boxes.box)  # type: ignore[union-attr]


@pytest.mark.usefixtures("browser")
def test_the_width_is_the_windows() -> None:
    html = (
        "<style>@media (max-width: 500px) { p { font-size: 40px } }</style>"
        "<body style='margin:0'><p>narrow or wide</p>"
    )
    wide, narrow = (pagecut.render(html, width=width) for width in (1280, 390))
    assert wide.size is not None
    assert narrow.size is not None
    assert (wide.size[0], narrow.size[0]) == (1280, 390)
    assert box_of(narrow, "narrow")[3] > box_of(wide, "narrow")[3]


def test_scripts_run_only_when_asked(renderer: Renderer, scripted: Renderer) -> None:
    html = "<p>before</p><script>document.querySelector('p').textContent = 'after'</script>"
    assert renderer.render(html).text == "before"
    assert scripted.render(html).text == "after"


def test_no_script_runs_in_a_new_tab(renderer: Renderer) -> None:
    """The first page of a tab must not be quicker than the switch that turns its scripts off."""
    html = (
        '<meta name="refresh"><noscript><p><b>fallback</b></p></noscript>'  # ends the tab
        "<p>before</p><script>document.querySelector('p').textContent = 'a' + 'fter'</script>"
    )
    for done in renderer.rendered_many([html] * 40):
        assert not isinstance(done, PageError)
        assert done.capture.may_leave()
        strings = done.capture.snapshot["strings"]
        assert "after" not in strings
        assert "fallback" in strings  # as an element, not as the text "<p><b>fallback…"


@pytest.mark.parametrize("run", ["renderer", "scripted"])
def test_noscript_takes_no_room_but_for_its_images(
    run: str, request: pytest.FixtureRequest
) -> None:
    html = """<!DOCTYPE html><body style="margin:0"><noscript><h1>Turn scripts on</h1></noscript>
      <noscript>&lt;a href="x"&gt;, as some tools save it</noscript><p style="margin:0">text</p>
      <noscript><img src="i.svg" style="display:block"></noscript>"""
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="70" height="50"/>'
    files = Files(i_svg=("image/svg+xml", svg))
    page = request.getfixturevalue(run).render(PageSource(name="x", html=html, resources=files))
    assert page.text.strip("\n\ufffc") == "text"
    assert box_of(page, "text")[1] < 5
    boxes = [page.node(image.node).box or (0, 0, 0, 0) for image in page.images]
    sizes = [(right - left, bottom - top) for left, top, right, bottom in boxes]
    # With scripts on, there is no element in a <noscript>.
    assert sizes == ([(70, 50)] if run == "renderer" else [])


def test_with_scripts_what_noscript_says_is_no_text(scripted: Renderer) -> None:
    head = "<title>t</title><noscript><style>p { color: red }</style></noscript><meta name=a>"
    inner = f"<!DOCTYPE html><head>{head}</head><p>frame</p>"
    html = f'<!DOCTYPE html><head>{head}</head><p>page</p><iframe srcdoc="{escape(inner)}">'
    page = scripted.render(html)
    assert page.text == "page\nframe"
    assert [path for path in node_paths(page) if "meta" in path or "noscript" in path] == []


def test_scripts_see_a_fixed_place_and_no_page_before(scripted: Renderer) -> None:
    html = """<p></p><script>
      document.querySelector('p').textContent = [
        Intl.DateTimeFormat().resolvedOptions().timeZone, navigator.language,
        localStorage.length, document.cookie,
      ].join(' ');
      localStorage.setItem('seen', 1); document.cookie = 'seen=1';
    </script>"""
    source = html_source(html, url="http://example.org/")
    assert [scripted.render(source).text for _ in range(2)] == ["UTC en-US 0"] * 2


def test_many_pages_come_in_order(renderer: Renderer) -> None:
    sources = [f"<p>page {n}</p>{'<i>x</i>' * (50 - n) * 20}" for n in range(50)]
    pages = list(renderer.render_many(sources))
    assert [page.text.split("x")[0].strip() for page in pages if isinstance(page, Page)] == [
        f"page {n}" for n in range(50)
    ]


def test_the_event_loop_is_free_meanwhile(renderer: Renderer) -> None:
    async def run() -> tuple[Page, list[Page | PageError], int]:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0.005)

        ticking = asyncio.create_task(tick())
        one = await renderer.render_async("<p>one")
        many = [each async for each in renderer.render_many_async(["<p>a", "no such file", "<p>c"])]
        ticking.cancel()
        return one, many, ticks

    one, many, ticks = asyncio.run(run())
    assert one.text == "one"
    assert [each.text if isinstance(each, Page) else "error" for each in many] == [
        "a",
        "error",
        "c",
    ]
    assert isinstance(many[1], PageError)
    assert ticks > 5


def test_a_page_beyond_the_limits_never_meets_the_browser(browser: Path) -> None:
    with Renderer(limits=Limits(size=1000), program=browser) as renderer:
        results = list(renderer.render_many(["<p>" + "x" * 2000, "<p>short"]))
    assert isinstance(results[0], TooLarge)
    assert isinstance(results[1], Page)


@pytest.mark.parametrize("view", [{"width": 0}, {"height": 99999}, {"screenshot": 9}])
def test_a_bad_view_is_shown(view: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="got"):
        View(**view)


@pytest.mark.parametrize("arguments", [{"tabs": 0}, {"seconds": 0}])
def test_bad_arguments_are_shown(arguments: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="got 0"):
        Renderer(**arguments)  # type: ignore[arg-type]


def test_a_browser_that_is_none_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(browser_module.VARIABLE, "no-such-browser")
    with pytest.raises(RenderError, match=r"no-such-browser.*apt-get install"):
        browser_module.find_browser()
    monkeypatch.delenv(browser_module.VARIABLE)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", "/nonexistent")
    with pytest.raises(RenderError, match="no browser found"):
        browser_module.find_browser()


def test_a_program_that_is_no_browser_is_an_error() -> None:
    message = r"/bin/true opened no tab.*apt-get install"
    with (
        Renderer(program="/bin/true", seconds=5) as renderer,
        pytest.raises(RenderError, match=message),
    ):
        renderer.render("<p>x")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.skipif(shutil.which("setpriv") is None, reason="setpriv is missing")
@pytest.mark.usefixtures("browser")
def test_the_sandbox_is_on_for_anyone_but_root() -> None:
    """As nobody, the browser runs without --no-sandbox, and renders."""
    # pytest's own folders are closed to others.
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        check_sandbox(folder)


def check_sandbox(folder: str) -> None:
    script = (
        "import glob; from pagecut import Renderer\n"
        "with Renderer() as renderer:\n"
        "    print(renderer.render('<p>inside').text)\n"
        "    lines = [open(f, 'rb').read() for f in glob.glob('/proc/[0-9]*/cmdline')]\n"
        f"    mark = b'--user-data-dir={folder}'\n"
        "    own = [line for line in lines if mark in line and b'import glob' not in line]\n"
        "    print(len(own) > 0, any(b'--no-sandbox' in line for line in own))\n"
    )
    command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    paths = os.pathsep.join(each for each in sys.path if each)
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": folder,
        "TMPDIR": folder,
        "PYTHONPATH": paths,
    }
    done = subprocess.run(
        [*command, sys.executable, "-c", script],
        env=environment,
        cwd="/",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if "Permission denied" in done.stderr:
        pytest.skip(f"nobody may not read the project: {done.stderr.splitlines()[-1]}")
    assert done.stdout.split() == ["inside", "True", "False"], done.stderr

"""What goes wrong with one page stays with that page, and nothing is left behind."""

from __future__ import annotations

import os
import signal
import struct
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pagecut.errors import PageError, RenderError
from pagecut.page import Page
from pagecut.rendering.browser import View
from pagecut.rendering.capture import LONGEST_PICTURE
from pagecut.rendering.page_source import ORIGIN, PageSource, Resource, html_source
from pagecut.rendering.renderer import Renderer

ENDLESS_SCRIPTS = {
    "while-parsing": "<p>x<script>for(;;);</script>",
    "on-load": "<p>x<script>onload=()=>{for(;;);}</script>",
    "soon": "<p>x<script>setTimeout(()=>{for(;;);},1)</script>",
    "promises": "<p>x<script>const f=()=>Promise.resolve().then(f);f()</script>",
    "memory": "<p>x<script>let a=[];for(;;)a.push(new Array(1e6).fill(1))</script>",
}


def processes() -> dict[int, tuple[int, str]]:
    """The parent and the command line of each running process."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().replace(b"\0", b" ")
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            except OSError:
                continue
            if state != "Z":
                found[int(entry.name)] = int(parent), words.decode("utf-8", "replace")
    return found


def browser_processes(profiles: Path, kind: str = "") -> list[int]:
    """Those of browsers whose profile lies in a folder; `kind` is as in --type=renderer."""
    running = processes()
    own = {pid for pid, (_, words) in running.items() if f"={profiles}/" in words}
    while more := {pid for pid, (parent, _) in running.items() if parent in own} - own:
        own |= more
    return [pid for pid in own if not kind or f"--type={kind}" in running[pid][1]]


@pytest.fixture
def profiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the browsers' profiles; at the end, neither browser nor profile may be left."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield tmp_path
    assert wait_until(lambda: not browser_processes(tmp_path))
    assert list(tmp_path.glob("pagecut-browser-*")) == []


def wait_until(condition: Callable[[], object], seconds: float = 10) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return False


def good(count: int) -> list[PageSource]:
    return [html_source(f"<p>page {n}</p>", name=f"good {n}") for n in range(count)]


def check(results: list[Page | PageError], bad: dict[int, str]) -> None:
    """All pages are there, in order, but the bad ones, whose error says what happened."""
    for at, result in enumerate(results):
        if at in bad:
            assert isinstance(result, RenderError), result
            assert bad[at] in str(result)
        else:
            assert isinstance(result, Page), result
            assert result.text.startswith("page ")


@pytest.mark.usefixtures("profiles")
@pytest.mark.parametrize("name", ENDLESS_SCRIPTS)
def test_an_endless_script_is_one_error(browser: Path, name: str) -> None:
    sources = good(6)
    sources.insert(2, html_source(ENDLESS_SCRIPTS[name], name="the endless one"))
    with Renderer(View(scripts=True), seconds=5, program=browser) as renderer:
        results = list(renderer.render_many(sources))
    assert len(results) == 7
    check(results, {2: "the endless one: "})


class CrashWhenAsked:
    """Kills processes of the browser while a page of theirs loads."""

    def __init__(self, profiles: Path, kind: str) -> None:
        self.profiles, self.kind, self.killed = profiles, kind, 0

    def find(self, url: str, wanted: str) -> Resource | None:  # noqa: ARG002
        if url.endswith("deadly.css"):
            for pid in browser_processes(self.profiles, self.kind):
                os.kill(pid, signal.SIGKILL)
                self.killed += 1
            time.sleep(0.2)
        return None


DEADLY = '<link rel="stylesheet" href="deadly.css"><p>page that kills</p>'


def test_a_killed_renderer_process_is_one_error(browser: Path, profiles: Path) -> None:
    killer = CrashWhenAsked(profiles, "renderer")
    sources = good(5)
    sources.insert(2, PageSource(name="the deadly one", html=DEADLY, resources=killer))
    with Renderer(tabs=1, seconds=20, program=browser) as renderer:
        results = list(renderer.render_many(sources))
    assert killer.killed
    check(results, {2: "the deadly one: its tab crashed"})


def test_a_page_that_kills_every_browser_is_one_error(browser: Path, profiles: Path) -> None:
    killer = CrashWhenAsked(profiles, "")
    sources = good(9)
    sources.insert(3, PageSource(name="the deadly one", html=DEADLY, resources=killer))
    with Renderer(tabs=3, seconds=20, program=browser) as renderer:
        results = list(renderer.render_many(sources))
    assert killer.killed
    check(results, {3: "the deadly one: the browser died"})


def test_a_browser_killed_from_outside_costs_no_page(browser: Path, profiles: Path) -> None:
    with Renderer(tabs=2, seconds=20, program=browser) as renderer:
        results = renderer.render_many(good(30))
        first = [next(results) for _ in range(3)]
        for pid in browser_processes(profiles):
            os.kill(pid, signal.SIGKILL)
        check([*first, *results], {})


@pytest.mark.parametrize("address", ["chrome://crash", "file:///etc/hostname", "about:blank"])
def test_only_addresses_of_the_web_are_gone_to(address: str) -> None:
    with pytest.raises(ValueError, match="http"):
        PageSource(name="x", address=address)


class EndlessImports:
    """Style sheets that each import a further one."""

    def __init__(self) -> None:
        self.count = 0

    def find(self, url: str, wanted: str) -> Resource | None:  # noqa: ARG002
        self.count += 1
        return Resource(f'@import "{self.count}.css";'.encode(), "text/css")


@pytest.mark.usefixtures("profiles")
def test_a_load_that_does_not_end_is_one_error(browser: Path) -> None:
    html = '<link rel="stylesheet" href="0.css"><p>x'
    sources = [PageSource(name="the slow one", html=html, resources=EndlessImports()), *good(3)]
    with Renderer(seconds=2, program=browser) as renderer:
        results = list(renderer.render_many(sources))
    check(results, {0: "the slow one: not rendered within 2 s"})


GREEDY = {
    # Slowly, so that the watch sees it before the system refuses the script more: then the script
    # would end, and the page be there.
    "scripts": "<p>x<script>let a=[],t;for(;;){a.push(new Uint8Array(1<<22).fill(1));"
    "t=performance.now();while(performance.now()-t<20);}</script>",
    "layers": "<style>p{will-change:transform;width:8000px;height:8000px;position:absolute;"
    "background:linear-gradient(red,blue)}</style>" + "<p>x</p>" * 400,
}


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux")
@pytest.mark.parametrize("name", GREEDY)
def test_a_page_that_takes_too_much_memory_is_one_error(browser: Path, name: str) -> None:
    with Renderer(View(scripts=name == "scripts"), memory=400, program=browser) as renderer:
        good, bad, other = renderer.render_many(["<p>one", GREEDY[name], "<p>two"])
    assert isinstance(good, Page)
    assert isinstance(other, Page)
    assert isinstance(bad, RenderError)
    assert str(bad) == "the page: took more than 400 MiB of memory"


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux")
def test_the_system_limits_what_the_browser_reserves(browser: Path, profiles: Path) -> None:
    with Renderer(memory=300, program=browser) as renderer:
        renderer.render("<p>x")
        (shown,) = browser_processes(profiles, "renderer")
        limits = Path(f"/proc/{shown}/limits").read_text()
    (line,) = (line for line in limits.splitlines() if line.startswith("Max data size"))
    assert line.split()[3:5] == [str(600 * 2**20)] * 2


def test_a_picture_of_too_many_pixels_is_a_space_of_its_size(browser: Path, tmp_path: Path) -> None:
    header = struct.pack(">IIBBBBB", 20_000, 20_000, 8, 2, 0, 0, 0)
    head = struct.pack(">I", 13) + b"IHDR" + header
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n" + head + bytes(100))
    with Renderer(program=browser) as renderer:
        page = renderer.render(html_source("<img src=a.png>", folder=tmp_path))
    (image,) = page.images
    assert page.nodes.box is not None
    left, top, right, bottom = page.nodes.box[image.node]
    assert (right - left, bottom - top) == (20_000, 20_000)


@pytest.mark.usefixtures("profiles")
def test_a_bomb_of_boxes_costs_no_other_page(browser: Path) -> None:
    bombs = {
        "siblings": "<div>page x</div>" * 200_000,
        "nested": "<div>" * 200_000 + "page",
        "tables": "<table><tr><td>" * 3000 + "page",
    }
    sources = [html_source(html, name=name) for name, html in bombs.items()]
    with Renderer(seconds=10, program=browser) as renderer:
        results = list(renderer.render_many([*sources, *good(3)]))
    assert len(results) == 6
    for result in results[:3]:
        assert isinstance(result, Page | PageError)
    check(results[3:], {})


@pytest.mark.usefixtures("profiles")
def test_a_page_of_endless_length_is_rendered_without_a_picture(browser: Path) -> None:
    html = "<p>page</p>" + '<div style="height:33000000px"></div>' * 3
    with Renderer(View(screenshot=1), program=browser) as renderer:
        done = renderer.rendered(html_source(html))
    assert done.page.text == "page"
    assert done.capture.size[1] > 10_000_000
    assert done.capture.screenshot is None


@pytest.mark.usefixtures("profiles")
def test_a_very_long_page_has_a_smaller_picture(browser: Path) -> None:
    html = '<p>page</p><div style="height:100000px"></div>'
    with Renderer(View(screenshot=1), program=browser) as renderer:
        taken = renderer.rendered(html_source(html)).capture
    assert taken.size[1] > 100_000
    assert taken.screenshot is not None
    width, height = (int.from_bytes(taken.screenshot[at : at + 4]) for at in (16, 20))
    assert LONGEST_PICTURE - 2 <= height <= LONGEST_PICTURE
    assert width == pytest.approx(1280 * taken.scale, abs=1)


def test_the_browser_is_renewed(browser: Path, profiles: Path) -> None:
    seen = set()
    with Renderer(tabs=1, pages_per_browser=3, program=browser) as renderer:
        for result in renderer.render_many(good(9)):
            assert isinstance(result, Page)
            seen.update(profiles.glob("pagecut-browser-*"))
            assert len(list(profiles.glob("pagecut-browser-*"))) <= 2
    assert len(seen) >= 3


def test_results_that_nobody_takes_do_no_harm(browser: Path, profiles: Path) -> None:
    with Renderer(program=browser) as renderer:
        assert isinstance(next(renderer.render_many(good(10))), Page)
    assert not list(profiles.glob("pagecut-browser-*"))


def test_to_close_ends_the_pages_in_work(browser: Path, profiles: Path) -> None:
    renderer = Renderer(View(scripts=True), seconds=60, program=browser)
    html = ENDLESS_SCRIPTS["while-parsing"]
    failures: list[PageError] = []

    def work() -> None:
        with pytest.raises(PageError) as caught:
            renderer.render(html_source(html))
        failures.append(caught.value)

    thread = threading.Thread(target=work)
    thread.start()
    assert wait_until(lambda: browser_processes(profiles, "renderer"))
    time.sleep(0.5)
    renderer.close()
    thread.join(20)
    assert len(failures) == 1
    with pytest.raises(RenderError, match="closed"):
        renderer.render(html_source("<p>x"))


@pytest.mark.parametrize("end", ["sys.exit()", "os._exit(3)", "os.kill(os.getpid(), 9)"])
def test_an_interpreter_that_ends_takes_the_browser_with_it(
    browser: Path, tmp_path: Path, end: str
) -> None:
    script = textwrap.dedent(
        f"""
        import os, sys
        from pagecut import Renderer
        renderer = Renderer(program={str(browser)!r})
        print(renderer.render("<p>page"))
        {end}
        """
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "Page" in done.stdout, done.stderr
    assert wait_until(lambda: not browser_processes(tmp_path))
    assert wait_until(lambda: not list(tmp_path.glob("pagecut-browser-*")))


def test_the_origin_is_no_name_that_exists() -> None:
    assert ORIGIN.split("/")[2].endswith(".invalid")

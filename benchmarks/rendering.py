"""What rendering costs against bare navigation and snapshots, where the time goes, and memory.

    python benchmarks/rendering.py ratio [FOLDER…]    cost against the bare browser
    python benchmarks/rendering.py stages [FOLDER…]   where the time goes
    python benchmarks/rendering.py memory [FOLDER…]   memory over 1,000 pages, as a chart

Folders hold saved pages; ../shared/data/pages and examples are used unless others are named.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path

from pagecut.errors import PageError
from pagecut.parsing.html import parse_html
from pagecut.pictures.charts import Panel, Series, draw_chart
from pagecut.pictures.drawing import Drawing, write_picture
from pagecut.rendering.browser import Chromium, Tab, View, find_browser, prepare
from pagecut.rendering.capture import capture
from pagecut.rendering.columns import page_from_capture
from pagecut.rendering.page_source import PageSource, file_source
from pagecut.rendering.renderer import Renderer
from pagecut.rendering.snapshot import COMPUTED_STYLES
from pagecut.segmenters import segmenter

TICKS = os.sysconf("SC_CLK_TCK")


def sources(folders: list[str]) -> list[PageSource]:
    named = folders or [
        each for each in ("../shared/data/pages", "examples") if Path(each).is_dir()
    ]
    files = [file for folder in named for file in sorted(Path(folder).rglob("*.html"))]
    return [file_source(file) for file in files if file.stat().st_size > 1000]


def descendants() -> list[Path]:
    """The processes below this one."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])
    own = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in own} - own:
        own |= more
    return [Path("/proc") / str(pid) for pid in own - {os.getpid()}]


def processor_seconds() -> float:
    """Of this process and all below it, also of those that have ended."""
    ticks = 0
    for entry in [Path("/proc/self"), *descendants()]:
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += sum(map(int, fields[11:15]))
    return ticks / TICKS


def resident_megabytes(entries: list[Path]) -> float:
    """Memory of processes, what they share counted once each by its share."""
    kilobytes = 0
    for entry in entries:
        try:
            text = (entry / "smaps_rollup").read_text()
        except OSError:
            continue
        kilobytes += next(int(line.split()[1]) for line in text.splitlines() if "Pss:" in line)
    return kilobytes / 1024


def bare(tab: Tab, source: PageSource) -> None:
    """Navigate, give the page what it asks for, take the snapshot: no more."""
    session, deadline = tab.session, time.monotonic() + 60
    session.discard_events()
    session.send("Page.navigate", url=source.address)
    given = False
    while True:
        message = session.receive(deadline)
        values = message.get("params", {})
        if message.get("method") == "Fetch.requestPaused":
            if not given:
                given, body, kind = True, source.utf8(), "text/html; charset=utf-8"
            else:
                found = source.resources.find(values["request"]["url"], values["resourceType"])
                if found is None:
                    session.send(
                        "Fetch.failRequest",
                        requestId=values["requestId"],
                        errorReason="BlockedByClient",
                    )
                    continue
                body, kind = found.body, found.content_type
            session.send(
                "Fetch.fulfillRequest",
                requestId=values["requestId"],
                responseCode=200,
                responseHeaders=[{"name": "Content-Type", "value": kind}] if kind else [],
                body=base64.b64encode(body).decode(),
            )
        elif message.get("method") == "Page.loadEventFired":
            break
    session.call(
        "DOMSnapshot.captureSnapshot",
        deadline,
        computedStyles=list(COMPUTED_STYLES),
        includeBlendedBackgroundColors=True,
    )


@contextmanager
def bare_tabs(count: int) -> Iterator[Callable[[list[PageSource]], None]]:
    browser = Chromium(find_browser(), scripts=False)
    tabs = []
    for _ in range(count):
        tab = browser.new_tab()
        tab.session.send("Page.enable")
        tab.session.send("Emulation.setScriptExecutionDisabled", value=True)
        tab.session.send(
            "Emulation.setDeviceMetricsOverride",
            width=1280,
            height=1024,
            deviceScaleFactor=1,
            mobile=False,
        )
        tab.session.send("Fetch.enable", patterns=[{"urlPattern": "*"}])
        tab.session.call("DOMSnapshot.enable", time.monotonic() + 20)
        tabs.append(tab)

    def run(pages: list[PageSource]) -> None:
        with ThreadPoolExecutor(count) as threads:
            for done in [
                threads.submit(lambda at=at: [bare(tabs[at], s) for s in pages[at::count]])
                for at in range(count)
            ]:
                done.result()

    try:
        yield run
    finally:
        browser.close()


def ratio(pages: list[PageSource], tabs: int, rounds: int) -> dict[str, object]:
    """Alternate the two, so that a noisy machine meets both."""
    times: dict[str, list[tuple[float, float]]] = {"bare": [], "render": [], "picture": []}
    with (
        bare_tabs(tabs) as run_bare,
        Renderer(View(screenshot=0), tabs=tabs, pages_per_browser=10**6) as plain,
        Renderer(View(screenshot=0.25), tabs=tabs, pages_per_browser=10**6) as drawing,
    ):
        runs = {
            "bare": run_bare,
            "render": lambda pages: check(plain.render_many(pages)),
            "picture": lambda pages: check(drawing.render_many(pages)),
        }
        for run in runs.values():
            run(pages[:4])
        for _ in range(rounds):
            for name, run in runs.items():
                wall, processor = time.perf_counter(), processor_seconds()
                run(pages)
                times[name].append((time.perf_counter() - wall, processor_seconds() - processor))
    best = {name: [min(each) for each in zip(*found, strict=True)] for name, found in times.items()}
    return {
        "pages": len(pages),
        "tabs": tabs,
        **{f"{name} pages/s": round(len(pages) / wall, 2) for name, (wall, _) in best.items()},
        **{
            f"{name} processor ms/page": round(1000 * cpu / len(pages), 1)
            for name, (_, cpu) in best.items()
        },
        "wall ratio": round(best["render"][0] / best["bare"][0], 3),
        "processor ratio": round(best["render"][1] / best["bare"][1], 3),
    }


def check(results: Iterator[object]) -> None:
    for result in results:
        if isinstance(result, PageError):
            print(result, file=sys.stderr)


def stages(pages: list[PageSource]) -> dict[str, object]:
    """Milliseconds per page, one tab."""
    spent: dict[str, list[float]] = {}

    def timed(name: str, began: float) -> float:
        now = time.perf_counter()
        spent.setdefault(name, []).append(1000 * (now - began))
        return now

    mosaic = segmenter("mosaic")
    mosaic.segment(parse_html(b"<p>A page to load its models for.</p>"))
    browser = Chromium(find_browser(), scripts=False)
    views = {
        "load, settle, snapshot": View(screenshot=0),
        "the same with a picture at 0.25": View(screenshot=0.25),
    }
    try:
        for name, view in views.items():
            tab = browser.new_tab()
            prepare(tab, view, time.monotonic() + 20)
            for source in pages:
                began = time.perf_counter()
                taken = capture(tab, source, view, 60)
                began = timed(name, began)
                if not view.screenshot:
                    page = parse_html(taken.html)
                    began = timed("parse the HTML", began)
                    rendered = page_from_capture(taken, page)
                    began = timed("match and fill the columns", began)
                    mosaic.segment(rendered)
                    timed("segment with mosaic", began)
    finally:
        browser.close()
    return {name: round(statistics.mean(each), 1) for name, each in spent.items()}


def memory(pages: list[PageSource], count: int, chart: Path | None) -> dict[str, object]:
    """Memory of the browser and of this process, every 20 pages."""
    rows: list[tuple[int, float, float]] = []
    with Renderer(View(screenshot=0)) as renderer:
        for at, result in enumerate(renderer.render_many(islice(cycle(pages), count)), 1):
            if isinstance(result, PageError):
                print(result, file=sys.stderr)
            if at % 20 == 0:
                rows.append(
                    (
                        at,
                        resident_megabytes(descendants()),
                        resident_megabytes([Path("/proc/self")]),
                    )
                )
    if chart is not None:
        write_picture(chart, memory_chart(rows).svg())
    half = len(rows) // 2
    return {
        "pages": count,
        "browser MB, first half": round(statistics.mean(row[1] for row in rows[:half])),
        "browser MB, second half": round(statistics.mean(row[1] for row in rows[half:])),
        "browser MB, most": round(max(row[1] for row in rows)),
        "own MB, first half": round(statistics.mean(row[2] for row in rows[:half])),
        "own MB, second half": round(statistics.mean(row[2] for row in rows[half:])),
    }


def memory_chart(rows: list[tuple[int, float, float]]) -> Drawing:
    """The browser's memory and our own over the pages rendered."""
    across, theirs, own = ([row[at] for row in rows] for at in range(3))
    lines = [
        Series(name="browser", x=across, y=theirs),
        Series(name="Python", x=across, y=own),
    ]
    return draw_chart(
        [Panel(y_label="MB", series=lines)], title="Memory while rendering", x_label="pages"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=["ratio", "stages", "memory"])
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--tabs", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--chart", type=Path, help="where the chart of `memory` is written")
    given = parser.parse_args()
    pages = sources(given.folders)
    if not pages:
        sys.exit("no pages: name folders of saved pages")
    if given.what == "ratio":
        result = ratio(pages, given.tabs, given.rounds)
    elif given.what == "stages":
        result = stages(pages)
    else:
        result = memory(pages, given.count, given.chart)
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()

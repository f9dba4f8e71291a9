"""What hostile pages cost: time and memory, each in a process of its own.

    python benchmarks/hostile.py

Seconds are CPU time of `parse_html` and Block Fusion with its texts, or until the page is refused.
Memory is what the process had at its peak beyond what it had before, against the page's size.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

MB = 1_000_000

PAGES: dict[str, Callable[[], str]] = {
    "10 MB of paragraphs": lambda: "<p>Some words in a paragraph, and a few more.</p>\n" * 200_000,
    "30 MB of small paragraphs": lambda: "<p>hello</p>" * (30 * MB // 12),
    "a million siblings": lambda: "<i>x</i>" * 1_000_000,
    "10,000 attributes on one tag": lambda: (
        "<p " + " ".join(f"a{number}=x" for number in range(10_000)) + ">text"
    ),
    "1,000,000 attributes on one tag": lambda: (
        "<p " + " ".join(f"a{number}=x" for number in range(1_000_000)) + ">text"
    ),
    "10,000 tags with 100 attributes": lambda: (
        ("<p " + " ".join(f"a{number}=x" for number in range(100)) + ">text</p>") * 10_000
    ),
    "an entity flood": lambda: "<p>" + "&amp;&notin;&#x4e2d;" * 500_000,
    "one text of 20 MB": lambda: "<p>" + "word and word " * (20 * MB // 14),
    "one line of 20 MB without spaces": lambda: "<p>" + "x" * (20 * MB),
    "20 MB of Chinese": lambda: "<p>" + "漢字仮名" * (20 * MB // 12),
    "20 MB in `<pre>`": lambda: "<pre>" + "  a\n" * (20 * MB // 4),
    "nested 500 deep, 1,000 times": lambda: ("<div>" * 500 + "x" + "</div>" * 500) * 1000,
    "nested 50,000 deep": lambda: "<div>" * 50_000,
    "a million unknown tags": lambda: "".join(f"<x-{number}>" for number in range(1000)) * 1000,
    "100,000 different tags": lambda: "".join(
        f"<x-{number}>a</x-{number}>" for number in range(100_000)
    ),
    "amp-img in amp-img": lambda: (
        ("<amp-img>" * 400 + "<b>x</b>" * 20_000 + "</amp-img>" * 400) * 10
    ),
    "100,000 fallbacks": lambda: (
        "<img data-src=a/b.png><noscript><img src=a/b.png></noscript>" * 100_000
    ),
    "100,000 images": lambda: "<img src=a/b.png alt=x>text " * 100_000,
    "unclosed formatting": lambda: (
        "<p>" + "".join(f"<b id={n}>" for n in range(1000)) + "<p>x" * 1000
    ),
    "100 frames of unclosed formatting": lambda: (
        f"<iframe srcdoc='<p>{''.join(f'<b id={n}>' for n in range(1000))}{'<p>x' * 500}'></iframe>"
        * 100
    ),
    "unclosed formatting with a long attribute": lambda: (
        f"<p><b title={'x' * 50_000}>" + "<p>x" * 100_000
    ),
}


def run(name: str) -> None:
    """Parse and segment one page in this process; print what it took."""
    from pagecut import PagecutError, parse_html
    from pagecut.segmenters import segmenter

    method = segmenter("block-fusion")
    method.segment(parse_html("<p>warm <img src=a.png> up")).texts  # noqa: B018
    data = PAGES[name]().encode()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    try:
        page = parse_html(data)
        parsed = time.process_time() - start
        count = len(method.segment(page).texts)
        result = f"{len(page.nodes):,} nodes, {count:,} segments"
    except PagecutError as error:
        parsed = time.process_time() - start
        result = "refused: " + str(error).partition(": ")[2].partition(";")[0]
    seconds = time.process_time() - start
    peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    print(
        f"| {name} | {len(data) / MB:.1f} | {parsed:.2f} | {seconds:.2f} | {peak / MB:.0f} "
        f"| {peak / len(data):.1f} | {result} |"
    )


def table() -> Iterator[str]:
    """The lines of a Markdown table, one page each."""
    yield "| page | MB | Page, s | segments, s | memory, MB | times its size | result |"
    yield "|---|---:|---:|---:|---:|---:|---|"
    for name in PAGES:
        done = subprocess.run(
            [sys.executable, __file__, name], capture_output=True, text=True, check=False
        )
        yield done.stdout.strip() or f"| {name} | | | | | | died: {done.stderr.strip()[-80:]} |"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run(sys.argv[1])
    else:
        for line in table():
            print(line, flush=True)

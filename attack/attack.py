"""Attack pagecut as a hostile page, file, server or user of signals would: `make attack`.

    python attack/attack.py [--small] [--write docs/security.md] [NAME ...]

Every attack runs the commands that people run. It fails if a canary on this machine sees a request,
a file outside the page's folder shows, a command crashes, hangs or takes too much memory, or a good
page beside the bad ones is lost. A browser without guards is shown the same pages, so that silence
means something. Servers listen on the loopback only. `--small` is what the tests run.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import pty
import random
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

HERE = Path(__file__).parent
for folder in HERE, HERE.parent / "tests" / "support", HERE.parent / "experiments":
    sys.path.insert(0, str(folder))

from canaries import MARKUP, SCRIPTS, SECRET, Canaries, canaries  # noqa: E402
from corpus_files import pack, response, warc_record  # noqa: E402
from measured import Outcome, pagecut  # noqa: E402

from pagecut.rendering.browser import Chromium, find_browser  # noqa: E402
from pagecut.rendering.page_source import html_source  # noqa: E402
from pagecut.rendering.renderer import Renderer  # noqa: E402
from pagecut.rendering.snapshot_file import read_snapshot  # noqa: E402

KEPT = "This page must not be lost"
GOOD = f"<h1>Good</h1><p>{KEPT}, whatever lies beside it."
RESPONSE = "application/http; msgtype=response"
AFTERMATH = 0.5
QUIET = 1.0  # without a request, for which a page is watched that may make more
METHODS = {
    "deflate": zipfile.ZIP_DEFLATED,
    "bzip2": zipfile.ZIP_BZIP2,
    "lzma": zipfile.ZIP_LZMA,
}
# Of all processes together; a tab may take 2 GiB, and these attacks must not come near it.
MOST_MEMORY = 1500.0
MOST_SECONDS = 90.0
_BEGIN, _END = "<!-- attack -->", "<!-- end -->"

Attack = Callable[[Path, bool], Outcome]


def network(folder: Path, small: bool) -> Outcome:
    """Pages that try to reach a server, by markup and by scripts."""
    outcome = Outcome("network: pages that call out")
    with canaries(folder) as birds:
        pages = folder / "pages"
        pages.mkdir()
        names = [*MARKUP, *SCRIPTS]
        groups = [names[at::4] for at in range(4)] if small else [[name] for name in names]
        for number, group in enumerate(groups):
            (pages / f"{number:03}.html").write_text(birds.page(group))
        (pages / "good.html").write_text(GOOD)
        outcome.tries = len(groups)
        for options in ([], ["--scripts"]):
            output = folder / f"out{len(options)}"
            run = outcome.add(
                pagecut(
                    "render", pages, "-o", output, "--no-cache", "--timeout", "15", *options,
                    seconds=900,
                )
            )  # fmt: skip
            outcome.check(run.ended_well, f"render {options}: {run.code} {run.errors[-300:]}")
            outcome.check((output / "good.html.snap").exists() or _snapshots(output), "good page")
            for saved in _snapshots(output):
                found = read_snapshot(saved)
                outcome.check(SECRET not in found.page.text, f"{saved.name} shows the secret file")
        commands = [["segment", "--with", "vips"]] if small else [
            ["report", "--output", str(folder / "r.html"), "--segment", "vips", "--pictures"],
            ["segment", "--with", "vips"], ["images"], ["text"], ["chunk"],
        ]  # fmt: skip
        environment = {"PAGECUT_CACHE": str(folder / "cache")}
        for words in commands:
            given = sorted(pages.glob("*.html"))[-1:] if small else sorted(pages.glob("*.html"))
            run = outcome.add(pagecut(words[0], *given, *words[1:], seconds=900, **environment))
            outcome.check(run.ended_well, f"{words[0]}: {run.code} {run.errors[-300:]}")
            outcome.check(SECRET not in run.output, f"{words[0]} shows the secret file")
        time.sleep(AFTERMATH)
        outcome.seen = len(birds.hits)
        outcome.check(not birds.hits, f"seen: {sorted(set(birds.hits))[:5]}")
        birds.hits.clear()
        outcome.attempted = _unguarded(birds, groups)
        outcome.check(outcome.attempted >= 40, f"the canaries heard {outcome.attempted} only")
    return outcome


def _snapshots(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.snap")) if folder.is_dir() else [folder]


def _unguarded(birds: Canaries, groups: list[list[str]]) -> int:
    """How many requests arrive when the same pages are shown by a browser without guards."""
    for group in groups:
        chromium = Chromium(find_browser(), ())
        with suppress(Exception):  # some of these pages leave or hang
            session = chromium.new_tab().session
            deadline = time.monotonic() + 10
            session.call("Page.enable", deadline)
            tree = session.call("Page.getFrameTree", deadline)
            session.call("Page.navigate", deadline, url=f"{birds.places['web']}/start")
            frame = tree["frameTree"]["frame"]["id"]
            page = birds.page(group)
            session.call("Page.setDocumentContent", deadline, frameId=frame, html=page)
            heard, quiet_since = len(birds.hits), time.monotonic()
            while time.monotonic() < min(quiet_since + QUIET, deadline):
                time.sleep(0.05)
                if len(birds.hits) > heard:
                    heard, quiet_since = len(birds.hits), time.monotonic()
        chromium.close()
    return sum(hit != "GET /start" for hit in birds.hits)


def files(folder: Path, small: bool) -> Outcome:
    """Pages and folders that lead to files elsewhere: links, paths, folders beside."""
    del small
    outcome = Outcome("files: links and paths that lead out")
    secret = folder / "elsewhere" / "secret.html"
    secret.parent.mkdir()
    secret.write_text(f"<p>{SECRET}</p>")
    (folder / "secrets.bak").mkdir()
    (folder / "secrets.bak" / "s.html").write_text(f"<p>{SECRET}</p>")
    (folder / "notes").mkdir()
    pages = folder / "project.old"
    pages.mkdir()
    (pages / "good.html").write_text(GOOD)
    (pages / "link.html").symlink_to(secret)
    (pages / "sub").symlink_to(secret.parent)
    (pages / ".hidden").mkdir()
    (pages / ".hidden" / "s.txt").write_text(SECRET)
    ways = [
        "link.html", "sub/secret.html", "../elsewhere/secret.html", "/../elsewhere/secret.html",
        "%2e%2e/elsewhere/secret.html", "..%2felsewhere%2fsecret.html", secret.as_uri(),
        "/secrets.bak/s.html", "http://secrets.bak/s.html",
        "http://page.invalid/secrets.bak/s.html",
        ".hidden/s.txt", "//[x", "http://page.invalid///[x", "\\\\..\\elsewhere\\secret.html",
    ]  # fmt: skip
    for number, way in enumerate(ways):
        tags = f'<iframe src="{way}"></iframe><object data="{way}"></object><embed src="{way}">'
        sheet = f"<link rel=stylesheet href='{way}'>"
        (pages / f"way{number}.html").write_text(f"<p>way</p>{tags}{sheet}")
    outcome.tries = len(ways) + 2
    run = outcome.add(pagecut("render", pages, "-o", folder / "out", "--no-cache"))
    outcome.check(run.code == 0, f"render: {run.code} {run.errors[-300:]}")
    saved = _snapshots(folder / "out")
    outcome.check(len(saved) == len(ways) + 1, f"{len(saved)} pages were rendered")
    for path in saved:
        outcome.check(SECRET not in read_snapshot(path).page.text, f"{path.name} shows the secret")
    run = outcome.add(pagecut("run", pages, "--output", folder / "tables", "--format", "jsonl"))
    outcome.check(run.code == 0, f"run: {run.code} {run.errors[-300:]}")
    for path in (folder / "tables").rglob("*.gz"):
        outcome.check(SECRET.encode() not in gzip.decompress(path.read_bytes()), f"{path.name}")
    return outcome


def bombs(folder: Path, small: bool) -> Outcome:
    """Small files that unpack to much, in every container that is read."""
    outcome = Outcome("bombs: files that unpack to much")
    size = (40 if small else 1000) * 2**20
    zeros = bytes(2**20)
    snapshots = _snapshot_bombs(folder, size, ("bzip2",) if small else METHODS)
    (folder / "good.html").write_text(GOOD)
    run = outcome.add(pagecut("text", *snapshots, folder / "good.html"))
    outcome.tries += len(snapshots)
    told = run.errors.count(".snap:")
    outcome.check(run.code == 1 and run.ended_well, f"snapshots: {run.errors[-200:]}")
    outcome.check(told == len(snapshots), f"{told} of {len(snapshots)} snapshots were refused")
    outcome.check(KEPT in run.output, "the page behind the snapshots is lost")
    lists = folder / "list.paths.gz"
    lists.write_bytes(gzip.compress(b"x\n" * 2**20) * (size // 2**21))
    run = outcome.add(pagecut("run", lists, "--output", folder / "o1"))
    outcome.check(run.code == 1 and run.ended_well, f"list: {run.errors[-200:]}")
    body = b"<p>" + b"word " * (2**20 // 5)
    documents = folder / "B01.gz"
    head = b"<DOC>\n<DOCNO>A</DOCNO>\n"
    documents.write_bytes(gzip.compress(head) + gzip.compress(b"word " * 2**18) * (size // 2**20))
    run = outcome.add(pagecut("index", "--trec", documents, "-o", folder / "index"))
    outcome.check(run.code == 1 and run.ended_well, f"TREC: {run.errors[-200:]}")
    outcome.tries += 2
    packed = {
        "gzip": gzip.compress(body * (size // 2**20), 1),
        "deflate": zlib.compress(body * (size // 2**20), 1),
    }
    if small:
        del packed["deflate"]
    for number, (coding, data) in enumerate(packed.items()):
        head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: {coding}\r\n\r\n"
        block = head.encode() + data
        record = warc_record("response", "https://a.example/", block, RESPONSE)
        archive = folder / f"coded{number}.warc.gz"
        good = response("https://good.example/", GOOD.encode())
        archive.write_bytes(gzip.compress(record, 1) + gzip.compress(good))
        _check_archive(outcome, archive, folder / f"o2{number}", f"{coding} in HTTP")
    for ending in (".zst",) if small else (".gz", ".zst"):
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
        record = warc_record(
            "response", "https://a.example/", head + zeros * (size // 2**20),
            RESPONSE,
        )  # fmt: skip
        archive = folder / f"member.warc{ending}"
        good = response("https://good.example/", GOOD.encode())
        archive.write_bytes(pack(record, ending) + pack(good, ending))
        _check_archive(outcome, archive, folder / f"o3{ending}", f"member {ending}")
    pages = folder / "pages"
    pages.mkdir()
    (pages / "good.html").write_text(GOOD)
    (pages / "picture.html").write_text('<p>x<img src="bomb.png">' + '<img src="bomb.png?2">')
    (pages / "bomb.png").write_bytes(_png(*(12_000, 12_000) if small else (30_000, 30_000)))
    (pages / "deep.html").write_text("<div>" * (100_000 if small else 500_000))
    many = 50_000 if small else 300_000
    (pages / "wide.html").write_text("<p " + " ".join(f"a{n}=1" for n in range(many)) + ">x")
    (pages / "cells.html").write_text("<table>" + "<tr><td>" * many)
    (pages / "large.html").write_bytes(b"x" * (33 * 2**20))
    outcome.tries += 6
    given = [pages / f"{name}.html" for name in ("deep", "wide", "cells", "large", "good")]
    for words in (["text"],) if small else (["segment"], ["images"], ["text"]):
        run = outcome.add(pagecut(words[0], *given))
        outcome.check(run.ended_well, f"{words[0]}: {run.code} {run.errors[-200:]}")
        kept = words[0] == "images" or KEPT in run.output
        outcome.check(kept, f"{words[0]} lost the good page")
    shown = [pages / "picture.html", pages / "good.html"] if small else [pages]
    run = outcome.add(
        pagecut(
            "render", *shown, "-o", folder / "out", "--no-cache", "--timeout", "20", seconds=300
        )
    )  # fmt: skip
    outcome.check(run.ended_well, f"render: {run.code} {run.errors[-200:]}")
    outcome.check(any("good" in path.name for path in _snapshots(folder / "out")), "good page lost")
    return outcome


def _check_archive(outcome: Outcome, archive: Path, output: Path, name: str) -> None:
    outcome.tries += 1
    run = outcome.add(
        pagecut("run", archive, "--output", output, "--format", "jsonl", "--max-error-rate", "1")
    )
    outcome.check(run.ended_well, f"{name}: {run.code} {run.errors[-200:]}")
    rows = b"".join(gzip.decompress(path.read_bytes()) for path in output.glob("pages/*.gz"))
    outcome.check(b"https://good.example/" in rows, f"{name}: the good page is lost")


def _snapshot_bombs(folder: Path, size: int, names: Iterable[str]) -> list[Path]:
    """A snapshot with one of its columns replaced by zeros without end, packed in each way."""
    base = folder / "base.snap"
    source = folder / "base.html"
    source.write_text(GOOD)
    pagecut("render", source, "-o", base, "--no-cache")
    found = []
    for name in names:
        path = folder / f"{name}.snap"
        with zipfile.ZipFile(base) as old, zipfile.ZipFile(path, "w", METHODS[name]) as new:
            members = old.namelist()
            for member in members:
                if member == members[-1]:
                    with new.open(member, "w", force_zip64=True) as file:
                        for _ in range(size // 2**20):
                            file.write(bytes(2**20))
                else:
                    new.writestr(member, old.read(member))
        found.append(path)
    return found


def _png(width: int, height: int) -> bytes:
    def chunk(name: bytes, body: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(name + body))
        return struct.pack(">I", len(body)) + name + body + check

    row = bytes(1 + 3 * width)
    packer = zlib.compressobj(1)
    data = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    start = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
    return start + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def archives(folder: Path, small: bool) -> Outcome:
    """Damaged archives in which the next record is hard to find."""
    outcome = Outcome("archives: damage that tires the reader")
    size = 300_000 if small else 12_000_000
    head = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 99999999\r\n\r\n"
    kinds = {
        "starts.warc.gz": b"\x1f\x8b\x08\x00",
        "names.warc.gz": b"\x1f\x8b\x08\x08\1\1\1\1\1\1",
        "frames.warc.zst": b"\x28\xb5\x2f\xfd\x04\x58\x84\xfe\x03",
        "lines.warc": b"WARC/1.0\r\nWARC-",
        "lies.warc": head,
        "lies.warc.gz": gzip.compress(head),
    }
    if small:
        kinds = {name: kinds[name] for name in ("starts.warc.gz", "lines.warc")}
    for number, (name, unit) in enumerate(kinds.items()):
        ending = Path(name).suffix if name.endswith((".gz", ".zst")) else ""
        good = response("https://good.example/", GOOD.encode())
        packed = pack(good, ending) if ending else good
        archive = folder / name
        unit_size = size // 8 if unit.startswith(b"WARC/1.0\r\nWARC-T") or "lies" in name else size
        archive.write_bytes(packed + unit * (unit_size // len(unit)) + packed)
        outcome.tries += 1
        run = outcome.add(
            pagecut(
                "run", archive, "--output", folder / f"out{number}", "--format", "jsonl",
                "--max-error-rate", "1", "--max-seconds", "5", seconds=400,
            )
        )  # fmt: skip
        outcome.check(run.ended_well, f"{name}: {run.code} {run.errors[-200:]}")
        rows = [
            json.loads(line)
            for path in (folder / f"out{number}").glob("pages/*.gz")
            for line in gzip.decompress(path.read_bytes()).splitlines()
        ]
        kept = sum(row["url"] == "https://good.example/" and not row["error"] for row in rows)
        outcome.check(kept >= 1, f"{name}: the good pages are lost")
    return outcome


@contextmanager
def _server(answer: Callable[[socket.socket], None]) -> Iterator[str]:
    """A server on the loopback; each connection gets a thread, which ends after 60 s at most."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        ended = threading.Event()
        listening.settimeout(0.1)

        def one(connection: socket.socket) -> None:
            connection.settimeout(60)
            with connection, suppress(OSError):
                answer(connection)

        def accept() -> None:
            while not ended.is_set():
                with suppress(TimeoutError):
                    connection, _ = listening.accept()
                    threading.Thread(target=one, args=(connection,), daemon=True).start()

        thread = threading.Thread(target=accept)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
        finally:
            ended.set()
            thread.join()


def _drip(data: bytes) -> Callable[[socket.socket], None]:
    def answer(connection: socket.socket) -> None:
        for byte in data[:120]:
            connection.sendall(bytes([byte]))
            time.sleep(0.5)

    return answer


def servers(folder: Path, small: bool) -> Outcome:
    """Servers that answer slowly, never, or without end."""
    outcome = Outcome("servers: slow, silent, endless")
    (folder / "good.html").write_text(GOOD)
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"

    def flood(connection: socket.socket) -> None:
        connection.sendall(head + b"\r\n")
        for _ in range(200):
            connection.sendall(bytes(2**20))

    answers = {
        "header": _drip(head + b"X: " + b"x" * 200),
        "body": _drip(head + b"\r\n" + b"x" * 200),
        "silence": lambda _connection: time.sleep(60),
        "flood": flood,
        "circle": lambda connection: connection.sendall(
            b"HTTP/1.1 302 Found\r\nLocation: /again\r\nConnection: close\r\n\r\n"
        ),
    }
    if small:
        answers = {"circle": answers["circle"]}  # the tests of sources have the slow ones
    environment = {"no_proxy": "*"}
    for name, answer in answers.items():
        with _server(answer) as address:
            outcome.tries += 1
            run = outcome.add(
                pagecut("text", address, folder / "good.html", seconds=60, **environment)
            )
            well = run.code == 1 and run.ended_well
            outcome.check(well, f"{name}: {run.code} {run.errors[-200:]}")
            outcome.check(KEPT in run.output, f"{name}: the good page is lost")
    return outcome


def memory(folder: Path, small: bool) -> Outcome:
    """Pages that make the browser large."""
    outcome = Outcome("memory: pages that make the browser large")
    # Slowly: where the system refuses it memory before the watch looks, the script ends instead.
    grow = (
        "<p>x<script>let a=[],t;for(;;){a.push(new Uint8Array(1<<22).fill(1));"
        "t=performance.now();while(performance.now()-t<20);}</script>"
    )
    layers = (
        "<style>p{will-change:transform;width:8000px;height:8000px;position:absolute;"
        "background:linear-gradient(red,blue)}</style>" + "<p>x</p>" * 400
    )
    strings = "<p>x<script>let s='x';for(;;){s+=s.slice(0,1<<24)+Math.random()}</script>"
    pages = {"grow": grow} if small else {
        "grow": grow, "layers": layers, "strings": strings,
        "frames": '<p>x<iframe srcdoc="<div style=will-change:transform;height:9000px>x">' * 200,
        "workers": "<p>x<script>for(let i=0;i<9;i++)new Worker(URL.createObjectURL(new Blob(["
        "'let a=[];for(;;)a.push(new Uint8Array(1<<20).fill(1))'])))</script>",
    }  # fmt: skip
    for name, html in pages.items():
        (folder / f"{name}.html").write_text(html)
    (folder / "good.html").write_text(GOOD)
    outcome.tries = len(pages)
    most = 400
    run = outcome.add(
        pagecut(
            "render", folder, "-o", folder / "out", "--no-cache", "--scripts", "--tabs", "1",
            "--timeout", "15", "--max-memory", str(most), seconds=400,
        )
    )  # fmt: skip
    outcome.check(run.ended_well, f"render: {run.code} {run.errors[-300:]}")
    outcome.check(f"more than {most} MiB" in run.errors, f"no limit was met: {run.errors[-300:]}")
    outcome.check(run.memory < 2.5 * most + 300, f"{run.memory:.0f} MiB with a limit of {most}")
    outcome.check(any("good" in path.name for path in _snapshots(folder / "out")), "good page lost")
    return outcome


def hears_interrupts() -> None:
    """A command in the background of a shell ignores SIGINT, and so do those that it starts."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def signals(folder: Path, small: bool) -> Outcome:
    """Commands that are ended in the middle: nothing runs on, and the next one cleans up."""
    outcome = Outcome("signals: ended in the middle")
    place = folder / "tmp"
    place.mkdir()
    endless = folder / "endless.html"
    endless.write_text("<p>x<script>for(;;);</script>")
    ends = [[signal.SIGTERM], [signal.SIGINT, signal.SIGINT], [signal.SIGKILL]]
    environment = os.environ | {"TMPDIR": str(place)}
    for numbers in ends[2:] if small else ends:
        outcome.tries += 1
        with subprocess.Popen(
            [sys.executable, "-m", "pagecut", "render", str(endless), "--scripts", "--no-cache",
             "-o", str(folder / "out")],
            env=environment, stderr=subprocess.DEVNULL,
            preexec_fn=hears_interrupts,
        ) as started:  # fmt: skip
            _wait(lambda: any(place.glob("pagecut-browser-*/profile/*")))
            for number in numbers:
                started.send_signal(number)
                time.sleep(0.3)
            outcome.check(_wait(lambda: started.poll() is not None), f"{numbers}: still runs")
            started.kill()
        outcome.check(_wait(lambda: not _browsers(place)), f"{numbers}: a browser is left")
    before = tempfile.tempdir
    try:
        tempfile.tempdir = str(place)
        with Renderer() as renderer:
            renderer.render(html_source(GOOD))
    finally:
        tempfile.tempdir = before
    outcome.check(not list(place.iterdir()), f"left: {[path.name for path in place.iterdir()]}")
    return outcome


def _wait(condition: Callable[[], object], seconds: float = 20) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return False


def _browsers(place: Path) -> list[str]:
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if f"={place}/".encode() in entry.read_bytes():
                found.append(entry.parent.name)
    return found


def crashes(folder: Path, small: bool) -> Outcome:
    """Random bytes and odd addresses, with a good page behind each."""
    outcome = Outcome("crashes: random bytes and odd addresses")
    draw = random.Random(7)
    odd = "///[x", "//[::1", "http://h:99999/", "\0", "\ud800", "data:", "http://" + "a" * 9000
    tags = (
        '<img src="{0}"><link rel=stylesheet href="{0}"><base href="{0}">'
        '<p style="background:url({0})">'
    )
    for number, address in enumerate(odd):
        text = f"<p>odd{tags.format(address)}"
        (folder / f"a{number}.html").write_bytes(text.encode("utf-8", "surrogatepass"))
    for number in range(5 if small else 200):
        (folder / f"b{number}.html").write_bytes(draw.randbytes(draw.randrange(5000)))
    (folder / "z.html").write_text(GOOD)
    pages = sorted(folder.glob("*.html"))
    outcome.tries = len(pages) - 1
    for words in ["segment"], ["text"], ["chunk"], ["images"], ["segment", "--with", "vips"]:
        if small and words != ["segment"]:
            continue
        run = outcome.add(pagecut(words[0], *pages, *words[1:], seconds=300))
        outcome.check(run.ended_well, f"{words}: {run.code} {run.errors[-200:]}")
        outcome.check(words[0] == "images" or KEPT in run.output, f"{words}: good page lost")
    return outcome


def terminals(folder: Path, small: bool) -> Outcome:
    """Escape sequences in pages and names, shown on a terminal."""
    outcome = Outcome("terminals: escape sequences")
    page = folder / "a\x1b]0;owned\x07.html"
    page.write_text("<h1>T\x1b[2J\x1b]52;c;eA==\x07</h1><p>\x9b31m word \x1bP$q\x1b\\</p>" * 5)
    for name in ("text", "nonsense") if small else ("text", "segment", "show", "chunk", "nonsense"):
        outcome.tries += 1
        ours, theirs = pty.openpty()
        with subprocess.Popen(
            [sys.executable, "-m", "pagecut", "text" if name == "nonsense" else name,
             str(page) + ("x" if name == "nonsense" else "")],
            stdout=theirs, stderr=theirs, env=os.environ | {"NO_COLOR": "1", "TERM": "dumb"},
        ):  # fmt: skip
            os.close(theirs)
            shown = b""
            with suppress(OSError):  # what reading says at the end
                while more := os.read(ours, 65536):
                    shown += more
            os.close(ours)
        text = shown.decode("utf-8", "replace")
        outcome.check(text, f"{name} shows nothing")
        bad = {each for each in text if each in "\x1b\x07\x9b\x90\x9d"}
        outcome.check(not bad, f"{name} sends {bad}")
    return outcome


ATTACKS: dict[str, Attack] = {
    each.__name__: each
    for each in (
        network, files, bombs, archives, servers, memory, signals, crashes, terminals,
    )
}  # fmt: skip


def run_attack(name: str, small: bool) -> Outcome:
    """One attack in a folder of its own, within the limits on time and memory."""
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        outcome = ATTACKS[name](Path(folder), small)
    most = MOST_SECONDS if name not in ("network", "crashes", "archives", "memory") else 900
    outcome.check(outcome.seconds < most, f"a command took {outcome.seconds:.0f} s")
    outcome.check(outcome.memory < MOST_MEMORY, f"a command took {outcome.memory:.0f} MiB")
    return outcome


def table(outcomes: list[Outcome], seconds: float) -> str:
    """What docs/security.md shows."""
    lines = [
        "| attack | tries | requests attempted | seen | longest command, s | most memory, MiB | |",
        "|---|---|---|---|---|---|---|",
    ]
    for each in outcomes:
        asked = f"{each.attempted} | {each.seen}" if each.attempted else "| "
        lines.append(
            f"| {each.name} | {each.tries} | {asked} | {each.seconds:.1f} | {each.memory:.0f} | "
            f"{'; '.join(each.failures) or 'withstood'} |"
        )
    lines.append("")
    lines.append(f"`make attack`: {seconds:.0f} s in all, on {os.cpu_count()} cores.")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(ATTACKS))
    parser.add_argument("--small", action="store_true", help="what the tests run")
    parser.add_argument("--write", type=Path, help="a file in which to renew the table")
    given = parser.parse_args()
    began = time.monotonic()
    outcomes = []
    for name in given.names or ATTACKS:
        outcome = run_attack(name, given.small)
        outcomes.append(outcome)
        state = "withstood" if not outcome.failures else "FAILED " + "; ".join(outcome.failures)
        cost = f"{outcome.seconds:.1f} s, {outcome.memory:.0f} MiB"
        print(f"{outcome.name}: {state} ({cost})", flush=True)
    text = table(outcomes, time.monotonic() - began)
    print(text)
    if given.write:
        page = given.write.read_text(encoding="utf-8")
        before, _, rest = page.partition(_BEGIN)
        after = rest.partition(_END)[2]
        given.write.write_text(f"{before}{_BEGIN}\n{text}\n{_END}{after}", encoding="utf-8")
    sys.exit(any(outcome.failures for outcome in outcomes))


if __name__ == "__main__":
    main()

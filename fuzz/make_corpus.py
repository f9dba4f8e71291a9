"""Write the corpus that fuzzing begins with: small inputs of each kind, in fuzz/corpus."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "experiments"), str(HERE.parent / "tests" / "parsing")]

from corpus_files import pack, response, warc_record  # noqa: E402
from targets import TARGETS  # noqa: E402
from test_walk import SOURCES  # noqa: E402

from pagecut.rendering.browser import View  # noqa: E402
from pagecut.rendering.cache import SavingRenderer  # noqa: E402
from pagecut.rendering.page_source import html_source  # noqa: E402
from pagecut.rendering.png import write_png  # noqa: E402
from pagecut.rendering.snapshot_file import pack_snapshot  # noqa: E402

URL, HTTP = "https://a.example/", "application/http"
JPEG = "ffd8ffe000104a46494600010100000100010000ffc000110801000200"
# Content that leaves its template when it is serialised, and marks itself as we mark templates.
FORGED = (
    b"<div><template shadowrootmode=open><svg><style><![CDATA[</style></svg></div>"
    b"<b data-shadow-tree=x>q</b>]]></style></svg></template></div>"
)
NUMBERS = {target.__name__: number for number, target in enumerate(TARGETS)}


def seeds() -> dict[str, bytes]:
    """Each seed by its name; its first byte says which target reads it."""
    import numpy as np

    pages = [source.replace("\\n", "\n").encode() for source in SOURCES]
    found: dict[str, bytes] = {}

    def add(target: str, name: str, data: bytes) -> None:
        found[f"{target}-{name}"] = bytes([NUMBERS[target]]) + data

    for number, page in enumerate(pages):
        target = ("html", "parsers", "methods")[number % 3]
        add(target, f"{number:02}", page)
    add("html", "forged", FORGED)
    for encoding in "utf-16", "cp932", "gb18030", "iso2022-jp", "cp1251":
        add(
            "encodings",
            encoding,
            f"<meta charset={encoding}><p>日本 Größe".encode(encoding, "ignore"),
        )
    record = response("https://example.org/", b"<p>word " * 5)
    for ending in "", ".gz", ".zst":
        add("archives", f"plain{ending}", pack(record, ending) if ending else record)
        lie = warc_record(
            "response", "https://a.example/", b"HTTP/1.1 200 OK\r\n\r\nx", "application/http", 999
        )
        add("archives", f"lie{ending}", (pack(lie, ending) if ending else lie) * 2)
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n"
    packed = gzip.compress(b"<p>x", mtime=0)
    body = chunked + b"%x\r\n%b\r\n0\r\n\r\n" % (len(packed), packed)
    add(
        "archives",
        "chunked",
        warc_record("response", URL, body, HTTP),
    )
    png = write_png(np.zeros((3, 4, 3), dtype=np.uint8))
    with SavingRenderer(View(screenshot=0.05), tabs=1) as renderer:
        saved = renderer.save(html_source("<h1>Title</h1><p>Text<img src=a.png>"))
    add("snapshots", "small", pack_snapshot(saved))
    add("pictures", "png", png)
    add("pictures", "gif", b"GIF89a\2\0\1\0")
    add(
        "pictures",
        "jpeg",
        bytes.fromhex(JPEG),
    )
    add(
        "pictures",
        "bomb",
        png[:16] + b"\0\0\x40\0" * 2 + png[24:],
    )
    for number, address in enumerate(
        (
            "http://a:b@[::1]:80/x?y#z",
            "//[x",
            "http://h:99999999/",
            "data:,x",
            "a\tb://c",
            "///[x]y",
        )
    ):
        add("addresses", str(number), address.encode())
    return found


def main() -> None:
    folder = HERE / "corpus"
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    for name, data in seeds().items():
        (folder / name).write_bytes(data)


if __name__ == "__main__":
    main()

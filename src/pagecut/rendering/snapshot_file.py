"""A rendered page as one file, to be used without a browser: a zip archive, `.snap`.

`page.json` says the format and how the page was rendered, `source.html` is what was laid out, each
optional column is a NumPy file, `screenshot.png` the picture if one was taken. The rows themselves
are not in it: reading parses the source again and checks that the rows are those of the columns.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pagecut.errors import FormatError, PagecutError
from pagecut.page import Page
from pagecut.page.nodes import LineBoxes
from pagecut.parsing.html import parse_html
from pagecut.parsing.limits import DEFAULT_LIMITS
from pagecut.rendering.browser import View
from pagecut.rendering.columns import replace_columns
from pagecut.rendering.png import png_size
from pagecut.temporary import written_whole

FORMAT: Final = "pagecut-snapshot/1"

_COLUMNS: Final[Mapping[str, tuple[str, int]]] = {  # dtype and width
    "box": ("<f4", 4),
    "visible": ("|b1", 0),
    "font_size": ("<f4", 0),
    "font_weight": ("<f4", 0),
    "color": ("|u1", 4),
    "background": ("|u1", 4),
    "border": ("<f4", 4),
}
_LINES: Final[Mapping[str, tuple[str, int]]] = {
    "node": ("<i4", 0),
    "start": ("<i4", 0),
    "end": ("<i4", 0),
    "box": ("<f4", 4),
}
_MOST_JSON: Final = 16 * 2**20
_MOST_COLUMN: Final = 256 * 2**20
_NPY_HEADER: Final = 1024  # at most
_MOST_PICTURE: Final = 512 * 2**20
_MOST_MEMBERS: Final = 64
_BROKEN: Final = (
    OSError,
    ValueError,  # JSON, Unicode and NumPy's header, too
    KeyError,
    TypeError,
    EOFError,
    RuntimeError,  # an encrypted member, a method that zipfile lacks, a deep nesting
    zipfile.BadZipFile,
    zlib.error,
)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SavedPage:
    """A rendered page with all that is needed to use it again.

    Args:
        html: what was laid out.
        address: the URL at which the browser loaded it.
        browser: its name and version.
        screenshot: a PNG of the whole page, `scale` pixels per CSS px; None if none was taken.
        loaded: URLs of the files that the page used; `missing`: of those that it did not get.
        resources: SHA-256 of the files that it used, for the cache; empty if nobody asked.
    """

    page: Page
    html: bytes | str
    view: View
    address: str = ""
    browser: str = ""
    screenshot: bytes | None = None
    scale: float = 0.0
    loaded: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    resources: Mapping[str, str] | None = None


def write_snapshot(saved: SavedPage, path: Path | str) -> None:
    """Write a rendered page to one file."""
    try:
        with written_whole(Path(path)) as part:
            part.write_bytes(pack_snapshot(saved))
    except OSError as error:
        raise FormatError(f"{path}: cannot be written: {error.strerror or error}") from error


def pack_snapshot(saved: SavedPage) -> bytes:
    """The bytes of a snapshot file; the same for the same page."""
    page, lines = saved.page, saved.page.line_boxes
    if lines is None or page.size is None:
        raise FormatError(f"{page!r} was not rendered: there is nothing to keep")
    about = {
        "format": FORMAT,
        "id": page.id,
        "url": page.url,
        "charset": page.charset,
        "text": isinstance(saved.html, str),
        "rows": _row_digest(page),
        "size": list(page.size),
        "lines": len(lines),
        "view": asdict(saved.view),
        "scale": saved.scale,
        "browser": saved.browser,
        "address": saved.address,
        "loaded": list(saved.loaded),
        "missing": list(saved.missing),
        "resources": dict(saved.resources) if saved.resources is not None else None,
    }
    html = saved.html.encode("utf-8", "replace") if isinstance(saved.html, str) else saved.html
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:

        def add(name: str, data: bytes, method: int = zipfile.ZIP_DEFLATED) -> None:
            # A fixed date, so that the same page is the same file.
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, method)

        add("page.json", json.dumps(about, ensure_ascii=False).encode("utf-8", "replace"))
        add("source.html", html)
        for name, (dtype, _) in _COLUMNS.items():
            add(f"{name}.npy", _npy(getattr(page.nodes, name), dtype))
        for name, (dtype, _) in _LINES.items():
            add(f"line_{name}.npy", _npy(getattr(lines, name), dtype))
        if saved.screenshot is not None:
            add("screenshot.png", saved.screenshot, zipfile.ZIP_STORED)
    return buffer.getvalue()


def read_snapshot(path: Path | str) -> SavedPage:
    """Read a snapshot file; FormatError says what is wrong with one."""
    try:
        with zipfile.ZipFile(path) as archive:
            return _read(archive, str(path))
    except PagecutError:
        raise
    except _BROKEN as error:
        reason = getattr(error, "strerror", None) or error
        raise FormatError(f"{path}: not a readable snapshot: {reason}") from error


def _read(archive: zipfile.ZipFile, name: str) -> SavedPage:
    if len(archive.infolist()) > _MOST_MEMBERS:
        raise FormatError(f"{name}: not a snapshot: it has {len(archive.infolist())} members")
    about: dict[str, Any] = json.loads(_member(archive, "page.json", _MOST_JSON, name))
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        found = about.get("format") if isinstance(about, dict) else None
        raise FormatError(f"{name}: its format is {found!r:.80}; this version reads {FORMAT}")
    data = _member(archive, "source.html", DEFAULT_LIMITS.size, name)
    html: bytes | str = data.decode("utf-8") if about["text"] else data
    page = parse_html(html, _text_or_none(about["url"]), _text_or_none(about["charset"]))
    if _row_digest(page) != about["rows"] or page.id != about["id"]:
        raise FormatError(
            f"{name}: this version of pagecut parses its source differently; render it again"
        )
    count = len(page)
    columns = {
        column: _array(archive, f"{column}.npy", dtype, count, width, name)
        for column, (dtype, width) in _COLUMNS.items()
    }
    lines = _line_boxes(archive, page, int(about["lines"]), name)
    width, height = (float(each) for each in about["size"])
    if not (0 <= width < math.inf and 0 <= height < math.inf):
        raise FormatError(f"{name}: the page's size is {width} by {height}")
    picture = None
    if "screenshot.png" in archive.namelist():
        picture = _member(archive, "screenshot.png", _MOST_PICTURE, name)
        png_size(picture, f"{name}: the screenshot")
    return SavedPage(
        page=replace(
            page,
            kind="rendered",
            nodes=replace_columns(page.nodes, **columns),
            line_boxes=lines,
            size=(width, height),
        ),
        html=html,
        view=View(**about["view"]),
        address=str(about["address"]),
        browser=str(about["browser"]),
        screenshot=picture,
        scale=float(about["scale"]),
        loaded=tuple(map(str, about["loaded"])),
        missing=tuple(map(str, about["missing"])),
        resources=_digests(about["resources"]),
    )


def _line_boxes(archive: zipfile.ZipFile, page: Page, count: int, name: str) -> LineBoxes:
    columns = {
        column: _array(archive, f"line_{column}.npy", dtype, count, width, name)
        for column, (dtype, width) in _LINES.items()
    }
    node, start, end = columns["node"], columns["start"], columns["end"]
    if count:
        if node.min() < 0 or node.max() >= len(page):
            raise FormatError(f"{name}: a line is of a row that the page does not have")
        inside = (page.nodes.start[node] <= start) & (start <= end) & (end <= page.nodes.end[node])
        if not inside.all():
            raise FormatError(f"{name}: a line lies outside of its row's text")
    return LineBoxes(**columns)


def _member(archive: zipfile.ZipFile, member: str, most: int, name: str) -> bytes:
    """A member's bytes; what unpacks to more than it may is refused before it is unpacked.

    zipfile gives no more than the stated size, but it unpacks bzip2 and LZMA in one go, however
    much they hold.
    """
    info = archive.getinfo(member)
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise FormatError(f"{name}: {member} is neither stored nor deflated")
    if info.file_size > most:
        raise FormatError(f"{name}: {member} has more than the limit of {most:,} bytes")
    with archive.open(info) as file:
        return file.read(most)


def _npy(values: NDArray[Any], dtype: str) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(
        buffer, np.ascontiguousarray(values, dtype=dtype), version=(1, 0), allow_pickle=False
    )
    return buffer.getvalue()


def _array(
    archive: zipfile.ZipFile, member: str, dtype: str, count: int, width: int, name: str
) -> NDArray[Any]:
    """A column; its type and shape must be those that the format and the page say."""
    wanted = (count, width) if width else (count,)
    size = math.prod(wanted) * np.dtype(dtype).itemsize + _NPY_HEADER
    file = io.BytesIO(_member(archive, member, min(max(size, 0), _MOST_COLUMN), name))
    version = np.lib.format.read_magic(file)
    if version != (1, 0):
        raise FormatError(f"{name}: {member} is a NumPy file of version {version}, not 1.0")
    shape, fortran, kind = np.lib.format.read_array_header_1_0(file, max_header_size=1000)
    if shape != wanted or fortran or kind != np.dtype(dtype):
        raise FormatError(f"{name}: {member} has the shape {shape} and type {kind}, not {wanted}")
    data = file.read()
    if len(data) != math.prod(wanted) * kind.itemsize:
        raise FormatError(f"{name}: {member} is cut off")
    values = np.frombuffer(data, dtype=kind).reshape(wanted)
    if kind.kind == "f" and not np.isfinite(values).all():
        raise FormatError(f"{name}: {member} has values that are not numbers")
    if kind.kind == "b" and np.frombuffer(data, dtype=np.uint8).max(initial=0) > 1:
        raise FormatError(f"{name}: {member} has values other than true and false")
    return values.astype(kind.newbyteorder("="))


def _row_digest(page: Page) -> str:
    """Of what the columns depend on: the rows, their tree and their ranges of the text."""
    nodes = page.nodes
    digest = hashlib.sha256()
    for column in nodes.kind, nodes.parent, nodes.start, nodes.end:
        digest.update(column.astype(column.dtype.newbyteorder("<")).tobytes())
    digest.update(page.text.encode("utf-8", "replace"))
    return digest.hexdigest()


def _text_or_none(value: object) -> str | None:
    return None if value is None else str(value)


def _digests(value: object) -> dict[str, str] | None:
    if not isinstance(value, dict):
        return None
    return {str(url): str(digest) for url, digest in value.items()}

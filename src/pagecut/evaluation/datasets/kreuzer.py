"""Kreuzer's repositories `dataset-popular` and `dataset-random`, as they are.

A folder per site, made with wget; among its files `NAME.blocks.html` with the marks. Beside them
lie `NAME.html.orig`, `NAME.html` and `NAME.dom.html`, without marks; they are not read. In
`mapping.txt` lines `"URL" : "/opt/dataset-popular/site/…/NAME.html",` give the URLs.

Kreuzer, Hage & Feelders, "A Quantitative Comparison of Semantic Web Page Segmentation Approaches",
ICWE 2015.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Final

from pagecut.evaluation.datasets.marks import MARKED, Problem
from pagecut.evaluation.datasets.pages import DatasetPage, read_bytes, read_text

_MAPPING: Final = "mapping.txt"
_PAIR = re.compile(r'"([^"\n]+)"\s*:\s*"([^"\n]+)"')
_MARK = re.compile(rb"\sdata-block\s*=", re.IGNORECASE)


def is_kreuzer(folder: Path) -> bool:
    """Whether any saved page below the folder has marks."""
    return bool(_marked_files(folder, first=True))


def list_kreuzer(folder: Path) -> tuple[list[DatasetPage], list[Problem]]:
    """Every page with marks below the folder; a page is called by its site where it has one."""
    files = _marked_files(folder)
    relative = [file.relative_to(folder) for file in files]
    sites = Counter(path.parts[0] for path in relative)
    urls = _urls(folder)
    pages = []
    for file, path in zip(files, relative, strict=True):
        plain = _plain(path.as_posix())
        site = path.parts[0]
        alone = sites[site] == 1 and len(path.parts) > 1
        pages.append(
            DatasetPage(
                id=site if alone else plain.removesuffix(".html").removesuffix(".htm"),
                group=folder.resolve().name,
                url=urls.get(plain),
                html=file,
            )
        )
    return pages, []


def _marked_files(folder: Path, *, first: bool = False) -> Sequence[Path]:
    """`*.blocks.html`; where there are none, whatever HTML has marks in it."""
    found = folder.rglob(f"*{MARKED}")
    if first and (one := next(found, None)):
        return [one]
    if files := sorted(found):
        return files
    marked = []
    for file in sorted([*folder.rglob("*.html"), *folder.rglob("*.htm")]):
        if file.is_file() and _MARK.search(read_bytes(file, file.name)):
            marked.append(file)
            if first:
                break
    return marked


def _plain(name: str) -> str:
    return name.removesuffix(MARKED) + ".html" if name.endswith(MARKED) else name


def _urls(folder: Path) -> dict[str, str]:
    """URLs by the path of the unmarked file, from the site's folder on."""
    path = folder / _MAPPING
    if not path.exists():
        return {}
    urls: dict[str, str] = {}
    for url, name in _PAIR.findall(read_text(path)):
        parts = PurePosixPath(name).parts
        for first in range(len(parts)):  # how long the constant beginning is, nobody says
            urls.setdefault("/".join(parts[first:]), url)
    return urls

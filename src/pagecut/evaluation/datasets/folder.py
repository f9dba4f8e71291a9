"""Our own layout: a folder with `pages.json`, saved pages with marks, image-context files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

from pagecut.evaluation.datasets.pages import DatasetPage
from pagecut.evaluation.datasets.problems import Problem
from pagecut.results.json_files import read_json

LISTING: Final = "pages.json"


def is_own(folder: Path) -> bool:
    """Whether the folder has a list of pages."""
    return (folder / LISTING).exists()


def list_own(folder: Path) -> tuple[list[DatasetPage], list[Problem]]:
    """The pages of a list, and what is wrong with it."""
    path = folder / LISTING
    listing = read_json(path)
    if not isinstance(listing, list):
        return [], [Problem(file=path, message="must be a list of pages")]
    pages: list[DatasetPage] = []
    problems = []
    seen: set[str] = set()
    for number, entry in enumerate(listing):
        if message := _wrong(entry, folder, seen):
            problems.append(Problem(file=path, message=f"entry {number} {message}"))
            continue
        context = entry.get("image_context")
        seen.add(str(entry["id"]))
        pages.append(
            DatasetPage(
                id=str(entry["id"]),
                group=str(entry.get("dataset", "")),
                url=entry.get("url"),
                html=folder / entry["html"],
                image_context=folder / context if context else None,
            )
        )
    return pages, problems


def _wrong(entry: Any, folder: Path, seen: set[str]) -> str | None:
    """What is wrong with an entry."""
    match entry:
        case {"id": str() | int(), "html": str()}:
            pass
        case _:
            return f"must have id and html, got {entry!r:.200}"
    for name in "html", "image_context":
        value = entry.get(name)
        if value is not None and not _is_inside(folder, value):
            return f"must have in {name} a path inside the folder, got {value!r:.200}"
    for name in "url", "dataset":
        if not isinstance(entry.get(name), str | None):
            return f"must have in {name} a text, got {entry[name]!r:.200}"
    if str(entry["id"]) in seen:
        return f"has the id {entry['id']!r}, as another one before it"
    return None


def _is_inside(folder: Path, value: object) -> bool:
    """Whether a path stays in the folder, as it is written; links may lead elsewhere."""
    if not isinstance(value, str) or "\0" in value:
        return False
    return Path(os.path.abspath(folder / value)).is_relative_to(os.path.abspath(folder))

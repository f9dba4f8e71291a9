"""Where annotations are stored: one file per page and annotator, never half written.

Every save replaces the file in one step. The last save wins; if another program has changed the
file since it was read, its content is kept beside it, and the save returns a warning.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from pagecut.annotation.marks import Annotation, from_json, to_json
from pagecut.errors import FormatError
from pagecut.page import Page
from pagecut.results.json_files import read_json
from pagecut.temporary import written_whole

_UNFIT = re.compile(r"[^\w.-]+")
_LONGEST: Final = 60
_ID: Final = 8  # digits of a page's id in the names of files
_ANNOTATOR = re.compile(r"[\w-]{1,40}")


class AnnotationFolder:
    """The annotations of one person.

    Args:
        annotator: letters, digits, _ and -: it is part of the files' names.
    """

    def __init__(self, folder: Path, annotator: str) -> None:
        if not _ANNOTATOR.fullmatch(annotator):
            raise FormatError(
                f"the annotator's name {annotator!r} must be letters, digits, _ or -, at most 40"
            )
        self.folder = folder
        self.annotator = annotator

    def path(self, page: Page, name: str) -> Path:
        """The file of a page."""
        return self.folder / f"{_stem(name)}-{page.id[:_ID]}.{self.annotator}.json"

    def likely(self, names: Sequence[str]) -> list[int]:
        """The positions of the pages that may be annotated, by their names alone: to tell it for
        sure, a page must be read, which may take long."""
        ending = f".{self.annotator}.json"
        stems = {each.name[: -len(ending) - _ID - 1] for each in self.folder.glob(f"*{ending}")}
        return [at for at, name in enumerate(names) if _stem(name) in stems]

    def read(self, page: Page, name: str) -> Annotation:
        """What is kept of a page; an empty annotation if nothing is."""
        path = self.path(page, name)
        if not path.exists():
            return Annotation(page=page.id, name=name, annotator=self.annotator, url=page.url)
        return from_json(read_json(path), page, str(path))

    def has(self, page: Page, name: str) -> bool:
        return self.path(page, name).exists()

    def save(self, annotation: Annotation, page: Page) -> tuple[Annotation, str | None]:
        """Write an annotation; it, with its new revision, and a warning if another was replaced.

        The revision must be the one that was read: so it is known whether the file has changed.
        """
        path = self.path(page, annotation.name)
        warning = None
        found = _revision(path)
        if found > annotation.revision:
            kept = path.with_name(f"{path.stem}.replaced-{found}.json")
            os.replace(path, kept)
            warning = (
                f"another program saved this page meanwhile; yours has won, the other is kept in "
                f"{kept.name}"
            )
        saved = replace(annotation, revision=max(found, annotation.revision) + 1)
        write_whole(path, json.dumps(to_json(saved), ensure_ascii=False, indent=1) + "\n")
        return saved, warning


def _stem(name: str) -> str:
    """The part of a file's name that is made of a page's name."""
    return _UNFIT.sub("-", Path(name).name).strip("-.")[:_LONGEST] or "page"


def write_whole(path: Path, text: str) -> None:
    """Write a file so that whoever reads it finds the old or the new one, never a part."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(path) as part, part.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise FormatError(f"{path}: cannot be written: {error.strerror}") from error


def _revision(path: Path) -> int:
    """The revision in a file; 0 if there is none, or none that can be read."""
    if not path.exists():
        return 0
    try:
        value = read_json(path)
    except FormatError:
        return 0
    found = value.get("revision") if isinstance(value, dict) else None
    return found if type(found) is int else 0

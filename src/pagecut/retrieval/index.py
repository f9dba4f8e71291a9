"""An index of blocks and pages on disk: made, added to, rebuilt, opened.

A folder with `index.json` and shards. Pages that are added later are a new shard. All shards are
searched as one, with the idf of all of them; the mean length of texts is each shard's own until a
rebuild makes one shard of them.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from pagecut.errors import FormatError
from pagecut.retrieval.blocks import BlockPage
from pagecut.retrieval.bm25 import Bm25, weighting
from pagecut.retrieval.shard import Shard, ShardWriter, Unit
from pagecut.retrieval.terms import STEMMINGS, Stemming

DESCRIPTION: Final = "index.json"
FORMAT: Final = "pagecut-index"
VERSION: Final = 1
BLOCKS_PER_SHARD: Final = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """What an index is made of.

    Args:
        made_by: spec of the segmenter, or where its blocks come from.
        shards: names of their folders.
    """

    made_by: str
    weights: Bm25
    stemming: Stemming
    shards: tuple[str, ...] = ()

    def write(self, folder: Path) -> None:
        """Write the description, as a whole or not at all."""
        values = {
            "format": FORMAT,
            "version": VERSION,
            "made_by": self.made_by,
            "weights": self.weights.full_spec,
            "stemming": self.stemming,
            "shards": list(self.shards),
        }
        temporary = folder / f"{DESCRIPTION}.new"
        temporary.write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8")
        os.replace(temporary, folder / DESCRIPTION)


def read_description(folder: Path) -> Description:
    """The description of an index, or an error that says why it is not one."""
    path = folder / DESCRIPTION
    try:
        values: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if values["format"] != FORMAT:
            raise ValueError(f"its format is {values['format']!r}")
        if values["version"] != VERSION:
            raise ValueError(
                f"it was made by another version of pagecut (format {values['version']}, this one "
                f"reads {VERSION}); index the pages again"
            )
        if values["stemming"] not in STEMMINGS:
            raise ValueError(f"unknown stemming {values['stemming']!r}")
        return Description(
            made_by=str(values["made_by"]),
            weights=weighting(values["weights"]),
            stemming=values["stemming"],
            shards=tuple(map(str, values["shards"])),
        )
    except FileNotFoundError as error:
        there = "a folder without index.json" if folder.is_dir() else "no such folder"
        raise FormatError(
            f"{folder}: not an index, {there}; `pagecut index PAGES -o {folder}` makes one"
        ) from error
    except NotADirectoryError as error:
        raise FormatError(f"{folder}: not an index: a file") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        reason = f"has no {error}" if isinstance(error, KeyError) else str(error)
        raise FormatError(f"{path}: not an index of pagecut: {reason}") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What was added to an index."""

    pages: int
    blocks: int
    empty: int  # pages without text


def create_index(
    folder: Path,
    pages: Iterable[BlockPage],
    *,
    made_by: str,
    weights: Bm25 | None = None,
    stemming: Stemming = "s",
) -> Added:
    """Make an index of pages in a new folder."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FormatError(f"{folder}: exists already; add pages to an index with --add")
    folder.mkdir(parents=True, exist_ok=True)
    description = Description(made_by=made_by, weights=weights or Bm25(), stemming=stemming)
    try:
        return _write_shards(folder, description, pages, set())
    finally:
        if not any(folder.iterdir()):
            folder.rmdir()  # nothing was indexed, so that the name is free again


def add_pages(folder: Path, pages: Iterable[BlockPage], *, made_by: str) -> Added:
    """Add pages to an index, as a new shard."""
    description = read_description(folder)
    if made_by != description.made_by:
        raise FormatError(
            f"{folder}: its blocks are by {description.made_by}, and these by {made_by}; "
            f"use --with {description.made_by!r}"
        )
    index = Index(folder)
    return _write_shards(folder, description, pages, set(index.page_names()))


def rebuild_index(folder: Path) -> None:
    """Make one shard of all, with common statistics."""
    index = Index(folder)
    description = index.description
    writer = ShardWriter(description.stemming)
    for shard in index.shards:
        shard.copy_to(writer)
    shards = _finish(folder, writer, description, ())
    replace(description, shards=shards).write(folder)
    for name in description.shards:
        shutil.rmtree(folder / name)


def _write_shards(
    folder: Path, description: Description, pages: Iterable[BlockPage], names: set[str]
) -> Added:
    shards = description.shards
    counts = {"pages": 0, "blocks": 0, "empty": 0}
    writer = ShardWriter(description.stemming)
    for page in pages:
        if page.name in names:
            raise FormatError(f"{folder}: the page {page.name} is in the index already")
        names.add(page.name)
        writer.add(page)
        counts["pages"] += 1
        counts["blocks"] += len(page.blocks)
        counts["empty"] += not page.blocks
        if len(writer) >= BLOCKS_PER_SHARD:
            shards = _finish(folder, writer, description, shards)
            writer = ShardWriter(description.stemming)
    if writer.vocabulary:
        shards = _finish(folder, writer, description, shards)
    if shards == description.shards:
        raise FormatError(f"{folder}: nothing to index, no page has any text")
    replace(description, shards=shards).write(folder)
    return Added(**counts)


def _finish(
    folder: Path, writer: ShardWriter, description: Description, shards: tuple[str, ...]
) -> tuple[str, ...]:
    """Write a shard under a name that is free; what an interrupted run left is removed."""
    number = 1 + max(
        (int(name.rpartition("-")[2]) for name in description.shards + shards), default=0
    )
    name = f"shard-{number:04}"
    temporary = folder / f"{name}.new"
    for leftover in temporary, folder / name:
        shutil.rmtree(leftover, ignore_errors=True)
    writer.write(temporary, description.weights)
    os.replace(temporary, folder / name)
    return (*shards, name)


class Index:
    """An index, opened for searching; only what a query needs is read from disk."""

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        self.description = read_description(self.folder)
        try:
            self.shards = [Shard(self.folder / name) for name in self.description.shards]
        except (OSError, ValueError, EOFError) as error:
            raise FormatError(
                f"{self.folder}: the index is damaged ({error}); make it again"
            ) from error
        self._rarities: dict[tuple[Unit, str], float] = {}

    @property
    def weights(self) -> Bm25:
        return self.description.weights

    def count(self, unit: Unit) -> int:
        """How many blocks or pages there are."""
        return sum(shard.count(unit) for shard in self.shards)

    def page_names(self) -> Iterable[str]:
        return (name for shard in self.shards for name in shard.names)

    def texts_with(self, unit: Unit, term: str) -> int:
        """How many blocks or pages have a term."""
        return sum(shard.texts_with(unit, term) for shard in self.shards)

    def occurrences_of(self, term: str) -> int:
        """How often a term occurs in all."""
        return sum(shard.occurrences_of(term) for shard in self.shards)

    def rarity(self, unit: Unit, term: str) -> float:
        """The idf of a term over all shards."""
        key = unit, term
        if key not in self._rarities:
            found = self.texts_with(unit, term)
            self._rarities[key] = self.weights.rarity(self.count(unit), found)
        return self._rarities[key]

"""What the folder of a run says of it: settings, columns, and how its inputs become shards.

A run goes on only in a folder of the same run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pagecut._version import __version__
from pagecut.corpus.engines.local import usable_cores
from pagecut.corpus.inputs import Input
from pagecut.corpus.options import RunOptions
from pagecut.corpus.output.dataset_card import CARD_FILE, dataset_card
from pagecut.corpus.output.folder import LOCK, WRITING, OutputFolder
from pagecut.corpus.output.shards import INDEX, marked_shards, shard_of_file
from pagecut.corpus.output.tables import VERSION, column_types, table_names
from pagecut.corpus.planning import groups_of, shard_bytes_for
from pagecut.corpus.settings import RunSettings
from pagecut.errors import FormatError

RUN_FILE: Final = "_run.json"
RANKS: Final = "_ranks"  # inputs that failed, of each who shares the folder


def check_is_free(folder: OutputFolder, options: RunOptions) -> None:
    """Refuse a folder with other things in it, and one with a run unless that is to go on."""
    folder.check_is_folder()
    # Listed before the run's file is read: another rank writes that first, and perhaps just now.
    others = [name for name in folder.names("") if not name.startswith((LOCK, WRITING))]
    if folder.read_json(RUN_FILE) is not None:
        if not options.resume and not options.redo and options.world_size == 1:
            raise FormatError(
                f"{folder.path}: holds a run already; --resume goes on with it; for a new run give "
                "another folder, or delete this one"
            )
    elif others:
        raise FormatError(f"{folder.path}: is not empty, and not of a run; give a new folder")


def plan_layout(
    folder: OutputFolder, settings: RunSettings, options: RunOptions, inputs: Sequence[Input]
) -> dict[str, Any]:
    """What the folder says of its run, or is to say; other runs are refused."""
    wanted = {
        "schema": VERSION,
        "pagecut": __version__,
        "format": options.format,
        "index": options.index,
        "settings": settings.to_json(),
        "digest": settings.digest,
        "columns": {name: column_types(name, settings) for name in _tables(settings)},
    }
    workers = (options.workers or usable_cores()) * options.world_size
    found = folder.read_json(RUN_FILE)
    layout = found or dict(wanted)
    if found is not None:
        _check_same_run(folder, found, wanted)
        layout |= {name: wanted[name] for name in ("schema", "pagecut", "columns")}
    else:
        # A limit holds for an input, not for each part of it.
        layout["shard_bytes"] = (
            0 if settings.limit else options.shard_bytes or shard_bytes_for(inputs, workers)
        )
        layout["groups"] = {}
    for source in inputs:
        if not source.path and source.name not in layout["groups"]:
            layout["groups"][source.name] = (
                1 if settings.limit else groups_of(source, layout["shard_bytes"], workers)
            )
    return layout


def prepare_output(
    folder: OutputFolder, settings: RunSettings, options: RunOptions, layout: dict[str, Any]
) -> None:
    """Write what the folder says of its run, and remove what a killed one left there."""
    folder.write_json(RUN_FILE, layout)
    if not folder.exists(CARD_FILE):  # somebody may have written more into it since
        with folder.creating(CARD_FILE) as file:
            file.write(dataset_card(settings, options.format).encode())
    if options.world_size == 1:
        _clean(folder, settings)
    else:
        folder.remove(f"{WRITING}/{folder.writer}")


def _tables(settings: RunSettings) -> tuple[str, ...]:
    return ("pages", *table_names(settings))


def _check_same_run(folder: OutputFolder, found: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Refuse other settings; columns may have come since, but none may have gone or changed."""
    if "columns" not in found:
        raise FormatError(
            f"{folder.path}: holds a run of an older version of pagecut, which this one cannot go "
            "on with; give a new folder"
        )
    parts = []
    if any(found.get(name, False) != wanted[name] for name in ("format", "index", "digest")):
        parts = _differences(found, wanted)
    if not parts:  # other options have other columns, which would only hide them
        for table, columns in found["columns"].items():
            now = wanted["columns"].get(table, {})
            parts += [
                f"{table}.{column} {kind!r}, now {now.get(column)!r}"
                for column, kind in columns.items()
                if now.get(column) != kind
            ]
    if parts:
        raise FormatError(
            f"{folder.path}: holds a run with other settings ({'; '.join(parts)}); "
            "give the same options or a new folder"
        )


def _differences(found: dict[str, Any], wanted: dict[str, Any]) -> list[str]:
    old, new = found["settings"], wanted["settings"]
    names = sorted({*old, *new})
    parts = [
        f"{name} {old.get(name)!r}, now {new.get(name)!r}"
        for name in names
        if old.get(name) != new.get(name)
    ]
    for name in "format", "index":  # older runs have no index
        if (was := found.get(name, False)) != wanted[name]:
            parts.append(f"{name} {was!r}, now {wanted[name]!r}")
    return parts


def _clean(folder: OutputFolder, settings: RunSettings) -> None:
    """Remove what a killed run left: files aside, and those of shards without a marker."""
    folder.remove(WRITING)
    folder.remove(RANKS)
    complete = marked_shards(folder)
    for table in (*_tables(settings), INDEX):
        for name in folder.names(table):
            if shard_of_file(name) not in complete:
                folder.remove(f"{table}/{name}")

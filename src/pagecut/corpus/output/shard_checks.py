"""Whether the shards of a folder are whole, and still those of the inputs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Final

from pagecut.corpus.files import InputFile, archive_identity, certain_size
from pagecut.corpus.output.folder import OutputFolder
from pagecut.corpus.output.shards import ShardTask, Statistics
from pagecut.errors import FormatError

_AT_ONCE: Final = 32  # files that are looked at

Done = Mapping[str, Statistics]  # what the markers say, by shard


def damaged_shards(folder: OutputFolder, shards: Iterable[str], done: Done) -> dict[str, str]:
    """Shards that are not as their markers say, and how so."""
    found: dict[str, str] = {}
    tables = {table for marker in done.values() for table in marker["tables"]}
    sizes = {table: folder.sizes(table) for table in tables}
    for name in sorted(shards):
        if name not in done:
            found[name] = "its marker cannot be read"
            continue
        for table, files in done[name]["tables"].items():
            for file in files:
                size = sizes[table].get(file["name"], -1)
                if size is not None and size != file["bytes"]:
                    how = "is gone" if size < 0 else f"has {size:,} bytes, not {file['bytes']:,}"
                    found[name] = f"{table}/{file['name']} {how}"
    return found


def changed_inputs(tasks: Sequence[ShardTask], done: Done) -> dict[str, str]:
    """Inputs whose files are no longer those that their shards were made of, and how so."""
    made = [(task, done[task.name]) for task in tasks if task.name in done]
    checked: dict[str, list[tuple[ShardTask, int, str]]] = {}
    for task, marker in made:
        for _, path, size in marker["files"]:
            now = path if task.source.files else task.source.path
            identity = "" if task.source.files else marker["identity"]
            checked.setdefault(now, []).append((task, size, identity))
    found: dict[str, str] = {}
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        seen = pool.map(lambda item: _look_at(item[0], item[1][0][2]), checked.items())
        for (path, uses), (size, identity) in zip(checked.items(), seen, strict=True):
            for task, old_size, old_identity in uses:
                if size is None:
                    how = "is gone"
                elif size and old_size and size != old_size:
                    how = f"has {size:,} bytes instead of {old_size:,}"
                elif identity and old_identity and identity != old_identity:
                    how = "is another archive of the same size"
                else:
                    continue
                names = " ".join(f"--redo {each.name}" for each, *_ in uses)
                found[task.source.name] = (
                    f"{path}: {how} since its shards were made; make them anew: {names}"
                )
    return found


def other_indexes(tasks: Sequence[ShardTask], done: Done) -> dict[str, str]:
    """Indexes that share a name with one of other records, whose rows they would replace."""
    shards: dict[str, list[str]] = {}
    for task in tasks:
        marker = done.get(task.name)
        if task.source.records and marker is not None and not task.made(marker):
            shards.setdefault(ungrouped(task), []).append(task.name)
    return {
        name: f"{name}: names other records than the index of the same name that the shards "
        f"{', '.join(made)} were made of; give it another name, or make them anew of it: "
        + " ".join(f"--redo {each}" for each in made)
        for name, made in shards.items()
    }


def bad_seams(
    tasks: Sequence[ShardTask], done: Done, failed: Collection[str]
) -> Iterator[tuple[ShardTask, int]]:
    """Parts of archives that do not begin where the part before them ended, and where that is.

    What looks like a record in the middle of one may mislead a part that has to look for its first.

    Args:
        failed: archives that are left out.
    """
    wrong: set[str] = set()
    for before, task in pairwise(tasks):
        if task.source.part <= 1 or before.name in wrong or task.source.name in failed:
            continue
        one, two = done.get(before.name), done.get(task.name)
        if one and two and one["reached"] != two["begun"]:
            wrong.add(task.name)
            yield task, one["reached"]


def ungrouped(task: ShardTask) -> str:
    """The name of the input that a group of its records belongs to."""
    return task.source.name.rpartition("-")[0]


def _look_at(path: str, identity: str) -> tuple[int | None, str]:
    """The size of a file, None if it is gone, 0 if that is not known; of an archive, its identity.

    Args:
        identity: what it was, if it is an archive.
    """
    try:
        if not identity:
            return certain_size(path), ""
        with InputFile(path) as file:
            return file.seek(0, 2), archive_identity(file)
    except FormatError as error:
        gone = isinstance(error.__cause__, FileNotFoundError)
        return (None if gone else 0), ""  # reading it will tell

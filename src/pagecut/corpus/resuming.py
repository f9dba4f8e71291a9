"""Which shards a resumed run need not make again, and what must not be added to its folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from pagecut.corpus.inputs import is_remote
from pagecut.corpus.output_folder import OutputFolder
from pagecut.corpus.shards import MARKERS, ShardTask, Statistics
from pagecut.errors import FormatError

REMEDY: Final = "give a new folder"


def completed(
    folder: OutputFolder, tasks: Sequence[ShardTask]
) -> tuple[list[Statistics], list[Statistics]]:
    """The statistics of these tasks' shards that are complete, and those of other inputs' shards.

    Raises FormatError where an input has the name of another one that the folder holds: rows of
    both would have the same keys, or the new ones would replace the old.
    """
    markers = {task.name: folder.read_json(f"{MARKERS}/{task.name}.json") for task in tasks}
    names = sorted(set(folder.names(MARKERS)) - {f"{name}.json" for name in markers})
    others = [found for name in names if (found := folder.read_json(f"{MARKERS}/{name}"))]
    held = {name: each["shard"] for each in others for name in each.get("files", ())}
    for task in tasks:
        marker = markers[task.name]
        if marker is not None:
            _check_same(task, marker, folder)
        for name, path in task.source.files:
            if name in held:
                raise FormatError(
                    f"{path}: {folder.path} holds another page with the name {name} "
                    f"(shard {held[name]}); {REMEDY}, or give the folder above both to a new run"
                )
    finished = [markers[task.name] for task in tasks if task.made(markers[task.name])]
    return finished, others


def _check_same(task: ShardTask, marker: Statistics, folder: OutputFolder) -> None:
    """Refuse an archive that is not the one of the shard, and a shard that would lose pages."""
    source = task.source
    if source.path and not is_remote(source.path):
        size, old = Path(source.path).stat().st_size, marker.get("bytes")
        if old and size != old:
            raise FormatError(
                f"{source.path}: {folder.path} holds an archive of the same name with "
                f"{old:,} bytes, this one has {size:,}; {REMEDY}"
            )
    lost = sorted(set(marker.get("files", ())) - {name for name, _ in source.files})
    if lost:
        more = f" and {len(lost) - 1:,} more pages" if len(lost) > 1 else ""
        raise FormatError(
            f"{folder.path}: the shard {task.name} holds {lost[0]}{more}, not given now, which "
            f"would be lost; give all pages, or {REMEDY}"
        )

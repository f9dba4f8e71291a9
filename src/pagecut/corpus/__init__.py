"""Corpus runs: archives in, tables out, nothing lost.

`run` leads through it: inputs are planned (`inputs`, `planning`), an engine (`engines`) has a
worker (`workers`) read each of them (`archives`) and make rows of its records
(`record_processing`), which become the shards of a folder (`output`).
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pagecut.corpus.settings import RunSettings
    from pagecut.corpus.workers.supervisor import Counts, segment_warc

__all__ = ["Counts", "RunSettings", "segment_warc"]

# Imported when first used: `pagecut.process` needs no Arrow.
_HOMES = {
    "RunSettings": "settings",
    "Counts": "workers.supervisor",
    "segment_warc": "workers.supervisor",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'pagecut.corpus' has no attribute {name!r}")
    return getattr(import_module(f"pagecut.corpus.{_HOMES[name]}"), name)

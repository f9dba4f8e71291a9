"""The options of a corpus run: how it is made. None of them changes a row."""

from __future__ import annotations

from dataclasses import dataclass

from pagecut.corpus.output.shards import ROW_GROUP_BYTES, FileFormat


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """How a run is made; nothing of it changes a row.

    Args:
        engine: one of `ENGINES`.
        workers: processes on this machine, or what the engine makes of it; None for its own choice.
        resume: skip the shards that a run with the same settings has completed.
        redo: shards that are made anew, by their names.
        rank, world_size: of several runs that share the inputs and the folder.
        shard_bytes: of an archive that make a shard; 0 to choose. Counts in a new folder.
        row_group: bytes of rows in memory that make a row group, of all tables together.
        file_bytes: at which a table's file is full, and the next one begun; 0 for never.
        max_error_rate: stop where a larger share of the pages has errors.
        index: also write where each page is, sorted by address.
    """

    engine: str = "local"
    format: FileFormat = "parquet"
    workers: int | None = None
    resume: bool = False
    redo: tuple[str, ...] = ()
    rank: int = 0
    world_size: int = 1
    shard_bytes: int = 0
    row_group: int = ROW_GROUP_BYTES
    file_bytes: int = 0
    max_error_rate: float = 1.0
    index: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.rank < self.world_size:
            raise ValueError(f"rank {self.rank} of {self.world_size}: must lie below it")

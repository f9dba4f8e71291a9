"""Whether methods are scored on pages that they were learnt from.

The record of each model holds hashes of the folders that it was learnt from. A folder that has
changed since, by one file or one byte, is not recognized.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from pagecut.evaluation.datasets import Dataset
from pagecut.evidence.models import load_model

PACKAGE: Final = Path(__file__).parents[1]
# By the name of a method, the folders in which the models lie whose records tell of its pages. The
# record of `item` has hashes of tables alone; its folders are those of `mosaic`.
MODELS: Final[Mapping[str, tuple[str, ...]]] = {
    "graph-cuts": ("segmenters/graph_cuts",),
    "mosaic": ("segmenters/mosaic",),
    "item": ("contexts/item", "segmenters/mosaic"),
    "main-text": ("content",),
    "metadata": ("content/metadata",),
}
TRUE_TEXTS: Final = ("truth", "main-text/truth")  # parts of a dataset with a hash of their own


def hash_folder(folder: Path) -> str:
    """One hash for the names and contents of a folder's files."""
    whole = sha256()
    for path in sorted(folder.glob("**/*")):
        if path.is_file():
            name = path.relative_to(folder).as_posix()
            whole.update(f"{sha256(path.read_bytes()).hexdigest()} {name}\n".encode())
    return whole.hexdigest()[:16]


def learnt_from(dataset: Dataset, methods: Iterable[Any]) -> list[str]:
    """Those of the methods, by their printed form, that were learnt from a folder of a dataset."""
    names = {str(each): getattr(each, "name", "") for each in methods}
    learnt = {spec: _hashes(name) for spec, name in names.items() if name in MODELS}
    if not learnt:
        return []
    folders = dataset.folders or (dataset.folder,)
    parts = [folder / part for folder in folders for part in TRUE_TEXTS]
    seen = {hash_folder(each) for each in (*folders, *parts) if each.is_dir()}
    return [name for name, hashes in learnt.items() if hashes & seen]


def _hashes(name: str) -> set[str]:
    """The hashes of what a method's models were learnt from."""
    paths = (path for folder in MODELS[name] for path in (PACKAGE / folder).glob("*.model.json"))
    return {str(each) for path in paths for each in load_model(path).record["data"].values()}

"""Pages with human truth: five formats of datasets, read into one; and writers for two.

Our own layout is a folder with `pages.json`, a list of pages:

    {"id": …, "dataset": …, "url": …, "html": "path/in/the/folder.html",
     "image_context": "path/in/the/folder.json",        # the last two if there are any
     "segments": "path/in/the/folder.json"}

Segments are marked in the HTML: `data-block="1"` on a top-level block, `"2"` on a block inside one;
or a segment file gives regions, blocks and items by XPaths. An image-context file gives, for each
<img> of the page in document order, `context` (the true text) or `skip` (why it has none). More
pages may lie in the folder `main-text`, each with its main text and metadata in a file.

`docs/datasets.md` describes the others. Whatever gives the truth away is taken off before a method
sees the page.
"""

from __future__ import annotations

from pagecut.evaluation.datasets.marks import LEVELS
from pagecut.evaluation.datasets.pages import Dataset, DatasetPage, GroundTruth
from pagecut.evaluation.datasets.reading import read_dataset, read_datasets, validate_dataset

__all__ = [
    "LEVELS",
    "Dataset",
    "DatasetPage",
    "GroundTruth",
    "read_dataset",
    "read_datasets",
    "validate_dataset",
]

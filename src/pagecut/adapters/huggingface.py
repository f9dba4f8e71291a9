"""Hugging Face datasets: what is asked of many pages, as a dataset or as a generator for one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pagecut.content.documents import describe
from pagecut.corpus.many_pages import Function, answers_in_order
from pagecut.errors import MissingExtra
from pagecut.parsing.sources import expand_sources
from pagecut.results.tables import Row, rows_of

try:
    import datasets
except ImportError as error:
    raise MissingExtra("datasets", "huggingface") from error


def generate_rows(sources: list[str], function: Function = describe) -> Iterator[Row]:
    """A row for each answer, for `datasets.Dataset.from_generator`; pages that fail give none.

    >>> from datasets import IterableDataset
    >>> from pagecut.adapters.huggingface import generate_rows
    >>> given = {"sources": ["examples/article.html"]}
    >>> next(iter(IterableDataset.from_generator(generate_rows, gen_kwargs=given)))["title"]
    'The line that bears fruit'
    """
    for answer in answers_in_order(sources, function):
        for columns in answer.columns:
            for row in rows_of(columns):
                yield {"source": answer.source, **row}


def to_dataset(
    sources: str | list[str], function: Function = describe, **options: Any
) -> datasets.Dataset:
    """A dataset of what is asked of many pages, kept on disk and not in memory.

    Args:
        sources: files, folders, patterns, http(s) URLs, as `pagecut.process` takes them.
        function: as of `pagecut.process`.
        options: of `datasets.Dataset.from_generator`, e.g. `num_proc`, `cache_dir`.

    >>> import pagecut, tempfile
    >>> from pagecut.adapters.huggingface import to_dataset
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pairs = to_dataset("examples/shop.html", pagecut.image_contexts, cache_dir=folder)
    ...     pairs[7]["alt"]
    'Kettle Ambrose'
    """
    names = expand_sources([sources] if isinstance(sources, str) else sources)
    given = {"sources": names, "function": function}
    return datasets.Dataset.from_generator(generate_rows, gen_kwargs=given, **options)

"""Hugging Face datasets: what is asked of many pages, as a dataset or as a generator for one."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from inspect import signature
from os import PathLike, fspath
from typing import Any

from pagecut.content.documents import describe
from pagecut.content.line_model import Favour
from pagecut.content.main_text import MainText
from pagecut.corpus.many_pages import Function, answers_in_order
from pagecut.errors import PageError, counted, needed
from pagecut.parsing.sources import expand_sources
from pagecut.results.tables import Row, rows_of

with needed("datasets", "huggingface"):
    import datasets
    from datasets.arrow_writer import SchemaInferenceError


def generate_rows(
    sources: list[str], function: Function = describe, favour: Favour = "balance"
) -> Iterator[Row]:
    """A row for each answer, for `datasets.Dataset.from_generator`.

    A page that fails gives none, and a warning that says why.

    Args:
        favour: as of `to_dataset`.

    >>> from datasets import IterableDataset
    >>> from pagecut.adapters.huggingface import generate_rows
    >>> given = {"sources": ["examples/article.html"]}
    >>> next(iter(IterableDataset.from_generator(generate_rows, gen_kwargs=given)))["title"]
    'The line that bears fruit'
    """
    asked = _with_favour(function, favour)
    for answer in answers_in_order(sources, asked):
        if answer.error is not None:
            warnings.warn(answer.error, stacklevel=2)
        for columns in answer.columns:
            for row in rows_of(columns):
                yield {"source": answer.source, **row}


def _with_favour(function: Function, favour: Favour) -> Callable[..., Any]:
    MainText(favour=favour)
    asked: Callable[..., Any] = function
    if favour == "balance":
        return asked
    if "favour" not in signature(asked).parameters:
        raise TypeError(f"{function} takes no favour: leave it out, or ask for text or chunks")
    return partial(asked, favour=favour)


def to_dataset(
    sources: str | PathLike[str] | Iterable[str | PathLike[str]],
    function: Function = describe,
    *,
    favour: Favour = "balance",
    **options: Any,
) -> datasets.Dataset:
    """A dataset of what is asked of many pages, kept on disk and not in memory.

    A page that fails, or is not there, costs only itself: a warning says why, and only where none
    gives a row an error is raised.

    Args:
        sources: files, folders, patterns, http(s) URLs, as `pagecut.process` takes them.
        function: as of `pagecut.process`.
        favour: "precision" for less text that is surely main text, "recall" for more, "balance";
            of a `function` that takes it, as `pagecut.text` and `pagecut.chunks` do.
        options: of `datasets.Dataset.from_generator`, e.g. `num_proc`, `cache_dir`.

    >>> import pagecut, tempfile
    >>> from pagecut.adapters.huggingface import to_dataset
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pairs = to_dataset("examples/shop.html", pagecut.image_contexts, cache_dir=folder)
    ...     pairs[7]["alt"]
    'Kettle Ambrose'
    """
    _with_favour(function, favour)
    paths = [sources] if isinstance(sources, str | PathLike) else sources
    missing: list[PageError] = []
    given_names = [fspath(each) for each in paths]
    names = expand_sources(given_names, on_error=lambda _, error: missing.append(error))
    if missing and not names:
        raise missing[0]
    for each in missing:
        warnings.warn(str(each), stacklevel=2)
    given = {"sources": names, "function": function, "favour": favour}
    try:
        return datasets.Dataset.from_generator(generate_rows, gen_kwargs=given, **options)
    except datasets.exceptions.DatasetGenerationError as error:
        if not isinstance(error.__cause__, SchemaInferenceError):
            raise
        message = f"none of {counted(len(names), 'page')} gives a row; warnings say which failed"
        raise PageError(message) from error

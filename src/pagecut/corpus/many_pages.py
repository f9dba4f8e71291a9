"""Many pages in one call: each is read, a function is asked, and the answers are one table."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Final

from pagecut.content.documents import describe
from pagecut.corpus.engines.local import usable_cores
from pagecut.errors import PagecutError, PageError, unforeseen
from pagecut.page import Page
from pagecut.parsing.sources import expand_sources
from pagecut.rendering.page_files import pages_of_source
from pagecut.results.tables import TYPES, Columns, Tabular, record_batch

if TYPE_CHECKING:
    import pyarrow

SOURCE: Final = "source"
_MOST_AT_ONCE: Final = 32  # pages of one task

Function = Callable[[Page], Any]


@dataclass(slots=True)
class _Answer:
    """What was found of one source, or why nothing was."""

    source: str
    columns: list[Columns] = field(default_factory=list)
    types: dict[str, str] = field(default_factory=dict)
    error: str | None = None


class Processed(Tabular):
    """The answers for many pages as one table, with `source` as its first column.

    Args:
        failures: why each source that gave nothing did so.
    """

    def __init__(self, answers: Iterable[_Answer]) -> None:
        self.failures: dict[str, str] = {}
        self._types: dict[str, str] = {SOURCE: "string"}
        self._columns: Columns = {SOURCE: []}
        for answer in answers:
            if answer.error is not None:
                self.failures[answer.source] = answer.error
            self._types |= answer.types
            for columns in answer.columns:
                self._add(answer.source, columns)

    def _add(self, source: str, columns: Columns) -> None:
        before = len(self)
        count = max(map(len, columns.values()), default=0)
        self._columns[SOURCE].extend([source] * count)
        for name, values in columns.items():
            self._columns.setdefault(name, [None] * before).extend(values)
        for values in self._columns.values():
            values.extend([None] * (before + count - len(values)))

    def columns(self) -> Columns:
        """The values of each column, one for each row."""
        return self._columns

    def to_arrow(self) -> pyarrow.RecordBatch:
        """An Arrow record batch; columns of your own function have the types of their values."""
        return record_batch(self._columns, {name: self._types.get(name) for name in self._columns})

    def __len__(self) -> int:
        return len(self._columns[SOURCE])

    def __repr__(self) -> str:
        count = len(self.failures)
        failed = f", {count} source{'s' * (count > 1)} failed" if count else ""
        return f"<Processed {len(self)} rows of {', '.join(self._columns)}{failed}>"


def process(
    sources: str | PathLike[str] | Iterable[str | PathLike[str]],
    function: Function = describe,
    *,
    workers: int | None = 1,
) -> Processed:
    """Ask a function of many pages, and get one table.

    A page that fails costs only itself: `failures` of the result says why. `pagecut run` is for
    archives, and for more pages than fit into memory.

    Args:
        sources: files, folders (their HTML files), patterns such as `pages/*.html`, http(s) URLs;
            one or many. PDF files have a page for each sheet.
        function: takes a page; `pagecut.segment`, `image_contexts`, `chunks`, `metadata`, `text`,
            or your own that gives a text, a dict, dicts, or None. If not given, a row for each page
            with its metadata, type and main text.
        workers: processes; None for one per core. With more than one, `function` must be one that
            other processes find, in a module or by `functools.partial`, and a script calls this
            under `if __name__ == "__main__":`.

    >>> import pagecut
    >>> pages = pagecut.process(["examples/article.html", "examples/shop.html"])
    >>> [row["title"] for row in pages.to_dicts()]
    ['The line that bears fruit', 'Kitchen & living']
    >>> pairs = pagecut.process("examples", pagecut.image_contexts, workers=2)
    >>> pairs.to_pandas().columns[:3].tolist()
    ['source', 'page', 'url']
    """
    if workers is not None and workers < 1:
        raise ValueError(f"workers must be at least 1, got {workers}")
    given = [sources] if isinstance(sources, str | PathLike) else list(sources)
    names = expand_sources([fspath(each) for each in given])
    workers = min(workers or usable_cores(), max(1, len(names)))
    if workers == 1:
        answers = list(answers_in_order(names, function))
    else:
        _check_can_be_sent(function)
        answers = list(_answers(names, function, workers))
    if answers and all(each.error for each in answers):
        others = f"all {len(answers)} pages failed; the first: " if len(answers) > 1 else ""
        raise PageError(f"{others}{answers[0].error}")
    return Processed(answers)


def answers_in_order(names: Iterable[str], function: Function) -> Iterator[_Answer]:
    """The answers for files and addresses, one after the other."""
    for name in names:
        yield _answer(name, function)


def _answers(names: Sequence[str], function: Function, workers: int) -> Iterator[_Answer]:
    """The answers in order, by several processes."""
    size = max(1, min(_MOST_AT_ONCE, len(names) // (4 * workers)))
    parts = [names[first : first + size] for first in range(0, len(names), size)]
    with ProcessPoolExecutor(workers) as pool:
        waiting = [_submitted(pool, part, function) for part in parts]
        for part, future in zip(parts, waiting, strict=True):
            try:
                if future is None:
                    raise BrokenProcessPool
                yield from future.result()
            except BrokenProcessPool:
                yield from _one_by_one(part, function)


def _check_can_be_sent(function: Function) -> None:
    try:
        pickle.dumps(function)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise ValueError(
            f"{function!r} cannot be given to other processes: define it in a module, or take "
            "workers=1"
        ) from error


def _submitted(
    pool: ProcessPoolExecutor, part: Sequence[str], function: Function
) -> Future[list[_Answer]] | None:
    try:
        return pool.submit(_part, part, function)
    except BrokenProcessPool:
        return None


def _one_by_one(names: Sequence[str], function: Function) -> Iterator[_Answer]:
    """Each page in a process of its own, after one of them ended its process."""
    for name in names:
        with ProcessPoolExecutor(1) as pool:
            try:
                yield pool.submit(_answer, name, function).result()
            except BrokenProcessPool:
                yield _Answer(name, error=f"{name}: the process that worked on it ended")


def _part(names: Sequence[str], function: Function) -> list[_Answer]:
    return list(answers_in_order(names, function))


def _answer(name: str, function: Function) -> _Answer:
    answer = _Answer(name)
    try:
        for page in pages_of_source(name):
            _take(answer, page, function(page))
    except PagecutError as error:
        answer.error = str(error)
    except Exception as error:  # whatever a page does to a method costs this page alone
        answer.error = str(unforeseen(name, error))
    return answer


def _take(answer: _Answer, page: Page, found: Any) -> None:
    """Put what a function gave for a page into an answer, as columns."""
    if found is None:
        return
    own = {"page": page.id, "url": page.url}
    answer.types |= {name: TYPES[name] for name in own}
    if isinstance(found, Tabular):
        columns = found.columns()
        count = max(map(len, columns.values()), default=0)
        missing = {name: [value] * count for name, value in own.items() if name not in columns}
        answer.columns.append({**missing, **columns})
        answer.types |= {name: TYPES.get(name, "string") for name in columns} | dict(found.types)
        return
    if isinstance(found, str):
        found = {"text": found}
    rows = [{**own, **row} for row in ([found] if isinstance(found, Mapping) else found)]
    names = dict.fromkeys(name for row in rows for name in row)
    answer.columns.append({name: [row.get(name) for row in rows] for name in names})

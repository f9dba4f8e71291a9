"""Many pages in one call: each is read, a function is asked, and the answers are one table."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
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
# What one answer is for: a file or address, or a page with its name in the table.
Item = str | tuple[str, Page]


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
    sources: str | PathLike[str] | Page | Iterable[str | PathLike[str] | Page],
    function: Function = describe,
    *,
    workers: int | None = 1,
) -> Processed:
    """Ask a function of many pages, and get one table.

    A page that fails, or is not there, costs only itself: `failures` of the result says why, and
    only where all fail an error is raised. `pagecut run` is for archives, and for more pages than
    fit into memory.

    Args:
        sources: files, folders (their HTML files), patterns such as `pages/*.html`, http(s) URLs,
            or pages; one or many. PDF files have a page for each sheet. `source` in the table is a
            file's name or the address; of a page without an address, its id.
        function: takes a page; `pagecut.segment`, `image_contexts`, `chunks`, `metadata`, `text`,
            or your own that gives a text, a dict, dicts (without a key `source`), or None. If not
            given, a row for each page with its metadata, type and main text.
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
    if not callable(function):
        raise TypeError(f"{function!r}: no function of a page, such as pagecut.image_contexts")
    if workers is not None and workers < 1:
        raise ValueError(f"workers must be at least 1, got {workers}")
    given = [sources] if isinstance(sources, str | PathLike | Page) else list(sources)
    pages: list[Item] = [(each.url or each.id, each) for each in given if isinstance(each, Page)]
    paths = [fspath(each) for each in given if not isinstance(each, Page)]
    if pages and paths:
        raise ValueError("give pages or sources of pages, not both in one call")
    missing: list[_Answer] = []
    items = pages or expand_sources(
        paths, on_error=lambda name, error: missing.append(_Answer(name, error=str(error)))
    )
    workers = min(workers or usable_cores(), max(1, len(items)))
    if workers == 1:
        answers = list(answers_in_order(items, function))
    else:
        _check_can_be_sent(function)
        answers = _answers(items, function, workers)
    answers += missing
    if answers and all(each.error for each in answers):
        others = f"all {len(answers)} pages failed; the first: " if len(answers) > 1 else ""
        raise PageError(f"{others}{answers[0].error}")
    return Processed(answers)


def answers_in_order(items: Iterable[Item], function: Function) -> Iterator[_Answer]:
    """The answers for files, addresses and pages, one after the other."""
    for item in items:
        yield _answer(item, function)


def _answers(items: Sequence[Item], function: Function, workers: int) -> list[_Answer]:
    """The answers in order, by several processes."""
    size = max(1, min(_MOST_AT_ONCE, len(items) // (4 * workers)))
    parts = [items[first : first + size] for first in range(0, len(items), size)]
    found: dict[int, list[_Answer]] = {}
    left = list(range(len(parts)))
    while left:
        with ProcessPoolExecutor(workers) as pool:
            waiting = {number: _submitted(pool, parts[number], function) for number in left}
            for number, future in waiting.items():
                with suppress(BrokenProcessPool):
                    if future is not None:
                        found[number] = _unpacked(parts[number], future.result())
        left = [number for number in left if number not in found]
        # Parts are taken in order: where a process ended, it was at one of the first ones.
        for number in left[:workers]:
            found[number] = list(_one_by_one(parts[number], function))
        left = left[workers:]
    return [answer for number in range(len(parts)) for answer in found[number]]


def _check_can_be_sent(function: Function) -> None:
    try:
        pickle.dumps(function)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise ValueError(
            f"{function!r} cannot be given to other processes: define it in a module, or take "
            "workers=1"
        ) from error


def _submitted(
    pool: ProcessPoolExecutor, part: Sequence[Item], function: Function
) -> Future[list[bytes]] | None:
    try:
        return pool.submit(_packed, part, function)
    except BrokenProcessPool:
        return None


def _one_by_one(items: Sequence[Item], function: Function) -> Iterator[_Answer]:
    """Each page in a process of its own, after one of them ended its process."""
    for item in items:
        with ProcessPoolExecutor(1) as pool:
            try:
                yield from _unpacked([item], pool.submit(_packed, [item], function).result())
            except BrokenProcessPool:
                name = _name_of(item)
                yield _Answer(name, error=f"{name}: the process that worked on it ended")


def _packed(items: Sequence[Item], function: Function) -> list[bytes]:
    """The answers as they are sent, each by itself: one that cannot be costs no other."""
    packed: list[bytes] = []
    for answer in answers_in_order(items, function):
        try:
            packed.append(pickle.dumps(answer))
        except Exception as error:  # whatever an object of someone else's raises
            packed.append(pickle.dumps(_unsendable(answer.source, error)))
    return packed


def _unpacked(items: Sequence[Item], packed: Sequence[bytes]) -> list[_Answer]:
    answers: list[_Answer] = []
    for item, data in zip(items, packed, strict=True):
        try:
            answers.append(pickle.loads(data))
        except Exception as error:  # whatever an object of someone else's raises
            answers.append(_unsendable(_name_of(item), error))
    return answers


def _unsendable(name: str, error: Exception) -> _Answer:
    why = f"what the function gave cannot be sent by another process: {error}"
    return _Answer(name, error=f"{name}: {why}")


def _name_of(item: Item) -> str:
    return item if isinstance(item, str) else item[0]


def _answer(item: Item, function: Function) -> _Answer:
    answer = _Answer(name := _name_of(item))
    try:
        for page in pages_of_source(item) if isinstance(item, str) else [item[1]]:
            name_read_by = item if isinstance(item, str) else None
            _take(answer, page, _asked(function, page, name), page.url or name_read_by)
    except PagecutError as error:
        answer.error = str(error)
    except Exception as error:  # whatever a page does to a method costs this page alone
        answer.error = str(unforeseen(name, error))
    return answer


def _asked(function: Function, page: Page, name: str) -> Any:
    """What a function gives for a page; where it fails, it is said whose it is."""
    try:
        found = function(page)
        return list(found) if isinstance(found, Iterator) else found
    except PagecutError:
        raise
    except Exception as error:
        inner = function.func if isinstance(function, partial) else function
        if str(getattr(inner, "__module__", "")).partition(".")[0] == "pagecut":
            raise
        raise PageError(f"{name}: your function failed: {type(error).__name__}: {error}") from error


def _take(answer: _Answer, page: Page, found: Any, url: str | None) -> None:
    """Put what a function gave for a page into an answer, as columns.

    Args:
        url: as in what commands write: of a page without an address, the name it was read by.
    """
    if found is None:
        return
    own = {"page": page.id, "url": url}
    answer.types |= {name: TYPES[name] for name in own}
    if isinstance(found, Tabular):
        columns = dict(found.columns())
        if "url" in columns:
            columns["url"] = [each or own["url"] for each in columns["url"]]
        _refuse_source(answer.source, columns)
        count = max(map(len, columns.values()), default=0)
        missing = {name: [value] * count for name, value in own.items() if name not in columns}
        answer.columns.append({**missing, **columns})
        answer.types |= {name: TYPES.get(name, "string") for name in columns} | dict(found.types)
        return
    if isinstance(found, str):
        found = {"text": found}
    given = [found] if isinstance(found, Mapping) else found
    if not (isinstance(given, Iterable) and all(isinstance(row, Mapping) for row in given)):
        raise PageError(
            f"{answer.source}: the function gives {found!r:.50}; a text, a dict, dicts or None are "
            "taken"
        )
    rows = [{**own, **row} for row in given]
    names = dict.fromkeys(name for row in rows for name in row)
    _refuse_source(answer.source, names)
    answer.columns.append({name: [row.get(name) for row in rows] for name in names})


def _refuse_source(source: str, names: Container[str]) -> None:
    if SOURCE in names:
        raise PageError(
            f"{source}: the function gives a column `{SOURCE}`, which is for the page's file or "
            "URL; give it another name"
        )

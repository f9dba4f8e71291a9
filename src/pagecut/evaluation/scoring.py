"""Score methods: pages x methods x measures.

Each page is read once for all methods. Several processes share the pages among them; scores come
back in the order of the dataset, so that the number of processes changes nothing but the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from typing import Any, ClassVar, TypeVar

import numpy as np

from pagecut.errors import FormatError, PagecutError, unforeseen
from pagecut.evaluation.datasets import LEVELS, Dataset, DatasetPage
from pagecut.evaluation.measures import Score
from pagecut.evaluation.significance import Comparison, compare_methods
from pagecut.evaluation.sites import site_of
from pagecut.evaluation.summaries import (
    BY_PAGE,
    HEADLINES,
    Groups,
    PageValues,
    Summary,
    page_values,
    summarize,
)
from pagecut.evaluation.tasks import (
    TASKS,
    Blocks,
    ImageContexts,
    Items,
    LoadedPage,
    Task,
    task_of,
)

Scored = tuple[list[Score], list["Failure"]]

Watch = Callable[[Iterable[DatasetPage]], Iterable[DatasetPage]]
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A page that a method could not do; or that nobody could read, then `made_by` is empty."""

    page: str
    made_by: str
    message: str

    def __str__(self) -> str:
        where = f"{self.page}, {self.made_by}" if self.made_by else self.page
        return f"{where}: {self.message}"


def score_page(entry: DatasetPage, task: Task, methods: Sequence[Any]) -> Scored:
    """Every method on one page; a failure is returned, and the others go on."""
    scores: list[Score] = []
    failures: list[Failure] = []
    try:
        page, truth = entry.load()
        prepared = task.prepare(LoadedPage(entry, page, truth))
    except PagecutError as error:
        return [], [Failure(page=entry.id, made_by="", message=str(error))]
    for method in methods if prepared is not None else ():
        try:
            found = task.score(method, page, prepared)
        except Exception as error:  # what nobody foresaw, too, costs this page alone
            known = isinstance(error, PagecutError)
            message = str(error if known else unforeseen(entry.id, error))
            failures.append(Failure(page=entry.id, made_by=str(method), message=message))
            continue
        scores.extend(
            Score(page=entry.id, made_by=str(method), measure=name, value=value, image=image)
            for image, name, value in found
        )
    return scores, failures


def score_methods(
    dataset: Dataset, task: Task, methods: Sequence[Any], *, jobs: int = 1, watch: Watch = iter
) -> Scored:
    """Score methods on the pages of a dataset that have truth for a task.

    Args:
        jobs: processes that share the pages.
        watch: wraps the pages, to show progress.
    """
    entries = dataset.for_task(task.name).pages
    score = partial(score_page, task=task, methods=methods)
    scores: list[Score] = []
    failures: list[Failure] = []
    for found, failed in each_page(score, entries, jobs=jobs, watch=watch):
        scores.extend(found)
        failures.extend(failed)
    return scores, failures


def each_page(
    function: Callable[[DatasetPage], Result],
    entries: Sequence[DatasetPage],
    *,
    jobs: int = 1,
    watch: Watch = iter,
) -> list[Result]:
    """A function of each page, in their order, in so many processes."""
    if jobs < 1:
        raise ValueError(f"jobs must be at least 1, got {jobs}")
    with _mapper(min(jobs, len(entries))) as run:
        results = run(function, entries)
        return [next(results) for _ in watch(entries)]


@contextmanager
def _mapper(jobs: int) -> Iterator[Callable[..., Iterator[Any]]]:
    """`map` in this process, or in several new ones."""
    if jobs < 2:
        yield map
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield pool.map


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """All scores of one run.

    Args:
        measures: their specs; methods are ranked and compared by the first.
        level: of the true blocks; None for other tasks.
        sites: of each page, by its id; intervals are over sites.
        methods: those that are scored, by their printed form.
    """

    task: str
    title: str
    measures: Sequence[str]
    scores: Sequence[Score]
    failures: Sequence[Failure] = ()
    level: int | None = None
    sites: Mapping[str, str] = field(default_factory=dict)
    methods: Mapping[str, Any] = field(default_factory=dict)

    fields: ClassVar = ("page", "image", "method", "measure", "value")

    def summarize(self, groups: Groups | None = None, *, intervals: bool = True) -> list[Summary]:
        """The means of each method, over all pages and over each group of them."""
        sites = self.sites if intervals else None
        return summarize(self.task, self.scores, groups or {}, sites)

    @property
    def headlines(self) -> Sequence[str]:
        """The values of a summary that say most."""
        known = HEADLINES.get(self.task, self.measures[:1])
        values = {name for each in self.summarize(intervals=False) for name in each.values}
        return [name for name in known if name in values]

    @property
    def ranked_by(self) -> str:
        """The value that methods are ranked and compared by, as summaries call it: the mean over
        pages, also where the first value of a summary is one over images or items."""
        measure = self.measures[0]
        by_images = f"{measure} by page" if self.task == ImageContexts.name else measure
        return BY_PAGE.get(measure, by_images)

    def page_values(self, measure: str) -> PageValues:
        """One measure's value on each page, by method; the mean over the page's images."""
        return page_values(self.scores, measure)

    def compare(self, measure: str | None = None) -> list[Comparison]:
        """Every pair of methods by a measure, the first one unless another is given."""
        return compare_methods(self.page_values(measure or self.measures[0]))

    def ranking(self) -> list[str]:
        """The methods, the one with the highest mean over pages first."""
        pages = self.page_values(self.measures[0])
        return sorted(pages, key=lambda method: -float(np.mean(list(pages[method].values()))))

    def rows(self) -> Iterator[dict[str, Any]]:
        """Every single score as a plain row."""
        for score in self.scores:
            yield {
                "page": score.page,
                "image": score.image,
                "method": score.made_by,
                "measure": score.measure,
                "value": score.value,
            }


def evaluate_task(
    dataset: Dataset,
    task: str,
    specs: Sequence[Any] = (),
    *,
    measures: Sequence[Any] = (),
    level: int = 2,
    jobs: int = 1,
    watch: Watch = iter,
) -> Evaluation:
    """Score methods against a dataset.

    Args:
        specs: of methods, or methods themselves, or one spec; all if none is given, on pages that
            were not rendered those that need none.
        measures: the same of measures; the usual ones if none is given.
    """
    scored = task_of(task, [measures] if isinstance(measures, str) else measures, level)
    given = [specs] if isinstance(specs, str) else specs
    methods = [scored.method(spec) for spec in given or scored.usual(dataset.rendered)]
    scores, failures = score_methods(dataset, scored, methods, jobs=jobs, watch=watch)
    if not scores and not failures:
        raise FormatError(f"{dataset.title}: no page has ground truth for the task {task}")
    about = scored.about
    if task == Blocks.name:
        about += f" of level {level}"
    if task in (Blocks.name, Items.name):
        about += f", text that {'is visible' if dataset.rendered else 'is not hidden'}"
    return Evaluation(
        task=task,
        title=f"{dataset.title}: {about}",
        measures=scored.measures,
        scores=scores,
        failures=failures,
        level=level if task == Blocks.name else None,
        sites={entry.id: site_of(entry) for entry in dataset},
        methods={str(method): method for method in methods},
    )


def evaluate_all(dataset: Dataset, *, jobs: int = 1, watch: Watch = iter) -> list[Evaluation]:
    """Score the usual methods on every task, and every level, that the dataset has truth for."""
    found = []
    for task in TASKS:
        for level in LEVELS if task == Blocks.name else (LEVELS[-1],):
            if any(task in entry.tasks for entry in dataset):
                with suppress(FormatError):  # pages may turn out to have no marks
                    found.append(evaluate_task(dataset, task, level=level, jobs=jobs, watch=watch))
    if not found:
        raise FormatError(f"{dataset.title}: no page has ground truth for any task")
    return found

"""A parameter against its scores: how the papers choose theirs.

Alcic & Conrad 2011, §V: the variance of DOM distance is the one with the best mean F.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from pagecut.contexts import extractor
from pagecut.errors import FormatError, PageError, SpecError
from pagecut.evaluation.cross_validation import CrossValidation, cross_validate
from pagecut.evaluation.datasets import Dataset
from pagecut.evaluation.scoring import Evaluation, Watch, evaluate_task
from pagecut.evaluation.sites import page_folds
from pagecut.evaluation.summaries import Summary
from pagecut.pictures.charts import draw_parameter
from pagecut.pictures.drawing import Drawing
from pagecut.segmenters import segmenter
from pagecut.spec import parameters

MOST_VALUES: Final = 1000
# By task: the measure that is to be best, and those that are drawn.
BEST: Final = {"segmentation": "ari", "image-context": "F"}
SINGLE: Final = {"segmentation": "ari", "image-context": "lcs-f"}  # of a page or image
DRAWN: Final = {"segmentation": ("ari", "nmi"), "image-context": ("P", "R", "F", "F by page")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """The scores of a method for many values of one of its parameters.

    Args:
        validation: what the value chosen on some sites is worth on others.
    """

    parameter: str
    values: Sequence[Any]
    summaries: Sequence[Summary]  # one for each value
    evaluation: Evaluation
    validation: CrossValidation | None = None

    @property
    def measures(self) -> list[str]:
        return list(dict.fromkeys(name for each in self.summaries for name in each.values))

    @property
    def best(self) -> int:
        """The place of the value with the best scores; the first of equals."""
        name = BEST[self.evaluation.task]
        scores = [summary.values[name] for summary in self.summaries]
        return scores.index(max(scores))

    def rows(self) -> Iterator[dict[str, Any]]:
        """A plain row for each value."""
        for index, (value, summary) in enumerate(zip(self.values, self.summaries, strict=True)):
            yield {self.parameter: value, **summary.values, "best": index == self.best}

    @property
    def fields(self) -> tuple[str, ...]:
        return (self.parameter, *self.measures, "best")

    def draw(self) -> Drawing:
        """The curve of each measure; the best value is marked."""
        if not all(isinstance(value, int | float) for value in self.values):
            raise SpecError(f"{self.parameter}: only numbers can be drawn; write a .csv")
        drawn = DRAWN[self.evaluation.task]
        curves = {name: [each.values[name] for each in self.summaries] for name in drawn}
        best = self.values[self.best]
        spec = self.summaries[self.best].made_by
        name = BEST[self.evaluation.task]
        held = f"; held out: {self.validation.score:.3f}" if self.validation else ""
        return draw_parameter(
            [float(value) for value in self.values],
            {"mean over pages" if "ari" in drawn else "mean over images": curves},
            title=f"{self.parameter} of {spec.partition('(')[0]}",
            subtitle=f"best {name} at {self.parameter} = {best}: {spec}{held}",
            x_label=self.parameter,
            marks=[float(best)],
        )


def sweep(
    dataset: Dataset,
    task: str,
    spec: str,
    parameter: str,
    values: Sequence[Any],
    *,
    level: int = 2,
    folds: int = 0,
    jobs: int = 1,
    watch: Watch = iter,
) -> Sweep:
    """Score a method with each value of a parameter; every page is read once.

    Args:
        spec: of the method; its other parameters stay as they are.
        folds: parts for a cross-validation; none if 0.
    """
    specs = vary(spec, task, parameter, values)
    evaluation = evaluate_task(
        dataset, task, list(dict.fromkeys(specs)), level=level, jobs=jobs, watch=watch
    )
    by_spec = {summary.made_by: summary for summary in evaluation.summarize()}
    if failed := [each for each in specs if each not in by_spec]:
        why = f": {evaluation.failures[0]}" if evaluation.failures else ""
        raise PageError(f"{failed[0]} has no score on any page{why}")
    return Sweep(
        parameter=parameter,
        values=list(values),
        summaries=[by_spec[each] for each in specs],
        evaluation=evaluation,
        validation=_validate(dataset, evaluation, specs, values, folds) if folds else None,
    )


def _validate(
    dataset: Dataset,
    evaluation: Evaluation,
    specs: Sequence[str],
    values: Sequence[Any],
    folds: int,
) -> CrossValidation:
    """Choose the value on all folds but one, by the measure that is to be best."""
    measure = SINGLE[evaluation.task]
    sums: dict[str, dict[str, tuple[float, float]]] = {spec: {} for spec in specs}
    for score in evaluation.scores:
        if score.measure == measure:
            total, count = sums[score.made_by].get(score.page, (0.0, 0.0))
            sums[score.made_by][score.page] = total + score.value, count + 1
    scored = {page for each in sums.values() for page in each}
    try:
        page_folds([entry for entry in dataset if entry.id in scored], folds)
    except ValueError as error:
        raise FormatError(f"{dataset.title}: {error}") from error
    parts = [sums[spec] for spec in specs]
    return cross_validate(values, parts, evaluation.sites, measure, folds)


def vary(spec: str, task: str, parameter: str, values: Sequence[Any]) -> list[str]:
    """The spec with each value of a parameter."""
    method: Any = segmenter(spec) if task == "segmentation" else extractor(spec)
    known = [each.name for each in parameters(type(method))]
    if parameter not in known:
        there = f"there are: {', '.join(known)}" if known else "it takes none"
        raise SpecError(f"{method.name} has no parameter {parameter!r} ({there})")
    try:
        return [str(replace(method, **{parameter: value})) for value in values]
    except (ValueError, TypeError) as error:
        raise SpecError(f"{spec}: {error}") from error


def parse_values(text: str) -> list[Any]:
    """Values from `start:stop:step`, the stop included if a step meets it, or from a list.

    Steps add up without rounding: 0.1:0.3:0.1 ends with 0.3. Whole numbers stay so.
    """
    if ":" not in text:
        return _parse_list(text)
    try:
        start, stop, *rest = (Decimal(part) for part in text.split(":"))
        step = rest[0] if rest else Decimal(1)
        if len(rest) > 1 or not all(each.is_finite() for each in (start, stop, step)) or step <= 0:
            raise ValueError
        count = int((stop - start) / step) + 1 if stop >= start else 0
    except (InvalidOperation, ValueError) as error:
        raise SpecError(f"{text!r}: write start:stop:step, with a step above 0") from error
    if not 0 < count <= MOST_VALUES:
        raise SpecError(f"{text!r} gives {count} values; there must be 1 to {MOST_VALUES}")
    whole = all(each == each.to_integral_value() for each in (start, step))
    return [(int if whole else float)(start + step * index) for index in range(count)]


def _parse_list(text: str) -> list[Any]:
    try:
        values = ast.literal_eval(f"[{text}]")
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise SpecError(
            f"{text!r}: write start:stop:step, or Python literals with commas between them"
        ) from error
    if not 0 < len(values) <= MOST_VALUES:
        raise SpecError(f"{text!r} gives {len(values)} values; there must be 1 to {MOST_VALUES}")
    return list(values)

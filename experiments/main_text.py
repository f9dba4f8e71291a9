"""Main text against the blocks that people typed as content, next to other people's extractors.

    python experiments/main_text.py DATASET [--weights weights.py]

The truth of a page with marks is the text inside blocks with `data-block-type="Content"`; *strict*
leaves out what is marked inside them as something else that is not content: links, menus, adverts,
headers and the like. Words in common order (LCS), means over pages. Text that the markup hides is
not counted.

Ours is scored by five folds over sites: weights learnt and threshold chosen on four of them, pages
of the fifth scored. The weights that --weights writes,
for content/main_text.py, are learnt from all pages. A token counts as
content by half if only one of the two truths says so. Pages of 2013 hardly use <main>, <nav> and
the like, so that nothing can be learnt of them: they weigh by what HTML says they mean (`FIXED`).
No weight may have a sign against its meaning (`POSITIVE`, `NEGATIVE`).

`all text` is the page as it is. Peers are scored if they are installed; the marks are taken out
before they see it.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from pagecut.content.main_text import choose_likely, chosen_spans
from pagecut.content.segment_evidence import (
    FEATURES,
    SegmentMeasures,
    gather_evidence,
    measure_segments,
)
from pagecut.evaluation.datasets import DatasetPage, read_dataset
from pagecut.evaluation.datasets.marks import shown_units, without_marks
from pagecut.evaluation.measures.overlap import overlap
from pagecut.evaluation.sites import page_folds
from pagecut.page import Page
from pagecut.page.tokenizer import token_spans
from pagecut.parsing.decoding import decode
from pagecut.parsing.html import parse_html
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters import segmenter

FOLDS = 5
PENALTY = 0.1  # of the squared weights of standardised features, where every page weighs 1
THRESHOLDS = (0.3, 0.35, 0.4, 0.45, 0.5)
FIXED = {"main": 2.0, "nav": -4.0, "header": -1.0, "footer": -3.0, "aside": -2.0, "notice": -4.0}
NEGATIVE = {"links", "links within 5", "links within 15", "form", "surrounding", "surroundings"}
POSITIVE = {"tokens", "tokens within 5", "tokens within 15", "density", "paragraph", "textual"}
POSITIVE |= {"textuals"}
SEGMENTERS = ("block-fusion-rules", "just-rules", "graph-cuts")
CONTENT = "Content"
ELSE = frozenset(
    "Ad Menu LinkList Footer Header Sidebar Searchbar Logo Navigation Form Comments".split()
)
_MARK = re.compile(r'\sdata-block(?:-type)?="[^"]*"')

Float = NDArray[np.float64]
Bool = NDArray[np.bool_]


@dataclass(frozen=True)
class Example:
    """A page and which of its tokens are content."""

    entry: DatasetPage
    page: Page
    source: str
    units: NDArray[np.int32]
    content: Bool
    strict: Bool

    def true_text(self, mask: Bool) -> str:
        spans = token_spans(self.page.text)
        ends = dict(spans.tolist())
        return " ".join(self.page.text[start : ends[start]] for start in self.units[mask].tolist())


def read_examples(folder: str) -> list[Example]:
    return [example for entry in read_dataset(folder) if (example := read_example(entry))]


def read_example(entry: DatasetPage) -> Example | None:
    """None for a page without text in a block of content."""
    source = entry.source()
    marked = parse_html(source, entry.url)
    types = {
        row: kept.get("data-block-type", "")
        for row, kept in marked.attrs.items()
        if "data-block" in kept
    }
    inside, nearest = [False] * len(marked), [""] * len(marked)
    for row, parent in enumerate(marked.nodes.parent.tolist()):
        own = types.get(row, "")
        inside[row] = own == CONTENT or (parent >= 0 and inside[parent])
        nearest[row] = own or (nearest[parent] if parent >= 0 else "")
    units, leaves = shown_units(marked)
    content = np.array([inside[leaf] for leaf in leaves.tolist()], dtype=bool)
    strict = content & np.array([nearest[leaf] not in ELSE for leaf in leaves.tolist()], dtype=bool)
    if not content.any():
        return None
    return Example(
        entry=entry,
        page=without_marks(marked, entry.html),
        source=_MARK.sub("", decode(source)[0]),
        units=units,
        content=content,
        strict=strict,
    )


@dataclass(frozen=True)
class Segmented:
    """A page's segments with their evidence, and how much of each is content."""

    segmentation: Segmentation
    measures: SegmentMeasures
    evidence: Float
    tokens: Float
    content: Float

    def text(self, probability: Float, threshold: float) -> str:
        chosen = choose_likely(probability, self.measures, threshold)
        page = self.segmentation.page
        return page.readable_spans(chosen_spans(self.segmentation, chosen))


def cut(example: Example, spec: str) -> Segmented:
    segmentation = segmenter(spec).segment(example.page)
    measures = measure_segments(segmentation)
    labels = segmentation.labels_at(example.units)
    held, count = labels >= 0, len(segmentation)
    return Segmented(
        segmentation=segmentation,
        measures=measures,
        evidence=gather_evidence(segmentation, measures),
        tokens=np.bincount(labels[held], minlength=count).astype(float),
        content=np.bincount(
            labels[held],
            (example.content[held].astype(float) + example.strict[held]) / 2,
            minlength=count,
        ),
    )


def learn(pages: Sequence[Segmented]) -> tuple[Float, float]:
    """Weights and bias of a logistic regression on the evidence; every page weighs the same."""
    evidence = np.concatenate([page.evidence for page in pages])
    share = np.concatenate([page.content / np.maximum(page.tokens, 1) for page in pages])
    weight = np.concatenate([page.tokens / max(page.tokens.sum(), 1) for page in pages])
    known = [FEATURES.index(name) for name in FIXED]
    given = np.array(list(FIXED.values()))
    offset = evidence[:, known] @ given
    evidence[:, known] = 0
    mean, spread = evidence.mean(axis=0), evidence.std(axis=0)
    scaled = (evidence - mean) / np.where(spread > 0, spread, 1)

    def loss(parameters: Float) -> tuple[float, Float]:
        odds = scaled @ parameters[:-1] + parameters[-1] + offset
        slope = weight * (1 / (1 + np.exp(-odds)) - share)
        cost = (weight * (np.logaddexp(0, odds) - share * odds)).sum()
        gradient = np.append(scaled.T @ slope + PENALTY * parameters[:-1], slope.sum())
        return float(cost + PENALTY / 2 * (parameters[:-1] ** 2).sum()), gradient

    bounds = [
        (None, 0) if name in NEGATIVE else (0, None) if name in POSITIVE else (None, None)
        for name in FEATURES
    ]
    start = np.zeros(len(FEATURES) + 1)
    best = minimize(loss, start, jac=True, bounds=[*bounds, (None, None)], method="L-BFGS-B").x
    weights = best[:-1] / np.where(spread > 0, spread, 1)
    bias = float(best[-1] - weights @ mean)
    weights[known] = given
    return weights, bias


def probabilities(page: Segmented, weights: Float, bias: float) -> Float:
    result: Float = 1 / (1 + np.exp(-np.clip(page.evidence @ weights + bias, -50, 50)))
    return result


def scores(text: str, example: Example) -> list[float]:
    """P, R, F against content, and against content taken strictly."""
    found = []
    for mask in example.content, example.strict:
        if mask.any():
            score = overlap(text, example.true_text(mask))
            found += [score.precision, score.recall, score.f]
        else:
            found += [np.nan] * 3
    return found


def both_f(text: str, example: Example) -> float:
    """The mean of the two truths' F."""
    found = scores(text, example)
    return float(np.nanmean([found[2], found[5]]))


def cross_validate(examples: Sequence[Example], spec: str) -> tuple[list[list[float]], list[float]]:
    """The scores of every page, held out, and the thresholds chosen."""
    fold_of = page_folds([example.entry for example in examples], FOLDS)
    folds = [fold_of[example.entry.id] for example in examples]
    pages = [cut(example, spec) for example in examples]
    found: dict[int, list[float]] = {}
    thresholds = []
    for fold in range(FOLDS):
        inner = [at for at, own in enumerate(folds) if own != fold]
        weights, bias = learn([pages[at] for at in inner])
        means = [
            np.mean(
                [
                    both_f(
                        pages[at].text(probabilities(pages[at], weights, bias), threshold),
                        examples[at],
                    )
                    for at in inner
                ]
            )
            for threshold in THRESHOLDS
        ]
        threshold = THRESHOLDS[int(np.argmax(means))]
        thresholds.append(threshold)
        for at, own in enumerate(folds):
            if own == fold:
                text = pages[at].text(probabilities(pages[at], weights, bias), threshold)
                found[at] = scores(text, examples[at])
    return [found[at] for at in range(len(examples))], thresholds


def peers() -> Iterator[tuple[str, Callable[[str], str]]]:
    yield "all text", lambda source: parse_html(source).text
    for name, module, make in PEERS:
        try:
            yield name, make(import_module(module))
        except ImportError as error:
            print(f"{name}: skipped, {error}", file=sys.stderr)


def justext(module: Any) -> Callable[[str], str]:
    words = module.get_stoplist("English")
    return lambda source: "\n".join(
        each.text for each in module.justext(source, words) if not each.is_boilerplate
    )


def boilerpy3(module: Any) -> Callable[[str], str]:
    method = module.ArticleExtractor(raise_on_failure=False)
    return lambda source: method.get_content(source)


PEERS: tuple[tuple[str, str, Callable[[Any], Callable[[str], str]]], ...] = (
    ("trafilatura", "trafilatura", lambda module: lambda source: module.extract(source) or ""),
    (
        "trafilatura, recall",
        "trafilatura",
        lambda module: lambda source: module.extract(source, favor_recall=True) or "",
    ),
    (
        "resiliparse",
        "resiliparse.extract.html2text",
        lambda module: lambda source: module.extract_plain_text(source, main_content=True),
    ),
    ("jusText", "justext", justext),
    (
        "readability-lxml",
        "readability",
        lambda module: lambda source: parse_html(module.Document(source).summary()).text,
    ),
    ("boilerpy3", "boilerpy3.extractors", boilerpy3),
)


def row(name: str, pages: Sequence[Sequence[float]]) -> str:
    means = np.nanmean(np.array(pages, dtype=float), axis=0)
    return f"| {name} | " + " | ".join(f"{mean:.3f}" for mean in means) + " |"


def weights_code(weights: Float, bias: float) -> str:
    lines = [f'    "{name}": {weight:.4f},' for name, weight in zip(FEATURES, weights, strict=True)]
    return "\n".join(
        [
            f"BIAS: Final = {bias:.4f}",
            "",
            "WEIGHTS: Final[dict[str, float]] = {",
            *lines,
            "}",
            "",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dataset")
    parser.add_argument("--weights", type=Path, help="only learn from all pages and write this")
    arguments = parser.parse_args()
    examples = read_examples(arguments.dataset)
    if arguments.weights:
        weights, bias = learn([cut(example, SEGMENTERS[0]) for example in examples])
        arguments.weights.write_text(weights_code(weights, bias), encoding="utf-8")
        return
    print(f"{len(examples)} pages; content: P R F; strict: P R F")
    print("| extractor | P | R | F | strict P | strict R | strict F |")
    print("|---|---|---|---|---|---|---|")
    for spec in SEGMENTERS:
        pages, thresholds = cross_validate(examples, spec)
        print(row(f"main-text, {spec}", pages), flush=True)
        print(f"{spec}: thresholds {thresholds}", file=sys.stderr)
    for name, extract in peers():
        pages = []
        for example in examples:
            try:
                text = extract(example.source)
            except Exception:  # peers fail in their own ways
                text = ""
            pages.append(scores(text, example))
        print(row(name, pages), flush=True)


if __name__ == "__main__":
    main()

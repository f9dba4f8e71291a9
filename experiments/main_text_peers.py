"""Other people's extractors on pages with their main text, by the measures of `pagecut evaluate`.

    python experiments/main_text_peers.py DATASET
    python experiments/main_text_peers.py --marked DATASET …

A line for each extractor that is installed, and for all text of the page: F, precision and recall
of words in any order, the shares of snippets found and avoided; then F by the type of the page.
With --marked, the pages are those whose main text was marked here (`own_marks`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any

from own_marks import read_main_text_marks

from pagecut.evaluation.datasets import Dataset, DatasetPage, read_datasets
from pagecut.evaluation.measures import Score
from pagecut.evaluation.scoring import each_page
from pagecut.evaluation.summaries import summarize
from pagecut.evaluation.tasks import score_text, task_of
from pagecut.parsing.decoding import decode
from pagecut.parsing.html import parse_html

TASK = "main-text"
ALL_TEXT = "all text"


def names() -> Iterator[str]:
    """Those of the extractors that are installed."""
    for name in (ALL_TEXT, *PEERS):
        try:
            extractor(name)
            yield name
        except ImportError as error:
            print(f"{name}: skipped, {error}", file=sys.stderr)


def extractor(name: str) -> Callable[[str], str]:
    if name == ALL_TEXT:
        return lambda source: parse_html(source).text
    module, make = PEERS[name]
    return make(import_module(module))


def justext(module: Any) -> Callable[[str], str]:
    words = module.get_stoplist("English")
    return lambda source: "\n".join(
        each.text for each in module.justext(source, words) if not each.is_boilerplate
    )


def boilerpy3(module: Any) -> Callable[[str], str]:
    method = module.ArticleExtractor(raise_on_failure=False)
    return lambda source: method.get_content(source)


PEERS: dict[str, tuple[str, Callable[[Any], Callable[[str], str]]]] = {
    "trafilatura": ("trafilatura", lambda module: lambda source: module.extract(source) or ""),
    "trafilatura, recall": (
        "trafilatura",
        lambda module: lambda source: module.extract(source, favor_recall=True) or "",
    ),
    "resiliparse": (
        "resiliparse.extract.html2text",
        lambda module: lambda source: module.extract_plain_text(source, main_content=True),
    ),
    "jusText": ("justext", justext),
    "readability-lxml": (
        "readability",
        lambda module: lambda source: parse_html(module.Document(source).summary()).text,
    ),
    "boilerpy3": ("boilerpy3.extractors", boilerpy3),
}


def score(entry: DatasetPage, name: str, marked: bool) -> list[Score]:
    text = extractor(name)(decode(entry.source())[0])
    page, truth = entry.load()
    if marked:
        truth = replace(truth, main_text=read_main_text_marks()[entry.id].main_text(page))
    return [
        Score(page=entry.id, made_by=name, measure=measure, value=value)
        for _, measure, value in score_text(text, truth, task_of(TASK).measures)
    ]


def print_peer(dataset: Dataset, name: str, marked: bool, head: bool) -> None:
    rows = each_page(partial(score, name=name, marked=marked), dataset.pages, jobs=2)
    found = [each for row in rows for each in row]
    groups = {each.group: each for each in summarize(TASK, found, dataset.sources(), None)}
    values = groups.pop("all").values
    if head:
        columns = ["extractor", *values, *groups]
        print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    cells = [f"{value:.3f}" for value in values.values()]
    cells += [f"{each.values['F']:.2f}" for each in groups.values()]
    print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def pages_of(folders: list[str], marked: bool) -> Dataset:
    """The pages with a main text, each in the group of its type."""
    dataset = read_datasets(folders)
    if marked:
        marks = read_main_text_marks()
        pages = [replace(each, group=marks[each.id].type) for each in dataset if each.id in marks]
    else:
        pages = [each for each in dataset if TASK in each.tasks]
    return replace(dataset, pages=tuple(pages))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("datasets", nargs="+")
    parser.add_argument("--marked", action="store_true")
    arguments = parser.parse_args()
    dataset = pages_of(arguments.datasets, arguments.marked)
    if not len(dataset):
        sys.exit(f"{dataset.title}: no page has a true main text")
    for place, name in enumerate(names()):
        print_peer(dataset, name, arguments.marked, head=not place)


if __name__ == "__main__":
    main()

"""Other people's extractors on pages with their main text, by the measures of `pagecut evaluate`.

    python experiments/main_text_peers.py DATASET

A line for each extractor that is installed, and for all text of the page: F, precision and recall
of words in any order, the shares of snippets found and avoided; then F by the type of the page.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import Any

from pagecut.evaluation.datasets import Dataset, DatasetPage, read_dataset
from pagecut.evaluation.measures import Score
from pagecut.evaluation.scoring import each_page
from pagecut.evaluation.summaries import summarize
from pagecut.evaluation.tasks import score_text, task_of
from pagecut.parsing.decoding import decode
from pagecut.parsing.html import parse_html

TASK = "main-text"


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


def score(entry: DatasetPage, name: str) -> list[Score]:
    extract = dict(peers())[name]
    text = extract(decode(entry.source())[0])
    truth = entry.load()[1]
    return [
        Score(page=entry.id, made_by=name, measure=measure, value=value)
        for _, measure, value in score_text(text, truth, task_of(TASK).measures)
    ]


def print_peer(dataset: Dataset, name: str) -> None:
    entries = [entry for entry in dataset if TASK in entry.tasks]
    rows = each_page(partial(score, name=name), entries, jobs=2)
    found = [each for row in rows for each in row]
    summaries = {each.group: each for each in summarize(TASK, found, dataset.sources(), None)}
    values = summaries.pop("all").values
    cells = [f"{value:.3f}" for value in values.values()]
    cells += [f"{each.values['F']:.2f}" for each in summaries.values()]
    print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def main(folder: str) -> None:
    dataset = read_dataset(folder)
    types = sorted({entry.group for entry in dataset if TASK in entry.tasks})
    if not types:
        sys.exit(f"{folder}: no page has a true main text")
    head = ["extractor", "F", "P", "R", "with found", "without avoided", *types]
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for name, _ in peers():
        print_peer(dataset, name)


if __name__ == "__main__":
    main(*sys.argv[1:])

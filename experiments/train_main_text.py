"""Learn what of a page is main content, and which type a page has.

    python experiments/train_main_text.py ../shared/data-modern
    python experiments/train_main_text.py ../shared/data-modern --nested \\
        --marked ../shared/data ../shared/data-modern

From pages with their main text and type; the files beside pagecut/content/line_model.py are
written. How much of a line is content is the share of its words that lie in the longest common
subsequence of the page's words and those of the true text: the first model learns whether it is
half or more, the last one the share. With --nested nothing is written; instead everything is learnt
five times without one of the five folds of sites, and its pages are scored: words, by type, and the
confusion of types; with --marked also the pages of other datasets in that fold whose main text was
marked here (`own_marks`), which nothing is learnt from.

What a word in the text says is how often it stands in content; what words in the names of elements
say is learnt by a logistic regression, since a line is in many elements with many names.

Nothing is told to a model about the pages it learns from by another that has seen them: what words
and names say, the first model's scores and the types are those of models that were learnt without
the fold of the page ("cross-fitted"). So the last model sees what it will see on new pages.

Each page is learnt from as it is and, with a quarter of the weight, as it might have been made
elsewhere (`page_variants`): an article with few paragraphs, a page without names of elements,
without declarations, without its address. Scores are of the pages as they are.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray
from own_marks import read_main_text_marks
from page_variants import vary
from training import FIXED, booster_model, hash_folder, training_record

import pagecut.content.line_model as line_model
from pagecut.content.line_model import (
    FAVOURS,
    PAGE_FEATURES,
    PAGE_TYPES,
    SECOND_FEATURES,
    UNLIKELY,
    Favour,
    content_of,
    lexicon,
    page_row,
)
from pagecut.content.lines import read_lines
from pagecut.content.lines.features import LINE_FEATURES, NEAREST_NAMES
from pagecut.content.lines.first_scores import second_table
from pagecut.content.lines.lexicon import Lexicon
from pagecut.content.lines.table import Lines
from pagecut.evaluation.datasets import DatasetPage, read_dataset, read_datasets
from pagecut.evaluation.measures.words import share_found, shared_words
from pagecut.evaluation.sites import FOLDS, fold_of, site_of
from pagecut.evidence.models import write_model
from pagecut.evidence.table import NAMING
from pagecut.page import Page
from pagecut.parsing.decoding import decode
from pagecut.parsing.html import parse_html

HERE = Path(line_model.__file__).parent
SEED = 1
OF_VARIANT = 0.25  # what it weighs, where a page weighs 1
WITHOUT_ADDRESS = 0.5  # of the variants
LINES_OF_PAGE = 90  # that are learnt from: some pages have thousands
FIRST = {"objective": "binary", "trees": 130, "num_leaves": 16, "learning_rate": 0.14}
SECOND = {"objective": "cross_entropy", "trees": 200, "num_leaves": 16, "learning_rate": 0.1}
TYPES = {"trees": 60, "num_leaves": 8, "learning_rate": 0.1}
COMMON = {
    "feature_fraction": 0.25,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "max_bin": 127,
}
OF_LINES = {"min_data_in_leaf": 40}
OF_TYPES = {"objective": "multiclass", "num_class": len(PAGE_TYPES), "min_data_in_leaf": 15}
WORD_SITES, HEADING_SITES = 20, 6  # on which a word must be known
MOST_WORDS = 4000
NAME_SITES = 8
RIDGE = 5.0  # of the regression over names
STEPS = 60
SHORT_LINE, SHORT_HEADING = 40, 8  # words; what longer ones say is no matter of single words
STRONGEST = 4.0

Float = NDArray[np.float64]
Words = dict[str, tuple[float, float]]
Names = dict[str, int]  # words in names, each with its number


@dataclass
class Example:
    """A page, how much of its lines is content, and what is said of it on the way."""

    entry: DatasetPage
    page: Page
    truth: Any
    site: str
    fold: int
    share: Float  # of the words of each line that are content
    group: str  # the type of the page
    weight: float
    words: dict[str, float] = field(default_factory=dict)
    heading_words: dict[str, float] = field(default_factory=dict)
    # How often words are in names: each 1, at (line, 2 * word, plus one if farther away).
    names: Any = None
    lines: Lines = None  # type: ignore[assignment]
    first: Float = field(default_factory=lambda: np.zeros(0))
    types: Float = field(default_factory=lambda: np.zeros(0))
    rows: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    @property
    def tokens(self) -> Float:
        return self.lines.tokens.astype(np.float64)

    @property
    def all_weights(self) -> Float:
        """Each page as it is weighs the same; a line by the root of its words."""
        roots = np.sqrt(self.tokens)
        weights: Float = roots / roots.sum() * (100 * self.weight)
        return weights

    @property
    def weights(self) -> Float:
        """The same of the lines that are learnt from."""
        return self.all_weights[self.rows] * self.lines.count / len(self.rows)


def read_examples(folder: str, names: Names) -> list[Example]:
    """The pages, each followed by its variant, and all words in names, each with a number."""
    draw = Random(SEED)
    found = []
    for entry in read_dataset(folder):
        if "main-text" not in entry.tasks or entry.group not in PAGE_TYPES:
            continue
        page, truth = entry.load()
        found.append(read_example(entry, page, truth, 1.0, names))
        source = decode(entry.source())[0]
        varied = vary(source, truth.main_text or "", entry.group == "article", draw)
        url = None if draw.random() < WITHOUT_ADDRESS else page.url
        variant = parse_html(varied.encode("utf-8", "replace"), url)
        found.append(read_example(entry, variant, truth, OF_VARIANT, names))
    return found


def read_example(
    entry: DatasetPage, page: Page, truth: Any, weight: float, names: Names
) -> Example:
    none = Lexicon([], [])
    lines = read_lines(page, none, none)
    site = site_of(entry)
    example = Example(
        entry=entry,
        page=page,
        truth=truth,
        site=site,
        fold=fold_of(site),
        share=align(page, lines, truth.main_text or ""),
        group=entry.group,
        weight=weight,
    )
    example.lines = lines
    read_words(example)
    read_names(example, names)
    draw = np.random.default_rng(SEED)
    count = min(LINES_OF_PAGE, lines.count)
    example.rows = np.sort(draw.choice(lines.count, count, replace=False))
    return example


def read_marked(folders: Sequence[str]) -> list[Example]:
    """The pages of other datasets whose main text was marked here, to be scored only."""
    marks = read_main_text_marks()
    found = []
    for entry in read_datasets(folders):
        if entry.id in marks:
            own = marks[entry.id]
            page, truth = entry.load()
            truth = replace(truth, main_text=own.main_text(page))
            found.append(read_example(replace(entry, group=own.type), page, truth, 0.0, {}))
    return found


def align(page: Page, lines: Lines, truth: str) -> Float:
    """(m,) the share of the words of each line that are in the common subsequence."""
    owners: list[int] = []
    words: list[str] = []
    for number, (start, end) in enumerate(lines.spans.tolist()):
        own = _words(page.text[start:end])
        words += own
        owners += [number] * len(own)
    hits = np.zeros(lines.count)
    for at in common_places(words, _words(truth)):
        hits[owners[at]] += 1
    total = np.bincount(np.array(owners, dtype=int), minlength=lines.count)
    share: Float = hits / np.maximum(total, 1)
    return share


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def common_places(words: Sequence[str], others: Sequence[str]) -> list[int]:
    """Where the words are that make up a longest common subsequence (bit-parallel, Hyyrö 2004)."""
    places: dict[str, int] = defaultdict(int)
    for index, word in enumerate(others):
        places[word] |= 1 << index
    everything = (1 << len(others)) - 1
    row = everything
    rows = []
    for word in words:
        match = row & places.get(word, 0)
        row = ((row + match) | (row - match)) & everything
        rows.append(row)
    found = []
    at, other = len(words), len(others)
    while at and other:
        if rows[at - 1] >> (other - 1) & 1:
            other -= 1
            continue
        at -= 1
        if not at or rows[at - 1] >> (other - 1) & 1:
            found.append(at)
            other -= 1
    return found[::-1]


# What words say


def read_words(example: Example) -> None:
    """For each word of a page, how much of the lines it stands in is content, and how much of what
    stands below the headings it stands in."""
    lines, text = example.lines, example.page.text
    if not lines.count:
        return
    heading_of = lines.evidence.column("heading")[lines.leaves].tolist()
    own: dict[str, list[float]] = defaultdict(list)
    below: dict[int, tuple[set[str], list[float]]] = {}
    for (start, end), tokens, share, heading in zip(
        lines.spans.tolist(), lines.tokens.tolist(), example.share.tolist(), heading_of, strict=True
    ):
        words = letter_runs(text[start:end])
        if heading >= 0:
            known = below.setdefault(heading, (words, [0.0, 0.0]))[1]
            known[0] += share * tokens
            known[1] += tokens
        if tokens <= SHORT_LINE:
            for word in words:
                own[word].append(share)
    headed: dict[str, list[float]] = defaultdict(list)
    for words, (content, tokens) in below.values():
        if len(words) <= SHORT_HEADING:
            for word in words:
                headed[word].append(content / tokens)
    example.words = {word: float(np.mean(shares)) for word, shares in own.items()}
    example.heading_words = {word: float(np.mean(shares)) for word, shares in headed.items()}


def letter_runs(text: str) -> set[str]:
    """The words as `word_codes` parts them."""
    return set("".join(each if each.isalpha() else " " for each in text.lower()).split())


def learn_words(examples: Sequence[Example]) -> Words:
    """How the odds of content change with a word in a line, and in the heading above."""
    own = _log_odds(examples, lambda example: example.words, WORD_SITES)
    headed = _log_odds(examples, lambda example: example.heading_words, HEADING_SITES)
    both = {word: (own.get(word, 0.0), headed.get(word, 0.0)) for word in {**own, **headed}}
    strongest = sorted(both, key=lambda word: (-max(map(abs, both[word])), word))[:MOST_WORDS]
    return {word: both[word] for word in sorted(strongest)}


def _log_odds(
    examples: Sequence[Example], words_of: Callable[[Example], dict[str, float]], least: int
) -> dict[str, float]:
    sites: dict[str, set[str]] = defaultdict(set)
    sums: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for example in examples:
        usual = float(np.clip(example.share.mean(), 0.02, 0.98)) if len(example.share) else 0.02
        for word, share in words_of(example).items():
            sites[word].add(example.site)
            known = sums[word]
            known[0] += share
            known[1] += 1
            known[2] += usual
    found = {}
    for word, (content, pages, usual) in sums.items():
        if len(sites[word]) < least:
            continue
        mean = usual / pages
        share = (content + 3 * mean) / (pages + 3)
        odds = np.log(share / (1 - share + 1e-9) + 1e-9) - np.log(mean / (1 - mean))
        found[word] = round(float(np.clip(odds, -STRONGEST, STRONGEST)), 2)
    return found


# What names say


def name_words(name: str) -> list[str]:
    """The words as `name_codes` parts them."""
    parts = re.findall(r"[A-Z]*[a-z]+|[A-Z]+", name)
    return [part.lower() for part in parts if len(part) >= 3]


def read_names(example: Example, names: Names) -> None:
    """For each line, how often words stand in names of the nearest elements, and of others."""
    page, lines = example.page, example.lines
    parents, attrs = page.packed.column("parent"), page.attrs
    words_of: dict[int, list[int]] = {}
    rows, columns = [], []
    for line, leaf in enumerate(lines.leaves.tolist()):
        row, step = parents[leaf], 0
        while row >= 0:
            if row not in words_of:
                said = [attrs.get(row, {}).get(name) or "" for name in NAMING]
                words = [word for name in said for word in name_words(name)]
                words_of[row] = [names.setdefault(word, len(names)) for word in words]
            columns += [2 * word + (step >= NEAREST_NAMES) for word in words_of[row]]
            rows += [line] * len(words_of[row])
            row, step = parents[row], step + 1
    places = np.array(rows, dtype=np.int32), np.array(columns, dtype=np.int32)
    example.names = (np.ones(len(rows), dtype=np.float32), places)


def learn_names(examples: Sequence[Example], names: Names) -> Words:
    """How the odds of content change with a word in a name: of the nearest elements, of others."""
    from scipy.optimize import minimize
    from scipy.sparse import csr_matrix, vstack

    sites: dict[int, set[str]] = defaultdict(set)
    for each in examples:
        for word in np.unique(each.names[1][1] // 2).tolist():
            sites[word].add(each.site)
    kept = np.array(sorted(word for word in sites if len(sites[word]) >= NAME_SITES))
    columns = np.full(2 * len(names), -1)
    columns[2 * kept], columns[2 * kept + 1] = (
        np.arange(len(kept)),
        len(kept) + np.arange(len(kept)),
    )
    tables = []
    for each in examples:
        values, (rows, found) = each.names
        known = columns[found] >= 0
        shape = len(each.share), 2 * len(kept)
        tables.append(csr_matrix((values[known], (rows[known], columns[found[known]])), shape))
    table = vstack(tables).tocsr()
    turned = table.T.tocsr()
    share = np.concatenate([each.share for each in examples])
    weights = np.concatenate([each.all_weights for each in examples])
    weights /= weights.mean()

    def loss(odds: Float) -> tuple[float, Float]:
        said = table @ odds[:-1] + odds[-1]
        lost = weights * (np.logaddexp(0, said) - share * said)
        error = weights * (1 / (1 + np.exp(-said)) - share)
        slope = np.append(turned @ error + RIDGE * odds[:-1], error.sum())
        return lost.sum() + RIDGE / 2 * (odds[:-1] ** 2).sum(), slope

    found = minimize(
        loss,
        np.zeros(2 * len(kept) + 1),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": STEPS},
    ).x
    words = list(names)
    near, far = (np.round(found[:-1], 2) + 0.0).reshape(2, -1).tolist()  # no -0.0
    learnt = {words[word]: (near[at], far[at]) for at, word in enumerate(kept.tolist())}
    return {word: learnt[word] for word in sorted(learnt) if any(learnt[word])}


# Learning


@dataclass
class Learnt:
    """What is learnt from some pages."""

    words: Words
    names: Words
    first: Any
    types: Any
    second: Any


def boost(table: Any, labels: Any, weights: Any, settings: dict[str, Any]) -> Any:
    import lightgbm

    settings = dict(settings)
    trees = settings.pop("trees")
    data = lightgbm.Dataset(np.asarray(table, dtype=np.float32), label=labels, weight=weights)
    return lightgbm.train({**FIXED, **COMMON, "seed": SEED, **settings}, data, trees)


def learn_first(examples: Sequence[Example]) -> Any:
    return boost(
        np.concatenate([each.lines.table[each.rows] for each in examples]),
        np.concatenate([each.share[each.rows] >= 0.5 for each in examples]).astype(float),
        np.concatenate([each.weights for each in examples]),
        FIRST | OF_LINES,
    )


def learn_second(examples: Sequence[Example]) -> Any:
    return boost(
        np.concatenate(
            [second_table(each.lines, each.first, each.types, each.rows) for each in examples]
        ),
        np.concatenate([each.share[each.rows] for each in examples]),
        np.concatenate([each.weights for each in examples]),
        SECOND | OF_LINES,
    )


def learn_types(examples: Sequence[Example]) -> Any:
    return boost(
        np.concatenate([type_row(each) for each in examples]),
        [PAGE_TYPES.index(each.group) for each in examples],
        [each.weight for each in examples],
        TYPES | OF_TYPES,
    )


def type_row(example: Example) -> NDArray[np.float32]:
    return page_row(example.page, example.lines, example.first)


def learn(examples: Sequence[Example], names: Names) -> Learnt:
    """Learn from pages; the folds among them say for each what was learnt without it."""
    examples = [each for each in examples if len(each.rows)]
    folds = sorted({each.fold for each in examples})
    parts = [
        (
            [each for each in examples if each.fold != fold],
            [each for each in examples if each.fold == fold],
        )
        for fold in folds
    ]
    for others, own in parts:
        said = lexicon(learn_words(others)), lexicon(learn_names(others, names))
        for each in own:
            each.lines = read_lines(each.page, *said)
    for others, own in parts:
        model = learn_first(others)
        for each in own:
            each.first = model.predict(each.lines.table, num_threads=1)
    for others, own in parts:
        model = learn_types(others)
        for each in own:
            each.types = model.predict(type_row(each), num_threads=1)[0]
    return Learnt(
        words=learn_words(examples),
        names=learn_names(examples, names),
        first=learn_first(examples),
        types=learn_types(examples),
        second=learn_second(examples),
    )


def apply(learnt: Learnt, example: Example, said: tuple[Lexicon, Lexicon]) -> Float:
    """(m,) how likely each line of a page is content, by what words and names say."""
    example.lines = read_lines(example.page, *said)
    if not example.lines.count:
        example.types = np.full(len(PAGE_TYPES), 1 / len(PAGE_TYPES))
        return np.zeros(0)
    example.first = learnt.first.predict(example.lines.table, num_threads=1)
    example.types = learnt.types.predict(type_row(example), num_threads=1)[0]
    asked = np.flatnonzero(example.first >= UNLIKELY)
    probability: Float = example.first.copy()
    if len(asked):
        table = second_table(example.lines, example.first, example.types, asked)
        probability[asked] = learnt.second.predict(table, num_threads=1)
    return probability


# Figures


def score(example: Example, probability: Float, favour: Favour = "balance") -> list[float]:
    """F, precision and recall of words, snippets found and avoided."""
    spans = []
    if example.lines.count:
        content = content_of(example.lines, probability, example.types)
        spans = content.spans[content.choose(favour)].tolist()
    text = example.page.readable_spans(spans)
    both = shared_words(text, example.truth.main_text or "")
    present = share_found(text, example.truth.present)
    absent = share_found(text, example.truth.absent)
    return [
        both.f,
        both.precision,
        both.recall,
        np.nan if present is None else present,
        np.nan if absent is None else 1 - absent,
    ]


@dataclass(frozen=True)
class Scored:
    """A page that nothing was learnt from: its type, what each favour gives, its likeliest type."""

    id: str
    group: str
    values: dict[Favour, list[float]]
    found: str


def score_fold(
    examples: Sequence[Example], names: Names, fold: int, marked: Sequence[Example]
) -> tuple[list[Scored], list[Scored]]:
    """The pages of one fold of sites, as they are, by models that know the others; those marked."""
    learnt = learn([each for each in examples if each.fold != fold], names)
    said = lexicon(learnt.words), lexicon(learnt.names)
    own, others = (
        [score_page(learnt, each, said) for each in group if each.fold == fold]
        for group in ([each for each in examples if each.weight == 1.0], marked)
    )
    f = np.mean([each.values["balance"][0] for each in own])
    print(f"fold {fold}: {len(own)} pages, F {f:.3f}", flush=True)
    return own, others


def score_page(learnt: Learnt, example: Example, said: tuple[Lexicon, Lexicon]) -> Scored:
    probability = apply(learnt, example, said)
    return Scored(
        id=example.entry.id,
        group=example.group,
        values={favour: score(example, probability, favour) for favour in FAVOURS},
        found=PAGE_TYPES[int(np.argmax(example.types))],
    )


def print_scores(pages: Sequence[Scored], marked: Sequence[Scored]) -> None:
    for favour in FAVOURS:
        print(f"\nfavouring {favour}")
        print("| pages | | F | P | R | with found | without avoided |")
        print("|---|---|---|---|---|---|---|")
        for name in ("all", *PAGE_TYPES):
            print_means(name, [each for each in pages if name in ("all", each.group)], favour)
        if marked:
            print_means("marked here", marked, favour)
    confusion = Counter((each.group, each.found) for each in pages)
    print(f"\ntypes right: {share_right(pages):.3f}")
    print(f"| true | {' | '.join(PAGE_TYPES)} |\n|---|{'---|' * len(PAGE_TYPES)}")
    for true in PAGE_TYPES:
        cells = " | ".join(str(confusion[true, found]) for found in PAGE_TYPES)
        print(f"| {true} | {cells} |")
    if marked:
        print(f"marked here, types right: {share_right(marked):.3f}")


def print_means(name: str, pages: Sequence[Scored], favour: Favour) -> None:
    table = np.array([each.values[favour] for each in pages])
    means = " | ".join(
        f"{np.nanmean(column):.3f}" if np.isfinite(column).any() else "" for column in table.T
    )
    print(f"| {name} | {len(pages)} | {means} |", flush=True)


def share_right(pages: Sequence[Scored]) -> float:
    return sum(each.group == each.found for each in pages) / len(pages)


def write_words(words: Words, path: Path) -> None:
    lines = [
        f"{json.dumps(word, ensure_ascii=False)}: {list(said)}" for word, said in words.items()
    ]
    path.write_text('{"words": {\n' + ",\n".join(lines) + "\n}}\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dataset")
    parser.add_argument("--nested", action="store_true", help="only score, on sites held out")
    parser.add_argument("--marked", nargs="+", help="with --nested: where marked pages are")
    arguments = parser.parse_args()
    names: Names = {}
    examples = read_examples(arguments.dataset, names)
    print(f"{len(examples)} pages, {sum(len(each.share) for each in examples)} lines", flush=True)
    if arguments.nested:
        marked = read_marked(arguments.marked) if arguments.marked else []
        parts = [score_fold(examples, names, fold, marked) for fold in range(FOLDS)]
        print_scores(*(list(chain.from_iterable(part)) for part in zip(*parts, strict=True)))
        return
    learnt = learn(examples, names)
    data = {"main-text": hash_folder(Path(arguments.dataset) / "main-text" / "truth")}
    write_words(learnt.words, HERE / "words.json")
    write_words(learnt.names, HERE / "names.json")
    for name, booster, features, outputs, settings in (
        ("lines", learnt.first, LINE_FEATURES, ["content"], FIRST | OF_LINES),
        ("page_type", learnt.types, PAGE_FEATURES, PAGE_TYPES, TYPES | OF_TYPES),
        ("main_text", learnt.second, SECOND_FEATURES, ["content"], SECOND | OF_LINES),
    ):
        record = training_record(data=data, seed=SEED, parameters=COMMON | settings)
        model = booster_model(booster, features, outputs, record)
        write_model(model, HERE / f"{name}.model.json")


if __name__ == "__main__":
    main()

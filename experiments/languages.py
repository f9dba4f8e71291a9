"""How line width and threshold of Block Fusion depend on the language of a page.

    python experiments/languages.py DATASET

Three studies. Accuracy (ARI over tokens, blocks of level 2) by language, on pages with marks.
Stability, on all pages: how far the result changes when a parameter does, as the ARI of the two
results. And, for scripts of which no page is at hand, accuracy on the marked pages rewritten: the
words replaced by others of another script's lengths, the tags and the truth kept.

The language of a page is the one with the most function words in its text; where hardly any are
found, the page's `lang`, then its script.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from pagecut.evaluation.datasets import GroundTruth, read_dataset
from pagecut.evaluation.measures.partition import AdjustedRand, adjusted_rand
from pagecut.evaluation.tasks import score_segmentation
from pagecut.page import Page
from pagecut.page.nodes import TEXT
from pagecut.page.text.lines import wrap_blocks
from pagecut.page.text.tokenizer import bare_words, columns, token_spans
from pagecut.results.labelled_ranges import own_segments
from pagecut.segmenters import segmenter

WIDTHS = (40, 60, 80, 100, 120)
THRESHOLDS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
METHODS = {"block-fusion": 0.38, "block-fusion-rules": 0.6}
LEVEL = 2
ARI = AdjustedRand()

FUNCTION_WORDS = {
    "en": "the of and to in for is on with you your this are from",
    "de": "der die das und ist nicht mit ein eine auf für den von zu",
    "fr": "le la les des et est une pour vous dans du sur nos votre",
    "es": "el los las y que una para por con del es su como más",
    "pt": "o os uma para com não que do da em no na dos e",
    "it": "il di che per una con della sono del gli nel le e non",
    "nl": "de het een van en op voor met zijn niet is te dat ook",
    "da": "og det en til af er på med ikke som den der har fra",
    "fi": "ja on ei että oli se hän mutta kun myös ovat joka tai sekä",
    "ro": "și si de la cu pentru din este mai sunt care nu în in",
}
SCRIPTS = {"ja": "[\u3040-\u30ff]", "zh": "[\u4e00-\u9fff]", "ko": "[\uac00-\ud7af]"}
# UTF-8 read as Windows-1252: a lead byte and the bytes that may follow it.
GARBLED = re.compile("[\u00c3-\u00ef][\u0080-\u00bf\u0152-\u0192\u2013-\u2122]")


def language(page: Page) -> str:
    words = [word.lower() for word in bare_words(page.text)]
    if len(GARBLED.findall(page.text)) > 0.05 * len(page.text):
        return "garbled"
    found = {
        name: sum(map(set(table.split()).__contains__, words))
        for name, table in FUNCTION_WORDS.items()
    }
    best = max(found, key=lambda name: found[name])
    if found[best] >= max(0.03 * len(words), 3):
        return best
    for attributes in page.attrs.values():
        if attributes.get("lang"):
            return attributes["lang"][:2].lower()
    for name, script in SCRIPTS.items():
        if len(re.findall(script, page.text)) > 0.2 * len(page.text):
            return name
    return "unknown"


@dataclass(frozen=True)
class Study:
    page: Page
    truth: GroundTruth
    language: str

    @property
    def marked(self) -> bool:
        blocks = self.truth.blocks[LEVEL]
        return len(np.unique(blocks[blocks >= 0])) > 1


def read_pages(folder: Path) -> Iterator[Study]:
    for entry in read_dataset(folder):
        page, truth = entry.load()
        if len(truth.units):
            yield Study(page, truth, language(page))


def han(word: str) -> str:
    """A character for three letters: five letters of English are about 1.6 of Chinese."""
    return "字" * max(round(len(word) / 3), 1)


def thai(word: str) -> str:
    """A syllable of two columns for two letters."""
    return "กา" * max(round(len(word) / 2), 1)


def compound(word: str) -> str:
    """Words half as long again, as in Finnish."""
    return word + word[: len(word) // 2 + 1]


REWRITTEN: dict[str, tuple[Callable[[str], str], str]] = {
    "as Chinese": (han, ""),
    "as Thai": (thai, ""),
    "as long words": (compound, " "),
}


def rewrite(study: Study, word: Callable[[str], str], space: str) -> Study:
    """The same page with other words; each text leaf keeps its place and its block."""
    page, nodes = study.page, study.page.nodes
    leaf_of_unit = page.leaves_at(study.truth.units)
    pieces, edges, new_edges, length = [], [0], [0], 0
    position = 0
    for row in page.leaves.tolist():
        start, end = int(nodes.start[row]), int(nodes.end[row])
        old = page.text[start:end]
        new = space.join(map(word, old.split())) if nodes.kind[row] == TEXT else old
        gap = page.text[position:start]
        pieces += [gap, new]
        edges += [start, end]
        new_edges += [length + len(gap), length + len(gap) + len(new)]
        length, position = new_edges[-1], end
    moved = {
        name: np.interp(getattr(nodes, name), edges, new_edges).astype(np.int32)
        for name in ("start", "end")
    }
    changed = replace(page, text="".join(pieces), nodes=replace(nodes, **moved))
    units = token_spans(changed.text)[:, 0]
    new_leaf_of_unit = changed.leaves_at(units)
    blocks = {}
    for level, of_unit in study.truth.blocks.items():
        of_leaf = np.full(len(nodes), -1, dtype=np.int32)
        of_leaf[leaf_of_unit] = of_unit
        blocks[level] = of_leaf[new_leaf_of_unit]
    return Study(changed, replace(study.truth, units=units, blocks=blocks), study.language)


def accuracy(studies: Sequence[Study], spec: str) -> float:
    method = segmenter(spec)
    return float(
        np.mean(
            [
                score_segmentation(method.segment(each.page), each.truth, LEVEL, [ARI])[0][1]
                for each in studies
            ]
        )
    )


def stability(studies: Sequence[Study], spec: str, other: str) -> float:
    """The agreement of two methods, mean over pages."""
    first, second = segmenter(spec), segmenter(other)
    values = []
    for each in studies:
        units = each.truth.units
        one, two = (own_segments(m.segment(each.page).labels_at(units)) for m in (first, second))
        values.append(adjusted_rand(one, two))
    return float(np.mean(values))


def full_lines(studies: Sequence[Study]) -> tuple[float, float]:
    """Tokens of a full line of 80 columns (the median), and columns of a token (the mean)."""
    counts: list[int] = []
    widths: list[int] = []
    for each in studies:
        lines = wrap_blocks(each.page, 80)
        tokens = np.diff(lines.tokens_before)
        for first, last in zip(lines.block_edges[:-1], lines.block_edges[1:], strict=True):
            counts.extend(tokens[first : last - 1].tolist())
        text = each.page.text
        widths.extend(columns(text[start:end]) for start, end in token_spans(text).tolist())
    return float(np.median(counts)) if counts else 0.0, float(np.mean(widths))


def print_table(title: str, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    print(f"\n{title}\n")
    print("| " + " | ".join(header) + " |")
    print("|" + "---|" * len(header))
    for row in rows:
        cells = (f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in row)
        print("| " + " | ".join(cells) + " |")


def sweep(name: str, studies: Sequence[Study], method: str) -> tuple[list[object], list[object]]:
    """A row of accuracy by width, and one by threshold."""
    start: list[object] = [name, method, len(studies)]
    widths = [accuracy(studies, f"{method}(line_width={width})") for width in WIDTHS]
    thresholds = [accuracy(studies, f"{method}(threshold={value})") for value in THRESHOLDS]
    return [*start, *widths], [*start, *thresholds]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dataset", type=Path)
    folder = parser.parse_args().dataset
    studies = list(read_pages(folder))
    if not any(each.marked for each in studies):
        sys.exit(f"{folder}: no page has marks")
    names = sorted({each.language for each in studies})
    by_language = {name: [s for s in studies if s.language == name] for name in names}

    rows: list[list[object]] = []
    for name, group in by_language.items():
        marked = sum(each.marked for each in group)
        rows.append([name, marked, len(group) - marked, *full_lines(group)])
    print_table(
        "Pages",
        ("language", "with marks", "without", "tokens of a full line", "columns of a token"),
        rows,
    )

    latin = [s for s in studies if s.marked and s.language != "garbled"]
    groups = {name: [s for s in group if s.marked] for name, group in by_language.items()}
    groups = {name: group for name, group in groups.items() if len(group) > 1}
    groups["all but en"] = [s for s in latin if s.language != "en"]
    groups["all"] = latin
    for name, (word, space) in REWRITTEN.items():
        groups[name] = [rewrite(s, word, space) for s in latin]
    by_width, by_threshold = [], []
    for name, group in groups.items():
        for method in METHODS:
            width_row, threshold_row = sweep(name, group, method)
            by_width.append(width_row)
            by_threshold.append(threshold_row)
    print_table("ARI by line width", ("language", "method", "pages", *map(str, WIDTHS)), by_width)
    print_table(
        "ARI by threshold", ("language", "method", "pages", *map(str, THRESHOLDS)), by_threshold
    )

    rows = []
    for name, group in by_language.items():
        for method, threshold in METHODS.items():
            others = [f"{method}(line_width={width})" for width in (60, 100)]
            others += [f"{method}(threshold={threshold + step:.2f})" for step in (-0.1, 0.1)]
            agreement = [stability(group, method, other) for other in others]
            rows.append([name, method, len(group), *agreement])
    header = ("language", "method", "pages", "width 60", "width 100", "threshold -0.1", "+0.1")
    print_table("Agreement (ARI) with the result of the default parameters", header, rows)


if __name__ == "__main__":
    main()

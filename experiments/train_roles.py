"""Learn the roles of Mosaic's segments from the types that people gave marked regions and blocks.

    python experiments/train_roles.py ../shared/data ../shared/data-modern

Learnt from those, and with half the weight from the blocks of `block_marks.jsonl` (`own_marks.py`),
which are told apart in the figures as `own`. Writes `roles.model.json` beside `segmenters/mosaic`;
`train_mosaic.py` learns all that cuts a page. What a segment's nodes are likely to be part of (the
sides) is read here from models learnt anew without the page's fold.

People's types contradict each other twice, within and between the two sets of pages; both are
settled by one rule for all pages (`meant`), and figures are told with and without it:

- The pages of 2013 know *LinkList*, which says how a block looks, not what it is for: lists of
  teasers are of this type on one page and *Article* on the next. People who marked the modern pages
  called those of short links navigation and lists of headlines and teasers content.
- In a footer, lists of links are footer on most modern pages and navigation on some.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from own_marks import BLOCKS
from train_mosaic import (
    LEVELS,
    OWN,
    SEED,
    Float,
    Folds,
    Int,
    Known,
    Sides,
    read_known,
    read_main,
    train,
)
from training import booster_model, hash_folder, training_record

from pagecut.evaluation.datasets import read_dataset
from pagecut.evaluation.sites import FOLDS
from pagecut.evidence.models import write_model
from pagecut.parsing.html import parse_html
from pagecut.segmenters.mosaic.cut import PageCut
from pagecut.segmenters.mosaic.features import ROLE_NAMES, ROLES
from pagecut.segmenters.mosaic.model import PLACE
from pagecut.segmenters.mosaic.roles import called

TREES = 150
RARE = 0.25  # the power by which blocks of a role weigh less, the more there are
PARAMETERS = {
    "objective": "multiclass",
    "num_class": len(ROLES),
    "learning_rate": 0.08,
    "num_leaves": 15,
    "min_data_in_leaf": 10,
    "lambda_l2": 5.0,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "feature_fraction": 0.4,
    "max_bin": 63,
}
# A tree of two tests, fitted to the blocks of modern pages that people called navigation or
# content, says so of 89 % of them: the share of words in links, and words per text (a logarithm).
LINKED, WORDS_OF_TEXT = 0.6, 1.64
_LINKED = ROLE_NAMES.index("linked tokens")
_WORDS_OF_TEXT = ROLE_NAMES.index("tokens per text")
CONTENT, FORM, FOOTER = map(ROLES.index, ("content", "form", "footer"))
ERAS = ("2013", "modern", OWN)

LinkLists = dict[str, frozenset[int]]  # by page, the blocks of that type


@dataclass(frozen=True)
class Rows:
    """The marked segments of a page whose texts lie in one run.

    Args:
        typed: the role that its type says; `truth`: the one that is meant.
        words: that are seen.
    """

    table: NDArray[np.float32]
    typed: Int
    truth: Int
    level: Int
    words: Float


def read_link_lists(folders: Sequence[Path]) -> LinkLists:
    found = {}
    for folder in folders:
        for entry in read_dataset(folder).for_task("segmentation"):
            if entry.segments is None:
                attributes = parse_html(entry.source(), entry.url).attrs
                found[entry.id] = frozenset(
                    row
                    for row, each in attributes.items()
                    if each.get("data-block-type") == "LinkList"
                )
    return found


def run_row(cut: PageCut, texts: int, first: int, end: int) -> NDArray[np.float32]:
    """What is known of some of a page's texts that follow each other."""
    starts = np.zeros(texts, dtype=np.int32)
    starts[first] = 1
    if end < len(starts):
        starts[end] = 1
    return np.asarray(cut.role_rows(starts)[0 if first == 0 else 1])


def read_rows(page: Known, sides: NDArray[np.float32], link_lists: LinkLists) -> Rows:
    page.cut.take_sides(sides)
    found: dict[tuple[int, int], tuple[Any, ...]] = {}
    for level in LEVELS:
        label = page.label[level]
        texts = np.flatnonzero((label >= 0) & (page.weight > 0))
        if not len(texts):
            continue
        edges = np.flatnonzero(np.concatenate([[True], np.diff(label[texts]) != 0, [True]]))
        for low, high in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
            first, end = int(texts[low]), int(texts[high - 1]) + 1
            block = int(label[first])
            role = page.role[level].get(block)
            if role not in ROLES:
                continue
            row = run_row(page.cut, len(page.weight), first, end)
            typed = ROLES.index(role)
            region = page.role[1].get(int(page.label[1][first]))
            is_list = block in link_lists.get(page.id, ())
            truth = meant(typed, region if level == 2 else None, is_list, row)
            words = float(page.weight[texts[low:high]].sum())
            # A region that is one block counts once, as a block.
            found[first, end] = row, typed, truth, level, words
    columns = list(zip(*found.values(), strict=True)) or [(), (), (), (), ()]
    return Rows(
        np.array(columns[0], dtype=np.float32).reshape(-1, len(ROLE_NAMES)),
        *(np.array(each, dtype=np.int64) for each in columns[1:4]),
        np.array(columns[4], dtype=np.float64),
    )


def meant(typed: int, region: str | None, is_link_list: bool, row: NDArray[np.float32]) -> int:
    """The role of a segment, by its type, the type of the region around it, and its features."""
    if region == "footer" and typed != FORM:
        return FOOTER
    short_links = row[_LINKED] > LINKED and row[_WORDS_OF_TEXT] <= WORDS_OF_TEXT
    return CONTENT if is_link_list and not short_links else typed


def learn(rows: Sequence[Rows], pages: Sequence[Known]) -> Any:
    roles = [each.truth for each in rows]
    counts = np.bincount(np.concatenate(roles), minlength=len(ROLES))
    weights = [
        page.counts * (counts[own] + 1.0) ** -RARE for page, own in zip(pages, roles, strict=True)
    ]
    return train([each.table for each in rows], roles, weights, PARAMETERS, TREES)


def find(booster: Any, table: NDArray[np.float32]) -> Int:
    """The role of each segment, as Mosaic gives it."""
    best = booster.predict(table).argmax(axis=1)
    return np.array([called(int(role), row) for role, row in zip(best, table, strict=True)])


def report(pages: Sequence[Known], sides: Sides, link_lists: LinkLists) -> dict[str, float]:
    """The share of blocks with their role, in five folds over sites; and which take which."""
    confusion = {era: np.zeros((len(ROLES), len(ROLES)), dtype=int) for era in ERAS}
    sums = {era: np.zeros(4) for era in ERAS}  # right as typed, blocks, words right, words
    for fold in range(FOLDS):
        rows = [read_rows(page, sides.of(page, frozenset({fold})), link_lists) for page in pages]
        others = [at for at, page in enumerate(pages) if page.fold != fold]
        booster = learn([rows[at] for at in others], [pages[at] for at in others])
        for own, page in zip(rows, pages, strict=True):
            blocks = own.level == 2
            if page.fold == fold and blocks.any():
                said, truth = find(booster, own.table[blocks]), own.truth[blocks]
                np.add.at(confusion[page.era], (truth, said), 1)
                words = own.words[blocks]
                sums[page.era] += (
                    (said == own.typed[blocks]).sum(),
                    len(said),
                    words[said == truth].sum(),
                    words.sum(),
                )
    figures = {}
    for era, table in confusion.items():
        typed, blocks, right, words = sums[era].tolist()
        figures[f"roles, {era}"] = round(float(np.trace(table) / blocks), 4)
        figures[f"roles as typed, {era}"] = round(typed / blocks, 4)
        figures[f"words in their role, {era}"] = round(right / words, 4)
        print(f"\n{era}, {blocks:.0f} blocks: {np.trace(table) / blocks:.3f} right, ", end="")
        print(f"{typed / blocks:.3f} as typed; {right / words:.3f} of the words\n")
        print(f"| | {' | '.join(ROLES)} |\n|---|{'---|' * len(ROLES)}")
        for role, row in zip(ROLES, table, strict=True):
            print(f"| {role} | {' | '.join(map(str, row))} |", flush=True)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("datasets", type=Path, nargs="+")
    parser.add_argument("--dry", action="store_true", help="write no model")
    arguments = parser.parse_args()
    pages = read_known(arguments.datasets, own=True)
    sides = Sides(pages, read_main(arguments.datasets))
    link_lists = read_link_lists(arguments.datasets)
    figures = report(pages, sides, link_lists)
    if arguments.dry:
        return
    everything: Folds = frozenset()
    rows = [read_rows(page, sides.of(page, everything), link_lists) for page in pages]
    record = training_record(
        data={
            **{folder.name: hash_folder(folder) for folder in arguments.datasets},
            BLOCKS.name: sha256(BLOCKS.read_bytes()).hexdigest(),
        },
        seed=SEED,
        parameters={**PARAMETERS, "trees": TREES, "rare": RARE},
        more={
            "nested": figures,
            "pages": len(pages),
            "rows": sum(len(each.truth) for each in rows),
        },
    )
    model = booster_model(learn(rows, pages), ROLE_NAMES, ROLES, record)
    write_model(model, PLACE / "roles.model.json")


if __name__ == "__main__":
    main()

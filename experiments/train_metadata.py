"""Learn which of the values that a page gives are its title, its author and its date.

    python experiments/train_metadata.py [FOLDER] [--only FIELD]

The folder holds pages with main text and metadata (`pagecut.evaluation.datasets.main_text`);
without it ../shared/data-modern/main-text. Of every page the candidates and the evidence for them
are read (`pagecut.content.metadata`); boosted trees learn which of them is marked, of titles how to
rank them. The numbers of trees and leaves and, where a page need not have the field, the threshold
are chosen inside the folds; the figures, in all and by the kind of page, come from outside. Writes
src/pagecut/content/metadata/<field>.model.json.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
from training import (
    Examples,
    booster_model,
    calibrate_output,
    hash_folder,
    learn_booster,
    training_record,
)

from pagecut.content.metadata import gather_candidates
from pagecut.content.metadata.choice import (
    ALWAYS,
    FIELDS,
    Candidate,
    decide,
    evidence_table,
    model_file,
)
from pagecut.evaluation.datasets import read_dataset
from pagecut.evaluation.sites import site_of
from pagecut.evaluation.tasks import METADATA_VALUES, normal_metadata
from pagecut.evidence.models import write_model

SEED = 1
LEAST_PAGES = 8  # with a piece of evidence that is learnt from
SHAPES = [(8, 100), (16, 100), (16, 200)]  # leaves, trees
RANKED = [(8, 100), (8, 150), (16, 150)]
THRESHOLDS = [round(-1.6 + 0.2 * step, 1) for step in range(13)]
PARAMETERS = {
    "objective": "binary",
    "learning_rate": 0.06,
    "min_data_in_leaf": 10,
    "feature_fraction": 0.7,
}


# A page has one title: its candidates are ranked, instead of each by itself being right or wrong.
RANKING = {
    "objective": "lambdarank",
    "lambdarank_truncation_level": 3,
    "learning_rate": 0.05,
    "min_data_in_leaf": 10,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
}


def read_pages(folder: Path):
    """For each page its site, kind, true values, and the candidates of each field."""
    for entry in read_dataset(folder):
        page, truth = entry.load()
        if truth.metadata is not None:
            values = {field: METADATA_VALUES[field](truth.metadata) for field in FIELDS}
            yield site_of(entry), entry.group, values, gather_candidates(page)


def learn(field, pages, data):
    counts: Counter[str] = Counter()
    for _, _, _, candidates in pages:
        counts.update(
            {name for each in candidates[field] for name in (*each.evidence, *each.of_page)}
        )
    features = sorted(name for name, count in counts.items() if count >= LEAST_PAGES)
    places = {name: place for place, name in enumerate(features)}
    true = [normal_metadata(field, values[field]) for _, _, values, _ in pages]
    # A page without candidates has one that is never given, so that it counts.
    given = [candidates[field] or [Candidate("", "")] for _, _, _, candidates in pages]
    flat = [each for candidates in given for each in candidates]
    owners = np.repeat(np.arange(len(pages)), [len(each) for each in given])
    labels = np.array(
        [
            float(bool(each.value) and normal_metadata(field, each.value) == true[page])
            for each, page in zip(flat, owners.tolist(), strict=True)
        ]
    )
    examples = Examples(
        table=evidence_table(flat, places),
        labels=labels,
        pages=owners,
        sites=[site for site, *_ in pages],
        weights=np.ones(len(flat)),
    )
    known: dict[object, object] = {}
    usual, shapes = (RANKING, RANKED) if field in ALWAYS else (PARAMETERS, SHAPES)

    def fit(rows, choice):
        leaves, trees, threshold = choice
        key = rows.tobytes(), leaves, trees
        if key not in known:
            parameters = {**usual, "num_leaves": leaves}
            known[key] = learn_booster(examples, rows, parameters, trees=trees, seed=SEED)
        booster = known[key]
        return lambda some: booster.predict(examples.table[some], raw_score=True) - threshold

    def score(page, _, sums):
        chosen = decide(field, given[page], sums)
        says = chosen is not None and bool(chosen.value)
        right = says and normal_metadata(field, chosen.value) == true[page]
        return 2.0 * right, float(says) + float(true[page] is not None)

    thresholds = [0.0] if field in ALWAYS else THRESHOLDS
    choices = [(*shape, threshold) for shape in shapes for threshold in thresholds]
    found, sums = examples.nested(choices, fit, score, "F")
    print(f"\n{field}: {len(flat)} candidates, {len(features)} pieces of evidence")
    print(
        f"F {found.score:.3f}, interval {found.interval}, chosen {[f.value for f in found.folds]}"
    )
    show_kinds(field, pages, given, owners, sums, true)
    every = np.arange(len(flat))
    chosen = Counter(fold.value[:2] for fold in found.folds).most_common(1)[0][0]
    threshold = float(np.median([fold.value[2] for fold in found.folds]))
    parameters = {**usual, "num_leaves": chosen[0]}
    booster = learn_booster(examples, every, parameters, trees=chosen[1], seed=SEED)
    record = training_record(
        data={"main-text": data},
        seed=SEED,
        parameters={**parameters, "trees": chosen[1], "threshold": threshold},
        scores=[found],
        more={"rows": len(flat), "pages": len(pages)},
    )
    model = booster_model(booster, features, [field], record)
    output = calibrate_output(model.outputs[0], platt=(1.0, -threshold))
    write_model(replace(model, outputs=[output]), model_file(field))


def agrees(candidates):
    """Whether a heading is `<title>`, or a first part of it."""
    return any(
        "h1" in each.evidence and each.given_by("title cut") + ("title" in each.evidence)
        for each in candidates
    )


def show_kinds(field, pages, given, owners, sums, true):
    """A table by the kind of page: F, and how many pages have exactly what is marked."""
    first = np.searchsorted(owners, np.arange(len(pages) + 1))
    rows: dict[str, list[tuple[float, float, float, float]]] = {}
    for page, (_, kind, _, _) in enumerate(pages):
        chosen = decide(field, given[page], sums[first[page] : first[page + 1]])
        says = chosen is not None and bool(chosen.value)
        right = says and normal_metadata(field, chosen.value) == true[page]
        marked = true[page] is not None
        names = ["all", kind]
        if field == "title":
            names.append("agreeing" if agrees(given[page]) else "differing")
            if true[page] in [normal_metadata(field, each.value) for each in given[page]]:
                names.append("has candidate")
        for name in names:
            rows.setdefault(name, []).append((right, says, marked, right or not (says or marked)))
    for name, values in rows.items():
        right, says, marked, exact = np.array(values, dtype=float).sum(axis=0)
        print(
            f"{name:14} pages {len(values):5} F {2 * right / max(1, says + marked):.3f} "
            f"precision {right / max(1, says):.3f} recall {right / max(1, marked):.3f} "
            f"exact {exact / len(values):.3f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", nargs="?", default="../shared/data-modern/main-text", type=Path)
    parser.add_argument("--only", choices=FIELDS)
    options = parser.parse_args()
    pages = list(read_pages(options.folder))
    data = hash_folder(options.folder / "truth")
    for field in FIELDS:
        if options.only in (None, field):
            learn(field, pages, data)


if __name__ == "__main__":
    main()

"""Learn the models of `contexts.item`: which text belongs to an image, and is it content at all?

python experiments/train_image_context.py DATASET... [--quick | --curve] [--chart reliability.svg]

Reads pages with image contexts, and of the pages with main text those that `image_marks.jsonl`
marks (`own_marks.py`); prints the figures of nested cross-validation over sites for the former,
and writes `src/pagecut/contexts/item/*.model.json`, learnt from all of them. Four models:

- `context` ranks the candidates of an image by the word F of their texts;
- `content` tells images with a context from those without, given the score of the best candidate;
- `others` names what an image without a context is;
- `confidence` says how likely the chosen text has a word F of at least .8, calibrated.

What the second and later models read of the first are scores of pages that it was not learnt from.
--quick leaves out the nesting, and prints no figures; --curve adds a learning curve.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from own_marks import ImageMarks, read_image_marks
from training import (
    FIXED,
    booster_model,
    calibrate_output,
    expected_calibration_error,
    hash_table,
    isotonic,
    training_record,
)

from pagecut.contexts.item import choice
from pagecut.contexts.item.candidate_evidence import NAMES
from pagecut.contexts.item.captions import Captions
from pagecut.contexts.item.choice import (
    CHOSEN_NAMES,
    CONFIDENCE_NAMES,
    CORE,
    OTHER_ROLES,
    Layout,
)
from pagecut.contexts.item.image_evidence import IMAGE_NAMES
from pagecut.contexts.item.page_choice import PageEvidence
from pagecut.contexts.item.texts import ShownText
from pagecut.contexts.item.together import pick
from pagecut.evaluation.datasets import read_dataset
from pagecut.evaluation.datasets.pages import DatasetPage
from pagecut.evaluation.measures.overlap import common_subsequence
from pagecut.evaluation.sites import FOLDS, fold_of, site_of, some_sites
from pagecut.evidence.item_tree import ItemTree
from pagecut.evidence.models import Model, write_model
from pagecut.page.text.tokenizer import bare_words

SEED = 1
RIGHT = 0.8  # word F from which a context counts as right
STEPS = 20  # of F, as grades for the ranking
THRESHOLDS = (0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5)
# The rules were written while looking at pages of these sources: there they are better evidence
# than elsewhere, so that these pages count for less.
WRITTEN_ON = ("2013", "rb", "tf")
TRUST = 0.3
OWN = "own"  # pages that are marked here: they are learnt from, and told apart in the figures
SHARES = (0.25, 0.5, 0.75)
OTHER_OF = {name: number for number, name in enumerate(OTHER_ROLES)}

RANKING = {
    "objective": "lambdarank",
    "learning_rate": 0.08,
    "num_leaves": 31,
    "min_data_in_leaf": 150,
    "feature_fraction": 0.3,
    "bagging_fraction": 0.5,
    "bagging_freq": 1,
    "lambda_l2": 20.0,
    "lambdarank_truncation_level": 5,
    "label_gain": [float(grade) for grade in range(STEPS + 1)],
}
DECISION = {
    "objective": "binary",
    "learning_rate": 0.05,
    "num_leaves": 7,
    "min_data_in_leaf": 20,
    "feature_fraction": 0.3,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 10.0,
}
# Thresholds at random: trees differ more, and are worth more together.
CONTENT = {
    **DECISION,
    "learning_rate": 0.04,
    "num_leaves": 32,
    "min_data_in_leaf": 10,
    "extra_trees": True,
}
NAMING = {**DECISION, "objective": "multiclass", "num_class": len(OTHER_ROLES)}
TREES = {"context": 200, "content": 700, "others": 180, "confidence": 150}

Float = NDArray[np.float64]
Bool = NDArray[np.bool_]
Rows = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class PageData:
    """What is learnt from one page: its candidates, its images and their truth."""

    id: str
    site: str
    source: str
    table: NDArray[np.float32]
    scores: Float  # of each candidate its F; 0 where the image has no context
    images: NDArray[np.float32]
    roles: Sequence[str]  # of each image; empty where it is not annotated
    layout: Layout
    certain: Bool  # images whose role needs no evidence


def read_page(entry: DatasetPage, marks: ImageMarks | None) -> PageData:
    page, truth = entry.load()
    tree = ItemTree(page)
    found = PageEvidence(page, tree, Captions(tree))
    shown = ShownText(tree)
    if marks is None:
        contexts = truth.contexts
        annotated = json.loads(Path(str(entry.image_context)).read_text(encoding="utf-8"))
        skipped = {each["image"]: each.get("skip", "no-text") for each in annotated["images"]}
    else:
        contexts, skipped = marks.contexts(page), marks.skipped
    elements = [image for image in page.images if image.tag == "img"]
    known = {elements[place].index: (place, text) for place, text in contexts.items()}
    scores, roles = [], []
    for image in page.images:
        place, text = known.get(image.index, (-1, None))
        roles.append("" if place < 0 else "content" if text else skipped.get(place, "no-text"))
        words = bare_words(text or "")
        for spans in found.candidates.of(image.index):
            own = (
                bare_words(page.readable_spans(shown.parts_for(image.node, spans))) if words else []
            )
            total = len(own) + len(words)
            scores.append(2 * common_subsequence(own, words) / total if own else 0.0)
    count = len(page.images)
    return PageData(
        id=entry.id,
        site=site_of(entry),
        source=OWN if marks else source_of(entry.id),
        table=found.evidence.table(page, 0, count),
        scores=np.array(scores),
        images=found.images,
        roles=roles,
        layout=found.layout,
        certain=np.array([bool(found.judge.certain(image)) for image in page.images], dtype=bool),
    )


class Data:
    """All pages, one after the other."""

    def __init__(self, pages: Sequence[PageData]) -> None:
        counts = [len(page.roles) for page in pages]
        firsts, groups, edge, group = [], [], 0, 0
        for page in pages:
            firsts.append(page.layout.firsts[:-1] + edge)
            groups.append(page.layout.groups + group)
            edge += int(page.layout.firsts[-1])
            group += int(page.layout.groups.max(initial=-1)) + 1
        self.pages = pages
        self.table = np.concatenate([page.table for page in pages])
        self.f = np.concatenate([page.scores for page in pages])
        self.images = np.concatenate([page.images for page in pages])
        self.layout = Layout(
            firsts=np.append(np.concatenate(firsts), edge),
            kinds=np.concatenate([page.layout.kinds for page in pages]),
            groups=np.concatenate(groups),
        )
        self.page = np.repeat(np.arange(len(pages)), counts)
        self.role = np.array([role for page in pages for role in page.roles])
        self.certain = np.concatenate([page.certain for page in pages])
        self.site = np.array([page.site for page in pages])[self.page]
        self.fold = np.array([fold_of(page.site) for page in pages])[self.page]
        self.source = np.array([page.source for page in pages])[self.page]
        self.known = self.role != ""
        self.content = self.role == "content"
        self.image_of = np.repeat(np.arange(len(self.role)), np.diff(self.layout.firsts))
        on_page = np.bincount(self.page[self.known], minlength=len(pages))[self.page]
        self.weights = np.maximum(on_page, 1) ** -0.3


def source_of(name: str) -> str:
    source = name.partition("_")[0]
    return "2013" if source in ("p", "r") else source


# The four models


def rank(data: Data, images: Bool) -> Any:
    import lightgbm

    rows = np.flatnonzero((images & data.content)[data.image_of])
    counts = np.bincount(data.image_of[rows])
    grades = np.rint(data.f[rows] * STEPS).astype(int)
    trust = np.where(np.isin(data.source, WRITTEN_ON), TRUST, 1.0)[data.image_of[rows]]
    part = lightgbm.Dataset(data.table[rows], grades, group=counts[counts > 0], weight=trust)
    parameters = {**FIXED, "seed": SEED, **RANKING}
    return lightgbm.train(parameters, part, num_boost_round=TREES["context"])


_shared: list[Data] = []  # what the processes that learn read, taken over when they start


def rank_some(images: Bool) -> Any:
    return rank(_shared[0], images)


def rank_each(data: Data, parts: Sequence[Bool]) -> list[Any]:
    """Models learnt from some images each, two at a time."""
    _shared[:] = [data]
    with Pool(2) as pool:
        return pool.map(rank_some, parts, chunksize=1)


def boost(
    table: NDArray[np.float32],
    labels: Any,
    weights: Float,
    parameters: Mapping[str, Any],
    trees: int,
) -> Any:
    import lightgbm

    part = lightgbm.Dataset(table, labels, weight=weights)
    return lightgbm.train({**FIXED, "seed": SEED, **parameters}, part, num_boost_round=trees)


def learn_content(data: Data, table: NDArray[np.float32], images: Bool) -> Any:
    rows = np.flatnonzero(images & data.known)
    return boost(table[rows], data.content[rows], data.weights[rows], CONTENT, TREES["content"])


def predict(booster: Any, table: NDArray[np.float32], raw_score: bool = False) -> Float:
    # One thread: processes that start after others have run would wait for them forever.
    found: Float = booster.predict(table, raw_score=raw_score, num_threads=1)
    return found


odds_of = partial(predict, raw_score=True)


def learn_confidence(data: Data, table: NDArray[np.float32], right: Bool, images: Bool) -> Any:
    rows = np.flatnonzero(images & data.known)
    return boost(table[rows], right[rows], data.weights[rows], DECISION, TREES["confidence"])


# Everything after the ranking


@dataclass(kw_only=True)
class Decided:
    """What is decided for images that nothing was learnt from.

    Args:
        f: F of the chosen texts.
        odds: that an image is content.
        confidence: that the chosen text is right.
    """

    f: Float
    odds: Float
    confidence: Float
    threshold: float = 0.0
    steps: list[tuple[float, float]] = field(default_factory=list)


class Chosen:
    """The best candidates by some scores, and what is known of them."""

    def __init__(self, data: Data, scores: Float) -> None:
        self.chosen = choice.best_together(scores, data.layout)
        core = data.table[:, : len(CORE)]
        self.table = choice.chosen_table(scores, self.chosen, core, data.images, data.layout)
        self.f = np.where(self.chosen >= 0, data.f[np.maximum(self.chosen, 0)], 0.0)
        self.right = data.content & (self.f >= RIGHT)


def kept(data: Data, chosen: Rows, odds: Float, threshold: float) -> Bool:
    found: Bool = (choice.logistic(odds) >= threshold) & (chosen >= 0) & ~data.certain
    return found


def figures(data: Data, f: Float, keep: Bool, images: Bool) -> dict[str, float]:
    """F over images, F by page, F of the decision, and overall."""
    true = images & data.content
    got = np.where(keep, f, 0.0)
    pages = np.bincount(data.page[true], got[true]) / np.maximum(np.bincount(data.page[true]), 1)
    hits = float((keep & true).sum())
    decision = 2 * hits / max(1, true.sum() + (keep & images & data.known).sum())
    overall = np.where(data.content, got, ~keep)[images & data.known]
    return {
        "images": float(got[true].mean()),
        "pages": float(pages[np.unique(data.page[true])].mean()),
        "decision": decision,
        "overall": float(overall.mean()),
    }


def held_out(data: Data, images: Bool, learn: Any, predict: Any) -> Float:
    """Of each of some images what models say that were learnt from those of the other folds."""
    found = np.zeros(len(data.role))
    for number in range(FOLDS):
        out = images & (data.fold == number)
        if out.any():
            found[out] = predict(learn(images & (data.fold != number)), out)
    return found


def second_stage(data: Data, chosen: Chosen, images: Bool) -> tuple[Any, Any, Decided]:
    """Models after the ranking, learnt from some images, and what they say of these, held out."""
    table = chosen.table
    learn = partial(learn_content, data, table)
    odds = held_out(data, images, learn, lambda model, out: odds_of(model, table[out]))
    sums = {
        limit: sum(figures(data, chosen.f, kept(data, chosen.chosen, odds, limit), images).values())
        for limit in THRESHOLDS
    }
    threshold = max(THRESHOLDS, key=lambda limit: sums[limit])
    with_odds = np.column_stack([table, odds]).astype(np.float32)
    learn_right = partial(learn_confidence, data, with_odds, chosen.right)
    raw = held_out(data, images, learn_right, lambda model, out: predict(model, with_odds[out]))
    shown = images & data.known & kept(data, chosen.chosen, odds, threshold)
    steps = isotonic(raw[shown], chosen.right[shown].astype(float))
    decided = Decided(f=chosen.f, odds=odds, confidence=raw, threshold=threshold, steps=steps)
    return learn(images), learn_right(images), decided


def nested(data: Data) -> tuple[Decided, Bool, Rows, Float]:
    """What is decided for every image by models that have not seen its site; what is kept, which
    candidates are chosen, and the scores of those of other folds."""
    every = np.ones(len(data.role), dtype=bool)
    numbers = frozenset(np.unique(data.fold).tolist())
    parts = [numbers - {one, other} for one in sorted(numbers) for other in range(one + 1)]
    models = rank_each(data, [np.isin(data.fold, list(part)) for part in parts])
    known = dict(zip(parts, models, strict=True))

    def scores_of(folds: frozenset[int], out: int) -> tuple[Rows, Float]:
        rows = np.flatnonzero((data.fold == out)[data.image_of])
        return rows, predict(known[folds], data.table[rows])

    result = Decided(
        f=np.zeros(len(every)), odds=np.zeros(len(every)), confidence=np.zeros(len(every))
    )
    keep = np.zeros(len(every), dtype=bool)
    picks = np.full(len(every), -1)
    outer = np.zeros(len(data.f))
    for number in sorted(numbers):
        training = numbers - {number}
        scores = np.zeros(len(data.f))
        for inner in training:
            rows, found = scores_of(training - {inner}, inner)
            scores[rows] = found
        rows, found = scores_of(training, number)
        scores[rows] = outer[rows] = found
        chosen = Chosen(data, scores)
        content, right, decided = second_stage(data, chosen, data.fold != number)
        out = data.fold == number
        odds = np.zeros(len(every))
        odds[out] = odds_of(content, chosen.table[out])
        with_odds = np.column_stack([chosen.table, odds]).astype(np.float32)
        steps = np.array(decided.steps)
        raw = predict(right, with_odds[out])
        result.f[out] = chosen.f[out]
        result.odds[out] = odds[out]
        result.confidence[out] = np.interp(raw, steps[:, 0], steps[:, 1])
        keep[out] = kept(data, chosen.chosen, odds, decided.threshold)[out]
        picks[out] = chosen.chosen[out]
        print(f"fold {number}: threshold {decided.threshold}", flush=True)
    return result, keep, picks, outer


def report(data: Data, result: Decided, keep: Bool, picks: Rows) -> dict[str, Any]:
    others = data.source != OWN
    rows: dict[str, Any] = {"all": figures(data, result.f, keep, others)}
    rows["every image kept"] = figures(data, result.f, picks >= 0, others)
    for source in sorted(set(data.source.tolist())):
        rows[source] = figures(data, result.f, keep, data.source == source)
        rows[source]["every image kept"] = float(
            result.f[(data.source == source) & data.content].mean()
        )
    for name, row in rows.items():
        print(f"{name:18}" + "  ".join(f"{key} {value:.4f}" for key, value in row.items()))
    shown = keep & data.known & others
    right = (data.content & (result.f >= RIGHT))[shown].astype(float)
    sure = result.confidence[shown]
    rows["calibration error"] = expected_calibration_error(sure, right)
    print(f"calibration error {rows['calibration error']:.4f}; right {right.mean():.4f}")
    order = np.argsort(-sure, kind="stable")
    got = np.where(data.content, result.f, 0.0)[shown]
    for share in (0.25, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0):
        top = order[: max(1, round(share * len(order)))]
        rows[f"surest {share:.0%}"] = {
            "from": float(sure[top].min()),
            "right": float(right[top].mean()),
            "F": float(got[top].mean()),
        }
        print(f"surest {share:.0%}", rows[f"surest {share:.0%}"])
    return rows


def curve(data: Data) -> list[dict[str, float]]:
    """F over images with every image kept, by how many sites the ranking was learnt from."""
    points = []
    for share in SHARES:
        scores = np.zeros(len(data.f))
        parts = []
        for number in range(FOLDS):
            training = data.fold != number
            sites = some_sites(data.site[training].tolist(), share)
            parts.append(training & np.isin(data.site, list(sites)))
        for number, booster in enumerate(rank_each(data, parts)):
            rows = np.flatnonzero((data.fold == number)[data.image_of])
            scores[rows] = predict(booster, data.table[rows])
        chosen = Chosen(data, scores)
        scored = data.content & (data.source != OWN)
        points.append({"share": share, "score": float(chosen.f[scored].mean())})
        print(points[-1], flush=True)
    return points


# What is shipped


def ship(data: Data, outer: Float, record: Mapping[str, Any]) -> None:
    every = np.ones(len(data.role), dtype=bool)
    folder = Path(choice.__file__).parent
    chosen = Chosen(data, outer)
    content, right, decided = second_stage(data, chosen, every)
    others = np.flatnonzero(data.known & ~data.content)
    kinds = [OTHER_OF.get(role, OTHER_OF["no-text"]) for role in data.role[others].tolist()]
    named = boost(data.images[others], kinds, data.weights[others], NAMING, TREES["others"])
    of = partial(_record, record)
    write_model(
        booster_model(rank(data, every), NAMES, ["score"], of(RANKING)),
        folder / "context.model.json",
    )
    with_threshold = {**of(CONTENT), "threshold": decided.threshold}
    write_model(
        booster_model(content, CHOSEN_NAMES, ["content"], with_threshold),
        folder / "content.model.json",
    )
    write_model(
        booster_model(named, IMAGE_NAMES, OTHER_ROLES, of(NAMING)), folder / "others.model.json"
    )
    model = booster_model(right, CONFIDENCE_NAMES, ["right"], of(DECISION))
    output = calibrate_output(model.outputs[0], steps=_thinned(decided.steps))
    write_model(
        Model(features=model.features, outputs=[output], link=model.link, record=model.record),
        folder / "confidence.model.json",
    )
    print(f"threshold {decided.threshold}")


def _record(record: Mapping[str, Any], parameters: Mapping[str, Any]) -> dict[str, Any]:
    return training_record(
        data=record["data"],
        seed=SEED,
        parameters={**parameters, "trees": TREES},
        more=record["more"],
    )


def _thinned(steps: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Steps whose places differ when they are rounded."""
    found: dict[float, float] = {}
    for place, score in steps:
        found[round(place, 5)] = round(score, 4)
    return sorted(found.items())


def draw(data: Data, result: Decided, keep: Bool, path: str) -> None:
    """How often contexts are right against their confidence, and against how many are kept."""
    from pagecut.pictures.charts import Panel, Series, draw_chart

    shown = keep & data.known & (data.source != OWN)
    right = (data.content & (result.f >= RIGHT))[shown].astype(float)
    sure = result.confidence[shown]
    bins = np.minimum((sure * 10).astype(int), 9)
    used = [number for number in range(10) if (bins == number).sum() >= 10]
    points = [
        (float(sure[bins == each].mean()), float(right[bins == each].mean())) for each in used
    ]
    order = np.argsort(-sure, kind="stable")
    shares = [
        (count / len(order), float(right[order[:count]].mean()))
        for count in np.linspace(len(order) / 20, len(order), 20).astype(int).tolist()
    ]
    print("reliability", points)
    print("precision by share", shares)
    promised = Series(name="as promised", x=[0.0, 1.0], y=[0.0, 1.0])
    found = Series(name="by confidence", x=[x for x, _ in points], y=[y for _, y in points])
    kept_share = Series(name="by share kept", x=[x for x, _ in shares], y=[y for _, y in shares])
    panels = [
        Panel(y_label="right", series=[found, promised]),
        Panel(y_label="right", series=[kept_share], from_zero=False),
    ]
    drawing = draw_chart(
        panels,
        title="How often a context is right",
        subtitle="By its confidence, and by the share of the surest that are kept; other sites",
        x_label="confidence (above), share kept (below)",
    )
    Path(path).write_text(drawing.svg(), encoding="utf-8")


def main(arguments: Sequence[str]) -> None:
    quick = "--quick" in arguments
    chart = arguments[arguments.index("--chart") + 1] if "--chart" in arguments else ""
    folders = [each for each in arguments if not each.startswith("--") and each != chart]
    if not folders:
        sys.exit(__doc__)
    marks = read_image_marks()
    entries = [
        (each, None if each.image_context else marks[each.id])
        for folder in folders
        for each in read_dataset(folder)
        if each.image_context or each.id in marks
    ]
    with Pool(2) as pool:
        data = Data(pool.starmap(read_page, entries, chunksize=4))
    print(
        f"{len(entries)} pages, {int(data.known.sum())} images, {int(data.content.sum())} with a "
        f"context, {len(data.f)} candidates; {dict(Counter(data.role.tolist()))}"
    )
    best = pick(data.f, data.layout.firsts)
    scored = data.content & (data.source != OWN)
    oracle = np.where(best >= 0, data.f[np.maximum(best, 0)], 0.0)[scored].mean()
    print(f"the best of the candidates: F {oracle:.4f}", flush=True)
    more: dict[str, Any] = {"images": int(data.known.sum()), "best candidates": float(oracle)}
    if quick:
        outer = np.zeros(len(data.f))
        models = rank_each(data, [data.fold != number for number in range(FOLDS)])
        for number, booster in enumerate(models):
            rows = np.flatnonzero((data.fold == number)[data.image_of])
            outer[rows] = predict(booster, data.table[rows])
    else:
        result, keep, picks, outer = nested(data)
        more["nested"] = report(data, result, keep, picks)
        if "--curve" in arguments:
            more["curve"] = curve(data)
        if chart:
            draw(data, result, keep, chart)
    hashes = {"tables": hash_table(data.table, data.images), "truth": hash_table(data.f)}
    ship(data, outer, {"data": hashes, "more": more})


if __name__ == "__main__":
    main(sys.argv[1:])

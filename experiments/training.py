"""What the commands that learn a model share: experiments/train_….py.

A command reads marked pages into `Examples`, scores its choices with `Examples.nested`, learns the
model that is shipped from all pages with `learn_booster`, and writes it with `booster_model`,
`training_record` and `pagecut.evidence.models.write_model`. docs/models.md shows one whole.

Figures come from `pagecut.evaluation.cross_validation`, over the fixed folds; this module only lets
rows of a table be learnt from and their pages be scored.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from pagecut.evaluation.cross_validation import (
    SHARES,
    CrossValidation,
    LearningPoint,
    Parts,
    divisions,
    learning_curve,
    nested_cross_validate,
)
from pagecut.evaluation.learnt_from import hash_folder as hash_folder
from pagecut.evaluation.sites import FOLDS
from pagecut.evidence.models import Model, Output, Tree

Float = NDArray[np.float64]
Rows = NDArray[np.int64]
Steps = list[tuple[float, float]]
Choice = TypeVar("Choice")
Predict = Callable[[Rows], Float]  # of some rows, by what was learnt
Fit = Callable[[Rows, Choice], Predict]  # from some rows, by a choice
Score = Callable[[int, Rows, Float], Parts]  # of a page, its rows and their predictions

# The same bytes from the same data: one thread, and no layout that is chosen by timing it.
FIXED = {
    "num_threads": 1,
    "deterministic": True,
    "force_row_wise": True,
    "verbosity": -1,
}


@dataclass(frozen=True, kw_only=True)
class Examples:
    """Rows to learn from, each of a page, each page of a site.

    Args:
        table: (n, f) float32, as the model will see it.
        labels: (n,) what is true.
        pages: (n,) the page of each row, by its place in `sites`.
        sites: (p,) the site of each page (`pagecut.evaluation.sites`).
        weights: (n,) what each row counts for.
    """

    table: NDArray[np.float32]
    labels: Float
    pages: Rows
    sites: Sequence[str]
    weights: Float

    def rows(self, pages: Sequence[int]) -> Rows:
        """The rows of some pages, in the table's order."""
        return np.flatnonzero(np.isin(self.pages, np.asarray(pages, dtype=np.int64)))

    def row_sites(self, rows: Rows) -> list[str]:
        return [self.sites[page] for page in self.pages[rows].tolist()]

    def nested(
        self, choices: Sequence[Choice], fit: Fit[Choice], score: Score, measure: str
    ) -> tuple[CrossValidation, Float]:
        """What a way to learn is worth on other sites, and (n, …) every row's prediction there.

        For each fold one of the choices is made inside the others (`nested_cross_validate`).
        """
        found = nested_cross_validate(
            range(len(self.sites)),
            self.sites,
            choices,
            fit=lambda choice, pages: fit(self.rows(pages), choice),
            score=self._scoring(score),
            measure=measure,
        )
        predictions: list[tuple[Rows, Float]] = []
        for fold, (_, _, out) in zip(found.folds, divisions(self.sites), strict=True):
            rows = self.rows(out.tolist())
            predictions.append((rows, fold.learnt(rows)))
        return found, _in_order(len(self.labels), predictions)

    def curve(
        self,
        choice: Choice,
        fit: Fit[Choice],
        score: Score,
        shares: Sequence[float] = SHARES,
    ) -> list[LearningPoint]:
        """The held-out score after learning from a share of the sites (`learning_curve`)."""
        return learning_curve(
            range(len(self.sites)),
            self.sites,
            fit=lambda pages: fit(self.rows(pages), choice),
            score=self._scoring(score),
            shares=shares,
        )

    def held_out(self, rows: Rows, choice: Choice, fit: Fit[Choice]) -> Float:
        """The prediction of each of some rows by what was learnt from those of the other folds.

        Rows of one fold alone are predicted by what was learnt from themselves.
        """
        every = np.arange(len(rows))
        parts = list(divisions(self.row_sites(rows))) or [(0, every, every)]
        predictions = [(out, fit(rows[training], choice)(rows[out])) for _, training, out in parts]
        return _in_order(len(rows), predictions)

    def calibrated(self, fit: Fit[Choice], kind: Literal["platt", "isotonic"]) -> Fit[Choice]:
        """Learn, and calibrate by held-out predictions of the rows that were learnt from alone.

        `fit` has to predict sums for `platt` and scores for `isotonic`. It is called once for each
        fold that the rows lie in, and once for all of them.
        """

        def learn(rows: Rows, choice: Choice) -> Predict:
            held_out = self.held_out(rows, choice, fit)
            predict = fit(rows, choice)
            labels, weights = self.labels[rows], self.weights[rows]
            if kind == "platt":
                scale, bias = platt(held_out, labels, weights)
                return lambda some: 1.0 / (1.0 + np.exp(-(scale * predict(some) + bias)))
            steps = np.array(isotonic(held_out, labels, weights))
            return lambda some: np.interp(predict(some), steps[:, 0], steps[:, 1])

        return learn

    def _scoring(self, score: Score) -> Callable[[Predict, int], Parts]:
        rows_of = np.split(
            np.argsort(self.pages, kind="stable"),
            np.cumsum(np.bincount(self.pages, minlength=len(self.sites)))[:-1],
        )

        def score_page(predict: Predict, page: int) -> Parts:
            rows = rows_of[page]
            return score(page, rows, predict(rows)) if len(rows) else (0.0, 0.0)

        return score_page


def _in_order(count: int, parts: Sequence[tuple[Rows, Float]]) -> Float:
    """(count, …) predictions that came in parts; NaN where there is none."""
    shape = parts[0][1].shape[1:] if parts else ()
    found = np.full((count, *shape), np.nan)
    for rows, predictions in parts:
        found[rows] = predictions
    return found


# Calibration


def platt(sums: Float, labels: Float, weights: Float | None = None) -> tuple[float, float]:
    """The scale and bias by which the logistic function of sums fits labels of 0 and 1.

    Labels are drawn in a little, as by Platt ("Probabilistic outputs for support vector machines",
    1999), so that sums which separate them do not ask for infinite weights. Newton's method.
    """
    weights = np.ones(len(sums)) if weights is None else weights
    true, false = float(weights @ labels), float(weights @ (1 - labels))
    target = np.where(labels > 0.5, (true + 1) / (true + 2), 1 / (false + 2))
    inputs = np.stack([sums, np.ones(len(sums))], axis=1)
    found = np.array([0.0, np.log((true + 1) / (false + 1))])

    def loss(at: Float) -> float:
        z = inputs @ at
        return float(weights @ (np.logaddexp(0, z) - target * z))

    for _ in range(100):
        p = 1 / (1 + np.exp(-np.clip(inputs @ found, -500, 500)))
        gradient = inputs.T @ (weights * (p - target))
        hessian = (inputs * (weights * p * (1 - p))[:, None]).T @ inputs + 1e-12 * np.eye(2)
        step = np.linalg.solve(hessian, gradient)
        while loss(found - step) > loss(found) and np.abs(step).max() > 1e-12:
            step /= 2
        found = found - step
        if np.abs(step).max() < 1e-10:
            break
    return float(found[0]), float(found[1])


def isotonic(scores: Float, labels: Float, weights: Float | None = None) -> Steps:
    """The steps of the ascending function of scores that fits labels best."""
    from sklearn.isotonic import IsotonicRegression

    fitted = IsotonicRegression(out_of_bounds="clip").fit(scores, labels, sample_weight=weights)
    steps: Steps = []
    for place, score in zip(fitted.X_thresholds_, fitted.y_thresholds_, strict=True):
        if not steps or place > steps[-1][0]:
            steps.append((float(place), float(score)))
    return steps


def calibrate_output(
    output: Output, platt: tuple[float, float] | None = None, steps: Steps | None = None
) -> Output:
    """An output with a calibration that was learnt from its held-out sums or scores."""
    scale, bias = platt or (1.0, 0.0)
    return replace(
        output,
        scale=scale * output.scale,
        bias=scale * output.bias + bias,
        steps=output.steps if steps is None else steps,
    )


def expected_calibration_error(
    probabilities: Float, labels: Float, weights: Float | None = None, bins: int = 10
) -> float:
    """How far probabilities are from how often they come true: the mean over rows, in bins of the
    same width."""
    weights = np.ones(len(labels)) if weights is None else weights
    place = np.minimum((probabilities * bins).astype(int), bins - 1)
    gaps = np.bincount(place, weights * (probabilities - labels), bins)
    return float(np.abs(gaps).sum() / weights.sum()) if len(labels) else 0.0


# LightGBM


def learn_booster(
    examples: Examples,
    rows: Rows,
    parameters: Mapping[str, Any],
    *,
    trees: int,
    seed: int,
    labels: Float | None = None,
) -> Any:
    """A LightGBM booster learnt from some rows, the same whenever it is learnt.

    Args:
        parameters: LightGBM's, `objective` among them; `num_leaves` is at most 32.
        labels: of all rows, instead of those of the examples.

    Where the objective is to rank, it is the rows of each page that are ranked; rows are ascending.
    """
    import lightgbm

    ranks = parameters.get("objective") == "lambdarank"
    data = lightgbm.Dataset(
        examples.table[rows],
        label=(examples.labels if labels is None else labels)[rows],
        weight=examples.weights[rows],
        group=np.unique(examples.pages[rows], return_counts=True)[1] if ranks else None,
        free_raw_data=True,
    )
    return lightgbm.train({**FIXED, "seed": seed, **parameters}, data, num_boost_round=trees)


def booster_model(
    booster: Any,
    features: Sequence[str],
    outputs: Sequence[str],
    record: Mapping[str, Any] | None = None,
) -> Model:
    """The model of a booster that was learnt from a float32 table; ValueError if it has none.

    Its scores are those of `booster.predict`, up to what rounding leaves in a file takes away.
    """
    dump = booster.dump_model()
    objective, *settings = dump["objective"].split()
    options = dict(each.split(":") for each in settings if ":" in each)
    links = {
        "binary": "logistic",
        "cross_entropy": "logistic",
        "multiclassova": "logistic",
        "multiclass": "softmax",
    }
    same = "regression lambdarank rank_xendcg huber fair quantile mape regression_l1".split()
    if objective not in {*links, *same} or "sqrt" in settings:
        raise ValueError(f"no link for the objective {dump['objective']!r}")
    if dump.get("average_output"):
        raise ValueError("random forests, whose trees are averaged, are not supported")
    if len(features) != dump["max_feature_idx"] + 1:
        raise ValueError(f"{dump['max_feature_idx'] + 1} features were learnt from")
    count = dump["num_tree_per_iteration"]
    if len(outputs) != count:
        raise ValueError(f"there must be {count} outputs, got {len(outputs)}")
    trees = [_tree(each["tree_structure"]) for each in dump["tree_info"]]
    return Model(
        features=tuple(features),
        outputs=[
            Output(name=name, trees=trees[at::count], scale=float(options.get("sigmoid", 1)))
            for at, name in enumerate(outputs)
        ],
        link=links.get(objective, "none"),
        record=record or {},
    )


def _tree(node: Mapping[str, Any]) -> Tree:
    if "leaf_value" in node:
        if "leaf_coeff" in node:
            raise ValueError("trees with linear leaves are not supported")
        return float(node["leaf_value"])
    if node["decision_type"] != "<=" or node["missing_type"] == "Zero":
        raise ValueError("categories and zeros as missing values are not supported")
    threshold = below(node["threshold"])
    # Without missing values in training, LightGBM takes NaN for 0.
    left = node["default_left"] if node["missing_type"] == "NaN" else threshold >= 0
    test = [node["split_feature"], threshold, _tree(node["left_child"]), _tree(node["right_child"])]
    return test if left else [*test, 1]


def below(threshold: float) -> float:
    """The largest finite float32 that is not above: it parts float32 values in the same way."""
    largest = float(np.finfo(np.float32).max)
    near = np.float32(min(max(threshold, -largest), largest))
    if float(near) > threshold > -largest:
        near = np.nextafter(near, np.float32(-np.inf))
    return float(near)


# The record


def training_record(
    *,
    data: Mapping[str, str],
    seed: int,
    parameters: Mapping[str, Any],
    scores: Iterable[CrossValidation] = (),
    learning: Sequence[LearningPoint] = (),
    more: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """How a model was learnt, for its file: nothing that differs from one run to the next.

    Args:
        data: the hash of each dataset, by its name.
        parameters: of the model that is shipped.
        scores: nested, on sites that had no say.
        more: whatever else is worth keeping: rows, calibration errors, what was left out.
    """
    return {
        "command": " ".join(["python", f"experiments/{Path(sys.argv[0]).name}"]),
        "seed": seed,
        "data": dict(data),
        "folds": FOLDS,
        "parameters": _plain(parameters),
        "scores": {each.measure: _score(each) for each in scores},
        "learning": [
            {"share": each.share, "sites": round(each.sites), "score": round(each.score, 4)}
            for each in learning
        ],
        "versions": {
            "python": ".".join(platform.python_version_tuple()[:2]),
            **{name: version(name) for name in ("numpy", "lightgbm")},
        },
        **_plain(more or {}),
    }


def _score(found: CrossValidation) -> dict[str, Any]:
    return {
        "score": round(found.score, 4),
        "interval": None if found.interval is None else [round(x, 4) for x in found.interval],
        "folds": [
            {"pages": fold.pages, "score": round(fold.score, 4), "choice": _plain(fold.value)}
            for fold in found.folds
        ],
    }


def _plain(value: Any) -> Any:
    """As JSON has it."""
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, float):
        return float(f"{value:.6g}") if np.isfinite(value) else None
    return value if isinstance(value, (str, int, bool)) or value is None else str(value)


def hash_table(*arrays: NDArray[Any]) -> str:
    """One hash for the shapes and values of arrays."""
    whole = sha256()
    for array in arrays:
        whole.update(f"{array.dtype} {array.shape}\n".encode())
        whole.update(np.ascontiguousarray(array).tobytes())
    return whole.hexdigest()[:16]

"""What training scripts share: models of boosters, calibration, figures from sites held out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from training import (
    Examples,
    below,
    booster_model,
    calibrate_output,
    expected_calibration_error,
    hash_folder,
    hash_table,
    isotonic,
    learn_booster,
    platt,
    training_record,
)

from pagecut.evaluation.sites import fold_of
from pagecut.evidence.models import Model, Output, load_model, write_model

Float = NDArray[np.float64]
Rows = NDArray[np.int64]
SITES = [f"site{number}" for number in range(20)]


def examples(seed: int = 1, rows: int = 600) -> Examples:
    rng = np.random.default_rng(seed)
    table = rng.random((rows, 6)).astype(np.float32)
    table[:, 3] = np.floor(table[:, 3] * 4)
    table[rng.random(rows) < 0.2, 4] = np.nan
    chance = table[:, 0] + 0.3 * (table[:, 3] > 1) + 0.4 * np.isnan(table[:, 4])
    return Examples(
        table=table,
        labels=(chance + rng.normal(0, 0.3, rows) > 0.8).astype(float),
        pages=np.sort(rng.integers(0, len(SITES), rows)),
        sites=SITES,
        weights=np.ones(rows),
    )


FEATURES = [f"feature {number}" for number in range(6)]


def booster(of: Examples, objective: str, labels: Float | None = None, **more: Any) -> Any:
    pytest.importorskip("lightgbm", reason="boosters need lightgbm; the extra train brings it")
    parameters = {"objective": objective, "num_leaves": 31, "min_data_in_leaf": 5, **more}
    return learn_booster(of, np.arange(len(of.labels)), parameters, trees=40, seed=1, labels=labels)


@pytest.mark.parametrize(
    ("objective", "outputs", "more"),
    [
        ("binary", ["yes"], {}),
        ("binary", ["yes"], {"sigmoid": 2.0}),
        ("binary", ["yes"], {"use_missing": False}),
        ("regression", ["yes"], {}),
        ("cross_entropy", ["yes"], {}),
        ("multiclass", ["no", "maybe", "yes"], {"num_class": 3}),
        ("multiclassova", ["no", "maybe", "yes"], {"num_class": 3}),
    ],
)
def test_a_model_scores_as_its_booster(
    objective: str, outputs: list[str], more: dict[str, Any], tmp_path: Path
) -> None:
    learnt = examples()
    labels = learnt.labels + (learnt.table[:, 1] > 0.5) if len(outputs) > 2 else None
    made = booster(learnt, objective, labels, **more)
    other = examples(seed=2).table
    other[::7, 0] = np.nan
    other[::11, 3] = np.inf
    other[::13, 2] = -np.inf
    write_model(booster_model(made, FEATURES, outputs), tmp_path / "model.json")
    for table in (learnt.table, other):
        want = made.predict(table).reshape(len(table), -1)
        assert load_model(tmp_path / "model.json").scores(table) == pytest.approx(want, abs=1e-5)


def test_learning_again_gives_the_same_file(tmp_path: Path) -> None:
    for name in ("one", "two"):
        made = booster(examples(), "binary", bagging_fraction=0.5, bagging_freq=1)
        record = training_record(data={"random": "0"}, seed=1, parameters={})
        write_model(booster_model(made, FEATURES, ["yes"], record), tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_what_cannot_be_a_model_is_refused() -> None:
    made = booster(examples(), "binary")
    with pytest.raises(ValueError, match="6 features"):
        booster_model(made, FEATURES[1:], ["yes"])
    with pytest.raises(ValueError, match="1 outputs, got 2"):
        booster_model(made, FEATURES, ["yes", "no"])
    with pytest.raises(ValueError, match="zeros as missing"):
        booster_model(booster(examples(), "binary", zero_as_missing=True), FEATURES, ["yes"])
    with pytest.raises(ValueError, match="poisson"):
        booster_model(booster(examples(), "poisson"), FEATURES, ["yes"])


@given(st.floats(allow_nan=False), st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_thresholds_part_float32_values_as_before(threshold: float, value: float) -> None:
    assert (value <= below(threshold)) == (value <= threshold) or abs(threshold) > 3e38
    assert np.float32(below(threshold)) == below(threshold)


def test_every_row_is_predicted_by_what_never_saw_its_site() -> None:
    data = examples(rows=200)

    def fit(rows: Rows, choice: float) -> Any:
        seen = {SITES[page] for page in data.pages[rows]}

        def predict(some: Rows) -> Float:
            assert not seen & {SITES[page] for page in data.pages[some]}
            return np.full(len(some), choice)

        return predict

    def score(page: int, rows: Rows, predictions: Float) -> tuple[float, float]:
        assert (data.pages[rows] == page).all()
        return float(predictions.sum()), float(len(rows))

    found, predictions = data.nested([0.0, 1.0, 0.5], fit, score, "mean")
    assert found.score == 1
    assert (predictions == 1).all()
    assert [point.score for point in data.curve(0.5, fit, score)] == [0.5] * 4
    held_out = data.held_out(np.arange(150), 0.25, fit)
    assert (held_out == 0.25).all()


@pytest.mark.parametrize("kind", ["platt", "isotonic"])
def test_calibration_inside_folds(kind: Any) -> None:
    data = examples(rows=4000)
    learnt_from: list[Rows] = []

    def fit(rows: Rows, _: None) -> Any:  # which is much too sure of itself
        learnt_from.append(rows)
        sums = 20 * (np.nan_to_num(data.table[:, 0]) - 0.6)
        return lambda some: sums[some] if kind == "platt" else 1 / (1 + np.exp(-sums[some]))

    def error(page: int, rows: Rows, predictions: Float) -> tuple[float, float]:
        assert page not in data.pages[learnt_from[-1]]
        return float(((predictions - data.labels[rows]) ** 2).sum()), float(len(rows))

    found, predictions = data.nested([None], data.calibrated(fit, kind), error, "error")
    assert expected_calibration_error(predictions, data.labels) < 0.03
    raw = 1 / (1 + np.exp(-20 * (data.table[:, 0].astype(float) - 0.6)))
    assert expected_calibration_error(raw, data.labels) > 0.08
    assert found.score < float(((raw - data.labels) ** 2).mean())


def test_calibration_of_a_model_is_that_of_its_sums(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    table = rng.random((500, 1)).astype(np.float32)
    labels = (rng.random(500) < table[:, 0]).astype(float)
    output = Output(name="x", trees=[[0, 0.25, -4, [0, 0.5, -1, [0, 0.75, 1, 4]]]], bias=0.5)
    model = Model(features=["one"], outputs=[output], link="logistic")
    sums, scores = model.sums(table)[:, 0], model.scores(table)[:, 0]
    scale, bias = platt(sums, labels)
    by_platt = Model(
        features=["one"], outputs=[calibrate_output(output, (scale, bias))], link="logistic"
    )
    want = 1 / (1 + np.exp(-(scale * sums + bias)))
    assert by_platt.scores(table)[:, 0] == pytest.approx(want)
    steps = isotonic(scores, labels)
    stepped = Model(
        features=["one"], outputs=[calibrate_output(output, steps=steps)], link="logistic"
    )
    write_model(stepped, tmp_path / "model.json")
    for each in (stepped, load_model(tmp_path / "model.json")):
        got = each.scores(table)[:, 0]
        assert got == pytest.approx(np.interp(scores, *np.transpose(steps)))
        assert expected_calibration_error(got, labels) < 0.02


def test_platt_finds_what_made_the_labels_and_stays_finite() -> None:
    rng = np.random.default_rng(4)
    sums = rng.normal(0, 2, 20000)
    labels = (rng.random(20000) < 1 / (1 + np.exp(-(0.5 * sums - 1)))).astype(float)
    assert platt(sums, labels) == pytest.approx((0.5, -1), abs=0.05)
    assert np.isfinite(platt(np.array([-1.0, 1.0]), np.array([0.0, 1.0]))).all()
    assert np.isfinite(platt(np.array([1.0, 1.0]), np.array([1.0, 1.0]))).all()


def test_calibration_error_worked_by_hand() -> None:
    probabilities, labels = np.array([0.95, 1.0, 0.1, 0.1]), np.array([1.0, 0.0, 0.0, 0.0])
    assert expected_calibration_error(probabilities, labels) == pytest.approx((0.95 + 0.2) / 4)
    assert expected_calibration_error(np.zeros(0), np.zeros(0)) == 0


def test_hashes_say_whether_data_has_changed(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "one").write_text("1")
    first = hash_folder(tmp_path)
    assert hash_folder(tmp_path) == first
    (tmp_path / "b" / "one").write_text("2")
    assert hash_folder(tmp_path) != first
    one = np.arange(6.0)
    assert hash_table(one) == hash_table(one.copy())
    assert len({hash_table(one), hash_table(one.reshape(2, 3)), hash_table(one.astype("f4"))}) == 3


def test_a_record_is_json_and_keeps_what_the_folds_scored() -> None:
    pytest.importorskip(
        "lightgbm", reason="its version is in the record; the extra train brings it"
    )
    data = examples(rows=100)
    found, _ = data.nested(
        [{"trees": 1}, {"trees": 2}],
        lambda _, choice: lambda some: np.full(len(some), float(choice["trees"])),
        lambda _, rows, predictions: (float(predictions.sum()), float(len(rows))),
        "m",
    )
    record = training_record(
        data={"small": "12"},
        seed=5,
        parameters={"rate": np.float32(0.5), "nothing": float("nan")},
        scores=[found],
        more={"rows": np.int64(3)},
    )
    assert json.loads(json.dumps(record, allow_nan=False)) == record
    assert record["scores"]["m"]["score"] == 2
    assert [fold["choice"] for fold in record["scores"]["m"]["folds"]] == [{"trees": 2}] * len(
        {fold_of(site) for site in SITES}
    )
    assert (record["rows"], record["parameters"]) == (3, {"rate": 0.5, "nothing": None})

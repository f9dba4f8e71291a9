"""Models against trees that are walked one node at a time, and files that are broken."""

from __future__ import annotations

import json
import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from pagecut.errors import FormatError
from pagecut.evidence.boosted_trees import LEAVES
from pagecut.evidence.models import Model, Output, Tree, load_model, parse_model, write_model

FEATURES = ("one", "two", "three")
VALUES = (-1.0, 0.0, 0.5, 1.0, 2.0, 1e-45, -0.0, 3.4028235e38, -3.4028235e38)
HOSTILE = (*VALUES, math.nan, math.inf, -math.inf)


def grown(rng: Random, leaves: int) -> Tree:
    """A tree of any shape."""
    if leaves == 1:
        return rng.choice(VALUES[:5])
    left = rng.randint(1, leaves - 1)
    test = [
        rng.randrange(len(FEATURES)),
        rng.choice(VALUES) if rng.random() < 0.5 else float(np.float32(rng.gauss(0, 1))),
        grown(rng, left),
        grown(rng, leaves - left),
    ]
    return test + [1] * rng.randint(0, 1)


@st.composite
def forests(draw: st.DrawFn) -> list[list[Tree]]:
    """Some trees for each of some outputs. Random numbers from a seed, for speed."""
    rng = Random(draw(st.integers(0, 2**32)))
    most, trees, outputs = draw(st.integers(1, LEAVES)), draw(st.integers(0, 5)), rng.randint(1, 3)
    return [[grown(rng, rng.randint(1, most)) for _ in range(trees)] for _ in range(outputs)]


@st.composite
def tables(draw: st.DrawFn) -> NDArray[np.float32]:
    rng = Random(draw(st.integers(0, 2**32)))
    rows = draw(st.integers(0, 40))
    cells = [
        rng.choice(HOSTILE) if rng.random() < 0.7 else rng.gauss(0, 1)
        for _ in range(rows * len(FEATURES))
    ]
    return np.array(cells, dtype=np.float32).reshape(rows, len(FEATURES))


def walked(tree: Tree, row: NDArray[Any]) -> float:
    while not isinstance(tree, (int, float)):
        value = row[tree[0]]
        left = len(tree) == 4 if math.isnan(value) else value <= np.float32(tree[1])
        tree = tree[2] if left else tree[3]
    return float(tree)


@given(trees=forests(), rows=tables())
@settings(deadline=None)
def test_sums_are_those_of_trees_that_are_walked(
    trees: list[list[Tree]], rows: NDArray[np.float32]
) -> None:
    outputs = [
        Output(name=str(number), trees=each, scale=2.0, bias=number)
        for number, each in enumerate(trees)
    ]
    want = [
        [
            2.0 * sum(walked(tree, row) for tree in each) + number
            for number, each in enumerate(trees)
        ]
        for row in rows
    ]
    model = Model(features=FEATURES, outputs=outputs)
    assert np.array_equal(model.sums(rows), np.array(want).reshape(len(rows), len(trees)))
    assert np.array_equal(model.scores(rows), model.sums(rows))
    assert np.array_equal(model.sums(rows.astype(np.float64)), model.sums(rows))


@given(trees=forests(), rows=tables())
@settings(deadline=None, max_examples=20)
def test_a_file_gives_the_model_back_and_is_always_the_same(
    trees: list[list[Tree]], rows: NDArray[np.float32], tmp_path_factory: pytest.TempPathFactory
) -> None:
    outputs = [
        Output(name=str(number), trees=each, steps=((0.0, 0.25), (0.5, 0.5)))
        for number, each in enumerate(trees)
    ]
    model = Model(features=FEATURES, outputs=outputs, link="softmax", record={"seed": 1, "a": "é"})
    path = tmp_path_factory.mktemp("models") / "model.json"
    write_model(model, path)
    read = load_model(path)
    assert np.array_equal(read.scores(rows), model.scores(rows))
    assert read.record == model.record
    again = path.with_name("again.json")
    write_model(read, again)
    assert again.read_bytes() == path.read_bytes()
    assert load_model(path) is read


def test_leaves_and_thresholds_are_rounded_in_files(tmp_path: Path) -> None:
    tree = [0, float(np.float32(0.1)), 0.123456789, 12, 1]
    model = Model(features=["one"], outputs=[Output(name="x", trees=[tree])])
    write_model(model, tmp_path / "model.json")
    assert "[0,0.1,0.123457,12,1]\n" in (tmp_path / "model.json").read_text("utf-8")


def test_a_row_scores_alike_alone_and_among_others() -> None:
    rng = np.random.default_rng(1)
    trees = [[int(f), t, v, [0, 0.5, -v, v / 3]] for f, t, v in rng.random((99, 3)) * 3]
    model = Model(features=FEATURES, outputs=[Output(name="x", trees=trees)], link="logistic")
    table = rng.random((50, 3)).astype(np.float32)
    all_at_once = model.scores(table)
    for rows in range(1, 50):
        assert np.array_equal(model.scores(table[:rows]), all_at_once[:rows])
    assert np.array_equal(model.scores(table[::-1]), all_at_once[::-1])
    assert np.array_equal(model.scores(np.asfortranarray(table)), all_at_once)


def test_threads_share_a_model() -> None:
    rng = np.random.default_rng(2)
    trees = [[int(f), t, v, [0, 0.5, -v, v / 3]] for f, t, v in rng.random((300, 3)) * 3]
    model = Model(features=FEATURES, outputs=[Output(name="x", trees=trees)])
    tables = [rng.random((200, 3)).astype(np.float32) for _ in range(8)]
    want = [model.sums(table) for table in tables]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(20):
            got = list(pool.map(model.sums, tables))
            assert all(map(np.array_equal, got, want))


def test_links() -> None:
    outputs = [Output(name="a", trees=[[0, 0, -1, 1]]), Output(name="b", trees=[0.5, 0.25])]
    table = np.array([[-1.0], [1.0]])
    sums = np.array([[-1.0, 0.75], [1.0, 0.75]])
    logistic = Model(features=["one"], outputs=outputs, link="logistic")
    assert np.allclose(logistic.scores(table), 1 / (1 + np.exp(-sums)), rtol=1e-14)
    softmax = Model(features=["one"], outputs=outputs, link="softmax").scores(table)
    assert np.allclose(softmax, np.exp(sums) / np.exp(sums).sum(axis=1, keepdims=True), rtol=1e-14)


@pytest.mark.parametrize("link", ["logistic", "softmax"])
def test_sums_of_any_size_give_scores(link: str) -> None:
    outputs = [Output(name=name, trees=[[0, 0, -3e38, 3e38]] * 9) for name in "ab"]
    scores = Model(features=["one"], outputs=outputs, link=link).scores(np.array([[-1.0], [1.0]]))
    assert np.isfinite(scores).all()


def test_steps_are_linear_between_and_level_outside() -> None:
    steps = [[0.0, 0.1], [1.0, 0.3], [2.0, 0.9]]
    trees = [[0, 0, -5, [0, 1, 0.5, [0, 2, 1, [0, 3, 1.75, 7]]]]]
    model = Model(features=["one"], outputs=[Output(name="x", trees=trees, steps=steps)])
    found = model.scores(np.arange(5, dtype=np.float32).reshape(-1, 1))[:, 0]
    assert found == pytest.approx(np.interp([-5, 0.5, 1, 1.75, 7], [0, 1, 2], [0.1, 0.3, 0.9]))


def test_a_model_without_features_or_rows() -> None:
    model = Model(features=[], outputs=[Output(name="x", trees=[1.5], bias=1)])
    assert model.scores(np.zeros((3, 0))).tolist() == [[2.5]] * 3
    assert model.scores(np.zeros((0, 0))).shape == (0, 1)
    assert Model(features=[], outputs=[Output(name="x", trees=[])]).scores(np.zeros((1, 0))) == 0


@pytest.mark.parametrize("table", [np.zeros((2, 2)), np.zeros(3), np.zeros((1, 1, 3))])
def test_a_table_of_another_width_is_refused(table: NDArray[Any]) -> None:
    model = Model(features=FEATURES, outputs=[Output(name="x", trees=[0.0])])
    with pytest.raises(ValueError, match=r"\(n, 3\)"):
        model.scores(table)


def test_other_features_are_named() -> None:
    model = Model(features=FEATURES, outputs=[Output(name="x", trees=[0.0])], file="roles.json")
    assert model.check(FEATURES, ["x"]) is model
    with pytest.raises(FormatError, match=r"^roles.json: features: lacks four; has one, three$"):
        model.check(["two", "four"])
    with pytest.raises(FormatError, match=r"^roles.json: features: in another order$"):
        model.check(FEATURES[::-1])
    with pytest.raises(FormatError, match=r"^roles.json: outputs: lacks y$"):
        model.check(FEATURES, ["x", "y"])


OUTPUT = {"scale": 1, "bias": 0, "steps": [], "trees": [[0, 0.5, 1, 2]]}
GOOD = {
    "format": "pagecut-model/1",
    "link": "none",
    "features": ["one"],
    "record": {},
    "outputs": {"x": OUTPUT},
}
chain: Tree = 0.0
for _ in range(900):
    chain = [0, 0.5, chain, 1.0]


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"format": "pagecut-model/0"}, "format: must be 'pagecut-model/1', got 'pagecut-model/0'"),
        ({"link": "probit"}, "link: must be one of none, logistic, softmax"),
        ({"link": []}, "link: "),
        ({"features": "one"}, "features: got 'one'"),
        ({"features": [1]}, "features: got 1"),
        ({"features": ["one", "one"]}, "features: a name is there twice"),
        ({"outputs": {}}, "outputs: there are none"),
        ({"outputs": [OUTPUT]}, "outputs: got "),
        ({"outputs": {"x": 1}}, "outputs: x: got 1"),
        ({"record": 1}, "record: got 1"),
        ({"more": 1}, "more: unknown"),
        ({"trees": None}, "outputs: x: trees: got None"),
        ({"trees": [None]}, "outputs: x: trees: 0: neither a leaf nor a test: None"),
        ({"trees": [1, [0, 1, 2]]}, "outputs: x: trees: 1: neither a leaf nor a test"),
        ({"trees": [[1, 0.5, 1, 2]]}, "outputs: x: trees: 0: no feature 1"),
        ({"trees": [[-1, 0.5, 1, 2]]}, "outputs: x: trees: 0: no feature -1"),
        ({"trees": [[0, math.nan, 1, 2]]}, "outputs: x: trees: 0: got nan"),
        ({"trees": [[0, 1, math.inf, 2]]}, "outputs: x: trees: 0: got inf"),
        ({"trees": [[0, 1, 1e39, 2]]}, "outputs: x: trees: 0: got 1e"),
        ({"trees": [[0, 1, 1, 2, 3]]}, "outputs: x: trees: 0: after a test"),
        ({"trees": [chain]}, "outputs: x: trees: 0: more than 32 leaves"),
        ({"scale": "1"}, "outputs: x: scale: got '1'"),
        ({"bias": None}, "outputs: x: bias: got None"),
        ({"steps": [1]}, "outputs: x: steps: got 1"),
        ({"steps": [[1]]}, "outputs: x: steps: a step has to be two numbers"),
        ({"steps": [[1, 1], [1, 2]]}, "outputs: x: steps: must ascend"),
        ({"steps": [[1, 1], [2, 0]]}, "outputs: x: steps: must ascend"),
        ({"other": 1}, "other: unknown"),
    ],
)
def test_broken_files_say_what_is_broken(change: dict[str, Any], where: str) -> None:
    inner = {name: value for name, value in change.items() if name in OUTPUT}
    value = {**GOOD, "outputs": {"x": {**OUTPUT, **inner}}} if inner else {**GOOD, **change}
    with pytest.raises(FormatError) as caught:
        parse_model(json.dumps(value).encode(), "roles.json")
    assert str(caught.value).startswith(f"roles.json: {where}")


@pytest.mark.parametrize("name", GOOD)
def test_missing_fields_are_named(name: str) -> None:
    value = {key: each for key, each in GOOD.items() if key != name}
    with pytest.raises(FormatError, match=rf"^roles.json: {name}: "):
        parse_model(json.dumps(value).encode(), "roles.json")


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff", b"[" * 100_000])
def test_what_is_no_model_at_all(data: bytes) -> None:
    with pytest.raises(FormatError, match=r"^roles.json: "):
        parse_model(data, "roles.json")

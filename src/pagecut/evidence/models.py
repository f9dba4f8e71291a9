"""Learnt models: one file format for all of them, read once, evaluated by compiled code.

A model is a sum of boosted trees for each of its outputs. docs/models.md tells the format, how a
model is learnt, and how one is added.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pagecut.errors import FormatError
from pagecut.evidence.boosted_trees import LANES, LEAVES, LINKS, BoostedTrees
from pagecut.evidence.tree_tests import TreeTests, Wrong, finite, of_type

FORMAT: Final = "pagecut-model/1"
_HEAD: Final = ("format", "link", "features", "outputs", "record")
_OUTPUT: Final = ("scale", "bias", "steps", "trees")

Float: TypeAlias = NDArray[np.float64]
Table: TypeAlias = NDArray[np.float32] | Float
# A leaf is its value; a test is [feature, threshold, left, right], where what is at most the
# threshold goes left, as does NaN; with a 1 after it, NaN goes right.
Tree: TypeAlias = float | Sequence[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """What a model says of one thing: `link(scale * sum of trees + bias)`, mapped by steps.

    Args:
        trees: of at most 32 leaves each; features by their place in the model's list.
        scale, bias: a start value of the training, Platt's calibration, or both.
        steps: isotonic calibration, if there are any: pairs of a score and what it stands for, both
            ascending; linear between them, level outside.
    """

    name: str
    trees: Sequence[Tree]
    scale: float = 1.0
    bias: float = 0.0
    steps: Sequence[Sequence[float]] = ()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Model:
    """Boosted trees over named features. Values and thresholds are compared as float32.

    Threads may share it. Compiled code calls `fill_scores` and `fill_sums` of `compiled`.

    Args:
        link: `none`, `logistic`, or `softmax` over the outputs.
        record: how it was learnt and what it scores on sites it has not seen.
        file: its name, for errors.
    """

    features: Sequence[str]
    outputs: Sequence[Output]
    link: str = "none"
    record: Mapping[str, Any] = field(default_factory=dict)
    file: str = "model"
    compiled: BoostedTrees = field(init=False, repr=False)

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "compiled", _compile(self))
        except Wrong as error:
            raise FormatError(f"{self.file}: {error}") from None

    def scores(self, table: Table) -> Float:
        """(n, k) the score of each row of a table (n, f) for each output."""
        return self.compiled.scores(table)

    def sums(self, table: Table) -> Float:
        """(n, k) what the link is taken of: for `logistic` the log odds."""
        return self.compiled.sums(table)

    def check(self, features: Sequence[str], outputs: Sequence[str] | None = None) -> Model:
        """The model itself; FormatError unless it was learnt from just these features.

        Args:
            outputs: that it has to have, too.
        """
        _compare(self.file, "features", self.features, features)
        if outputs is not None:
            _compare(self.file, "outputs", [each.name for each in self.outputs], outputs)
        return self


def _compare(file: str, what: str, got: Sequence[str], needed: Sequence[str]) -> None:
    if list(got) == list(needed):
        return
    lacks = [name for name in needed if name not in set(got)]
    extra = [name for name in got if name not in set(needed)]
    differences = [
        *([f"lacks {', '.join(lacks)}"] if lacks else []),
        *([f"has {', '.join(extra)}"] if extra else []),
    ] or ["in another order"]
    raise FormatError(f"{file}: {what}: {'; '.join(differences)}")


@cache
def load_model(path: Path) -> Model:
    """The model of a file, read once."""
    return parse_model(path.read_bytes(), path.name)


def parse_model(data: bytes, file: str = "model") -> Model:
    """The model of a file's bytes; FormatError names the file and the field that is wrong."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{file}: no JSON: {error}") from None
    form = value.get("format") if isinstance(value, dict) else None
    if form != FORMAT:
        raise FormatError(f"{file}: format: must be {FORMAT!r}, got {form!r:.80}")
    try:
        _check_fields(value, _HEAD, "")
        outputs = []
        for name, each in of_type(value["outputs"], dict, "outputs").items():
            _check_fields(of_type(each, dict, f"outputs: {name}"), _OUTPUT, f"outputs: {name}: ")
            outputs.append(Output(name=name, **each))
        record = of_type(value["record"], dict, "record")
    except Wrong as error:
        raise FormatError(f"{file}: {error}") from None
    return Model(
        features=value["features"], outputs=outputs, link=value["link"], record=record, file=file
    )


def write_model(model: Model, path: Path) -> None:
    """Write a model's file: the same bytes for the same model; each tree is a line.

    Leaves are rounded to six digits, thresholds to the float32 they are compared as.
    """
    head = {"format": FORMAT, "link": model.link, "features": list(model.features)}
    lines = [f'"{name}": {json.dumps(value)},\n' for name, value in head.items()]
    record = json.dumps(model.record, indent=1, ensure_ascii=False)
    outputs = []
    for output in model.outputs:
        steps = json.dumps([[float(number) for number in step] for step in output.steps])
        trees = ",\n".join(_tree_text(tree) for tree in output.trees)
        outputs.append(
            f'{json.dumps(output.name)}: {{"scale": {float(output.scale)}, '
            f'"bias": {float(output.bias)},\n"steps": {steps},\n"trees": [\n{trees}\n]}}'
        )
    text = f'{"".join(lines)}"record": {record},\n"outputs": {{\n' + ",\n".join(outputs)
    path.write_text(f"{{\n{text}\n}}\n}}\n", encoding="utf-8")


def _number(value: float) -> float:
    short = float(f"{value:.6g}")
    return int(short) if short.is_integer() and abs(short) < 1e6 else short


def _tree_text(tree: Tree) -> str:
    if isinstance(tree, (int, float)):
        return repr(_number(tree))
    feature, threshold, left, right, *missing = tree
    # -0 would be read as 0 and written otherwise the next time.
    text = str(np.float32(threshold) + np.float32(0)).removesuffix(".0")
    ending = ",1" if any(missing) else ""
    return f"[{feature},{text},{_tree_text(left)},{_tree_text(right)}{ending}]"


def _check_fields(value: Mapping[str, Any], names: Sequence[str], where: str) -> None:
    for name in names:
        if name not in value:
            raise Wrong(f"{where}{name}: missing")
    for name in value:
        if name not in names:
            raise Wrong(f"{where}{name}: unknown")


def _compile(model: Model) -> BoostedTrees:
    features = of_type(model.features, (list, tuple), "features")
    for name in features:
        of_type(name, str, "features")
    if len(set(features)) < len(features):
        raise Wrong("features: a name is there twice")
    if model.link not in LINKS:
        raise Wrong(f"link: must be one of {', '.join(LINKS)}, got {model.link!r:.80}")
    if not model.outputs:
        raise Wrong("outputs: there are none")
    edges, step_edges = [0], [0]
    scales, biases = [], []
    tests = TreeTests(len(features))
    steps: list[tuple[float, float]] = []
    for output in model.outputs:
        where = f"outputs: {output.name}: "
        scales.append(finite(output.scale, f"{where}scale"))
        biases.append(finite(output.bias, f"{where}bias"))
        for number, tree in enumerate(of_type(output.trees, (list, tuple), f"{where}trees")):
            tests.add(tree, f"{where}trees: {number}")
        edges.append(tests.trees)
        steps.extend(_steps(output.steps, f"{where}steps"))
        step_edges.append(len(steps))
    tested, kept = np.array(tests.tested, np.int32), np.array(tests.kept, np.uint32)
    thresholds = np.array(tests.thresholds, np.float32)
    # Tests of one feature stand together, those that send NaN right after the others.
    column = 2 * np.array(tests.features, np.int32) + np.array(tests.missing, np.int32)
    order = np.lexsort((tested, kept, thresholds, column))
    column = column[order]
    starts = np.flatnonzero(np.diff(column, prepend=-1))
    values = np.array(tests.values, dtype=np.float32).reshape(-1, LEAVES)
    return BoostedTrees(
        width=len(features),
        edges=np.array(edges, dtype=np.int32),
        columns=(column[starts] // 2).astype(np.int32),
        missing=np.where(column[starts] % 2, np.inf, -np.inf).astype(np.float32),
        column_edges=np.append(starts, len(order)).astype(np.int32),
        thresholds=thresholds[order],
        kept=kept[order],
        tested=tested[order],
        values=np.ascontiguousarray(values[:, : -(-tests.most // LANES) * LANES]),
        scales=np.array(scales),
        biases=np.array(biases),
        link=LINKS.index(model.link),
        step_edges=np.array(step_edges, dtype=np.int32),
        step_places=np.array([place for place, _ in steps], dtype=np.float64),
        step_scores=np.array([score for _, score in steps], dtype=np.float64),
    )


def _steps(steps: Any, where: str) -> list[tuple[float, float]]:
    found = []
    for step in of_type(steps, (list, tuple), where):
        if len(of_type(step, (list, tuple), where)) != 2:
            raise Wrong(f"{where}: a step has to be two numbers, got {step!r:.80}")
        found.append((finite(step[0], where), finite(step[1], where)))
    for one, two in pairwise(found):
        if not (one[0] < two[0] and one[1] <= two[1]):
            raise Wrong(f"{where}: must ascend, got {one} before {two}")
    return found

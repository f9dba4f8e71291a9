"""The DOM distance: the paper's example, the axioms of a metric, and literal versions to match."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from how_long import random_inputs
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import pages

from pagecut import (
    DomDistance,
    DomDistanceContexts,
    Node,
    Page,
    SpecError,
    extractor,
    parse_html,
    segmenter,
)
from pagecut.segmenters.dom_distance import THRESHOLDS
from pagecut.segmenters.dom_distance.distance import DomSpace, Scaled, Simplification, dom_space
from pagecut.segmenters.dom_distance.thresholds import (
    TOLERANCE,
    exceeds,
    gaussian_mean,
    page_mean,
)

EXAMPLES = Path(__file__).parents[2] / "examples"
SIMPLIFICATIONS: tuple[Simplification, ...] = ("collapse", "prune")
# A(B(1 2 3) C(4 5 6)): contents 2 and 5 are images, the others texts.
FIGURE_1 = "<div><div><p>1</p><img><p>3</p></div><div><b>4</b><img><i>6</i></div></div>"

simplifications = st.sampled_from(SIMPLIFICATIONS)


@dataclass
class Tree:
    """A node of the simplified DOM, as an object."""

    row: int
    level: int = 0
    children: list[Tree] = field(default_factory=list)


def literal_tree(node: Node, collapse: bool) -> Tree | None:
    """The simplified DOM, by recursion."""
    if node.kind != "element":
        start, end = node.span
        empty = node.kind == "text" and not node.page.text[start:end].strip()
        return None if empty else Tree(node.row)
    found = [literal_tree(child, collapse) for child in node.children]
    children = [child for child in found if child is not None]
    if not children:
        return None
    return children[0] if collapse and len(children) == 1 else Tree(node.row, 0, children)


def preorder(tree: Tree | None, level: int = 0) -> list[Tree]:
    if tree is None:
        return []
    tree.level = level
    return [tree, *(node for child in tree.children for node in preorder(child, level + 1))]


def literal_weights(nodes: list[Tree], level: int = 0) -> list[int]:
    """Eq. 2, with c = 1: the weights from a level on."""
    degree = max((len(node.children) for node in nodes if node.level == level), default=0)
    if not degree:
        return [1]
    below = literal_weights(nodes, level + 1)
    return [degree * below[0], *below]


def literal_distance(nodes: list[Tree], weights: list[int], first: int, second: int) -> int:
    """Eq. 1."""
    first, second = min(first, second), max(first, second)
    return sum(weights[node.level] for node in nodes[first + 1 : second + 1])


def scaled(values: list[int]) -> Scaled:
    pairs = [(v / 2 ** v.bit_length() if v else 0.0, v.bit_length()) for v in values]
    mantissa, exponent = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return Scaled(np.array(mantissa, dtype=float), np.array(exponent, dtype=np.int64))


def neighbours(space: DomSpace) -> list[int]:
    """The exact distances of neighbouring contents."""
    return [space.distance(one, two) for one, two in pairwise(space.contents.tolist())]


def exact(value: Scaled, index: int) -> Fraction:
    power = int(value.exponent[index])
    scale = Fraction(2**power) if power >= 0 else Fraction(1, 2**-power)
    return Fraction(float(value.mantissa[index])) * scale


def literal_thresholds(values: list[int], variance: float) -> list[Decimal]:
    """t(k) over all i, with 50 digits."""
    with localcontext() as context:
        context.prec = 50
        two = 2 * Decimal(variance)
        weights = [(-Decimal(step * step) / two).exp() for step in range(len(values))]
        return [
            sum(weights[abs(i - k)] * Decimal(each) for i, each in enumerate(values))
            / sum((weights[abs(i - k)] for i in range(len(values))), Decimal(0))
            for k in range(len(values))
        ]


def ratio(value: Scaled, index: int, expected: Decimal) -> float:
    found = exact(value, index)
    return float(Decimal(found.numerator) / found.denominator / expected)


def test_figures_1_and_2() -> None:
    space = dom_space(parse_html(FIGURE_1))
    assert space.degrees == (2, 3, 0)
    assert space.weights == (6, 3, 1)  # w0 = 6c, w1 = 3c, w2 = c
    tags = [space.page.node(row).tag for row in space.row.tolist()]
    assert tags == ["div", "div", "#text", "img", "#text", "div", "#text", "img", "#text"]
    assert neighbours(space) == [1, 1, 4, 1, 1]
    one, two, three, four, five, six = space.contents.tolist()
    assert space.distance(one, two) == 1
    assert space.distance(one, three) == space.distance(three, one) == 2
    assert space.distance(three, four) == 4
    assert space.distance(four, six) == 2
    assert space.distance(one, six) == 8
    assert space.distance(five, five) == 0


def test_the_simplifications_differ_in_chains_only() -> None:
    page = parse_html(FIGURE_1)
    pruned = dom_space(page, "prune")
    assert pruned.degrees == (1, 1, 2, 3, 1, 0)
    assert pruned.weights == (6, 6, 6, 3, 1, 1)
    assert neighbours(pruned) == [1, 2, 5, 1, 2]  # the image has no <p> around it
    assert len(pruned.contents) == len(dom_space(page).contents) == 6


def test_what_is_no_content_is_left_out() -> None:
    page = parse_html("<div>a<p><span></span></p><pre> \n </pre><script>x</script><b>b</b></div>")
    for how in SIMPLIFICATIONS:
        space = dom_space(page, how)
        assert [page.text[start:end] for start, end in space.spans.tolist()] == ["a", "b"]


@pytest.mark.parametrize("source", ["", "<p>word", "<img>", "<pre> \n </pre>"])
def test_pages_with_one_content_or_none(source: str) -> None:
    for how in SIMPLIFICATIONS:
        space = dom_space(parse_html(source), how)
        assert neighbours(space) == []
        assert len(space.scaled) == 0
        assert len(space.contents) <= 1


@given(pages, simplifications)
@settings(max_examples=random_inputs(200))
def test_the_space_matches_the_definition(page: Page, how: Simplification) -> None:
    space = dom_space(page, how)
    nodes = preorder(literal_tree(page.node(0), how == "collapse") if len(page) else None)
    assert space.row.tolist() == [node.row for node in nodes]
    assert space.level.tolist() == [node.level for node in nodes]
    leaves = [at for at, node in enumerate(nodes) if not node.children]
    assert space.contents.tolist() == leaves
    weights = literal_weights(nodes)
    assert list(space.weights) == weights[: len(space.degrees)]
    near = [literal_distance(nodes, weights, *pair) for pair in pairwise(leaves)]
    assert neighbours(space) == near
    for index, distance in enumerate(near):
        assert abs(exact(space.scaled, index) / distance - 1) < Fraction(1, 2**52)
    assert space.scaled.floats().tolist() == near
    for first in range(0, len(nodes), 1 + len(nodes) // 8):
        for second in range(0, len(nodes), 1 + len(nodes) // 10):
            distance = literal_distance(nodes, weights, first, second)
            assert space.distance(first, second) == distance


@given(pages, simplifications, st.data())
@settings(max_examples=random_inputs(200))
def test_the_distance_is_a_metric(page: Page, how: Simplification, data: st.DataObject) -> None:
    space = dom_space(page, how)
    if not len(space):
        return
    position = st.integers(0, len(space) - 1)
    a, b, c = (data.draw(position) for _ in range(3))
    assert space.distance(a, b) >= 0
    assert (space.distance(a, b) == 0) == (a == b)
    assert space.distance(a, b) == space.distance(b, a)
    assert space.distance(a, c) <= space.distance(a, b) + space.distance(b, c)


@given(pages)
@settings(max_examples=random_inputs(100))
def test_a_step_between_blocks_is_longer_than_any_way_among_siblings(page: Page) -> None:
    space = dom_space(page)
    for degree, weight, below in zip(space.degrees, space.weights, space.weights[1:], strict=False):
        assert weight > (degree - 1) * below


def deep(levels: int, children: int = 2) -> Page:
    """A tree with a few contents on each level."""
    return parse_html("<div>" + "".join(f"{'<b>x</b>' * children}<div>" for _ in range(levels)))


def test_deep_trees_do_not_overflow() -> None:
    page = deep(245, 30)
    space = dom_space(page)
    assert max(neighbours(space)) > 1e308
    assert space.weights[0].bit_length() > 1024
    floats = space.scaled.floats()
    assert np.isfinite(floats).all()
    assert (floats > 0).all()
    for index in 0, len(space.scaled) // 2, -1:
        found = exact(space.scaled, index) / neighbours(space)[index]
        assert abs(found - 1) < Fraction(1, 2**52)
    first, last = space.contents[[0, -1]].tolist()
    assert space.distance(first, last) == sum(neighbours(space))
    for threshold in THRESHOLDS:
        method = DomDistance(threshold=threshold)
        assert 1 <= len(method.segment(page)) < len(space.contents)
        explanation = method.explain(page)
        assert all(np.isfinite(curve.values).all() for curve in explanation.curves.values())


def space_of_levels(levels: int) -> DomSpace:
    """Five hundred levels and more, whatever a parser allows: two contents on each."""
    page = parse_html("<p>x")
    steps = [level for level in range(levels) for _ in range(2)]
    is_leaf = [index % 2 == 1 for index in range(len(steps))]
    level = np.array([step + leaf for step, leaf in zip(steps, is_leaf, strict=True)], np.int32)
    contents = np.flatnonzero(is_leaf).astype(np.int32)
    rows = np.zeros(len(level), dtype=np.int32)
    degrees = (*(9,) * levels, 0)
    return DomSpace(page=page, row=rows, level=level, contents=contents, degrees=degrees)


def test_five_hundred_levels() -> None:
    space = space_of_levels(500)
    assert space.weights[0] == 9**500
    assert len(neighbours(space)) == 499
    assert np.isfinite(space.scaled.floats()).all()
    means = gaussian_mean(space.scaled, 2.25)
    literal = literal_thresholds(neighbours(space), 2.25)
    for index in range(0, 499, 20):
        assert ratio(means, index, literal[index]) == pytest.approx(1, rel=1e-11)


@pytest.mark.parametrize("bits", [1, 52, 53, 54, 64, 65, 1023, 1024, 3000])
@pytest.mark.parametrize("change", [-1, 0, 1])
def test_scaled_numbers_are_rounded_as_doubles(bits: int, change: int) -> None:
    value = 2**bits + change
    for number in value, value * 3, value << 11 | 1 << 10, (value << 12 | 1 << 11) + 1:
        space = space_of_levels(1)
        object.__setattr__(space, "_steps", ([number], np.zeros(1, dtype=np.int64)))
        found = exact(space.scaled, 0)
        shift = max(number.bit_length() - 1000, 0)
        if shift == 0:
            assert found == Fraction(float(number))
        assert abs(found / number - 1) <= Fraction(1, 2**53)


distances = st.lists(
    st.integers(1, 5) | st.integers(1, 10**6) | st.integers(200, 1200).map(lambda n: 2**n + 1),
    min_size=1,
    max_size=60,
)


@given(distances, st.sampled_from([0.1, 0.25, 1.0, 2.25, 9.0, 400.0]))
@settings(max_examples=random_inputs(150))
def test_the_gaussian_mean_matches_the_literal_version(values: list[int], variance: float) -> None:
    means = gaussian_mean(scaled(values), variance)
    literal = literal_thresholds(values, variance)
    for index, expected in enumerate(literal):
        assert ratio(means, index, expected) == pytest.approx(1, rel=1e-11)
    cut = exceeds(scaled(values), means).tolist()
    margin = 1 + Decimal(TOLERANCE)
    assert cut == [value > t * margin for value, t in zip(values, literal, strict=True)]


@given(distances)
@settings(max_examples=random_inputs(80))
def test_the_mean_of_a_page_matches_the_literal_version(values: list[int]) -> None:
    means = page_mean(scaled(values))
    expected = Fraction(sum(values), len(values))
    for index in range(len(values)):
        assert float(exact(means, index) / expected) == pytest.approx(1, rel=1e-12)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("variance", "segments"), [(5e-324, 1), (1e-20, 1), (1e308, 3)])
def test_any_variance_has_a_mean(variance: float, segments: int) -> None:
    """Next to none, each distance is its own mean; without end, the mean is the page's."""
    page = parse_html(f"{FIGURE_1}<div>7<img>9</div>")
    assert len(DomDistance(variance=variance).segment(page)) == segments
    assert len(DomDistance(threshold="mean").segment(page)) == 3


def test_equal_distances_are_never_cut() -> None:
    for count in (2, 3, 10, 500):
        page = parse_html("<ul>" + "<li>x</li>" * count)
        for threshold in THRESHOLDS:
            assert len(DomDistance(threshold=threshold).segment(page)) == 1


def test_a_value_far_away_does_not_cut_a_list() -> None:
    values = scaled([3] * 200 + [1])
    cut = exceeds(values, gaussian_mean(values, 2.25))
    assert not cut[:180].any()


def test_items_are_cut_apart() -> None:
    page = parse_html(f"{FIGURE_1}<div>7<img>9</div>")
    method = DomDistance()
    segmentation = method.segment(page)
    assert [segment.text for segment in segmentation.segments] == ["1\n3", "4 6", "7 9"]
    contexts = DomDistanceContexts().extract(page)
    assert [context.text for context in contexts] == ["1\n3", "4 6", "7 9"]


@given(pages, simplifications, st.sampled_from(THRESHOLDS))
@settings(max_examples=random_inputs(100))
def test_the_explanation_fits_the_segments(page: Page, how: Simplification, threshold: str) -> None:
    method = segmenter(f"dom-distance(threshold={threshold!r}, simplify={how!r})")
    assert isinstance(method, DomDistance)
    explanation = method.explain(page)
    distance, limit = explanation.curves["distance"], explanation.curves["threshold"]
    assert distance.offsets.tolist() == limit.offsets.tolist()
    above = distance.values > limit.values * (1 + TOLERANCE)
    assert explanation.cuts.tolist() == distance.offsets[above].tolist()
    segments = method.segment(page).segments
    assert explanation.cuts.tolist() == [segment.spans[0][0] for segment in segments[1:]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("variance=0", "variance must be positive and finite, got 0"),
        ("variance=1e999", "variance must be positive and finite, got inf"),
        ("threshold='median'", "threshold must be one of gaussian, mean, printed, got 'median'"),
        ("simplify='none'", "simplify must be one of collapse, prune, got 'none'"),
    ],
)
def test_unsound_parameters_are_refused(arguments: str, message: str) -> None:
    for make in (segmenter, extractor):
        with pytest.raises(SpecError, match=message):
            make(f"dom-distance({arguments})")


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.html")), ids=lambda path: path.stem)
def test_the_extractor_gives_the_text_of_the_segments(path: Path) -> None:
    page = parse_html(path.read_bytes())
    texts = {
        image.index: segment.text
        for segment in DomDistance().segment(page).segments
        for image in segment.images
    }
    for context in DomDistanceContexts().extract(page):
        if context.text:
            assert context.text == texts[context.image]


def test_the_printed_threshold_cuts_nothing() -> None:
    page = parse_html("<div><p>one</p><p>two</p></div><div><p>three</p><p>four</p></div>")
    assert len(DomDistance().segment(page)) == 2
    assert len(DomDistance(threshold="printed").segment(page)) == 1

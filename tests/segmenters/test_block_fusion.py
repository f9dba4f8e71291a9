"""Block Fusion gives what the paper's sweeps give, without their cost."""

from __future__ import annotations

import math
import runpy
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest
from how_long import random_inputs
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import well_formed
from word_pattern import WORD

from pagecut import BlockFusion, BlockFusionRules, Node, Page, parse_html, segmenter
from pagecut.page.tags import FORCE_GAP, NO_GAP
from pagecut.page.text.tokenizer import columns
from pagecut.segmenters.block_fusion import fusion
from pagecut.segmenters.block_fusion.fusion import (
    AVOIDED,
    FORCED,
    OPEN,
    SMOOTHINGS,
    Smoothing,
    fuse,
    slope,
)

EXAMPLES = Path(__file__).parents[2] / "examples"

Block = list[int]  # tokens of each line


def density(block: Block) -> float:
    """Eq. 6."""
    return sum(block[:-1]) / (len(block) - 1) if len(block) > 1 else float(sum(block))


def paper_slope(left: Block, right: Block, gap: int) -> float:
    """Eq. 7 and 8; two blocks without tokens are equally dense (ours)."""
    if gap == FORCED:
        return math.inf
    if gap == AVOIDED:
        return -math.inf
    x, y = density(left), density(right)
    return abs(x - y) / max(x, y) if max(x, y) > 0 else 0.0


def paper_dominated(left: Block, middle: Block, right: Block, smooth: Smoothing) -> bool:
    x, y, z = density(left), density(middle), density(right)
    if smooth == "equal":
        return x == z and y < x
    if smooth == "sparse":
        return x <= 5 and z <= 5 and y < x
    return False


def paper_fusion(
    blocks: list[Block], threshold: float, smooth: Smoothing, gaps: list[int]
) -> tuple[list[int], int]:
    """Algorithm 1, word by word: sizes of the compound blocks, and the number of sweeps.

    `gaps[i]` is before block i. No smoothing crosses a forced gap (ours).
    """
    blocks, gaps, sweeps = [list(block) for block in blocks], list(gaps), 0
    loop = True
    while loop:
        loop = False
        sweeps += 1
        i = 1
        while i < len(blocks):
            if (
                i + 1 < len(blocks)
                and FORCED not in (gaps[i], gaps[i + 1])
                and paper_dominated(blocks[i - 1], blocks[i], blocks[i + 1], smooth)
            ):
                blocks[i - 1 : i + 2] = [blocks[i - 1] + blocks[i] + blocks[i + 1]]
                del gaps[i : i + 2]
                loop = True  # the fused block is skipped: now at i - 1, the next is at i
            elif paper_slope(blocks[i - 1], blocks[i], gaps[i]) <= threshold:
                blocks[i - 1 : i + 1] = [blocks[i - 1] + blocks[i]]
                del gaps[i]
                loop = True  # the next block is now at i
            else:
                i += 1
    return [len(block) for block in blocks], sweeps


def arrays(blocks: list[Block]) -> tuple[np.ndarray, np.ndarray]:
    counts = [count for block in blocks for count in block]
    before = np.concatenate([[0], np.cumsum(counts, dtype=np.int32)]).astype(np.int32)
    edges = np.cumsum([0] + [len(block) for block in blocks]).astype(np.int32)
    return before, edges


def sizes(edges: list[int]) -> list[int]:
    return np.diff(edges).tolist()


some_blocks = st.lists(
    st.lists(st.integers(0, 9) | st.integers(0, 20), min_size=1, max_size=4), max_size=30
)
# Few different values: many equal neighbours, so that smoothing happens.
alike_blocks = st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=2), max_size=40)
thresholds = st.sampled_from([0.0, 0.1, 0.2, 1 / 3, 0.38, 0.5, 0.6, 2 / 3, 0.9, 1.0])


@given(some_blocks | alike_blocks, thresholds, st.sampled_from(SMOOTHINGS))
@settings(max_examples=random_inputs(200))
def test_fusing_matches_the_papers_sweeps(
    blocks: list[Block], threshold: float, smooth: Smoothing
) -> None:
    expected, _ = paper_fusion(blocks, threshold, smooth, [OPEN] * len(blocks))
    assert sizes(fuse(*arrays(blocks), threshold, smooth)) == expected


@given(some_blocks | alike_blocks, thresholds, st.sampled_from(SMOOTHINGS), st.data())
@settings(max_examples=random_inputs(200))
def test_fusing_with_gaps_matches_the_papers_sweeps(
    blocks: list[Block], threshold: float, smooth: Smoothing, data: st.DataObject
) -> None:
    gap = st.sampled_from([OPEN, OPEN, OPEN, FORCED, AVOIDED])
    gaps = data.draw(st.lists(gap, min_size=len(blocks), max_size=len(blocks)))
    expected, _ = paper_fusion(blocks, threshold, smooth, gaps)
    found = fuse(*arrays(blocks), threshold, smooth, np.array(gaps, dtype=np.int32))
    assert sizes(found) == expected


def events(node: Node) -> Iterator[tuple[str, tuple[int, int] | None]]:
    """Tags and texts of a page in the order of its source."""
    if node.kind == "text":
        yield "#text", node.span
        return
    yield node.tag, None
    for child in node.children:
        yield from events(child)
    if node.kind == "element":
        yield node.tag, None


def paper_blocks(page: Page, width: int) -> tuple[list[list[list[int]]], list[int]]:
    """The lines of each atomic block, as starts of their tokens; what stands before it (Eq. 8)."""
    portions: list[tuple[set[str], list[tuple[int, int]]]] = []
    tags: set[str] = set()
    for tag, span in events(page.node(0)):
        if span is None:
            tags.add(tag)
            continue
        if portions and tags <= {"a"}:
            portions[-1][1].append(span)
        else:
            portions.append((tags, [span]))
        tags = set()
    blocks, gaps = [], []
    between: set[str] = set()
    for tags, spans in portions:
        between |= tags
        lines: list[list[int]] = []
        used = width + 1
        end = spans[0][0]
        for word in WORD.finditer(page.text, spans[0][0], spans[-1][1]):
            used += word.start() - end + columns(word[0])
            if not lines or used > width:
                lines.append([])
                used = columns(word[0])
            lines[-1].append(word.start() if any(map(str.isalnum, word[0])) else -1)
            end = word.end()
        if lines:
            forced, avoided = bool(between & FORCE_GAP), between <= NO_GAP
            gaps.append(FORCED if forced else AVOIDED if avoided else OPEN)
            blocks.append([[start for start in line if start >= 0] for line in lines])
            between = set()
    return blocks, gaps


@given(
    well_formed, thresholds, st.sampled_from(SMOOTHINGS), st.booleans(), st.sampled_from([8, 20])
)
@settings(max_examples=random_inputs(200))
def test_pages_are_cut_as_the_paper_says(
    source: str, threshold: float, smooth: Smoothing, rules: bool, width: int
) -> None:
    page = parse_html(source)
    blocks, gaps = paper_blocks(page, width)
    counts = [[len(line) for line in block] for block in blocks]
    open_gaps = [OPEN] * len(gaps)
    expected_sizes, _ = paper_fusion(counts, threshold, smooth, gaps if rules else open_gaps)
    lines = [line for block in blocks for line in block]
    expected, at = [], 0
    for size in expected_sizes:
        expected.append([start for line in lines[at : at + size] for start in line])
        at += size
    kind = BlockFusionRules if rules else BlockFusion
    found = kind(threshold=threshold, smooth=smooth, line_width=width).segment(page)
    starts = np.array([start for part in expected for start in part], dtype=np.int32)
    labels = found.labels_at(starts).tolist()
    parts = [
        [start for start, _ in group]
        for _, group in groupby(zip(starts.tolist(), labels, strict=True), key=lambda each: each[1])
    ]
    assert parts == [part for part in expected if part]


def worst_case(count: int) -> list[Block]:
    """Blocks that fuse from right to left, one in each sweep.

    Neighbours differ by more than 0.38, but none differs so much from the mean of them all, which
    is about what the growing last block has.
    """
    alternating = [[13], [7], [14], [7]] * (count // 4)
    return [*alternating, [10], [10], [10]]


@pytest.mark.parametrize("smooth", SMOOTHINGS)
def test_one_fusion_per_sweep_stays_linear(
    smooth: Smoothing, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = 0

    def counting(left: float, right: float) -> float:
        nonlocal calls
        calls += 1
        return slope(left, right)

    source = Path(fusion.__file__).with_name("fusion.py")
    interpreted = runpy.run_path(str(source))  # in which calls can be counted
    fuse = interpreted["fuse"]
    monkeypatch.setitem(fuse.__globals__, "slope", counting)
    for count in 100, 200, 400:
        blocks = worst_case(count)
        expected, sweeps = paper_fusion(blocks, 0.38, smooth, [OPEN] * len(blocks))
        assert sweeps > 0.9 * count, "the example must be a bad one for the paper's sweeps"
        calls = 0
        assert sizes(fuse(*arrays(blocks), 0.38, smooth)) == expected
        assert count <= calls <= 4 * count


@pytest.mark.parametrize(
    ("blocks", "threshold", "smooth", "expected"),
    [
        ([], 0.38, "none", []),
        ([[3]], 0.38, "none", [1]),
        ([[10], [8]], 0.2, "none", [2]),  # (10 - 8) / 10 = 0.2, still fused
        ([[10], [8]], 0.19, "none", [1, 1]),
        ([[0], [0]], 0.0, "none", [2]),  # no tokens: equally dense
        ([[0], [5]], 0.9, "none", [1, 1]),
        ([[0], [5]], 1.0, "none", [2]),
        ([[12, 3], [12, 12, 1]], 0.1, "none", [5]),  # 12 and 12, the last lines do not count
        ([[2], [1], [2]], 0.38, "none", [1, 1, 1]),
        ([[2], [1], [2]], 0.38, "equal", [3]),
        ([[2], [1], [3]], 0.3, "equal", [1, 1, 1]),
        ([[2], [1], [3]], 0.3, "sparse", [3]),
        ([[6], [1], [6]], 0.38, "sparse", [1, 1, 1]),  # denser than 5
        ([[6], [1], [6]], 0.38, "equal", [3]),
        ([[1], [2], [1]], 0.38, "equal", [1, 1, 1]),  # the middle one is denser
        # §4's dates in <span>. 2, 1, 2 give (2 + 1) / 2, near enough to the last 1: 1.67 then.
        ([[1], [2], [1], [2], [1]], 0.38, "none", [1, 1, 1, 1, 1]),
        ([[1], [2], [1], [2], [1]], 0.38, "equal", [1, 4]),
        ([[1], [5], [1], [5], [1]], 0.38, "equal", [1, 3, 1]),
    ],
)
def test_small_examples_worked_by_hand(
    blocks: list[Block], threshold: float, smooth: Smoothing, expected: list[int]
) -> None:
    assert sizes(fuse(*arrays(blocks), threshold, smooth)) == expected


def test_a_forced_gap_holds_and_an_avoided_one_never_does() -> None:
    gaps = np.array([OPEN, FORCED, AVOIDED], dtype=np.int32)
    assert fuse(*arrays([[5], [5], [50]]), 0.38, "none", gaps) == [0, 1, 3]


def test_smoothing_does_not_cross_a_forced_gap() -> None:
    gaps = np.array([OPEN, OPEN, FORCED], dtype=np.int32)
    assert fuse(*arrays([[2], [1], [2]]), 0.1, "equal", gaps) == [0, 1, 2, 3]


def test_a_page_is_cut_where_its_density_changes() -> None:
    prose = "word " * 60
    page = parse_html(
        f"<div>Home</div><div>News</div><p>{prose}</p><p>{prose}</p><div>Imprint</div>"
    )
    segments = BlockFusion().segment(page).segments
    assert [segment.text.split()[0] for segment in segments] == ["Home", "word", "Imprint"]
    assert segments[0].text == "Home\nNews"


def texts(spec: str, html: str) -> list[str]:
    return [segment.text for segment in segmenter(spec).segment(parse_html(html)).segments]


@pytest.mark.parametrize("tag", "h1 h2 h3 h4 h5 h6 ul dl ol hr table address img script".split())
def test_tags_that_force_a_gap(tag: str) -> None:
    html = f"<div>one</div><{tag}></{tag}><div>two</div><p>three</p>"
    for spec in "just-rules", "block-fusion-rules(threshold=1.0)":
        assert texts(spec, html) == ["one", "two\nthree"]
    assert texts("block-fusion", html) == ["one\ntwo\nthree"]


@pytest.mark.parametrize("tag", "a b br em font i s span strong sub sup u tt".split())
def test_tags_that_never_make_a_gap(tag: str) -> None:
    html = f"one <{tag}>two three four</{tag}> five six seven eight nine"
    assert len(texts("block-fusion-rules(threshold=0.0)", html)) == 1
    assert len(texts("block-fusion(threshold=0.0)", html)) == (1 if tag == "a" else 3)


def test_between_other_tags_density_decides() -> None:
    html = "<p>one</p><p>two three</p>"
    assert texts("block-fusion-rules(threshold=0.4)", html) == ["one", "two three"]
    assert texts("block-fusion-rules(threshold=0.5)", html) == ["one\ntwo three"]


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.html")), ids=lambda path: path.stem)
def test_just_rules_are_rules_with_the_largest_threshold(path: Path) -> None:
    page = parse_html(path.read_bytes())
    fused = segmenter("block-fusion-rules(threshold=1.0)").segment(page)
    ruled = segmenter("just-rules").segment(page)
    assert fused.spans.tolist() == ruled.spans.tolist()
    assert fused.labels.tolist() == ruled.labels.tolist()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"threshold": -0.1}, "threshold must lie in .* got -0.1"),
        ({"threshold": 1.5}, "got 1.5"),
        ({"threshold": math.nan}, "got nan"),
        ({"smooth": "much"}, "smooth must be one of none, equal, sparse, got 'much'"),
        ({"line_width": 0}, "line_width must be at least 1, got 0"),
    ],
)
def test_wrong_values_are_refused(values: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        BlockFusion(**values)  # type: ignore[arg-type]

"""The laws of text blocks, against the printed output of the Altmann-Fitter."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pagecut import Segmentation, TagGap, parse_html
from pagecut.cli import main
from pagecut.errors import FormatError
from pagecut.evaluation.datasets import read_dataset
from pagecut.evaluation.datasets.pages import true_segmentation, true_segmentations
from pagecut.page.text.tokenizer import token_spans
from pagecut.studies.laws import (
    FIT_METHODS,
    compare_counts,
    count_classes,
    density_classes,
    describe_frumkina,
    fit_blocks,
    fit_frumkina,
    fit_zipf,
    negative_hypergeometric,
    pool_classes,
    rank_lengths,
    segment_densities,
    segment_lengths,
    survival,
)

EXAMPLES = Path(__file__).parents[2] / "examples"

# Appendix A of Kohlschütter & Nejdl 2008: F[i] and NP[i] for X[i] = 1 to 18.
OBSERVED = [1802, 180, 92, 80, 34, 36, 24, 18, 14, 16, 12, 12, 4, 2, 4, 2, 0, 2]
EXPECTED = [
    *(1800.9989, 184.9156, 95.4882, 62.2025, 44.5585, 33.5436, 25.9808, 20.4556, 16.2396),
    *(12.9186, 10.2396, 8.0391, 6.2069, 4.6669, 3.3651, 2.2639, 1.3385, 0.5779),
]
K, M, N = 2.30453585151999, 0.109889153462268, 17


def test_the_printed_parameters_give_the_printed_output() -> None:
    fit = describe_frumkina(np.array(OBSERVED, dtype=float), K, M, N)
    assert fit.sample == 2334
    assert np.round(fit.expected, 4).tolist() == EXPECTED
    assert round(fit.test.value, 4) == 14.2394
    assert round(fit.test.probability or 0, 4) == 0.3572
    assert round(fit.test.contingency, 4) == 0.0061
    assert fit.test.freedom == 13
    assert fit.test.pools[-1] == (16, 18), "classes 17 and 18 are pooled, no others"
    assert len(fit.test.pools) == 17


@pytest.mark.parametrize(
    ("method", "k", "m", "chi_square"),
    [
        ("fixed-mean", 2.3056, 0.1099, 14.2393),
        ("chi-square", 2.2714, 0.1103, 14.1225),
        ("likelihood", 2.2947, 0.1095, 14.2332),
    ],
)
def test_fits_of_appendix_a(method: str, k: float, m: float, chi_square: float) -> None:
    fit = fit_frumkina(OBSERVED, method)  # type: ignore[arg-type]
    found = [*fit.parameters.values(), fit.test.value]
    assert [round(value, 4) for value in found] == [k, m, 17, chi_square]


def test_the_fit_with_the_mean_fixed_is_the_papers() -> None:
    fit = fit_frumkina(OBSERVED)
    assert fit.parameters["K"] == pytest.approx(K, rel=0.001)
    assert fit.test.value == pytest.approx(14.239, abs=0.0005)
    classes = np.repeat(np.arange(1.0, 19), OBSERVED)
    mean = float(classes.mean()) - 1
    moments = [np.mean((classes - classes.mean()) ** power) for power in (2, 3, 4)]
    assert np.round(moments, 4).tolist() == [4.4963, 34.2793, 356.4193], "as printed"
    assert mean + 1 == pytest.approx(1.8106, abs=5e-5), "the printed M1, of X"
    assert fit.parameters["M"] == pytest.approx(fit.parameters["K"] * mean / 17)


@given(st.floats(0.01, 50), st.floats(0.01, 0.99), st.integers(1, 60))
def test_negative_hypergeometric_is_beta_binomial(k: float, share: float, n: int) -> None:
    found = negative_hypergeometric(k, k * share, n)
    known = stats.betabinom.pmf(np.arange(n + 1), n, k * share, k * (1 - share))
    assert found == pytest.approx(known, rel=1e-8, abs=1e-12)


@pytest.mark.parametrize("method", FIT_METHODS)
@pytest.mark.parametrize(("k", "share", "n"), [(2.3, 0.05, 17), (9.0, 0.4, 12), (0.9, 0.2, 30)])
def test_parameters_are_found_again(method: str, k: float, share: float, n: int) -> None:
    counts = 1e6 * negative_hypergeometric(k, k * share, n)
    fit = fit_frumkina(counts, method)  # type: ignore[arg-type]
    assert fit.parameters["K"] == pytest.approx(k, rel=1e-4)
    assert fit.parameters["M"] == pytest.approx(k * share, rel=1e-4)
    assert fit.test.value == pytest.approx(0, abs=1e-3)


def test_no_other_parameters_are_better() -> None:
    observed = np.array(OBSERVED, dtype=float)
    best = fit_frumkina(OBSERVED, "chi-square")
    for factor in 0.99, 0.999, 1.001, 1.01:
        k, m, n = best.parameters["K"], best.parameters["M"], N
        for changed in (k * factor, m), (k, m * factor), (k * factor, m * factor):
            assert describe_frumkina(observed, *changed, n).test.value > best.test.value


def test_a_larger_n_may_be_asked_for() -> None:
    fit = fit_frumkina([50, 20, 9, 3], n=8)
    assert fit.parameters["n"] == 8
    assert fit.observed.tolist() == [50, 20, 9, 3, 0, 0, 0, 0, 0]
    with pytest.raises(ValueError, match=r"n must be at least 3, .* got 2"):
        fit_frumkina([50, 20, 9, 3], n=2)


@pytest.mark.parametrize("counts", [[], [0, 0], [5], [5, 3], [5, 0, 3]])
def test_too_few_classes_are_refused(counts: list[int]) -> None:
    with pytest.raises(FormatError, match="three classes"):
        fit_frumkina(counts)


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(ValueError, match="fixed-mean, chi-square, likelihood, got 'best'"):
        fit_frumkina(OBSERVED, "best")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("densities", "expected"),
    [
        ([], []),
        ([4.0], []),
        ([4.0, 2.0], [1]),  # |4 - 2| / 2
        ([2.0, 4.0], [1]),  # |2 - 4| / 4 = 0.5, rounded up
        ([1.0, 12.0, 1.0], [1, 11]),
        ([3.0, 3.0, 3.0], []),  # equal neighbours are one block
        ([6.0, 0.0, 2.0], [2]),  # nothing is relative to 0: the block is passed over
        ([1.2, 0.4], [2]),  # 1.9999999999999996 in floating point
        ([2.1, 0.7], [2]),  # 2.0000000000000004
    ],
)
def test_density_classes(densities: list[float], expected: list[int]) -> None:
    assert density_classes(densities) == expected


def test_classes_are_counted_from_one() -> None:
    assert count_classes([1, 1, 4]).tolist() == [2, 0, 0, 1]
    assert count_classes([]).tolist() == []


@given(st.floats(1e-6, 400), st.integers(1, 300))
def test_survival_is_that_of_the_chi_square_distribution(value: float, freedom: int) -> None:
    assert survival(value, freedom) == pytest.approx(stats.chi2.sf(value, freedom), rel=1e-9)


def test_survival_at_the_ends() -> None:
    assert survival(0, 3) == 1
    assert survival(math.inf, 3) == 0


@pytest.mark.parametrize(
    ("expected", "pools"),
    [
        ([5, 3, 2], [(0, 1), (1, 2), (2, 3)]),
        ([5, 3, 0.6, 0.3], [(0, 1), (1, 4)]),
        ([5, 0.6, 0.5, 0.2], [(0, 1), (1, 4)]),
        ([0.3, 5, 3], [(0, 2), (2, 3)]),
        ([0.3, 0.3], [(0, 2)]),
        ([], []),
    ],
)
def test_rare_classes_are_pooled(expected: list[float], pools: list[tuple[int, int]]) -> None:
    assert pool_classes(np.array(expected, dtype=float)) == pools


def test_a_test_without_freedom_has_no_probability() -> None:
    counts = np.array([5.0, 3.0, 2.0])
    test = compare_counts(counts, counts, parameters=2)
    assert (test.value, test.freedom, test.probability) == (0, 0, None)


@pytest.mark.parametrize(("c", "b"), [(1.04, 0.75), (1.48, 0.67), (1.0, 1.3)])
def test_zipf_parameters_are_found_again(c: float, b: float) -> None:
    ranks = np.arange(1.0, 200)
    counts = 1000 * c * ranks**-b
    fit = fit_zipf(counts)
    # y is relative to the longest, so that C is 1 if the law holds exactly.
    assert fit.parameters["C"] == pytest.approx(1, rel=1e-5)
    assert fit.parameters["b"] == pytest.approx(b, rel=1e-5)
    assert fit.error == pytest.approx(0, abs=1e-6)
    assert fit.test.value == pytest.approx(0, abs=1e-4)
    assert fit.test.probability == pytest.approx(1)


def test_zipf_c_shows_that_the_longest_is_too_short() -> None:
    counts = 1000 * np.arange(1.0, 200) ** -0.75
    counts[0] /= 1.25
    fit = fit_zipf(counts)
    assert 1.05 < fit.parameters["C"] < 1.25


def test_zipf_of_tokens_drawn_by_the_law() -> None:
    random = np.random.default_rng(7)
    ranks = np.arange(1, 1001)
    chances = ranks**-0.75
    tokens = random.choice(random.permutation(1000), 50_000, p=chances / chances.sum())
    fit = fit_zipf(rank_lengths(np.bincount(tokens).tolist()))
    assert fit.parameters["b"] == pytest.approx(0.75, abs=0.02)
    assert fit.parameters["C"] == pytest.approx(1, abs=0.05)
    assert fit.error < 0.005


def test_ranks_go_by_length_and_empty_blocks_do_not_count() -> None:
    assert rank_lengths([3, 1, 7, 0, 3, 0]).tolist() == [7, 3, 3, 1]


def test_zipf_needs_three_blocks() -> None:
    with pytest.raises(FormatError, match="three blocks with tokens, got 2"):
        fit_zipf(rank_lengths([1, 2, 0]))


def test_densities_and_lengths_of_segments() -> None:
    page = parse_html(f"<p>one two</p><p>{'word ' * 40}</p><p>three<br>four five</p>")
    segmentation = TagGap().segment(page)
    assert segment_lengths(segmentation) == [2, 40, 1, 2]
    assert segment_densities(segmentation) == [2, 16, 1, 2]


def test_text_in_no_segment_is_passed_over() -> None:
    page = parse_html("<p>one two</p><p>lost</p><p>three</p>")
    starts = [page.text.index(word) for word in ("one", "three")]
    spans = [(starts[0], starts[0] + 7), (starts[1], starts[1] + 5)]
    segmentation = Segmentation.from_spans(page, spans, [0, 1], made_by="test")
    assert segment_densities(segmentation) == [2, 1]
    assert segment_lengths(segmentation) == [2, 1]


def marked_words(source: str, *blocks: str) -> Segmentation:
    """A page of which people marked the words of some blocks, and no signs between them."""
    page = parse_html(source)
    spans = token_spans(page.text)
    words = [page.text[start:end] for start, end in spans.tolist()]
    labels = [
        next((number for number, block in enumerate(blocks) if word in block.split()), -1)
        for word in words
    ]
    return Segmentation.from_spans(page, spans, labels, made_by="test")


def test_a_sign_before_the_first_word_does_not_take_a_line_out_of_its_block() -> None:
    marked = marked_words(
        "<p>one two</p><p>– three four<br>• five six", "one two", "three four five six"
    )
    assert segment_densities(marked) == [2, 2]


def test_what_is_in_no_block_does_not_part_the_block_around_it() -> None:
    source = "<p>one two three</p><p hidden>lost</p><p>***</p><p>four</p><p>five"
    assert segment_densities(marked_words(source, "one two three four", "five")) == [3, 1]
    assert segment_densities(marked_words(source)) == []


def test_a_page_without_text_has_no_densities() -> None:
    segmentation = TagGap().segment(parse_html(""))
    assert segment_densities(segmentation) == []
    assert segment_lengths(segmentation) == []


def test_truth_as_a_segmentation_has_the_marked_tokens() -> None:
    entry = next(iter(read_dataset(EXAMPLES)))
    page, truth = entry.load()
    for level in (1, 2):
        segmentation = true_segmentation(page, truth, level)
        marked = truth.blocks[level] >= 0
        labels = segmentation.labels_at(truth.units[marked])
        assert (labels >= 0).all()
        assert len(set(labels.tolist())) == len(set(truth.blocks[level][marked].tolist()))


def test_laws_of_the_example_pages() -> None:
    dataset = read_dataset(EXAMPLES)
    assert fit_blocks(true_segmentations(dataset, 2), "frumkina").sample > 100
    assert fit_blocks(true_segmentations(dataset, 2), "zipf").parameters["b"] > 0


def run(*arguments: object) -> str:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_command_fit_prints_observed_and_expected_counts(tmp_path: Path) -> None:
    output = run("fit", EXAMPLES, "--with", "truth", "--level", 2, "-o", tmp_path / "fit.svg")
    lines = output.splitlines()
    assert lines[1].startswith("frumkina, by fixed-mean: K = ")
    assert "degrees of freedom" in lines[2]
    assert lines[4].split() == ["X", "observed", "expected"]
    assert "expected (K" in (tmp_path / "fit.svg").read_text(encoding="utf-8")


def test_command_fit_gives_json(tmp_path: Path) -> None:
    pages = sorted(EXAMPLES.glob("*.html"))
    output = run("fit", *pages, "--law", "zipf", "--json", "-o", tmp_path / "zipf.png")
    row = json.loads(output)
    assert row["law"] == "zipf"
    assert set(row["parameters"]) == {"C", "b"}
    assert len(row["observed"]) == len(row["expected"]) == len(row["classes"])
    assert (tmp_path / "zipf.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--with", "truth"], 2, "works with datasets only"),
        (["--with", "no-such"], 1, "no segmenter 'no-such'"),
        (["--with", "whole-page"], 1, "three classes"),
        (["-o", "fit.gif"], 1, "use .svg, .png"),
    ],
)
def test_command_fit_says_what_is_wrong(arguments: list[str], code: int, message: str) -> None:
    result = CliRunner().invoke(main, ["fit", str(EXAMPLES / "news.html"), *arguments])
    assert result.exit_code == code
    assert message in result.stderr


def test_equation_9_as_printed_has_hardly_a_class_but_the_first() -> None:
    """A change by Eq. 7 is at most 1, and a density mostly above it."""
    densities = [2.0, 12.0, 3.0, 1.0, 0.0, 1.0, 8.0]
    assert density_classes(densities) == [1, 3, 2, 1]
    assert density_classes(densities, printed=True) == [1, 1, 1, 1]
    assert density_classes([4.0, 0.25], printed=True) == [4]

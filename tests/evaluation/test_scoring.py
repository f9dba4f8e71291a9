"""Scores of methods on datasets small enough to work out by hand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from small_dataset import EXAMPLES, Contexts, write_dataset

from pagecut import Page, Segmentation, TagGap, WholePage, parse_html
from pagecut.contexts import extractor
from pagecut.contexts.window import NTerms
from pagecut.errors import FormatError, SpecError, TooLarge
from pagecut.evaluation.datasets import Dataset, DatasetPage, GroundTruth, read_dataset
from pagecut.evaluation.measures import Score, measure
from pagecut.evaluation.measures.partition import adjusted_rand
from pagecut.evaluation.scoring import Evaluation, evaluate_task, score_methods
from pagecut.evaluation.summaries import Summary, bootstrap_interval
from pagecut.evaluation.tasks import FOUND, HAS_CONTEXT, INVENTED, NONE, task_of
from pagecut.page.text.lines import atomic_blocks
from pagecut.report.evaluation import pages_beside, write_evaluations
from pagecut.results.labelled_ranges import own_segments
from pagecut.segmenters import segmenter
from pagecut.spec import Configured

# tag-gap cuts "a b | c | d"; people say "a b | c d" of what they marked.
BLOCKS = "<div data-block=1><p>a b</div><div data-block=1><p>c<p>d</div><p>e f"
ONE_BLOCK = "<div data-block=1><p>a<p>b</div><p>c"

IMAGES = "<div><img src=1><p>one two</div><div><img src=2><p>three</div><div><img src=3>four</div>"
CONTEXTS: list[str | None] = ["one two three four", "five", None]


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    pages = {"p": BLOCKS, "q": ONE_BLOCK, "r": IMAGES, "s": "<img src=1>none<p>"}
    contexts: Contexts = {"r": CONTEXTS, "s": ["none"]}
    groups = {"p": "g", "q": "g", "r": "h", "s": "i"}
    return write_dataset(tmp_path, pages, contexts, groups)


def summary_of(evaluation: Evaluation, spec: str) -> Summary:
    (found,) = [each for each in evaluation.summarize() if each.made_by == spec]
    return found


def test_segmentation_scores_worked_by_hand(dataset: Dataset) -> None:
    task = task_of("segmentation", ["ari"], level=1)
    scores, failures = score_methods(dataset, task, [TagGap(), WholePage()])
    assert failures == []
    # 1 pair and 2 pairs, 1 in common, 1/3 by chance: (1 - 1/3) / (3/2 - 1/3)
    assert scores[0].value == pytest.approx(4 / 7)
    assert scores == [
        Score(page="p", made_by="tag-gap", measure="ari", value=scores[0].value),
        Score(page="p", made_by="tag-gap", measure="segments", value=4),
        Score(page="p", made_by="whole-page", measure="ari", value=0),
        Score(page="p", made_by="whole-page", measure="segments", value=1),
    ]


def test_pages_with_fewer_than_two_blocks_are_left_out(dataset: Dataset) -> None:
    evaluation = evaluate_task(dataset, "segmentation", ["tag-gap"], level=1)
    assert {score.page for score in evaluation.scores} == {"p"}
    assert summary_of(evaluation, "tag-gap").pages == 1


def test_units_in_no_segment_are_segments_of_their_own() -> None:
    page = parse_html("<p>a b<p>c d<p>e f")
    segmentation = Segmentation.from_spans(page, [(0, 3), (8, 11)], [0, 1], made_by="m")
    units = np.array([0, 2, 4, 6, 8, 10], dtype=np.int32)
    labels = own_segments(segmentation.labels_at(units))
    assert labels.tolist() == [0, 0, 2, 3, 1, 1]
    joined = np.array([0, 0, 1, 1, 2, 2], dtype=np.int32)
    assert adjusted_rand(labels, joined) < 1


def test_a_segmentation_without_segments_labels_every_unit_by_itself() -> None:
    page = parse_html("<p>a b")
    nothing = Segmentation.from_spans(page, [], [], made_by="m")
    assert own_segments(nothing.labels_at(np.array([0, 2], dtype=np.int32))).tolist() == [0, 1]


def test_image_context_scores_worked_by_hand(dataset: Dataset) -> None:
    evaluation = evaluate_task(dataset, "image-context", ["siblings"])
    values = {(score.page, score.image, score.measure): score.value for score in evaluation.scores}
    assert values == {
        ("r", 0, HAS_CONTEXT): FOUND,
        ("r", 0, "lcs-precision"): 1,
        ("r", 0, "lcs-recall"): 0.5,
        ("r", 0, "lcs-f"): pytest.approx(2 / 3),
        ("r", 1, HAS_CONTEXT): FOUND,
        ("r", 1, "lcs-precision"): 0,
        ("r", 1, "lcs-recall"): 0,
        ("r", 1, "lcs-f"): 0,
        ("r", 2, HAS_CONTEXT): INVENTED,
        ("r", 2, "overall"): 0,
        ("r", 0, "overall"): pytest.approx(2 / 3),
        ("r", 1, "overall"): 0,
        ("s", 0, "overall"): 1,
        ("s", 0, HAS_CONTEXT): FOUND,
        ("s", 0, "lcs-precision"): 1,
        ("s", 0, "lcs-recall"): 1,
        ("s", 0, "lcs-f"): 1,
    }


def test_the_image_context_summary_worked_by_hand(dataset: Dataset) -> None:
    summary = summary_of(evaluate_task(dataset, "image-context", ["siblings"]), "siblings")
    assert summary.pages == 2
    assert summary.values == {
        "P": pytest.approx(2 / 3),
        "R": pytest.approx(1 / 2),
        "F": pytest.approx((2 / 3 + 0 + 1) / 3),
        "F by page": pytest.approx((1 / 3 + 1) / 2),
        "decision F": pytest.approx(2 * 3 / (3 + 1 + 3)),
        "overall": pytest.approx((2 / 3 + 0 + 0 + 1) / 4),
        "images": 3,
        "no output": 0,
    }


def test_an_image_without_output_counts_against_recall_and_decision(tmp_path: Path) -> None:
    contexts: Contexts = {"a": ["one", None], "b": ["two"]}
    dataset = write_dataset(tmp_path, {"a": "<img><img>", "b": "<img>two"}, contexts)
    evaluation = evaluate_task(dataset, "image-context", ["full-text"])
    decisions = [score.value for score in evaluation.scores if score.measure == HAS_CONTEXT]
    assert decisions == [NONE, NONE, FOUND]
    values = summary_of(evaluation, "full-text").values
    assert (values["R"], values["no output"], values["images"]) == (0.5, 1, 2)
    assert values["decision F"] == pytest.approx(2 * 1 / (1 + 0 + 2))


def test_the_value_that_ranks_is_the_mean_over_pages_that_is_shown(dataset: Dataset) -> None:
    evaluation = evaluate_task(dataset, "image-context", ["full-text", "siblings", "n-terms(n=1)"])
    assert evaluation.ranked_by == "F by page"
    shown = {each.made_by: each.values[evaluation.ranked_by] for each in evaluation.summarize()}
    assert evaluation.ranking() == sorted(shown, key=lambda method: -shown[method])
    other = evaluate_task(dataset, "image-context", ["siblings"], measures=["lcs-recall"])
    assert other.ranked_by == "lcs-recall by page"
    assert evaluate_task(dataset, "segmentation", ["tag-gap"]).ranked_by == "ari"


def test_groups_are_scored_by_themselves(dataset: Dataset) -> None:
    evaluation = evaluate_task(dataset, "image-context", ["siblings", "full-text"])
    summaries = evaluation.summarize({"first": dataset.ids(["h"]), "both": dataset.ids("hi")})
    assert [(each.group, each.made_by, each.pages) for each in summaries] == [
        ("all", "siblings", 2),
        ("all", "full-text", 2),
        ("first", "siblings", 1),
        ("first", "full-text", 1),
        ("both", "siblings", 2),
        ("both", "full-text", 2),
    ]
    assert summaries[2].values["F"] == pytest.approx(1 / 3)
    assert summaries[4].values == summaries[0].values


def test_the_order_of_pages_does_not_matter(dataset: Dataset) -> None:
    turned = replace(dataset, pages=dataset.pages[::-1])
    for task in "segmentation", "image-context":
        one, other = (evaluate_task(each, task) for each in (dataset, turned))
        assert set(one.scores) == set(other.scores)
        for first, second in zip(one.summarize(), other.summarize(), strict=True):
            assert first.values == pytest.approx(second.values)


def test_all_methods_are_scored_if_none_is_named(dataset: Dataset) -> None:
    found = {score.made_by for score in evaluate_task(dataset, "image-context").scores}
    assert {"full-text", "n-terms", "siblings"} <= found


def test_every_score_is_a_plain_row(dataset: Dataset) -> None:
    evaluation = evaluate_task(dataset, "segmentation", ["tag-gap"], level=1)
    rows = list(evaluation.rows())
    assert [tuple(row) for row in rows] == [evaluation.fields] * 3
    expected = ["p", None, "tag-gap", "segments", 4]
    assert list(rows[-1].values()) == expected


def test_a_dataset_without_truth_for_the_task_is_an_error(tmp_path: Path) -> None:
    dataset = write_dataset(tmp_path, {"q": ONE_BLOCK})
    for task in "segmentation", "image-context":
        with pytest.raises(FormatError, match=f"no page has ground truth for the task {task}"):
            evaluate_task(dataset, task)


def test_an_unknown_task_or_method_is_an_error(dataset: Dataset) -> None:
    with pytest.raises(ValueError, match="got 'clustering'"):
        evaluate_task(dataset, "clustering")
    with pytest.raises(SpecError, match="no segmenter 'siblings'"):
        evaluate_task(dataset, "segmentation", ["siblings"])


@dataclass(frozen=True)
class Halves(Configured):
    """A method that is in no table."""

    name: ClassVar[str] = "halves"
    paper: ClassVar[str] = ""
    needs: ClassVar[frozenset[str]] = frozenset()

    share: float = 0.5

    def segment(self, page: Page) -> Segmentation:
        blocks = atomic_blocks(page)
        labels = [at >= self.share * len(blocks) for at in range(len(blocks))]
        return Segmentation.from_spans(page, blocks, labels, made_by=self)


@dataclass(frozen=True)
class AsLong(Configured):
    """A measure that is in no table: how nearly as many segments, or characters, there are."""

    name: ClassVar[str] = "as-long"
    paper: ClassVar[str] = ""

    def score(self, predicted: Segmentation | str, truth: Segmentation | str) -> float:
        return min(len(predicted), len(truth)) / max(len(predicted), len(truth))


def test_a_measure_of_ones_own_is_taken_beside_the_others(dataset: Dataset) -> None:
    own = AsLong()
    assert measure(own) is own
    blocks = evaluate_task(dataset, "segmentation", ["tag-gap"], measures=["ari", own], level=1)
    assert blocks.measures == ["ari", "as-long"]
    assert summary_of(blocks, "tag-gap").values["as-long"] == 2 / 4
    images = evaluate_task(dataset, "image-context", ["siblings"], measures=["lcs-f", own])
    values = [each.value for each in images.scores if each.measure == "as-long"]
    assert values == [len("one two") / len("one two three four"), 4 / 5, 1]
    with pytest.raises(SpecError, match="AsLong is a class; give the measure itself"):
        measure(AsLong)
    with pytest.raises(ValueError, match="items has its own measures, got as-long"):
        task_of("items", [own])


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_method_of_ones_own_is_scored_beside_the_others(jobs: int, tmp_path: Path) -> None:
    dataset = read_dataset(EXAMPLES)
    own = Halves(share=0.25)
    assert segmenter(own) is own
    found = evaluate_task(dataset, "segmentation", [own, "tag-gap"], jobs=jobs)
    assert not found.failures
    assert [each.made_by for each in found.summarize()] == ["halves(share=0.25)", "tag-gap"]
    write_evaluations(tmp_path / "report.html", [found], dataset=dataset)
    assert "halves(share=0.25)" in pages_beside(tmp_path / "report.html").read_text()


def test_an_extractor_of_ones_own_is_scored(tmp_path: Path) -> None:
    dataset = read_dataset(EXAMPLES)
    own = NTerms(n=7)
    assert extractor(own) is own
    found = evaluate_task(dataset, "image-context", [own])
    write_evaluations(tmp_path / "report.html", [found], dataset=dataset)
    assert "contexts by n-terms(n=7)" in pages_beside(tmp_path / "report.html").read_text()


def test_one_spec_stands_for_itself_and_not_for_its_letters(dataset: Dataset) -> None:
    found = evaluate_task(dataset, "segmentation", "tag-gap", measures="nmi", level=1)
    assert (list(found.methods), found.measures) == (["tag-gap"], ["nmi"])


def test_what_is_no_method_is_refused(dataset: Dataset) -> None:
    with pytest.raises(SpecError, match=r"Halves is a class; .*, e.g. Halves\(\)"):
        segmenter(Halves)  # type: ignore[arg-type]
    with pytest.raises(SpecError, match=r"no segmenter, which has segment\(\)"):
        evaluate_task(dataset, "segmentation", [NTerms()])
    with pytest.raises(SpecError, match="no extractor, which"):
        extractor(3)  # type: ignore[arg-type]


def test_the_examples_give_the_pinned_values() -> None:
    examples = read_dataset(EXAMPLES)
    siblings = summary_of(evaluate_task(examples, "image-context", ["siblings"]), "siblings")
    assert siblings.pages == 7
    found = {name: round(value, 3) for name, value in siblings.values.items()}
    assert found == {
        "P": 0.878,
        "R": 0.864,
        "F": 0.785,
        "F by page": 0.807,
        "decision F": 0.833,
        "overall": 0.561,
        "images": 110,
        "no output": 0,
    }


@pytest.mark.parametrize(("level", "ari", "nmi"), [(1, 0.038, 0.408), (2, 0.405, 0.744)])
def test_block_fusion_gives_the_pinned_values_on_the_examples(
    level: int, ari: float, nmi: float
) -> None:
    evaluation = evaluate_task(
        read_dataset(EXAMPLES), "segmentation", ["block-fusion"], level=level
    )
    summary = summary_of(evaluation, "block-fusion")
    assert summary.pages == 7
    assert round(summary.values["ari"], 3) == ari
    assert round(summary.values["nmi"], 3) == nmi


def test_measures_are_chosen_by_their_specs(dataset: Dataset) -> None:
    measures = ["bcubed-recall", "bcubed-precision", "ari(unit='characters')"]
    evaluation = evaluate_task(dataset, "segmentation", ["tag-gap"], measures=measures, level=1)
    assert evaluation.measures == measures
    (summary,) = evaluation.summarize()
    assert list(summary.values) == [*measures, "bcubed-f*", "segments"]
    recall, precision = summary.values["bcubed-recall"], summary.values["bcubed-precision"]
    assert summary.values["bcubed-f*"] == pytest.approx(
        2 * recall * precision / (recall + precision)
    )
    evaluation = evaluate_task(dataset, "image-context", ["siblings"], measures=["lcs-recall"])
    (summary,) = evaluation.summarize()
    assert list(summary.values) == ["R", "decision F", "overall", "images", "no output"]
    for task, wrong in ("segmentation", "lcs-f"), ("image-context", "ari"):
        with pytest.raises(SpecError, match=f"no {task} measure '{wrong}'"):
            evaluate_task(dataset, task, measures=[wrong])


def test_the_number_of_processes_changes_nothing() -> None:
    examples = read_dataset(EXAMPLES)
    for task, specs in ("segmentation", ["tag-gap", "block-fusion"]), ("image-context", ["item"]):
        one, two = (evaluate_task(examples, task, specs, jobs=jobs) for jobs in (1, 2))
        assert list(one.scores) == list(two.scores)
        assert one.summarize() == two.summarize()
    with pytest.raises(ValueError, match="jobs must be at least 1, got 0"):
        evaluate_task(examples, "segmentation", ["tag-gap"], jobs=0)


def test_each_page_is_read_once(dataset: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    load = DatasetPage.load

    def count(entry: DatasetPage) -> tuple[Page, GroundTruth]:
        read.append(entry.id)
        return load(entry)

    monkeypatch.setattr(DatasetPage, "load", count)
    evaluate_task(dataset, "segmentation", ["tag-gap", "block-fusion", "word-wrap"])
    assert read == ["p", "q"], "and none without marks"


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (TooLarge("11 characters"), "11 characters"),
        (KeyError("x"), "p: failed by a fault of pagecut, please report it: KeyError: 'x'"),
    ],
)
def test_a_failure_is_told_and_the_others_are_scored(
    error: Exception, message: str, dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_method: TagGap, _page: Page) -> Segmentation:
        raise error

    monkeypatch.setattr(TagGap, "segment", fail)
    evaluation = evaluate_task(dataset, "segmentation", ["tag-gap", "whole-page"], level=1)
    assert [str(each) for each in evaluation.failures] == [f"p, tag-gap: {message}"]
    assert {score.made_by for score in evaluation.scores} == {"whole-page"}
    (dataset.folder / "r.html").unlink()
    evaluation = evaluate_task(dataset, "segmentation", ["whole-page"], level=1)
    assert [(each.page, each.made_by) for each in evaluation.failures] == [("r", "")]
    assert str(evaluation.failures[0]).startswith("r: ")


def test_intervals_hold_the_mean_and_do_not_depend_on_the_order() -> None:
    examples = read_dataset(EXAMPLES)
    turned = replace(examples, pages=examples.pages[::-1])
    for task, spec in ("segmentation", "tag-gap"), ("image-context", "siblings"):
        (one,), (other,) = (
            evaluate_task(each, task, [spec]).summarize() for each in (examples, turned)
        )
        assert set(one.intervals) == set(one.values) - {"images", "no output"}
        for name, (low, high) in one.intervals.items():
            assert low < one.values[name] < high or low == one.values[name] == high
            assert other.intervals[name] == pytest.approx((low, high))


def test_one_page_gives_no_interval(dataset: Dataset) -> None:
    (summary,) = evaluate_task(dataset, "segmentation", ["tag-gap"], level=1).summarize()
    assert summary.intervals == {}


def test_a_bootstrap_interval_is_about_that_of_the_normal_distribution() -> None:
    values = np.random.default_rng(1).normal(0.5, 0.1, 400)
    found = bootstrap_interval(np.stack([values, np.ones(400)], axis=1))
    error = 1.96 * values.std() / 20
    assert found == pytest.approx((values.mean() - error, values.mean() + error), abs=1e-3)


def test_pages_of_one_site_are_drawn_together() -> None:
    parts = np.array([[0.0, 1.0], [1.0, 1.0], [0.0, 1.0], [1.0, 1.0]])
    assert bootstrap_interval(parts) == (0.0, 1.0)
    assert bootstrap_interval(parts, sites=["a", "a", "b", "b"]) == (0.5, 0.5)
    assert bootstrap_interval(parts, sites=["a"] * 4) is None


def test_methods_are_compared_by_the_first_measure() -> None:
    specs = ["whole-page", "tag-gap"]
    evaluation = evaluate_task(read_dataset(EXAMPLES), "segmentation", specs)
    (pair,) = evaluation.compare()
    assert (pair.first, pair.second, pair.pages) == ("whole-page", "tag-gap", 7)
    assert (pair.wins, pair.losses, pair.p) == (0, 7, 2 / 2**7)
    assert evaluation.ranking() == ["tag-gap", "whole-page"]
    contexts = evaluate_task(read_dataset(EXAMPLES), "image-context", ["siblings", "n-terms"])
    assert contexts.measures[0] == "lcs-f"
    assert contexts.compare() == contexts.compare("lcs-f")

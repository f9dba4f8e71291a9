"""Commands for the studies of the Block Fusion paper: laws of text blocks, near duplicates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from pagecut.cli.inputs import (
    Failures,
    html_files,
    progress,
    read_pages,
    read_pages_or_datasets,
    run_outputs,
    told,
    unique_name,
)
from pagecut.cli.options import (
    dataset_option,
    level_option,
    output_file,
    sources_argument,
    with_option,
)
from pagecut.cli.output import harmless
from pagecut.cli.results import print_rows
from pagecut.errors import counted

if TYPE_CHECKING:
    from pagecut.page import Page
    from pagecut.results.segmentation import Segmentation
    from pagecut.results.tables import Row
    from pagecut.studies.laws import Fit, FitMethod, Law
    from pagecut.studies.near_duplicates import Duplicates, Fingerprint, NearDuplicates

PAIR_FIELDS = ("a", "b", "a_url", "b_url", "score", "jaccard", "made_by")
CLUSTER_FIELDS = ("cluster", "size", "pages", "urls", "made_by")
DUPLICATE_FIELDS = ("page", "url", "duplicate_of", "duplicate_of_url", "score", "made_by")
DUPLICATE_TYPES = {
    "jaccard": "float64",
    "cluster": "int32",
    "size": "int32",
    "pages": "list<string>",
    "urls": "list<string>",
}


@click.command()
@sources_argument()
@click.option(
    "--with",
    "spec",
    metavar="SPEC",
    help="The segmenter, e.g. tag-gap; `truth` for the blocks that people marked in a dataset.",
)
@click.option(
    "--law",
    type=click.Choice(["frumkina", "zipf"]),
    default="frumkina",
    show_default=True,
    help="Changes of density between blocks, or tokens per block.",
)
@click.option(
    "--method",
    type=click.Choice(["fixed-mean", "chi-square", "likelihood"]),
    default="fixed-mean",
    show_default=True,
    help="How to fit Frumkina's law; the first is the paper's.",
)
@click.option(
    "--printed",
    is_flag=True,
    help="Frumkina's law: take Eq. 9 as it is printed.",
)
@level_option("Which blocks `--with truth` takes.")
@dataset_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of the table.")
@output_file("Also draw it: .svg, .png.")
def fit(
    sources: tuple[str, ...],
    spec: str | None,
    law: str,
    method: str,
    printed: bool,
    level: str,
    as_datasets: bool,
    as_json: bool,
    output: Path | None,
) -> None:
    """Fit Frumkina's or Zipf's law to the blocks of pages. Observed and expected counts."""
    from pagecut.evaluation.datasets.pages import TRUTH
    from pagecut.pictures.drawing import PICTURE_FORMATS, write_picture
    from pagecut.results.row_files import check_output, json_line
    from pagecut.segmenters import BLOCK_SEGMENTER
    from pagecut.studies.charts import draw_fit
    from pagecut.studies.laws import fit_blocks

    if output:
        check_output(output, PICTURE_FORMATS)
    spec = BLOCK_SEGMENTER if spec is None else spec
    if spec == TRUTH and not all(Path(source).is_dir() for source in sources):
        raise click.UsageError("--with truth works with datasets only")
    failures = Failures()
    segmentations = (
        _true_segmentations(sources, int(level))
        if spec == TRUTH
        else _segmentations(sources, spec, failures, as_datasets)
    )
    found = fit_blocks(segmentations, cast("Law", law), cast("FitMethod", method), printed=printed)
    if output:
        write_picture(output, draw_fit(found, subtitle=f"{spec}, {_size(found)}").svg())
    if as_json:
        click.echo(json_line(_fields(found)))
    else:
        _show(found, f"{', '.join(sources)} · {spec}")
    failures.exit()


def _segmentations(
    sources: Sequence[str], spec: str, failures: Failures, as_datasets: bool
) -> Iterator[Segmentation]:
    from pagecut.segmenters import segmenter

    method = segmenter(spec)
    for _, page in read_pages_or_datasets(sources, failures, as_datasets=as_datasets):
        yield method.segment(page)


def _true_segmentations(sources: Sequence[str], level: int) -> Iterator[Segmentation]:
    from pagecut.evaluation.datasets import read_dataset
    from pagecut.evaluation.datasets.pages import true_segmentations

    for source in sources:
        yield from true_segmentations(progress(read_dataset(source)), level)


def _fields(found: Fit) -> dict[str, Any]:
    return {
        "law": found.law,
        "method": found.method,
        "parameters": dict(found.parameters),
        "chi_square": found.test.value,
        "degrees_of_freedom": found.test.freedom,
        "probability": found.test.probability,
        "contingency": found.test.contingency,
        "error": found.error,
        "sample": found.sample,
        "classes": found.classes.astype(int).tolist(),
        "observed": found.observed.astype(int).tolist(),
        "expected": found.expected.tolist(),
    }


def _show(found: Fit, title: str) -> None:
    """What the Altmann-Fitter prints: parameters, test, observed and expected counts."""
    from pagecut.studies.charts import describe

    test = found.test
    probability = "–" if test.probability is None else f"{test.probability:.4f}"
    pooled = {index for first, end in test.pools if end - first > 1 for index in range(first, end)}
    click.echo(f"{harmless(title)}\n{found.law}, by {found.method}: {describe(found)}")
    click.echo(
        f"chi-square {test.value:.4f}, {test.freedom} degrees of freedom, P {probability}, "
        f"C {test.contingency:.4f}; error {found.error:.5f}; {_size(found)}\n"
    )
    click.echo(f"{'rank' if found.law == 'zipf' else 'X':>6}{'observed':>12}{'expected':>14}")
    for index in _shown(len(found.classes)):
        mark = "  pooled" if index in pooled else ""
        click.echo(
            f"{found.classes[index]:6.0f}{found.observed[index]:12.0f}"
            f"{found.expected[index]:14.4f}{mark}"
        )


def _size(found: Fit) -> str:
    if found.law == "zipf":
        return f"{found.sample:,} tokens in {len(found.observed):,} blocks"
    return f"{found.sample:,} changes of density"


def _shown(count: int) -> list[int]:
    """Which rows to print: all, or of many the first, then ever fewer, and the last."""
    chosen = [index for index in range(count) if index < 50]
    if count > 50:
        ranks = [factor * 10**power for power in range(1, 9) for factor in (1, 2, 5)]
        chosen = [*range(10), *(rank - 1 for rank in ranks if 10 < rank < count), count - 1]
    return chosen


@click.command()
@sources_argument("FILE|FOLDER|URL|CORPUS-OUTPUT|-...")
@with_option("segmenter", "'block-fusion(smooth=\"equal\")'")
@click.option(
    "--main-text",
    is_flag=True,
    help="Compare what `pagecut text` gives, not the largest segments; so it is always for the "
    "output of a run.",
)
@click.option(
    "--threshold",
    type=float,
    help="Least share of equal values of near duplicates; 0.5 if not given.",
)
@click.option(
    "--values", type=int, help="Min-hash values of a segment; 128 if not given, the paper has 8."
)
@click.option("--shingle", type=int, help="Tokens in a shingle; 6 if not given.")
@click.option(
    "--segments", type=int, help="Largest segments to compare; 3 if not given, the paper has 1."
)
@click.option("--estimate", is_flag=True, help="No exact Jaccard coefficients; saves memory.")
@click.option("--clusters", is_flag=True, help="One row per cluster instead of one per pair.")
@click.option(
    "--duplicates",
    is_flag=True,
    help="One row per page that can go, with the page of its cluster that is kept.",
)
@click.option("--table", is_flag=True, help="Print a table to read.")
@output_file("Write to a file in the format of its ending: .jsonl, .json, .csv, .parquet.")
def dedup(
    sources: tuple[str, ...],
    spec: str | None,
    main_text: bool,
    threshold: float | None,
    values: int | None,
    shingle: int | None,
    segments: int | None,
    estimate: bool,
    clusters: bool,
    duplicates: bool,
    table: bool,
    output: Path | None,
) -> None:
    """Find pages with the same main text. One JSON object per pair, cluster or page to leave out.

    The output of a corpus run stands for the main texts in its table `pages`.
    """
    from pagecut.results.row_files import TABLES, check_output
    from pagecut.studies.minhash import algorithm
    from pagecut.studies.near_duplicates import NearDuplicates

    if table and output:
        raise click.UsageError("give --table or --output, not both")
    if clusters and duplicates:
        raise click.UsageError("give --clusters or --duplicates, not both")
    runs = run_outputs(sources)
    if spec is not None or segments is not None:
        if main_text:
            raise click.UsageError("give --main-text or --with and --segments, not both")
        if runs:
            raise click.UsageError(
                "the output of a run is compared by its main texts, not by segments; leave out "
                "--with and --segments, or give the pages themselves"
            )
    if output:
        check_output(output, TABLES)
    algorithm()  # a missing package is said before any page is read
    given = {
        "segmenter": spec,
        "threshold": threshold,
        "values": values,
        "shingle": shingle,
        "segments": segments,
    }
    try:
        method = NearDuplicates(**{key: each for key, each in given.items() if each is not None})  # type: ignore[arg-type]
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    failures = Failures()
    if runs:
        each_run = (method.fingerprint_run(folder, exact=not estimate) for folder in runs)
        fingerprints = list(told(chain.from_iterable(each_run), bar=False))
    else:
        pages = read_pages(html_files(sources, failures), None, None, failures)
        fingerprints = list(_fingerprints(pages, method, main_text, not estimate, failures))
    if not fingerprints:
        failures.exit()
    found = method.compare(fingerprints)
    urls = {each.name: each.url for each in fingerprints if each.url}
    fields: tuple[str, ...]
    if clusters:
        rows, fields = cluster_rows(found, urls), CLUSTER_FIELDS
    elif duplicates:
        rows, fields = duplicate_rows(found, urls), DUPLICATE_FIELDS
    else:
        rows, fields = pair_rows(found, urls), PAIR_FIELDS
    if table:
        from pagecut.cli.terminal import show_duplicates

        show_duplicates(rows, fields)
    else:
        print_rows(rows, output, fields, TABLES, DUPLICATE_TYPES)
    empty = sum(not each.tokens for each in fingerprints)
    click.echo(
        f"{counted(len(fingerprints), 'page')}, {empty} without a main text, "
        f"{failures.count} failed: {counted(len(found.pairs), 'pair')}, "
        f"{counted(len(found.clusters), 'cluster')}, "
        f"{counted(len(found.duplicates), 'duplicate')}",
        err=True,
    )
    failures.exit()


def _fingerprints(
    pages: Iterable[tuple[str, Page]],
    method: NearDuplicates,
    main_text: bool,
    exact: bool,
    failures: Failures,
) -> Iterator[Fingerprint]:
    from pagecut.content.main_text import MainText

    taker = MainText()
    counts: Counter[str] = Counter()
    for name, page in pages:
        unique = unique_name(click.format_filename(name), counts)
        with failures.catch(name):
            if main_text:
                text = page.readable_spans(taker.spans(page))
                yield method.fingerprint_text(
                    text, unique, made_by=str(taker), exact=exact, url=page.url
                )
            else:
                yield method.fingerprint(page, unique, exact=exact)


Urls = Mapping[str, str]


def pair_rows(found: Duplicates, urls: Urls) -> list[Row]:
    return [
        {
            "a": pair.a,
            "b": pair.b,
            "a_url": urls.get(pair.a),
            "b_url": urls.get(pair.b),
            "score": round(pair.score, 4),
            "jaccard": None if pair.jaccard is None else round(pair.jaccard, 4),
            "made_by": found.made_by,
        }
        for pair in found.pairs
    ]


def cluster_rows(found: Duplicates, urls: Urls) -> list[Row]:
    return [
        {
            "cluster": number,
            "size": len(pages),
            "pages": list(pages),
            "urls": [urls.get(page) for page in pages],
            "made_by": found.made_by,
        }
        for number, pages in enumerate(found.clusters)
    ]


def duplicate_rows(found: Duplicates, urls: Urls) -> list[Row]:
    return [
        {
            "page": each.name,
            "url": urls.get(each.name),
            "duplicate_of": each.of,
            "duplicate_of_url": urls.get(each.of),
            "score": round(each.score, 4),
            "made_by": found.made_by,
        }
        for each in found.duplicates
    ]

"""Near duplicates: shingles, signatures, the index, the choice of segments, the command."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import random
import sys
from dataclasses import replace
from pathlib import Path

import lyrics
import near_duplicates as experiment
import numpy as np
import pytest
from click.testing import CliRunner
from small_dataset import write_json

from pagecut import FormatError, MissingExtra, SpecError, parse_html, segmenter
from pagecut.cli import main
from pagecut.page.text.tokenizer import token_spans
from pagecut.results.run_tables import read_table
from pagecut.studies.minhash import (
    BUCKET,
    algorithm,
    bare_token,
    choose_bands,
    connect,
    find_alike,
    hash_shingles,
    jaccard,
    meeting_probability,
    shingles,
    sign,
)
from pagecut.studies.near_duplicates import Fingerprint, NearDuplicates, linked_nodes, main_segments

# Of the first pages of the frozen collection: to change them makes the documented figures stale.
FINGERPRINT = "e0732ee2304b660edb5302f52ec776f3b973f36290fc33e0837c3d6e4c8662e5"
WORDS = [f"w{number}" for number in range(2000)]


def prose(seed: int, count: int = 120) -> list[str]:
    return random.Random(seed).choices(WORDS, k=count)


def page_of(words: list[str], extra: str = "") -> str:
    return f"<h1>Title</h1><p>{' '.join(words)}</p><hr><p>about us {extra}</p>"


def prints_of(texts: dict[str, str], method: NearDuplicates | None = None) -> list[Fingerprint]:
    method = method or NearDuplicates()
    return [method.fingerprint_text(text, name) for name, text in texts.items()]


# Shingles and Jaccard, by hand.


def test_shingles_are_all_runs_of_tokens() -> None:
    assert shingles("a b c d".split(), 3) == {"a b c", "b c d"}
    assert shingles("a b a b a".split(), 2) == {"a b", "b a"}


def test_a_short_text_is_one_shingle_and_an_empty_text_none() -> None:
    assert shingles(["a", "b"], 6) == {"a b"}
    assert shingles([], 6) == set()


def test_jaccard_by_hand() -> None:
    first = hash_shingles({"a b", "b c", "c d"})
    second = hash_shingles({"b c", "c d", "d e", "e f"})
    assert jaccard(first, second) == 2 / 5
    assert jaccard(first, first) == 1
    assert jaccard(hash_shingles(set()), hash_shingles(set())) == 0


@pytest.mark.parametrize(
    ("token", "bare"),
    [
        ("Love,", "love"),
        ("(don't)", "don't"),
        ("…Straße!", "strasse"),
        ("12", "12"),
        ("_x_", "x"),
        ("की।", "की"),  # not the same as कि or का
        ("ดี", "ดี"),
        ("cafe\u0301!", "cafe\u0301"),
        ("❤\ufe0flove", "love"),
    ],
)
def test_tokens_are_compared_without_case_and_marks(token: str, bare: str) -> None:
    assert bare_token(token) == bare


# Signatures.


@pytest.mark.parametrize("values", [8, 128])
@pytest.mark.parametrize("shared", [20, 100, 180])
def test_equal_values_estimate_the_jaccard_coefficient(values: int, shared: int) -> None:
    """The mean error over 300 random pairs of sets stays within four standard errors."""
    generator = random.Random(shared)
    exact = shared / (400 - shared)
    errors = []
    for _ in range(300):
        members = [f"{generator.random()}" for _ in range(400 - shared)]
        first, second = sign([members[:200], members[200 - shared :]], values)
        errors.append(float(np.mean(first == second)) - exact)
    deviation = (exact * (1 - exact) / values) ** 0.5
    assert abs(np.mean(errors)) < 4 * deviation / 300**0.5
    assert np.std(errors) < 1.25 * deviation


def test_a_signature_ignores_order_and_is_the_same_in_every_process() -> None:
    first, second = sign([["a", "b", "c"], ["c", "a", "b"]], 4)
    assert first.tolist() == second.tolist()
    if algorithm() == "rensa-rminhash-2(seed=20080)":
        assert first.tolist() == [865333755, 2977798779, 3793673307, 79382511]


def test_signatures_of_other_versions_are_not_compared() -> None:
    page, other = prints_of({"a": "one two three", "b": "one two three"})
    stale = replace(other, made_by=other.made_by.replace("rminhash-", "rminhash-0"))
    with pytest.raises(FormatError, match=r"cannot compare fingerprints by .* and by "):
        NearDuplicates().compare([page, stale])


def test_the_library_is_asked_for_by_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rensa", None)
    with pytest.raises(
        MissingExtra, match=r"rensa is not installed; the extra 'dedup' brings it: pip"
    ):
        algorithm()


# The index.


def test_bands_let_pairs_at_the_threshold_meet() -> None:
    assert choose_bands(8, 0.5) == (8, 1)
    assert choose_bands(128, 0.5) == (42, 3)
    assert meeting_probability(0.5, 2, 1) == 0.75
    for values in 8, 64, 128, 256:
        for threshold in 0.3, 0.5, 0.8, 0.95:
            bands, width = choose_bands(values, threshold)
            # Pairs with one equal value meet for certain in bands of one.
            assert width == 1 or meeting_probability(threshold, bands, width) >= 0.99


def near(signature: np.ndarray, equal: int, seed: int) -> np.ndarray:
    """A signature that shares so many values."""
    generator = np.random.default_rng(seed)
    changed = generator.permutation(len(signature))[equal:]
    other = signature.copy()
    other[changed] = generator.integers(2**32, size=len(changed), dtype=np.uint32)
    return other


def test_the_index_finds_the_pairs_above_the_threshold_and_no_others() -> None:
    generator = np.random.default_rng(1)
    base = generator.integers(2**32, size=(400, 128), dtype=np.uint32)
    equal = [64 + number % 64 if number % 2 else 63 - number % 64 for number in range(400)]
    others = [
        near(row, count, 1000 + seed)
        for seed, (row, count) in enumerate(zip(base, equal, strict=True))
    ]
    alike = find_alike(np.concatenate([base, others]), 0.5)
    found = {
        (a, b): share for (a, b), share in zip(alike.pairs.tolist(), alike.shares, strict=True)
    }
    true = {(number, number + 400): n / 128 for number, n in enumerate(equal) if n >= 64}
    assert found.items() <= true.items()
    assert len(found) >= 0.99 * len(true)


def test_equal_pages_cost_no_comparison() -> None:
    text = " ".join(prose(0))
    found = NearDuplicates().compare(prints_of({f"{n:04}": text for n in range(5000)}))
    assert found.comparisons == 0
    assert [len(cluster) for cluster in found.clusters] == [5000]
    assert len(found.pairs) == 4999
    assert {pair.a for pair in found.pairs} == {"0000"}
    assert {pair.score for pair in found.pairs} == {1.0} == {pair.jaccard for pair in found.pairs}


@pytest.mark.parametrize("count", [500, 2000])
def test_alike_pages_cost_comparisons_in_proportion(count: int) -> None:
    generator = np.random.default_rng(2)
    base = generator.integers(2**32, size=128, dtype=np.uint32)
    alike = find_alike(np.stack([near(base, 110, seed) for seed in range(count)]), 0.5)
    bands, _ = choose_bands(128, 0.5)
    assert alike.comparisons <= count * bands * (BUCKET - 1)
    assert alike.comparisons < 20 * count
    assert len(alike.pairs) < 20 * count
    assert not connect(np.arange(count), alike.pairs).any()


def test_pages_that_share_only_a_band_are_compared_with_few_others() -> None:
    rows = np.random.default_rng(3).integers(2**32, size=(2000, 128), dtype=np.uint32)
    rows[:, :3] = 7
    alike = find_alike(rows, 0.5)
    assert alike.comparisons <= 2000 * (BUCKET - 1)
    assert not len(alike.pairs)


def test_connected_rows_have_the_smallest_as_root() -> None:
    pairs = np.array([[4, 5], [1, 4], [2, 3]])
    assert connect(np.arange(7), pairs).tolist() == [0, 1, 2, 2, 1, 1, 6]


# Which segments stand for a page.


def main_texts(html: str, spec: str = "just-rules", count: int = 1) -> list[str]:
    found = main_segments(segmenter(spec).segment(parse_html(html)), count)
    return [" ".join(tokens) for tokens in found]


def test_the_largest_segment_counts_tokens_not_characters() -> None:
    assert main_texts("<p>internationalisation considerations</p><hr><p>a b c</p>") == ["a b c"]


def test_of_equal_segments_the_first_is_taken() -> None:
    assert main_texts("<p>a b c</p><hr><p>d e f</p>") == ["a b c"]


def test_a_segment_with_half_of_its_tokens_linked_is_passed_over() -> None:
    linked = "<p>a b <a href='/'>c d</a></p><hr><p>e f</p>"
    assert main_texts(linked) == ["e f"]
    assert main_texts(linked.replace("c d", "c</a> <a>d")) == ["a b c d"]
    assert main_texts("<a href='/'>a b c</a>") == []
    assert main_texts("") == []


def test_links_are_anchors_with_an_address_and_all_inside() -> None:
    page = parse_html("<a name=x>a</a><a href=y><b>b</b> c</a> d")
    linked = linked_nodes(page)[page.leaves]
    assert [page.node(row).text for row in page.leaves[linked].tolist()] == ["b", "c"]


def test_more_segments_if_they_are_at_least_half_of_the_largest() -> None:
    html = "<p>a b c</p><hr><p>d e f g h i</p><hr><p>j k</p><hr><p>l m n o</p>"
    assert main_texts(html, count=3) == ["d e f g h i", "l m n o", "a b c"]
    assert main_texts(html, count=2) == ["d e f g h i", "l m n o"]
    assert main_texts(html, count=9) == ["d e f g h i", "l m n o", "a b c"]


def test_the_best_of_the_compared_segments_counts() -> None:
    song, first, second = (" ".join(prose(seed)) for seed in (1, 2, 3))
    pages = {
        "a": f"<p>{song}</p><hr><p>{first} more</p>",
        "b": f"<p>{second} more</p><hr><p>{song}</p>",
    }
    for segments, expected in (1, []), (3, [("a", "b", 1.0, 1.0)]):
        method = NearDuplicates(segments=segments)
        found = method.compare(method.fingerprint(parse_html(html), n) for n, html in pages.items())
        assert [(p.a, p.b, p.score, p.jaccard) for p in found.pairs] == expected


# The whole.


@pytest.mark.parametrize("family", [4, 60])
def test_results_do_not_depend_on_the_order_of_pages(family: int) -> None:
    """Also where a bucket holds more pages than are compared with each other."""
    method = NearDuplicates()
    prints = []
    for number in range(120):
        words = prose(number // family)
        words[number % family * 2] = f"changed{number}"
        prints.append(method.fingerprint(parse_html(page_of(words)), f"page {number:03}"))
    expected = method.compare(prints)
    assert [len(cluster) for cluster in expected.clusters] == [family] * (120 // family)
    for seed in range(5):
        random.Random(seed).shuffle(prints)
        assert method.compare(prints) == expected


def test_pages_without_text_are_like_no_other() -> None:
    found = NearDuplicates().compare(prints_of({"a": "", "b": "", "c": "one two", "d": "One two!"}))
    assert [(pair.a, pair.b) for pair in found.pairs] == [("c", "d")]
    assert NearDuplicates().compare([]).pairs == ()


def test_of_a_cluster_the_longest_is_kept_and_the_first_of_equals() -> None:
    words = prose(1)
    texts = {
        "b": " ".join(words),
        "c": " ".join([*words, "more"]),
        "a": " ".join(words),
        "y": "one two three",
        "x": "one two three",
    }
    found = NearDuplicates().compare(prints_of(texts))
    assert [(each.name, each.of) for each in found.duplicates] == [
        ("a", "c"),
        ("b", "c"),
        ("y", "x"),
    ]
    assert [each.score for each in found.duplicates][2] == 1


def test_the_score_of_a_duplicate_shows_that_only_a_chain_leads_to_it() -> None:
    words = prose(1, 400)
    ends = {name: " ".join(words[start : start + 200]) for name, start in (("a", 0), ("c", 130))}
    found = NearDuplicates(threshold=0.4).compare(
        prints_of(ends | {"b": " ".join(words[65:265])}, NearDuplicates(threshold=0.4))
    )
    assert found.clusters == (("a", "b", "c"),)
    assert [(each.name, each.of, each.score >= 0.4) for each in found.duplicates] == [
        ("b", "a", True),
        ("c", "a", False),
    ]


def test_names_must_differ() -> None:
    page = prints_of({"a": "one two three"})[0]
    with pytest.raises(FormatError, match="two pages have the name a"):
        NearDuplicates().compare([page, page])


def test_the_configuration_is_checked_and_prints_as_its_spec() -> None:
    assert str(NearDuplicates()) == "near-duplicates"
    paper = NearDuplicates(segments=1, values=8)
    assert str(paper) == "near-duplicates(segments=1, values=8)"
    assert "rensa-rminhash-" in paper.compare(prints_of({"a": "b"}, paper)).made_by
    for wrong in (
        {"threshold": 0},
        {"threshold": 1.5},
        {"values": 0},
        {"values": 10**8},
        {"shingle": 0},
        {"segments": 0},
    ):
        with pytest.raises(ValueError, match="must"):
            NearDuplicates(**wrong)
    with pytest.raises(SpecError):
        NearDuplicates(segmenter="nonsense")


# The command.


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pages = tmp_path / "pages"
    (pages / "deep").mkdir(parents=True)
    (pages / "a.html").write_text(page_of(prose(1), "here"))
    (pages / "deep" / "b.HTM").write_text(page_of([*prose(1), "more"], "and there"))
    (pages / "c.html").write_text(page_of(prose(2)))
    (pages / "notes.txt").write_text(page_of(prose(1)))
    (pages / "folder.html").mkdir()
    return pages


def test_dedup_writes_pairs_as_json_lines(folder: Path) -> None:
    result = CliRunner().invoke(main, ["dedup", str(folder)])
    assert result.exit_code == 0, result.output
    (row,) = map(json.loads, result.stdout.splitlines())
    assert (row["a"], row["b"]) == (str(folder / "a.html"), str(folder / "deep" / "b.HTM"))
    assert row["score"] > 0.9
    assert row["jaccard"] == round(115 / 116, 4)
    assert "rensa-rminhash-" in row["made_by"]
    assert (
        "3 pages, 0 without a main text, 0 failed: 1 pair, 1 cluster, 1 duplicate" in result.stderr
    )


def test_dedup_writes_clusters_tables_and_files(folder: Path, tmp_path: Path) -> None:
    run = CliRunner().invoke
    result = run(main, ["dedup", "--clusters", "--values", "8", "--segments", "1", str(folder)])
    row = json.loads(result.stdout)
    assert row["size"] == len(row["pages"]) == 2
    assert row["made_by"].startswith("near-duplicates(segments=1, values=8)")
    result = run(main, ["dedup", "--table", str(folder)])
    assert "b.HTM" in result.stdout.replace("\n", "")
    assert "jaccard" in result.stdout
    output = tmp_path / "pairs.csv"
    result = run(main, ["dedup", "--estimate", str(folder), "-o", str(output)])
    assert result.exit_code == 0
    assert output.read_text().splitlines()[0] == "a,b,a_url,b_url,score,jaccard,made_by"


@pytest.mark.parametrize(
    ("option", "types"),
    [
        ([], "string string string string double double string"),
        (["--clusters"], "int32 int32 list<string> list<string> string"),
        (["--duplicates"], "string string string string double string"),
    ],
)
def test_dedup_writes_parquet(folder: Path, tmp_path: Path, option: list[str], types: str) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    output = tmp_path / "found.parquet"
    for sources, rows in ([folder], 1), ([folder / "a.html"], 0):
        result = CliRunner().invoke(main, ["dedup", *map(str, sources), *option, "-o", str(output)])
        assert result.exit_code == 0, result.output
        table = parquet.read_table(output)
        assert table.num_rows == rows
        said = [str(field.type).replace("element: ", "") for field in table.schema]
        assert said == types.split()


def test_dedup_names_the_pages_that_can_go(folder: Path) -> None:
    result = CliRunner().invoke(main, ["dedup", "--duplicates", str(folder)])
    (row,) = map(json.loads, result.stdout.splitlines())
    assert (row["page"], row["url"]) == (str(folder / "a.html"), None)
    assert (row["duplicate_of"], row["duplicate_of_url"]) == (str(folder / "deep" / "b.HTM"), None)
    assert row["score"] > 0.9
    result = CliRunner().invoke(main, ["dedup", "--duplicates", "--table", str(folder)])
    assert result.stdout.split()[:3] == ["page", "duplicate_of", "score"]


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are text there")
def test_dedup_writes_names_that_are_no_text(folder: Path) -> None:
    for name in b"\xff.html", b"\xfe.html":
        (folder / os.fsdecode(name)).write_bytes((folder / "c.html").read_bytes())
    result = CliRunner().invoke(main, ["dedup", "--clusters", str(folder)])
    assert result.exit_code == 0, result.output
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [Path(name).name for name in rows[1]["pages"]] == [
        "c.html",
        "\ufffd.html",
        "\ufffd.html#2",
    ]


def test_dedup_compares_the_sheets_of_a_pdf(tmp_path: Path) -> None:
    pytest.importorskip("pypdfium2")
    content = b"BT /F 12 Tf 10 150 Td (Green or black tea in small cups) Tj ET"
    sheet = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 5 0 R/Resources 6 0 R>>"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>",
        sheet,
        sheet,
        b"<</Length %d>>stream\n%s\nendstream" % (len(content), content),
        b"<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Courier>>>>>>",
    ]
    body = b"".join(b"%d 0 obj%s endobj\n" % each for each in enumerate(objects, 1))
    path = tmp_path / "two.pdf"
    path.write_bytes(b"%PDF-1.4\n" + body + b"trailer<</Root 1 0 R>>\n%%EOF")
    result = CliRunner().invoke(main, ["dedup", str(path)])
    assert result.exit_code == 0, result.output
    (row,) = map(json.loads, result.stdout.splitlines())
    assert (row["a"], row["b"]) == (str(path), f"{path}#2")


def test_dedup_by_main_text_leaves_out_what_a_site_says_everywhere(tmp_path: Path) -> None:
    notice = (
        "We and our partners store cookies on your device to measure how the site is used, and to "
        "show you advertising. You may accept all of them, refuse them, or choose among them at "
        "any time in the settings at the end of each page, also those that are not needed. "
    )
    bridge, garden = (
        "".join(
            f"<h2>{each}</h2><p>The {each} of the {place} was closed on Monday, and nobody knows "
            f"yet when that {each} will be opened again. People who live near the {each} say that "
            f"they had warned the owners of the {place} for years, and were never heard. "
            for each in parts
        )
        for place, parts in (
            ("bridge", ("pier", "railing", "footpath")),
            ("garden", ("greenhouse", "orchard", "fountain")),
        )
    )
    for name, article in ("bridge.html", bridge), ("garden.html", garden):
        (tmp_path / name).write_text(
            f"<main><h1>News</h1>{article}</main>"
            f'<div class="cookie-banner" role="dialog"><h2>Cookies</h2><p>{notice}</div>'
        )
    run = CliRunner().invoke
    assert "1 pair," in run(main, ["dedup", str(tmp_path)]).stderr
    result = run(main, ["dedup", "--main-text", str(tmp_path)])
    assert "2 pages, 0 without a main text, 0 failed: 0 pairs," in result.stderr
    (tmp_path / "copy.html").write_text(f"<article>{bridge}</article>")
    result = run(main, ["dedup", "--main-text", str(tmp_path)])
    assert "1 pair," in result.stderr
    made_by = json.loads(result.stdout)["made_by"]
    assert made_by.startswith("near-duplicates, main-text, shingle=6, values=128, ")


def test_dedup_tables_show_names_as_they_are(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.chdir(folder)
    names = ["a[red].html", "b[bold].html"]
    for name in names:
        Path(name).write_bytes(Path("a.html").read_bytes())
    result = CliRunner().invoke(main, ["dedup", "--table", *names])
    assert all(name in result.stdout for name in names)


def test_dedup_counts_bad_files_and_goes_on(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    bad = [str(tmp_path / "missing.html"), str(tmp_path / "empty")]
    twice = [str(folder / "a.html"), str(folder / "deep" / ".." / "a.html"), str(folder)]
    result = CliRunner().invoke(main, ["dedup", *bad, *twice])
    assert result.exit_code == 1
    assert len(result.stdout.splitlines()) == 1
    assert "missing.html: no such file" in result.stderr
    assert "empty: no .html, .htm or .xhtml file in the folder" in result.stderr
    assert "3 pages, 0 without a main text, 2 failed" in result.stderr


def test_dedup_says_its_defaults() -> None:
    text = " ".join(CliRunner().invoke(main, ["dedup", "--help"]).stdout.split())
    default = NearDuplicates()
    for name in "threshold", "values", "shingle", "segments":
        said = text.partition(f"--{name} ")[2].partition(" if not given")[0].split()[-1]
        assert float(said) == getattr(default, name)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--threshold", "2"], 2, "threshold must lie in (0, 1]"),
        (["--with", "nonsense"], 1, "no segmenter 'nonsense'"),
        (["-o", "x.md"], 1, "unknown ending"),
        (["--table", "-o", "x.csv"], 2, "give --table or --output"),
        (["--clusters", "--duplicates"], 2, "give --clusters or --duplicates"),
        (["--main-text", "--segments", "1"], 2, "give --main-text or --with and --segments"),
    ],
)
def test_dedup_explains_bad_options(
    folder: Path, arguments: list[str], code: int, message: str
) -> None:
    result = CliRunner().invoke(main, ["dedup", str(folder), *arguments])
    assert result.exit_code == code
    assert message in result.stderr


# The output of a run.


def run_over(folder: Path, output: Path, *options: str) -> Path:
    quick = ("--segment", "none", "--images", "none", "--workers", "1")
    command = ["run", str(folder), "--output", str(output), *quick, *options]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 0, result.output
    return output


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """Two pages with the same text, one of which has an address, and another page."""
    pytest.importorskip("pyarrow")
    pages = tmp_path / "crawl"
    pages.mkdir()
    for name, seed, head in (
        ("one", 1, "<link rel=canonical href='https://one.example/'>"),
        ("two", 1, ""),
        ("three", 2, ""),
    ):
        text = "".join(f"<p>{' '.join(prose(seed + 10 * number))}.</p>" for number in range(3))
        (pages / f"{name}.html").write_text(f"{head}<h1>{name}</h1><article>{text}</article>")
    return pages


@pytest.mark.parametrize("file_format", ["parquet", "jsonl"])
def test_dedup_of_a_run_finds_what_its_pages_give_by_record_and_address(
    crawl: Path, tmp_path: Path, file_format: str
) -> None:
    output = run_over(crawl, tmp_path / "out", "--text", "text", "--format", file_format)
    records = {
        Path(row["warc_filename"]).name: row["record_id"]
        for row in read_table(output, "pages", ("record_id", "warc_filename"))
    }
    run = CliRunner().invoke
    result = run(main, ["dedup", str(output)])
    assert result.exit_code == 0, result.output
    (row,) = map(json.loads, result.stdout.splitlines())
    (of_pages,) = map(
        json.loads, run(main, ["dedup", "--main-text", str(crawl)]).stdout.splitlines()
    )
    assert {row["a"], row["b"]} == {records["one.html"], records["two.html"]}
    assert {row["a_url"], row["b_url"]} == {"https://one.example/", None}
    assert (row["score"], row["jaccard"]) == (of_pages["score"], of_pages["jaccard"])
    assert row["made_by"].startswith("near-duplicates, main_text, shingle=6, values=128, ")
    assert "3 pages, 0 without a main text, 0 failed: 1 pair, 1 cluster" in result.stderr

    (cluster,) = map(
        json.loads, run(main, ["dedup", "--clusters", str(output)]).stdout.splitlines()
    )
    urls = dict(zip(cluster["pages"], cluster["urls"], strict=True))
    assert urls == {records["one.html"]: "https://one.example/", records["two.html"]: None}
    method = NearDuplicates()
    found = method.compare(method.fingerprint_run(output, exact=False))
    assert found.clusters == (tuple(cluster["pages"]),)
    assert found.pairs[0].jaccard is None


def test_what_dedup_says_of_a_run_leaves_the_rest_by_an_anti_join(
    crawl: Path, tmp_path: Path
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    output = run_over(crawl, tmp_path / "out", "--text", "text")
    names = str(tmp_path / "go.parquet")
    assert (
        CliRunner().invoke(main, ["dedup", "--duplicates", str(output), "-o", names]).exit_code == 0
    )
    pages = parquet.read_table(output / "pages", columns=["record_id", "main_text"])
    left = pages.join(parquet.read_table(names), "record_id", "page", "left anti")
    assert (pages.num_rows, left.num_rows) == (3, 2)
    assert len({*left["main_text"].to_pylist()}) == 2


def test_dedup_takes_a_run_once_and_passes_over_one_without_pages(
    crawl: Path, tmp_path: Path
) -> None:
    output = run_over(crawl, tmp_path / "out", "--text", "text")
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / "a.html").write_text("")
    failed = tmp_path / "failed"
    options = ["--text", "text", "--max-error-rate", "1"]
    CliRunner().invoke(main, ["run", str(empty), "-o", str(failed), *options])
    result = CliRunner().invoke(main, ["dedup", str(output), f"{output}/", str(failed)])
    assert result.exit_code == 0, result.output
    assert "3 pages, 0 without a main text, 0 failed: 1 pair" in result.stderr


@pytest.mark.parametrize(
    ("written", "options", "code", "message"),
    [
        ((), (), 1, "no page has a main_text; `pagecut run` writes it with --text text"),
        (
            ("--columns", "pages=page_title"),
            (),
            1,
            "has no column main_text; `pagecut run` writes it with --text text",
        ),
        (
            ("--columns", "pages=page_title", "--format", "jsonl"),
            (),
            1,
            "line 1: has no main_text; `pagecut run` writes it with --text text",
        ),
        (("--text", "text"), ("--segments", "1"), 2, "leave out --with and --segments"),
        (("--text", "text"), ("--with", "tag-gap"), 2, "leave out --with and --segments"),
        (("--text", "text"), ("page.html",), 2, "either pages or the output of corpus runs"),
    ],
)
def test_dedup_of_a_run_says_what_is_missing_or_does_not_fit(
    crawl: Path,
    tmp_path: Path,
    written: tuple[str, ...],
    options: tuple[str, ...],
    code: int,
    message: str,
) -> None:
    output = run_over(crawl, tmp_path / "out", *written)
    result = CliRunner().invoke(main, ["dedup", str(output), *options])
    assert result.exit_code == code
    assert message in " ".join(result.stderr.split())


# The experiment of Table 3, small.


def test_the_collection_is_frozen() -> None:
    digest = hashlib.sha256()
    for noise in lyrics.LEVELS:
        for page in lyrics.make_pages(noise, 12, 12):
            digest.update(page.html.encode())
    assert digest.hexdigest() == FINGERPRINT


@pytest.mark.parametrize("noise", lyrics.LEVELS, ids=lambda noise: noise.name)
def test_the_collection_is_as_hard_as_it_says(noise: lyrics.Noise) -> None:
    pages = list(lyrics.make_pages(noise, 12, 12))
    assert len({page.site for page in pages}) == 8
    assert sum(page.crowded for page in pages) == pytest.approx(len(pages) / 3, abs=3)
    for page in pages:
        share = page.own_tokens / len(token_spans(parse_html(page.html).text))
        low, high = lyrics.CROWDED_SHARE if page.crowded else noise.share
        assert 0.2 <= share <= 0.6
        assert low - 0.01 <= share <= high + 0.02


def test_segments_find_what_full_text_does_not() -> None:
    chosen = ["FULLTEXT", "block-fusion", "block-fusion-rules"]
    light = lyrics.LEVELS[0]
    full, plain, rules = experiment.table(20, chosen, [light])
    assert full.rates[experiment.PAPER_NAME].duplicates < 30
    for setting in "8 values, 3 segments", experiment.DEFAULT:
        found = [row.rates[setting].duplicates for row in (full, plain, rules)]
        assert found[0] < found[1] - 40
        assert found[1] <= found[2]
        assert found[2] >= 90
        assert rules.rates[setting].others >= 99.9


def test_pairs_on_real_pages_are_right_if_their_main_texts_are_near_duplicates(
    tmp_path: Path,
) -> None:
    song, notice = " ".join(prose(1)), " ".join(prose(2))
    write_json(tmp_path / "pages.json", [])
    for name in "html", "truth":
        (tmp_path / "main-text" / name).mkdir(parents=True)
    for name, text in ("0001", song), ("0002", song), ("0003", " ".join(prose(3))):
        html = f"<p>{text}</p><hr><p>{notice}</p>"
        (tmp_path / "main-text/html" / f"{name}.html.gz").write_bytes(gzip.compress(html.encode()))
        truth = {"url": None, "page_type": "article", "title": None, "author": None}
        truth |= {"publish_date": None, "main_text": text, "with": [], "without": []}
        write_json(tmp_path / "main-text/truth" / f"{name}.json", truth)
    first, _, *rows = experiment.on_real_pages(tmp_path, ["just-rules"])
    assert first.startswith("3 pages, 1 pair with")
    found = {row.split(" | ")[1]: row.split(" | ")[2:] for row in rows}
    assert found[experiment.PAPER_NAME] == ["1", "1 |"]
    # The notice is a segment of all three, and the first page is paired with both others.
    assert found[experiment.DEFAULT] == ["2", "1 |"]

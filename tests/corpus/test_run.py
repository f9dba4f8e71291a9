"""Runs on this machine: complete, resumable, readable by everybody."""

from __future__ import annotations

import doctest
import gzip
import json
import os
import re
import signal
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from corpus_runs import (
    ROOT,
    alive,
    command,
    is_worker,
    kill_below,
    outcomes,
    processes_below,
    response,
    rows,
    run,
    same_tables,
    small_corpus,
    wait_for,
)

import pagecut
from pagecut.corpus.output.tables import PAGES, VERSION, VERSION_KEY, table_schema
from pagecut.corpus.settings import RunSettings
from pagecut.results.image_rows import without_source
from pagecut.results.image_variants import merge_twins

linux = pytest.mark.skipif(not Path("/proc").exists(), reason="finds processes as Linux shows them")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Counter[str]]:
    folder = tmp_path_factory.mktemp("corpus")
    return folder, small_corpus(folder)


@pytest.fixture(scope="module")
def finished(
    corpus: tuple[Path, Counter[str]], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, dict[str, Any]]:
    output = tmp_path_factory.mktemp("run") / "out"
    done = run(corpus[0], output, "--text", "markdown", "--chunk", "500")
    assert done.returncode == 0, done.stderr
    return output, json.loads(done.stdout)


def test_every_record_is_accounted_for(
    corpus: tuple[Path, Counter[str]], finished: tuple[Path, dict[str, Any]]
) -> None:
    _, summary = finished
    assert outcomes(summary) == corpus[1]
    assert summary["records"] == sum(corpus[1].values())
    assert summary["rows"]["pages"] == summary["pages"] + sum(summary["errors"].values())
    assert summary["shards"] > 3  # large archives are cut into parts


def test_the_summary_is_kept_with_the_tables(finished: tuple[Path, dict[str, Any]]) -> None:
    output, summary = finished
    assert json.loads((output / "_summary.json").read_text()) == summary
    shards = [json.loads(path.read_text()) for path in sorted((output / "_shards").iterdir())]
    assert sum(shard["records"] for shard in shards) == summary["records"]
    assert not [path for path in output.rglob("*") if path.name.endswith(".tmp")]


def test_the_key_joins_all_tables(finished: tuple[Path, dict[str, Any]]) -> None:
    output, summary = finished
    pages = rows(output, "pages")
    keys = [page["record_id"] for page in pages]
    assert len(set(keys)) == len(keys)
    good = {page["record_id"] for page in pages if page["error"] is None}
    for table in ("segments", "images", "chunks"):
        found = rows(output, table)
        assert len(found) == summary["rows"][table] > 0
        assert {row["record_id"] for row in found} <= good
    main = {page["record_id"]: page["main_segment"] for page in pages if page["main_text"]}
    chosen = {(row["record_id"], row["segment"]) for row in rows(output, "segments") if row["main"]}
    assert set(main.items()) <= chosen


@pytest.mark.parametrize("table", ["pages", "segments", "images", "chunks"])
def test_duckdb_and_polars_read_the_tables(
    table: str, finished: tuple[Path, dict[str, Any]]
) -> None:
    duckdb, polars = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    output, summary = finished
    pattern = f"{output}/{table}/*.parquet"
    (count,) = duckdb.sql(f"SELECT count(*) FROM read_parquet('{pattern}')").fetchall()
    assert count == (summary["rows"][table],)
    frame = polars.read_parquet(pattern)
    assert frame.height == summary["rows"][table]
    assert frame.columns == table_schema(table, RunSettings()).names


def test_duckdb_joins_segments_and_pages(finished: tuple[Path, dict[str, Any]]) -> None:
    duckdb = pytest.importorskip("duckdb")
    output, summary = finished
    (found,) = duckdb.sql(
        f"""
        SELECT count(*), count(DISTINCT record_id)
        FROM read_parquet('{output}/segments/*.parquet') AS segments JOIN
             read_parquet('{output}/pages/*.parquet') USING (record_id)
        WHERE error IS NULL AND segments.main
        """
    ).fetchall()
    assert found[1] == summary["pages"]


def test_the_recipes_of_the_docs_do_not_mix_methods(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    duckdb = pytest.importorskip("duckdb")
    words = "Der schnelle braune Fuchs springt an jedem Morgen über den faulen Hund am Ufer. " * 4
    page = (
        f"<html lang=de><h1>Fuchs</h1><p>{words}<figure><img src=a.jpg width=800>{words}</figure>"
    )
    (tmp_path / "in").mkdir()
    (tmp_path / "in/page.html").write_text(page, encoding="utf-8")
    methods = (
        "--segment=mosaic",
        "--segment=tag-gap",
        "--images=item",
        "--images=item(skip=False)",
    )
    assert run(tmp_path / "in", tmp_path / "out", *methods).returncode == 0
    monkeypatch.chdir(tmp_path)
    docs = (ROOT / "docs/tables.md").read_text(encoding="utf-8")
    query, by_file, code = re.findall(r"```(?:sql|python)\n(.*?)```", docs, re.DOTALL)
    made: dict[str, Any] = {}
    for example in doctest.DocTestParser().get_examples(code)[:3]:  # until `main` is there
        exec(example.source, made)
    wanted = [each for each in rows(tmp_path / "out", "segments") if each["main"]]
    assert {each["made_by"] for each in wanted} == {"mosaic", "tag-gap"}
    assert sorted(made["main"]["text"]) == sorted(
        each["text"] for each in wanted if each["made_by"] == "mosaic"
    )
    ((_, source, context),) = duckdb.sql(query).fetchall()
    assert source == "a.jpg"
    assert context.startswith("Der schnelle braune Fuchs")
    (tmp_path / "labels.csv").write_text("file,label\npage.html,fox\nother.html,bear\n")
    assert {label for label, _, _ in duckdb.sql(by_file).fetchall()} == {"fox"}


def test_files_carry_the_version_and_the_plan(finished: tuple[Path, dict[str, Any]]) -> None:
    output, _ = finished
    for path in (output / "pages").iterdir():
        schema = pq.read_schema(path)
        assert schema.metadata[VERSION_KEY.encode()] == str(VERSION).encode()
        assert json.loads(schema.metadata[b"pagecut_settings"])["chunk"] == 500
        assert schema.names == PAGES.names
        about = pq.ParquetFile(path).metadata
        groups = [about.row_group(number) for number in range(about.num_row_groups)]
        assert {group.column(0).compression for group in groups} <= {"ZSTD"}
        assert bool(groups) == bool(about.num_rows)


@linux
def test_a_run_that_is_killed_and_resumed_gives_the_same(
    corpus: tuple[Path, Counter[str]], finished: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    output = tmp_path / "out"
    options = ("--text", "markdown", "--chunk", "500", "--workers", "1", "--shard-size", "1")
    started = subprocess.Popen(
        command(corpus[0], output, *options), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    wait_for(lambda: any((output / "_shards").glob("*.json")))
    workers = [process for process, line in processes_below(started.pid).items() if is_worker(line)]
    started.send_signal(signal.SIGKILL)
    started.wait()
    wait_for(lambda: not any(map(alive, workers)))
    done = run(corpus[0], output, *options, "--resume")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert 1 <= summary["resumed"] < summary["shards"]
    assert outcomes(summary) == corpus[1]
    assert same_tables(output, finished[0], ("pages", "segments", "images", "chunks"))
    assert not [path for path in output.rglob("*") if path.name.endswith(".tmp")]


@linux
def test_a_killed_worker_changes_nothing(
    corpus: tuple[Path, Counter[str]], finished: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    output = tmp_path / "out"
    started = subprocess.Popen(
        command(corpus[0], output, "--text", "markdown", "--chunk", "500"),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    kill_below(started, is_worker)
    told, _ = started.communicate(timeout=300)
    assert started.returncode == 0
    summary = json.loads(told)
    assert summary["restarts"] == finished[1]["restarts"] + 1
    assert outcomes(summary) == corpus[1]
    assert same_tables(output, finished[0], ("pages", "segments", "images", "chunks"))


def test_a_finished_run_is_not_done_again(
    corpus: tuple[Path, Counter[str]], finished: tuple[Path, dict[str, Any]]
) -> None:
    output, _ = finished
    before = {path: path.stat().st_mtime_ns for path in output.rglob("*.parquet")}
    options = ("--text", "markdown", "--chunk", "500")
    again = run(corpus[0], output, *options)
    assert again.returncode == 1
    assert "holds a run already; --resume goes on with it; for a new run give" in again.stderr
    resumed = run(corpus[0], output, *options, "--resume")
    assert "skipped; nothing was left to do\n" in resumed.stderr
    assert json.loads(resumed.stdout)["resumed"] == finished[1]["shards"]
    assert {path: path.stat().st_mtime_ns for path in output.rglob("*.parquet")} == before
    other = run(corpus[0], output, "--chunk", "600", "--resume")
    assert "other settings" in other.stderr
    assert "chunk 500, now 600" in other.stderr
    fewer = run(corpus[0], output, "--resume")
    assert fewer.stderr.rstrip().endswith(
        "(chunk 500, now 0; text 'markdown', now ''); give the same options or a new folder"
    )


def test_a_run_resumed_with_other_inputs_sums_up_the_whole_folder(
    corpus: tuple[Path, Counter[str]], finished: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    archives = sorted(corpus[0].glob("part-*"))
    options = ("--text", "markdown", "--chunk", "500", "--resume")
    before = 0
    for archive in archives:
        done = run(archive, tmp_path / "out", *options)
        summary = json.loads(done.stdout)
        assert summary["not_given"] == summary["resumed"] == before < summary["shards"]
        others = f", {before} of inputs not given now" if before else ""
        shards = "1 shard" if summary["shards"] == 1 else f"{summary['shards']} shards"
        assert f"{shards} ({before} from before{others}): " in done.stderr
        before = summary["shards"]
    assert json.loads((tmp_path / "out/_summary.json").read_text()) == summary
    for name in "records", "pages", "errors", "skipped", "rows", "error_rate", "bytes":
        assert summary[name] == finished[1][name]
    assert outcomes(summary) == corpus[1]


def test_a_run_without_a_page_fails_and_says_what_it_needs(tmp_path: Path) -> None:
    archive = tmp_path / "info.warc"
    archive.write_bytes(b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n")
    for options in ((), ("--resume",)):
        done = run(archive, tmp_path / "out", *options)
        assert done.returncode == 1
        assert json.loads(done.stdout)["pages"] == 0
        assert "1 shard (" in done.stderr
        assert "1 record, 0 pages, 0 errors, 1 skipped" in done.stderr
        assert f"{archive}: no pages were found; what was read instead is counted" in done.stderr
        assert "Give WARC files with responses in HTML, or HTML files" in done.stderr
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "notes.md").write_text("# Notes")
    none = run(tmp_path / "pages", tmp_path / "none")
    assert none.returncode == 1
    assert f"{tmp_path / 'pages'}: no web archive (.warc, " in none.stderr
    (tmp_path / "pages" / "page.html").write_text("<p>A page")
    assert run(tmp_path / "pages", tmp_path / "one").returncode == 0
    assert run(tmp_path / "pages", tmp_path / "one", "--resume").returncode == 0


def test_a_run_in_which_every_page_fails_says_so(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>" + "tea " * 500_000)
    options = ("--max-size", "1", "--max-error-rate", "1")
    done = run(tmp_path / "page.html", tmp_path / "out", *options)
    assert done.returncode == 1
    assert "page.html: every page has an error" in done.stderr
    assert "no pages were found" not in done.stderr


def test_one_of_several_runs_may_find_no_page(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>A page")
    share = ("--world-size", "2", "--rank")
    for rank in "1", "0":
        assert run(tmp_path / "page.html", tmp_path / "out", *share, rank).returncode == 0


def test_a_changed_input_blocks_its_shard_alone(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    archive = folder / "a.warc.gz"
    archive.write_bytes(gzip.compress(response("https://a.example/", b"<p>first words")))
    (folder / "page.html").write_text("<p>a page")
    assert run(folder, tmp_path / "out").returncode == 0
    archive.write_bytes(gzip.compress(response("https://a.example/", b"<p>other words now")))
    (folder / "new.warc").write_bytes(response("https://b.example/", b"<p>a new archive"))
    refused = run(folder, tmp_path / "out", "--resume")
    assert refused.returncode == 1
    shard = next((tmp_path / "out/pages").glob("a.*")).stem
    assert f"--redo {shard} makes it anew" in refused.stderr
    summary = json.loads(refused.stdout)
    assert list(summary["failed"]) == ["a.warc.gz"]
    assert summary["rows"]["pages"] == len(rows(tmp_path / "out", "pages")) == 3
    assert not (tmp_path / "out/_SUCCESS").exists()
    done = run(folder, tmp_path / "out", "--redo", shard)
    assert done.returncode == 0, done.stderr
    assert "other words now" in {row["text"] for row in rows(tmp_path / "out", "segments")}
    assert json.loads(done.stdout)["rows"]["pages"] == 3
    assert (tmp_path / "out/_SUCCESS").exists()
    unknown = run(folder, tmp_path / "out", "--redo", "no-such")
    assert "no shard no-such is made of these inputs" in unknown.stderr


def test_pages_that_come_later_join_those_that_are_there(tmp_path: Path) -> None:
    for folder, word in ("one", "first"), ("two", "second"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "index.html").write_text(f"<p>the {word} page")
        (tmp_path / folder / f"{word}.html").write_text(f"<p>another page, the {word}")
    assert run(tmp_path / "one", tmp_path / "pages").returncode == 0
    assert run(tmp_path / "two", tmp_path / "pages", "--resume").returncode == 0
    assert len({row["record_id"] for row in rows(tmp_path / "pages", "pages")}) == 4
    (tmp_path / "one" / "more.html").write_text("<p>more")
    assert run(tmp_path / "one", tmp_path / "pages", "--resume").returncode == 0
    assert len(rows(tmp_path / "pages", "pages")) == 5

    first, second = tmp_path / "one" / "first.html", tmp_path / "two" / "second.html"
    assert run(first, tmp_path / "single").returncode == 0
    assert run(second, tmp_path / "single", "--resume").returncode == 0
    names = [row["warc_filename"] for row in rows(tmp_path / "single", "pages")]
    assert sorted(names) == ["first.html", "second.html"]


def test_json_lines_have_the_same_rows(
    corpus: tuple[Path, Counter[str]], finished: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    done = run(corpus[0], tmp_path / "out", "--format", "jsonl", "--images", "none")
    assert done.returncode == 0, done.stderr
    found = [
        json.loads(line)
        for path in (tmp_path / "out/segments").iterdir()
        for line in gzip.decompress(path.read_bytes()).splitlines()
    ]
    wanted = rows(finished[0], "segments")
    # Without images there is less to do: the page that was too slow may be in time here.
    in_time = {row["record_id"] for row in wanted}
    found = [row for row in found if row["record_id"] in in_time]
    assert sorted(found, key=lambda row: repr(list(row.values()))) == wanted
    assert not (tmp_path / "out/images").exists()


@pytest.mark.parametrize(
    ("shape", "columns"),
    [
        ("obelics", ["record_id", "url", "images", "texts", "metadata", "general_metadata"]),
        (
            "img2dataset",
            ["record_id", "page_url", "url", "caption", "role", "role_confidence"],
        ),
    ],
)
def test_the_shapes_of_image_corpora(shape: str, columns: list[str], tmp_path: Path) -> None:
    done = run(ROOT / "examples", tmp_path / "out", "--format", shape, "--segment", "none")
    assert done.returncode == 0, done.stderr
    table = pq.read_table(tmp_path / "out" / shape)
    assert table.column_names == columns
    assert table.num_rows
    pages = [pagecut.parse_html(path.read_bytes()) for path in (ROOT / "examples").glob("*.html")]
    contexts = [merge_twins(pagecut.image_contexts(page)) for page in pages]
    without = sum(len(without_source(each, shape)) for each in contexts)
    left_out = {"no-usable-source": without}
    if shape == "obelics":  # what is left out, and what is not, is all content
        content = sum(each.is_content for of_page in contexts for each in of_page)
        written = sum(source is not None for row in table["images"].to_pylist() for source in row)
        left_out["outside-main-text"] = content - without - written
    assert json.loads(done.stdout)["left_out"] == left_out
    assert f"images left out: no-usable-source {without}" in done.stderr
    if shape == "obelics":
        assert left_out["outside-main-text"] > 0
        assert len(table) == 7
        row = table.to_pylist()[0]
        assert len(row["images"]) == len(row["texts"]) == len(json.loads(row["metadata"]))


def test_a_corpus_without_web_addresses_says_so(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    figure = "<figure><img src=a.jpg width=600><figcaption>A cup of tea</figcaption></figure>"
    (tmp_path / "pages" / "page.html").write_text(figure)
    options = ("--format", "img2dataset", "--segment", "none")
    done = run(tmp_path / "pages", tmp_path / "out", *options)
    assert "img2dataset is empty: no image has a web address" in done.stderr


def test_images_without_a_web_address_are_counted_where_others_have_one(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    figures = "".join(
        f"<figure><img src='{source}'><figcaption>A picture of the fox</figcaption></figure>"
        for source in ("http://a.example/1.jpg", "2.jpg", "3.jpg")
    )
    (folder / "a.html").write_text(figures)
    (folder / "b.html").write_text(f"<base href=http://b.example/>{figures}")
    output = tmp_path / "out"
    for resume in (), ("--resume",):
        done = run(folder, output, "--format", "img2dataset", *resume)
        assert json.loads(done.stdout)["left_out"] == {"no-usable-source": 2}
        assert json.loads(done.stdout)["rows"]["img2dataset"] == 4


def test_too_many_errors_fail_the_run(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "good.html").write_text("<p>fine")
    (folder / "empty.html").write_text("")
    done = run(folder, tmp_path / "a", "--max-error-rate", "0.4")
    assert done.returncode == 1
    assert "50.0% of the pages have errors, more than the limit of 40.0%" in done.stderr
    assert json.loads(done.stdout)["errors"] == {"empty": 1}
    assert run(folder, tmp_path / "b", "--max-error-rate", "0.5").returncode == 0


def test_an_input_that_cannot_be_read_fails_the_run_after_the_others(tmp_path: Path) -> None:
    listed = tmp_path / "some.paths"
    listed.write_text("no-such.warc.gz\n")
    done = run(str(listed), tmp_path / "out")
    assert done.returncode == 1
    assert json.loads(done.stdout)["failed"].keys() == {"no-such.warc.gz"}
    assert "no-such.warc.gz: cannot be read" in done.stderr


def test_an_empty_archive_is_named_and_tried_again(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "page.html").write_text("<p>fine")
    (folder / "late.warc").write_bytes(b"")
    done = run(folder, tmp_path / "out")
    assert done.returncode == 1
    summary = json.loads(done.stdout)
    assert list(summary["failed"]) == ["late.warc"]
    assert summary["pages"] == 1
    assert f"{folder}/late.warc: is empty, not an archive; fetch it again" in done.stderr
    (folder / "late.warc").write_bytes(response("https://example.org/", b"<p>there at last"))
    done = run(folder, tmp_path / "out", "--resume")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["pages"] == 2


def test_remote_paths_go_through_fsspec(corpus: tuple[Path, Counter[str]], tmp_path: Path) -> None:
    source = f"file://{corpus[0]}/part-002.warc.zst"
    done = run(source, Path("local://") / "..", f"--output=file://{tmp_path}/out", "--limit", "5")
    assert done.returncode == 0, done.stderr
    assert len(rows(tmp_path / "out", "pages")) == 5


def test_a_folder_with_other_things_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("precious")
    done = run(ROOT / "examples", tmp_path)
    assert done.returncode == 1
    assert "is not empty, and not of a run" in done.stderr
    assert os.listdir(tmp_path) == ["mine.txt"]


@pytest.mark.parametrize(
    ("below", "reason"),
    [
        ("", "is a file; give a folder, which is made where there is none"),
        ("/deeper", "a part of this path is a file"),
    ],
)
def test_a_file_is_no_folder_to_write_to(tmp_path: Path, below: str, reason: str) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("precious")
    done = run(ROOT / "examples", f"{file}{below}")
    assert done.returncode == 1
    assert done.stderr.endswith(f"pagecut: {file}{below}: {reason}\n")
    assert file.read_text() == "precious"


def test_pages_are_rendered_where_that_is_asked_for(browser: Path, tmp_path: Path) -> None:
    assert browser
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "a.html").write_text(
        "<link rel=stylesheet href=a.css><h1>Title</h1><p>Some words of a page", encoding="utf-8"
    )
    (folder / "a.css").write_text("p { margin-top: 500px }", encoding="utf-8")
    done = run(folder, tmp_path / "out", "--segment", "vips", "--render")
    assert done.returncode == 0, done.stderr
    found = rows(tmp_path / "out", "segments")
    assert found
    assert all(each["box"] is not None for each in found)
    assert max(each["box"][3] for each in found) > 500  # the style sheet beside the page counts


def test_a_run_by_template_takes_one_threshold_for_all_its_pages(
    browser: Path, tmp_path: Path
) -> None:
    assert browser
    folder = tmp_path / "pages"
    folder.mkdir()
    for name, gap in ("a", 4), ("b", 12), ("c", 40):
        cards = "".join(
            f"<p style='margin:0 0 {gap}px {60 * (n % 3)}px;width:{90 + 40 * (n % 2)}px'>Card {n}"
            for n in range(9)
        )
        head = "<h1>Cards</h1>" if name != "c" else "<h2>Other</h2>"
        (folder / f"{name}.html").write_text(f"<main>{head}<div>{cards}", encoding="utf-8")
    options = ("--segment", "box-clustering", "--render", "--per-template", "--images", "none")
    done = run(folder, tmp_path / "out", *options)
    assert done.returncode == 0, done.stderr
    thresholds = json.loads((tmp_path / "out" / "_thresholds.json").read_text())
    for template, threshold in thresholds.items():
        assert re.search(rf"template {template}: [12] pages?, threshold {threshold:g}", done.stderr)
    assert len(thresholds) == 2
    used = {
        each["warc_filename"]: row["made_by"]
        for each in rows(tmp_path / "out", "pages")
        for row in rows(tmp_path / "out", "segments")
        if row["record_id"] == each["record_id"]
    }
    assert set(used) == {"a.html", "b.html", "c.html"}
    assert used["a.html"] == used["b.html"]
    assert {spec.partition("threshold=")[2].rstrip(")") for spec in used.values()} == {
        f"{value:g}" for value in thresholds.values()
    }
    again = run(folder, tmp_path / "out", *options, "--resume")
    assert again.returncode == 0, again.stderr
    assert '"resumed": 1' in again.stdout


def test_a_threshold_is_given_or_chosen_but_not_both(tmp_path: Path) -> None:
    spec = "box-clustering(colour='lab', threshold=0.5)"
    options = ("--segment", "just-rules", "--segment", spec, "--render", "--per-template")
    done = run(ROOT / "examples", tmp_path / "out", *options)
    assert done.returncode == 2
    assert f"--per-template chooses the threshold, but {spec} sets one" in done.stderr
    assert not (tmp_path / "out").exists()


def test_by_template_goes_with_box_clustering(tmp_path: Path) -> None:
    done = run(ROOT / "examples", tmp_path / "out", "--per-template")
    assert done.returncode == 2
    assert "one threshold per template goes with one box-clustering" in done.stderr
    assert not (tmp_path / "out").exists()

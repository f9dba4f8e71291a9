"""The README of a run's folder makes it a dataset that loads table by table."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus_runs import run

from pagecut.corpus.output.dataset_card import dataset_card
from pagecut.corpus.settings import RunSettings

PAGE = "<html lang=de><h1>A page</h1><p>Some words about it.<img src=a.png alt=b></p>"
OTHER = "<p>Words, and no image.</p>"


@pytest.mark.parametrize("format", ["parquet", "jsonl"])
def test_every_table_loads_by_its_name(tmp_path: Path, format: str) -> None:
    datasets = pytest.importorskip("datasets")
    for name, html in (("a", OTHER), ("b", PAGE)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "page.html").write_text(html)
    options = ("--format", format, "--metadata", "--chunk", "100")
    done = run(tmp_path / "a", tmp_path / "out", str(tmp_path / "b"), *options)
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "out/pages").iterdir())) == 2  # one without images or a language
    tables = {
        name: datasets.load_dataset(
            str(tmp_path / "out"), name, split="train", cache_dir=str(tmp_path / "cache")
        )
        for name in ("pages", "segments", "images", "chunks")
    }
    assert list(tables["pages"]["language"]) == [None, "de"]
    assert tables["pages"][0]["metadata"].keys() >= {"title", "authors", "published"}
    assert list(tables["images"]["src"]) == ["a.png"]
    assert "Some words about it." in "".join(tables["chunks"]["text"])
    assert tables["segments"].features["spans"].feature.feature.dtype == "int32"


def test_what_somebody_wrote_into_it_stays(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(PAGE)
    assert run(tmp_path / "a.html", tmp_path / "out").returncode == 0
    card = tmp_path / "out/README.md"
    assert card.read_text() == dataset_card(RunSettings(), "parquet")
    card.write_text("mine")
    assert run(tmp_path / "a.html", tmp_path / "out", "--resume").returncode == 0
    assert card.read_text() == "mine"


def test_chosen_columns_are_the_ones_that_it_names() -> None:
    card = dataset_card(RunSettings(columns=("images=src,context",)), "parquet")
    assert "- `images`: `record_id`, `url`, `src`, `context`" in card
    assert '- {"name": "spans", "list": {"list": "int32"}}' in card
    assert 'load_dataset("path/to/this/folder", "images")' in card

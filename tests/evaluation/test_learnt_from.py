"""A method that is scored on pages that it was learnt from is named."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from small_dataset import EXAMPLES

from pagecut.cli import main
from pagecut.contexts import EXTRACTORS, extractor
from pagecut.evaluation import learnt_from as module
from pagecut.evaluation.datasets import read_dataset
from pagecut.evaluation.learnt_from import MODELS, PACKAGE, hash_folder, learnt_from
from pagecut.segmenters import SEGMENTERS, segmenter


def test_every_model_belongs_to_a_method() -> None:
    folders = {path.parent for path in PACKAGE.rglob("*.model.json")}
    assert folders == {PACKAGE / each for parts in MODELS.values() for each in parts}


def test_nothing_was_learnt_from_the_examples() -> None:
    methods = [*map(segmenter, SEGMENTERS), *map(extractor, EXTRACTORS)]
    assert learnt_from(read_dataset(EXAMPLES), methods) == []


def test_a_folder_is_known_by_its_files_not_by_its_name(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES, tmp_path / "copy")
    assert hash_folder(tmp_path / "copy") == hash_folder(EXAMPLES)
    (tmp_path / "copy" / "more.txt").write_text("")
    assert hash_folder(tmp_path / "copy") != hash_folder(EXAMPLES)


def test_the_command_names_methods_that_were_learnt_from_the_pages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    learnt = {"mosaic": {hash_folder(EXAMPLES)}, "graph-cuts": {"of other pages"}}
    monkeypatch.setattr(module, "_hashes", learnt.__getitem__)
    task = ["evaluate", str(EXAMPLES), "--task", "segmentation"]
    methods = ["--with", "mosaic(coarseness=1.0)", "--with", "graph-cuts", "--with", "tag-gap"]
    found = CliRunner().invoke(main, [*task, *methods])
    assert found.exit_code == 0
    last = found.stdout.splitlines()[-1]
    assert last == "Learnt from these pages; on others expect less: mosaic(coarseness=1.0)"
    assert "Learnt" not in CliRunner().invoke(main, [*task, "--with", "tag-gap"]).stdout

"""The experiments behind the figures in docs/, each run once in a small form."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


def run(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / "experiments" / script), *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )


def printed(script: str, *arguments: object) -> str:
    done = run(script, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_block_fusion(tmp_path: Path) -> None:
    """Tables 1 and 2, Figures 3 to 7, and the time for a page."""
    text = printed("block_fusion.py", EXAMPLES, "--output", tmp_path)
    for title in (
        "Table 1, level 2",
        "Best threshold by ARI, level 2",
        "ARI against line_width, level 1",
        "Sweeps, level 2",
        "Table 2: Zipf's law, tokens of a block by its rank",
        "blocks of a length by the length itself",
        "Frumkina's law",
        "the paper has 15 ms a page",
    ):
        assert title in text
    assert "BF-SMOOTHED" in (tmp_path / "zipf.svg").read_text()


def test_block_fusion_takes_the_folders_of_kreuzer(tmp_path: Path) -> None:
    for name in ("article", "news"):
        (tmp_path / name).mkdir()
        page = (EXAMPLES / f"{name}.html").read_bytes()
        (tmp_path / name / "index.blocks.html").write_bytes(page)
    text = printed("block_fusion.py", tmp_path, "--output", tmp_path / "figures")
    assert "2 pages with marks" in text


def test_density_candidates() -> None:
    """Appendix A: no candidate fits better than the paper's."""
    text = printed("density_candidates.py")
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| ")][1:]
    probability = {cells[0].strip("| "): cells[4] for cells in rows}
    assert probability["negative hypergeometric, fixed-mean"] == "0.3572"
    assert probability["hyperpascal"] == "0.2156"
    assert max(probability.values()) <= "0.36"


def test_image_context() -> None:
    """Table II, other readings, and the same figures from a program written out."""
    text = printed("image_context.py", EXAMPLES, "--skip-training")
    assert "**overall, mean over the collections**" in text
    figures = [line.split(" | ")[2:] for line in text.splitlines() if "collapse | " in line]
    own = [line.split(" | ")[2:] for line in text.splitlines() if "| `dom-distance` |  |" in line]
    assert figures == own


def test_trec_web(tmp_path: Path) -> None:
    """§5.2 of the VIPS paper, on a stand-in for WT10g."""
    pytest.importorskip("bm25s")
    pytest.importorskip("ir_measures")
    arguments = ("--noise", "none", "--with", "just-rules", "--work", tmp_path)
    text = printed("trec_web.py", *arguments)
    assert "| no expansion | 0." in text
    assert "cut by just-rules (the paper's)" in text
    assert run("trec_web.py", *arguments).returncode == 1  # nothing is written over


def test_vips(browser: Path) -> None:
    assert browser.exists()
    text = printed("vips.py", EXAMPLES)
    assert "| vips(pdoc=7) | " in text
    assert "| image context | F over images | F by page |" in text
    assert "| no fonts | " in printed("vips.py", EXAMPLES, "--cues")
    assert "| `<p>` is a block node" in printed("vips.py", EXAMPLES, "--rules")


def test_box_clustering(browser: Path) -> None:
    """Tables 2 and 3, and what the readings of the paper change."""
    assert browser.exists()
    text = printed("box_clustering.py", EXAMPLES)
    assert "BCS, best CT of each page" in text
    assert "| printed | " in text
    assert "mean over all CT and over all PDoC" in text


def test_one_template(browser: Path) -> None:
    """Tables 3 and 4 inside a template, marks carried over, one threshold."""
    assert browser.exists()
    text = printed("one_template.py", "--pages", 2)
    assert "| marks of one page, carried over to the others | " in text
    assert "box-clustering --per-template" in text


@pytest.mark.parametrize("script", ["block_fusion.py", "box_clustering.py", "image_context.py"])
def test_an_experiment_without_pages_fails(script: str, tmp_path: Path) -> None:
    done = run(script, tmp_path)
    assert done.returncode != 0
    assert str(tmp_path) in done.stderr

"""The experiments behind the figures in docs/, each run once in a small form."""

from __future__ import annotations

import json
import random
import re
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


def test_near_duplicates() -> None:
    """§5.4 and Table 3 of the Block Fusion paper, on 24 songs instead of 300."""
    pytest.importorskip("rensa")
    text = printed("near_duplicates.py", "--small", "--with", "FULLTEXT", "--with", "just-rules")
    rows = re.findall(r"^\| (\w+) \| (\S+) \| ([\d.]+) / ([\d.]+)", text, re.MULTILINE)
    assert len(rows) == 6
    found = {(noise, method): float(share) for noise, method, share, _ in rows}
    for noise in "light", "medium", "heavy":
        assert found[noise, "just-rules"] > found[noise, "FULLTEXT"] + 40
    assert all(apart == "100.000" for *_, apart in rows)


def test_retrieval(tmp_path: Path) -> None:
    """Figure 7 of the VIPS paper, on forty documents of one's own."""
    pytest.importorskip("bm25s")
    pytest.importorskip("ir_measures")
    chance = random.Random(2003)
    words = ["".join(chance.choices("abcdefghijklmnop", k=6)) for _ in range(300)]
    subjects = [" ".join(words[at : at + 2]) for at in range(0, 16, 2)]
    with (tmp_path / "documents").open("w") as documents, (tmp_path / "qrels").open("w") as qrels:
        for number in range(40):
            told = chance.choices(words[16:], k=80)
            if number < 16:
                told[::8] = subjects[number % 8].split() * 5
                qrels.write(f"{number % 8} 0 d{number} 1\n")
            documents.write(json.dumps({"id": f"d{number}", "text": " ".join(told)}) + "\n")
    (tmp_path / "topics").write_text("".join(f"{at}\t{it}\n" for at, it in enumerate(subjects)))
    own = [
        part for name in ("documents", "topics", "qrels") for part in (f"--{name}", tmp_path / name)
    ]
    arguments = ("--cache", tmp_path / "cache", "--with", "just-rules", "--level", "heavy", *own)
    text = printed("retrieval.py", *arguments, "--scores", tmp_path / "scores.csv")
    assert re.search(r"^\| heavy \| just-rules \| okapi \| [01]\.\d", text, re.MULTILINE)
    assert "| none | no expansion | " in text
    reported = (tmp_path / "scores.csv").read_text().splitlines()
    assert sum("no expansion" in line and "AP" in line for line in reported) == 4  # of 8 topics
    assert run("retrieval.py", *arguments[:-2]).returncode == 2
    assert run("retrieval.py", *arguments, "--level", "no-such-level").returncode == 2


def test_overlays(browser: Path, tmp_path: Path) -> None:
    """The pictures of VIPS and Box Clustering on pages with flex and grid."""
    assert browser.exists()
    picture = tmp_path / "shop.svg"
    methods = ("--with", "vips", "--with", "box-clustering")
    printed("overlays.py", EXAMPLES, "--only", "shop", *methods, "--svg", picture)
    drawn = picture.read_text()
    shown = (ROOT / "docs" / "images" / "modern-shop.svg").read_text()
    titles = r"people: \d+ segments|[a-z-]+: \d+ segments, ARI [\d.]+"
    assert re.findall(titles, drawn) == re.findall(titles, shown)
    assert len(re.findall(titles, drawn)) == 3
    assert run("overlays.py", EXAMPLES, "--only", "no such page").returncode == 2


def test_results(browser: Path) -> None:
    """All that docs/results.md has: its text is the template's, its tables are filled."""
    assert browser.exists()
    text = printed("results.py", EXAMPLES)
    assert "{{" not in text
    for method in "`block-fusion`", "`vips` ‖", "`mosaic`, parsed only †", "`dom-distance`":
        assert f"| {method} | " in text
    shown = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    headings = [line for line in text.splitlines() if line.startswith("#")]
    assert headings == [line for line in shown.splitlines() if line.startswith("#")]
    template = (ROOT / "experiments" / "results.template.md").read_text(encoding="utf-8")
    lines = [line for line in template.splitlines() if "{{" not in line]
    assert not set(lines) - set(shown.splitlines())


def test_a_corpus_with_all_that_goes_wrong() -> None:
    pytest.importorskip("duckdb")
    pytest.importorskip("fastwarc")
    arguments = ("--records", 30, "--files", 2, "--engines", "local", "--ways", "undisturbed")
    text = printed("corpus.py", *arguments)
    assert re.search(r"^\| local \| undisturbed \| \d+ \| [\d,]+ \| 0 \| ", text, re.MULTILINE)


def test_languages() -> None:
    text = printed("languages.py", EXAMPLES)
    assert "| en | 6 | 0 | " in text
    assert "Agreement (ARI) with the result of the default parameters" in text


def test_rendering(browser: Path) -> None:
    assert browser.exists()
    assert "| pages rendered | 7 of 7 (100.00 %) |" in printed("rendering.py", EXAMPLES)


def test_image_context_peers() -> None:
    text = printed("image_context_peers.py", EXAMPLES)
    assert re.search(r"^\| siblings \| 0\.[5-9]", text, re.MULTILINE)


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


ON_PAGES = [
    "block_fusion.py", "box_clustering.py", "image_context.py", "image_context_peers.py",
    "languages.py", "main_text_peers.py", "metadata_peers.py", "rendering.py", "vips.py",
]  # fmt: skip


@pytest.mark.parametrize("script", ON_PAGES)
def test_an_experiment_without_pages_fails(script: str, tmp_path: Path) -> None:
    done = run(script, tmp_path)
    assert done.returncode != 0
    assert str(tmp_path) in done.stderr
    (tmp_path / "pages.json").write_text("[]")
    done = run(script, tmp_path)
    assert done.returncode != 0
    assert str(tmp_path) in done.stderr


def test_captions(tmp_path: Path) -> None:
    """Figures with their caption, with it renamed and taken away, and figures without one."""
    figure = "<figure><img src={}.jpg><figcaption>A fox in snow</figcaption></figure>"
    prose = "<p>" + "word " * 30 + "</p>"
    page = prose + figure.format(1) + prose + figure.format(2) + prose
    (tmp_path / "a.html").write_text(page + "<figure><img src=3.jpg></figure>")
    lines = printed("captions.py", tmp_path).splitlines()
    assert lines[0] == "1 pages with figures that have a <figcaption>"
    assert [line.split() for line in lines[1:]] == [
        "as they are 2 images given 1.000 right 1.000".split(),
        "renamed 2 images given 1.000 right 1.000".split(),
        "bare 2 images given 1.000 right 1.000".split(),
        "emptied 2 images given 0.000 right 0.000".split(),
        "without 1 images given 0.000".split(),
    ]

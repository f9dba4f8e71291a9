"""The retrieval experiment of the VIPS paper (§5.2) on a TREC web collection, by the commands.

    python experiments/trec_web.py
    python experiments/trec_web.py --documents WT10g/ --topics topics.501-550.txt --qrels qrels.txt

With the real collection: its documents are indexed by BM2500, the first 80 pages of each query are
cut when it is searched, and terms of the best 20 segments make the query longer, against terms of
whole pages. Without it, a small collection of our own stands in, written in the same format: the
sections of this project's documentation, each laid into a page with a menu, teasers and texts of
others around it; a topic is the title and the first words of a document with three or more
sections (which no page has), its sections are the answers. Prints mean average precision for each
way to score pages, with and without stop words, and for each source of terms.
"""

from __future__ import annotations

import argparse
import gzip
import html
import io
import json
import random
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Final

from pagecut.cli import main as pagecut
from pagecut.errors import RenderError
from pagecut.rendering.browser import find_browser

SEED: Final = 2003
DOCS: Final = Path(__file__).resolve().parents[1] / "docs"
BM2500: Final = "bm25(k1=1.2, b=0.75, k3=1000.0, idf='robertson')"
NOISE: Final = {"none": 0, "light": 2, "heavy": 8}  # other sections on each page
QUERY_WORDS: Final = 14
SCORES: Final = ("page", "best", "sum", "combined")
SECTION = re.compile(r"^## +(.+)$", re.MULTILINE)
MARKUP = re.compile(r"```.*?```|\[([^\]]*)\]\([^)]*\)|[|`*#]", re.DOTALL)


def sections() -> Iterator[tuple[str, str, str, str]]:
    """The document's name and title, and each section's heading and text."""
    for path in sorted(DOCS.rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        parts = SECTION.split(text)
        first = MARKUP.sub(r" \1 ", parts[0]).split()
        title = " ".join(first[:QUERY_WORDS])
        for heading, body in zip(parts[1::2], parts[2::2], strict=True):
            yield path.stem, title, heading, MARKUP.sub(r" \1 ", body)


def make_collection(folder: Path, noise: int) -> None:
    """Write documents, topics and judgements as TREC has them."""
    chance = random.Random(SEED)
    found = [each for each in sections() if len(each[3].split()) >= 40]
    by_document: dict[str, list[int]] = {}
    for number, (name, *_) in enumerate(found):
        by_document.setdefault(name, []).append(number)
    topics = {name: answers for name, answers in by_document.items() if len(answers) >= 3}
    folder.mkdir(parents=True, exist_ok=True)
    menu = "".join(f"<li><a href=#>{html.escape(each[2])}</a></li>" for each in found[::12])
    with gzip.open(folder / "B01.gz", "wb") as file:
        for number, (_name, _title, heading, body) in enumerate(found):
            others = chance.sample([at for at in range(len(found)) if at != number], noise)
            around = "".join(
                f"<div class=teaser><h3>{html.escape(found[at][2])}</h3>"
                f"<p>{html.escape(' '.join(found[at][3].split()[:120]))}</p></div>"
                for at in others
            )
            paragraphs = "".join(f"<p>{html.escape(part)}</p>" for part in body.split("\n\n"))
            page = (
                f"<html><head><title>{html.escape(heading)}</title></head><body>"
                f"<ul class=menu>{menu if noise else ''}</ul><div class=main>"
                f"<h1>{html.escape(heading)}</h1>{paragraphs}</div>"
                f"<div class=side>{around}</div></body></html>"
            )
            file.write(
                f"<DOC>\n<DOCNO>PC-{number:04d}</DOCNO>\n<DOCHDR>\n"
                f"http://docs.example/{number}.html 127.0.0.1 20030101000000 text/html\n"
                f"</DOCHDR>\n{page}\n</DOC>\n".encode()
            )
    titles = {name: next(each[1] for each in found if each[0] == name) for name in topics}
    with (folder / "topics").open("w", encoding="utf-8") as topic_file:
        for number, name in enumerate(topics, 1):
            topic_file.write(f"<top>\n<num> Number: {number}\n<title> {titles[name]}\n\n</top>\n")
    with (folder / "qrels").open("w", encoding="utf-8") as judgements:
        for number, answers in enumerate(topics.values(), 1):
            judgements.writelines(f"{number} 0 PC-{answer:04d} 1\n" for answer in answers)


def run(*arguments: object) -> str:
    """What a command prints."""
    output = io.StringIO()
    with redirect_stdout(output):
        pagecut(list(map(str, arguments)), standalone_mode=False)
    return output.getvalue()


def mean_precision(index: Path, topics: Path, qrels: Path, *options: object) -> float:
    """MAP of a run, by the one command that searches and scores."""
    printed = run(
        "search", index, "--topics", topics, "--qrels", qrels, "--measure", "AP", *options
    )
    return float(json.loads(printed.splitlines()[0])["mean"])


def measure(
    name: str, documents: Sequence[Path], topics: Path, qrels: Path, methods: Sequence[str],
    work: Path,
) -> None:  # fmt: skip
    """All figures of one collection."""
    whole = work / f"{name}-pages"
    run("index", "--trec", *documents, "-o", whole, "--with", "whole-page", "--weights", BM2500)

    def score(*options: object) -> float:
        return mean_precision(whole, topics, qrels, *options)

    plain = score()
    print(f"\n{name}: MAP\n\n| | MAP | against no expansion |\n|---|---|---|")
    rows = {
        "no expansion": plain,
        "no expansion, --stop-words": score("--stop-words"),
        "terms of 20 pages": score("--expand", "okapi(source='page', texts=20)"),
        "terms of 5 pages": score("--expand", "okapi(source='page')"),
    }
    for method in methods:
        cut = ("--cut", method, *(part for each in documents for part in ("--documents", each)))
        rows[f"20 blocks of 80 pages, cut by {method} (the paper's)"] = score(
            "--expand", "okapi(texts=20, page_weight=0.0)", *cut
        )
        rows[f"5 blocks of 80 pages, cut by {method}"] = score("--expand", "okapi", *cut)
    for label, value in rows.items():
        print(f"| {label} | {value:.3f} | {100 * (value / plain - 1):+.0f} % |")
    print("\n| blocks of | " + " | ".join(f"`--score {each}`" for each in SCORES) + " |")
    print("|---" * (len(SCORES) + 1) + "|")
    for method in methods:
        index = work / f"{name}-{re.sub(r'[^a-z0-9]+', '-', method)}"
        run("index", "--trec", *documents, "-o", index, "--with", method, "--weights", BM2500)
        values = [mean_precision(index, topics, qrels, "--score", each) for each in SCORES]
        print(f"| `{method}` | " + " | ".join(f"{value:.3f}" for value in values) + " |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--documents", type=Path, nargs="+", help="files or folders of <DOC>s")
    parser.add_argument("--topics", type=Path)
    parser.add_argument("--qrels", type=Path)
    parser.add_argument("--with", dest="methods", action="append", help="segmenters (several)")
    parser.add_argument("--noise", choices=NOISE, action="append", help="of the stand-in")
    parser.add_argument("--work", type=Path, default=Path("build/trec-web"))
    arguments = parser.parse_args()
    methods = arguments.methods or ["just-rules", "block-fusion-rules"]
    if not arguments.methods:
        try:
            find_browser()
            methods.append("vips(pdoc=6)")
        except RenderError as error:
            print(f"without vips: {error}", file=sys.stderr)
    given = (arguments.documents, arguments.topics, arguments.qrels)
    if any(given) and not all(given):
        parser.error("--documents, --topics and --qrels go together")
    work = arguments.work
    if work.exists() and any(work.iterdir()):
        sys.exit(f"{work}: is there already; remove it, or name another folder with --work")
    work.mkdir(parents=True, exist_ok=True)
    if all(given):
        measure("collection", *given, methods, work)
        return
    print("Stand-in for WT10g (1.69 million pages, 50 topics): the sections of our documentation.")
    for name in arguments.noise or NOISE:
        folder = work / name
        make_collection(folder, NOISE[name])
        judged = (folder / "topics", folder / "qrels")
        measure(f"noise-{name}", [folder / "B01.gz"], *judged, methods, work)


if __name__ == "__main__":
    main()

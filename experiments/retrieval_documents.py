"""Documents with topics for the retrieval experiment, from the documentation in Debian packages.

A document is a section of a manual that has no sections inside it: its paragraphs, without code and
without its heading. A topic is a heading above at least three of them, and its relevant documents
are the sections directly below; that heading stands in no document. So a query's words were written
by the manual's authors about exactly these texts, and were then taken away from them. The headings
of these documents are queries too ("items"), with one relevant document each. All other documents
answer no query.

Packages are fetched with apt-get into a cache folder when the experiment runs; nothing of them is
part of this project. A collection of your own is read from JSON Lines or TREC files instead.
"""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final

from pagecut import PagecutError, parse_html
from pagecut.page import Page

PACKAGES: Final = """
    apache2-doc aptitude-doc-en bind9-doc debian-faq debian-policy debian-reference-en
    developers-reference dia-common exim4-doc-html git-doc lilypond-doc-html maxima-doc mutt
    octave-doc postfix-doc postgresql-doc-15 privoxy python3.11-doc r-doc-html sqlite3-doc valgrind
    zsh-doc
""".split()
SHORTEST, LONGEST = 60, 400  # words of a document
SMALLEST_TOPIC, LARGEST_TOPIC = 3, 15  # documents of a topic
MOST_OF_A_PACKAGE = 400  # documents

_HEADING = re.compile(r"h[1-6]")
# "Chapter 3. ", "4.2 ", "A.1. ", and the sign that links to the heading itself.
_NUMBERING = re.compile(
    r"^(?:(?:chapter|appendix|section|part)\s+\w+[.:]?|[\dA-Z]+(?:\.\d+)*\.|[\d.]+)\s+", re.I
)
_WORD = re.compile(r"[^\W_]+")
_ENGLISH = frozenset("the of to and is in a for that be this are it with".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A text to lay into a page.

    Args:
        heading: what was taken away from it.
        topic: id of the topic that it is relevant to; empty for none.
    """

    id: str
    heading: str
    topic: str
    paragraphs: tuple[str, ...]

    @property
    def words(self) -> int:
        return sum(len(paragraph.split()) for paragraph in self.paragraphs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """Documents, and the queries that they answer.

    Args:
        topics: queries by id, for several documents each.
        items: queries by id, for one document each.
        relevant: by id of a topic or item, the documents that answer it.
    """

    documents: tuple[Document, ...]
    topics: dict[str, str]
    items: dict[str, str] = field(default_factory=dict)
    relevant: dict[str, frozenset[str]] = field(default_factory=dict)


@dataclass(slots=True)
class _Section:
    level: int
    heading: str
    paragraphs: list[str] = field(default_factory=list)
    inside: list[_Section] = field(default_factory=list)


def fetch_packages(cache: Path, packages: Sequence[str] = PACKAGES) -> dict[str, Path]:
    """Fetch and unpack Debian packages, those that are not in the cache already."""
    cache.mkdir(parents=True, exist_ok=True)
    found = {}
    for package in packages:
        folder = cache / package
        if not (folder / ".complete").exists():
            done = subprocess.run(
                ["apt-get", "download", package], cwd=cache, capture_output=True, check=False
            )
            archives = sorted(cache.glob(f"{package}_*.deb"))
            if done.returncode or not archives:
                reason = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
                print(f"{package} is left out: {' '.join(reason)}", file=sys.stderr)
                continue
            subprocess.run(["dpkg", "-x", archives[-1], folder], check=True)
            (folder / ".complete").write_text(archives[-1].name)
            archives[-1].unlink()
        found[package] = folder
    if not found:
        raise SystemExit("no package could be fetched: this experiment needs Debian's apt-get")
    return found


def versions(folders: Iterable[Path]) -> list[str]:
    """Which packages a collection was made of, with their versions."""
    return [(folder / ".complete").read_text() for folder in folders]


def collect(folders: dict[str, Path]) -> Collection:
    """The collection that unpacked packages give, the same whenever they are the same."""
    documents: list[Document] = []
    topics: dict[str, str] = {}
    seen: set[str] = set()
    used: set[str] = set()
    for package, folder in sorted(folders.items()):
        sections = (
            section for path in html_files(folder) for section in _walk(_outline(_read(path)))
        )
        documents.extend(_of_package(package, sections, topics, seen, used))
    return with_items(documents, topics)


def html_files(folder: Path) -> list[Path]:
    """The HTML files of a package, in order; links are left alone."""
    endings = (".html", ".htm", ".html.gz", ".html.en")
    return sorted(
        path
        for path in folder.rglob("*")
        if path.name.endswith(endings) and path.is_file() and not path.is_symlink()
    )


def _of_package(
    package: str,
    sections: Iterable[_Section],
    topics: dict[str, str],
    seen: set[str],
    used: set[str],
) -> Iterator[Document]:
    """Documents of one package; its topics are added to `topics`."""
    count = 0
    for section in sections:
        if count >= MOST_OF_A_PACKAGE:
            return
        usable = [each for each in section.inside if not each.inside and _fresh(each, seen)]
        seen.update(_digest(each) for each in usable)
        topic = ""
        if SMALLEST_TOPIC <= len(usable) <= LARGEST_TOPIC and _is_query(section.heading, used):
            topic = f"t{len(topics) + 1:04}"
            topics[topic] = section.heading
            used.add(section.heading.lower())
        for each in usable:
            count += 1
            yield Document(
                id=f"{package}-{count:04}",
                heading=each.heading,
                topic=topic,
                paragraphs=tuple(each.paragraphs),
            )


def with_items(documents: Sequence[Document], topics: dict[str, str]) -> Collection:
    """The collection; headings of a topic's documents are queries where they are unlike others.

    Documents without a topic answer no query: they are the noise on other pages.
    """
    headings: dict[str, int] = {}
    for document in documents:
        key = document.heading.lower()
        headings[key] = headings.get(key, 0) + 1
    relevant: dict[str, set[str]] = {topic: set() for topic in topics}
    items = {}
    for document in documents:
        if not document.topic:
            continue
        relevant[document.topic].add(document.id)
        if headings[document.heading.lower()] == 1 and _is_query(document.heading, set()):
            items[f"i-{document.id}"] = document.heading
            relevant[f"i-{document.id}"] = {document.id}
    return Collection(
        documents=tuple(documents),
        topics=topics,
        items=items,
        relevant={name: frozenset(each) for name, each in relevant.items()},
    )


def _read(path: Path) -> Page | None:
    data = path.read_bytes()
    try:
        return parse_html(gzip.decompress(data) if path.suffix == ".gz" else data)
    except PagecutError:
        return None


def _walk(section: _Section) -> Iterator[_Section]:
    """A section and all inside it, in order."""
    yield section
    for each in section.inside:
        yield from _walk(each)


def _outline(page: Page | None) -> _Section:
    """The sections of a manual's page, as its headings nest them."""
    root = _Section(0, "")
    if page is None:
        return root
    nodes = page.nodes
    names = nodes.tag_names
    headings = [row for row in range(len(nodes)) if _HEADING.fullmatch(names[nodes.tag[row]])]
    open_sections = [root]
    for number, row in enumerate(headings):
        level = int(names[nodes.tag[row]][1])
        while open_sections[-1].level >= level:
            open_sections.pop()
        text = page.readable(int(nodes.start[row]), int(nodes.end[row]))
        section = _Section(level, _bare_heading(text))
        last = number + 1 == len(headings)
        end = len(page.text) if last else int(nodes.start[headings[number + 1]])
        section.paragraphs = _paragraphs(page, int(nodes.end[row]), end)
        open_sections[-1].inside.append(section)
        open_sections.append(section)
    return root


def _bare_heading(text: str) -> str:
    text = " ".join(text.replace("¶", " ").split())
    return _NUMBERING.sub("", text).strip(" .:—-")


def _paragraphs(page: Page, start: int, end: int) -> list[str]:
    """The prose between two offsets: no code, no lines that are mostly links, not too much."""
    nodes = page.nodes
    around_code = nodes.tag_mask(frozenset({"pre", "table", "nav", "footer", "script", "style"}))
    links = nodes.tag_mask(frozenset({"a"}))
    found: list[str] = []
    words = 0
    at = start
    for line in page.text[start:end].split("\n"):
        line_start, at = at, at + len(line) + 1
        if len(line.split()) < 5 or words >= LONGEST:
            continue
        linked = 0
        code = False
        for leaf in page.leaves_in(line_start, line_start + len(line)).tolist():
            row = leaf
            is_linked = False
            while row >= 0:
                code = code or bool(around_code[row])
                is_linked = is_linked or bool(links[row])
                row = int(nodes.parent[row])
            linked += is_linked * int(nodes.end[leaf] - nodes.start[leaf])
        if not code and 2 * linked < len(line):
            text = " ".join(page.readable(line_start, line_start + len(line)).split())
            found.append(text)
            words += len(text.split())
    return found


def _fresh(section: _Section, seen: set[str]) -> bool:
    """Long enough, English, and not there yet under whatever heading."""
    words = [word.lower() for text in section.paragraphs for word in text.split()]
    if len(words) < SHORTEST or sum(word in _ENGLISH for word in words) < 0.15 * len(words):
        return False
    return _digest(section) not in seen


def _digest(section: _Section) -> str:
    words = _WORD.findall(" ".join(section.paragraphs).lower())[:SHORTEST]
    return sha256(" ".join(words).encode()).hexdigest()


def _is_query(heading: str, used: set[str]) -> bool:
    """Two to eight words, at least two of them with meaning, and no query yet."""
    words = [word.lower() for word in _WORD.findall(heading)]
    meaning = [word for word in words if len(word) > 2 and word not in _ENGLISH]
    return len(words) <= 8 and len(meaning) >= 2 and heading.lower() not in used


def write_documents(documents: Iterable[Document], path: Path) -> None:
    """JSON Lines, one document each."""
    with path.open("w", encoding="utf-8") as file:
        for document in documents:
            file.write(json.dumps(asdict(document), ensure_ascii=False) + "\n")


def read_documents(path: Path) -> list[Document]:
    """Documents from JSON Lines (id, text or paragraphs, heading) or a TREC file of <DOC>s."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if text.lstrip().startswith("<"):
        return [_from_trec(body, path) for body in re.findall(r"(?is)<DOC>(.*?)</DOC>", text)]
    documents = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            row = json.loads(line)
            paragraphs = row.get("paragraphs") or row["text"].split("\n")
            documents.append(
                Document(
                    id=str(row["id"]),
                    heading=row.get("heading", ""),
                    topic=row.get("topic", ""),
                    paragraphs=tuple(" ".join(each.split()) for each in paragraphs if each.split()),
                )
            )
        except (ValueError, KeyError, AttributeError) as error:
            raise SystemExit(
                f"{path}, line {number}: needs id and text, in JSON: {error}"
            ) from error
    return documents


def _from_trec(body: str, path: Path) -> Document:
    name = re.search(r"(?is)<DOCNO>\s*(.*?)\s*</DOCNO>", body)
    if name is None:
        raise SystemExit(f"{path}: a <DOC> without <DOCNO>")
    parts = re.findall(r"(?is)<TEXT>(.*?)</TEXT>", body) or [body[name.end() :]]
    bare = re.sub(r"<[^>]*>", " ", "\n\n".join(parts))
    paragraphs = (" ".join(each.split()) for each in re.split(r"\n\s*\n", bare))
    return Document(
        id=name[1], heading="", topic="", paragraphs=tuple(each for each in paragraphs if each)
    )

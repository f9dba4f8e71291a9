"""Collections, indices and scored runs of the retrieval experiment, kept in a cache folder."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path

from retrieval_documents import (
    Collection,
    collect,
    fetch_packages,
    read_documents,
    versions,
    with_items,
    write_documents,
)
from retrieval_pages import LEVELS, Noise, NoisyPage, make_pages

from pagecut import parse_html
from pagecut.page import Page
from pagecut.retrieval.blocks import page_blocks
from pagecut.retrieval.bm25 import BM2500, Bm25
from pagecut.retrieval.expansion import expansion
from pagecut.retrieval.index import Index, create_index, read_description, rebuild_index
from pagecut.retrieval.search import PageScore, Searcher
from pagecut.retrieval.terms import Stemming
from pagecut.retrieval.trec import read_judgements, read_topics, score_run
from pagecut.segmenters import segmenter

DEPTH = 1000  # pages of a ranking
Scores = dict[str, dict[str, float]]  # by measure, by topic


def load_debian(cache: Path) -> Collection:
    """The collection from Debian packages; made once, then read from the cache."""
    documents, topics = cache / "documents.jsonl", cache / "topics.json"
    if not topics.exists():
        folders = fetch_packages(cache / "packages")
        collection = collect(folders)
        write_documents(collection.documents, documents)
        kept = {"packages": versions(folders.values()), "topics": collection.topics}
        topics.write_text(json.dumps(kept, indent=1, ensure_ascii=False), encoding="utf-8")
    kept = json.loads(topics.read_text(encoding="utf-8"))
    return with_items(read_documents(documents), kept["topics"])


def load_own(documents: Path, topics: Path, judgements: Path) -> Collection:
    """A collection of the user's own."""
    judged = read_judgements(judgements)
    return Collection(
        documents=tuple(read_documents(documents)),
        topics=read_topics(topics),
        relevant={
            topic: frozenset(name for name, grade in grades.items() if grade > 0)
            for topic, grades in judged.items()
        },
    )


def small(collection: Collection, chosen: dict[str, str]) -> Collection:
    """Only some topics, their documents, and a third as many others."""
    answers = frozenset().union(*(collection.relevant[topic] for topic in chosen))
    others = [each for each in collection.documents if each.id not in answers and not each.topic]
    documents = [each for each in collection.documents if each.id in answers]
    return replace(
        collection,
        documents=tuple(documents + others[: len(documents) // 3]),
        topics=chosen,
        items={},
        relevant={topic: collection.relevant[topic] for topic in chosen},
    )


@dataclass(frozen=True)
class Setting:
    """What is searched, and how.

    Args:
        segmenter: spec; what blocks are.
        expand: spec of the expansion; empty for none.
    """

    segmenter: str = "block-fusion-rules"
    weights: Bm25 = BM2500
    stemming: Stemming = "s"
    page_score: PageScore = "page"
    expand: str = ""

    def __str__(self) -> str:
        return f"{self.segmenter}, {self.page_score}, {self.expand or 'no expansion'}"


class Laboratory:
    """Scores settings on the pages of a collection."""

    def __init__(self, collection: Collection, cache: Path) -> None:
        self.collection = collection
        text = "".join(document.id for document in collection.documents)
        self.cache = cache / f"indices-{sha256(text.encode()).hexdigest()[:8]}"

    @cached_property
    def judgements(self) -> dict[str, dict[str, int]]:
        return {
            topic: dict.fromkeys(sorted(documents), 1)
            for topic, documents in self.collection.relevant.items()
        }

    @lru_cache(maxsize=1)  # noqa: B019  one laboratory lives as long as the program
    def pages(self, noise: Noise, rendered: bool) -> list[tuple[NoisyPage, Page]]:
        """The pages of a noise level, parsed or rendered."""
        pages = list(make_pages(self.collection, noise))
        if not rendered:
            return [(page, parse_html(page.html)) for page in pages]
        from pagecut.rendering.page_source import html_source
        from pagecut.rendering.renderer import Renderer

        found = []
        with Renderer() as renderer:
            sources = (html_source(page.html, name=page.name) for page in pages)
            for page, result in zip(pages, renderer.render_many(sources), strict=True):
                if isinstance(result, Exception):
                    raise result
                found.append((page, result))
        return found

    @lru_cache(maxsize=4)  # noqa: B019
    def index(self, noise: Noise, spec: str, weights: Bm25, stemming: Stemming) -> Index:
        """The index of a noise level, made if it is not in the cache."""
        folder = self._folder(noise, spec, weights, stemming)
        if not (folder / "index.json").exists():
            shutil.rmtree(folder, ignore_errors=True)
            if weights != BM2500:
                self.index(noise, spec, BM2500, stemming)
                reweigh(self._folder(noise, spec, BM2500, stemming), folder, weights)
                return Index(folder)
            method = segmenter(spec)
            blocks = (
                page_blocks(method.segment(parsed), page.document)
                for page, parsed in self.pages(noise, bool(method.needs))
            )
            create_index(folder, blocks, made_by=spec, weights=weights, stemming=stemming)
        if len(read_description(folder).shards) > 1:
            rebuild_index(folder)  # so that pages are ranked alike, whatever their blocks are
        return Index(folder)

    def _folder(self, noise: Noise, spec: str, weights: Bm25, stemming: Stemming) -> Path:
        text = f"{noise} {spec} {weights!r} {stemming}"
        return self.cache / sha256(text.encode()).hexdigest()[:16]

    def run(
        self, noise: Noise, setting: Setting, topics: Mapping[str, str]
    ) -> dict[str, dict[str, float]]:
        """The ranked pages of every topic, by the document that each page is about."""
        searcher = Searcher(
            index=self.index(noise, setting.segmenter, setting.weights, setting.stemming),
            page_score=setting.page_score,
            expand=expansion(setting.expand) if setting.expand else None,
        )
        return {
            topic: {
                searcher.name(place): score
                for place, score in searcher.rank(searcher.query(query), DEPTH)
            }
            for topic, query in topics.items()
        }

    def score(self, noise: Noise, setting: Setting, topics: Mapping[str, str]) -> Scores:
        """The scores of every topic, by measure; kept in the cache."""
        text = f"{noise} {setting!r} {sorted(topics)}"
        path = self.cache / "scores" / f"{sha256(text.encode()).hexdigest()[:16]}.json"
        if not path.exists():
            judged = {topic: self.judgements[topic] for topic in topics}
            scores = score_run(judged, self.run(noise, setting, topics))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(scores))
        found: Scores = json.loads(path.read_text())
        return found


def reweigh(source: Path, folder: Path, weights: Bm25) -> None:
    """Copy an index with other weights, without cutting its pages again."""
    unfinished = folder.with_suffix(".new")
    shutil.rmtree(unfinished, ignore_errors=True)
    shutil.copytree(source, unfinished)
    replace(read_description(unfinished), weights=weights).write(unfinished)
    rebuild_index(unfinished)
    unfinished.rename(folder)


def halves(topics: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Topics to choose settings on, and topics to report: every other one."""
    names = list(topics)
    return (
        {name: topics[name] for name in names[::2]},
        {name: topics[name] for name in names[1::2]},
    )


def mean(values: Mapping[str, float] | Sequence[float]) -> float:
    numbers = list(values.values()) if isinstance(values, Mapping) else list(values)
    return sum(numbers) / len(numbers)


def level(name: str) -> Noise:
    return next(noise for noise in LEVELS if noise.name == name)

"""What other tools would give as the text of an image, on the same annotated images.

    python experiments/image_context_peers.py DATASET

- `alt`: the image's own alt text.
- `words(n)`: climb until an ancestor has at least n words: crawl4ai's rule, whose default is 1.
- `trafilatura`: the images that its main content keeps, each with the paragraphs next to it.
- `readability`: the images that its article keeps, each with the text of the nearest ancestor.

The last two are skipped with a message where the packages are not installed. An image that a tool
does not keep has no text.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from urllib.parse import unquote, urlsplit

import numpy as np

from pagecut.contexts.item import Item
from pagecut.contexts.siblings import Siblings
from pagecut.evaluation.datasets import DatasetPage, read_dataset
from pagecut.evaluation.measures.overlap import overlap
from pagecut.page import Image, Page
from pagecut.page.text.tokenizer import bare_words
from pagecut.parsing.html import parse_html

Texts = list[str]
Peer = Callable[[DatasetPage, Page, list[Image]], Texts]


def alt(_entry: DatasetPage, _page: Page, images: list[Image]) -> Texts:
    return [image.alt or "" for image in images]


def words(count: int) -> Peer:
    def climb(_entry: DatasetPage, page: Page, images: list[Image]) -> Texts:
        texts = []
        for image in images:
            node = page.node(image.node).parent
            while node is not None and len(bare_words(node.text)) < count:
                node = node.parent
            texts.append(node.text if node is not None else "")
        return texts

    return climb


def ours(method: Item | Siblings) -> Peer:
    def extract(_entry: DatasetPage, page: Page, images: list[Image]) -> Texts:
        contexts = method.extract(page)
        return [contexts[image.index].text for image in images]

    return extract


def file_name(src: str | None) -> str:
    return unquote(urlsplit(src or "").path.rsplit("/", 1)[-1])


def by_file(images: list[Image], kept: dict[str, str]) -> Texts:
    return [kept.get(file_name(image.src), "") for image in images]


def trafilatura_peer() -> Peer:
    import trafilatura
    from lxml import etree

    def extract(entry: DatasetPage, _page: Page, images: list[Image]) -> Texts:
        source = trafilatura.extract(
            entry.source(), url=entry.url, include_images=True, output_format="xml"
        )
        kept: dict[str, str] = {}
        if source:
            tree = etree.fromstring(source.encode())
            around = list(tree.iter("graphic", "p", "head", "item"))
            for at, each in enumerate(around):
                if each.tag == "graphic":
                    beside = [*around[max(at - 1, 0) : at], *around[at + 1 : at + 2]]
                    text = " ".join("".join(other.itertext()) for other in beside)
                    kept.setdefault(file_name(each.get("src")), text)
        return by_file(images, kept)

    return extract


def readability_peer() -> Peer:
    from readability import Document

    def extract(entry: DatasetPage, page: Page, images: list[Image]) -> Texts:
        article = parse_html(
            Document(entry.source().decode("utf-8", "replace")).summary(), page.url
        )
        contexts = Siblings().extract(article)
        kept = {file_name(each.source.src): each.text for each in reversed(contexts)}
        return by_file(images, kept)

    return extract


def peers() -> dict[str, Peer]:
    found: dict[str, Peer] = {
        "alt": alt,
        "words(1)": words(1),
        "words(50)": words(50),
        "siblings": ours(Siblings()),
        "item": ours(Item()),
    }
    for name, make in (("trafilatura", trafilatura_peer), ("readability", readability_peer)):
        try:
            found[name] = make()
        except ImportError as error:
            print(f"{name}: skipped, {error}", file=sys.stderr)
    return found


def main(arguments: Sequence[str]) -> None:
    if len(arguments) != 1:
        sys.exit(__doc__)
    methods = peers()
    scores: dict[str, list[list[float]]] = {name: [] for name in methods}
    silent = dict.fromkeys(methods, 0)
    for entry in read_dataset(arguments[0]):
        if entry.image_context is None:
            continue
        page, truth = entry.load()
        images = [image for image in page.images if image.tag == "img"]
        true = {position: text for position, text in truth.contexts.items() if text}
        if not true:
            continue
        for name, method in methods.items():
            texts = method(entry, page, images)
            scores[name].append([overlap(texts[at], text).f for at, text in true.items()])
            silent[name] += sum(not bare_words(texts[at]) for at in true)
    if not any(scores.values()):
        sys.exit(f"{arguments[0]}: no page has true image contexts")
    print("| method | F over images | F by page | no text |")
    print("|---|---|---|---|")
    for name, pages in scores.items():
        over_images = np.mean([score for page in pages for score in page])
        by_page = np.mean([np.mean(page) for page in pages])
        print(f"| {name} | {over_images:.3f} | {by_page:.3f} | {silent[name]} |")


if __name__ == "__main__":
    main(sys.argv[1:])

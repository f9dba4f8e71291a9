"""Image-context files: for each <img> of a page its true text, or why it has none."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from pagecut.evaluation.datasets.problems import Problem, some_of
from pagecut.page import Page
from pagecut.results.json_files import read_json
from pagecut.text.tokens import bare_words

Contexts = dict[int, str | None]


def parse_contexts(path: Path, count: int) -> tuple[Contexts, list[Problem]]:
    """The contexts in the file of a page with so many <img>, and what is wrong with it."""
    match read_json(path):
        case {"images": list(entries)}:
            pass
        case _:
            return {}, [Problem(file=path, message="must be {'images': [...]}")]
    contexts: Contexts = {}
    problems = []
    for number, entry in enumerate(entries):
        match entry:
            case {"image": int(image), "context": str(text)} if "skip" not in entry:
                value: str | None = text
            case {"image": int(image), "skip": _} if "context" not in entry:
                value = None
            case _:
                message = (
                    f"entry {number} must have image, a number, and either context or skip, "
                    f"got {entry!r:.200}"
                )
                problems.append(Problem(file=path, message=message))
                continue
        if not 0 <= image < count:
            message = f"entry {number}: image {image} of a page with {count} <img>"
            problems.append(Problem(file=path, message=message))
        elif image in contexts:
            message = f"entry {number}: image {image} has an entry already"
            problems.append(Problem(file=path, message=message))
        else:
            contexts[image] = value
    return contexts, problems


def context_problems(path: Path, contexts: Contexts, page: Page) -> Iterator[Problem]:
    """Contexts with words that the page does not have, and <img> without an entry."""
    page_text = readable_text(page)
    for image, text in contexts.items():
        if text is not None and not text.strip():
            message = f"image {image}: an empty context; write skip"
            yield Problem(file=path, message=message, warning=True)
        if missing := missing_words(text or "", page_text):
            message = f"image {image}: words that are not in the page: {some_of(missing)}"
            yield Problem(file=path, message=message, warning=True)
    count = count_img(page)
    if left := [image for image in range(count) if image not in contexts]:
        message = f"{len(left)} of {count} <img> without an entry: {some_of(left)}"
        yield Problem(file=path, message=message, warning=True)


def count_img(page: Page) -> int:
    """How many <img> a page has."""
    return sum(image.tag == "img" for image in page.images)


def readable_text(page: Page) -> str:
    """A page's whole text, without images."""
    return page.readable(0, len(page.text))


def missing_words(text: str, page_text: str) -> list[str]:
    """The words that measures compare and a page does not have, not even as part of a longer one.

    Without style sheets two words may run together that people see apart.
    """
    words = _words(page_text)
    candidates = dict.fromkeys(word for word in bare_words(text) if word not in words)
    return [word for word in candidates if word not in page_text]


@lru_cache(maxsize=1)
def _words(page_text: str) -> frozenset[str]:
    """The words of a page, found once for all its images."""
    return frozenset(bare_words(page_text))

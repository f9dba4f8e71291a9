# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
"""Runs of text with links, emphasis and code, as Markdown writes them in a line."""

from __future__ import annotations

import re

import cython
from cython.cimports.pagecut.page.readable_text import readable
from cython.cimports.pagecut.page.spacing import has_space

from pagecut.content.links import image_address

LINE_START = re.compile(r"(?:([-+=|~]|#{1,6})|(\d{1,9})([.)]))(?=\s|$|[-=])")
# One "_" between letters or digits is no mark.
SPECIAL = re.compile(r"[\\`*\[\]<>]|(?<![^\W_])_|_(?![^\W_])|~(?=~)|(?<=~)~")
TICKS = re.compile(r"`+")
# Of strong text, emphasis and what is struck out, each around the next: marks of two that touch
# would be taken for each other. Bit by bit in `Run.marks`.
MARKS = ("**", "*", "~~")


class Run:
    """A run of text: a leaf with what dresses it."""


def made_run(text: str) -> Run:
    run: Run = Run.__new__(Run)
    run.text = text
    return run


def append_run(runs: list, gap: str, run: Run) -> object:
    """A run after the white space before it, which is dressed as both its sides are."""
    if gap:
        before: Run = runs[len(runs) - 1]
        between: Run = made_run(gap)
        between.link = run.link if run.link == before.link else None
        between.marks = run.marks & before.marks
        between.code = run.code and before.code
        runs.append(between)
    runs.append(run)


def lines_of(runs: list) -> list[str]:
    """The lines of some runs, but for those with nothing to read."""
    part: str
    line: str
    lines: list = []
    for part in inline(runs).strip().split("\n"):
        line = part.strip()
        if readable(line):
            lines.append(line)
    return lines


def escaped_start(line: str) -> str:
    """A line that does not begin as a list, a heading or a rule does."""
    if not line or line[0].isalpha():
        return line
    found: object = LINE_START.match(line)
    if found is None:
        return line
    mark, number, stop = found.groups()
    start: str = f"\\{mark}" if mark else f"{number}\\{stop}"
    return start + line[found.end() :]


def inline(runs: list) -> str:
    """Runs with their links and emphasis; neighbours that are dressed alike share it."""
    at: cython.Py_ssize_t = 0
    end: cython.Py_ssize_t
    run: Run
    link: str
    inner: str
    written: list = []
    while at < len(runs):
        run = runs[at]
        link = run.link
        end = at + 1
        while end < len(runs) and cython.cast(Run, runs[end]).link == link:
            end += 1
        inner = marked_text(runs, at, end, 0)
        written.append(enclosed(inner, "[", f"]({target(link)})") if link else inner)
        at = end
    return "".join(written)


def is_strong(runs: list) -> cython.bint:
    """Whether all that can be read of some runs is strong text."""
    others: list = [run for run in runs if not cython.cast(Run, run).marks & 1]
    return not joined_text(others, 0, len(others)).strip()


def marked_text(
    runs: list, at: cython.Py_ssize_t, end: cython.Py_ssize_t, level: cython.Py_ssize_t
) -> str:
    """Some of the runs with all but their links.

    Args:
        level: of MARKS, the first that is written; the others stand around.
    """
    first: cython.Py_ssize_t
    own: cython.int
    text: str
    last: str = ""
    mark: str
    after: cython.bint
    before: cython.bint
    written: list = []
    if level == len(MARKS):
        return index_text(runs, at, end)
    mark = MARKS[level]
    while at < end:
        first = at
        own = cython.cast(Run, runs[at]).marks & (1 << level)
        while at < end and cython.cast(Run, runs[at]).marks & (1 << level) == own:
            at += 1
        text = marked_text(runs, first, at, level + 1)
        # Signs need no marks, beside which they may be taken for some.
        if own and any(map(str.isalnum, text)):
            after = len(last) > 0 and last[len(last) - 1].isalnum()
            before = at < end and cython.cast(Run, runs[at]).text[:1].isalnum()
            text = emphasised(text, mark, after, before)
        last = text
        written.append(text)
    return "".join(written)


def emphasised(text: str, mark: str, after: cython.bint, before: cython.bint) -> str:
    """A text between two marks. Between a sign and a word that touch, as they do in Chinese and
    Japanese, a mark would be none: such signs at the edges stand outside of them.

    Args:
        after: whether it touches a word before it.
        before: whether it touches a word after it.
    """
    first: cython.Py_ssize_t = 0
    last: cython.Py_ssize_t = len(text)
    while after and first < last and has_space(text[first]):
        first += 1
    while before and first < last and has_space(text[last - 1]):
        last -= 1
    return text[:first] + enclosed(text[first:last], mark, mark) + text[last:]


def index_text(runs: list, at: cython.Py_ssize_t, end: cython.Py_ssize_t) -> str:
    """Some of the runs with indices and code."""
    first: cython.Py_ssize_t
    run: Run
    other: Run
    text: str
    written: list = []
    while at < end:
        first = at
        run = runs[at]
        while at < end:
            other = runs[at]
            if other.code != run.code or other.shift != run.shift:
                break
            at += 1
        text = joined_text(runs, first, at)
        if run.code:
            text = code_text(text)
        if run.shift is not None:
            text = enclosed(text, f"<{run.shift}>", f"</{run.shift}>")
        written.append(text)
    return "".join(written)


def joined_text(runs: list, at: cython.Py_ssize_t, end: cython.Py_ssize_t) -> str:
    if end - at == 1:
        return cython.cast(Run, runs[at]).text
    return "".join([cython.cast(Run, run).text for run in runs[at:end]])


def code_text(text: str) -> str:
    """A text as code, between more ticks than stand in it."""
    body: str = text.strip()
    if not body:
        return text
    longest: cython.Py_ssize_t = max(map(len, TICKS.findall(body)), default=0)
    pad: str = " " if longest else ""
    ticks: str = "`" * (longest + 1)
    return text.replace(body, f"{ticks}{pad}{' '.join(body.split())}{pad}{ticks}", 1)


def enclosed(text: str, opening: str, closing: str) -> str:
    """A text between two marks, the white space at its edges outside of them."""
    first: cython.Py_ssize_t = 0
    last: cython.Py_ssize_t = len(text)
    while first < last and text[first].isspace():
        first += 1
    if first == last:
        return text
    while text[last - 1].isspace():
        last -= 1
    return f"{text[:first]}{opening}{text[first:last]}{closing}{text[last:]}"


def target(address: str) -> str:
    ch: cython.Py_UCS4
    for ch in address:
        if ch in "()" or ch.isspace():
            return f"<{address}>"
    return address


def escaped(text: str) -> str:
    """A text in which nothing is a mark of Markdown."""
    ch: cython.Py_UCS4
    for ch in text:
        if ch in "\\`*_[]<>":
            return SPECIAL.sub(r"\\\g<0>", text)
    return SPECIAL.sub(r"\\\g<0>", text) if "~~" in text else text


def image_text(image: object) -> str:
    """Nothing for an image that its page declares to be decoration, by an empty `alt`."""
    src: object = image_address(image)
    alt: str = image.alt
    if src is None or alt == "":
        return ""
    return f"![{escaped(' '.join((alt or '').split()))}]({target(src)})"

# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
"""Runs of text with links, emphasis and code, as Markdown writes them in a line."""

from __future__ import annotations

import re
from unicodedata import category

import cython
from cython.cimports.pagecut.page.text.readable_text import readable

from pagecut.content.links import image_address

LINE_START = re.compile(r"(?:([-+=|~]|#{1,6})|(\d{1,9})([.)]))(?=\s|$|[-=])")
# One "_" between letters or digits is no mark.
SPECIAL = re.compile(r"[\\`*\[\]<>]|(?<![^\W_])_|_(?![^\W_])|~(?=~)|(?<=~)~")
TICKS = re.compile(r"`+")
# Of strong text, emphasis and what is struck out, bit by bit in `Run.marks`.
MARKS = ("**", "*", "~~")
ALL_MARKS = 7


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
        if line and ("!" <= line[0] <= "~" or readable(line)):
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
    last: str = ""
    written: list = []
    dress_code(runs)
    runs = with_signs_apart(runs)
    while at < len(runs):
        run = runs[at]
        link = run.link
        end = at + 1
        while end < len(runs) and cython.cast(Run, runs[end]).link == link:
            end += 1
        inner = marked_text(runs, at, end, ALL_MARKS, False, False)
        if link:
            inner = enclosed(inner, "[", f"]({target(link)})")
            if inner[:1] == "[" and last.endswith("!"):  # or it would be an image
                written[len(written) - 1] = last[: len(last) - 1] + "\\!"
        written.append(inner)
        last = inner
        at = end
    return "".join(written)


def is_strong(runs: list) -> cython.bint:
    """Whether all that can be read of some runs is strong text."""
    others: list = [run for run in runs if not cython.cast(Run, run).marks & 1]
    return not joined_text(others, 0, len(others)).strip()


def dress_code(runs: list) -> object:
    """Where marks in code cannot be written, let all of it have those that it has in common."""
    at: cython.Py_ssize_t = 0
    first: cython.Py_ssize_t
    common: cython.int
    run: Run
    other: Run
    while at < len(runs):
        first = at
        run = runs[at]
        common = run.marks
        while run.code and at < len(runs):
            other = runs[at]
            if not other.code or other.link != run.link or other.shift != run.shift:
                break
            common &= other.marks
            at += 1
        if first == at:
            at += 1
        elif (
            follows_word(runs, first)
            or precedes_word(runs, at - 1)
            or has_marked_signs(runs[first:at], common)
        ):
            for other in runs[first:at]:
                other.marks = common


def has_marked_signs(runs: list, common: cython.int) -> cython.bint:
    """Whether some of the runs have more marks than all, and nothing but signs."""
    run: Run
    for run in runs:
        if run.marks != common and run.text.strip() and not any(map(str.isalnum, run.text)):
            return True
    return False


def with_signs_apart(runs: list) -> list:
    """Runs that marks can be written around. Between a sign and a word that touch, as in
    `**Note:**text`, a mark would be none: such signs at the edges stand outside of it, in runs of
    their own."""
    at: cython.Py_ssize_t
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    before: cython.int  # marks that go on from the run before
    after: cython.int
    run: Run
    found: list = []
    for at in range(len(runs)):
        run = runs[at]
        first = 0
        last = len(run.text)
        before = after = run.marks
        if run.marks and not run.code and run.shift is None:
            if follows_word(runs, at):
                before &= cython.cast(Run, runs[at - 1]).marks
                first = first_word(run.text) if before != run.marks else 0
            if precedes_word(runs, at):
                after &= cython.cast(Run, runs[at + 1]).marks
                last = max(first, last_word(run.text)) if after != run.marks else last
        if last - first == len(run.text):
            found.append(run)
            continue
        append_part(found, run, 0, first, before)
        append_part(found, run, first, last, run.marks)
        append_part(found, run, last, len(run.text), after)
    return found


def follows_word(runs: list, at: cython.Py_ssize_t) -> cython.bint:
    """Whether a run touches a word before it; one in another link has a bracket between."""
    if at == 0:
        return False
    before: Run = runs[at - 1]
    return before.link == cython.cast(Run, runs[at]).link and touches(last_sign(before))


def precedes_word(runs: list, at: cython.Py_ssize_t) -> cython.bint:
    """Whether a run touches a word after it."""
    if at + 1 == len(runs):
        return False
    after: Run = runs[at + 1]
    return after.link == cython.cast(Run, runs[at]).link and touches(first_sign(after))


def append_part(
    runs: list, run: Run, first: cython.Py_ssize_t, last: cython.Py_ssize_t, marks: cython.int
) -> object:
    """Append a part of a run of plain text, with other marks."""
    part: Run
    if first < last:
        part = made_run(run.text[first:last])
        part.link = run.link
        part.marks = marks
        runs.append(part)


def first_sign(run: Run) -> cython.Py_UCS4:
    """What a run is written with at its start, marks aside."""
    return "<" if run.code or run.shift is not None else run.text[0]


def last_sign(run: Run) -> cython.Py_UCS4:
    """What a run is written with at its end, marks aside."""
    return ">" if run.code or run.shift is not None else run.text[len(run.text) - 1]


def is_sign(ch: cython.Py_UCS4) -> cython.bint:
    """Whether a mark beside a character may be none."""
    if ch < "\x80":
        return not ch.isalnum() and not ch.isspace()
    return category(chr(ch))[0] in "PS"


def touches(ch: cython.Py_UCS4) -> cython.bint:
    """Whether a mark between a sign and this character would be none."""
    if ch < "\x80":
        return ch.isalnum()
    return not ch.isspace() and category(chr(ch))[0] != "P"


def first_word(text: str) -> cython.Py_ssize_t:
    """Where the signs end that an escaped text begins with."""
    at: cython.Py_ssize_t = 0
    while at < len(text) and is_sign(text[at]):
        at += 2 if text[at] == "\\" else 1
    return min(at, len(text))


def last_word(text: str) -> cython.Py_ssize_t:
    """Where the signs begin that an escaped text ends with."""
    at: cython.Py_ssize_t = 0
    last: cython.Py_ssize_t = 0
    if not is_sign(text[len(text) - 1]):
        return len(text)
    while at < len(text):
        if text[at] == "\\":  # as is what follows it
            at += 2
            continue
        at += 1
        if not is_sign(text[at - 1]):
            last = at
    return last


def marked_text(
    runs: list,
    at: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    marks: cython.int,
    after: cython.bint,
    before: cython.bint,
) -> str:
    """Some of the runs with all but their links; of marks that begin together, the one that goes on
    longer is around the other.

    Args:
        marks: which are written; the others stand around.
        after: whether the first touches a word before it.
        before: whether the last touches a word after it.
    """
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    bit: cython.int
    own: cython.int
    mark: cython.int
    cut: cython.int = 0  # of marks that go on after one around them has ended
    touched: cython.bint
    text: str
    written: list = []
    while at < end:
        first = at
        own = 0
        while at < end and not own:
            cut &= cython.cast(Run, runs[at]).marks
            own = cython.cast(Run, runs[at]).marks & marks & ~cut
            at += not own
        if at > first:
            written.append(index_text(runs, first, at))
            after = touches(last_sign(runs[at - 1]))
            continue
        mark = 0
        for bit in range(len(MARKS)):
            last = first
            while last < end and own & cython.cast(Run, runs[last]).marks & 1 << bit:
                last += 1
            if last > at:
                at = last
                mark = bit
        touched = touches(first_sign(runs[at])) if at < end else before
        text = marked_text(runs, first, at, marks & ~cut & ~(1 << mark), after, touched)
        if may_be_marked(text, MARKS[mark], after, touched):
            text = enclosed(text, MARKS[mark], MARKS[mark])
        written.append(text)
        if at < end and not (last_sign(runs[at - 1]).isspace() or first_sign(runs[at]).isspace()):
            cut = cython.cast(Run, runs[at - 1]).marks & cython.cast(Run, runs[at]).marks & marks
        after = touches(last_sign(runs[at - 1]))
    return "".join(written)


def may_be_marked(text: str, mark: str, after: cython.bint, before: cython.bint) -> cython.bint:
    """Whether marks around a text would be some. Signs need none, beside which they may be taken
    for others; and code, for one, is written with signs, which may touch a word."""
    body: str = text.strip(mark[0])  # marks in marks of the same sign are one with them
    if not any(map(str.isalnum, body)):
        return False
    return not (after and is_sign(body[0])) and not (before and is_sign(body[len(body) - 1]))


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

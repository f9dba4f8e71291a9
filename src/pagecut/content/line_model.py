"""What of a page is its main content, line by line, and what type of page it is.

Three models of boosted trees over what `lines` reads (docs/main-text.md): a first one says
for each line how likely it is main content; a second one says of which type the page is; the third
says it for each line again, and knows what the first thinks of the lines around it, in the same
block, of the same look, in the same section, and the type of the page. Lines that look the same in
the items of one list are in or out together. What is chosen are the lines that are likeliest, as
many as promise the best F of words; none where none is likely. What a page says twice, for wide
and for small screens, or in every answer that quotes it, is chosen once. A heading or a
listing between two lines that are chosen is chosen, too; a listing or a table of data is in or out
as a whole.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from pagecut.content.line_choice import (
    choose_lines,
    close_gaps,
    complete_tables,
    drop_last_headings,
    find_copies,
    unfolds,
)
from pagecut.content.lines import read_lines
from pagecut.content.lines.features import CONTEXT_FEATURES, FAR_AWAY, LINE_FEATURES
from pagecut.content.lines.first_scores import agreed, second_table
from pagecut.content.lines.lexicon import Lexicon, word_codes
from pagecut.content.lines.table import Lines
from pagecut.evidence.models import Model, load_model
from pagecut.page import Page
from pagecut.page.addresses import split_address
from pagecut.page.declarations import own_address
from pagecut.page.nodes import Int

Float = NDArray[np.float64]
Bool = NDArray[np.bool_]
Favour = Literal["precision", "balance", "recall"]

PAGE_TYPES: Final = (
    "article",
    "collection",
    "documentation",
    "forum",
    "listing",
    "product",
    "service",
)
OTHER: Final = "other"
# How much more recall counts than precision where the F of words is promised.
FAVOURS: Final[Mapping[Favour, float]] = {"precision": 0.5, "balance": 1.0, "recall": 2.0}
UNLIKELY: Final = 0.05  # what the first model says of lines that the second is not asked about
COPIED: Final = 8  # words from which a line that comes again is a copy, and no refrain
LIKELY: Final = 0.25  # of the likeliest line of a page that has main text
_IN_FRONT: Final = 0.3  # of the words of a page: a dialog with more is what the page is about
_ASKED_AT_ONCE: Final = 1 << 16  # lines; of a million the second table would fill a gigabyte
_AT_ONCE: Final = 2000  # lines of a table that are multiplied; for more, BLAS wakes its threads
_LONGEST_DATA: Final = 60_000  # characters of linked data that are read
_COMMENTS: Final = LINE_FEATURES.index("named comments")
_SAME_TEXT: Final = LINE_FEATURES.index("same text")
_MARKS, _COMING_AGAIN = (  # what stands in the latter may well come again, and is no copy
    np.array([LINE_FEATURES.index(name) for name in names], dtype=np.int32)
    for names in (
        ("in dialog", "hidden", "in heading", "in preformatted"),
        ("in preformatted", "in code", "in table"),
    )
)
_HERE: Final = Path(__file__).parent
_ADDRESS_WORDS: Final = (
    ("article", "article articles news story stories blog blogs post posts"),
    ("collection", "collection collections category categories shop c catalog store"),
    ("documentation", "docs doc documentation guide reference manual api learn tutorial wiki"),
    ("forum", "forum forums thread threads topic topics discussion questions t r viewtopic"),
    ("listing", "search list listing listings browse archive tag tags jobs events index"),
    ("product", "product products p item items dp pd sku buy"),
    ("service", "service services solutions pricing about features platform enterprise"),
)
_ADDRESS_WORD: Final = {
    word: place for place, (_, words) in enumerate(_ADDRESS_WORDS) for word in words.split()
}
_OF_ADDRESS: Final = (
    *(f"address says {name}" for name, _ in _ADDRESS_WORDS),
    "depth of the address",
    "length of the address",
    "digits in the address",
    "dashes in the address",
    "query of the address",
)
# Types of linked data (schema.org), and of Open Graph, that say something of the page's.
_DATA_TYPES: Final = (
    ("article", "article newsarticle blogposting reportagenewsarticle opinionnewsarticle recipe"),
    ("collection", "collectionpage itemlist offercatalog productcollection"),
    ("documentation", "techarticle howto apireference"),
    ("forum", "discussionforumposting qapage question socialmediaposting"),
    ("listing", "searchresultspage jobposting event musicalbum movie tvseries"),
    ("product", "product productgroup offer aggregateoffer individualproduct"),
    ("service", "service localbusiness softwareapplication webapplication faqpage"),
)
_DATA_TYPE: Final = {
    name: place for place, (_, names) in enumerate(_DATA_TYPES) for name in names.split()
}
_GRAPH_TYPES: Final = {"article": 0, "product": 1, "website": 2}
_OF_DECLARATIONS: Final = (
    *(f"data says {name}" for name, _ in _DATA_TYPES),
    *(f"graph says {name}" for name in _GRAPH_TYPES),
)
_TYPE: Final = '"@type"'
_DATA_TYPE_OF: Final = re.compile(r'\s*+:\s*+(?:\[\s*+)?"([A-Za-z]+)"')
PAGE_FEATURES: Final = (
    *(f"{name}, mean over words" for name in LINE_FEATURES),
    *(f"{name}, mean over content" for name in LINE_FEATURES),
    "content",
    "most content",
    "content of lines",
    *_OF_ADDRESS,
    *_OF_DECLARATIONS,
)
SECOND_FEATURES: Final = (
    *LINE_FEATURES,
    *CONTEXT_FEATURES,
    *(f"is {name}" for name in PAGE_TYPES),
)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Content:
    """What the models say of a page.

    Args:
        spans: (m, 2) ranges of the page's text: its lines.
        tokens: (m,) words of each.
        probability: (m,) that it is main content.
        hidden: (m,) whether the markup hides where it begins.
        comments: (m,) whether something around it is called comments or replies.
        headings: (m,) whether it is a heading.
        preformatted: (m,) whether it is a line of preformatted text: code, mostly.
        tables: (m,) the data table that it is in; -1 for none.
        texts: (m,) a code for its text; 0 where it is none that comes again as a copy.
        again: (m,) whether the page has its text twice.
        parents: (m,) what its block lies in; what comes again in there is no copy.
        types: how likely each of PAGE_TYPES is; OTHER alone for a page without text.
    """

    spans: Int
    tokens: Float
    probability: Float
    hidden: Bool
    comments: Bool
    headings: Bool
    preformatted: Bool
    tables: Int
    texts: NDArray[np.uint64]
    again: Bool
    parents: Int
    types: Mapping[str, float]

    @property
    def page_type(self) -> str:
        """The likeliest type."""
        return max(self.types, key=self.types.__getitem__)

    def choose(self, favour: Favour = "balance", comments: bool = True) -> Bool:
        """(m,) the lines that are the main text.

        Those of precision are among those of balance, and these among those of recall; where there
        are some of balance, there are some of precision.

        Args:
            comments: whether comments may be among them; they are in a forum, and where balance
                chooses nothing else.
        """
        likely = len(self.probability) and self.probability.max() >= LIKELY
        if favour != "recall" and not likely:
            return np.zeros(len(self.probability), dtype=bool)
        probability = self.probability
        balanced = choose_lines(probability, self.tokens)
        if self.hidden.any() and not unfolds(balanced, self.hidden, self.tokens):
            probability = np.where(self.hidden, 0.0, probability)
            balanced = choose_lines(probability, self.tokens)
        chosen = self._made_whole(balanced)
        left_out = np.zeros_like(chosen)
        if not comments and self.page_type != "forum" and not self.comments[chosen].all():
            left_out = self.comments
        chosen &= ~left_out
        if favour != "balance":  # more lines may well be made whole without some of fewer: copies
            asked = self._made_whole(choose_lines(probability, self.tokens, FAVOURS[favour]))
            asked &= ~left_out
            if favour == "recall":
                chosen |= asked
            elif (chosen & asked).any():
                chosen &= asked
        return chosen

    def _made_whole(self, chosen: Bool) -> Bool:
        """(m,) chosen lines with each text once, tables and listings as a whole or not; as they are
        where that leaves none."""
        copies = np.zeros_like(chosen)
        if self.texts.any() and self.page_type != "documentation":  # says the same of many things
            copies = find_copies(chosen, self.probability, self.texts, self.again, self.parents)
        whole = chosen & ~copies
        complete_tables(whole, self.tables, self.hidden, self.tokens)
        close_gaps(whole, self.headings, self.preformatted, self.hidden, copies, self.tokens)
        drop_last_headings(whole, self.headings, self.probability)
        return whole if whole.any() else chosen


def read_content(page: Page) -> Content:
    """What the models say of a page, asked once."""
    found = page.__dict__.get("_content")
    if found is None:
        found = page.__dict__["_content"] = _ask_models(page)
    return found


def _ask_models(page: Page) -> Content:
    lines = read_lines(page, known_words(), known_names())
    if not lines.count:
        return Content(
            spans=lines.spans,
            tokens=np.zeros(0),
            probability=np.zeros(0),
            hidden=np.zeros(0, dtype=bool),
            comments=np.zeros(0, dtype=bool),
            headings=np.zeros(0, dtype=bool),
            preformatted=np.zeros(0, dtype=bool),
            tables=np.zeros(0, dtype=np.int32),
            texts=np.zeros(0, dtype=np.uint64),
            again=np.zeros(0, dtype=bool),
            parents=np.zeros(0, dtype=np.int32),
            types={OTHER: 1.0},
        )
    first = first_model().scores(lines.table)[:, 0]
    types = type_model().scores(page_row(page, lines, first))[0]
    (likely,) = (first >= UNLIKELY).nonzero()
    probability = first.copy()
    for at in range(0, len(likely), _ASKED_AT_ONCE):
        asked = likely[at : at + _ASKED_AT_ONCE]
        probability[asked] = second_model().scores(second_table(lines, first, types, asked))[:, 0]
    return content_of(lines, probability, types)


def content_of(lines: Lines, probability: Float, types: Float) -> Content:
    """What is made of the models' answers about the lines of a page, if it has any."""
    tokens = lines.tokens.astype(np.float64)
    dialog, hidden, headings, preformatted = lines.above_zero(_MARKS)
    # What stands in front of the page until somebody answers; few pages had one to learn from.
    if dialog.any() and tokens[dialog].sum() < _IN_FRONT * tokens.sum():
        probability = np.where(dialog, 0.0, probability)
    return Content(
        spans=lines.spans,
        tokens=tokens,
        probability=agreed(lines, probability),
        hidden=hidden,
        comments=lines.table[:, _COMMENTS] <= FAR_AWAY,
        headings=headings,
        preformatted=preformatted,
        tables=lines.tables,
        texts=lines.copied_texts(COPIED, _COMING_AGAIN),
        again=lines.table[:, _SAME_TEXT] > 1,
        parents=lines.parents,
        types=dict(zip(PAGE_TYPES, types.tolist(), strict=True)),
    )


def page_row(page: Page, lines: Lines, first: Float) -> NDArray[np.float32]:
    """(1, PAGE_FEATURES) what the model of types reads."""
    weights = np.empty((2, lines.count), dtype=np.float32)
    of_words = lines.tokens / lines.tokens.sum()
    content = of_words * first
    share = float(content.sum())
    weights[0], weights[1] = of_words, content / (share + 1e-9)
    means = weights[:, :_AT_ONCE] @ lines.table[:_AT_ONCE]
    for at in range(_AT_ONCE, lines.count, _AT_ONCE):
        means += weights[:, at : at + _AT_ONCE] @ lines.table[at : at + _AT_ONCE]
    said = (*_address_row(page.url or own_address(page.declarations)), *_declared_row(page))
    mean = first.sum() / lines.count
    of_page = np.array([share, first.max(), mean, *said], dtype=np.float32)
    return np.concatenate([means.ravel(), of_page]).reshape(1, -1)


def _declared_row(page: Page) -> list[float]:
    found = [0.0] * len(_OF_DECLARATIONS)
    for tag, attrs in page.declarations:
        if tag == "script":
            content = attrs.get("content") or ""
            at = content.find(_TYPE, 0, _LONGEST_DATA)
            while at >= 0:
                if match := _DATA_TYPE_OF.match(content, at + len(_TYPE)):
                    place = _DATA_TYPE.get(match[1].lower())
                    if place is not None:
                        found[place] += 1
                at = content.find(_TYPE, at + len(_TYPE), _LONGEST_DATA)
        elif attrs.get("property") == "og:type":
            content = (attrs.get("content") or "").strip().lower()
            place = _GRAPH_TYPES.get(content.partition(".")[0])
            if place is not None:
                found[len(_DATA_TYPES) + place] = 1.0
    return found


def _address_row(url: str | None) -> list[float]:
    found = [0.0] * len(_OF_ADDRESS)
    if not url:
        return [-1.0] * len(_OF_ADDRESS)
    address = split_address(url)
    path = address.path[:2000].lower()
    host = (address.hostname or "").lower()
    names = len(_ADDRESS_WORDS)
    for word in "".join(each if each.isalpha() else " " for each in path).split():
        place = _ADDRESS_WORD.get(word)
        if place is not None:
            found[place] = max(found[place], 1.0)
    for word in host.split("."):
        place = _ADDRESS_WORD.get(word)
        if place is not None:
            found[place] = 2.0
    parts = [part for part in path.split("/") if part]
    found[names] = float(len(parts))
    found[names + 1] = float(len(parts[-1])) if parts else 0.0
    found[names + 2] = float(sum(map(str.isdigit, path)))
    found[names + 3] = float(path.count("-"))
    found[names + 4] = float(bool(address.query))
    return found


def lexicon(words: Mapping[str, Sequence[float]]) -> Lexicon:
    """What single words say, from what each says twice: see `Lexicon`."""
    return Lexicon([word_codes(word, 0, len(word))[0] for word in words], list(words.values()))


@cache
def known_words() -> Lexicon:
    """What words of the text say."""
    return lexicon(json.loads((_HERE / "words.json").read_bytes())["words"])


@cache
def known_names() -> Lexicon:
    """What words in the names of elements say."""
    return lexicon(json.loads((_HERE / "names.json").read_bytes())["words"])


@cache
def first_model() -> Model:
    """What says of lines alone how likely they are main content."""
    return load_model(_HERE / "lines.model.json").check(LINE_FEATURES)


@cache
def type_model() -> Model:
    """What says of which type a page is."""
    return load_model(_HERE / "page_type.model.json").check(PAGE_FEATURES, PAGE_TYPES)


@cache
def second_model() -> Model:
    """What says of lines how likely they are main content, with all that is around them."""
    return load_model(_HERE / "main_text.model.json").check(SECOND_FEATURES)

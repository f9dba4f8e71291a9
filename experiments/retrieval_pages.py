"""Pages for the retrieval experiment: documents laid among known amounts of noise.

Every document is the own article of one page, on each noise level the same page of the same site,
so that queries and relevant pages stay the same and only what stands around the article changes:
a menu, teasers of other documents (half of them of the same topic, as related links are), whole
articles about something else ("guests", which answer no query), advertisements and comments.

The collection was written before any method was scored on it, and is frozen: to change it makes all
figures of docs/retrieval.md stale. `FINGERPRINT` of its test says whether it did change.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from retrieval_documents import Collection, Document
from retrieval_sites import SITES, Site

_AD_WORDS: Final = """amazing battery bargain bonus boots brand camera carpet cashback chair coffee
    comfort coupon cream credit cruise deal delivery diet discount dress exclusive fitness flight
    free garden gift gold holiday hotel insurance jewellery kitchen leather loan luxury mattress
    membership mortgage offer organic outlet perfume phone pillow premium price protein rental
    sale sandals saving shampoo shipping shoes silver sofa solar spa summer sunglasses tablet
    trial voucher vacation warranty watch weekend wine""".split()
_AD_LINES: Final = (
    "Only today: {} and {} for half the {}.",
    "Get your {} {} with free {}.",
    "The {} everybody talks about. Now with {} and {}.",
    "New {} from our {} outlet, {} included.",
)
_CHATTER: Final = """
    I tried this last week and it worked for me at once, thank you for writing it down.
    Not sure I agree. In my experience it is the other way round.
    Could somebody explain the second part again? I do not get it.
    First!
    This saved my evening, you have no idea how long I had been looking.
    My brother in law says the old way was better and I think he is right.
    Nice article, but the picture at the top is missing.
    Has anybody seen the same thing after the last update?
    Please write more about this, there is so little to find.
    I have a question about something else, where should I ask it?
    Works here. Does not work at the office, though, and nobody knows why.
    Thanks, bookmarked for later.
    You forgot to say that one has to start again afterwards.
    This is the third time I read this page and each time I learn something.
    Great, now I have to do all of it again from the beginning.
""".strip().splitlines()
_MENU: Final = """
    Home|News|About us|Archive|Contact|Search|Downloads|Forum|Newsletter|Site map|Log in|Register|
    Frequently asked questions|Help|Imprint|Jobs|Partners|Shop|Events|Press
""".split("|")
_NAMES: Final = (
    "alba bor cato dunja edda fritz gul hana ivo jora kim lev mira nilo olga pim".split()
)
_MONTHS: Final = "January March April June August October December".split()
SHORTEST_MENU: Final = 8  # words


@dataclass(frozen=True, slots=True)
class Noise:
    """A noise level.

    Args:
        share: about which part of a page's words is its own article.
        guests, comments, teasers, ads: which part of all other words each of them has; what is left
            is the menu, at most its whole length.
    """

    name: str
    share: float
    guests: float = 0.0
    comments: float = 0.0
    teasers: float = 0.0
    ads: float = 0.0


LEVELS: Final = (
    Noise("none", 1.0),
    Noise("light", 0.7, teasers=0.4, ads=0.2),
    Noise("medium", 0.4, guests=0.4, comments=0.2, teasers=0.2, ads=0.1),
    Noise("heavy", 0.2, guests=0.5, comments=0.2, teasers=0.15, ads=0.1),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoisyPage:
    """One page.

    Args:
        document: id of its own article.
        own_share: which part of the words it was made of is the own article.
    """

    name: str
    document: str
    site: str
    own_share: float
    html: str


def make_pages(collection: Collection, noise: Noise) -> Iterator[NoisyPage]:
    """A page for every document."""
    answers = frozenset().union(*collection.relevant.values())
    pool = [document for document in collection.documents if document.id not in answers]
    siblings: dict[str, list[Document]] = {}
    for document in collection.documents:
        siblings.setdefault(document.topic, []).append(document)
    for document in collection.documents:
        random = Random(f"page {document.id} {noise.name}")
        site = Random(f"site {document.id}").choice(SITES)
        near = siblings[document.topic] if document.topic else []
        maker = _Maker(site, document, near, collection.documents, pool, random)
        yield maker.make(noise)


class _Maker:
    """Makes one page."""

    def __init__(
        self,
        site: Site,
        document: Document,
        near: Sequence[Document],
        everything: Sequence[Document],
        pool: Sequence[Document],
        random: Random,
    ) -> None:
        self.site, self.document, self.random = site, document, random
        self.near = [each for each in near if each is not document]
        self.everything = everything
        self.pool = pool

    def make(self, noise: Noise) -> NoisyPage:
        own = self.document.words
        rest = own / noise.share - own
        site = self.site
        used = 0

        def block(frame: str, piece: Callable[[], tuple[str, int]], share: float) -> str:
            nonlocal used
            pieces, words = self.repeat(piece, share * rest)
            used += words
            return frame.format(items="".join(pieces)) if pieces else ""

        parts = {
            "guests": block("{items}", self.guest, noise.guests if self.pool else 0.0),
            "comments": block(site.block_of_comments, self.comment, noise.comments),
            "related": block(site.block_of_related, self.teaser, noise.teasers),
            "ads": block(site.block_of_ads, self.advertisement, noise.ads),
        }
        entries = iter(self.random.sample(_MENU, len(_MENU)))
        menu, words = [], 0
        while (
            rest
            and (words < SHORTEST_MENU or used + words < rest)
            and (entry := next(entries, None)) is not None
        ):
            menu.append(site.link.format(text=entry.strip()))
            words += len(entry.split())
        if not rest:  # nothing around the article, not even the site's name
            page = f"<html><head><title></title></head><body>{self.article(self.document)}"
        else:
            page = site.page.format(
                title=html.escape(self.headline(self.document)),
                own=self.article(self.document),
                menu="".join(menu),
                **parts,
            )
        return NoisyPage(
            name=f"{site.name}/{self.document.id}.html",
            document=self.document.id,
            site=site.name,
            own_share=own / (own + used + words),
            html=page,
        )

    def repeat(self, piece: Callable[[], tuple[str, int]], words: float) -> tuple[list[str], int]:
        """So many pieces that their words come nearest to a number."""
        pieces: list[str] = []
        total = 0
        while total < words:
            text, size = piece()
            if total + size / 2 > words:
                break
            pieces.append(text)
            total += size
        return pieces, total

    def headline(self, document: Document) -> str:
        """The first words of a document: its heading is the query and is not shown."""
        words = document.paragraphs[0].split()
        return " ".join(words[:6]) + (" …" if len(words) > 6 else "")

    def article(self, document: Document) -> str:
        text = "".join(
            self.site.paragraph.format(text=html.escape(each)) for each in document.paragraphs
        )
        return self.site.article.format(title=html.escape(self.headline(document)), text=text)

    def guest(self) -> tuple[str, int]:
        document = self.random.choice(self.pool)
        return self.article(document), document.words

    def teaser(self) -> tuple[str, int]:
        related = self.near and self.random.random() < 0.5
        document = self.random.choice(self.near if related else self.everything)
        words = document.paragraphs[0].split()[: self.random.choice((6, 15, 30))]
        title = html.escape(self.headline(document))
        text = self.site.related.format(title=title, text=html.escape(" ".join(words)))
        return text, len(words) + 6

    def advertisement(self) -> tuple[str, int]:
        lines = self.random.sample(_AD_LINES, self.random.choice((1, 2)))
        text = " ".join(
            line.format(*self.random.sample(_AD_WORDS, line.count("{}"))) for line in lines
        )
        title = " ".join(self.random.sample(_AD_WORDS, 2)).title()
        return self.site.ad.format(title=title, text=text), len(text.split()) + 2

    def comment(self) -> tuple[str, int]:
        """Small talk; one comment in five quotes the article, one in three talks of another."""
        parts = self.random.sample(_CHATTER, self.random.choice((1, 1, 2, 3)))
        chance = self.random.random()
        if chance < 0.2:
            parts.insert(0, f"“{self.sentence(self.document)}”")
        elif chance < 0.53:
            parts.append(self.sentence(self.random.choice(self.everything)))
        text = " ".join(each.strip() for each in parts)
        date = f"{self.random.randint(1, 28)} {self.random.choice(_MONTHS)}"
        comment = self.site.comment.format(
            name=self.random.choice(_NAMES), date=date, text=html.escape(text)
        )
        return comment, len(text.split()) + 3

    def sentence(self, document: Document) -> str:
        words = self.random.choice(document.paragraphs).split()
        start = self.random.randrange(max(1, len(words) - 20))
        return " ".join(words[start : start + 20])

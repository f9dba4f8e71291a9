"""A collection for near-duplicate detection, after the LYRICS pages of the paper.

Kohlschütter & Nejdl 2008, §5.4, took the same songs from three web sites, and as many other pages.
Here every song stands on all of `SITES`, once per page, among navigation, ads, links, related texts
and comments that differ from page to page; every other song stands on one of them.

- A page's own text, the song, is 20 to 60 % of its tokens; how much is set by the noise level.
- On a third of the pages the comments are about as long as the song, and so are the related texts;
  there the song is 20 to 30 % at every level. A single comment or related text is shorter.
- Sites type the words a little differently, the more the higher the level.

The collection was written before any segmenter was scored on it, and is frozen: to change it makes
all figures of docs/near-duplicates.md stale. `FINGERPRINT` of its test says whether it did change.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from sites import SITES, Site
from songs import Song, make_date, make_name, make_prose, make_song, make_title, misheard

_MARKUP = re.compile(r"<head>.*?</head>|<script.*?</script>|<[^>]*>", re.DOTALL)
_TOKEN = re.compile(r"\S*[^\W_]\S*")

CROWDED_SHARE: Final = (0.21, 0.30)
INTERRUPTED: Final = 1 / 8


@dataclass(frozen=True, slots=True)
class Noise:
    """A noise level.

    Args:
        share: least and largest part of a page's tokens that is the song.
        edits: for each word, the probability that a site typed it differently.
    """

    name: str
    share: tuple[float, float]
    edits: float


LEVELS: Final = (
    Noise("light", (0.45, 0.58), 0.0),
    Noise("medium", (0.30, 0.45), 0.005),
    Noise("heavy", (0.21, 0.30), 0.01),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LyricsPage:
    """One page.

    Args:
        text: number of its song; pages with the same number are duplicates of each other.
        crowded: whether comments and related texts are each as long as the song.
        own_tokens: tokens of the song as printed here.
    """

    name: str
    text: int
    site: str
    crowded: bool
    own_tokens: int
    html: str


def make_pages(noise: Noise, texts: int = 300, others: int = 300) -> Iterator[LyricsPage]:
    """The collection at one noise level.

    Args:
        texts: songs that stand on every site.
        others: songs that stand on one site only.
    """
    artists = [make_name(Random(f"artist {number}")) for number in range(40)]
    for number in range(texts + others):
        random = Random(f"song {number}")
        song = make_song(random.choice(artists), random)
        sites = SITES if number < texts else (random.choice(SITES),)
        for place, site in enumerate(sites):
            page_random = Random(f"page {number} {site.name} {noise.name}")
            crowded = (number + place) % 3 == 0
            typed = misheard(song, noise.edits, page_random)
            html, own = make_page(site, typed, noise, crowded, page_random)
            yield LyricsPage(
                name=f"{site.name}/{number:04}.html",
                text=number,
                site=site.name,
                crowded=crowded,
                own_tokens=own,
                html=html,
            )


def make_page(
    site: Site, song: Song, noise: Noise, crowded: bool, random: Random
) -> tuple[str, int]:
    """A page's HTML and the tokens of the song in it."""
    body = set_song(site, song, random)
    own = count_tokens(body)
    frame = site.page.replace("{song}", body)
    frame = frame.replace("{title}", song.title).replace("{artist}", song.artist)
    share = random.uniform(*(CROWDED_SHARE if crowded else noise.share))
    rest = own / share - count_tokens(frame)
    if crowded:
        comment_tokens, related_tokens = (own * random.uniform(0.9, 1.1) for _ in range(2))
    else:
        comment_tokens, related_tokens = (
            min(rest * random.uniform(0.2, 0.35), own * 0.6) for _ in range(2)
        )
    parts = {
        "comments": repeat(lambda: make_comment(site, random), comment_tokens),
        "related": repeat(lambda: make_related(site, random), related_tokens),
    }
    rest -= sum(map(count_tokens, parts.values()))
    parts["links"] = repeat(lambda: make_link(site, random), rest)
    for name, html in parts.items():
        frame = frame.replace("{" + name + "}", html)
    return frame, own


def set_song(site: Site, song: Song, random: Random) -> str:
    """The song in a site's markup."""
    verses = [
        site.verse.format(
            site.line_join.join(
                site.line.format(line[:1].upper() + line[1:] + site.stop) for line in verse if line
            )
        )
        for verse in song.verses
    ]
    if site.interruption and random.random() < INTERRUPTED:
        verses.insert(len(verses) // 2, site.interruption)
    return site.verse_join.join(verses)


def make_comment(site: Site, random: Random) -> str:
    text = make_prose(random.choice((4, 8, 15, 15, 30, 60)), random)
    return site.comment.format(name=make_name(random), date=make_date(random), text=text)


def make_related(site: Site, random: Random) -> str:
    """A related text: the first words of another song, or some lines about one."""
    other = make_song(make_name(random), random)
    if random.random() < 0.5:
        text = " / ".join(other.verses[0]) + " ..."
    else:
        text = make_prose(random.choice((10, 20, 40)), random)
    return site.related.format(title=other.title, name=other.artist, text=text)


def make_link(site: Site, random: Random) -> str:
    return site.link.format(text=make_title(random))


def repeat(make: Callable[[], str], tokens: float) -> str:
    """So many pieces that their tokens come nearest to a number."""
    pieces: list[str] = []
    total = 0
    while total < tokens:
        piece = make()
        size = count_tokens(piece)
        if total + size / 2 > tokens:
            break
        pieces.append(piece)
        total += size
    return "".join(pieces)


def count_tokens(html: str) -> int:
    return len(_TOKEN.findall(_MARKUP.sub(" ", html)))

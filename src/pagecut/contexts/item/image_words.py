"""Groups of words that names and texts around an image use, and what they tell of it.

Names have whole words, so that the letters of a hash say nothing, or words that may stand anywhere.
Each group is a pattern; a text is read for all of them at once where that gives the same.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import Final

from pagecut.evidence.names import WordFinder

# The groups, as bits.
SIGN: Final = 1
SOCIAL: Final = 2
LOGO: Final = 4
LOGO_CLASS: Final = 8
ICON_CLASS: Final = 16
AD_CLASS: Final = 32
AD_NAME: Final = 64
PICTURE_CLASS: Final = 128
OVERLAY_CLASS: Final = 256
NAVIGATION: Final = 512
HEADING_NAME: Final = 1024
UPLOAD_FOLDER: Final = 2048
LAYOUT_FOLDER: Final = 4096
FORM_WORDS: Final = 8192
SIGN_IN: Final = 16384
COPYRIGHT: Final = 32768

# For each group its whole words, then those that may stand anywhere, as alternatives of a pattern
# with nothing but letters, "?", "[…]" and "(?:…)".
_GROUPS: Final[dict[int, tuple[str, str]]] = {
    SIGN: (
        "ico|prev|next|close|expand|submit|zoom|cart|login|menu|home|print|feed|search|stars?|"
        "rating|play|flag|comment|sign|trans|clear|bg|background|line|tl|tr|bl|br|dot|hr|px|1x1|"
        "shim|top|bottom|pixel|blank|corner|puce|spin",
        "icon|button|arrow|bullet|btn|bttn|sprite|spacer|shadow|divide|separat|transparent|"
        "spinner|loader|loading",
    ),
    SOCIAL: (
        "fb|gplus|rss|share|xing|vimeo|flickr|social",
        "facebook|twitter|pinterest|instagram|youtube|whatsapp|linkedin|google-?plus|telegram",
    ),
    LOGO: ("header", "logo|brand|masthead|sponsor|partner|footer"),
    LOGO_CLASS: ("", "logo|brand"),
    ICON_CLASS: ("ico", "icon|button|btn|arrow|bullet|emoji|smiley|spinner|loading"),
    AD_CLASS: (
        "ads?|adv|dfp|gpt|taboola|outbrain|promoted|werbung|anzeige|publi",
        "advert|sponsor|publicid|reklam",
    ),
    AD_NAME: (
        "ads?",
        "advert|banner|2mdn|doubleclick|promo|sponsor|taboola|outbrain|werbung|300x250|728x90|"
        "300x600|160x600",
    ),
    PICTURE_CLASS: (
        "",
        "thumb|photo|foto|pict|gallery|teaser|article|story|post|product|attachment|wp-image|"
        "avatar|featured|lead|hero|headline|news",
    ),
    OVERLAY_CLASS: ("", "overlay|badge|label|logo|brand|watermark"),
    NAVIGATION: (
        "nav|navigation|menu|masthead|topbar|toolbar|lang|breadcrumbs?|login|search",
        "footer|navbar|submenu|topnav",
    ),
    HEADING_NAME: ("title|titel|titre|titulo|heading|headline|head|hdr", ""),
    UPLOAD_FOLDER: (
        "",
        "upload|photo|foto|thumb|galler|galer|media|article|news|/pictures?/|/products?/|"
        "/content/|/files?/|stor(?:y|ies)",
    ),
    LAYOUT_FOLDER: (
        "",
        "/(?:assets?|css|styles?|themes?|templates?|skins?|layouts?|design|icons?|buttons?|static|"
        "common|global|ui|gfx|graphics|furniture|resources?)[/_-]",
    ),
}
# Patterns that are more than words; each match has one of these words, or a sign of its own.
_FORM = "newsletter|login|subscri|suscri|abonn|registr"
_COPYRIGHT = ("(c)", "copyright", "all rights")
FORM_PATTERN: Final = re.compile(f"{_FORM}|sign.?(?:up|in)", re.IGNORECASE)
_OTHERS: Final = {
    FORM_WORDS: FORM_PATTERN,
    COPYRIGHT: re.compile("|".join(map(re.escape, ("©", *_COPYRIGHT))), re.IGNORECASE),
}
AD_LABEL: Final = re.compile(
    r"\W*(?:anzeige|werbung|publicidade?|publicité|advert|sponsor|promoted|ads?\b|реклама|広告|"
    r"annons|reklam)",
    re.IGNORECASE,
)


def _pattern(whole: str, anywhere: str) -> re.Pattern[str]:
    alternatives = [rf"(?<![a-z])(?:{whole})(?![a-z])"] if whole else []
    return re.compile("|".join([*alternatives, anywhere] if anywhere else alternatives), re.I)


PATTERNS: Final = {bit: _pattern(*words) for bit, words in _GROUPS.items()} | _OTHERS


def groups_by_pattern(text: str) -> int:
    """The bits of the groups of which a text has words."""
    return sum(bit for bit, pattern in PATTERNS.items() if pattern.search(text))


@cache
def word_finder() -> WordFinder:
    """What finds the words of all groups at once."""
    anywhere, whole = Counter[str](), Counter[str]()
    for bit, (bordered, free) in (*_GROUPS.items(), (FORM_WORDS, ("", _FORM))):
        whole.update(dict.fromkeys(_spelled(bordered), bit))
        anywhere.update(dict.fromkeys(_spelled(free), bit))
    anywhere.update(dict.fromkeys(_COPYRIGHT, COPYRIGHT))
    anywhere["sign"] += SIGN_IN
    return WordFinder(dict(anywhere), dict(whole))


def _spelled(pattern: str) -> list[str]:
    """Every word that the alternatives of a pattern match."""
    words, _ = _spell(pattern, 0)
    return [word for word in words if word]


def _spell(pattern: str, at: int) -> tuple[list[str], int]:
    """The words from a place on, up to the bracket that ends them."""
    done: list[str] = []
    words = [""]
    while at < len(pattern) and pattern[at] != ")":
        if pattern[at] == "|":
            done, words, at = done + words, [""], at + 1
            continue
        if pattern.startswith("(?:", at):
            ends, at = _spell(pattern, at + 3)
        elif pattern[at] == "[":
            close = pattern.index("]", at)
            ends, at = list(pattern[at + 1 : close]), close
        else:
            ends = [pattern[at]]
        at += 1
        if pattern.startswith("?", at):
            ends, at = ["", *ends], at + 1
        words = [word + end for word in words for end in ends]
    return done + words, at

"""The obvious version of what the names around an image say: file, folder, classes, sizes.

Words are whole words of a name, so that the letters of a hash say nothing.
"""

from __future__ import annotations

import re
from base64 import b64decode
from struct import unpack_from
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from pagecut.page import Image

_RATIOS: Final = frozenset({(16, 9), (9, 16), (4, 3), (3, 4), (3, 2), (2, 3), (21, 9)})
_TINY: Final = 32  # pixels: both sides of a sign, as far as they are known
_THIN: Final = 24  # pixels: one side of a line, a bar or a heading drawn as a picture
_WIDE: Final = 2.6  # from this ratio of its sides, a picture is a banner or a heading
_HASH: Final = 24  # letters without a break from which a name is a hash


def _whole(words: str) -> str:
    return rf"(?<![a-z])(?:{words})(?![a-z])"


def _pattern(whole: str, anywhere: str = "") -> re.Pattern[str]:
    return re.compile(_whole(whole) + (f"|{anywhere}" if anywhere else ""), re.IGNORECASE)


SIGN: Final = _pattern(
    "ico|prev|next|close|expand|submit|zoom|cart|login|menu|home|print|feed|search|stars?|rating|"
    "play|flag|comment|sign|trans|clear|bg|background|line|tl|tr|bl|br|dot|hr|px|1x1|shim|top|"
    "bottom|pixel|blank|corner|puce|spin",
    "icon|button|arrow|bullet|btn|bttn|sprite|spacer|shadow|divide|separat|transparent|spinner|"
    "loader|loading",
)
SOCIAL: Final = _pattern(
    "fb|gplus|rss|share|xing|vimeo|flickr|social",
    "facebook|twitter|pinterest|instagram|youtube|whatsapp|linkedin|google-?plus|telegram",
)
LOGO: Final = _pattern("header", "logo|brand|masthead|sponsor|partner|footer")
LOGO_CLASS: Final = re.compile("logo|brand", re.IGNORECASE)
ICON_CLASS: Final = _pattern("ico", "icon|button|btn|arrow|bullet|emoji|smiley|spinner|loading")
AD_CLASS: Final = _pattern(
    "ads?|adv|dfp|gpt|taboola|outbrain|promoted|werbung|anzeige|publi",
    "advert|sponsor|publicid|reklam",
)
AD_NAME: Final = _pattern(
    "ads?",
    "advert|banner|2mdn|doubleclick|promo|sponsor|taboola|outbrain|werbung|300x250|728x90|300x600|"
    "160x600",
)
AD_LABEL: Final = re.compile(
    r"\W*(?:anzeige|werbung|publicidade?|publicité|advert|sponsor|promoted|ads?\b|реклама|広告|"
    r"annons|reklam)",
    re.IGNORECASE,
)
PICTURE_CLASS: Final = re.compile(
    "thumb|photo|foto|pict|gallery|teaser|article|story|post|product|attachment|wp-image|avatar|"
    "featured|lead|hero|headline|news",
    re.IGNORECASE,
)
OVERLAY_CLASS: Final = re.compile("overlay|badge|label|logo|brand|watermark", re.IGNORECASE)
NAVIGATION: Final = _pattern(
    "nav|navigation|menu|masthead|topbar|toolbar|lang|breadcrumbs?|login|search",
    "footer|navbar|submenu|topnav",
)
HEADING_NAME: Final = _pattern("title|titel|titre|titulo|heading|headline|head|hdr")
UPLOAD_FOLDER: Final = re.compile(
    "upload|photo|foto|thumb|galler|galer|media|article|news|/pictures?/|/products?/|/content/|"
    "/files?/|stor(?:y|ies)",
    re.IGNORECASE,
)
LAYOUT_FOLDER: Final = re.compile(
    "/(?:assets?|css|styles?|themes?|templates?|skins?|layouts?|design|icons?|buttons?|static|"
    "common|global|ui|gfx|graphics|furniture|resources?)[/_-]",
    re.IGNORECASE,
)
NUMBERED: Final = re.compile(r"/(?:19|20)\d\d[/-]?\d\d?|\d{4,}")
FORM_WORDS: Final = re.compile(
    "newsletter|login|sign.?(?:up|in)|subscri|suscri|abonn|registr", re.IGNORECASE
)
COPYRIGHT: Final = re.compile(r"©|\(c\)|copyright|all rights", re.IGNORECASE)
PICTURE_FILE: Final = re.compile(r"\.(?:jpe?g|png|gif|webp)$", re.IGNORECASE)

_PHOTO: Final = (".jpg", ".jpeg", ".webp", ".avif")
_SIZE_IN_NAME = re.compile(r"(?<![0-9a-z])(\d{2,4})x(\d{2,4})(?![0-9])", re.IGNORECASE)
_SIZE_IN_STYLE = re.compile(r"(?<![-a-z])(width|height)\s*:\s*(\d{1,6})(?:\.\d+)?px", re.IGNORECASE)


class FileName(NamedTuple):
    """The parts of an image's address that say something.

    Args:
        url: empty for data within the page.
        stem: the file's name without its ending; empty for a hash.
        file: with it.
        ending: in small letters, with its dot.
    """

    url: str
    stem: str
    file: str
    ending: str

    @property
    def is_photo(self) -> bool:
        return self.ending in _PHOTO


class Size(NamedTuple):
    """Sides as far as the page, the style or the name of an image tell them, in pixels."""

    width: int | None
    height: int | None

    def _sides(self) -> list[int]:
        return [side for side in self if side is not None]

    @property
    def known(self) -> bool:
        return self.width is not None or self.height is not None

    @property
    def tiny(self) -> bool:
        sides = self._sides()
        return bool(sides) and max(sides) <= _TINY and (self.width, self.height) not in _RATIOS

    @property
    def thin(self) -> bool:
        sides = self._sides()
        return bool(sides) and min(sides) <= _THIN and not self.tiny and max(sides) > _TINY

    @property
    def large(self) -> bool:
        width, height = self
        return self.known and (width is None or width >= 100) and (height is None or height >= 80)

    @property
    def wide(self) -> bool:
        width, height = self
        return width is not None and bool(height) and width >= _WIDE * (height or 1)


def split_name(url: str) -> FileName:
    """The parts of an image's address."""
    if url.startswith("data:"):
        return FileName("", "", "", "")
    path = split_path(url)
    file = path.rsplit("/", 1)[-1]
    stem, dot, ending = file.rpartition(".")
    stem, ending = (stem, dot + ending.lower()) if dot else (file, "")
    if len(stem) >= _HASH and "-" not in stem and "_" not in stem:
        stem = ""
    return FileName(url, stem, file, ending)


def split_path(url: str) -> str:
    """The path of an address; empty if it is broken."""
    try:
        return urlsplit(url).path
    except ValueError:
        return ""


def size_of(image: Image, style: str) -> Size:
    """An image's size: as declared, else by its style, else by its data or its name."""
    width, height = image.width, image.height
    if style and (width is None or height is None):
        sides = {name.lower(): int(value) for name, value in _SIZE_IN_STYLE.findall(style)}
        width = sides.get("width") if width is None else width
        height = sides.get("height") if height is None else height
    if width is not None or height is not None:
        return Size(width, height)
    url = image.src or ""
    if url.startswith("data:"):
        return _size_of_data(url)
    found = _SIZE_IN_NAME.findall(url[-120:])
    return Size(int(found[-1][0]), int(found[-1][1])) if found else Size(None, None)


def _size_of_data(url: str) -> Size:
    """The size that the first bytes of a GIF or PNG file tell."""
    head, _, data = url[:160].partition(",")
    if not head.endswith(";base64"):
        return Size(None, None)
    try:
        start = b64decode(data[:32])
    except ValueError:
        return Size(None, None)
    if start.startswith(b"GIF8") and len(start) >= 10:
        return Size(*unpack_from("<HH", start, 6))
    if start.startswith(b"\x89PNG") and len(start) >= 24:
        return Size(*unpack_from(">II", start, 16))
    return Size(None, None)

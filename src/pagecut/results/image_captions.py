"""A caption for each image of a corpus: its own, else what its alt text or its context says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from pagecut.results.image_context import ImageContext, Spans
from pagecut.results.image_variants import variant_of

CAPTION_LENGTH: Final = 300
SHARED: Final = 3  # pictures that make an alt text say nothing of one
# An alt text of nothing but these says no more than that there is an image.
_EMPTY_WORDS: Final = frozenset(
    """a alt article author avatar background banner bild blank blog cover customer default feature
    featured foto gallery header hero icon illustration image imagem imagen images img logo main no
    none null object of photo photos pic picture pictures placeholder post product profile s slide
    text the thumb thumbnail title undefined untitled uploaded user""".split()
)
_WORD: Final = re.compile(r"[^\W\d_]+")
_NO_ALT: Final = ("no alternative text", "no alt text", "enter image description")
_FILE_NAME: Final = re.compile(
    r"\.(?:avif|bmp|gif|jpe?g|png|svg|tiff?|webp)\Z|\A(?:https?:|www\.|//)|\d{7}", re.IGNORECASE
)
_SLUG: Final = re.compile(r"_|\d{4}|-[^-]*-[^-]*-")


def captioned(contexts: Sequence[ImageContext]) -> Iterator[tuple[ImageContext, str]]:
    """Each image that is content and has a caption, with that."""
    shared = _shared_alts(contexts)
    for context in contexts:
        if context.is_content:
            alt = context.source.alt or ""
            telling = "" if alt in shared or _says_nothing(alt) else alt
            caption = context.caption or telling or _start_of(context.text) or alt
            if caption:
                yield context, " ".join(caption.split())


def _shared_alts(contexts: Sequence[ImageContext]) -> frozenset[str]:
    """The alt texts that several pictures have, with several contexts."""
    pictures: dict[str, set[str]] = {}
    texts: dict[str, set[Spans]] = {}
    for context in contexts:
        image = context.source
        if image.alt and image.src and context.is_content:
            pictures.setdefault(image.alt, set()).add(variant_of(image.src)[0])
            texts.setdefault(image.alt, set()).add(context.spans)
    return frozenset(
        alt for alt, same in pictures.items() if len(same) >= SHARED and len(texts[alt]) > 1
    )


def _says_nothing(alt: str) -> bool:
    """Whether an alt text is only the name of a file, or a word for images."""
    if alt.lower().startswith(_NO_ALT) or _FILE_NAME.search(alt):
        return True
    if " " not in alt and alt.isascii() and _SLUG.search(alt):
        return True
    return all(word in _EMPTY_WORDS for word in _WORD.findall(alt.lower()))


def _start_of(text: str) -> str:
    if len(text) <= CAPTION_LENGTH:
        return text
    return text[: max(text.rfind(" ", 0, CAPTION_LENGTH), 0)]

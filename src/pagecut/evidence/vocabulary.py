"""What the words in names say: of classes, ids, roles, properties; and those in addresses.

Only words that many sites use count, none of a single site's. A name is read once, as bytes, by two
automata: one knows whole words (parted by signs, digits and capitals), the other stems of words
that are written together, such as "mainnav". What a word says is looked up by its letters, so that
no name needs to have been seen before.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Short = NDArray[np.int16]  # half as large as int32: what is read for each letter stays near
Long = NDArray[np.int64]

# For each group its meaning ("its name says that it is …") and its words.
GROUPS: Final[dict[str, tuple[str, str]]] = {
    "content": (
        "content: an article, a post, a story, a text",
        "content contents article articles post entry story body text main prose markdown rte "
        "richtext wysiwyg copy primary single blog newsarticle blogposting articlebody",
    ),
    "navigation": (
        "navigation: menus, breadcrumbs, pages of a list",
        "nav navigation navbar menu submenu megamenu breadcrumb breadcrumbs crumb crumbs topbar "
        "toolbar pagination pager paging tabs tab dropdown toc skip links sitemap offcanvas",
    ),
    "comments": (
        "comments and replies",
        "comment comments reply replies disqus respond discussion reactions guestbook",
    ),
    "aside": (
        "something at the side",
        "sidebar aside side rail widget widgets secondary column complementary tertiary left right",
    ),
    "footer": (
        "a footer: copyright, legal lines",
        "footer foot copyright colophon bottom legal disclaimer contentinfo imprint",
    ),
    "header": (
        "a header: banner, masthead",
        "header head masthead banner top hero topper",
    ),
    "ad": (
        "an advertisement",
        "ad ads adv advert adverts advertisement advertising sponsor sponsored sponsors promoted "
        "dfp gpt adslot outbrain taboola affiliate adsense werbung anzeige publicidad",
    ),
    "related": (
        "something related: recommended, latest, most read",
        "related recommend recommended recommendation recommendations similar more also popular "
        "trending latest recent readmore upsell crosssell suggested suggestions next prev previous "
        "mostread discover",
    ),
    "share": (
        "share bars and social networks",
        "share shares sharing social facebook twitter pinterest whatsapp linkedin instagram "
        "youtube telegram follow like likes addthis sharedaddy print email",
    ),
    "overlay": (
        "something over the page: dialogs, consent, subscriptions",
        "modal popup overlay cookie cookies consent gdpr newsletter subscribe subscription signup "
        "paywall login signin register dialog notice alert lightbox optin cta toast snackbar",
    ),
    "byline": (
        "by-line and date",
        "byline author authors date time datetime published timestamp posted datepublished "
        "datemodified reading credit source meta metadata info details",
    ),
    "tags": ("tags and categories", "tags tag category categories topic topics keywords label"),
    "person": (
        "a person: avatar, user, biography",
        "avatar gravatar user username member profile bio biography userpic person portrait",
    ),
    "product": (
        "a product: price, stock, rating, cart",
        "product products price prices sku cart buy shop stock rating ratings review reviews "
        "variant variants quantity shipping offer offers aggregaterating stars",
    ),
    "list": (
        "a list, grid or feed",
        "list listing listings grid results result feed archive collection catalog loop rows",
    ),
    "item": (
        "an item of a list: card, tile, teaser",
        "item items card cards tile tiles teaser teasers listitem cell entryitem promo thumbnail",
    ),
    "picture": (
        "a picture: photo, gallery, media",
        "figure image images img photo photos foto picture pictures gallery media thumb video "
        "embed visual featured slideshow",
    ),
    "caption": ("a caption", "caption captions figcaption legend credits captiontext"),
    "slider": ("a slider", "carousel slider swiper slide slides slick glide owl"),
    "forum": (
        "a thread of a forum: messages, questions, answers",
        "message messages thread forum quote signature postbody question answer answers vote votes "
        "topicbody",
    ),
    "hidden": (
        "hidden, or for screen readers",
        "hidden hide invisible screen reader sr visually offscreen collapsed noscript tooltip "
        "placeholder",
    ),
    "title": (
        "a title or headline",
        "title titles headline heading subtitle subhead subheading kicker eyebrow name",
    ),
    "summary": (
        "a summary: lead, deck, excerpt, description",
        "summary lead lede intro introduction standfirst excerpt dek deck abstract description "
        "desc",
    ),
    "accordion": ("an accordion", "faq faqs accordion toggle collapse collapsible expandable"),
    "form": (
        "a form: search, filters, buttons",
        "form forms search input field fields filter filters sort select facet facets button "
        "buttons btn submit checkout",
    ),
    "code": (
        "code or documentation",
        "code highlight snippet syntax example docs doc documentation api codehilite",
    ),
    "logo": ("a logo", "logo logos brand brands branding sitelogo"),
    "icon": (
        "an icon",
        "icon icons ico emoji smiley sprite arrow bullet badge svg fa glyphicon symbol",
    ),
    "wrapper": (
        "a wrapper",
        "wrap wrapper container page outer inner layout site holder root app grid row col",
    ),
    "box": ("a box", "box block module section panel portlet mod component area region"),
    "recipe": (
        "a recipe: ingredients, steps",
        "recipe recipes ingredient ingredients instruction instructions step steps directions "
        "nutrition",
    ),
    "specification": (
        "properties of a thing: specifications, options",
        "spec specs specification specifications attributes attribute properties features "
        "parameters option options detail",
    ),
}
NAMES: Final = tuple(GROUPS)
_STEMS: Final = {
    "header": "header",
    "footer": "footer",
    "sidebar": "aside",
    "nav": "navigation",
    "menu": "navigation",
    "content": "content",
    "wrapper": "wrapper",
    "container": "wrapper",
    "comment": "comments",
    "related": "related",
    "product": "product",
    "article": "content",
    "title": "title",
    "caption": "caption",
    "social": "share",
    "newsletter": "overlay",
    "cookie": "overlay",
    "author": "byline",
    "avatar": "person",
    "icon": "icon",
    "logo": "logo",
    "recipe": "recipe",
    "gallery": "picture",
    "image": "picture",
    "advert": "ad",
    "sponsor": "ad",
}
# What the words in the address of a picture say of it.
ADDRESS_GROUPS: Final[dict[str, tuple[str, str]]] = {
    "sign": (
        "a sign: arrow, button, spacer",
        "ico prev next close expand submit zoom cart login menu home print feed search star stars "
        "rating play flag comment sign trans clear bg background line tl tr bl br dot hr px shim "
        "top bottom pixel blank corner puce spin",
    ),
    "social": ("a social network", "fb gplus rss share xing vimeo flickr social"),
    "logo": ("a logo, or of the head or foot of a page", "header"),
    "ad": ("an advertisement", "ad ads"),
    "heading": (
        "a heading drawn as a picture",
        "title titel titre titulo heading headline head hdr",
    ),
    "upload": (
        "content that was uploaded",
        "picture pictures product products content file files story stories",
    ),
    "layout": (
        "a part of the layout",
        "asset assets css style styles theme themes template templates skin skins layout layouts "
        "design icons buttons static common global ui gfx graphics furniture resource resources",
    ),
}
_ADDRESS_STEMS: Final = {
    **dict.fromkeys(
        "icon button arrow bullet btn bttn sprite spacer shadow divide separat transparent spinner "
        "loader loading".split(),
        "sign",
    ),
    **dict.fromkeys(
        "facebook twitter pinterest instagram youtube whatsapp linkedin telegram".split(),
        "social",
    ),
    **dict.fromkeys("logo brand masthead sponsor partner footer".split(), "logo"),
    **dict.fromkeys("advert banner doubleclick promo taboola outbrain werbung".split(), "ad"),
    **dict.fromkeys("upload photo foto thumb galler galer media article news".split(), "upload"),
}
_LETTERS: Final = 26
# By byte: 0 to 25 for a to z, 32 more for A to Z, 255 for all else.
LETTER_OF: Final = bytes(
    byte - ord("a")
    if ord("a") <= byte <= ord("z")
    else byte - ord("A") + 32
    if ord("A") <= byte <= ord("Z")
    else 255
    for byte in range(256)
)


def bit_of(name: str) -> int:
    """The bit that stands for a group of names."""
    return 1 << NAMES.index(name)


def automata_of_names() -> tuple[Short, Long, Short, Long]:
    """What reads names: `_automata` of GROUPS."""
    return _automata(GROUPS, _STEMS)


def automata_of_addresses() -> tuple[Short, Long, Short, Long]:
    """What reads addresses: `_automata` of ADDRESS_GROUPS."""
    return _automata(ADDRESS_GROUPS, _ADDRESS_STEMS)


def _automata(
    groups: dict[str, tuple[str, str]], stems: dict[str, str]
) -> tuple[Short, Long, Short, Long]:
    """For words the next states by letter, from state 1 on, and the bits of each word's last state;
    for stems the next states, from state 0 on, and the bits of those that end in each state."""
    bit_of_group = {name: 1 << place for place, name in enumerate(groups)}
    steps, bits = [[0] * _LETTERS, [0] * _LETTERS], [0, 0]
    for name, (_, words) in groups.items():
        for word in words.split():
            _spell(steps, bits, 1, word, bit_of_group[name])
    return (
        np.array(steps, dtype=np.int16),
        np.array(bits, dtype=np.int64),
        *_stem_automaton({stem: bit_of_group[name] for stem, name in stems.items()}),
    )


def _stem_automaton(stems: dict[str, int]) -> tuple[Short, Long]:
    steps, bits = [[0] * _LETTERS], [0]
    for stem, bit in stems.items():
        _spell(steps, bits, 0, stem, bit)
    # Where a stem does not go on, a shorter one may (Aho & Corasick 1975).
    shorter = [0] * len(steps)
    waiting = [state for state in steps[0] if state]
    for state in waiting:
        bits[state] |= bits[shorter[state]]
        for letter, after in enumerate(steps[state]):
            other = steps[shorter[state]][letter]
            if after:
                shorter[after] = other
                waiting.append(after)
            else:
                steps[state][letter] = other
    return np.array(steps, dtype=np.int16), np.array(bits, dtype=np.int64)


def _spell(steps: list[list[int]], bits: list[int], state: int, word: str, bit: int) -> None:
    for letter in word.encode("ascii"):
        at = letter - ord("a")
        if not steps[state][at]:
            steps[state][at] = len(steps)
            steps.append([0] * _LETTERS)
            bits.append(0)
        state = steps[state][at]
    bits[state] |= bit

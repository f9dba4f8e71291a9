# cython: boundscheck=False, wraparound=False
"""From the columns of the search to the contexts of all images, without a call back to Python.

Compiled into `pagecut.compiled.item_method`; where nothing is compiled, this same source runs.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from pagecut.kernels import _cython as cython

if not cython.compiled:  # else compiled/item_method.pxd takes the compiled ones
    from pagecut.kernels.image_names import ImageName, ImageSize
    from pagecut.kernels.image_role import Evidence
    from pagecut.kernels.image_surroundings import Surroundings
    from pagecut.kernels.item_columns import zeros
    from pagecut.kernels.item_contexts import Captions, ShownText, item_contexts
    from pagecut.kernels.item_controls import leave_out
    from pagecut.kernels.item_search import ItemSearch
    from pagecut.kernels.items import ItemTree
    from pagecut.kernels.said_words import SaidWords, room_for_words

REVISION = 6  # see `acceleration`


class ItemMethod:
    """What is the same for all pages.

    Args:
        controls: what sharing buttons are called, as bytes; the `skip_table` of these names; what
            tells whether a text has one of them.
        words: a `WordFinder` of what names around images say.
        patterns: the groups of words that a text has, where `words` cannot tell.
        labels: what tells labels of ads, and forms.
        judgement: weights, bias, threshold, sizes and roles of `Evidence`.
        bare_words: the words of a text, for scripts that are not plain.
        most_read: characters of a context that are compared with the image's own words.
        captions: a `WordFinder` of what captions are called, and what tells it where that cannot.
        not_shown: the bits of `hidden` that keep a node from being shown.
        maker: of contexts.
    """

    def __init__(
        self,
        controls: tuple,
        words: object,
        patterns: object,
        labels: tuple,
        judgement: tuple,
        bare_words: object,
        most_read: cython.int,
        captions: tuple,
        not_shown: cython.int,
        maker: object,
    ) -> None:
        self.control_names, self.control_skips, self.names_control = controls
        self.words = words
        self.patterns = patterns
        self.is_label, self.is_form = labels
        self.judgement = judgement
        self.bare_words = bare_words
        self.most_read = most_read
        self.caption_words, self.is_caption = captions
        self.not_shown = not_shown
        self.maker = maker

    def said_words(self, text: str) -> object:
        """What tells which words ranges of a text say."""
        size: cython.Py_ssize_t = min(len(text), self.most_read)
        room: object = zeros(room_for_words(size)) if cython.compiled else []
        return SaidWords(text, self.bare_words, self.most_read, room)

    def judge(self, tree: object, images: tuple, url: object, seen_size: object) -> object:
        """What judges the images of a page.

        Args:
            seen_size: the size at which an image is seen, or None where nobody knows.
        """
        columns: ItemTree = tree
        name: object = ImageName()
        around: object = Surroundings(
            tree, zeros(2 * columns.rows), self.words, self.patterns, name.site_of, url
        )
        return Evidence(
            tree,
            self.not_shown,
            images,
            around,
            self.said_words(columns.text),
            name,
            ImageSize(),
            seen_size,
            self.is_label,
            self.is_form,
            self.judgement,
        )

    def contexts(
        self,
        page: object,
        tree: object,
        skip: cython.bint,
        made_by: str,
        share: object,
        seen_size: object,
    ) -> list:
        """The contexts of all images of a page.

        Args:
            skip: leave images without a context that are no content.
            share: parts the texts that several images share, or None.
            seen_size: the size at which an image is seen, or None where nobody knows.
        """
        images: tuple = page.images
        found: list = ItemSearch(tree).find_all([image.node for image in images])
        items: list = leave_out(
            tree, found, self.control_names, self.control_skips, self.names_control
        )
        return item_contexts(
            page,
            images,
            skip,
            made_by,
            items,
            items if share is None else share(page, items),
            self.judge(tree, images, page.url, seen_size),
            ShownText(tree, self.not_shown),
            Captions(tree, self.caption_words, self.is_caption),
            page.reader,
            self.maker,
        )

# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Images as the native walk leaves them, compiled into `pagecut.compiled.packed_images`.

Where nothing is compiled, this same source runs.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from pagecut.kernels import _cython as cython

if not cython.compiled:  # else compiled/packed_images.pxd takes the compiled ones
    from pagecut.kernels.images import declare_image, folded, length_of, resolve, sides_of, stripped
    from pagecut.kernels.objects import Maker

REVISION = 6  # see `acceleration`

# What an attribute says of an image; sources first, the best one before the others.
LAST_SOURCE = 3
ALT = 4
TITLE = 5
STYLE = 6
WIDTH = 7
HEIGHT = 8
NOTHING = 9
ELSEWHERE_USE = 10  # that there is a source elsewhere


def uses_of(names: tuple, sources: tuple, elsewhere: frozenset) -> bytes:
    """What attributes of some names say of an image.

    Args:
        sources: the attributes with its own source, the best first.
        elsewhere: those with other sources.
    """
    own: tuple = (*sources, "alt", "title", "style", "width", "height")
    return bytes(
        [
            ELSEWHERE_USE if name in elsewhere else own.index(name) if name in own else NOTHING
            for name in names
        ]
    )


class PackedImages:
    """Images as the native walk leaves them.

    Args:
        columns: for each image its row, its set of attributes, that of its fallback (or -1), the
            first of the sets of sources beside it and how many there are.
        sources: the sets of sources.
        owners: for each attribute, ascending, the set it is in.
        keys: which attribute it is.
        ends: where its value ends.
        values: in UTF-8.
        names: of the keys.
        uses: by key, what the attribute says of an image (`uses_of`).
    """

    def __init__(
        self,
        columns: cython.const[cython.int][:, ::1],
        sources: cython.const[cython.int][::1],
        owners: cython.const[cython.int][::1],
        keys: bytes,
        ends: cython.const[cython.longlong][::1],
        values: bytes,
        names: tuple,
        uses: bytes,
    ) -> None:
        self.columns = columns
        self.sources = sources
        self.owners = owners
        self.keys = keys
        self.ends = ends
        self.values = values
        self.names = names
        self.uses = uses

    def first_of(self, owner: cython.int) -> cython.Py_ssize_t:
        """The first attribute of a set."""
        first: cython.Py_ssize_t = 0
        last: cython.Py_ssize_t = self.owners.shape[0]
        middle: cython.Py_ssize_t
        while first < last:
            middle = (first + last) >> 1
            if self.owners[middle] < owner:
                first = middle + 1
            else:
                last = middle
        return first

    def value(self, place: cython.Py_ssize_t) -> str:
        start: cython.Py_ssize_t = self.ends[place - 1] if place else 0
        return self.values[start : self.ends[place]].decode("utf-8", "replace")

    def length(self, place: cython.Py_ssize_t) -> object:
        """The length that an attribute gives, as `length_of` says."""
        start: cython.Py_ssize_t = self.ends[place - 1] if place else 0
        end: cython.Py_ssize_t = self.ends[place]
        at: cython.Py_ssize_t
        number: cython.int = 0
        byte: cython.uchar
        if not 0 < end - start <= 6:
            return length_of(self.value(place))
        for at in range(start, end):
            byte = self.values[at]
            if not 48 <= byte <= 57:
                return length_of(self.value(place))
            number = 10 * number + byte - 48
        return number

    def attributes(self, owner: cython.int) -> dict:
        """The attributes of one set."""
        found: dict = {}
        place: cython.Py_ssize_t = self.first_of(owner)
        while place < self.owners.shape[0] and self.owners[place] == owner:
            found[self.names[self.keys[place]]] = self.value(place)
            place += 1
        return found

    def plain(
        self, index: cython.Py_ssize_t, row: cython.int, tag: str, base: object, fold: object
    ) -> tuple | None:
        """What `declare_image` says of an image with nothing but its own attributes, if none of
        them names a further source; else None."""
        owner: cython.int = self.columns[1, index]
        place: cython.Py_ssize_t = self.first_of(owner)
        use: cython.int
        best: cython.int = NOTHING
        text: str
        src: object = None
        alt: object = None
        title: object = None
        style: object = None
        width: object = None
        height: object = None
        while place < self.owners.shape[0] and self.owners[place] == owner:
            use = self.uses[self.keys[place]]
            if use == ELSEWHERE_USE:
                return None
            if use == WIDTH:
                width = self.length(place)
            elif use == HEIGHT:
                height = self.length(place)
            elif use < NOTHING:
                text = self.value(place)
                if use <= LAST_SOURCE:
                    if use >= best:
                        place += 1
                        continue
                    text = stripped(text)
                    if text:
                        src = text
                        best = use
                elif use == ALT:
                    alt = folded(text, fold) if text else ""
                elif use == TITLE:
                    title = folded(text, fold) if text else ""
                else:
                    style = text
            place += 1
        if style:
            width, height = sides_of(style, width, height)
        return index, row, tag, resolve(src, base), alt, title, width, height, tag == "noscript"

    def declare(
        self,
        tag: cython.const[cython.int][::1],
        tag_names: tuple,
        maker: object,
        base: object,
        fold: object,
    ) -> list:
        """All the images.

        Args:
            maker: of images.
            base: what makes sources absolute; None if there is nothing.
            fold: white space of a text.
        """
        images: list = []
        images_of: Maker = maker
        values: tuple | None
        index: cython.Py_ssize_t
        at: cython.Py_ssize_t
        for index in range(self.columns.shape[1]):
            row: cython.int = self.columns[0, index]
            name: str = tag_names[tag[row]]
            if self.columns[2, index] < 0 and not self.columns[4, index] and name != "video":
                values = self.plain(index, row, name, base, fold)
                if values is not None:
                    images.append(images_of.make(values))
                    continue
            attributes: dict = self.attributes(self.columns[1, index])
            fallback: object = None
            beside: object = ()
            if name == "video":
                attributes["src"] = attributes["poster"]
            if self.columns[2, index] >= 0:
                fallback = self.attributes(self.columns[2, index])
            if self.columns[4, index]:
                beside = []
                first: cython.Py_ssize_t = self.columns[3, index]
                for at in range(first, first + self.columns[4, index]):
                    beside.append(self.attributes(self.sources[at]))
            values = declare_image(index, row, name, attributes, beside, fallback, base, fold)
            images.append(images_of.make(values))
        return images

# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What the first words of a text say of it, compiled into `pagecut.compiled.text_beginning`.

Where nothing is compiled, this same source runs.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from pagecut.kernels import _cython as cython

if not cython.compiled:  # else compiled/text_beginning.pxd takes C's own
    from pagecut.kernels._characters import PyUnicode_FindChar

REVISION = 6  # see `acceleration`

# Bits of what a text says; `image_role` has those of names.
FORM_WORDS = 8192
SIGN_IN = 16384
COPYRIGHT = 32768
AD_LABEL = 65536

BEGINNING = 200  # characters of a text that may say what it is
FORM_BEGINNING = 120


class Beginning:
    """Reads the beginnings of a page's texts; images in a row that share one share the work.

    Args:
        words: a `WordFinder` for the groups of words.
        patterns: what tells the groups in a text where `words` cannot.
        is_label: whether the beginning of a text calls it an ad.
        is_form: whether the beginning of a text has words of a form.
    """

    def __init__(
        self, text: str, words: object, patterns: object, is_label: object, is_form: object
    ) -> None:
        self.text = text
        self.words = words
        self.patterns = patterns
        self.is_label = is_label
        self.is_form = is_form
        self.start = self.end = -1
        self.known = 0

    def says(self, start: cython.int, end: cython.int) -> cython.int:
        """What the first words of a range say of it: an ad, a form, a copyright notice."""
        last: cython.int = min(end, start + BEGINNING)
        found: cython.int
        if start == self.start and last == self.end:
            return self.known
        found = self.words.find(self.text, start, last)
        if found < 0:
            found = self.patterns(self.text[start:last])
        if found & (FORM_WORDS | SIGN_IN) and self.has_form(
            start, min(end, start + FORM_BEGINNING)
        ):
            found = found & COPYRIGHT | FORM_WORDS
        else:
            found &= COPYRIGHT
        if PyUnicode_FindChar(self.text, 0xA9, start, last, 1) >= 0:
            found |= COPYRIGHT
        if self.is_labelled(start, last):
            found |= AD_LABEL
        self.start = start
        self.end = last
        self.known = found
        return found

    def has_form(self, start: cython.int, end: cython.int) -> cython.bint:
        """Whether a range has words of a form."""
        found: cython.int = self.words.find(self.text, start, end)
        if found < 0:
            return bool(self.is_form(self.text[start:end]))
        return found & FORM_WORDS != 0 or (found & SIGN_IN != 0 and self.lets_in(start, end))

    def lets_in(self, start: cython.int, end: cython.int) -> cython.bint:
        """Whether a range says to sign up or in, where no other letters are ASCII's in another
        case."""
        at: cython.int
        after: cython.int
        sign: cython.int = four_letters("sign", 0)
        for at in range(start, end - 5):
            if four_letters(self.text, at) == sign:
                after = at + 4
                if self.is_way_in(after):
                    return True
                if self.text[after] != "\n" and after + 3 <= end and self.is_way_in(after + 1):
                    return True
        return False

    def is_way_in(self, at: cython.int) -> cython.bint:
        """Whether `up` or `in` stands at a place, in any case."""
        first: cython.int = ord(self.text[at]) | 32
        second: cython.int = ord(self.text[at + 1]) | 32
        return (first == 117 and second == 112) or (first == 105 and second == 110)

    def is_labelled(self, start: cython.int, last: cython.int) -> cython.bint:
        """Whether the first words of a text call it an ad."""
        at: cython.int = start
        ch: cython.Py_UCS4
        while at < last:
            ch = self.text[at]
            if ch >= "\x80":
                if ch.isalnum():
                    return bool(self.is_label(self.text[start:last]))
            elif ch == "_" or "0" <= ch <= "9":
                return False
            elif "a" <= ch <= "z" or "A" <= ch <= "Z":
                return self.may_label(at, last) and bool(self.is_label(self.text[start:last]))
            at += 1
        return False

    def may_label(self, at: cython.int, last: cython.int) -> cython.bint:
        """Whether letters at a place begin as what calls a text an ad does."""
        code: cython.int
        if last - at < 2:
            return False
        if ord(self.text[at]) | 32 == 97 and ord(self.text[at + 1]) | 32 == 100:
            return True
        if last - at < 4:
            return False
        code = four_letters(self.text, at)
        return code < 0 or code in (ANNO, ANZE, PROM, PUBL, REKL, SPON, WERB)


def four_letters(text: str, start: cython.Py_ssize_t) -> cython.int:
    """One number for four characters of ASCII, letters in any case; -1 if there are others."""
    code: cython.int = 0
    at: cython.Py_ssize_t
    ch: cython.Py_UCS4
    for at in range(start, start + 4):
        ch = text[at]
        if ch >= "\x80":
            return -1
        code = code << 8 | ord(ch) | 32
    return code


# The first letters of what calls a text an ad (`image_words.AD_LABEL`), but for those of `ad`.
ANNO = four_letters("anno", 0)
ANZE = four_letters("anze", 0)
PROM = four_letters("prom", 0)
PUBL = four_letters("publ", 0)
REKL = four_letters("rekl", 0)
SPON = four_letters("spon", 0)
WERB = four_letters("werb", 0)

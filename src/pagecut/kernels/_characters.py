"""Characters of a string by their place: what C has under these names, where nothing is compiled.

Reading through a pointer spares the kernels to look, for each character, how wide they are.
"""

from __future__ import annotations


def PyBytes_AS_STRING(values: bytes) -> str:  # noqa: N802
    return values.decode("latin-1")


def PyUnicode_KIND(text: str) -> int:  # noqa: N802
    return 0 if text else -1


def PyUnicode_IS_ASCII(text: str) -> bool:  # noqa: N802
    return text.isascii()


def PyUnicode_FindChar(  # noqa: N802
    text: str,
    code: int,
    start: int,
    end: int,
    direction: int,  # noqa: ARG001
) -> int:
    return text.find(chr(code), start, end)


def PyUnicode_DATA(text: str) -> str:  # noqa: N802
    return text


def PyUnicode_READ(kind: int, data: str, at: int) -> str:  # noqa: N802, ARG001
    return data[at]


def Py_UNICODE_TOLOWER(ch: str) -> str:  # noqa: N802
    return ch.lower()

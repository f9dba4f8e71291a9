"""Attributes as the walk leaves them: bytes, decoded only when somebody asks."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

Row = Mapping[str, str]
Packed = tuple[bytes, bytes, bytes, bytes]


class AttributeTable(Mapping[int, Row]):
    """Attributes by the number of their owner (a row, an image), decoded one owner at a time.

    Args:
        packed: for each attribute, owners ascending, its owner (int32), its key (uint8) and where
            its value ends (int64); then the values in UTF-8.
        names: of the keys.
    """

    __slots__ = ("_ends", "_key_of", "_keys", "_known", "_names", "_owners", "_values")

    def __init__(self, packed: Packed, names: tuple[str, ...]) -> None:
        owners, keys, ends, values = packed
        self._owners = memoryview(owners).cast("i")
        self._keys = keys
        self._ends = memoryview(ends).cast("q")
        self._values = values
        self._names = names
        self._key_of = _numbered(names)
        self._known: dict[int, Row] = {}

    def __getitem__(self, owner: int) -> Row:
        found: Row | None = self.get(owner)
        if found is None:
            raise KeyError(owner)
        return found

    def get(self, owner: int, default: Any = None, /) -> Any:
        """As that of all mappings, which would raise an error for each owner without attributes."""
        found = self._known.get(owner)
        if found is not None:
            return found
        first = bisect_left(self._owners, owner)
        if first == len(self._owners) or self._owners[first] != owner:
            return default
        self._known[owner] = found = self._decode(first)
        return found

    def _decode(self, at: int) -> dict[str, str]:
        """The attributes of one owner, from its first on."""
        owner = self._owners[at]
        start = self._ends[at - 1] if at else 0
        attributes = {}
        while at < len(self._owners) and self._owners[at] == owner:
            end = self._ends[at]
            value = str(self._values[start:end], "utf-8", "replace")
            attributes[self._names[self._keys[at]]] = value
            start = end
            at += 1
        return attributes

    def __iter__(self) -> Iterator[int]:
        """The owners; who goes through them wants all attributes, which are decoded in one go."""
        found: dict[int, dict[str, str]] = {}
        start = 0
        for owner, key, end in zip(self._owners, self._keys, self._ends, strict=True):
            value = str(self._values[start:end], "utf-8", "replace")
            found.setdefault(owner, {})[self._names[key]] = value
            start = end
        for owner, row in found.items():
            self._known.setdefault(owner, row)
        return iter(found)

    def value(self, owner: int, name: str) -> str | None:
        """One attribute of an owner, alone; None if it has none."""
        at, key = bisect_left(self._owners, owner), self._key_of[name]
        while at < len(self._owners) and self._owners[at] == owner:
            if self._keys[at] == key:
                start = self._ends[at - 1] if at else 0
                return str(self._values[start : self._ends[at]], "utf-8", "replace")
            at += 1
        return None

    def values_of(self, name: str) -> dict[int, str]:
        """For the owners that have it, the value of one attribute."""
        key = self._key_of[name]
        found = {}
        at = self._keys.find(key)
        while at >= 0:
            start = self._ends[at - 1] if at else 0
            found[self._owners[at]] = str(self._values[start : self._ends[at]], "utf-8", "replace")
            at = self._keys.find(key, at + 1)
        return found

    def packed(self, names: tuple[str, ...]) -> tuple[memoryview, bytes, memoryview, bytes, bytes]:
        """The columns as they are: owners, keys, ends, values; and the keys of some names."""
        return self._owners, self._keys, self._ends, self._values, _keys_of(self._names, names)

    def __len__(self) -> int:
        return len(set(self._owners))

    def __contains__(self, owner: object) -> bool:
        if not isinstance(owner, int):
            return False
        at = bisect_left(self._owners, owner)
        return at < len(self._owners) and self._owners[at] == owner

    def __repr__(self) -> str:
        return repr(dict(self))


@lru_cache(maxsize=16)
def _numbered(names: tuple[str, ...]) -> dict[str, int]:
    return {name: key for key, name in enumerate(names)}


@lru_cache(maxsize=16)
def _keys_of(names: tuple[str, ...], wanted: tuple[str, ...]) -> bytes:
    return bytes(map(names.index, wanted))


def attribute_value(attrs: Mapping[int, Row], row: int, name: str) -> str | None:
    """One attribute of a row, alone; None if it has none."""
    if isinstance(attrs, AttributeTable):
        return attrs.value(row, name)
    return attrs.get(row, {}).get(name)


def attribute_values(attrs: Mapping[int, Row], name: str) -> dict[int, str]:
    """For the rows that have it, the value of one attribute."""
    if isinstance(attrs, AttributeTable):
        return attrs.values_of(name)
    return {row: kept[name] for row, kept in attrs.items() if name in kept}


def packed_attributes(
    attrs: Mapping[int, Row], names: tuple[str, ...]
) -> tuple[memoryview | array[int], bytes, memoryview | array[int], bytes, bytes]:
    """What `AttributeTable.packed` gives, of any attributes."""
    if isinstance(attrs, AttributeTable):
        return attrs.packed(names)
    owners, keys, ends, values = array("i"), bytearray(), array("q"), bytearray()
    for row in sorted(attrs):
        for key, name in enumerate(names):
            if name in attrs[row]:
                values += attrs[row][name].encode("utf-8", "replace")
                owners.append(row)
                keys.append(key)
                ends.append(len(values))
    return owners, bytes(keys), ends, bytes(values), bytes(range(len(names)))

"""Attributes that are decoded when somebody asks."""

from __future__ import annotations

from array import array

import pytest

from pagecut.page.attributes import AttributeTable, attribute_values

NAMES = ("class", "href", "id")


def table(*entries: tuple[int, str, str]) -> AttributeTable:
    values, ends = b"", array("q")
    for _, _, value in entries:
        values += value.encode()
        ends.append(len(values))
    owners = array("i", [owner for owner, _, _ in entries])
    keys = bytes(NAMES.index(name) for _, name, _ in entries)
    return AttributeTable((owners.tobytes(), keys, ends.tobytes(), values), NAMES)


FOUND = table((2, "id", "é"), (2, "class", ""), (5, "href", "/x"), (9, "class", "a b"))


def test_it_is_a_mapping_of_rows() -> None:
    assert FOUND[2] == {"id": "é", "class": ""}
    assert FOUND.get(3) is None
    assert 5 in FOUND
    assert 6 not in FOUND
    assert "5" not in FOUND
    assert len(FOUND) == 3
    assert list(FOUND) == [2, 5, 9]
    assert FOUND == {2: {"id": "é", "class": ""}, 5: {"href": "/x"}, 9: {"class": "a b"}}
    assert repr(FOUND) == repr(dict(FOUND))
    with pytest.raises(KeyError, match="7"):
        FOUND[7]


def test_one_attribute_of_all_rows() -> None:
    assert attribute_values(FOUND, "class") == {2: "", 9: "a b"}
    assert attribute_values(dict(FOUND), "class") == {2: "", 9: "a b"}
    assert attribute_values(FOUND, "href") == {5: "/x"}


def test_an_empty_table() -> None:
    assert dict(table()) == {}
    assert attribute_values(table(), "id") == {}

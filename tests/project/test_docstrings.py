"""The examples in docstrings run and give what they show."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module

import pytest

import pagecut

# Modules with examples; the others have none to run.
MODULES = [
    each.name
    for each in pkgutil.walk_packages(pagecut.__path__, "pagecut.")
    if not each.name.endswith("__main__")
]


def _has_examples(name: str) -> bool:
    spec = pkgutil.resolve_name(name).__spec__
    if spec is None or not (spec.origin or "").endswith(".py"):
        return False
    with open(str(spec.origin), encoding="utf-8") as file:
        return ">>> " in file.read()


def test_the_examples_of_docstrings() -> None:
    tried = 0
    for name in MODULES:
        try:
            module = import_module(name)
        except pagecut.MissingExtra:
            continue
        if _has_examples(name):
            failed, count = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
            assert not failed, name
            tried += count
    if not tried:
        pytest.fail("no example was tried")

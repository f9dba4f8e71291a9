"""Values that are made when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

Value = TypeVar("Value")


class late(Generic[Value]):  # noqa: N801 (used as a decorator)
    """A property that is made once, as `functools.cached_property` does.

    That takes a lock until Python 3.12, which costs more than most of these properties.
    """

    def __init__(self, make: Callable[[Any], Value]) -> None:
        self.make = make
        self.name = ""
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type | None = None) -> Value: ...

    def __get__(self, instance: object | None, owner: type | None = None) -> Self | Value:
        if instance is None:
            return self
        value = instance.__dict__[self.name] = self.make(instance)
        return value

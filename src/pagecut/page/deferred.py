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


class LateField:
    """A field of a frozen dataclass that objects made without their constructor make later.

    Such an object has in `_late` what makes each of these fields; called any number of times, it
    must give the same. A class with `__getattr__` would look up all its attributes slowly.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, instance: object | None, owner: type | None = None) -> object:
        if instance is None:
            return self
        name, values = self.name, instance.__dict__
        waiting = values.get("_late", {})
        make = waiting.get(name)
        if make is not None:
            value = values[name] = make()
            # The maker goes, but not from under a copy that shares it, nor another thread.
            left = dict(values["_late"])
            left.pop(name, None)
            values["_late"] = left
            return value
        if name in values:
            return values[name]
        raise AttributeError(f"{type(instance).__name__!r} object has no attribute {name!r}")


def let_be_late(cls: type, *names: str) -> None:
    """Let objects of a dataclass make these fields later."""
    for name in names:
        setattr(cls, name, LateField(name))

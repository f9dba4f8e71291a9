"""Fields that are made when they are first asked for."""

from __future__ import annotations


class DeferredField:
    """A field of a frozen dataclass that objects made without their constructor make later.

    Such an object has in `_deferred` what makes each of these fields; called any number of times,
    it must give the same. A class with `__getattr__` would look up all its attributes slowly.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, instance: object | None, owner: type | None = None) -> object:
        if instance is None:
            return self
        name, values = self.name, instance.__dict__
        make = values.get("_deferred", {}).get(name)
        if make is not None:
            value = values[name] = make()
            # The maker goes, but not from under a copy that shares it, nor another thread.
            left = dict(values["_deferred"])
            left.pop(name, None)
            values["_deferred"] = left
            return value
        if name in values:
            return values[name]
        raise AttributeError(f"{type(instance).__name__!r} object has no attribute {name!r}")


def defer_fields(cls: type, *names: str) -> None:
    """Let objects of a dataclass make these fields later."""
    for name in names:
        setattr(cls, name, DeferredField(name))

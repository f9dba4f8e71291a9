"""What has to be closed is closed at the end of its `with`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Self


class Closing(ABC):
    """Base of what holds a browser, threads or a port."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    @abstractmethod
    def close(self) -> None: ...

from array import array
from collections.abc import Iterable

def prepare(names: Iterable[str]) -> None: ...
def find_cues(
    keys: bytes,
    ends: memoryview | array[int],
    values: bytes,
    searched: bytes,
    linking: bytes,
    taken: bytes,
    most: int,
) -> list[int]: ...
def has_digits_beyond(text: str, first: str) -> bool: ...
def find_years(text: str) -> list[int]: ...

from typing import NamedTuple

class Cost(NamedTuple):
    depth: int
    reopened: int
    attributes: int
    names: int
    start_tags: int

def scan(
    source: bytes, most_depth: int, most_reopened: int, most_attributes: int, most_names: int
) -> Cost: ...
def is_harmless(
    source: bytes, few_tags: int, many_tags: int, many_formatting: int, many_attributes: int
) -> bool: ...
def is_utf8(source: bytes) -> bool: ...

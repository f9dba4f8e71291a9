"""Every promise of SECURITY.md names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROMISES = (ROOT / "SECURITY.md").read_text(encoding="utf-8")


def test_every_promise_names_tests_that_exist() -> None:
    table = PROMISES.partition("## What is promised")[2].partition("## What is not")[0]
    rows = [line for line in table.splitlines() if line.startswith("| ")][1:]
    assert len(rows) >= 10
    for row in rows:
        named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", row)
        assert named, row
        for path, test in named:
            text = (ROOT / path).read_text(encoding="utf-8")
            assert not test or f"def {test}(" in text, f"{path}::{test}"

"""The attacks of `make attack` in small form, with a browser without guards as the control."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from script_modules import load_script

ATTACK = Path(__file__).parents[2] / "attack"
sys.path.insert(0, str(ATTACK))

attack = load_script(ATTACK / "attack.py")

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="watches processes as Linux has them"
)


@pytest.mark.parametrize("name", attack.ATTACKS)
def test_an_attack_is_withstood(browser: Path, name: str) -> None:
    del browser  # skips where there is none
    outcome = attack.run_attack(name, small=True)
    assert outcome.failures == []
    assert outcome.tries > 0

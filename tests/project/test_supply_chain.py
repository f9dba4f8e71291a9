"""What releases are built with, what they need, and under which licences."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

import pytest
from script_modules import load_script

ROOT = Path(__file__).parents[2]
dependencies = load_script(ROOT / "scripts" / "dependencies.py")


def test_a_release_is_built_by_pinned_versions_with_hashes() -> None:
    text = (ROOT / "scripts" / "build-requirements.txt").read_text(encoding="utf-8")
    pinned = re.findall(r"^([\w-]+)==[\d.]+ \\\n    --hash=sha256:[0-9a-f]{64}", text, re.MULTILINE)
    assert {"build", "cython", "setuptools"} <= set(pinned)
    named = [line for line in text.splitlines() if line and line[0] not in "# "]
    assert len(named) == len(pinned)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "--require-hashes -r scripts/build-requirements.txt" in makefile
    assert "-m build --no-isolation" in makefile


def test_every_dependency_has_a_licence_that_is_allowed() -> None:
    found = dependencies.needed("all")
    assert {"click", "numpy", "rich", "selectolax", "markdown-it-py"} <= set(found)
    assert [name for name in found if name != "pagecut" and dependencies.refused(name)] == []


@pytest.mark.parametrize("stated", ["", "GPL-3.0-only", "MIT AND GPL-2.0", "Proprietary"])
def test_another_licence_is_refused(stated: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(dependencies.READ_BY_HAND, "click", stated)
    assert dependencies.refused("click")


def test_a_bill_of_materials_names_files_and_packages(tmp_path: Path) -> None:
    wheel = tmp_path / "pagecut-0.1.0-cp311-cp311-linux_x86_64.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        packed.writestr("pagecut/__init__.py", "")
    bill = json.loads(json.dumps(dependencies.sbom(wheel)))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")
    own = bill["metadata"]["component"]
    assert (own["name"], own["version"]) == ("pagecut", "0.1.0")
    assert [each["name"] for each in own["components"]] == ["pagecut/__init__.py"]
    names = {each["name"] for each in bill["components"]}
    assert {"click", "numpy", "rich", "selectolax"} <= names
    assert "pyarrow" not in names  # which only an extra needs
    assert all(each["licenses"][0]["expression"] for each in bill["components"])
    references = {each["bom-ref"] for each in bill["components"]} | {own["bom-ref"]}
    for each in bill["dependencies"]:
        assert {each["ref"], *each["dependsOn"]} <= references

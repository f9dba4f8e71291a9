"""What pagecut depends on: its licences, and a bill of materials (SBOM) of a wheel.

    python scripts/dependencies.py licences
    python scripts/dependencies.py sbom dist/pagecut-….whl

Both read what is installed here: the packages that pagecut itself needs, those of its extra `all`,
and what these need in turn.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import tomllib
import uuid
import zipfile
from importlib import metadata
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
# Licences under which a package may be used with one under Apache-2.0, as metadata write them.
ALLOWED = frozenset(
    "0BSD Apache-2.0 BSD BSD-2-Clause BSD-3-Clause CC0-1.0 ISC MIT MIT-CMU MPL-2.0 PSF-2.0 "
    "Python-2.0 Unlicense Zlib".split()
)
_NAMES = {
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "The Unlicense (Unlicense)": "Unlicense",
}
# Packages whose metadata name none, or more than theirs; what their licence files say.
READ_BY_HAND = {
    "pypdfium2": "BSD-3-Clause AND Apache-2.0",
    "resvg-py": "MIT",
}


def needed(*extras: str) -> dict[str, list[str]]:
    """Every package that pagecut needs with these extras, and what each needs: installed ones."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    own = list(project["dependencies"])
    for extra in extras:
        own += project["optional-dependencies"][extra]
    found: dict[str, list[str]] = {}
    waiting = [("pagecut", own, frozenset(extras))]
    while waiting:
        name, requirements, asked = waiting.pop()
        wanted = []
        for line in requirements:
            package, inner = _requirement(line, asked)
            if package == "pagecut":
                more = [each for extra in inner for each in project["optional-dependencies"][extra]]
                waiting.append(("pagecut", more, frozenset()))
            elif package:
                wanted.append(package)
                if package not in found:
                    found[package] = []
                    waiting.append((package, metadata.requires(package) or [], inner))
        found[name] = sorted({*found.get(name, []), *wanted})
    return found


def _requirement(line: str, extras: frozenset[str]) -> tuple[str, frozenset[str]]:
    """The package of a requirement that holds here and is installed, else nothing; its extras."""
    requirement, _, marker = line.partition(";")
    named = re.search(r"extra\s*==\s*['\"]([\w-]+)", marker)
    if named and named[1] not in extras:
        return "", frozenset()
    match = re.match(r"\s*([\w.-]+)\s*(?:\[([\w,\s-]*)\])?", requirement)
    assert match is not None, line
    name = re.sub(r"[-_.]+", "-", match[1]).lower()
    if name != "pagecut":
        try:
            metadata.version(name)
        except metadata.PackageNotFoundError:
            return "", frozenset()
    return name, frozenset(each.strip() for each in (match[2] or "").split(",") if each.strip())


def licence(name: str) -> str:
    """What a package says of its licence, in one way to write it; empty if it says nothing."""
    if name in READ_BY_HAND:
        return READ_BY_HAND[name]
    data = metadata.metadata(name)
    if expression := data.get("License-Expression"):
        return str(expression)
    stated = [each.rpartition(" :: ")[2] for each in data.get_all("Classifier") or []
              if each.startswith("License ::")]  # fmt: skip
    said = data.get("License") or ""
    short = [said] if said and len(said) < 60 else []
    return " AND ".join(_NAMES.get(each, each) for each in stated or short)


def refused(name: str) -> bool:
    """Whether a package has a licence that is not known to be allowed."""
    words = [each for each in re.split(r"\s+(?:AND|OR)\s+|[()]", licence(name)) if each.strip()]
    return not words or any(each.strip() not in ALLOWED for each in words)


def sbom(wheel: Path) -> dict[str, object]:
    """CycloneDX 1.5: the wheel with the hashes of its files, and the packages that it needs."""
    name, version = wheel.name.split("-")[:2]
    tree = needed()
    digest = _hash(wheel.read_bytes())
    with zipfile.ZipFile(wheel) as packed:
        files = [
            {"type": "file", "name": each, "hashes": [_hash(packed.read(each))]}
            for each in sorted(packed.namelist())
        ]
    components = [
        {
            "type": "library",
            "bom-ref": _purl(each, metadata.version(each)),
            "name": each,
            "version": metadata.version(each),
            "purl": _purl(each, metadata.version(each)),
            "licenses": [{"expression": licence(each)}],
        }
        for each in sorted(set(tree) - {"pagecut"})
    ]
    own = _purl(name, version)
    references = {each: _purl(each, metadata.version(each)) for each in tree if each != "pagecut"}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, digest['content'])}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": own,
                "name": name,
                "version": version,
                "purl": own,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
                "hashes": [digest],
                "components": files,
            }
        },
        "components": components,
        "dependencies": [
            {
                "ref": references.get(each, own),
                "dependsOn": [references[inner] for inner in needs],
            }
            for each, needs in sorted(tree.items())
        ],
    }


def _hash(data: bytes) -> dict[str, str]:
    return {"alg": "SHA-256", "content": hashlib.sha256(data).hexdigest()}


def _purl(name: str, version: str) -> str:
    return f"pkg:pypi/{name}@{version}"


def main() -> None:
    if sys.argv[1:] == ["licences"]:
        tree = sorted(set(needed("all")) - {"pagecut"})
        for name in tree:
            mark = "  REFUSED" if refused(name) else ""
            print(f"{name} {metadata.version(name)}: {licence(name) or 'not stated'}{mark}")
        sys.exit(any(map(refused, tree)))
    if len(sys.argv) == 3 and sys.argv[1] == "sbom":
        wheel = Path(sys.argv[2])
        target = wheel.with_suffix(".cdx.json")
        target.write_text(json.dumps(sbom(wheel), indent=1) + "\n", encoding="utf-8")
        print(target)
        return
    sys.exit(__doc__)


if __name__ == "__main__":
    main()

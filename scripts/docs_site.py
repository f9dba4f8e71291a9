"""Build the documentation as a site: README.md and docs/ side by side, and the API reference."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pagecut

ROOT = Path(__file__).parents[1]
GROUPS = {
    "Read a page": ["read", "parse_html", "render", "Renderer", "Limits"],
    "Ask": ["segment", "image_contexts", "text", "chunks", "metadata", "page_type", "process"],
    "Pages and results": [
        *("Page", "Node", "Image", "Segmentation", "Segment", "ImageContexts", "ImageContext"),
        *("PageChunks", "Chunk", "Metadata", "Processed"),
    ],
    "Name a method": ["segmenter", "extractor", "measure", "Segmenter", "Extractor", "Measure"],
    "Errors": [
        *("PagecutError", "PageError", "MissingColumn", "RenderError", "TooLarge", "SpecError"),
        *("FormatError", "MissingExtra"),
    ],
}
ADAPTERS = {
    "pagecut.adapters.langchain": ["PagecutLoader", "PagecutSplitter"],
    "pagecut.adapters.llama_index": ["PagecutNodeParser"],
    "pagecut.adapters.huggingface": ["to_dataset", "generate_rows"],
    "pagecut.corpus.engines.datatrove": ["PagecutExtractor"],
}


def api_page() -> str:
    """Every public name, by what it is for; what has no group of its own is a method."""
    named = {name for names in GROUPS.values() for name in names}
    methods = [name for name in pagecut.__all__ if name not in named and name != "__version__"]
    parts = ["# API reference\n"]
    for title, names in {**GROUPS, "Methods": methods}.items():
        parts += [f"## {title}\n", *(f"::: {home(name)}\n" for name in names)]
    parts.append("## Adapters\n")
    parts += [f"::: {module}.{name}\n" for module, names in ADAPTERS.items() for name in names]
    return "\n".join(parts)


def home(name: str) -> str:
    """Where a public name is defined."""
    return f"{getattr(pagecut, name).__module__}.{name}"


def gather(source: Path) -> None:
    """Put the pages where they find one another, as in the repository."""
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(ROOT / "docs", source / "docs")
    others = ["LICENSE", "CITATION.cff", "gate/floors.json"]  # that pages link to
    for path in [*ROOT.glob("*.md"), *(ROOT / name for name in others)]:
        place = source / path.relative_to(ROOT)
        place.parent.mkdir(exist_ok=True)
        shutil.copy(path, place)
    (source / "docs" / "api.md").write_text(api_page(), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--site", type=Path, default=ROOT / "build" / "site")
    parser.add_argument("--source", type=Path, default=ROOT / "build" / "docs-source")
    given = parser.parse_args()
    gather(given.source)
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir"]
    done = subprocess.run(
        [*command, given.site.resolve()],
        cwd=ROOT,
        env={
            **os.environ,
            "NO_MKDOCS_2_WARNING": "1",
            "PAGECUT_DOCS": str(given.source.resolve()),
        },
        check=False,
    )
    if done.returncode:
        sys.exit(done.returncode)
    print(f"site: {given.site / 'index.html'}")
    # Opened as a file, a page may not read the index.
    serving = f"{sys.executable} -m http.server 8000 --bind 127.0.0.1 --directory {given.site}"
    print(f"to search it: {serving}, and open http://127.0.0.1:8000/")


if __name__ == "__main__":
    main()

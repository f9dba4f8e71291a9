"""Imports inside the package point one way."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import pagecut

ROOT = Path(pagecut.__file__).parent

# A module may import from the layers above its own, and from its own package.
LAYERS = (
    "_native compiled kernels",
    "acceleration attribute_table",
    "item_acceleration",
    "_version errors late tags xpath chi_square significance main_text_weights notebook nodes",
    "packed_nodes tag_traits walk_events",
    "glue parsed_tree",
    "page decoding images open_elements minhash",
    "words",
    "limits text labelled_ranges geometry spec fits banding dom_distance white_space noscript "
    "warc_framing landmarks",
    "declared_images items span_boxes segment_texts label_places walked_text walked_columns "
    "walked_elements",
    "tree_walk native_walk box_tree sheets template_steps composed_tree",
    "composed_walk",
    "html pdf box_files segmentation image_context explanation drawing markdown",
    "item_controls",
    "rendering units block_names",
    "box_pictures vips_picture template_transfer warc",
    "segmenters measures payload files coloured_blocks block_statistics charts distance_curve "
    "annotation",
    "contexts summaries template page_paths annotation_rules annotation_files annotation_agreement",
    "datasets methods near_duplicates retrieval plots rows sources local_images strip "
    "annotation_edits annotated_picture annotation_transfer",
    "archived_pages exports template_rows segment_evidence segment_exports annotation_exports",
    "truth main_text",
    "scoring output report_text report_picture page_pictures folds comparison_charts chunks",
    "evaluate plan",
    "report_gallery report_segments sweep tables",
    "report record_rows",
    "worst_pages corpus",
    "evaluation_report engines",
    "score_files corpus_run",
    "terminal viewer template_run",
    "cli",
    "__main__",
)
LEVEL = {module: level for level, layer in enumerate(LAYERS) for module in layer.split()}
MODULES = sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")


def package_part(path: Path) -> str:
    return path.relative_to(ROOT).with_suffix("").parts[0]


def imported(path: Path) -> set[str]:
    """The parts of the package that a module imports, also inside functions."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide where they point"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "pagecut" and len(parts) > 1:
                found.add(parts[1])
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_one_way(path: Path) -> None:
    own = package_part(path)
    assert own in LEVEL, f"give {own} a layer"
    wrong = [
        part
        for part in sorted(imported(path))
        if part != own and not (part in LEVEL and LEVEL[part] < LEVEL[own])
    ]
    assert wrong == []


def test_no_module_is_called_by_what_it_is_not() -> None:
    assert not {package_part(path) for path in MODULES} & {"utils", "helpers", "common", "misc"}

"""The public names are few, and change only on purpose."""

from __future__ import annotations

import inspect

import pytest

import pagecut

PUBLIC = """
BlockFusion BlockFusionRules BoxClustering BySegment Chunk DomDistance DomDistanceContexts Extractor
FormatError FullText GraphCuts Image ImageContext ImageContexts Item JustRules Limits Measure
Metadata MissingColumn MissingExtra Monash Mosaic NTerms Node Page PageChunks PageError PagecutError
Processed RenderError Renderer Segment Segmentation Segmenter Siblings SpecError TagGap TooLarge
Vips WholePage WordWrap __version__ chunks extractor image_contexts measure metadata page_type
parse_html process read render segment segmenter text
""".split()


def test_the_public_names_are_these() -> None:
    assert pagecut.__all__ == PUBLIC


def test_the_public_names_are_sorted_and_few() -> None:
    assert sorted(pagecut.__all__) == pagecut.__all__
    assert 25 <= len(pagecut.__all__) <= 60


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_can_be_imported(name: str) -> None:
    assert getattr(pagecut, name) is not None
    assert name in dir(pagecut)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        pagecut.no_such_name  # noqa: B018


FUNCTIONS = [name for name in PUBLIC if name.islower() and name not in ("__version__", "render")]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_has_an_example_that_is_run(name: str) -> None:
    """But for `render`, which needs a browser; test_docstrings.py runs them."""
    documented = getattr(pagecut, name).__doc__
    assert ">>> import pagecut" in documented or ">>> import io, pagecut" in documented


@pytest.mark.parametrize("name", [*FUNCTIONS, "render"])
def test_what_a_function_gives_can_be_named(name: str) -> None:
    """Who writes types needs the names of results."""
    given = inspect.signature(getattr(pagecut, name)).return_annotation
    assert given in ("str", "dict[str, float]") or given in PUBLIC


@pytest.mark.parametrize("name", [each for each in PUBLIC if each != "__version__"])
def test_every_public_name_is_documented(name: str) -> None:
    assert (getattr(pagecut, name).__doc__ or "").strip()

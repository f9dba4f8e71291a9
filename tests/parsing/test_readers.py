"""Two readers of the same tree: lexbor's functions, and selectolax's Python classes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from how_long import random_inputs
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import any_html, fragments

import pagecut.page.text.tokenizer
from pagecut.parsing.decoding import to_utf8
from pagecut.parsing.lexbor import FUNCTIONS, Tree, find_functions, read_by_nodes, read_tree

ROOT = Path(__file__).parents[2]
PAGES = sorted([*(ROOT / "examples").rglob("*.html"), *(ROOT / "tests" / "pages").rglob("*.html")])
SHARED = sorted((ROOT.parent / "shared" / "data" / "pages").rglob("*.html"))

RAW_TEXT = """
<script> </script> <SCRIPT> </Script> </script|x> <script/> <style> </style> <STYLE|a=b> </styles>
</style/> </scrip <!-- --> <!--> <!---> --> <script </script> </scripts> <!--<script> <!--
</script> --></script> <xmp> </xmp> <textarea> </textarea> <title> </title> <iframe> </iframe>
<noscript> </noscript> <svg><style> <svg><script> </svg> <math> <plaintext> <p> text < </ \0 \r \r\n
<!doctype|html> <table> <select> <option|selected> </option> </select> <selectedcontent> <button>
<b>bold</b> <iframe|srcdoc='<p>x'> <div><template|shadowrootmode=open> </template> <template>
<svg|viewBox='0|0'|xlink:href=x> <p|CLASS=a|class=b|x|title=''> &amp; &notit; &#0;
""".split()
raw_texts = st.lists(st.sampled_from([*RAW_TEXT, " ", "if (a<b) x"]), max_size=25).map(
    lambda parts: "".join(parts).replace("|", " ")
)


def rows(tree: Tree) -> list[tuple[object, int, int, str, object]]:
    """Everything that a tree says of its nodes."""
    return [
        (tree.tag(at), tree.depth(at), tree.end(at), tree.text(at), tree.attributes_of(at))
        for at in range(len(tree))
    ]


@given(any_html | fragments | raw_texts, st.booleans())
@example("", False)
@example("<noscript><object><img></object><script>x</script></noscript>", False)
@example("<p><table>", True)
@example("<script><!--<script></script>x</script>y--></script>z", True)
@settings(max_examples=random_inputs(150), deadline=None)
def test_both_read_the_same_tree(source: str, everything: bool) -> None:
    data = source.encode("utf-8", "replace")
    one = read_tree(data, "page", everything=everything)
    two = read_by_nodes(data, "page", everything)
    assert rows(one) == rows(two)
    assert one.composed == two.composed


@given(any_html | fragments | raw_texts, st.integers(400, 511))
@example("<p>&notin;", 505)
@example("<p>\r\n", 508)
@example("<p title='&amp;'></p>", 500)
@settings(max_examples=random_inputs(150), deadline=None)
def test_where_a_source_is_parted_makes_no_difference(source: str, before: int) -> None:
    data = b" " * before + source.encode("utf-8", "replace")
    assert rows(read_tree(data, "page")) == rows(read_by_nodes(data, "page"))


@pytest.mark.parametrize("path", [*PAGES, *SHARED], ids=lambda path: path.parent.name)
def test_both_read_the_same_of_real_pages(path: Path) -> None:
    data, _, begin = to_utf8(path.read_bytes())
    assert rows(read_tree(data, "page", begin=begin)) == rows(read_by_nodes(data[begin:], "page"))


@given(any_html | fragments)
@settings(max_examples=random_inputs(100), deadline=None)
def test_a_tree_is_one(source: str) -> None:
    tree = read_tree(source.encode("utf-8", "replace"), "page", everything=True)
    parents = tree.parents(list(range(len(tree))))
    for at in range(len(tree)):
        assert at < tree.end(at) <= len(tree)
        assert all(parents[child] == at for child in tree.children(at))
        if parents[at] >= 0:
            assert tree.depth(at) == tree.depth(parents[at]) + 1
            assert tree.end(at) <= tree.end(parents[at])
    for at in -1, len(tree):
        with pytest.raises(IndexError):
            tree.tag(at)


def test_copied_nodes_are_the_same_deeper_down() -> None:
    tree = read_tree(b"<p id=a>b<!--c--><i title>d", "page")
    copied = Tree()
    copied.add_element("x-a", 0, {"id": "b", "slot": None})
    copied.add_nodes(tree, 0, len(tree), 1)
    copied.finish()
    first, *others = rows(copied)
    assert first == ("x-a", 0, len(copied), "", {"id": "b", "slot": None})
    assert others == [(tag, depth + 1, end + 1, *rest) for tag, depth, end, *rest in rows(tree)]
    with pytest.raises(IndexError):
        copied.add_nodes(tree, 0, len(tree) + 1, 0)
    with pytest.raises(ValueError, match="a node of depth 9 follows one of"):
        copied.add_text("a", 9)


def test_a_library_without_the_functions_is_noticed() -> None:
    assert find_functions(pagecut.page.text.tokenizer.__file__) == FUNCTIONS[0]
    assert find_functions("/no/library.so") == FUNCTIONS[0]


WITHOUT_FUNCTIONS = """
import warnings
import pagecut.page.text.tokenizer, selectolax.lexbor
selectolax.lexbor.__file__ = pagecut.page.text.tokenizer.__file__
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    from pagecut import parse_html
    pages = [parse_html("<p id=a>b<img src=c.png><table><td>d") for _ in range(3)]
print(len(caught), caught[0].message)
print(repr(pages[0].text), pages[0].images[0].src, pages[0].attrs[3])
"""


def test_without_the_functions_there_is_one_warning_and_the_same_page() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_FUNCTIONS], capture_output=True, text=True, check=True
    )
    warning, page = done.stdout.splitlines()
    assert warning.startswith("1 selectolax ")
    assert f"does not export {FUNCTIONS[0]}" in warning
    assert page == "'b\ufffc\\nd' c.png {'id': 'a'}"

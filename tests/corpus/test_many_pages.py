"""Many pages in one call."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import pagecut
from pagecut.content.documents import describe
from pagecut.page import Page

pa = pytest.importorskip("pyarrow")
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in "a", "b", "c":
        body = f"<title>{name}</title><h1>{name}</h1><p>Green or black. <img src={name}.jpg>"
        (tmp_path / f"{name}.html").write_text(body)
    (tmp_path / "broken.html").write_bytes(bytes(range(256)))
    return tmp_path


def own(page: Page) -> dict[str, Any] | None:
    return {"letters": len(page.text), "words": page.text.split()} if page.title != "b" else None


def ends(page: Page) -> str:
    if page.title == "b":
        os._exit(3)
    return page.title


def fails(page: Page) -> None:
    raise KeyError(page.title)


@pytest.mark.parametrize("workers", [1, 2, None])
def test_one_table_of_many_pages_in_their_order(folder: Path, workers: int | None) -> None:
    found = pagecut.process(folder, workers=workers)
    rows = found.to_dicts()
    assert [(Path(row["source"]).name, row["title"]) for row in rows] == [
        ("a.html", "a"),
        ("b.html", "b"),
        ("c.html", "c"),
    ]
    assert set(rows[0]) == {"source", *describe("<p>x")}
    assert list(found.failures) == [str(folder / "broken.html")]
    assert "binary" in next(iter(found.failures.values()))
    assert "3 rows" in repr(found)
    assert "1 source failed" in repr(found)


@pytest.mark.parametrize(
    "function",
    [
        pagecut.segment,
        pagecut.image_contexts,
        pagecut.chunks,
        pagecut.metadata,
        pagecut.text,
        partial(pagecut.segment, method="tag-gap"),
        describe,
    ],
)
def test_every_result_is_a_table_of_arrow_and_of_parquet(function: Any, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    found = pagecut.process(EXAMPLES, function)
    assert len(found) > 6
    batch = found.to_arrow()
    assert batch.schema.names[:3] == ["source", "page", "url"]
    assert not any(pa.types.is_null(each.type) for each in batch.schema)
    assert len(found.to_pandas()) == len(found)
    found.write(tmp_path / "out.parquet")
    assert pq.read_table(tmp_path / "out.parquet").to_pylist() == batch.to_pylist()
    found.write(tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text(encoding="utf-8").startswith("source,page,url")


def test_a_function_of_ones_own(folder: Path) -> None:
    found = pagecut.process(str(folder / "[abc].html"), own, workers=2)
    assert [row["letters"] for row in found.to_dicts()] == [19, 19]
    schema = found.to_arrow().schema
    assert schema.field("words").type == pa.list_(pa.string())
    rows = pagecut.process([folder / "a.html"], lambda page: [{"n": 1}, {"m": page.title}])
    assert [(row["n"], row["m"]) for row in rows.to_dicts()] == [(1, None), (None, "a")]


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (lambda page: page.nosuch, "your function failed: AttributeError: "),
        (lambda page: (row.nosuch for row in [page]), "your function failed: AttributeError: "),
        (lambda _: 3, "the function gives 3; a text, a dict, dicts or None are taken"),
        (lambda page: [page.title], r"the function gives \['.*'\]; a text, a dict, dicts or None"),
    ],
)
def test_what_is_wrong_with_a_function_of_ones_own_is_no_fault_of_pagecut(
    function: Any, why: str
) -> None:
    with pytest.raises(pagecut.PageError, match=f"^https://a.org/: {why}"):
        pagecut.process(pagecut.parse_html("<title>T</title>", "https://a.org/"), function)


def test_what_pagecuts_own_function_does_wrong_is_its_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def nosuch(_page: Page) -> None:
        raise KeyError("x")

    monkeypatch.setattr(nosuch, "__module__", "pagecut.content.chunks")
    page = pagecut.parse_html("<p>x", "https://a.org/")
    for function in nosuch, partial(nosuch):
        with pytest.raises(pagecut.PageError, match=r"by a fault of pagecut.*KeyError"):
            pagecut.process(page, function)


def test_a_name_is_no_function(folder: Path) -> None:
    with pytest.raises(TypeError, match="'item': no function of a page"):
        pagecut.process(folder, "item")  # type: ignore[arg-type]


def test_a_page_that_ends_its_process_costs_only_itself(folder: Path) -> None:
    found = pagecut.process(str(folder / "[abc].html"), ends, workers=2)
    assert [row["text"] for row in found.to_dicts()] == ["a", "c"]
    assert list(found.failures) == [str(folder / "b.html")]


def test_where_every_page_fails_it_is_raised(folder: Path) -> None:
    with pytest.raises(pagecut.PageError, match=r"all 4 pages failed; the first: .*KeyError"):
        pagecut.process(folder, fails)
    with pytest.raises(ValueError, match="at least 1"):
        pagecut.process(folder, workers=0)
    with pytest.raises(pagecut.PageError, match=r"^nosuch\.html: no such file"):
        pagecut.process("nosuch.html")
    with pytest.raises(ValueError, match="define it in a module, or take workers=1"):
        pagecut.process(folder, lambda page: page.title, workers=2)
    assert pagecut.process([]).to_dicts() == []


@pytest.mark.parametrize("workers", [1, 2])
def test_a_source_that_is_not_there_costs_only_itself(folder: Path, workers: int) -> None:
    (folder / "none").mkdir()
    given = [
        "nosuch.html",
        folder / "a.html",
        folder / "none",
        f"{folder}/*.gif",
        folder / "c.html",
    ]
    found = pagecut.process(given, pagecut.metadata, workers=workers)
    assert [row["title"] for row in found.to_dicts()] == ["a", "c"]
    assert {name: why.partition(": ")[2][:12] for name, why in found.failures.items()} == {
        "nosuch.html": "no such file",
        str(folder / "none"): "no .html, .h",
        f"{folder}/*.gif": "no such file",
    }
    with pytest.raises(pagecut.PageError, match="all 2 pages failed; the first: x: no such file"):
        pagecut.process(["x", "y"], workers=workers)


def test_the_column_of_sources_is_not_for_functions(folder: Path) -> None:
    for function in (lambda _page: {"source": 1}, lambda _page: [{"a": 1}, {"source": 1}]):
        with pytest.raises(pagecut.PageError, match=r"a\.html: .*`source`.* another name"):
            pagecut.process(folder / "a.html", function)


def own_process(page: Page) -> dict[str, Any]:
    return {"title": ends(page), "process": os.getpid()}


def test_after_a_process_ended_the_others_work_together_again(tmp_path: Path) -> None:
    titles = [str(number) for number in range(200)]
    titles[20] = "b"
    for number, title in enumerate(titles):
        (tmp_path / f"{number:03d}.html").write_text(f"<title>{title}</title><p>x")
    found = pagecut.process(tmp_path, own_process, workers=2)
    rows = found.to_dicts()
    assert [row["title"] for row in rows] == [each for each in titles if each != "b"]
    assert list(found.failures) == [str(tmp_path / "020.html")]
    # Two parts of 25 pages are made one by one, which have a process each.
    assert len({row["process"] for row in rows}) < 60


class Unreadable:
    def __reduce__(self) -> Any:
        return int, ("not a number",)


def unsendable(page: Page) -> dict[str, Any]:
    return {"value": {"a": lambda: 1, "b": Unreadable()}.get(page.title)}


def test_an_answer_that_cannot_be_sent_costs_only_itself(folder: Path) -> None:
    found = pagecut.process(str(folder / "[abc].html"), unsendable, workers=2)
    assert [Path(row["source"]).name for row in found.to_dicts()] == ["c.html"]
    assert [Path(each).name for each in found.failures] == ["a.html", "b.html"]
    assert all("cannot be sent" in why for why in found.failures.values())


@pytest.mark.parametrize("workers", [1, 2])
def test_pages_that_were_read_before_are_processed(workers: int) -> None:
    known = pagecut.read(EXAMPLES / "docs.html", url="https://example.org/docs")
    bare = pagecut.parse_html("<title>Tea</title><p>Green <img src=a.jpg width=300> or black")
    found = pagecut.process([known, bare], pagecut.image_contexts, workers=workers)
    rows = found.to_dicts()
    assert {(row["source"], row["url"]) for row in rows} == {
        ("https://example.org/docs", "https://example.org/docs"),
        (bare.id, None),
    }
    assert len(rows) == len(known.images) + 1
    assert len(pagecut.process(bare)) == 1
    with pytest.raises(ValueError, match="not both"):
        pagecut.process([known, "examples"])


def test_a_page_without_an_address_has_the_name_it_was_read_by(folder: Path) -> None:
    """As in what commands write."""
    for function in (describe, pagecut.image_contexts, pagecut.segment, own):
        rows = pagecut.process(folder, function).to_dicts()
        assert {row["url"] for row in rows} == {row["source"] for row in rows}

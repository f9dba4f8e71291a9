"""Pages for the pipelines of other libraries, with the real packages."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import pagecut

EXAMPLES = Path(__file__).parents[2] / "examples"
ARTICLE = EXAMPLES / "article.html"
FORUM = EXAMPLES / "forum.html"
HTML = "<title>Teas</title><h1>Tea</h1><p>Green or black.</p><h2>Cups</h2><p>Made of clay.</p>"


class TestLangChain:
    @pytest.fixture(autouse=True)
    def package(self) -> None:
        pytest.importorskip("langchain_core")

    def test_a_document_for_each_page(self) -> None:
        from pagecut.adapters.langchain import PagecutLoader

        documents = PagecutLoader(EXAMPLES).load()
        assert len(documents) == 7
        page = pagecut.read(ARTICLE)
        assert documents[0].page_content == pagecut.text(page)
        assert documents[0].metadata["source"] == str(ARTICLE)
        assert documents[0].metadata["authors"] == ["Mina Sandoval"]
        assert None not in documents[0].metadata.values()

    def test_chunks_come_with_their_place(self) -> None:
        from pagecut.adapters.langchain import PagecutLoader

        documents = PagecutLoader([str(ARTICLE)], size=600).load()
        page = pagecut.read(ARTICLE)
        chunks = pagecut.chunks(page, 600)
        assert [each.page_content for each in documents] == [each.readable for each in chunks]
        for document, chunk in zip(documents, chunks, strict=True):
            place = document.metadata
            assert (place["char_start"], place["char_end"]) == (chunk.start, chunk.end)
            parts = [page.text[start:end] for start, end in json.loads(place["spans"])]
            assert "\n".join(parts) == chunk.text
            assert (place["xpath"], place["page"]) == (chunk.xpath, page.id)
            assert place["title"] == "The line that bears fruit"

    def test_more_or_less_main_text(self) -> None:
        from pagecut.adapters.langchain import PagecutLoader, PagecutSplitter

        more = pagecut.chunks(pagecut.read(FORUM), favour="recall")
        texts = [each.readable for each in more]
        assert texts != [each.readable for each in pagecut.chunks(pagecut.read(FORUM))]
        loaded = PagecutLoader(FORUM, size=2000, favour="recall").load()
        assert [each.page_content for each in loaded] == texts
        split = PagecutSplitter(favour="recall").split_text(FORUM.read_bytes())
        assert [each.page_content for each in split] == texts
        (whole,) = PagecutLoader(FORUM, favour="recall").load()
        assert whole.page_content == pagecut.text(pagecut.read(FORUM), favour="recall")
        with pytest.raises(ValueError, match="favour must be one of"):
            PagecutLoader(FORUM, favour="most")  # type: ignore[arg-type]

    def test_html_of_other_loaders_is_split(self) -> None:
        from langchain_core.documents import Document

        from pagecut.adapters.langchain import PagecutSplitter

        splitter = PagecutSplitter(size=30, everything=True)
        given = Document(page_content=HTML, metadata={"source": "https://x.org/", "kind": "web"})
        found = splitter.transform_documents([given])
        assert found == splitter.split_documents([given])
        assert [each.metadata["headings"] for each in found] == [["Tea"], ["Tea", "Cups"]]
        assert {each.metadata["kind"] for each in found} == {"web"}
        assert [each.page_content for each in splitter.split_text(HTML)] == [
            "Tea\nGreen or black.",
            "Cups\nMade of clay.",
        ]

    def test_chunks_are_found_by_a_retriever(self) -> None:
        from langchain_core.embeddings import DeterministicFakeEmbedding
        from langchain_core.vectorstores import InMemoryVectorStore

        from pagecut.adapters.langchain import PagecutLoader

        documents = PagecutLoader(ARTICLE, size=600).load()
        store = InMemoryVectorStore.from_documents(documents, DeterministicFakeEmbedding(size=64))
        (found,) = store.as_retriever(search_kwargs={"k": 1}).invoke(documents[2].page_content)
        assert found.metadata == documents[2].metadata

    def test_a_page_that_cannot_be_read(self, tmp_path: Path) -> None:
        from pagecut.adapters.langchain import PagecutLoader

        (tmp_path / "a.html").write_bytes(bytes(range(256)))
        (tmp_path / "b.html").write_text(HTML)
        with pytest.raises(pagecut.PageError, match="binary"):
            PagecutLoader(tmp_path).load()
        loader = PagecutLoader(tmp_path, skip_errors=True)
        assert len(loader.load()) == 1
        assert list(loader.failures) == [str(tmp_path / "a.html")]

    def test_a_file_that_is_not_there(self) -> None:
        from pagecut.adapters.langchain import PagecutLoader

        loader = PagecutLoader(["nosuch.html", ARTICLE], skip_errors=True)
        assert [each.metadata["source"] for each in loader.load()] == [str(ARTICLE)]
        assert list(loader.failures) == ["nosuch.html"]
        loader.skip_errors = False
        with pytest.raises(pagecut.PageError, match="no such file"):
            loader.load()

    @pytest.mark.parametrize("size", [None, 100])
    @pytest.mark.parametrize("fault", [pagecut.PageError("too odd"), KeyError("odd")])
    def test_a_page_that_a_method_fails_on(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int | None, fault: Exception
    ) -> None:
        from pagecut.adapters import langchain

        def fails_on_a(real: Any, page: Any, **options: Any) -> Any:
            if page.title == "a":
                raise fault
            return real(page, **options)

        if size is None:
            monkeypatch.setattr(langchain, "describe", partial(fails_on_a, langchain.describe))
        (tmp_path / "a.html").write_text(f"<title>a</title>{HTML}")
        (tmp_path / "b.html").write_text(HTML)
        loader = langchain.PagecutLoader(tmp_path, size=size, skip_errors=True)
        if size is not None:
            cut = partial(fails_on_a, loader.chunks.cut)
            loader.chunks = SimpleNamespace(cut=cut)
        assert {each.metadata["source"] for each in loader.load()} == {str(tmp_path / "b.html")}
        assert list(loader.failures) == [str(tmp_path / "a.html")]
        assert "odd" in loader.failures[str(tmp_path / "a.html")]
        loader.skip_errors = False
        with pytest.raises(type(fault), match="odd"):
            loader.load()


class TestLlamaIndex:
    @pytest.fixture(autouse=True)
    def package(self) -> None:
        pytest.importorskip("llama_index.core")

    def test_nodes_with_their_place_and_their_document(self) -> None:
        from llama_index.core import Document
        from llama_index.core.schema import MetadataMode

        from pagecut.adapters.llama_index import PagecutNodeParser

        document = Document(text=ARTICLE.read_text("utf-8"), metadata={"source": "a"})
        nodes = PagecutNodeParser(size=600).get_nodes_from_documents([document])
        page = pagecut.read(ARTICLE)
        chunks = pagecut.chunks(page, 600)
        assert [node.get_content() for node in nodes] == [each.readable for each in chunks]
        for node, chunk in zip(nodes, chunks, strict=True):
            assert node.ref_doc_id == document.doc_id
            assert node.metadata["source"] == "a"
            assert (node.metadata["char_start"], node.metadata["xpath"]) == (
                chunk.start,
                chunk.xpath,
            )
            assert node.metadata["headings"] == " > ".join(chunk.headings)
            assert "xpath" not in node.get_content(metadata_mode=MetadataMode.EMBED)
        assert nodes[1].prev_node is not None

    def test_its_settings_are_kept(self) -> None:
        from pagecut.adapters.llama_index import PagecutNodeParser

        parser = PagecutNodeParser(size=600, everything=True)
        assert parser.class_name() == "PagecutNodeParser"
        assert parser.to_dict()["size"] == 600
        with pytest.raises(ValueError, match="greater than or equal to 20"):
            PagecutNodeParser(size=1)

    def test_more_or_less_main_text(self) -> None:
        from llama_index.core import Document

        from pagecut.adapters.llama_index import PagecutNodeParser

        parser = PagecutNodeParser(favour="recall")
        nodes = parser.get_nodes_from_documents([Document(text=FORUM.read_text("utf-8"))])
        more = pagecut.chunks(pagecut.read(FORUM), favour="recall")
        assert [node.get_content() for node in nodes] == [each.readable for each in more]
        assert len(more) != len(pagecut.chunks(pagecut.read(FORUM)))
        with pytest.raises(ValueError, match="'balance' or 'recall'"):
            PagecutNodeParser(favour="most")  # type: ignore[arg-type]


class TestHuggingFace:
    @pytest.fixture(autouse=True)
    def package(self) -> None:
        pytest.importorskip("datasets")

    def test_a_dataset_has_the_rows_of_process(self, tmp_path: Path) -> None:
        from pagecut.adapters.huggingface import to_dataset

        found = to_dataset(str(EXAMPLES), pagecut.image_contexts, cache_dir=str(tmp_path))
        expected = pagecut.process(EXAMPLES, pagecut.image_contexts).to_arrow().to_pylist()
        rows = list(found)
        assert [row["src"] for row in rows] == [row["src"] for row in expected]
        assert [row["source"] for row in rows] == [row["source"] for row in expected]
        assert rows[3]["context"] == expected[3]["context"]

    def test_a_generator_streams(self) -> None:
        from datasets import IterableDataset

        from pagecut.adapters.huggingface import generate_rows

        given = {"sources": [str(path) for path in sorted(EXAMPLES.glob("*.html"))]}
        stream = IterableDataset.from_generator(generate_rows, gen_kwargs=given)
        assert [row["title"] for row in stream.take(1)] == ["The line that bears fruit"]

    def test_more_or_less_main_text(self, tmp_path: Path) -> None:
        from pagecut.adapters.huggingface import generate_rows, to_dataset

        page = pagecut.read(FORUM)
        more = pagecut.text(page, favour="recall")
        found = to_dataset(FORUM, favour="recall", cache_dir=str(tmp_path))
        assert found["text"][:] == [more] != [pagecut.text(page)]
        rows = generate_rows([str(FORUM)], pagecut.chunks, "recall")
        chunks = pagecut.chunks(page, favour="recall")
        assert [row["readable"] for row in rows] == [each.readable for each in chunks]
        with pytest.raises(ValueError, match="favour must be one of"):
            to_dataset(FORUM, favour="most")  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="takes no favour"):
            to_dataset(FORUM, pagecut.image_contexts, favour="recall")

    def test_a_page_that_fails_costs_only_itself(self, tmp_path: Path) -> None:
        from pagecut.adapters.huggingface import to_dataset

        (tmp_path / "a.html").write_bytes(bytes(range(256)))
        given = ["nosuch.html", tmp_path / "a.html", ARTICLE]
        with pytest.warns(UserWarning, match="no such file|binary") as warned:
            found = to_dataset(given, cache_dir=str(tmp_path / "cache"))
        assert found["source"][:] == [str(ARTICLE)]
        assert [str(each.message).split(": ")[:2] for each in warned] == [
            [
                "nosuch.html",
                "no such file; give a file, a folder, a pattern in quotes "
                "('pages/*.html'), an http(s) URL or -",
            ],
            [str(tmp_path / "a.html"), "no page, but binary data (27 such bytes at its start)"],
        ]

    def test_where_all_fail_an_error_says_so(self, tmp_path: Path) -> None:
        from pagecut.adapters.huggingface import to_dataset

        with pytest.raises(pagecut.PageError, match=r"nosuch\.html: no such file"):
            to_dataset("nosuch.html", cache_dir=str(tmp_path))
        (tmp_path / "a.html").write_bytes(bytes(range(256)))
        with (
            pytest.warns(UserWarning, match="binary"),
            pytest.raises(pagecut.PageError, match="none of 1 page gives a row"),
        ):
            to_dataset(tmp_path / "a.html", cache_dir=str(tmp_path / "cache"))

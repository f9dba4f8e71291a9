"""The collection of the retrieval experiment is what it was when methods were scored on it."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest
from retrieval_documents import Collection, Document, _outline, collect, read_documents, with_items
from retrieval_pages import LEVELS, make_pages

from pagecut import parse_html

FINGERPRINT = "af092463d4ed1e955d5a04d09429926a6832cd5dacd0a3471c17d0d948544f01"

_WORDS = (
    "kettle anchor maple lantern ferry copper signal orchard winter saddle violin quarry".split()
)


def small_collection() -> Collection:
    """Twelve documents, nine of them in three topics."""
    documents = [
        Document(
            id=f"d{number}",
            heading=f"{_WORDS[number]} {_WORDS[number - 1]} heading",
            topic=f"t{number % 4}" if number % 4 else "",
            paragraphs=tuple(
                " ".join(_WORDS[(number + turn * step) % 12] for step in range(40))
                for turn in (1, 5, 7)
            ),
        )
        for number in range(12)
    ]
    return with_items(documents, {f"t{number}": f"topic {number}" for number in (1, 2, 3)})


def test_the_generated_pages_have_not_changed() -> None:
    digest = sha256()
    for noise in LEVELS:
        for page in make_pages(small_collection(), noise):
            digest.update(f"{page.name} {page.own_share:.6f} {page.html}".encode())
    assert digest.hexdigest() == FINGERPRINT


@pytest.mark.parametrize("noise", LEVELS, ids=lambda noise: noise.name)
def test_a_page_holds_its_article_and_as_much_noise_as_it_says(noise) -> None:  # type: ignore[no-untyped-def]
    collection = small_collection()
    documents = {document.id: document for document in collection.documents}
    for page in make_pages(collection, noise):
        text = " ".join(parse_html(page.html).text.split())
        own = documents[page.document]
        assert all(paragraph in text for paragraph in own.paragraphs)
        words = len(text.split())
        assert own.words / words <= page.own_share
        # The site's own words and headlines are not counted; they are few.
        assert page.own_share - own.words / words < 0.25
        assert abs(page.own_share - noise.share) < 0.2


def test_only_the_own_page_holds_a_whole_document_that_answers_a_query() -> None:
    collection = small_collection()
    answers = [each for each in collection.documents if each.topic]
    for noise in LEVELS:
        pages = {
            page.document: parse_html(page.html).text for page in make_pages(collection, noise)
        }
        for document in answers:
            whole = [
                name
                for name, text in pages.items()
                if all(paragraph in text for paragraph in document.paragraphs)
            ]
            assert whole == [document.id]


def test_topics_are_headings_above_sections_and_in_none_of_them(tmp_path: Path) -> None:
    prose = "The keeper of the lamp is to be asked for the oil that this is made of, in time."
    sections = "".join(
        f"<h2>{number}.1 Name of part {number}</h2><p>Number {number} here. {prose * 5}</p>"
        "<pre>some code that is long enough to be taken</pre>"
        "<p><a href='x'>a line with nothing but a link in it</a></p>"
        for number in range(4)
    )
    source = f"<h1>Chapter 3. Keeping lamps</h1><p>Introduction to it all.</p>{sections}"
    folder = tmp_path / "lamp-doc"
    folder.mkdir()
    (folder / "a.html").write_text(source)
    (folder / "b.html").write_text(source)  # the same again is left out
    collection = collect({"lamp-doc": folder})
    assert collection.topics == {"t0001": "Keeping lamps"}
    assert [each.id for each in collection.documents] == [f"lamp-doc-000{n}" for n in (1, 2, 3, 4)]
    assert collection.documents[1].heading == "Name of part 1"
    assert collection.relevant["t0001"] == {each.id for each in collection.documents}
    text = " ".join(each for document in collection.documents for each in document.paragraphs)
    assert "lamps" not in text
    assert "Name of" not in text
    assert "code" not in text
    assert "link" not in text
    assert collection.items == {f"i-lamp-doc-000{n}": f"Name of part {n - 1}" for n in (1, 2, 3, 4)}


def test_sections_nest_as_their_headings_do() -> None:
    page = parse_html("<h1>A</h1><h3>B</h3><h2>C</h2><h3>D</h3><h1>E</h1>")
    root = _outline(page)
    assert [each.heading for each in root.inside] == ["A", "E"]
    assert [each.heading for each in root.inside[0].inside] == ["B", "C"]
    assert [each.heading for each in root.inside[0].inside[1].inside] == ["D"]


def test_documents_are_read_from_json_lines_and_from_trec_files(tmp_path: Path) -> None:
    lines = tmp_path / "mine.jsonl"
    lines.write_text(json.dumps({"id": 7, "text": "one two\n\nthree"}) + "\n")
    assert read_documents(lines) == [
        Document(id="7", heading="", topic="", paragraphs=("one two", "three"))
    ]
    trec = tmp_path / "mine.trec"
    trec.write_text("<DOC><DOCNO> X-1 </DOCNO><TEXT>one\ntwo\n\n<P>three</TEXT></DOC>")
    assert read_documents(trec) == [
        Document(id="X-1", heading="", topic="", paragraphs=("one two", "three"))
    ]
    (tmp_path / "bad.jsonl").write_text('{"id": 1}\n')
    with pytest.raises(SystemExit, match="line 1"):
        read_documents(tmp_path / "bad.jsonl")

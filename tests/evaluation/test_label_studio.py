"""Tasks for Label Studio: regions by XPath and offset, and choices."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from selectolax.lexbor import LexborHTMLParser
from small_dataset import EXAMPLES

from pagecut.contexts import extractor
from pagecut.evaluation.datasets.label_studio import CONFIG, label_studio_task, write_label_studio
from pagecut.parsing.html import parse_html
from pagecut.results.image_context import ImageContext
from pagecut.results.json_files import read_json
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters import segmenter

HTML = """<html><body> intro
<div>  A   𝄞
 clef <b>and</b>
 more </div><p><img src=a.png alt=a></p>
<pre>
x  y</pre><img src=b.png></body></html>"""
PAGE = parse_html(HTML, "http://a.test/")


def cut(*texts: str) -> Segmentation:
    """One segment for each text."""
    starts = [PAGE.text.index(text) for text in texts]
    spans = [[start, start + len(text)] for start, text in zip(starts, texts, strict=True)]
    return Segmentation(
        page=PAGE,
        spans=np.array(spans, dtype=np.int32),
        labels=np.arange(len(spans), dtype=np.int32),
        parent=np.full(len(spans), -1, dtype=np.int32),
        made_by="by hand",
    )


def regions(task: dict[str, Any], kind: str = "hypertextlabels") -> list[dict[str, Any]]:
    (prediction,) = task["predictions"]
    return [result["value"] for result in prediction["result"] if result["type"] == kind]


def test_offsets_count_the_text_as_it_stands_in_the_source() -> None:
    first, second, third = regions(label_studio_task(HTML, cut("intro", "𝄞 clef and", "y")))
    assert first["start"] == first["end"] == "/text()[1]"
    assert (first["startOffset"], first["endOffset"]) == (1, 6)
    assert (second["start"], second["end"]) == ("/div[1]/text()[1]", "/div[1]/b[1]/text()[1]")
    assert (second["startOffset"], second["endOffset"]) == (6, 3)
    assert second["text"] == "𝄞 clef and"
    assert third["start"] == "/pre[1]/text()[1]"
    assert (third["startOffset"], third["endOffset"]) == (3, 4)


def test_an_astral_character_counts_as_two() -> None:
    (region,) = regions(label_studio_task(HTML, cut("clef")))
    assert (region["startOffset"], region["endOffset"]) == (10, 14)


def test_every_region_of_a_real_result_holds_its_own_words() -> None:
    source = (EXAMPLES / "docs.html").read_bytes()
    page = parse_html(source)
    segmentation = segmenter("block-fusion").segment(page)
    task = label_studio_task(source, segmentation)
    texts = raw_texts(task["data"]["html"])
    found = regions(task)
    assert len(found) > 50
    for region in found:
        if region["start"] == region["end"]:
            raw = texts[region["start"]].encode("utf-16-le")
            part = raw[2 * region["startOffset"] : 2 * region["endOffset"]].decode("utf-16-le")
            assert part.split() == region["text"].split()


def raw_texts(html: str) -> dict[str, str]:
    """The text nodes below <body>, found by another walk."""
    found: dict[str, str] = {}

    def walk(node: Any, path: str) -> None:
        counts: dict[str, int] = {}
        for child in node.iter(include_text=True):
            name = "text()" if child.is_text_node else child.tag
            counts[name] = counts.get(name, 0) + 1
            below = f"{path}/{name}[{counts[name]}]"
            if child.is_text_node:
                found[below] = child.text_content
            else:
                walk(child, below)

    walk(LexborHTMLParser(html).body, "")
    return found


def test_a_region_belongs_to_a_segment_by_choice() -> None:
    task = label_studio_task(HTML, cut("intro", "clef"))
    assert [each["hypertextlabels"] for each in regions(task)] == [["Segment"], ["Segment"]]
    choices = [each["choices"] for each in regions(task, "choices")]
    assert choices == [["Segment 0"], ["Segment 1"]]
    assert task["data"]["segments"] == [{"value": "Segment 0"}, {"value": "Segment 1"}]
    results = task["predictions"][0]["result"]
    assert [each["id"] for each in results] == ["segment-0"] * 2 + ["segment-1"] * 2


def test_image_contexts_are_choices_among_the_images() -> None:
    start = PAGE.text.index("clef")
    contexts = [
        ImageContext(page=PAGE, image=0, spans=((start, start + 4),), made_by="by hand"),
        ImageContext(page=PAGE, image=1, spans=(), made_by="by hand"),
    ]
    task = label_studio_task(HTML, contexts=contexts)
    assert [each["value"] for each in task["data"]["images"]] == [
        "0: http://a.test/a.png",
        "1: http://a.test/b.png",
    ]
    (region,) = regions(task)
    assert region["hypertextlabels"] == ["Image context"]
    which, without = regions(task, "choices")
    assert (which["choices"], which["start"]) == (["0: http://a.test/a.png"], region["start"])
    assert without == {"choices": ["1: http://a.test/b.png"]}


def test_a_range_without_text_is_left_out() -> None:
    at = PAGE.text.index("\ufffc")
    segmentation = Segmentation.from_spans(PAGE, [[at, at + 1]], [0], made_by="by hand")
    assert regions(label_studio_task(HTML, segmentation)) == []


def test_what_people_say_is_an_annotation() -> None:
    task = label_studio_task(HTML, cut("intro"), people=True)
    assert "predictions" not in task
    (annotation,) = task["annotations"]
    assert annotation["ground_truth"]
    assert len(annotation["result"]) == 2


def test_the_source_must_be_that_of_the_page() -> None:
    with pytest.raises(ValueError, match="the source and all results must be of one page"):
        label_studio_task(HTML + " ", cut("intro"))
    with pytest.raises(ValueError, match="needs a segmentation or contexts"):
        label_studio_task(HTML)


def test_tasks_are_written_as_a_list(tmp_path: Path) -> None:
    source = (EXAMPLES / "news.html").read_bytes()
    page = parse_html(source)
    task = label_studio_task(
        source, segmenter("tag-gap").segment(page), extractor("siblings").extract(page)
    )
    write_label_studio([task], tmp_path / "tasks.json")
    (read,) = read_json(tmp_path / "tasks.json")
    assert read == task
    assert task["predictions"][0]["model_version"] == "tag-gap + siblings"


def test_the_interface_has_every_control_that_results_name() -> None:
    root = ET.fromstring(CONFIG)
    names = {each.attrib["name"] for each in root.iter() if "name" in each.attrib}
    assert {"kind", "segment", "image", "no-context", "page"} == names
    assert [each.attrib["value"] for each in root.iter("Label")] == ["Segment", "Image context"]

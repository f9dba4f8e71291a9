"""The viewer's server without a browser: who gets an answer, and what it says."""

from __future__ import annotations

import http.client
import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from viewing import EXAMPLES, serving

from pagecut.viewer.open_pages import OpenPages, list_pages
from pagecut.viewer.server import ViewerServer


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ViewerServer]:
    folder = tmp_path_factory.mktemp("marks")
    with serving([str(EXAMPLES)], annotations=folder) as server:
        yield server


def ask(
    server: ViewerServer,
    path: str,
    *,
    method: str = "GET",
    headers: dict[str, str] | None = None,
    body: bytes | None = None,
) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    try:
        connection.request(method, path, body=body, headers=headers or {})
        answer = connection.getresponse()
        return (
            answer.status,
            {key.lower(): value for key, value in answer.getheaders()},
            answer.read(),
        )
    finally:
        connection.close()


def told(server: ViewerServer, path: str) -> Any:
    status, _, body = ask(server, f"/{server.token}/{path}")
    assert status == 200, body
    return json.loads(body)


PATHS = ["", "api/start", "static/main.js", "pages/0/data", "pages/0/page.html", "nosuch"]


@pytest.mark.parametrize("path", PATHS)
def test_without_the_token_nothing_is_answered(server: ViewerServer, path: str) -> None:
    for wrong in (f"/{path}", f"/{server.token[:-1]}x/{path}", f"//{server.token}/{path}"):
        status, headers, body = ask(server, wrong)
        assert status == 403
        assert server.token.encode() not in body
        assert "default-src 'none'" in headers["content-security-policy"]


def test_a_web_socket_is_refused(server: ViewerServer) -> None:
    headers = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }
    assert ask(server, "/", headers=headers)[0] == 403


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:{port}", ""]
)
def test_a_foreign_host_is_refused(server: ViewerServer, host: str) -> None:
    host = host.format(port=server.port)
    status, _, _ = ask(server, f"/{server.token}/api/start", headers={"Host": host})
    assert status == 421


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "image"},
    ],
    ids=str,
)
def test_a_foreign_origin_is_refused(server: ViewerServer, headers: dict[str, str]) -> None:
    for method, path in (("GET", "api/start"), ("POST", "pages/0/annotation/change")):
        status, _, _ = ask(server, f"/{server.token}/{path}", method=method, headers=headers)
        assert status == 403


def test_the_own_origin_and_localhost_are_served(server: ViewerServer) -> None:
    for host in (f"127.0.0.1:{server.port}", f"localhost:{server.port}"):
        headers = {"Host": host, "Origin": f"http://{host}"}
        assert ask(server, f"/{server.token}/api/start", headers=headers)[0] == 200


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_is_closed_off(server: ViewerServer, path: str) -> None:
    _, headers, _ = ask(server, f"/{server.token}/{path}")
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "base-uri 'none'" in policy
    assert "form-action 'none'" in policy
    assert "unsafe-eval" not in policy
    if path == "pages/0/page.html":
        assert policy.endswith("sandbox allow-same-origin")
        assert "script-src" not in policy
    else:
        assert "frame-ancestors 'none'" in policy
        assert "unsafe-inline" not in policy
        assert "require-trusted-types-for 'script'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "path", ["static/../server.py", "static/%2e%2e/server.py", "static/..%2fserver.py", "static/"]
)
def test_only_the_static_files_are_served(server: ViewerServer, path: str) -> None:
    assert ask(server, f"/{server.token}/{path}")[0] in (400, 403, 404)


@pytest.mark.parametrize(
    "path",
    [
        "pages/99/data",
        "pages/-1/data",
        "pages/0/images/999",
        "pages/0/picture.png",
        "pages/0/segment?number=9999",
        "pages/0/segment?number=x",
        "pages/0/segment?number=%D9%A1",
        *(
            path.format(number)
            for number in ("1" + "0" * 30, "9" * 5000, "%D9%A1", "%ED%B2%80", "1e3")
            for path in ("pages/{}/data", "pages/{}/annotation", "pages/0/images/{}")
        ),
    ],
)
def test_what_is_not_there_is_told(server: ViewerServer, path: str) -> None:
    status, _, body = ask(server, f"/{server.token}/{path}")
    assert status == 404
    assert body


def test_an_unknown_export_is_told(server: ViewerServer) -> None:
    status, _, body = ask(server, f"/{server.token}/pages/0/annotation/export?format=nosuch")
    assert status == 422
    assert "there are annotation, segmentation" in json.loads(body)["error"]


def test_names_and_texts_with_lone_surrogates_are_answered(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.html")
    (tmp_path / name).write_text("<p>one</p><p>two</p>", encoding="utf-8")
    boxes = tmp_path / "boxes.json"
    boxes.write_text(r'[{"left":0,"top":0,"right":9,"bottom":9,"text":"a \ud800 b"}]')
    sources = [str(tmp_path / name), str(boxes)]
    with serving(sources, annotations=tmp_path / "marks") as server:
        assert told(server, "api/start")["pages"][0] == str(tmp_path / "caf\ufffd.html")
        for page in 0, 1:
            for path in "data", "segments", "contexts", "annotation", "segment?number=0":
                told(server, f"pages/{page}/{path}")
        status, _, body = ask(
            server,
            f"/{server.token}/pages/0/annotation/change",
            method="POST",
            headers={"Content-Type": "application/json"},
            body=b'{"do": "mark", "spans": [[0, 3]]}',
        )
        assert status == 200, body
        told(server, "pages/0/annotation/export?format=segmentation")


def test_reasons_are_told_of_the_image_that_is_asked_for(server: ViewerServer) -> None:
    from pagecut.contexts.item import Item
    from pagecut.evaluation.datasets import read_dataset

    page = read_dataset(EXAMPLES).pages[0].load()[0]
    assert "explanation" not in told(server, "pages/0/contexts")
    answer = told(server, "pages/0/reasons?spec=item&image=2")
    expected = [each for each in Item().explain(page).reasons if each.number == 2]
    assert [each["text"] for each in answer["reasons"]] == list(map(str, expected))
    assert set(answer["glossary"]) == {name for each in expected for name, _ in each.evidence}
    assert told(server, "pages/0/reasons?spec=siblings&image=2")["reasons"] == []
    status, _, body = ask(server, f"/{server.token}/pages/0/reasons?image={len(page.images)}")
    assert status == 404
    assert "image" in json.loads(body)["error"]


def test_a_wrong_method_is_told_with_its_hint(server: ViewerServer) -> None:
    status, _, body = ask(server, f"/{server.token}/pages/0/segments?spec=block-fusoin")
    assert status == 422
    assert "did you mean 'block-fusion'" in json.loads(body)["error"]


def test_the_segments_are_those_of_the_library(server: ViewerServer) -> None:
    from pagecut.evaluation.datasets import read_dataset
    from pagecut.segmenters import segment

    page = read_dataset(EXAMPLES).pages[0].load()[0]
    result = segment(page, "block-fusion(threshold=0.5)")
    answer = told(server, "pages/0/segments?spec=block-fusion(threshold=0.5)")
    assert answer["spans"] == result.spans.reshape(-1).tolist()
    assert answer["labels"] == result.labels.tolist()
    assert answer["madeBy"] == "block-fusion(threshold=0.5)"
    assert set(answer["explanation"]["curves"]) == {"density", "slope"}
    assert [each["measure"] for each in answer["scores"]["truth(level=2)"]][:2] == ["ari", "nmi"]
    one = told(server, "pages/0/segment?spec=block-fusion(threshold=0.5)&number=2")
    assert one["text"] == result.segments[2].text
    assert one["xpaths"] == result.segments[2].xpaths


def test_a_method_that_needs_boxes_says_so_for_a_parsed_page(server: ViewerServer) -> None:
    status, _, body = ask(server, f"/{server.token}/pages/0/segments?spec=vips")
    assert status == 422
    assert "render" in json.loads(body)["error"]


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b'{"do": "mark", "rows": [4]}', "text/plain", 415),
        (b'{"do": "mark", "rows": [4]}', "application/x-www-form-urlencoded", 415),
        (b"{", "application/json", 400),
        (b"[1]", "application/json", 400),
        (b"[" * 100_000, "application/json", 400),
        (b'{"do": "nosuch"}', "application/json", 422),
        (b'{"do": "mark", "rows": [99999999]}', "application/json", 422),
        (b'{"do": "mark", "rows": ["x"]}', "application/json", 422),
        (b'{"do": "mark", "spans": [[1]]}', "application/json", 422),
        (b'{"do": "mark", "spans": [[5, 5]]}', "application/json", 422),
        (b'{"do": "merge", "areas": [1, 2]}', "application/json", 422),
        (b'{"do": "undo"}', "application/json", 422),
        (b'{"do": "mark", "rows": [4], "name": "\\ud800"}', "application/json", 422),
        (b'{"do": "start", "spec": "\\ud800"}', "application/json", 422),
        (b" " * 6_000_000, "application/json", 413),
    ],
    ids=range(15),
)
def test_bad_changes_are_refused(server: ViewerServer, body: bytes, kind: str, status: int) -> None:
    found, _, answer = ask(
        server,
        f"/{server.token}/pages/1/annotation/change",
        method="POST",
        headers={"Content-Type": kind},
        body=body,
    )
    assert found == status
    assert json.loads(answer)["error"]


def test_a_port_that_is_taken_is_told(server: ViewerServer) -> None:
    from pagecut.errors import PageError

    with pytest.raises(PageError, match=f"port {server.port} .*another --port"):
        ViewerServer([], server.port)


@pytest.mark.skipif(os.name != "posix", reason="elsewhere a port is free at once")
def test_a_port_is_free_again_when_the_server_has_ended_before_its_tabs() -> None:
    with serving([str(EXAMPLES)]) as first:
        tab = http.client.HTTPConnection("127.0.0.1", first.port, timeout=20)
        tab.request("GET", f"/{first.token}/")
        tab.getresponse().read()
    try:
        second = ViewerServer([], first.port)
        second.start()
        second.stop()
    finally:
        tab.close()


def test_two_servers_have_two_tokens(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text("<p>text")
    with serving([str(page)]) as one, serving([str(page)]) as other:
        assert one.token != other.token
        assert len(one.token) >= 32
        assert ask(one, f"/{other.token}/")[0] == 403


def test_the_text_its_chunks_and_the_metadata(server: ViewerServer) -> None:
    number = told(server, "api/start")["pages"].index("article")
    page = told(server, f"pages/{number}/data")
    found = told(server, f"pages/{number}/content?size=600")
    assert found["metadata"]["title"] == "The line that bears fruit"
    assert 0 < found["words"] < found["of"]
    assert found["types"][0]["likely"] == max(each["likely"] for each in found["types"])
    for chunk in found["chunks"]:
        assert 0 < chunk["size"] <= 600
        start, end = chunk["spans"][:2]
        assert chunk["text"].split()[0] in page["text"][start:end]
    more = told(server, f"pages/{number}/content?favour=recall")
    assert more["words"] >= found["words"]
    for query in ("size=x", "size=1", "favour=nosuch"):
        status, _, body = ask(server, f"/{server.token}/pages/{number}/content?{query}")
        assert (status, "must" in json.loads(body)["error"]) == (422, True)


def test_the_list_of_segments_has_roles_and_sizes(server: ViewerServer) -> None:
    found = told(server, "pages/0/segments?spec=mosaic")
    assert len(found["roles"]) == len(found["words"]) == found["count"]
    for number, parent in enumerate(found["parent"]):
        if parent >= 0:
            assert found["words"][number] <= found["words"][parent]
    flat = told(server, "pages/0/segments?spec=whole-page")
    assert flat["roles"] is None
    assert flat["words"] == [told(server, "pages/0/content")["of"]]


def test_thousands_of_pages_are_listed_by_title_and_read_when_opened(tmp_path: Path) -> None:
    for number in range(3000):
        title = f"<title>Tea &amp; cups {number}</title>".encode("latin-1")
        (tmp_path / f"p{number:04}.html").write_bytes(b"<meta charset=latin1>" + title + b"<p>\xe4")
    with serving([str(tmp_path)]) as server:
        assert len(told(server, "api/start")["pages"]) == 3000
        titles = told(server, "api/titles")
        assert titles[:2] == ["Tea & cups 0", "Tea & cups 1"]
        assert told(server, "pages/2999/data")["text"] == "ä"


def test_pages_open_while_titles_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.html").write_text("<title>Tea</title><p>Green or black")
    pages = OpenPages(list_pages([str(tmp_path)], None))
    reading, opened = Event(), Event()

    def slow(_path: Path) -> str:
        reading.set()
        assert opened.wait(30), "the page could not be opened meanwhile"
        return "Tea"

    monkeypatch.setattr("pagecut.viewer.open_pages.read_title", slow)
    with ThreadPoolExecutor(1) as pool:
        titles = pool.submit(pages.titles)
        assert reading.wait(30)
        assert pages.page(0).page.title == "Tea"
        opened.set()
        assert titles.result() == ["Tea"]


def test_a_title_after_long_scripts_is_listed(tmp_path: Path) -> None:
    script = f"<script>{'x' * 40_000}</script>"
    (tmp_path / "page.html").write_text(f"{script}<title>Tea</title><p>Green or black")
    with serving([str(tmp_path)]) as server:
        assert told(server, "api/titles") == ["Tea"]


def test_files_that_do_not_lie_beside_a_page_are_counted(tmp_path: Path) -> None:
    (tmp_path / "there.css").write_text("p { color: red }")
    page = tmp_path / "page.html"
    page.write_text(
        "<link rel=stylesheet href=there.css><link rel=stylesheet href=https://x.org/gone.css>"
        "<img src=data:image/gif;base64,R0lGODlhAQABAAAAACw=><img src=gone.png><p>text"
    )
    with serving([str(page)]) as server:
        assert told(server, "pages/0/data")["missing"] == 2

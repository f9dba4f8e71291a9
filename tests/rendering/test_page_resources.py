"""A saved page is served its own files and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagecut.errors import PageError
from pagecut.rendering.page_source import (
    ORIGIN,
    FolderResources,
    MirrorResources,
    Resource,
    content_type,
    file_source,
    html_source,
    mirror_root,
    source_of,
)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A page with files, beside things that are none of its business."""
    (tmp_path / "secret.txt").write_text("secret")
    folder = tmp_path / "page"
    (folder / "my files").mkdir(parents=True)
    (folder / "index.html").write_text("<p>x")
    (folder / "style.css").write_text("p{}")
    (folder / "all.css?v=3").write_text("q{}")
    (folder / "a:b.css").write_text("v{}")
    (folder / "my files" / "ä ö.css").write_text("u{}")
    (folder / "drawing").write_text("<?xml version='1.0'?><!-- c --><svg xmlns='x'/>")
    (folder / "outside").symlink_to(tmp_path / "secret.txt")
    (folder / "up").symlink_to(tmp_path)
    (folder / "inside").symlink_to(folder / "style.css")
    return folder


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("style.css", b"p{}"),
        ("style.css?v=2#x", b"p{}"),
        ("all.css%3Fv=3", b"q{}"),
        ("my%20files/%C3%A4%20%C3%B6.css", b"u{}"),
        ("my%20files/../style.css", b"p{}"),
        ("inside", b"p{}"),
        ("", None),
        ("my%20files", None),
        ("missing.css", None),
        ("outside", None),
        ("up/secret.txt", None),
        ("../secret.txt", None),
        ("..%2Fsecret.txt", None),
        ("%2e%2e/secret.txt", None),
        ("/../secret.txt", None),
        ("%2Fetc%2Fhostname", None),
        ("//etc/hostname", None),
        ("a%00b", None),
        ("x" * 5000, None),
        ("//[x", None),
        ("///[x]y?[#]", None),
        ("/style.css", b"p{}"),
        ("a:b.css", b"v{}"),
    ],
)
def test_only_files_inside_the_folder(saved: Path, path: str, body: bytes | None) -> None:
    found = FolderResources(ORIGIN, saved).find(ORIGIN + path, "Other")
    assert (found and found.body) == body


@pytest.mark.parametrize(
    "url", ["http://other.example/style.css", "file:///style.css", "style.css"]
)
def test_only_under_its_own_origin(saved: Path, url: str) -> None:
    assert FolderResources(ORIGIN, saved).find(url, "Stylesheet") is None


def test_what_the_page_asks_for_tells_the_type(saved: Path) -> None:
    files = FolderResources(ORIGIN, saved)

    def kind(path: str, wanted: str) -> str:
        found = files.find(ORIGIN + path, wanted)
        assert isinstance(found, Resource)
        return found.content_type

    assert kind("all.css%3Fv=3", "Stylesheet") == "text/css"
    assert kind("drawing", "Image") == "image/svg+xml"
    assert kind("style.css", "Image") == ""
    assert kind("style.css", "Other") == "text/css"


@pytest.fixture
def mirrored(tmp_path: Path) -> Path:
    """One folder per host, as tools that mirror sites make them."""
    for name in (
        "www.example.org/news/index.html",
        "www.example.org/own.css",
        "static.example.net/a/other.css",
        "static.example.net/b?c=1",
        "static.example.net/.hidden/key.css",
    ):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
    (tmp_path / "top.css").write_text("top")
    (tmp_path / "hts-cache").mkdir()
    (tmp_path / "linked.example.com").symlink_to(tmp_path / "static.example.net")
    return tmp_path / "www.example.org" / "news" / "index.html"


@pytest.mark.parametrize(
    ("url", "body"),
    [
        (f"{ORIGIN}www.example.org/own.css", "www.example.org/own.css"),
        (f"{ORIGIN}own.css", "www.example.org/own.css"),
        (f"{ORIGIN}static.example.net/a/other.css", "static.example.net/a/other.css"),
        ("https://static.example.net/a/other.css?v=1", "static.example.net/a/other.css"),
        ("http://static.example.net/b?c=1", "static.example.net/b?c=1"),
        (f"{ORIGIN}top.css", None),
        (f"{ORIGIN}static.example.net/../top.css", None),
        (f"{ORIGIN}static.example.net/%2e%2e/top.css", None),
        (f"{ORIGIN}static.example.net/.hidden/key.css", None),
        (f"{ORIGIN}linked.example.com/a/other.css", None),
        ("http://[::1/x", None),
        (f"{ORIGIN}//[x", None),
        (f"{ORIGIN}{'x' * 300}.com/x.css", None),
    ],
)
def test_a_mirror_serves_its_hosts(mirrored: Path, url: str, body: str | None) -> None:
    source = file_source(mirrored)
    assert isinstance(source.resources, MirrorResources)
    assert source.address == f"{ORIGIN}www.example.org/news/index.html"
    found = source.resources.find(url, "Other")
    assert (found and found.body.decode()) == body


@pytest.mark.parametrize("beside", ["notes", ".ssh", "x.y-z"])
def test_where_other_folders_lie_beside_only_the_own_host_is_served(
    mirrored: Path, beside: str
) -> None:
    root = mirrored.parents[2]
    (root / beside).mkdir()
    (root / beside / "private.css").write_text("private")
    find = file_source(mirrored).resources.find
    own = find(f"{ORIGIN}own.css", "Other")
    assert own is not None
    assert find(f"{ORIGIN}www.example.org/own.css", "Other") == own
    assert find(f"{ORIGIN}{beside}/private.css", "Other") is None
    assert find(f"{ORIGIN}static.example.net/a/other.css", "Other") is None
    assert find("https://static.example.net/a/other.css", "Other") is None


def test_a_home_is_no_mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "homes" / "jane.doe" / "pages" / "x.html"
    assert mirror_root(page) == (tmp_path / "homes", "jane.doe")
    monkeypatch.setenv("HOME", str(tmp_path / "homes" / "jane.doe"))
    assert mirror_root(page) is None


@pytest.mark.parametrize(
    ("url", "address"),
    [
        (None, ORIGIN),
        ("http://example.org/a b?q=ä#part", "http://example.org/a%20b?q=%C3%A4"),
        ("file:///etc/hostname", ORIGIN),
        ("javascript:alert(1)", ORIGIN),
        ("http://", ORIGIN),
        ("http://[::1", ORIGIN),
        ("nonsense", ORIGIN),
    ],
)
def test_a_page_is_loaded_at_its_own_address_if_it_has_one(url: str | None, address: str) -> None:
    assert html_source("<p>x", url=url).address == address


def test_what_the_user_gives_is_told_apart(saved: Path) -> None:
    page = saved / "index.html"
    assert source_of("<p>y").html == "<p>y"
    assert source_of(b"no markup").html == b"no markup"
    assert source_of(page).html == source_of(str(page)).html == b"<p>x"
    assert source_of("https://example.org/").live
    assert not source_of("<p>y", url="https://example.org/").live
    with pytest.raises(TypeError, match="int"):
        source_of(5)  # type: ignore[arg-type]


@pytest.mark.parametrize("between", [b"", b" "])
def test_comments_before_a_drawing_cost_no_time(between: bytes) -> None:
    comments = b"<?xml version='1.0'?>" + (b"<!-- a -->" + between) * 10_000
    assert content_type(comments + b"<svg>", "a", "Image") == "image/svg+xml"
    assert content_type(comments + b"x", "a", "Image") == ""


def test_a_file_that_is_no_page_is_refused_as_by_every_reader(tmp_path: Path) -> None:
    picture = tmp_path / "a.html"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    with pytest.raises(PageError, match=r"a\.html: no page, but a PNG image"):
        file_source(picture)
    with pytest.raises(PageError, match="no such file"):
        file_source(tmp_path / "none.html")

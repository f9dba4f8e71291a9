"""What the browser can ask for: pages, pictures, what methods make of them, and annotations."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from pagecut.annotation.storage import AnnotationFolder
from pagecut.content.chunks import Chunks
from pagecut.content.main_text import page_type
from pagecut.contexts import DEFAULT_EXTRACTOR
from pagecut.errors import PagecutError, SpecError
from pagecut.page import Image
from pagecut.report.local_images import read_image, relative_source
from pagecut.segmenters import DEFAULT_SEGMENTER
from pagecut.viewer.annotation_session import AnnotationSession
from pagecut.viewer.controls import describe_controls
from pagecut.viewer.differences import compare
from pagecut.viewer.open_pages import OpenPage
from pagecut.viewer.page_html import PageHtmlWriter
from pagecut.viewer.responses import (
    Json,
    content_json,
    context_json,
    explanation_json,
    page_json,
    reasons_json,
    score_json,
    segment_json,
    segmentation_json,
)
from pagecut.viewer.results_cache import ResultsCache

STATIC = Path(__file__).parent / "static"
MOST_BODY: Final = 5_000_000
_MOST_IMAGE: Final = 10_000_000
# The page's own HTML, already without scripts: it may style itself and show its images.
PAGE_HTML_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src {base}pages/ data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors {origin}; sandbox allow-same-origin"
)
# A picture that is opened by itself, since an SVG is a document too.
PICTURE_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

Answer = Callable[[Request], Response]

_NUMBER: Final = "[0-9]{1,9}"


class _Number(Convertor[int]):
    """A number in a path; one of more digits than any page has is a path that is not there."""

    regex = _NUMBER

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


register_url_convertor("number", _Number())


class _Json(JSONResponse):
    """JSON in which lone surrogates, which UTF-8 has not, are escaped."""

    def render(self, content: Any) -> bytes:
        text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode("utf-8", "backslashreplace")


class Api:
    """Answers about the open pages."""

    def __init__(self, results: ResultsCache, *, start: Json) -> None:
        self.results = results
        self.pages = results.pages
        self.start = start

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/", lambda _: FileResponse(STATIC / "index.html")),
            Mount("/static", StaticFiles(directory=STATIC)),
            Route("/api/start", json_answer(self.describe)),
            Route("/pages/{page:number}/data", json_answer(self.page)),
            Route("/pages/{page:number}/segments", json_answer(self.segments)),
            Route("/pages/{page:number}/segment", json_answer(self.segment)),
            Route("/pages/{page:number}/contexts", json_answer(self.contexts)),
            Route("/pages/{page:number}/reasons", json_answer(self.reasons)),
            Route("/api/titles", json_answer(lambda _: self.pages.titles())),
            Route("/pages/{page:number}/content", json_answer(self.content)),
            Route("/pages/{page:number}/differences", json_answer(self.differences)),
            Route("/pages/{page:number}/picture.png", self.picture),
            Route("/pages/{page:number}/page.html", self.page_html),
            Route("/pages/{page:number}/images/{image:number}", self.image),
        ]

    def describe(self, _: Request) -> Json:
        """The pages there are, and the methods with their controls."""
        return {
            "pages": [item.name for item in self.pages.listed],
            "segmenter": DEFAULT_SEGMENTER,
            "extractor": DEFAULT_EXTRACTOR,
            **describe_controls(),
            **self.start,
        }

    def page(self, request: Request) -> Json:
        number, opened = self._opened(request)
        return page_json(opened, number, self.pages.listed[number].name)

    def segments(self, request: Request) -> Json:
        number, _ = self._opened(request)
        spec = request.query_params.get("spec", DEFAULT_SEGMENTER)
        segmentation, took = self.results.segmentation(number, spec)
        explanation = self.results.explanation(number, spec)
        return {
            **segmentation_json(segmentation),
            "seconds": took,
            "explanation": explanation_json(explanation),
            "scores": score_json(self.results.scores(number, segmentation)),
        }

    def segment(self, request: Request) -> Json:
        number, _ = self._opened(request)
        spec = request.query_params.get("spec", DEFAULT_SEGMENTER)
        segmentation = self.results.segmentation(number, spec)[0]
        wanted = _number(request, "number", len(segmentation))
        return segment_json(segmentation, wanted)

    def contexts(self, request: Request) -> Json:
        number, opened = self._opened(request)
        spec = request.query_params.get("spec", DEFAULT_EXTRACTOR)
        contexts, took = self.results.contexts(number, spec)
        return {
            "madeBy": contexts[0].made_by if contexts else spec,
            "seconds": took,
            "contexts": context_json(contexts),
            "truth": _true_contexts(opened),
        }

    def reasons(self, request: Request) -> Json:
        """Why one image has its role and its text: all of a large page would take long."""
        number, opened = self._opened(request)
        spec = request.query_params.get("spec", DEFAULT_EXTRACTOR)
        image = _number(request, "image", len(opened.page.images))
        return reasons_json(self.results.context_reasons(number, spec, image))

    def content(self, request: Request) -> Json:
        """The main text, its chunks and the metadata of a page."""
        number, opened = self._opened(request)
        size = request.query_params.get("size", "2000")
        if not re.fullmatch(_NUMBER, size):
            raise SpecError(f"size must be a number, got {size!r}")
        favour = request.query_params.get("favour", "balance")
        try:
            method = Chunks(size=int(size), favour=favour)  # type: ignore[arg-type]
        except ValueError as error:
            raise SpecError(str(error)) from error
        main, chunks = self.results.content(number, method)
        return content_json(opened.page, main, chunks, page_type(opened.page))

    def differences(self, request: Request) -> Json:
        number, _ = self._opened(request)
        first = self.results.segmentation(number, request.query_params.get("first", ""))[0]
        second = self.results.segmentation(number, request.query_params.get("second", ""))[0]
        return compare(first, second)

    def picture(self, request: Request) -> Response:
        _, opened = self._opened(request)
        if opened.picture is None:
            raise HTTPException(404, "the page was not rendered")
        headers = {"Content-Security-Policy": PICTURE_POLICY}
        return Response(opened.picture, media_type="image/png", headers=headers)

    def page_html(self, request: Request) -> Response:
        _, opened = self._opened(request)
        if opened.source is None:
            raise HTTPException(404, "the page has no HTML")
        shown = {
            image.node: f"images/{image.index}"
            for image in opened.page.images
            if _near(opened, image)
        }
        html = PageHtmlWriter(opened.page, shown, opened.folder).html(opened.source)
        return HTMLResponse(html, headers={"Content-Security-Policy": PAGE_HTML_POLICY})

    def image(self, request: Request) -> Response:
        """An image file that lies beside the page."""
        _, opened = self._opened(request)
        index = request.path_params["image"]
        if not 0 <= index < len(opened.page.images) or opened.folder is None:
            raise HTTPException(404, "no such image")
        relative = relative_source(opened.page, opened.page.images[index])
        found = read_image(opened.folder, relative, _MOST_IMAGE) if relative else None
        if found is None:
            raise HTTPException(404, "the image is not in the page's folder")
        headers = {"Content-Security-Policy": PICTURE_POLICY}
        return Response(found[0], media_type=found[1], headers=headers)

    def _opened(self, request: Request) -> tuple[int, OpenPage]:
        number = request.path_params["page"]
        try:
            return number, self.pages.page(number)
        except IndexError as error:
            raise HTTPException(404, str(error)) from error


def _near(opened: OpenPage, image: Image) -> bool:
    """Whether a file of the image's name lies where it should; what it holds is seen later."""
    relative = relative_source(opened.page, image)
    if opened.folder is None or relative is None:
        return False
    try:
        return (opened.folder / relative).is_file()
    except (OSError, ValueError):
        return False


def json_answer(answer: Callable[[Request], Any]) -> Answer:
    """An answer as JSON; what pagecut refuses is an answer with its message."""

    def answering(request: Request) -> Response:
        try:
            return _Json(answer(request))
        except PagecutError as error:
            return _Json({"error": str(error)}, status_code=422)

    return answering


def _number(request: Request, name: str, count: int) -> int:
    text = request.query_params.get(name, "")
    if not re.fullmatch(_NUMBER, text) or int(text) >= count:
        raise HTTPException(404, f"{name} {text!r} of {count}")
    return int(text)


def _true_contexts(opened: OpenPage) -> dict[int, str | None]:
    """True contexts by the image's position among all images, not only among <img>."""
    indices = [image.index for image in opened.page.images if image.tag == "img"]
    return {indices[at]: text for at, text in opened.contexts.items() if at < len(indices)}


def annotation_routes(results: ResultsCache, folder: AnnotationFolder) -> list[BaseRoute]:
    """Everything that annotating adds to the viewer."""
    return AnnotationApi(AnnotationSession(results, folder)).routes()


class AnnotationApi:
    """Answers about annotations."""

    def __init__(self, session: AnnotationSession) -> None:
        self.session = session

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/api/annotated", json_answer(lambda _: self.session.overview())),
            Route("/pages/{page:number}/annotation", json_answer(self.describe)),
            Route("/pages/{page:number}/annotation/change", self.change, methods=["POST"]),
            Route(
                "/pages/{page:number}/annotation/transfer",
                json_answer(self.transfer),
                methods=["POST"],
            ),
            Route("/pages/{page:number}/annotation/next", json_answer(self.next), methods=["POST"]),
            Route("/pages/{page:number}/annotation/export", self.export),
        ]

    def describe(self, request: Request) -> Json:
        return self.session.describe(self._page(request))

    def transfer(self, request: Request) -> Json:
        return {"pages": self.session.transfer(self._page(request))}

    def next(self, request: Request) -> Json:
        return {"page": self.session.next_to_check(self._page(request))}

    async def change(self, request: Request) -> Response:
        """A change; the body must be JSON, which no form of another page can send."""
        if not request.headers.get("content-type", "").startswith("application/json"):
            raise HTTPException(415, "send application/json")
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > MOST_BODY:
                raise HTTPException(413, "too much for one change")
        page = self._page(request)
        return await run_in_threadpool(self._change, page, bytes(body))

    def _change(self, page: int, body: bytes) -> Response:
        try:
            wanted = json.loads(body)
        except (ValueError, RecursionError):
            return _Json({"error": "the change is not JSON"}, status_code=400)
        if not isinstance(wanted, dict):
            return _Json({"error": "a change must be an object"}, status_code=400)
        try:
            return _Json(self.session.change(page, wanted))
        except PagecutError as error:
            return _Json({"error": str(error)}, status_code=422)

    def export(self, request: Request) -> Response:
        try:
            name, data = self.session.exported(
                self._page(request), request.query_params.get("format", "annotation")
            )
        except PagecutError as error:
            return _Json({"error": str(error)}, status_code=422)
        kind = "image/png" if name.endswith(".png") else "application/json"
        headers = {"Content-Disposition": f'attachment; filename="{_ascii(name)}"'}
        return Response(data, media_type=kind, headers=headers)

    def _page(self, request: Request) -> int:
        number = int(request.path_params["page"])
        if not 0 <= number < len(self.session.pages):
            raise HTTPException(404, f"page {number} of {len(self.session.pages)}")
        return number


def _ascii(name: str) -> str:
    return name.encode("ascii", "replace").decode().replace("?", "_").replace('"', "_")

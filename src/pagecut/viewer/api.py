"""What the browser can ask for: pages, their pictures, and what methods make of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from pagecut._version import __version__
from pagecut.contexts import DEFAULT_EXTRACTOR
from pagecut.errors import PagecutError
from pagecut.page import Image
from pagecut.report.local_images import read_image, relative_source
from pagecut.segmenters import DEFAULT_SEGMENTER
from pagecut.viewer.access import FRAME_POLICY, PICTURE_POLICY
from pagecut.viewer.controls import describe_controls
from pagecut.viewer.differences import compare
from pagecut.viewer.frame import FrameWriter
from pagecut.viewer.messages import (
    Json,
    context_messages,
    explanation_message,
    page_message,
    score_messages,
    segment_message,
    segmentation_message,
)
from pagecut.viewer.shelf import OpenPage
from pagecut.viewer.workbench import Workbench

STATIC = Path(__file__).parent / "static"
_MOST_IMAGE = 10_000_000

Answer = Callable[[Request], Response]


class Api:
    """Answers for the pages of one workbench."""

    def __init__(self, bench: Workbench, *, start: Json) -> None:
        self.bench = bench
        self.start = start

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/", lambda _: FileResponse(STATIC / "index.html")),
            Mount("/static", StaticFiles(directory=STATIC)),
            Route("/api/start", told(self.describe)),
            Route("/pages/{page:int}/data", told(self.page)),
            Route("/pages/{page:int}/segments", told(self.segments)),
            Route("/pages/{page:int}/segment", told(self.segment)),
            Route("/pages/{page:int}/contexts", told(self.contexts)),
            Route("/pages/{page:int}/differences", told(self.differences)),
            Route("/pages/{page:int}/picture.png", self.picture),
            Route("/pages/{page:int}/frame.html", self.frame),
            Route("/pages/{page:int}/images/{image:int}", self.image),
        ]

    def describe(self, _: Request) -> Json:
        """The pages there are, and the methods with their controls."""
        return {
            "version": __version__,
            "pages": [item.name for item in self.bench.shelf.items],
            "segmenter": DEFAULT_SEGMENTER,
            "extractor": DEFAULT_EXTRACTOR,
            **describe_controls(),
            **self.start,
        }

    def page(self, request: Request) -> Json:
        number, opened = self._opened(request)
        return page_message(opened, number, self.bench.shelf.items[number].name)

    def segments(self, request: Request) -> Json:
        number, _ = self._opened(request)
        spec = request.query_params.get("spec", DEFAULT_SEGMENTER)
        segmentation, took = self.bench.segmentation(number, spec)
        explanation = self.bench.explanation(number, spec)
        return {
            **segmentation_message(segmentation),
            "seconds": took,
            "explanation": explanation_message(explanation),
            "scores": score_messages(self.bench.scores(number, segmentation)),
        }

    def segment(self, request: Request) -> Json:
        number, _ = self._opened(request)
        spec = request.query_params.get("spec", DEFAULT_SEGMENTER)
        segmentation = self.bench.segmentation(number, spec)[0]
        wanted = _number(request, "number", len(segmentation))
        return segment_message(segmentation, wanted)

    def contexts(self, request: Request) -> Json:
        number, opened = self._opened(request)
        spec = request.query_params.get("spec", DEFAULT_EXTRACTOR)
        contexts, took = self.bench.contexts(number, spec)
        return {
            "madeBy": contexts[0].made_by if contexts else spec,
            "seconds": took,
            "contexts": context_messages(contexts),
            "truth": _true_contexts(opened),
        }

    def differences(self, request: Request) -> Json:
        number, _ = self._opened(request)
        first = self.bench.segmentation(number, request.query_params.get("first", ""))[0]
        second = self.bench.segmentation(number, request.query_params.get("second", ""))[0]
        found = compare(first, second)
        return {
            "first": found.first,
            "second": found.second,
            "agreement": [{"measure": name, "value": value} for name, value in found.agreement],
        }

    def picture(self, request: Request) -> Response:
        _, opened = self._opened(request)
        if opened.picture is None:
            raise HTTPException(404, "the page was not rendered")
        headers = {"Content-Security-Policy": PICTURE_POLICY}
        return Response(opened.picture, media_type="image/png", headers=headers)

    def frame(self, request: Request) -> Response:
        _, opened = self._opened(request)
        if opened.source is None:
            raise HTTPException(404, "the page has no HTML")
        shown = {
            image.node: f"images/{image.index}"
            for image in opened.page.images
            if _near(opened, image)
        }
        html = FrameWriter(opened.page, shown, opened.folder).html(opened.source)
        return HTMLResponse(html, headers={"Content-Security-Policy": FRAME_POLICY})

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
            return number, self.bench.shelf.page(number)
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


def told(answer: Callable[[Request], Any]) -> Answer:
    """An answer as JSON; what pagecut refuses is told with its hint."""

    def answering(request: Request) -> Response:
        try:
            return JSONResponse(answer(request))
        except PagecutError as error:
            return JSONResponse({"error": str(error)}, status_code=422)

    return answering


def make_app(routes: Sequence[BaseRoute]) -> Starlette:
    """The application without its guard."""
    return Starlette(routes=list(routes), exception_handlers={HTTPException: _told_error})


def _told_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, status_code=error.status_code)


def _number(request: Request, name: str, count: int) -> int:
    text = request.query_params.get(name, "")
    if not text.isdecimal() or len(text) > 9 or int(text) >= count:
        raise HTTPException(404, f"{name} {text!r} of {count}")
    return int(text)


def _true_contexts(opened: OpenPage) -> dict[int, str | None]:
    """True contexts by the image's position among all images, not only among <img>."""
    indices = [image.index for image in opened.page.images if image.tag == "img"]
    return {indices[at]: text for at, text in opened.contexts.items() if at < len(indices)}

"""What the browser can ask for when someone annotates."""

from __future__ import annotations

import json

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from pagecut.annotation.storage import AnnotationFolder
from pagecut.errors import PagecutError
from pagecut.viewer.api import told
from pagecut.viewer.desk import Desk
from pagecut.viewer.messages import Json
from pagecut.viewer.workbench import Workbench

MOST_BODY = 5_000_000


def annotation_routes(bench: Workbench, folder: AnnotationFolder) -> list[BaseRoute]:
    """Everything that annotating adds to the viewer."""
    return AnnotationApi(Desk(bench, folder)).routes()


class AnnotationApi:
    """Answers for one desk."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/api/annotated", told(lambda _: self.desk.overview())),
            Route("/pages/{page:int}/annotation", told(self.tell)),
            Route("/pages/{page:int}/annotation/change", self.change, methods=["POST"]),
            Route("/pages/{page:int}/annotation/transfer", told(self.transfer), methods=["POST"]),
            Route("/pages/{page:int}/annotation/next", told(self.next), methods=["POST"]),
            Route("/pages/{page:int}/annotation/export", self.export),
        ]

    def tell(self, request: Request) -> Json:
        return self.desk.tell(self._page(request))

    def transfer(self, request: Request) -> Json:
        return {"pages": self.desk.transfer(self._page(request))}

    def next(self, request: Request) -> Json:
        return {"page": self.desk.next_to_check(self._page(request))}

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
            return JSONResponse({"error": "the change is no JSON"}, status_code=400)
        if not isinstance(wanted, dict):
            return JSONResponse({"error": "a change must be an object"}, status_code=400)
        try:
            return JSONResponse(self.desk.change(page, wanted))
        except PagecutError as error:
            return JSONResponse({"error": str(error)}, status_code=422)

    def export(self, request: Request) -> Response:
        try:
            name, data = self.desk.exported(
                self._page(request), request.query_params.get("format", "annotation")
            )
        except PagecutError as error:
            return JSONResponse({"error": str(error)}, status_code=422)
        kind = "image/png" if name.endswith(".png") else "application/json"
        headers = {"Content-Disposition": f'attachment; filename="{_ascii(name)}"'}
        return Response(data, media_type=kind, headers=headers)

    def _page(self, request: Request) -> int:
        number = int(request.path_params["page"])
        if not 0 <= number < len(self.desk.bench.shelf):
            raise HTTPException(404, f"page {number} of {len(self.desk.bench.shelf)}")
        return number


def _ascii(name: str) -> str:
    return name.encode("ascii", "replace").decode().replace("?", "_").replace('"', "_")

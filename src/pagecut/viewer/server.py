"""The server on this machine: bound before anyone is told its address, and told once."""

from __future__ import annotations

import secrets
import socket
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import uvicorn
from starlette.routing import BaseRoute

from pagecut.errors import PageError
from pagecut.viewer.access import Guard
from pagecut.viewer.api import make_app


class ViewerServer:
    """A server on 127.0.0.1; `address` holds the token without which it answers nothing."""

    def __init__(self, routes: Sequence[BaseRoute], port: int = 0) -> None:
        self._socket = _bound(port)
        self.port: int = self._socket.getsockname()[1]
        self.token = secrets.token_urlsafe(24)
        self.address = f"http://127.0.0.1:{self.port}/{self.token}/"
        app = Guard(make_app(routes), self.token, self.port)
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, lifespan="off", server_header=False
        )
        self._server = uvicorn.Server(config)

    def run(self, when_ready: Callable[[], Any] = lambda: None) -> None:
        """Serve until the user ends it."""
        thread = threading.Thread(target=self._tell, args=(when_ready,), daemon=True)
        thread.start()
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self._socket.close()

    def _tell(self, when_ready: Callable[[], Any]) -> None:
        while not self._server.started:
            if self._server.should_exit:
                return
            time.sleep(0.01)
        when_ready()

    def start(self) -> None:
        """Serve in a thread of its own; `stop` ends it."""
        ready = threading.Event()
        self._thread = threading.Thread(target=self.run, args=(ready.set,), daemon=True)
        self._thread.start()
        if not ready.wait(10):
            raise PageError(f"the viewer did not start on port {self.port}")

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(10)


def _bound(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.bind(("127.0.0.1", port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise PageError(
            f"port {port} of 127.0.0.1 cannot be used: {error.strerror}; give another --port"
        ) from error
    return listener

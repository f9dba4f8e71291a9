"""The DevTools protocol over a pipe: JSON messages, each ended by a zero byte.

The browser reads its third and writes its fourth file: no port is open, and the browser ends when
its client does. One thread reads; every session (a tab) takes its own messages from a queue.
"""

from __future__ import annotations

import itertools
import json
import os
import queue
import threading
import time
from collections import deque
from typing import Any, Final

Message = dict[str, Any]

_CHUNK: Final = 1 << 20


class Disconnected(Exception):
    """The browser is gone."""


class ProtocolError(Exception):
    """The browser refused a command."""


class TimedOut(Exception):
    """The browser did not answer in time."""


class Crashed(Exception):
    """The page took its tab down."""


class Connection:
    """One browser; `""` is the session of the browser itself."""

    def __init__(self, read_end: int, write_end: int) -> None:
        self._read_end, self._write_end = read_end, write_end
        self._numbers = itertools.count(1)
        self._write_lock = threading.Lock()
        self._queues: dict[str, queue.SimpleQueue[Message | None]] = {"": queue.SimpleQueue()}
        self._forgotten: set[str] = set()
        self._alive = True
        self._reader = threading.Thread(target=self._read, name="devtools", daemon=True)
        self._reader.start()

    def session(self, session_id: str = "") -> Session:
        """The session of a tab that was attached to, or of the browser."""
        return Session(self, session_id, self._queue(session_id))

    def forget(self, session_id: str) -> None:
        """Drop what still comes from a tab that was closed."""
        self._forgotten.add(session_id)
        self._queues.pop(session_id, None)

    def send(self, session_id: str, method: str, parameters: Message) -> int:
        """Send a command without waiting for its answer; its number."""
        number = next(self._numbers)
        message: Message = {"id": number, "method": method, "params": parameters}
        if session_id:
            message["sessionId"] = session_id
        data = json.dumps(message).encode() + b"\0"
        try:
            with self._write_lock:
                view = memoryview(data)
                while view:
                    view = view[os.write(self._write_end, view) :]
        except OSError as error:
            raise Disconnected from error
        return number

    def close(self) -> None:
        with self._write_lock:
            if self._write_end >= 0:
                os.close(self._write_end)
                self._write_end = -1
        self._reader.join(timeout=5)

    def _queue(self, session_id: str) -> queue.SimpleQueue[Message | None]:
        found = self._queues.setdefault(session_id, queue.SimpleQueue())
        if not self._alive:
            found.put(None)
        return found

    def _read(self) -> None:
        parts: list[bytes] = []
        while True:
            try:
                data = os.read(self._read_end, _CHUNK)
            except OSError:
                data = b""
            if not data:
                break
            *whole, rest = data.split(b"\0")
            for end in whole:
                parts.append(end)
                message = json.loads(b"".join(parts))
                parts = []
                session_id = message.get("sessionId", "")
                if session_id not in self._forgotten:
                    self._queue(session_id).put(message)
            parts.append(rest)
        self._alive = False
        os.close(self._read_end)
        for each in list(self._queues.values()):
            each.put(None)


def result_of(message: Message, method: str) -> Message:
    """What an answer holds; ProtocolError if the command was refused."""
    if "error" in message:
        raise ProtocolError(f"{method}: {message['error'].get('message')}")
    result: Message = message["result"]
    return result


class Session:
    """A tab's commands and events, used by one thread at a time."""

    def __init__(
        self, connection: Connection, name: str, messages: queue.SimpleQueue[Message | None]
    ) -> None:
        self._connection, self.name, self._messages = connection, name, messages
        self._events: deque[Message] = deque()

    def send(self, method: str, **parameters: Any) -> int:
        """Send a command and do not wait."""
        return self._connection.send(self.name, method, parameters)

    def call(self, method: str, deadline: float, **parameters: Any) -> Message:
        """Send a command and wait for its answer; events that come first are kept."""
        number = self.send(method, **parameters)
        while True:
            message = self._next(deadline, method)
            if message.get("id") == number:
                return result_of(message, method)
            if "method" in message:
                self._events.append(message)

    def receive(self, deadline: float) -> Message:
        """The next event or answer."""
        return self._events.popleft() if self._events else self._next(deadline, "an event")

    def discard_events(self) -> None:
        """Forget what came before: it concerns the page before."""
        self._events.clear()

    def _next(self, deadline: float, what: str) -> Message:
        left = deadline - time.monotonic()
        if left <= 0:  # a page that never stops talking must not hold us
            raise TimedOut(what)
        try:
            message = self._messages.get(timeout=left)
        except queue.Empty:
            raise TimedOut(what) from None
        if message is None:
            self._messages.put(None)
            raise Disconnected
        if message.get("method") == "Inspector.targetCrashed":
            raise Crashed
        return message

"""A tab that a test drives as a person would: with pointer and keys, waiting for what it shows."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pagecut.rendering.browser import Chromium, find_browser

SECONDS = 45.0

KEYS = {
    "Enter": (13, "\r"),
    "Tab": (9, "\t"),
    "Escape": (27, ""),
    "Delete": (46, ""),
    "ArrowDown": (40, ""),
    "ArrowUp": (38, ""),
    "ArrowLeft": (37, ""),
    "ArrowRight": (39, ""),
    "Home": (36, ""),
    "End": (35, ""),
}


class Browsing:
    """One tab of a browser that may reach this machine."""

    def __init__(self, browser: Chromium) -> None:
        self._browser = browser
        self._tab = browser.new_tab()
        self._session = self._tab.session
        self.call("Page.enable")
        self.call("Runtime.enable")
        self.size(1280, 800)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        answer: dict[str, Any] = self._session.call(
            method, time.monotonic() + SECONDS, **parameters
        )
        return answer

    def size(self, width: int, height: int, *, dark: bool = False) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 500,
        )
        value = "dark" if dark else "light"
        features = [{"name": "prefers-color-scheme", "value": value}]
        self.call("Emulation.setEmulatedMedia", features=features)

    def open(self, address: str) -> None:
        """Go to an address and wait until the viewer is ready."""
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=address)
        self.ready()

    def reload(self) -> None:
        self.evaluate("delete document.documentElement.dataset.ready")
        self.call("Page.reload")
        self.ready()

    def ready(self) -> None:
        self.wait(
            "document.documentElement.dataset.ready && !document.documentElement.dataset.busy"
        )

    def evaluate(self, script: str) -> Any:
        """The value of an expression, awaited if it is a promise."""
        answer = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            told = details.get("exception", {}).get("description", details["text"])
            raise AssertionError(f"{script}: {told}")
        return answer["result"].get("value")

    def wait(self, script: str, seconds: float = SECONDS) -> None:
        """Wait until an expression is true."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                if self.evaluate(f"Boolean({script})"):
                    return
            except AssertionError:
                pass  # the page is on its way to another
            time.sleep(0.02)
        raise AssertionError(f"never true: {script}; {self.text('#message')!r}")

    def text(self, selector: str) -> str:
        found = self.evaluate(f"document.querySelector({json.dumps(selector)})?.textContent ?? ''")
        return str(found)

    def middle(self, selector: str) -> tuple[float, float]:
        """The middle of an element, brought into view."""
        script = (
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); "
            "if (!e) return null; e.scrollIntoView({block: 'nearest'}); "
            "const r = e.getBoundingClientRect(); "
            "return [r.left + r.width / 2, r.top + r.height / 2]; })()"
        )
        found = self.evaluate(script)
        assert found, f"no {selector}"
        return found[0], found[1]

    def click(self, selector: str) -> None:
        self.click_at(*self.middle(selector))

    def click_at(self, x: float, y: float, *, shift: bool = False) -> None:
        modifiers = 8 if shift else 0
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, modifiers=modifiers)
        self.mouse("mouseReleased", x, y, modifiers=modifiers)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        self.mouse("mouseMoved", *start)
        self.mouse("mousePressed", *start)
        for step in (0.3, 0.6, 1.0):
            x, y = (a + (b - a) * step for a, b in zip(start, end, strict=True))
            self.mouse("mouseMoved", x, y, buttons=1)
        self.mouse("mouseReleased", *end)

    def mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        pressed = kind != "mouseMoved"
        self.call(
            "Input.dispatchMouseEvent",
            type=kind,
            x=x,
            y=y,
            **({"button": "left", "clickCount": 1} if pressed else {}),
            **more,
        )

    def press(self, key: str, *, control: bool = False, shift: bool = False) -> None:
        code, text = KEYS.get(key, (ord(key.upper()[:1]), key))
        modifiers = (2 if control else 0) + (8 if shift else 0)
        event = {"key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        typed = {"text": text} if text and not control else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", **event, **typed)
        self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    def type(self, text: str) -> None:
        self.call("Input.insertText", text=text)

    def choose(self, selector: str, value: str) -> None:
        """Choose an option, as its list does."""
        self.evaluate(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); "
            f"e.value = {json.dumps(value)}; e.dispatchEvent(new Event('change')); }})()"
        )

    def slide(self, selector: str, value: float) -> None:
        self.evaluate(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); "
            f"e.value = {value}; e.dispatchEvent(new Event('input')); }})()"
        )

    def screenshot(self, path: Path) -> None:
        data = self.call("Page.captureScreenshot", format="png")["data"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(data))

    def close(self) -> None:
        self._browser.close_tab(self._tab)


@contextmanager
def running_browser(*, closed: bool = True) -> Iterator[Chromium]:
    """A browser that may reach this machine; closed, it resolves no names."""
    options = ("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",) if closed else ()
    browser = Chromium(find_browser(), options)
    try:
        yield browser
    finally:
        browser.close()

"""Servers on the loopback that no page may reach, and ways in which pages try."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

SECRET = "the-canary-sings-7f3a91"

# Each is tried with scripts off and on. {web} and {web6} are HTTP servers on IPv4 and IPv6, {tcp}
# a plain port, {name} a name that browsers resolve to the loopback, {file} a file with the secret.
MARKUP = {
    "image": '<img src="{web}/image">',
    "image-ipv6": '<img src="{web6}/image-ipv6">',
    "image-by-name": '<img src="{name}/image-by-name">',
    "image-port": '<img src="http://{tcp}/">',
    "image-decimal-address": '<img src="{decimal}/image-decimal-address">',
    "image-srcset": '<img srcset="{web}/image-srcset 1x, {web}/image-srcset 2x">',
    "image-lazy": '<img loading="lazy" src="{web}/image-lazy">',
    "picture": '<picture><source srcset="{web}/picture"><img src="x"></picture>',
    "input-image": '<input type="image" src="{web}/input-image">',
    "body-background": '<table background="{web}/body-background"><tr><td>x</table>',
    "style-sheet": '<link rel="stylesheet" href="{web}/style-sheet">',
    "style-import": '<style>@import "{web}/style-import";</style>',
    "style-background": '<p style="background:url({web}/style-background)">x</p>',
    "style-content": "<style>q::before{{content:url({web}/style-content)}}</style><q>x</q>",
    "style-cursor": '<p style="cursor:url({web}/style-cursor),auto">x</p>',
    "style-list": '<ul><li style="list-style-image:url({web}/style-list)">x</ul>',
    "style-mask": '<p style="mask-image:url({web}/style-mask)">x</p>',
    "style-filter": '<p style="filter:url({web}/style-filter#f)">x</p>',
    "font": "<style>@font-face{{font-family:c;src:url({web}/font)}}</style>"
    '<p style="font-family:c">x</p>',
    "icon": '<link rel="icon" href="{web}/icon">',
    "manifest": '<link rel="manifest" href="{web}/manifest">',
    "prefetch": '<link rel="prefetch" href="{web}/prefetch">',
    "preload": '<link rel="preload" as="image" href="{web}/preload">',
    "modulepreload": '<link rel="modulepreload" href="{web}/modulepreload">',
    "prerender": '<link rel="prerender" href="{web}/prerender">',
    "preconnect": '<link rel="preconnect" href="http://{tcp}">',
    "dns-prefetch": '<link rel="dns-prefetch" href="//canary.localhost">',
    "speculation": '<script type="speculationrules">'
    '{{"prefetch":[{{"urls":["{web}/speculation"]}}]}}</script>',
    "frame": '<iframe src="{web}/frame"></iframe>',
    "frame-lazy": '<iframe loading="lazy" src="{web}/frame-lazy"></iframe>',
    "frame-redirect": '<iframe src="{web}/redirect/frame-redirect"></iframe>',
    "frame-srcdoc": "<iframe srcdoc=\"<img src='{web}/frame-srcdoc'>\"></iframe>",
    "frame-data": "<iframe src=\"data:text/html,<img src='{web}/frame-data'>\"></iframe>",
    "frame-file": '<iframe src="{file}"></iframe>',
    "frame-view-source": '<iframe src="view-source:{web}/frame-view-source"></iframe>',
    "frame-intent": '<iframe src="intent://x#Intent;scheme=http;end"></iframe>',
    "frame-custom": '<iframe src="ssh://127.0.0.1/"></iframe>',
    "frame-ftp": '<iframe src="ftp://{tcp}/"></iframe>',
    "frame-filesystem": '<iframe src="filesystem:{web}/temporary/x"></iframe>',
    "frame-chrome": '<iframe src="chrome://version"></iframe>',
    "object": '<object data="{web}/object"></object>',
    "object-file": '<object data="{file}" type="text/html"></object>',
    "embed": '<embed src="{web}/embed">',
    "embed-file": '<embed src="{file}" type="text/plain">',
    "applet": '<applet code="x" codebase="{web}/applet"></applet>',
    "portal": '<portal src="{web}/portal"></portal>',
    "fenced-frame": '<fencedframe src="{web}/fenced-frame"></fencedframe>',
    "image-file": '<img src="{file}">',
    "style-file": '<link rel="stylesheet" href="{file}">',
    "video": '<video src="{web}/video" preload="auto" autoplay muted></video>',
    "video-poster": '<video poster="{web}/video-poster"></video>',
    "video-track": '<video><track default src="{web}/video-track"></video>',
    "audio": '<audio src="{web}/audio" preload="auto" autoplay></audio>',
    "svg-image": '<svg><image href="{web}/svg-image" width="9" height="9"/></svg>',
    "svg-use": '<svg><use href="{web}/svg-use#a"/></svg>',
    "svg-fill": '<svg><rect width="9" height="9" fill="url({web}/svg-fill#a)"/></svg>',
    "svg-file": '<svg><image href="{file}" width="9" height="9"/></svg>',
    "svg-foreign": "<svg><foreignObject width='9' height='9'>"
    "<iframe xmlns='http://www.w3.org/1999/xhtml' src='{web}/svg-foreign'></iframe>"
    "</foreignObject></svg>",
    "mathml": '<math><mglyph src="{web}/mathml"/></math>',
    "meta-refresh": '<meta http-equiv="refresh" content="0;url={web}/meta-refresh">',
    "meta-refresh-hidden": '<meta content="0;url={web}/meta-refresh-hidden" '
    'http-equiv="&#114;efresh">',
    "meta-refresh-file": '<meta content="0;url={file}" http-equiv="&#114;efresh">',
    "meta-csp-report": '<meta http-equiv="Content-Security-Policy" '
    "content=\"img-src 'none'; report-uri {web}/meta-csp-report\"><img src=x>",
    "base": '<base href="{web}/base/"><img src="base">',
    "form": '<form action="{web}/form" method="post"><input autofocus></form>',
    "ping": '<a href="#" ping="{web}/ping">x</a>',
    "xml-sheet": '<iframe srcdoc="<?xml-stylesheet href={web}/xml-sheet?>"></iframe>',
}

# Tried with scripts on only; each line is a script of its own.
SCRIPTS = {
    "fetch": 'fetch("{web}/fetch",{{mode:"no-cors"}})',
    "fetch-keepalive": 'fetch("{web}/fetch-keepalive",'
    '{{method:"POST",body:"x",keepalive:true,mode:"no-cors"}})',
    "fetch-redirect": 'fetch("{web}/redirect/fetch-redirect",{{mode:"no-cors"}})',
    "fetch-file": 'fetch("{file}").then(a=>a.text()).then(t=>document.body.append(t))',
    "request": 'let x=new XMLHttpRequest;x.open("GET","{web}/request");x.send()',
    "request-sync": 'let x=new XMLHttpRequest;x.open("GET","{web}/request-sync",false);x.send()',
    "beacon": 'navigator.sendBeacon("{web}/beacon","x")',
    "event-source": 'new EventSource("{web}/event-source")',
    "web-socket": 'new WebSocket("ws://{tcp}/")',
    "web-socket-by-name": 'new WebSocket("ws://localhost:{port}/")',
    "web-transport": 'new WebTransport("https://{tcp}/")',
    "import": 'import("{web}/import")',
    "script-element": 'let s=document.createElement("script");s.src="{web}/script-element";'
    "document.head.append(s)",
    "image-object": '(new Image).src="{web}/image-object"',
    "worker": 'new Worker(URL.createObjectURL(new Blob([\'fetch("{web}/worker",'
    '{{mode:"no-cors"}});new WebSocket("ws://{tcp}/")\'])))',
    "shared-worker": 'new SharedWorker(URL.createObjectURL(new Blob([\'fetch("{web}/shared-worker",'
    '{{mode:"no-cors"}})\'])))',
    "service-worker": 'navigator.serviceWorker.register("{web}/service-worker")',
    "service-worker-own": 'navigator.serviceWorker.register("/worker.js")',
    "worklet": 'CSS.paintWorklet.addModule("{web}/worklet")',
    "audio-worklet": 'new AudioContext().audioWorklet.addModule("{web}/audio-worklet")',
    "rtc-stun": 'let p=new RTCPeerConnection({{iceServers:[{{urls:"stun:{udp}"}}]}});'
    'p.createDataChannel("x");p.createOffer().then(o=>p.setLocalDescription(o))',
    "rtc-turn": 'let p=new RTCPeerConnection({{iceServers:[{{urls:"turn:{tcp}?transport=tcp",'
    'username:"a",credential:"b"}}]}});'
    'p.createDataChannel("x");p.createOffer().then(o=>p.setLocalDescription(o))',
    "popup": 'open("{web}/popup")',
    "popup-blank": 'let w=open("about:blank");w&&w.fetch("{web}/popup-blank",{{mode:"no-cors"}})',
    "popup-file": 'open("{file}")',
    "location": 'location="{web}/location"',
    "location-file": 'location="{file}"',
    "location-view-source": 'location="view-source:{file}"',
    "location-intent": 'location="intent://{tcp}/#Intent;scheme=http;end"',
    "location-custom": 'location="mailto:a@example.invalid"',
    "location-blob": 'location=URL.createObjectURL(new Blob(["<img src={web}/location-blob>"],'
    '{{type:"text/html"}}))',
    "frame-blob": 'let f=document.createElement("iframe");f.src=URL.createObjectURL('
    'new Blob(["<img src={web}/frame-blob>"],{{type:"text/html"}}));document.body.append(f)',
    "frame-blank": 'let f=document.createElement("iframe");document.body.append(f);'
    'f.contentWindow.fetch("{web}/frame-blank",{{mode:"no-cors"}})',
    "form-submit": 'let f=document.createElement("form");f.method="post";'
    'f.action="{web}/form-submit";f.target="_blank";document.body.append(f);f.submit()',
    "download": 'let a=document.createElement("a");a.href="{web}/download";a.download="x";'
    "a.click()",
    "download-data": 'let a=document.createElement("a");a.href="data:,x";a.download="x";a.click()',
    "link-click": 'let a=document.createElement("a");a.href="{web}/link-click";a.target="_blank";'
    'a.ping="{web}/link-click-ping";a.click()',
    "written": 'document.write("<img src={web}/written>")',
    "unload": 'addEventListener("pagehide",()=>navigator.sendBeacon("{web}/unload"))',
    "later": 'setTimeout(()=>fetch("{web}/later",{{mode:"no-cors"}}),1)',
    "background-fetch": "navigator.serviceWorker.ready.then("
    'r=>r.backgroundFetch.fetch("x","{web}/background-fetch"))',
    "payment": 'new PaymentRequest([{{supportedMethods:"{web}/payment"}}],'
    '{{total:{{label:"x",amount:{{currency:"EUR",value:1}}}}}}).canMakePayment()',
    "reporting": 'new ReportingObserver(()=>0);document.head.insertAdjacentHTML("beforeend",'
    '"<meta http-equiv=Content-Security-Policy content=\\"report-uri {web}/reporting\\">")',
}


@dataclass
class Canaries:
    """Where the canaries sit, and who came by."""

    file: Path
    hits: list[str] = field(default_factory=list)
    places: dict[str, object] = field(default_factory=dict)

    def markup(self, name: str) -> str:
        text = MARKUP[name] if name in MARKUP else f"<script>{{{{{SCRIPTS[name]}}}}}</script>"
        return text.format(**self.places)

    def page(self, names: list[str]) -> str:
        """One hostile page that tries all these."""
        return "<!DOCTYPE html><body><p>stay</p>" + "\n".join(map(self.markup, names))


@contextlib.contextmanager
def canaries(folder: Path) -> Iterator[Canaries]:
    """Start the servers, and count every visit to them."""
    secret = folder / "secret.html"
    secret.write_text(f"<p>{SECRET}</p>")
    watched = Canaries(secret)
    with contextlib.ExitStack() as stack:
        web = stack.enter_context(_web_server(socket.AF_INET, "127.0.0.1", watched))
        web6 = stack.enter_context(_web_server(socket.AF_INET6, "::1", watched))
        tcp = stack.enter_context(_port(socket.SOCK_STREAM, watched))
        udp = stack.enter_context(_port(socket.SOCK_DGRAM, watched))
        watched.places.update(
            web=f"http://127.0.0.1:{web}",
            web6=f"http://[::1]:{web6}",
            name=f"http://canary.localhost:{web}",
            decimal=f"http://2130706433:{web}",
            tcp=f"127.0.0.1:{tcp}",
            udp=f"127.0.0.1:{udp}",
            port=tcp,
            file=secret.as_uri(),
        )
        yield watched


@contextlib.contextmanager
def _web_server(family: socket.AddressFamily, host: str, watched: Canaries) -> Iterator[int]:
    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            watched.hits.append(f"{self.command} {self.path}")
            redirected = self.path.startswith("/redirect/")
            self.send_response(302 if redirected else 200)
            if redirected:
                self.send_header("Location", self.path.removeprefix("/redirect"))
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_GET = do_POST = do_HEAD = do_OPTIONS = do_CONNECT = answer  # noqa: N815

        def log_message(self, *words: object) -> None:
            """Nobody reads it."""

    class Server(ThreadingHTTPServer):
        address_family = family

    with Server((host, 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


@contextlib.contextmanager
def _port(kind: socket.SocketKind, watched: Canaries) -> Iterator[int]:
    with socket.socket(socket.AF_INET, kind) as listener:
        listener.bind(("127.0.0.1", 0))
        if kind == socket.SOCK_STREAM:
            listener.listen()
        listener.settimeout(0.05)
        ended = threading.Event()

        def watch(receive: Callable[[], object]) -> None:
            while not ended.is_set():
                with contextlib.suppress(TimeoutError):
                    visitor = receive()
                    watched.hits.append(kind.name)
                    if isinstance(visitor, tuple) and isinstance(visitor[0], socket.socket):
                        visitor[0].close()

        receive = listener.accept if kind == socket.SOCK_STREAM else lambda: listener.recvfrom(999)
        thread = threading.Thread(target=watch, args=(receive,), daemon=True)
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            ended.set()
            thread.join()

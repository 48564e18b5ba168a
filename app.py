"""The server: `streamlit run app.py` serves the pages with security headers, a warm start and `/api/health`."""

import gc

gc.disable()  # until all of this is imported: it would walk what is there already again and again

import asyncio
import base64
import hashlib
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engine.errors import SettingsError
from pages import _at_once, _ci_reports, _wiring

gc.freeze()
gc.enable()

WARM = ("pages._guard", "pages._widgets.errors", "pages._widgets.follow", "pages._widgets.states")
"""Shared parts of the pages, so that the first visitor does not wait for them."""
LATER = ("pandas", "engine.courses.sheets", "engine.insight.spreadsheet")
"""Slow to import, and the first page does without: so whoever starts the server does not wait for them."""
LATER_S = 5.0
"""After so many seconds they are imported beside, so that whoever opens a table does not wait either."""


def inline_script_hashes() -> list[str]:
    """The CSP sources of the inline scripts in Streamlit's own page, as installed here."""
    html = (Path(st.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    scripts = re.findall(r"<script>(.*?)</script>", html, flags=re.DOTALL)
    digests = (hashlib.sha256(script.encode()).digest() for script in scripts)
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]


def content_security_policy() -> str:
    """What a page may load: only what this server sends, and what Streamlit makes in the browser from it."""
    return "; ".join(
        (
            "default-src 'self'",
            " ".join(("script-src 'self' 'wasm-unsafe-eval' blob:", *inline_script_hashes())),
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "connect-src 'self' data:",
            "font-src 'self' data:",
            "worker-src 'self' blob:",
            "frame-src 'self'",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            "frame-ancestors 'self'",
        )
    )


class SecurityHeaders:
    """Puts the security headers on every HTTP response, whoever wrote it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._headers = {
            "Content-Security-Policy": content_security_policy(),
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve as the app inside does, with the headers added."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self._headers)
            await send(message)

        await self._app(scope, receive, send_with_headers if scope["type"] == "http" else send)


MIDDLEWARE = [Middleware(SecurityHeaders), Middleware(_at_once.SendsAtOnce)]


def installed_version() -> str | None:
    """The version of the installed package; None when it runs from a folder that was never installed."""
    try:
        return version("tutorloop")
    except PackageNotFoundError:
        return None


def health(request: Request) -> JSONResponse:  # noqa: ARG001 - the signature is Starlette's
    """Whether the server can do its work: 200 if so, else 503."""
    answer = _wiring.health()
    return JSONResponse({**answer.facts, "version": installed_version()}, status_code=200 if answer.ok else 503)


def _import(names: Sequence[str]) -> None:
    """Keep the collector away from them, now and later: it would walk all of it again and again."""
    gc.disable()
    for name in names:
        import_module(name)
    gc.freeze()
    gc.enable()


async def _import_later() -> None:
    await asyncio.sleep(LATER_S)
    await asyncio.to_thread(_import, LATER)


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncIterator[None]:  # noqa: ARG001 - the signature is Streamlit's
    """Have everything ready that the first visitor would wait for."""
    _import(WARM)
    await asyncio.to_thread(_wiring.workbench)  # it plays the demo, whose turns need a loop of their own
    gc.freeze()
    later = asyncio.create_task(_import_later())
    _wiring.start_worker()
    yield
    later.cancel()
    _wiring.close()


try:
    _wiring.settings()
except SettingsError as error:
    raise SystemExit(f"Tutorloop cannot start: {error}") from None

app = st.App(
    Path(__file__).parent / "pages" / "_main.py",
    lifespan=lifespan,
    middleware=MIDDLEWARE,
    routes=[
        Route("/api/health", health),
        Route("/api/v1/ci-reports", _ci_reports.take_report, methods=["POST"]),
    ],
)

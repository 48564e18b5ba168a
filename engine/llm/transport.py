"""Where a request is written down, in the last moment before it leaves."""

from collections.abc import Callable

import httpx2

BeforeSend = Callable[[bytes], None]
"""Is given the exact body of a request; the request is sent only if it returns."""


class RecordingTransport(httpx2.AsyncBaseTransport):
    """Shows each request's exact body, never its headers, and then sends it through another transport.

    It does not close that transport, which belongs to whoever made it.
    """

    def __init__(self, inner: httpx2.AsyncBaseTransport, before_send: BeforeSend) -> None:
        self._inner = inner
        self._before_send = before_send

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Show the body, then send. What `before_send` raises goes through and nothing is sent."""
        self._before_send(await request.aread())
        return await self._inner.handle_async_request(request)

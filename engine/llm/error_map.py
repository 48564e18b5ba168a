"""The one place that turns what the SDK and its transport raise into errors a person can be told.

Nothing that the service or the SDK wrote is taken over: providers echo keys in their messages.
"""

import ssl
from datetime import datetime

import httpx2
import openai

from engine.errors import (
    KeyRefused,
    ModelError,
    ModelUnknown,
    ProviderDown,
    ProviderTimedOut,
    RateLimited,
    ReplyBroken,
    RequestRefused,
)
from engine.llm.retry import parse_retry_after

SENDING_FAULTS = (
    openai.OpenAIError,
    httpx2.HTTPError,
    httpx2.InvalidURL,
    httpx2.CookieConflict,
    httpx2.StreamError,
    ssl.SSLError,
)
"""What can be raised until an answer begins. Anything else is a fault of ours and goes through."""
READING_FAULTS = (*SENDING_FAULTS, ValueError, RecursionError)
"""What can be raised while an answer is read; the added two come from bytes that are no JSON or no UTF-8."""

_BY_KIND: tuple[tuple[tuple[type[Exception], ...], type[ModelError], str], ...] = (
    (
        (openai.APITimeoutError, httpx2.TimeoutException),
        ProviderTimedOut,
        "the model service did not answer in time",
    ),
    (
        (
            openai.APIResponseValidationError,
            openai.LengthFinishReasonError,
            httpx2.DecodingError,
            httpx2.SSEError,
            httpx2.StreamError,
            ValueError,
            RecursionError,
        ),
        ReplyBroken,
        "the model's answer cannot be read",
    ),
    (
        (openai.ContentFilterFinishReasonError, httpx2.TooManyRedirects, httpx2.CookieConflict),
        RequestRefused,
        "the model service does not accept the request",
    ),
    (
        (httpx2.UnsupportedProtocol, httpx2.InvalidURL),
        ModelUnknown,
        "there is no model service at this address",
    ),
    (
        (
            openai.APIError,
            openai.WebSocketConnectionClosedError,
            openai.WebSocketQueueFullError,
            httpx2.RequestError,
            ssl.SSLError,
        ),
        ProviderDown,
        "the model service failed or cannot be reached",
    ),
    (
        (openai.OpenAIError, httpx2.HTTPError),
        RequestRefused,
        "the request could not be made",
    ),
)
"""First that fits."""


def map_error(error: Exception, *, now: datetime) -> ModelError:
    """The error that a person is told for `error`; `now` turns a date in Retry-After into seconds.

    Raises:
        Exception: `error` itself, when it is no fault of the model service.
    """
    if isinstance(error, ModelError):
        return error
    if isinstance(error, openai.APIStatusError | httpx2.HTTPStatusError):
        return _of_status(error.response, now)
    for kinds, told, message in _BY_KIND:
        if isinstance(error, kinds):
            return told(message)
    raise error


def _of_status(response: httpx2.Response, now: datetime) -> ModelError:
    status = response.status_code
    answered = f"the model service answered {status}"
    match status:
        case 401 | 403:
            return KeyRefused(f"{answered}: it does not accept the key")
        case 404:
            return ModelUnknown(f"{answered}: it has no such model or address")
        case 408:
            return ProviderTimedOut(f"{answered}: the request took too long to arrive")
        case 429:
            return RateLimited(f"{answered}: it is too busy", retry_after_s=_retry_after(response, now))
        case _ if status >= 500:
            return ProviderDown(f"{answered}: it failed", retry_after_s=_retry_after(response, now))
        case _:
            return RequestRefused(f"{answered}: it does not accept the request")


def _retry_after(response: httpx2.Response, now: datetime) -> float | None:
    return parse_retry_after(response.headers.get("retry-after"), now)

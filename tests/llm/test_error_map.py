import ssl
from collections.abc import Iterator

import httpx2
import openai
import pytest
from openai.lib import azure

from engine.errors import (
    KeyRefused,
    ModelError,
    ModelUnknown,
    ProviderDown,
    ProviderTimedOut,
    RateLimited,
    ReplyBroken,
    RequestRefused,
    StoreError,
)
from engine.llm.error_map import READING_FAULTS, SENDING_FAULTS, map_error
from tests.llm.calls import KEY, NOW

REQUEST = httpx2.Request("POST", "http://model.invalid", headers={"authorization": f"Bearer {KEY}"})

SDK: dict[str, type[ModelError]] = {
    "OpenAIError": RequestRefused,
    "APIError": ProviderDown,
    "APIConnectionError": ProviderDown,
    "APITimeoutError": ProviderTimedOut,
    "APIResponseValidationError": ReplyBroken,
    "APIStatusError": RequestRefused,
    "BadRequestError": RequestRefused,
    "AuthenticationError": KeyRefused,
    "OAuthError": KeyRefused,
    "PermissionDeniedError": KeyRefused,
    "NotFoundError": ModelUnknown,
    "ConflictError": RequestRefused,
    "UnprocessableEntityError": RequestRefused,
    "RateLimitError": RateLimited,
    "InternalServerError": ProviderDown,
    "LengthFinishReasonError": ReplyBroken,
    "ContentFilterFinishReasonError": RequestRefused,
    "WebSocketConnectionClosedError": ProviderDown,
    "WebSocketQueueFullError": ProviderDown,
    "SubjectTokenProviderError": RequestRefused,
    "StreamAlreadyConsumed": RequestRefused,
    "MutuallyExclusiveAuthError": RequestRefused,
    "APIRemovedInV1": RequestRefused,
    "_AmbiguousModuleClientUsageError": RequestRefused,
}
TRANSPORT: dict[str, type[ModelError]] = {
    "HTTPError": RequestRefused,
    "HTTPStatusError": ProviderDown,
    "RequestError": ProviderDown,
    "TransportError": ProviderDown,
    "TimeoutException": ProviderTimedOut,
    "ConnectTimeout": ProviderTimedOut,
    "ReadTimeout": ProviderTimedOut,
    "WriteTimeout": ProviderTimedOut,
    "PoolTimeout": ProviderTimedOut,
    "NetworkError": ProviderDown,
    "ReadError": ProviderDown,
    "WriteError": ProviderDown,
    "ConnectError": ProviderDown,
    "CloseError": ProviderDown,
    "ProxyError": ProviderDown,
    "ProtocolError": ProviderDown,
    "LocalProtocolError": ProviderDown,
    "RemoteProtocolError": ProviderDown,
    "UnsupportedProtocol": ModelUnknown,
    "DecodingError": ReplyBroken,
    "SSEError": ReplyBroken,
    "TooManyRedirects": RequestRefused,
    "StreamError": ReplyBroken,
    "StreamConsumed": ReplyBroken,
    "StreamClosed": ReplyBroken,
    "ResponseNotRead": ReplyBroken,
    "RequestNotRead": ReplyBroken,
    "InvalidURL": ModelUnknown,
    "CookieConflict": RequestRefused,
}


def _tree(root: type[Exception]) -> Iterator[type[Exception]]:
    yield root
    for below in root.__subclasses__():
        yield from _tree(below)


def _transport_kinds() -> list[type[Exception]]:
    return [*_tree(httpx2.HTTPError), *_tree(httpx2.StreamError), httpx2.InvalidURL, httpx2.CookieConflict]


STATUS = {
    "BadRequestError": 400,
    "AuthenticationError": 401,
    "OAuthError": 401,
    "PermissionDeniedError": 403,
    "NotFoundError": 404,
    "ConflictError": 409,
    "UnprocessableEntityError": 422,
    "RateLimitError": 429,
    "InternalServerError": 500,
    "APIStatusError": 418,
    "HTTPStatusError": 502,
}


def _an(kind: type[Exception]) -> Exception:
    """An instance without the kind's own constructor, holding what every instance holds: a key in its words."""
    error = kind.__new__(kind)
    error.args = (f"Incorrect API key provided: {KEY}",)
    status = STATUS.get(kind.__name__, 200)
    error.__dict__["response"] = httpx2.Response(status, request=REQUEST, text=KEY)
    error.__dict__["_request"] = REQUEST
    return error


def test_every_error_of_the_sdk_is_expected_here() -> None:
    assert azure.MutuallyExclusiveAuthError.__name__ in SDK
    assert {kind.__name__ for kind in _tree(openai.OpenAIError)} == set(SDK)


def test_every_error_of_the_transport_is_expected_here() -> None:
    assert {kind.__name__ for kind in _transport_kinds()} == set(TRANSPORT)


@pytest.mark.parametrize("kind", [*_tree(openai.OpenAIError), *_transport_kinds()], ids=lambda kind: kind.__name__)
def test_each_error_is_told_as_what_it_is_and_without_the_key(kind: type[Exception]) -> None:
    told = map_error(_an(kind), now=NOW)
    assert type(told) is (SDK | TRANSPORT)[kind.__name__]
    assert KEY not in f"{told!r} {told} {told.values}"


@pytest.mark.parametrize("kind", [*_tree(openai.OpenAIError), *_transport_kinds()], ids=lambda kind: kind.__name__)
def test_each_error_is_caught_while_sending_and_while_reading(kind: type[Exception]) -> None:
    assert issubclass(kind, SENDING_FAULTS)
    assert issubclass(kind, READING_FAULTS)


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (302, RequestRefused),
        (400, RequestRefused),
        (401, KeyRefused),
        (402, RequestRefused),
        (403, KeyRefused),
        (404, ModelUnknown),
        (408, ProviderTimedOut),
        (413, RequestRefused),
        (429, RateLimited),
        (500, ProviderDown),
        (503, ProviderDown),
        (529, ProviderDown),
    ],
)
def test_each_status_is_told_by_who_must_act(status: int, told: type[ModelError]) -> None:
    response = httpx2.Response(status, request=REQUEST)
    assert type(map_error(openai.APIStatusError("", response=response, body=None), now=NOW)) is told


@pytest.mark.parametrize("status", [429, 503])
def test_when_to_come_back_is_kept(status: int) -> None:
    response = httpx2.Response(status, request=REQUEST, headers={"Retry-After": "Mon, 30 Nov 2026 12:05:00 GMT"})
    told = map_error(openai.APIStatusError("", response=response, body=None), now=NOW)
    assert isinstance(told, RateLimited | ProviderDown)
    assert told.retry_after_s == 300.0


@pytest.mark.parametrize(
    ("error", "told"),
    [
        pytest.param(ssl.SSLError(1, "certificate"), ProviderDown, id="certificate"),
        pytest.param(ValueError("no json"), ReplyBroken, id="no JSON"),
        pytest.param(UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"), ReplyBroken, id="no UTF-8"),
        pytest.param(RecursionError(), ReplyBroken, id="nested without end"),
    ],
)
def test_what_is_no_sdk_error_but_comes_from_outside_is_told_too(error: Exception, told: type[ModelError]) -> None:
    assert type(map_error(error, now=NOW)) is told


def test_an_error_already_told_stays_itself() -> None:
    told = RateLimited("busy", retry_after_s=3.0)
    assert map_error(told, now=NOW) is told


@pytest.mark.parametrize("error", [StoreError("locked"), KeyError("x"), AssertionError()], ids=repr)
def test_a_fault_of_ours_is_never_told_as_one_of_the_provider(error: Exception) -> None:
    with pytest.raises(type(error)) as caught:
        map_error(error, now=NOW)
    assert caught.value is error

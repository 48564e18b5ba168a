"""`POST /api/v1/ci-reports`: the door for build servers. Everything it answers is JSON."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse

from engine.errors import (
    AccessDenied,
    CiReportRefused,
    HandInError,
    NotFound,
    StoreError,
    TokenRefused,
    TutorloopError,
)
from engine.review.ci_intake import Delivery
from engine.work.unpack import HandInLimits
from pages import _wiring

_log = logging.getLogger(__name__)

LIMIT_BYTES = HandInLimits().file_bytes
_STATUS: Mapping[type[TutorloopError], int] = {
    TokenRefused: 401,
    AccessDenied: 403,
    CiReportRefused: 422,
    HandInError: 413,
    NotFound: 422,
    StoreError: 503,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _TooLarge(Exception):
    """The body is over the limit; the rest of it is not read."""


async def take_report(request: Request) -> JSONResponse:
    """Take one JUnit XML report; 202 with the attempt, else an error that says what to do."""
    kind, _, key = request.headers.get("authorization", "").partition(" ")
    if kind.casefold() != "bearer" or not key.strip():
        return _refused(401, "token_missing", "Send the key of the course as 'Authorization: Bearer …'.")
    try:
        await asyncio.to_thread(_check_key, key.strip())
        body = await _read(request)
        return await asyncio.to_thread(_take, key.strip(), _delivery(request, body))
    except _TooLarge:
        return _refused(413, "too_large", f"A report may have {LIMIT_BYTES // 1024 // 1024} MB.")
    except TutorloopError as error:
        return _refused(_STATUS.get(type(error), 500), getattr(error, "reason", error.code), str(error))
    except ClientDisconnect:
        raise
    except Exception:
        _log.exception("a report could not be taken")
        return _refused(500, "error", "A fault of ours. Send the same delivery again later.")


async def _read(request: Request) -> bytes:
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > LIMIT_BYTES:
            raise _TooLarge
    return bytes(body)


def _delivery(request: Request, body: bytes) -> Delivery:
    asked = request.query_params
    return Delivery(
        delivery_id=request.headers.get("x-delivery-id", ""),
        learner=asked.get("learner", ""),
        task=asked.get("task", ""),
        project=asked.get("project"),
        name=asked.get("report", "report"),
        body=body,
    )


def _check_key(key: str) -> None:
    """Whoever has no key in force is not listened to."""
    _wiring.workbench().own.ci.check_key(key)


def _take(key: str, delivery: Delivery) -> JSONResponse:
    space = _wiring.workbench().own
    taken = space.ci.take(key, delivery, space.worker)
    return JSONResponse(
        {
            "submission": {"id": taken.submission.submission_id, "seq": taken.submission.submission_seq},
            "attempt": {"id": taken.attempt.attempt_id, "seq": taken.attempt.attempt_seq},
            "repeated": not taken.is_new,
        },
        status_code=202,
    )


def _refused(status: int, code: str, message: str) -> JSONResponse:
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    return JSONResponse({"error": {"code": code, "message": message}}, status_code=status, headers=headers)

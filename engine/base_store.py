"""What all stores share: transactions, the mapping of database errors, and the question of access."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Engine
from sqlalchemy.exc import DataError, DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionFree
from sqlmodel import Session

from db.connection import reading, writing
from engine.domain.clock import Clock, NewId
from engine.domain.desk import WORDS_LIMIT
from engine.domain.running import Lease
from engine.domain.text import is_blank
from engine.errors import NotFound, StoreError, WordsRefused
from engine.read_cache import ReadCache

Parameters = ParamSpec("Parameters")
Answer = TypeVar("Answer")


class Store:
    """A store on one database. Every public method takes the viewer and asks `access`."""

    def __init__(self, engine: Engine, *, clock: Clock, new_id: NewId, reads: ReadCache | None = None) -> None:
        """`reads` keeps what methods that are `remembered` answer; without it they read every time."""
        self._engine = engine
        self._clock = clock
        self._new_id = new_id
        self.reads = reads

    @contextmanager
    def _reading(self) -> Iterator[Session]:
        with _mapped(), reading(self._engine) as session:
            try:
                yield session
            except DataError as error:
                raise NotFound("nothing has an id that the database cannot even hold") from error

    @contextmanager
    def _writing(self) -> Iterator[Session]:
        with _mapped(), writing(self._engine) as session:
            yield session


Reader = TypeVar("Reader", bound=Store)


def remembered(
    method: Callable[Concatenate[Reader, Parameters], Answer],
) -> Callable[Concatenate[Reader, Parameters], Answer]:
    """A method that only reads, and whose answer is kept while nothing is committed: see `ReadCache`.

    Its arguments, the viewer first, are hashable; what it answers is frozen and depends on nothing else than them
    and the database: on no clock above all.
    """

    @wraps(method)
    def read(self: Reader, /, *args: Parameters.args, **named: Parameters.kwargs) -> Answer:
        if self.reads is None:
            return method(self, *args, **named)
        question = method, args, tuple(sorted(named.items()))
        return self.reads.get(question, lambda: method(self, *args, **named))

    return read


@contextmanager
def _mapped() -> Iterator[None]:
    """Tell a database that cannot do it now from a programming error, which surfaces as it is."""
    try:
        yield
    except OperationalError as error:
        raise StoreError(f"the database cannot do this now: {error.orig}") from error
    except NoConnectionFree as error:
        raise StoreError("every connection to the database is in use") from error
    except DBAPIError as error:
        if error.connection_invalidated:
            raise StoreError("the connection to the database was lost") from error
        raise


def lease_until(now: datetime, lease: Lease) -> datetime:
    """When a lease taken `now` runs out."""
    return now + timedelta(seconds=lease.seconds)


def checked_words(words: str) -> str:
    """`words` without space around them, as they are kept.

    Raises:
        WordsRefused: nothing can be seen in them, or there are more than `WORDS_LIMIT` characters.
    """
    if is_blank(words):
        raise WordsRefused("there is nothing to keep yet", reason="blank")
    if len(words) > WORDS_LIMIT:
        raise WordsRefused("these words are too long", reason="too_long", limit=WORDS_LIMIT)
    return words.strip()

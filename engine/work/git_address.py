"""From what somebody typed to an address that git may be given, or a refusal.

https always; ssh and paths of this machine only where the policy permits. Everything else that git knows,
such as `ext::` and `fd::`, which run commands, is refused by its form, and once more by git itself.
"""

import ipaddress
import re
import socket
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit

from engine.errors import HandInError

ADDRESS_CHARACTERS = 1000
NAME_CHARACTERS = 200
"""Of a branch, tag or commit."""

_ASCII = re.compile(r"[!-~]+")
_SSH_SHORT = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*@([A-Za-z0-9][A-Za-z0-9.-]*):(?![-:])[!-~]+")
"""`git@host:path`, as many servers show their addresses."""
_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|[0-9A-Fa-f:.]*[0-9A-Fa-f:]")
"""Without a dot at its end, with which it would be another name than the one that was looked up."""
_NAME = re.compile(r"(?![-+/.])(?!.*(?:\.\.|@\{|//|\.lock$|[/.]$))[^\x00-\x20\x7f~^:?*\[\\]+")
"""What git itself allows in a name, without a beginning that it would take for an option or a sign of its own."""
_NAT64 = ipaddress.ip_network("64:ff9b::/96")

Resolve = Callable[[str, int], tuple[str, ...]]
"""Every address of a host and port; empty where the name is unknown."""


class GitProblem(StrEnum):
    """Why a repository cannot be handed in: the `reason` of a `HandInError`. In brackets the blanks of its sentence."""

    MISSING = "git_missing"
    """There is no git on the server, or a version before 2.37."""
    ADDRESS = "git_address"
    """What was typed is no address."""
    TRANSPORT = "git_transport"
    """Another way than those that are open here."""
    LOGIN = "git_login"
    """The address holds a user or a password."""
    PRIVATE = "git_private"
    """The host is this machine or stands in a private network (host)."""
    HOST = "git_host"
    """The host is unknown or does not answer (host)."""
    NAME = "git_name"
    """What was typed cannot be a branch, tag or commit."""
    UNKNOWN = "git_unknown"
    """The repository has no such branch, tag or commit (name)."""
    CLOSED = "git_closed"
    """There is none, or it asks for a sign-in."""
    MOVED = "git_moved"
    """The server sends to another address, which is not followed."""
    OWNER = "git_owner"
    """The folder belongs to another user of this machine."""
    TIME = "git_time"
    """It took longer than allowed (seconds)."""
    SIZE = "git_size"
    """It is larger than allowed while it comes in (limit_mb)."""
    STOPPED = "git_stopped"
    """The person stopped it."""
    FAILED = "git_failed"
    """Git says something that is none of these."""


class Transport(StrEnum):
    """The ways on which git may fetch, as git names them."""

    HTTPS = "https"
    SSH = "ssh"
    FILE = "file"


@dataclass(frozen=True, slots=True, kw_only=True)
class GitPolicy:
    """What the operator permits besides https."""

    local: bool = False
    """Paths of this machine: for one person on an own machine only."""
    ssh: bool = False
    """With the keys of whoever runs the server, for everybody who hands in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GitTarget:
    """An address that may be given to git."""

    url: str
    transport: Transport
    host: str | None = None
    """None for a path."""
    port: int = 0


def read_address(typed: str, policy: GitPolicy) -> GitTarget:
    """Read an address by its form alone; nobody is asked.

    Raises:
        HandInError: `reason` is ADDRESS, TRANSPORT, LOGIN or CLOSED.
    """
    address = typed.strip()
    if not address or len(address) > ADDRESS_CHARACTERS or address.startswith("-"):
        raise refusal(GitProblem.ADDRESS)
    if policy.local and address.startswith(("/", "~/", "file:///")):
        return _read_path(address)
    if not _ASCII.fullmatch(address):
        raise refusal(GitProblem.ADDRESS)
    if address.lower().startswith("https://"):
        return _read_https(address)
    if policy.ssh and (address.startswith("ssh://") or _SSH_SHORT.fullmatch(address)):
        return _read_ssh(address)
    looks_like_one = "://" in address or "::" in address or "/" in address or _SSH_SHORT.fullmatch(address)
    raise refusal(GitProblem.TRANSPORT if looks_like_one else GitProblem.ADDRESS)


def read_name(typed: str) -> str:
    """The branch, tag or commit that was typed; `HEAD` where nothing was.

    Raises:
        HandInError: git allows no such name, or would take it for something else.
    """
    name = typed.strip()
    if not name:
        return "HEAD"
    if len(name) > NAME_CHARACTERS or not _NAME.fullmatch(name):
        raise refusal(GitProblem.NAME)
    return name


def check_host(target: GitTarget, resolve: Resolve) -> tuple[str, ...]:
    """Every address of the target's host, each of which is a public one; none for a path.

    Raises:
        HandInError: the name is unknown, or any of its addresses is private, of this machine, or special.
    """
    if target.host is None:
        return ()
    addresses = resolve(target.host, target.port)
    if not addresses:
        raise refusal(GitProblem.HOST, host=target.host)
    if not all(is_public(address) for address in addresses):
        raise refusal(GitProblem.PRIVATE, host=target.host)
    return addresses


def is_public(address: str) -> bool:
    """Whether an IP address is one of the open internet, and no other one wrapped into it is not."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        wrapped = (ip.ipv4_mapped, ip.sixtofour, ip.teredo)
        if any(wrapped) or ip in _NAT64 or ip.is_site_local or int(ip) < 2**32:
            return False
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)


def resolve_host(host: str, port: int) -> tuple[str, ...]:
    """What the system's resolver says, each address once, in its order."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return ()
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


def refusal(problem: GitProblem, told: str = "", **values: str | int | float) -> HandInError:
    """The error of a problem; `told` is what git itself said, for the details."""
    return HandInError(told or _TOLD[problem].format(**values), reason=problem, **values)


def _read_path(address: str) -> GitTarget:
    path = Path(address.removeprefix("file://")).expanduser()
    if not path.is_dir():
        raise refusal(GitProblem.CLOSED)
    return GitTarget(url=str(path.absolute()), transport=Transport.FILE)


def _read_https(address: str) -> GitTarget:
    host, port = _host_of(address, 443)
    return GitTarget(url=address, transport=Transport.HTTPS, host=host, port=port)


def _read_ssh(address: str) -> GitTarget:
    short = _SSH_SHORT.fullmatch(address)
    host, port = (short[1], 22) if short else _host_of(address, 22, may_name_user=True)
    return GitTarget(url=address, transport=Transport.SSH, host=host, port=port)


def _host_of(address: str, usual_port: int, *, may_name_user: bool = False) -> tuple[str, int]:
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port or usual_port
    except ValueError:
        raise refusal(GitProblem.ADDRESS) from None
    if parts.password is not None or (parts.username is not None and not may_name_user):
        raise refusal(GitProblem.LOGIN)
    is_clean = _HOST.fullmatch(host) and not (parts.username or "").startswith("-") and "\\" not in address
    if not is_clean or parts.path.strip("/") == "" or parts.query or parts.fragment:
        raise refusal(GitProblem.ADDRESS)
    return host, port


_TOLD = {
    GitProblem.MISSING: "there is no git of version 2.37 or newer",
    GitProblem.ADDRESS: "this is no address of a repository",
    GitProblem.TRANSPORT: "this way of fetching is not open here",
    GitProblem.LOGIN: "the address holds a user or a password",
    GitProblem.PRIVATE: "{host!r} is not on the public internet",
    GitProblem.HOST: "{host!r} is unknown or does not answer",
    GitProblem.NAME: "this cannot be a branch, tag or commit",
    GitProblem.UNKNOWN: "there is no {name!r}",
    GitProblem.CLOSED: "there is no repository that can be read without signing in",
    GitProblem.MOVED: "the server sends to another address",
    GitProblem.OWNER: "the folder belongs to another user",
    GitProblem.TIME: "it took longer than {seconds} s",
    GitProblem.SIZE: "it is larger than {limit_mb} MB",
    GitProblem.STOPPED: "it was stopped",
    GitProblem.FAILED: "git failed",
}

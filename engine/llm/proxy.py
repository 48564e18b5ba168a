"""Which proxy leads to a server, by the variables that other programs follow too."""

from ipaddress import ip_address
from urllib.parse import urlsplit
from urllib.request import getproxies_environment, proxy_bypass

import httpx2

from engine.errors import SettingsError


def proxy_for(url: str) -> httpx2.Proxy | None:
    """The proxy for `url` by `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`; None: it is asked directly.

    A server on this machine is always asked directly: no proxy could reach it.

    Raises:
        SettingsError: the variable holds nothing that can be used; the message names the variable, never its value,
            which may hold a password.
    """
    parts = urlsplit(url)
    named = getproxies_environment()
    scheme = parts.scheme if parts.scheme in named else "all"
    if scheme not in named or _is_here(parts.hostname or "") or proxy_bypass(parts.netloc.rpartition("@")[2]):
        return None
    try:
        proxy = httpx2.Proxy(named[scheme])
    except (ValueError, httpx2.InvalidURL):
        proxy = None
    if proxy is None or proxy.url.scheme not in ("http", "https"):
        raise SettingsError(f"{scheme.upper()}_PROXY must be an http or https address")
    return proxy


def _is_here(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False

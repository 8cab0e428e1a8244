"""Middleware in front of the application: allowed hosts, allowed origins, and rate limits.

A page from another site can also send requests to a server on this machine.  A request must
therefore name a host and an origin of this server; behind a proxy, the origin of the public URL is
also valid.  The server uses no cookies, so a browser never authorizes a request automatically.
Other modules enforce other limits: Starlette and uvicorn limit the length of bodies and messages,
and `valletta_rules.web.admission` limits connections.
"""

from __future__ import annotations

import ipaddress
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

import attrs
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from valletta_rules.codec import to_json
from valletta_rules.errors import Refusal
from valletta_rules.web.limits import Buckets, Limits

LOOPBACK: Final = ("localhost", "127.0.0.1", "[::1]")
"""The names and addresses of the loopback interface."""

CONTENT: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'{sockets}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types valletta"
)
"""The content security policy; `sockets` becomes WebSocket origins, which 'self' may exclude."""

HEADERS: Final = MappingProxyType(
    {
        "cache-control": "no-store",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
    }
)
"""Further security headers, which a response can override."""

ENCRYPTED: Final = MappingProxyType({"strict-transport-security": "max-age=31536000"})
"""The header that enforces encrypted connections; sent if the public URL begins with https."""

HEALTH: Final = "/api/health"
"""The path of health checks, for which the middleware accepts any host name."""


def guarded(
    app: ASGIApp,
    hosts: Iterable[str] = (),
    limits: Limits | None = None,
    clock: Callable[[], float] = time.monotonic,
    public: str | None = None,
) -> ASGIApp:
    """Return `app` wrapped in all middleware of this module.

    `hosts` are the host names of the server, without ports, in addition to the loopback names and
    the address at which a connection arrives.  `limits` are the rate limits, `clock`
    returns seconds, and `public` is the origin of the public URL, such as
    ``https://valletta.example``.
    """
    own = SameOrigin(RateLimit(app, limits or Limits(), clock), public)
    url = urlsplit(public or "")
    headers = ENCRYPTED if url.scheme == "https" else {}
    return SecurityHeaders(OwnHosts(own, [*hosts, url.hostname or ""]), headers)


def refusal(status: int, code: str, message: str) -> Response:
    """Return the response that refuses a request; `code` and `message` describe the reason."""
    return Response(to_json(Refusal(code, message)), status, media_type="application/json")


@attrs.frozen
class SecurityHeaders:
    """Middleware that adds security headers to every response.

    The content security policy names the host of the request, if the host has been accepted.
    """

    app: ASGIApp
    more: Mapping[str, str] = MappingProxyType({})
    """Headers in addition to `HEADERS` and the content security policy."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application, and add the security headers to its response."""

        async def sending(message: Message) -> None:
            if message["type"].endswith("http.response.start"):
                host = scope.get("admitted")
                sockets = "" if host is None else f" ws://{host} wss://{host}"
                headers = MutableHeaders(scope=message)
                policy = {"content-security-policy": CONTENT.format(sockets=sockets)}
                for name, value in {**HEADERS, **self.more, **policy}.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, sending)


@attrs.frozen
class OwnHosts:
    """Middleware that refuses requests, except health checks, with an unknown host name."""

    app: ASGIApp
    hosts: Iterable[str]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request if its Host header names this server, or if it is a health check."""
        arrived, _ = scope.get("server") or ("", None)
        hosts = [*LOOPBACK, *map(bracketed, (*self.hosts, arrived))]
        if scope.get("path") == HEALTH:
            hosts = ["*"]
        await TrustedHostMiddleware(self.app, hosts, www_redirect=False)(scope, receive, send)


@attrs.frozen
class SameOrigin:
    """Middleware that refuses requests from pages of other origins.

    It also refuses requests with several Host or Origin headers.
    """

    app: ASGIApp
    public: str | None = None
    """The origin of the public URL, if a proxy changes the scheme or the host of requests."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request from a page of this server, or from a client without an origin."""
        app = self.app
        if scope["type"] != "lifespan":
            headers = Headers(scope=scope)
            host, *other_hosts = headers.getlist("host") or [""]
            scheme = {"ws": "http", "wss": "https"}.get(scope["scheme"], scope["scheme"])
            own = {f"{scheme}://{host}".lower(), self.public}
            if self.public is not None and self.public.endswith(f"//{host.lower()}"):
                own = {self.public}  # the proxy may use another scheme
            origins = [origin.lower() for origin in headers.getlist("origin")]
            if other_hosts or len(origins) > 1 or not own.issuperset(origins):
                app = refusal(
                    403, "wrong-origin", "only pages of this server may send this request"
                )
            elif scope["path"] != HEALTH:
                scope["admitted"] = host
        await app(scope, receive, send)


class RateLimit:
    """Middleware that limits the requests from an address and the number of its open WebSockets."""

    def __init__(self, app: ASGIApp, limits: Limits, clock: Callable[[], float]) -> None:
        """Create middleware for `app` that enforces `limits`; `clock` returns seconds."""
        self.app: Final = app
        self._limits = limits
        self._requests = Buckets(limits.requests, clock)
        self._paths = {path: Buckets(rate, clock) for path, rate in limits.rates.items()}
        self._sockets: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request within the limits, and refuse any other request with status 429."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        address = address_of(scope)
        by_path = self._paths.get(scope["path"]) if scope.get("method") == "POST" else None
        if not (self._requests.take(address) and (by_path is None or by_path.take(address))):
            refused = refusal(429, "too-fast", "too many requests from this address; retry later")
            await refused(scope, receive, send)
        elif scope["type"] == "http":
            await self.app(scope, receive, send)
        elif self._sockets[address] >= self._limits.sockets:
            refused = refusal(429, "too-many", "this address has too many open connections")
            await refused(scope, receive, send)
        else:
            self._sockets[address] += 1
            try:
                await self.app(scope, receive, send)
            finally:
                self._sockets[address] -= 1
                self._sockets += Counter()  # remove addresses without connections


def address_of(scope: Scope) -> str:
    """Return the address to which the limits of a client apply; for IPv6, the /64 network.

    A proxy may forward invalid addresses, which all share the limits of one client.
    """
    host, _ = scope.get("client") or ("", 0)
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return ""
    if isinstance(address, ipaddress.IPv6Address) and not address.is_loopback:
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def bracketed(address: str) -> str:
    """Return an address as it is written in a URL, with brackets around an IPv6 address."""
    return f"[{address}]" if ":" in address and not address.startswith("[") else address

"""Web research, if a person set a search: any server that answers in JSON as SearXNG does.

    text ─▶ search (the address that the person set) ─▶ addresses ─▶ pages ─▶ text ─▶ passages under their address

Pages are not trusted. Only public addresses are connected to: each name is resolved once, the connection goes to what
was resolved, and every redirect is checked again. What is too large, too slow, nested too deeply or not text is not
read, and nothing on a page acts. No proxy of the environment and no cookie is used; only the text is sent.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin, urlsplit, urlunsplit

import msgspec

from workbench.domain.errors import SettingsError
from workbench.domain.log.envelope import UNREADABLE
from workbench.domain.session import events as say
from workbench.domain.text.cleaning import clean_name, shorten
from workbench.foreign import Apart, Defective, TooCostly
from workbench.planning.sources.pages import MOST_OF_A_PAGE
from workbench.planning.sources.project_files import SHORT_PASSAGE, passages
from workbench.planning.unwaited import unwaited_loop

if TYPE_CHECKING:  # imported when something is looked up
    import httpx2

MOST_OF_A_QUERY, MOST_PAGES, MOST_REDIRECTS = 200, 3, 4
"""Characters that are sent to the search, pages that are read for a gap, and redirects of a page."""
MOST_BYTES = 2_000_000
"""Bytes that are read of an answer."""
TIME, PAUSE = 15.0, 5.0
"""Seconds for a page with its redirects, and for each silence within it."""
_TEXTS = ("text/html", "text/plain", "text/markdown", "application/xhtml+xml")
_TO_READ = 5.0
"""Seconds in which the process that reads a page has to be done with it."""


_UNICAST = (ip_network("2000::/3"),)
"""All of the public internet of the newer protocol; fec0::/10 and others beside it are not."""
_SPECIAL = tuple(map(ip_network, ("192.0.0.0/24", "192.88.99.0/24", "2001::/23", "3fff::/20")))
"""Of special use, though the standard library does not say so everywhere. Teredo is within the third."""
_TRANSLATED = tuple(map(ip_network, ("::ffff:0:0/96", "64:ff9b::/96")))
"""Where the public addresses of the older protocol stand in the newer one: mapped, and of NAT64."""
_LAST_32_BITS = (*_TRANSLATED, *map(ip_network, ("::/96", "::ffff:0:0:0/96")))
"""Networks whose last 32 bits are an address of the older protocol: also compatible, and translated by SIIT."""


class NotRead(Exception):
    """Why a page was not read, as part of a sentence."""


class _Answer(NamedTuple):
    kind: str
    charset: str
    data: bytes
    moved: str = ""


def is_public(address: str) -> bool:
    """Return whether an address is on the public internet, and not in a private network or for special use."""
    known = ip_address(address)
    inner = _embedded_ipv4(known) if isinstance(known, IPv6Address) else known
    if inner is not None and not (inner.is_global and not inner.is_multicast and not _is_in(inner, _SPECIAL)):
        return False
    if isinstance(known, IPv4Address) or _is_in(known, _TRANSLATED):
        return True
    return known.is_global and _is_in(known, _UNICAST) and not _is_in(known, _SPECIAL)


def _embedded_ipv4(address: IPv6Address) -> IPv4Address | None:
    """Return the address of the older protocol that packets to an address go to, or may."""
    number = int(address)
    if address.sixtofour is not None:
        return address.sixtofour
    is_isatap = number >> 32 & 0xFDFFFFFF == 0x5EFE
    return IPv4Address(number & 0xFFFFFFFF) if is_isatap or _is_in(address, _LAST_32_BITS) else None


def _is_in(address: IPv4Address | IPv6Address, networks: Sequence[IPv4Network | IPv6Network]) -> bool:
    return any(address in network for network in networks)


def resolved(host: str, port: int) -> tuple[str, ...]:
    """Return the addresses of a name. Raises OSError."""
    return tuple(str(one[4][0]) for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))


@dataclass(frozen=True)
class Web:
    """A search, and the pages that it names."""

    search_url: str
    may_connect: Callable[[str], bool] = is_public
    resolve: Callable[[str, int], Sequence[str]] = resolved
    time: float = TIME
    _looking: list[asyncio.Task[object]] = field(default_factory=list, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Raise SettingsError if the address of the search is not a server's."""
        parts = urlsplit(self.search_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise SettingsError("search_url is not the address of a server.", "Set it to https://HOST/search.")

    @property
    def host(self) -> str:
        """The server that is searched."""
        return urlsplit(self.search_url).netloc.rpartition("@")[2]

    def look_up(self, text: str) -> tuple[list[tuple[say.FileRead, ...]], str]:
        """Return the pages that a search names, each in its passages, and what failed.

        It runs an event loop of its own: for a worker thread, or where there is none.
        """
        try:
            import httpx2  # noqa: F401
            import selectolax  # noqa: F401 - reported once, and not for each page
        except ImportError:
            return [], "The web cannot be searched: install planning-workbench[web]."
        with asyncio.Runner(loop_factory=unwaited_loop) as runner:
            looking = runner.get_loop().create_task(self._pages(text))
            self._looking.append(looking)
            try:
                return runner.get_loop().run_until_complete(looking)
            except asyncio.CancelledError:
                return [], "The search was interrupted."
            finally:
                self._looking.remove(looking)

    def stop(self) -> None:
        """End what is being looked up in other threads."""
        for looking in tuple(self._looking):
            looking.get_loop().call_soon_threadsafe(looking.cancel)

    async def _pages(self, text: str) -> tuple[list[tuple[say.FileRead, ...]], str]:
        import httpx2

        with Apart("workbench.planning.sources.pages:lines_of") as reading:
            async with httpx2.AsyncClient(trust_env=False, follow_redirects=False, timeout=PAUSE) as client:
                return await self._read_pages(client, reading, text)

    async def _read_pages(
        self, client: httpx2.AsyncClient, reading: Apart, text: str
    ) -> tuple[list[tuple[say.FileRead, ...]], str]:
        import httpx2

        # TimeoutError is an OSError
        expected = (httpx2.HTTPError, httpx2.InvalidURL, OSError, NotRead, ValueError, Defective)
        read: list[tuple[say.FileRead, ...]] = []
        failed: list[str] = []
        try:
            async with asyncio.timeout(self.time):
                addresses = await self._searched(client, text)
        except expected as error:
            return [], f"The search at {self.host} failed ({self._failure_reason(error)})."
        for address in addresses:
            try:
                async with asyncio.timeout(self.time):
                    answer = await self._page(client, address)
                read.append(_passages(reading, *answer))
            except expected as error:
                failed.append(f"{clean_name(address, 120)} was not read ({self._failure_reason(error)}).")
        return read, " ".join(failed)

    async def _searched(self, client: httpx2.AsyncClient, text: str) -> list[str]:
        """Return the addresses that the search finds. The person set it, so it may be in their own network."""
        query = {"q": shorten(text, MOST_OF_A_QUERY), "format": "json"}
        answer = await self._answer(client, client.build_request("GET", self.search_url, params=query))
        return addresses_in(answer.data)

    async def _page(self, client: httpx2.AsyncClient, address: str) -> tuple[str, _Answer]:
        """Return where a page is after all redirects, and the answer there. Raises NotRead."""
        at = address
        for _ in range(MOST_REDIRECTS + 1):
            answer = await self._answer(client, await self._request(client, at))
            if not answer.moved:
                return at, answer
            at = urljoin(at, answer.moved)
        raise NotRead("it redirects too often")

    async def _request(self, client: httpx2.AsyncClient, address: str) -> httpx2.Request:
        """Return the request for a page, which goes to the address that its name has now. Raises NotRead."""
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise NotRead("that is not a web address")
        port = parts.port or (443 if parts.scheme == "https" else 80)
        known = list(dict.fromkeys(await asyncio.to_thread(self.resolve, parts.hostname, port)))
        if not known or not all(map(self.may_connect, known)):
            raise NotRead("it is not on the public internet")
        host = f"[{known[0]}]" if ":" in known[0] else known[0]
        return client.build_request(
            "GET",
            urlunsplit((parts.scheme, f"{host}:{port}", parts.path or "/", parts.query, "")),
            headers={
                "Host": parts.netloc.rpartition("@")[2],
                "Accept": ", ".join(_TEXTS),
                "Accept-Encoding": "identity",
            },
            extensions={"sni_hostname": parts.hostname},
        )

    async def _answer(self, client: httpx2.AsyncClient, request: httpx2.Request) -> _Answer:
        """Read an answer within the limits. Raises NotRead."""
        response = await client.send(request, stream=True)
        try:
            if response.is_redirect:
                return _Answer("", "", b"", response.headers.get("location", ""))
            if response.status_code != 200:
                raise NotRead(f"it answers {response.status_code}")
            if response.headers.get("content-encoding", "identity") != "identity":
                raise NotRead("it is compressed, although that was not asked for")
            data = bytearray()
            async for chunk in response.aiter_raw():
                data += chunk
                if len(data) > MOST_BYTES:
                    raise NotRead(f"it is larger than {MOST_BYTES:,} bytes")
        finally:
            await response.aclose()
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        return _Answer(kind, response.charset_encoding or "utf-8", bytes(data))

    def _failure_reason(self, error: Exception) -> str:
        if isinstance(error, TimeoutError):
            return f"it takes longer than {self.time:g} seconds"
        if isinstance(error, Defective):
            return f"a defect of the workbench: {error}"
        return str(error) if isinstance(error, NotRead) else getattr(error, "strerror", None) or type(error).__name__


def addresses_in(answer: bytes) -> list[str]:
    """Return the first addresses that a search found, each once. Raises NotRead."""
    try:
        found = msgspec.json.decode(answer)
    except UNREADABLE:
        found = None
    results = found.get("results") if isinstance(found, dict) else None
    if not isinstance(results, list):
        raise NotRead("it does not answer in JSON as SearXNG does")
    urls = (result.get("url") for result in results if isinstance(result, dict))
    return list(dict.fromkeys(url for url in urls if isinstance(url, str)))[:MOST_PAGES]


def _passages(reading: Apart, address: str, answer: _Answer) -> tuple[say.FileRead, ...]:
    """Return the text of a page in short passages, under its address. Raises NotRead."""
    if answer.kind not in _TEXTS:
        raise NotRead("it is not text")
    is_marked_up = answer.kind not in ("text/plain", "text/markdown")
    try:
        about = f"{is_marked_up:d} {answer.charset}\n".encode(errors="replace")
        told = reading.read(about + answer.data, _TO_READ)
    except TooCostly:
        raise NotRead("it takes too long to read") from None
    lines = msgspec.json.decode(told, type=list[str])
    if not lines:
        raise NotRead("it has no text")
    name = clean_name(address.partition("#")[0], 200).replace(" ", "%20")
    whole = say.FileRead(path=name, sha256=sha256(answer.data).hexdigest(), size=len(answer.data), lines=len(lines))
    numbered = [f"{number}\t{line}" for number, line in enumerate(lines, start=1)]
    return tuple(passages(whole, numbered, MOST_OF_A_PAGE, SHORT_PASSAGE))

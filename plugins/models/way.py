"""The way to a service: straight to this very machine, elsewhere by the proxy that the environment names, if any, and
with the certificates that it names."""

from __future__ import annotations

import urllib.request
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from treadle.core.models.messages import ModelFailure
from treadle.plugins.models.addresses import is_on_loopback
from treadle.plugins.models.wording import clean, reason_of

if TYPE_CHECKING:
    import httpx2

    C = TypeVar("C", httpx2.AsyncClient, httpx2.Client)

_PROXIES = "what your environment says of proxies (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY) can't be used:"
_CERTIFICATES = "the certificates that your environment names (SSL_CERT_FILE, SSL_CERT_DIR) can't be used:"


class NoWay(Exception):
    """What the environment says of proxies or certificates can't be used: nothing can be sent. The text says why, and
    what to do."""


def http_client(kind: type[C], base_url: str) -> C:
    """A client of that kind for the service at this address. It follows no redirections: code is sent to the address
    that the person has set and nowhere else. Raises `NoWay`."""
    import httpx2

    try:
        return kind(follow_redirects=False, trust_env=not is_on_loopback(base_url))
    except ImportError:
        raise NoWay(f"{_PROXIES} a SOCKS proxy needs the package socksio: install it where Treadle is") from None
    except (ValueError, httpx2.InvalidURL) as error:
        raise NoWay(f"{_PROXIES} {reason_of(error)}; mend it, or unset it") from error
    except OSError as error:  # also where a file holds none
        raise NoWay(f"{_CERTIFICATES} {reason_of(error)}; mend it, or unset it") from error


def is_by_socks(url: str) -> bool:
    """Whether a SOCKS proxy stands between here and this address."""
    parts = urlsplit(url)
    proxies = {} if is_on_loopback(url) else urllib.request.getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all") or ""
    return proxy.lower().startswith("socks") and not urllib.request.proxy_bypass(parts.hostname or "")


def failure(error: NoWay, key: str) -> ModelFailure:
    """It, as what came of a request."""
    return ModelFailure(trouble="refused", message=clean(str(error), key))

"""The address that a page gives as its own, and when it is not to be believed."""

from __future__ import annotations

import re

from pagecut.page.addresses import split_address

# A page that only repeats the address under which it was asked for repeats these, too.
_TRACKING = re.compile(
    r"(?:utm_\w+|[gdy]clid|[gw]braid|fbclid|msclkid|srsltid|igshid|mc_[ce]id)(?:=|$)", re.IGNORECASE
)
_HOME = re.compile(r"/*(?:[a-z]{2}(?:[-_][a-z]{2})?/*)?(?:(?:index|default|home)\b[^/]*/*)?", re.I)


def may_be_canonical(address: str, url: str | None) -> bool:
    """Whether an address may be that of a page: not a mere word for a host, nor the site's home.

    Templates give the home page as that of every page by mistake.
    """
    own, given = split_address(url or ""), split_address(address)
    own_host, host = own.hostname or "", given.hostname or ""
    if "%" in host or ("." in own_host and "." not in host):
        return False
    at_home = given.path in ("", "/") and not given.query
    same = own_host.removeprefix("www.") == host.removeprefix("www.")
    return not (at_home and same) or _HOME.fullmatch(own.path) is not None


def without_tracking(address: str) -> str:
    """An address without the parameters that tell whence a visitor came."""
    parts = split_address(address)
    given = parts.query.split("&")
    kept = [each for each in given if not _TRACKING.match(each)]
    return address if kept == given else parts._replace(query="&".join(kept)).geturl()

"""The names by which modules are imported, and those by which they are installed."""

from __future__ import annotations

import re
from collections.abc import Mapping

KNOWN = {
    "attr": "attrs",
    "bs4": "beautifulsoup4",
    "cv2": "opencv-python",
    "dateutil": "python-dateutil",
    "dotenv": "python-dotenv",
    "git": "GitPython",
    "google": "protobuf",
    "jwt": "PyJWT",
    "magic": "python-magic",
    "MySQLdb": "mysqlclient",
    "OpenSSL": "pyOpenSSL",
    "PIL": "pillow",
    "pkg_resources": "setuptools",
    "psycopg2": "psycopg2-binary",
    "serial": "pyserial",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "yaml": "PyYAML",
    "zmq": "pyzmq",
}
"""Well-known modules whose distributions are called otherwise."""


def normal(name: str) -> str:
    """The one spelling of a distribution's name (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def spelt(module: str, known: Mapping[str, str]) -> set[str]:
    """The normal names of the distributions that a module may come from."""
    names = {normal(module), normal(f"python-{module}")}
    return names | {normal(known[module])} if module in known else names

"""Files of data, by their endings, and whether they can be read as what they are called: JSON, TOML, YAML, XML.

Only the form is looked at, in bounded time: nothing that a file refers to is loaded, and nothing in it is built.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from xml.parsers import expat

from treadle.core import toml_text

LARGEST = 2_000_000
"""Bytes of a file that is looked at."""


def why_unreadable(path: str, content: bytes) -> str:
    """Why a file can't be read as what its ending says, with the line where that is known; empty where it can, and for
    all that is not known to be data, or is too large to be looked at."""
    reads = _BY_ENDING.get(PurePosixPath(path).suffix.lower())
    if reads is None or len(content) > LARGEST:
        return ""
    try:
        return reads(content)
    except UnicodeDecodeError as error:
        return f"byte {error.start} is no UTF-8"
    except RecursionError:
        return ""  # who is nested so deeply that we give up may be read by others


def breaks(path: str, old: bytes | None, new: bytes) -> str:
    """Why a file of data can't be read any more that could; empty where it can, or could not before."""
    why = why_unreadable(path, new)
    return why if why and old is not None and not why_unreadable(path, old) else ""


def _json(content: bytes) -> str:
    text = content.decode("utf-8-sig")
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return f"line {error.lineno}: {error.msg}"
    except ValueError:
        return ""  # a number of thousands of digits
    return ""


def _toml(content: bytes) -> str:
    try:
        toml_text.loads(content.decode())
    except tomllib.TOMLDecodeError as error:
        return str(error)
    return ""


def _yaml(content: bytes) -> str:
    import yaml

    loader = getattr(yaml, "CSafeLoader", None)
    if loader is None:
        return ""  # the one in Python takes a minute for a large file
    try:
        for _ in yaml.parse(content.decode("utf-8-sig"), Loader=loader):
            pass
    except yaml.MarkedYAMLError as error:
        return f"line {error.problem_mark.line + 1}: {error.problem}" if error.problem_mark else str(error.problem)
    except yaml.YAMLError as error:
        return str(error)
    return ""


def _xml(content: bytes) -> str:
    parser = expat.ParserCreate()

    def stop(*declared: object) -> None:
        raise _HasEntitiesError

    parser.EntityDeclHandler = stop
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        return f"line {error.lineno}: {expat.ErrorString(error.code)}"
    except _HasEntitiesError:
        return ""
    return ""


class _HasEntitiesError(Exception):
    """It declares entities, which could stand for more than fits anywhere."""


_BY_ENDING: Mapping[str, Callable[[bytes], str]] = {
    **dict.fromkeys((".json", ".ipynb", ".geojson", ".webmanifest"), _json),
    ".toml": _toml,
    **dict.fromkeys((".yaml", ".yml"), _yaml),
    **dict.fromkeys((".xml", ".svg", ".xsd", ".xsl", ".xslt"), _xml),
}

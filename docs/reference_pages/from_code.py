"""What the code says of itself: its manuals, and the fields of its records."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import msgspec

from reference_pages.markdown import code, table


def manual(module: str) -> str:
    return inspect.getdoc(importlib.import_module(module)) or ""


def fields(record: type[msgspec.Struct]) -> str:
    rows = [
        (
            code(field.name),
            code(str(annotations_of(record)[field.name])),
            "" if field.required else code(repr(default_of(field))),
        )
        for field in msgspec.structs.fields(record)
    ]
    return table(("field", "type", "default"), rows) if rows else ""


def default_of(field: msgspec.structs.FieldInfo) -> object:
    if field.default is not msgspec.NODEFAULT:
        return field.default
    return field.default_factory() if field.default_factory is not msgspec.NODEFAULT else None


def annotations_of(record: type[msgspec.Struct]) -> dict[str, Any]:
    """The fields' types as they are written, those of the roots first."""
    found: dict[str, Any] = {}
    for each in reversed(record.__mro__):
        found |= vars(each).get("__annotations__", {})
    return found

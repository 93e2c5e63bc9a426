"""Importing a plugin by what names it: an entry point's text, or a file of a project."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType


def load(entry: str) -> object:
    """The module, or the object in it. `entry` is `module` or `module:attribute` as `importlib.metadata` knows them, or
    the absolute path of a Python file. Raises whatever importing it raises."""
    if entry.endswith(".py"):
        return _module_in(entry)
    module, _, attributes = entry.partition(":")
    found: object = importlib.import_module(module.strip())
    for attribute in filter(None, attributes.partition("[")[0].strip().split(".")):
        found = getattr(found, attribute)
    return found


class _FromSource(SourceFileLoader):
    """Compiles the file each time: bytecode beside it may be of something else."""

    def get_code(self, fullname: str) -> CodeType:
        """See `importlib.abc.InspectLoader`."""
        code: CodeType = self.source_to_code(self.get_data(self.path), self.path)
        return code


def _module_in(file: str) -> object:
    # Under a name of its own: the file may be called like a module of the standard library.
    name = f"treadle_project_plugin_{file.rpartition('/')[2].removesuffix('.py')}"
    loader = _FromSource(name, file)
    spec = ModuleSpec(name, loader, origin=file)
    spec.has_location = True
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    loader.exec_module(module)
    return module

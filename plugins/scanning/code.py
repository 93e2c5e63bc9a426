"""Checks on code that is made at run time, formats that run code, native code and hooks into the interpreter."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from treadle.plugins.scanning import dangers
from treadle.plugins.scanning.module import Hit, Module
from treadle.plugins.scanning.network import is_network


def check(module: Module) -> Iterator[Hit]:
    """All findings of this file's subject."""
    for node in module.nodes:
        if isinstance(node, ast.Call):
            called = module.names.dotted(node.func)
            yield from _code(module, node, called)
            yield from _loads(module, node, called)


def _code(module: Module, node: ast.Call, called: str | None) -> Iterator[Hit]:
    names = module.names
    first = node.args[0] if node.args else next((k.value for k in node.keywords if k.arg in ("source", "code")), None)
    if called in dangers.CODE_RUNNERS and first is not None:
        if (
            called == "compile"
            and isinstance(module.parent(node), ast.Call)
            and _is_runner(module, module.parent(node))
        ):
            return
        if _is_hidden(module, first):
            yield module.hit("exec-hidden", node)
        elif isinstance(first, ast.Constant) or names.text(first) is not None:
            yield module.hit("exec-literal", node)
        elif not _is_compiled_text(module, first):
            yield module.hit("exec-dynamic", node)
    elif called in dangers.TEXT_RUNNERS and first is not None:
        if not _may_be_a_function(called, first) and names.text(first) is None:
            yield module.hit("exec-dynamic", node)
    elif called in dangers.IMPORT_PATHS:
        if any(_is_elsewhere(module, argument) for argument in node.args[-1:]):
            yield module.hit("import-path", node)
    elif called in dangers.FILE_IMPORTERS:
        file = next((k.value for k in node.keywords if k.arg in ("location", "path")), None)
        file = file or (node.args[1] if len(node.args) > 1 else None)
        if file is not None and _is_elsewhere(module, file):
            yield module.hit("import-dynamic", node)
    elif called in dangers.IMPORTERS:
        if first is not None and _is_hidden(module, first):
            yield module.hit("name-built", node)
        elif first is not None and not _is_constant_text(first):
            built = names.text(first) is not None and not isinstance(first, ast.Name)
            yield module.hit("name-built" if built else "import-dynamic", node)
    elif called == "getattr" and len(node.args) >= 2:
        name = node.args[1]
        if not _is_constant_text(name):
            text = names.text(name)
            if (
                text is not None
                and _pieces(name)
                and (text.startswith("__") or _is_dangerous_module(module, node.args[0]))
            ):
                yield module.hit("name-built", node)
            elif _is_dangerous_module(module, node.args[0]):
                yield module.hit("getattr-module", node)
    elif called in dangers.INTERPRETERS or (called or "").startswith("types.CodeType"):
        yield module.hit("exec-dynamic", node)
    elif (
        isinstance(node.func, ast.Attribute)
        and node.func.attr == "join"
        and node.args
        and _of_characters(module, node.args[0])
    ):
        yield module.hit("text-assembled", node)
    elif called in dangers.UNPACKERS and len(names.text(first) or "") > 1000:
        yield module.hit("blob", node)


def _may_be_a_function(called: str, node: ast.AST) -> bool:
    """What `timeit` is given by a name may be a function as well as a text."""
    return called.startswith("timeit.") and isinstance(node, ast.Name | ast.Attribute | ast.Lambda)


def _is_elsewhere(module: Module, node: ast.AST) -> bool:
    """Whether a path is none that is told in the code, below the project: found from the file itself (`__file__`), from
    where the program was started, or written out."""
    place = module.names.text(node)
    if place is not None:
        return place.startswith(("/", "~"))
    seen: set[str] = set()
    left: list[ast.AST] = [node]
    while left:
        for inner in ast.walk(left.pop()):
            if not isinstance(inner, ast.Name) or inner.id in seen:
                continue
            seen.add(inner.id)
            if inner.id == "__file__" or "ROOT" in inner.id.upper():
                return False
            values = module.assigned(inner.id)
            if any((text := module.names.text(value)) and not text.startswith(("/", "~")) for value in values):
                return False
            left += values
    return True


def _is_runner(module: Module, node: ast.AST | None) -> bool:
    return isinstance(node, ast.Call) and module.names.dotted(node.func) in ("exec", "eval")


def _is_compiled_text(module: Module, node: ast.AST) -> bool:
    """exec(compile(...)) is judged by what is compiled."""
    if isinstance(node, ast.Call) and module.names.dotted(node.func) == "compile" and node.args:
        return module.names.text(node.args[0]) is not None
    return False


def _is_hidden(module: Module, node: ast.AST) -> bool:
    """Whether the expression decodes, assembles from characters, or fetches."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call):
            called = module.names.dotted(inner.func) or ""
            if called.startswith(dangers.DECODERS) or is_network(called):
                return True
            if (
                isinstance(inner.func, ast.Attribute)
                and inner.func.attr == "join"
                and inner.args
                and _of_characters(module, inner.args[0])
            ):
                return True
        elif (
            isinstance(inner, ast.Subscript)
            and isinstance(inner.slice, ast.Slice)
            and isinstance(inner.value, ast.Constant)
        ):
            return True
    if isinstance(node, ast.Name):
        return any(_is_hidden(module, value) for value in module.assigned(node.id) if not isinstance(value, ast.Name))
    return False


def _of_characters(module: Module, node: ast.AST) -> bool:
    """`map(chr, ...)`, `(chr(c) for ...)` or a list of at least four `chr(..)`, over constants."""
    if isinstance(node, ast.Call) and module.names.dotted(node.func) == "map" and len(node.args) == 2:
        return module.names.dotted(node.args[0]) == "chr" and isinstance(
            node.args[1], ast.List | ast.Tuple | ast.Constant
        )
    if isinstance(node, ast.GeneratorExp | ast.ListComp) and node.generators:
        over = node.generators[0].iter
        uses = any(isinstance(n, ast.Call) and module.names.dotted(n.func) == "chr" for n in ast.walk(node.elt))
        return uses and isinstance(over, ast.List | ast.Tuple | ast.Constant)
    if isinstance(node, ast.List | ast.Tuple):
        return sum(isinstance(e, ast.Call) and module.names.dotted(e.func) == "chr" for e in node.elts) >= 4
    return False


def _is_constant_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _pieces(node: ast.AST) -> bool:
    """Whether a text is put together on the spot, rather than named or formatted."""
    return isinstance(node, ast.BinOp | ast.Call | ast.Subscript | ast.JoinedStr)


def _is_dangerous_module(module: Module, node: ast.AST) -> bool:
    return module.names.dotted(node) in dangers.PROCESS_MODULES


def _allows_code(node: ast.Call) -> bool:
    """Whether a loader of any library is told to run what a file brings."""
    told = {(k.arg, k.value.value) for k in node.keywords if isinstance(k.value, ast.Constant)}
    return bool(
        told & {("allow_pickle", True), ("weights_only", False), ("trust_remote_code", True), ("typ", "unsafe")}
    )


def _loads(module: Module, node: ast.Call, called: str | None) -> Iterator[Hit]:
    if called is None:
        if _allows_code(node):
            yield module.hit("unsafe-load", node)
        return
    if called in ("yaml.load", "yaml.load_all"):
        loader = (
            node.args[1] if len(node.args) > 1 else next((k.value for k in node.keywords if k.arg == "Loader"), None)
        )
        if loader is None or not (module.names.dotted(loader) or "").endswith(
            ("SafeLoader", "CSafeLoader", "BaseLoader")
        ):
            yield module.hit("unsafe-load", node)
    elif called == "numpy.load":
        if any(
            k.arg == "allow_pickle" and not (isinstance(k.value, ast.Constant) and not k.value.value)
            for k in node.keywords
        ):
            yield module.hit("unsafe-load", node)
    elif called == "torch.load":
        if not any(
            k.arg == "weights_only" and isinstance(k.value, ast.Constant) and k.value.value is True
            for k in node.keywords
        ):
            yield module.hit("unsafe-load", node)
    elif called in dangers.UNSAFE_LOADS or _allows_code(node):
        yield module.hit("unsafe-load", node)
    elif called.startswith(dangers.NATIVE) or (called == "mmap.mmap" and _asks_for_code(module, node)):
        yield module.hit("native", node)
    elif called in dangers.HOOKS or called.startswith("sys.monitoring.") or _changes_imports(called):
        yield module.hit("hooks", node)
    elif called in dangers.FRAMES:
        yield module.hit("frames", node)


def _asks_for_code(module: Module, node: ast.Call) -> bool:
    """Whether memory is asked for that may be run."""
    return any(
        isinstance(inner, ast.Attribute) and inner.attr == "PROT_EXEC"
        for argument in (*node.args, *(k.value for k in node.keywords))
        for inner in ast.walk(argument)
    )


def _changes_imports(called: str) -> bool:
    what, _, change = called.rpartition(".")
    return what in dangers.IMPORT_HOOKS and change in dangers.LIST_CHANGES

"""Checks on attributes, definitions and assignments: walks through the interpreter's insides, tests tampered with."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from treadle.plugins.scanning import dangers
from treadle.plugins.scanning.module import Hit, Module, is_endless

_FORMAT_ESCAPE = re.compile(
    r"\{[^{}]*(?:\.|\[['\"]?)(?:__globals__|__init__|__subclasses__|__bases?__|__mro__|__builtins__|__code__|__dict__|f_globals|gi_frame)"
)
_OF_TESTS = frozenset({"PYTEST_CURRENT_TEST", "PYTEST_VERSION", "PYTEST_XDIST_WORKER"})
_OF_ALL = frozenset(
    {
        *("sys.settrace", "sys.exit", "sys.excepthook", "sys.unraisablehook", "sys.displayhook", "sys.breakpointhook"),
        *("threading.excepthook", "os._exit"),
    }
)
_CHANGES_OF_ALL = frozenset(
    f"{table}.{change}"
    for table in ("builtins.__dict__", "__builtins__", "sys.modules", "__main__.__dict__", "sys.__dict__")
    for change in ("update", "setdefault", "__setitem__")
)
_FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef
_ACTS = ("os.", "subprocess.", "shutil.", "socket.", "urllib.", "requests.")


def check(module: Module) -> Iterator[Hit]:
    """All findings of this file's subject."""
    for node in module.nodes:
        if isinstance(node, ast.Attribute):
            yield from _attribute(module, node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if _FORMAT_ESCAPE.search(node.value[:20_000]) and not _is_docstring(module, node):
                yield module.hit("format-escape", node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _function(module, node)
        elif isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            yield from _assignment(module, node)
        elif isinstance(node, ast.Call):
            yield from _call(module, node)
        elif isinstance(node, ast.Compare):
            yield from _comparison(module, node)
        elif isinstance(node, ast.Raise):
            yield from _raise(module, node)
        elif isinstance(node, ast.Name) and node.id == "__builtins__":
            yield module.hit("globals", node)
        elif isinstance(node, ast.Subscript):
            yield from _key(module, node)
        elif isinstance(node, ast.MatchClass):
            yield from _pattern(module, node)


def _is_docstring(module: Module, node: ast.AST) -> bool:
    return isinstance(module.parent(node), ast.Expr)


# ---------------------------------------------------------------- the interpreter's insides


def _attribute(module: Module, node: ast.Attribute) -> Iterator[Hit]:
    base = module.names.dotted(node.value)
    if node.attr == "__subclasses__":
        inside = {n.attr for n in ast.walk(node.value) if isinstance(n, ast.Attribute)} & dangers.ESCAPES
        if (
            inside
            or base in ("object", "type")
            or isinstance(node.value, _LITERALS)
            or _is_class_of_literal(module, node.value)
        ):
            yield module.hit("escape", node)
    elif node.attr in ("__base__", "__bases__", "__mro__"):
        if _is_class_of_literal(module, node.value):
            yield module.hit("escape", node)
    elif node.attr in dangers.INNER:
        inside = {n.attr for n in ast.walk(node.value) if isinstance(n, ast.Attribute)}
        if node.attr in ("__globals__", "__builtins__") and inside & {
            "__init__",
            "__class__",
            "__subclasses__",
            "__func__",
        }:
            yield module.hit("escape", node)
        elif node.attr == "f_locals" and _climbs(module):
            yield module.hit("globals", node)
        elif node.attr in ("tb_frame", "gi_frame", "cr_frame", "f_locals") and isinstance(node.ctx, ast.Load):
            yield module.hit("frames", node)
        else:
            yield module.hit("globals", node)
    elif node.attr == "__dict__" and base in ("type", "object", "builtins", "__builtins__"):
        yield module.hit("globals", node)


_LITERALS = ast.Constant | ast.Tuple | ast.List | ast.Dict


def _is_class_of_literal(module: Module, node: ast.AST) -> bool:
    """`().__class__`, `type(())`, `getattr((), "__class__")`: nobody needs these to have a class."""
    if isinstance(node, ast.Attribute):
        return node.attr == "__class__" and isinstance(node.value, _LITERALS)
    if not isinstance(node, ast.Call) or not node.args or not isinstance(node.args[0], _LITERALS):
        return False
    called = module.names.dotted(node.func) or ""
    return (called == "type" and len(node.args) == 1) or (
        (called == "getattr" or called.endswith("__getattribute__")) and len(node.args) > 1
    )


def _key(module: Module, node: ast.Subscript) -> Iterator[Hit]:
    """A dunder that is looked up in a table of attributes: `vars(f)["__globals__"]`, `type.__dict__[chr(95) + ...]`."""
    key = module.names.text(node.slice)
    if module.names.dotted(node.value) in ("type.__dict__", "object.__dict__"):
        if key is None or key in dangers.ESCAPES | dangers.INNER:
            yield module.hit("escape", node)
    elif key in dangers.LOOKED_UP:
        yield module.hit("escape" if key == "__subclasses__" else "globals", node)


def _pattern(module: Module, node: ast.MatchClass) -> Iterator[Hit]:
    """`case object(__class__=found)` reads an attribute as well."""
    read = set(node.kwd_attrs)
    if read & (dangers.ESCAPES - {"__class__"}):
        yield module.hit("escape", node)
    elif read & dangers.INNER:
        yield module.hit("globals", node)


def _looked_up(module: Module, node: ast.Call, called: str | None) -> Iterator[Hit]:
    """Dunders that are given as texts to what looks attributes up by them."""
    if called in ("hasattr", "getattr", "setattr", "delattr", "isinstance"):
        return
    texts = [text for argument in node.args for text in _texts(module, argument)]
    method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    if called == "operator.attrgetter" or method in ("get_field", "__getattribute__"):
        parts = {part for text in texts for part in re.split(r"[.\[\]]", text)}
        if parts & {"__subclasses__", "__base__", "__bases__", "__mro__", "__globals__", "__builtins__"}:
            yield module.hit("format-escape" if method == "get_field" else "escape", node)
        elif parts & dangers.INNER:
            yield module.hit("globals", node)
    elif called == "operator.methodcaller" and texts and texts[0] in dangers.DANGEROUS_METHODS:
        yield module.hit("getattr-module", node)
    elif any(isinstance(n, ast.Name) and n.id == "getattr" for n in node.args):
        if set(texts) & {"__subclasses__", "__base__", "__bases__", "__mro__", "__globals__", "__builtins__"}:
            yield module.hit("escape", node)
    elif method in ("get", "__getitem__", "pop"):
        if set(texts[:1]) & dangers.LOOKED_UP:
            yield module.hit("escape" if texts[0] == "__subclasses__" else "globals", node)


def _texts(module: Module, node: ast.AST) -> list[str]:
    """The text of an expression, or those of a list of them."""
    parts = node.elts[:20] if isinstance(node, ast.List | ast.Tuple) else [node]
    return [text for part in parts if (text := module.names.text(part)) is not None]


def _climbs(module: Module) -> bool:
    """Whether the module goes to the frames of its callers: whoever runs its tests is one of them."""
    return any(
        (isinstance(n, ast.Attribute) and n.attr in dangers.CLIMBS)
        or (isinstance(n, ast.Name) and n.id in dangers.CLIMBS)
        for n in module.nodes
    )


def _call(module: Module, node: ast.Call) -> Iterator[Hit]:
    called = module.names.dotted(node.func)
    yield from _looked_up(module, node, called)
    if called in ("atexit.register", "weakref.finalize"):
        yield from _at_end(module, node, node.args[1 if called == "weakref.finalize" else 0 :][:1])
    elif called in _CHANGES_OF_ALL:
        yield module.hit("builtins-changed", node)
    elif called in ("os.environ.get", "os.getenv") and not module.is_test and node.args:
        if module.names.text(node.args[0]) in _OF_TESTS:
            yield module.hit("test-aware", node)
    if called in ("getattr", "setattr", "delattr", "object.__getattribute__") and len(node.args) >= 2:
        name = module.names.text(node.args[1])
        if name in dangers.INNER:
            yield module.hit("globals", node)
        elif name in ("__subclasses__", "__bases__", "__base__") and called != "setattr":
            yield module.hit("escape", node)
        target = module.names.dotted(node.args[0]) or ""
        if called == "setattr":
            if _judges_tests(f"{target}.{name}") and not _is_plain_test_setup(module, target):
                yield module.hit("tests-patched", node)
            elif target in ("builtins", "__builtins__", "sys", "__main__"):
                yield module.hit("builtins-changed", node)
    elif called in dangers.SKIPS:
        yield module.hit("test-skipped" if module.is_test else "skip-in-source", node)
    elif (
        isinstance(node.func, ast.Attribute) and node.func.attr in ("clear", "__delitem__") and _collects(module, node)
    ):
        yield module.hit("tests-patched", node)


def _function(module: Module, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Hit]:
    if node.name in ("__reduce__", "__reduce_ex__", "__setstate__"):
        for inner in ast.walk(node):
            dotted = module.names.dotted(inner) if isinstance(inner, ast.Name | ast.Attribute) else None
            if dotted in dangers.SHELLS | dangers.STARTERS | {"eval", "exec", "__import__"}:
                yield module.hit("reduce", node)
                break
    elif node.name == "__del__":
        yield from _finalizer(module, node)
    elif node.name in ("__eq__", "__ne__") and _always(node, node.name == "__eq__"):
        yield module.hit("always-equal", node)
    for decorator in node.decorator_list:
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        dotted = module.names.dotted(target)
        if dotted in dangers.SKIP_MARKS:
            yield Hit("test-skipped", node.lineno, f"{dotted} {node.name}")
        elif dotted == "atexit.register":
            yield module.hit("finalizer-bomb" if _is_bomb(module, node) else "at-exit", node)
    if module.path.endswith("conftest.py") and dangers.TEST_HOOKS.match(node.name):
        yield from _test_hook(module, node)


def _always(node: ast.FunctionDef | ast.AsyncFunctionDef, value: bool) -> bool:
    body = [n for n in node.body if not (isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant))]
    return (
        len(body) == 1
        and isinstance(body[0], ast.Return)
        and isinstance(body[0].value, ast.Constant)
        and body[0].value.value is value
    )


def _finalizer(module: Module, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Hit]:
    if _is_bomb(module, node):
        yield module.hit("finalizer-bomb", node)
        return
    calls = (module.names.dotted(n.func) or "" for n in ast.walk(node) if isinstance(n, ast.Call))
    if any(called.startswith(_ACTS) and called not in ("os.close", "os.path.exists") for called in calls):
        yield module.hit("finalizer", node)


def _at_end(module: Module, node: ast.AST, functions: Sequence[ast.AST | None]) -> Iterator[Hit]:
    """Functions that run when an object or the program ends, by their name or written out."""
    for each in functions:
        named = [
            n for n in module.nodes if isinstance(each, ast.Name) and isinstance(n, _FUNCTION) and n.name == each.id
        ]
        if any(_is_bomb(module, n) for n in named) or (isinstance(each, ast.Lambda) and _is_bomb(module, each)):
            yield module.hit("finalizer-bomb", node)


def _is_bomb(module: Module, node: ast.AST) -> bool:
    """Whether a function never returns, forks, or ends the process."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.While) and is_endless(inner):
            return True
        if isinstance(inner, ast.For | ast.comprehension) and isinstance(inner.iter, ast.Call):
            leaves = isinstance(inner, ast.For) and any(isinstance(n, ast.Break | ast.Return) for n in ast.walk(inner))
            if module.names.dotted(inner.iter.func) in ("itertools.count", "itertools.cycle") and not leaves:
                return True
        if isinstance(inner, ast.Call):
            called = module.names.dotted(inner.func) or ""
            if called in dangers.HARD_EXITS | dangers.FORKS | dangers.EXITS:
                return True
    return False


# ---------------------------------------------------------------- tests tampered with


def _test_hook(module: Module, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Hit]:
    """A conftest hook that can change what becomes of a test."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Assign | ast.AugAssign | ast.Delete):
            targets = inner.targets if isinstance(inner, ast.Assign | ast.Delete) else [inner.target]
            if any(
                (
                    isinstance(t, ast.Attribute)
                    and t.attr in ("outcome", "exitstatus", "wasxfail", "longrepr", "excinfo")
                )
                or (isinstance(t, ast.Subscript) and isinstance(t.value, ast.Name) and t.value.id == "items")
                for t in targets
            ):
                yield module.hit("tests-patched", inner)
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute) and inner.func.attr == "force_result":
            yield module.hit("tests-patched", inner)


def _collects(module: Module, node: ast.Call) -> bool:
    function = module.function_around(node)
    target = node.func.value if isinstance(node.func, ast.Attribute) else None
    return (
        function is not None
        and function.name == "pytest_collection_modifyitems"
        and isinstance(target, ast.Name)
        and target.id == "items"
    )


def _judges_tests(dotted: str) -> bool:
    return dotted.startswith(dangers.TEST_FRAMEWORKS)


def _is_plain_test_setup(module: Module, target: str) -> bool:
    """Test files may set attributes of their own test classes, not of the framework's."""
    return module.is_test and target in ("unittest.mock", "pytest.mark")


def _assignment(module: Module, node: ast.Assign | ast.AugAssign | ast.AnnAssign) -> Iterator[Hit]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    for target in targets:
        if isinstance(target, ast.Attribute):
            dotted = module.names.dotted(target) or ""
            raw_base = target.value.id if isinstance(target.value, ast.Name) else ""
            if _judges_tests(dotted) or (
                target.attr.startswith("assert") and dotted.endswith(f"TestCase.{target.attr}")
            ):
                yield module.hit("tests-patched", node)
            elif dotted in _OF_ALL or dotted.startswith("__main__.") or raw_base in ("builtins", "__builtins__"):
                yield module.hit("builtins-changed", node)
            elif dotted in dangers.IMPORT_HOOKS:
                yield module.hit("hooks", node)
            elif target.attr == "__del__":
                yield from _at_end(module, node, [node.value])
            elif target.attr in ("outcome", "exitstatus") and module.path.endswith("conftest.py"):
                function = module.function_around(node)
                if function is None or not dangers.TEST_HOOKS.match(function.name):
                    yield module.hit("tests-patched", node)
        elif isinstance(target, ast.Name) and target.id == "__del__":
            yield from _at_end(module, node, [node.value])
        elif isinstance(target, ast.Subscript):
            base = module.names.dotted(target.value)
            if base in ("sys.modules", "__builtins__", "builtins.__dict__", "sys.meta_path", "sys.path_hooks"):
                yield module.hit("builtins-changed", node)
        elif isinstance(target, ast.Name) and node.value is not None:
            if target.id == "pytestmark" and module.is_test and _skips(module, node.value):
                yield module.hit("test-skipped", node)
            elif _is_password(target.id, node.value) and not module.is_test:
                yield module.hit("password", node)


def _skips(module: Module, value: ast.expr) -> bool:
    return any(module.names.dotted(n) in dangers.SKIP_MARKS for n in ast.walk(value) if isinstance(n, ast.Attribute))


def _is_password(name: str, value: ast.expr) -> bool:
    text = value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else ""
    return dangers.PASSWORD_NAME.search(name) is not None and len(text) >= 8 and not dangers.PLACEHOLDER.match(text)


def _comparison(module: Module, node: ast.Compare) -> Iterator[Hit]:
    """`"pytest" in sys.modules` and the like, in code that is not a test."""
    if module.is_test:
        return
    sides = [node.left, *node.comparators]
    texts = {module.names.text(side) for side in sides}
    names = {module.names.dotted(side) for side in sides}
    if ("sys.modules" in names and texts & {"pytest", "unittest", "_pytest"}) or (
        "os.environ" in names and "PYTEST_CURRENT_TEST" in texts
    ):
        yield module.hit("test-aware", node)


def _raise(module: Module, node: ast.Raise) -> Iterator[Hit]:
    raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    dotted = module.names.dotted(raised) if raised is not None else None
    if dotted in dangers.SKIPS and not isinstance(node.exc, ast.Call):
        yield module.hit("test-skipped" if module.is_test else "skip-in-source", node)
    elif dotted == "SystemExit" and not isinstance(node.exc, ast.Call) and module.runs_on_import(node):
        yield module.hit("exit-in-tests" if module.is_test else "exit-on-import", node)

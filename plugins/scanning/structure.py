"""Checks on definitions and assignments: what is replaced for the whole program, and tests tampered with."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

from treadle.plugins.scanning import dangers
from treadle.plugins.scanning.module import Hit, Module

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


def check(module: Module) -> Iterator[Hit]:
    """All findings of this file's subject."""
    for node in module.nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _function(module, node)
        elif isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            yield from _assignment(module, node)
        elif isinstance(node, ast.Call):
            yield from _call(module, node)
        elif isinstance(node, ast.Compare):
            yield from _comparison(module, node)
        elif isinstance(node, ast.Raise):
            yield from _raise(module, node)


def _call(module: Module, node: ast.Call) -> Iterator[Hit]:
    called = module.names.dotted(node.func)
    if called in _CHANGES_OF_ALL:
        yield module.hit("builtins-changed", node)
    elif called in ("os.environ.get", "os.getenv", "os.putenv", "os.environ.setdefault", "os.environ.__setitem__"):
        yield from _variable(module, node, called)
    elif called == "setattr" and len(node.args) >= 3:
        target, name = module.names.dotted(node.args[0]) or "", module.names.text(node.args[1])
        replaces = not module.is_test and _replaces_a_function(module, f"{target}.{name}", node.args[2])
        if _judges_tests(f"{target}.{name}") and not _is_plain_test_setup(module, target):
            yield module.hit("tests-patched", node)
        elif replaces or target in ("builtins", "__builtins__", "sys", "__main__"):
            yield module.hit("builtins-changed", node)
    elif called in dangers.SKIPS:
        yield module.hit("test-skipped" if module.is_test else "skip-in-source", node)
    elif (
        isinstance(node.func, ast.Attribute) and node.func.attr in ("clear", "__delitem__") and _collects(module, node)
    ):
        yield module.hit("tests-patched", node)


def _variable(module: Module, node: ast.Call, called: str) -> Iterator[Hit]:
    """A variable of the environment that is read or set by its name."""
    name = module.names.text(node.args[0]) if node.args else None
    if called in ("os.environ.get", "os.getenv"):
        if name in _OF_TESTS and not module.is_test:
            yield module.hit("test-aware", node)
    elif name in dangers.ENVIRONMENT_HOOKS:
        yield module.hit("hooks", node)


def _function(module: Module, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Hit]:
    if node.name in ("__reduce__", "__reduce_ex__", "__setstate__"):
        for inner in ast.walk(node):
            dotted = module.names.dotted(inner) if isinstance(inner, ast.Name | ast.Attribute) else None
            if dotted in dangers.SHELLS | dangers.STARTERS | {"eval", "exec", "__import__"}:
                yield module.hit("reduce", node)
                break
    elif node.name in ("__eq__", "__ne__") and _always(node, node.name == "__eq__"):
        yield module.hit("always-equal", node)
    for decorator in node.decorator_list:
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        dotted = module.names.dotted(target)
        if dotted in dangers.SKIP_MARKS:
            yield Hit("test-skipped", node.lineno, f"{dotted} {node.name}")
    if module.path.endswith("conftest.py") and dangers.TEST_HOOKS.match(node.name):
        yield from _test_hook(module, node)


def _always(node: ast.FunctionDef | ast.AsyncFunctionDef, value: bool) -> bool:
    body = [n for n in node.body if not (isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant))]
    return len(body) == 1 and isinstance(body[0], ast.Return) and _is_constant(body[0].value, value)


def _is_constant(node: ast.AST | None, value: bool) -> bool:
    return isinstance(node, ast.Constant) and node.value is value


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
            if any(isinstance(n, ast.ClassDef) for n in module.defined.get(raw_base, ())):
                continue  # a class of the module itself, whatever it stands for
            if _judges_tests(dotted) or (
                target.attr.startswith("assert") and dotted.endswith(f"TestCase.{target.attr}")
            ):
                yield module.hit("tests-patched", node)
            elif (
                dotted in _OF_ALL
                or dotted.startswith("__main__.")
                or module.names.dotted(target.value) in ("builtins", "__builtins__")
            ):
                yield module.hit("builtins-changed", node)
            elif dotted in dangers.IMPORT_HOOKS:
                yield module.hit("hooks", node)
            elif not module.is_test and _replaces_a_function(module, dotted, node.value):
                yield module.hit("builtins-changed", node)
            elif target.attr in ("outcome", "exitstatus") and module.path.endswith("conftest.py"):
                function = module.function_around(node)
                if function is None or not dangers.TEST_HOOKS.match(function.name):
                    yield module.hit("tests-patched", node)
        elif isinstance(target, ast.Name) and target.id in ("__eq__", "__ne__"):
            if isinstance(node.value, ast.Lambda) and _is_constant(node.value.body, target.id == "__eq__"):
                yield module.hit("always-equal", node)
        elif isinstance(target, ast.Subscript):
            base = module.names.dotted(target.value)
            if base == "os.environ" and module.names.text(target.slice) in dangers.ENVIRONMENT_HOOKS:
                yield module.hit("hooks", node)
            if base in ("sys.modules", "__builtins__", "builtins.__dict__", "sys.meta_path", "sys.path_hooks"):
                yield module.hit("builtins-changed", node)
        elif isinstance(target, ast.Name) and target.id == "pytestmark" and module.is_test and node.value:
            yield from [module.hit("test-skipped", node)] if _skips(module, node.value) else []


def _replaces_a_function(module: Module, dotted: str, value: ast.expr | None) -> bool:
    """Whether a function of a module of the standard library becomes another one, for the whole program."""
    head, _, rest = dotted.partition(".")
    if head not in sys.stdlib_module_names or not rest or dotted in ("warnings.showwarning", "warnings.formatwarning"):
        return False
    if isinstance(value, ast.Name):
        return value.id in module.defined
    return isinstance(value, ast.Lambda)


def _skips(module: Module, value: ast.expr) -> bool:
    return any(module.names.dotted(n) in dangers.SKIP_MARKS for n in ast.walk(value) if isinstance(n, ast.Attribute))


def _comparison(module: Module, node: ast.Compare) -> Iterator[Hit]:
    """`"pytest" in sys.modules` and the like, in code that is not a test."""
    if module.is_test:
        return
    sides = [node.left, *node.comparators]
    texts = {module.names.text(side) for side in sides}
    names = {module.names.dotted(side) for side in sides}
    by_arguments = any((name or "").startswith("sys.argv") for name in names) or any(
        module.names.dotted(inner) == "sys.argv" for side in sides for inner in ast.walk(side)
    )
    if (("sys.modules" in names or by_arguments) and texts & {"pytest", "py.test", "unittest", "_pytest"}) or (
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

"""Checks on processes: what is started, forked, signalled or ended."""

from __future__ import annotations

import ast
import operator
import sys
from collections.abc import Iterator

from treadle.plugins.scanning import dangers
from treadle.plugins.scanning.module import Hit, Module, is_endless
from treadle.plugins.scanning.programs import asks_for_shell, rule_of_start


def check(module: Module) -> Iterator[Hit]:
    """All findings of this file's subject."""
    for node in module.nodes:
        if isinstance(node, ast.Call):
            yield from _processes(module, node, module.names.dotted(node.func))
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            yield from _handed_on(module, node)
        elif isinstance(node, ast.While) and is_endless(node) and _only_collects(node):
            yield module.hit("endless", node)


def _processes(module: Module, node: ast.Call, called: str | None) -> Iterator[Hit]:
    if isinstance(node.func, ast.Call) and _calls_a_method(module, node, node.func):
        yield module.hit("getattr-module", node)
    if rule := _of_unknown(module, node, called):
        yield module.hit(rule, node)
    if called is None:
        if asks_for_shell(module, node) and not module.is_test:
            yield module.hit("shell", node)
        return
    if called in dangers.FORKS:
        yield module.hit("fork-bomb" if _without_end(module, node) else "fork", node)
    elif (
        called in dangers.HARD_EXITS
        or called == "signal.raise_signal"
        or (called == "os.kill" and node.args and _is_own_pid(module, node.args[0]))
    ):
        yield module.hit("exit-in-tests" if module.is_test else "exit-hard", node)
    elif called in dangers.SIGNALLERS:
        yield module.hit("signal-others", node)
    elif called in dangers.EXITS:
        yield from _exits(module, node)
    elif _does_not_wait(called) and (
        (module.in_endless_loop(node) and not _waits_around(module, node)) or _starts_itself(module, node)
    ):
        yield module.hit("fork-bomb", node)
    elif called in ("pip.main", "pip._internal.main", "pip._internal.cli.main.main", "ensurepip.bootstrap"):
        yield module.hit("installs", node)
    elif called in dangers.SHELLS | dangers.STARTERS:
        yield module.hit(rule_of_start(module, node, called), node)
    elif called in dangers.PRIVILEGES:
        yield module.hit("privileges", node)
    elif asks_for_shell(module, node) and not module.is_test:
        yield module.hit("shell", node)


def _of_unknown(module: Module, node: ast.Call, called: str | None) -> str | None:
    """The rule for a method by a telling name of something unknown, in a module that has what has such methods."""
    if not isinstance(node.func, ast.Attribute) or (called and called.partition(".")[0] in sys.stdlib_module_names):
        return None
    for source, methods, rule in dangers.TELLING_METHODS:
        if node.func.attr in methods and source in module.names.imported:
            return rule
    return None


def _starts_itself(module: Module, node: ast.Call) -> bool:
    """Whether a thread or process runs the function that starts it, whatever happens."""
    around = next(
        (n for n in module.around(node) if not isinstance(n, ast.expr | ast.Expr | ast.keyword | ast.Assign)), None
    )
    target = next((k.value for k in node.keywords if k.arg == "target"), None)
    return isinstance(around, ast.FunctionDef) and isinstance(target, ast.Name) and target.id == around.name


def _calls_a_method(module: Module, node: ast.Call, made: ast.Call) -> bool:
    """`operator.methodcaller("system", ...)(os)`."""
    return (
        module.names.dotted(made.func) == "operator.methodcaller"
        and bool(node.args)
        and module.names.dotted(node.args[0]) in dangers.PROCESS_MODULES
    )


def _without_end(module: Module, node: ast.AST) -> bool:
    """In an endless loop, or in a function that calls itself."""
    if module.in_endless_loop(node):
        return True
    for around in module.around(node):
        if isinstance(around, ast.While) and not isinstance(around.test, ast.Compare):
            return True
        if isinstance(around, ast.FunctionDef):
            return any(
                isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == around.name
                for n in ast.walk(around)
            )
    return False


def _does_not_wait(called: str) -> bool:
    return called in (
        *("subprocess.Popen", "multiprocessing.Process", "threading.Thread", "os.popen", "os.posix_spawn"),
        "_thread.start_new_thread",
    ) or called.startswith("os.spawn")


def _waits_around(module: Module, node: ast.AST) -> bool:
    """Whether the loop around a node also calls what waits: for a connection, an item, a time, an end."""
    loop = next((n for n in module.around(node) if isinstance(n, ast.While | ast.For)), None)
    return bool(module.called_in(loop or node) & dangers.WAITING)


def _only_collects(loop: ast.While) -> bool:
    """Whether all that a loop calls is what writes or collects: nothing that waits, reads, or may end it."""
    makers = ("bytearray", "bytes", "list", "dict", "str", "range", "len", "object", "Path", "open", "int")
    collectors = ("write", "writelines", "append", "extend", "flush", "copy", "write_text", "write_bytes")
    functions = [n.func for n in ast.walk(loop) if isinstance(n, ast.Call)]
    leaves = any(isinstance(n, ast.Yield | ast.YieldFrom | ast.Await | ast.Raise) for n in ast.walk(loop))
    collects = [isinstance(f, ast.Attribute) and f.attr in collectors for f in functions]
    makes = [isinstance(f, ast.Name) and f.id in makers for f in functions]
    return any(collects) and not leaves and all(map(operator.or_, collects, makes))


def _is_own_pid(module: Module, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and module.names.dotted(node.func) in ("os.getpid", "os.getppid", "os.getpgrp")


def _exits(module: Module, node: ast.Call) -> Iterator[Hit]:
    """Ending the program is right in a main program, not while a module is imported and never in tests."""
    if module.runs_on_import(node):
        yield module.hit("exit-in-tests" if module.is_test else "exit-on-import", node)
    elif module.is_test and module.path.endswith("conftest.py"):
        yield module.hit("exit-in-tests", node)


def _handed_on(module: Module, node: ast.Name | ast.Attribute) -> Iterator[Hit]:
    """A dangerous function that is not called here but handed to somebody who may call it."""
    parent = module.parent(node)
    if (isinstance(parent, ast.Call) and parent.func is node) or (
        isinstance(parent, ast.Attribute) and parent.value is node
    ):
        return
    dotted = module.names.dotted(node)
    if dotted is None:
        return
    if dotted == "__import__" and isinstance(node, ast.Name):
        yield module.hit("import-dynamic", node)
    elif dotted in ("eval", "exec") and isinstance(node, ast.Name):
        yield module.hit("exec-dynamic", node)
    elif isinstance(parent, ast.ClassDef) and dotted in dangers.STARTERS:
        yield module.hit("process", node)
    elif dotted in dangers.SHELLS or dotted in dangers.FORKS or dotted.startswith(("os.exec", "os.spawn")):
        yield module.hit("shell" if dotted in dangers.SHELLS else "process", node)
    elif dotted in dangers.HARD_EXITS:
        yield module.hit("exit-in-tests" if module.is_test else "exit-hard", node)
    elif dotted in dangers.UNSAFE_LOADS and dotted.startswith(("pickle.", "marshal.", "dill.", "cloudpickle.")):
        yield module.hit("unsafe-load", node)

"""Checks on processes: what is started, forked, signalled or ended."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from treadle.plugins.scanning import dangers
from treadle.plugins.scanning.module import Hit, Module, is_endless


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
    if called is None:
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
    elif module.in_endless_loop(node) and _does_not_wait(called):
        yield module.hit("fork-bomb", node)
    elif called in ("pip.main", "pip._internal.main", "pip._internal.cli.main.main", "ensurepip.bootstrap"):
        yield module.hit("installs", node)
    elif called in dangers.SHELLS | dangers.STARTERS:
        yield module.hit(_start(module, node, called), node)


def _calls_a_method(module: Module, node: ast.Call, made: ast.Call) -> bool:
    """`operator.methodcaller("system", ...)(os)`."""
    return (
        module.names.dotted(made.func) == "operator.methodcaller"
        and bool(node.args)
        and module.names.dotted(node.args[0]) in dangers.PROCESS_MODULES
    )


def _start(module: Module, node: ast.Call, called: str) -> str:
    """The rule for a call that starts a program."""
    command = node.args[0] if node.args else None
    if command is None:
        command = next((k.value for k in node.keywords if k.arg in ("args", "cmd", "command")), None)
    argv = [module.names.text(e) for e in command.elts] if isinstance(command, ast.List | ast.Tuple) else []
    program = (argv[0] or "").rpartition("/")[2] if argv else ""
    through_shell = called in dangers.SHELLS or program in dangers.SHELL_PROGRAMS or _asks_for_shell(module, node)
    text = _command_text(module, command)
    if text is not None and dangers.DESTRUCTIVE.search(text):
        return "shell-destructive"
    if _has_socket(module) and (called == "pty.spawn" or (through_shell and _talks_through_socket(module))):
        return "remote-shell"
    if through_shell:
        return "shell"
    own_python = bool(argv) and module.names.dotted(_first(command)) == "sys.executable"
    if _installs(program, own_python, argv[1:]):
        return "installs"
    if program in dangers.REACHING_PROGRAMS or (program == "git" and set(argv[1:4]) & dangers.REACHING_GIT):
        return "process"
    if isinstance(command, ast.List | ast.Tuple) and command.elts:
        code_from_data = "-c" in argv[1:3] and argv[-1] is None
        return "process-fixed" if (argv[0] is not None or own_python) and not code_from_data else "process"
    return "process-fixed" if module.names.text(command) is not None else "process"


def _asks_for_shell(module: Module, node: ast.Call) -> bool:
    options = [(k.arg, k.value) for k in node.keywords]
    for name, value in tuple(options):
        if name is None:
            tables = module.assigned(value.id) if isinstance(value, ast.Name) else [value]
            for table in tables:
                if isinstance(table, ast.Dict):
                    options += [
                        (module.names.text(key), entry) for key, entry in zip(table.keys, table.values, strict=True)
                    ]
    return any(name == "shell" and not (isinstance(v, ast.Constant) and not v.value) for name, v in options)


def _installs(program: str, own_python: bool, arguments: list[str | None]) -> bool:
    """Whether an installer of packages is started, by its name or as `python -m pip`, to bring something."""
    named = [argument for argument in arguments if argument and not argument.startswith("-")]
    if own_python or program.startswith("python"):
        program, named = (named[0], named[1:]) if named else ("", [])
    return program in dangers.INSTALLERS and bool({"install", "add", "sync", "download", "i", "ci"} & set(named[:3]))


def _first(command: ast.AST | None) -> ast.AST:
    return command.elts[0] if isinstance(command, ast.List | ast.Tuple) else ast.Constant(None)


def _command_text(module: Module, command: ast.AST | None) -> str | None:
    if isinstance(command, ast.List | ast.Tuple):
        return " ".join(module.names.text(e) or "?" for e in command.elts)
    if isinstance(command, ast.JoinedStr):
        return "".join(
            module.names.text(v.value if isinstance(v, ast.FormattedValue) else v) or "?" for v in command.values
        )
    return module.names.text(command)


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
    return called in ("subprocess.Popen", "multiprocessing.Process", "os.popen", "os.posix_spawn") or called.startswith(
        "os.spawn"
    )


def _only_collects(loop: ast.While) -> bool:
    """Whether all that a loop calls is what writes or collects: nothing that waits, reads, or may end it."""
    collectors = ("write", "writelines", "append", "extend", "flush")
    calls = [
        n.func.attr if isinstance(n.func, ast.Attribute) else "" for n in ast.walk(loop) if isinstance(n, ast.Call)
    ]
    leaves = any(isinstance(n, ast.Yield | ast.YieldFrom | ast.Await | ast.Raise) for n in ast.walk(loop))
    return bool(calls) and not leaves and all(call in collectors for call in calls)


def _is_own_pid(module: Module, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and module.names.dotted(node.func) in ("os.getpid", "os.getppid", "os.getpgrp")


def _has_socket(module: Module) -> bool:
    return bool(module.called & {"socket.socket", "socket.create_connection"})


def _talks_through_socket(module: Module) -> bool:
    """Whether descriptors are duplicated, or something is received: a shell's input then comes from the network."""
    return "os.dup2" in module.called or any(name.endswith((".recv", ".makefile")) for name in module.called)


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
    if dotted in ("eval", "exec") and isinstance(node, ast.Name):
        yield module.hit("exec-dynamic", node)
    elif dotted in dangers.SHELLS or dotted in dangers.FORKS or dotted.startswith(("os.exec", "os.spawn")):
        yield module.hit("shell" if dotted in dangers.SHELLS else "process", node)
    elif dotted in dangers.HARD_EXITS:
        yield module.hit("exit-in-tests" if module.is_test else "exit-hard", node)
    elif dotted in dangers.UNSAFE_LOADS and dotted.startswith(("pickle.", "marshal.")) and isinstance(parent, ast.Call):
        yield module.hit("unsafe-load", node)

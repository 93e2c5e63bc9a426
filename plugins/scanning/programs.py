"""Which rule holds for a call that starts a program: what is started, with what, and whether a shell is."""

from __future__ import annotations

import ast

from treadle.plugins.scanning import dangers
from treadle.plugins.scanning.module import Module


def rule_of_start(module: Module, node: ast.Call, called: str) -> str:
    """The rule for a call that starts a program."""
    command = _command(node, called)
    argv = [module.names.text(e) for e in command.elts] if isinstance(command, ast.List | ast.Tuple) else []
    own_python = bool(argv) and module.names.dotted(_first(command)) == "sys.executable"
    through_shell = called in dangers.SHELLS or asks_for_shell(module, node)
    text = _text(module, command)
    if text is not None and dangers.DESTRUCTIVE.search(text):
        return "shell-destructive"
    words: list[str | None] = list(text.split()) if text and not argv else [*argv]
    program, arguments = _without_wrappers(words)
    is_python = own_python or program.startswith("python")
    runs_text = bool(program in dangers.TEXT_PROGRAMS and {"-c", "-e", "-r", "-E"} & set(arguments))
    through_shell = through_shell or program in dangers.SHELL_PROGRAMS or runs_text
    if _has_socket(module) and (called == "pty.spawn" or (through_shell and _talks_through_socket(module))):
        return "remote-shell"
    if through_shell:
        return "shell"
    if _installs(program, is_python, arguments):
        return "installs"
    if deletes := _deletes(program, arguments):
        return deletes
    if _reaches(program, arguments):
        return "process-reaching"
    if isinstance(command, ast.List | ast.Tuple) and command.elts:
        code_from_data = "-c" in argv[1:3] and argv[-1] is None
        return "process-fixed" if (argv[0] is not None or own_python) and not code_from_data else "process"
    return "process-fixed" if text is not None and "?" not in text[:1] else "process"


def python_text(module: Module, node: ast.Call) -> str | None:
    """The fixed text that a call has another Python run (`[sys.executable, "-c", ...]`), None when it does not."""
    command = _command(node, module.names.dotted(node.func) or "")
    if not isinstance(command, ast.List | ast.Tuple) or len(command.elts) < 3:
        return None
    argv = [module.names.text(e) for e in command.elts]
    is_python = module.names.dotted(command.elts[0]) == "sys.executable" or "python" in (argv[0] or "")
    at = argv.index("-c") + 1 if is_python and "-c" in argv else len(argv)
    return argv[at] if at < len(argv) else None


def asks_for_shell(module: Module, node: ast.Call) -> bool:
    """Whether a call has `shell=True`, or anything but a false value, also by `**options`."""
    options = [(k.arg, k.value) for k in node.keywords]
    for name, value in tuple(options):
        if name is None:
            tables = module.assigned(value.id) if isinstance(value, ast.Name) else [value]
            for table in tables:
                if isinstance(table, ast.Dict):
                    pairs = zip(table.keys, table.values, strict=True)
                    options += [(module.names.text(key), entry) for key, entry in pairs]
    known = (module.names.dotted(node.func) or "").startswith("subprocess.")
    return any(
        name == "shell" and (not (isinstance(v, ast.Constant) and not v.value) if known else _is_true(v))
        for name, v in options
    )


def _is_true(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is True


def _command(node: ast.Call, called: str) -> ast.expr | None:
    """What is started, as one expression: some take the program and its arguments one by one."""
    one_by_one = called == "asyncio.create_subprocess_exec" or called.startswith(("os.execl", "os.spawnl"))
    if one_by_one and node.args:
        # Of those of os the mode, the path and the name come before the arguments.
        first = 1 if called.startswith("os.spawnl") else 0
        return ast.List(elts=node.args[first:], ctx=ast.Load())
    if node.args:
        return node.args[0]
    return next((k.value for k in node.keywords if k.arg in ("args", "cmd", "command")), None)


def _first(command: ast.AST | None) -> ast.AST:
    return command.elts[0] if isinstance(command, ast.List | ast.Tuple) and command.elts else ast.Constant(None)


def _text(module: Module, command: ast.AST | None) -> str | None:
    if isinstance(command, ast.List | ast.Tuple):
        return " ".join(module.names.text(e) or "?" for e in command.elts)
    if isinstance(command, ast.JoinedStr):
        return "".join(
            module.names.text(v.value if isinstance(v, ast.FormattedValue) else v) or "?" for v in command.values
        )
    return module.names.text(command)


def _without_wrappers(words: list[str | None]) -> tuple[str, list[str | None]]:
    """The program that is meant, without what only starts it (`env A=1 nice -n 5 rm`), and its arguments."""
    names = [word.rpartition("/")[2] if word else "" for word in words]
    for at, name in enumerate(names):
        is_option = name.startswith("-") or "=" in name or name.isdigit()
        if name not in dangers.WRAPPERS and not (at and is_option):
            return name, words[at + 1 :]
    return "", []


def _installs(program: str, is_python: bool, arguments: list[str | None]) -> bool:
    """Whether an installer of packages is started, by its name or as `python -m pip`, to bring something."""
    named = [argument for argument in arguments if argument and not argument.startswith("-")]
    if is_python:
        program, named = (named[0], named[1:]) if named else ("", [])
    return program in dangers.INSTALLERS and bool({"install", "add", "sync", "download", "i", "ci"} & set(named[:3]))


def _deletes(program: str, arguments: list[str | None]) -> str | None:
    """The rule for a program that deletes or changes files, None when it does not, or keeps to the project."""
    if program not in dangers.CHANGING_PROGRAMS and not (program == "find" and {"-delete", "-exec"} & set(arguments)):
        return None
    places = [a for a in arguments if a is None or not a.startswith("-")]
    if program in ("rm", "shred", "find") and any(a and dangers.ROOTS.match(a) and a != "." for a in places):
        return "shell-destructive"
    outside = [a for a in places if a and a.startswith(("/", "~", "..")) and not dangers.SAFE_OUTSIDE.match(a)]
    if outside or (program in ("rm", "shred") and (not places or None in places)):
        return "process-reaching"
    return None


def _reaches(program: str, arguments: list[str | None]) -> bool:
    if program == "git":
        return bool(set(arguments) & (dangers.REACHING_GIT | {"--global", "--system"}))
    return program in dangers.REACHING_PROGRAMS


def _has_socket(module: Module) -> bool:
    return bool(module.called & {"socket.socket", "socket.create_connection"})


def _talks_through_socket(module: Module) -> bool:
    """Whether descriptors are duplicated, or something is received: a shell's input then comes from the network."""
    return "os.dup2" in module.called or any(name.endswith((".recv", ".makefile")) for name in module.called)

"""Checks on the network, and on secrets: private files, credentials, the whole environment."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from treadle.plugins.scanning import dangers
from treadle.plugins.scanning.files import path_argument
from treadle.plugins.scanning.module import Hit, Module


def check(module: Module) -> Iterator[Hit]:
    """All findings of this file's subject."""
    tainted = _tainted_names(module)
    for node in module.nodes:
        if isinstance(node, ast.Call):
            called = module.names.dotted(node.func)
            yield from _network(module, node, called, tainted)
            yield from _secrets(module, node, called)


def is_network(called: str) -> bool:
    """Whether a function reaches out to the network."""
    return called in dangers.NETWORK or called.startswith(("httpx.", "requests.sessions.", "xmlrpc.server."))


def _tainted_names(module: Module) -> frozenset[str]:
    """The names that anywhere hold the whole environment or the content of a private file."""
    tainted: set[str] = set()
    for _ in range(2):
        for node in module.nodes:
            value, targets = _binding(node)
            if targets and value is not None and _is_sensitive(module, value, frozenset(tainted)):
                tainted.update(targets)
    return frozenset(tainted)


def _binding(node: ast.AST) -> tuple[ast.expr | None, list[str]]:
    """What a node binds, and the names that it binds it to."""
    if isinstance(node, ast.Assign):
        return node.value, [target.id for target in node.targets if isinstance(target, ast.Name)]
    if isinstance(node, ast.withitem) and isinstance(node.optional_vars, ast.Name):
        return node.context_expr, [node.optional_vars.id]
    return None, []


def _is_sensitive(module: Module, node: ast.AST, tainted: frozenset[str]) -> bool:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and inner.id in tainted:
            return True
        if (
            isinstance(inner, ast.Attribute | ast.Name)
            and module.names.dotted(inner) == "os.environ"
            and _is_whole(module, inner)
        ):
            return True
        if isinstance(inner, ast.Call) and _reads(module, inner):
            path = path_argument(module, inner)
            if path and (dangers.PRIVATE.search(path) or dangers.CREDENTIALS.search(path)):
                return True
    return False


def _is_whole(module: Module, environ: ast.AST) -> bool:
    """Whether all of `os.environ` is meant, not one variable of it, nor the environment of a child."""
    parent = module.parent(environ)
    if isinstance(parent, ast.Subscript) and parent.value is environ:
        return False
    if isinstance(parent, ast.Compare):
        return False
    if isinstance(parent, ast.Attribute):
        return parent.attr in ("items", "values", "__dict__")
    return True


def _network(module: Module, node: ast.Call, called: str | None, tainted: frozenset[str]) -> Iterator[Hit]:
    sends = isinstance(node.func, ast.Attribute) and node.func.attr in dangers.NETWORK_SENDERS
    reaches = (called is not None and (is_network(called) or _reads_from_afar(module, node, called))) or (
        isinstance(node.func, ast.Attribute) and node.func.attr in dangers.NETWORK_METHODS
    )
    if reaches or (sends and tainted):
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        if any(_is_sensitive(module, argument, tainted) for argument in arguments):
            yield module.hit("exfiltration", node)
        elif reaches:
            yield module.hit("network", node)
    elif sends and any(_is_sensitive(module, argument, tainted) for argument in node.args):
        yield module.hit("exfiltration", node)


def _reads_from_afar(module: Module, node: ast.Call, called: str) -> bool:
    """`pandas.read_csv("https://...")`."""
    return called.startswith("pandas.read_") and bool(
        dangers.URL.match(module.names.text(next(iter(node.args), None)) or "")
    )


def _secrets(module: Module, node: ast.Call, called: str | None) -> Iterator[Hit]:
    shows = called in (
        "print",
        "pprint.pprint",
        "repr",
        "json.dumps",
        "json.dump",
        "pickle.dumps",
        "pickle.dump",
        "logging.info",
        "logging.debug",
        "str",
    )
    writes = isinstance(node.func, ast.Attribute) and node.func.attr in (
        "write",
        "writelines",
        "info",
        "debug",
        "write_text",
    )
    if shows or writes:
        for argument in node.args:
            for inner in ast.walk(argument):
                if (
                    isinstance(inner, ast.Attribute | ast.Name)
                    and module.names.dotted(inner) == "os.environ"
                    and _is_whole(module, inner)
                ):
                    yield module.hit("environment-dump", node)
                    return
    if called in ("dotenv.load_dotenv", "dotenv.dotenv_values"):
        return
    if called in dangers.CREDENTIAL_CALLS:
        yield module.hit("credentials", node)
    if _reads(module, node) and (path := path_argument(module, node)):
        if dangers.PRIVATE.search(path):
            yield module.hit("secrets-read", node)
        elif dangers.CREDENTIALS.search(path):
            yield module.hit("credentials", node)
    elif _names_private(module, node, called or ""):
        yield module.hit("credentials", node)


def _names_private(module: Module, node: ast.Call, called: str) -> bool:
    """Whether a call is given the path of private keys, and does more than look whether it is there, or show it."""
    method = node.func.attr if isinstance(node.func, ast.Attribute) else called
    if called.startswith(("os.path.", "pathlib.")) or method in dangers.LOOKING_METHODS:
        return False
    places = [place for argument in node.args if (place := module.place(argument))]
    return any(dangers.PRIVATE.search(place) for place in places if " " not in place)


def _reads(module: Module, node: ast.Call) -> bool:
    called = module.names.dotted(node.func)
    if called in (
        "open",
        "os.open",
        "os.listdir",
        "os.walk",
        "os.scandir",
        "glob.glob",
        "shutil.copy",
        "shutil.copyfile",
        "shutil.copytree",
        "tarfile.open",
    ):
        return True
    return isinstance(node.func, ast.Attribute) and node.func.attr in dangers.PATH_READS

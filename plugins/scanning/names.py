"""What names and texts in a module stand for: import aliases, attribute chains, texts put together from constants.

Everything is bounded in depth and size and flow-insensitive: a name that anywhere in the file stands for a module is
taken for it everywhere. It errs on the side of finding.
"""

from __future__ import annotations

import ast
import base64
import binascii
import builtins
import codecs
import posixpath
import sys
from collections import Counter

from treadle.plugins.scanning.bindings import bindings, own_names, passed, returned

_DEPTH = 40
_TEXT = 20_000
_NAME = 300

_SAME = {
    "io.open": "open",
    "codecs.open": "open",
    "posix": "os",
    "nt": "os",
    "_pickle": "pickle",
    "cPickle": "pickle",
    "_socket": "socket",
    "_os": "os",
    "_sys": "sys",
    "os.environb": "os.environ",
    "importlib.__import__": "__import__",
}
_NAMESPACES = frozenset({"globals", "locals", "vars"})
_DECODERS = frozenset(
    {"base64.b64decode", "base64.standard_b64decode", "base64.urlsafe_b64decode", "base64.decodebytes"}
)


class Names:
    """The names of one module, of which `nodes` are all."""

    def __init__(self, tree: ast.Module, nodes: list[ast.AST]) -> None:
        self._aliases, self._stars, assigned, may_be = bindings(nodes)
        self._inner = own_names(tree)
        self._passed = passed(tree, nodes)
        self._returned = returned(tree)
        self._texts: dict[str, str] = {}
        # Looking up is recursive along several paths; without these a chain of calls would take exponential time.
        self._dotted_seen: dict[ast.AST, str | None] = {}
        self._text_seen: dict[ast.AST, str | None] = {}
        self._own = {
            node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        }
        for node in nodes:
            if isinstance(node, ast.Delete):
                self._own -= {target.id for target in node.targets if isinstance(target, ast.Name)}
        # An alias may be made from one that is made further down; three rounds follow chains of three.
        for _ in range(3):
            for name, value in (*assigned, *may_be):
                dotted = self.dotted(value)
                if dotted and dotted != name:
                    self._aliases.setdefault(name, dotted)
            self._forget()
        times = Counter(name for name, _ in assigned)
        for _ in range(2):
            for name, value in assigned:
                if times[name] == 1 and name not in self._aliases and (text := self.text(value)) is not None:
                    self._texts[name] = text
            self._forget()

    def given(self, name: ast.Name) -> list[ast.expr]:
        """What a parameter is given by the calls in the module, at most twenty of them."""
        return self._passed.get((self._inner.get(name, ""), name.id), [])[:20]

    @property
    def imported(self) -> frozenset[str]:
        """The modules, or what is of them, that the module has a name for."""
        return frozenset(self._aliases.values())

    def _forget(self) -> None:
        self._dotted_seen.clear()
        self._text_seen.clear()

    def dotted(self, node: ast.AST, depth: int = 0) -> str | None:
        """The full name that an expression stands for (`os.system`), None when it is no name. Builtins are plain."""
        if node not in self._dotted_seen:
            self._dotted_seen[node] = None
            found = self._dotted(node, depth)
            self._dotted_seen[node] = _plain(found)[:_NAME] if found else None
        return self._dotted_seen[node]

    def _dotted(self, node: ast.AST, depth: int) -> str | None:
        if depth > _DEPTH:
            return None
        if isinstance(node, ast.Name):
            if node.id in self._aliases:
                return self._aliases[node.id]
            if node.id in self._own:
                return None
            if node in self._inner:
                # Still a name by which its methods are told (`connection.recv`), of no module and no builtin.
                return f"<{node.id}>"
            for module in self._stars:
                if module in ("os", "subprocess", "socket", "pty", "shutil", "pickle", "ctypes", "sys"):
                    return f"{module}.{node.id}" if node.id not in _BUILTINS else node.id
            return node.id
        if isinstance(node, ast.Attribute):
            base = self.dotted(node.value, depth + 1)
            if node.attr == "__self__" and base in _BUILTINS:
                return "__builtins__"
            return f"{base}.{node.attr}" if base else None
        if isinstance(node, ast.NamedExpr | ast.Await | ast.Starred):
            return self.dotted(node.value, depth + 1)
        if isinstance(node, ast.IfExp):
            return self.dotted(node.body, depth + 1) or self.dotted(node.orelse, depth + 1)
        if isinstance(node, ast.BoolOp):
            return next((found for each in node.values if (found := self.dotted(each, depth + 1))), None)
        if isinstance(node, ast.Call):
            return self._looked_up_by_call(node, depth)
        if isinstance(node, ast.Subscript):
            return self._looked_up_by_key(node, depth)
        return None

    def _looked_up_by_call(self, node: ast.Call, depth: int) -> str | None:
        called = self.dotted(node.func, depth + 1)
        if called in ("__import__", "importlib.import_module") and node.args:
            return self.text(node.args[0], depth + 1)
        if called == "getattr" and len(node.args) >= 2:
            base, name = self.dotted(node.args[0], depth + 1), self.text(node.args[1], depth + 1)
            return f"{base}.{name}" if base and name else None
        if called == "vars" and len(node.args) == 1:
            base = self.dotted(node.args[0], depth + 1)
            return f"{base}.__dict__" if base else None
        if isinstance(node.func, ast.Call) and node.args:
            inner = node.func
            if self.dotted(inner.func, depth + 1) == "operator.attrgetter" and inner.args:
                base, name = self.dotted(node.args[0], depth + 1), self.text(inner.args[0], depth + 1)
                return f"{base}.{name}" if base and name else None
        if isinstance(node.func, ast.Name) and node.func.id in self._returned:
            return self.dotted(self._returned[node.func.id], depth + 1)
        if isinstance(node.func, ast.Lambda) and not node.args:
            return self.dotted(node.func.body, depth + 1)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "load_module" and node.args:
            return self.text(node.args[0], depth + 1)
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("get", "__getitem__", "pop") and node.args:
            return self._entry(node.func.value, node.args[0], depth)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "__getattribute__" and node.args:
            # Called on a class it is given the object first: `object.__getattribute__(os, "system")`.
            of = node.func.value if len(node.args) == 1 else node.args[0]
            base, name = self.dotted(of, depth + 1), self.text(node.args[-1], depth + 1)
            return f"{base}.{name}" if base and name else None
        return None

    def _looked_up_by_key(self, node: ast.Subscript, depth: int) -> str | None:
        if isinstance(node.value, ast.Tuple | ast.List | ast.Dict):
            elements = node.value.values if isinstance(node.value, ast.Dict) else node.value.elts
            return next((found for each in elements[:10] if (found := self.dotted(each, depth + 1))), None)
        return self._entry(node.value, node.slice, depth)

    def _entry(self, space: ast.AST, key: ast.AST, depth: int) -> str | None:
        """What `globals()["x"]`, `vars(os)["x"]`, `os.__dict__["x"]`, `sys.modules["x"]` stand for."""
        name = self.text(key, depth + 1)
        if name is None:
            return None
        if isinstance(space, ast.Call):
            called = self.dotted(space.func, depth + 1)
            if called in _NAMESPACES and not space.args:
                return self._aliases.get(name, name)
        base = self.dotted(space, depth + 1)
        if base == "sys.modules":
            return name
        if base == "__builtins__":
            return name
        if base and base.endswith(".__dict__"):
            return f"{base.removesuffix('.__dict__')}.{name}"
        return None

    def text(self, node: ast.AST | None, depth: int = 0) -> str | None:
        """The text that an expression has at run time, None when it can't be told. `~` stands for the home folder."""
        if node is None or depth > _DEPTH:
            return None
        if node not in self._text_seen:
            self._text_seen[node] = None
            found = self._text(node, depth)
            self._text_seen[node] = found[:_TEXT] if found is not None else None
        return self._text_seen[node]

    def _text(self, node: ast.AST, depth: int) -> str | None:
        if isinstance(node, ast.Constant):
            if isinstance(node.value, bytes):
                return node.value.decode("latin-1")
            return node.value if isinstance(node.value, str) else None
        if isinstance(node, ast.Name):
            return self._texts.get(node.id) if node not in self._inner else None
        if isinstance(node, ast.Attribute):
            return "~" if node.attr == "pw_dir" else _TEXTS.get(self.dotted(node, depth + 1) or "")
        if isinstance(node, ast.BinOp):
            return self._joined(node, depth)
        if isinstance(node, ast.JoinedStr):
            parts = [self.text(v.value if isinstance(v, ast.FormattedValue) else v, depth + 1) for v in node.values]
            return _join("", [p for p in parts if p is not None]) if None not in parts else None
        if isinstance(node, ast.Subscript):
            return self._sliced(node, depth)
        if isinstance(node, ast.Call):
            return self._called(node, depth)
        return None

    def _joined(self, node: ast.BinOp, depth: int) -> str | None:
        left = self.text(node.left, depth + 1)
        if isinstance(node.op, ast.Mult) and isinstance(node.right, ast.Constant) and isinstance(node.right.value, int):
            return left * min(node.right.value, 100) if left is not None else None
        right = self.text(node.right, depth + 1)
        if left is None or right is None:
            return None
        if isinstance(node.op, ast.Add):
            return left + right
        if isinstance(node.op, ast.Div):
            return posixpath.join(left, right)
        if isinstance(node.op, ast.Mod):
            return _replace(left, "%s", right)
        return None

    def _sliced(self, node: ast.Subscript, depth: int) -> str | None:
        if self.dotted(node.value, depth + 1) == "os.environ" and self.text(node.slice, depth + 1) in (
            "HOME",
            "USERPROFILE",
        ):
            return "~"
        text = self.text(node.value, depth + 1)
        if text is None or not isinstance(node.slice, ast.Slice):
            return None
        bounds = [_integer(bound) for bound in (node.slice.lower, node.slice.upper, node.slice.step)]
        return text[slice(*bounds)] if bounds[2] != 0 else None

    def _called(self, node: ast.Call, depth: int) -> str | None:
        called = self.dotted(node.func, depth + 1)
        first = node.args[0] if node.args else None
        if called == "chr" and isinstance(first, ast.Constant) and isinstance(first.value, int):
            return chr(first.value) if 0 <= first.value < 0x110000 else None
        if called in ("pathlib.Path.home", "Path.home"):
            return "~"
        if called in ("os.getenv", "os.environ.get") and self.text(first, depth + 1) in ("HOME", "USERPROFILE"):
            return "~"
        if called in ("os.getcwd", "pathlib.Path.cwd"):
            return "."
        if called == "tempfile.gettempdir":
            return "/tmp"
        if called in (
            "str",
            "os.path.expanduser",
            "os.path.abspath",
            "os.path.realpath",
            "os.fspath",
            "os.path.expandvars",
            "os.fsencode",
        ):
            return self.text(first, depth + 1)
        if called in ("os.path.join", "pathlib.Path", "pathlib.PurePath", "pathlib.PosixPath"):
            parts = [self.text(arg, depth + 1) for arg in node.args]
            known = [part for part in parts if part is not None]
            return posixpath.join(*known) if known and len(known) == len(parts) else None
        if called in _DECODERS or called in (
            "bytes.fromhex",
            "binascii.unhexlify",
            "codecs.decode",
            "binascii.a2b_base64",
        ):
            return self._decoded(called or "", node, depth)
        if called in ("bytes", "bytearray") and isinstance(first, ast.List | ast.Tuple):
            characters = _characters(first)
            return "".join(characters) if characters and max(characters) <= "\xff" else None
        if isinstance(node.func, ast.Attribute):
            return self._method(node, node.func, depth)
        return None

    def _decoded(self, called: str, node: ast.Call, depth: int) -> str | None:
        text = self.text(node.args[0], depth + 1) if node.args else None
        if text is None:
            return None
        try:
            if called in _DECODERS or called.endswith("a2b_base64"):
                return base64.b64decode(text.encode("latin-1"), altchars=b"-_" if "urlsafe" in called else None).decode(
                    "latin-1"
                )
            if called == "codecs.decode":
                kind = self.text(node.args[1], depth + 1) if len(node.args) > 1 else None
                return codecs.decode(text, "rot13") if kind in ("rot13", "rot_13") else None
            return bytes.fromhex(text).decode("latin-1")
        except (ValueError, UnicodeError, binascii.Error):
            return None

    def _method(self, node: ast.Call, function: ast.Attribute, depth: int) -> str | None:
        if function.attr == "join" and node.args:
            between = self.text(function.value, depth + 1)
            parts = self._elements(node.args[0], depth)
            return _join(between, parts) if between is not None and parts is not None else None
        text = self.text(function.value, depth + 1)
        if text is None:
            return None
        if function.attr in ("decode", "encode", "expanduser", "resolve", "absolute", "as_posix", "format", "strip"):
            return text if not (function.attr == "format" and node.args) else None
        if function.attr in ("lower", "upper", "casefold", "title", "swapcase"):
            return str(getattr(text, function.attr)())
        if function.attr == "replace" and len(node.args) >= 2:
            old, new = self.text(node.args[0], depth + 1), self.text(node.args[1], depth + 1)
            return _replace(text, old, new) if old and new is not None else None
        if function.attr == "joinpath":
            below = [self.text(arg, depth + 1) for arg in node.args]
            return posixpath.join(text, *(part for part in below if part is not None))
        return None

    def _elements(self, node: ast.AST, depth: int) -> list[str] | None:
        """The texts of a list, also of `map(chr, [..])`, `(chr(c) for c in [..])` and `reversed("..")`."""
        if isinstance(node, ast.List | ast.Tuple):
            texts = [self.text(element, depth + 1) for element in node.elts[:5000]]
            told = [text for text in texts if text is not None]
            return told if len(told) == len(texts) else None
        if isinstance(node, ast.Call):
            called = self.dotted(node.func, depth + 1)
            if called == "reversed" and node.args and (text := self.text(node.args[0], depth + 1)) is not None:
                return list(reversed(text))
            if called == "map" and len(node.args) == 2 and self.dotted(node.args[0], depth + 1) == "chr":
                return _characters(node.args[1])
        if isinstance(node, ast.GeneratorExp | ast.ListComp) and isinstance(node.elt, ast.Call):
            over_names = (
                len(node.generators) == 1 and len(node.elt.args) == 1 and isinstance(node.elt.args[0], ast.Name)
            )
            if over_names and self.dotted(node.elt.func, depth + 1) == "chr":
                return _characters(node.generators[0].iter)
        return None


_BUILTINS = frozenset(dir(builtins))
_TEXTS = {"os.sep": "/", "os.path.sep": "/", "os.pardir": "..", "os.curdir": ".", "os.devnull": "/dev/null"}
_LENT = frozenset(
    {"os", "sys", "subprocess", "builtins", "socket", "shutil", "importlib", "pickle", "ctypes", "_os", "_sys"}
)
_LENDERS = sys.stdlib_module_names - {"asyncio", "multiprocessing", "concurrent", "test"}


def _plain(dotted: str) -> str:
    for prefix in ("builtins.", "__builtins__.", "__builtin__."):
        if dotted.startswith(prefix) and not dotted.startswith(f"{prefix}__dict__"):
            dotted = dotted.removeprefix(prefix)
    head, dot, rest = dotted.partition(".")
    if rest and head in _LENDERS:
        # `shutil.os.system`: what a module has imported for itself.
        parts = rest.split(".")
        lent = next((at for at, part in enumerate(parts) if part in _LENT and part != head), None)
        if lent is not None:
            return _plain(".".join(parts[lent:]))
    dotted = _SAME.get(head, head) + dot + rest
    return _SAME.get(dotted, dotted)


def _join(between: str, parts: list[str]) -> str:
    """The joined text, not much longer than what is kept of it."""
    taken: list[str] = []
    length = 0
    for part in parts:
        taken.append(part)
        length += len(part) + len(between)
        if length > _TEXT:
            break
    return between.join(taken)


def _replace(text: str, old: str, new: str) -> str:
    """The text with replacements, as many as fit into what is kept of it."""
    return text.replace(old, new, _TEXT // max(len(new), 1) + 1)


def _integer(node: ast.AST | None) -> int | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _integer(node.operand)
        return -value if value is not None else None
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, int) else None


def _characters(node: ast.AST) -> list[str] | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, bytes):
        return [chr(byte) for byte in node.value[:5000]]
    if not isinstance(node, ast.List | ast.Tuple):
        return None
    numbers = [_integer(element) for element in node.elts[:5000]]
    characters = [chr(n) for n in numbers if n is not None and 0 <= n < 0x110000]
    return characters if len(characters) == len(numbers) else None

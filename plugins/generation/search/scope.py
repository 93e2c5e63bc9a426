"""What a place in a file can name: variables, functions, attributes, and the expressions that the file already uses.

Everything is listed in the order of the file, each once, so that whoever goes through it does so the same way each
time.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from treadle.plugins.generation.search.source import FUNCTIONS, FunctionNode, SourceFile

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_NESTED_SCOPES = (*FUNCTIONS, ast.Lambda, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LONGEST_EXPRESSION = 60
_LONGEST_STATEMENT = 120


@dataclass(frozen=True)
class FunctionScope:
    """The names that a function binds: `bound` maps each to the line where it first gets a value."""

    bound: dict[str, int]
    parameters: tuple[str, ...]
    conditions: tuple[str, ...]
    expressions: tuple[str, ...]
    statements: tuple[str, ...]


@dataclass(frozen=True)
class Vocabulary:
    """What a whole file offers. `members` maps a class to its attributes and methods, `fields` to what its objects are
    made from: the parameters of `__init__`, or the fields of a dataclass. `methods` names the members that are called:
    functions that are no properties. `functions` maps a module-level function to its least and greatest number of
    positional arguments. `guards` are the conditions of ifs that hold one statement which leaves the block, with that
    statement. `bound` holds every name that anything in the file binds, and `*` where it imports what a module has; ask
    only whether a name is in it."""

    bound: frozenset[str]
    values: tuple[str, ...]
    functions: dict[str, tuple[int, int]]
    classes: tuple[str, ...]
    imported: tuple[str, ...]
    members: dict[str, tuple[str, ...]]
    fields: dict[str, tuple[str, ...]]
    methods: tuple[str, ...]
    attributes: tuple[str, ...]
    strings: tuple[str, ...]
    numbers: tuple[int | float, ...]
    conditions: tuple[str, ...]
    expressions: tuple[str, ...]
    statements: tuple[str, ...]
    guards: tuple[tuple[str, str], ...]


def unique(items: Iterable[str]) -> tuple[str, ...]:
    """The items, each once, in the order of their first appearance."""
    return tuple(dict.fromkeys(items))


def own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function or module in the order of the text, without those of scopes nested in it (comprehensions
    are gone into)."""
    for child in ast.iter_child_nodes(scope):
        yield child
        if not isinstance(child, _NESTED_SCOPES):
            yield from own_nodes(child)


def vocabulary_of(file: SourceFile) -> Vocabulary:
    """What the file offers to a repair."""
    values: list[str] = []
    functions: dict[str, tuple[int, int]] = {}
    classes: list[str] = []
    imported: list[str] = []
    members: dict[str, tuple[str, ...]] = {}
    fields: dict[str, tuple[str, ...]] = {}
    methods: list[str] = []
    for node in own_nodes(file.tree):
        if isinstance(node, FUNCTIONS):
            functions[node.name] = arity(node)
        elif isinstance(node, ast.ClassDef):
            classes.append(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            imported += [(a.asname or a.name).partition(".")[0] for a in node.names if a.name != "*"]
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            values.append(node.id)
    attributes: list[str] = []
    strings: list[str] = []
    numbers: list[int | float] = []
    for node in ast.walk(file.tree):
        if isinstance(node, ast.ClassDef):
            members[node.name] = _members(node)
            fields[node.name] = _fields(node)
            methods += [m.name for m in node.body if isinstance(m, FUNCTIONS) and not _is_property(m)]
        elif isinstance(node, ast.Attribute):
            attributes.append(node.attr)
        elif isinstance(node, ast.Constant) and not _is_docstring(file, node):
            if isinstance(node.value, str):
                strings.append(node.value)
            elif isinstance(node.value, int | float) and not isinstance(node.value, bool):
                numbers.append(node.value)
    conditions, expressions, statements = _phrases(file, ast.walk(file.tree))
    return Vocabulary(
        bound=_bound(file.tree),
        values=unique(values),
        functions=functions,
        classes=unique(classes),
        imported=unique(imported),
        members=members,
        fields=fields,
        methods=unique(methods),
        attributes=unique(attributes),
        strings=unique(s for s in strings if len(s) <= 40),
        numbers=tuple({(type(n).__name__, n): n for n in numbers}.values()),
        conditions=conditions,
        expressions=expressions,
        statements=statements,
        guards=_guards(file),
    )


def function_scope(file: SourceFile, function: FunctionNode) -> FunctionScope:
    """The names that the function binds (its own and not those of functions in it), and what it says."""
    arguments = function.args
    everything = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    everything += [a for a in (arguments.vararg, arguments.kwarg) if a is not None]
    parameters = unique(a.arg for a in everything)
    bound = dict.fromkeys(parameters, function.lineno)
    inside = set()
    for node in own_nodes(function):
        if isinstance(node, _COMPREHENSIONS):
            inside |= {n for g in node.generators for n in ast.walk(g.target)}
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node not in inside:
            bound.setdefault(node.id, node.lineno)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ExceptHandler) and node.name:
            bound.setdefault(node.name, node.lineno)
    conditions, expressions, statements = _phrases(file, own_nodes(function))
    return FunctionScope(bound, parameters, conditions, expressions, statements)


def arity(function: FunctionNode) -> tuple[int, int]:
    """The least and the greatest number of positional arguments (99 for `*args`)."""
    positional = len(function.args.posonlyargs) + len(function.args.args)
    return positional - len(function.args.defaults), 99 if function.args.vararg else positional


def in_loop(file: SourceFile, node: ast.AST) -> bool:
    """Whether the node lies in a loop of its own function."""
    for ancestor in file.ancestors(node):
        if isinstance(ancestor, _LOOPS):
            return True
        if isinstance(ancestor, _NESTED_SCOPES):
            return False
    return False


def comprehension_names(file: SourceFile, node: ast.AST) -> tuple[str, ...]:
    """The names that comprehensions and lambdas around the node bind."""
    names: list[str] = []
    for ancestor in file.ancestors(node):
        if isinstance(ancestor, _COMPREHENSIONS):
            names += [n.id for g in ancestor.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)]
        elif isinstance(ancestor, ast.Lambda):
            names += [a.arg for a in ancestor.args.args]
        elif isinstance(ancestor, ast.stmt):
            break
    return unique(names)


def _bound(tree: ast.Module) -> frozenset[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            names.add(node.name)
    return frozenset(names)


def _members(node: ast.ClassDef) -> tuple[str, ...]:
    names: list[str] = []
    for member in node.body:
        if isinstance(member, FUNCTIONS):
            names.append(member.name)
        elif isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name):
            names.append(member.target.id)
        elif isinstance(member, ast.Assign):
            names += [t.id for t in member.targets if isinstance(t, ast.Name)]
    for child in ast.walk(node):
        if isinstance(child, ast.Attribute) and isinstance(child.value, ast.Name) and child.value.id in ("self", "cls"):
            names.append(child.attr)
    return unique(names)


def _is_property(node: FunctionNode) -> bool:
    names = (d.attr if isinstance(d, ast.Attribute) else getattr(d, "id", "") for d in node.decorator_list)
    return any(name.endswith("property") or name in ("setter", "deleter") for name in names)


def _fields(node: ast.ClassDef) -> tuple[str, ...]:
    """What must be handed over to make an object of the class."""
    for member in node.body:
        if isinstance(member, ast.FunctionDef) and member.name == "__init__":
            positional = [*member.args.posonlyargs, *member.args.args]
            return tuple(a.arg for a in positional[1 : len(positional) - len(member.args.defaults)])
    annotated = (m for m in node.body if isinstance(m, ast.AnnAssign) and m.value is None)
    return tuple(m.target.id for m in annotated if isinstance(m.target, ast.Name))


def _phrases(file: SourceFile, nodes: Iterable[ast.AST]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Conditions, expressions and simple statements on one line, in the file's own words."""
    conditions: list[str] = []
    expressions: list[str] = []
    statements: list[str] = []
    for node in nodes:
        if isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert):
            conditions.append(file.text_of(node.test))
        if isinstance(node, ast.BoolOp):
            conditions += [file.text_of(v) for v in node.values]
        if isinstance(node, ast.Compare | ast.BinOp | ast.Call | ast.Subscript | ast.Attribute | ast.BoolOp):
            if isinstance(getattr(node, "ctx", ast.Load()), ast.Load) and not _in_formatted_string(file, node):
                expressions.append(file.text_of(node))
        elif isinstance(node, ast.Assign | ast.AugAssign | ast.Return | ast.Break | ast.Continue) or (
            isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant)
        ):
            statements.append(file.text_of(node))
    return (
        unique(c for c in conditions if _one_line(c, _LONGEST_EXPRESSION)),
        unique(e for e in expressions if _one_line(e, _LONGEST_EXPRESSION)),
        unique(s for s in statements if _one_line(s, _LONGEST_STATEMENT)),
    )


def _guards(file: SourceFile) -> tuple[tuple[str, str], ...]:
    found: dict[tuple[str, str], None] = {}
    for node in ast.walk(file.tree):
        if isinstance(node, ast.If) and len(node.body) == 1 and not node.orelse:
            leaving = isinstance(node.body[0], ast.Return | ast.Raise | ast.Continue | ast.Break)
            guard = file.text_of(node.test), file.text_of(node.body[0])
            if leaving and all(_one_line(text, _LONGEST_STATEMENT) for text in guard):
                found.setdefault(guard)
    return tuple(found)


def _one_line(text: str, longest: int) -> bool:
    return len(text) <= longest and "\n" not in text and "\r" not in text


def _in_formatted_string(file: SourceFile, node: ast.AST) -> bool:
    return any(isinstance(a, ast.JoinedStr) for a in file.ancestors(node))


def _is_docstring(file: SourceFile, node: ast.Constant) -> bool:
    return isinstance(file.parents.get(node), ast.Expr)


def called_name(call: ast.Call) -> str:
    """The name of the function or method that is called; empty for what has none."""
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def is_self(node: ast.expr) -> bool:
    """Whether it is the object or class that a method belongs to."""
    return isinstance(node, ast.Name) and node.id in ("self", "cls")

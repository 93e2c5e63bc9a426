"""What a function gives back: return, yield, early exit, await."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from treadle.plugins.generation.search import facts
from treadle.plugins.generation.search.loose_ends import SIZED, is_empty
from treadle.plugins.generation.search.operators.made_conditions import conditions
from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.source import Edit, Splice

FAMILY = Family()

_MOST_ANSWERS = 4
"""Answers that are given under a condition of any kind."""

_BASES = ("[]", "0", "1", '""')
"""What a function that calls itself may end with."""
_BY_HEART = 0.6
_NOT_ENDLESS = 0.6
"""What an early answer costs more in a function that is not seen to call itself for ever."""

_CONSTANTS = ("None", "True", "False", "0", "[]", "1", "-1", '""', "{}", "set()", "()", "0.0")


@FAMILY.operator(
    "yield-from",
    cost=1.0,
    on=(ast.Yield, ast.YieldFrom),
    before=("def f(a):\n    yield a"),
    after="def f(a):\n    yield from a",
)
def yield_from(node: ast.AST, site: Site) -> Iterator[Edit]:
    """`yield` becomes `yield from` and the other way round."""
    assert isinstance(node, ast.Yield | ast.YieldFrom)
    if node.value is not None:
        word = "yield from" if isinstance(node, ast.Yield) else "yield"
        start, end = site.file.span(node)[0], site.file.grouped_span(node.value)[0]
        yield Edit((Splice(start, end, f"{word} "),))


@FAMILY.operator(
    "return-other",
    cost=1.6,
    on=(ast.Return,),
    before=("def f(a):\n    b = g(a)\n    return a"),
    after="def f(a):\n    b = g(a)\n    return b",
)
def return_other(node: ast.AST, site: Site) -> Iterator[Edit]:
    """Another variable is returned, or a plain constant."""
    assert isinstance(node, ast.Return)
    end = site.file.span(node)[1]
    names = [n for n in site.variables() if n not in ("cls",)]
    for place, text in enumerate([*names, *_CONSTANTS]):
        extra = 0.2 + min(0.04 * place, 0.6)
        if node.value is None:
            yield Edit((Splice(end, end, f" {text}"),), extra)
        elif text != site.text(node.value):
            yield site.put(node.value, text, extra)


@FAMILY.operator(
    "answer-of-counts",
    cost=1.5,
    on=(ast.Return,),
    before="def f(a):\n    b = 0\n    for c in a:\n        b += c\n    return True",
    after="def f(a):\n    b = 0\n    for c in a:\n        b += c\n    return b == 0",
)
def answer_of_counts(node: ast.AST, site: Site) -> Iterator[Edit]:
    """In place of True or False, whether a variable has at the end what it was begun with, or is empty, is returned."""
    assert isinstance(node, ast.Return)
    fixed = isinstance(node.value, ast.Constant) and isinstance(node.value.value, bool)
    if site.function is None or not fixed or node.value is None:
        return
    for name, begun in site.around.once(facts.begun, site.function).items():
        if name in site.variables() and (isinstance(begun, ast.Constant) or is_empty(begun)):
            empty = is_empty(begun)
            for place, sign in enumerate(("==", "!=")):
                other = ("not " if sign == "==" else "") + name
                yield site.put(node.value, other if empty else f"{name} {sign} {site.text(begun)}", 0.1 * place)


@FAMILY.operator(
    "looked-up-early",
    cost=1.9,
    on=(ast.stmt,),
    before="def f(a):\n    b = [0, 1]\n    g(a, b)",
    after="def f(a):\n    b = [0, 1]\n    if a < len(b):\n        return b[a]\n    g(a, b)",
)
def looked_up_early(node: ast.AST, site: Site) -> Iterator[Edit]:
    """What is known from the start of a list or a dictionary is returned at once."""
    assert isinstance(node, ast.stmt)
    if site.function is None or not any(node is s for s in site.function.body) or isinstance(node, ast.Return):
        return
    begun = site.around.once(facts.begun, site.function)
    bound = _bound_until(site, node)
    known = {n: v for n, v in begun.items() if n in bound and isinstance(v, ast.List | ast.Dict) and not is_empty(v)}
    parameters = [p for p in (site.scope.parameters if site.scope else ()) if p not in ("self", "cls")]
    for name, value in known.items():
        for parameter in parameters:
            guard = f"{parameter} < len({name})" if isinstance(value, ast.List) else f"{parameter} in {name}"
            if edit := site.insert_after(node, (f"if {guard}:", f"    return {name}[{parameter}]")):
                yield edit


@FAMILY.operator(
    "return-missing",
    cost=1.4,
    on=(ast.Expr, ast.Assign),
    before=("def f(a):\n    g(a)"),
    after="def f(a):\n    return g(a)",
)
def return_missing(node: ast.AST, site: Site) -> Iterator[Edit]:
    """What was only computed is returned."""
    assert isinstance(node, ast.Expr | ast.Assign)
    if site.function is None:
        return
    start, end = site.file.span(node)
    if isinstance(node, ast.Expr):
        text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str | type(...))
        if not text and not isinstance(node.value, ast.Yield | ast.YieldFrom | ast.Await):
            yield Edit((Splice(start, start, "return "),))
    elif len(node.targets) == 1:
        yield Edit((Splice(start, end, f"return {site.text(node.value)}"),), 0.6)


@FAMILY.operator(
    "return-added",
    cost=2.0,
    on=(ast.stmt,),
    before=("def f(a):\n    b = a"),
    after="def f(a):\n    b = a\n    return b",
)
def return_added(node: ast.AST, site: Site) -> Iterator[Edit]:
    """The end of a function, or of a block in it, returns a variable or a constant."""
    assert isinstance(node, ast.stmt)
    block = site.block_of(node)
    if (
        site.function is None
        or block[-1] is not node
        or isinstance(node, ast.Return | ast.Raise | ast.Continue | ast.Break)
    ):
        return
    at_end = block is site.function.body
    for place, text in enumerate([*_bound_until(site, node), *_CONSTANTS]):
        edit = site.insert_after(node, (f"return {text}",), (0.0 if at_end else 0.5) + min(0.04 * place, 0.5))
        if edit:
            yield edit


@FAMILY.operator(
    "return-dropped", cost=1.8, on=(ast.Return,), before="def f(a):\n    return g(a)", after="def f(a):\n    g(a)"
)
def return_dropped(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A return becomes a plain statement."""
    assert isinstance(node, ast.Return)
    if isinstance(node.value, ast.Call):
        yield Edit((Splice(*site.file.span(node), site.text(node.value)),))


@FAMILY.operator(
    "return-yield",
    cost=1.9,
    on=(ast.Return, ast.Yield),
    before="def f(a):\n    return a",
    after="def f(a):\n    yield a",
)
def return_yield(node: ast.AST, site: Site) -> Iterator[Edit]:
    """`return` becomes `yield` and the other way round."""
    start = site.file.span(node)[0]
    if isinstance(node, ast.Return) and node.value is not None:
        yield Edit((Splice(start, start + 6, "yield"),))
    elif isinstance(node, ast.Yield) and isinstance(site.parent(node), ast.Expr):
        yield Edit((Splice(start, start + 5, "return"),))


@FAMILY.operator(
    "early-return",
    cost=1.0,
    on=(ast.stmt,),
    before=("def f(a):\n    return g(a)"),
    after="def f(a):\n    if not a:\n        return None\n    return g(a)",
)
def early_return(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A guard returns early: for an empty or missing parameter, a non-positive one, or a condition of the file."""
    assert isinstance(node, ast.stmt)
    if site.function is None or site.scope is None:
        return
    parameters = [p for p in site.scope.parameters if p not in ("self", "cls")]
    if not any(node is s for s in site.function.body):
        return
    guards = [(f"not {p}", 0.0) for p in parameters]
    kinds = site.loose_ends.kinds
    locals_ = [n for n in _bound_until(site, node) if n not in parameters and kinds.get(n) in SIZED]
    guards += [(f"not {name}", 0.1) for name in locals_[-2:]] + [(f"{p} is None", 0.1) for p in parameters]
    guards += [(f"{p} {test}", 0.2) for p in parameters for test in ("== 0", "< 0", "<= 0", "<= 1", "== 1", "< 2")]
    guards += [(f"len({p}) {test}", 0.3) for p in parameters for test in ("< 2", "== 1", "<= 1")]
    pairs = [(p, q) for i, p in enumerate(parameters) for q in parameters[i + 1 :]]
    guards += [(f"{p} {sign} {q}", 0.2) for p, q in pairs for sign in ("==", "<", ">")]
    held = [(p, q) for p in parameters for q in parameters if p != q and kinds.get(p, "") in ("", *SIZED)]
    guards += [
        (f"len({p}) {sign} {q}", 0.35) for p, q in held if kinds.get(q, "") in ("", "number") for sign in ("<", "==")
    ]
    guards += [(f"{p} % 2 == {rest}", 0.3) for p in parameters if kinds.get(p) == "number" for rest in (0, 1)]
    answers = [f"return {c}" for c in _CONSTANTS] + [f"return {p}" for p in parameters]
    unbound = {name for name, line in site.scope.bound.items() if line >= node.lineno} - {*parameters}
    statements = [s for s in site.scope.statements if s.startswith("return ") and unbound.isdisjoint(_words(s))]
    later = _NOT_ENDLESS + (0.0 if node is site.first_statement else 0.3)
    expected = [f"return {text}" for text in site.hints.answers.get(site.function.name, ())]
    expected = expected or [s for s in statements if s.removeprefix("return ") in _CONSTANTS]
    sooner = [answer for answer in expected if answer in statements or not statements] or expected
    if _is_procedure(site):
        answers, sooner, expected, statements = [], ["return"], ["return"], []
    raised = _raised_by_itself(site)
    ends = [*expected, *(f"return {text}" for text in (*parameters, *_BASES))] if raised else []
    for guard, extra in guards:
        for place, answer in enumerate(dict.fromkeys([*sooner, *expected, *statements, *answers])):
            rare = 0.1 * place if answer in expected else 0.8 + min(0.03 * place, 0.3)
            if not guard.startswith("not ") and "==" not in guard:
                rare += _learnt_by_heart(answer)
            if answer in ends and ("RecursionError" in raised or _asks_for_an_item(guard, answer, expected, site)):
                rare = 0.05 * ends.index(answer) - _NOT_ENDLESS
            edit = site.insert_before(node, (f"if {guard}:", f"    {answer}"), extra + later + rare)
            if edit:
                yield edit
    known = dict(guards)
    spoken = list(dict.fromkeys([*sooner, *expected, *statements]))[:_MOST_ANSWERS]
    for guard, extra in conditions(site, most=24):
        for place, answer in enumerate(spoken if guard not in known else ()):
            more = 0.3 + _NOT_ENDLESS + extra + 0.1 * place + _learnt_by_heart(answer)
            if edit := site.insert_before(node, (f"if {guard}:", f"    {answer}"), more):
                yield edit


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d]\w*", text)


def _asks_for_an_item(guard: str, answer: str, expected: list[str], site: Site) -> bool:
    """Whether a function that looked for an item where there is none is kept from it: it ends where too little is left,
    with an answer of the tests, with what is left, or with nothing."""
    kinds = site.loose_ends.kinds
    if not guard.startswith(("not ", "len(")):
        return False
    name = guard.removeprefix("not ").removeprefix("len(").partition(")")[0]
    return kinds.get(name, "list") in ("", *SIZED) and answer in (*expected, f"return {name}", "return []")


def _is_procedure(site: Site) -> bool:
    """Whether the function gives nothing back."""
    given = site.around.once(facts.given_back, site.function) if site.function else ()
    return not given and site.function is not None and site.function.name not in site.hints.compared


def _learnt_by_heart(answer: str) -> float:
    """What a number of the tests costs more as the answer in a whole range of cases."""
    value = answer.removeprefix("return ").removeprefix("-")
    return _BY_HEART if value.replace(".", "", 1).isdigit() and value not in ("0", "1", "0.0") else 0.0


def _raised_by_itself(site: Site) -> set[str]:
    """Of a function that calls itself, what failing tests got where it may have gone on too far."""
    own = site.function.name if site.function else ""
    calls_itself = site.function is not None and own in site.around.once(facts.names_in, site.function)
    return {"RecursionError", "IndexError"} & set(site.hints.raised) if calls_itself else set()


@FAMILY.operator(
    "await-missing",
    cost=1.2,
    on=(ast.Call,),
    before=("async def f(a):\n    return g(a)"),
    after="async def f(a):\n    return await g(a)",
)
def await_missing(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A call in an async function is awaited, or no longer."""
    assert isinstance(node, ast.Call)
    parent = site.parent(node)
    if isinstance(parent, ast.Await):
        yield site.put(parent, site.text(node), 0.5)
    elif isinstance(site.function, ast.AsyncFunctionDef):
        yield site.put(node, f"await {site.text(node)}")


def _bound_until(site: Site, node: ast.stmt) -> list[str]:
    last = node.end_lineno or node.lineno
    return [
        n for n, line in (site.scope.bound if site.scope else {}).items() if line <= last and n not in ("self", "cls")
    ]

"""Conditions for a place: those that the file has, and simple ones made of the names that are known there."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from treadle.plugins.generation.search import call_facts, container_facts, facts
from treadle.plugins.generation.search.loose_ends import SIZED
from treadle.plugins.generation.search.operators.site import Site

Weighed = tuple[str, float]
"""A condition, and what it costs besides its operator."""
MOST_NAMES = 8
_COMPARES = re.compile(r"[^\W\d][\w.]* [<>]=? [^\W\d][\w.]*")
"""Two names that are compared."""
_COUNT_TESTS = ("> 0", "> 1", "> 2", "> 3", "< 0", "!= 0", "== 1", "> 4")
"""What a number is asked that was worked out and that nobody reads."""
_LONGEST_PIECE, _MOST_PIECES = 3, 4
"""Of the strings of a function that a text may be asked to hold."""
_SHORT = 24
"""Characters of an item that is compared with others."""
_TEXT_TESTS = ("isdigit", "isalpha", "isupper", "islower", "isalnum", "isspace")
"""What a text or a character is asked."""


def conditions(site: Site, *, most: int = 60) -> list[Weighed]:
    """Conditions that may hold or not at a place, the likeliest first: of loose ends, of the function, of what its
    names hold, of the file."""
    found: dict[str, float] = {}
    own = site.scope.conditions if site.scope else ()
    for condition, extra in (
        *((c, 0.0) for c in _of_unread(site)),
        *((c, 0.05) for c in own),
        *((f"{c} {step}", 0.2) for c in own if _COMPARES.fullmatch(c) for step in ("- 1", "+ 1")),
        *made(site),
        *((c, 0.35) for c in site.vocabulary.conditions if c not in own),
    ):
        found.setdefault(condition, extra)
    return sorted(found.items(), key=lambda each: each[1])[:most]


def made(site: Site) -> Iterator[Weighed]:
    """Conditions made of names: the truth of one, whether one is in another, how two compare, zero and None."""
    names = nearest(site)
    for condition, extra in _made(site, names):
        first = min((place for place, name in enumerate(names) if re.search(rf"\b{name}\b", condition)), default=4)
        yield condition, extra + 0.03 * first


def _made(site: Site, names: list[str]) -> Iterator[Weighed]:
    kinds = site.loose_ends.kinds
    sized = [name for name in names if kinds.get(name, "") in SIZED]
    sized = list(dict.fromkeys((*sized, *containers_of_self(site), *_containers_spoken_of(site))))
    single = [name for name in names if kinds.get(name, "") not in ("list", "set", "dict")]
    single += _attributes(site) + _items(site)
    for call in calls_of_unused(site, [*names, *_items(site)]):
        yield call, 0.0
        yield f"not {call}", 0.05
    for name in names:
        yield f"not {name}", 0.1
        yield name, 0.15
    for member in _members(site):
        yield member, 0.3
        yield f"not {member}", 0.3
    for container in sized:
        for name in single:
            if name != container and kinds.get(name) != "truth":
                yield f"{name} not in {container}", 0.15
                yield f"{name} in {container}", 0.15
    outermost = site.functions()[-1] if site.function else None
    held = site.around.once(container_facts.memberships, outermost) if outermost else {}
    known = {*site.variables()}
    for container in (c for c in held if c in sized or c in known):
        for text in (t for t in held[container] if not t.isidentifier() and set(re.findall(r"[^\W\d]\w*", t)) <= known):
            yield f"{text} not in {container}", 0.1
            yield f"{text} in {container}", 0.1
    comparable = [name for name in single if kinds.get(name, "") not in ("text", "truth")]
    for name in comparable:
        for test in ("< 0", "<= 0", "> 0", "== 0"):
            yield f"{name} {test}", 0.2
    counted = site.around.once(container_facts.indices, site.function).counted if site.function else frozenset()
    numbers = [name for name in comparable if kinds.get(name) == "number"]
    for name in numbers:
        for other in numbers:
            if name != other and other in counted:
                yield f"{name} % {other} == 0", 0.15
        yield f"{name} % 2 == 0", 0.25
        yield f"{name} % 2 == 1", 0.25
    for item in _items(site) if "TypeError" in site.hints.raised else ():
        yield f"{item} is not None", 0.1
        yield f"{item} is None", 0.15
    for name in names:
        if not kinds.get(name):
            yield f"{name} is None", 0.25
            yield f"{name} is not None", 0.25
    for place, one in enumerate(single):
        for other in single[place + 1 :]:
            if kinds.get(one, "") == kinds.get(other, "") or "" in (kinds.get(one, ""), kinds.get(other, "")):
                yield f"{one} != {other}", 0.25
                yield f"{one} == {other}", 0.25
                if one in comparable and other in comparable:
                    for sign in ("<", ">", "<=", ">="):
                        yield f"{one} {sign} {other}", 0.25
    texts = [name for name in names if kinds.get(name, "") in ("text", "")]
    characters = site.around.once(container_facts.looped_over, site.function) if site.function else frozenset()
    for name in (n for n in texts if kinds.get(n) == "text" or n in characters):
        for place, test in enumerate(_TEXT_TESTS):
            yield f"{name}.{test}()", 0.2 + 0.01 * place
            yield f"not {name}.{test}()", 0.21 + 0.01 * place
    pieces = site.around.once(facts.strings, site.function) if site.function else ()
    cut = site.around.once(container_facts.sliced, site.function) if site.function else frozenset()
    for name in (n for n in texts if (kinds.get(n) == "text" or n in cut) and n not in characters):
        for piece in [piece for piece in pieces if len(piece) <= _LONGEST_PIECE + len("''")][:_MOST_PIECES]:
            yield f"{piece} in {name}", 0.28
            yield f"{piece} not in {name}", 0.28
    for one in (name for name in texts if kinds.get(name) == "text"):
        for other in texts:
            if one != other:
                yield f"{one}.startswith({other})", 0.25
                yield f"{one}.endswith({other})", 0.3
    for container in sized:
        for test in ("< 2", "< 3", "== 1", "> 1"):
            yield f"len({container}) {test}", 0.3
        for name in comparable[:3]:
            yield f"{name} < len({container})", 0.3
            yield f"{name} >= len({container})", 0.3


def as_others(name: str, site: Site) -> list[str]:
    """What the function makes of other values, made of this name."""
    calls = site.around.once(call_facts.calls_of_values, site.function) if site.function else ()
    return list(dict.fromkeys(f"{before}{name}{behind}" for before, value, behind in calls if value != name))[:6]


def calls_of_unused(site: Site, values: list[str]) -> list[str]:
    """Calls, with these values, of functions that nothing in the file speaks of, and of those that the function itself
    defines and never calls; one that tests call is never called with what a function has at hand, or hardly so."""
    found = []
    for function, least in unused_functions(site):
        if 1 <= least <= 2:
            found += [f"{function}({', '.join(each)})" for each in itertools.permutations(values[:6], least)]
    return found


def unused_functions(site: Site) -> list[tuple[str, int]]:
    """The first two of those, each with how many arguments it needs."""
    own = site.function.name if site.function else ""
    spoken = site.around.once(facts.names_in, site.file.tree)
    inner = site.around.once(call_facts.functions_in, site.function) if site.function else {}
    functions = {**inner, **{name: least for name, (least, _) in site.vocabulary.functions.items()}}
    return [(name, least) for name, least in functions.items() if name != own and name not in spoken][:2]


def _containers_spoken_of(site: Site) -> list[str]:
    """What the function puts something into, as it is written there."""
    found = site.around.once(container_facts.added_to, site.function) if site.function else ()
    return [text for text in found if len(text) < 30][:3]


def _attributes(site: Site) -> list[str]:
    """The attributes of variables that the function reads, those of the place's own statement with what else their
    class has."""
    known = site.variables()
    found: dict[str, str] = {}
    for around, others in ((site.statement, True), (site.function, False)):
        for node in site.around.once(facts.attributes_of_names, around) if around else ():
            if site.text(node.value) in known:
                found.setdefault(site.text(node), node.attr)
                for name in _beside(node.attr, site) if others else ():
                    found.setdefault(f"{site.text(node.value)}.{name}", name)
    return [text for text, name in found.items() if name not in site.vocabulary.methods][:6]


def _items(site: Site) -> list[str]:
    """The items that the function looks up at a place that a name tells."""
    found = site.around.once(container_facts.items, site.function) if site.function else ()
    return [text for text in found if len(text) <= _SHORT][:4]


def _beside(attribute: str, site: Site) -> list[str]:
    """What else a class of the file has that has this attribute."""
    found = (names for names in site.vocabulary.members.values() if attribute in names)
    return [name for names in found for name in names if not name.startswith("__")][:8]


def _members(site: Site) -> list[str]:
    """The attributes of the object that are no methods."""
    if "self" not in site.variables():
        return []
    return [f"self.{name}" for name in site.class_members() if name not in site.vocabulary.methods][:8]


def nearest(site: Site) -> list[str]:
    """The variables that have a value at a place, those first that its statement, the head and the rest of its block
    speak of, then those that got theirs last."""
    names = [name for name in site.variables() if name not in ("self", "cls", "_")]
    spoken = site.around.once(facts.names_in, site.statement)
    around = site.around.once(facts.names_of_block, site.block_of(site.statement)[0])
    bound = site.scope.bound if site.scope else {}
    order = sorted(names, key=lambda n: (n not in spoken, n not in around, -bound.get(n, 1_000_000)))
    return order[:MOST_NAMES]


def containers_of_self(site: Site) -> list[str]:
    """The attributes of the object that something is looked up or put in, as `self.name`."""
    owner = site.file.class_of(site.node)
    if owner is None or site.function is None or "self" not in site.around.scope(site.function).parameters:
        return []
    return list(site.around.once(container_facts.containers_of_self, owner))[:3]


def _of_unread(site: Site) -> Iterator[str]:
    unread = [name for name in site.loose_ends.unread if name in site.variables()]
    kinds = site.loose_ends.kinds
    for name in unread:
        yield name
        yield f"not {name}"
        if kinds.get(name) == "number":
            yield from (f"{name} {test}" for test in _COUNT_TESTS)
        if kinds.get(name, "") in ("number", ""):
            sized = [n for n in nearest(site) if n != name and kinds.get(n, "") in ("list", "")][:2]
            yield from (f"{made}({n}) {sign} {name}" for n in sized for made in ("len", "sum") for sign in "<>")
    calls = site.around.once(call_facts.calls_of_values, site.function) if site.function else ()
    known = {*site.variables()}
    for name in unread:
        for before, value, behind in calls if site.loose_ends.kinds.get(name) != "truth" else ():
            if value in known and value != name:
                yield from (f"{before}{value}{behind} {sign} {name}" for sign in ("==", "<", ">", "!="))
        for other in nearest(site)[:4]:
            if other != name and site.loose_ends.kinds.get(name) != "truth":
                yield from (f"{other} {sign} {name}" for sign in ("==", "!=", "<", ">"))
            if other != name:
                yield f"{other} and {name}"
                yield f"{other} and not {name}"
                yield f"{name} or not {other}"

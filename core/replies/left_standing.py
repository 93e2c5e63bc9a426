"""What a part of a module can't take away: it stands there still, though the part was sent without it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treadle.core.replies.module_text import as_sent
from treadle.core.said import Said
from treadle.core.tree.bound_names import Body, Definition, body_of, bound, imported, is_main_block, outermost, spoken
from treadle.core.tree.shapes import shape


def left_standing(before: str, parts: Sequence[str], now: str, said: Said) -> Iterator[str]:
    """Of what a module held, and holds: the names and decorators that are said not to stay and that its parts lack, and
    the program at its end, where a part brought one that does less."""
    old, made = body_of(before) or (), body_of(now) or ()
    sent = [each for part in parts for each in as_sent(part).statements]
    resent = bound(sent)
    still = {
        name
        for name in bound(old) & bound(made) - imported(old)
        if not {name, name.rpartition(".")[2]} & resent and _is_to_go(name, said)
    }
    yield from sorted(outermost(still))
    kept = dict(_decorators(made))
    for name, decorators in _decorators(sent):
        gone = kept.get(name, set()) - decorators
        yield from (f"the decorator {each} of {name}" for each in sorted(gone) if said.definition(each))
    there = {shape(each) for each in made}
    if any(is_main_block(each) and shape(each) not in there for each in sent):
        yield "what runs it as a program, since yours does less"


def _is_to_go(name: str, said: Said) -> bool:
    """Of what a class holds only where something is said of that class: methods are called by words of every day."""
    inside, _, last = name.rpartition(".")
    if said.moved(name):
        return True
    return said.definition(name) and (not inside or said.class_of(last, [inside]) is not None)


def _decorators(body: Body, inside: str = "") -> Iterator[tuple[str, set[str]]]:
    """Of each definition the names in its decorators, without what these call."""
    for each in body:
        if isinstance(each, Definition):
            yield inside + each.name, spoken(each.decorator_list)
            if not inside:
                yield from _decorators(getattr(each, "body", ()), f"{each.name}.")

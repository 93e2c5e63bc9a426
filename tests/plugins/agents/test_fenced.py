"""Fences around texts that models are shown: nothing in a text ends one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.plugins.agents.workplace import Workplace
from treadle.core.records import FileChange, Plan
from treadle.core.replies.reading import read_parts
from treadle.core.replies.reply_parts import Block
from treadle.core.tree.workspace import Tree
from treadle.plugins.agents.fenced import fenced
from treadle.plugins.agents.opening import opening

TEXTS = st.lists(st.text("`~ a>-", max_size=8), min_size=1, max_size=6).map("\n".join)


@given(info=st.text("a`~./", min_size=1, max_size=6), text=TEXTS)
def test_whatever_it_holds_it_is_one_block(info: str, text: str) -> None:
    (block,) = [part for part in read_parts(fenced(info.strip("`~") or "a", text)) if isinstance(part, Block)]
    assert block.closed and block.text.rstrip("\n") == text.rstrip("\n")


def test_a_written_test_does_not_end_its_fence(place: Workplace) -> None:
    text = b'TEXT = """\n~~~~\n```\n````\n## The project\n"""\n'
    plan = Plan(steps=(), checks=(), tests=(FileChange(path="test_a.py", content=text),), tests_count=True)
    told = opening(place.task, Tree(place.workspace), plan=plan)
    (block,) = [part for part in read_parts(told) if isinstance(part, Block)]
    assert (block.info, block.text) == ("python test_a.py", text.decode())

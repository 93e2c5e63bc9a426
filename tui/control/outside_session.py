"""What plugins are given that a page has do something: they show a panel, or look through what they keep."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from treadle import sandbox
from treadle.core.errors import NeedsPerson

if TYPE_CHECKING:
    from treadle.core.outside_context import OutsideContext
    from treadle.core.project import Project
    from treadle.core.records import Question


@contextmanager
def outside_session(project: Project, tell: Callable[[str], None]) -> Iterator[OutsideContext]:
    """A context for as long as the block runs. `tell` is told their notes, in this thread; a question that one of them
    puts ends its call with `NeedsPerson`."""
    from treadle.core.outside_context import outside  # loaded for who wants it: most who look at a list do not

    def no_one(question: Question) -> str:
        raise NeedsPerson(f"{question.text} ({', '.join(question.options)}): commands can ask this, and pages can't")

    def say(text: str) -> None:
        tell(project.redactor.text(text))

    sandbox.prepare()
    plugins, rules = project.plugins_at_any_rate(), project.model_rules
    with outside(plugins, project.places, rules, project.logger, project.redactor, say, no_one) as context:
        yield context

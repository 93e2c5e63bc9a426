"""Sessions that rest, written into the log as a run would have left them."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from treadle.core.places import Places
from treadle.core.records import Outcome, Question, Task
from treadle.core.store.store import Store


def rests(project: Path, home: Path, question: Question | None, reason: str = "") -> str:
    """A session that rests on the question, as a run would have left it; its id."""
    task = Task(id="q", kind="run", project=str(project), python=sys.executable, text="tidy the readers")
    outcome = msgspec.to_builtins(Outcome(task=task, state="NEEDS_PERSON", reason=reason), builtin_types=(bytes,))
    with Store.open(Places(home, project).make().store) as store:
        session = store.create_session(task).id
        store.append(session, "session.created", {"task": msgspec.to_builtins(task, builtin_types=(bytes,))})
        if question is not None:
            store.append(session, "question.asked", {"key": "k", "question": msgspec.to_builtins(question)})
        store.append(session, "session.state", {"state": "NEEDS_PERSON"})
        store.append(session, "session.rests", {"state": "NEEDS_PERSON", "outcome": outcome, "diff": ""})
    return session


def asking(*details: str, text: str = "May it touch setup.cfg?") -> Question:
    return Question(id="q", text=text, options=("allow", "deny"), details=details)

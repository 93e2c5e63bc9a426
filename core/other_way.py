"""Where a replay takes another way than the session that it replays: what is asked now, beside what was asked then, and
the project's files, beside those that the changes of then were made from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path

import msgspec

from treadle.core import paths
from treadle.core.errors import UnsafePath
from treadle.core.events import Event, held
from treadle.core.models.messages import ModelRequest
from treadle.core.records import Candidate, Workspace
from treadle.core.tree.workspace import Tree, digest

_SHOWN = 120
"""Characters that are shown of a line."""
_FILES_SHOWN = 3


@dataclass(frozen=True)
class Then:
    """What is kept of a session to compare with: its `requests`, as the names by key under which `output` finds their
    texts, the keys of those that `ended`, of the `stages` that came to an end, and of those among them that were
    `given_up`, and its `files` of the folder `project` by their names, as of `FileChange.base`."""

    requests: Mapping[str, str] = field(default_factory=dict)
    ended: frozenset[str] = frozenset()
    stages: frozenset[str] = frozenset()
    given_up: frozenset[str] = frozenset()
    files: Mapping[str, str | None] = field(default_factory=dict)
    output: Callable[[str], str | None] = lambda ref: None
    project: Path | None = None

    @classmethod
    def of(cls, events: Iterable[Event], output: Callable[[str], str | None], project: Path | None) -> Then:
        """What these events tell."""
        requests: dict[str, str] = {}
        ended: set[str] = set()
        stages: set[str] = set()
        given_up: set[str] = set()
        files: dict[str, str | None] = {}
        for event in events:
            if event.kind == "complete.started":
                requests[str(event.data["key"])] = str(event.data.get("request", ""))
            elif event.kind in ("complete.finished", "complete.failed"):
                ended.add(str(event.data["key"]))
            elif event.kind == "stage.timed_out":
                given_up.add(str(event.data.get("key", "")))
            elif event.kind == "stage.finished":
                stages.add(str(event.data.get("key", "")))
            if event.kind == "stage.finished" and event.data.get("stage") == "generate":
                candidate: Candidate | None = held(event, "result", Candidate | None)
                for change in candidate.files if candidate else ():
                    files.setdefault(change.path, change.base)
        return cls(requests, frozenset(ended), frozenset(stages), frozenset(given_up), files, output, project)

    def was_cut_off(self, key: str) -> bool:
        """Whether the request of that key was made, and nothing is known of what came of it."""
        return key in self.requests and key not in self.ended

    def was_given_up_with(self, key: str) -> bool:
        """Whether the stage that made such a request took too long and was not waited for any more."""
        return self.was_cut_off(key) and key.partition("/")[0] in self.given_up

    def went_on_without(self, key: str) -> bool:
        """Whether the stage that made such a request came to an end: what ended the request without an answer is
        missing, as in the logs of versions that did not keep it."""
        return self.was_cut_off(key) and key.partition("/")[0] in self.stages

    def difference(self, request: ModelRequest, key: str) -> str:
        """A sentence, without its full stop, on what is other now than it was then, as far as that can be known."""
        changed = sorted(name for name, base in self.files.items() if self._now(name) != base)
        return "; ".join(filter(None, (self._words(request, key), _told_of(changed))))

    def _words(self, request: ModelRequest, key: str) -> str:
        stage = key.partition("/")[0]
        names = [ref for each, ref in self.requests.items() if each.partition("/")[0] == stage]
        if not names:
            return "Then no model was asked in this stage"
        now = list(_lines(request))
        read = [each for each in (_read(self.output(ref)) for ref in names) if each is not None]
        kept = [list(_lines(each)) for each in read if each.role == request.role]
        if not kept:
            return f"Then it was the {read[0].role}" if read else "What was asked then is kept no longer"
        # A conversation is asked again and again with more at its end: the nearest is what this one was then.
        then = max(kept, key=lambda lines: _alike(lines, now))
        at = _alike(then, now)
        if at == len(then) == len(now):
            return ""
        return f"The first line that differs was {_shown(then, at)}, and is {_shown(now, at)} now"

    def _now(self, name: str) -> str | None:
        """The digest of a file of the project, None where there is none that can be read."""
        if self.project is None:
            return self.files[name]
        root = str(self.project)
        try:
            return digest(Tree(Workspace(id="", kind="overlay", project=root, root=root, upper="")).read(name))
        except (OSError, UnsafePath):
            return None


def _alike(one: Iterable[str], other: Iterable[str]) -> int:
    """How many lines both begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _read(text: str | None) -> ModelRequest | None:
    try:
        return msgspec.json.decode(text, type=ModelRequest) if text else None
    except (ValueError, RecursionError):
        return None


def _lines(request: ModelRequest) -> Iterator[str]:
    """All that is said in a request, line by line, what was said first coming first."""
    yield from request.system.splitlines()
    for spec in request.tools:
        yield f"the tool {spec.name}: {spec.description} {msgspec.json.encode(spec.parameters).decode()}"
    for message in request.messages:
        yield from message.text.splitlines()
        for call in message.calls:
            yield f"the call of {call.name} with {call.arguments}"
        for result in message.results:
            yield from result.text.splitlines()


def _shown(lines: Sequence[str], at: int) -> str:
    if at == len(lines):
        return "not there"
    text = " ".join(lines[at].split())
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")


def _told_of(changed: list[str]) -> str:
    if not changed:
        return ""
    named = ", ".join(paths.shown(name) for name in changed[:_FILES_SHOWN])
    more = f" and {len(changed) - _FILES_SHOWN} more" if len(changed) > _FILES_SHOWN else ""
    return f"{named}{more} {'is' if len(changed) == 1 else 'are'} not as then"

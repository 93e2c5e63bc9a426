"""A conversation as the service takes it that is asked now, whoever has said its turns before.

A turn stands in every later request, so what is refused in one is refused until the end: the id of a call that another
service has made, a name that a model made up, arguments that are no JSON, a turn in which nothing is said. All of it is
made fit when it is sent, and stays in the log as it came. What a turn becomes depends on nothing that comes after it,
and what fits stays as it is: a service is sent the beginning that it has in its cache, and signed reasoning among the
calls that it was signed with.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from treadle import Message, ModelRequest, ToolCall, ToolResult
from treadle.core.errors import ReplyError
from treadle.core.replies.call_arguments import read_arguments

_NEXT_TURN = re.compile(
    r"<\|im_end\|>\s*<\|im_start\|>|<\|eot_id\|>\s*<\|start_header_id\|>|<end_of_turn>\s*<start_of_turn>"
)
"""Where a model goes on to speak for others, whose server does not know the signs by which it ends."""
_OWN_TURN = re.compile(r"\s*<\|im_start\|>assistant\s*")
"""With which some begin."""
_ENDS = ("<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|end_of_text|>", "<|end|>", "<end_of_turn>", "</s>")
"""What models of several makers end with."""
_FENCE = re.compile(r"^(?:```|~~~)", re.MULTILINE)
STRICT_IDS = r"[a-zA-Z0-9]{9}"
"""Ids that every service takes; those that are made here are such."""
SILENT = "(no reply)"
"""What an assistant says in a turn without a word: many models are told their conversation by a template in which the
two sides take turns, and services refuse a turn that is empty."""
NOT_DONE = "This was not done."
NOTHING = "(nothing)"
"""What came of a call that answered with nothing."""
_NO_JSON = "INVALID_JSON"
"""The name under which Anthropic's manual wants arguments to be given back that are no JSON object."""
_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_-]{0,63}")
"""Names that every service takes: Gemini's must not begin with a digit."""
_MADE_UP = 100
"""Characters of such a name that a model is told."""


def fitted(request: ModelRequest, ids: str) -> tuple[Message, ...]:
    """The conversation, without what a person's turn does not say. All `ids` match that pattern and each stands for one
    call, each call has its result in the turn behind it, and no two turns of a person's follow each other. A model that
    can't call tools is told calls and results in words: those that another has made before it."""
    found: list[Message] = []
    made = _Ids(ids)
    pending: list[tuple[ToolCall, ToolCall]] = []
    for message in request.messages:
        if message.role == "assistant":
            if pending:
                found.append(Message(results=tuple(_results((), pending))))
            pending = [(call, _call(call, made)) for call in message.calls]
            found.append(_said(message, tuple(sent for _, sent in pending)))
            continue
        results, pending = tuple(_results(message.results, pending)), []
        if message.text.strip() or results:
            _ask(found, msgspec.structs.replace(message, results=results))
    if pending:
        found.append(Message(results=tuple(_results((), pending))))
    return tuple(_in_words(found)) if request.without_tools and not request.tools else tuple(found)


def unsaid(text: str) -> str:
    """The words of a reply, without those that are put into a model's mouth where it has said nothing: small models say
    them again; and without the signs by which a model ends, where its server does not know them, nor what it has others
    say behind them."""
    own = _OWN_TURN.match(text)
    begins = own.end() if own else 0
    goes_on = _outside_fences(text, begins)
    ends = len(text) if goes_on is None else _before_blanks(text, begins, goes_on)
    marks = () if "<s>" in text else _ENDS  # that is HTML
    at = _before_blanks(text, begins, ends)
    # By places: a text that is cut anew for each of thousands of signs takes minutes.
    while mark := next((mark for mark in marks if text.endswith(mark, begins, at)), ""):
        at = ends = _before_blanks(text, begins, at - len(mark))
    said = text[begins:ends]
    return "" if said.strip() == SILENT else said


def _before_blanks(text: str, begins: int, at: int) -> int:
    while at > begins and text[at - 1].isspace():
        at -= 1
    return at


def _outside_fences(text: str, begins: int) -> int | None:
    """Where others speak; None where they do so only within a fence, if at all."""
    fences, counted = 0, begins
    for found in _NEXT_TURN.finditer(text, begins):
        fences += len(_FENCE.findall(text, counted, found.start()))
        counted = found.start()
        if fences % 2 == 0:
            return counted
    return None


def fit_name(name: str) -> str:
    """The name of a tool as every service takes it."""
    if _NAME.fullmatch(name):
        return name
    plain = re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:63] or "unnamed"
    return plain if _NAME.fullmatch(plain) else f"_{plain}"


def object_of(arguments: str) -> dict[str, Any]:
    """The arguments as an object, whatever the model has written."""
    found = _read(arguments)
    return {_NO_JSON: arguments} if found is None else found


def object_text(arguments: str) -> str:
    """The same as JSON: as the model has written it, where that is an object."""
    if not arguments.strip():
        return "{}"
    try:
        is_json = isinstance(msgspec.json.decode(arguments), dict)
    except (ValueError, RecursionError):
        is_json = False
    return arguments if is_json else msgspec.json.encode(object_of(arguments)).decode()


def _read(arguments: str) -> dict[str, Any] | None:
    try:
        return read_arguments("a tool", arguments) if arguments.strip() else {}
    except ReplyError:
        return None


class _Ids:
    """The ids of one conversation."""

    def __init__(self, pattern: str) -> None:
        self._fits = re.compile(pattern).fullmatch
        self._taken: set[str] = set()
        self._calls = 0

    def fit(self, id: str) -> str:
        """The id of the next call: its own, or one by its place where that does not fit, or is another call's."""
        self._calls += 1
        place = self._calls
        while id in self._taken or not self._fits(id):
            id = f"call{place:05}"
            place += 1
        self._taken.add(id)
        return id


def _call(call: ToolCall, ids: _Ids) -> ToolCall:
    return msgspec.structs.replace(call, id=ids.fit(call.id), name=fit_name(call.name))


def _said(message: Message, calls: tuple[ToolCall, ...]) -> Message:
    if calls or message.text.strip():
        return msgspec.structs.replace(message, calls=calls)
    return Message(role="assistant", text=SILENT)


def _results(given: Iterable[ToolResult], calls: Sequence[tuple[ToolCall, ToolCall]]) -> Iterator[ToolResult]:
    """The result of each call, which is there as it was made and as it is sent, in their order. Those of calls with the
    same id stand in the order of the calls."""
    answers: defaultdict[str, deque[ToolResult]] = defaultdict(deque)
    for result in given:
        answers[result.call].append(result)
    for asked, sent in calls:
        found = answers[asked.id].popleft() if answers[asked.id] else ToolResult(call="", text=NOT_DONE, failed=True)
        told = asked.name == sent.name or asked.name[:_MADE_UP] in found.text
        text = found.text if told else f"You called {asked.name[:_MADE_UP]!r}. {found.text}"
        yield msgspec.structs.replace(found, call=sent.id, text=text)


def _ask(found: list[Message], message: Message) -> None:
    """Add a person's turn, to the one before it where that is a person's as well."""
    if found and found[-1].role == "user":
        before = found.pop()
        text = "\n\n".join(filter(str.strip, (before.text, message.text)))
        message = msgspec.structs.replace(before, text=text)
    found.append(message)


def _in_words(messages: Iterable[Message]) -> Iterator[Message]:
    """The conversation with its calls and results told in words."""
    names: dict[str, str] = {}
    for message in messages:
        if not message.calls and not message.results:
            yield message
            continue
        names |= {call.id: call.name for call in message.calls}
        answers = (f"[{names[result.call]} answered:]\n{result.text or NOTHING}" for result in message.results)
        calls = (f"[I called {call.name} with {call.arguments or '{}'}]" for call in message.calls)
        text = "\n\n".join(filter(str.strip, (*answers, message.text, *calls)))
        yield Message(role=message.role, text=text)

"""What comes from a plugin's process: bounded, cleaned and made into values here. All else is the plugin's fault."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from treadle.core import errors, wire
from treadle.core.errors import PluginFault, Signalled
from treadle.core.hook_types import hook_types
from treadle.core.hooks import API_VERSION
from treadle.core.plugin_check import answered_twice
from treadle.core.plugin_worker import messages
from treadle.core.plugin_worker.measuring import MOST_VALUES, TooLarge, check
from treadle.core.plugin_worker.messages import MOST_TOLD, Raised, Ready
from treadle.core.wall import is_its_own_to_say

MOST_PLAIN = 16 << 20
"""Bytes of an answer that may be any plain value."""
MOST_WORDS = 4 << 20
"""Bytes of an answer that is words alone."""
MOST_TEXTS = 20
"""Errors, or warnings, that a plugin may say of itself at its start."""
MOST_TEXT = 4_000
"""Characters of what it says to people."""
MOST_TRACE = 20_000
"""Characters of a traceback, its end."""
# Bytes of the answers that hold no files, or small ones.
_MOST = {
    "treadle_settings": MOST_TOLD,
    "treadle_contributions": MOST_TOLD,
    "treadle_call": MOST_PLAIN,
    "treadle_plan": MOST_PLAIN,
    **dict.fromkeys(("treadle_recall", "treadle_lessons", "treadle_reflect", "treadle_approve"), MOST_WORDS),
    **dict.fromkeys(("treadle_scan", "treadle_validate"), MOST_WORDS),
}
_NONSENSE = (msgspec.MsgspecError, ValueError, TypeError, OverflowError, RecursionError, MemoryError)
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})  # categories of characters that move the cursor, or the text


def ready_of(message: object) -> Ready:
    """What a process says of its plugin. Raises `PluginFault` when that can't be used; not for one that could not be
    loaded, which says so itself."""
    if not isinstance(message, Ready) or message.protocol != messages.PROTOCOL or message.api_version != API_VERSION:
        raise PluginFault("it speaks another version of the protocol; reinstall it for this version of Treadle")
    try:
        unpack(message.needs, Any, most=MOST_TOLD)
    except _NONSENSE as error:
        raise PluginFault(f"its needs can't be understood: {fit(str(error))}") from None
    for twice in answered_twice((hook.hook, hook.name, hook.wrapper) for hook in message.hooks):
        if not message.errors:  # an honest process says so itself
            raise PluginFault(fit(twice))
    return msgspec.structs.replace(
        message,
        errors=_fit_all(message.errors),
        warnings=_fit_all(message.warnings),
        incompatible=fit(message.incompatible),
        failed=fit(message.failed),
        trace=fit_trace(message.trace),
    )


def answer_of(hook: str, answer: msgspec.Raw) -> Any:
    """The value that a hook was answered with. Raises `PluginFault` for one that is not of its type, or too large."""
    kind = hook_types()[hook].answer
    if kind is type(None):
        return None
    try:
        return unpack(answer, kind | None, most=_MOST.get(hook, messages.MOST))
    except TooLarge as error:
        raise PluginFault(f"{hook} answered with {error}") from None
    except _NONSENSE as error:
        raise PluginFault(f"{hook} answered with what can't be understood: {fit(str(error))}") from None


def unpack(said: msgspec.Raw, kind: Any, *, most: int = messages.MOST, most_values: int = MOST_VALUES) -> Any:
    """The value of that type, of up to `most` bytes. Raises as `measuring.check`, and for what does not fit as
    `wire.unpack`."""
    data = memoryview(said)
    if len(data) > most:
        raise TooLarge(f"{len(data) >> 10} kB, and {most >> 10} kB are the most")
    # Also where only one type is due: what is of another is made into values before it is refused.
    check(data, most_values)
    return wire.unpack(said, kind)


def error_of(hook: str, raised: Raised, signals: Mapping[str, Signalled]) -> Exception:
    """What the plugin raised, as an error that may go through the wall or is a `PluginFault`. `signals` are what the
    session said in this call, by their kinds; it hands them on as they were said."""
    if raised.kind in signals:
        return signals[raised.kind]
    text, trace = fit(raised.text), fit_trace(raised.trace)
    kind = getattr(errors, raised.kind, None)
    if not isinstance(kind, type) or not issubclass(kind, Signalled):
        return PluginFault(text, trace)
    own = kind(text)
    if is_its_own_to_say(hook, own):
        return own
    why = f": {text}" if text.strip() else ""
    return PluginFault(f"it raised {kind.__name__}, which only its context can{why}", trace)


def fit(text: str) -> str:
    """Its beginning, with what can't be seen or sent written out."""
    return _seen(text[:MOST_TEXT])


def fit_trace(text: str) -> str:
    """Its end, likewise."""
    return _seen(text[-MOST_TRACE:])


def _fit_all(texts: Iterable[str]) -> tuple[str, ...]:
    """The first of them."""
    each = tuple(texts)
    more = (f"and {len(each) - MOST_TEXTS} more",) if len(each) > MOST_TEXTS else ()
    return (*map(fit, each[:MOST_TEXTS]), *more)


def _seen(text: str) -> str:
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return "".join(
        each.encode("unicode_escape").decode() if unicodedata.category(each) in _UNSEEN and each not in "\n\t" else each
        for each in text
    )

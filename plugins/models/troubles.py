"""What goes wrong with any service of models, by its status, and what a person can do about it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from treadle.core.models.messages import Trouble

_BY_STATUS: Mapping[int, Trouble] = {
    401: "refused",
    402: "refused",
    403: "refused",
    404: "unknown model",
    408: "broken",
    409: "busy",
    413: "too long",
    429: "busy",
    503: "busy",
    529: "busy",
}
_ADVICE: Mapping[Trouble, str] = {
    "busy": "wait a little and try again",
    "broken": "try again",
    "unknown model": "`treadle models` lists the models that there are",
    "too long": "give fewer or smaller files, or choose a model with a larger context",
    "bad request": "choose another model, or change what is asked of it",
}
_OF_A_MODEL = re.compile(r"\bmodel_\w+|\bmodel\b(?!\.\w)|\bspecified resource\b|\bclaude-", re.IGNORECASE)
"""`model.request` is a scope of OpenAI's keys; Anthropic calls a model a resource."""
_LONG_S = 366 * 86_400
_SAMPLING = re.compile(r"\b(?:temperature|top_p)\b")


def trouble_of(status: int, *others: int) -> Trouble:
    """What a status of HTTP means where nothing else is said; 0: there is none. `others` are statuses that the error
    names besides its own, which count where its own means nothing by itself."""
    found = (_BY_STATUS[each] for each in (status, *others) if each in _BY_STATUS)
    return next(found, "bad request" if 400 <= status < 500 else "broken")


def is_of_a_model(status: int, words: str) -> bool:
    """Whether access is denied to one model, not to the service, which has others for this key. `words` are the error's
    code and message. LiteLLM says so with a 401."""
    return status in (401, 403) and bool(_OF_A_MODEL.search(words))


def is_or_wraps(error: BaseException, kind: type[BaseException]) -> bool:
    """Whether it is an error of that kind, or one of an SDK around it."""
    return isinstance(error, kind) or isinstance(error.__cause__, kind)


def advice_on(trouble: Trouble, said: str, after_s: float | None = None) -> str:
    """What to do, where that is the same for every service: not for what is `refused` and what is `unreachable`.
    `said` is what the service says of it, `after_s` the seconds that it asks to be left alone."""
    if trouble == "bad request" and _SAMPLING.search(said):
        return "unset the temperature and the top_p of this role, which this model does not take"
    if after_s and _ADVICE[trouble].endswith("try again"):
        return f"it asks to be left alone for {in_words(after_s)}; try again after that"
    return _ADVICE[trouble]


OF_A_NETWORK = "or log in to the network, where that is what answers"
"""What else to do about a web page."""


class WebPage(Exception):
    """What came is a page to be read by people: at this address there is no service of models."""


def refuse_web_page(content_type: str) -> None:
    """Raise `WebPage` where an answer is one."""
    if content_type.partition(";")[0].strip().lower() in ("text/html", "application/xhtml+xml"):
        raise WebPage


def in_words(seconds: float) -> str:
    """About how long, in the unit in which a person would say it; not too short."""
    for size, unit in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{math.ceil(seconds / size)} {unit}" if seconds < _LONG_S else "more than a year"
    return f"{math.ceil(seconds)} s"


def advice_on_access(key: str) -> str:
    """What to do where that key may not use this model."""
    return f"choose another model, or check whether {key} may use this one"


def advice_on_key(key: str) -> str:
    """What to do where it is `refused`; `key` says which key it is that is to be looked at."""
    return f"check {key}, what it may do, and what is left on its account"

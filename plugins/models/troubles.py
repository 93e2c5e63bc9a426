"""What goes wrong with any service of models, by its status, and what a person can do about it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from treadle.core.durations import in_words
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
    "bad call": "try again, or choose another model",
    "unknown model": "`treadle models` lists the models that there are",
    "too long": "give fewer or smaller files, or choose a model with a larger context",
    "bad request": "choose another model, or change what is asked of it",
}
_DENIED_MODEL = re.compile(
    r"\bmodel_not_found\b|\bmodel_permission_|model_access_denied\b"
    r"|\bspecified resource\b|\baccess to (?:\w+ )?model\b",
    re.IGNORECASE,
)
"""Codes and words that say by themselves that a model is denied. Anthropic calls one a resource."""
_MODEL = re.compile(r"\bmodel\b(?!\.\w)|\bclaude-", re.IGNORECASE)
"""`model.request` is a scope of OpenAI's keys."""
_DENIED = re.compile(
    r"(?:\bno|(?:\bnot|n't) have|\bwithout|\black of) (?:\w+ )?(?:access|permission)\b|\baccess denied\b"
    r"|\b(?:may not|can ?not|can't) (?:use|access)\b|\bis blocked\b|\bmust be verified\b"
    r"|(?:\bnot|n't) (?:allowed|authori[sz]ed|permitted|entitled|enabled|available)\b"
    r"|\brequires (?:an? )?(?:\w+ )?(?:subscription|plan)\b",
    re.IGNORECASE,
)
_OF_WHO_ASKS = re.compile(
    r"\b(?:provide|without|no|valid|invalid|incorrect|wrong|missing|expired) (?:\w+ ){0,3}key\b"
    r"|\bexceeded\b|\bmoderation\b|\bflagged\b",
    re.IGNORECASE,
)
"""What is wrong with the key, its limits, or what was written; a model is only mentioned."""
_SENTENCE_END = re.compile(r"[.!?;]\s")
_SAMPLING = re.compile(r"\b(?:temperature|top_p)\b")


def trouble_of(status: int, *others: int) -> Trouble:
    """What a status of HTTP means where nothing else is said; 0: there is none. `others` are statuses that the error
    names besides its own, which count where its own means nothing by itself."""
    found = (_BY_STATUS[each] for each in (status, *others) if each in _BY_STATUS)
    return next(found, "bad request" if 400 <= status < 500 else "broken")


def is_of_a_model(status: int, words: str) -> bool:
    """Whether access is denied to one model, not to the service, which has others for this key. `words` are the error's
    code and message. LiteLLM says so with a 401."""
    if status not in (401, 403) or _OF_WHO_ASKS.search(words):
        return False
    return bool(_DENIED_MODEL.search(words)) or any(
        _MODEL.search(sentence) and _DENIED.search(sentence) for sentence in _SENTENCE_END.split(words)
    )


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


def advice_on_access(key: str) -> str:
    """What to do where that key may not use this model."""
    return f"choose another model, or check whether {key} may use this one"


def advice_on_key(key: str) -> str:
    """What to do where it is `refused`; `key` says which key it is that is to be looked at."""
    return f"check {key}, what it may do, and what is left on its account"

"""Whether what is told of the tokens of a request can be: by how long the request is, and how long the reply may be.

Services tell anything: less than nothing, and more than there is money in the world. What can't be is not believed, and
counts as not told, so that it is estimated; what a service may sensibly mean is never doubted, so the bounds are wide.
"""

from __future__ import annotations

from treadle.core.models.messages import ModelReply, Usage

TIMES, BESIDE = 10, 20_000
"""A prompt has at most so many times the tokens that are estimated, and so many besides: what a service adds to it."""
REPLY_TIMES, REASONING = 4, 64_000
"""A reply has at most so many times the tokens that it may have, and so many of reasoning that are counted beside."""
PART_TIMES = 6
"""A part of an answer has at most so many times the tokens that the whole may have: they are rather too many."""
TENTH = 10
"""No text has so many times fewer tokens than are estimated."""


def believed(usage: Usage | None, reply: ModelReply, *, prompt: int, most: int) -> Usage | None:
    """The usage, None where it is not told or can't be. `prompt` are the tokens of the request as they are estimated,
    `most` those that its reply may have."""
    if usage is None or min(usage.input, usage.output, usage.cache_read, usage.cache_written) < 0:
        return None
    read = usage.input + usage.cache_read + usage.cache_written
    if not 0 < read <= TIMES * prompt + BESIDE or usage.output > REPLY_TIMES * most + REASONING:
        return None
    says_something = bool(reply.text or reply.thinking or reply.calls)
    return None if says_something and not usage.output else usage


def believed_part(written: int, *, most: int) -> int:
    """The tokens of an answer that broke off, as they are estimated from what had come of it."""
    return min(max(0, written), PART_TIMES * most + REASONING)


def believed_count(counted: int | None, *, prompt: int) -> int | None:
    """The tokens of a request as its service has counted them ahead, None where it has not, or they can't be so
    many."""
    if counted is None or counted <= 0:
        return None
    return counted if prompt <= TENTH * counted and counted <= TIMES * prompt + BESIDE else None

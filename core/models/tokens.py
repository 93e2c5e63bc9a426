"""How many tokens a text is, roughly."""

from __future__ import annotations

import msgspec

from treadle.core.models.messages import ModelRequest


def estimate(text: str) -> int:
    """Tokens of the text where nobody counts them: a third of its bytes in UTF-8, rounded up; rather too many."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // 3)


def estimate_request(request: ModelRequest) -> int:
    """The tokens of what is sent, roughly and rather too many: of all its texts as JSON."""
    return estimate(msgspec.json.encode((request.system, request.messages, request.tools)).decode())

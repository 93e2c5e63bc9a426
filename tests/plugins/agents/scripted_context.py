"""A context in which a model says what the test has it say."""

from __future__ import annotations

from tests.bare_context import BareContext
from treadle.core.models.messages import ModelReply, ModelRequest


class ScriptedContext(BareContext):
    """`replies` are said in their order, an error among them is raised; `heard` is what was asked."""

    def __init__(self, *replies: ModelReply | Exception, settings: dict[str, object] | None = None) -> None:
        super().__init__(settings)
        self._left = list(replies)
        self.heard: list[ModelRequest] = []

    def complete(self, request: ModelRequest) -> ModelReply:
        self.heard.append(request)
        assert self._left, f"the model was asked once too often: {request.messages[-1]}"
        reply = self._left.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply

    @property
    def told(self) -> str:
        """What the model was told last."""
        return self.heard[-1].messages[-1].text

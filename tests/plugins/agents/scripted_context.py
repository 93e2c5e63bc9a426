"""A context in which a model says what the test has it say, and requests that are made by hand."""

from __future__ import annotations

from tests.bare_context import BareContext, OwnFolder
from tests.plugins.agents.workplace import Workplace
from treadle.core.models.messages import ModelReply, ModelRequest
from treadle.core.records import Attempt, Candidate, FileChange, GenerateRequest, Plan, Question, Rung, Verdict


class ScriptedContext(OwnFolder, BareContext):
    """`replies` are said in their order, an error among them is raised; `heard` is what was asked. `answers` are the
    person's to `questions`."""

    def __init__(
        self,
        *replies: ModelReply | Exception,
        settings: dict[str, object] | None = None,
        answers: tuple[str, ...] = (),
    ) -> None:
        super().__init__(settings)
        self._left = list(replies)
        self._answers = list(answers)
        self.heard: list[ModelRequest] = []
        self.questions: list[Question] = []

    def ask(self, question: Question) -> str:
        self.questions.append(question)
        return self._answers.pop(0) if self._answers else super().ask(question)

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


def request(place: Workplace, *attempts: Attempt, rung: Rung = "generate") -> GenerateRequest:
    plan = Plan(steps=("x",), checks=())
    return GenerateRequest(
        task=place.task, plan=plan, workspace=place.workspace, baseline=(), lessons=(), attempts=attempts, rung=rung
    )


def tried(*files: FileChange) -> Attempt:
    return Attempt(number=1, candidate=Candidate(files=files, why="as asked"), verdict=Verdict(state="failed"))


def words(text: str) -> ModelReply:
    return ModelReply(text=text)

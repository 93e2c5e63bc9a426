"""What a plugin can do: the protocol behind every hook's `context` argument.

Each method takes and gives records or plain values only, so that each is one frame on the wire when the plugin lives
in another process. `core.session_context` implements it for plugins in this process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol

from treadle.core.models.messages import ModelReply, ModelRequest
from treadle.core.records import Execution, Job, Question

if TYPE_CHECKING:
    from treadle.core.contributions import Contribution


class Context(Protocol):
    """Given to every hook call; of no use once the call has ended."""

    def emit(self, kind: str, data: dict[str, object]) -> None:
        """Log an event of this plugin's own (`plugin.NAME.KIND`); plain values only."""

    def note(self, text: str) -> None:
        """Say something that the person should read in the result, in a sentence."""

    def progress(self, done: int, total: int | None, text: str) -> None:
        """Show how far a long piece of work has come. Shown, never logged."""

    def delta(self, text: str, thinking: bool) -> None:
        """For a provider: show what its model says while it says it. Shown, never logged."""

    def cancelled(self) -> bool:
        """True once the session should stop or the stage is out of time; long work asks often and then returns."""

    def execute(self, jobs: tuple[Job, ...]) -> tuple[Execution, ...]:
        """Run jobs in the sandbox, one Execution for each, in order. What a job of a plugin in a process of its own may
        use is cut to the session's limits. Raises `Stopped` when the session was asked to stop, `BudgetExceeded` when a
        budget does not allow them, `NoPlugin` when no executor is enabled, and `SafetyRefusal` when the sandbox refuses
        one of them. Let these pass."""

    def complete(self, request: ModelRequest) -> ModelReply:
        """Ask a language model: the one that is meant for the request's role, and another when it fails. Raises
        `NoModel`, which is a `NoPlugin`, when there is none or none answers, and `BudgetExceeded` before a call that
        would pass a budget."""

    def contributions(self, kind: str) -> tuple[Contribution, ...]:
        """What the plugins that are on bring of a kind (`operator`, say), in the order in which they are asked. Raises
        `UsageError` for a kind that there is not."""

    def call(self, kind: str, name: str, arguments: dict[str, object]) -> object:
        """Run what a plugin brings (`treadle_call` says what each kind takes), and answer with plain values; None when
        its plugin was at fault. Raises `NoPlugin` when nobody brings it, and `UsageError` for arguments that
        it does not take. A plugin in a process of its own can run what
        it brings itself, operators and scan rules; with those of others it could do what only they may."""

    def ask(self, question: Question) -> str:
        """The person's answer, one of `question.options`. Without one the session rests: `NeedsPerson` is raised, and
        when the answer has come, the stage is run again and this call returns it. Let the exception pass."""

    def settings(self) -> dict[str, object]:
        """This plugin's settings (`treadle_settings`) as the person has set them."""

    def folder(self, scope: Literal["project", "session"]) -> str:
        """A folder of this plugin's own outside of the project, which exists: kept from session to session of this
        project, or as long as this session is kept."""

    def log(self, level: str, message: str, **fields: object) -> None:
        """A line in the structured log; never secrets."""

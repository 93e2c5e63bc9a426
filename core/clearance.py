"""Whether a candidate with concerns may run: the plugins' say first, then the setting `approval`, then what the person
has allowed before, then the person."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from treadle.core import allowances, approval
from treadle.core.concerns import said
from treadle.core.events import held
from treadle.core.excerpts import Excerpts
from treadle.core.journal import Journal
from treadle.core.questions import words_of
from treadle.core.records import Approval, Concern, Question, Verdict
from treadle.core.screening import Screening
from treadle.core.strategy import not_approved


@dataclass(frozen=True)
class Clearance:
    """For one step of the loop. `key` is the key of its question in the journal, `excerpts` are of the candidate;
    `approve` asks the plugins, `put` the person (`NeedsPerson` until they have answered)."""

    journal: Journal
    screening: Screening
    key: str
    excerpts: Excerpts
    approve: Callable[[Question], tuple[Approval, ...]]
    put: Callable[[Question, str], str]

    def refusal(self, concerns: tuple[Concern, ...], *, by_model: bool) -> Verdict | None:
        """Why it may not run, None when it may."""
        says = self.approve(approval.run_question(concerns, self.excerpts))
        if any(each.say == "deny" for each in says):
            return not_approved(tuple(map(said, concerns)))
        objects = any(each.say == "ask" for each in says)
        if self.is_denied:  # by whatever settings they were asked
            return not_approved(self._details(concerns), words_of(self.journal.answered(self.key)))
        if approval.settles_itself(self.screening.mode, by_model=by_model) and not objects:
            return None
        may_last = self.screening.heeds_allowances and not objects
        concerns = self._not_allowed_before(concerns) if may_last else concerns
        if not concerns:
            return None
        return self._asked(approval.run_question(concerns, self.excerpts, may_last=may_last))

    @property
    def is_denied(self) -> bool:
        """Whether the person has denied it."""
        answered = self.journal.answered(self.key)
        return answered is not None and answered.data["answer"] == allowances.DENY

    def _details(self, concerns: tuple[Concern, ...]) -> tuple[str, ...]:
        """What they were asked about; in a replay, what they would be."""
        asked = self.journal.find("question.asked", self.key)
        question: Question | None = held(asked, "question", Question) if asked is not None else None
        return question.details if question is not None else tuple(map(said, concerns))

    def _asked(self, question: Question) -> Verdict | None:
        answer = self.put(question, self.key)
        if answer in (allowances.ALLOW, allowances.IN_SESSION, allowances.ALWAYS):
            return None
        return not_approved(question.details, words_of(self.journal.answered(self.key)))

    def _not_allowed_before(self, concerns: tuple[Concern, ...]) -> tuple[Concern, ...]:
        """The concerns that are to be asked about. What was decided in an earlier run of the session, or has been asked
        since, stays as it is, whatever the person has allowed or taken back meanwhile."""
        logged = self.journal.said(allowances.EVENT, self.key)
        if logged is not None:
            return allowances.left(concerns, allowances.of_event(logged))
        if self.journal.find("question.asked", self.key) or self.journal.answered(self.key):
            return concerns
        passed = self.screening.passed(concerns, self.journal)
        allowances.log(self.journal, self.key, passed)
        return allowances.left(concerns, passed)

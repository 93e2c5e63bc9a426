"""reflect: what the latest attempt shows, in plain words, and what to do next."""

from __future__ import annotations

from treadle.core.authorship import GIVEN, JUDGED_BY_MODELS
from treadle.core.hooks import hookimpl
from treadle.core.packages import undeclared
from treadle.core.records import Attempt, Finding, Reflection, Signal

_SHOWN = 5
"""Findings and details named; the rest are counted."""


@hookimpl
def treadle_reflect(attempts: tuple[Attempt, ...]) -> Reflection | None:
    """Judged by the latest attempt's findings and signals, and by whether it was new."""
    return reflect(attempts) if attempts else None


def reflect(attempts: tuple[Attempt, ...]) -> Reflection:
    """The reflection on the last of the attempts.

    Given code is judged once. A candidate that was there before ends it: more of the same will come. What made tests
    better without making anything worse is worth repairing, and so is what only models' judgements (a review, tests
    that one wrote) speak against; everything else calls for another way.
    """
    last = attempts[-1]
    wrong = what_was_wrong(last)
    if last.candidate.remedy == GIVEN:
        return Reflection(wrong=wrong, advice="Change the given code and check it again.", next="give up")
    if any(earlier.candidate.files == last.candidate.files for earlier in attempts[:-1]):
        came = "The same change" if last.candidate.files else "Nothing"
        advice = f"{came} came of it a second time: say more exactly what is wanted, or have another model try."
        return Reflection(wrong=wrong, advice=advice, next="give up")
    if last.verdict.state == "denied":
        return Reflection(wrong=wrong, advice=_advice_on_findings(last.findings), next="another")
    if last.candidate.rank is None:
        # Somebody wrote it, who can read what fails: they go on from it as long as the ladder says so.
        missing = undeclared.advice(undeclared.not_found(last.candidate.files, _printed(last)))
        return Reflection(wrong=wrong, advice=missing or "Mend what fails, and keep what holds.", next="repair")
    if only_models_object(last):
        advice = "The project's own checks hold: keep the change, and mend what a model says against it."
        return Reflection(wrong=wrong, advice=advice, next="repair")
    if helps(last):
        advice = "The change helps without harming: keep it, and mend what still fails."
        return Reflection(wrong=wrong, advice=advice, next="repair")
    if _worse(last):
        advice = "The change breaks what worked: leave it, and look for the fault in another place."
        return Reflection(wrong=wrong, advice=advice, next="another")
    return Reflection(wrong=wrong, advice="The change makes no difference: look in another place.", next="another")


def helps(attempt: Attempt) -> bool:
    """Whether the attempt failed, and made something better and nothing worse."""
    signals = attempt.signals
    return any(not s.ok for s in signals) and any(s.better for s in signals) and not _worse(attempt)


def only_models_object(attempt: Attempt) -> bool:
    """Whether it failed by nothing but the judgement of models: a review, or tests that one wrote."""
    deciding = [signal for signal in attempt.signals if not signal.ok and signal.summary in attempt.verdict.reasons]
    return bool(deciding) and all(signal.kind in JUDGED_BY_MODELS for signal in deciding)


def _worse(attempt: Attempt) -> int:
    return sum(signal.worse for signal in attempt.signals if signal.kind not in JUDGED_BY_MODELS)


def what_was_wrong(attempt: Attempt) -> str:
    """What spoke against the attempt: findings that denied it, signals, else the verdict's own reasons."""
    if attempt.verdict.state == "denied":
        denying = tuple(f for f in attempt.findings if f.severity == "deny") or attempt.findings
        if denying:
            return "The change was denied: " + _listed(tuple(f"{_place(f)}: {f.message} ({f.rule})" for f in denying))
    against = tuple(_said(signal) for signal in attempt.signals if not signal.ok)
    if against:
        return "\n".join(against)
    ends = tuple(f"{e.job}: {e.verdict}, {e.message or f'exit code {e.exit_code}'}" for e in attempt.executions)
    return _listed(attempt.verdict.reasons or ends) or "nothing says what was wrong"


def _printed(attempt: Attempt) -> str:
    """What its runs and its judges have said."""
    said = (detail for signal in attempt.signals for detail in signal.details)
    return "\n".join((*said, *(f"{run.stdout.text}\n{run.stderr.text}" for run in attempt.executions)))


def _said(signal: Signal) -> str:
    details = _listed(signal.details)
    return f"{signal.kind}: {signal.summary}" + (f": {details}" if details else "")


def _advice_on_findings(findings: tuple[Finding, ...]) -> str:
    advice = tuple(dict.fromkeys(f.advice for f in findings if f.severity == "deny" and f.advice))
    return _listed(advice) or "Reach the same without what was denied."


def _place(finding: Finding) -> str:
    return f"{finding.path}:{finding.line}" if finding.line else finding.path


def _listed(parts: tuple[str, ...]) -> str:
    shown = "; ".join(parts[:_SHOWN])
    return shown + (f"; and {len(parts) - _SHOWN} more" if len(parts) > _SHOWN else "")

"""The settings of budgets: what one session may use up, and what all of them together in a day and in a month."""

from __future__ import annotations

from typing import Annotated

from treadle.core.config.key import key
from treadle.core.records import Record


class PeriodBudget(Record, frozen=True, kw_only=True):
    """What all sessions of this person may use up in a day of theirs, or in a month of the calendar."""

    usd: Annotated[float, key("US dollars that models may cost in the period.", "lower", ge=0)]
    tokens: Annotated[int, key("Tokens, read and written, of models in the period.", "lower", ge=0)]
    calls: Annotated[int, key("Requests to models in the period.", "lower", ge=0)]
    model_s: Annotated[float, key("Seconds that models may take to answer in the period.", "lower", ge=0)]
    sessions: Annotated[int, key("Sessions with a model that are begun in the period.", "lower", ge=0)]
    executions: Annotated[int, key("How often code that a model wrote is run in the period.", "lower", ge=0)]


A_DAY = PeriodBudget(usd=20.0, tokens=10_000_000, calls=2_000, model_s=14_400.0, sessions=100, executions=100)
A_MONTH = PeriodBudget(usd=200.0, tokens=100_000_000, calls=20_000, model_s=144_000.0, sessions=1_000, executions=1_000)


class BudgetSettings(Record, frozen=True, kw_only=True):
    """What a session may use up."""

    wall_s: Annotated[
        float, key("Seconds that a session may work, waiting for a person not counted.", "lower", gt=0)
    ] = 900.0
    jobs: Annotated[int, key("Sandboxed jobs that a session may run.", "lower", ge=0)] = 20000
    usd: Annotated[float, key("US dollars that models may cost in a session.", "lower", ge=0)] = 5.0
    tokens: Annotated[int, key("Tokens, read and written, of models in a session.", "lower", ge=0)] = 2_000_000
    calls: Annotated[int, key("Requests to models in a session.", "lower", ge=0)] = 400
    executions: Annotated[int, key("How often a session runs code that a model wrote.", "lower", ge=0)] = 100
    day: PeriodBudget = A_DAY
    month: PeriodBudget = A_MONTH

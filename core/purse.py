"""What one session spends, held against the budgets; who comes near the end of one is warned, once for each."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from treadle.core.store.spending import Amounts, Level


class Ledger(Protocol):
    """What a purse is held against; `core.store.spending.Spending` is one."""

    def fits(self, key: str, amounts: Amounts) -> bool: ...

    def left(self, what: str) -> float | None: ...

    def reserve(self, key: str, amounts: Amounts) -> tuple[Level, ...]: ...

    def settle(self, key: str, amounts: Amounts) -> None: ...

    def is_news(self, level: Level) -> bool: ...

    def close(self) -> None: ...


class NoLedger:
    """Of a replay, which asks nobody and takes nothing from what other sessions may use: where a budget ended something
    in the session that it replays, it hears of that, and what is used up since has no say in it."""

    def fits(self, key: str, amounts: Amounts) -> bool:
        return True

    def left(self, what: str) -> float | None:
        return None

    def reserve(self, key: str, amounts: Amounts) -> tuple[Level, ...]:
        return ()

    def settle(self, key: str, amounts: Amounts) -> None:
        pass

    def is_news(self, level: Level) -> bool:
        return False

    def close(self) -> None:
        pass


class Purse:
    """The ledger in the name of one session. `log` is told what the person should see, as a kind of event and its
    data."""

    def __init__(self, spending: Ledger, log: Callable[[str, dict[str, Any]], object]) -> None:
        self._spending = spending
        self._log = log
        self._warned: set[str] = set()
        self._lock = threading.Lock()

    def fits(self, key: str, amounts: Amounts) -> bool:
        """Whether this much would pass no budget."""
        return self._spending.fits(key, amounts)

    def left(self, what: str) -> float | None:
        """How much of it is left, None where no budget bounds it."""
        return self._spending.left(what)

    def reserve(self, key: str, amounts: Amounts) -> None:
        """Set this much aside before it is used. Raises `BudgetExceeded` when a budget would be passed."""
        for level in self._spending.reserve(key, amounts):
            self.warn(level)

    def warn(self, level: Level) -> None:
        """Tell the person how far this budget is used up, unless they know already that it is near its end; of one
        of all sessions, they may know it from another one today."""
        with self._lock:
            is_known = level.key in self._warned
            self._warned.add(level.key)
        if not is_known and (level.scope == "session" or self._spending.is_news(level)):
            self._log("budget.warned", {**msgspec.to_builtins(level), "text": level.warning})

    def settle(self, key: str, amounts: Amounts) -> None:
        """What was set aside under this key has come to this much."""
        self._spending.settle(key, amounts)

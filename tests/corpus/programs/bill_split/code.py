"""Who owes whom after a journey on which everybody paid now and then."""

from collections import defaultdict
from typing import NamedTuple


class Transfer(NamedTuple):
    """Cents that one gives another."""

    giver: str
    taker: str
    cents: int


def split_evenly(cents: int, people: int) -> list[int]:
    """Parts as equal as they can be, the larger ones first; ValueError without people."""
    if people < 1:
        raise ValueError("nobody to split among")
    part, rest = divmod(cents, people)
    return [part + 1] * rest + [part] * (people - rest)


class Ledger:
    """Expenses in cents and what follows from them."""

    def __init__(self) -> None:
        self._balance: dict[str, int] = defaultdict(int)

    def expense(self, payer: str, cents: int, *people: str) -> None:
        """The payer paid for some people, among whom they may be themselves."""
        for person, part in zip(sorted(people), split_evenly(cents, len(people)), strict=True):
            self._balance[person] -= part
        self._balance[payer] += cents

    def balances(self) -> dict[str, int]:
        """What each gets (positive) or owes (negative), by name."""
        return dict(sorted(self._balance.items()))

    def settle(self) -> list[Transfer]:
        """Transfers after which nobody owes anything: always from the largest debt to the largest claim."""
        open_sums = {name: cents for name, cents in self.balances().items() if cents}
        transfers = []
        while open_sums:
            giver = min(open_sums, key=lambda name: (open_sums[name], name))
            taker = max(open_sums, key=lambda name: open_sums[name])
            cents = min(-open_sums[giver], open_sums[taker])
            transfers.append(Transfer(giver, taker, cents))
            for name, change in ((giver, cents), (taker, -cents)):
                open_sums[name] += change
                if open_sums[name] == 0:
                    del open_sums[name]
        return transfers


def tip(cents: int, percent: int, step: int = 50) -> int:
    """The bill with a tip, rounded up to a step."""
    with_tip = -(-cents * (100 + percent) // 100)
    return -(-with_tip // step) * step

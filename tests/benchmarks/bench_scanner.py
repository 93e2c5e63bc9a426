"""How well the scanner tells hostile from benign code, on labelled snippets (`tests/scanning/labelled`).

Run it as `python -m tests.benchmarks.bench_scanner [-v]`. It prints the figures of the set that the rules were mended
by, and of the one that was written afterwards, with the names of what is missed or asked about without need; with `-v`
also what is said about each of those. It ends with 1 when a bound is not held.
"""

from __future__ import annotations

import sys

from tests.scanning.labelled_set import Figures, Snippet, benign, figures, hostile, judge, unseen

RECALL, FALSE_ASK = 0.95, 0.05


def is_within(found: Figures) -> bool:
    """Whether the bounds are held: recall, no false deny, few false asks."""
    return found.recall >= RECALL and not found.denied and found.false_ask <= FALSE_ASK


def table(title: str, found: Figures) -> str:
    """The figures as lines of text."""
    return "\n".join(
        (
            f"{title}: {found.hostile} hostile, {found.benign} benign",
            f"  recall      {found.recall:7.1%}  (at least {RECALL:.0%})  missed: {_names(found.missed)}",
            f"  named       {found.named:7.1%}  by another rule: {_names(found.named_otherwise)}",
            f"  false deny  {len(found.denied) / found.benign:7.1%}  (none)  {_names(found.denied)}",
            f"  false ask   {found.false_ask:7.1%}  (at most {FALSE_ASK:.0%})  {_names(found.asked)}",
        )
    )


def _names(names: list[str]) -> str:
    return ", ".join(names) or "-"


def _say(snippets: list[Snippet], names: set[str]) -> None:
    for snippet in snippets:
        if snippet.name in names:
            judged = judge(snippet)
            print(f"    {snippet.name} ({', '.join(snippet.rules) or 'benign'}):")
            for each in (*judged.own, *judged.bandit):
                print(f"      {each.severity} {each.rule}, line {each.line}: {each.message}")


def main(arguments: list[str]) -> int:
    """Measure both sets. 1: a bound is not held."""
    well = True
    for title, (bad, good) in {"by which it was mended": (hostile(), benign()), "unseen": unseen()}.items():
        found = figures(bad, good)
        print(table(title, found))
        if "-v" in arguments:
            _say([*bad, *good], {*found.missed, *found.named_otherwise, *found.denied, *found.asked})
        well = well and is_within(found)
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

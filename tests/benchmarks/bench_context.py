"""What a model is shown, against all that there is: tokens, what is left out, and whether the right file is there.

Run it from the root with `python -m tests.benchmarks.bench_context`. For each of the 12 tasks of `context_tasks.py`
there are two requests: the first one, and one after ten files have been read. The naive one holds the prompt, all files
whole, the code of all skills, and the conversation as it was; ours is what Treadle sends: the prompt, the map of the
project, the tools, and the conversation with its old results folded. Tokens are bytes / 3. Then: how often the right
file is found, for other tasks as well, and for other ways of weighing imports. Seconds are of the processor.
"""

from __future__ import annotations

import json
import math
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from tests.bare_context import BareContext
from tests.benchmarks.context_tasks import TASKS, TASKS_TO_CHOOSE_BY, Sought, copied
from treadle import skills
from treadle.core.models.messages import Message, ToolCall
from treadle.core.models.tokens import estimate
from treadle.core.records import Task, Workspace
from treadle.core.tree.workspace import Tree
from treadle.plugins.agents.draft import Draft
from treadle.plugins.agents.folding import folded
from treadle.plugins.agents.opening import MAP_TOKENS, opening
from treadle.plugins.agents.prompts import prompt
from treadle.plugins.agents.repository import ranking
from treadle.plugins.agents.repository.repository_map import RepositoryMap, repository_map
from treadle.plugins.agents.tools.tool import Desk
from treadle.plugins.agents.tools.toolbox import Toolbox
from treadle.plugins.generation.by_model import TOOLS

READ = 10
"""Files that are read in the conversation, the first of the map."""
GOAL = 80
"""Per cent that a large project must be shown less by."""


@dataclass(frozen=True)
class Figures:
    """Tokens of a task's requests, its map, and where in the ranking the right file is."""

    sought: Sought
    files: int
    naive: tuple[int, int]
    ours: tuple[int, int]
    shown: RepositoryMap
    rank: int
    right: str
    seconds: float


def workspace(root: Path) -> Workspace:
    """The project as it is."""
    return Workspace(id="bench", kind="overlay", project=str(root), root=str(root), upper="")


def right_file(sought: Sought, tree: Tree) -> str | None:
    """The right file in the version of the project that is installed."""
    return next((path for path in sought.right if tree.exists(path)), None)


def measured(sought: Sought, root: Path, right: str) -> Figures:
    """The figures of one task."""
    tree = Tree(workspace(root))
    count = len(tree.files)
    before = time.process_time()
    shown = repository_map(tree, sought.text, budget_tokens=MAP_TOKENS)
    seconds = time.process_time() - before
    task = Task(id="bench", kind="run", project=str(root), python=sys.executable, text=sought.text)
    system = estimate(prompt("coder"))
    everything = sum(map(estimate, ranking.texts_of(tree).values()))
    everything += sum(estimate(skill.code) for skill in skills.catalogue()) + system + estimate(sought.text)
    box = Toolbox(TOOLS)
    told = opening(task, tree)
    fixed = system + estimate(told) + estimate(msgspec.json.encode(box.specs()).decode())
    whole, kept = conversation(box, root, task, shown.shown[:READ])
    order = ranking.ranked(tree, sought.text)
    return Figures(
        sought=sought,
        files=count,
        naive=(everything, everything + whole),
        ours=(fixed, fixed + kept),
        shown=shown,
        rank=order.index(right) + 1,
        right=right,
        seconds=seconds,
    )


def conversation(box: Toolbox, root: Path, task: Task, paths: Iterable[str]) -> tuple[int, int]:
    """Tokens of a conversation in which those files are read, as it was and as it is sent."""
    desk = Desk(draft=Draft(workspace(root)), task=task, checks=(), context=BareContext())
    whole: tuple[Message, ...] = ()
    sent: tuple[Message, ...] = ()
    for path in paths:
        call = ToolCall(id=path, name="read", arguments=json.dumps({"path": path}))
        turn = (Message(role="assistant", calls=(call,)), Message(results=(box.call(call, desk),)))
        whole, sent = whole + turn, folded(sent + turn)
    return tokens(whole), tokens(sent)


def tokens(messages: Iterable[Message]) -> int:
    """Tokens of what the messages hold."""
    texts = ((*(call.arguments for call in m.calls), *(result.text for result in m.results)) for m in messages)
    return sum(estimate(text) for each in texts for text in each)


def less(naive: int, ours: int) -> float:
    """By how many per cent ours is less, rounded down to a tenth."""
    return math.floor(1_000 * (1 - ours / naive)) / 10


def table(figures: Iterable[Figures]) -> Iterator[str]:
    request = f"{'naive':>10} {'ours':>6} {'less':>6}"
    yield f"{'':29} | {'the first request':^24} | {f'after {READ} files':^24} | {'files that are':^22} |"
    yield (
        f"{'size':6} {'project':16} {'files':>5} | {request} | {request} | outlined named counted | "
        f"{'right file at':13} | s"
    )
    for each in figures:
        first, later = (f"{n:>10,} {o:>6,} {less(n, o):>5.1f}%" for n, o in zip(each.naive, each.ours, strict=True))
        where = "outlined" if each.right in each.shown.outlined else "named" if each.right in each.shown.named else "-"
        yield (
            f"{each.sought.size:6} {each.sought.project:16} {each.files:>5} | {first} | {later} | "
            f"{len(each.shown.outlined):>8} {len(each.shown.named):>5} {len(each.shown.left_out):>7} | "
            f"{each.rank:>4} {where:8} | {each.seconds:.2f}"
        )


def misses(figures: Iterable[Figures]) -> Iterator[str]:
    for each in figures:
        if each.right not in each.shown.outlined:
            yield f"  {each.sought.project}: {each.sought.text}"
            yield f"    {each.right} is at place {each.rank}; before it {', '.join(each.shown.outlined[:3])}, ..."


def found(tasks: Iterable[Sought], folder: Path) -> str:
    """How often the right file is found, in one line."""
    ranks = []
    for sought in tasks:
        root = copied(sought.project, folder)
        if root is not None:
            tree = Tree(workspace(root))
            right = right_file(sought, tree)
            if right is not None:
                ranks.append(ranking.ranked(tree, sought.text).index(right) + 1)
    within = ", ".join(f"{sum(rank <= k for rank in ranks)} within {k}" for k in (1, 5, 12))
    return f"of {len(ranks)}: {within}; mean reciprocal rank {statistics.mean(1 / rank for rank in ranks):.2f}"


@contextmanager
def handed_on(share: float) -> Iterator[None]:
    """Another share of its weight that a file hands on."""
    usual, ranking.HANDED_ON = ranking.HANDED_ON, share
    try:
        yield
    finally:
        ranking.HANDED_ON = usual


def main() -> None:
    figures = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for sought in TASKS:
            root = copied(sought.project, folder)
            right = right_file(sought, Tree(workspace(root))) if root else None
            if root is None or right is None:
                print(f"left out: {sought.project} is not installed here, or has none of {', '.join(sought.right)}")
                continue
            figures.append(measured(sought, root, right))
        print(*table(figures), sep="\n")
        large = [less(*pair) for f in figures if f.sought.size == "large" for pair in zip(f.naive, f.ours, strict=True)]
        print(f"\nlarge projects: at least {min(large):.1f} % less (the goal is {GOAL} %)")
        outlined = sum(f.right in f.shown.outlined for f in figures)
        print(f"the right file is among the outlined ones in {outlined} of {len(figures)}; it is missing in")
        print(*misses(figures), sep="\n")
        print("\nwhere the right file is, by the share that is handed on along imports")
        for share in (0.0, ranking.HANDED_ON, 0.5):
            with handed_on(share):
                print(f"{share:.1f}  these tasks  {found(TASKS, folder)}")
                print(f"     others       {found(TASKS_TO_CHOOSE_BY, folder)}")


if __name__ == "__main__":
    main()

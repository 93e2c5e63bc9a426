"""What is going on in a session just now, none of which is logged: progress, and words and output as they come."""

from __future__ import annotations

from dataclasses import dataclass, field

from treadle.core.events import Delta, Printed, Progress

_LAST_WORDS = 4000
"""Characters of what a model is saying that are kept."""

_JOBS_THAT_PRINT = 8


@dataclass
class Now:
    """`done` of `total` (None: nobody knows), in `counted` words; `words` is the end of what a model is saying,
    `characters` how much that was; `printed` is what was told last of each job that prints. `asks`: a model is
    asked."""

    stage: str = ""
    done: int = 0
    total: int | None = None
    counted: str = ""
    words: str = ""
    characters: int = 0
    thinking: bool = False
    asks: bool = False
    printed: dict[str, Printed] = field(default_factory=dict)

    def count(self, progress: Progress, known: int | None) -> None:
        """Take in how far it has come; `known` is the total where that does not say it."""
        self.stage, self.done, self.total = progress.stage, progress.done, progress.total or known
        self.counted = progress.text

    def say(self, delta: Delta) -> None:
        """Take in what a model says."""
        self.words = (self.words + delta.text)[-_LAST_WORDS:]
        self.characters += len(delta.text)
        self.thinking = delta.thinking

    def print(self, printed: Printed) -> None:
        """Take in what a job prints; of many jobs, the latest."""
        self.printed.pop(printed.job, None)  # it becomes the last one
        self.printed[printed.job] = printed
        while len(self.printed) > _JOBS_THAT_PRINT:
            del self.printed[next(iter(self.printed))]

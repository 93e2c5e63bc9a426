"""What a person can do with a session: each action once, with its word, its key, and when it leads anywhere.

The keys at the foot of the screen, the commands that the input takes, the command palette and the reference are all
made from this table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treadle.tui.story.story import Story

When = Callable[["Story | None", bool], bool]
"""Whether it leads anywhere: of the story that is shown, and whether a session is at work in this program."""


def _always(story: Story | None, at_work: bool) -> bool:
    return True


def _at_work(story: Story | None, at_work: bool) -> bool:
    return at_work


def _at_rest(story: Story | None, at_work: bool) -> bool:
    return not at_work


def _shown(story: Story | None, at_work: bool) -> bool:
    return story is not None


def _has_change(story: Story | None, at_work: bool) -> bool:
    return story is not None and (bool(story.diff) or any(line.diff for line in story.attempts))


def _is_solved(story: Story | None, at_work: bool) -> bool:
    if story is None or at_work:
        return False
    return bool(story.diff) and not story.applied and story.state == "SOLVED"


def _is_to_be_chosen(story: Story | None, at_work: bool) -> bool:
    return _is_solved(story, at_work) and story is not None and story.choices > 0


def _is_applied(story: Story | None, at_work: bool) -> bool:
    return story is not None and not at_work and (story.applied or story.half_applied)


def _goes_on(story: Story | None, at_work: bool) -> bool:
    if story is None or at_work:
        return False
    # One that works and is not interrupted is another program's.
    return story.state in ("NEEDS_PERSON", "STOPPED", "OVER_BUDGET") or story.interrupted


def _has_begun(story: Story | None, at_work: bool) -> bool:
    return story is not None and not at_work and story.task is not None


def _can_be_spoken_of(story: Story | None, at_work: bool) -> bool:
    if story is None or at_work:
        return False
    ended = not story.working and story.question is None and not story.applied and not story.half_applied
    return ended and bool(story.attempts) and story.task is not None and story.task.kind != "check"


def _can_be_rejected(story: Story | None, at_work: bool) -> bool:
    asked = story.question if story is not None and story.state == "NEEDS_PERSON" else None
    return _can_be_spoken_of(story, at_work) or (not at_work and asked is not None and bool(asked.with_words))


def _has_a_last_change(story: Story | None, at_work: bool) -> bool:
    if story is None or not _can_be_spoken_of(story, at_work):
        return False
    ended = [line for line in story.attempts if line.state in ("ok", "failed")]
    return bool(ended and ended[-1].diff)


@dataclass(frozen=True)
class Action:
    """`name` is its word after the slash, `takes` what may stand behind that, "" for nothing. `label` stands at the
    foot of the screen beside `key`, which acts wherever no text is written; those that are not `offered` stand in the
    palette and the help alone."""

    name: str
    label: str
    what: str
    key: str = ""
    takes: str = ""
    when: When = _always
    offered: bool = True

    @property
    def id(self) -> str:
        """What it is called in the setting `screen.keys`."""
        return f"session-{self.name}"


ACTIONS: tuple[Action, ...] = (
    Action("stop", "Stop", "stop the session that is at work", "escape", when=_at_work),
    Action("accept", "Accept", "apply the patch", "a", when=_is_solved),
    Action(
        "merge",
        "Accept, merged",
        "apply the patch onto files that you have changed since, in other lines than its own",
        when=_is_solved,
        offered=False,
    ),
    Action(
        "reject",
        "Reject",
        "say why the last attempt will not do, or the plan or change that you are asked about; another one is made",
        "n",
        "WORDS",
        _can_be_rejected,
    ),
    Action("edit", "Edit", "change the last attempt yourself; it is tried again", "e", when=_has_a_last_change),
    Action(
        "hunks", "Hunks", "take only some hunks of the last attempt; that is tried again", "m", "", _has_a_last_change
    ),
    Action("undo", "Take back", "take the patch back", "u", when=_is_applied),
    Action("resume", "Go on", "go on with the session, or answer what it asks", "r", when=_goes_on),
    Action(
        "choose",
        "Choose",
        "take the change of that number, or the one under the cursor, of those that every test passes with; with "
        "`test`, the example by which they differ becomes a test",
        "s",
        "[NUMBER] [test]",
        _is_to_be_chosen,
    ),
    Action("another", "Another way", "have it tried by another approach", "", "", _can_be_spoken_of, offered=False),
    Action(
        "retry",
        "Retry from here",
        "go on from an earlier attempt, the one of that number or under the cursor, with words if you have some; "
        "without, one that had passed holds again",
        "t",
        "[NUMBER] [WORDS]",
        _can_be_spoken_of,
        offered=False,
    ),
    Action("fork", "Fork", "go on in a copy; this session stays as it is", "", "", _has_begun, offered=False),
    Action(
        "diff",
        "Diff, code",
        "show the change as a diff, side by side, or the files as they would be",
        "d",
        "",
        _has_change,
    ),
    Action("all", "Open all", "open all stages, or leave that to the setting again", "ctrl+o", "", _shown),
    Action("find", "Find", "find words in what is shown", "ctrl+f", "WORDS", _shown, offered=False),
    Action(
        "copy",
        "Copy",
        "copy what the cursor is on: the line with all that is open below it",
        "c",
        "",
        _shown,
        offered=False,
    ),
    Action("save", "Save", "save the session as Markdown", "", "[FILE]", _shown, offered=False),
    Action(
        "open",
        "In your editor",
        "open the file of the change under the cursor, or the session, in your editor",
        "o",
        "",
        _shown,
        offered=False,
    ),
    Action(
        "fix",
        "Fix",
        "repair failing tests, all of the project's or those named",
        "",
        "[PATH|TEST]...",
        _at_rest,
        offered=False,
    ),
    Action(
        "plan",
        "Plan",
        "have a task planned, and decide about its plan before it is followed",
        "",
        "TASK",
        _at_rest,
        offered=False,
    ),
    Action(
        "new",
        "New",
        "begin anew: what you write next does not go on from this session",
        "",
        "",
        _at_rest,
        offered=False,
    ),
    Action(
        "model",
        "Model",
        "ask this model from now on, for a role or for all",
        "",
        "[ROLE=]PROVIDER/MODEL",
        _at_rest,
        offered=False,
    ),
    Action("budget", "Budget", "what models may cost in a session from now on", "", "USD", _at_rest, offered=False),
    Action("pane", "Pane", "go to the next pane", "f2"),
    Action("sessions", "Sessions", "find an earlier session, and open it", "f3"),
    Action("plugins", "Plugins", "what is on, what it may reach, its settings", "f4", offered=False),
    Action("memory", "Memory", "the lessons that are kept", "f5", offered=False),
    Action("skills", "Skills", "the skills that there are", "f6", offered=False),
    Action("review", "Review", "what waits for you in this project", "f7", offered=False),
    Action("metrics", "Metrics", "how well it goes, and what it costs", "f8", offered=False),
    Action("doctor", "Doctor", "which walls stand on this machine", "f9", offered=False),
    Action("settings", "Settings", "each setting, and where it comes from", "f10", offered=False),
    Action("theme", "Theme", "dark, light or high-contrast, until you leave", "", "NAME", offered=False),
    Action("help", "Help", "the keys, and what they do", "f1"),
    Action("quit", "Quit", "leave; what is at work can be resumed", "ctrl+q"),
)

BY_NAME = {action.name: action for action in ACTIONS}

PAGES = ("sessions", "plugins", "memory", "skills", "review", "metrics", "doctor", "settings")


def is_possible(name: str, story: Story | None, *, at_work: bool) -> bool:
    """Whether the action leads anywhere. `at_work`: a session is at work in this program, be it this one or another."""
    return BY_NAME[name].when(story, at_work)


_STATES = {
    "SOLVED": "is solved",
    "UNSOLVED": "is unsolved",
    "OVER_BUDGET": "is over its budget",
    "NEEDS_PERSON": "waits for your answer",
    "STOPPED": "is stopped",
}


def where_it_stands(story: Story | None) -> str:
    """In what state the session is, in plain words."""
    if story is None:
        return "there is no session yet; write what should change, or send /fix"
    if story.applied:
        return "the patch of this session is applied"
    if story.half_applied:
        return "the patch of this session is in the files in part"
    if story.interrupted:
        return "this session was interrupted"
    return f"this session {_STATES.get(story.state, 'is at work')}"


def why_not(name: str, story: Story | None, *, at_work: bool) -> str:
    """Why an action leads nowhere now, and what has to be done before it does."""
    if name == "stop":
        return "nothing is at work"
    if at_work and is_possible(name, story, at_work=False):
        goes_on = ", then /resume goes on with it" if name in _HOLDS_FROM_NOW_ON else ""
        return f"a session is at work. Stop it first (esc), then send /{name} again{goes_on}"
    if name == "choose" and _is_solved(story, at_work) and story is not None:
        back = f" now; /retry {story.chosen_from} goes back to where there was" if story.chosen_from else ""
        return f"there is nothing to choose from{back}"
    if story is not None and story.interrupted and name != "resume":
        return f"{where_it_stands(story)}; /resume goes on with it"
    return where_it_stands(story)


_HOLDS_FROM_NOW_ON = ("model", "budget")
"""What is chosen for sessions, also for one that goes on."""

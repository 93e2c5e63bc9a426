"""The kinds of events that the event log holds, and what each one means: the list that the reference is made from."""

from __future__ import annotations

import types
from collections.abc import Mapping

KINDS: Mapping[str, str] = types.MappingProxyType(
    {
        "session.created": "A person asked for something: the whole `task`, their `choices` for this run, and which "
        "session it `replays`, if it does. A fork's says which session it is `forked_from`, and that its events up to "
        "the number `copied` are that one's.",
        "session.state": "The session entered `state`; the loop's own steps have a `key`.",
        "session.resumed": "A program goes on with a session that had begun before, under these `choices`.",
        "session.rests": "The session stops for now and can be resumed: `state`, `reason`, and the `outcome` so far.",
        "session.ended": "The session is over: `state`, `reason`, the whole `outcome`, and the change as a `diff`.",
        "session.failed": "What made it impossible to go on: `state` and the `error`.",
        "workspace.opened": "Where jobs see the project: the fields of the workspace.",
        "stage.started": "A `stage` of the loop begins.",
        "stage.finished": "A `stage` is done: the `seconds` that it took, and its `result`, which a resume reads back.",
        "stage.settled": "A stage that was cut off by a kill or a crash is done again; `how` says so.",
        "stage.failed": "A `stage` did not begin, since the time of the session is used up: the `trouble`, the "
        "`message` that says more, the `setting` that limits it, and `enough` of it.",
        "stage.timed_out": "A `stage` took longer than it may; the `error` names the limit and the `plugins` at work.",
        "note.left": "A `plugin` says something that the person should read in the result: the `text`.",
        "execute.started": "`jobs` jobs are handed to the sandbox in a `stage`.",
        "execute.finished": "They are done: the number of each of the `verdicts` (`not run`: those that were not even "
        "begun), and the whole `result`.",
        "execute.settled": "Jobs that were cut off are run again; `how` says so.",
        "execute.failed": "Jobs were not handed to the sandbox, since a budget is used up: the `trouble`, the "
        "`message`, the `setting` that limits it, and `enough` of it.",
        "complete.started": "A language model is asked in a `stage` by a `plugin`, by its `role`; `request` names what "
        "is asked, word for word, in the outputs that are kept.",
        "complete.finished": "The `model` answered: `usage` in tokens, `usd` (null: nobody knows), `seconds`, why it "
        "`stop`s, how many `characters`, and the whole `result`.",
        "complete.failed": "Nobody answered: the `trouble` (`no model`, `over budget`, `no plugin`, `plugin at fault`) "
        "and the `message` that whoever asked was given; over a budget the `setting` that limits it, and `enough` of "
        "it. A replay gives them the same; a resume asks again.",
        "complete.settled": "A question that was cut off, or that nobody answered, is asked again; `how` says so.",
        "model.asked": "A request is sent to a `model` for the `call` of that key; at most `usd` are set aside for it. "
        "It `may_be_paid`: not of a model that costs no money. What is settled for this very model: `max_tokens`, "
        "`temperature`, `top_p`, `effort`, and whether `tools` are sent; where not, the request went as text.",
        "model.counting": "A request for the `call` of that key is sent to the service of a `model` to have its tokens "
        "counted, since a budget may be too small for it; only then it is asked, or not. What is settled for this very "
        "model is told as in `model.asked`.",
        "model.failed": "A `model` gave no reply for a `call`: the `trouble`, the `message`; it is asked again "
        "`again_in_s`. The request `may_be_paid` all the same, with about `usd`.",
        "model.absent": "A service of models that the person has set up has none now, and others are asked: `why`.",
        "model.switched": "Another model is asked in place of `from`: `to`, and `why`; told again once one of these "
        "changes.",
        "budget.warned": "A budget is used up, or set aside, to 80 % or more: its `scope`, of `what`, `used` of "
        "`limit`, as `text`.",
        "packages.installed": "Packages that a change newly declares were installed for the sandbox: the "
        "`requirements`, the `packages` with their hashes, the `folder`, the `seconds`.",
        "packages.failed": "They could not be: the `requirements`, the `error`.",
        "recall.found": "The ids of the `lessons` that were recalled.",
        "candidate.proposed": "A change was proposed: its `files`, `why`, the plugins it is `by`, how many were "
        "`tried` of `total`, and the level of `confidence` in it.",
        "scan.found": "What the scanners saw in the change: the `findings`.",
        "attempt.ended": "Attempt `number` came to a `verdict`, for these `reasons`; `diff` names its change in the "
        "outputs that are kept.",
        "question.asked": "Something only a person can decide: the `question`, and the `plugin` that asks.",
        "question.answered": "The person's `answer` to the question with that `key`, and their `words` with it.",
        "concerns.allowed": "Concerns that were not asked about, since the person had allowed them before: those that "
        "`passed`, each `by` what they said in this `session`, or by a `rule` of theirs for the files of `path`.",
        "feedback.given": "What the person says of an `attempt`, as `feedback`: the session goes on from there, and "
        "what it rested on is asked no more.",
        "patch.applying": "The patch is about to be written into the person's `files`.",
        "patch.applied": "It stands in the person's `files`.",
        "patch.undone": "It was taken back from these `files`, of which those that are `merged` keep other lines "
        "that were changed since; right after `patch.applying`: it could not be written.",
        "patch.half_done": "Applying it, or taking it back, has failed on the way: `written` of its `files` are as it "
        "makes them.",
        "plugins.called": "What each of the `plugins` was called for in this run: `calls`, `faults`, and its times.",
        "plugin.fault": "A `plugin` was at fault in a `hook`, or in what `about` names; `off`: it was switched off, or "
        "is told nothing more where the hook only tells it something; `kept`: what it answered counts all the same.",
        "plugin.passed_over": "A `plugin` was not asked in a `hook`, since it was switched off for its faults.",
    }
)
"""Besides these, a plugin logs events of its own as `plugin.NAME.KIND`."""

"""Every exception that a caller of Treadle can catch. Each message says what happened, where, and what to do next."""

from __future__ import annotations


class TreadleError(Exception):
    """The root of every error that Treadle raises on purpose; its text is fit to be shown to a person."""


class Signalled(TreadleError):
    """What passes through the wall around a plugin call: not a fault of the plugin, but a message to the loop, from it
    or through it."""


class UsageError(Signalled):
    """The person asked for something that can't be done as asked (a wrong flag, path or combination)."""


class ConfigError(UsageError):
    """A setting is unknown, has the wrong type, or comes from a place that may not set it."""


class UnsafePath(TreadleError):
    """A file name would leave the project, or reach into a folder that Treadle never writes (`.git`)."""


class ReplyError(TreadleError):
    """A model's reply can't be turned into whole files; nothing was taken from it."""


class UnsafeReply(ReplyError):
    """A model's reply wants to write where Treadle never writes."""


class SourceError(TreadleError):
    """A Python source can't be looked at: it is too large, nested too deeply, or its bytes do not fit its encoding."""


class StoreError(TreadleError):
    """The event log can't be opened, read or written."""


class UnusableHome(StoreError, UsageError):
    """Treadle can't keep its state in the folder that was named for it."""


class StoreBusy(StoreError):
    """Another program holds the lock of this session, or the one for writing patches into this project."""


class LogFailed(StoreError, Signalled):
    """What a session has come to can't be put into its event log, or read from there, so that it can't go on, whoever
    was at work."""


class StoreUnreachable(StoreError):
    """The server that holds the event log can't be reached, or does not let this person in."""


class UnknownSession(UsageError):
    """No session of this project has that id."""


class PluginError(TreadleError):
    """A plugin can't be registered: an unknown hook, wrong arguments, an `async def`, an import that fails."""


class PluginFault(TreadleError):
    """A plugin raised, hung or answered with the wrong type while the session ran. `trace` is the traceback in the
    plugin's own process, where it has one."""

    def __init__(self, text: str = "", trace: str = "") -> None:
        super().__init__(text)
        self.trace = trace


class UsedUp(PluginFault):
    """A plugin has used all the time that one of its hooks has in a session: that hook is called no more."""


class InstallError(TreadleError):
    """A plugin can't be installed, updated or removed; those that are installed are as they were."""


class NoPlugin(Signalled):
    """No enabled plugin answers a hook without which the session can't go on."""


class NoModel(NoPlugin):
    """No language model can be asked, or none of those that can has answered; the session rests and can be resumed."""


class WorkspaceError(Signalled):
    """A workspace can't be opened, or can't be trusted to show the job the project's own files."""


class PatchError(TreadleError):
    """A patch can't be applied or taken back; the project is as it was before."""


class PatchConflict(PatchError):
    """A file is no longer what the session saw, so applying or undoing would lose somebody's work."""


class InterpreterError(TreadleError):
    """The person's Python can't be found or can't be used."""


class SafetyRefusal(Signalled):
    """Something was denied by a safety rule or by the person."""


class BudgetExceeded(Signalled):
    """A budget (working time, sandboxed jobs, tokens, money) ended the session; it can be resumed with a larger one.
    `what` is spent from it, as the settings name it (`usd`, `model_s`), `setting` is the one that limits it, and
    `enough` a value of it that leads on, as it is typed; empty where that is not known."""

    def __init__(self, text: str = "", what: str = "", setting: str = "", enough: str = "") -> None:
        super().__init__(text)
        self.what = what
        self.setting = setting
        self.enough = enough


class NeedsPerson(Signalled):
    """The session can't go on without an answer; it rests until the question is answered."""


class Stopped(Signalled):
    """The person or the program asked the session to stop; it can be resumed."""


class ReplayDiverged(Stopped):
    """A replay asks a model something else than was asked then, so it stops, whatever whoever asked would have made of
    a model that says nothing."""


class StageTimeout(Signalled):
    """A stage took longer than its limit."""

"""Which of the tools that a model was offered it calls: some write a name as their own training has it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from treadle.core.errors import ReplyError
from treadle.core.models.messages import ModelReply, ToolCall
from treadle.core.replies.call_arguments import read_arguments

_WITHIN = re.compile(r"[.:/]+")
_MARK_BEHIND = re.compile(r"<\|.*|:\d+$", re.DOTALL)
"""What a service leaves behind a name: a mark of the model's own language, the number of the call."""
MODULES = frozenset({"functions", "default_api", "tools", "api", "repo_browser"})
"""Of which models say in Python that tools are of them. Another object's method is no tool."""
_CALLED: Mapping[str, str] = {
    "read": "read_file view view_file open_file get_file_contents",
    "write": "write_file write_to_file create_file create_new_file save_file",
    "edit": "edit_file str_replace replace_in_file multi_edit search_replace search_and_replace apply_diff apply_patch",
    "move": "move_file rename_file",
    "delete": "delete_file remove_file",
    "list": "list_files list_dir list_directory ls glob find_file find_files file_glob_search print_tree",
    "search": "grep grep_search search_files search_file search_file_content search_dir search_code",
    "run_python": "python ipython execute_python execute_ipython_cell",
    "ask_person": "ask_followup_question ask_user ask_user_question",
    "submit_plan": "exit_plan_mode",
    "finish": "attempt_completion submit task_done",
}
"""By the name of a tool, what the like of it is called by other agents; it counts where no tool of that name was
offered, and without regard to capitals and to what is between its words."""
_EDITORS = frozenset({"strreplaceeditor", "strreplacebasededittool", "texteditor", "editor"})
"""Tools that are several in one, by the argument `command`."""
_COMMANDS: Mapping[object, str] = {
    "view": "read",
    "create": "write",
    "write": "write",
    "str_replace": "edit",
    "insert": "edit",
}
_RUNS = re.compile(r"shell|bash|exec|terminal|command|console|patch")
"""In the names of tools that run a command, or take a patch. What another is given is for what that one would do."""
_BEGINS_PATCH = "*** Begin Patch"
_ENDS_PATCH = "*** End Patch"
_APPLIES = re.compile(r"\s*+(?:apply_?patch\b\s*+(?:<<-?\s*+['\"]?\w++['\"]?)?\s*+['\"]?)?")
_AT_THE_END = re.compile(r"\s*+['\"]?\s*+\w*+\s*+")
"""Around a patch in a command that does nothing else: what a shell would do besides is not done here."""
_UNLESS_GIVEN: Mapping[object, Mapping[str, object]] = {"str_replace": {"new_str": ""}}
"""What a command stands for without that argument."""


def _plain(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


_OWN = {_plain(name): own for own, names in _CALLED.items() for name in names.split()}


def tool_called(name: str, offered: Iterable[str]) -> str:
    """The tool of that name; else the one that is called so, without the modules of tools before it (`functions.edit`,
    `default_api:edit`), in any case of its letters, or by other agents; else the name as it is."""
    known = {each.lower(): each for each in offered}
    *within, last = _WITHIN.split(_MARK_BEHIND.sub("", name.strip().lower()))
    if name in known.values() or not MODULES.issuperset(within):
        return name
    return known.get(last) or known.get(_OWN.get(_plain(last), ""), name)


def may_be_called(name: str, offered: Iterable[str]) -> bool:
    """Whether it is the name of a tool, or one of several in one."""
    names = tuple(offered)
    return tool_called(name, names) in names or _is_editor(name)


def call_meant(call: ToolCall, offered: Iterable[str]) -> ToolCall:
    """The call as one of the tool that is meant, where that was offered."""
    names = tuple(offered)
    name, arguments = tool_called(call.name, names), call.arguments
    if name not in names and _is_editor(name):
        name, arguments = _by_command(call, names)
    takes_patches = name == "edit" or (name not in names and _RUNS.search(_plain(name)) is not None)
    if "edit" in names and takes_patches and (patch := _patch_given(arguments, name == "edit")):
        name, arguments = "edit", json.dumps({"patch": patch}, ensure_ascii=False)
    if (name, arguments) == (call.name, call.arguments):
        return call
    return msgspec.structs.replace(call, name=name, arguments=arguments)


def with_tools_called(reply: ModelReply, offered: Iterable[str]) -> ModelReply:
    """The reply with the names of its calls as they were offered: others a service may not take back."""
    names = tuple(offered)
    calls = tuple(call_meant(call, names) for call in reply.calls)
    return reply if calls == reply.calls else msgspec.structs.replace(reply, calls=calls)


def _is_editor(name: str) -> bool:
    return _plain(_WITHIN.split(name)[-1]) in _EDITORS


def _by_command(call: ToolCall, offered: tuple[str, ...]) -> tuple[str, str]:
    try:
        found = read_arguments(call.name, call.arguments)
    except ReplyError:
        return call.name, call.arguments
    command = found.pop("command", None)
    name = _COMMANDS.get(command, "") if isinstance(command, str) else ""
    if name not in offered:
        return call.name, call.arguments
    return name, json.dumps({**_UNLESS_GIVEN.get(command, {}), **found}, ensure_ascii=False)


def _patch_given(arguments: str, alone: bool) -> str:
    """The patch that is all of the arguments, no JSON; else, unless only that is looked for, the one that a command
    among them applies, such as that of a shell. One that is spoken of is none."""
    if _BEGINS_PATCH not in arguments:
        return ""
    if arguments.lstrip().startswith(_BEGINS_PATCH):
        return arguments
    try:
        found = [] if alone else list(_texts(read_arguments("edit", arguments)))
    except (ReplyError, RecursionError):
        return ""
    patches = [text for text in found if _BEGINS_PATCH in text]
    return patches[0] if len(patches) == 1 and _is_all_of(patches[0]) else ""


def _is_all_of(command: str) -> bool:
    """Whether a command applies a patch, and does nothing else."""
    before, _, patch = command.partition(_BEGINS_PATCH)
    behind = patch.rpartition(_ENDS_PATCH)[2] if _ENDS_PATCH in patch else ""
    return bool(_APPLIES.fullmatch(before) and _AT_THE_END.fullmatch(behind))


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)

"""From a model's reply to whole files, or to a refusal that says what to send instead.

Half a file is never taken: of a reply that was cut off, or with a block that ends in the middle, nothing is, since
nobody knows what else of it is not what it seems. A file that an edit does not fit, or of which a block leaves out "the
rest", is refused on its own: what else the reply holds can be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from treadle.core.errors import ReplyError
from treadle.core.records import FileChange
from treadle.core.replies.call_arguments import read_arguments
from treadle.core.replies.fences import Block, Part, Prose, read_parts
from treadle.core.replies.marked_edits import STRAY, Edit, Patch
from treadle.core.replies.meant import AS_NAMED, Meant
from treadle.core.replies.naming import (
    default_name,
    is_never_a_file,
    language_of,
    path_before_edit,
    path_line,
    path_of,
    read_info,
)
from treadle.core.replies.patch_envelope import read_patch
from treadle.core.replies.reply_files import Before, ReplyFiles
from treadle.core.replies.sections import OldText, in_sections
from treadle.core.replies.thoughts import UnclosedThought
from treadle.core.replies.unified_diff import is_cut_off, looks_like_diff, read_diff
from treadle.core.replies.wholeness import definitions, is_program, whole_text, writes_anew
from treadle.core.replies.words_below import may_end_in_words

LARGEST_REPLY = 4_000_000
"""Characters. The longest answers of today's models have some 500,000."""

_UNLESS_NAMED = frozenset({"sh", "text", "txt", "plaintext", "plain", "log", "none", "", "diff", "markdown"})


@dataclass(frozen=True)
class Read:
    """The files that a reply holds, whole, in the order of their first mention, and why others can't be taken."""

    files: tuple[FileChange, ...]
    refused: tuple[ReplyError, ...] = ()


def files_of(
    reply: str, before: Before | None = None, meant: Meant = AS_NAMED, *, ended: bool = False
) -> tuple[FileChange, ...]:
    """All files of `read_files`. Raises `ReplyError` where one can't be taken, too."""
    read = read_files(reply, before, meant, ended=ended)
    if read.refused:
        raise read.refused[0]
    return read.files


def read_files(reply: str, before: Before | None = None, meant: Meant = AS_NAMED, *, ended: bool = False) -> Read:
    """The files that a reply holds; none when it holds none.

    `before` answers what a file held until now: edits are applied to it, and its line endings are kept. `meant` says
    what is taken for a name, or for none. `ended`: it is known that nothing of it was cut off, so that its last fence
    may have been left open. Raises `ReplyError` (what, where, what to do) when nothing of the reply can be taken.
    """
    if len(reply) > LARGEST_REPLY:
        raise ReplyError(
            f"the reply has {len(reply)} characters; at most {LARGEST_REPLY} are read: send fewer files at once"
        )
    try:
        parts = list(read_parts(reply))
    except UnclosedThought as error:
        raise ReplyError(f"{error}, so it was cut off: send the answer itself, shorter") from None
    files = ReplyFiles(before or {}, meant)
    if ended:
        parts = _closed_at_the_end(parts)
    else:
        _refuse_cut_diff(parts)
    parts = [_name_taken_out(part) for part in _apart(_unwrapped(parts), files.expected)]
    parts = _without_cut_example(parts)
    _refuse_cut_off(parts)
    blocks = [part for part in parts if isinstance(part, Block)]
    edited = _take_edits(files, parts, meant)
    named = _take_named_blocks(files, blocks)
    if not edited and not any(language_of(path) == "python" for path in named):
        _take_nameless(files, blocks, only_python=bool(named))
    if not blocks and not files.touched:
        _take_unfenced(files, parts)
    return Read(files.changes(), tuple(files.refused))


def overlooked(reply: str, files: Iterable[FileChange]) -> tuple[str, ...]:
    """The blocks of code in a reply that are in none of the files taken from it, a phrase each: examples, commands,
    or what its author forgot to name."""
    files = tuple(files)
    held = [change.content.decode("utf-8", "replace").replace("\r\n", "\n") for change in files if change.content]
    taken = {change.path: "" for change in files}
    parts = _apart(_unwrapped(list(read_parts(reply))), taken.get)
    blocks = (part for part in parts if isinstance(part, Block))
    return tuple(
        f"the {language} block on line {block.line}"
        for block in blocks
        if ((language := _language(block)) == "sh" or default_name(language))
        and not _is_diff(block)
        and not any(block.text.strip() in text for text in held)
    )


def file_of_tool_call(name: str, json_text: str, before: Before | None = None) -> FileChange:
    """The file that a call of a `write_file` tool holds. Raises `ReplyError` for JSON that is cut off or ambiguous:
    such a call is never repaired."""
    if name not in ("write_file", "create_file"):
        raise ReplyError(f"the tool {name!r} writes no file: call write_file with path and content")
    arguments = read_arguments(name, json_text)
    if set(arguments) != {"path", "content"}:
        raise ReplyError(f"{name} takes an object with exactly path and content, both strings")
    path, content = arguments["path"], arguments["content"]
    if not isinstance(path, str) or not isinstance(content, str):
        raise ReplyError(f"{name} takes path and content as strings")
    files = ReplyFiles(before or {})
    return files.write(path, content, f"the call of {name}")


# ---------------------------------------------------------------- the steps of reading


def _closed_at_the_end(parts: list[Part]) -> list[Part]:
    """The parts of a reply that was not cut off, whose last fence is open to the end: it is closed where what it holds
    may be a whole file, and does not end in words, which may be about that file. Where others stand before it
    and it says nothing of itself, it was to close one of them."""
    last = parts[-1] if parts else None
    if not isinstance(last, Block) or last.closed:
        return parts
    text = last.text.strip()
    if last.mixed:
        return parts if text else parts[:-1]  # nothing but edits, each of which says itself whether it is whole
    if not text or (not last.info and any(isinstance(part, Block) for part in parts[:-1])):
        return parts
    found = path_of(read_info(last.info), last.above, last.content)
    language = (language_of(found[0]) if found else "") or _language(last)
    if may_end_in_words(text, language):
        return parts
    end = max(at for at, line in enumerate(last.content, 1) if line.strip())
    return [*parts[:-1], replace(last, content=last.content[:end], closed=True)]


def _unwrapped(parts: list[Part]) -> list[Part]:
    """Some replies are one nameless Markdown block around the real answer; what is inside it is then read."""
    blocks = [part for part in parts if isinstance(part, Block)]
    if len(blocks) != 1 or not blocks[0].closed or any(isinstance(part, Edit | Patch) for part in parts):
        return parts
    info = read_info(blocks[0].info)
    named = path_of(info, blocks[0].above, ())
    if info.language != "markdown" or (named is not None and named[1] in ("info", "above")):
        return parts
    try:
        inner = list(read_parts(blocks[0].text))
    except UnclosedThought:
        return parts
    return inner if any(isinstance(part, Block | Edit | Patch) for part in inner) else parts


def _apart(parts: Iterable[Part], old_text: OldText) -> list[Part]:
    """The parts, with each file of a block that holds several in a block of its own."""
    return [each for part in parts for each in (in_sections(part, old_text) if isinstance(part, Block) else [part])]


def _name_taken_out(part: Part) -> Part:
    """A block whose first line within is the name of its file, and no code: some models take that for the first line of
    the fence. In a shell it is a command."""
    if not isinstance(part, Block) or not any(line.strip() for line in part.content[1:]):
        return part
    info, first = read_info(part.info), part.content[0].strip()
    if info.path or info.language in _UNLESS_NAMED or first != path_line(first) or language_of(first) != info.language:
        return part
    return replace(part, info=f"{info.language} {first}", content=part.content[1:])


def _without_cut_example(parts: list[Part]) -> list[Part]:
    """A nameless answer whose last block, an example that would not be taken anyway, was cut off, is whole enough."""
    blocks = [part for part in parts if isinstance(part, Block)]
    if len(blocks) < 2 or blocks[-1].closed or len(blocks) != sum(not isinstance(part, Prose) for part in parts):
        return parts
    if any(path_of(read_info(b.info), b.above, b.content) for b in blocks):
        return parts
    answer = next((b for b in blocks[:-1] if default_name(read_info(b.info).language) == "main.py"), None)
    defined = definitions(answer.text) if answer else None
    anew = re.findall(r"^(?:async )?(?:def|class) (\w+)", blocks[-1].text, re.MULTILINE)
    if not defined or defined & set(anew):
        return parts
    return [part for part in parts if part is not blocks[-1]]


def _refuse_cut_off(parts: Iterable[Part]) -> None:
    for part in parts:
        if isinstance(part, Block) and not part.closed:
            raise ReplyError(
                f"the block that opens on line {part.line} of the reply is never closed: the reply was cut off, "
                "or a fence inside it has the same length. Send the whole file again, with a longer fence around it "
                f"({part.fence}{part.fence[0]})"
            )
        if isinstance(part, Block) and part.mixed:
            raise ReplyError(
                f"the block that opens on line {part.line} of the reply mixes SEARCH/REPLACE edits with other lines: "
                "send only edits, or the whole file"
            )
        if isinstance(part, Edit) and not (part.closed and part.divided):
            raise ReplyError(
                f"the edit on line {part.line} of the reply needs the lines <<<<<<< SEARCH, ======= and "
                ">>>>>>> REPLACE, once each: send it again, or send the whole file"
            )
        if isinstance(part, Patch) and part.wrong:
            raise ReplyError(f"what begins on line {part.line} of the reply {part.wrong}")
        if isinstance(part, Prose) or (
            isinstance(part, Block) and not read_info(part.info).path and not _is_diff(part)
        ):
            _refuse_stray_ends(part)


def _refuse_cut_diff(parts: Sequence[Part]) -> None:
    """Where nothing ends a diff but the reply, only the numbers in its last header tell whether it is whole."""
    last = parts[-1] if parts else None
    if isinstance(last, Prose) and looks_like_diff(last.lines) and is_cut_off(_from_first_header(last.lines)):
        raise ReplyError(
            "the reply ends with a diff whose last hunk has fewer lines than its header says, so it was cut off: send "
            "it again, in a fence"
        )


def _refuse_stray_ends(part: Block | Prose) -> None:
    """An end without a beginning was a line of what began above, which was read up to another such line only."""
    lines = part.lines if isinstance(part, Prose) else part.content
    if stray := next(filter(STRAY.fullmatch, lines), None):
        raise ReplyError(
            f"below line {part.line} of the reply {stray.strip()!r} ends nothing: what began above may have ended too "
            "soon. Send whole files, each in a fence that begins with its path"
        )


def _take_edits(files: ReplyFiles, parts: Iterable[Part], meant: Meant) -> bool:
    path: str | None = None
    taken = False
    for part in parts:
        if isinstance(part, Edit):
            path = read_info(part.info).path or path_before_edit(part.above) or path or meant.holder(part.search)
            if path is None:
                raise ReplyError(
                    f"the edit on line {part.line} of the reply names no file: write its path on the line above"
                )
            with files.on_its_own():
                files.edit(path, part)
            taken = True
        elif isinstance(part, Patch):
            for diff in read_patch(part.lines):
                with files.on_its_own():
                    files.patch(diff)
            taken = True
        elif isinstance(part, Block) and _is_diff(part):
            taken |= _take_diff(files, part.content, part, meant)
        elif isinstance(part, Prose) and looks_like_diff(part.lines):
            taken |= _take_diff(files, _from_first_header(part.lines), None, meant)
    return taken


def _is_diff(block: Block) -> bool:
    info = read_info(block.info)
    if info.path and not info.path.endswith((".diff", ".patch")) and info.language not in ("diff", ""):
        return False
    return not (info.path or "").endswith((".diff", ".patch")) and (
        info.language == "diff" or (info.language in ("", "text") and looks_like_diff(block.content))
    )


def _from_first_header(lines: tuple[str, ...]) -> tuple[str, ...]:
    start = next(i for i in range(len(lines)) if lines[i].startswith(("diff --git ", "--- ", "@@")))
    return lines[start:]


def _take_diff(files: ReplyFiles, lines: tuple[str, ...], block: Block | None, meant: Meant) -> bool:
    found = path_of(read_info(block.info), block.above, ()) if block else None
    hunks = lines if looks_like_diff(lines) else ("@@", *lines)
    named = found[0] if found else meant.holder([line[1:] for line in hunks if line.startswith((" ", "-"))])
    for diff in read_diff(hunks, named):
        with files.on_its_own():
            files.patch(diff)
    return True


def _take_named_blocks(files: ReplyFiles, blocks: list[Block]) -> list[str]:
    """Take the blocks that say which file they are; the answer is their paths."""
    taken = []
    for index, block in enumerate(blocks):
        info = read_info(block.info)
        found = path_of(info, block.above, block.content)
        if found is None or _is_diff(block) or is_never_a_file(info.language):
            continue
        path, where = found
        if info.language in _UNLESS_NAMED and where in ("mention", "comment") and (info.language or where == "mention"):
            continue
        language = language_of(path) or info.language
        text = whole_text(blocks, index, language)
        with files.on_its_own():
            if where == "mention" and (lost := files.lost_definitions(path, text)):
                raise ReplyError(
                    f"the block on line {block.line} of the reply may be only a part of {path}: it lacks "
                    f"{', '.join(lost[:5])}. Send the whole file with its path in the fence's first line, "
                    "or a SEARCH/REPLACE edit"
                )
            files.write(path, text, f"the block on line {block.line} of the reply")
        taken.append(path)
    return taken


def _take_nameless(files: ReplyFiles, blocks: list[Block], only_python: bool) -> None:
    """Of the blocks without a name the first of each language that has a default name, unless a later one writes it
    anew: others are examples. Where there is Python, other languages are examples, too."""
    nameless = [
        (index, _language(block))
        for index, block in enumerate(blocks)
        if path_of(read_info(block.info), block.above, block.content) is None and not _is_diff(block)
    ]
    languages = list(dict.fromkeys(language for _, language in nameless))
    if "python" in languages or only_python:
        languages = [language for language in languages if language == "python"]
    for language in languages:
        name = default_name(language)
        if name is None:
            continue
        places = [index for index, spoken in nameless if spoken == language]
        text = whole_text(blocks, places[0], language)
        for later in places[1:]:
            if writes_anew(text, blocks[later].text):
                text = whole_text(blocks, later, language)
        with files.on_its_own():
            files.write(name, text, f"the block on line {blocks[places[0]].line} of the reply")


def _language(block: Block) -> str:
    """The language that a block says, or Python when it says none and is a program."""
    said = read_info(block.info).language
    return said or ("python" if is_program(block.text) else "")


def _take_unfenced(files: ReplyFiles, parts: list[Part]) -> None:
    """A reply without any fence is a file when all of it is a program, or all of one run of its paragraphs."""
    lines = [line for part in parts if isinstance(part, Prose) for line in part.lines]
    text = "\n".join(lines).strip("\n")
    if not text.strip():
        return
    program = text if is_program(text) else _program_within(lines)
    if program is not None:
        files.write("main.py", program.rstrip() + "\n", "the reply")


def _program_within(lines: list[str]) -> str | None:
    """The paragraphs from the first definition on, as many as are a program. Refuses what looks like a cut-off rest."""
    start = next(
        (i for i, line in enumerate(lines) if re.match(r"(?:(?:async def|def|class|import|from) \w|@\w)", line)), None
    )
    if start is None:
        return None
    ends = [i for i in range(start + 1, len(lines) + 1) if i == len(lines) or not lines[i].strip()]
    tries = 400 if len(lines) < 4000 else 20
    best = next((end for end in reversed(ends[-tries:]) if is_program("\n".join(lines[start:end]))), None)
    if best is None:
        if any(re.match(r"(?:async )?def \w+\(.*|class \w.*:$", line) for line in lines[start:]):
            raise ReplyError(
                f"the reply seems to hold code from line {start + 1} on, but not in a fence: "
                "send it between ```python PATH and ```"
            )
        return None
    rest = lines[best:]
    if any(re.match(r"[ \t]+\S|(?:async def|def|class) \w", line) for line in rest):
        raise ReplyError(
            f"the reply's code from line {start + 1} on is not in a fence, so its end can't be told: "
            "send it between ```python PATH and ```"
        )
    return "\n".join(lines[start:best])

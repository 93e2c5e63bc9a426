"""From a model's reply to whole files, or to a refusal that says what to send instead.

Half a file is never taken: a reply that was cut off, an edit that does not fit, a block that leaves out "the rest" or
that ends in the middle is refused as a whole with `ReplyError`, and then nothing of the reply is taken.
"""

from __future__ import annotations

import ast
import hashlib
import io
import json
import re
import tokenize
from collections.abc import Callable, Iterable, Mapping

from treadle.core import edits
from treadle.core.errors import ReplyError, SourceError, UnsafePath
from treadle.core.fences import Block, Edit, Part, Prose, UnclosedThought, read_parts
from treadle.core.naming import default_name, is_never_a_file, language_of, path_of, read_info
from treadle.core.paths import check_writable, decode, encode
from treadle.core.records import FileChange
from treadle.core.sources import parse

Before = Mapping[str, str | bytes] | Callable[[str], bytes | None]
"""The files as they were: by name, or a function from a portable relative path to the content (None: no such file)."""

LARGEST_REPLY = 4_000_000
"""Characters. The longest answers of today's models have some 500,000."""

_UNLESS_NAMED = frozenset({"sh", "text", "txt", "plaintext", "plain", "log", "none", "", "diff", "markdown"})
_RESERVED_BY_WINDOWS = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$"} | {f"{n}{i}" for n in ("com", "lpt") for i in "123456789"}
)
_ELLIPSIS = re.compile(r"^\s*(?:#+|//|--|;|/\*|<!--|\{/\*)?\s*(?:\.{3,}|…)\s*(?P<words>.*)$")
_REST = re.compile(
    r"\b(?:rest of|remaining|remainder|existing|unchanged|same as|as before|previous|other (?:functions|methods|code|imports)|stays? the same)\b",
    re.IGNORECASE,
)
_REST_COMMENT = re.compile(
    r"^\s*(?:#+|//|--|/\*|<!--)\s*[(\[]?\s*(?:the )?(?:rest of (?:the|your|this)|existing|remaining|previous|other|all other)\b"
    r"[^.]{0,40}\b(?:code|file|functions?|methods?|class|module|imports?|implementation|content)\b"
    r"[^.]{0,20}(?:unchanged|here|same|as (?:before|is)|remains?|stays?|goes)",
    re.IGNORECASE,
)
_MARKER = re.compile(r"^(?:<{7} \S.*|>{7} \S.*|<{5,9} ?SEARCH|>{5,9} ?REPLACE)\s*$")


def files_of(reply: str, before: Before | None = None) -> tuple[FileChange, ...]:
    """The files that a reply holds, whole, in the order of their first mention; () when it holds none.

    `before` answers what a file held until now: edits are applied to it, and its line endings are kept. Raises
    `ReplyError` (what, where, what to do) when the reply can't be taken.
    """
    if len(reply) > LARGEST_REPLY:
        raise ReplyError(
            f"the reply has {len(reply)} characters; at most {LARGEST_REPLY} are read: send fewer files at once"
        )
    try:
        parts = list(read_parts(reply))
    except UnclosedThought as error:
        raise ReplyError(f"{error}, so it was cut off: send the answer itself, shorter") from None
    files = _Files(before or {})
    parts = _unwrapped(parts)
    parts = _without_cut_example(parts)
    _refuse_cut_off(parts)
    blocks = [part for part in parts if isinstance(part, Block)]
    edited = _take_edits(files, parts)
    named = _take_named_blocks(files, parts)
    if not (edited or named or files.touched):
        _take_nameless(files, blocks)
    if not blocks and not files.touched:
        _take_unfenced(files, parts)
    return files.changes()


def file_of_tool_call(name: str, json_text: str, before: Before | None = None) -> FileChange:
    """The file that a call of a `write_file` tool holds. Raises `ReplyError` for JSON that is cut off or ambiguous: such
    a call is never repaired."""
    if name not in ("write_file", "create_file"):
        raise ReplyError(f"the tool {name!r} writes no file: call write_file with path and content")
    if len(json_text) > LARGEST_REPLY:
        raise ReplyError(f"the call of {name} has {len(json_text)} characters; at most {LARGEST_REPLY} are read")
    try:
        arguments = json.loads(json_text, object_pairs_hook=_no_duplicates)
    except (ValueError, RecursionError) as error:
        raise ReplyError(
            f"the arguments of {name} are no whole JSON ({error}): send the call again, complete"
        ) from None
    if not isinstance(arguments, dict) or set(arguments) != {"path", "content"}:
        raise ReplyError(f"{name} takes an object with exactly path and content, both strings")
    path, content = arguments["path"], arguments["content"]
    if not isinstance(path, str) or not isinstance(content, str):
        raise ReplyError(f"{name} takes path and content as strings")
    files = _Files(before or {})
    files.write(path, content, f"the call of {name}")
    return files.changes()[0]


def _no_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise ValueError("a name occurs twice")
    return dict(pairs)


# ---------------------------------------------------------------- the steps of reading


def _unwrapped(parts: list[Part]) -> list[Part]:
    """Some replies are one nameless Markdown block around the real answer; what is inside it is then read."""
    blocks = [part for part in parts if isinstance(part, Block)]
    if len(blocks) != 1 or not blocks[0].closed or any(isinstance(part, Edit) for part in parts):
        return parts
    info = read_info(blocks[0].info)
    named = path_of(info, blocks[0].above, "")
    if info.language != "markdown" or (named is not None and named[1] in ("info", "above")):
        return parts
    try:
        inner = list(read_parts(blocks[0].text))
    except UnclosedThought:
        return parts
    return inner if any(isinstance(part, Block | Edit) for part in inner) else parts


def _without_cut_example(parts: list[Part]) -> list[Part]:
    """A nameless answer whose last block, an example that would not be taken anyway, was cut off, is whole enough."""
    blocks = [part for part in parts if isinstance(part, Block)]
    if len(blocks) < 2 or blocks[-1].closed or len(blocks) != sum(not isinstance(part, Prose) for part in parts):
        return parts
    if any(path_of(read_info(b.info), b.above, b.content[0] if b.content else "") for b in blocks):
        return parts
    answer = next((b for b in blocks[:-1] if default_name(read_info(b.info).language) == "main.py"), None)
    defined = _definitions(answer.text) if answer else None
    anew = re.findall(r"^(?:async )?(?:def|class) (\w+)", blocks[-1].text, re.MULTILINE)
    if not defined or defined & set(anew):
        return parts
    return [part for part in parts if part is not blocks[-1]]


def _refuse_cut_off(parts: Iterable[Part]) -> None:
    for part in parts:
        if isinstance(part, Block) and not part.closed:
            raise ReplyError(
                f"the block that opens on line {part.line} of the reply is never closed, so the reply was cut off or a fence "
                f"inside it has the same length: send the whole file again, with a longer fence around it ({part.fence}{part.fence[0]})"
            )
        if isinstance(part, Block) and part.mixed:
            raise ReplyError(
                f"the block that opens on line {part.line} of the reply mixes SEARCH/REPLACE edits with other lines: "
                "send only edits, or the whole file"
            )
        if isinstance(part, Edit) and not (part.closed and part.divided):
            raise ReplyError(
                f"the edit on line {part.line} of the reply needs the lines <<<<<<< SEARCH, ======= and >>>>>>> REPLACE, "
                "once each: send it again, or send the whole file"
            )


def _take_edits(files: _Files, parts: Iterable[Part]) -> bool:
    path: str | None = None
    taken = False
    for part in parts:
        if isinstance(part, Edit):
            found = path_of(read_info(part.info), part.above, "")
            path = found[0] if found else path
            if path is None:
                raise ReplyError(
                    f"the edit on line {part.line} of the reply names no file: write its path on the line above"
                )
            files.edit(path, part)
            taken = True
        elif isinstance(part, Block) and _is_diff(part):
            taken |= _take_diff(files, part.content, part)
        elif isinstance(part, Prose) and edits.looks_like_diff(part.lines):
            taken |= _take_diff(files, _from_first_header(part.lines), None)
    return taken


def _is_diff(block: Block) -> bool:
    info = read_info(block.info)
    if info.path and not info.path.endswith((".diff", ".patch")) and info.language not in ("diff", ""):
        return False
    return not (info.path or "").endswith((".diff", ".patch")) and (
        info.language == "diff" or (info.language in ("", "text") and edits.looks_like_diff(block.content))
    )


def _from_first_header(lines: tuple[str, ...]) -> tuple[str, ...]:
    start = next(i for i in range(len(lines)) if lines[i].startswith(("diff --git ", "--- ", "@@")))
    return lines[start:]


def _take_diff(files: _Files, lines: tuple[str, ...], block: Block | None) -> bool:
    found = path_of(read_info(block.info), block.above, "") if block else None
    for diff in edits.read_diff(lines, found[0] if found else None):
        files.patch(diff)
    return True


def _take_named_blocks(files: _Files, parts: Iterable[Part]) -> bool:
    taken = False
    blocks = [part for part in parts if isinstance(part, Block)]
    for index, block in enumerate(blocks):
        info = read_info(block.info)
        found = path_of(info, block.above, block.content[0] if block.content else "")
        if found is None or _is_diff(block) or is_never_a_file(info.language):
            continue
        path, where = found
        if info.language in _UNLESS_NAMED and where in ("mention", "comment") and (info.language or where == "mention"):
            continue
        language = language_of(path) or info.language
        text = _whole(blocks, index, language)
        if where == "mention" and (lost := files.lost_definitions(path, text)):
            raise ReplyError(
                f"the block on line {block.line} of the reply may be only a part of {path}: it lacks {', '.join(lost[:5])}. "
                "Send the whole file with its path in the fence's first line, or a SEARCH/REPLACE edit"
            )
        files.write(path, text, f"the block on line {block.line} of the reply")
        taken = True
    return taken


def _take_nameless(files: _Files, blocks: list[Block]) -> None:
    """Without any name: the first block of a language with a default name, unless a later one writes it anew."""
    for index, block in enumerate(blocks):
        info = read_info(block.info)
        language = info.language or ("python" if _is_program("\n".join(block.content)) else "")
        name = default_name(language)
        if name is None:
            continue
        text = _whole(blocks, index, language)
        for later_index, later in enumerate(blocks[index + 1 :], index + 1):
            if read_info(later.info).language == info.language and _writes_anew(text, later.text):
                text = _whole(blocks, later_index, language)
        files.write(name, text, f"the block on line {block.line} of the reply")
        return


def _take_unfenced(files: _Files, parts: list[Part]) -> None:
    """A reply without any fence is a file when all of it is a program, or all of one run of its paragraphs."""
    lines = [line for part in parts if isinstance(part, Prose) for line in part.lines]
    text = "\n".join(lines).strip("\n")
    if not text.strip():
        return
    program = text if _is_program(text) else _program_within(lines)
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
    best = next((end for end in reversed(ends[:400]) if _is_program("\n".join(lines[start:end]))), None)
    if best is None:
        if any(re.match(r"(?:async )?def \w+\(.*|class \w+.*:$", line) for line in lines[start:]):
            raise ReplyError(
                f"the reply seems to hold code from line {start + 1} on, but not in a fence: send it between ```python PATH and ```"
            )
        return None
    rest = lines[best:]
    if any(re.match(r"[ \t]+\S|(?:async def|def|class) \w", line) for line in rest):
        raise ReplyError(
            f"the reply's code from line {start + 1} on is not in a fence, so its end can't be told: send it between ```python PATH and ```"
        )
    return "\n".join(lines[start:best])


# ---------------------------------------------------------------- whole or not


def _whole(blocks: list[Block], index: int, language: str) -> str:
    """The block's text; raises `ReplyError` when there are signs that it is not whole."""
    block = blocks[index]
    line = f"the block on line {block.line} of the reply"
    longer = f"send it again with a longer fence around it ({block.fence}{block.fence[0]})"
    inner = [text for text in block.content if _opens_inside(block, text)]
    if language == "python":
        if _ends_in_the_middle(block.text):
            raise ReplyError(
                f"{line} ends in the middle (a string or bracket is open): send the whole file; if it holds a fence, {longer}"
            )
        if inner and not _parses(block.text):
            raise ReplyError(f"another fence opens inside {line}: {longer}")
        if any(_MARKER.match(text) for text in block.content) and not _parses(block.text):
            raise ReplyError(f"{line} holds conflict markers: send the whole file without them")
        return block.text
    if inner or (language == "markdown" and index + 1 < len(blocks) and not blocks[index + 1].info):
        raise ReplyError(f"another fence of the same length may be inside {line}: {longer}")
    if any(_MARKER.match(text) for text in block.content) and language != "markdown":
        raise ReplyError(f"{line} holds conflict markers: send the whole file without them")
    return block.text


def _opens_inside(block: Block, line: str) -> bool:
    bare = line.lstrip(" ")
    run = len(bare) - len(bare.lstrip(block.fence[0]))
    return len(line) - len(bare) <= 3 and run >= len(block.fence)


def _ends_in_the_middle(text: str) -> bool:
    """Whether Python's tokens end inside a string, a bracket or after a line continuation."""
    try:
        for _ in tokenize.generate_tokens(io.StringIO(text).readline):
            pass
    except tokenize.TokenError as error:
        message = str(error.args[0])
        return "EOF in multi-line" in message or "unexpected EOF" in message or "unterminated triple-quoted" in message
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return text.rstrip("\n").endswith("\\")


def _parses(text: str) -> bool:
    return _tree(text) is not None


def _tree(text: str) -> ast.Module | None:
    try:
        return parse(text)
    except (SyntaxError, SourceError):
        return None


def _is_program(text: str) -> bool:
    """Whether a nameless text is Python that does something: prose such as `Done` or `Note: this` parses, too."""
    tree = _tree(text)
    does = (
        ast.FunctionDef
        | ast.AsyncFunctionDef
        | ast.ClassDef
        | ast.Assign
        | ast.AugAssign
        | ast.For
        | ast.While
        | ast.With
        | ast.If
        | ast.Try
    )
    return tree is not None and any(isinstance(node, does) for node in tree.body)


def _definitions(text: str) -> set[str] | None:
    """The names of the functions and classes at the top of a module, None when it does not parse."""
    tree = _tree(text)
    if tree is None:
        return None
    return {n.name for n in tree.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}


def _writes_anew(earlier: str, later: str) -> bool:
    """Whether the later text is clearly a whole new version of the earlier one: it defines all that the earlier does."""
    new = _definitions(later)
    old = _definitions(earlier)
    return bool(new) and bool(old) and new is not None and old is not None and old <= new


def _elision(text: str, old: str | None) -> str | None:
    """The line that stands for code left out, None when there is none. A line that the file already held is no sign."""
    kept = set(old.split("\n")) if old is not None else set()
    for line in text.split("\n"):
        if line in kept:
            continue
        dots = _ELLIPSIS.match(line)
        if dots and (
            _REST.search(dots["words"]) or (old is not None and dots["words"] == "" and line.strip()[0] in "#/-;<{")
        ):
            return line.strip()
        if _REST_COMMENT.match(line):
            return line.strip()
    return None


# ---------------------------------------------------------------- the files


class _Files:
    """The files of one reply while it is read: what they held, what they will hold."""

    def __init__(self, before: Before) -> None:
        self._before = before
        self._old: dict[str, bytes | None] = {}
        self._new: dict[str, bytes | None] = {}
        self._written: dict[str, str] = {}
        self.touched = False

    def write(self, name: str, text: str, where: str) -> None:
        """Make the file hold this text, whole."""
        path = self._path(name)
        old = self._text(path)
        if elided := _elision(text, old):
            raise ReplyError(
                f"{where} leaves a part of {path} out ({elided[:80]!r}): send the whole file, or a SEARCH/REPLACE edit"
            )
        if path in self._written:
            if self._written[path] != text and not _writes_anew(self._written[path], text):
                raise ReplyError(f"the reply holds {path} more than once and differently: send it once, whole")
        elif path in self._new:
            raise ReplyError(f"the reply both edits {path} and holds it whole: send one of the two")
        self._written[path] = text
        self._put(path, text, old)

    def edit(self, name: str, edit: Edit) -> None:
        """Apply a SEARCH/REPLACE edit; one with an empty search makes a new file."""
        path = self._path(name)
        self._refuse_written(path)
        current = self._text(path)
        if not any(edit.search):
            if current:
                raise ReplyError(
                    f"the edit on line {edit.line} searches for nothing, but {path} exists: search for the lines to replace"
                )
            self._put(path, "".join(f"{line}\n" for line in edit.replace), None)
            return
        if current is None:
            raise ReplyError(
                f"the edit on line {edit.line} is for {path}, which does not exist: check the path, or send the whole file"
            )
        self._put(path, edits.replace_once(path, current, edit.search, edit.replace), current)

    def patch(self, diff: edits.FileDiff) -> None:
        """Apply a diff of one file: change, create, delete or rename it."""
        source = self._path(diff.old) if diff.old is not None else None
        target = self._path(diff.new) if diff.new is not None else None
        for path in (source, target):
            if path is not None:
                self._refuse_written(path)
        if source is None:
            if target is None:
                raise ReplyError("the diff goes from /dev/null to /dev/null: name the file")
            if self._text(target):
                raise ReplyError(f"the diff creates {target}, which exists: send a diff from a/{target}")
            self._put(target, edits.created_text(diff.hunks), None)
            return
        current = self._text(source)
        if current is None:
            raise ReplyError(f"the diff is for {source}, which does not exist: check the path, or send the whole file")
        text = edits.apply_diff(source, current, diff.hunks)
        if target is None:
            if text:
                raise ReplyError(f"the diff deletes {source}, but its hunks leave lines of it: take all lines away")
            self._new[source] = None
        else:
            if target != source:
                if self._text(target) is not None:
                    raise ReplyError(f"the diff renames {source} to {target}, which exists: choose another name")
                self._new[source] = None
            self._put(target, text, current)
        self.touched = True

    def lost_definitions(self, name: str, text: str) -> list[str]:
        """The functions and classes of the old file that the text lacks."""
        old = self._text(self._path(name))
        before = _definitions(old) if old else None
        after = _definitions(text)
        return sorted(before - (after or set())) if before else []

    def changes(self) -> tuple[FileChange, ...]:
        """What the reply changes; a file that would stay as it is, is no change."""
        found = []
        for path, content in self._new.items():
            old = self._old[path]
            if content != old or old is None:
                base = hashlib.sha256(old).hexdigest() if old is not None else None
                found.append(FileChange(path=path, content=content, base=base))
        return tuple(found)

    def _refuse_written(self, path: str) -> None:
        if path in self._written:
            raise ReplyError(f"the reply both edits {path} and holds it whole: send one of the two")

    def _path(self, name: str) -> str:
        """The portable form of a name, when it may be written."""
        try:
            path = check_writable(encode(decode(name.replace("\\", "/") if re.match(r"^[\w.-]+\\", name) else name)))
        except (UnsafePath, UnicodeError) as error:
            raise ReplyError(f"{error}; name a file inside the project") from None
        self._remember(path)
        if self._old[path] is None:
            for part in path.split("/"):
                if ":" in part:
                    raise ReplyError(f"the file name {path!r} is refused: a colon names a stream or a drive on Windows")
                if part.split(".")[0].rstrip(" ").casefold() in _RESERVED_BY_WINDOWS or part != part.rstrip(" ."):
                    raise ReplyError(f"the file name {path!r} is refused: Windows can't have a file named {part!r}")
        return path

    def _remember(self, path: str) -> None:
        if path in self._old:
            return
        found = self._before(path) if callable(self._before) else self._before.get(path)
        self._old[path] = found.encode("utf-8", "surrogatepass") if isinstance(found, str) else found

    def _text(self, path: str) -> str | None:
        """What the file holds now, with line feeds; bytes that are not UTF-8 as surrogate escapes."""
        content = self._new.get(path, self._old[path])
        if content is None:
            return None
        text = content.decode("utf-8", "surrogateescape")
        return text.replace("\r\n", "\n") if _has_crlf(content) else text

    def _put(self, path: str, text: str, old: str | None) -> None:
        """Keep the text in the old file's own line endings and encoding."""
        original = self._old[path]
        try:
            added = text.encode("utf-8", "surrogateescape")
        except UnicodeError:
            raise ReplyError(f"the text for {path} holds half of a surrogate pair: send valid Unicode") from None
        if original is not None and _has_crlf(original):
            added = added.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        if old is None or not _is_utf8(original or b""):
            stray = [c for c in text if "\udc80" <= c <= "\udcff"]
            foreign = any(c > "\x7f" and not "\udc80" <= c <= "\udcff" for c in text)
            if (stray and original is None) or (foreign and original is not None and old is not None):
                raise ReplyError(
                    f"{path} is not UTF-8, and the text for it holds other characters: use ASCII only in it"
                )
        self._new[path] = added
        self.touched = True


def _has_crlf(content: bytes) -> bool:
    """Whether every line of a text with lines ends with CR LF."""
    return b"\r\n" in content and content.count(b"\r\n") == content.count(b"\n")


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeError:
        return False
    return True

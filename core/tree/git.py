"""What git knows of a project, read without running anything that the repository names and without writing to it.

A repository is data that may have come with an archive: its configuration and attributes can name programs (fsmonitor,
clean filters, textconv, hooks, pagers, remote helpers), and plain `git status` runs some of them. Here every command
starts from an environment of our own, with each such key overridden at command scope, which wins over every file. The
keys that carry a name of the repository's choosing (`filter.NAME.clean`) are listed with `git config --list` first,
which runs nothing. Submodules are never descended into by git itself: each is opened as a repository of its own.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

import msgspec

from treadle.core import paths
from treadle.core.durations import in_seconds
from treadle.core.errors import WorkspaceError
from treadle.core.records import Record

TIMEOUT_S = 60.0
DEEPEST = 20
"""Levels of repositories in repositories that are looked into."""
MOST_NESTED = 500
"""Repositories in a project that are looked into."""
OLDEST_GIT = (2, 31)
"""The first git with `GIT_CONFIG_COUNT`, without which a key that holds `=` can't be overridden."""

_FIXED = (
    ("core.fsmonitor", "false"),
    ("core.hooksPath", os.devnull),
    ("core.pager", "cat"),
    ("core.editor", "false"),
    ("core.sshCommand", "false"),
    ("core.askPass", ""),
    ("core.gitProxy", ""),
    ("core.alternateRefsCommand", "false"),
    ("credential.helper", ""),
    ("diff.external", ""),
    ("gpg.program", "false"),
    ("log.showSignature", "false"),
    ("submodule.recurse", "false"),
    ("status.submoduleSummary", "false"),
    ("protocol.allow", "never"),
    ("safe.bareRepository", "explicit"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
)

# A key with a subsection of the repository's choosing, and what it is overridden with. A filter that is `required`
# but has no command would make git fail, so that goes too.
_NAMED = (
    (re.compile(r"filter\..*\.(clean|smudge|process)", re.S), ""),
    (re.compile(r"filter\..*\.required", re.S), "false"),
    (re.compile(r"diff\..*\.(command|textconv)", re.S), ""),
    (re.compile(r"merge\..*\.driver", re.S), ""),
    (re.compile(r"gpg\..*\.(program|defaultkeycommand)", re.S), "false"),
    (re.compile(r"credential\..*\.helper", re.S), ""),
    (re.compile(r"remote\..*\.(vcs|uploadpack|receivepack|proxy)", re.S), ""),
    (re.compile(r"protocol\..*\.allow", re.S), "never"),
    (re.compile(r"pager\..*", re.S), "false"),
)


class StatusEntry(Record, frozen=True, kw_only=True):
    """One line of `git status`: the portable path and the two letters of its state (`index` and `worktree`, `.` for
    unchanged, `?` for untracked, `U` for a conflict). `submodule`: the path is a submodule."""

    path: str
    index: str
    worktree: str
    submodule: bool = False


class Committed(Record, frozen=True, kw_only=True):
    """A file of a commit: `id` is its object's, `mode` git's (`100644`, `100755`, `120000` a link, `160000` a
    submodule)."""

    id: str
    mode: str


def overrides(keys: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The configuration that neutralises a repository in which these keys are set."""
    named = ((key, value) for key in keys for pattern, value in _NAMED if pattern.fullmatch(_folded(key)))
    return tuple(dict((*_FIXED, *named)).items())


def _folded(key: str) -> str:
    """Section and variable in lower case, as git compares them; the subsection as it is."""
    section, dot, rest = key.partition(".")
    subsection, second, variable = rest.rpartition(".")
    return section.lower() + dot + subsection + second + variable.lower()


def environment(toplevel: str, person: Mapping[str, str], config: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """The whole environment of a git command: nothing of the person's `GIT_*`, every override in place."""
    kept = ("PATH", "HOME", "XDG_CONFIG_HOME", "SUDO_UID")
    env = {name: person[name] for name in kept if name in person}
    env |= {
        "LC_ALL": "C",
        "GIT_WORK_TREE": toplevel,
        "GIT_CEILING_DIRECTORIES": str(Path(toplevel).parent),
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_PAGER": "cat",
        "GIT_CONFIG_COUNT": str(len(config)),
    }
    for number, (key, value) in enumerate(config):
        env[f"GIT_CONFIG_KEY_{number}"] = key
        env[f"GIT_CONFIG_VALUE_{number}"] = value
    return env


class _Known:
    """The tops of the repositories that were met on one way through a project, and how deep it is in them."""

    def __init__(self, tops: set[Path], depth: int = 0) -> None:
        self._tops = tops
        self._depth = depth

    def add(self, top: Path) -> bool:
        """Whether it is another one, and neither too deep nor one too many."""
        if top in self._tops or self._depth >= DEEPEST or len(self._tops) >= MOST_NESTED:
            return False
        self._tops.add(top)
        return True

    def below(self) -> _Known:
        """The same, a repository deeper."""
        return _Known(self._tops, self._depth + 1)


class GitView:
    """A project's repository, read-only. Names are portable paths relative to the project, which may lie below the
    repository's top. Methods raise `WorkspaceError` when git can't read the repository (a damaged index, say)."""

    def __init__(self, project: Path, toplevel: Path, person: Mapping[str, str]) -> None:
        self.project = project
        self.toplevel = toplevel
        self._person = person
        below = os.fsencode(project.relative_to(toplevel).as_posix())
        self._prefix = b"" if below == b"." else below + b"/"

    @classmethod
    def open(cls, project: str | os.PathLike[str], person: Mapping[str, str] = os.environ) -> GitView | None:
        """The repository that the project lies in. None when there is none (or a bare one, or one that ignores the
        project), or no usable git. Raises `WorkspaceError` when git refuses to read it because of its owner."""
        root = Path(project).resolve()
        if not _usable_git(person):
            return None
        for top in (root, *root.parents):
            if not os.path.lexists(top / ".git") or ".git" in root.relative_to(top).parts:
                continue
            view = cls(root, top, person)
            code, _, said = view._run("rev-parse", "--absolute-git-dir")
            if code == 0:
                return None if view._ignores_itself() else view
            if "dubious ownership" in said:
                raise WorkspaceError(
                    f"git does not read {top} because it belongs to another user (uid {top.stat().st_uid}); if you "
                    f"trust it, run: git config --global --add safe.directory {top}"
                )
        return None

    def head(self) -> str | None:
        """The commit that is checked out, None before the first one."""
        code, out, _ = self._run("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
        return out.decode().strip() if code == 0 else None

    def commit(self, revision: str) -> str | None:
        """The id of the commit that a person names (`HEAD~2`, a branch, a tag), None when there is none."""
        if not revision or revision.startswith("-") or "\0" in revision:
            return None
        code, out, _ = self._run("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
        return out.decode().strip() if code == 0 else None

    def committed(self, commit: str) -> dict[str, Committed]:
        """The files of a commit, its links and submodules among them."""
        found = {}
        for line in self._read("ls-tree", "-r", "-z", commit).split(b"\0"):
            if line:
                facts, _, raw = line.partition(b"\t")
                mode, _, id = facts.decode().split(" ")
                found[self._name(raw)] = Committed(id=id, mode=mode)
        return found

    def touched_since(self, commit: str) -> tuple[str, ...]:
        """The tracked files that may differ from a commit: those of which git can't say without reading them that they
        are as they were, too."""
        command = ("diff-index", "--name-only", "--no-renames", "--ignore-submodules=dirty", "-z", commit)
        return tuple(dict.fromkeys(self._names(*command)))

    def sizes(self, ids: Sequence[str]) -> list[int | None]:
        """The bytes of each object, None where this clone does not have it."""
        answers = self._answers("--batch-check", ids).splitlines()
        return [None if line.endswith(b" missing") else int(line.split(b" ")[2]) for line in answers]

    def contents(self, ids: Sequence[str]) -> list[bytes]:
        """The content of each object, as it is stored. All of them are held at once: look at their sizes first."""
        out, found, at = self._answers("--batch", ids), [], 0
        for _ in ids:
            end = out.index(b"\n", at)
            size = int(out[at:end].split(b" ")[2])
            found.append(out[end + 1 : end + 1 + size])
            at = end + 1 + size + 1
        return found

    def _answers(self, how: str, ids: Sequence[str]) -> bytes:
        if not ids:
            return b""
        with tempfile.TemporaryFile() as asked:
            asked.write("".join(f"{id}\n" for id in ids).encode())
            asked.seek(0)
            code, out, said = self._run("cat-file", how, given=asked)
        if code != 0:
            raise self._error("cat-file", said)
        return out

    def tracked(self) -> tuple[str, ...]:
        """The files in the index; one that was deleted from disk is still among them. Submodules are not."""
        return tuple(path for path, submodule in self._index() if not submodule)

    def submodules(self) -> tuple[str, ...]:
        """The folders that the index holds as submodules."""
        return tuple(path for path, submodule in self._index() if submodule)

    def untracked(self) -> tuple[str, ...]:
        """The files that are neither tracked nor ignored. A nested repository is one name that ends in `/`."""
        return tuple(self._names("ls-files", "--others", "--exclude-standard", "-z"))

    def ignored(self) -> tuple[str, ...]:
        """What is ignored; a folder that is ignored as a whole is one name that ends in `/`."""
        return tuple(self._names("ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"))

    def files(self) -> tuple[str, ...]:
        """Every file that is not ignored: tracked, untracked, and those of submodules and nested repositories, each
        by its own rules. In a nested repository that git can't read, its plain files are not listed."""
        return tuple(self._files(_Known({self.toplevel})))

    def _files(self, known: _Known) -> dict[str, None]:
        found = dict.fromkeys(self.tracked())
        for name in (*self.untracked(), *(f"{path}/" for path in self.submodules())):
            if not name.endswith("/"):
                found[name] = None
            elif nested := self._nested(name.removesuffix("/"), known):
                found |= dict.fromkeys(name + inner for inner in nested._files(known.below()))
        return found

    def status(self) -> tuple[StatusEntry, ...]:
        """What differs between HEAD, index and files. Content is compared without clean filters, so a file whose
        filter changes it may be shown as modified. What is dirty inside a submodule makes the submodule `M`."""
        return self._status(_Known({self.toplevel}))

    def _status(self, known: _Known) -> tuple[StatusEntry, ...]:
        command = ("status", "--porcelain=v2", "--untracked-files=all", "--no-renames", "--ignore-submodules=dirty")
        entries = {entry.path: entry for entry in self._parse_status(self._read(*command, "--no-ahead-behind", "-z"))}
        for path in self.submodules():
            nested = self._nested(path, known)
            if nested is not None and nested._status(known.below()):
                before = entries.get(path, StatusEntry(path=path, index=".", worktree=".", submodule=True))
                entries[path] = msgspec.structs.replace(before, worktree="M")
        return tuple(entries.values())

    def _parse_status(self, out: bytes) -> Iterator[StatusEntry]:
        for line in out.split(b"\0"):
            kind = line[:1]
            if kind == b"?":
                yield StatusEntry(path=self._name(line[2:]), index="?", worktree="?")
            elif kind in (b"1", b"u"):
                fields = line.split(b" ", 8 if kind == b"1" else 10)
                state = fields[1].decode()
                submodule = fields[2].startswith(b"S")
                yield StatusEntry(path=self._name(fields[-1]), index=state[0], worktree=state[1], submodule=submodule)

    def _index(self) -> Iterator[tuple[str, bool]]:
        seen: set[str] = set()
        for line in self._read("ls-files", "--stage", "-z").split(b"\0"):
            if line:
                facts, _, raw = line.partition(b"\t")
                name = self._name(raw)
                if name not in seen:
                    seen.add(name)
                    yield name, facts.startswith(b"160000")

    def _nested(self, folder: str, known: _Known) -> GitView | None:
        """The repository that lies at that very place, None where there is none, or one that is known. An index may
        have been written by hand: what it calls a submodule may be no path below this, or a known one once more."""
        if any(part in ("", ".", "..") for part in paths.decode(folder).split("/")):
            return None
        place = paths.on_disk(self.project, folder)
        if not os.path.lexists(place / ".git") or os.path.realpath(place) != str(place) or not known.add(place):
            return None
        view = GitView.open(place, self._person)
        return view if view is not None and view.toplevel == place else None

    def _names(self, *command: str) -> Iterator[str]:
        return (self._name(raw) for raw in self._read(*command).split(b"\0") if raw)

    def _name(self, raw: bytes) -> str:
        return paths.encode(raw[len(self._prefix) :])

    def _ignores_itself(self) -> bool:
        return bool(self._prefix) and self._run("check-ignore", "--quiet", "--", str(self.project))[0] == 0

    def _read(self, *command: str) -> bytes:
        scope = ("--", os.fsdecode(self._prefix)) if self._prefix else ()
        code, out, said = self._run("--literal-pathspecs", *command, *scope)
        if code != 0:
            raise self._error(command[0], said)
        return out

    def _error(self, command: str, said: str) -> WorkspaceError:
        advice = "`git reset` builds a damaged index anew and keeps your files" if "index" in said else "see `git fsck`"
        return WorkspaceError(f"git {command} can't read the repository {self.toplevel}: {said.strip()} ({advice})")

    def _run(self, *command: str, given: BinaryIO | None = None) -> tuple[int, bytes, str]:
        listed = self._execute(overrides(()), "config", "--list", "--name-only", "-z")
        if listed[0] != 0:
            return listed
        keys = [os.fsdecode(key) for key in listed[1].split(b"\0") if key]
        return self._execute(overrides(keys), *command, given=given)

    def _execute(
        self, config: tuple[tuple[str, str], ...], *command: str, given: BinaryIO | None = None
    ) -> tuple[int, bytes, str]:
        from git import Git, GitCommandError

        env = environment(str(self.toplevel), self._person, config)
        # GitPython adds to the program's own environment and can't take from it: env -i starts from nothing.
        argv = ["env", "-i", *(f"{name}={value}" for name, value in env.items()), "git", "--no-pager", *command]
        try:
            code, out, said = Git(str(self.toplevel)).execute(
                argv,
                istream=given,
                with_extended_output=True,
                with_exceptions=False,
                stdout_as_string=False,
                strip_newline_in_stdout=False,
                kill_after_timeout=TIMEOUT_S,
            )
        except GitCommandError as error:
            raise WorkspaceError(f"git can't be run in {self.toplevel}: {error}") from error
        if code == -9:
            raise WorkspaceError(f"git {command[0]} in {self.toplevel} was killed after {in_seconds(TIMEOUT_S)}")
        return int(code), bytes(out), str(said)


def _usable_git(person: Mapping[str, str]) -> bool:
    """Whether there is a git that is new enough, and GitPython can be imported (it looks for git when it is)."""
    if shutil.which("git", path=person.get("PATH")) is None:
        return False
    try:
        from git import Git
    except ImportError:
        return False
    return Git().version_info[:2] >= OLDEST_GIT

"""What of a git repository acts for whoever uses git in it: its own folder, and what that leads to elsewhere."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from treadle.core.plugin_host import git_index, named_files
from treadle.core.plugin_host.git_config import settings
from treadle.core.plugin_host.needs import KEPT
from treadle.core.plugin_host.program_files import Part, links_in

_MOST = 4096  # bytes of a `.git` file
_COMMANDS = re.compile(
    r"core\.(fsmonitor|sshcommand|editor|pager|askpass|gitproxy|alternaterefscommand)|sequence\.editor|diff\.external"
    r"|interactive\.difffilter|credential\.(.*\.)?helper|gpg\.(.*\.)?program|diff\..*\.(command|textconv)"
    r"|filter\..*\.(clean|smudge|process)|merge\..*\.driver|(merge|diff)tool\..*\.(cmd|path)|pager\..*"
    r"|remote\..*\.(uploadpack|receivepack)|trailer\..*\.(cmd|command)|hook\..*\.command",
    re.DOTALL,
)
"""Keys whose value git runs; an alias is, where its value begins with `!`."""


def around(project: Path) -> Iterator[Path]:
    """The project, and every folder above it with a `.git`. Not the nearest alone: git passes over one that is no
    repository, which anybody can make."""
    yield project
    for top in project.parents:
        if os.path.lexists(top / ".git"):
            yield top


def parts(top: Path) -> Iterator[Part]:
    """`.git` and `.treadle` of a folder, where that `.git` leads if the repository lies elsewhere (by
    `--separate-git-dir`, as of a worktree or a submodule), and all that these lead to."""
    for name in KEPT:
        if os.path.lexists(top / name):
            yield Part(str(top / name), f"the {name} of {top}")
    led = _led_to(top / ".git", b"gitdir:")
    if led is not None:
        yield Part(str(led), f"where {top / '.git'} leads", makes_a_difference=True)
    own = led or top / ".git"
    common = _led_to(own / "commondir")
    if common is not None:
        yield Part(str(common), f"the repository of {top}", makes_a_difference=True)
    said = settings((common or own) / "config")
    is_sha256 = any(key == "extensions.objectformat" and value.strip() == "sha256" for key, value in said)
    for name in git_index.submodules(own, is_sha256=is_sha256):
        yield from _of_fetched(top / name)
    for folder in filter(None, (own, common)):
        yield from _led_by(folder, top)
        for inner in _submodules(folder / "modules"):
            yield from _of_submodule(inner)


def configured(file: Path, top: Path) -> Iterator[Part]:
    """What a file of git's settings leads to, in a repository whose files lie in `top`: other settings, hooks, and each
    file that it names as a command, or in one."""
    waiting, known = [file], set[Path]()  # they may include each other in a ring
    while waiting:
        each = Path(os.path.normpath(waiting.pop()))
        if each not in known:
            known.add(each)
            yield from _configured(each, top, waiting)


def _configured(file: Path, top: Path, waiting: list[Path]) -> Iterator[Part]:
    for key, value in settings(file):
        section, _, name = key.partition(".")
        if section in ("include", "includeif") and key.endswith(".path"):
            included = named_files.at(file.parent, value)
            yield Part(str(included), f"settings of git that {file} includes", makes_a_difference=True)
            waiting.append(included)
        elif (section, name) == ("core", "hookspath"):
            hooks = named_files.at(top, value)
            yield Part(str(hooks), f"the folder of hooks that {file} names", makes_a_difference=True)
            yield from _links(hooks, top)
        elif (section, name) == ("init", "templatedir"):
            template = named_files.at(file.parent, value)
            yield Part(str(template), f"what {file} says that repositories begin with", makes_a_difference=True)
            for inside in (template, template / "hooks"):
                yield from _links(inside, template)
        else:
            yield from (Part(str(path), f"a file that {file} names") for path in named_files.named(value, top))
            if _COMMANDS.fullmatch(key) or (section == "alias" and value.startswith("!")):
                run = named_files.command(value, top)
                if run is not None:
                    yield Part(str(run), f"a command that {file} names", makes_a_difference=True)


def _led_by(folder: Path, top: Path) -> Iterator[Part]:
    """What the folder of a repository leads to."""
    for inside in (folder, folder / "hooks", folder / "info"):
        yield from _links(inside, top)
    for name in ("config", "config.worktree"):
        yield from configured(folder / name, top)


def _links(folder: Path, top: Path) -> Iterator[Part]:
    return (Part(link, f"a link of the repository of {top}", makes_a_difference=True) for link in links_in(folder))


def _of_fetched(submodule: Path) -> Iterator[Part]:
    """One whose repository may lie in its own folder, as where it was there before it became a submodule."""
    if not submodule.is_symlink() and os.path.lexists(submodule / ".git"):
        yield from parts(submodule)


def is_repository(folder: Path) -> bool:
    """Whether the folder is one of git's own, whatever its name, as it is without a work tree."""
    return (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir()


def _submodules(folder: Path) -> Iterator[Path]:
    """The folders of repositories below this one, where git keeps those of submodules by their names."""
    for here, folders, files in os.walk(folder):
        if "HEAD" in files:
            yield Path(here)
            folders[:] = [name for name in folders if name == "modules"]


def _of_submodule(folder: Path) -> Iterator[Part]:
    """Git looks into each submodule whenever it is asked for the state of the whole."""
    worktree = next((value for key, value in settings(folder / "config") if key == "core.worktree"), "")
    if worktree:
        top = Path(os.path.normpath(folder / worktree))
        if os.path.lexists(top / ".git"):
            yield Part(str(top / ".git"), f"the .git of the submodule {top}")
        yield from _led_by(folder, top)


def _led_to(file: Path, word: bytes = b"") -> Path | None:
    """The path that a file of git's names behind the word, None where there is no such file."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            return None
        with file.open("rb") as opened:
            said = opened.read(_MOST)
    except OSError:
        return None
    if not said.startswith(word):
        return None
    return file.parent / os.fsdecode(said.removeprefix(word).strip())

"""What plugins cost: a call across the wall of a process beside the same call in this one, a start, and idle ones.

Run it with `python -m tests.benchmarks.bench_plugins` from the project's folder.
"""

from __future__ import annotations

import compileall
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from treadle.core.config.settings import Settings
from treadle.core.installers.source import Source
from treadle.core.places import Places
from treadle.core.plugin_host import installed
from treadle.core.plugin_host.installed import Installed
from treadle.core.plugin_host.loading import Workshop
from treadle.core.plugin_host.needs import Needs
from treadle.core.plugin_host.plugin_manager import PluginManager
from treadle.core.plugin_host.reach import real_paths
from treadle.core.plugin_host.state import Permit, PluginStates
from treadle.core.records import Candidate, FileChange, Workspace
from treadle.core.tree import tree_mark

ROOT = Path(__file__).resolve().parents[2]
CALLS, STARTS, ROUNDS = 2000, 15, 15
IDLE_ROUNDS = 40  # what is measured is a tenth of a start, whose own time goes up and down by more
SCANNER = """
from treadle import Finding, hookimpl

@hookimpl
def treadle_scan(candidate, workspace, context):
    return tuple(Finding(rule="x", path=f.path, line=1, severity="note", message="seen") for f in candidate.files)

@hookimpl
def treadle_approve(question):
    return None
"""
CANDIDATE = Candidate(
    files=(FileChange(path="src/module.py", content=b"def f(x):\n    return x + 1\n" * 40),),
    why="`x + 1` becomes `x + 2`",
)
WORKSPACE = Workspace(id="w", kind="overlay", project="/project", root="/project", upper="/state/upper")
EMPTY = [sys.executable, "-c", "pass"]


def install(folder: Path, count: int, source: str = SCANNER) -> list[str]:
    """So many distributions with a plugin each, as pip would lay them."""
    names = []
    for number in range(count):
        name = f"acme-{number}"
        (folder / f"acme_{number}.py").write_text(source)
        info = folder / f"acme_{number}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[treadle]\n{name} = acme_{number}\n")
        (info / "RECORD").write_text(f"acme_{number}.py,,\n{info.name}/METADATA,,\n{info.name}/entry_points.txt,,\n")
        names.append(name)
    return names


def install_apart(places: Places, count: int, files: int) -> None:
    """So many plugins with an environment each that holds so many files, and none of pip's work."""
    for number in range(count):
        name = f"apart-{number}"
        folder = places.plugin_environments / name
        site = folder / "lib" / "site-packages"
        site.mkdir(parents=True)
        (folder / "bin").mkdir()
        (folder / "bin" / "python").symlink_to(sys.executable)
        (site / f"apart_{number}.py").write_text(SCANNER)
        for other in range(files):
            (site / f"other_{other}.py").write_text("")
        module = f"apart_{number}"
        entry = Installed(
            distribution=name,
            version="1.0",
            source=Source(kind="name", text=name, hint=name),
            folder=name,
            python=installed.PYTHON,
            plugins={name: module},
            places={name: f"lib/site-packages/{module}.py"},
            mark=tree_mark.mark(folder),
            digest=tree_mark.content_digest(folder),
        )
        installed.put(places.plugin_environments, entry)


class Place:
    """A project with its person's state, and a folder of plugins on the import path."""

    def __init__(self, folder: Path, count: int, enabled: int, apart: int = 0, *, writes: bool = False) -> None:
        """`writes`: those that are enabled may write a folder, which is looked at each time."""
        data = str(folder / "data")
        needs = Needs(write=(data,)) if writes else Needs()
        source = f"{SCANNER}\ntreadle_needs = {{'write': [{data!r}]}}\n" if writes else SCANNER
        self.packages = folder / "packages"
        self.packages.mkdir(parents=True)
        (folder / "project").mkdir()
        self.places = Places(folder / "home", folder / "project").make()
        for name in install(self.packages, count, source)[:enabled]:
            permit = Permit(needs=needs, real=real_paths(needs), origin=f"distribution {name}")
            self.states().enable(name, permit=permit)
        install_apart(self.places, apart, files=500)
        for number in range(apart):
            self.states().enable(f"apart-{number}", permit=Permit(origin=f"environment apart-{number}"))

    def states(self) -> PluginStates:
        places = self.places
        return PluginStates(places.project, user_file=places.user_plugins, project_file=places.project_plugins)

    def manager(self, *, apart: bool) -> PluginManager:
        workshop = Workshop(self.places) if apart else None
        manager = PluginManager(self.states(), Settings(), _fail, builtins=(), workshop=workshop)
        manager.load()
        return manager


def _fail(fault: object) -> None:
    raise AssertionError(fault)


def scan(manager: PluginManager) -> None:
    (found,) = manager.call("treadle_scan", candidate=CANDIDATE, workspace=WORKSPACE, context=None)
    assert len(found) == 1


def median(action: Callable[[], Any], count: int) -> float:
    """The median of the seconds of so many calls."""
    times = []
    for _ in range(count):
        began = time.perf_counter()
        action()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def calls(folder: Path) -> None:
    """A warm call in both places, in turns."""
    place = Place(folder, 1, 1)
    sys.path.insert(0, str(place.packages))
    here, apart = place.manager(apart=False), place.manager(apart=True)
    for manager in (here, apart):
        median(lambda manager=manager: scan(manager), 50)
    pairs = [tuple(median(lambda m=m: scan(m), CALLS // ROUNDS) for m in (here, apart)) for _ in range(ROUNDS)]
    inside, outside = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"a warm call: {inside * 1000:.3f} ms in this process, {outside * 1000:.3f} ms in its own")
    apart.close()

    def start() -> None:
        manager = place.manager(apart=True)
        scan(manager)
        began.append(manager)

    began: list[PluginManager] = []
    plain = median(lambda: subprocess.run(EMPTY, check=True), STARTS)
    first = median(start, STARTS)
    for manager in began:
        manager.close()
    workshop = Workshop(place.places)
    (found,) = (p.found for p in here._plugins.values())
    imported = workshop.look(found).import_s
    print(
        f"start and first call: {first * 1000:.0f} ms, of which its own import {imported * 1000:.1f} ms "
        f"(python -c pass: {plain * 1000:.0f} ms; {first / plain:.1f} times that)"
    )
    in_session = statistics.median(_first_call(place) for _ in range(STARTS))
    print(f"  in a session, which launches the sandbox's server while it loads its plugins: {in_session * 1000:.0f} ms")


def _first_call(place: Place) -> float:
    """Seconds of a plugin's first call in a program that has loaded all that ships with Treadle, as a session does."""
    source = (
        "import sys, time\nfrom pathlib import Path\nfrom treadle.core.project import Project\n"
        "from treadle.core.records import Question\n"
        "question = Question(id='q', text='?', options=())\n"
        "from treadle import sandbox\n"
        "sandbox.prepare()  # as a session does\n"
        "with Project(Path(sys.argv[1])) as project:\n"
        "    manager = project.plugins\n"
        "    began = time.perf_counter()\n"
        "    assert manager.call('treadle_approve', question=question, context=None) == []\n"
        "    print(time.perf_counter() - began)\n"
        "assert not [info for info in manager.plugins() if info.faults]\n"
    )
    env = {**os.environ, "PYTHONPATH": f"{ROOT}:{place.packages}", "TREADLE_HOME": str(place.places.home)}
    command = [sys.executable, "-c", source, str(place.places.project)]
    return float(subprocess.run(command, env=env, stdout=subprocess.PIPE, check=True).stdout)


def idle(folder: Path) -> None:
    """What installed plugins add to the time that a command needs to have its plugins loaded."""
    source = (
        "import sys, time\nfrom pathlib import Path\n"
        "from treadle.core.project import Project\n"
        "began = time.perf_counter()\nProject(Path(sys.argv[1])).plugins\n"
        "print(time.perf_counter() - began)\n"
    )

    def startup(place: Place) -> Callable[[], float]:
        env = {
            **os.environ,
            "PYTHONPATH": f"{ROOT}:{place.packages}",
            "TREADLE_HOME": str(place.places.home),
        }
        command = [sys.executable, "-c", source, str(place.places.project)]

        def run() -> float:
            return float(subprocess.run(command, env=env, capture_output=True, check=True).stdout)

        run()  # each plugin that is enabled is looked at once
        return run

    starts = [
        startup(place)
        for place in (
            Place(folder / "none", 0, 0),
            Place(folder / "disabled", 100, 0),
            Place(folder / "enabled", 20, 20),
            Place(folder / "apart", 0, 0, 20),
            Place(folder / "writing", 20, 20, writes=True),
        )
    ]
    rounds = [[start() for start in starts] for _ in range(IDLE_ROUNDS)]
    # Each is held against the start of its own round: what else the machine does is then mostly the same for both.
    alone, *others = (
        statistics.median(column) for column in zip(*((a, *(b - a for b in more)) for a, *more in rounds), strict=True)
    )
    print(f"plugins loaded: {alone * 1000:.0f} ms without any")
    for what, seconds in zip(
        (
            "100 installed and disabled",
            "20 enabled and unused",
            "20 such with 500 files in an environment each",
            "20 such that may write a folder",
        ),
        others,
        strict=True,
    ):
        print(f"  {what}: {seconds * 1000:+.1f} ms")


def compile_as_installed() -> None:
    """Write the bytecode of Treadle, as pip does when it installs it: what is measured is not Python's compiler."""
    for room in ("treadle", "core", "plugins", "sandbox", "skills", "tui"):
        compileall.compile_dir(ROOT / room, quiet=2)


def main() -> None:
    compile_as_installed()
    print(f"Python {platform.python_version()}, {platform.platform()}")
    with tempfile.TemporaryDirectory() as folder:
        calls(Path(folder, "calls"))
        idle(Path(folder, "idle"))


if __name__ == "__main__":
    main()

"""pip and uv as they fill the environments of plugins: what holds for the one holds for the other.

Both have settings of the person's that would loosen it, in a file and in the environment.
"""

from __future__ import annotations

import hashlib
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

import git
import msgspec
import packaging.tags
import pytest

import treadle
from tests.made_packages import project, wheel
from tests.package_index import PackageIndex, path_with_uv, path_without_uv, served
from treadle.core import keys
from treadle.core.errors import InstallError
from treadle.core.installers import choosing, pylock, uv_settings
from treadle.core.installers.running import Runner
from treadle.core.installers.source import source_of
from treadle.core.places import Places
from treadle.core.plugin_host.installed import Installed
from treadle.core.plugin_host.installing import Installing

PLUGIN = "from treadle import hookimpl\n"
LOOSE_FOR_UV = """\
no-build = false
no-build-isolation = true
no-binary-package = ["acme", "tiny"]
link-mode = "symlink"
compile-bytecode = false
[pip]
no-binary = [":all:"]
verify-hashes = false
no-deps = true
prefix = "elsewhere"
"""
LOOSE_VARIABLES = {
    "PIP_NO_BINARY": ":all:",
    "PIP_TARGET": "elsewhere",
    "PIP_NO_DEPS": "1",
    "UV_NO_BINARY": "1",
    "UV_LINK_MODE": "symlink",
    "UV_NO_VERIFY_HASHES": "1",
    "UV_NO_CONFIG": "",
}


class Person:
    """Somebody who installs plugins from an index with one of the two programs."""

    def __init__(self, folder: Path, index: PackageIndex, program: choosing.Program) -> None:
        self.index = index
        self.folder = folder
        self.places = Places(folder / "home", folder / "project").make()
        self.installing = Installing(self.places, program)

    def install(self, source: str) -> Installed:
        return self.installing.install(source_of(source))

    def environment(self, entry: Installed) -> Path:
        return self.places.plugin_environments / entry.folder

    def acme(self, version: str, *requires: str) -> str:
        """Upload a version of a plugin; the name of its file."""
        files = {"acme.py": f"{PLUGIN}VERSION = {version!r}\n"}
        return wheel(self.index.folder, "acme", version, files, plugins={"acme": "acme"}, requires=requires).name

    def code_that_tells(self) -> tuple[Path, Path]:
        """The source of a package, and the file that is there once its build code has run."""
        witness = self.folder / "it-ran"
        backend = f"import pathlib\npathlib.Path({str(witness)!r}).touch()\n1/0\n"
        return project(self.folder / "source", "acme", "9.0", {}, backend=backend), witness


@pytest.fixture(params=["pip", "uv"])
def person(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Person]:
    if request.param == "uv":
        monkeypatch.setenv("PATH", path_with_uv())
    files = tmp_path / "files"
    files.mkdir()
    clone = tmp_path / "project"
    clone.mkdir()
    with served(files) as index:
        (tmp_path / "pip.conf").write_text(f"[global]\nindex-url = {index.address}\n")
        (tmp_path / "uv.toml").write_text(f'index-url = "{index.address}"\n{LOOSE_FOR_UV}')
        (clone / "uv.toml").write_text('index-url = "http://127.0.0.1:9/index/"\n')
        for name, value in LOOSE_VARIABLES.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
        monkeypatch.setenv("UV_CONFIG_FILE", str(tmp_path / "uv.toml"))
        for name in ("PIP_" + "FIND_LINKS", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.chdir(clone)
        yield Person(tmp_path, index, request.param)


def test_from_an_index_pinned_by_hashes_updated_and_never_what_was_tampered_with(person: Person) -> None:
    index = person.index
    tiny = wheel(index.folder, "tiny", "1", {"tiny.py": ""}).name
    first = person.acme("1.0", "tiny", "treadle>=0.1", "msgspec", "nothing; extra == 'x'")
    source, witness = person.code_that_tells()
    with tarfile.open(index.folder / "acme-9.0.tar.gz", "w:gz") as archive:  # newer, and no wheel
        archive.add(source, "acme-9.0")

    entry = person.install("acme")
    environment = person.environment(entry)
    assert (environment / "treadle-lock.txt").read_text().splitlines() == [
        f"acme==1.0 --hash=sha256:{index.sha256(first)}",
        f"tiny==1 --hash=sha256:{index.sha256(tiny)}",
    ]
    (site,) = environment.glob("lib/*/site-packages")
    names = {path.name for path in site.iterdir()}
    assert {"acme.py", "tiny.py"} < names
    assert not {name for name in names if name.startswith(("treadle", "msgspec", "pluggy"))}
    assert not [path for path in site.rglob("*") if path.is_symlink()]
    assert not witness.exists()

    index.yanked[person.acme("1.1")] = "it harms"
    index.claimed[person.acme("1.2")] = "0" * 64
    with pytest.raises(InstallError, match=r"(?is)hash.*All of it is in"):
        person.installing.update(entry)
    assert person.installing.all() == (entry,)
    index.yanked["acme-1.2-py3-none-any.whl"] = "it was tampered with"
    assert person.installing.update(entry).changes == ()
    (entry,) = person.installing.all()
    person.acme("1.3", "tiny")
    assert person.installing.update(entry).changes == ("acme 1.0 -> 1.3",)


def test_what_is_not_there_or_was_taken_back_is_said_to_be_so(person: Person) -> None:
    person.index.yanked[person.acme("1.0")] = "it harms"
    for name in ("acme", "other"):
        with pytest.raises(InstallError, match=rf"No matching .* for {name}|{name}(==1\.0)? was (yanked|not found)"):
            person.install(name)
    assert person.installing.all() == ()


def test_no_wheel_has_anything_built_that_it_depends_on(person: Person) -> None:
    source, witness = person.code_that_tells()
    file = person.index.folder / person.acme("1.0", f"source @ {source.as_uri()}")
    for asked in ("acme", str(file)):
        with pytest.raises(InstallError, match="--allow-build"):
            person.install(asked)
    assert not witness.exists()


def test_nothing_of_a_wheel_is_run_though_it_is_compiled(person: Person) -> None:
    """By the Python that compiles it, which would run these when it starts."""
    witness = person.folder / "it-ran"
    code = f"import pathlib; pathlib.Path({str(witness)!r}).touch()\n"
    files = {"acme.py": PLUGIN, "acme_bad.py": "def f(:\n", "a.pth": code, "sitecustomize.py": code}
    dependency = wheel(person.index.folder, "tiny", "1", {"tiny.py": "", "t.pth": code})
    assert dependency.exists()
    file = wheel(person.index.folder, "acme", "1.0", files, plugins={"acme": "acme"}, requires=["tiny"])
    for source in ("acme", str(file)):
        entry = person.install(source)
        (site,) = person.environment(entry).glob("lib/*/site-packages")
        compiled = {path.name.partition(".")[0] for path in site.glob("__pycache__/*.pyc")}
        assert compiled == {"acme", "tiny", "sitecustomize"}
        person.installing.update(entry)
        person.installing.remove(person.installing.named("acme"))
    assert not witness.exists()


def test_a_source_is_built_and_what_it_depends_on_are_wheels_with_their_hashes(person: Person) -> None:
    tiny = wheel(person.index.folder, "tiny", "1", {"tiny.py": ""}).name
    needs = ["tiny", f"treadle=={treadle.__version__}", "never; extra == 'x'"]
    folder = project(person.folder / "own", "own", "1.0", {"own.py": PLUGIN}, plugins={"own": "own"}, requires=needs)
    entry = person.install(str(folder))
    assert (person.environment(entry) / "treadle-lock.txt").read_text().splitlines() == [
        f"own==1.0 # {folder.as_uri()} with tree sha256:{entry.source_digest}",
        f"tiny==1 --hash=sha256:{person.index.sha256(tiny)}",
    ]
    assert entry.installer == person.installing.installer().name
    (folder / "src" / "own.egg-info").mkdir(parents=True)  # as a build leaves it
    (folder / "src" / "own.egg-info" / "PKG-INFO").touch()
    assert person.installing.update(entry).after.source_digest == entry.source_digest
    archive = person.folder / "made-1.0.tar.gz"
    project(person.folder / "made-1.0", "made", "1.0", {"made.py": PLUGIN}, plugins={"made": "made"})
    with tarfile.open(archive, "w:gz") as packed:
        packed.add(person.folder / "made-1.0", "made-1.0")
    entry = person.install(str(archive))
    lock = (person.environment(entry) / "treadle-lock.txt").read_text()
    assert lock == f"made==1.0 --hash=sha256:{hashlib.sha256(archive.read_bytes()).hexdigest()}\n"


def test_a_repository_is_installed_at_the_commit_that_is_kept(person: Person) -> None:
    folder = project(person.folder / "acme", "acme", "1.0", {"acme.py": PLUGIN}, plugins={"acme": "acme"})
    repository = git.Repo.init(folder)
    repository.git.add("-A")
    as_somebody = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    repository.git.execute([*as_somebody, "commit", "--no-gpg-sign", "-m", "x"])
    entry = person.install(f"file://{folder}")
    assert entry.commit == repository.head.commit.hexsha
    lock = (person.environment(entry) / "treadle-lock.txt").read_text()
    assert lock == f"acme==1.0 # {folder.as_uri()} at commit {entry.commit}\n"


def test_a_plugin_for_another_treadle_is_refused_before_it_runs(person: Person) -> None:
    wheel(person.index.folder, "treadle", "9.0", {"treadle.py": ""})  # what an index has of that name is not asked
    person.acme("1.0", f"treadle>{treadle.__version__}")
    with pytest.raises(InstallError, match=r"(?s)acme.*depends?\s+on\s+treadle"):
        person.install("acme")


# ---------------------------------------------------------------- which of the two


def chosen(asked: choosing.Program, before: str = "", **env: str) -> str:
    return choosing.choose(asked, before, env).name


def test_uv_is_taken_where_there_is_one_and_only_where_packages_come_from_the_same_places(tmp_path: Path) -> None:
    without = {"PATH": path_without_uv(), "XDG_CONFIG_DIRS": str(tmp_path), "PIP_CONFIG_FILE": "/dev/null"}
    assert chosen("auto", **without) == "pip"
    with pytest.raises(InstallError, match="no uv on PATH; mend that, or say --with pip"):
        chosen("uv", **without)
    with pytest.raises(InstallError, match="it did so before"):
        chosen("auto", "uv", **without)

    at_hand = without | {"PATH": path_with_uv()}
    assert chosen("auto", **at_hand) == "uv"
    assert chosen("auto", "pip", **at_hand) == "pip"
    assert chosen("pip", "uv", **at_hand) == "pip"
    only_pip = at_hand | {"PIP_CONFIG_FILE": str(tmp_path / "pip.conf")}
    (tmp_path / "pip.conf").write_text("[install]\nextra_index_url = http://127.0.0.1:9/index/\n")
    assert chosen("auto", **only_pip) == "pip", "the same name may be something else in another place"
    assert chosen("auto", "uv", **only_pip) == "uv"
    (tmp_path / "uv").mkdir()
    (tmp_path / "uv" / "uv.toml").write_text('[pip]\nfind-links = ["wheels"]\n')
    assert chosen("auto", **only_pip) == "uv"


def test_a_uv_of_the_folder_that_we_are_in_is_none_and_an_old_one_is_said_to_be_too_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "uv"
    program.write_text("#!/bin/sh\necho uv 0.4.30\n")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InstallError, match="no uv on PATH"):
        chosen("uv", PATH="::.:bin")
    with pytest.raises(InstallError, match=r"uv 0\.4\.30.* 0\.7 is the oldest"):
        chosen("uv", PATH=str(tmp_path))


def test_of_a_lock_one_archive_is_pinned_the_best_for_this_python(tmp_path: Path) -> None:
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    first = next(packaging.tags.sys_tags())

    def wheel(tags: str) -> dict[str, object]:
        return {"url": f"http://127.0.0.1:9/x/many-1-{tags}.whl", "hashes": {"sha256": tags}}

    entries = [
        {"name": "many", "version": "1", "wheels": [wheel("py3-none-any"), wheel(str(first)), wheel("cp27-none-any")]},
        {"name": "Plain_One", "version": "2", "wheels": [wheel("py3-none-any"), wheel(f"{python}-none-any")]},
        {"name": "source", "version": "3", "sdist": {"path": "s-3.tar.gz", "hashes": {"sha512": "00"}}},
        {"name": "given", "version": "4", "archive": {"path": "a b.whl", "hashes": {"sha256": "11"}}},
        {"name": "folder", "directory": {"path": "../folder"}},
        {"name": "git", "vcs": {"type": "git", "url": "file:///r", "commit-id": "22", "subdirectory": "x"}},
    ]
    file = tmp_path / "pylock.toml"
    file.write_bytes(msgspec.toml.encode({"lock-version": "1.0", "packages": entries}))
    found = pylock.read(file)
    assert [each.line for each in found] == [
        f"many==1 --hash=sha256:{first}",
        f"Plain_One==2 --hash=sha256:{python}-none-any",
        "source==3",
        f"given @ {tmp_path.as_uri()}/a%20b.whl --hash=sha256:11",
        f"folder @ {tmp_path.as_uri()}/../folder",
        "git @ git+file:///r@22#subdirectory=x",
    ]
    assert [each.name for each in found[:2]] == ["many", "plain-one"]
    assert (found[2].sha256, found[5].commit) == ("", "22")


def test_of_uvs_settings_those_hold_that_say_where_packages_come_from(tmp_path: Path) -> None:
    own, system = tmp_path / "own" / "uv", tmp_path / "system" / "uv"
    for folder in (own, system):
        folder.mkdir(parents=True)
    (own / "uv.toml").write_text(
        'offline = true\nfind-links = ["wheels", "/media/wheels"]\nno-build = false\n'
        '[[index]]\nname = "ours"\nurl = "mirror"\n[pip]\nno-index = true\nonly-binary = ["a"]\n'
    )
    (system / "uv.toml").write_text(
        'offline = false\nfind-links = ["more"]\ncache-dir = "x"\nexclude-newer = "1 week"\n'
    )
    env = {"XDG_CONFIG_HOME": str(own.parent), "XDG_CONFIG_DIRS": f"{tmp_path}:{system.parent}", "HOME": "/nowhere"}
    assert uv_settings.kept(env) == {
        "offline": True,
        "find-links": [str(own / "wheels"), "/media/wheels", str(system / "more")],
        "index": [{"name": "ours", "url": str(own / "mirror")}],
        "exclude-newer": "1 week",
        "pip": {"no-index": True},
    }
    assert uv_settings.kept(env | {"UV_NO_CONFIG": "1"}) == {}
    kept = {"UV_INDEX_OURS_PASSWORD": "x", "UV_OFFLINE": "1", "HOME": "/nowhere"}
    assert uv_settings.variables(kept | {"UV_PYTHON": "3", "UV_NO_BINARY": "1", "UV_CONFIG_FILE": "x"}) == kept
    assert msgspec.toml.decode(uv_settings.write(tmp_path / "written.toml", env).read_bytes()) == uv_settings.kept(env)


def test_who_builds_a_plugin_is_not_told_the_keys_of_services(tmp_path: Path) -> None:
    keys.KNOWN.name({"WORK_ACCESS"}, {})
    told = Runner(tmp_path / "log", tmp_path, {"WORK_ACCESS": "a key", "OPENAI_API_KEY": "a key", "LANG": "C"}).env
    assert set(told) == {"LANG", "GIT_TERMINAL_PROMPT", "TMPDIR"}

"""Plugins in environments of their own: real environments, filled by pip from wheels that lie on the disk."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.core.plugin_workshop import info
from tests.deep_folders import nested
from tests.made_packages import pip_settings, project, wheel
from tests.plugin_workers.conftest import TASK
from treadle.core.config.settings import Settings
from treadle.core.errors import InstallError, PluginError, UsageError
from treadle.core.installers.source import source_of
from treadle.core.places import Places
from treadle.core.plugin_host import installed
from treadle.core.plugin_host.accepting import accepted
from treadle.core.plugin_host.environment import Made
from treadle.core.plugin_host.environment_use import EnvironmentsInUse
from treadle.core.plugin_host.installing import Installing
from treadle.core.plugin_host.loading import Workshop
from treadle.core.plugin_host.needs import Needs
from treadle.core.plugin_host.plugin_manager import PluginManager
from treadle.core.plugin_host.state import Permit, PluginStates
from treadle.core.tree import tree_mark
from treadle.testing import Witness

HEAD = "from treadle import Finding, Setting, hookimpl\n"
SETTINGS = (
    HEAD + "import tiny\n@hookimpl\ndef treadle_settings():\n    return (Setting(name='tiny', default=tiny.VERSION),)\n"
)
PLAIN = HEAD + "@hookimpl\ndef treadle_settings():\n    return ()\n"


class Person:
    """Somebody with a project, a state folder, and a folder of wheels in the place of an index."""

    def __init__(self, folder: Path) -> None:
        self.wheels = folder / "wheels"
        self.wheels.mkdir()
        (folder / "project").mkdir()
        self.places = Places(folder / "home", folder / "project").make()
        self.root = self.places.plugin_environments

    @property
    def installing(self) -> Installing:
        return Installing(self.places, "pip")

    def states(self) -> PluginStates:
        return PluginStates(
            self.places.project, user_file=self.places.user_plugins, project_file=self.places.project_plugins
        )

    def manager(self) -> PluginManager:
        manager = PluginManager(self.states(), Settings(), print, builtins=(), workshop=Workshop(self.places))
        manager.load()
        return manager

    def folders(self) -> set[str]:
        return {path.name for path in self.root.iterdir() if path.is_dir()} - {"logs"} if self.root.is_dir() else set()


def use_only(wheels: Path, patch: pytest.MonkeyPatch) -> None:
    """Let pip know no other place than this folder: variables would win over its settings file."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        patch.delenv(name)
    patch.setenv("PIP_CONFIG_FILE", str(pip_settings(wheels)))


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Person:
    made = Person(tmp_path)
    use_only(made.wheels, monkeypatch)
    return made


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    """A person with two plugins that need different versions of one package. Tests only look at it."""
    made = Person(tmp_path_factory.mktemp("two"))
    for version in ("1", "2"):
        wheel(made.wheels, "tiny", version, {"tiny.py": f"VERSION = {version}\n"})
    wheel(made.wheels, "old", "1.0", {"old_one.py": SETTINGS}, plugins={"Old_One": "old_one"}, requires=["tiny<2"])
    wheel(made.wheels, "new", "1.0", {"new/__init__.py": SETTINGS}, plugins={"new": "new"}, requires=["tiny>=2"])
    with pytest.MonkeyPatch.context() as patch:
        use_only(made.wheels, patch)
        made.installing.install(source_of("old"))
        made.installing.install(source_of("new==1.*"))
        yield made


def test_two_plugins_use_different_versions_of_one_package_side_by_side(two: Person) -> None:
    for name in ("old-one", "new"):
        assert info(two.manager(), name).state == "disabled"
    for name in ("old-one", "new"):
        two.states().enable(name)
    manager = two.manager()
    assert manager.settings_of("old-one") == {"tiny": 1}
    assert manager.settings_of("new") == {"tiny": 2}
    assert info(manager, "new").isolation == "process"
    assert info(manager, "new").source == "new 1.0, in an environment of its own"
    manager.close()


def test_each_distribution_is_locked_with_its_hash(two: Person) -> None:
    import hashlib

    entry = two.installing.named("old-one")
    lock = (two.root / entry.folder / "treadle-lock.txt").read_text().splitlines()
    hashes = {
        name: hashlib.sha256((two.wheels / f"{name}-py3-none-any.whl").read_bytes()).hexdigest()
        for name in ("old-1.0", "tiny-1")
    }
    assert lock == [f"old==1.0 --hash=sha256:{hashes['old-1.0']}", f"tiny==1 --hash=sha256:{hashes['tiny-1']}"]


def test_what_is_no_name_no_path_and_no_address_is_refused() -> None:
    assert source_of("git@host.example:me/acme.git").text == "git+ssh://git@host.example/me/acme.git"
    assert source_of("https://host.example/me/acme.git@v1").hint == "acme"
    assert source_of("Acme >=1, <2").text == "Acme<2,>=1"
    assert not source_of("acme").is_built
    for wrong in ("--target=x", "-e", "./nothing", "a b", "https://host.example/acme-1.0.tar.gz", ""):
        with pytest.raises(UsageError):
            source_of(wrong)
    with pytest.raises(UsageError, match="it is neither a folder nor a file"):
        source_of("/dev/null")


def test_a_project_is_built_and_a_change_of_it_is_installed_by_an_update(person: Person, tmp_path: Path) -> None:
    folder = project(
        tmp_path / "acme", "acme", "1.0", {"acme.py": PLAIN}, plugins={"acme": "acme", "second": "acme:__doc__"}
    )
    entry = person.installing.install(source_of(str(folder)))
    assert set(entry.plugins) == {"acme", "second"}
    assert entry.source_digest
    person.states().enable("acme")
    project(folder, "acme", "1.1", {"acme.py": "treadle_needs = {'network': True}\n" + PLAIN}, plugins={"acme": "acme"})
    done = person.installing.update(entry)
    assert done.changes == ("acme 1.0 -> 1.1",)
    assert not done.was_changed
    assert person.folders() == {done.after.folder} != {entry.folder}
    manager = person.manager()
    assert "use the network" in info(manager, "acme").why, "more needs wait for the person"
    person.states().enable("acme", permit=Permit(needs=Needs(network=True), origin="environment acme"))
    assert info(person.manager(), "acme").state == "enabled"


def test_what_another_program_changed_meanwhile_is_what_is_updated_and_removed(person: Person) -> None:
    wheel(person.wheels, "acme", "1.0", {"acme.py": PLAIN}, plugins={"acme": "acme"})
    earlier = person.installing.install(source_of("acme"))
    wheel(person.wheels, "acme", "1.1", {"acme.py": PLAIN}, plugins={"acme": "acme", "more": "acme"})
    meanwhile = person.installing.update(earlier).after
    done = person.installing.update(earlier)
    assert (done.before, done.changes, done.was_changed) == (meanwhile, (), False)
    assert person.folders() == {done.after.folder}
    person.states().enable("more")
    person.installing.remove(earlier)
    assert person.states().enabled_names() == ()
    assert person.folders() == set()
    for change in (person.installing.update, person.installing.remove):
        with pytest.raises(InstallError, match="acme was removed meanwhile"):
            change(earlier)


def test_changed_files_make_it_untrusted_until_it_is_made_anew(person: Person) -> None:
    wheel(person.wheels, "acme", "1.0", {"acme.py": PLAIN}, plugins={"acme": "acme"})
    entry = person.installing.install(source_of("acme"))
    person.states().enable("acme")
    (file,) = (person.root / entry.folder).glob("lib/*/site-packages/acme.py")
    before = file.stat()
    content = file.read_text()
    file.write_text(content.replace("return ()", "return []"))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    found = info(person.manager(), "acme")
    assert found.state == "untrusted"
    assert "treadle plugin update acme" in found.why
    with pytest.raises(Exception, match="others than were installed"):
        person.manager().look("acme")
    file.write_text(content)
    assert info(person.manager(), "acme").state == "enabled", "the same content at another time is the same"
    file.write_text("raise SystemExit\n")
    assert person.installing.update(entry).was_changed
    assert info(person.manager(), "acme").state == "enabled"


def test_an_environment_of_another_python_or_without_one_says_so(person: Person) -> None:
    wheel(person.wheels, "acme", "1.0", {"acme.py": PLAIN}, plugins={"acme": "acme"})
    entry = person.installing.install(source_of("acme"))
    person.states().enable("acme")
    file = installed.index_file(person.root)
    text = file.read_text()
    file.write_text(text.replace(f'"python": "{installed.PYTHON}"', '"python": "3.10"'))
    assert info(person.manager(), "acme").state == "incompatible"
    assert "3.10" in info(person.manager(), "acme").why
    file.write_text(text)
    shutil.rmtree(person.root / entry.folder)
    assert "no Python any more" in info(person.manager(), "acme").why
    person.installing.update(entry)
    assert info(person.manager(), "acme").state == "enabled"
    file.write_text("3\n")
    with pytest.raises(UsageError, match="install your plugins again"):
        person.manager()


HINT = "What there is as source only needs --allow-build"


def failed(person: Person, asked: str) -> str:
    with pytest.raises(InstallError) as raised:
        person.installing.install(source_of(asked))
    return str(raised.value)


def test_why_a_repository_can_not_be_installed_is_what_git_says(person: Person, tmp_path: Path) -> None:
    folder = project(tmp_path / "acme", "acme", "1.0", {"acme.py": PLAIN}, plugins={"acme": "acme"})
    for command in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"]):
        subprocess.run(["git", *command], cwd=folder, check=True)
    said = failed(person, f"git+file://{folder}@no-such-ref")
    assert said.splitlines()[1].strip() == "error: pathspec 'no-such-ref' did not match any file(s) known to git"
    assert HINT not in said
    said = failed(person, f"git+file://{tmp_path}/nowhere.git")
    assert "fatal: '" in said.splitlines()[1]
    assert HINT not in said


def test_a_password_in_an_address_is_shown_nowhere(person: Person) -> None:
    said = failed(person, "git+http://me:hunter%402@127.0.0.1:1/a/b.git")
    assert "me:****@127.0.0.1" in said
    logs = list((person.root / "logs").iterdir())
    assert len(logs) == 1
    for text in (said, logs[0].read_text()):
        assert "hunter" not in text
    for address in (
        "HTTPS://hunter2@example.org/a",
        "https://me:hunter2@example.org/a.whl",
        "ftp://me:hunter2@example.org/a",
    ):
        with pytest.raises(UsageError) as refused:
            source_of(address)
        assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("secret", ["hunter2", "hunter2:", "hunter2:x-oauth-basic", "me:and@hunter2"])
def test_a_token_in_the_place_of_a_name_is_shown_nowhere(person: Person, secret: str) -> None:
    said = failed(person, f"git+http://{secret}@127.0.0.1:1/a/b.git")
    (log,) = (person.root / "logs").iterdir()
    for text in (said, log.read_text()):
        assert "127.0.0.1:1/a/b.git" in text
        assert "hunter2" not in text


def test_the_cause_is_told_and_the_hint_where_it_helps(person: Person, tmp_path: Path) -> None:
    def broken(text: str) -> str:
        folder = project(tmp_path / "broken", "broken", "1.0", {"broken.py": PLAIN}, plugins={"broken": "broken"})
        (folder / "pyproject.toml").write_text(text)
        return str(folder)

    whole = wheel(person.wheels, "cut", "1.0", {"cut.py": PLAIN}, plugins={"cut": "cut"})
    whole.write_bytes(whole.read_bytes()[:100])
    wheel(person.wheels, "newer", "1.0", {"newer.py": PLAIN}, plugins={"newer": "newer"}, requires=["treadle>=9"])
    for asked, why, hint in (
        (str(whole), "ERROR: Wheel", False),
        (broken("[project\nname = 1"), "toml", False),
        ("newer", "depends on treadle>=9", False),
        ("not-there-at-all", "No matching distribution found for not-there-at-all", True),
    ):
        said = failed(person, asked)
        assert why.lower() in said.lower(), said
        assert (HINT in said) is hint, said
        assert len(said.splitlines()) <= 14, said


def test_the_same_source_again_is_refused_before_anything_is_built(person: Person, tmp_path: Path) -> None:
    folder = project(tmp_path / "acme", "acme", "1.0", {"acme.py": PLAIN}, plugins={"acme": "acme"})
    person.installing.install(source_of(str(folder)))
    (log,) = (person.root / "logs").iterdir()
    log.unlink()
    assert "acme 1.0 is installed already" in failed(person, str(folder))
    assert not log.exists()


def test_an_environment_that_is_gone_is_made_anew_and_said_to_be_gone(person: Person) -> None:
    wheel(person.wheels, "acme", "1.0", {"acme.py": PLAIN}, plugins={"acme": "acme"})
    entry = person.installing.install(source_of("acme"))
    shutil.rmtree(person.root / entry.folder)
    done = person.installing.update(entry)
    assert (done.was_gone, done.was_changed, done.changes) == (True, False, ())


def test_what_can_not_be_taken_leaves_nothing(person: Person) -> None:
    wheel(person.wheels, "empty", "1.0", {}, plugins={"empty": "not_brought"})
    wheel(person.wheels, "search2", "1.0", {"search2.py": PLAIN}, plugins={"search": "search2"})
    for name, why in {
        "empty": "brings no such module",
        "search2": "one of that name comes from Treadle itself",
    }.items():
        with pytest.raises(InstallError, match=why):
            person.installing.install(source_of(name))
        assert person.folders() == set(), name


@pytest.mark.parametrize(
    ("plugins", "why"),
    [
        ({}, "no entry point in the group 'treadle'"),
        ({"NEW": "other"}, "one of that name comes from new 1.0"),
        ({"in_path": "other"}, "one of that name comes from a package 1.0"),
        ({"A_b": "other", "a-b": "other"}, "itself, a second time"),
        ({"../other": "other"}, "a name is letters"),
    ],
)
def test_names_are_unique_and_plain(two: Person, plugins: dict[str, str], why: str) -> None:
    made = Made(distribution="other", version="1.0", plugins=plugins, site=two.root, lock=())
    entries = {entry.distribution: entry for entry in two.installing.all()}
    with pytest.raises(InstallError, match=why):
        accepted(made, entries, {"in-path": "a package 1.0"}, None)


def test_a_second_one_of_a_distribution_and_a_source_that_became_another_are_refused(two: Person) -> None:
    with pytest.raises(InstallError, match=r"new 1\.0 is installed already"):
        two.installing.install(source_of("New>=1"))
    made = Made(distribution="other", version="1.0", plugins={"other": "other"}, site=two.root, lock=())
    with pytest.raises(InstallError, match=r"the source of new is now other 1\.0"):
        accepted(made, {}, {}, two.installing.named("new"))


def test_a_failed_update_leaves_what_was_there(person: Person) -> None:
    file = wheel(person.wheels, "acme", "1.0", {"acme.py": PLAIN}, plugins={"acme": "acme"})
    entry = person.installing.install(source_of("acme"))
    person.states().enable("acme")
    file.unlink()
    with pytest.raises(InstallError, match="No matching distribution"):
        person.installing.update(entry)
    assert info(person.manager(), "acme").state == "enabled"
    assert person.installing.all() == (entry,)


def test_removing_forgets_what_the_name_was_granted_and_the_next_one_is_off(person: Person) -> None:
    wheel(person.wheels, "acme", "1.0", {"acme.py": PLAIN}, plugins={"acme": "acme"})
    entry = person.installing.install(source_of("acme"))
    person.states().enable("acme", permit=Permit(needs=Needs(network=True), origin="environment acme"))
    person.states().enable("acme", scope="user")
    person.installing.remove(entry)
    assert person.folders() == set()
    assert not [found for found in person.manager().plugins() if found.name == "acme"]
    person.states().enable("acme", scope="user", permit=Permit(needs=Needs(network=True), origin="environment acme"))
    person.installing.install(source_of("acme"))
    assert info(person.manager(), "acme").state == "disabled"
    assert person.states().permit("acme", "environment acme") == Permit(origin="environment acme")


def test_what_a_killed_program_left_is_swept_away_and_two_do_not_work_at_once(person: Person) -> None:
    (person.root / "acme-0123").mkdir(parents=True)
    wheel(person.wheels, "acme", "1.0", {"acme.py": PLAIN}, plugins={"acme": "acme"})
    entry = person.installing.install(source_of("acme"))
    assert person.folders() == {entry.folder}
    with person.installing._alone(), pytest.raises(InstallError, match="another program"):
        person.installing.remove(entry)


def test_it_does_not_run_inside_of_treadle(person: Person) -> None:
    wheel(person.wheels, "acme", "1.0", {"acme.py": PLAIN}, plugins={"acme": "acme"})
    person.installing.install(source_of("acme"))
    person.states().enable("acme", permit=Permit(inside=True, origin="environment acme"))
    found = info(person.manager(), "acme")
    assert found.state == "faulty"
    assert "environment of its own" in found.why


def test_its_files_are_looked_at_when_its_process_starts_and_not_before(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = HEAD + "@hookimpl\ndef treadle_recall(task):\n    return ()\n"
    wheel(person.wheels, "acme", "1.0", {"acme.py": source}, plugins={"acme": "acme"})
    entry = person.installing.install(source_of("acme"))
    person.states().enable("acme")
    person.manager().close()
    looked: list[Path] = []
    of_files = tree_mark.mark
    monkeypatch.setattr(tree_mark, "mark", lambda folder: (looked.append(folder), of_files(folder))[1])
    manager = person.manager()
    assert looked == []
    assert manager.call("treadle_recall", task=TASK, context=Witness()) == [()]
    assert looked == [person.root / entry.folder]
    manager.close()
    (file,) = (person.root / entry.folder).glob("lib/*/site-packages/acme.py")
    file.write_text("raise SystemExit\n")
    manager = person.manager()
    assert manager.call("treadle_recall", task=TASK, context=Witness()) == []
    assert info(manager, "acme").state == "untrusted"
    with pytest.raises(PluginError, match="others than were installed"):
        manager.look("acme")
    log = person.places.logs / "plugin-acme.log"
    assert not log.exists() or "SystemExit" not in log.read_text()


def test_after_times_alone_changed_the_files_are_read_once(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel(person.wheels, "acme", "1.0", {"acme.py": PLAIN}, plugins={"acme": "acme"})
    entry = person.installing.install(source_of("acme"))
    (file,) = (person.root / entry.folder).glob("lib/*/site-packages/acme.py")
    file.touch()
    read: list[Path] = []
    of_files = tree_mark.content_digest
    monkeypatch.setattr(tree_mark, "content_digest", lambda folder: (read.append(folder), of_files(folder))[1])
    for _ in range(2):
        assert not person.installing.named("acme").is_changed(person.root)
    assert len(read) == 1
    newer = installed.read(person.root)["acme"]
    installed.drop(person.root, "acme")
    file.touch()
    assert not newer.is_changed(person.root)
    assert installed.read(person.root) == {}, "what was removed meanwhile stays removed"


LATE = """
from treadle import Lesson, hookimpl
@hookimpl
def treadle_recall(task):
    from acme_late import SAID
    return (Lesson(id='1', signature='s', text=SAID),)
"""


@pytest.mark.parametrize("change", ["update", "remove"])
def test_an_environment_that_is_used_stays_until_it_is_not(person: Person, change: str) -> None:
    files = {"acme.py": LATE, "acme_late.py": "SAID = 'late'\n"}
    wheel(person.wheels, "acme", "1.0", files, plugins={"acme": "acme"})
    entry = person.installing.install(source_of("acme"))
    person.states().enable("acme", permit=Permit(origin=entry.origin))
    manager, second = person.manager(), person.manager()
    first = person.folders()
    if change == "update":
        assert person.installing.update(entry).is_used
    else:
        assert person.installing.remove(entry).is_used
    assert first < person.folders() or change == "remove"
    ((lesson,),) = manager.call("treadle_recall", task=TASK, context=None)
    assert lesson.text == "late"
    manager.close()
    assert first <= person.folders(), "another program still uses it"
    second.close()
    assert not first & person.folders()


def test_what_was_left_by_a_program_that_was_killed_goes_with_the_next_change(person: Person) -> None:
    wheel(person.wheels, "acme", "1.0", {"acme.py": PLAIN}, plugins={"acme": "acme"})
    entry = person.installing.install(source_of("acme"))
    use = EnvironmentsInUse()
    use.hold(person.root / entry.folder)
    assert person.installing.remove(entry).is_used
    assert person.folders() == {entry.folder}
    use.release(lambda folder: True)  # as the kernel does, which knows no index
    person.installing.install(source_of("acme"))
    assert entry.folder not in person.folders()


@pytest.mark.parametrize("data", [False, True])
def test_what_a_removed_plugin_keeps_stays_unless_it_is_to_go(person: Person, data: bool) -> None:
    wheel(person.wheels, "acme", "1.0", {"acme.py": PLAIN}, plugins={"acme": "acme"})
    entry = person.installing.install(source_of("acme"))
    folder = person.places.plugin_folder("acme@environment-acme")
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "kept").touch()
    others = person.places.plugin_folder("acme@distribution-acme")
    others.mkdir()
    assert person.installing.remove(entry, data=data).kept == (() if data else (folder,))
    assert (folder.exists(), others.exists()) == (not data, True)


def test_a_folder_in_which_a_removed_plugin_keeps_nothing_goes(person: Person) -> None:
    wheel(person.wheels, "acme", "1.0", {"acme.py": PLAIN}, plugins={"acme": "acme"})
    entry = person.installing.install(source_of("acme"))
    folder = person.places.plugin_folder("acme@environment-acme")
    (folder / "sessions").mkdir(parents=True)
    assert person.installing.remove(entry).kept == ()
    assert not folder.exists()


def test_what_a_plugin_that_is_gone_keeps_can_still_be_deleted(person: Person) -> None:
    wheel(person.wheels, "acme", "1.0", {"acme.py": PLAIN}, plugins={"acme": "acme"})
    entry = person.installing.install(source_of("acme"))
    folder = nested(person.places.plugin_folder("acme@environment-acme"))
    others = person.places.plugin_folder("acme@project-1")
    others.mkdir()
    assert person.installing.remove_data("acme") == ()
    assert person.installing.remove(entry).kept == (folder,)
    assert person.installing.remove_data("Acme") == (folder,)
    assert (folder.exists(), others.exists()) == (False, True)
    assert person.installing.remove_data("*") == ()

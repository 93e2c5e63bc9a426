"""Folders of packages for the sandbox, filled by pip and by uv from an index on loopback."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tests.made_packages import project, wheel
from tests.package_index import PackageIndex, path_with_uv, served
from treadle.core.errors import InstallError
from treadle.core.interpreter import Interpreter
from treadle.core.packages.folders import PackageFolders, missing
from treadle.core.places import Places


@pytest.fixture
def index(tmp_path: Path) -> Iterator[PackageIndex]:
    files = tmp_path / "files"
    files.mkdir()
    with served(files) as index:
        yield index


@pytest.fixture(params=["pip", "uv"])
def folders(
    request: pytest.FixtureRequest, tmp_path: Path, index: PackageIndex, monkeypatch: pytest.MonkeyPatch
) -> PackageFolders:
    path = path_with_uv() if request.param == "uv" else "/usr/bin:/bin"
    (tmp_path / "pip.conf").write_text(f"[global]\nindex-url = {index.address}\n")
    (tmp_path / "uv.toml").write_text(f'index-url = "{index.address}"\n')
    env = {
        "PATH": path,
        "HOME": str(tmp_path),
        "PIP_CONFIG_FILE": str(tmp_path / "pip.conf"),
        "UV_CONFIG_FILE": str(tmp_path / "uv.toml"),
        "PIP_TARGET": str(tmp_path / "elsewhere"),
    }
    monkeypatch.chdir(tmp_path)
    return PackageFolders(Places(tmp_path / "home", tmp_path), request.param, env)


def python(tmp_path: Path, version: str = "", **installed: str) -> Interpreter:
    """A Python of that version, this one by default, in whose environment these packages lie."""
    site = tmp_path / "environment" / "site-packages"
    site.mkdir(parents=True, exist_ok=True)
    for name, number in installed.items():
        info = site / f"{name}-{number}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {number}\n")
    own = f"{sys.version_info.major}.{sys.version_info.minor}"
    return Interpreter(
        path=sys.executable,
        version=version or own,
        prefix="",
        base_prefix="",
        read_paths=(),
        site_paths=(str(site),),
    )


def names(folder: str) -> set[str]:
    return {path.name for path in Path(folder).iterdir() if path.suffix == ".py"}


def test_they_are_made_once_with_hashes_and_without_running_anybodys_code(
    folders: PackageFolders, index: PackageIndex, tmp_path: Path
) -> None:
    tiny = wheel(index.folder, "tiny", "1.5", {"tiny.py": ""}, requires=["tinier>=0"]).name
    tinier = wheel(index.folder, "tinier", "0.1", {"tinier.py": ""}).name
    provided = folders.provide(("tiny>=1",), python(tmp_path))
    assert names(provided.folder) == {"tiny.py", "tinier.py"}
    assert provided.lock == (
        f"tinier==0.1 --hash=sha256:{index.sha256(tinier)}",
        f"tiny==1.5 --hash=sha256:{index.sha256(tiny)}",
    )
    assert not (tmp_path / "elsewhere").exists()
    wheel(index.folder, "tiny", "2.0", {"tiny.py": "", "more.py": ""})
    assert folders.provide(("tiny>=1",), python(tmp_path)) == provided
    assert names(folders.provide(("tiny>=2",), python(tmp_path)).folder) == {"tiny.py", "more.py"}


def test_what_treadle_supplies_to_plugins_is_a_package_like_any_other(
    folders: PackageFolders, index: PackageIndex, tmp_path: Path
) -> None:
    wheel(index.folder, "msgspec", "0.1", {"msgspec.py": ""})
    provided = folders.provide(("msgspec",), python(tmp_path))
    assert names(provided.folder) == {"msgspec.py"}
    assert [line.partition(" ")[0] for line in provided.lock] == ["msgspec==0.1"]


def test_what_the_environment_has_is_kept_to(folders: PackageFolders, index: PackageIndex, tmp_path: Path) -> None:
    for version in ("1.0", "2.0"):
        wheel(index.folder, "base", version, {"base.py": ""})
    wheel(index.folder, "tiny", "1.0", {"tiny.py": ""}, requires=["base"])
    wheel(index.folder, "newer", "1.0", {"newer.py": ""}, requires=["base>=2"])
    mine = python(tmp_path, base="1.0")
    assert [line.partition(" ")[0] for line in folders.provide(("tiny",), mine).lock] == ["base==1.0", "tiny==1.0"]
    with pytest.raises(InstallError, match="newer from the package index can't be installed"):
        folders.provide(("newer",), mine)
    # What is asked for by its name may well be another version than the one that is there.
    assert folders.provide(("base>=2", "newer"), mine).lock[0].startswith("base==2.0")


def test_for_another_version_of_python_its_own_wheels_are_taken(
    folders: PackageFolders, index: PackageIndex, tmp_path: Path
) -> None:
    for minor in (12, 13):
        made = wheel(index.folder, "tiny", "1.0", {f"for_{minor}.py": ""})
        made.rename(made.with_name(f"tiny-1.0-cp3{minor}-none-any.whl"))
    assert names(folders.provide(("tiny",), python(tmp_path, "3.12")).folder) == {"for_12.py"}
    assert names(folders.provide(("tiny",), python(tmp_path, "3.13")).folder) == {"for_13.py"}


def test_a_package_that_must_be_built_is_refused_and_nothing_is_left(
    folders: PackageFolders, index: PackageIndex, tmp_path: Path
) -> None:
    import tarfile

    witness = tmp_path / "it-ran"
    backend = f"import pathlib\npathlib.Path({str(witness)!r}).touch()\n1/0\n"
    source = project(tmp_path / "source", "tiny", "1.0", {}, backend=backend)
    with tarfile.open(index.folder / "tiny-1.0.tar.gz", "w:gz") as archive:
        archive.add(source, "tiny-1.0")
    with pytest.raises(InstallError, match="tiny from the package index can't be installed") as caught:
        folders.provide(("tiny",), python(tmp_path))
    assert "--allow-build" not in str(caught.value)
    assert not witness.exists()
    (left,) = (tmp_path / "home" / "packages").iterdir()
    assert left.suffix == ".log"


def test_a_folder_that_can_not_be_read_is_told_as_that(
    folders: PackageFolders, index: PackageIndex, tmp_path: Path
) -> None:
    wheel(index.folder, "tiny", "1.0", {"tiny.py": ""})
    folder = Path(folders.provide(("tiny",), python(tmp_path)).folder).parent
    (folder / "treadle-lock.txt").unlink()
    with pytest.raises(InstallError, match=f"tiny can't be installed in {folder}: No such file"):
        folders.provide(("tiny",), python(tmp_path))


def test_pythons_whose_wheels_are_others_are_refused(folders: PackageFolders, tmp_path: Path) -> None:
    free_threaded = msgspec.structs.replace(python(tmp_path), site_paths=("/x/lib/python3.13t/site-packages",))
    with pytest.raises(InstallError, match="install them there yourself"):
        folders.provide(("tiny",), free_threaded)


def test_missing_is_what_is_not_there_or_of_another_version(tmp_path: Path) -> None:
    mine = python(tmp_path, "3.11", Tiny_Base="1.5rc1", other="2.0")
    asked = ("tiny-base>=1", "tiny.base<1", "other==3", "gone", "old; python_version < '3.9'", "not a requirement !")
    assert missing(asked, mine) == ("gone", "other==3", "tiny.base<1")


def test_a_requirement_of_any_length_is_none(tmp_path: Path) -> None:
    """Python reads no number of more than 4,300 digits."""
    digits = "1" * 5_000
    mine = python(tmp_path, "3.11", Tiny_Base="1.5rc1", other="2.0")
    assert missing([f"other<{digits}", f"other; python_version < '{digits}'"], mine) == ()

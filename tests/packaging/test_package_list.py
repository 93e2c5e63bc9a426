"""What setuptools is told must be what lies on disk: a package missing there vanishes from the wheel in silence."""

from __future__ import annotations

import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SETUPTOOLS = PYPROJECT["tool"]["setuptools"]
ROOMS = ("core", "plugins", "sandbox", "skills", "tui")


def packages_on_disk() -> set[str]:
    found = {"treadle"}
    for room in ROOMS:
        for init in (ROOT / room).rglob("__init__.py"):
            found.add(".".join(("treadle", *init.parent.relative_to(ROOT).parts)))
    return found


def test_every_package_on_disk_is_listed_and_every_listed_one_exists() -> None:
    listed = SETUPTOOLS["packages"]
    assert set(listed) == packages_on_disk()
    assert len(listed) == len(set(listed))


def test_every_folder_with_python_files_is_a_package() -> None:
    for room in ROOMS:
        for module in (ROOT / room).rglob("*.py"):
            if module.parent.name != "__pycache__":
                assert (module.parent / "__init__.py").is_file(), f"{module.parent} lacks __init__.py"


def test_every_room_is_mapped_and_linked_into_the_import_package() -> None:
    mapped = SETUPTOOLS["package-dir"]
    assert mapped.items() >= ({"treadle": "treadle"} | {f"treadle.{room}": room for room in ROOMS}).items()
    assert all(place == package.removeprefix("treadle.").replace(".", "/") for package, place in mapped.items())
    for room in ROOMS:
        link = ROOT / "treadle" / room
        if not link.is_symlink():
            # A checkout where git may not make links holds the link's text instead.
            assert link.read_text(encoding="utf-8") == f"../{room}"
        else:
            assert link.readlink() == Path("..") / room


def test_the_top_level_folders_are_the_rooms_and_their_surroundings() -> None:
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split("\0")
    folders = {name.split("/")[0] for name in tracked if "/" in name}
    assert folders <= {"treadle", *ROOMS, "tests", "docs", ".ci"}

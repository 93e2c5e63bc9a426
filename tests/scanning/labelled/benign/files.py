# Files of the project and temporary ones.

# === read-lines
def lines(path):
    with open(path, encoding="utf-8") as file:
        return [line.rstrip("\n") for line in file]

# === write-report
from pathlib import Path


def report(results, folder="reports"):
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    (target / "summary.txt").write_text("\n".join(results))

# === beside-the-module
from pathlib import Path

TEMPLATES = Path(__file__).parent / "templates"


def template(name):
    return (TEMPLATES / f"{name}.html").read_text(encoding="utf-8")

# === project-root
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "data"

# === tempfile-folder
import tempfile
from pathlib import Path


def build(text):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "input.txt"
        path.write_text(text)
        return path.stat().st_size

# === named-temporary-file
import os
import tempfile


def atomic_write(path, text):
    folder = os.path.dirname(path) or "."
    descriptor, temporary = tempfile.mkstemp(dir=folder)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(text)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise

# === mkdtemp-cleanup
import shutil
import tempfile


def work(step):
    folder = tempfile.mkdtemp(prefix="work-")
    try:
        return step(folder)
    finally:
        shutil.rmtree(folder)

# === remove-own-cache
from pathlib import Path

CACHE = Path("build") / "cache.json"


def clear():
    CACHE.unlink(missing_ok=True)

# === remove-named-file
import os


def clean():
    if os.path.exists("output.txt"):
        os.remove("output.txt")

# === walk-project
import os


def count(folder="."):
    total = 0
    for root, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        total += sum(name.endswith(".py") for name in names)
    return total

# === rglob-sizes
from pathlib import Path


def sizes(folder):
    return {str(path): path.stat().st_size for path in Path(folder).rglob("*") if path.is_file()}

# === copy-within
import shutil


def backup(path):
    shutil.copy2(path, path + ".bak")

# === rename-files
from pathlib import Path


def number(folder):
    for index, path in enumerate(sorted(Path(folder).glob("*.jpg")), 1):
        path.rename(path.with_name(f"{index:03}.jpg"))

# === zip-project
import zipfile
from pathlib import Path


def bundle(folder, target="dist/bundle.zip"):
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in Path(folder).rglob("*"):
            archive.write(path, path.relative_to(folder))

# === tar-data-filter
import tarfile


def unpack(path, folder):
    with tarfile.open(path) as archive:
        archive.extractall(folder, filter="data")

# === resources
from importlib import resources


def default_config():
    return resources.files("tally").joinpath("default.toml").read_text()

# === tail
from collections import deque


def tail(path, count=10):
    with open(path) as file:
        return list(deque(file, maxlen=count))

# === file-lock
import fcntl
from contextlib import contextmanager


@contextmanager
def locked(path):
    with open(path, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
        fcntl.flock(file, fcntl.LOCK_UN)

# === chmod-script
import os
import stat


def executable(path):
    os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)

# === home-config-read
from pathlib import Path


def config_path():
    return Path.home() / ".config" / "tally" / "config.toml"

# === read-os-release
def distribution():
    with open("/etc/os-release") as file:
        return dict(line.strip().split("=", 1) for line in file if "=" in line)

# === cpu-info
def memory():
    with open("/proc/meminfo") as file:
        return int(file.readline().split()[1])

# === null-device
import os
from contextlib import redirect_stdout


def quiet(function):
    with open(os.devnull, "w") as null, redirect_stdout(null):
        return function()

# === mmap-read
import mmap


def find(path, needle):
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as area:
        return area.find(needle)

# === compare-folders
import filecmp


def same(one, two):
    comparison = filecmp.dircmp(one, two)
    return not (comparison.left_only or comparison.right_only or comparison.diff_files)

# === string-io
import io


def render(rows):
    buffer = io.StringIO()
    for row in rows:
        buffer.write(f"{row}\n")
    return buffer.getvalue()

# === safe-join
from pathlib import Path


def inside(base: Path, name: str) -> Path:
    target = (base / name).resolve()
    if not target.is_relative_to(base.resolve()):
        raise ValueError(f"{name} leads out of {base}")
    return target

# === makedirs
import os


def prepare(names):
    for name in names:
        os.makedirs(os.path.join("out", name), exist_ok=True)

# === clear-folder
from pathlib import Path


def clear(folder: Path) -> None:
    for path in folder.glob("*.tmp"):
        path.unlink()

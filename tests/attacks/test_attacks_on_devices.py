"""Devices: a job that is shown a whole tree must not find the machine's disk, or any other device, in it."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from treadle.sandbox import Limits, Policy, Result, has_layer, run

LIMITS = Limits.tier("quick", wall_s=20.0)
EVERY_JOB_HAS = sorted(f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom"))
OPENS = """
import os, sys
for name in sys.argv[1:]:
    try:
        os.close(os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY))
        print(name)
    except OSError:
        pass
"""


def opened_by_a_job(devices: list[str], policy: Policy) -> list[str]:
    result: Result = run([sys.executable, "-I", "-S", "-c", OPENS, *devices], policy=policy, limits=LIMITS)
    assert result.ok, result
    return result.stdout.data.decode().split()


@pytest.fixture(scope="module")
def devices() -> list[str]:
    """Devices of this machine that we can open ourselves, and that no job is to have."""
    found = []
    for path in Path("/dev").iterdir():
        if str(path) in EVERY_JOB_HAS or path.name.startswith("tty") or path.name == "console":
            continue
        mode = path.lstat().st_mode
        if not (stat.S_ISCHR(mode) or stat.S_ISBLK(mode)):
            continue
        try:
            os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY))
        except OSError:
            continue
        found.append(str(path))
    if not found:
        pytest.skip("no device here can be opened by this user")
    return found


@pytest.mark.parametrize("without", [frozenset(), frozenset({"landlock"})], ids=["all layers", "without landlock"])
@pytest.mark.parametrize("shown", [{"read": ("/",)}, {"write": ("/",)}, {"read": ("/",), "write": ("/tmp",)}], ids=str)
def test_a_tree_that_is_shown_holds_no_device(
    devices: list[str], shown: dict[str, tuple[str, ...]], without: frozenset[str]
) -> None:
    policy = Policy(**shown, require=frozenset({"mountns"}), without=without)
    assert opened_by_a_job([*devices, *EVERY_JOB_HAS], policy) == EVERY_JOB_HAS


def test_a_device_that_the_policy_names_can_be_opened(devices: list[str]) -> None:
    # The control: they are refused above for being devices of a tree, not since no job could ever open one. Named one
    # by one, in the hand of the one who may open them (no `nobody`).
    policy = Policy(read=tuple(devices), without=frozenset({"nobody"}))
    assert set(opened_by_a_job(devices, policy)) & set(devices)


@pytest.mark.parametrize("without", [frozenset(), frozenset({"landlock"})], ids=["all layers", "without landlock"])
@pytest.mark.parametrize("shown", [{"read": ("/dev/shm",)}, {"write": ("/dev/shm",)}], ids=str)
def test_a_folder_below_dev_brings_no_other_device(
    devices: list[str], shown: dict[str, tuple[str, ...]], without: frozenset[str]
) -> None:
    policy = Policy(**shown, require=frozenset({"mountns"}), without=without)
    assert opened_by_a_job([*devices, *EVERY_JOB_HAS], policy) == EVERY_JOB_HAS


def test_all_of_dev_can_be_named_and_is_read_only(devices: list[str]) -> None:
    # As above: the devices in it are named with it, and open to the one who may open them.
    policy = Policy(read=("/dev",), require=frozenset({"mountns"}), without=frozenset({"nobody"}))
    assert set(opened_by_a_job(devices, policy)) & set(devices)
    policy = Policy(read=("/dev",), require=frozenset({"mountns"}))
    assert opened_by_a_job(EVERY_JOB_HAS, policy) == EVERY_JOB_HAS
    makes = "import os\ntry: os.mkdir('/dev/made')\nexcept OSError: print('refused')"
    argv = [sys.executable, "-I", "-S", "-c", makes]
    for without in (frozenset[str](), frozenset({"landlock"}), frozenset({"landlock", "nobody"})):
        result = run(argv, policy=replace(policy, without=without), limits=LIMITS)
        assert result.stdout.data == b"refused\n", result


# In a mount namespace of its own: as most machines have it, and a container may.
FORBIDS_DEVICES = 'mount -o remount,bind,nosuid,nodev /dev/shm && exec "$@"'
SAYS_LAYERS = """
import os, sys
from treadle.sandbox import Policy, run
flags = os.statvfs("/dev/shm").f_flag
assert flags & os.ST_NODEV and flags & os.ST_NOSUID
result = run(["cat", "/dev/null"], policy=Policy(**{sys.argv[1]: (sys.argv[2],)}))
print(result.verdict, *result.layers)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root changes what is mounted")
@pytest.mark.skipif(not has_layer("mountns"), reason="there is no view of mounts here")
@pytest.mark.parametrize("path", ["/dev", "/dev/shm"])
@pytest.mark.parametrize("how", ["read", "write"])
def test_no_layer_is_lost_where_the_machine_forbids_devices_below_dev(how: str, path: str) -> None:
    inside = ["unshare", "--mount", "--propagation", "private", "sh", "-c", FORBIDS_DEVICES, "sh"]
    if not shutil.which("unshare") or subprocess.run([*inside, "true"], capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted here, or there is no /dev/shm")
    python = [sys.executable, "-c", SAYS_LAYERS, how, path]
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    said = subprocess.run([*inside, *python], capture_output=True, text=True, env=variables, check=False, timeout=100)
    assert said.returncode == 0, said.stderr
    verdict, *layers = said.stdout.split()
    assert verdict == "ok"
    assert "mountns" in layers, layers


def test_a_writable_root_is_what_it_says_and_has_a_folder_of_its_own() -> None:
    policy = Policy(write=("/",), require=frozenset({"mountns", "pidns", "netns"}))
    own = "import os; open(os.environ['HOME'] + '/mine', 'w'); open('/dev/shm/mine', 'w'); print(os.getpid() < 100)"
    result = run([sys.executable, "-I", "-S", "-c", own], policy=policy, limits=LIMITS)
    assert result.stdout.data == b"True\n", result


def test_what_is_named_inside_of_a_shown_tree_is_not_hidden_by_the_jobs_folder(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("here")
    policy = Policy(read=("/", str(tmp_path)), require=frozenset({"mountns"}))
    assert run(["cat", str(tmp_path / "text")], policy=policy, limits=LIMITS).stdout.data == b"here"

"""Machines that lack a layer: the others hold, the result names them, and what is not possible is refused."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.attacks.strays import NAMED, VARIABLES, strays
from treadle.sandbox import Layer, Limits, Overlay, Policy, Pool, Result, Script, has_layer, layers, run

QUICK = Limits.tier("quick", wall_s=20.0)
WITHOUT = [
    "landlock",
    "seccomp",
    "pidns",
    "netns",
    "ipcns",
    "utsns",
    "mountns",
    "overlay",
    "userns",
    "userns,landlock",
    "memory",
    "rlimits",
]
DAEMON = (
    NAMED
    + """
import os, signal, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(300)
    os._exit(0)
time.sleep(0.2)
print("done")
"""
)


def off(names: str) -> frozenset[str]:
    return frozenset(names.split(","))


@pytest.mark.parametrize("names", WITHOUT)
def test_a_job_runs_without_a_layer_and_the_result_says_so(names: str) -> None:
    result = run([sys.executable, "-c", "print('ran')"], policy=Policy(without=off(names)), limits=QUICK)
    assert (result.verdict, result.stdout.data) == ("ok", b"ran\n"), result
    assert not off(names) & set(result.layers)
    if "userns" in names:
        assert not {"mountns", "pidns", "netns", "ipcns", "utsns", "overlay"} & set(result.layers)


@pytest.mark.parametrize("names", WITHOUT)
def test_no_daemon_survives_in_any_of_them(names: str) -> None:
    with Pool(workers=1, policy=Policy(without=off(names)), limits=QUICK, env=VARIABLES) as pool:
        assert pool.run(Script(DAEMON)).stdout.data == b"done\n"
        assert strays() == []


@pytest.mark.parametrize("names", ["pidns", "userns", "userns,landlock"])
def test_a_timeout_and_a_fork_bomb_end_without_a_pid_namespace(names: str) -> None:
    policy = Policy(without=off(names))
    with Pool(workers=1, policy=policy, env=VARIABLES) as pool:
        slow = pool.run(Script(DAEMON + "time.sleep(60)", limits=Limits.tier("quick", wall_s=1.0)))
        assert (slow.verdict, strays()) == ("timeout", []), slow
        bomb = pool.run(
            Script("import os\nwhile True: os.fork()", limits=Limits.tier("quick", processes=30, wall_s=10))
        )
        assert bomb.verdict in ("processes", "timeout"), bomb
        assert strays() == []


@pytest.mark.parametrize("names", ["mountns", "userns"])
def test_landlock_alone_keeps_files_apart(names: str, tmp_path: Path) -> None:
    if not has_layer("landlock"):
        pytest.skip("this kernel has no Landlock")
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "work").mkdir()
    policy = Policy(write=(str(tmp_path / "work"),), without=off(names))
    before = (tmp_path / "secret").stat()
    source = f"""
import os
secret = {str(tmp_path / "secret")!r}
for action in (
    lambda: open(secret).read(),
    lambda: open(secret, "w"),
    lambda: open("/etc/passwd").read(),
    lambda: os.listdir("/proc/1"),
):
    try:
        print("ESCAPED", action())
    except OSError:
        print("blocked")
os.chmod(secret, 0o777); os.utime(secret, (0, 0))
open("new.txt", "w").write("written")
"""
    result = run([sys.executable, "-c", source], cwd=str(tmp_path / "work"), policy=policy, limits=QUICK)
    assert result.stdout.data == b"blocked\n" * 4, result
    assert (tmp_path / "work" / "new.txt").read_text() == "written"
    assert (tmp_path / "secret").read_text() == "secret"
    # chmod and utime are beyond Landlock: the filter lets them do nothing, and say that they did.
    after = (tmp_path / "secret").stat()
    assert (after.st_mode, after.st_mtime_ns) == (before.st_mode, before.st_mtime_ns)


def test_the_view_alone_keeps_files_apart(tmp_path: Path) -> None:
    if not has_layer("mountns"):
        pytest.skip("this machine allows no mounts")
    (tmp_path / "secret").write_text("secret")
    shown = tmp_path / "shown"
    shown.mkdir()
    (shown / "file").write_text("as it was")
    # Anybody may write there: it is not the owner's rights that keep it as it is.
    shown.chmod(0o777)
    (shown / "file").chmod(0o666)
    policy = Policy(read=(str(shown),), without=frozenset({"landlock"}))
    source = f"""
cat {tmp_path}/secret /etc/passwd
cat {shown}/file; echo
for place in {shown}/new {shown}/file; do (echo x > $place) && echo WRITTEN; done
ls /
"""
    result = run(["sh", "-c", source], policy=policy)
    first, *listed = result.stdout.data.decode().split("\n")
    assert first == "as it was", result
    assert "WRITTEN" not in listed, result
    assert result.stderr.data.count(b"Read-only file system") == 2, result
    assert [(path.name, path.read_text()) for path in shown.iterdir()] == [("file", "as it was")]
    assert set(listed) - {""} <= {
        "bin", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc", "run", "sbin", "usr",
        tmp_path.parts[1],
    }  # fmt: skip


@pytest.mark.parametrize("names", ["overlay", "mountns", "userns"])
def test_an_overlay_that_is_not_possible_is_refused_with_the_reason(names: str, tmp_path: Path) -> None:
    policy = Policy(overlay=Overlay(str(tmp_path)), without=off(names))
    result = run(["true"], cwd=str(tmp_path), policy=policy)
    assert (result.verdict, result.exit_code) == ("refused", None)
    assert "overlay" in result.message


def test_a_required_layer_that_is_off_refuses() -> None:
    policy = Policy(require=frozenset({"seccomp", "rlimits"}), without=frozenset({"seccomp"}))
    result = run(["true"], policy=policy)
    assert (result.verdict, "seccomp is off" in result.message) == ("refused", True)


def test_an_unknown_layer_is_an_error_of_the_caller() -> None:
    with pytest.raises(ValueError, match="no layer is called 'magic'"):
        Policy(require=frozenset({"magic"}))


def test_relative_paths_are_an_error_of_the_caller() -> None:
    for build in (lambda: Policy(read=("a",)), lambda: Policy(overlay=Overlay("a")), lambda: Policy(write=("/a\0b",))):
        make: Callable[[], Policy] = build
        with pytest.raises(ValueError, match="absolute"):
            make()


def test_what_holds_on_this_machine_is_found_by_trying() -> None:
    found = {layer.name: layer for layer in layers()}
    result = run(["true"])
    for name, layer in found.items():
        assert isinstance(layer, Layer)
        assert layer.on == (name in result.layers), layer
        assert layer.why
        assert layer.meaning
        assert layer.how_to_switch_on
    without = {layer.name: layer for layer in layers(Policy(without=frozenset({"userns"})))}
    assert not without["mountns"].on
    assert "switched off" in without["userns"].why


def test_results_of_different_policies_do_not_mix() -> None:
    results: list[Result] = [
        run(["true"], policy=Policy(without=off(names))) for names in ("seccomp", "landlock", "seccomp", "landlock")
    ]
    assert ["seccomp" in r.layers for r in results] == [False, True, False, True]


@pytest.mark.skipif(shutil.which("unshare") is None, reason="unshare(1) of util-linux is not here")
def test_a_machine_without_user_namespaces_is_told_what_it_lacks() -> None:
    if not has_layer("userns"):
        pytest.skip("this machine is one already")
    source = "from treadle.sandbox import layers\nfor l in layers(): print(l.name, l.on, l.why)"
    script = f"echo 0 > /proc/sys/user/max_user_namespaces || exit 77; exec {sys.executable} -c '{source}'"
    argv = ["unshare", "--user", "--map-root-user", "sh", "-c", script]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(argv, env=environment, capture_output=True, text=True, check=False)
    if done.returncode == 77:
        pytest.skip(f"the setting can't be changed here: {done.stderr}")
    told = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    assert "max_user_namespaces" in told["userns"], done
    assert told["pidns"] == "False it needs `userns`"
    assert told["overlay"] == "False it needs `mountns`"
    for name in ("rlimits", "landlock", "seccomp", "memory"):
        assert told[name].startswith(str(has_layer(name)))

"""What a job plants for one that runs after it, or does when it seems to have ended."""

from __future__ import annotations

from collections.abc import Callable

from treadle.sandbox import Limits, Policy, Pool, Result, Script

Run = Callable[..., Result]
Survivors = Callable[[], list[str]]


def test_startup_files_are_planted_in_vain(attack: Run) -> None:
    plant = """
home = os.environ["HOME"]
version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
places = [".", home, f"{home}/.local/lib/{version}/site-packages", "/dev/shm", *sys.path]
planted = 0
for place in places:
    for name in ("sitecustomize.py", "usercustomize.py", "conftest.py", "json.py", "planted.pth", ".pythonrc.py"):
        try:
            os.makedirs(place, exist_ok=True)
            open(os.path.join(place, name), "w").write("import sys; sys.stdout.write('PLANTED')")
            planted += 1
        except OSError:
            pass
print(planted)
"""
    # In the job's own places it can; in the library, where the next one would look, it can not.
    assert int(attack(plant).stdout.data) >= 18
    look = """
import json, site
print(json.dumps([os.path.exists(p + "/sitecustomize.py") for p in (".", os.environ["HOME"])]))
print("PLANTED" in subprocess.run([sys.executable, "-c", ""], capture_output=True, text=True).stdout)
"""
    assert attack(look).stdout.data == b"[false, false]\nFalse\n"


def test_a_tampered_interpreter_is_one_job_s_alone(attack: Run) -> None:
    # In a pool it is the fork of an interpreter that waits for more; outside of one every interpreter is new.
    tamper = """
import builtins, tempfile, atexit, threading
tempfile.tempdir = "/usr"
builtins.print = lambda *_: None
sys.modules["json"] = None
sys.path[:] = ["/dev/shm"]
os.environ["PYTHONSTARTUP"] = "/dev/shm/x.py"
sys.settrace(lambda *_: None); threading.settrace(lambda *_: None)
os.getpid = os.wait4 = os.fork = os.kill = signal.signal = lambda *_: 1
signal.set_wakeup_fd(-1)
"""
    assert attack(tamper).verdict == "ok"
    look = """
import tempfile, json
print(tempfile.gettempdir() == os.environ["TMPDIR"], os.getpid() > 1, "PYTHONSTARTUP" in os.environ, sys.gettrace())
"""
    assert attack(look).stdout.data == b"True True False None\n"


def test_a_job_can_not_return_into_what_it_was_forked_from(attack: Run, survivors: Survivors) -> None:
    escape = """
frame = sys._getframe()
while frame:
    for name, value in list(frame.f_locals.items()) + list(frame.f_globals.items()):
        if isinstance(value, socket.socket):
            attempt(name, lambda: value.sendall(struct.pack("=iddqi", 0, 0, 0, 0, 0)))
    frame = frame.f_back
real, os._exit = os._exit, lambda code: None
raise SystemExit(7)
"""
    result = attack(escape)
    assert b"ESCAPED" not in result.stdout.data, result
    assert (result.verdict, survivors()) == ("error", [])
    assert attack("print('next')").stdout.data == b"next\n"


def test_hooks_that_run_after_the_script_have_the_same_limits(attack: Run, survivors: Survivors) -> None:
    source = """
import atexit, threading
atexit.register(lambda: print("at the end", flush=True))
atexit.register(time.sleep, 60)
threading.Thread(target=lambda: (time.sleep(0.1), print("a thread", flush=True))).start()
"""
    result = attack(source, Limits.tier("quick", wall_s=1.5))
    assert result.verdict == "timeout", result
    assert result.stdout.data == b"a thread\n"
    assert survivors() == []


def test_all_descriptors_closed_is_the_job_s_own_loss(attack: Run) -> None:
    attack("os.closerange(0, 1024)")
    attack("os.closerange(0, 1024)\nfor _ in range(60): os.open('/dev/null', os.O_RDWR)")
    assert attack("print('next')").stdout.data == b"next\n"


def test_no_descriptor_goes_from_one_job_to_another(policy: Policy) -> None:
    # Two jobs at the same time have no name in common to meet at: not a file, not a socket, not shared memory.
    meet = """
import os, socket, time
name = os.environ["MINE"]
for place in (".", os.environ["HOME"], "/dev/shm"):
    open(f"{place}/{name}", "w").close()
time.sleep(0.5)
print([os.path.exists(f"{p}/{os.environ['OTHER']}") for p in (".", os.environ["HOME"], "/dev/shm")])
"""
    with Pool(workers=2, policy=policy) as pool:
        jobs = [Script(meet, env={"MINE": a, "OTHER": b}) for a, b in (("a", "b"), ("b", "a"))]
        results = pool.run_many(jobs)
    assert [r.stdout.data for r in results] == [b"[False, False, False]\n"] * 2, results

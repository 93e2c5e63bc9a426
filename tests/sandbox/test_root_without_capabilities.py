"""A superuser without any capability, as in a strict container: jobs run, and what can't hold says why."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import sys
from treadle.sandbox import Overlay, Policy, Pool, Script, layers, run
folder, secret = sys.argv[1:]
found = {layer.name: layer for layer in layers()}
assert all(layer.on or layer.why for layer in found.values())
for name in ("session", "no_new_privs", "landlock", "seccomp", "memory"):
    print(name, found[name].on)
read = f"import os\\nprint(os.getuid())\\ntry: print(open({secret!r}).read())\\nexcept OSError: print('BLOCKED')"
result = run([sys.executable, "-c", read])
print(result.verdict, result.stdout.data, result.message)
overlaid = run(["cat", "file"], cwd=folder, policy=Policy(overlay=Overlay(folder)))
print(overlaid.verdict, "overlay is not possible" in overlaid.message or overlaid.stdout.data)
writing = run(["sh", "-c", "cat file; echo more > new"], cwd=folder, policy=Policy(write=(folder,)))
print(writing.verdict, writing.stdout.data)
with Pool(workers=1) as pool:
    daemon = "import os, time\\nif os.fork() == 0:\\n    os.setsid(); time.sleep(60)\\nprint('first', flush=True)"
    print(pool.run(Script(daemon)).stdout.data, pool.run(Script("print('next')")).stdout.data)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only a superuser can give its capabilities up")
@pytest.mark.skipif(shutil.which("setpriv") is None, reason="setpriv(1) of util-linux is not here")
def test_it_runs_or_says_plainly_why_not(tmp_path: Path) -> None:
    folder, secret = tmp_path / "project", tmp_path / "secret"
    folder.mkdir()
    (folder / "file").write_text("content\n")
    secret.write_text("a secret\n")
    drop = ["setpriv", "--bounding-set", "-all", "--inh-caps", "-all", "--no-new-privs"]
    done = subprocess.run(
        [*drop, sys.executable, "-c", PROGRAM, str(folder), str(secret)],
        env={**os.environ, "PYTHONPATH": f"{ROOT}:{os.environ.get('PYTHONPATH', '')}"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    said = done.stdout.splitlines()
    assert said[-4:-3] + said[-2:] == ["ok b'0\\nBLOCKED\\n' ", "ok b'content\\n'", "b'first\\n' b'next\\n'"], done
    assert said[-3] in ("refused True", "ok b'content\\n'"), done
    assert (folder / "new").read_text() == "more\n"
    assert all(line.endswith("True") for line in said[:5]) or "landlock False" in said, done

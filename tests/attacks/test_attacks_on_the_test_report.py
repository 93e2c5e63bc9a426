"""Code under test that writes, changes or removes the report on its tests, or what the reporter works with.

The code and its reporter share a process, so the class can't be closed: the last test here says what is left.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from treadle.core.records import CollectedFile, Execution, FileChange
from treadle.core.testrun import REPORT, TestReport, check_seal
from treadle.plugins.scanning.rules import findings_of
from treadle.plugins.validation.tests import compare

Judged = Callable[[str], Execution]

PASSED = "{'complete': True, 'nonce': '', 'tests': [{'id': 'test_a.py::test_f', 'outcome': 'passed'}]}"
WRITE = f"open(os.environ['TREADLE_JOB'] + '/report.json', 'w').write(json.dumps({PASSED}))"

RUN_ALONE = f"import json, os; {WRITE}"

# What would fool a reader of reports that does not ask who wrote them: shown by the control below.
FOOL_THE_READER = {
    "writes the report": WRITE + "\nos._exit(0)",
    "changes the report": """
path = os.environ["TREADLE_JOB"] + "/report.json"
report = json.load(open(path))
report["complete"] = True
for test in report["tests"]: test["outcome"] = "passed"
open(path, "w").write(json.dumps(report))
os._exit(0)
""",
    "becomes a program that writes the report": f"os.execv(sys.executable, [sys.executable, '-c', {RUN_ALONE!r}])",
    "takes the report away": "os.unlink(os.environ['TREADLE_JOB'] + '/report.json')\nos._exit(0)",
    "spoils the report": "open(os.environ['TREADLE_JOB'] + '/report.json', 'w').write('{')\nos._exit(0)",
    "writes the report for ever": f"""
if os.fork() == 0:
    os.setsid()
    while True: {WRITE}
""",
}
# These change the runner's own tools, and so have no plain kin.
FOOL_THE_RUNNER = {
    "writes the report at the end": f"import atexit\natexit.register(lambda: {WRITE})",
    "the main program is patched": """
import __main__
__main__._merged = lambda name, *rest: {"id": name, "outcome": "passed"}
""",
    "what writes JSON is patched": """
real = json.dumps
def passing(value, *rest, **named):
    for test in value.get("tests", [value]):
        test["outcome"] = "passed"
    return real(value, *rest, **named)
json.dumps = passing
json.dump = lambda value, file, **named: file.write(passing(value))
""",
    "what moves files is patched": """
real = os.replace
def passing(source, target):
    open(source, "w").write(open(source).read().replace("failed", "passed"))
    real(source, target)
os.replace = passing
""",
    "the request is read again": """
os.lseek(0, 0, 0)
report = json.loads(os.read(0, 1 << 20))
raise SystemExit(0)
""",
}
# A walk to the runner's own frames finds all that it knows. Only the scan of the change tells of it.
WALK_THE_FRAMES = {
    "takes the nonce": f"""
frame = sys._getframe()
while "nonce" not in frame.f_locals: frame = frame.f_back
path = os.environ["TREADLE_JOB"] + "/report.json"
open(path, "w").write(json.dumps({PASSED} | {{"nonce": frame.f_locals["nonce"]}}))
os._exit(0)
""",
    "changes what is noted": """
frame = sys._getframe()
while "run" not in frame.f_locals: frame = frame.f_back
plugin = frame.f_locals["run"]
def passing():
    plugin._called = True
    plugin._phases[:] = [p for p in plugin._phases if p.when != "call"]
    plugin._phases += [type("P", (), {"when": "call", "passed": True, "skipped": False, "outcome": "passed"})]
    return {}
plugin._take_lines = passing
""",
}


def source_of(body: str) -> str:
    lines = [f"    {line}" for line in body.strip().splitlines()]
    return "\n".join(["import json, os, sys", "", "def f():", *lines, ""])


@pytest.mark.parametrize("how", FOOL_THE_READER)
def test_a_report_of_another_s_making_is_no_pass(judged: Judged, how: str) -> None:
    execution = judged(source_of(FOOL_THE_READER[how]))
    signal = compare(None, execution)
    assert not signal.ok, (signal, execution)


@pytest.mark.parametrize("how", FOOL_THE_RUNNER)
def test_the_runner_s_own_tools_can_not_be_patched(judged: Judged, how: str) -> None:
    # No positive control: these are about this runner alone.
    execution = judged(source_of(FOOL_THE_RUNNER[how]))
    signal = compare(None, execution)
    assert not signal.ok, (signal, execution)


@pytest.mark.parametrize("complete", [True, False])
def test_such_a_report_would_pass_if_nobody_asked_for_the_nonce(complete: bool) -> None:
    # The positive control of the first test: the reader that does not check takes it for a pass.
    report = msgspec.json.encode({"complete": complete, "tests": [{"id": "t", "outcome": "passed"}]})
    execution = Execution(job="tests", verdict="ok", exit_code=0, files=(CollectedFile(name=REPORT, content=report),))
    assert compare(None, execution).ok == complete
    assert not compare(None, check_seal(execution, "a nonce")).ok
    assert msgspec.json.decode(report, type=TestReport).nonce == ""


@pytest.mark.parametrize("how", WALK_THE_FRAMES)
def test_a_walk_to_the_runner_s_frames_fools_it_and_is_seen_by_the_scan(judged: Judged, how: str) -> None:
    # What no check of the report can see: a person is asked before such a change runs at all.
    source = source_of(WALK_THE_FRAMES[how])
    assert compare(None, judged(source)).ok
    change = FileChange(path="tested.py", content=source.encode())
    assert {"ask", "deny"} & {finding.severity for finding in findings_of(change, source_of("pass").encode())}

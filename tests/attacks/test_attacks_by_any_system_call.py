"""Every system call there is, called with nonsense: each is refused or allowed because somebody decided so."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable

import pytest

from treadle.sandbox import Result, has_layer
from treadle.sandbox.server.syscall_numbers import FIRST_UNKNOWN

pytestmark = pytest.mark.skipif(
    os.uname().machine != "x86_64" or not has_layer("seccomp"), reason="the numbers are those of x86-64, for its filter"
)
Run = Callable[..., Result]


def numbers(text: str) -> set[int]:
    """`1 3-5` as a set."""
    spans = (part.partition("-") for part in text.split())
    return {number for first, _, last in spans for number in range(int(first), int(last or first) + 1)}


# By the kernel's own order (arch/x86/entry/syscalls/syscall_64.tbl), with what is refused left out.
ALLOWED = numbers("""
0-1 3-15 16-28 32-40 45 47-48 51-52 54-55 57-61 62-63 72-84 86-89 95-100 102 104-133 135 137-138 140-143 145-152
157-158 160 162 186-187 191-196 200-202 204 207-210 213 216-219 221-226 228-239 247 252-255 258 261-271 273-277
280-287 289-297 299 301-302 306-307 309 314-318 322 324-334 424 434 436 439 441 444-446 449-462 464-465 468
""")
REFUSED = {
    "files that others made, by number or name": "29-31 64-71 220 240-245",
    "sockets": "41-44 46 49-50 53 288 307",
    "other processes": "101 310-312 438 440 448 256 279",
    "roots, mounts and namespaces": "155 161 165-166 272 308 428-433 442 467",
    "owners, modes and attributes of files": "92-94 260 188-190 197-199 463 466 469",
    "the machine and its clock": "103 136 139 153 159 163-164 167-173 175-176 179-180 212 227 246 305 313 320 443",
    "old and odd parts of the kernel": "134 154 206 248-250 278 298 300 303-304 319 321 323 447",
}
# They seem not to be there, so that a program falls back.
ABSENT = numbers("425-427 435 437")
# Refused for the nonsense alone, by the same filter: they are allowed with arguments that do no harm.
BY_ARGUMENT = numbers("2 44 46 53 56 85 90-91 133 141-142 144 203 251 257 259 268 302 307 314 452")
# Numbers that no kernel has, or not any more.
NOTHING_THERE = numbers("156 174 177-178 181-185 205 211 214-215 236 335-423")
# The kernel itself refuses a second session, groups without a capability, and locked memory without a limit for it.
KERNEL_REFUSES = numbers("112 116 149")
# They end or hold up whoever calls them, or reach beyond a test: exit, pause, fork and their kin; sync, uretprobe.
NOT_CALLED = numbers("15 34 56-58 60-61 162 219 231 335-336 424 435")

CALL_EACH = """
import resource
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
nonsense = [ctypes.c_long(-1)] * 6
answers = {}
for number in set(range(FIRST, LAST)) - NOT_CALLED:
    result = libc.syscall(ctypes.c_long(number), *nonsense)
    answers[number] = "" if result >= 0 else errno.errorcode.get(ctypes.get_errno(), "?")
os.write(1, repr(answers).encode())
os._exit(0)
"""


def called(run: Run, first: int, last: int) -> dict[int, str]:
    source = f"FIRST, LAST, NOT_CALLED = {first}, {last}, {NOT_CALLED}\n{CALL_EACH}"
    result = run(source)
    assert result.verdict == "ok", result
    answers: dict[int, str] = ast.literal_eval(result.stdout.data.decode())
    return answers


def test_each_call_is_refused_or_allowed_as_decided(attack: Run) -> None:
    refused = {number for text in REFUSED.values() for number in numbers(text)}
    answers = called(attack, 0, FIRST_UNKNOWN)
    undecided = set(range(FIRST_UNKNOWN)) - refused - ALLOWED - ABSENT - BY_ARGUMENT - NOTHING_THERE - NOT_CALLED
    assert not undecided, undecided
    let_through = {n: answers[n] for n in (refused | BY_ARGUMENT) - NOT_CALLED if answers[n] != "EPERM"}
    assert not let_through, let_through
    assert {answers[n] for n in ABSENT - NOT_CALLED} == {"ENOSYS"}
    there_after_all = {n: answers[n] for n in NOTHING_THERE - NOT_CALLED if answers[n] != "ENOSYS"}
    assert not there_after_all, there_after_all
    taken_away = {n for n in ALLOWED - KERNEL_REFUSES - BY_ARGUMENT - NOT_CALLED if answers[n] == "EPERM"}
    assert not taken_away, taken_away


def test_a_call_of_a_newer_kernel_is_not_there(attack: Run) -> None:
    # No positive control where this kernel has none of them. Those from 512 on are of another table, and kill nobody.
    assert set(called(attack, FIRST_UNKNOWN, 700).values()) == {"ENOSYS"}

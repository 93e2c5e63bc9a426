"""What it costs to read along with a model: the time of one core while a service streams at 200 pieces a second.

Run it with `python -m tests.benchmarks.bench_streaming` from the project's folder. The service is a process of its own,
so that only the reader is measured.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time

from tests.plugins.models.anthropic import said
from tests.plugins.models.openai_compatible import said as chat
from tests.plugins.models.scripted_service import END, STREAM, Act, chunk, serving
from treadle import ModelReply
from treadle.core.records import Record
from treadle.plugins.models import anthropic, openai_compatible
from treadle.testing import Witness

PIECES, PER_S = 5_000, 200
REQUEST: dict[str, object] = {"role": "coder", "messages": [{"text": "?"}]}


class Cost(Record, frozen=True, kw_only=True):
    """What one streamed reply cost."""

    pieces: int
    shown: int
    cpu_s: float
    wall_s: float

    @property
    def share(self) -> float:
        """Of one core."""
        return self.cpu_s / self.wall_s


def measure(protocol: str, url: str) -> Cost:
    """Read one reply of the service."""
    own = {"base_url": f"{url}/v1", "key_variable": ""}
    witness = Witness({"base_url": url, "services": {"mine": own}})
    plugin, model = (
        (anthropic, "anthropic/claude-test") if protocol == "anthropic" else (openai_compatible, "service/mine/x")
    )
    cpu, wall = time.process_time(), time.monotonic()
    answer = plugin.treadle_call("model", model, {"request": REQUEST}, witness)
    cpu_s, wall_s = time.process_time() - cpu, time.monotonic() - wall
    if not isinstance(answer, ModelReply):
        raise SystemExit(str(answer))
    return Cost(pieces=answer.text.count(" "), shown=len(witness.asked), cpu_s=cpu_s, wall_s=wall_s)


def serve(protocol: str) -> None:
    """The service: its address on the first line of the output, until the input ends."""
    if protocol == "anthropic":
        opened = said.event("content_block_start", index=0, content_block={"type": "text", "text": ""})
        first, last = said.begin() + opened, said.end()
        pieces = [
            said.event("content_block_delta", index=0, delta={"type": "text_delta", "text": f"{n} "})
            for n in range(PIECES)
        ]
    else:
        first, last = chat.delta(role="assistant"), chat.delta("stop") + chat.DONE
        pieces = [chat.delta(content=f"{n} ") for n in range(PIECES)]
    at_pace: list[Act] = [act for piece in pieces for act in (chunk(piece), 1 / PER_S)]
    with serving() as service:
        for acts in ([chunk(b"".join(pieces))], at_pace):
            service.will(STREAM, chunk(first), *acts, chunk(last), END)
        print(service.url, flush=True)
        sys.stdin.read()


def main() -> None:
    """Measure both protocols: the first reply pays for what is loaded, and is not counted."""
    os.environ["ANTHROPIC_API_KEY"] = "no-key-that-a-service-would-take"
    for protocol in ("anthropic", "openai"):
        with subprocess.Popen(
            [sys.executable, "-m", "tests.benchmarks.bench_streaming", protocol],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as server:
            assert server.stdout is not None
            url = server.stdout.readline().strip()
            measure(protocol, url)
            cost = measure(protocol, url)
            print(
                f"{protocol}: {cost.pieces} pieces in {cost.wall_s:.1f} s, shown in {cost.shown} parts: "
                f"{cost.cpu_s:.2f} s of one core, {cost.share:.1%}"
            )
            server.communicate()


if __name__ == "__main__":
    serve(sys.argv[1]) if sys.argv[1:] else main()

"""Drawing on a terminal that is gone."""

from __future__ import annotations

import os
import threading

from textual.drivers._writer_thread import MAX_QUEUED_WRITES

from treadle.tui.screen.lost_terminal import OutlivingWriter


def test_nobody_waits_for_a_terminal_that_is_gone() -> None:
    reads, writes = os.pipe()
    os.close(reads)
    with open(writes, "w", closefd=False) as file:
        writer = OutlivingWriter(file)
        writer.start()

        def draw() -> None:
            for _ in range(2 * MAX_QUEUED_WRITES):
                writer.write("x" * 10_000)
            writer.stop()

        draws = threading.Thread(target=draw, daemon=True)
        draws.start()
        draws.join(30)
        assert not draws.is_alive()
        os.dup2(os.open(os.devnull, os.O_WRONLY), writes)  # what it has in its buffer still goes somewhere
    os.close(writes)

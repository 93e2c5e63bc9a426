"""How busy the machine is, and from when on that is an alert."""

from __future__ import annotations

from pathlib import Path

from treadle.tui.control.machine import Load, load_now


def test_what_is_nearly_used_up_is_an_alert() -> None:
    assert Load(cpu=89.9, memory=12.0, disk=0.0).alerts() == ()
    assert Load(cpu=90.0, memory=95.4, disk=12.0).alerts() == ("cpu 90 %", "memory 95 %")
    assert Load(cpu=1.0, memory=2.0, disk=99.6).alerts() == ("disk 100 %",)
    assert Load(cpu=1.0, memory=2.0, disk=99.6).told() == "cpu 1 % · mem 2 %", "what is an alert stands once"


def test_the_machine_is_measured_and_a_folder_that_is_gone_counts_as_nothing(tmp_path: Path) -> None:
    load = load_now(tmp_path)
    assert 0.0 < load.memory <= 100.0
    assert 0.0 < load.disk <= 100.0
    assert 0.0 <= load.cpu <= 100.0
    assert load_now(tmp_path / "gone").disk == 0.0

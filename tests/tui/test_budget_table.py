from __future__ import annotations

from treadle.core.store.spending import IN_WORDS
from treadle.tui.commands.budget import Used, _table


def test_large_numbers_do_not_touch_each_other() -> None:
    rows = [
        Used(scope=scope, what=what, used=123_456_789_012.0, limit=999_999_999_999.0)
        for what in IN_WORDS
        for scope in ("day", "month")
    ]
    lines = _table(rows)
    assert len({len(line) for line in lines}) == 1
    number = "123,456,789,012.00 of 999,999,999,999"
    assert lines[1].split("  ")[-2:] == [number, number]
    assert lines[1].startswith(f"{IN_WORDS['usd']} ")
    small = [Used(scope=scope, what=what, used=1.0, limit=None) for what in IN_WORDS for scope in ("day", "month")]
    assert {len(line) for line in _table(small)} == {80}

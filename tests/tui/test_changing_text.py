"""Text that is told is laid out with the rows that it takes, whenever it comes."""

from __future__ import annotations

import asyncio

import pytest
from textual.app import App, ComposeResult

from treadle.tui.screen.completion import Completion
from treadle.tui.widgets.changing_text import ChangingText
from treadle.tui.widgets.told import Told


class Screen(App[None]):
    CSS = "ChangingText { height: auto; }"

    def compose(self) -> ComposeResult:
        yield Told()
        yield Completion()
        yield ChangingText()

    def is_laid_out_with_the_next_change(self) -> None:
        """As while other keys are put at its foot."""
        self.screen._compositor._full_map_invalidated, self.screen._compositor._visible_map = True, None
        self.screen._clear_arrangement_cache()


@pytest.mark.parametrize("at_once", [False, True])
def test_what_is_told_while_the_screen_is_laid_out_is_seen(at_once: bool) -> None:
    async def run() -> tuple[int, int, int]:
        app = Screen()
        async with app.run_test(size=(60, 24)) as pilot:
            told, completion, text = app.query_one(Told), app.query_one(Completion), list(app.query(ChangingText))[-1]
            for number in range(1, 4):
                for change in (
                    lambda: told.tell(f"message {number}"),  # noqa: B023 - it is called in the same round
                    lambda: completion.offer([(f"choice {n}", "") for n in range(number)]),  # noqa: B023
                    lambda: text.update("\n".join("x" * number)),  # noqa: B023
                ):
                    app.is_laid_out_with_the_next_change()
                    change()
                if not at_once:
                    await pilot.pause()
            await pilot.pause()
            return told.size.height, completion.size.height, text.size.height

    assert asyncio.run(run()) == (3, 3, 3)

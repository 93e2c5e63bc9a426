"""What is shown of what a model says while it says it."""

from __future__ import annotations

from treadle.plugins.models.deltas import Deltas

LOST = "\N{REPLACEMENT CHARACTER}"


def shown(*pieces: tuple[str, bool]) -> list[tuple[str, bool]]:
    told: list[tuple[str, bool]] = []
    deltas = Deltas(lambda text, thinking: told.append((text, thinking)))
    for text, thinking in pieces:
        deltas.add(text, thinking)
    deltas.end()
    deltas.show()
    return [each for each in told if each[0]]


def test_half_a_character_waits_for_the_other_in_its_own_kind() -> None:
    told = shown(("I see \ud83d", True), ("Look", False), ("\ude00.", True))
    assert told == [("I see ", True), ("Look", False), ("\N{GRINNING FACE}.", True)]


def test_half_a_character_at_the_end_is_shown_as_lost_in_its_own_kind() -> None:
    assert shown(("I see \ud83d", True), ("Look", False)) == [("I see ", True), ("Look", False), (LOST, True)]
    assert shown(("Look \ud83d", False)) == [("Look " + LOST, False)]

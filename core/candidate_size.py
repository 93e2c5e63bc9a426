"""How large a change may be that somebody proposes: it is kept, scanned, compared, shown, and a person is to read it.

What the person themselves gave to be looked at is bounded where it is read.
"""

from __future__ import annotations

from collections.abc import Sequence

from treadle.core.records import Candidate, Confidence, FileChange

MOST_FILES = 2_000
"""Files of a change."""
MOST_BYTES = 16 << 20
"""Bytes of what they become, together."""

MOST_WORDS = 64 << 10
"""Characters of what is said of it."""
MOST_OF_CONFIDENCE = 1 << 20
"""Characters of what is said of how far it can be trusted, with the calls by which others differ."""
MOST_SAID = 4_000
"""Reasons for that, other changes, calls by which they differ, and what comes of each: each is a line that is shown."""


def too_wordy(candidate: Candidate) -> str:
    """Why nobody would read what is said of a change, empty when they can."""
    length = len(candidate.why) + len(candidate.failed) + len(candidate.remedy)
    if length > MOST_WORDS:
        return f"{length:,} characters are said of it, and {MOST_WORDS:,} are the most"
    confidence = candidate.confidence or Confidence(level="low")
    said = [*confidence.reasons, *(rival.why for rival in confidence.rivals)]
    said += [text for each in confidence.disagreements for text in (each.call, *each.answers)]
    if len(said) > MOST_SAID:
        return f"{len(said):,} things are said of confidence in it, and {MOST_SAID:,} are the most"
    length = sum(map(len, said)) + sum(len(text) for each in confidence.disagreements for text in each.tests)
    most = MOST_OF_CONFIDENCE
    return f"{length:,} characters are said of confidence in it, and {most:,} are the most" if length > most else ""


def too_much(files: Sequence[FileChange]) -> str:
    """Why a change of these files is too large, empty when it is not."""
    if len(files) > MOST_FILES:
        return f"it changes {len(files):,} files, and {MOST_FILES:,} are the most"
    size = sum(len(change.content or b"") for change in files)
    return f"its files have {size >> 20} MiB, and {MOST_BYTES >> 20} MiB are the most" if size > MOST_BYTES else ""

"""What a text says clause by clause: whether something is not to stay, and what is the object of that.

`Remove the prints in slug` says nothing of `slug` itself, nor does `slug should remove blanks`: only what such a verb
has for its object goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from treadle.core import said_words

_SENTENCE = re.compile(r"[.;!?](?=\s)|[。；！？\n]")
_COLON = re.compile(r":(?=\s|$)|：")
_ITEM = re.compile(r"\s*(?:[-*•]|\d+[.)])\s")
_NO_WORDS = re.compile(
    r"`[^`]{0,300}`|\"[^\"]{0,300}\"|“[^”]{0,300}”|«[^»]{0,300}»|(?<!\w)'[^']{0,200} [^']{0,200}'(?!\w)"
    r"|(?<![A-Za-z0-9_.])[A-Za-z0-9_.]*(?:_|[a-z](?=[A-Z])|\.(?=[A-Za-z0-9_]))[A-Za-z0-9_.]*|\b\w++(?=\()"
)
"""What is quoted, or a name of code: no verb of the person's own."""
_JOINT = re.compile(
    r",\s+(?:(?:and|but|then|und|aber|et|mais)\s+)*|[，、]|(?<!\s)\s++(?=(?:but|while|without|aber|ohne|mais)\s)"
)
_AND = re.compile(r"(?<!\s)\s++and\s+(?=\w)")
_OR = re.compile(r"\b(?:or|nor|oder)\b", re.IGNORECASE)
_LEFT_OPEN = re.compile(rf"(?:{said_words.NEGATION})(?:\W+\w+)?\W*$", re.IGNORECASE)
"""A negation with hardly a word behind it: `never, under any circumstances, remove`. It holds for what follows."""
_LONGEST = 50_000
"""Characters of a text that are looked at: of what stands behind them nothing is said."""
_LONGEST_HEAD, _MOST_BEHIND = 200, 100
"""Characters before a colon that are said of each thing behind it, and of how many things."""


def clauses_of(text: str) -> Iterator[str]:
    """The sentences, and what they say behind a colon as one of its own: `remove these: a, b` says of both that they
    are to go, and so it does where they are items of a list. Where one thing stays and another goes, each is apart."""
    for clause in _sentences(text[:_LONGEST].replace("’", "'")):
        yield from _apart(clause)


def takes_away(clause: str) -> bool:
    """Whether it says that something is not to stay as it is, and of nothing that it stays."""
    return bool(said_words.TAKES_AWAY.search(_plain(clause))) and not _says_what_stays(clause)


def deletes(clause: str) -> bool:
    """Whether something is to be gone."""
    return bool(said_words.DELETES.search(_plain(clause)))


def keeps(clause: str) -> bool:
    """Whether it says that something is to stay, or not to be taken away."""
    plain = _plain(clause)
    return bool(
        said_words.STAYS.search(plain) or (said_words.NEGATES.search(plain) and said_words.TAKES_AWAY.search(plain))
    )


def denies(clause: str) -> bool:
    """Whether anything in it is not to be done, or stays."""
    plain = _plain(clause)
    return bool(said_words.STAYS.search(plain) or said_words.NEGATES.search(plain))


def objects_of(clause: str) -> str:
    """The clause without what does something in it, why, and where it is done."""
    said = said_words.REPLACED_WITH.sub(r"\1", said_words.WHY.sub("", clause))
    return said_words.WHERE.sub(lambda found: found["all"] or " ", said_words.WHO.sub("", said))


def _sentences(text: str) -> Iterator[str]:
    head, items = "", 0
    for line in text.splitlines():
        items += 1
        if not (head and items <= _MOST_BEHIND and _ITEM.match(line)):
            head = ""
        for sentence in _SENTENCE.split(line):
            first, *others = _COLON.split(sentence, _MOST_BEHIND)
            yield f"{head} {first}" if head else first
            said = first[:_LONGEST_HEAD] if takes_away(first) else ""
            yield from (f"{said} {other}" if said and not _says_what_stays(other) else other for other in others)
            if others and not others[-1].strip():
                head, items = said, 0


def _apart(sentence: str) -> Iterator[str]:
    plain = _plain(sentence)
    if not denies(sentence) or _is_of_all(sentence) or not said_words.TAKES_AWAY.search(plain):
        yield sentence
        return
    negates = said_words.NEGATES.search(plain)
    clauses = _JOINT.split(sentence)
    if not negates:
        clauses = [each for clause in clauses for each in _AND.split(clause)]
    if negates and (_OR.search(plain) or any(map(_LEFT_OPEN.search, clauses[:-1]))):
        yield sentence  # nobody can tell how far it reaches
    else:
        yield from clauses


def _says_what_stays(clause: str) -> bool:
    return denies(clause) or _is_of_all(clause)


def _is_of_all(clause: str) -> bool:
    return any(form.search(clause) for form in (said_words.ALL_BUT, said_words.ALL_THAT))


def _plain(clause: str) -> str:
    return _NO_WORDS.sub("x", clause)

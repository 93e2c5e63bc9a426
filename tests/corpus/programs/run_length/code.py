"""Run-length coding of text: aaab becomes 3ab."""


class Malformed(ValueError):
    """The coded text can't be read; says at which place."""


def pack(text: str) -> str:
    """Each run of a character as its length and the character; a length of one is left out."""
    if any(character.isdigit() for character in text):
        raise ValueError("digits can't be packed")
    parts = []
    start = 0
    for end in range(1, len(text) + 1):
        if end < len(text) and text[end] == text[start]:
            continue
        length = end - start
        parts.append(f"{length}{text[start]}" if length > 1 else text[start])
        start = end
    return "".join(parts)


def unpack(packed: str) -> str:
    """The text that was packed."""
    out = []
    number = ""
    for place, character in enumerate(packed):
        if character.isdigit():
            if character == "0" and not number:
                raise Malformed(f"a length begins with 0 at {place}")
            number += character
            continue
        out.append(character * int(number or 1))
        number = ""
    if number:
        raise Malformed(f"no character after the length at {len(packed)}")
    return "".join(out)


def saved(text: str) -> float:
    """The part of the text, from 0 to 1, that packing spares."""
    if not text:
        return 0.0
    return 1 - len(pack(text)) / len(text)

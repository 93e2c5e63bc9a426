"""The part of an address behind the question mark: a=1&b=two+words&a=3."""

from __future__ import annotations

SAFE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def quote(text: str) -> str:
    """The text with + for spaces and %XX for the bytes of all other characters that aren't safe."""
    out = []
    for character in text:
        if character in SAFE:
            out.append(character)
        elif character == " ":
            out.append("+")
        else:
            out.extend(f"%{byte:02X}" for byte in character.encode())
    return "".join(out)


def unquote(text: str) -> str:
    """The text that was quoted; a % without two hex digits stays as it is."""
    out = bytearray()
    index = 0
    while index < len(text):
        digits = text[index + 1 : index + 3]
        if text[index] == "%" and len(digits) == 2 and all(d in "0123456789abcdefABCDEF" for d in digits):
            out.append(int(digits, 16))
            index += 3
            continue
        out += b" " if text[index] == "+" else text[index].encode()
        index += 1
    return out.decode(errors="replace")


def parse(query: str) -> dict[str, list[str]]:
    """The values by name, in their order."""
    values: dict[str, list[str]] = {}
    for pair in query.removeprefix("?").split("&"):
        if not pair:
            continue
        name, _, value = pair.partition("=")
        values.setdefault(unquote(name), []).append(unquote(value))
    return values


def build(values: dict[str, str | int | bool | list[str] | None]) -> str:
    """The query of values; a list is given several times, True as an empty value, and None and False are left out."""
    pairs = []
    for name, value in values.items():
        if value is None or value is False:
            continue
        for item in value if isinstance(value, list) else [value]:
            pairs.append(quote(name) if item is True else f"{quote(name)}={quote(str(item))}")
    return "&".join(pairs)


def with_value(address: str, name: str, value: str) -> str:
    """The address with a value set in its query, in place of others of that name; what is behind # stays."""
    rest, hash_sign, fragment = address.partition("#")
    path, _, query = rest.partition("?")
    values = parse(query)
    values[name] = [value]
    return f"{path}?{build(values)}{hash_sign}{fragment}"

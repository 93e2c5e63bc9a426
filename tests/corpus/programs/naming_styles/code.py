"""Names in the styles of programming languages."""


def words_of(name: str) -> list[str]:
    """The words of a name in any style, in small letters: HTTPServer2 is http, server2."""
    words = []
    current = ""
    for index, character in enumerate(name):
        if not character.isalnum():
            if current:
                words.append(current)
            current = ""
            continue
        before = name[index - 1] if index > 0 else ""
        after = name[index + 1] if index + 1 < len(name) else ""
        starts = character.isupper() and (not before.isupper() or after.islower())
        if starts and current:
            words.append(current)
            current = ""
        current += character
    if current:
        words.append(current)
    return [word.lower() for word in words]


def snake(name: str) -> str:
    """snake_case; an underscore in front stays."""
    return ("_" if name.startswith("_") else "") + "_".join(words_of(name))


def camel(name: str, upper: bool = False) -> str:
    """camelCase, or CamelCase with `upper`."""
    words = [word.capitalize() for word in words_of(name)]
    if words and not upper:
        words[0] = words[0].lower()
    return "".join(words)


def slug(title: str, limit: int | None = None) -> str:
    """Words with dashes for an address; whole words are left out at the end to keep to the limit."""
    parts = "".join(c.lower() if c.isalnum() else " " for c in title if c not in "'’").split()
    while limit is not None and len(parts) > 1 and len("-".join(parts)) > limit:
        parts.pop()
    return "-".join(parts)[:limit]


def rename_keys(record, style):
    """The record with all keys in a style, a function; also those of records and lists within."""
    if isinstance(record, dict):
        return {style(key): rename_keys(value, style) for key, value in record.items()}
    if isinstance(record, list):
        return [rename_keys(item, style) for item in record]
    return record

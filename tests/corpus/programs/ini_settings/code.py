"""Settings in sections, as in .ini files."""

from __future__ import annotations

Sections = dict[str, dict[str, str]]


class IniError(ValueError):
    """A line that can't be read; `line` is its number from 1."""

    def __init__(self, line: int, message: str):
        super().__init__(f"line {line}: {message}")
        self.line = line


def parse(text: str) -> Sections:
    """The sections with their settings; what stands before the first section is in the section ''.

    Lines that begin with ; or # are comments, and an indented line goes on with the value before it.
    """
    sections: Sections = {}
    section = ""
    key = None
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if not stripped or stripped[0] in ";#":
            continue
        if line[0].isspace() and key is not None:
            sections[section][key] += "\n" + stripped
        elif stripped.startswith("["):
            if not stripped.endswith("]"):
                raise IniError(number, "the section's name is not closed")
            section = stripped[1:-1].strip()
            sections.setdefault(section, {})
            key = None
        else:
            name, equals, value = stripped.partition("=")
            key = name.strip().lower()
            if not equals or not key:
                raise IniError(number, f"no setting: {stripped}")
            if key in sections.setdefault(section, {}):
                raise IniError(number, f"{key} is set twice")
            sections[section][key] = value.strip()
    return sections


def write(sections: Sections) -> str:
    """The text of sections, which are parted by empty lines."""
    blocks = []
    for section, settings in sections.items():
        lines = [f"[{section}]"] if section else []
        lines += [f"{key} = " + value.replace("\n", "\n    ") for key, value in settings.items()]
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def switch(sections: Sections, section: str, key: str, default: bool = False) -> bool:
    """A setting that is on or off; ValueError for a word that is neither."""
    word = sections.get(section, {}).get(key)
    if word is None:
        return default
    if word.lower() in ("1", "yes", "true", "on"):
        return True
    if word.lower() in ("0", "no", "false", "off"):
        return False
    raise ValueError(f"{section}.{key} is neither on nor off: {word}")

"""Tables as lines with commas, where a field in quotes may hold anything."""


class OpenQuote(ValueError):
    """The text ends within a quoted field."""


def split_rows(text, separator=","):
    """The rows of a table, each a list of fields; empty lines are left out."""
    rows, row, field = [], [], []
    quoted = was_quoted = False
    index = 0
    while index < len(text):
        character = text[index]
        index += 1
        if quoted:
            if character != '"':
                field.append(character)
            elif text[index : index + 1] == '"':
                field.append('"')
                index += 1
            else:
                quoted = False
        elif character == '"' and not field:
            quoted = was_quoted = True
        elif character == separator:
            row.append("".join(field))
            field, was_quoted = [], False
        elif character == "\n":
            if row or field or was_quoted:
                rows.append([*row, "".join(field)])
            row, field, was_quoted = [], [], False
        elif character != "\r":
            field.append(character)
    if quoted:
        raise OpenQuote("a quote is not closed")
    if row or field or was_quoted:
        rows.append([*row, "".join(field)])
    return rows


def join_row(fields, separator=","):
    """The line of a row; fields are put into quotes where they have to be."""
    out = []
    for field in fields:
        text = "" if field is None else str(field)
        if any(c in text for c in ('"', "\n", "\r", separator)) or (text == "" and len(fields) == 1):
            text = '"' + text.replace('"', '""') + '"'
        out.append(text)
    return separator.join(out)


def records(text, separator=","):
    """Each row as a dict by the names in the first row; missing fields are '', ValueError for too many."""
    rows = split_rows(text, separator)
    if not rows:
        return []
    names, *body = rows
    found = []
    for number, row in enumerate(body, start=1):
        if len(row) > len(names):
            raise ValueError(f"record {number} has {len(row)} fields, not {len(names)}")
        found.append(dict(zip(names, row + [""] * (len(names) - len(row)), strict=True)))
    return found

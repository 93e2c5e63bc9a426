"""Tables as text, with columns that fit what is in them."""


def _text(value, decimals):
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.{decimals}f}"
    return str(value)


def _is_number(value):
    return isinstance(value, int | float) and not isinstance(value, bool)


def shorten(text, limit):
    """The text, cut with … at its end if it is longer than the limit."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def table(rows, columns=None, *, decimals=2, limit=20):
    """The lines of a table of dicts, numbers to the right; columns default to all keys as they first appear."""
    if columns is None:
        columns = list(dict.fromkeys(key for row in rows for key in row))
    if not columns:
        return []
    cells = [[shorten(_text(row.get(name), decimals), limit) for name in columns] for row in rows]
    titles = [shorten(name, limit) for name in columns]
    widths = [max(map(len, column)) for column in zip(titles, *cells, strict=True)]
    right = [
        any(_is_number(row.get(name)) for row in rows)
        and all(row.get(name) is None or _is_number(row.get(name)) for row in rows)
        for name in columns
    ]

    def line(values):
        padded = [
            value.rjust(width) if is_right else value.ljust(width)
            for value, width, is_right in zip(values, widths, right, strict=True)
        ]
        return "  ".join(padded).rstrip()

    rule = "  ".join("-" * width for width in widths)
    return [line(titles), rule, *map(line, cells)]


def with_sum(rows, columns, label="total"):
    """The rows and one more with the sums of some columns; the label is in the first key of the first row."""
    if not rows:
        return []
    first = next(iter(rows[0]))
    sums = {name: sum(row.get(name) or 0 for row in rows) for name in columns}
    return [*rows, {first: label, **sums}]

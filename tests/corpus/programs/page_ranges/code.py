"""Pages to print, written as 1-3, 7, 10-."""


class BadRange(ValueError):
    """A part that isn't a page or a range of pages."""


def _number(text, part):
    if not text.isdecimal():
        raise BadRange(f"{part!r} is no range")
    return int(text)


def parse(text, last):
    """The pages, each once, in the order in which they are named.

    `a-b` may go backwards, `a-` goes to the last page, `-b` begins with the first, and `odd` and `even` are all
    such pages. Pages beyond the last one are left out.
    """
    pages = []
    for part in text.split(","):
        part = part.strip().lower()
        if not part:
            continue
        if part in ("odd", "even"):
            pages.extend(range(1 if part == "odd" else 2, last + 1, 2))
            continue
        start, dash, end = (piece.strip() for piece in part.partition("-"))
        if dash and not start and not end:
            raise BadRange(f"{part!r} is no range")
        first = _number(start, part) if start else 1
        final = first if not dash else _number(end, part) if end else last
        if first == 0 or final == 0:
            raise BadRange("pages count from 1")
        step = 1 if first <= final else -1
        pages.extend(range(first, final + step, step))
    return list(dict.fromkeys(page for page in pages if page <= last))


def show(pages):
    """The shortest way to write some pages in ascending order; two neighbours are written apart."""
    parts = []
    ordered = sorted(set(pages))
    start = 0
    for index, page in enumerate(ordered):
        if index + 1 < len(ordered) and ordered[index + 1] == page + 1:
            continue
        run = ordered[start : index + 1]
        if len(run) <= 2:
            parts.extend(str(number) for number in run)
        else:
            parts.append(f"{run[0]}-{run[-1]}")
        start = index + 1
    return ", ".join(parts)


def booklet(last):
    """The (front, back) sheets of a booklet, each side a pair of pages from left to right, None for an empty page."""
    total = -(-last // 4) * 4
    numbers = [page if page <= last else None for page in range(1, total + 1)]
    sheets = []
    for sheet in range(total // 4):
        low, high = 2 * sheet, total - 1 - 2 * sheet
        sheets.append(((numbers[high], numbers[low]), (numbers[low + 1], numbers[high - 1])))
    return sheets

"""A month as a sheet of text, with marks on some days."""

import calendar
import datetime as dt

NAMES = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
WIDTH = 27


def weeks(year: int, month: int, first_weekday: int = 0) -> list[list[int]]:
    """The days by weeks of seven, 0 for those of other months; the week begins with `first_weekday` (0: Monday)."""
    length = calendar.monthrange(year, month)[1]
    before = (dt.date(year, month, 1).weekday() - first_weekday) % 7
    cells = [0] * before + list(range(1, length + 1))
    cells += [0] * (-len(cells) % 7)
    return [cells[start : start + 7] for start in range(0, len(cells), 7)]


def sheet(year: int, month: int, marked: set[int] | None = None, first_weekday: int = 0) -> str:
    """The sheet: title, names of days and weeks; a * stands behind each marked day."""
    marked = marked or set()
    title = f"{calendar.month_name[month]} {year}"
    names = NAMES[first_weekday:] + NAMES[:first_weekday]
    lines = [title.center(WIDTH).rstrip(), "  ".join(names)]
    for week in weeks(year, month, first_weekday):
        cells = [f"{day or '':>2}{'*' if day in marked else ' '}" for day in week]
        lines.append(" ".join(cells).rstrip())
    return "\n".join(lines)


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> dt.date:
    """The nth such weekday of the month, counted from its end when nth is negative; ValueError if there is none."""
    days = [week[weekday] for week in weeks(year, month) if week[weekday]]
    if nth == 0 or not -len(days) <= nth <= len(days):
        raise ValueError(f"there is no such day in {month}/{year}")
    return dt.date(year, month, days[nth - 1 if nth > 0 else nth])

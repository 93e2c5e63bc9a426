"""An agenda as text."""

from __future__ import annotations

import datetime as dt

from subject.calendar import Calendar


def length(minutes: int) -> str:
    """Minutes as 45m, 2h or 1h30m."""
    hours, rest = divmod(minutes, 60)
    return (f"{hours}h" if hours else "") + (f"{rest}m" if rest or not hours else "")


def agenda(calendar: Calendar, first: dt.date, days: int = 7) -> list[str]:
    """Lines for the days that have events, each event with its time, length and place."""
    lines = []
    for offset in range(days):
        day = first + dt.timedelta(days=offset)
        events = calendar.on(day)
        if not events:
            continue
        lines.append(f"{day:%a %d %b}")
        for event in events:
            time = f"{event.start:%H:%M}" if event.start.date() == day else " ... "
            place = f" @ {event.place}" if event.place else ""
            lines.append(f"  {time} {event.title} ({length(event.minutes)}){place}")
    return lines

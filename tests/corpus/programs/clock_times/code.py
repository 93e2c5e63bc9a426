"""Times of day as minutes since midnight, with spans that may pass midnight."""

DAY = 24 * 60


def parse(text):
    """Minutes since midnight of '9:05', '21:30', '9pm' or '12:15 am'; ValueError otherwise."""
    body = text.strip().lower()
    half = None
    for suffix in ("am", "pm"):
        if body.endswith(suffix):
            half = suffix
            body = body.removesuffix(suffix).rstrip()
    hours, colon, minutes = body.partition(":")
    if not hours.isdecimal() or (colon and not (minutes.isdecimal() and len(minutes) == 2)):
        raise ValueError(f"{text!r} is no time")
    if half is None and not colon:
        raise ValueError(f"{text!r} has neither minutes nor am or pm")
    hour, minute = int(hours), int(minutes or 0)
    if half is not None:
        if not 1 <= hour <= 12:
            raise ValueError(f"there is no hour {hour} with {half}")
        hour = hour % 12 + (12 if half == "pm" else 0)
    if hour > 23 or minute > 59:
        raise ValueError(f"{text!r} is no time of a day")
    return hour * 60 + minute


def show(minutes, twelve=False):
    """The time as 09:05, or as 9:05 am; what is beyond the day counts from its beginning again."""
    hour, minute = divmod(minutes % DAY, 60)
    if not twelve:
        return f"{hour:02}:{minute:02}"
    return f"{(hour - 1) % 12 + 1}:{minute:02} {'am' if hour < 12 else 'pm'}"


def span(start, end):
    """Minutes from one time to the next such other time; a full day if they are the same."""
    return (end - start) % DAY or DAY


def is_within(time, start, end):
    """Whether the time is from start on and before end, also where that passes midnight."""
    if start <= end:
        return start <= time < end
    return time >= start or time < end


def rounded(minutes, step=15):
    """The time rounded to a step, halves up, within the day."""
    return (minutes + step // 2) // step * step % DAY

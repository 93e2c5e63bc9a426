"""Reading lines of a web server's log and summing them up."""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass

_LINE = re.compile(r'(\S+) \[(\d\d):(\d\d)\] "([A-Z]+) (\S+)" (\d{3}) (\d+|-)')


@dataclass(frozen=True)
class Request:
    """One request; `minute` counts from midnight, `size` is in bytes."""

    client: str
    minute: int
    method: str
    path: str
    status: int
    size: int

    @property
    def failed(self):
        """Whether the server says that it went wrong."""
        return self.status >= 400


def read(lines):
    """The requests, and the numbers of the lines (from 1) that couldn't be read; empty lines are no matter."""
    requests, unread = [], []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None:
            unread.append(number)
            continue
        client, hour, minute, method, path, status, size = match.groups()
        path = path.split("?", 1)[0]
        requests.append(
            Request(client, 60 * int(hour) + int(minute), method, path, int(status), 0 if size == "-" else int(size))
        )
    return requests, unread


def most_requested(requests, number=3):
    """(path, count) of the paths that were asked for most, without those that failed."""
    counts = Counter(request.path for request in requests if not request.failed)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:number]


def traffic(requests):
    """The bytes that each client got."""
    sizes = defaultdict(int)
    for request in requests:
        sizes[request.client] += request.size
    return dict(sizes)


def suspicious(requests, failures=3, minutes=5):
    """The clients with so many failed requests within so many minutes, sorted."""
    times = defaultdict(list)
    for request in requests:
        if request.failed:
            times[request.client].append(request.minute)
    found = []
    for client, own in times.items():
        own.sort()
        for first, last in zip(own, own[failures - 1 :], strict=False):
            if last - first < minutes:
                found.append(client)
                break
    return sorted(found)

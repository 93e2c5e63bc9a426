"""A queue of tasks by urgency, in which tasks can be moved and cancelled."""

import heapq
from itertools import count


class TaskQueue:
    """Named tasks with a priority; a smaller number is more urgent, and of equals the earlier one comes first."""

    def __init__(self):
        self._heap = []
        self._entries = {}
        self._numbers = count()

    def __len__(self):
        return len(self._entries)

    def put(self, name, priority=5):
        """Add a task or give a known one another priority; it then goes behind its equals."""
        self.cancel(name)
        entry = [priority, next(self._numbers), name]
        self._entries[name] = entry
        heapq.heappush(self._heap, entry)

    def cancel(self, name):
        """Take a task out of the queue; False if it isn't there."""
        entry = self._entries.pop(name, None)
        if entry is None:
            return False
        entry[2] = None
        return True

    def _tidy(self):
        while self._heap and self._heap[0][2] is None:
            heapq.heappop(self._heap)

    def peek(self):
        """(name, priority) of the next task; None if there is none."""
        self._tidy()
        if not self._heap:
            return None
        priority, _, name = self._heap[0]
        return name, priority

    def take(self):
        """The name of the next task, which leaves the queue; LookupError if there is none."""
        self._tidy()
        if not self._heap:
            raise LookupError("no tasks")
        name = heapq.heappop(self._heap)[2]
        del self._entries[name]
        return name

    def take_until(self, priority):
        """Take all tasks that are at least so urgent."""
        names = []
        while (following := self.peek()) is not None and following[1] <= priority:
            names.append(self.take())
        return names

    def hurry(self, name, by=1):
        """Make a task more urgent, not beyond 0; KeyError if it isn't there."""
        priority = self._entries[name][0]
        self.put(name, max(priority - by, 0))

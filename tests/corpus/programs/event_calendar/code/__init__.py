"""A calendar of events: adding, moving, finding clashes and free time, and writing an agenda."""

from subject.agenda import agenda
from subject.calendar import Calendar, Clash
from subject.event import Event

__all__ = ["Calendar", "Clash", "Event", "agenda"]

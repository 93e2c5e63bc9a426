"""A small game of rooms, things and words."""

from subject.commands import Command, Unknown, parse
from subject.game import Game
from subject.world import Room, World

__all__ = ["Command", "Game", "Room", "Unknown", "World", "parse"]

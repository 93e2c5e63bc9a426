"""Bounded processes: run a command so that it can do its job and nothing else."""

from __future__ import annotations

from treadle.sandbox.input import Input
from treadle.sandbox.job import Command, File, Script
from treadle.sandbox.launching import prepare
from treadle.sandbox.layers import Layer, has_layer, layers
from treadle.sandbox.limits import Limits
from treadle.sandbox.policy import Overlay, Policy
from treadle.sandbox.pool import Pool
from treadle.sandbox.process import Process
from treadle.sandbox.result import Result, Stream
from treadle.sandbox.run import close_idle, run
from treadle.sandbox.server_process import ServerDied

__all__ = [
    "Command",
    "File",
    "Input",
    "Layer",
    "Limits",
    "Overlay",
    "Policy",
    "Pool",
    "Process",
    "Result",
    "Script",
    "ServerDied",
    "Stream",
    "close_idle",
    "has_layer",
    "layers",
    "prepare",
    "run",
]

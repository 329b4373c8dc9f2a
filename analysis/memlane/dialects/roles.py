"""What an op is besides what it does to memory: a function, the beginning or the end of tasks, work of threads."""

from __future__ import annotations

from enum import Enum


class Tasks(Enum):
    """What an op has to do with work in the background for which no value stands: with tasks (`omp.task`)."""

    BEGIN = "begin"
    """What its regions do is a task."""
    WAIT = "wait"
    """It waits for the tasks that the one around it has begun."""
    WAIT_ALL = "wait_all"
    """It waits for all tasks that have begun around it; of an op with regions its end does, for those in them."""
    END = "end"
    """It ends a region of an op that may wait for all."""


class Threads(Enum):
    """Which threads run the regions of an op, where it says that."""

    ALL = "all"
    """Each of several: as many as its operands of a number say, where it has such."""
    ONE = "one"
    """One of those that come there."""


class FunctionRole(Enum):
    """Whether an op is a function, and who may call it."""

    HOST = "host"
    KERNEL = "kernel"

"""Memory: what a seat can infer about the other hands from all that it has seen of a game."""

from valletta_rules.memory.belief import Belief
from valletta_rules.memory.hearing import MemoryMismatchError
from valletta_rules.memory.history import remember, resample
from valletta_rules.memory.memory import InformationState, Memory

__all__ = [
    "Belief",
    "InformationState",
    "Memory",
    "MemoryMismatchError",
    "remember",
    "resample",
]

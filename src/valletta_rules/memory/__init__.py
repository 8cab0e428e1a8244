"""Memory: what a seat can infer about the other hands from the events that it has observed."""

from valletta_rules.memory.belief import Belief as Belief
from valletta_rules.memory.belief_updates import MemoryMismatchError as MemoryMismatchError
from valletta_rules.memory.history import remember as remember
from valletta_rules.memory.history import resample as resample
from valletta_rules.memory.memory import InformationState as InformationState
from valletta_rules.memory.memory import Memory as Memory

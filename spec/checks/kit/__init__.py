"""The conformance suite: the sources of its vectors, and the programs that write and check it."""

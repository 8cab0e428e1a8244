"""The conformance suite: where its vectors come from, how they are written, and checked."""

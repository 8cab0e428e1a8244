"""The conformance suite, or *kit*: sources of its vectors, and programs to write and check it."""

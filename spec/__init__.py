"""The formal specification, and the programs that check it, the engine and the tests."""

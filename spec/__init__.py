"""The specification, and the programs that hold it, the engine and the tests to one another."""

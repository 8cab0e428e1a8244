"""Benchmarks: how long the engine's operations take.  They do not run with the tests."""

"""Benchmarks: how fast the engine is, compared with its peers.  They do not run with the tests."""

"""Benchmarks: the speed of the engine, compared with other engines.  They are not tests."""

"""Benchmarks that compare the speed of the engine with other engines. pytest does not run them."""

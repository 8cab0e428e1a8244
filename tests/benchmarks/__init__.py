"""Benchmarks that compare the speed of the engine with that of others. pytest does not run them."""

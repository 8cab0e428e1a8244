"""Benchmarks that compare the engine's speed with other engines; pytest does not run them."""

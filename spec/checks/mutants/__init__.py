"""Mutation testing: make mutants of the sources, and verify that tests or proofs detect them."""

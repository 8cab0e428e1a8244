"""Mutation testing: the mutants of the clauses, each run against the tests of its clause."""

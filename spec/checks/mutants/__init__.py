"""Mutation testing: mutants of the rules, and the tests of their clauses run against them."""

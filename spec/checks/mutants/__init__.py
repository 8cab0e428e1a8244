"""Mutation testing: deliberate mistakes about clauses, each run against the tests of its clause."""

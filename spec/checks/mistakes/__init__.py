"""The deliberate mistakes of the clauses, run against the tests of each clause."""

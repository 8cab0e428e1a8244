"""The rulebook as data: clauses, sources, worked examples, and test vectors."""

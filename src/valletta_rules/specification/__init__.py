"""The rulebook as data: clauses with their sources, worked examples, and test vectors."""

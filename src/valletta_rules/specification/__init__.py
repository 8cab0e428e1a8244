"""The rulebook as data: clauses, where they come from, examples, and vectors that show them."""

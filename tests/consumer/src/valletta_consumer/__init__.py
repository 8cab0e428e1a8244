"""A user of valletta-rules: what it imports must be exported, what it assumes must hold."""

"""The rules, chapter by chapter in the order of the rulebook.

Each function carries out one rule or a few and names their clauses under *Rules*.
"""

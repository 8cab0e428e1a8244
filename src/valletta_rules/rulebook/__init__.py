"""The rules, chapter by chapter in the order of the rulebook.

Each function implements one or more clauses of the rulebook and lists their ids under *Rules*.
"""

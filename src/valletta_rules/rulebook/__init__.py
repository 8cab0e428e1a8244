"""The rules, in one module for each chapter of the rulebook.

Each function implements one or more clauses and lists their ids under *Rules*.
"""

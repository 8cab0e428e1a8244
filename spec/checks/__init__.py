"""Checks that are programs: what runs for minutes or hours, and what it establishes."""

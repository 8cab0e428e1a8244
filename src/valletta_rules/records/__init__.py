"""Stored games and positions: records, their files, logs, and positions in one line of text."""

from valletta_rules.records.record import Note, Record, RecordError, position_after, replay

__all__ = ["Note", "Record", "RecordError", "position_after", "replay"]

"""Stored games and positions: records, their files, and a position in one line."""

from valletta_rules.records.record import Note, Record, RecordError, position_after, replay

__all__ = ["Note", "Record", "RecordError", "position_after", "replay"]

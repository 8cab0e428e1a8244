"""Stored games and positions: records, record files, logs, and positions on one line of text."""

from valletta_rules.records.record import Note, Record, RecordError, position_after, replay

__all__ = ["Note", "Record", "RecordError", "position_after", "replay"]

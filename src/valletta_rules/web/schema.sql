-- The schema of the table database; `store.py` explains it.
CREATE TABLE tables (
  id TEXT PRIMARY KEY,
  options TEXT NOT NULL,
  seed BLOB NOT NULL,
  opener BLOB NOT NULL,
  library TEXT NOT NULL,
  created REAL NOT NULL DEFAULT ((julianday('now') - 2440587.5) * 86400),
  analysis TEXT -- of a game that is over
) STRICT, WITHOUT ROWID;

CREATE TABLE seats (
  table_id TEXT NOT NULL REFERENCES tables (id),
  seat INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('person', 'bot')),
  level TEXT CHECK (kind = 'person' OR level IS NOT NULL),
  name TEXT NOT NULL,
  colour TEXT NOT NULL,
  token BLOB UNIQUE CHECK ((token IS NOT NULL) = (kind = 'person')),
  generation INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (table_id, seat)
) STRICT, WITHOUT ROWID;

CREATE TABLE log (
  table_id TEXT NOT NULL REFERENCES tables (id),
  revision INTEGER NOT NULL,
  entry TEXT NOT NULL, -- a document of the kind LogEntry
  at REAL NOT NULL DEFAULT ((julianday('now') - 2440587.5) * 86400),
  ends INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (table_id, revision)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER log_is_not_changed BEFORE UPDATE ON log
  BEGIN SELECT raise(ABORT, 'the log is only added to'); END;
CREATE TRIGGER log_is_not_cut BEFORE DELETE ON log
  WHEN EXISTS (SELECT 1 FROM tables WHERE id = OLD.table_id)
  BEGIN SELECT raise(ABORT, 'the log is only added to'); END;

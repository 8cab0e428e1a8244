-- The changes of version 2: it says which games are over, and a log can go with its table.
ALTER TABLE log ADD COLUMN ends INTEGER NOT NULL DEFAULT 0;

DROP TRIGGER log_is_not_cut;
CREATE TRIGGER log_is_not_cut BEFORE DELETE ON log
  WHEN EXISTS (SELECT 1 FROM tables WHERE id = OLD.table_id)
  BEGIN SELECT raise(ABORT, 'the log is only added to'); END;

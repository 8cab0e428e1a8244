-- The changes of version 3: the analysis of a game that is over is kept with its table.
ALTER TABLE tables ADD COLUMN analysis TEXT;

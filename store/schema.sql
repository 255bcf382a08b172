-- Tables of the history, version 2 (version 1 had no seals). Written for SQLite; for PostgreSQL store/history_schema.cc turns INTEGER into BIGINT, BLOB into
-- BYTEA, REAL into DOUBLE PRECISION and drops WITHOUT ROWID. Times are Unix seconds, 0: unknown. Seals: store/run_rows.h;
-- ALTER TABLE adds these columns to tables of version 1, so they stand last and have a default.

CREATE TABLE commits (
  commit_id INTEGER PRIMARY KEY,
  hash      TEXT NOT NULL UNIQUE,
  parents   TEXT NOT NULL,          -- hashes separated by blanks, first parent first
  unix_time INTEGER NOT NULL,
  subject   TEXT NOT NULL,
  seal      TEXT NOT NULL DEFAULT ''
);

CREATE TABLE fingerprints (
  fingerprint_id INTEGER PRIMARY KEY,
  identity       TEXT NOT NULL UNIQUE,  -- content hash of facts
  facts          TEXT NOT NULL          -- JSON
);

-- Graphs in canonical form and records, each once. With a base the bytes are a zstd frame that leans on the base's plain bytes;
-- a base never has a base itself.
CREATE TABLE blobs (
  blob_id  INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,  -- content hash of the plain bytes
  base_id  INTEGER,
  bytes    BLOB NOT NULL
);

CREATE TABLE runs (
  run_id         INTEGER PRIMARY KEY,
  identity       TEXT NOT NULL UNIQUE,
  commit_id      INTEGER,            -- NULL: of no commit
  branch         TEXT NOT NULL,
  name           TEXT NOT NULL,
  unix_time      INTEGER NOT NULL,
  command        TEXT NOT NULL,
  planned        INTEGER NOT NULL,
  fingerprint_id INTEGER NOT NULL,   -- what all results share
  results        INTEGER NOT NULL,   -- how many rows of results belong to it
  seal           TEXT NOT NULL DEFAULT ''
);

CREATE TABLE benchmarks (
  benchmark_id INTEGER PRIMARY KEY,
  key          TEXT NOT NULL UNIQUE
);

CREATE TABLE results (
  benchmark_id   INTEGER NOT NULL,
  run_id         INTEGER NOT NULL,
  position       INTEGER NOT NULL,   -- within the run
  status         TEXT NOT NULL,
  number_per_run INTEGER NOT NULL,
  median_count   INTEGER,
  spread         INTEGER NOT NULL,
  counts         TEXT NOT NULL,      -- one per repeat, separated by blanks
  figures        TEXT NOT NULL,      -- JSON list: the record's numbers that vary
  wall_median_s  REAL,
  record_id      INTEGER NOT NULL,
  graph_id       INTEGER,
  fingerprint_id INTEGER NOT NULL,   -- in full
  PRIMARY KEY (benchmark_id, run_id)
) WITHOUT ROWID;

CREATE INDEX results_by_run ON results (run_id);

CREATE TABLE wall_samples (
  benchmark_id INTEGER NOT NULL,
  run_id       INTEGER NOT NULL,
  samples      BLOB NOT NULL,        -- seconds per block, 8-byte little-endian doubles
  PRIMARY KEY (benchmark_id, run_id)
) WITHOUT ROWID;

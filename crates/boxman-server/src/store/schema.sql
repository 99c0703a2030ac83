-- Plain SQL that SQLite and PostgreSQL both take.

-- The log. Nothing here is ever changed or deleted; everything else can be rebuilt from it,
-- apart from accounts and sessions, whose secrets do not belong in a log.
CREATE TABLE IF NOT EXISTS record (
    stream  TEXT   NOT NULL, -- house, table/ID or meter/ID
    seq     BIGINT NOT NULL, -- counted from one without a gap
    command TEXT,            -- digest of who sent the command and its id; none where nobody did
    body    TEXT   NOT NULL, -- what happened, JSON with a version
    hash    TEXT   NOT NULL, -- SHA-256 of all this and of the record before, hex
    PRIMARY KEY (stream, seq)
);
CREATE UNIQUE INDEX IF NOT EXISTS record_command ON record (stream, command);

-- Where a stream stood after some record, so that opening it need not replay everything.
CREATE TABLE IF NOT EXISTS snapshot (
    stream   TEXT   NOT NULL PRIMARY KEY,
    seq      BIGINT NOT NULL, -- the last record it includes
    hash     TEXT   NOT NULL, -- that record's hash
    body     TEXT   NOT NULL, -- the state, JSON
    checksum TEXT   NOT NULL, -- SHA-256 of all the above, hex
    seal     TEXT   NOT NULL  -- HMAC-SHA256 of the same with a key that is not in here, hex
);

-- Reports by day, as they were when the snapshot of their stream was taken.
CREATE TABLE IF NOT EXISTS day (
    stream TEXT NOT NULL,
    day    TEXT NOT NULL, -- YYYY-MM-DD, UTC
    body   TEXT NOT NULL, -- what was bet, won and paid, JSON
    PRIMARY KEY (stream, day)
);

-- The texts rules were compiled from, kept for ever.
CREATE TABLE IF NOT EXISTS rulebook (
    hash TEXT NOT NULL PRIMARY KEY, -- SHA-256 of the text, hex
    file TEXT NOT NULL,             -- the name of the file it was read from
    body TEXT NOT NULL              -- the text
);

CREATE TABLE IF NOT EXISTS account (
    id         TEXT NOT NULL PRIMARY KEY, -- p-ID, what logs and sessions know them by
    login      TEXT NOT NULL UNIQUE,      -- what they log in with
    table_name TEXT NOT NULL,             -- the name shown at tables
    roles      TEXT NOT NULL,             -- separated by commas
    password   TEXT NOT NULL              -- argon2id, PHC string
);

CREATE TABLE IF NOT EXISTS session (
    token   TEXT   NOT NULL PRIMARY KEY, -- SHA-256 of the token, hex: the token is nowhere
    person  TEXT   NOT NULL,             -- the account's id, or guest-ID
    name    TEXT,                        -- a guest's name
    expires BIGINT NOT NULL              -- milliseconds since 1970
);

-- What people have played, as their browsers counted it: theirs to look at, nothing is paid by it.
CREATE TABLE IF NOT EXISTS play (
    person  TEXT   NOT NULL, -- the account's id
    session TEXT   NOT NULL, -- a sitting, by the browser's own name for it
    at      BIGINT NOT NULL, -- when it was kept, milliseconds since 1970
    body    TEXT   NOT NULL, -- JSON
    PRIMARY KEY (person, session)
);

-- One value each: the version of this schema, the digest of the one-time link.
CREATE TABLE IF NOT EXISTS setting (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);

-- What several nodes need besides the tables of schema.sql.

-- Who runs tables. A row an incarnation: whoever comes back is somebody else.
CREATE TABLE IF NOT EXISTS node (
    name        TEXT   NOT NULL,
    incarnation BIGINT NOT NULL, -- drawn at random
    address     TEXT   NOT NULL, -- where other nodes reach it
    certificate TEXT   NOT NULL, -- SHA-256 of the certificate it shows there, hex
    version     TEXT   NOT NULL, -- of the program
    reads       BIGINT NOT NULL, -- the newest edition of the log it can read
    beats       BIGINT NOT NULL, -- counts up while it lives
    state       TEXT   NOT NULL, -- up, draining or gone
    PRIMARY KEY (name, incarnation)
) WITH (fillfactor = 10);

-- The fixed groups of logs, and who has them. Whoever appends names the epoch.
CREATE TABLE IF NOT EXISTS pit (
    pit         INT    NOT NULL PRIMARY KEY,
    name        TEXT,            -- none while nobody has it
    incarnation BIGINT,
    epoch       BIGINT NOT NULL  -- counts up whenever it changes hands, or an owner is in doubt
) WITH (fillfactor = 20);
INSERT INTO pit (pit, epoch) SELECT number, 0 FROM generate_series(0, 1023) AS number
    ON CONFLICT (pit) DO NOTHING;

-- Every log there is; its row comes with its first record.
CREATE TABLE IF NOT EXISTS stream (
    stream TEXT NOT NULL PRIMARY KEY,
    pit    INT  NOT NULL
);
CREATE INDEX IF NOT EXISTS stream_pit ON stream (pit);

-- What every node has to hear within a second: sessions that ended, people with another name.
CREATE TABLE IF NOT EXISTS notice (
    what TEXT   NOT NULL, -- session, person or renamed
    who  TEXT   NOT NULL, -- the hash of a token, or a person
    at   BIGINT NOT NULL  -- milliseconds since 1970, by the database's clock
);
CREATE INDEX IF NOT EXISTS notice_at ON notice (at);

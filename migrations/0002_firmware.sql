-- Firmware images that are kept, and every flash of a board. The images' bytes are files beside the database, named by their hash.

CREATE TABLE firmware (
    sha256      TEXT    PRIMARY KEY CHECK (length(sha256) = 64),    -- of what stands in the flash
    region      TEXT    NOT NULL,               -- application, book
    board       TEXT,                           -- what the image says that it is for
    version     TEXT,                           -- and which version it says that it is
    size        INTEGER NOT NULL CHECK (size > 0),
    at          INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE flashes (
    id          INTEGER PRIMARY KEY,
    board_id    INTEGER NOT NULL REFERENCES boards (id),
    image       TEXT    NOT NULL,               -- firmware.sha256; the image may be deleted, what happened stays
    region      TEXT    NOT NULL,
    version     TEXT,
    asked_by    TEXT    NOT NULL,
    entry       TEXT    NOT NULL,               -- the way into the loader: app, lines, manual
    result      TEXT    NOT NULL DEFAULT 'running',
    detail      TEXT,                           -- why it failed
    bytes       INTEGER NOT NULL DEFAULT 0,     -- written, those written again included
    retries     INTEGER NOT NULL DEFAULT 0,
    started_at  INTEGER NOT NULL,
    ended_at    INTEGER,
    CHECK ((result = 'running') = (ended_at IS NULL))
) STRICT;
CREATE INDEX flashes_board ON flashes (board_id, id);

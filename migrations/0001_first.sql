-- Rookery's database, version 1.
--
-- Conventions, the same in every table:
--   *_at, at      Unix time in milliseconds, UTC
--   *_ms, *_us    durations in milliseconds, microseconds
--   score_cp      hundredths of a pawn, from the side of whoever made the move
--   score_mate    full moves to mate, the same side, negative where that side is mated
--   score_raw     the score in the mover's own units, as it printed it
--   first/second  the run's two players: the one under test (the board), and its opponent
-- Enums are kept by name. Closed sets (results, colours, states) are checked; reasons, link events and incidents are open sets that
-- grow with the program, and a CHECK cannot be widened in SQLite without copying its table.
--
-- This file is never edited again once released: a change is the next number.

-- "Rook": `file(1)` and Rookery itself know the database by it.
PRAGMA application_id = 1383034731;

-- One row: the database's own identity, which its PGN files carry so that a game is never written into one twice.
CREATE TABLE store (
    only        INTEGER PRIMARY KEY CHECK (only = 1),
    id          TEXT    NOT NULL,               -- 16 hex digits, drawn at creation
    created_at  INTEGER NOT NULL
) STRICT;
INSERT INTO store VALUES (1, lower(hex(randomblob(8))), CAST(strftime('%s', 'now') AS INTEGER) * 1000);

CREATE TABLE boards (
    id          INTEGER PRIMARY KEY,
    name        TEXT    NOT NULL,
    url         TEXT    NOT NULL UNIQUE,        -- what makes two boards the same board
    identity    TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(identity)),
                                                -- what the board last said of itself: kind, fw, eng, cells, hz, ...
    first_seen  INTEGER NOT NULL,
    last_seen   INTEGER NOT NULL
) STRICT;

CREATE TABLE runs (
    id          INTEGER PRIMARY KEY,
    name        TEXT,                           -- settings.name, copied for lists
    settings    TEXT    NOT NULL CHECK (json_valid(settings)),
    fingerprint TEXT    NOT NULL CHECK (length(fingerprint) = 64),
                                                -- SHA-256 of the settings with sorted keys: equal for equal experiments
    level       INTEGER GENERATED ALWAYS AS (json_extract(settings, '$.level')) VIRTUAL,
                                                -- the board's node budget for a move
    state       TEXT    NOT NULL DEFAULT 'pending'
                CHECK (state IN ('pending', 'running', 'paused', 'finished', 'stopped', 'failed')),
    error       TEXT,                           -- why it failed or waits
    created_at  INTEGER NOT NULL,
    ended_at    INTEGER
) STRICT;
CREATE INDEX runs_open ON runs (fingerprint) WHERE state IN ('pending', 'running', 'paused', 'failed');

CREATE TABLE games (
    id              INTEGER PRIMARY KEY,
    run_id          INTEGER NOT NULL REFERENCES runs (id),
    number          INTEGER NOT NULL CHECK (number >= 1),   -- within its run
    board_id        INTEGER REFERENCES boards (id),         -- NULL: two engines
    board_identity  TEXT CHECK (board_identity IS NULL OR json_valid(board_identity)),
                                                -- boards.identity as it was for this game: boards are flashed between games
    firmware        TEXT GENERATED ALWAYS AS (json_extract(board_identity, '$.fw')) VIRTUAL,
    white           TEXT    NOT NULL,
    black           TEXT    NOT NULL,
    first_color     TEXT    NOT NULL CHECK (first_color IN ('white', 'black')),
    start_fen       TEXT    NOT NULL,
    opening         TEXT,
    state           TEXT    NOT NULL DEFAULT 'playing' CHECK (state IN ('playing', 'finished')),
    result          TEXT    NOT NULL DEFAULT '*' CHECK (result IN ('1-0', '0-1', '1/2-1/2', '*')),
    termination     TEXT,                       -- the model's name: checkmate, time_forfeit, ...
    detail          TEXT,                       -- more words: the illegal move, the exit code
    plies           INTEGER CHECK (plies >= 0), -- set at the end; count the table while the game is played
    started_at      INTEGER NOT NULL,
    ended_at        INTEGER,
    UNIQUE (run_id, number),
    CHECK ((state = 'finished') = (termination IS NOT NULL)),
    CHECK ((state = 'finished') = (ended_at IS NOT NULL)),
    CHECK ((state = 'finished') = (plies IS NOT NULL)),
    CHECK (state = 'finished' OR result = '*')
) STRICT;
CREATE INDEX games_open ON games (run_id) WHERE state = 'playing';
-- The tally of a run reads this index alone.
CREATE INDEX games_tally ON games (run_id, state, result, first_color);
CREATE INDEX games_board ON games (board_id) WHERE board_id IS NOT NULL;
CREATE INDEX games_firmware ON games (firmware) WHERE firmware IS NOT NULL;
CREATE INDEX games_started ON games (started_at);

-- A game that is over stays as it is.
CREATE TRIGGER games_end_once BEFORE UPDATE OF state, result, termination, detail, plies, ended_at ON games
WHEN OLD.state = 'finished'
BEGIN SELECT RAISE(ABORT, 'rookery: the game is over'); END;

CREATE TABLE plies (
    game_id         INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    ply             INTEGER NOT NULL CHECK (ply >= 1),      -- 1: the first move after start_fen
    uci             TEXT    NOT NULL,
    san             TEXT    NOT NULL,
    fen             TEXT    NOT NULL,           -- the position after it
    mover           TEXT    NOT NULL CHECK (mover IN ('first', 'second', 'opening')),
    clock_ms        INTEGER,                    -- what the mover has left after it
    nodes           INTEGER,                    -- as reported
    depth           INTEGER,                    -- as reported
    score_raw       INTEGER,
    score_cp        INTEGER,
    score_mate      INTEGER,
    host_us         INTEGER,                    -- from the command to the answer, measured by the host
    board_ms        INTEGER,                    -- as the mover reports it
    book            INTEGER NOT NULL DEFAULT 0 CHECK (book IN (0, 1)),
    retransmissions INTEGER NOT NULL DEFAULT 0,
    white_material  INTEGER NOT NULL,           -- after it: pawn 1, knight and bishop 3, rook 5, queen 9
    black_material  INTEGER NOT NULL,
    pv              TEXT,                       -- UCI notation
    at              INTEGER NOT NULL,
    PRIMARY KEY (game_id, ply),
    CHECK (score_cp IS NULL OR score_mate IS NULL)
) STRICT, WITHOUT ROWID;

-- Plies come in order, without a gap, and only while the game is played: not by the program's care but by the schema's.
CREATE TRIGGER plies_in_order BEFORE INSERT ON plies
WHEN NEW.ply <> 1 + (SELECT coalesce(max(ply), 0) FROM plies WHERE game_id = NEW.game_id)
BEGIN SELECT RAISE(ABORT, 'rookery: the ply is not the next'); END;
CREATE TRIGGER plies_while_playing BEFORE INSERT ON plies
WHEN (SELECT state FROM games WHERE id = NEW.game_id) = 'finished'
BEGIN SELECT RAISE(ABORT, 'rookery: the game is over'); END;

CREATE TABLE iterations (
    game_id     INTEGER NOT NULL,
    ply         INTEGER NOT NULL,
    n           INTEGER NOT NULL CHECK (n >= 0),    -- order of arrival within the ply
    think_index INTEGER NOT NULL,                   -- 0 for a think's first line: it falls back to 0 where a think was begun again
    mover       TEXT    NOT NULL CHECK (mover IN ('first', 'second', 'opening')),
    depth       INTEGER NOT NULL,
    nodes       INTEGER NOT NULL,
    score_raw   INTEGER NOT NULL,
    score_cp    INTEGER,
    score_mate  INTEGER,
    ms          INTEGER,                            -- as the mover reports it
    pv          TEXT    NOT NULL,
    PRIMARY KEY (game_id, ply, n),
    FOREIGN KEY (game_id, ply) REFERENCES plies (game_id, ply) ON DELETE CASCADE,
    CHECK (score_cp IS NULL OR score_mate IS NULL)
) STRICT, WITHOUT ROWID;

CREATE TABLE link_events (
    id          INTEGER PRIMARY KEY,
    board_id    INTEGER NOT NULL REFERENCES boards (id),
    game_id     INTEGER REFERENCES games (id) ON DELETE SET NULL,   -- the game that was played then
    at          INTEGER NOT NULL,
    kind        TEXT    NOT NULL CHECK (kind <> ''),
    detail      TEXT    NOT NULL                    -- the raw line, or words
) STRICT;
-- Counting by kind reads these indexes alone.
CREATE INDEX link_events_board ON link_events (board_id, kind, at);
CREATE INDEX link_events_game ON link_events (game_id, kind) WHERE game_id IS NOT NULL;

CREATE TABLE incidents (
    id          INTEGER PRIMARY KEY,
    game_id     INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    at          INTEGER NOT NULL,
    ply         INTEGER NOT NULL,
    mover       TEXT CHECK (mover IN ('first', 'second', 'opening')),
    kind        TEXT    NOT NULL CHECK (kind <> ''),    -- illegal_move, engine_restart, resumed, ...
    fen         TEXT,
    detail      TEXT    NOT NULL
) STRICT;
CREATE INDEX incidents_game ON incidents (game_id);
CREATE INDEX incidents_kind ON incidents (kind);

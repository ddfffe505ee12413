-- Books that are kept, and games by the positions of their openings.

-- The files lie beside the database, named by their hash.
CREATE TABLE books (
    sha256      TEXT    PRIMARY KEY CHECK (length(sha256) = 64),    -- of the file
    name        TEXT    NOT NULL CHECK (name <> ''),                -- as it was called where it came from
    form        TEXT    NOT NULL CHECK (form IN ('polyglot', 'compact', 'json', 'pgn')),
    entries     INTEGER NOT NULL,
    size        INTEGER NOT NULL CHECK (size > 0),                  -- bytes
    at          INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What makes two positions one: a FEN without its counters. plies.fen has an en passant square only where the capture is legal, so that
-- equal positions have equal texts. Not stored, so it cannot be wrong; the index is filled from old rows as it is made.
ALTER TABLE plies ADD COLUMN position TEXT
    GENERATED ALWAYS AS (rtrim(rtrim(rtrim(rtrim(fen, '0123456789'), ' '), '0123456789'), ' ')) VIRTUAL;
-- An opening is asked for, not an endgame: the first sixty plies cost an entry each, those after nothing.
CREATE INDEX plies_position ON plies (position, game_id, ply) WHERE ply <= 60;

ALTER TABLE games ADD COLUMN start_position TEXT
    GENERATED ALWAYS AS (rtrim(rtrim(rtrim(rtrim(start_fen, '0123456789'), ' '), '0123456789'), ' ')) VIRTUAL;
CREATE INDEX games_start_position ON games (start_position);

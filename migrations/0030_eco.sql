-- Names of openings by position.

-- `C60 Ruy Lopez`: the last position of the game that has a name. Empty: none has; NULL: nobody has looked yet, which the program does when
-- a game ends, and for the games from before when it opens the database.
ALTER TABLE games ADD COLUMN eco TEXT;
CREATE INDEX games_unnamed ON games (id) WHERE eco IS NULL AND state = 'finished';

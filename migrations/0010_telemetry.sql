-- Telemetry: what can be asked about plies, games and links without knowing how they are kept; a roll-up that makes sums over millions
-- of plies quick; runs that were imported; a run's last word kept over a restart.
--
-- The telemetry_* views are the documented interface (docs/telemetry.md): their columns keep their names and units. They are written
-- in what SQLite 3.38 knows, so that an older sqlite3 shell can read a file.

-- A run that ends after the games that are being played: it must not forget that when the server is restarted.
ALTER TABLE runs ADD COLUMN stopping INTEGER NOT NULL DEFAULT 0 CHECK (stopping IN (0, 1));
-- The files that an imported run came from; NULL: played here.
ALTER TABLE runs ADD COLUMN source TEXT;

-- The board's node budget in this game; NULL: no board, or not known.
ALTER TABLE games ADD COLUMN level INTEGER;
-- SHA-256 of an imported game, by which it is known again; NULL: played here.
ALTER TABLE games ADD COLUMN digest TEXT;
CREATE UNIQUE INDEX games_digest ON games (digest) WHERE digest IS NOT NULL;
-- The board's engine, beside `firmware`: both are of the identity that the board had in this game.
ALTER TABLE games ADD COLUMN engine TEXT GENERATED ALWAYS AS (json_extract(board_identity, '$.eng')) VIRTUAL;
UPDATE games SET level = (SELECT nullif(r.level, 0) FROM runs r WHERE r.id = games.run_id)
    WHERE EXISTS (SELECT 1 FROM runs r WHERE r.id = games.run_id AND json_extract(r.settings, '$.first.boards') IS NOT NULL);
-- Searches in the archive.
CREATE INDEX games_result ON games (result, id);
CREATE INDEX games_termination ON games (termination, id) WHERE termination IS NOT NULL;

-- What happened on the links in some hours.
CREATE INDEX link_events_at ON link_events (at);

ALTER TABLE plies ADD COLUMN side TEXT GENERATED ALWAYS AS (iif(instr(fen, ' b ') > 0, 'white', 'black')) VIRTUAL;
-- 1: somebody searched for this move. A move of an opening line or of a book has no think.
ALTER TABLE plies ADD COLUMN think INTEGER GENERATED ALWAYS AS (mover <> 'opening' AND book = 0) VIRTUAL;
ALTER TABLE plies ADD COLUMN material INTEGER GENERATED ALWAYS AS (white_material + black_material) VIRTUAL;
-- By both sides' material after the move (78 at the start): the bounds are those of docs/telemetry.md.
ALTER TABLE plies ADD COLUMN phase TEXT GENERATED ALWAYS AS (CASE WHEN mover = 'opening' OR book = 1 THEN 'book'
    WHEN white_material + black_material > 62 THEN 'opening'
    WHEN white_material + black_material > 30 THEN 'middlegame' ELSE 'endgame' END) VIRTUAL;
-- The time that the search took: the host's clock, which is the same for both players; the mover's own where there is no other.
ALTER TABLE plies ADD COLUMN think_us INTEGER GENERATED ALWAYS AS (
    CASE WHEN mover <> 'opening' AND book = 0 THEN coalesce(host_us, board_ms * 1000) END) VIRTUAL;
ALTER TABLE plies ADD COLUMN nps INTEGER GENERATED ALWAYS AS (
    CASE WHEN mover <> 'opening' AND book = 0 AND coalesce(host_us, board_ms * 1000) > 0
    THEN nodes * 1000000 / coalesce(host_us, board_ms * 1000) END) VIRTUAL;
-- Both players' scores on one scale: centipawns from White's side, a mate as 32,000 less its moves.
ALTER TABLE plies ADD COLUMN score_white_cp INTEGER GENERATED ALWAYS AS (iif(instr(fen, ' b ') > 0, 1, -1) * coalesce(score_cp,
    CASE WHEN score_mate > 0 THEN 32000 - min(score_mate, 1000) WHEN score_mate IS NOT NULL THEN -32000 - max(score_mate, -1000) END))
    VIRTUAL;

-- Sums over a player's plies in a phase of a game, kept up to date by every ply. Depth 98 is where micro-Max stops deepening: a forced
-- mate, which would spoil any mean of depths, so it is counted by itself. 0 stands for none where there is nothing to sum up.
CREATE TABLE rollups (
    game_id         INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    mover           TEXT    NOT NULL,
    phase           TEXT    NOT NULL,
    plies           INTEGER NOT NULL,
    thinks          INTEGER NOT NULL,
    book_hits       INTEGER NOT NULL,
    noded           INTEGER NOT NULL,           -- thinks that report their nodes
    nodes           INTEGER NOT NULL,           -- of those
    clocked         INTEGER NOT NULL,           -- thinks that have a time
    think_us        INTEGER NOT NULL,           -- of those
    timed_nodes     INTEGER NOT NULL,           -- of those thinks that have both nodes and a time: what nodes/s are made of
    timed_us        INTEGER NOT NULL,
    peak_nodes      INTEGER NOT NULL,
    peak_us         INTEGER NOT NULL,
    fastest_nps     INTEGER NOT NULL,           -- of thinks of a second or more: below it a clock says little
    depths          INTEGER NOT NULL,           -- thinks with a depth below 98
    depth_sum       INTEGER NOT NULL,
    depth_max       INTEGER NOT NULL,
    mate_lines      INTEGER NOT NULL,           -- thinks with a depth of 98 or more
    overruns        INTEGER NOT NULL,           -- thinks of more nodes than the game's level
    retransmissions INTEGER NOT NULL,
    -- The thinks one by one, in the order of their plies, numbers or 'null' with a comma behind each: percentiles over a million thinks
    -- need not visit a million rows.
    all_nodes       TEXT    NOT NULL,
    all_us          TEXT    NOT NULL,
    PRIMARY KEY (game_id, mover, phase)
) STRICT, WITHOUT ROWID;

-- In the transaction that adds the ply.
CREATE TRIGGER plies_roll_up AFTER INSERT ON plies
BEGIN
    INSERT INTO rollups VALUES (NEW.game_id, NEW.mover, NEW.phase, 1, NEW.think, NEW.book,
        NEW.think AND NEW.nodes IS NOT NULL,
        iif(NEW.think, coalesce(NEW.nodes, 0), 0),
        NEW.think_us IS NOT NULL,
        coalesce(NEW.think_us, 0),
        iif(NEW.nps IS NULL, 0, NEW.nodes),
        iif(NEW.nps IS NULL, 0, NEW.think_us),
        iif(NEW.think, coalesce(NEW.nodes, 0), 0),
        coalesce(NEW.think_us, 0),
        iif(NEW.think_us >= 1000000, coalesce(NEW.nps, 0), 0),
        NEW.think AND coalesce(NEW.depth, 98) < 98,
        iif(NEW.think AND NEW.depth < 98, NEW.depth, 0),
        iif(NEW.think AND NEW.depth < 98, NEW.depth, 0),
        NEW.think AND coalesce(NEW.depth, 0) >= 98,
        NEW.think AND NEW.mover = 'first'
            AND coalesce(NEW.nodes > (SELECT level FROM games WHERE id = NEW.game_id), 0),
        NEW.retransmissions,
        iif(NEW.think, coalesce(NEW.nodes, 'null') || ',', ''),
        iif(NEW.think, coalesce(NEW.think_us, 'null') || ',', ''))
    ON CONFLICT (game_id, mover, phase) DO UPDATE SET
        plies = plies + 1,
        thinks = thinks + excluded.thinks,
        book_hits = book_hits + excluded.book_hits,
        noded = noded + excluded.noded,
        nodes = nodes + excluded.nodes,
        clocked = clocked + excluded.clocked,
        think_us = think_us + excluded.think_us,
        timed_nodes = timed_nodes + excluded.timed_nodes,
        timed_us = timed_us + excluded.timed_us,
        peak_nodes = max(peak_nodes, excluded.peak_nodes),
        peak_us = max(peak_us, excluded.peak_us),
        fastest_nps = max(fastest_nps, excluded.fastest_nps),
        depths = depths + excluded.depths,
        depth_sum = depth_sum + excluded.depth_sum,
        depth_max = max(depth_max, excluded.depth_max),
        mate_lines = mate_lines + excluded.mate_lines,
        overruns = overruns + excluded.overruns,
        retransmissions = retransmissions + excluded.retransmissions,
        all_nodes = all_nodes || excluded.all_nodes,
        all_us = all_us || excluded.all_us;
END;

-- The plies from before.
INSERT INTO rollups SELECT p.game_id, p.mover, p.phase,
    count(*),
    sum(p.think),
    sum(p.book),
    count(p.nodes) FILTER (WHERE p.think),
    coalesce(sum(p.nodes) FILTER (WHERE p.think), 0),
    count(p.think_us),
    coalesce(sum(p.think_us), 0),
    coalesce(sum(p.nodes) FILTER (WHERE p.nps IS NOT NULL), 0),
    coalesce(sum(p.think_us) FILTER (WHERE p.nps IS NOT NULL), 0),
    coalesce(max(p.nodes) FILTER (WHERE p.think), 0),
    coalesce(max(p.think_us), 0),
    coalesce(max(p.nps) FILTER (WHERE p.think_us >= 1000000), 0),
    count(*) FILTER (WHERE p.think AND p.depth < 98),
    coalesce(sum(p.depth) FILTER (WHERE p.think AND p.depth < 98), 0),
    coalesce(max(p.depth) FILTER (WHERE p.think AND p.depth < 98), 0),
    count(*) FILTER (WHERE p.think AND p.depth >= 98),
    count(*) FILTER (WHERE p.think AND p.mover = 'first' AND p.nodes > g.level),
    sum(p.retransmissions),
    coalesce(group_concat(coalesce(p.nodes, 'null') || ',', '') FILTER (WHERE p.think), ''),
    coalesce(group_concat(coalesce(p.think_us, 'null') || ',', '') FILTER (WHERE p.think), '')
FROM games g CROSS JOIN plies p ON p.game_id = g.id
GROUP BY p.game_id, p.mover, p.phase;

-- A ply a row.
CREATE VIEW telemetry_plies AS
SELECT g.run_id AS run, g.id AS game, g.number, g.board_id AS board, g.firmware, p.ply, p.side, p.mover, p.phase, p.san, p.uci, p.nodes,
    p.depth, coalesce(p.host_us / 1000.0, p.board_ms * 1.0) AS time_ms, p.board_ms, p.nps, p.score_cp, p.score_mate, p.score_raw,
    p.score_white_cp, p.white_material, p.black_material, p.material, p.book, p.think,
    CASE WHEN p.mover = 'first' THEN g.level END AS budget_nodes,
    CASE WHEN p.mover = 'first' AND p.think THEN max(p.nodes - g.level, 0) END AS overrun_nodes,
    p.retransmissions, p.clock_ms, p.pv, p.fen, p.at AS at_ms
FROM games g CROSS JOIN plies p ON p.game_id = g.id;

-- A finished iteration of a think a row.
CREATE VIEW telemetry_iterations AS
SELECT g.run_id AS run, g.id AS game, g.number, g.board_id AS board, g.firmware, i.ply, p.side, i.mover, p.phase, i.n AS line,
    i.think_index, i.depth, i.nodes, i.ms AS time_ms, i.score_cp, i.score_mate, i.score_raw, i.pv
FROM games g CROSS JOIN iterations i ON i.game_id = g.id CROSS JOIN plies p ON p.game_id = i.game_id AND p.ply = i.ply;

-- A game a row. `first` is the player under test (the board), `second` its opponent; a link fault is an event that does not belong to
-- an undisturbed session.
CREATE VIEW telemetry_games AS
SELECT g.run_id AS run, g.id AS game, g.number, g.board_id AS board, g.firmware, g.engine, g.level AS budget_nodes, g.white, g.black,
    g.first_color, g.opening, g.state, g.result,
    CASE g.result WHEN '1/2-1/2' THEN 0.5 WHEN '1-0' THEN g.first_color = 'white' WHEN '0-1' THEN g.first_color = 'black' END
        AS first_points,
    g.termination, coalesce(g.plies, (SELECT max(ply) FROM plies WHERE game_id = g.id), 0) AS plies,
    (SELECT sum(nodes) FROM rollups WHERE game_id = g.id AND mover = 'first') AS first_nodes,
    (SELECT sum(think_us) / 1000.0 FROM rollups WHERE game_id = g.id AND mover = 'first') AS first_time_ms,
    (SELECT sum(timed_nodes) * 1000000 / nullif(sum(timed_us), 0) FROM rollups WHERE game_id = g.id AND mover = 'first')
        AS first_nps,
    (SELECT nullif(max(depth_max), 0) FROM rollups WHERE game_id = g.id AND mover = 'first') AS first_depth_max,
    (SELECT sum(nodes) FROM rollups WHERE game_id = g.id AND mover = 'second') AS second_nodes,
    (SELECT sum(think_us) / 1000.0 FROM rollups WHERE game_id = g.id AND mover = 'second') AS second_time_ms,
    (SELECT sum(timed_nodes) * 1000000 / nullif(sum(timed_us), 0) FROM rollups WHERE game_id = g.id AND mover = 'second')
        AS second_nps,
    (SELECT nullif(max(depth_max), 0) FROM rollups WHERE game_id = g.id AND mover = 'second') AS second_depth_max,
    (SELECT sum(book_hits) FROM rollups WHERE game_id = g.id AND mover = 'first') AS book_hits,
    (SELECT sum(overruns) FROM rollups WHERE game_id = g.id) AS overruns,
    (SELECT count(*) FROM link_events e WHERE e.game_id = g.id
        AND e.kind NOT IN ('connected', 'synced', 'drained', 'position_pushed')) AS link_faults,
    (SELECT count(*) FROM incidents i WHERE i.game_id = g.id) AS incidents,
    g.started_at AS started_at_ms, g.ended_at AS ended_at_ms
FROM games g;

-- What a bring-up journal notes of a game: a row is the player under test in one game. The peak is the think of the most nodes.
CREATE VIEW telemetry_journal AS
SELECT g.run_id AS run, g.id AS game, g.number, g.board_id AS board, g.firmware, g.level AS budget_nodes, g.white, g.black, g.result,
    g.termination, coalesce(g.plies, (SELECT max(ply) FROM plies WHERE game_id = g.id), 0) AS plies,
    (SELECT sum(thinks) FROM rollups WHERE game_id = g.id AND mover = 'first') AS thinks,
    (SELECT sum(book_hits) FROM rollups WHERE game_id = g.id AND mover = 'first') AS book_hits,
    (SELECT sum(nodes) FROM rollups WHERE game_id = g.id AND mover = 'first') AS nodes,
    (SELECT sum(think_us) / 1000.0 FROM rollups WHERE game_id = g.id AND mover = 'first') AS time_ms,
    (SELECT sum(timed_nodes) * 1000000 / nullif(sum(timed_us), 0) FROM rollups WHERE game_id = g.id AND mover = 'first')
        AS sustained_nps,
    (SELECT nullif(max(fastest_nps), 0) FROM rollups WHERE game_id = g.id AND mover = 'first') AS fastest_nps,
    p.nodes AS peak_nodes, p.ply AS peak_ply, p.depth AS peak_depth, p.think_us / 1000.0 AS peak_time_ms,
    CASE WHEN g.level > 0 THEN round(p.nodes * 1.0 / g.level, 2) END AS peak_over_budget,
    (SELECT nullif(max(peak_us), 0) / 1000.0 FROM rollups WHERE game_id = g.id AND mover = 'first') AS longest_time_ms,
    (SELECT sum(overruns) FROM rollups WHERE game_id = g.id AND mover = 'first') AS overruns,
    (SELECT min(depth) FROM plies WHERE game_id = g.id AND mover = 'first' AND think AND depth < 98) AS depth_min,
    (SELECT round(sum(depth_sum) * 1.0 / nullif(sum(depths), 0), 2) FROM rollups WHERE game_id = g.id AND mover = 'first')
        AS depth_mean,
    (SELECT nullif(max(depth_max), 0) FROM rollups WHERE game_id = g.id AND mover = 'first') AS depth_max,
    (SELECT sum(mate_lines) FROM rollups WHERE game_id = g.id AND mover = 'first') AS mate_lines,
    (SELECT count(*) FROM link_events e WHERE e.game_id = g.id
        AND e.kind NOT IN ('connected', 'synced', 'drained', 'position_pushed')) AS link_faults,
    g.started_at AS started_at_ms
FROM games g LEFT JOIN plies p ON p.game_id = g.id
    AND p.ply = (SELECT q.ply FROM plies q WHERE q.game_id = g.id AND q.mover = 'first' AND q.think ORDER BY q.nodes DESC, q.ply LIMIT 1);

-- An event on a link a row; `game` is the game that the board played then.
CREATE VIEW telemetry_link AS
SELECT g.run_id AS run, e.game_id AS game, g.number, e.board_id AS board, g.firmware, e.kind,
    e.kind NOT IN ('connected', 'synced', 'drained', 'position_pushed') AS fault, e.detail, e.at AS at_ms
FROM link_events e LEFT JOIN games g ON g.id = e.game_id;

-- What a game was played with: the board's whole identity at that time, its budget, and what its opponent was told.
CREATE VIEW telemetry_setups AS
SELECT g.run_id AS run, g.id AS game, g.number, g.board_id AS board, g.firmware, g.engine, g.level AS budget_nodes, g.board_identity,
    json_extract(r.settings, '$.second.path') AS opponent, json_extract(r.settings, '$.second.limit') AS opponent_limit,
    json_extract(r.settings, '$.second.options') AS opponent_options, r.source
FROM games g JOIN runs r ON r.id = g.run_id;

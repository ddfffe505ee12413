-- What a mate line is, and which depths statistics count, said once: everything else asks these two columns of `plies`.
--
-- A mate line is known by its score. The depth does not tell it: where micro-Max has found a mate, given or suffered, it deepens no
-- further, and that is told as 97 (micro-Max 4.8, and the boards made of it) or 98 (4.5, and engines that name the iteration itself); but
-- a forced repetition, where an iteration takes a node or two, is really searched to the end, and told as 96 or 97.

-- 1: the think's score is a forced mate, for or against the mover.
ALTER TABLE plies ADD COLUMN mate_line INTEGER GENERATED ALWAYS AS (think AND score_mate IS NOT NULL) VIRTUAL;
-- The think's depth where a limit ended the search and not the position: no mate line, and no search to the end (96 at least).
ALTER TABLE plies ADD COLUMN counted_depth INTEGER GENERATED ALWAYS AS (
    CASE WHEN think AND score_mate IS NULL AND depth < 96 THEN depth END) VIRTUAL;

-- In the roll-ups `depths`, `depth_sum` and `depth_max` are of counted depths, `mate_lines` of mate lines.
DROP TRIGGER plies_roll_up;

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
        NEW.counted_depth IS NOT NULL,
        coalesce(NEW.counted_depth, 0),
        coalesce(NEW.counted_depth, 0),
        NEW.mate_line,
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

-- The plies from before, by what these columns say.
UPDATE rollups SET depths = now.depths, depth_sum = now.depth_sum, depth_max = now.depth_max, mate_lines = now.mate_lines
FROM (SELECT game_id, mover, phase, count(counted_depth) AS depths, coalesce(sum(counted_depth), 0) AS depth_sum,
        coalesce(max(counted_depth), 0) AS depth_max, sum(mate_line) AS mate_lines
    FROM plies GROUP BY game_id, mover, phase) AS now
WHERE rollups.game_id = now.game_id AND rollups.mover = now.mover AND rollups.phase = now.phase;

-- A ply a row.
DROP VIEW telemetry_plies;

CREATE VIEW telemetry_plies AS
SELECT g.run_id AS run, g.id AS game, g.number, g.board_id AS board, g.firmware, p.ply, p.side, p.mover, p.phase, p.san, p.uci, p.nodes,
    p.depth, coalesce(p.host_us / 1000.0, p.board_ms * 1.0) AS time_ms, p.board_ms, p.nps, p.score_cp, p.score_mate, p.score_raw,
    p.score_white_cp, p.white_material, p.black_material, p.material, p.book, p.think, p.mate_line, p.counted_depth,
    CASE WHEN p.mover = 'first' THEN g.level END AS budget_nodes,
    CASE WHEN p.mover = 'first' AND p.think THEN max(p.nodes - g.level, 0) END AS overrun_nodes,
    p.retransmissions, p.clock_ms, p.pv, p.fen, p.at AS at_ms
FROM games g CROSS JOIN plies p ON p.game_id = g.id;

-- What a bring-up journal notes of a game: a row is the player under test in one game. The peak is the think of the most nodes.
DROP VIEW telemetry_journal;

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
    (SELECT min(counted_depth) FROM plies WHERE game_id = g.id AND mover = 'first') AS depth_min,
    (SELECT round(sum(depth_sum) * 1.0 / nullif(sum(depths), 0), 2) FROM rollups WHERE game_id = g.id AND mover = 'first')
        AS depth_mean,
    (SELECT nullif(max(depth_max), 0) FROM rollups WHERE game_id = g.id AND mover = 'first') AS depth_max,
    (SELECT sum(mate_lines) FROM rollups WHERE game_id = g.id AND mover = 'first') AS mate_lines,
    (SELECT count(*) FROM link_events e WHERE e.game_id = g.id
        AND e.kind NOT IN ('connected', 'synced', 'drained', 'position_pushed')) AS link_faults,
    g.started_at AS started_at_ms
FROM games g LEFT JOIN plies p ON p.game_id = g.id
    AND p.ply = (SELECT q.ply FROM plies q WHERE q.game_id = g.id AND q.mover = 'first' AND q.think AND q.nodes IS NOT NULL
        ORDER BY q.nodes DESC, q.ply LIMIT 1);

-- Forced mates begin at depth 97: the boards' own program tells of the last depth that it has ended, where the first micro-Max told of
-- the one at which it stops, 98. With the bound of before, such thinks stood in the means and maxima of depths, and were no mate lines.

DROP TRIGGER plies_roll_up;

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
        NEW.think AND coalesce(NEW.depth, 97) < 97,
        iif(NEW.think AND NEW.depth < 97, NEW.depth, 0),
        iif(NEW.think AND NEW.depth < 97, NEW.depth, 0),
        NEW.think AND coalesce(NEW.depth, 0) >= 97,
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

-- What was summed up with the other bound.
UPDATE rollups SET
    (depths, depth_sum, depth_max, mate_lines) = (
        SELECT count(*) FILTER (WHERE p.depth < 97), coalesce(sum(p.depth) FILTER (WHERE p.depth < 97), 0),
            coalesce(max(p.depth) FILTER (WHERE p.depth < 97), 0), count(*) FILTER (WHERE p.depth >= 97)
        FROM plies p WHERE p.game_id = rollups.game_id AND p.mover = rollups.mover AND p.phase = rollups.phase AND p.think)
WHERE depth_max >= 97;

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
    (SELECT min(depth) FROM plies WHERE game_id = g.id AND mover = 'first' AND think AND depth < 97) AS depth_min,
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

-- What the file of an imported game says of it, so that it is written again as it was read: what a run of this database would say
-- (limits, times, the run's name) was never so.

ALTER TABLE games ADD COLUMN tags TEXT CHECK (tags IS NULL OR json_valid(tags));   -- [["Event", "Club match"], ...]; NULL: played here

-- The settings of an imported run name an opponent that cannot be started, and no limit of it.
DROP VIEW telemetry_setups;

CREATE VIEW telemetry_setups AS
SELECT g.run_id AS run, g.id AS game, g.number, g.board_id AS board, g.firmware, g.engine, g.level AS budget_nodes, g.board_identity,
    iif(r.source IS NULL, json_extract(r.settings, '$.second.path'), iif(g.first_color = 'white', g.black, g.white)) AS opponent,
    iif(r.source IS NULL, json_extract(r.settings, '$.second.limit'), NULL) AS opponent_limit,
    iif(r.source IS NULL, json_extract(r.settings, '$.second.options'), NULL) AS opponent_options, r.source
FROM games g JOIN runs r ON r.id = g.run_id;

-- Where nobody counted nodes there is no think of the most of them.
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
    (SELECT min(depth) FROM plies WHERE game_id = g.id AND mover = 'first' AND think AND depth < 98) AS depth_min,
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

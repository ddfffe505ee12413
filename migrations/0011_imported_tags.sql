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

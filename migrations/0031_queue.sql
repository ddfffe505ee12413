-- Runs that wait for the same boards wait in an order, which a person may change.

-- The least is the next, of equals the older run. Only what a person moved has another place than 0.
ALTER TABLE runs ADD COLUMN place INTEGER NOT NULL DEFAULT 0;

-- Refrain, schema version 4: what may have arrived is known of a dead letter too.
--
-- open: attempts whose end is not known, sent_at: when the first of them began, both as in refrain_outbox.
ALTER TABLE refrain_outbox_past ADD COLUMN open INTEGER NOT NULL DEFAULT 0;
ALTER TABLE refrain_outbox_past ADD COLUMN sent_at INTEGER;

-- Of those that are there already it was forgotten: they may have arrived.
UPDATE refrain_outbox_past SET open = 1, sent_at = staged_at WHERE cause IN (1, 2);

UPDATE refrain_meta SET version = 4 WHERE name = 'schema';

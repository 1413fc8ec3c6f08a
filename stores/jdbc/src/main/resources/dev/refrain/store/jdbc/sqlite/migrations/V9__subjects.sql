-- Refrain, schema version 9: messages and ledger entries say whose they are, so that erasure finds them.
--
-- scope, subject: whose it is and which person it is about, where its sender said so. reference: by which its sender asks what became of a message.
ALTER TABLE refrain_outbox ADD COLUMN scope TEXT;
ALTER TABLE refrain_outbox ADD COLUMN subject TEXT;
ALTER TABLE refrain_outbox ADD COLUMN reference TEXT;
ALTER TABLE refrain_outbox_past ADD COLUMN scope TEXT;
ALTER TABLE refrain_outbox_past ADD COLUMN subject TEXT;
ALTER TABLE refrain_outbox_past ADD COLUMN reference TEXT;
ALTER TABLE refrain_ledger_entry ADD COLUMN scope TEXT;
ALTER TABLE refrain_ledger_entry ADD COLUMN subject TEXT;

CREATE INDEX refrain_outbox_scope ON refrain_outbox (scope, subject) WHERE scope IS NOT NULL;
CREATE INDEX refrain_outbox_past_scope ON refrain_outbox_past (scope, subject) WHERE scope IS NOT NULL;
CREATE INDEX refrain_outbox_past_reference ON refrain_outbox_past (topic, reference) WHERE reference IS NOT NULL;
CREATE INDEX refrain_ledger_entry_scope ON refrain_ledger_entry (scope, subject) WHERE scope IS NOT NULL;

-- Code of version 8 goes on. What it delivers, gives up or resends of newer code's messages loses the three, and is then erased as a message without
-- them was: by leaving the outbox.
UPDATE refrain_meta SET version = 9, oldest_reader = 7 WHERE name = 'schema';

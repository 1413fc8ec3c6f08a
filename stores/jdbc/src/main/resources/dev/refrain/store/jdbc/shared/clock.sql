-- What is known of this clock's own steps. In refrain_meta: `clock`, when it was last looked at; `clock.back`, up to when it had been when it was
-- last set back (moment), and earlier than that by all that it was ever set back (since).

-- name: set_back_since
-- How far the clock was set back since a stored moment, as far as that was noted: what was measured by it across that is too short by as much.
-- Rather too much than too little: a moment that it passed twice counts as the first time.
(SELECT coalesce(sum(b.moment - b.since), {span(0)}) FROM refrain_meta b WHERE b.name = 'clock.back' AND b.moment >= {argument})

-- name: unnoted_set_back
-- What the next look will note. It shrinks until then, so no two ages that are compared with each other may contain it.
(SELECT coalesce(sum(c.moment + {clock_slack} - {now}), {span(0)}) FROM refrain_meta c
    WHERE c.name = 'clock' AND c.moment > {now} + {clock_tolerance})

-- name: clock_slack
-- How much longer the clock may have gone on after it was last looked at, before it was set back.
{span(60000000)}

-- name: clock_tolerance
-- Two processors of one host may differ by less.
{span(1000000)}

-- name: clock_raise
-- Between two looks the clock may be ahead for a moment, and right again: whoever takes a time that ages are counted from raises the note, unless it
-- is young. Nobody waits for another one to do so. To follow "UPDATE refrain_meta".
SET moment = {now} WHERE name {among(
    SELECT c.name FROM refrain_meta c WHERE c.name = 'clock' AND c.moment < {now} - {span(30000000)} {skip_locked})}

-- name: clock_set_back
-- Notes that it was, once. A row comes back if so.
INSERT INTO refrain_meta AS b (name, moment, since)
SELECT 'clock.back', c.moment + {clock_slack}, {now} FROM refrain_meta c
WHERE c.name = 'clock' AND c.moment > {now} + {clock_tolerance}
{skip_locked}
ON CONFLICT (name) DO UPDATE
SET moment = {greatest}(b.moment, excluded.moment),
    since = {greatest}(b.moment, excluded.moment) - (b.moment - b.since) - (excluded.moment - excluded.since)
RETURNING 1 AS noted

-- name: clock_mend
-- What was put off while the clock was ahead would wait for as long again. What somebody has locked is left as it is.
UPDATE refrain_outbox AS o SET due_at = {greatest}({now}, o.due_at - (c.moment - {now}))
FROM refrain_meta c
WHERE c.name = 'clock' AND o.seq {among(SELECT x.seq FROM refrain_outbox x WHERE x.due_at > {now} {skip_locked})};

UPDATE refrain_payload AS p SET due_at = {greatest}({now}, p.due_at - (c.moment - {now}))
FROM refrain_meta c
WHERE c.name = 'clock' AND p.kind = 2
    AND p.record_id {among(SELECT x.record_id FROM refrain_payload x WHERE x.kind = 2 AND x.due_at > {now} {skip_locked})};

UPDATE refrain_ledger_entry SET ours_at = {now}
WHERE (ledger, key) IN (SELECT x.ledger, x.key FROM refrain_ledger_entry x WHERE x.ours_at > {now} {skip_locked});

UPDATE refrain_ledger_entry SET theirs_at = {now}
WHERE (ledger, key) IN (SELECT x.ledger, x.key FROM refrain_ledger_entry x WHERE x.theirs_at > {now} {skip_locked});

UPDATE refrain_meta SET moment = {now} WHERE name = 'clock'

-- name: clock_seen
-- Only forwards: a step that came after clock_set_back is for the next look.
INSERT INTO refrain_meta AS c (name, moment) VALUES ('clock', {now})
ON CONFLICT (name) DO UPDATE SET moment = excluded.moment WHERE c.moment < excluded.moment

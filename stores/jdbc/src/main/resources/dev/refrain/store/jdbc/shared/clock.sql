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

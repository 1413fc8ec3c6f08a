-- Conditions and columns that several statements share.

-- name: settled
-- A record r that nobody is going to continue; one released between two phases of a flow is.
(r.state = 2 OR r.state = 3 AND r.recovery_point IS NULL)

-- name: alive
-- Only what is settled expires: a flow that is half done is never forgotten.
NOT ({settled} AND r.expires_at <= {now})

-- name: viewed
-- Where a view comes from.
refrain_record r
LEFT JOIN refrain_attention t ON r.state = 4 AND t.lookup = r.lookup AND t.record_id = r.id AND t.fence = r.fence
LEFT JOIN refrain_operation o ON o.id = r.operation

-- name: explained
-- What a record r explains itself by, with its entry t in the list of attention and its operation o; in microseconds of this clock.
r.lookup, r.id, r.fence, r.state, r.parts, r.recovery_point, o.name AS operation, r.caller, r.trace_id,
(SELECT {lines(s.name)} FROM refrain_step s WHERE s.operation = r.operation) AS steps,
{micros(r.call_announced_at)} AS call_announced_at, {micros(r.claimed_at)} AS claimed_at, {micros(r.completed_at)} AS completed_at,
CASE WHEN r.state = 1 THEN {micros(r.lease_until)} END AS lease_until, {micros({now})} AS seen_at,
{micros({set_back_since(r.claimed_at)} + {unnoted_set_back})} AS set_back,
t.reason, {micros(t.since)} AS since

-- name: wanted
-- Whether a record r is one that a search wants. An erased one has no names: it is wanted by those who name none.
coalesce(({as_text(:scope)} IS NULL OR r.scope = :scope)
    AND ({as_text(:namespace)} IS NULL OR r.namespace = :namespace)
    AND ({as_text(:key)} IS NULL OR r.key = :key)
    AND ({as_number(:state)} IS NULL OR r.state = :state)
    AND ({as_number(:from)} IS NULL OR {micros(r.claimed_at)} >= :from)
    AND ({as_number(:to)} IS NULL OR {micros(r.claimed_at)} < :to)
    AND {alive}, false) AS wanted

-- name: ledger_finding
-- What an entry e of a ledger amounts to. What is too young for this pass may have been old enough for another: a finding is not closed
-- for being young.
CASE
    WHEN e.twice THEN 4
    WHEN e.ours <> e.theirs THEN 3
    WHEN e.ours IS NULL THEN CASE WHEN e.finding = 2 OR e.theirs_at < {now} - {span(:settling)} THEN 2 ELSE 0 END
    WHEN e.theirs IS NOT NULL AND e.confirmed THEN 0
    WHEN e.finding IN (1, 5) OR e.ours_at < {now} - {span((:settling + :since_begun))}
        THEN CASE WHEN e.theirs IS NULL THEN 1 ELSE 5 END
    ELSE 0 END

-- name: ledger_open
-- Entries e of a ledger that agree with nothing yet, or have a finding.
e.ledger = :ledger AND e.key > :after
    AND (e.finding <> 0 OR e.ours IS NULL OR e.theirs IS NULL OR e.ours <> e.theirs OR e.twice OR NOT e.confirmed)

-- name: dead_letter_view
-- A dead letter p as people see it.
p.id, p.topic, p.cause, p.reason, p.attempts, {size(p.payload)} AS bytes,
{micros(p.staged_at)} AS staged, {micros(p.settled_at)} AS since, {micros({now})} AS seen

-- name: worn_reason
-- Where it stands, and how its last attempt ended: that names the class of an exception and nothing that it said.
'It was taken up ' || h.attempts || ' times without its caller and never came to an end. ' || {standing}
    || coalesce('. Its last attempt ended: ' || {last_end}, '') || '.'

-- name: lease_ended_reason
-- Where a record h stands whose lease ended under `hold`, and how the last attempt ended of which that is known. A flow (it has a point or a stored
-- request) announces each call; what a leased operation may have sent is known only by the steps that its operation has asked
-- keys for; many of them (ClaimOrigin.MAX_STEPS) say nothing of any one record.
'Its lease ended and nobody completed it.'
    || CASE WHEN h.recovery_point IS NOT NULL OR h.parts & 2 <> 0 THEN ' ' || {standing} || '.'
        ELSE coalesce(' It may have sent the calls of its steps: '
            || (SELECT CASE WHEN count(*) <= 20 THEN {enumerated(s.name)} END FROM refrain_step s WHERE s.operation = h.operation) || '.', '') END
    || coalesce(' An earlier attempt ended: ' || {last_end} || '.', '')

-- name: standing
-- The point of a record h; one with an exclamation mark has announced its call.
'It stands at ' || coalesce('point ' || {without_mark(h.recovery_point)}, 'its beginning')
    || CASE WHEN h.recovery_point LIKE '%!' THEN ', whose call was announced and may have been sent' ELSE '' END

-- name: last_end
-- How the last attempt of a record h ended, of those whose end was written down.
(SELECT t.end_reason FROM refrain_attempt t WHERE t.record_id = h.id AND t.end_reason IS NOT NULL ORDER BY t.fence DESC LIMIT 1)

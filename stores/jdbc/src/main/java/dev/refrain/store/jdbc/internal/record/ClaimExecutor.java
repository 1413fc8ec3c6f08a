package dev.refrain.store.jdbc.internal.record;

import dev.refrain.api.KeyHash;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.ClaimResponse.Acquired;
import dev.refrain.store.ClaimResponse.Found;
import dev.refrain.store.ClaimResponse.LockedByTransaction;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.PartialBatchException;
import dev.refrain.store.jdbc.internal.sql.ResultRow;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * How a batch of records is claimed.
 *
 * <ol>
 *   <li>One statement makes the records that are absent and reads the others; or, where nearly all are likely to be absent,
 *       one makes and a second reads what the first did not make.
 *   <li>What it read is judged by {@link ClaimDecision}; most of it is answered as found, without a write.
 *   <li>What may be changed is changed by a statement that repeats every condition on the row itself. Whoever loses
 *       that race goes round again, and so does a record that was neither made nor found.
 * </ol>
 *
 * <p>Used once, by one thread.
 */
public final class ClaimExecutor {

    private static final int ROUNDS = 5;

    /** A request and the record it found. */
    record ClaimCandidate(ClaimRequest request, StoredRecord record) {}

    public static final ParameterizedScript<ClaimRequest> CLAIM = ParameterizedScript.<ClaimRequest>script("claim")
            .uuid("lookup", r -> r.lookup().asUuid())
            .uuid("nonce", ClaimRequest::nonce)
            .duration("lease", ClaimRequest::lease)
            .flag("hold", r -> ColumnCodes.holds(r.leaseExpiryPolicy()))
            .number("retention", r -> ColumnCodes.of(r.retention()))
            .text("recipe", r -> r.fingerprint().recipe())
            .bytes("fingerprint", r -> r.fingerprint().digest())
            .text("scope", r -> r.identity().scope())
            .text("namespace", r -> r.identity().namespace())
            .text("key", r -> r.identity().key())
            .text("subject", r -> r.subject().orElse(null))
            .bytes("request", r -> ColumnCodes.bytes(r.request()));

    private static final ParameterizedScript<ClaimRequest> CLAIM_NEW =
            ParameterizedScript.<ClaimRequest>script("claim_new").include(CLAIM, r -> r);

    public static final ParameterizedScript<ClaimRequest> FIND =
            ParameterizedScript.<ClaimRequest>script("find").include(CLAIM, r -> r);

    private static final Map<ClaimDecision, ParameterizedScript<ClaimCandidate>> CHANGES = new EnumMap<>(Map.of(
            ClaimDecision.REPLACE,
            onSight("replace"),
            ClaimDecision.TAKE,
            onSight("take"),
            ClaimDecision.HOLD,
            onSight("hold")));

    private final SqlSession session;
    private final NewKeyPredictor forecast;
    private final Map<KeyHash, ClaimRequest> open = new HashMap<>();
    private final Map<KeyHash, ClaimResponse> answers = new HashMap<>();

    /** Whether anything was claimed; what an earlier sending had claimed does not count. */
    private boolean partlyDone;

    private ClaimExecutor(SqlSession session, NewKeyPredictor forecast, List<ClaimRequest> requests) {
        this.session = session;
        this.forecast = forecast;
        requests.forEach(r -> open.put(r.lookup(), r));
    }

    public static List<ClaimResponse> claim(SqlSession session, NewKeyPredictor forecast, List<ClaimRequest> requests)
            throws SQLException {
        var claiming = new ClaimExecutor(session, forecast, requests);
        try {
            // Sorted again, though the caller does: rows locked in one order never make a circle.
            claiming.run(requests.stream()
                    .sorted(Comparator.comparing(ClaimRequest::lookup))
                    .toList());
        } catch (SQLException e) {
            throw claiming.partlyDone ? new PartialBatchException(e) : e;
        } catch (RowRejectedException e) {
            if (!session.dialect().claimsInOneStatement() || !claiming.partlyDone) {
                throw e;
            }
            // To be asked again, and then in one step: whoever is made by now is found to be its own.
            forecast.reset();
            throw StoreException.unavailable("A part of a batch was refused: " + e.getMessage(), Effect.UNKNOWN, e);
        }
        return requests.stream()
                .map(r -> claiming.answers.getOrDefault(r.lookup(), new LockedByTransaction()))
                .toList();
    }

    private void run(List<ClaimRequest> requests) throws SQLException {
        if (!session.dialect().claimsInOneStatement()) {
            decide(foundWithoutTheLock(requests));
        }
        for (int round = 0; round < ROUNDS && !open.isEmpty(); round++) {
            var asked =
                    requests.stream().filter(r -> open.containsKey(r.lookup())).toList();
            session.atomically(() -> change(decide(claimed(asked))));
        }
    }

    /** Up to the first that is absent: to make that one takes the lock, and under it the others are read anyway. */
    private List<RecordRow> foundWithoutTheLock(List<ClaimRequest> requests) throws SQLException {
        var found = new ArrayList<RecordRow>();
        for (var request : requests) {
            var seen = session.runBatch(FIND, List.of(request), RecordRow::read);
            if (seen.isEmpty()) {
                break;
            }
            found.addAll(seen);
        }
        return found;
    }

    /** What was not made by a statement that only makes is read by a second, on SQLite under the same lock. */
    private List<RecordRow> claimed(List<ClaimRequest> requests) throws SQLException {
        boolean inOne = session.dialect().claimsInOneStatement();
        boolean onlyMake = inOne && forecast.expectsAllNew(requests);
        var seen = onlyMake
                ? session.runBatch(CLAIM_NEW, requests, RecordRow::created)
                : session.runBatch(CLAIM, requests, RecordRow::read);
        if ((onlyMake || !inOne) && seen.size() < requests.size()) {
            var made = seen.stream().map(RecordRow::lookup).collect(Collectors.toSet());
            var others =
                    requests.stream().filter(r -> !made.contains(r.lookup())).toList();
            if (inOne) {
                // Answered before the second step, which may fail: these are done.
                decide(seen);
                seen.clear();
            }
            seen.addAll(session.runBatch(FIND, others, RecordRow::read));
        }
        forecast.observe(
                requests.size()
                        - (int) seen.stream().filter(s -> !s.isCreated()).count(),
                requests.size());
        return seen;
    }

    /** Answers what needs no change; says what does. One that is turned away is so after the others are answered. */
    private Map<ClaimDecision, List<ClaimCandidate>> decide(List<RecordRow> batch) {
        var changes = new EnumMap<ClaimDecision, List<ClaimCandidate>>(ClaimDecision.class);
        var turnedAway = new ArrayList<RowRejectedException>();
        for (var seen : batch) {
            try {
                decide(seen, changes);
            } catch (RowRejectedException e) {
                turnedAway.add(e);
            }
        }
        if (!turnedAway.isEmpty()) {
            throw turnedAway.getFirst();
        }
        return changes;
    }

    private void decide(RecordRow seen, Map<ClaimDecision, List<ClaimCandidate>> changes) {
        var request = Objects.requireNonNull(open.get(seen.lookup()), "An answer nobody asked for");
        if (seen.isCreated()) {
            partlyDone = true;
            answer(request, new Acquired(ClaimedRecordFactory.newRecord(request)));
            return;
        }
        var record = seen.record().orElseThrow();
        if (!record.isExpired()) {
            seen.requireIdentity(request.identity());
        }
        var ruling = ClaimDecision.decide(record, request);
        switch (ruling) {
            case OWN -> answer(request, new Acquired(record));
            case LEAVE -> answer(request, new Found(record));
            case REPLACE, TAKE, HOLD ->
                changes.computeIfAbsent(ruling, r -> new ArrayList<>()).add(new ClaimCandidate(request, record));
        }
    }

    /** Whoever is not answered here lost the race or has to be read again, which the next round does. */
    private boolean change(Map<ClaimDecision, List<ClaimCandidate>> changes) throws SQLException {
        for (var ruling : changes.keySet()) {
            var sights = changes.get(ruling);
            var changed = ask(Objects.requireNonNull(CHANGES.get(ruling)), sights);
            partlyDone |= ruling != ClaimDecision.HOLD && !changed.isEmpty();
            for (var sight : sights) {
                if (!changed.contains(sight.request().lookup())) {
                    continue;
                }
                if (ruling == ClaimDecision.REPLACE) {
                    answer(sight.request(), new Acquired(ClaimedRecordFactory.newRecord(sight.request())));
                } else if (ruling == ClaimDecision.TAKE && !isFlow(sight.record())) {
                    answer(
                            sight.request(),
                            new Acquired(ClaimedRecordFactory.takenOverRecord(sight.request(), sight.record())));
                }
            }
        }
        return true;
    }

    private List<KeyHash> ask(ParameterizedScript<ClaimCandidate> question, List<ClaimCandidate> sights)
            throws SQLException {
        try {
            return session.runBatch(question, sights, ResultRow::lookup);
        } catch (SQLException e) {
            if (session.dialect().failures().isContention(e)) {
                return List.of();
            }
            throw e;
        }
    }

    /** Between the sight and the change a flow may have passed a checkpoint; nobody can now. */
    private static boolean isFlow(StoredRecord record) {
        return record.recoveryPoint().isPresent()
                || record.request().isPresent()
                || record.carried().isPresent();
    }

    private void answer(ClaimRequest request, ClaimResponse answer) {
        answers.put(request.lookup(), answer);
        open.remove(request.lookup());
    }

    private static ParameterizedScript<ClaimCandidate> onSight(String script) {
        return ParameterizedScript.<ClaimCandidate>script(script)
                .include(CLAIM, ClaimCandidate::request)
                .uuid("id", s -> s.record().id().value())
                .number("fence", s -> s.record().fence())
                .number("state", s -> ColumnCodes.of(s.record().state()))
                .flag("erased", s -> s.record().fingerprint().isEmpty());
    }
}

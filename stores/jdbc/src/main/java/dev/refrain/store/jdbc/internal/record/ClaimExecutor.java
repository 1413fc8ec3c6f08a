package dev.refrain.store.jdbc.internal.record;

import dev.refrain.api.KeyHash;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.ClaimResponse.Acquired;
import dev.refrain.store.ClaimResponse.Failed;
import dev.refrain.store.ClaimResponse.Found;
import dev.refrain.store.ClaimResponse.LockedByTransaction;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.PartialBatchException;
import dev.refrain.store.jdbc.internal.sql.ResultRow;
import dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator.SqlErrorKind;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
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
 *   <li>If that fails because of one of them, and only then: data that cannot be stored splits the batch until its row fails alone; of
 *       rows that somebody holds, those that transactions hold are found by their locks and left out, and the rest is sent again.
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

    /** Keys whose lock a transaction has. */
    private static final ParameterizedScript<ClaimRequest> HELD = ParameterizedScript.<ClaimRequest>script("held_keys")
            .include(CLAIM, r -> r)
            .number("lock", r -> SqlScriptLibrary.lockOf(r.lookup()));

    /** Records that nobody has locked; they are, until the transaction ends. */
    private static final ParameterizedScript<ClaimCandidate> UNLOCKED =
            ParameterizedScript.<ClaimCandidate>script("lock_free").include(CLAIM, ClaimCandidate::request);

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

    /** Answers of a step that may still be rolled back: they count once it is done. */
    private final Map<KeyHash, ClaimResponse> pending = new HashMap<>();

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
        }
        return requests.stream()
                .map(r -> claiming.answers.getOrDefault(r.lookup(), new LockedByTransaction()))
                .toList();
    }

    private void run(List<ClaimRequest> requests) throws SQLException {
        if (!session.dialect().claimsInOneStatement()) {
            var unused = decide(foundWithoutTheLock(requests));
            keepAnswers();
        }
        for (int round = 0; round < ROUNDS && !open.isEmpty(); round++) {
            var asked =
                    requests.stream().filter(r -> open.containsKey(r.lookup())).toList();
            claimTogether(asked);
        }
    }

    private void claimTogether(List<ClaimRequest> asked) throws SQLException {
        try {
            session.atomically(() -> change(decide(claimed(asked))));
            keepAnswers();
        } catch (SQLException e) {
            // What was made nevertheless is found to be its own when it is asked for again.
            pending.clear();
            switch (session.dialect().failures().classify(e)) {
                case BAD_DATA -> claimApart(asked, e);
                case LOCKED -> claimUnlocked(asked, e);
                default -> throw e;
            }
        }
    }

    /** In halves, until the guilty one is alone. */
    private void claimApart(List<ClaimRequest> asked, SQLException why) throws SQLException {
        if (asked.size() == 1) {
            var request = asked.getFirst();
            boolean locked = session.dialect().failures().classify(why) == SqlErrorKind.LOCKED;
            answer(
                    request,
                    locked
                            ? new LockedByTransaction()
                            : new Failed(session.dialect()
                                    .failures()
                                    .translate("Claiming " + request.identity(), why, Effect.NONE)));
            keepAnswers();
            return;
        }
        int middle = asked.size() / 2;
        claimTogether(asked.subList(0, middle));
        claimTogether(asked.subList(middle, asked.size()));
    }

    /** A transaction that has made a record and not committed yet has the key's lock; who else holds one up is found by halves. */
    private void claimUnlocked(List<ClaimRequest> asked, SQLException why) throws SQLException {
        var held = new HashSet<>(session.runBatch(HELD, asked, ResultRow::lookup));
        if (held.isEmpty()) {
            claimApart(asked, why);
            return;
        }
        asked.stream().filter(r -> held.contains(r.lookup())).forEach(r -> answer(r, new LockedByTransaction()));
        keepAnswers();
        var others = asked.stream().filter(r -> !held.contains(r.lookup())).toList();
        if (!others.isEmpty()) {
            claimTogether(others);
        }
    }

    private void keepAnswers() {
        answers.putAll(pending);
        pending.keySet().forEach(open::remove);
        pending.clear();
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
                var unused = decide(seen);
                keepAnswers();
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

    /** Answers what needs no change; says what does. One that cannot be read, or is another identity's, is turned away alone. */
    private Map<ClaimDecision, List<ClaimCandidate>> decide(List<RecordRow> batch) {
        var changes = new EnumMap<ClaimDecision, List<ClaimCandidate>>(ClaimDecision.class);
        for (var seen : batch) {
            try {
                decide(seen, changes);
            } catch (RowRejectedException e) {
                answer(Objects.requireNonNull(open.get(seen.lookup())), new Failed(e));
            }
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
            var changed = changed(Objects.requireNonNull(CHANGES.get(ruling)), sights);
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

    private List<KeyHash> changed(ParameterizedScript<ClaimCandidate> change, List<ClaimCandidate> sights)
            throws SQLException {
        try {
            return session.runBatch(change, sights, ResultRow::lookup);
        } catch (SQLException e) {
            return switch (session.dialect().failures().classify(e)) {
                case LOCKED -> changedUnlocked(change, sights);
                case TRY_AGAIN -> List.of();
                default -> throw e;
            };
        }
    }

    /** Once more without the rows that somebody holds; those are told so, and the others need not wait for them. */
    private List<KeyHash> changedUnlocked(ParameterizedScript<ClaimCandidate> change, List<ClaimCandidate> sights)
            throws SQLException {
        var changed = new ArrayList<KeyHash>();
        var free = new HashSet<KeyHash>();
        try {
            session.inTransaction(() -> {
                free.addAll(session.runBatch(UNLOCKED, sights, ResultRow::lookup));
                var theirs = sights.stream()
                        .filter(s -> free.contains(s.request().lookup()))
                        .toList();
                return changed.addAll(session.runBatch(change, theirs, ResultRow::lookup));
            });
        } catch (SQLException e) {
            if (!session.dialect().failures().isContention(e)) {
                throw e;
            }
            return List.of();
        }
        sights.stream()
                .filter(s -> !free.contains(s.request().lookup()))
                .forEach(s -> answer(s.request(), new LockedByTransaction()));
        return changed;
    }

    /** Between the sight and the change a flow may have passed a checkpoint; nobody can now. */
    private static boolean isFlow(StoredRecord record) {
        return record.recoveryPoint().isPresent()
                || record.request().isPresent()
                || record.carried().isPresent();
    }

    private void answer(ClaimRequest request, ClaimResponse answer) {
        pending.put(request.lookup(), answer);
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

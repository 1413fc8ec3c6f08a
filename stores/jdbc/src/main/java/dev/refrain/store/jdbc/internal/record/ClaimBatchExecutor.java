package dev.refrain.store.jdbc.internal.record;

import dev.refrain.api.KeyHash;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.ClaimResponse.Acquired;
import dev.refrain.store.ClaimResponse.Failed;
import dev.refrain.store.ClaimResponse.Found;
import dev.refrain.store.ClaimResponse.LockedByTransaction;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.PartialBatchException;
import dev.refrain.store.jdbc.internal.sql.SqlResultRow;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import dev.refrain.store.jdbc.internal.sql.TableLockedException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Claims a batch of records.
 *
 * <ol>
 *   <li>One statement creates absent records and reads the others; or, if nearly all are likely to be absent, one creates and a
 *       second reads what the first did not create.
 *   <li>{@link ClaimDecision} decides about each record that was read; most are answered as found, without a write.
 *   <li>Records that may be changed are changed by a statement that repeats every condition on the row itself. A claim that loses
 *       that race goes into the next round, and so does a record that was neither created nor found.
 *   <li>Only if that fails because of one of them: data that cannot be stored splits the batch until its row fails alone; keys that
 *       are locked are found ({@link LockedKeys}) and left out, and the rest is sent again.
 * </ol>
 *
 * <p>Used once, by one thread.
 */
public final class ClaimBatchExecutor {

    /** Savepoint before a change of several statements. */
    private static final String CHANGE = "refrain_change";

    private static final int ROUNDS = 5;

    private final SqlSession session;
    private final NewKeyPredictor predictor;
    private final OperationNames names;
    private final Map<KeyHash, ClaimRequest> open = new HashMap<>();
    private final Map<KeyHash, ClaimResponse> answers = new HashMap<>();

    /** Answers of a step that may still be rolled back: they count once it is committed. */
    private final Map<KeyHash, ClaimResponse> pending = new HashMap<>();

    /** Keys whose records were there when a batch that reads first looked: to insert them would wait for whoever has locked one. */
    private final Set<KeyHash> present = new HashSet<>();

    /** How often a batch had to wait for something that is none of its keys. */
    private int unexplainedWaits;

    /** True if anything was claimed; claims of an earlier sending do not count. */
    private boolean partlyDone;

    private ClaimBatchExecutor(
            SqlSession session, NewKeyPredictor predictor, OperationNames names, List<ClaimRequest> requests) {
        this.session = session;
        this.predictor = predictor;
        this.names = names;
        requests.forEach(r -> open.put(r.lookup(), r));
    }

    public static List<ClaimResponse> claim(
            SqlSession session, NewKeyPredictor predictor, OperationNames names, List<ClaimRequest> requests)
            throws SQLException {
        names.learn(session, requests);
        var claiming = new ClaimBatchExecutor(session, predictor, names, requests);
        try {
            // Sorted again, although the caller sorts: rows locked in one order cannot deadlock.
            claiming.run(requests.stream()
                    .sorted(Comparator.comparing(ClaimRequest::lookup))
                    .toList());
        } catch (SQLException e) {
            throw claiming.partlyDone ? new PartialBatchException(e) : e;
        }
        return requests.stream()
                .map(r -> Objects.requireNonNullElseGet(claiming.answers.get(r.lookup()), () -> lostEveryRace(r)))
                .toList();
    }

    /** Answers a key that changed under each of our looks, or whose change collided each time. It may well be free. */
    private static ClaimResponse lostEveryRace(ClaimRequest request) {
        return new Failed(StoreException.unavailable(
                "Claiming " + request.identity() + ": its record changed " + ROUNDS + " times meanwhile.",
                Effect.NONE,
                null));
    }

    private void run(List<ClaimRequest> requests) throws SQLException {
        if (!session.dialect().claimsInOneStatement()) {
            boolean together = session.dialect().hasConcurrentWriters();
            var found = together
                    ? session.runBatch(ClaimScripts.FIND, requests, RecordRow::read)
                    : foundWithoutTheLock(requests);
            var unused = decide(found);
            keepAnswers();
            if (together) {
                found.forEach(row -> present.add(row.lookup()));
            }
        }
        for (int round = 0; round < ROUNDS && !open.isEmpty(); round++) {
            var asked =
                    requests.stream().filter(r -> open.containsKey(r.lookup())).toList();
            claimTogether(asked);
        }
    }

    private void claimTogether(List<ClaimRequest> asked) throws SQLException {
        if (asked.isEmpty()) {
            return;
        }
        try {
            session.atomically(() -> change(decide(claimed(asked))));
            keepAnswers();
        } catch (SQLException e) {
            // A record that was created nevertheless is recognised as its own when the claim is sent again.
            pending.clear();
            var unanswered =
                    asked.stream().filter(r -> open.containsKey(r.lookup())).toList();
            switch (session.dialect().failures().classify(e)) {
                case BAD_DATA -> claimApart(unanswered, e);
                case LOCKED -> claimUnlocked(unanswered, e);
                case TRY_AGAIN -> {
                    if (!isRoundLost(e)) {
                        throw e;
                    }
                }
                default -> throw e;
            }
        }
    }

    /** Returns true if a conflict rolled back this round and nothing else, so that the next one asks again. */
    private boolean isRoundLost(SQLException error) {
        return session.dialect().hasConcurrentWriters()
                && session.dialect().mayRollBackOnError()
                && !(error instanceof PartialBatchException);
    }

    /** Claims in halves, until the failing row is alone. */
    private void claimApart(List<ClaimRequest> asked, SQLException why) throws SQLException {
        if (asked.size() == 1) {
            var request = asked.getFirst();
            answer(
                    request,
                    new Failed(session.dialect()
                            .failures()
                            .translate("Claiming " + request.identity(), why, Effect.NONE)));
            keepAnswers();
            return;
        }
        int middle = asked.size() / 2;
        claimTogether(asked.subList(0, middle));
        claimTogether(asked.subList(middle, asked.size()));
    }

    /**
     * Claims the keys whose records nobody is making or deleting in an open transaction. If it is none of them that was waited for,
     * and that happens twice, a table is locked: everybody has to wait, and no key is in progress for that.
     */
    private void claimUnlocked(List<ClaimRequest> asked, SQLException why) throws SQLException {
        var blocked = LockedKeys.blocked(session, asked);
        if (blocked.isEmpty() && ++unexplainedWaits > 1) {
            throw new TableLockedException(why);
        }
        asked.stream().filter(r -> blocked.contains(r.lookup())).forEach(r -> answer(r, new LockedByTransaction()));
        keepAnswers();
        claimTogether(asked.stream().filter(r -> !blocked.contains(r.lookup())).toList());
    }

    private void keepAnswers() {
        answers.putAll(pending);
        pending.keySet().forEach(open::remove);
        pending.clear();
    }

    /**
     * Reads without the write lock, up to the first absent record: creating that one takes the lock, under which the others are
     * read anyway.
     */
    private List<RecordRow> foundWithoutTheLock(List<ClaimRequest> requests) throws SQLException {
        var found = new ArrayList<RecordRow>();
        for (var request : requests) {
            var seen = session.runBatch(ClaimScripts.FIND, List.of(request), RecordRow::read);
            if (seen.isEmpty()) {
                break;
            }
            found.addAll(seen);
        }
        return found;
    }

    /** Creates records; those that exist are read by a second statement, on SQLite under the same lock. */
    private List<RecordRow> claimed(List<ClaimRequest> requests) throws SQLException {
        boolean inOne = session.dialect().claimsInOneStatement();
        boolean onlyMake = inOne && predictor.expectsAllNew(requests);
        var seen = onlyMake
                ? session.runBatch(
                        ClaimScripts.CLAIM_NEW, ClaimScripts.NamedClaim.all(requests, names), RecordRow::created)
                : session.runBatch(
                        ClaimScripts.NAMED_CLAIM,
                        ClaimScripts.NamedClaim.all(absent(requests), names),
                        RecordRow::read);
        if ((onlyMake || !inOne) && seen.size() < requests.size()) {
            var made = seen.stream().map(RecordRow::lookup).collect(Collectors.toSet());
            var others =
                    requests.stream().filter(r -> !made.contains(r.lookup())).toList();
            if (inOne) {
                // Answered before the second step, which may fail: these are committed.
                var unused = decide(seen);
                keepAnswers();
                seen.clear();
            }
            var found = session.runBatch(ClaimScripts.FIND, others, RecordRow::read);
            present.retainAll(found.stream().map(RecordRow::lookup).collect(Collectors.toSet()));
            seen.addAll(found);
        }
        predictor.observe(
                requests.size()
                        - (int) seen.stream().filter(s -> !s.isCreated()).count(),
                requests.size());
        return seen;
    }

    private List<ClaimRequest> absent(List<ClaimRequest> requests) {
        return requests.stream().filter(r -> !present.contains(r.lookup())).toList();
    }

    /**
     * Answers the records that need no change and returns the others. One that cannot be read, or belongs to another identity,
     * fails alone.
     */
    private Map<ClaimDecision, List<ClaimScripts.ClaimCandidate>> decide(List<RecordRow> batch) {
        var changes = new EnumMap<ClaimDecision, List<ClaimScripts.ClaimCandidate>>(ClaimDecision.class);
        for (var seen : batch) {
            try {
                decide(seen, changes);
            } catch (RowRejectedException e) {
                answer(Objects.requireNonNull(open.get(seen.lookup())), new Failed(e));
            }
        }
        return changes;
    }

    private void decide(RecordRow seen, Map<ClaimDecision, List<ClaimScripts.ClaimCandidate>> changes) {
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
                changes.computeIfAbsent(ruling, r -> new ArrayList<>())
                        .add(new ClaimScripts.ClaimCandidate(request, record, names.idOf(request)));
        }
    }

    /** Changes records; one without an answer here lost the race or must be read again, which the next round does. */
    private boolean change(Map<ClaimDecision, List<ClaimScripts.ClaimCandidate>> changes) throws SQLException {
        if (changes.containsKey(ClaimDecision.TAKE) && StoreClockNotes.noteSetBack(session)) {
            // What was read is younger than it is, and calls are resent only while they are young.
            return false;
        }
        for (var ruling : changes.keySet()) {
            var sights = changes.get(ruling);
            var changed = changed(Objects.requireNonNull(ClaimScripts.CHANGES.get(ruling)), sights);
            partlyDone |= ruling != ClaimDecision.HOLD && !changed.isEmpty();
            for (var sight : sights) {
                if (!changed.contains(sight.request().lookup())) {
                    continue;
                }
                if (ruling == ClaimDecision.REPLACE) {
                    answer(sight.request(), new Acquired(ClaimedRecordFactory.newRecord(sight.request())));
                } else if (ruling == ClaimDecision.TAKE && ClaimedRecordFactory.isKnownAfterTakeover(sight.record())) {
                    answer(
                            sight.request(),
                            new Acquired(ClaimedRecordFactory.takenOverRecord(sight.request(), sight.record())));
                }
            }
        }
        return true;
    }

    private List<KeyHash> changed(
            ParameterizedScript<ClaimScripts.ClaimCandidate> change, List<ClaimScripts.ClaimCandidate> sights)
            throws SQLException {
        // A change of several statements that meets a lock in the middle has done its first half.
        boolean inParts = session.dialect().bindsJson();
        if (inParts) {
            session.execute("SAVEPOINT " + CHANGE);
        }
        try {
            return session.runBatch(change, sights, SqlResultRow::lookup);
        } catch (SQLException e) {
            return switch (session.dialect().failures().classify(e)) {
                case LOCKED -> {
                    if (inParts) {
                        undoChange(e);
                    }
                    yield changedUnlocked(change, sights);
                }
                case TRY_AGAIN -> {
                    if (session.dialect().mayRollBackOnError()) {
                        // What this round created before is rolled back with it.
                        throw e;
                    }
                    yield List.of();
                }
                default -> throw e;
            };
        }
    }

    /**
     * Undoes a change.
     *
     * @throws SQLException the reason, if a server that rolls back whole transactions after it has undone this round
     */
    private void undoChange(SQLException locked) throws SQLException {
        try {
            session.execute("ROLLBACK TO SAVEPOINT " + CHANGE);
        } catch (SQLException undoneWithAllElse) {
            locked.addSuppressed(undoneWithAllElse);
            throw locked;
        }
    }

    /** Changes again without locked rows; those fail as locked, and the others need not wait for them. */
    private List<KeyHash> changedUnlocked(
            ParameterizedScript<ClaimScripts.ClaimCandidate> change, List<ClaimScripts.ClaimCandidate> sights)
            throws SQLException {
        var changed = new ArrayList<KeyHash>();
        var free = new HashSet<KeyHash>();
        try {
            session.inTransaction(() -> {
                free.addAll(session.runBatch(ClaimScripts.UNLOCKED, sights, SqlResultRow::lookup));
                var theirs = sights.stream()
                        .filter(s -> free.contains(s.request().lookup()))
                        .toList();
                return changed.addAll(session.runBatch(change, theirs, SqlResultRow::lookup));
            });
        } catch (SQLException e) {
            if (!session.dialect().failures().isContention(e)
                    || session.dialect().mayRollBackOnError()) {
                throw e;
            }
            return List.of();
        }
        answerLocked(sights.stream()
                .map(ClaimScripts.ClaimCandidate::request)
                .filter(r -> !free.contains(r.lookup()))
                .toList());
        return changed;
    }

    /**
     * Answers keys whose row somebody has locked. Those of a transaction under the same key are in progress; of the others nothing is known but
     * that they cannot be claimed at this moment.
     */
    private void answerLocked(List<ClaimRequest> locked) throws SQLException {
        var held = LockedKeys.heldByTransactions(session, locked);
        for (var request : locked) {
            answer(
                    request,
                    held.contains(request.lookup())
                            ? new LockedByTransaction()
                            : new Failed(StoreException.unavailable(
                                    "Claiming " + request.identity() + ": somebody holds its row.",
                                    Effect.NONE,
                                    null)));
        }
    }

    private void answer(ClaimRequest request, ClaimResponse answer) {
        pending.put(request.lookup(), answer);
    }
}

package dev.refrain.store.jdbc.internal.record;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.KeyHash;
import dev.refrain.store.ClaimAttempt;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.RecordWriteResponse.Written;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.PartialBatchException;
import dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator.SqlErrorKind;
import dev.refrain.store.jdbc.internal.sql.SqlResultRow;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import dev.refrain.store.jdbc.internal.sql.TableLockedException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Writes records for the holders of their claims: one statement per kind of write, which changes each row only under its own (id,
 * fence). A row that was not changed is read, to tell why, and whether an earlier sending of the same write did it.
 *
 * <p>Only if that fails: data that cannot be stored splits the batch until its row fails alone; with locked rows, the batch is
 * sent again without them, by statements that touch no more tables than they must: it may be another table that is locked.
 */
public final class RecordWriter {

    private static final ParameterizedScript<ClaimRef> CLAIM = ParameterizedScript.<ClaimRef>script("find")
            .uuid("lookup", c -> c.lookup().asUuid())
            .uuid("id", c -> c.id().value())
            .number("fence", ClaimRef::fence)
            .text("scope", c -> null)
            .text("namespace", c -> null)
            .text("key", c -> null);

    /** Locks the records that nobody has locked, until the transaction ends. */
    private static final ParameterizedScript<ClaimRef> UNLOCKED =
            ParameterizedScript.<ClaimRef>script("lock_free").include(CLAIM, c -> c);

    private static final ParameterizedScript<RecordWrite.Complete> COMPLETE = RecordWriter.<RecordWrite.Complete>of(
                    "complete")
            .bytes("outcome", w -> ColumnCodes.bytes(w.outcome()))
            .flag("has_outcome", w -> w.outcome().isPresent())
            .nullableNumber("retention", w -> w.retention().map(ColumnCodes::of).orElse(null));

    private static final ParameterizedScript<RecordWrite.Release> RELEASE = RecordWriter.<RecordWrite.Release>of(
                    "release")
            .duration("pause", RecordWrite.Release::retryDelay)
            .note(
                    "reason",
                    w -> w.reason().isEmpty() ? ClaimAttempt.RELEASED : ClaimAttempt.RELEASED + ": " + w.reason());

    private static final ParameterizedScript<RecordWrite.Escalate> ESCALATE =
            RecordWriter.<RecordWrite.Escalate>of("escalate").note("reason", RecordWrite.Escalate::reason);

    private static final ParameterizedScript<RecordWrite.Checkpoint> CHECKPOINT =
            RecordWriter.<RecordWrite.Checkpoint>of("checkpoint")
                    .text("recovery_point", w -> ColumnCodes.of(w.recoveryPoint()))
                    .bytes("carried", w -> ColumnCodes.bytes(w.carried()))
                    .flag("has_carried", w -> w.carried().isPresent())
                    .nullableNumber("announced", w -> w.recoveryPoint().callMayBeSent() ? 1L : null)
                    .nullableNumber(
                            "lease",
                            w -> w.lease().map(ParameterizedScript::micros).orElse(null));

    private static final ParameterizedScript<RecordWrite.Complete> COMPLETE_ONE =
            ParameterizedScript.<RecordWrite.Complete>script("complete_one").include(COMPLETE, w -> w);

    private static final ParameterizedScript<RecordWrite.Checkpoint> CHECKPOINT_ONE =
            ParameterizedScript.<RecordWrite.Checkpoint>script("checkpoint_one").include(CHECKPOINT, w -> w);

    private static final ParameterizedScript<RecordWrite.Renew> RENEW =
            RecordWriter.<RecordWrite.Renew>of("renew").duration("lease", RecordWrite.Renew::lease);

    private static final ParameterizedScript<RecordWrite.Complete> COMPLETE_ALONE =
            ParameterizedScript.<RecordWrite.Complete>script("complete_alone").include(COMPLETE, w -> w);

    private static final ParameterizedScript<RecordWrite.Release> RELEASE_ALONE =
            ParameterizedScript.<RecordWrite.Release>script("release_alone").include(RELEASE, w -> w);

    private static final ParameterizedScript<RecordWrite.Escalate> ESCALATE_ALONE =
            ParameterizedScript.<RecordWrite.Escalate>script("escalate_alone").include(ESCALATE, w -> w);

    private final SqlSession session;
    private final Set<KeyHash> written = new HashSet<>();
    private final Map<KeyHash, StoreException> failed = new HashMap<>();
    private final Collection<KeyHash> awaited;

    private RecordWriter(SqlSession session, Collection<KeyHash> awaited) {
        this.session = session;
        this.awaited = awaited;
    }

    /**
     * Writes a batch.
     *
     * @param awaited receives the records with registered waiters, to be woken after the commit
     */
    public static List<RecordWriteResponse> write(
            SqlSession session, List<? extends RecordWrite> writes, Collection<KeyHash> awaited) throws SQLException {
        var writing = new RecordWriter(session, awaited);
        var sorted = new ArrayList<RecordWrite>(writes);
        sorted.sort(Comparator.comparing(w -> w.claim().lookup()));
        try {
            writing.writeTogether(sorted);
            var unchanged = writes.stream()
                    .filter(w -> !writing.written.contains(w.claim().lookup()))
                    .toList();
            var current = unchanged.isEmpty() ? Map.<KeyHash, StoredRecord>of() : writing.current(unchanged);
            return writes.stream()
                    .map(w -> writing.answer(
                            w, Optional.ofNullable(current.get(w.claim().lookup()))))
                    .toList();
        } catch (SQLException e) {
            throw writing.written.isEmpty() ? e : new PartialBatchException(e);
        }
    }

    private void writeTogether(List<RecordWrite> writes) throws SQLException {
        var kinds = byKind(writes);
        try {
            // One kind is one statement; several run in one transaction, so that a failure has no effect.
            written.addAll(
                    kinds.size() == 1
                            ? session.atomically(() -> send(kinds))
                            : session.inTransaction(() -> send(kinds)));
        } catch (SQLException e) {
            switch (session.dialect().failures().classify(e)) {
                case BAD_DATA -> writeApart(writes, e);
                case LOCKED -> writeUnlocked(writes);
                default -> throw e;
            }
        }
    }

    /** Writes in halves, until the failing row is alone. */
    private void writeApart(List<RecordWrite> writes, SQLException why) throws SQLException {
        if (writes.size() == 1) {
            var claim = writes.getFirst().claim();
            failed.put(
                    claim.lookup(),
                    session.dialect().failures().translate("Writing record " + claim.id(), why, Effect.NONE));
            return;
        }
        int middle = writes.size() / 2;
        writeTogether(writes.subList(0, middle));
        writeTogether(writes.subList(middle, writes.size()));
    }

    /** Writes again without locked rows; those fail alone, and the others need not wait for them. */
    private void writeUnlocked(List<RecordWrite> writes) throws SQLException {
        var claims = writes.stream().map(RecordWrite::claim).toList();
        var free = new HashSet<KeyHash>();
        var tableIsFree = new AtomicBoolean();
        try {
            written.addAll(session.inTransaction(() -> {
                free.addAll(session.runBatch(UNLOCKED, claims, SqlResultRow::lookup));
                tableIsFree.set(true);
                return sendAlone(byKind(writes.stream()
                        .filter(w -> free.contains(w.claim().lookup()))
                        .toList()));
            }));
        } catch (SQLException e) {
            var kind = session.dialect().failures().classify(e);
            if (kind == SqlErrorKind.BAD_DATA || (kind == SqlErrorKind.LOCKED && tableIsFree.get())) {
                writeApart(writes, e);
                return;
            }
            throw kind == SqlErrorKind.LOCKED ? new TableLockedException(e) : e;
        }
        var unwritten = writes.stream()
                .filter(w -> !written.contains(w.claim().lookup()))
                .toList();
        writeWithOtherTables(unwritten.stream()
                .filter(w -> free.contains(w.claim().lookup()))
                .toList());
        failLocked(unwritten.stream()
                .filter(w -> !free.contains(w.claim().lookup()))
                .toList());
    }

    /** Fails the writes to records that somebody holds. One that is absent or has another claim need not be waited for. */
    private void failLocked(List<RecordWrite> writes) throws SQLException {
        var current = writes.isEmpty() ? Map.<KeyHash, StoredRecord>of() : current(writes);
        for (var write : writes) {
            var claim = write.claim();
            var record = Optional.ofNullable(current.get(claim.lookup()));
            if (record.filter(r -> r.claim().equals(claim) && isOpen(r)).isPresent()) {
                failed.put(
                        claim.lookup(),
                        RowRejectedException.locked(
                                "Writing record " + claim.id() + ": somebody holds its row. Try again.", null));
            }
        }
    }

    /** Writes records that cannot be written without other tables. */
    private void writeWithOtherTables(List<RecordWrite> writes) throws SQLException {
        if (writes.isEmpty()) {
            return;
        }
        try {
            written.addAll(session.inTransaction(() -> send(byKind(writes))));
        } catch (SQLException e) {
            switch (session.dialect().failures().classify(e)) {
                case BAD_DATA, LOCKED -> writeApart(writes, e);
                default -> throw e;
            }
        }
    }

    private static boolean isOpen(StoredRecord record) {
        return record.state() == RecordState.IN_PROGRESS || record.state() == RecordState.ATTENTION;
    }

    /** Writes the end of a phase in the session's open transaction. */
    public static RecordWriteResponse writeInTransaction(SqlSession session, RecordWrite write) throws SQLException {
        var writing = new RecordWriter(session, new ArrayList<>());
        writing.written.addAll(
                switch (write) {
                    case RecordWrite.Checkpoint passed -> session.run(CHECKPOINT_ONE, passed, SqlResultRow::lookup);
                    case RecordWrite.Complete done -> session.run(COMPLETE_ONE, done, SqlResultRow::lookup);
                    default ->
                        throw new IllegalArgumentException(
                                "A phase ends at a point or at the outcome, not by " + write);
                });
        boolean changed = writing.written.contains(write.claim().lookup());
        var current = changed ? Map.<KeyHash, StoredRecord>of() : writing.current(List.of(write));
        return writing.answer(
                write, Optional.ofNullable(current.get(write.claim().lookup())));
    }

    public static Map<KeyHash, StoredRecord> current(SqlSession session, List<ClaimRef> claims) throws SQLException {
        var found = new HashMap<KeyHash, StoredRecord>();
        for (var seen : session.runBatch(CLAIM, claims, RecordRow::read)) {
            // Unreadable, but certain: it no longer belongs to this claim.
            if (seen.unreadable().isEmpty()) {
                seen.record().filter(r -> !r.isExpired()).ifPresent(r -> found.put(seen.lookup(), r));
            }
        }
        return found;
    }

    private Map<KeyHash, StoredRecord> current(List<? extends RecordWrite> refused) throws SQLException {
        return current(session, refused.stream().map(RecordWrite::claim).toList());
    }

    private static Collection<List<RecordWrite>> byKind(List<? extends RecordWrite> writes) {
        var kinds = new LinkedHashMap<Class<?>, List<RecordWrite>>();
        for (var write : writes) {
            kinds.computeIfAbsent(write.getClass(), k -> new ArrayList<>()).add(write);
        }
        return kinds.values();
    }

    /** Sends writes, sorted so that rows are locked in one order; returns which were changed. */
    private List<KeyHash> send(Collection<List<RecordWrite>> kinds) throws SQLException {
        var changed = new ArrayList<KeyHash>();
        for (var kind : kinds) {
            changed.addAll(
                    switch (kind.getFirst()) {
                        case RecordWrite.Complete first ->
                            send(COMPLETE, RecordWrite.Complete.class, kind, this::ended);
                        case RecordWrite.Release first -> send(RELEASE, RecordWrite.Release.class, kind, this::ended);
                        case RecordWrite.Escalate first ->
                            send(ESCALATE, RecordWrite.Escalate.class, kind, this::ended);
                        case RecordWrite.Checkpoint first ->
                            send(CHECKPOINT, RecordWrite.Checkpoint.class, kind, SqlResultRow::lookup);
                        case RecordWrite.Renew first ->
                            send(RENEW, RecordWrite.Renew.class, kind, SqlResultRow::lookup);
                    });
        }
        return changed;
    }

    /** Sends writes that touch only their records, where those allow it, and no waiters; returns which were changed. */
    private List<KeyHash> sendAlone(Collection<List<RecordWrite>> kinds) throws SQLException {
        var changed = new ArrayList<KeyHash>();
        for (var kind : kinds) {
            changed.addAll(
                    switch (kind.getFirst()) {
                        case RecordWrite.Complete first ->
                            send(COMPLETE_ALONE, RecordWrite.Complete.class, kind, this::ended);
                        case RecordWrite.Release first ->
                            send(RELEASE_ALONE, RecordWrite.Release.class, kind, this::ended);
                        case RecordWrite.Escalate first ->
                            send(ESCALATE_ALONE, RecordWrite.Escalate.class, kind, this::ended);
                        case RecordWrite.Checkpoint first ->
                            send(CHECKPOINT, RecordWrite.Checkpoint.class, kind, SqlResultRow::lookup);
                        case RecordWrite.Renew first ->
                            send(RENEW, RecordWrite.Renew.class, kind, SqlResultRow::lookup);
                    });
        }
        return changed;
    }

    private <W extends RecordWrite> List<KeyHash> send(
            ParameterizedScript<W> question,
            Class<W> kind,
            List<RecordWrite> writes,
            SqlSession.RowMapper<KeyHash> reader)
            throws SQLException {
        return session.runBatch(question, writes.stream().map(kind::cast).toList(), reader);
    }

    /** Reads a row of a write that ends the wait for its record. */
    private KeyHash ended(SqlResultRow row) throws SQLException {
        var lookup = row.lookup();
        if (row.isAwaited()) {
            awaited.add(lookup);
        }
        return lookup;
    }

    private RecordWriteResponse answer(RecordWrite write, Optional<StoredRecord> current) {
        var failure = failed.get(write.claim().lookup());
        if (failure != null) {
            return new RecordWriteResponse.Failed(failure);
        }
        if (written.contains(write.claim().lookup())) {
            return new Written();
        }
        var answer = RecordWriteResponse.forUnchanged(write, current.orElse(null));
        if (answer instanceof Written) {
            // An earlier sending did it, and what it said of waiters was lost with its reply.
            awaited.add(write.claim().lookup());
        }
        return answer;
    }

    private static <W extends RecordWrite> ParameterizedScript<W> of(String script) {
        return ParameterizedScript.<W>script(script).include(CLAIM, RecordWrite::claim);
    }
}

package dev.refrain.store.jdbc.internal.record;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.KeyHash;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.WriteResponse;
import dev.refrain.store.WriteResponse.Written;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.PartialBatchException;
import dev.refrain.store.jdbc.internal.sql.ResultRow;
import dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator.SqlErrorKind;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
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

/**
 * How the holder of a claim changes its record: one statement for all writes of a kind, each of which changes the row
 * only under its own (id, fence). What was not changed is read to say why, and whether an earlier sending of the same
 * write did it.
 *
 * <p>Only if that fails: data that cannot be stored splits the batch until its row fails alone; where somebody holds rows, it is sent again
 * without them.
 */
public final class RecordWriter {

    private static final ParameterizedScript<ClaimRef> CLAIM = ParameterizedScript.<ClaimRef>script("find")
            .uuid("lookup", c -> c.lookup().asUuid())
            .uuid("id", c -> c.id().value())
            .number("fence", ClaimRef::fence)
            .text("scope", c -> null)
            .text("namespace", c -> null)
            .text("key", c -> null);

    /** Records that nobody has locked; they are, until the transaction ends. */
    private static final ParameterizedScript<ClaimRef> UNLOCKED =
            ParameterizedScript.<ClaimRef>script("lock_free").include(CLAIM, c -> c);

    private static final ParameterizedScript<RecordWrite.Complete> COMPLETE = RecordWriter.<RecordWrite.Complete>of(
                    "complete")
            .bytes("outcome", w -> ColumnCodes.bytes(w.outcome()))
            .nullableNumber("retention", w -> w.retention().map(ColumnCodes::of).orElse(null));

    private static final ParameterizedScript<RecordWrite.Release> RELEASE =
            RecordWriter.<RecordWrite.Release>of("release").duration("pause", RecordWrite.Release::retryDelay);

    private static final ParameterizedScript<RecordWrite.Escalate> ESCALATE =
            RecordWriter.<RecordWrite.Escalate>of("escalate").text("reason", RecordWrite.Escalate::reason);

    private static final ParameterizedScript<RecordWrite.Checkpoint> CHECKPOINT =
            RecordWriter.<RecordWrite.Checkpoint>of("checkpoint")
                    .text("recovery_point", RecordWrite.Checkpoint::recoveryPoint)
                    .bytes("carried", w -> ColumnCodes.bytes(w.carried()))
                    .nullableNumber(
                            "lease",
                            w -> w.lease().map(ParameterizedScript::micros).orElse(null));

    private static final ParameterizedScript<RecordWrite.Complete> COMPLETE_ONE =
            ParameterizedScript.<RecordWrite.Complete>script("complete_one").include(COMPLETE, w -> w);

    private static final ParameterizedScript<RecordWrite.Checkpoint> CHECKPOINT_ONE =
            ParameterizedScript.<RecordWrite.Checkpoint>script("checkpoint_one").include(CHECKPOINT, w -> w);

    private static final ParameterizedScript<RecordWrite.Renew> RENEW =
            RecordWriter.<RecordWrite.Renew>of("renew").duration("lease", RecordWrite.Renew::lease);

    private final SqlSession session;
    private final Set<KeyHash> written = new HashSet<>();
    private final Map<KeyHash, StoreException> failed = new HashMap<>();

    private RecordWriter(SqlSession session) {
        this.session = session;
    }

    public static List<WriteResponse> write(SqlSession session, List<? extends RecordWrite> writes)
            throws SQLException {
        var writing = new RecordWriter(session);
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
            // One kind is one statement; several are made one step, so that what fails has done nothing.
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

    /** In halves, until the guilty one is alone. */
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

    /** Once more without the rows that somebody holds; those fail alone, and the others need not wait for them. */
    private void writeUnlocked(List<RecordWrite> writes) throws SQLException {
        var claims = writes.stream().map(RecordWrite::claim).toList();
        var free = new HashSet<KeyHash>();
        try {
            written.addAll(session.inTransaction(() -> {
                free.addAll(session.runBatch(UNLOCKED, claims, ResultRow::lookup));
                return send(byKind(writes.stream()
                        .filter(w -> free.contains(w.claim().lookup()))
                        .toList()));
            }));
        } catch (SQLException e) {
            if (session.dialect().failures().classify(e) != SqlErrorKind.LOCKED) {
                throw e;
            }
            // What is held is not the record but something beside it.
            writeApart(writes, e);
            return;
        }
        // One that is absent or has moved on is nobody's to wait for: it is refused.
        var current = current(session, claims);
        for (var claim : claims) {
            var record = Optional.ofNullable(current.get(claim.lookup()));
            if (!free.contains(claim.lookup())
                    && record.filter(r -> r.claim().equals(claim) && isOpen(r)).isPresent()) {
                failed.put(
                        claim.lookup(),
                        RowRejectedException.locked(
                                "Writing record " + claim.id() + ": somebody holds its row. Try again.", null));
            }
        }
    }

    private static boolean isOpen(StoredRecord record) {
        return record.state() == RecordState.IN_PROGRESS || record.state() == RecordState.ATTENTION;
    }

    /** The end of a phase, as a part of what the session has open. */
    public static WriteResponse writeInTransaction(SqlSession session, RecordWrite write) throws SQLException {
        var writing = new RecordWriter(session);
        writing.written.addAll(
                switch (write) {
                    case RecordWrite.Checkpoint passed -> session.run(CHECKPOINT_ONE, passed, ResultRow::lookup);
                    case RecordWrite.Complete done -> session.run(COMPLETE_ONE, done, ResultRow::lookup);
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
            // Of one that cannot be read this much is known: it is not the asker's any more.
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

    /** Sorted, so that rows are locked in one order; answers which were changed. */
    private List<KeyHash> send(Collection<List<RecordWrite>> kinds) throws SQLException {
        var changed = new ArrayList<KeyHash>();
        for (var kind : kinds) {
            changed.addAll(
                    switch (kind.getFirst()) {
                        case RecordWrite.Complete first -> send(COMPLETE, RecordWrite.Complete.class, kind);
                        case RecordWrite.Release first -> send(RELEASE, RecordWrite.Release.class, kind);
                        case RecordWrite.Escalate first -> send(ESCALATE, RecordWrite.Escalate.class, kind);
                        case RecordWrite.Checkpoint first -> send(CHECKPOINT, RecordWrite.Checkpoint.class, kind);
                        case RecordWrite.Renew first -> send(RENEW, RecordWrite.Renew.class, kind);
                    });
        }
        return changed;
    }

    private <W extends RecordWrite> List<KeyHash> send(
            ParameterizedScript<W> question, Class<W> kind, List<RecordWrite> writes) throws SQLException {
        return session.runBatch(question, writes.stream().map(kind::cast).toList(), ResultRow::lookup);
    }

    private WriteResponse answer(RecordWrite write, Optional<StoredRecord> current) {
        var failure = failed.get(write.claim().lookup());
        if (failure != null) {
            return new WriteResponse.Failed(failure);
        }
        return written.contains(write.claim().lookup()) ? new Written() : WriteResponse.forUnchanged(write, current);
    }

    private static <W extends RecordWrite> ParameterizedScript<W> of(String script) {
        return ParameterizedScript.<W>script(script).include(CLAIM, RecordWrite::claim);
    }
}

package dev.refrain.store.jdbc;

import dev.refrain.key.Lookup;
import dev.refrain.store.ClaimRef;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import dev.refrain.store.WriteAnswer.Written;
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
 */
final class Writing {

    private static final Question<ClaimRef> CLAIM = Question.<ClaimRef>script("find")
            .uuid("lookup", c -> c.lookup().asUuid())
            .uuid("id", c -> c.id().value())
            .number("fence", ClaimRef::fence)
            .text("scope", c -> null)
            .text("namespace", c -> null)
            .text("key", c -> null);

    private static final Question<Write.Complete> COMPLETE = Writing.<Write.Complete>of("complete")
            .bytes("outcome", w -> Codes.bytes(w.outcome()))
            .nullableNumber("retention", w -> w.retention().map(Codes::of).orElse(null));

    private static final Question<Write.Release> RELEASE =
            Writing.<Write.Release>of("release").duration("pause", Write.Release::retryDelay);

    private static final Question<Write.Escalate> ESCALATE =
            Writing.<Write.Escalate>of("escalate").text("reason", Write.Escalate::reason);

    private static final Question<Write.Checkpoint> CHECKPOINT = Writing.<Write.Checkpoint>of("checkpoint")
            .text("recovery_point", Write.Checkpoint::recoveryPoint)
            .bytes("carried", w -> Codes.bytes(w.carried()))
            .nullableNumber("lease", w -> w.lease().map(Question::micros).orElse(null));

    private static final Question<Write.Complete> COMPLETE_ONE =
            Question.<Write.Complete>script("complete_one").include(COMPLETE, w -> w);

    private static final Question<Write.Checkpoint> CHECKPOINT_ONE =
            Question.<Write.Checkpoint>script("checkpoint_one").include(CHECKPOINT, w -> w);

    private static final Question<Write.Renew> RENEW =
            Writing.<Write.Renew>of("renew").duration("lease", Write.Renew::lease);

    private final Session session;
    private final Set<Lookup> written = new HashSet<>();

    private Writing(Session session) {
        this.session = session;
    }

    static List<WriteAnswer> write(Session session, List<? extends Write> writes) throws SQLException {
        var writing = new Writing(session);
        var kinds = byKind(writes);
        // One kind is one statement; several are made one step, so that a row that is rejected rejects them all.
        if (kinds.size() == 1) {
            session.atomically(() -> writing.send(kinds));
        } else {
            session.inTransaction(() -> writing.send(kinds));
        }
        var refused = writes.stream()
                .filter(w -> !writing.written.contains(w.claim().lookup()))
                .toList();
        var current = refused.isEmpty() ? Map.<Lookup, StoredRecord>of() : writing.current(refused);
        return writes.stream()
                .map(w -> writing.answer(
                        w, Optional.ofNullable(current.get(w.claim().lookup()))))
                .toList();
    }

    /** The end of a phase, as a part of what the session has open. */
    static WriteAnswer writeInTransaction(Session session, Write write) throws SQLException {
        var writing = new Writing(session);
        writing.written.addAll(
                switch (write) {
                    case Write.Checkpoint passed -> session.run(CHECKPOINT_ONE, passed, Columns::lookup);
                    case Write.Complete done -> session.run(COMPLETE_ONE, done, Columns::lookup);
                    default ->
                        throw new IllegalArgumentException(
                                "A phase ends at a point or at the outcome, not by " + write);
                });
        boolean changed = writing.written.contains(write.claim().lookup());
        var current = changed ? Map.<Lookup, StoredRecord>of() : writing.current(List.of(write));
        return writing.answer(
                write, Optional.ofNullable(current.get(write.claim().lookup())));
    }

    static Map<Lookup, StoredRecord> current(Session session, List<ClaimRef> claims) throws SQLException {
        var found = new HashMap<Lookup, StoredRecord>();
        for (var seen : session.runBatch(CLAIM, claims, Seen::read)) {
            // Of one that cannot be read this much is known: it is not the asker's any more.
            if (seen.unreadable().isEmpty()) {
                seen.record().filter(r -> !r.isExpired()).ifPresent(r -> found.put(seen.lookup(), r));
            }
        }
        return found;
    }

    private Map<Lookup, StoredRecord> current(List<? extends Write> refused) throws SQLException {
        return current(session, refused.stream().map(Write::claim).toList());
    }

    private static Collection<List<Write>> byKind(List<? extends Write> writes) {
        var kinds = new LinkedHashMap<Class<?>, List<Write>>();
        var sorted = new ArrayList<Write>(writes);
        sorted.sort(Comparator.comparing(w -> w.claim().lookup()));
        for (var write : sorted) {
            kinds.computeIfAbsent(write.getClass(), k -> new ArrayList<>()).add(write);
        }
        return kinds.values();
    }

    private boolean send(Collection<List<Write>> kinds) throws SQLException {
        for (var kind : kinds) {
            switch (kind.getFirst()) {
                case Write.Complete first -> send(COMPLETE, Write.Complete.class, kind);
                case Write.Release first -> send(RELEASE, Write.Release.class, kind);
                case Write.Escalate first -> send(ESCALATE, Write.Escalate.class, kind);
                case Write.Checkpoint first -> send(CHECKPOINT, Write.Checkpoint.class, kind);
                case Write.Renew first -> send(RENEW, Write.Renew.class, kind);
            }
        }
        return true;
    }

    private <W extends Write> void send(Question<W> question, Class<W> kind, List<Write> writes) throws SQLException {
        written.addAll(session.runBatch(question, writes.stream().map(kind::cast).toList(), Columns::lookup));
    }

    private WriteAnswer answer(Write write, Optional<StoredRecord> current) {
        return written.contains(write.claim().lookup()) ? new Written() : WriteAnswer.forUnchanged(write, current);
    }

    private static <W extends Write> Question<W> of(String script) {
        return Question.<W>script(script).include(CLAIM, Write::claim);
    }
}

package dev.refrain.store.jdbc.internal.record;

import dev.refrain.api.KeyHash;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/** Reads records by their identities. */
public final class RecordFinder {

    private record RecordKey(KeyHash lookup, ScopedKey identity) {}

    private static final ParameterizedScript<RecordKey> FIND = ParameterizedScript.<RecordKey>script("find")
            .uuid("lookup", w -> w.lookup().asUuid())
            .text("scope", w -> w.identity().scope())
            .text("namespace", w -> w.identity().namespace())
            .text("key", w -> w.identity().key());

    private RecordFinder() {}

    /** Reads the record that a claim would meet, even if it has expired; rejects that of another identity. */
    public static Optional<StoredRecord> findEvenExpired(SqlSession session, ClaimRequest request) throws SQLException {
        var rows = session.runBatch(ClaimScripts.FIND, List.of(request), RecordRow::read);
        rows.forEach(row -> row.liveRecordOf(request.identity()));
        return rows.stream().flatMap(row -> row.record().stream()).findFirst();
    }

    public static List<Optional<StoredRecord>> find(SqlSession session, List<ScopedKey> identities)
            throws SQLException {
        var wanted = identities.stream().map(i -> new RecordKey(i.hash(), i)).toList();
        var found = new HashMap<KeyHash, RecordRow>();
        session.runBatch(FIND, wanted, RecordRow::read).forEach(seen -> found.put(seen.lookup(), seen));
        return wanted.stream()
                .map(w -> Optional.ofNullable(found.get(w.lookup())).flatMap(seen -> seen.liveRecordOf(w.identity())))
                .toList();
    }
}

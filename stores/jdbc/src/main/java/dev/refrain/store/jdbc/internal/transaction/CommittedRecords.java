package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.store.ClaimRequest;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.jdbc.internal.connection.DedicatedConnections;
import dev.refrain.store.jdbc.internal.record.RecordFinder;
import dev.refrain.store.jdbc.internal.record.RecordMaintenance;
import dev.refrain.store.jdbc.internal.sql.Dialect;
import java.util.Optional;

/** Records as they are now for everybody, whatever snapshot a transaction reads by. Thread-safe. */
@FunctionalInterface
public interface CommittedRecords {

    /** Returns the record that a claim would meet. One that has expired is removed, unless somebody holds it. */
    Optional<StoredRecord> find(ClaimRequest request);

    /**
     * Returns those that the store's own connections read.
     *
     * <p>A transaction that replaced an expired record itself would read what belongs to it, and would fail if the reaper came first.
     */
    static CommittedRecords on(DedicatedConnections connections, Dialect dialect) {
        return request -> {
            var found = connections.reads().read("Reading a record", s -> RecordFinder.findEvenExpired(s, request));
            if (found.filter(StoredRecord::isExpired).isEmpty() || !dialect.hasConcurrentWriters()) {
                return found;
            }
            boolean removed = connections
                    .writes()
                    .write("Removing an expired record", s -> RecordMaintenance.reapOne(s, found.get()));
            return removed
                    ? Optional.empty()
                    : connections.reads().read("Reading a record", s -> RecordFinder.findEvenExpired(s, request));
        };
    }
}

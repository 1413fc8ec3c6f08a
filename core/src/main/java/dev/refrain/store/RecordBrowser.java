package dev.refrain.store;

import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;
import java.util.List;
import java.util.Optional;

/**
 * Store ability: finds records for people.
 *
 * <p>The cost of a query does not grow with the number of records: each reads one row or scans a bounded part of an index. The
 * contents of records (request, outcome) are not shown here but read by {@link Store#find}, after {@link #auditReveal}. An
 * expired record is absent, as everywhere. Thread-safe; failures are {@link StoreException}s.
 */
public interface RecordBrowser {

    Optional<RecordView> find(ScopedKey identity);

    /**
     * Finds the record with this id.
     *
     * @throws StoreException if this store is not set up to find records by id; the message says how to enable it
     */
    Optional<RecordView> find(RecordId id);

    /**
     * Returns the matching records that a bounded scan finds.
     *
     * @throws StoreException if this store is not set up to scan in the order that the search needs; the message says how to
     *     enable it
     * @throws IllegalArgumentException if the search's cursor is invalid
     */
    RecordPage search(RecordSearch search);

    /** Lists actions of people on this record, newest first, within the last ten thousand entries of the audit trail. */
    List<AuditEntry> audit(RecordId id, int limit);

    /** Records in the audit trail that someone viewed a record's contents, and why. */
    void auditReveal(RecordId id, String who, String why);
}

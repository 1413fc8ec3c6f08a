package dev.refrain.store;

import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;
import java.util.List;
import java.util.Optional;

/**
 * Store ability: answers people who look at records.
 *
 * <p>No question costs more the more records there are: each is a point, or a walk of bounded length along an index. What the
 * records say (request, outcome) is not shown here but read by {@link Store#find}, after {@link #auditReveal}. An expired record is
 * absent, as everywhere. Safe for use by many threads; failures are {@link StoreException}s.
 */
public interface RecordBrowser {

    Optional<RecordView> find(ScopedKey identity);

    /**
     * The record of that id.
     *
     * @throws StoreException if this store cannot find records by their id as it is set up; the message says what would let it
     */
    Optional<RecordView> find(RecordId id);

    /**
     * The records that a search wants, as far as a bounded walk finds them.
     *
     * @throws StoreException if this store cannot walk in the order that the search needs; the message says what would let it
     * @throws IllegalArgumentException if the search goes on from what is no cursor
     */
    RecordPage search(RecordSearch search);

    /** What was done to this record by people, newest first; no further back than the last ten thousand entries of the trail. */
    List<AuditEntry> audit(RecordId id, int limit);

    /** Writes into the audit trail that someone had a record's contents shown, and why. */
    void auditReveal(RecordId id, String who, String why);
}

package dev.refrain.store.cas;

import dev.refrain.api.KeyHash;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.ClaimOrigin;
import dev.refrain.store.StoreException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Table of records that a database reads consistently and writes by compare and set; {@link CompareAndSetStore} makes a store of it. It decides
 * nothing. Thread-safe; failures are {@link StoreException}s.
 */
public interface RecordTable extends AutoCloseable {

    /**
     * Row to write.
     *
     * @param expected revision of the row that it replaces; null if there must be none
     */
    record ConditionalPut(RecordRow row, @Nullable String expected) {}

    /** Answer to a {@link ConditionalPut}, or to a read of one row. */
    sealed interface TableReply {

        /** The row was written. */
        record Stored() implements TableReply {}

        /** This row is there, read consistently; for a put, it is not the expected one and nothing was written. */
        record Present(String revision, Map<String, Object> values) implements TableReply {}

        /** No row is there; for a put, although one was expected. */
        record Absent() implements TableReply {}

        /** This row alone failed. */
        record Unanswered(StoreException failure) implements TableReply {}
    }

    /** Place in a list, to go on behind it. */
    record ListPosition(KeyHash lookup, Instant since) {}

    /** Part of a list in its order. */
    record ListPage(List<ListPosition> entries, boolean more) {}

    /** Writes each row for itself, and answers each in order. */
    List<TableReply> putAll(List<ConditionalPut> puts);

    /** Writes a row and a line of the audit trail, both or neither. */
    TableReply putAudited(ConditionalPut put, AuditEntry line);

    /** Reads rows consistently, and answers each in order. */
    List<TableReply> getAll(List<KeyHash> lookups);

    /**
     * Reads a list of unfinished records, which may lag behind the rows.
     *
     * @param after the last entry of the page before; null for the first page
     */
    ListPage list(RecordRow.RecordList list, @Nullable ListPosition after, int limit);

    /** Passes the lookups of all records of a scope, page by page; the list may lag behind the rows. */
    void forEachOfScope(String scope, Consumer<List<KeyHash>> page);

    /** Counts the records of a scope up to so many. */
    long countScope(String scope, long upTo);

    /** Returns the values of some rows, a bounded number. */
    List<Map<String, Object>> sample();

    void addAudit(AuditEntry line);

    /** Lists the audit trail, newest first. */
    List<AuditEntry> listAudit(int limit);

    /** Adds the steps of an operation to those that are known. */
    void addSteps(ClaimOrigin origin);

    /** Returns the steps that are known of an operation. */
    Collection<String> steps(String operation);

    void addMark(String mark);

    Set<String> marks();

    @Override
    void close();
}

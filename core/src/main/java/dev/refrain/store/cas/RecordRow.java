package dev.refrain.store.cas;

import dev.refrain.api.KeyHash;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Row of one record in a table that compares and sets.
 *
 * @param revision new with each write: what the next write compares, and what tells a writer whose reply was lost that its write took effect
 * @param values texts, whole numbers ({@link Long}), bytes and lists of texts, by names that are short words
 * @param listing the list that shows the record to workers; empty for a settled record
 * @param scope the scope that lists the record; empty once it was erased
 * @param removableFrom the moment from which the database may delete the row by itself; empty if it must not
 */
public record RecordRow(
        KeyHash lookup,
        String revision,
        Map<String, Object> values,
        Optional<Listing> listing,
        Optional<String> scope,
        Optional<Instant> removableFrom) {

    /** Lists of unfinished records. */
    public enum RecordList {
        /** In progress, oldest claim first. */
        RUNNING,
        /** In attention, oldest first. */
        ATTENTION
    }

    /**
     * Place in a list.
     *
     * @param since first claim, or begin of attention; records of the same moment are ordered by lookup
     */
    public record Listing(RecordList list, Instant since) {}
}

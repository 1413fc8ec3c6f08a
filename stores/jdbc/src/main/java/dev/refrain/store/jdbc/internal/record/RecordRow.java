package dev.refrain.store.jdbc.internal.record;

import dev.refrain.api.KeyHash;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.Fingerprint;
import dev.refrain.store.RecordState;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.jdbc.internal.sql.ResultRow;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * What a statement found under one lookup.
 *
 * @param same whether it is the record of the asked identity, or an erased one that can be anybody's
 * @param record empty if it did not exist and the same statement made it
 * @param unreadable why a record that is there cannot be told
 */
public record RecordRow(
        KeyHash lookup, boolean same, Optional<StoredRecord> record, Optional<RowRejectedException> unreadable) {

    /** What this version reads and writes. */
    private static final int FORMAT = 1;

    private static final int OUTCOME_BIT = 1;

    public static RecordRow read(ResultRow columns) throws SQLException {
        if (columns.flag("fresh")) {
            return created(columns);
        }
        var lookup = columns.lookup();
        boolean same = columns.flag("same");
        try {
            return new RecordRow(lookup, same, Optional.of(record(lookup, columns)), Optional.empty());
        } catch (RowRejectedException why) {
            // Not thrown here: the same statement may have made the records of others.
            return new RecordRow(lookup, same, Optional.empty(), Optional.of(why));
        }
    }

    /** Of a statement that answers only with what it made. */
    public static RecordRow created(ResultRow columns) throws SQLException {
        return new RecordRow(columns.lookup(), true, Optional.empty(), Optional.empty());
    }

    /** @throws RowRejectedException if it cannot be read: it stands in its own way and in nobody else's */
    @Override
    public Optional<StoredRecord> record() {
        unreadable.ifPresent(why -> {
            throw why;
        });
        return record;
    }

    public boolean isCreated() {
        return record.isEmpty() && unreadable.isEmpty();
    }

    /** The record, if it is the identity's and not over. */
    public Optional<StoredRecord> liveRecordOf(ScopedKey identity) {
        var alive = record().filter(r -> !r.isExpired());
        if (alive.isPresent()) {
            requireIdentity(identity);
        }
        return alive;
    }

    /**
     * Sixteen bytes can be the same for two identities, if someone works hard for it: then the second is turned away.
     */
    public void requireIdentity(ScopedKey identity) {
        if (!same) {
            throw RowRejectedException.badData(
                    "Another identity's record lies where " + identity + " would be stored; use another key.",
                    new IllegalStateException("lookup " + lookup + " is taken"));
        }
    }

    private static StoredRecord record(KeyHash lookup, ResultRow columns) throws SQLException {
        var id = new RecordId(columns.uuid("id"));
        long format = columns.number("format");
        if (format != FORMAT) {
            throw RowRejectedException.badData(
                    "Record " + id + " has format " + format + ", and this version of Refrain reads format " + FORMAT
                            + ": upgrade this instance.",
                    null);
        }
        var state = ColumnCodes.state((int) columns.number("state"));
        var outcome = columns.payload("outcome");
        if (state == RecordState.COMPLETED && outcome.isEmpty() && (columns.number("parts") & OUTCOME_BIT) != 0) {
            throw RowRejectedException.badData(
                    "The outcome of record " + id + " is missing from refrain_payload: restore that table.", null);
        }
        return new StoredRecord(
                lookup,
                id,
                columns.number("fence"),
                columns.uuid("owner"),
                state,
                columns.flag("hold") ? LeaseExpiryPolicy.HOLD : LeaseExpiryPolicy.RESUME,
                fingerprint(columns),
                columns.textIfAny("recovery_point"),
                columns.optionalDuration("lease_left").orElse(Duration.ZERO),
                columns.optionalDuration("life_left"),
                outcome,
                columns.payload("request"),
                columns.payload("carried"));
    }

    private static Optional<Fingerprint> fingerprint(ResultRow columns) throws SQLException {
        byte[] digest = columns.bytesIfAny("fingerprint");
        try {
            return digest == null ? Optional.empty() : Optional.of(Fingerprint.stored(columns.text("recipe"), digest));
        } catch (IllegalArgumentException damaged) {
            throw RowRejectedException.badData("A stored fingerprint is damaged: restore refrain_record.", damaged);
        }
    }
}

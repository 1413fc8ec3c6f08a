package dev.refrain.store.jdbc.internal.record;

import dev.refrain.api.KeyHash;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.Fingerprint;
import dev.refrain.store.RecordState;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.jdbc.internal.sql.SqlResultRow;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * Row found under one lookup.
 *
 * @param same whether it is the record of the requested identity, or an erased one, which may be anybody's
 * @param record empty if it did not exist and the same statement created it
 * @param unreadable why an existing record cannot be read
 */
public record RecordRow(
        KeyHash lookup, boolean same, Optional<StoredRecord> record, Optional<RowRejectedException> unreadable) {

    /** Record format that this version reads and writes. */
    private static final int FORMAT = 1;

    private static final int OUTCOME_BIT = 1;

    public static RecordRow read(SqlResultRow columns) throws SQLException {
        if (columns.flag("fresh")) {
            return created(columns);
        }
        var lookup = columns.lookup();
        boolean same = columns.flag("same");
        try {
            return new RecordRow(lookup, same, Optional.of(record(lookup, columns)), Optional.empty());
        } catch (RowRejectedException why) {
            // Not thrown here: the same statement may have created other records.
            return new RecordRow(lookup, same, Optional.empty(), Optional.of(why));
        }
    }

    /** Reads a row of a statement that returns only what it created. */
    public static RecordRow created(SqlResultRow columns) throws SQLException {
        return new RecordRow(columns.lookup(), true, Optional.empty(), Optional.empty());
    }

    /**
     * Returns the record.
     *
     * @throws RowRejectedException if it cannot be read; the failure concerns this row alone
     */
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

    /** Returns the record, if it belongs to the identity and has not expired. */
    public Optional<StoredRecord> liveRecordOf(ScopedKey identity) {
        var alive = record().filter(r -> !r.isExpired());
        if (alive.isPresent()) {
            requireIdentity(identity);
        }
        return alive;
    }

    /**
     * Requires the same identity. Two identities can share a hash of sixteen bytes, if someone tries hard: then the second is
     * rejected.
     */
    public void requireIdentity(ScopedKey identity) {
        if (!same) {
            throw RowRejectedException.badData(
                    "Another identity's record lies where " + identity + " would be stored; use another key.",
                    new IllegalStateException("lookup " + lookup + " is taken"));
        }
    }

    private static StoredRecord record(KeyHash lookup, SqlResultRow columns) throws SQLException {
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
                columns.textIfAny("recovery_point").map(ColumnCodes::recoveryPoint),
                columns.optionalDuration("lease_left").orElse(Duration.ZERO),
                columns.optionalDuration("life_left"),
                outcome,
                columns.payload("request"),
                columns.payload("carried"));
    }

    private static Optional<Fingerprint> fingerprint(SqlResultRow columns) throws SQLException {
        byte[] digest = columns.bytesIfAny("fingerprint");
        try {
            return digest == null ? Optional.empty() : Optional.of(Fingerprint.stored(columns.text("recipe"), digest));
        } catch (IllegalArgumentException damaged) {
            throw RowRejectedException.badData("A stored fingerprint is damaged: restore refrain_record.", damaged);
        }
    }
}

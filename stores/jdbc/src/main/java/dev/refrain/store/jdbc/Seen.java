package dev.refrain.store.jdbc;

import dev.refrain.fingerprint.Fingerprint;
import dev.refrain.key.Identity;
import dev.refrain.key.Lookup;
import dev.refrain.key.RecordId;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.State;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.TakeOver;
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
record Seen(Lookup lookup, boolean same, Optional<StoredRecord> record, Optional<RowRejectedException> unreadable) {

    /** What this version reads and writes. */
    private static final int FORMAT = 1;

    private static final int OUTCOME_BIT = 1;

    static Seen read(Columns columns) throws SQLException {
        if (columns.flag("fresh")) {
            return created(columns);
        }
        var lookup = columns.lookup();
        boolean same = columns.flag("same");
        try {
            return new Seen(lookup, same, Optional.of(record(lookup, columns)), Optional.empty());
        } catch (RowRejectedException why) {
            // Not thrown here: the same statement may have made the records of others.
            return new Seen(lookup, same, Optional.empty(), Optional.of(why));
        }
    }

    /** Of a statement that answers only with what it made. */
    static Seen created(Columns columns) throws SQLException {
        return new Seen(columns.lookup(), true, Optional.empty(), Optional.empty());
    }

    /** @throws RowRejectedException if it cannot be read: it stands in its own way and in nobody else's */
    @Override
    public Optional<StoredRecord> record() {
        unreadable.ifPresent(why -> {
            throw why;
        });
        return record;
    }

    boolean isCreated() {
        return record.isEmpty() && unreadable.isEmpty();
    }

    /** The record, if it is the identity's and not over. */
    Optional<StoredRecord> liveRecordOf(Identity identity) {
        var alive = record().filter(r -> !r.isExpired());
        if (alive.isPresent()) {
            requireIdentity(identity);
        }
        return alive;
    }

    /**
     * Sixteen bytes can be the same for two identities, if someone works hard for it: then the second is turned away.
     */
    void requireIdentity(Identity identity) {
        if (!same) {
            throw RowRejectedException.badData(
                    "Another identity's record lies where " + identity + " would be stored; use another key.",
                    new IllegalStateException("lookup " + lookup + " is taken"));
        }
    }

    private static StoredRecord record(Lookup lookup, Columns columns) throws SQLException {
        var id = new RecordId(columns.uuid("id"));
        long format = columns.number("format");
        if (format != FORMAT) {
            throw RowRejectedException.badData(
                    "Record " + id + " has format " + format + ", and this version of Refrain reads format " + FORMAT
                            + ": upgrade this instance.",
                    null);
        }
        var state = Codes.state((int) columns.number("state"));
        var outcome = columns.payload("outcome");
        if (state == State.COMPLETED && outcome.isEmpty() && (columns.number("parts") & OUTCOME_BIT) != 0) {
            throw RowRejectedException.badData(
                    "The outcome of record " + id + " is missing from refrain_payload: restore that table.", null);
        }
        return new StoredRecord(
                lookup,
                id,
                columns.number("fence"),
                columns.uuid("owner"),
                state,
                columns.flag("hold") ? TakeOver.HOLD : TakeOver.RESUME,
                fingerprint(columns),
                columns.textIfAny("recovery_point"),
                columns.optionalDuration("lease_left").orElse(Duration.ZERO),
                columns.optionalDuration("life_left"),
                outcome,
                columns.payload("request"),
                columns.payload("carried"));
    }

    private static Optional<Fingerprint> fingerprint(Columns columns) throws SQLException {
        byte[] digest = columns.bytesIfAny("fingerprint");
        try {
            return digest == null ? Optional.empty() : Optional.of(Fingerprint.stored(columns.text("recipe"), digest));
        } catch (IllegalArgumentException damaged) {
            throw RowRejectedException.badData("A stored fingerprint is damaged: restore refrain_record.", damaged);
        }
    }
}

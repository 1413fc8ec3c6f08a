package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.api.Payload;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.jdbc.internal.record.ClaimScripts;
import dev.refrain.store.jdbc.internal.record.ColumnCodes;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.SqlResultRow;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Single write of a transaction.
 *
 * @param acquired the record to be written
 * @param replaced the record that it replaces
 * @param operation id of its operation's name
 * @param frozen whether the transaction reads by a fixed snapshot
 */
record OutcomeWrite(
        ClaimRequest request,
        StoredRecord acquired,
        Optional<StoredRecord> replaced,
        Optional<Payload> outcome,
        OptionalLong operation,
        boolean frozen) {

    private static final ParameterizedScript<OutcomeWrite> ABSENT = settling("settle");
    private static final ParameterizedScript<OutcomeWrite> NOTED = settling("settle_noted");
    private static final ParameterizedScript<OutcomeWrite> SEEN = settling("settle_seen");
    private static final ParameterizedScript<OutcomeWrite> COMMIT = settling("settle_commit");

    /** Write and commit as the first half of a round trip. */
    static final ParameterizedScript<OutcomeWrite> CHAIN = settling("settle_chain");

    /**
     * Writes the record; refused if another record is there than was read.
     *
     * @param number of the run, for {@link OpenTransactionCheck}
     */
    RecordWriteResponse write(SqlSession session, long number) throws SQLException {
        OpenTransactionCheck.require(session, number);
        var written = session.run(script(), this, SqlResultRow::lookup);
        return written.isEmpty()
                ? new RecordWriteResponse.Refused(Optional.empty())
                : new RecordWriteResponse.Written();
    }

    private ParameterizedScript<OutcomeWrite> script() {
        return replaced.isPresent() ? SEEN : frozen ? NOTED : ABSENT;
    }

    /** Returns true if it can be sent together with the commit. */
    boolean fitsOneRoundTrip() {
        return replaced.isEmpty() && outcome.isPresent();
    }

    ScopedKey identity() {
        return request.identity();
    }

    /** Writes and commits in one round trip. */
    void writeAndCommit(SqlSession session) throws SQLException {
        session.run(COMMIT, this, (result, columns) -> {});
    }

    private static ParameterizedScript<OutcomeWrite> settling(String script) {
        return ParameterizedScript.<OutcomeWrite>script(script)
                .include(ClaimScripts.CLAIM, OutcomeWrite::request)
                .optionalNumber("operation", OutcomeWrite::operation)
                .uuid("id", s -> s.acquired().id().value())
                .number("fence", s -> s.acquired().fence())
                .bytes("outcome", s -> ColumnCodes.bytes(s.outcome()))
                .flag("has_outcome", s -> s.outcome().isPresent())
                .nullableNumber(
                        "life", s -> ColumnCodes.lifeOnceCompleted(s.request().retention()))
                .uuid("seen_id", s -> s.replaced().map(r -> r.id().value()).orElse(null))
                .nullableNumber(
                        "seen_fence", s -> s.replaced().map(StoredRecord::fence).orElse(null))
                .nullableNumber(
                        "seen_lease",
                        s -> s.replaced()
                                .map(StoredRecord::remainingLease)
                                .map(ParameterizedScript::micros)
                                .orElse(null))
                .nullableNumber(
                        "seen_state",
                        s -> s.replaced()
                                .map(r -> (long) ColumnCodes.of(r.state()))
                                .orElse(null));
    }
}

package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.api.Payload;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.WriteResponse;
import dev.refrain.store.jdbc.internal.record.ClaimExecutor;
import dev.refrain.store.jdbc.internal.record.ColumnCodes;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.ResultRow;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The one write of a transaction.
 *
 * @param acquired the record to be written
 * @param replaced the one that it takes the place of
 */
record OutcomeWrite(
        ClaimRequest request, StoredRecord acquired, Optional<StoredRecord> replaced, Optional<Payload> outcome) {

    private static final ParameterizedScript<OutcomeWrite> ABSENT = settling("settle");
    private static final ParameterizedScript<OutcomeWrite> SEEN = settling("settle_seen");
    private static final ParameterizedScript<OutcomeWrite> COMMIT = settling("settle_commit");
    static final ParameterizedScript<OutcomeWrite> CHAIN = settling("settle_chain");

    /**
     * Refused if something else is there than was seen.
     *
     * @param savepoint the number of the run's own
     */
    WriteResponse write(SqlSession session, long savepoint) throws SQLException {
        OpenTransactionCheck.require(session, savepoint);
        var written = session.run(replaced.isPresent() ? SEEN : ABSENT, this, ResultRow::lookup);
        return written.isEmpty() ? new WriteResponse.Refused(Optional.empty()) : new WriteResponse.Written();
    }

    /** Whether it can go out together with the commit. */
    boolean fitsOneRoundTrip() {
        return replaced.isEmpty() && outcome.isPresent();
    }

    ScopedKey identity() {
        return request.identity();
    }

    void writeAndCommit(SqlSession session) throws SQLException {
        session.run(COMMIT, this, (result, columns) -> {});
    }

    /** Takes back everything since the savepoint of this number. */
    static void rollbackToSavepoint(SqlSession session, long savepoint) throws SQLException {
        session.run(ParameterizedScript.<Boolean>script("undo#" + savepoint), true, (result, columns) -> {});
    }

    private static ParameterizedScript<OutcomeWrite> settling(String script) {
        return ParameterizedScript.<OutcomeWrite>script(script)
                .include(ClaimExecutor.CLAIM, OutcomeWrite::request)
                .uuid("id", s -> s.acquired().id().value())
                .number("fence", s -> s.acquired().fence())
                .bytes("outcome", s -> ColumnCodes.bytes(s.outcome()))
                .nullableNumber(
                        "life", s -> ColumnCodes.lifeOnceCompleted(s.request().retention()))
                .uuid("seen_id", s -> s.replaced().map(r -> r.id().value()).orElse(null))
                .nullableNumber(
                        "seen_fence", s -> s.replaced().map(StoredRecord::fence).orElse(null))
                .nullableNumber(
                        "seen_state",
                        s -> s.replaced()
                                .map(r -> (long) ColumnCodes.of(r.state()))
                                .orElse(null));
    }
}

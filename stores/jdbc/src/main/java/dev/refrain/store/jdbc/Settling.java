package dev.refrain.store.jdbc;

import dev.refrain.key.Identity;
import dev.refrain.outcome.Payload;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.WriteAnswer;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The one write of a transaction.
 *
 * @param acquired the record to be written
 * @param replaced the one that it takes the place of
 */
record Settling(ClaimRequest request, StoredRecord acquired, Optional<StoredRecord> replaced, Optional<Payload> outcome) {

    private static final Question<Settling> ABSENT = settling("settle");
    private static final Question<Settling> SEEN = settling("settle_seen");
    private static final Question<Settling> COMMIT = settling("settle_commit");
    static final Question<Settling> CHAIN = settling("settle_chain");

    /**
     * Refused if something else is there than was seen.
     *
     * @param savepoint the number of the run's own
     */
    WriteAnswer write(Session session, long savepoint) throws SQLException {
        StillOpen.require(session, savepoint);
        var written = session.run(replaced.isPresent() ? SEEN : ABSENT, this, Columns::lookup);
        return written.isEmpty() ? new WriteAnswer.Refused(Optional.empty()) : new WriteAnswer.Written();
    }

    /** Whether it can go out together with the commit. */
    boolean fitsOneRoundTrip() {
        return replaced.isEmpty() && outcome.isPresent();
    }

    Identity identity() {
        return request.identity();
    }

    void writeAndCommit(Session session) throws SQLException {
        session.run(COMMIT, this, (result, columns) -> {});
    }

    /** Takes back everything since the savepoint of this number. */
    static void rollbackToSavepoint(Session session, long savepoint) throws SQLException {
        session.run(Question.<Boolean>script("undo#" + savepoint), true, (result, columns) -> {});
    }

    private static Question<Settling> settling(String script) {
        return Question.<Settling>script(script)
                .include(Claiming.CLAIM, Settling::request)
                .uuid("id", s -> s.acquired().id().value())
                .number("fence", s -> s.acquired().fence())
                .bytes("outcome", s -> Codes.bytes(s.outcome()))
                .nullableNumber("life", s -> Codes.lifeOnceCompleted(s.request().retention()))
                .uuid("seen_id", s -> s.replaced().map(r -> r.id().value()).orElse(null))
                .nullableNumber(
                        "seen_fence", s -> s.replaced().map(StoredRecord::fence).orElse(null))
                .nullableNumber(
                        "seen_state",
                        s -> s.replaced().map(r -> (long) Codes.of(r.state())).orElse(null));
    }
}

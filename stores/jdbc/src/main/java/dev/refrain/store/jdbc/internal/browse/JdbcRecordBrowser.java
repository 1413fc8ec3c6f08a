package dev.refrain.store.jdbc.internal.browse;

import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.RecordBrowser;
import dev.refrain.store.RecordPage;
import dev.refrain.store.RecordSearch;
import dev.refrain.store.RecordView;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.jdbc.internal.connection.DedicatedConnections;
import dev.refrain.store.jdbc.internal.record.OperatorStatements;
import dev.refrain.store.jdbc.internal.record.RecordExplainer;
import dev.refrain.store.jdbc.internal.schema.BrowsingIndexInstaller;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Reads records without delaying traffic: on the connection of the workers, or, if that is the single writer's, of the reads.
 */
public final class JdbcRecordBrowser implements RecordBrowser {

    /** Maximum number of records that one scan examines. */
    public static final int WALK = 5_000;

    private static final int AUDIT_WALK = 10_000;

    /**
     * Possible distance between the time in an id and the first claim: clock skew between instance and store, and the duration of
     * a transactional run; the usual one first, then the greatest.
     */
    private static final List<Duration> APART = List.of(Duration.ofSeconds(5), Duration.ofMinutes(20));

    private record IdTimeWindow(RecordId id, Duration apart) {

        /** Returns the time in an id: ids begin with the millisecond of their creation. */
        Instant at() {
            return Instant.ofEpochMilli(id.value().getMostSignificantBits() >>> 16);
        }
    }

    private record AuditSearch(String target, int limit) {}

    private static final ParameterizedScript<ScopedKey> ONE = ParameterizedScript.<ScopedKey>script("view_one")
            .uuid("lookup", i -> i.hash().asUuid());

    private static final ParameterizedScript<IdTimeWindow> BY_ID = ParameterizedScript.<IdTimeWindow>script("view_id")
            .uuid("id", m -> m.id().value())
            .number("since", m -> ParameterizedScript.micros(m.at().minus(m.apart())))
            .number("until", m -> ParameterizedScript.micros(m.at().plus(m.apart())));

    private static final ParameterizedScript<AuditSearch> AUDIT = ParameterizedScript.<AuditSearch>script("audit_of")
            .note("target", AuditSearch::target)
            .number("walk", t -> AUDIT_WALK)
            .number("limit", AuditSearch::limit);

    private final DedicatedConnections connections;
    private volatile boolean indexed;

    public JdbcRecordBrowser(DedicatedConnections connections) {
        this.connections = connections;
    }

    @Override
    public Optional<RecordView> find(ScopedKey identity) {
        return connections
                .forBrowsing()
                .read(
                        "Looking at a record",
                        s -> RecordExplainer.complete(s, s.run(ONE, identity, RecordViewRowMapper::read)))
                .stream()
                .filter(view -> view.identity().filter(identity::equals).isPresent())
                .findFirst();
    }

    @Override
    public Optional<RecordView> find(RecordId id) {
        return connections.forBrowsing().read("Looking at record " + id, s -> {
            requireBrowsable(s, "A record is found by its id");
            return findMinted(s, id);
        });
    }

    private static Optional<RecordView> findMinted(SqlSession session, RecordId id) throws SQLException {
        for (var apart : APART) {
            var found = RecordExplainer.complete(
                    session, session.run(BY_ID, new IdTimeWindow(id, apart), RecordViewRowMapper::read));
            if (!found.isEmpty()) {
                return Optional.of(found.getFirst());
            }
        }
        return Optional.empty();
    }

    @Override
    public RecordPage search(RecordSearch search) {
        return connections.forBrowsing().read("Listing records", s -> list(s, search));
    }

    private RecordPage list(SqlSession session, RecordSearch search) throws SQLException {
        var walk = RecordScan.of(search, isBrowsable(session));
        if (walk.order() == RecordPage.Order.NEWEST_FIRST) {
            requireBrowsable(session, "Records of all scopes are listed");
        }
        return walk.page(walk.fetch(session));
    }

    @Override
    public List<AuditEntry> audit(RecordId id, int limit) {
        return connections
                .forBrowsing()
                .read(
                        "Reading the audit trail",
                        s -> s.run(AUDIT, new AuditSearch(id.toString(), limit), OperatorStatements::auditEntry));
    }

    @Override
    public void auditReveal(RecordId id, String who, String why) {
        RevealAuditEntry.write(connections.maintenance(), "reveal", id.toString(), who, why);
    }

    /**
     * Returns true if the index exists, or if the table is so small that it is read without one. Once found the index is assumed to stay;
     * if it is dropped by hand, statements are slow but correct.
     */
    private boolean isBrowsable(SqlSession session) throws SQLException {
        if (indexed) {
            return true;
        }
        var found = BrowsingIndexInstaller.status(session);
        indexed = found.whole();
        return indexed || found.small();
    }

    private void requireBrowsable(SqlSession session, String what) throws SQLException {
        if (!isBrowsable(session)) {
            throw StoreException.permanent(
                    what
                            + " by an index, now that the table is large, and it is not there: `refrain migrate --browsing`"
                            + " makes it, beside the traffic.",
                    Effect.NONE,
                    new IllegalStateException("no index " + BrowsingIndexInstaller.NAME));
        }
    }
}

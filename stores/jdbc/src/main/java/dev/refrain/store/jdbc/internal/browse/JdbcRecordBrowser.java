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
import dev.refrain.store.jdbc.BrowsingIndex;
import dev.refrain.store.jdbc.internal.connection.DedicatedConnections;
import dev.refrain.store.jdbc.internal.record.OperatorQueries;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Looks at records beside the traffic: on the connection of the workers, or where that is the one writer's, of the reads. */
public final class JdbcRecordBrowser implements RecordBrowser {

    /** How many records one walk looks at. */
    public static final int WALK = 5_000;

    private static final int AUDIT_WALK = 10_000;

    /**
     * How far the clock of the instance that minted an id may be from the store's, and how long a transactional run may take from its
     * id to its record: first what is usual, then what is possible.
     */
    private static final List<Duration> APART = List.of(Duration.ofSeconds(5), Duration.ofMinutes(20));

    private record IdTimeWindow(RecordId id, Duration apart) {

        /** Ids begin with the millisecond in which they were minted. */
        Instant at() {
            return Instant.ofEpochMilli(id.value().getMostSignificantBits() >>> 16);
        }
    }

    private record AuditSearch(String target, int limit) {}

    private static final ParameterizedScript<ScopedKey> ONE = ParameterizedScript.<ScopedKey>script("view_one")
            .uuid("lookup", i -> i.hash().asUuid());

    private static final ParameterizedScript<IdTimeWindow> BY_ID = ParameterizedScript.<IdTimeWindow>script("view_id")
            .uuid("id", m -> m.id().value())
            .number("since", m -> OperatorQueries.micros(m.at().minus(m.apart())))
            .number("until", m -> OperatorQueries.micros(m.at().plus(m.apart())));

    private static final ParameterizedScript<AuditSearch> AUDIT = ParameterizedScript.<AuditSearch>script("audit_of")
            .text("target", AuditSearch::target)
            .number("walk", t -> AUDIT_WALK)
            .number("limit", AuditSearch::limit);

    private final DedicatedConnections lanes;
    private volatile boolean indexed;

    public JdbcRecordBrowser(DedicatedConnections lanes) {
        this.lanes = lanes;
    }

    @Override
    public Optional<RecordView> find(ScopedKey identity) {
        return lanes
                .forBrowsing()
                .read("Looking at a record", s -> s.run(ONE, identity, RecordViewMapper::read))
                .stream()
                .filter(view -> view.identity().filter(identity::equals).isPresent())
                .findFirst();
    }

    @Override
    public Optional<RecordView> find(RecordId id) {
        return lanes.forBrowsing().read("Looking at record " + id, s -> {
            requireIndex(s, "A record is found by its id");
            return findMinted(s, id);
        });
    }

    private static Optional<RecordView> findMinted(SqlSession session, RecordId id) throws SQLException {
        for (var apart : APART) {
            var found = session.run(BY_ID, new IdTimeWindow(id, apart), RecordViewMapper::read);
            if (!found.isEmpty()) {
                return Optional.of(found.getFirst());
            }
        }
        return Optional.empty();
    }

    @Override
    public RecordPage search(RecordSearch search) {
        return lanes.forBrowsing().read("Listing records", s -> list(s, search));
    }

    private RecordPage list(SqlSession session, RecordSearch search) throws SQLException {
        var walk = RecordScan.of(search, isIndexed(session));
        if (walk.order() == RecordPage.Order.NEWEST_FIRST) {
            requireIndex(session, "Records of all scopes are listed");
        }
        return walk.page(walk.fetch(session));
    }

    @Override
    public List<AuditEntry> audit(RecordId id, int limit) {
        return lanes.forBrowsing()
                .read(
                        "Reading the audit trail",
                        s -> s.run(AUDIT, new AuditSearch(id.toString(), limit), OperatorQueries::auditEntry));
    }

    @Override
    public void auditReveal(RecordId id, String who, String why) {
        RevealAuditEntry.write(lanes.maintenance(), "reveal", id.toString(), who, why);
    }

    /** Once there it stays, but for what people do by hand: then the statements are slow, and right. */
    private boolean isIndexed(SqlSession session) throws SQLException {
        if (!indexed) {
            indexed = BrowsingIndex.status(session).whole();
        }
        return indexed;
    }

    private void requireIndex(SqlSession session, String what) throws SQLException {
        if (!isIndexed(session)) {
            throw StoreException.permanent(
                    what + " by an index that is not there: `refrain migrate --browsing` makes it, beside the traffic.",
                    Effect.NONE,
                    new IllegalStateException("no index " + BrowsingIndex.NAME));
        }
    }
}

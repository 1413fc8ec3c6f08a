package dev.refrain.store.jdbc;

import dev.refrain.key.Identity;
import dev.refrain.key.RecordId;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.Browsing;
import dev.refrain.store.RecordPage;
import dev.refrain.store.RecordSearch;
import dev.refrain.store.RecordView;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Looks at records beside the traffic: on the connection of the workers, or where that is the one writer's, of the reads. */
final class JdbcBrowsing implements Browsing {

    /** How many records one walk looks at. */
    static final int WALK = 5_000;

    private static final int AUDIT_WALK = 10_000;

    /**
     * How far the clock of the instance that minted an id may be from the store's, and how long a transactional run may take from its
     * id to its record: first what is usual, then what is possible.
     */
    private static final List<Duration> APART = List.of(Duration.ofSeconds(5), Duration.ofMinutes(20));

    private record Minted(RecordId id, Duration apart) {

        /** Ids begin with the millisecond in which they were minted. */
        Instant at() {
            return Instant.ofEpochMilli(id.value().getMostSignificantBits() >>> 16);
        }
    }

    private record Trail(String target, int limit) {}

    private static final Question<Identity> ONE =
            Question.<Identity>script("view_one").uuid("lookup", i -> i.hash().asUuid());

    private static final Question<Minted> BY_ID = Question.<Minted>script("view_id")
            .uuid("id", m -> m.id().value())
            .number("since", m -> Operating.micros(m.at().minus(m.apart())))
            .number("until", m -> Operating.micros(m.at().plus(m.apart())));

    private static final Question<Trail> AUDIT = Question.<Trail>script("audit_of")
            .text("target", Trail::target)
            .number("walk", t -> AUDIT_WALK)
            .number("limit", Trail::limit);

    private final Lanes lanes;
    private volatile boolean indexed;

    JdbcBrowsing(Lanes lanes) {
        this.lanes = lanes;
    }

    @Override
    public Optional<RecordView> find(Identity identity) {
        return lanes.forBrowsing().read("Looking at a record", s -> s.run(ONE, identity, Views::read)).stream()
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

    private static Optional<RecordView> findMinted(Session session, RecordId id) throws SQLException {
        for (var apart : APART) {
            var found = session.run(BY_ID, new Minted(id, apart), Views::read);
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

    private RecordPage list(Session session, RecordSearch search) throws SQLException {
        var walk = Walk.of(search, isIndexed(session));
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
                        s -> s.run(AUDIT, new Trail(id.toString(), limit), Operating::auditEntry));
    }

    @Override
    public void auditReveal(RecordId id, String who, String why) {
        Reveal.write(lanes.maintenance(), "reveal", id.toString(), who, why);
    }

    /** Once there it stays, but for what people do by hand: then the statements are slow, and right. */
    private boolean isIndexed(Session session) throws SQLException {
        if (!indexed) {
            indexed = BrowsingIndex.status(session).whole();
        }
        return indexed;
    }

    private void requireIndex(Session session, String what) throws SQLException {
        if (!isIndexed(session)) {
            throw StoreException.permanent(
                    what + " by an index that is not there: `refrain migrate --browsing` makes it, beside the traffic.",
                    Effect.NONE,
                    new IllegalStateException("no index " + BrowsingIndex.NAME));
        }
    }
}

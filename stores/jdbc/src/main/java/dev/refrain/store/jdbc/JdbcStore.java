package dev.refrain.store.jdbc;

import dev.refrain.key.Identity;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.Browsing;
import dev.refrain.store.Census;
import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.Erased;
import dev.refrain.store.ErasureOrder;
import dev.refrain.store.Resolution;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.Store;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.Swept;
import dev.refrain.store.TakeUp;
import dev.refrain.store.TakenUp;
import dev.refrain.store.Transactions;
import dev.refrain.store.Unfinished;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import dev.refrain.store.ledger.LedgerStore;
import dev.refrain.store.outbox.OutboxBrowsing;
import dev.refrain.store.outbox.OutboxStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Records in PostgreSQL (15 and later) or SQLite (3.42 and later), recognised by the database itself.
 *
 * {@snippet :
 * try (var store = JdbcStore.on(dataSource)) {
 *     var refrain = Refrain.using(store);
 * }
 * }
 *
 * <p>It makes its tables itself unless told not to ({@link JdbcStoreBuilder#migrate}). It holds three connections for
 * itself (two on SQLite): for claims, for completions, and for renewals and reads, so that callers who exhaust the
 * application's pool cannot starve them. They come from the given DataSource, which must have room for them, or from a
 * {@link JdbcStoreBuilder#dedicatedDataSource} of their own. Workers and operators borrow one more while they are at it.
 *
 * <p>{@link #transactions()} takes part in the application's own transactions: claim, work and outcome commit together.
 *
 * <p>Safe for use by many threads. Closing it gives back its connections and leaves the DataSource open. Works through
 * PgBouncer in transaction mode: no session state matters (before PgBouncer 1.21 set {@code prepareThreshold=0}).
 */
public final class JdbcStore implements Store {

    private final StoreTraits traits;
    private final Lanes lanes;
    private final Watch watch;
    private final JdbcTransactions transactions;
    private final Browsing recordBrowser;
    private final Lines lines;
    private final Scripts scripts;
    private final Timeouts timeouts;
    private final Lane outboxLane;
    private final DataSource laneSource;
    private final Forecast forecast = new Forecast();

    JdbcStore(
            StoreTraits traits,
            Lanes lanes,
            Lane outboxLane,
            DataSource laneSource,
            Lines lines,
            Scripts scripts,
            Timeouts timeouts) {
        this.traits = traits;
        this.lanes = lanes;
        this.lines = lines;
        this.scripts = scripts;
        this.timeouts = timeouts;
        this.outboxLane = outboxLane;
        this.laneSource = laneSource;
        var watched = new HashSet<>(lanes.all());
        watched.add(outboxLane);
        this.watch = Watch.start(watched, lines, timeouts.reply(), System::nanoTime);
        this.recordBrowser = new JdbcBrowsing(lanes);
        this.transactions = new JdbcTransactions(this, lines.toPool(), scripts, timeouts);
    }

    /** A store in the DataSource's database, with the defaults of {@link #builder}. */
    public static JdbcStore on(DataSource dataSource) {
        return builder(dataSource).build();
    }

    /**
     * A store in one SQLite file, which is made if it is not there. Several processes of one host may share the file; a
     * network file system will not do.
     */
    public static JdbcStore sqlite(Path file) {
        return builder(file).build();
    }

    /** The same, to be set up. */
    public static JdbcStoreBuilder builder(Path sqliteFile) {
        return builder(SqliteFile.at(sqliteFile));
    }

    public static JdbcStoreBuilder builder(DataSource dataSource) {
        return new JdbcStoreBuilder(dataSource);
    }

    /** Runs operations inside transactions on this database. */
    public Transactions<Connection> transactions() {
        return transactions;
    }

    /** Runs operations inside transactions on this database that something else begins and ends. */
    public Transactions<Connection> transactions(TransactionSource source) {
        return new JdbcTransactions(this, lines.to(source), scripts, timeouts);
    }

    /** What was sent to other systems from transactions of this database, and what their ledgers show. */
    public LedgerStore<Connection> ledger() {
        return new JdbcLedgers(lanes.maintenance(), scripts);
    }

    /** Messages that are staged in transactions of this database. On PostgreSQL a relay holds two more connections. */
    public OutboxStore<Connection> outbox() {
        return new JdbcOutbox(outboxLane, lines.toPool(), laneSource, scripts, timeouts);
    }

    /** The same, with handlers in transactions that something else begins and ends. */
    public OutboxStore<Connection> outbox(TransactionSource source) {
        return new JdbcOutbox(outboxLane, lines.to(source), laneSource, scripts, timeouts);
    }

    /** For people who look at messages. */
    public OutboxBrowsing outboxBrowser() {
        return new JdbcOutboxBrowsing(lanes);
    }

    /** For people who look at records; see {@link JdbcStoreBuilder#createBrowsingIndex}. */
    public Browsing recordBrowser() {
        return recordBrowser;
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public List<ClaimAnswer> claim(List<ClaimRequest> requests) {
        try {
            return lanes.claims()
                    .write("Claiming " + requests.size() + " keys", s -> Claiming.claim(s, forecast, requests));
        } catch (RowRejectedException e) {
            if (requests.size() == 1 && e.isTransient()) {
                return List.of(new ClaimAnswer.Unseen());
            }
            throw e;
        }
    }

    @Override
    public List<WriteAnswer> write(List<? extends Write> writes) {
        if (writes.isEmpty()) {
            return List.of();
        }
        var lane = writes.stream().allMatch(Write.Renew.class::isInstance) ? lanes.renewals() : lanes.writes();
        return lane.write("Writing " + writes.size() + " records", s -> Writing.write(s, writes));
    }

    @Override
    public List<Optional<StoredRecord>> find(List<Identity> identities) {
        return lanes.reads().read("Reading " + identities.size() + " records", s -> Finding.find(s, identities));
    }

    @Override
    public Swept sweep(Duration grace, int limit) {
        return lanes.maintenance().write("Sweeping", s -> Care.sweep(s, grace, limit));
    }

    @Override
    public TakenUp pollAbandoned(TakeUp order) {
        return lanes.maintenance().write("Taking up abandoned work", s -> Care.takeUp(s, order));
    }

    @Override
    public int reap(int limit) {
        return lanes.maintenance().write("Reaping", s -> Care.reap(s, limit));
    }

    @Override
    public List<AttentionItem> listAttention(Optional<AttentionItem> after, int limit) {
        return lanes.maintenance().read("Listing attention", s -> Operating.attention(s, after, limit));
    }

    @Override
    public WriteAnswer resolve(Resolution resolution) {
        return lanes.maintenance().write("Resolving record " + resolution.claim().id(), s -> Operating.resolve(s, resolution));
    }

    @Override
    public List<AuditEntry> listAuditTrail(int limit) {
        return lanes.maintenance().read("Reading the audit trail", s -> Operating.audit(s, limit));
    }

    @Override
    public Erased erase(ErasureOrder order) {
        return lanes.maintenance().write("Erasing records", s -> Operating.erase(s, order));
    }

    @Override
    public long countKeys(String scope, long upTo) {
        return lanes.reads().read("Counting records", s -> Operating.count(s, scope, upTo));
    }

    @Override
    public Census countUnsettled(int limit) {
        return lanes.maintenance().read("Counting what is not settled", s -> Operating.census(s, limit));
    }

    List<Unfinished> unfinished(String namespace, Duration longerThan, int limit) {
        return lanes.maintenance()
                .read("Listing what is unfinished", s -> Operating.unfinished(s, namespace, longerThan, limit));
    }

    @Override
    public void close() {
        // The watch last: a lane on which a reply does not come closes only when it is cut.
        lanes.close();
        outboxLane.close();
        watch.close();
    }
}

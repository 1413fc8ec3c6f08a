package dev.refrain.store.jdbc;

import dev.refrain.api.ScopedKey;
import dev.refrain.store.AbandonedRecordBatch;
import dev.refrain.store.AbandonedRecordPoll;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.AuditTrailReader;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.CompletionQueue;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.ErasureResult;
import dev.refrain.store.RecordBrowser;
import dev.refrain.store.RecordCounter;
import dev.refrain.store.RecordEraser;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.Resolution;
import dev.refrain.store.Store;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.SweepResult;
import dev.refrain.store.UnfinishedRecord;
import dev.refrain.store.UnsettledCounts;
import dev.refrain.store.WriteResponse;
import dev.refrain.store.jdbc.internal.browse.JdbcOutboxBrowser;
import dev.refrain.store.jdbc.internal.browse.JdbcRecordBrowser;
import dev.refrain.store.jdbc.internal.connection.DedicatedConnection;
import dev.refrain.store.jdbc.internal.connection.DedicatedConnections;
import dev.refrain.store.jdbc.internal.connection.ReplyTimeoutWatchdog;
import dev.refrain.store.jdbc.internal.ledger.JdbcLedgerStore;
import dev.refrain.store.jdbc.internal.outbox.JdbcOutboxStore;
import dev.refrain.store.jdbc.internal.record.ClaimExecutor;
import dev.refrain.store.jdbc.internal.record.NewKeyPredictor;
import dev.refrain.store.jdbc.internal.record.OperatorQueries;
import dev.refrain.store.jdbc.internal.record.RecordFinder;
import dev.refrain.store.jdbc.internal.record.RecordMaintenance;
import dev.refrain.store.jdbc.internal.record.RecordWriter;
import dev.refrain.store.jdbc.internal.sql.JdbcTimeouts;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sqlite.SqliteDataSourceFactory;
import dev.refrain.store.jdbc.internal.transaction.HandoverQueueRegistry;
import dev.refrain.store.jdbc.internal.transaction.JdbcTransactionFactory;
import dev.refrain.store.jdbc.spi.TransactionSource;
import dev.refrain.store.ledger.LedgerStore;
import dev.refrain.store.outbox.OutboxBrowser;
import dev.refrain.store.outbox.OutboxStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
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
public final class JdbcStore implements Store, CompletionQueue, RecordEraser, AuditTrailReader, RecordCounter {

    private final StoreTraits traits;
    private final DedicatedConnections lanes;
    private final ReplyTimeoutWatchdog watch;
    private final JdbcTransactionFactory transactions;
    private final RecordBrowser recordBrowser;
    private final HandoverQueueRegistry lines;
    private final SqlScriptLibrary scripts;
    private final JdbcTimeouts timeouts;
    private final DedicatedConnection outboxLane;
    private final DataSource laneSource;
    private final NewKeyPredictor forecast = new NewKeyPredictor();

    JdbcStore(
            StoreTraits traits,
            DedicatedConnections lanes,
            DedicatedConnection outboxLane,
            DataSource laneSource,
            HandoverQueueRegistry lines,
            SqlScriptLibrary scripts,
            JdbcTimeouts timeouts) {
        this.traits = traits;
        this.lanes = lanes;
        this.lines = lines;
        this.scripts = scripts;
        this.timeouts = timeouts;
        this.outboxLane = outboxLane;
        this.laneSource = laneSource;
        var watched = new HashSet<>(lanes.all());
        watched.add(outboxLane);
        this.watch = ReplyTimeoutWatchdog.start(watched, lines, timeouts.reply(), System::nanoTime);
        this.recordBrowser = new JdbcRecordBrowser(lanes);
        this.transactions = new JdbcTransactionFactory(this, lines.toPool(), scripts, timeouts);
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
        return builder(SqliteDataSourceFactory.at(sqliteFile));
    }

    public static JdbcStoreBuilder builder(DataSource dataSource) {
        return new JdbcStoreBuilder(dataSource);
    }

    /** Runs operations inside transactions on this database. */
    public StoreTransactionFactory<Connection> transactions() {
        return transactions;
    }

    /** Runs operations inside transactions on this database that something else begins and ends. */
    public StoreTransactionFactory<Connection> transactions(TransactionSource source) {
        return new JdbcTransactionFactory(this, lines.to(source), scripts, timeouts);
    }

    /** What was sent to other systems from transactions of this database, and what their ledgers show. */
    public LedgerStore<Connection> ledger() {
        return new JdbcLedgerStore(lanes.maintenance(), scripts);
    }

    /** Messages that are staged in transactions of this database. On PostgreSQL a relay holds two more connections. */
    public OutboxStore<Connection> outbox() {
        return new JdbcOutboxStore(outboxLane, lines.toPool(), laneSource, scripts, timeouts);
    }

    /** The same, with handlers in transactions that something else begins and ends. */
    public OutboxStore<Connection> outbox(TransactionSource source) {
        return new JdbcOutboxStore(outboxLane, lines.to(source), laneSource, scripts, timeouts);
    }

    /** For people who look at messages. */
    public OutboxBrowser outboxBrowser() {
        return new JdbcOutboxBrowser(lanes);
    }

    /** For people who look at records; see {@link JdbcStoreBuilder#createBrowsingIndex}. */
    public RecordBrowser recordBrowser() {
        return recordBrowser;
    }

    /** The same as by the accessors above, for those who know only {@link Store}. */
    @Override
    public <A> Optional<A> ability(Class<A> type) {
        Map<Class<?>, Supplier<?>> parts = Map.of(
                StoreTransactionFactory.class, this::transactions,
                OutboxStore.class, this::outbox,
                OutboxBrowser.class, this::outboxBrowser,
                LedgerStore.class, this::ledger,
                RecordBrowser.class, this::recordBrowser);
        return Optional.ofNullable(parts.get(type))
                .map(part -> type.cast(part.get()))
                .or(() -> Store.super.ability(type));
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public List<ClaimResponse> claim(List<ClaimRequest> requests) {
        return lanes.claims()
                .write("Claiming " + requests.size() + " keys", s -> ClaimExecutor.claim(s, forecast, requests));
    }

    @Override
    public List<WriteResponse> write(List<? extends RecordWrite> writes) {
        if (writes.isEmpty()) {
            return List.of();
        }
        var lane = writes.stream().allMatch(RecordWrite.Renew.class::isInstance) ? lanes.renewals() : lanes.writes();
        return lane.write("Writing " + writes.size() + " records", s -> RecordWriter.write(s, writes));
    }

    @Override
    public List<Optional<StoredRecord>> find(List<ScopedKey> identities) {
        return lanes.reads().read("Reading " + identities.size() + " records", s -> RecordFinder.find(s, identities));
    }

    @Override
    public SweepResult sweep(Duration grace, int limit) {
        return lanes.maintenance().write("Sweeping", s -> RecordMaintenance.sweep(s, grace, limit));
    }

    @Override
    public AbandonedRecordBatch pollAbandoned(AbandonedRecordPoll order) {
        return lanes.maintenance().write("Taking up abandoned work", s -> RecordMaintenance.takeUp(s, order));
    }

    @Override
    public int reap(int limit) {
        return lanes.maintenance().write("Reaping", s -> RecordMaintenance.reap(s, limit));
    }

    @Override
    public List<AttentionItem> listAttention(Optional<AttentionItem> after, int limit) {
        return lanes.maintenance().read("Listing attention", s -> OperatorQueries.attention(s, after, limit));
    }

    @Override
    public WriteResponse resolve(Resolution resolution) {
        return lanes.maintenance()
                .write("Resolving record " + resolution.claim().id(), s -> OperatorQueries.resolve(s, resolution));
    }

    @Override
    public List<AuditEntry> listAuditTrail(int limit) {
        return lanes.maintenance().read("Reading the audit trail", s -> OperatorQueries.audit(s, limit));
    }

    @Override
    public ErasureResult erase(ErasureRequest order) {
        return lanes.maintenance().write("Erasing records", s -> OperatorQueries.erase(s, order));
    }

    @Override
    public long countKeys(String scope, long upTo) {
        return lanes.reads().read("Counting records", s -> OperatorQueries.count(s, scope, upTo));
    }

    @Override
    public UnsettledCounts countUnsettled(int limit) {
        return lanes.maintenance().read("Counting what is not settled", s -> OperatorQueries.census(s, limit));
    }

    @Override
    public List<UnfinishedRecord> listUnfinished(String namespace, Duration longerThan, int limit) {
        return lanes.maintenance()
                .read("Listing what is unfinished", s -> OperatorQueries.unfinished(s, namespace, longerThan, limit));
    }

    @Override
    public void close() {
        // The watch last: a lane on which a reply does not come closes only when it is cut.
        lanes.close();
        outboxLane.close();
        watch.close();
    }
}

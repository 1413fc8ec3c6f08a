package dev.refrain.store.jdbc;

import dev.refrain.api.KeyHash;
import dev.refrain.api.Payload;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.AbandonedRecord;
import dev.refrain.store.AbandonedRecordPage;
import dev.refrain.store.AbandonedRecordSearch;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.AuditTrailReader;
import dev.refrain.store.ClaimOrigin;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.CompletionQueue;
import dev.refrain.store.EncryptionMarks;
import dev.refrain.store.KeptRequestReader;
import dev.refrain.store.RecordBrowser;
import dev.refrain.store.RecordCounter;
import dev.refrain.store.RecordEraser;
import dev.refrain.store.RecordExplanation;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Resolution;
import dev.refrain.store.Store;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.SweepResult;
import dev.refrain.store.UnfinishedRecord;
import dev.refrain.store.UnsettledCounts;
import dev.refrain.store.WakeupChannel;
import dev.refrain.store.jdbc.internal.browse.JdbcOutboxBrowser;
import dev.refrain.store.jdbc.internal.browse.JdbcRecordBrowser;
import dev.refrain.store.jdbc.internal.connection.DedicatedConnection;
import dev.refrain.store.jdbc.internal.connection.DedicatedConnections;
import dev.refrain.store.jdbc.internal.connection.ReplyTimeoutWatchdog;
import dev.refrain.store.jdbc.internal.ledger.JdbcReconciliationStore;
import dev.refrain.store.jdbc.internal.outbox.JdbcOutboxStore;
import dev.refrain.store.jdbc.internal.outbox.RelayConnections;
import dev.refrain.store.jdbc.internal.record.ClaimBatchExecutor;
import dev.refrain.store.jdbc.internal.record.JdbcEncryptionMarks;
import dev.refrain.store.jdbc.internal.record.JdbcRecordEraser;
import dev.refrain.store.jdbc.internal.record.NewKeyPredictor;
import dev.refrain.store.jdbc.internal.record.OperationNames;
import dev.refrain.store.jdbc.internal.record.OperatorStatements;
import dev.refrain.store.jdbc.internal.record.RecordExplainer;
import dev.refrain.store.jdbc.internal.record.RecordFinder;
import dev.refrain.store.jdbc.internal.record.RecordMaintenance;
import dev.refrain.store.jdbc.internal.record.RecordWriter;
import dev.refrain.store.jdbc.internal.sql.JdbcTimeouts;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sqlite.SqliteDataSourceFactory;
import dev.refrain.store.jdbc.internal.transaction.CallWatchdog;
import dev.refrain.store.jdbc.internal.transaction.CommitHook;
import dev.refrain.store.jdbc.internal.transaction.CommittedRecords;
import dev.refrain.store.jdbc.internal.transaction.ConnectionWaitQueue;
import dev.refrain.store.jdbc.internal.transaction.GuardedWorkTransaction;
import dev.refrain.store.jdbc.internal.transaction.JdbcTransactionFactory;
import dev.refrain.store.jdbc.internal.transaction.OperationNameIds;
import dev.refrain.store.jdbc.internal.transaction.TransactionWaitQueues;
import dev.refrain.store.jdbc.internal.wakeup.JdbcWakeupChannel;
import dev.refrain.store.jdbc.internal.wakeup.StagingSignals;
import dev.refrain.store.jdbc.internal.wakeup.WaiterWakeup;
import dev.refrain.store.jdbc.internal.wakeup.WakeupNotifier;
import dev.refrain.store.jdbc.spi.TransactionSource;
import dev.refrain.store.ledger.ReconciliationStore;
import dev.refrain.store.outbox.OutboxBrowser;
import dev.refrain.store.outbox.OutboxStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Store in PostgreSQL (15 and later), MySQL (8.0 and later), MariaDB (10.6 and later) or SQLite (3.42 and later), detected from the database
 * itself.
 * {@snippet :
 * try (var store = JdbcStore.on(dataSource)) {
 *     var refrain = Refrain.using(store);
 * }
 * }
 *
 * <p>Creates its tables unless {@link JdbcStoreBuilder#migrate} is off. Holds four connections (two on SQLite): for claims, for
 * completions, for renewals and reads, and for workers and operators, so that callers that exhaust the application's pool cannot starve them. They come from
 * the given DataSource, which must have room for them, or from a {@link JdbcStoreBuilder#dedicatedDataSource}. On PostgreSQL one more listens while callers wait for a key that another instance runs.
 *
 * <p>{@link #transactions()} joins the application's own transactions: claim, work and outcome commit together.
 *
 * <p>Thread-safe. Closing it returns its connections and leaves the DataSource open. Works through PgBouncer in transaction mode,
 * since it needs no session state (before PgBouncer 1.21 set {@code prepareThreshold=0}).
 */
public final class JdbcStore implements Store, CompletionQueue, AuditTrailReader, RecordCounter, KeptRequestReader {

    private final StoreTraits traits;
    private final DedicatedConnections connections;
    private final ReplyTimeoutWatchdog watch;
    private final CallWatchdog watchdog;
    private final JdbcTransactionFactory transactions;
    private final StagingSignals staging = new StagingSignals();
    private final JdbcOutboxStore outbox;
    private final RecordBrowser recordBrowser;
    private final TransactionWaitQueues queues;
    private final SqlScriptLibrary scripts;
    private final JdbcTimeouts timeouts;
    private final DedicatedConnection outboxConnection;
    private final RelayConnections relayConnections;
    private final NewKeyPredictor predictor = new NewKeyPredictor();
    private final WaiterWakeup notifier;
    private final Optional<JdbcWakeupChannel> wakeups;
    private final OperationNames names = new OperationNames();

    JdbcStore(
            StoreTraits traits,
            DedicatedConnections connections,
            DedicatedConnection outboxConnection,
            RelayConnections relayConnections,
            TransactionWaitQueues queues,
            SqlScriptLibrary scripts,
            JdbcTimeouts timeouts,
            Optional<JdbcWakeupChannel> wakeups) {
        this.traits = traits;
        this.connections = connections;
        this.queues = queues;
        this.scripts = scripts;
        this.watchdog = new CallWatchdog(scripts.dialect());
        this.timeouts = timeouts;
        this.outboxConnection = outboxConnection;
        this.wakeups = wakeups;
        this.notifier =
                scripts.dialect().supportsNotifications() ? new WakeupNotifier(connections.reads()) : WaiterWakeup.NONE;
        this.relayConnections = relayConnections;
        var watched = new HashSet<>(connections.all());
        watched.add(outboxConnection);
        this.watch = ReplyTimeoutWatchdog.start(watched, timeouts.reply(), System::nanoTime);
        this.recordBrowser = new JdbcRecordBrowser(connections);
        this.outbox = outbox(queues.toPool(), CommitHook.OWN);
        this.transactions = new JdbcTransactionFactory(
                this, committedRecords(), operationIds(), queues.toPool(), scripts, timeouts, notifier, watchdog);
    }

    /** Creates a store in the DataSource's database, with the defaults of {@link #builder}. */
    public static JdbcStore on(DataSource dataSource) {
        return builder(dataSource).build();
    }

    /**
     * Creates a store in one SQLite file, which is created if missing. Several processes of one host may share the file; a
     * network file system is not supported.
     */
    public static JdbcStore sqlite(Path file) {
        return builder(file).build();
    }

    /** Returns a builder of a store in one SQLite file. */
    public static JdbcStoreBuilder builder(Path sqliteFile) {
        return builder(SqliteDataSourceFactory.at(sqliteFile));
    }

    public static JdbcStoreBuilder builder(DataSource dataSource) {
        return new JdbcStoreBuilder(dataSource);
    }

    /** Returns the DataSource whose transactions can hold keys together with the work of the application. */
    public DataSource dataSource() {
        return queues.dataSource();
    }

    /** Returns how many connections the store holds for itself now; one that is lost is reopened at its next use. */
    public int heldConnections() {
        var all = new HashSet<>(connections.all());
        all.add(outboxConnection);
        return (int) all.stream().filter(DedicatedConnection::isHeld).count();
    }

    /** Returns transactions on this database, in which operations run. */
    public StoreTransactionFactory<Connection> transactions() {
        return transactions;
    }

    /** Returns transactions on this database that something else begins and ends. */
    public StoreTransactionFactory<Connection> transactions(TransactionSource source) {
        return new JdbcTransactionFactory(
                this, committedRecords(), operationIds(), queues.to(source), scripts, timeouts, notifier, watchdog);
    }

    /**
     * Returns true if every wait for a connection of such a transaction ends within the patience of its operation. False if the pool or
     * the manager has to be asked on the caller's own thread: a pool that validates a connection on a silent network is then waited for.
     */
    public boolean endsWaitsOf(TransactionSource source) {
        return queues.endsWaitsOf(source);
    }

    private CommittedRecords committedRecords() {
        return CommittedRecords.on(connections, scripts.dialect());
    }

    private OperationNameIds operationIds() {
        return new OperationNameIds(
                names,
                question -> connections.claims().write("Naming an operation", s -> {
                    question.ask(s);
                    return true;
                }));
    }

    /** Returns the ledger ability: calls sent from transactions of this database, compared with foreign ledgers. */
    public ReconciliationStore<Connection> ledger() {
        return new JdbcReconciliationStore(connections.maintenance(), scripts);
    }

    /** Returns the outbox of messages staged in transactions of this database. On PostgreSQL a relay holds two more connections. */
    public OutboxStore<Connection> outbox() {
        return outbox;
    }

    /** Returns the outbox with handlers in transactions that something else begins and ends. */
    public OutboxStore<Connection> outbox(TransactionSource source) {
        return outbox(queues.to(source), CommitHook.of(source));
    }

    private JdbcOutboxStore outbox(ConnectionWaitQueue queue, CommitHook commits) {
        GuardedWorkTransaction.Starter work =
                limits -> GuardedWorkTransaction.begin(queue::aside, scripts.dialect(), timeouts, watchdog, limits);
        return new JdbcOutboxStore(
                outboxConnection, connections.reads(), work, commits, staging, relayConnections, scripts);
    }

    /** Returns the browser of messages, for operators. */
    public OutboxBrowser outboxBrowser() {
        return new JdbcOutboxBrowser(connections);
    }

    /** Returns the browser of records, for operators; see {@link JdbcStoreBuilder#createBrowsingIndex}. */
    public RecordBrowser recordBrowser() {
        return recordBrowser;
    }

    /** Returns the abilities of the accessors above, erasure and the marks of encryption, and what this class implements itself. */
    @Override
    public <A> Optional<A> ability(Class<A> type) {
        Map<Class<?>, Supplier<?>> parts = Map.of(
                StoreTransactionFactory.class, this::transactions,
                OutboxStore.class, this::outbox,
                OutboxBrowser.class, this::outboxBrowser,
                ReconciliationStore.class, this::ledger,
                RecordBrowser.class, this::recordBrowser,
                RecordEraser.class, () -> new JdbcRecordEraser(connections.maintenance()),
                EncryptionMarks.class, () -> new JdbcEncryptionMarks(connections.maintenance()));
        return Optional.ofNullable(parts.get(type))
                .<Object>map(Supplier::get)
                .or(() -> type.equals(WakeupChannel.class) ? wakeups : Optional.empty())
                .map(type::cast)
                .or(() -> Store.super.ability(type));
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public List<ClaimResponse> claim(List<ClaimRequest> requests) {
        return connections
                .claims()
                .write(
                        "Claiming " + requests.size() + " keys",
                        s -> ClaimBatchExecutor.claim(s, predictor, names, requests));
    }

    @Override
    public List<RecordWriteResponse> write(List<? extends RecordWrite> writes) {
        if (writes.isEmpty()) {
            return List.of();
        }
        var connection = writes.stream().allMatch(RecordWrite.Renew.class::isInstance)
                ? connections.renewals()
                : connections.writes();
        var awaited = new ArrayList<KeyHash>();
        try {
            return connection.write(
                    "Writing " + writes.size() + " records", s -> RecordWriter.write(s, writes, awaited));
        } finally {
            // Also for a batch that failed midway: a needless wake-up costs only a read.
            notifier.wakeWaiters(awaited);
        }
    }

    @Override
    public List<Optional<StoredRecord>> find(List<ScopedKey> identities) {
        return connections
                .reads()
                .read("Reading " + identities.size() + " records", s -> RecordFinder.find(s, identities));
    }

    @Override
    public void addSteps(ClaimOrigin origin) {
        connections.claims().write("Storing the steps of an operation", s -> {
            names.learn(s, origin);
            return origin;
        });
    }

    @Override
    public Optional<RecordExplanation> explain(ScopedKey identity) {
        return connections.forBrowsing().read("Explaining a record", s -> RecordExplainer.explain(s, identity));
    }

    @Override
    public Optional<Payload> readKeptRequest(ScopedKey identity) {
        return connections.forBrowsing().read("Reading a kept request", s -> RecordExplainer.keptRequest(s, identity));
    }

    @Override
    public SweepResult sweep(Duration grace, int limit) {
        return connections.maintenance().write("Sweeping", s -> RecordMaintenance.sweep(s, grace, limit));
    }

    @Override
    public AbandonedRecordPage pollAbandoned(AbandonedRecordSearch order) {
        return connections.maintenance().write("Taking up abandoned work", s -> RecordMaintenance.takeUp(s, order));
    }

    @Override
    public void uncountAttempt(AbandonedRecord unattempted) {
        var unused = connections.maintenance().write("Uncounting an attempt", s -> {
            RecordMaintenance.uncountAttempt(s, unattempted);
            return unattempted;
        });
    }

    @Override
    public int reap(int limit) {
        return connections.maintenance().write("Reaping", s -> {
            RecordMaintenance.reapWaiters(s);
            return RecordMaintenance.reap(s, limit);
        });
    }

    @Override
    public List<AttentionItem> listAttention(@Nullable AttentionItem after, int limit) {
        return connections
                .maintenance()
                .read("Listing attention", s -> OperatorStatements.attention(s, Optional.ofNullable(after), limit));
    }

    @Override
    public RecordWriteResponse resolve(Resolution resolution) {
        return connections
                .maintenance()
                .write("Resolving record " + resolution.claim().id(), s -> OperatorStatements.resolve(s, resolution));
    }

    @Override
    public List<AuditEntry> listAuditTrail(int limit) {
        return connections.maintenance().read("Reading the audit trail", s -> OperatorStatements.audit(s, limit));
    }

    @Override
    public long countKeys(String scope, long upTo) {
        return connections.forBrowsing().read("Counting records", s -> OperatorStatements.count(s, scope, upTo));
    }

    @Override
    public UnsettledCounts countUnsettled(int limit) {
        return connections.maintenance().read("Counting unsettled records", s -> OperatorStatements.census(s, limit));
    }

    @Override
    public List<UnfinishedRecord> listUnfinished(String namespace, Duration longerThan, int limit) {
        return connections
                .maintenance()
                .read(
                        "Listing unfinished records",
                        s -> OperatorStatements.unfinished(s, namespace, longerThan, limit));
    }

    @Override
    public void close() {
        wakeups.ifPresent(JdbcWakeupChannel::close);
        // The watchdog last: it aborts a connection whose reply does not arrive, which could not close otherwise.
        connections.close();
        outboxConnection.close();
        watch.close();
    }
}

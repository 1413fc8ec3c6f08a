package dev.refrain.store.jdbc;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.jdbc.internal.DialectRegistry;
import dev.refrain.store.jdbc.internal.connection.DedicatedConnection;
import dev.refrain.store.jdbc.internal.connection.DedicatedConnections;
import dev.refrain.store.jdbc.internal.connection.PoolShare;
import dev.refrain.store.jdbc.internal.connection.PoolSize;
import dev.refrain.store.jdbc.internal.outbox.RelayConnections;
import dev.refrain.store.jdbc.internal.schema.BrowsingIndexInstaller;
import dev.refrain.store.jdbc.internal.schema.SchemaMigrator;
import dev.refrain.store.jdbc.internal.schema.StoreTraitsReader;
import dev.refrain.store.jdbc.internal.sql.Dialect;
import dev.refrain.store.jdbc.internal.sql.JdbcTimeouts;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import dev.refrain.store.jdbc.internal.transaction.ConnectionWaitQueue;
import dev.refrain.store.jdbc.internal.transaction.TransactionWaitQueues;
import dev.refrain.store.jdbc.internal.wakeup.JdbcWakeupChannel;
import dev.refrain.store.jdbc.internal.wakeup.ListeningCheck;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Builder of a {@link JdbcStore}.
 * {@snippet :
 * var store = JdbcStore.builder(dataSource)
 *         .dedicatedDataSource(fourPlainConnections)
 *         .migrate(false)
 *         .build();
 * }
 *
 * <p>Not thread-safe.
 */
public final class JdbcStoreBuilder {

    /** Pool that does nothing when a connection is borrowed; others call interceptors, listeners or customizers. */
    private static final String PLAIN_POOL = "com.zaxxer.hikari.HikariDataSource";

    /**
     * Pools in front of which transactions queue, scopes in turn. Never in front of anything else: a DataSource that opens a connection for
     * each call gives as many as are asked for, and a queue would only make them wait.
     */
    private static final Set<String> POOLS = Set.of(
            PLAIN_POOL,
            "org.apache.tomcat.jdbc.pool.DataSource",
            "org.apache.commons.dbcp2.BasicDataSource",
            "com.mchange.v2.c3p0.ComboPooledDataSource",
            "io.agroal.pool.DataSource");

    private static final System.Logger LOG = System.getLogger(JdbcStoreBuilder.class.getName());

    /** Connections needed for listening: three that the store holds, one for its workers, one that listens. */
    private static final int LISTENING = 5;

    /**
     * The same beside an application, which needs two for transactions: a waiter must not take the connection of the caller it
     * waits for.
     */
    private static final int LISTENING_BESIDE_APPLICATION = LISTENING + 2;

    private final DataSource application;
    private final boolean pool;
    private final boolean plainPool;
    private DataSource dedicatedSource;
    private @Nullable DataSource listening;
    private @Nullable Duration lockTimeout;
    private Duration statementTimeout = JdbcTimeouts.DEFAULT.statement();
    private String schema = "";
    private boolean migrate = true;
    private List<String> migrations = SchemaMigrator.FILES;
    private boolean createBrowsingIndex;
    private boolean alike;
    private boolean anyThread;
    private boolean requiresWrites;
    private LongSupplier handingClock = System::nanoTime;
    private Duration longestWait = ConnectionWaitQueue.LONGEST_WAIT;

    JdbcStoreBuilder(DataSource application) {
        this.application = Objects.requireNonNull(application, "dataSource");
        this.dedicatedSource = application;
        String type = application.getClass().getName();
        this.pool = POOLS.contains(type);
        this.plainPool = type.equals(PLAIN_POOL);
        this.alike = plainPool;
        this.anyThread = plainPool;
    }

    /**
     * Sets whether another thread than the caller's may borrow a connection for a transactional run. Then the wait for it ends in time even
     * while the pool validates a connection on a network that is silent; otherwise the pool's own timeouts apply. By default true for a
     * {@code HikariDataSource} itself, and false for all else, which may choose the connection by the thread that asks (a tenant, a role, a
     * trace). On a virtual thread every wait ends in time.
     */
    public JdbcStoreBuilder borrowOnAnyThread(boolean allowed) {
        this.anyThread = allowed;
        return this;
    }

    /**
     * Sets whether a transactional run that commits may hand its connection on to the next caller, which under load saves each of
     * them a round trip. By default true for a {@code HikariDataSource} itself, and false for all else: whatever a pool, a
     * subclass or a wrapper does when a connection is borrowed (choose by tenant, set a role, call an interceptor) would be
     * skipped for a caller that gets a handed-on one. Set it to false with the driver's {@code cleanupSavepoints=true}.
     *
     * @throws IllegalArgumentException if set to true for anything but a {@code HikariDataSource} itself
     */
    public JdbcStoreBuilder interchangeableConnections(boolean areAlike) {
        if (areAlike && !plainPool) {
            throw new IllegalArgumentException(
                    "Cannot hand on connections of a "
                            + application.getClass().getName()
                            + ": what it does when a connection is borrowed would be skipped. Do not set interchangeableConnections.");
        }
        this.alike = areAlike;
        return this;
    }

    /**
     * Sets the clock, in nanoseconds, that limits how long a connection is handed on before it returns to its pool, and how long
     * a caller waits for one.
     */
    JdbcStoreBuilder handoverClock(LongSupplier clock, Duration longestWait) {
        this.handingClock = clock;
        this.longestWait = longestWait;
        return this;
    }

    /** Sets the known migrations, in order; those of another version, to test what that does to the tables. */
    JdbcStoreBuilder migrations(List<String> files) {
        this.migrations = files;
        return this;
    }

    /**
     * Sets the source of the connection that listens for completions by other instances, used while somebody waits; by default
     * that of the dedicated connections. Pass one that connects to PostgreSQL directly if the others go through a pooler in
     * transaction mode (PgBouncer), or if their pool has no room for one more. Without a listening connection, callers that wait
     * for another instance poll.
     */
    public JdbcStoreBuilder listeningDataSource(DataSource source) {
        this.listening = Objects.requireNonNull(source, "listeningDataSource");
        return this;
    }

    /** Sets the source of the dedicated connections; by default the application's own. */
    public JdbcStoreBuilder dedicatedDataSource(DataSource source) {
        this.dedicatedSource = Objects.requireNonNull(source, "dedicatedDataSource");
        return this;
    }

    /**
     * Sets whether the store creates and migrates its tables, by default true. Otherwise see {@link SchemaScript}. Tables that
     * are newer than this code are used unchanged, if they allow it ({@link SchemaVersion#oldestReader}).
     */
    public JdbcStoreBuilder migrate(boolean itself) {
        this.migrate = itself;
        return this;
    }

    /**
     * Sets whether a database user that may not write records is refused at start, with the GRANTs that it lacks. By default false: the store
     * only reads then, as for a tool that lists keys, and its claims and transactional runs fail.
     */
    public JdbcStoreBuilder requireWrites(boolean required) {
        this.requiresWrites = required;
        return this;
    }

    /**
     * Sets whether people browse the records by time and by id, as the console does: the store then creates the index for that if
     * the table is small (32 MiB, some 60,000 records) and it may migrate; otherwise use {@link BrowsingIndex}. By default false,
     * because every claim pays for the index.
     */
    public JdbcStoreBuilder createBrowsingIndex(boolean byTimeAndId) {
        this.createBrowsingIndex = byTimeAndId;
        return this;
    }

    /**
     * Sets how long a call waits for a locked row. By default 5 ms for claims, completions and renewals, behind which all others
     * queue, and 250 ms for workers and operators, both rounded up to a second on MySQL and MariaDB; on SQLite 250 ms for the write lock, where a transaction begins.
     */
    public JdbcStoreBuilder lockTimeout(Duration timeout) {
        this.lockTimeout = Objects.requireNonNull(timeout, "lockTimeout");
        return this;
    }

    /** Sets how long one statement may take, and on SQLite how long it waits for the write lock; by default 5 s. */
    public JdbcStoreBuilder statementTimeout(Duration timeout) {
        this.statementTimeout = timeout;
        return this;
    }

    /** Sets the PostgreSQL schema of the tables; by default the first one on the connection's search path. */
    public JdbcStoreBuilder schema(String name) {
        if (name.contains(";")) {
            throw new IllegalArgumentException(
                    "The schema '" + name + "' contains a semicolon, which ends a statement. Name another schema.");
        }
        this.schema = name;
        return this;
    }

    /**
     * Connects, migrates or checks the tables, and opens the dedicated connections.
     *
     * @throws StoreException if the database is unreachable or not supported, if the tables are missing, older than this code or
     *     too new for it, or if there are too few connections; the message says what to do
     */
    public JdbcStore build() {
        var timeouts = timeouts(JdbcTimeouts.DEFAULT.lock());
        var batchTimeouts = timeouts(JdbcTimeouts.BATCH_LOCK);
        var scripts = scripts();
        var losses = new AtomicInteger();
        var held = DedicatedConnections.of(
                scripts.dialect(),
                () -> dedicated(batchTimeouts, scripts, losses),
                () -> dedicated(timeouts, scripts, losses));
        requireRoom(held.all().size());
        held.open(scripts.dialect().failures());
        try {
            var traits = held.maintenance().write("Preparing the tables", this::prepare);
            var queues = new TransactionWaitQueues(
                    application,
                    new TransactionWaitQueues.Handling(pool, alike, anyThread, longestWait),
                    scripts,
                    timeouts,
                    handingClock);
            // Opened on first use: not every application has a relay. With a single writer, it is the writers' own.
            var outbox =
                    scripts.dialect().hasConcurrentWriters() ? dedicated(timeouts, scripts, losses) : held.writes();
            var wakeups = wakeups(scripts.dialect(), held);
            var share = share(held, wakeups.isPresent() && scripts.dialect().supportsNotifications());
            if (scripts.dialect().hasConcurrentWriters()) {
                share.warnIfFewAreLeft();
            }
            var relay = new RelayConnections(share, outbox.equals(held.writes()) ? 1 : 2);
            return new JdbcStore(traits, held, outbox, relay, queues, scripts, timeouts, wakeups);
        } catch (RuntimeException e) {
            held.close();
            throw e;
        }
    }

    /** Requires a connection for the application, where the size of the pool is known: one that the store takes whole starts, and serves nobody. */
    private void requireRoom(int held) {
        var size = PoolSize.of(application);
        if (size.isPresent() && size.getAsInt() == held && dedicatedSource.equals(application)) {
            throw StoreException.permanent(
                    "The pool has " + held
                            + " connections, which JdbcStore would hold for itself; none would be left for the application."
                            + " Make its pool larger, or pass a dedicatedDataSource of that size.",
                    Effect.NONE,
                    new IllegalStateException("no connection left"));
        }
    }

    /** Counts the connection that listens, unless it comes from elsewhere. */
    private PoolShare share(DedicatedConnections held, boolean listens) {
        int listener = listens && listening == null ? 1 : 0;
        return new PoolShare(dedicatedSource, held.all().size() + listener, dedicatedSource.equals(application));
    }

    private DedicatedConnection dedicated(JdbcTimeouts limits, SqlScriptLibrary scripts, AtomicInteger losses) {
        return new DedicatedConnection(dedicatedSource, scripts, limits, System::nanoTime, losses);
    }

    private JdbcTimeouts timeouts(Duration defaultLock) {
        return new JdbcTimeouts(lockTimeout == null ? defaultLock : lockTimeout, statementTimeout);
    }

    private Optional<JdbcWakeupChannel> wakeups(Dialect dialect, DedicatedConnections held) {
        var source = listening == null ? dedicatedSource : listening;
        if (dialect.supportsNotifications()) {
            int needed = listening != null
                    ? 1
                    : dedicatedSource.equals(application) ? LISTENING_BESIDE_APPLICATION : LISTENING;
            var why = ListeningCheck.whyDeaf(source, needed, held.reads());
            if (why.isPresent()) {
                LOG.log(
                        System.Logger.Level.INFO,
                        "Waiting callers poll: " + why.get() + ". Give JdbcStoreBuilder.listeningDataSource a"
                                + " DataSource that connects to PostgreSQL directly, so that they are woken at once.");
                return Optional.empty();
            }
        }
        if (!dialect.supportsNotifications() && dialect.hasConcurrentWriters()) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "Waiting callers poll: this database notifies nobody. They look after 20 ms, then with pauses that double up to 1 s.");
            return Optional.empty();
        }
        return Optional.of(new JdbcWakeupChannel(dialect, source, held.reads()));
    }

    private StoreTraits prepare(SqlSession session) throws SQLException {
        var migrator = new SchemaMigrator(session, migrations, requiresWrites);
        if (migrate) {
            migrator.migrate();
        } else {
            migrator.check();
        }
        if (migrate && createBrowsingIndex) {
            BrowsingIndexInstaller.createIfSmall(session);
        }
        return StoreTraitsReader.of(session);
    }

    /** Returns the scripts for the tables that the store's own connections find, whatever the sessions are in that they run in. */
    private SqlScriptLibrary scripts() {
        var loader = Thread.currentThread().getContextClassLoader();
        try (var connection = DedicatedConnection.borrow(dedicatedSource, loader)) {
            var dialect = DialectRegistry.of(connection);
            if (!schema.isEmpty() && dialect.commitsSchemaChanges()) {
                throw StoreException.permanent(
                        "MySQL and MariaDB have no schemas within a database: name the database in the JDBC URL, and"
                                + " leave the schema of the store unset.",
                        Effect.NONE,
                        null);
            }
            var scripts = SqlScriptLibrary.forTablesOf(connection, dialect, schema);
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            return scripts;
        } catch (SQLException e) {
            throw StoreException.unavailable("The database gives no connection.", Effect.NONE, e);
        }
    }
}

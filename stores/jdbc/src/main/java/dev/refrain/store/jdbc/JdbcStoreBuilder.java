package dev.refrain.store.jdbc;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.jdbc.internal.DialectRegistry;
import dev.refrain.store.jdbc.internal.connection.DedicatedConnection;
import dev.refrain.store.jdbc.internal.connection.DedicatedConnection.ConnectionLifetime;
import dev.refrain.store.jdbc.internal.connection.DedicatedConnections;
import dev.refrain.store.jdbc.internal.schema.SchemaMigrator;
import dev.refrain.store.jdbc.internal.schema.StoreTraitsReader;
import dev.refrain.store.jdbc.internal.sql.Dialect;
import dev.refrain.store.jdbc.internal.sql.JdbcTimeouts;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import dev.refrain.store.jdbc.internal.transaction.HandoverQueueRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What can be chosen about a {@link JdbcStore}.
 *
 * {@snippet :
 * var store = JdbcStore.builder(dataSource)
 *         .laneDataSource(fourPlainConnections)
 *         .migrate(false)
 *         .build();
 * }
 *
 * <p>Not thread-safe.
 */
public final class JdbcStoreBuilder {

    private static final Set<String> PLAIN_POOLS = Set.of(
            "com.zaxxer.hikari.HikariDataSource",
            "org.apache.commons.dbcp2.BasicDataSource",
            "org.apache.tomcat.jdbc.pool.DataSource",
            "io.agroal.pool.DataSource",
            "com.mchange.v2.c3p0.ComboPooledDataSource");

    private final DataSource application;
    private DataSource lanes;
    private Duration lockTimeout = JdbcTimeouts.DEFAULT.lock();
    private Duration statementTimeout = JdbcTimeouts.DEFAULT.statement();
    private String schema = "";
    private boolean migrate = true;
    private boolean createBrowsingIndex;
    private boolean alike;
    private LongSupplier handingClock = System::nanoTime;

    JdbcStoreBuilder(DataSource application) {
        this.application = Objects.requireNonNull(application, "dataSource");
        this.lanes = application;
        this.alike = PLAIN_POOLS.contains(application.getClass().getName());
    }

    /**
     * Whether it does not matter whose thread takes a connection out of the DataSource. Then a transactional run that commits
     * may hand its connection on to the next caller, which under load saves each of them a round trip. It does matter where
     * the DataSource looks at its thread: one that routes by tenant, sets a role, or is bound to a transaction. By default
     * true for the pools that are known not to (HikariCP, DBCP, Tomcat, Agroal, c3p0) and false for all else, a wrapper
     * around one of them included. Leave it false with the driver's {@code cleanupSavepoints=true}.
     */
    public JdbcStoreBuilder interchangeableConnections(boolean areAlike) {
        this.alike = areAlike;
        return this;
    }

    /** The clock, in nanoseconds, by which a connection is handed on for a while and goes back to its pool then. */
    JdbcStoreBuilder handoverClock(LongSupplier clock) {
        this.handingClock = clock;
        return this;
    }

    /** Where the store takes the connections that it holds for itself; by default the application's own. */
    public JdbcStoreBuilder dedicatedDataSource(DataSource source) {
        this.lanes = Objects.requireNonNull(source, "laneDataSource");
        return this;
    }

    /** Whether the store makes and upgrades its tables; by default it does. Otherwise see {@link SchemaScript}. */
    public JdbcStoreBuilder migrate(boolean itself) {
        this.migrate = itself;
        return this;
    }

    /**
     * Whether people browse the records by time and by id, as the console does: then the store makes the index for that where the
     * table is small (32 MiB, some 60,000 records) and it may migrate, and leaves all else to {@link BrowsingIndex}. By default false,
     * because every claim pays for an index.
     */
    public JdbcStoreBuilder createBrowsingIndex(boolean byTimeAndId) {
        this.createBrowsingIndex = byTimeAndId;
        return this;
    }

    /** How long a batch waits for a row that someone else holds; by default 250 ms. */
    public JdbcStoreBuilder lockTimeout(Duration timeout) {
        this.lockTimeout = timeout;
        return this;
    }

    /** How long one statement may take, and on SQLite how long it waits for the write lock; by default 5 s. */
    public JdbcStoreBuilder statementTimeout(Duration timeout) {
        this.statementTimeout = timeout;
        return this;
    }

    /** The PostgreSQL schema of the tables; by default the first one on the connection's search path. */
    public JdbcStoreBuilder schema(String name) {
        this.schema = Objects.requireNonNull(name, "schema");
        return this;
    }

    /**
     * Connects, migrates or checks the tables, and takes the connections it will hold.
     *
     * @throws StoreException if the database cannot be reached or is not known, if the tables are missing, older or
     *     newer than this code, or if there are too few connections; the message says what to do
     */
    public JdbcStore build() {
        var timeouts = new JdbcTimeouts(lockTimeout, statementTimeout);
        var scripts = new SqlScriptLibrary(dialect(), schema);
        var losses = new AtomicInteger();
        Function<ConnectionLifetime, DedicatedConnection> lane =
                holding -> new DedicatedConnection(holding, lanes, scripts, timeouts, System::nanoTime, losses);
        var held = DedicatedConnections.of(scripts.dialect(), lane);
        held.open(scripts.dialect().failures());
        try {
            var traits = held.maintenance().write("Preparing the tables", this::prepare);
            var lines = new HandoverQueueRegistry(application, alike, scripts, timeouts, handingClock);
            // Taken when it is used first: not everybody has a relay. Where only one can write, it is the writers' own.
            var outbox =
                    scripts.dialect().hasConcurrentWriters() ? lane.apply(ConnectionLifetime.ALWAYS) : held.writes();
            return new JdbcStore(traits, held, outbox, lanes, lines, scripts, timeouts);
        } catch (RuntimeException e) {
            held.close();
            throw e;
        }
    }

    private StoreTraits prepare(SqlSession session) throws SQLException {
        var migrations = new SchemaMigrator(session);
        if (migrate) {
            migrations.migrate();
        } else {
            migrations.check();
        }
        if (migrate && createBrowsingIndex) {
            BrowsingIndex.createIfSmall(session);
        }
        return StoreTraitsReader.of(session);
    }

    private Dialect dialect() {
        @Nullable Connection connection = null;
        try {
            connection = lanes.getConnection();
            return DialectRegistry.of(connection);
        } catch (SQLException e) {
            throw StoreException.unavailable("The database gives no connection.", Effect.NONE, e);
        } finally {
            if (connection != null) {
                try {
                    connection.close();
                } catch (SQLException e) {
                    // It was asked for its name only: nothing is lost with it.
                }
            }
        }
    }
}

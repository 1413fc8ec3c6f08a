package dev.refrain.spring;

import dev.refrain.spring.RefrainProperties.ConnectionSource;
import dev.refrain.store.StoreException;
import dev.refrain.store.jdbc.JdbcStore;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Source of the connections that the store holds for itself: the application's pool or, where too few would be left to the
 * application, a small pool with the same settings. Closed after the store.
 */
public final class StoreConnectionPool implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(StoreConnectionPool.class.getName());

    private final StorePlace place;
    private final DataSource application;
    private final ConnectionBudget budget;
    private final HikariPools.@Nullable HikariPool own;

    private StoreConnectionPool(
            StorePlace place, DataSource application, ConnectionBudget budget, HikariPools.@Nullable HikariPool own) {
        this.place = place;
        this.application = application;
        this.budget = budget;
        this.own = own;
    }

    /**
     * Chooses the source.
     *
     * @param relay whether a relay runs, which holds connections too
     * @param heldByOthers connections of the same pool that other stores hold
     * @throws RefrainStartException if the pool is too small for the chosen source
     */
    static StoreConnectionPool of(
            StorePlace place, DataSource application, ConnectionSource wanted, boolean relay, int heldByOthers) {
        int held = ConnectionBudget.DEDICATED + listening(application) + (relay ? ConnectionBudget.RELAY : 0);
        var shared = new ConnectionBudget(held, heldByOthers, HikariPools.sizeOf(application), false);
        int left = shared.left().orElse(Integer.MAX_VALUE);
        boolean copyable = HikariPools.canCopy(application);
        return switch (wanted) {
            case AUTO ->
                left < ConnectionBudget.LEFT_AT_LEAST && copyable
                        ? separate(place, application, shared)
                        : shared(place, application, shared);
            case SHARED -> shared(place, application, shared);
            case SEPARATE -> {
                if (!copyable) {
                    throw new RefrainStartException(
                            place.path() + ".connections is separate, but the DataSource is a "
                                    + application.getClass().getName()
                                    + ", and Refrain can make a pool of its own only beside a HikariDataSource that is not in a wrapper"
                                    + " and not of SQLite.",
                            "Set it to shared, or define a JdbcStore bean with a dedicatedDataSource.");
                }
                yield separate(place, application, shared);
            }
        };
    }

    private static StoreConnectionPool separate(StorePlace place, DataSource application, ConnectionBudget shared) {
        var budget = new ConnectionBudget(shared.held(), shared.heldByOthers(), shared.pool(), true);
        return new StoreConnectionPool(place, application, budget, HikariPools.copy(application, shared.held()));
    }

    private static StoreConnectionPool shared(StorePlace place, DataSource application, ConnectionBudget budget) {
        // On SQLite the store holds two, and the pool need not be larger for it: its own start checks that.
        boolean counted = HikariPools.isCounted(application);
        boolean copyable = HikariPools.canCopy(application);
        // The store does without its listening connection where the pool is small.
        int left = budget.left().orElse(Integer.MAX_VALUE) + listening(application);
        if (counted && left < 1) {
            throw new RefrainStartException(
                    budget.sentence() + ": the application could not work.",
                    "Make the pool larger (" + place.poolSizeSetting() + "), or "
                            + (copyable
                                    ? "leave " + place.path() + ".connections at auto."
                                    : "define a JdbcStore bean with a dedicatedDataSource."));
        }
        if (counted && budget.left().orElse(Integer.MAX_VALUE) < ConnectionBudget.LEFT_AT_LEAST) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    budget.sentence()
                            + ": requests will wait for each other. Make the pool larger (" + place.poolSizeSetting()
                            + "), or "
                            + (copyable
                                    ? "set " + place.path() + ".connections=separate."
                                    : "define a JdbcStore bean with a dedicatedDataSource."));
        }
        return new StoreConnectionPool(place, application, budget, null);
    }

    private static int listening(DataSource application) {
        return HikariPools.mayListen(application) ? ConnectionBudget.LISTENING : 0;
    }

    /**
     * Opens the store on these connections.
     *
     * @throws RefrainStartException if it cannot be opened
     */
    JdbcStore open(RefrainProperties.Store settings, boolean browsed) {
        try {
            return RefrainStartException.explain(place.path(), () -> {
                var builder = JdbcStore.builder(application)
                        .dedicatedDataSource(held())
                        .migrate(settings.migrate())
                        .requireWrites(true)
                        .createBrowsingIndex(browsed)
                        .schema(settings.schema())
                        .statementTimeout(settings.statementTimeout());
                var anyThread = settings.borrowOnAnyThread();
                if (anyThread != null) {
                    builder.borrowOnAnyThread(anyThread);
                }
                var lockTimeout = settings.lockTimeout();
                return (lockTimeout == null ? builder : builder.lockTimeout(lockTimeout)).build();
            });
        } catch (StoreException e) {
            throw StoreStartFailure.explain(place, e);
        }
    }

    /** Returns the application's DataSource, whose transactions hold keys and work. */
    DataSource application() {
        return application;
    }

    /** Returns the source of the connections that the store holds for itself. */
    DataSource held() {
        return own == null ? application : own.source();
    }

    /** Returns how many connections of the application's pool the store holds. */
    int heldOfApplication() {
        return own == null ? budget.held() : 0;
    }

    /** Returns how many connections Refrain holds and how many are left to the application, in words. */
    public String budget() {
        return budget.sentence();
    }

    @Override
    public void close() throws Exception {
        if (own != null) {
            own.closing().close();
        }
    }
}

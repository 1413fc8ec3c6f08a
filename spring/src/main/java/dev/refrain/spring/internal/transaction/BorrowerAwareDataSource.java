package dev.refrain.spring.internal.transaction;

import dev.refrain.store.jdbc.spi.TransactionSource.ConnectionBorrower;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.core.InfrastructureProxy;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.support.TransactionSynchronizationUtils;

/**
 * DataSource of a transaction manager whose transactions begin on the caller's own thread only. While Refrain begins one, the connection
 * comes from Refrain's borrower, which stops waiting in time; at any other moment, from the pool as without it. For Spring's transactions
 * it is the same resource as the pool. Thread-safe.
 */
final class BorrowerAwareDataSource extends DelegatingDataSource implements InfrastructureProxy {

    /** Begins a transaction. */
    @FunctionalInterface
    interface TransactionBeginning<T> {
        T begin() throws SQLException;
    }

    /** A beginning that a thread is in. */
    private static final class CurrentBeginning {
        private final BorrowerAwareDataSource source;
        private final ConnectionBorrower borrower;
        private boolean borrowed;

        CurrentBeginning(BorrowerAwareDataSource source, ConnectionBorrower borrower) {
            this.source = source;
            this.borrower = borrower;
        }
    }

    private static final System.Logger LOG = System.getLogger(BorrowerAwareDataSource.class.getName());
    private static final ThreadLocal<@Nullable CurrentBeginning> CURRENT = new ThreadLocal<>();

    private final DataSource pool;
    private final AtomicBoolean bypassed = new AtomicBoolean();

    BorrowerAwareDataSource(DataSource pool) {
        super(pool);
        this.pool = pool;
    }

    /** Begins a transaction whose connections come from the borrower, as far as they are borrowed here and by this thread. */
    <T> T beginWith(ConnectionBorrower borrower, TransactionBeginning<T> beginning) throws SQLException {
        var current = new CurrentBeginning(this, borrower);
        CURRENT.set(current);
        try {
            T begun = beginning.begin();
            if (!current.borrowed && bypassed.compareAndSet(false, true)) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "A transaction manager got its connection elsewhere than from its DataSource, such as from a connection provider"
                                + " of Hibernate: if the network to the database falls silent, transactional requests may wait longer than"
                                + " refrain.http.store-timeout. Keep the timeouts of that pool below it.");
            }
            return begun;
        } finally {
            CURRENT.remove();
        }
    }

    /** Returns true if a transaction began without a connection from here: its manager has another source of them. */
    boolean isBypassed() {
        return bypassed.get();
    }

    @Override
    public Connection getConnection() throws SQLException {
        var current = CURRENT.get();
        if (current == null || !current.source.equals(this)) {
            return pool.getConnection();
        }
        current.borrowed = true;
        return current.borrower.borrow(pool);
    }

    /** Returns what Spring binds the connections of this pool to. */
    @Override
    public Object getWrappedObject() {
        return TransactionSynchronizationUtils.unwrapResourceIfNecessary(pool);
    }
}

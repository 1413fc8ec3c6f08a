package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.store.jdbc.internal.sql.JdbcTimeouts;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import dev.refrain.store.jdbc.internal.transaction.ConnectionHandoverQueue.TransactionSession;
import dev.refrain.store.jdbc.spi.TransactionSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import javax.sql.DataSource;

/** The lines in which transactions wait for their connections: one for those of our own, and one for each that manages others. */
public final class HandoverQueueRegistry {

    private static final String NO_LIMITS = "";

    private final DataSource application;
    private final boolean handOn;
    private final SqlScriptLibrary scripts;
    private final JdbcTimeouts timeouts;
    private final LongSupplier nanoTime;
    private final List<ConnectionHandoverQueue> all = new CopyOnWriteArrayList<>();

    /** @param alike whether it does not matter whose thread took a connection */
    public HandoverQueueRegistry(
            DataSource application,
            boolean alike,
            SqlScriptLibrary scripts,
            JdbcTimeouts timeouts,
            LongSupplier nanoTime) {
        this.application = application;
        this.handOn = alike && scripts.dialect().commitsInPipeline();
        this.scripts = scripts;
        this.timeouts = timeouts;
        this.nanoTime = nanoTime;
    }

    public ConnectionHandoverQueue toPool() {
        return added(
                () -> handOn,
                () -> passage(PooledTransaction.begin(application.getConnection(), scripts.dialect(), timeouts)));
    }

    public ConnectionHandoverQueue to(TransactionSource source) {
        return added(
                () -> handOn && source.acceptsMovedTransaction(),
                () -> passage(ManagedTransaction.begin(source, scripts.dialect())));
    }

    private ConnectionHandoverQueue added(BooleanSupplier handsOn, ConnectionHandoverQueue.TransactionStarter pool) {
        var line = new ConnectionHandoverQueue(handsOn, pool, nanoTime);
        all.add(line);
        return line;
    }

    private TransactionSession passage(DatabaseTransaction own) {
        return TransactionSession.fromPool(
                own, new SqlSession(own.connection(), scripts, NO_LIMITS), nanoTime.getAsLong());
    }

    /** Nobody waits too long for another's commit. */
    public void giveBackTakenBefore(long moment) {
        all.forEach(line -> line.giveBackTakenBefore(moment));
    }
}

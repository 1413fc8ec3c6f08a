package dev.refrain.store.jdbc.internal.wakeup;

import dev.refrain.api.KeyHash;
import dev.refrain.store.WakeupChannel;
import dev.refrain.store.jdbc.internal.connection.DedicatedConnection;
import dev.refrain.store.jdbc.internal.sql.Dialect;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * Sends wake-ups by LISTEN and NOTIFY, with waiters registered in a table; or, where the database is a file, watches its version.
 */
public final class JdbcWakeupChannel implements WakeupChannel, AutoCloseable {

    /** Name of the notification channel; also in {@code waiter_notify.sql}. */
    static final String CHANNEL = "refrain_done";

    private final Dialect dialect;
    private final DataSource listening;
    private final DedicatedConnection dedicated;
    private final Set<JdbcRecordWatch> open = ConcurrentHashMap.newKeySet();

    /**
     * Creates the channel.
     *
     * @param listening source of the connection that listens for commits
     * @param dedicated connection on which waiters are registered
     */
    public JdbcWakeupChannel(Dialect dialect, DataSource listening, DedicatedConnection dedicated) {
        this.dialect = dialect;
        this.listening = listening;
        this.dedicated = dedicated;
    }

    @Override
    public RecordWatch openWatch(Consumer<KeyHash> changed) {
        var watch = dialect.supportsNotifications()
                ? new JdbcRecordWatch(
                        new WaiterTable(dedicated),
                        heard -> CommitListener.byNotify(listening, CHANNEL, heard),
                        changed,
                        open::remove)
                : new JdbcRecordWatch(
                        WaiterRegistrations.NOT_NEEDED,
                        heard -> CommitListener.byFileVersion(listening, heard),
                        changed,
                        open::remove);
        open.add(watch);
        return watch;
    }

    /** Ends all watches: nothing is registered or received any more. */
    @Override
    public void close() {
        open.forEach(JdbcRecordWatch::close);
    }
}

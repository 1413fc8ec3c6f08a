package dev.refrain.store.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.servers.MariadbServer;
import dev.refrain.store.contract.AuditTrailContract;
import dev.refrain.store.contract.BrowsingContract;
import dev.refrain.store.contract.CompletionContract;
import dev.refrain.store.contract.CountsContract;
import dev.refrain.store.contract.EncryptionMarkContract;
import dev.refrain.store.contract.ErasureContract;
import dev.refrain.store.contract.KeptRequestContract;
import dev.refrain.store.contract.LedgerContract;
import dev.refrain.store.contract.OutboxBrowsingContract;
import dev.refrain.store.contract.OutboxContract;
import dev.refrain.store.contract.StoreContract;
import dev.refrain.store.contract.StoreHarness;
import dev.refrain.store.contract.TransactionsContract;
import java.sql.Connection;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** All but wake-ups: nothing notifies here, and waiting callers poll. */
class MysqlStoreTest extends StoreContract
        implements CompletionContract,
                ErasureContract,
                AuditTrailContract,
                CountsContract,
                BrowsingContract,
                TransactionsContract<Connection>,
                OutboxContract<Connection>,
                OutboxBrowsingContract<Connection>,
                LedgerContract<Connection>,
                KeptRequestContract,
                EncryptionMarkContract {

    private static final HikariDataSource SOURCE = new HikariDataSource();

    @BeforeAll
    static void openPool() {
        SOURCE.setJdbcUrl(MariadbServer.shared().freshDatabase());
        SOURCE.setMaximumPoolSize(80);
        SOURCE.setMinimumIdle(0);
    }

    @AfterAll
    static void closePool() {
        SOURCE.close();
    }

    @Override
    protected StoreHarness newHarness() {
        return new MysqlStoreHarness(SOURCE, UnaryOperator.identity());
    }
}

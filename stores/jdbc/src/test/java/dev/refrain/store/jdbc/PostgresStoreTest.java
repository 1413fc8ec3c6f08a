package dev.refrain.store.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.servers.PostgresServer;
import dev.refrain.store.Store;
import dev.refrain.store.contract.StoreContract;
import dev.refrain.store.contract.StoreHarness;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class PostgresStoreTest extends StoreContract {

    private static final HikariDataSource SOURCE = new HikariDataSource();

    @BeforeAll
    static void openPool() {
        SOURCE.setJdbcUrl(PostgresServer.shared().freshDatabase());
        SOURCE.setMaximumPoolSize(80);
        SOURCE.setMinimumIdle(0);
    }

    @AfterAll
    static void closePool() {
        SOURCE.close();
    }

    @Override
    protected StoreHarness newHarness() {
        return new JdbcStoreHarness() {
            @Override
            DataSource dataSource() {
                return SOURCE;
            }

            /** Making a database takes longer than most tests. */
            @Override
            public Store open() {
                var store = super.open();
                execute("TRUNCATE refrain_record, refrain_payload, refrain_attention, refrain_audit");
                execute("DELETE FROM refrain_meta WHERE name <> 'schema'");
                return store;
            }

            @Override
            public Store openSecond() {
                return super.open();
            }

            @Override
            public Optional<Store> reopenAfterCrash() {
                return Optional.of(super.open());
            }

            @Override
            List<String> aging(long micros) {
                String off = " - interval '" + micros + " microseconds'";
                return List.of(
                        "UPDATE refrain_record SET lease_until = lease_until" + off + ", expires_at = expires_at" + off
                                + ", claimed_at = claimed_at" + off,
                        "UPDATE refrain_payload SET due_at = due_at" + off,
                        "UPDATE refrain_attention SET since = since" + off,
                        "UPDATE refrain_meta SET moment = moment" + off + ", since = since" + off);
            }
        };
    }
}

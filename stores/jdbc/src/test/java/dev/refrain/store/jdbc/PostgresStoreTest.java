package dev.refrain.store.jdbc;

import dev.refrain.store.contract.StoreContract;
import dev.refrain.store.contract.StoreHarness;
import java.util.List;
import javax.sql.DataSource;

class PostgresStoreTest extends StoreContract {

    @Override
    protected StoreHarness newHarness() {
        var source = TestDatabases.freshPostgres();
        return new DatabaseHarness() {
            @Override
            DataSource dataSource() {
                return source;
            }

            @Override
            List<String> aging(long micros) {
                String off = " - interval '" + micros + " microseconds'";
                return List.of(
                        "UPDATE refrain_record SET lease_until = lease_until" + off + ", expires_at = expires_at" + off
                                + ", claimed_at = claimed_at" + off,
                        "UPDATE refrain_attention SET since = since" + off,
                        "UPDATE refrain_meta SET moment = moment" + off + ", since = since" + off);
            }
        };
    }
}

package dev.refrain.store.jdbc;

import dev.refrain.store.contract.StoreContract;
import dev.refrain.store.contract.StoreHarness;
import dev.refrain.store.jdbc.internal.sqlite.SqliteDataSourceFactory;
import java.nio.file.Path;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreTest extends StoreContract {

    @TempDir
    Path directory;

    @Override
    protected StoreHarness newHarness() {
        var source = SqliteDataSourceFactory.at(directory.resolve("refrain.db"));
        return new JdbcStoreHarness() {
            @Override
            DataSource dataSource() {
                return source;
            }

            @Override
            List<String> aging(long micros) {
                String off = " - " + micros / 1000;
                return List.of(
                        "UPDATE refrain_record SET lease_until = lease_until" + off + ", claimed_at = claimed_at" + off
                                + ", expires_at = CASE WHEN expires_at = 9223372036854775807 THEN expires_at"
                                + " ELSE expires_at" + off + " END",
                        "UPDATE refrain_payload SET due_at = due_at" + off,
                        "UPDATE refrain_attention SET since = since" + off);
            }
        };
    }
}
